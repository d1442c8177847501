"""What the pages of waiting tables show, worked out from a Gathering for one viewer; the templates only draw it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import segno

from tefuda.engine.rules import Rules
from tefuda.tables import PHRASES, Clock, Gathering, Line, Listed, Notice, Settings, Sitter, shown_names
from tefuda.tables.settings import A_DAY, Talk, Watch
from tefuda.words import Texts, texts, words

Json = Any

COLOURS = "abcdef"

CLOCKS: Mapping[str, Clock | None] = {
    "none": None,
    "move30": Clock("move", 30),
    "move60": Clock("move", 60),
    "move180": Clock("move", 180),
    "game10": Clock("game", 600, 10),
    "game30": Clock("game", 1800, 30),
    "day1": Clock("move", A_DAY),
    "day3": Clock("move", 3 * A_DAY),
    "day7": Clock("move", 7 * A_DAY),
}
"""The clocks a table may choose from, by the value that the form posts."""

TALKS: tuple[Talk, ...] = ("free", "phrases", "off")
WATCHES: tuple[Watch, ...] = ("now", "late", "end")

JUST_NOW = 6
"""So many events of a table ago something was said just now."""


@dataclass(frozen=True)
class Chair:
    """A seat at a waiting table. `name` is None where nobody sits. `may`: what the viewer may do with it: "sit",
    "leave" or "free" (send away whoever sits there)."""

    seat: int
    name: str | None
    initial: str
    colour: str
    bot: bool
    mine: bool
    host: bool
    may: str | None


@dataclass(frozen=True)
class LineShown:
    """A line that somebody said, or the table, as a page shows it."""

    number: int
    name: str
    text: str
    mine: bool
    table: bool = False


def chairs(now: Gathering, viewer: int | None, host: bool, lang: str) -> list[Chair]:
    """The seats in order, beginning after the viewer's."""
    names = names_at(now.sitters, now.plan.seats, lang)
    found = []
    for seat in range(now.plan.seats):
        sitter = now.sitters.get(seat)
        may = "sit" if sitter is None else "leave" if seat == viewer else "free" if host else None
        name = names[seat]
        digest = now.digests.get(seat)
        bot, opened = sitter is not None and sitter.bot is not None, digest is not None and digest == now.host
        found.append(Chair(seat, name, (name or "")[:1], COLOURS[seat % 6], bot, seat == viewer, opened, may))
    first = 0 if viewer is None else viewer + 1
    return found[first:] + found[:first]


def names_at(sitters: Mapping[int, Sitter], seats: int, lang: str) -> list[str | None]:
    """Who sits where, as they are shown; None where nobody sits."""
    there = sorted(sitters)
    shown = dict(zip(there, shown_names([sitters[seat].player for seat in there], lang), strict=True))
    return [shown.get(seat) for seat in range(seats)]


def lines(
    said: Sequence[Line], notices: Sequence[Notice], name_of: Callable[[int | None], str], viewer: int | None, lang: str
) -> list[LineShown]:
    """What was said, by people (in the language of the page where it is a set phrase) and by the table, in order."""
    say = texts(lang)
    shown = [
        LineShown(line.number, name_of(line.seat), line.text or say(f"phrases.{line.phrase}"), line.seat == viewer)
        for line in said
    ]
    for notice in notices:
        key = f"{notice.what} {notice.kind}".strip().replace(" ", "_")
        told = say(f"told.{key}", name=name_of(notice.seat), who=name_of(notice.other), word=notice.word)
        shown.append(LineShown(notice.number, name_of(None), told, mine=False, table=True))
    return sorted(shown, key=lambda line: line.number)


def heard(shown: Sequence[LineShown], last: int) -> LineShown | None:
    """The latest line, where another has said it just now: within the table's latest events up to `last`."""
    return shown[-1] if shown and not shown[-1].mine and shown[-1].number > last - JUST_NOW else None


def talk(shown: Sequence[LineShown], allowed: str, viewer: int | None, lang: str) -> dict[str, Any] | None:
    """What the panel of talk shows. Where nobody talks it has what the table says; None when that is nothing."""
    silent, say = allowed == "off", texts(lang)
    shown = [line for line in shown if line.table or not silent]
    if silent and not shown:
        return None
    return {
        "title": say("talk.table" if silent else "talk.title"),
        "lines": shown,
        "free": allowed == "free",
        "may": viewer is not None and not silent,
        "phrases": [(key, say(f"phrases.{key}")) for key in PHRASES],
    }


def clock_name(clock: Clock | None, say: Texts) -> str:
    """A clock in words."""
    if clock is None:
        return say("clock.none")
    if clock.kind == "game":
        return say("clock.game", n=clock.seconds // 60, more=clock.increment)
    if clock.by_post:
        return say("clock.days", n=clock.seconds // A_DAY)
    if clock.seconds % 60:
        return say("clock.move_seconds", n=clock.seconds)
    return say("clock.move_minutes", n=clock.seconds // 60)


def time_left(seconds: int, lang: str) -> str:
    """What is left of a time to think: by the second where it is less than a day, else by the hour, so that three days
    which have just begun are not told as two."""
    say = texts(lang)
    if seconds < 3600:
        return f"{seconds // 60}:{seconds % 60:02}"
    if seconds < A_DAY:
        return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    days, hours = divmod(round(seconds / 3600), 24)
    return say("clock.days_hours", n=days, hours=hours) if hours else say("clock.days_left", n=days)


def clock_value(clock: Clock | None) -> str:
    """The value that the form posts for a clock; "" for one that is none of ours."""
    return next((value for value, known in CLOCKS.items() if known == clock), "")


def settings_from_form(form: Mapping[str, Sequence[str]], before: Settings) -> Settings:
    """What a table is set to, as a form posts it; what is missing stays."""
    clock = form.get("clock", [""])[-1]
    said, watched = form.get("talk", [""])[-1], form.get("watch", [""])[-1]
    return replace(
        before,
        clock=CLOCKS.get(clock, before.clock),
        talk=next((one for one in TALKS if one == said), before.talk),
        watch=next((one for one in WATCHES if one == watched), before.watch),
        when_full=form.get("when_full") == ["true"],
    )


def table_choices(settings: Settings, say: Texts) -> dict[str, list[tuple[str, str, bool]]]:
    """What a table may be set to: value, words, and whether it is so now."""
    return {
        "clock": [(value, clock_name(clock, say), clock == settings.clock) for value, clock in CLOCKS.items()],
        "talk": [(value, say(f"lobby.talk_{value}"), value == settings.talk) for value in TALKS],
        "watch": [
            (value, say(f"lobby.watch_{value}", n=settings.delay), value == settings.watch) for value in WATCHES
        ],
    }


def facts(rules: Rules, options: Mapping[str, Json], settings: Settings, lang: str) -> list[tuple[str, str]]:
    """What a table is to play, for those who cannot change it: the rules and habits that are not as usual, how long one
    may think, and who may watch."""
    say, game = texts(lang), words(rules, lang)
    told = []
    for name, option in rules.declared_options.items():
        value = options.get(name, option.default)
        if value != option.default:
            shown = game.option_choice(name, str(value)) if isinstance(value, str) else _value(value)
            told.append((game.option(name), shown))
    told.append((say("lobby.clock"), clock_name(settings.clock, say)))
    if settings.assist:
        told.append((say("setup.assist"), "✓"))
    if settings.talk != "free":
        told.append((say("lobby.talk"), say(f"lobby.talk_{settings.talk}")))
    told.append((say("lobby.watch"), say(f"lobby.watch_{settings.watch}", n=settings.delay)))
    return told


def facts_of(now: Gathering, lang: str) -> list[tuple[str, str]]:
    """The same of a waiting table, for its guests; with who begins, where that is settled."""
    say, plan = texts(lang), now.plan
    told = facts(now.rules, plan.options, plan.settings, lang)
    if plan.starter is not None:
        told.append((say("lobby.starter"), names_at(now.sitters, plan.seats, lang)[plan.starter] or "?"))
    return told


def _value(value: Json) -> str:
    if value is True:
        return "✓"
    if value in (False, None):
        return "–"
    text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 60 else text[:59] + "…"


@lru_cache(maxsize=256)
def qr(url: str) -> str | None:
    """A link as a QR code, an SVG of one path; None for one that is too long for any."""
    try:
        code = segno.make(url, error="m", micro=False)
    except segno.DataOverflowError:
        return None
    drawn: str = code.svg_inline(
        scale=1, border=2, dark="#24211d", light="#fffdf6", omitsize=True, svgclass="qr-code", lineclass=None
    )
    return drawn


def listed(tables: Sequence[Listed], lang: str) -> list[dict[str, Any]]:
    """Public tables as the list of tables tells of them."""
    shown = []
    for one in tables:
        names = [name for name in names_at(dict(enumerate(one.names)), len(one.names), lang) if name]
        game = words(one.rules, lang)
        shown.append(
            {
                "id": one.id,
                "title": game.title(),
                "names": names,
                "n": len(names),
                "all": one.seats,
                "facts": facts(one.rules, one.options, one.settings, lang),
                "closed": one.settings.watch == "end",
            }
        )
    return shown
