"""Bots in words: `random`, `greedy`, `search:1000`, `search:0.5s`, with settings behind semicolons."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tefuda.engine.rules import Rules
from tefuda.engine.sentence import Sentence, ToldError

Kind = Literal["random", "greedy", "search"]

FORMS = Sentence("random, greedy, search:1000 (so many iterations) or search:0.5s (so much time)")

MOST_ITERATIONS = 100_000_000
MOST_SECONDS = 600.0


class BotError(ToldError, ValueError):
    """A bot is written wrongly, or is not for this game; the message says what would be right."""


VOCABULARY = "vocabulary"
"""The setting of bots in games whose rules have a `vocabulary`: which of the game's names (words) a bot finds."""

SETTINGS = {VOCABULARY: Sentence("all, common, or a share of all words such as 0.4")}
"""All settings there are, and what they take."""

EVERY = 1000
COMMON = -1


@dataclass(frozen=True)
class Bot:
    """A bot: its kind; for a search its budget, in `iterations` or in `seconds` a decision; its settings.

    As a text it is written as it is read."""

    kind: Kind
    iterations: int | None = None
    seconds: float | None = None
    settings: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        text: str = self.kind
        if self.iterations is not None:
            text += f":{self.iterations}"
        if self.seconds is not None:
            text += f":{self.seconds:g}s"
        return text + "".join(f";{name}={word}" for name, word in self.settings)

    def check(self, rules: Rules) -> None:
        """BotError when this bot cannot play that game."""
        if self.kind == "greedy" and not has_estimate(rules):
            raise BotError(
                "greedy cannot play {game}: its rules have no `estimate`; take random or search", game=rules.id
            )
        for name, _ in self.settings:
            if not hasattr(rules.module, name):
                known = ", ".join(key for key in SETTINGS if hasattr(rules.module, key))
                if not known:
                    raise BotError("bots of {game} have no setting {name!r}; they have none", game=rules.id, name=name)
                there = "bots of {game} have no setting {name!r}; there is {known}"
                raise BotError(there, game=rules.id, name=name, known=known)

    @property
    def share(self) -> int:
        """How much of a game's words this bot finds: so many in a thousand, or COMMON for those everybody knows."""
        word = dict(self.settings).get(VOCABULARY, "all")
        if word in ("all", "common"):
            return EVERY if word == "all" else COMMON
        return max(1, round(float(word) * EVERY))


def has_estimate(rules: Rules) -> bool:
    """Whether the rules say how good a position is."""
    return hasattr(rules.module, "estimate")


def parse(text: str) -> Bot:
    """The bot that a text describes; BotError when it describes none."""
    what, *rest = text.strip().split(";")
    kind, colon, budget = what.strip().partition(":")
    settings = _settings(text, rest)
    if kind in ("random", "greedy"):
        if colon:
            raise BotError("{text!r}: {kind} takes no budget; bots are {forms}", text=text, kind=kind, forms=FORMS)
        return Bot("random" if kind == "random" else "greedy", settings=settings)
    if kind != "search":
        raise BotError("there is no bot {name!r}; bots are {forms}", name=what.strip(), forms=FORMS)
    if re.fullmatch(r"[0-9]+", budget) and 1 <= int(budget) <= MOST_ITERATIONS:
        return Bot("search", iterations=int(budget), settings=settings)
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)s", budget)
    if found and 0 < float(found[1]) <= MOST_SECONDS:
        return Bot("search", seconds=float(found[1]), settings=settings)
    raise BotError(
        "{text!r}: a search needs a budget, as in search:1000 (1 to {iterations} iterations) "
        "or search:0.5s (up to {seconds:g} seconds)",
        text=text,
        iterations=MOST_ITERATIONS,
        seconds=MOST_SECONDS,
    )


def _settings(text: str, rest: Sequence[str]) -> tuple[tuple[str, str], ...]:
    found: dict[str, str] = {}
    for piece in rest:
        name, equals, word = (part.strip() for part in piece.partition("="))
        if name not in SETTINGS:
            known = ", ".join(SETTINGS)
            raise BotError(
                "{text!r}: bots have no setting {name!r}; there is {known}", text=text, name=name, known=known
            )
        share = re.fullmatch(r"[01]|0?\.[0-9]{1,3}|1\.0", word)
        if not equals or not (word in ("all", "common") or (share and float(word) > 0)):
            takes = SETTINGS[name]
            raise BotError("{text!r}: {name} takes {takes}, as in {name}=common", text=text, name=name, takes=takes)
        if name in found:
            raise BotError("{text!r}: {name} stands there twice", text=text, name=name)
        found[name] = word
    return tuple(found.items())


def parse_seats(text: str, seats: int, rules: Rules) -> list[Bot]:
    """A bot for every seat, from one for all or as many as seats, separated by commas; BotError when that is wrong or
    a bot cannot play the game."""
    bots = [parse(piece) for piece in text.split(",")]
    if len(bots) == 1:
        bots *= seats
    if len(bots) != seats:
        raise BotError(
            "{text!r} names {n} bots for {seats} seats; give one for all, or one for each",
            text=text,
            n=len(bots),
            seats=seats,
        )
    for bot in bots:
        bot.check(rules)
    return bots
