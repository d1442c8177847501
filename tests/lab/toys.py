"""Three little games for the tests of the lab, in one file because they are compiled together. Their true values are
known by hand.

`flip`: nobody can do anything; chance says who wins, and other options say how. `nim`: take one to three sticks; who
takes the last one wins; there is no chance in it. `guess`: each of two has one of the cards 1 to 5 and lays it face
down, saying that it is high or low; the other believes it or not, which changes nothing; the higher card wins. With
`top`, who names the card on top of the deck wins instead."""

from tefuda.engine.cards import *

INFO = {
    "id": "toys",
    "title": {"ja": "おもちゃ", "en": "Toys"},
    "seats": (2, 3),
    "options": {
        "game": Choice("flip", "nim", "guess"),
        "edge": Range(0, 0, 50),         # flip: of a hundred games, so many more to who is first of two
        "turns": Range(4, 2, 40),        # flip: decisions until it is over
        "early": Flag(False),            # flip: chance says it at the start, for all to see
        "fault": Choice("none", "stuck", "endless"),    # flip: one game in four gets stuck, or ends at the cap
        "idle": Flag(False),             # flip: there is one move only
        "sticks": Range(21, 1, 30),      # nim
        "top": Flag(False),              # guess
    },
    "card_groups": {"odd": ("1", "3", "5"), "even": ("2", "4")},
    "claims": {"minutes": 1, "age": 6, "luck": 5, "strategy": 0, "interaction": 0, "complexity": 0},
}
FLIP, NIM, GUESSING = 0, 1, 2
NONE, STUCK, ENDLESS = 0, 1, 2
CAP = 60
MOST_MOVES = 5

PILES = (Pile("hand", seen_by=OWNER), Pile("laid", each=True), Pile("deck", ordered=True))
HAND, LAID, DECK = number_piles(PILES, most_seats=3)
RANKS = (1, 2, 3, 4, 5)
CARDS = kinds(DECK, names=RANKS)
State = state_type(
    PILES, cards=5, kinds=5, seats=3,
    start=1, played=1, winner=1, bad=1, left=1, phase=1, said=1, points=private(),
)
LAYING, SAYING, BELIEVING = 0, 1, 2

WAIT, HOP, TAKE, LAY, SAY, BELIEVE, DOUBT, NAME = 1, 2, 3, 4, 5, 6, 7, 8
MOVES = (
    Move(WAIT, "wait", "w"),
    Move(HOP, "hop", "h"),
    Move(TAKE, "take", "{n}", n=Number()),
    Move(LAY, "lay", "lay {card}", card=Card("hand", hidden=True)),
    Move(SAY, "say", ":{height}", height=Choice("low", "high"), talk=True),
    Move(BELIEVE, "believe", "yes"),
    Move(DOUBT, "doubt", "no"),
    Move(NAME, "name", "top {card}", card=Card("deck")),
)


def deal(s, t, chance):
    s.winner = NOBODY
    if t.game == FLIP:
        s.start = random_seat(s, chance)
        s.turn = s.start
        s.bad = 1 if t.fault != NONE and pick(s, chance, 4) == 0 else 0
        if t.early:
            s.winner = drawn(s, t, chance)
    elif t.game == NIM:
        s.left = t.sticks
    else:
        shuffle(s, DECK, chance)
        for seat in range(s.seats):
            draw(s, DECK, HAND + seat)


def drawn(s, t, chance):
    """Who wins: of two, who decides first by so much more often (TY-1)."""
    if s.seats == 2:
        return (s.start + (0 if pick(s, chance, 100) < 50 + t.edge else 1)) % 2
    return pick(s, chance, s.seats)


def legal(s, moves, t):
    if t.game == FLIP:
        if s.bad and t.fault == STUCK and s.played == 1:
            return                       # nothing is left (TY-2)
        add(moves, WAIT)
        if not t.idle:
            add(moves, HOP)
    elif t.game == NIM:
        for n in range(1, min(3, s.left) + 1):
            add(moves, TAKE, n)
    elif t.top:
        for rank in RANKS:
            add(moves, NAME, rank)
    elif s.phase == LAYING:
        for rank in RANKS:
            if count(s, HAND + s.turn, rank) > 0:
                add(moves, LAY, rank)
    elif s.phase == SAYING:
        add(moves, SAY, 0)
        add(moves, SAY, 1)
    else:
        add(moves, BELIEVE)
        add(moves, DOUBT)


def apply(s, choice, t):
    kind, what, _, _ = parts(choice)
    if s.played > 99:
        s.bad = 0                        # this never happens (TY-3)
    if kind == WAIT or kind == HOP:
        if not (s.bad and t.fault == ENDLESS):
            s.played += 1
        s.turn = (s.turn + 1) % s.seats
    elif kind == TAKE:
        s.left -= what
        if s.left == 0:
            s.winner = s.turn
        s.turn = (s.turn + 1) % s.seats
    elif kind == LAY:
        move(s, what, HAND + s.turn, LAID + s.turn)
        s.points[s.turn] = what
        s.phase = SAYING
    elif kind == SAY:
        s.said = what
        s.turn = (s.turn + 1) % s.seats
        s.phase = BELIEVING
    else:
        if kind == NAME:
            s.points[s.turn] = 1 if what == top(s, DECK) else 0
            s.turn = (s.turn + 1) % s.seats
        s.played += 1
        s.phase = LAYING


def advance(s, t, chance):
    if t.game == FLIP and s.played == t.turns - 1 and s.winner == NOBODY:
        s.winner = drawn(s, t, chance)


def truth(s, choice, t):
    kind, high, _, _ = parts(choice)
    if kind != SAY:
        return -1
    return 1 if (top(s, LAID + s.turn) > 3) == (high == 1) else 0


def is_over(s, t):
    if t.game == FLIP:
        return s.played == t.turns
    if t.game == NIM:
        return s.left == 0
    return s.played == s.seats


def scores(s, points, t):
    for seat in range(s.seats):
        points[seat] = s.points[seat] if t.game == GUESSING else 1 if seat == s.winner else 0
