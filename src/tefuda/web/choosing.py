"""From what is legal to what a person chooses on the page, and from the posted form back to a move.

A legal move is shown as a `Wish`: the cards one picks, pile by pile, and the other things one chooses. The same
wishes tell the page which cards may be picked, its script what each button would do, and the server which move a
form means."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tefuda.engine.declare import Card, Choice, Move, Name, Number, Seat
from tefuda.engine.notation import Notation
from tefuda.engine.rules import Rules
from tefuda.words import Texts, Words, texts, words

LONG_NAME = 16

MOST_WORDS = 20
"""Words that may be laid at once."""

Json = Any
Form = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Wish:
    """One legal move as a choice: its text, its kind, the cards to pick by pile, and its other parts by name."""

    text: str
    move: str
    picks: Mapping[str, tuple[str, ...]]
    parts: Mapping[str, str]
    data: Mapping[str, Json]


@dataclass(frozen=True)
class Choosing:
    """What a posted form asks for: a move as text, or why it is none. `chosen`: to show the same choice again."""

    move: str | None
    refusal: str | None
    chosen: Form


def notation_of(rules: Rules, options: Mapping[str, Json]) -> Notation:
    """How moves are written with these options."""
    return _notation(rules, json.dumps(options, sort_keys=True))


@lru_cache(maxsize=64)
def _notation(rules: Rules, options: str) -> Notation:
    return rules.notation(json.loads(options))


def wishes(rules: Rules, view: Json) -> list[Wish]:
    """The viewer's legal moves as choices."""
    notation = notation_of(rules, view["options"])
    return [_wish(notation, text) for text in view["moves"]]


def _wish(notation: Notation, text: str) -> Wish:
    number = notation.parse(text)
    if number is None:
        raise ValueError(f"{text!r} reads as no move")
    move, data = notation.move_of(number), notation.data(number)
    picks: dict[str, tuple[str, ...]] = {}
    parts: dict[str, str] = {}
    for name, part in move.parts.items():
        if isinstance(part, Card):
            copies = next((data[n] for n, p in move.parts.items() if isinstance(p, Number) and p.of == name), 1)
            more = (str(data[name]),) * int(copies or 0)
            picks[part.of] = tuple(sorted((*picks.get(part.of, ()), *more)))
        elif not (isinstance(part, Number) and part.of):
            parts[name] = str(data[name])
    return Wish(text, move.name, picks, parts, data)


def kinds_of_moves(rules: Rules, found: Sequence[Wish]) -> list[Move]:
    """The kinds of moves among the wishes, in the order the rules declare them."""
    there = {wish.move for wish in found}
    return [move for move in rules.moves if move.name in there]


def takes_many(move: Move, pile: str) -> bool:
    """Whether a kind of move may take more than one card of a pile."""
    cards = [name for name, part in move.parts.items() if isinstance(part, Card) and part.of == pile]
    counted = any(isinstance(part, Number) and part.of in cards for part in move.parts.values())
    return counted or len(cards) > 1


# ------------------------------------------------------------------------------------------------------- names


def names_of(view: Json, lang: str) -> list[str]:
    """The players' names as the page shows them: bots under names of our own, the viewer under the own name."""
    ours = texts(lang).list("bots.names")
    shown, bots = [], 0
    for name in view["players"]:
        if name.startswith("bot:"):
            shown.append(ours[bots % len(ours)])
            bots += 1
        else:
            shown.append(name)
    return shown


def namer(view: Json, lang: str) -> Callable[[int], str]:
    """What a seat is called in a sentence: the viewer is spoken to, a long name is cut (in full it is at the seat)."""
    you, viewer = texts(lang)("table.you"), view["viewer"]
    shown = [name if len(name) <= LONG_NAME else name[: LONG_NAME - 1] + "…" for name in names_of(view, lang)]
    return lambda seat: you if seat == viewer else shown[seat]


# --------------------------------------------------------------------------------------------------- from a form


def move_from_form(rules: Rules, view: Json, form: Form, lang: str = "ja") -> Choosing:
    """The move that posted fields (name -> all values) ask for, or why they ask for none."""
    say, game = texts(lang), words(rules, lang)
    kept = {key: list(values) for key, values in form.items() if key.startswith(("pile.", "part."))}
    problem: str | None = None
    found = wishes(rules, view)
    if view["over"]:
        problem = say("refusal.over")
    elif not found:
        problem = say("refusal.not_your_turn", name=namer(view, lang)(view["seat"]))
    if problem is not None:
        return Choosing(None, problem, kept)
    asked = form.get("move", [""])[-1]
    declared = next((move for move in kinds_of_moves(rules, found) if move.name == asked), None)
    if declared is None:
        return Choosing(None, _not_possible(rules, view, found, game, say, lang), kept)
    of_kind = [wish for wish in found if wish.move == asked]
    fitting = [wish for wish in of_kind if _fits(wish, form)]
    if fitting:
        return Choosing(fitting[0].text, None, kept)
    return Choosing(None, _why_not(declared, of_kind, form, view, game, say, lang), kept)


def claim_from_form(rules: Rules, view: Json, form: Form) -> tuple[list[list[str]], str | None]:
    """The cards that a form lays, word by word, and the one it would keep. The script posts the cards of word number n
    as `lay.n`, in order; without it the words are typed into `spell`, with spaces between."""
    laid = [list(form[f"lay.{n}"]) for n in range(MOST_WORDS) if form.get(f"lay.{n}")]
    notation = notation_of(rules, view["options"])
    laid += [notation.cards_of(text) for text in form.get("spell", [""])[-1].split()]
    return laid, form.get("keep", [""])[-1] or None


def _fits(wish: Wish, form: Form) -> bool:
    picked = all(sorted(form.get(f"pile.{pile}", ())) == sorted(cards) for pile, cards in wish.picks.items())
    return picked and all(list(form.get(f"part.{name}", ())) == [value] for name, value in wish.parts.items())


def _why_not(move: Move, of_kind: Sequence[Wish], form: Form, view: Json, game: Words, say: Texts, lang: str) -> str:
    """What is missing for this kind of move, or wrong with it, and what would be right."""
    for pile in of_kind[0].picks:
        if not form.get(f"pile.{pile}"):
            return say("refusal.pick", pile=game.pile(pile), label=game.choose(move.name))
    for name, part in move.parts.items():
        if isinstance(part, (Seat, Choice, Name)) and not form.get(f"part.{name}"):
            return say("refusal.part", part=game.part(name))
    name_of = namer(view, lang)
    chosen = [card for pile in of_kind[0].picks for card in form.get(f"pile.{pile}", ())]
    near = [wish for wish in of_kind if any(card in cards for cards in wish.picks.values() for card in chosen)]
    right = [game.exact(wish.move, wish.data, name_of) for wish in (near or of_kind)]
    key = "refusal.these" if near or not chosen else "refusal.not_these"
    return say(key, right=_some(right, say))


def _not_possible(rules: Rules, view: Json, found: Sequence[Wish], game: Words, say: Texts, lang: str) -> str:
    labels = [game.label(move.name) for move in kinds_of_moves(rules, found)]
    return say("refusal.choose", right=_some(labels, say))


def _some(right: Sequence[str], say: Texts, most: int = 6) -> str:
    """Some of what would be right, in a line."""
    shown = say("game.comma").join(list(dict.fromkeys(right))[:most])
    return shown + (say("refusal.and_more") if len(set(right)) > most else "")
