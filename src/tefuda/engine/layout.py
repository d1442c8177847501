"""How a page sets out a game: the closed set of components a rules file's LAYOUT is made of. Plain data.

    LAYOUT = (
        Seats(out="out", facts=("minus",)),
        Stacks("row", asks=asks),
        Hand("hand"),
    )

Components name piles and public fields of the state. They are shown in the order given: seats around the table,
what lies on it, the viewer's own hand below. A game without a LAYOUT gets one derived from its piles. Where a
component takes a function, that function is given the view (`Game.view`) and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

View = dict[str, Any]


@dataclass(frozen=True)
class Seats:
    """Who sits where.

    `out`: a field, one a seat; not 0 means that the seat waits outside. `marker`: a field that holds the seat which
    has a marker (shown as a ribbon, or as the sign that the words give it). `facts`: fields, one a seat, told beside
    the name when they are not 0. `tally`: a field, one a seat, shown as so many dots filled of as many as the option
    of the same name says. `score`: a field, one a seat: the points so far. `direction`: a field, 1 while play goes
    clockwise and -1 against it: an arrow, told by the words ([turning]). `duty`: a field, how many plays the seat on
    turn has still to make where they are more than an ordinary turn, and how many they are at first: as many small
    cards, told by the words ([duty]). `around`: up to three opponents sit at the sides of the table where the page is
    wide."""

    out: str | None = None
    marker: str | None = None
    facts: tuple[str, ...] = ()
    tally: str | None = None
    direction: str | None = None
    duty: tuple[str, int] | None = None
    score: str | None = None
    around: bool = False


@dataclass(frozen=True)
class Hand:
    """The cards a seat holds: the viewer's own large at the bottom, the others' as backs with the known cards
    face up. `fanned`: they may overlap, because the corner of a card tells it."""

    pile: str
    fanned: bool = True


@dataclass(frozen=True)
class Beside:
    """A pile of which every seat has one, of a card or two, that lies beside the hand. The page of a game that has
    ended shows everybody's."""

    pile: str


@dataclass(frozen=True)
class Stacks:
    """A row of stacks: the cards of a face-up pile by kind, each kind with its number of cards.

    `asks`: for a ruler below the row. It takes the view and gives, for each kind in order, how many cards of it must
    at least be played, None where none may go."""

    pile: str
    asks: Callable[[View], Sequence[int | None]] | None = None


@dataclass(frozen=True)
class Deck:
    """A squared-up pile: its top card when that is known, else the back, and how many cards it has."""

    pile: str


@dataclass(frozen=True)
class Spread:
    """Cards side by side: a face-up pile on the table, or in front of every seat.

    `places`: for a row; a part of a move that is a place of it, counted from 1. The cards are numbered, and choosing
    one answers that part. `worth` takes the view and a card's name and gives what it counts: the sum is told, too."""

    pile: str
    places: str | None = None
    worth: Callable[[View, str], int] | None = None


@dataclass(frozen=True)
class Columns:
    """Piles side by side of which each shows its top card, and on which a person lays cards of the hand.

    `move`: the kind of move that lays a card; its part `part` says on which pile, and may be as many texts as there
    are piles, in their order. Where a person must find that move, any card may be tried on any pile. `when` takes the
    view and says whether cards may be laid now."""

    piles: tuple[str, ...]
    move: str
    part: str
    when: Callable[[View], bool]


@dataclass(frozen=True)
class Dealt:
    """A turn in which a card goes to every seat: who has got which, who has none yet, and the cards on their way.

    `pile`: face up, the card that waits for its place. `ahead`: the pile of those that come after it. `served`: a
    field, one a seat; not 0 means that the seat has its card of this turn. `spare`: a pile that gets one, too, where
    the game has it so, with its place in that field."""

    pile: str
    ahead: str
    served: str
    spare: tuple[str, int] | None = None


@dataclass(frozen=True)
class LastWord:
    """The word made last: its cards, who made it, how it is read and what it means.

    `move`: the kind of move that makes one, or several words at once. `news`: it is told above the own hand, until the
    viewer has decided again. Which words an event of the story shows is for the rules file's
    `told_words(options, story, n)` to say, where they are not the part of the move itself."""

    move: str
    news: bool = False


@dataclass(frozen=True)
class Tally:
    """A number that grows: a field, written large, and how much is left to the option that is its limit.

    `verse`: the lines of a poem of which the number writes as many letters; the letter at the limit waits in a ring.
    It is shown where the poem has so many letters. The words tell the rest ([tally]: goal, left)."""

    field: str
    limit: str
    verse: tuple[str, ...] = ()


@dataclass(frozen=True)
class Heap:
    """Cards thrown on each other: a pile with the cards just played, on the last of those played before, `under`.

    `player`: a field that holds the seat which played them: what it says (the words' `said` of the move) stands in a
    bubble."""

    pile: str
    under: str
    player: str


@dataclass(frozen=True)
class Die:
    """A die: a field that holds what it shows, 0 before it was rolled."""

    field: str


@dataclass(frozen=True)
class Plates:
    """Cards in front of every seat, in columns, by the beginning of their names.

    `columns`: how the names begin. `upper`: the names of the cards that lie in the upper row; the others lie below.
    `full`: how many fill a column (shown as so many dots). `small`: put before a card's name, the name of a small
    picture of it in the deck."""

    pile: str
    columns: tuple[str, ...]
    upper: tuple[str, ...]
    full: int
    small: str = ""


@dataclass(frozen=True)
class Bubble:
    """A card that one seat offers another, and what is said of it.

    `giver` and `receiver`: fields that hold a seat. `eyes`: a field, one a seat; not 0 means that the seat has seen
    the card. What is said is the words' sentence for the last move."""

    pile: str
    giver: str
    receiver: str
    eyes: str


@dataclass(frozen=True)
class Tray:
    """Where a person lays cards of a pile of the own, in order, to claim that they are a word (or some together).

    `words`: how many words may be laid at once; `keep`: one of the laid cards is stamped, to be kept. `worth` takes
    the view and a card's name and gives what it counts; `goal` is the option that says how much the words must be
    worth together (both for the sum that the tray shows; it never shows whether a word is one). `moves`: the kinds of
    moves that laying cards makes, which have no other button; the first gives the button its words. Without it, those
    that cards of the pile spell. `when` takes the view and says whether anything may be claimed now. `find`, for a
    table with assist: takes the view and gives the words that there are; without it they are those of the moves."""

    pile: str
    words: int = 1
    keep: bool = False
    worth: Callable[[View, str], int] | None = None
    goal: str | None = None
    moves: tuple[str, ...] = ()
    when: Callable[[View], bool] | None = None
    find: Callable[[View], Sequence[str]] | None = None


@dataclass(frozen=True)
class Strip:
    """A line of small facts: fields that are one number, or piles, of which it tells how many cards they have."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Ending:
    """How a game that is over came to its end. `why` takes the view; it gives the key of a sentence among the words
    ([end]) and the seat it speaks of. `tie` takes the view with every hand open, and a seat, and gives the points that
    decide between equal scores: they are told beside such a score."""

    why: Callable[[View], tuple[str, int]]
    tie: Callable[[View, int], int] | None = None


OnTable = Stacks | Deck | Spread | Columns | Dealt | Die | Tally | Heap | LastWord | Bubble
Component = Seats | Hand | Beside | Plates | OnTable | Tray | Strip | Ending

__all__ = [
    "Beside",
    "Bubble",
    "Columns",
    "Component",
    "Dealt",
    "Deck",
    "Die",
    "Ending",
    "Hand",
    "Heap",
    "LastWord",
    "OnTable",
    "Plates",
    "Seats",
    "Spread",
    "Stacks",
    "Strip",
    "Tally",
    "Tray",
    "View",
]
