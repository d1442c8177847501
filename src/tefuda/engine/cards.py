"""What a rules file imports: the table and its piles, moving and showing cards, chance, moves.

    from tefuda.engine.cards import *

Everything here is plain Python. It runs as it stands when a page or a test plays a game (on a state that
refuses every slip), and the loader compiles the same lines when a bot or the lab plays (on a fixed-size record).

A **kind** is a number from 1 up: cards of one kind look alike. 0 is `NO_CARD`. A **pile** is a number too; a
rules file names them (`HAND`, `ROW`, ...; the hand of a seat is `HAND + seat`). Piles are lists whose last
place is the top.

**Marks.** For every card on the table the state keeps who knows that it is there: one bit a viewer (the seats,
and the spectator). What a viewer knows is where a card *is*, not that it once saw it. The functions below keep
the marks; a rules file never reads or writes them, so nothing a game does can depend on them.
"""

import numpy as np

from tefuda.engine.declare import (
    EVERYBODY,
    NO_CARD,
    NO_LIMIT,
    NOBODY,
    OWNER,
    SPECTATOR,
    Card,
    Choice,
    Data,
    Flag,
    Kind,
    Move,
    Name,
    Number,
    Pile,
    Range,
    Seat,
    kinds,
    number_piles,
    private,
    state_type,
)
from tefuda.engine.layout import (
    Beside,
    Bubble,
    Columns,
    Dealt,
    Deck,
    Die,
    Ending,
    Hand,
    Heap,
    LastWord,
    Plates,
    Seats,
    Spread,
    Stacks,
    Strip,
    Tally,
    Tray,
)

__all__ = [
    "EVERYBODY",
    "NOBODY",
    "NO_CARD",
    "NO_LIMIT",
    "OWNER",
    "SPECTATOR",
    "Beside",
    "Bubble",
    "Card",
    "Choice",
    "Columns",
    "Data",
    "Dealt",
    "Deck",
    "Die",
    "Ending",
    "Flag",
    "Hand",
    "Heap",
    "Kind",
    "LastWord",
    "Move",
    "Name",
    "Number",
    "Pile",
    "Plates",
    "Range",
    "Seat",
    "Seats",
    "Spread",
    "Stacks",
    "Strip",
    "Tally",
    "Tray",
    "add",
    "card_at",
    "count",
    "draw",
    "gather",
    "kinds",
    "move",
    "move_all",
    "move_at",
    "np",
    "number_piles",
    "parts",
    "pick",
    "private",
    "random_seat",
    "roll",
    "show",
    "show_to",
    "shuffle",
    "size",
    "state_type",
    "take_random",
    "top",
]

# ---------------------------------------------------------------------------------------------------- moves


def add(moves, kind, first=0, second=0, third=0):
    """Write a move down as legal: its kind (1-63) and up to three parts (whole numbers, 0-524287)."""
    n = moves[0] + 1
    if n >= len(moves):
        raise IndexError("more legal moves than MOST_MOVES says")
    moves[0] = n
    moves[n] = (kind << 57) | (first << 38) | (second << 19) | third


def parts(move):
    """The kind of a move and its three parts, as `add` took them."""
    return move >> 57, (move >> 38) & 0x7FFFF, (move >> 19) & 0x7FFFF, move & 0x7FFFF


# ------------------------------------------------------------------------------------------- looking at piles


def size(s, pile):
    """How many cards lie in a pile."""
    return s.size[pile]


def count(s, pile, kind):
    """How many cards of a kind lie in a pile."""
    return s.count[pile, kind]


def card_at(s, pile, place):
    """The kind of the card at a place of a pile; place 0 is the bottom."""
    if place >= s.size[pile]:
        raise IndexError("card_at: the pile has no such place")
    return s.card[pile, place]


def top(s, pile):
    """The kind of a pile's top card, NO_CARD when the pile is empty."""
    n = s.size[pile]
    if n == 0:
        return NO_CARD
    return s.card[pile, n - 1]


# ------------------------------------------------------------------------------------------------ moving cards


def move(s, kind, a, b):
    """Take a card of this kind out of pile `a` and put it on pile `b`.

    Who always sees `a` or `b` sees which card it was. To everybody else it might have been any card of `a`:
    they no longer know what is left there. Of several alike cards the leaving one carries away one mark of each
    viewer, for nobody can tell which of them it was.
    """
    n = s.size[a]
    place = n - 1
    while place >= 0 and s.card[a, place] != kind:
        place -= 1
    if place < 0:
        raise ValueError("move: there is no such card in the pile")
    see = s.always[a] | s.always[b]
    mark = s.seen[a, place]
    for i in range(n):
        if i != place:
            m = s.seen[a, i]
            if m != 0:
                m &= see
                if s.card[a, i] == kind:
                    given = m & ~mark
                    mark |= given
                    m &= ~given
                s.seen[a, i] = m
    for i in range(place, n - 1):
        s.card[a, i] = s.card[a, i + 1]
        s.seen[a, i] = s.seen[a, i + 1]
    s.size[a] = n - 1
    s.count[a, kind] -= 1
    put(s, kind, b, see)
    moved(s, kind, a, b, see)


def draw(s, a, b, n=1):
    """Move the top card of pile `a` to pile `b`, `n` times. All see that it is the top card that goes, so who
    knew it knows where it is now; who always sees `a` or `b` sees its face."""
    for _ in range(n):
        last = s.size[a] - 1
        if last < 0:
            raise ValueError("draw: the pile is empty")
        kind = s.card[a, last]
        mark = s.seen[a, last] | s.always[a] | s.always[b]
        s.size[a] = last
        s.count[a, kind] -= 1
        put(s, kind, b, mark)
        moved(s, kind, a, b, mark)


def move_at(s, a, place, b):
    """Move the card at a place of pile `a` (0 is the bottom) to pile `b`. All see which place it leaves, so who knew it
    knows where it is now; who always sees `a` or `b` sees its face."""
    if place < 0 or place >= s.size[a]:
        raise IndexError("move_at: the pile has no such place")
    kind = s.card[a, place]
    mark = s.seen[a, place] | s.always[a] | s.always[b]
    for i in range(place, s.size[a] - 1):
        s.card[a, i] = s.card[a, i + 1]
        s.seen[a, i] = s.seen[a, i + 1]
    s.size[a] -= 1
    s.count[a, kind] -= 1
    put(s, kind, b, mark)
    moved(s, kind, a, b, mark)


def move_all(s, a, b):
    """Lay the whole of pile `a` on pile `b`, in its order."""
    for i in range(s.size[a]):
        kind = s.card[a, i]
        mark = s.seen[a, i] | s.always[a] | s.always[b]
        s.count[a, kind] -= 1
        put(s, kind, b, mark)
        moved(s, kind, a, b, mark)
    s.size[a] = 0


def gather(s):
    """Every card goes back to the pile it started in. Nobody knows any more where a card is."""
    for pile in range(len(s.size)):
        n = 0
        for i in range(s.size[pile]):
            kind = s.card[pile, i]
            if s.home[kind] == pile:
                s.card[pile, n] = kind
                s.seen[pile, n] = 0
                n += 1
            else:
                s.count[pile, kind] -= 1
                put(s, kind, s.home[kind], 0)
        s.size[pile] = n


def put(s, kind, pile, mark):
    """Put a card on a pile, known there to the viewers in `mark`. (For this module.)"""
    n = s.size[pile]
    s.card[pile, n] = kind
    s.seen[pile, n] = mark
    s.size[pile] = n + 1
    s.count[pile, kind] += 1


def moved(s, kind, a, b, mark):
    """A card went from pile to pile and the viewers in `mark` know which. (Kept for the log when a person plays.)"""
    s.journal.append((kind, a, b, mark))


# --------------------------------------------------------------------------------------------- showing cards


def show(s, pile):
    """Everybody is shown a pile: they know its cards for as long as those stay where they are."""
    for i in range(s.size[pile]):
        s.seen[pile, i] = EVERYBODY


def show_to(s, pile, seat):
    """One seat looks at a pile; the others see that it does, and no card."""
    for i in range(s.size[pile]):
        s.seen[pile, i] |= 1 << seat


# ---------------------------------------------------------------------------------------------------- chance
# The source travels beside the state and is in nothing that a viewer or a bot can get. Each question has a name,
# under which a record writes the answer down: `deck A B C`, `start 2`, `roll 5`, `take 7`, `pick 3`.

SHUFFLE, START, ROLL, TAKE, PICK = 1, 2, 3, 4, 5


def shuffle(s, pile, chance):
    """Shuffle a pile: every order is as likely, and nobody knows a card of it any more."""
    ask(chance, s, SHUFFLE, pile)
    for i in range(s.size[pile] - 1, 0, -1):
        j = below(chance, i + 1)
        kind = s.card[pile, i]
        s.card[pile, i] = s.card[pile, j]
        s.card[pile, j] = kind
    for i in range(s.size[pile]):
        s.seen[pile, i] = 0
    tell(chance, s, SHUFFLE, pile, 0)


def random_seat(s, chance):
    """A seat, each as likely."""
    ask(chance, s, START, 0)
    seat = below(chance, s.seats)
    tell(chance, s, START, 0, seat)
    return seat


def roll(s, chance, sides=6):
    """A die: 1 to `sides`, each as likely."""
    ask(chance, s, ROLL, 0)
    pips = below(chance, sides) + 1
    tell(chance, s, ROLL, 0, pips)
    return pips


def pick(s, chance, n):
    """A number from 0 to n - 1, each as likely."""
    ask(chance, s, PICK, 0)
    number = below(chance, n)
    tell(chance, s, PICK, 0, number)
    return number


def take_random(s, a, b, chance):
    """A card of pile `a`, each as likely, goes to pile `b` as by `move`; its kind."""
    ask(chance, s, TAKE, a)
    kind = s.card[a, below(chance, s.size[a])]
    tell(chance, s, TAKE, a, kind)
    move(s, kind, a, b)
    return kind


# The three below ask the source itself. Compiled rules have their own (compiled_chance.py).


def below(chance, n):
    """A whole number from 0 to n - 1, each as likely. (For this module; rules files ask by name.)"""
    return chance.below(n)


def ask(chance, s, question, pile):
    """Say which question comes: a record being replayed then knows the answer."""
    chance.ask(s, question, pile)


def tell(chance, s, question, pile, answer):
    """Say what came of it: it is written down."""
    chance.tell(s, question, pile, answer)


# ------------------------------------------------------------------------------------------- what a seat knows


def redeal(s, viewer, chance):
    """Deal the cards that a viewer does not know anew among their places; the viewer's view stays as it was.

    The cards of a pile at the start have one back, other than those of another pile: a face-down place keeps the
    back it shows. The unknown cards are laid out by kind first and then dealt, so the outcome depends on the view
    and on chance alone, never on where they really were.
    """
    unknown, first, left = take_up_unknown(s, viewer)
    bit = 1 << viewer
    for pile in range(len(s.size)):
        if s.always[pile] & bit == 0:
            for i in range(s.size[pile]):
                if s.seen[pile, i] & bit == 0:
                    back = s.home[s.card[pile, i]]
                    j = first[back] + below(chance, left[back])
                    left[back] -= 1
                    kind = unknown[j]
                    unknown[j] = unknown[first[back] + left[back]]
                    s.card[pile, i] = kind
                    s.count[pile, kind] += 1


def take_up_unknown(s, viewer):
    """The cards a viewer does not know, those of one back together and by kind in rising order; and of each back
    (the pile its cards start in) where they begin and how many they are. Their places are left open, to be filled."""
    bit = 1 << viewer
    tally = np.zeros(len(s.home), np.int64)
    left = np.zeros(len(s.size), np.int64)
    n = 0
    for pile in range(len(s.size)):
        if s.always[pile] & bit == 0:
            for i in range(s.size[pile]):
                if s.seen[pile, i] & bit == 0:
                    kind = s.card[pile, i]
                    tally[kind] += 1
                    left[s.home[kind]] += 1
                    s.count[pile, kind] -= 1
                    n += 1
    first = np.zeros(len(s.size), np.int64)
    for back in range(1, len(first)):
        first[back] = first[back - 1] + left[back - 1]
    unknown = np.empty(n, np.int64)
    end = first.copy()
    for kind in range(1, len(tally)):
        for _ in range(tally[kind]):
            unknown[end[s.home[kind]]] = kind
            end[s.home[kind]] += 1
    return unknown, first, left
