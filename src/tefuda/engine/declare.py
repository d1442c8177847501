"""What a rules file declares: its cards, piles, state, options and moves. Plain data, read once at loading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tefuda.engine.sentence import WrongValueError

NO_CARD = 0
"""The kind that no card has."""

NOBODY = -1
"""No seat; said of a pile, nobody sees it."""

NO_LIMIT = -32768
"""What rules read for an option that is null."""

SPECTATOR = 14
"""The viewer who holds no seat. Seats are viewers 0 to 9."""

MOST_SEATS = 10

EVERYBODY = (1 << 15) - 1
"""All viewers, as bits: who sees a pile."""

OWNER = -2
"""Said of a pile of which every seat has its own: only that seat sees it."""

# ------------------------------------------------------------------------------------------- cards and piles


@dataclass(frozen=True)
class Kind:
    """Cards that look alike: their name in the notation, how many there are, and the pile they start in.

    The cards that start in one pile have the same back, another pile's another: face down, number cards and picture
    cards can be told apart, and no seat ever takes one for the other."""

    name: str
    copies: int
    home: int


def kinds(home: int, names: Sequence[object], copies: int | Sequence[int] = 1) -> list[Kind]:
    """Kinds of cards that start in pile `home`. Kinds are numbered from 1 in the order they are declared."""
    many = [copies] * len(names) if isinstance(copies, int) else list(copies)
    return [Kind(str(name), n, home) for name, n in zip(names, many, strict=True)]


@dataclass(frozen=True)
class Pile:
    """A place where cards lie.

    `seen_by`: EVERYBODY (face up), OWNER (each seat has such a pile and sees its own), or NOBODY (face down).
    `each`: every seat has one (always so with OWNER). `ordered`: it matters which card lies on which (a deck).
    `row`: an ordered pile that lies side by side; it is told from place 0 on, not from the top down.
    """

    name: str
    seen_by: int = NOBODY
    each: bool = False
    ordered: bool = False
    row: bool = False

    def __post_init__(self) -> None:
        if self.row:
            object.__setattr__(self, "ordered", True)

    @property
    def per_seat(self) -> bool:
        """Whether every seat has one."""
        return self.each or self.seen_by == OWNER


def number_piles(piles: Sequence[Pile], most_seats: int) -> list[int]:
    """The number of each pile, of the first seat's where every seat has one."""
    numbers, n = [], 0
    for pile in piles:
        numbers.append(n)
        n += most_seats if pile.per_seat else 1
    return numbers


# ------------------------------------------------------------------------------------------------- the state

Field = np.int16
"""Every number in a state has this width: wide enough that sums do not overflow, small enough to copy fast."""


@dataclass(frozen=True)
class private:
    """A field of which each seat sees only its own entry; give how many entries a seat has."""

    each: int = 1


class StateType:
    """The shape of a game's state: its piles and its own fields."""

    def __init__(self, piles: Sequence[Pile], cards: int, kinds: int, seats: int, fields: dict[str, Any]) -> None:
        self.piles = tuple(piles)
        self.most_cards, self.most_kinds, self.most_seats = cards, kinds, seats
        self.private = tuple(name for name, shape in fields.items() if isinstance(shape, private))
        self.own = tuple(fields)
        self.open_numbers = tuple(name for name, shape in fields.items() if shape == 1)
        self.pile_count = sum(seats if pile.per_seat else 1 for pile in piles)
        n = self.pile_count
        shapes: dict[str, Any] = {
            "seats": 1,
            "turn": 1,
            "decisions": 1,
            "capped": 1,
            "ended": 1,
            "size": (n,),
            "always": (n,),
            "home": (kinds + 1,),
            "count": (n, kinds + 1),
            "card": (n, cards),
            "seen": (n, cards),
        }
        for name, shape in fields.items():
            if name in shapes or name == "journal" or name.startswith("_"):
                raise WrongValueError(
                    "the state has a field {name!r} of its own already; choose another name", name=name
                )
            if isinstance(shape, private):
                shape = (seats,) if shape.each == 1 else (seats, shape.each)
            shapes[name] = shape
        self.shapes = shapes
        rows = [(name, Field) if shape == 1 else (name, Field, shape) for name, shape in shapes.items()]
        self.dtype = np.dtype((np.record, np.dtype(rows)))

    def pile_number(self, name: str, seat: int = 0) -> int:
        """The number of a pile by its name (and seat)."""
        for pile, number in zip(self.piles, number_piles(self.piles, self.most_seats), strict=True):
            if pile.name == name:
                return number + (seat if pile.per_seat else 0)
        raise KeyError(name)


def state_type(piles: Sequence[Pile], cards: int, kinds: int, seats: int, **fields: Any) -> StateType:
    """The state of a game: its piles, the most cards, kinds and seats there can be, and fields of its own.

    A field is given as how many numbers it holds: `winner=1`, `out=6` (one a seat), `wins=(4, 2)`, `(1,)` for a
    row of one, or `private()`. All are whole numbers from -32768 to 32767 and start at 0. They are public unless
    private. The engine's own fields: `seats`, `turn` (whose decision it is), `decisions` (how many there were, for the
    cap), `capped` (a cap was reached), `ended` (the game ends as it stands).
    """
    return StateType(piles, cards, kinds, seats, fields)


# --------------------------------------------------------------------------------------------------- options


@dataclass(frozen=True)
class Flag:
    """An option that is true or false."""

    default: bool = False


@dataclass(frozen=True)
class Range:
    """An option that is a whole number from `low` to `high`; with `none` also null, which rules read as NO_LIMIT."""

    default: int | None
    low: int
    high: int
    none: bool = False


class Choice:
    """As an option: one of some words, the first unless told otherwise. As a part of a move: one of some texts."""

    def __init__(self, *texts: str, default: str | None = None) -> None:
        self.texts = texts
        self.default = texts[0] if default is None else default

    def __repr__(self) -> str:
        return f"Choice{self.texts}"


@dataclass(frozen=True)
class Data:
    """An option that is a JSON value of its own kind; the rules file's `check_options` says what is allowed.

    `grows`: it is a list to which the table may add while it plays (a word that all others accepted). A record tells
    it by this word: `["*", "word 花楽"]`. What is added comes last in the list, so what had a number keeps it."""

    default: Any
    grows: str | None = None


# ----------------------------------------------------------------------------------------------------- moves


@dataclass(frozen=True)
class Card:
    """A part of a move that is a card, by its kind.

    `of`: the pile it is chosen from (the mover's own where every seat has one). `hidden`: only the mover knows
    which it is (a card offered face down): others read `?`.
    """

    of: str
    hidden: bool = False


@dataclass(frozen=True)
class Number:
    """A part of a move that is a whole number. `of`: it counts the cards of that part (three 7s)."""

    of: str | None = None


@dataclass(frozen=True)
class Seat:
    """A part of a move that is a seat."""


@dataclass(frozen=True)
class Name:
    """A part of a move that has a name in a list made at run time: `names(options)[list][number]` (words).

    `of`: the name is spelled by cards of that pile (the mover's own where every seat has one), their names joined by
    `join`: a person lays these cards to make the move. `any_order`: in whatever order."""

    list: str
    hidden: bool = False
    of: str | None = None
    join: str = ""
    any_order: bool = False


Part = Card | Number | Seat | Choice | Name


class Move:
    """A kind of move: its number, its name, its text, and what each part is, in the order `add` takes them.

        Move(PLAY, "play", "{rank}x{n}", rank=Card("hand"), n=Number(of="rank"))

    The text is the notation: `7x3`. From it follow the parser, what a log hides, the page's form and the
    keys of the search tree. `talk`: it changes nothing in the game but what the players say (a claim); a search
    does not spend its time on it.

    What concerns people: `found`: finding this move is the game, so nothing lists it for a person unless the table
    plays with assist. `overlooks`: people may make it because they overlook something (`also_people` adds it); where
    assist shows everything they may not. `silence`: at a table it is the answer of a person who says nothing.
    """

    def __init__(
        self,
        kind: int,
        name: str,
        text: str,
        *,
        talk: bool = False,
        found: bool = False,
        overlooks: bool = False,
        silence: bool = False,
        **parts: Part,
    ) -> None:
        if not 1 <= kind <= 63:
            raise WrongValueError(
                "the move {name!r} has the number {kind!r}; it must be from 1 to 63", name=name, kind=kind
            )
        if len(parts) > 3:
            raise WrongValueError("the move {name!r} has {n} parts; at most 3", name=name, n=len(parts))
        self.kind, self.name, self.text, self.parts, self.talk = kind, name, text, parts, talk
        self.found, self.overlooks, self.silence = found, overlooks, silence
        for part in parts:
            if "{" + part + "}" not in text:
                lacking = "{" + part + "}"
                raise WrongValueError("the text of the move {name!r} lacks its part {part}", name=name, part=lacking)
