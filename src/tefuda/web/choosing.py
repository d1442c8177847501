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
from tefuda.engine.layout import Columns, Tray
from tefuda.engine.notation import Notation
from tefuda.engine.rules import Rules
from tefuda.tables import shown_names
from tefuda.web.layouts import layout_of
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


def options_now(rules: Rules, view: Json) -> dict[str, Json]:
    """The options that a game is played by, with what the table added while it plays."""
    if rules.growing is None or not view["entries"]:
        return dict(view["options"])
    name = rules.growing[0]
    return {**view["options"], name: [*view["options"][name], *view["entries"]]}


@lru_cache(maxsize=64)
def _notation(rules: Rules, options: str) -> Notation:
    return rules.notation(json.loads(options))


def wishes(rules: Rules, view: Json) -> list[Wish]:
    """What the viewer may choose: the legal moves that are told, and those that a person may try (see `tries`)."""
    notation = notation_of(rules, options_now(rules, view))
    return [_wish(notation, text) for text in (*tries(rules, view), *view["moves"])]


def tries(rules: Rules, view: Json) -> list[str]:
    """The moves, as text, that lay any card of the own hand on any of the columns, where the viewer must find out
    which of them may be made. They follow from the cards there are, not from what is legal."""
    columns = layout_of(rules).columns
    if columns is None or columns.move not in view["finds"] or not may_claim(view, columns):
        return []
    move = next(move for move in rules.moves if move.name == columns.move)
    name, card = next((name, part) for name, part in move.parts.items() if isinstance(part, Card))
    choice = move.parts[columns.part]
    assert isinstance(choice, Choice)
    held = view["piles"][card.of][view["viewer"]]["cards"]
    return [move.text.format(**{name: one, columns.part: text}) for one in dict.fromkeys(held) for text in choice.texts]


def may_claim(view: Json, component: Tray | Columns) -> bool:
    """Whether it is the viewer's turn to lay cards of the own, whatever they are."""
    on_turn = view["viewer"] is not None and view["viewer"] == view["seat"]
    return on_turn and (component.when is None or component.when(view))


def tray_of(rules: Rules, view: Json) -> Tray | None:
    """The tray of a game, while its viewer may lay cards in it."""
    tray = layout_of(rules).tray
    return tray if tray is not None and may_claim(view, tray) else None


def claimed_by(rules: Rules, tray: Tray) -> list[str]:
    """The kinds of moves that are made by laying cards in a tray, the one that names the button first."""
    if tray.moves:
        return list(tray.moves)
    spelled = [m for m in rules.moves if any(isinstance(p, Name) and p.of == tray.pile for p in m.parts.values())]
    return [move.name for move in spelled]


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
    """The players' names as the page shows them."""
    return shown_names(view["players"], lang)


def namer(view: Json, lang: str) -> Callable[[int], str]:
    """What a seat is called in a sentence: the viewer is spoken to, a long name is cut (in full it is at the seat),
    unless it is another's up to there."""
    you, viewer, names = texts(lang)("table.you"), view["viewer"], names_of(view, lang)
    cut = [name if len(name) <= LONG_NAME else name[: LONG_NAME - 1] + "…" for name in names]
    shown = [short if cut.count(short) == 1 else name for name, short in zip(names, cut, strict=True)]
    return lambda seat: you if seat == viewer else shown[seat]


# --------------------------------------------------------------------------------------------------- from a form


def move_from_form(rules: Rules, view: Json, form: Form, lang: str = "ja") -> Choosing:
    """The move that posted fields (name -> all values) ask for, or why they ask for none."""
    say, game = texts(lang), words(rules, lang)
    chosen = ("pile.", "part.", "lay.", "keep", "said")
    kept = {key: list(values) for key, values in form.items() if key.startswith(chosen)}
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


def laid_in(form: Form) -> list[list[str]]:
    """The cards that a form lays, word by word: `lay.0`, `lay.1`, …, each in order."""
    return [list(form[f"lay.{n}"]) for n in range(MOST_WORDS) if form.get(f"lay.{n}")]


def laid_anew(rules: Rules, view: Json, tray: Tray, form: Form) -> Form | None:
    """The form as it is after one of the tray's own buttons: `put` or `pull` a card, `tray` back or join, `spell` (a
    word, laid as a whole). None when none of them was pressed. What is laid changes nothing in the game."""
    words = laid_in(form)
    asked = {key: form[key][-1] for key in ("put", "pull", "tray", "spell") if form.get(key)}
    if not asked:
        return None
    if "put" in asked:
        _put(words, asked["put"], tray.words)
    elif "pull" in asked:
        _pull(words, asked["pull"])
    elif "spell" in asked:
        cards = notation_of(rules, options_now(rules, view)).cards_of(asked["spell"])
        for card in cards:
            _pull(words, card)
        words = [*words, cards] if tray.words > 1 else [cards]
    elif asked["tray"] == "join":
        words[-2:] = [[card for word in words[-2:] for card in word]] if words else []
    elif words:
        _pull(words, words[-1][-1])
    kept = {key: list(form[key]) for key in form if key.startswith(("pile.", "part.")) or key in ("keep", "said")}
    return {**kept, **{f"lay.{n}": cards for n, cards in enumerate(words)}}


def with_laid(form: Form, tray: Tray) -> Form:
    """The form with the cards that lie in the tray as cards picked from their pile: one of them may be played alone."""
    together = [card for word in laid_in(form) for card in word]
    return {**form, f"pile.{tray.pile}": together} if together else form


def _put(words: list[list[str]], card: str, most: int) -> None:
    """Lay a card: most words are of two, so it joins the last one while that has one, else it begins another."""
    if words and (len(words[-1]) == 1 or len(words) == most):
        words[-1].append(card)
    else:
        words.append([card])


def _pull(words: list[list[str]], card: str) -> None:
    """Take the last card of that name back."""
    for word in reversed(words):
        if card in word:
            del word[len(word) - 1 - word[::-1].index(card)]
            break
    words[:] = [word for word in words if word]


def claim_from_form(rules: Rules, view: Json, form: Form) -> tuple[list[list[str]], str | None]:
    """The cards that a form lays, word by word, and the one it would keep. The script posts the cards of word number n
    as `lay.n`, in order; without it the words are typed into `spell`, with spaces between."""
    laid = laid_in(form)
    notation = notation_of(rules, options_now(rules, view))
    laid += [notation.cards_of(text) for text in form.get("spell", [""])[-1].split()]
    return laid, form.get("keep", [""])[-1] or None


def _fits(wish: Wish, form: Form) -> bool:
    picked = all(sorted(form.get(f"pile.{pile}", ())) == sorted(cards) for pile, cards in wish.picks.items())
    return picked and all(list(form.get(f"part.{name}", ())) == [value] for name, value in wish.parts.items())


def _why_not(move: Move, of_kind: Sequence[Wish], form: Form, view: Json, game: Words, say: Texts, lang: str) -> str:
    """What is missing for this kind of move, or wrong with it, and what would be right."""
    for pile in of_kind[0].picks:
        if not form.get(f"pile.{pile}"):
            return say("refusal.pick", label=game.choose(move.name))
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
