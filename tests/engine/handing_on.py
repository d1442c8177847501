"""A game for the tests: cards given face down and shown from hand to hand, so that what a seat knows grows old."""

from tefuda.engine.cards import *

INFO = {"id": "handing_on", "title": {"ja": "手渡し", "en": "Handing on"}, "seats": (3, 3)}
MOST_MOVES = 20

PILES = (
    Pile("hand", seen_by=OWNER),
    Pile("table", seen_by=EVERYBODY),
    Pile("deck", ordered=True),
)
HAND, TABLE, DECK = number_piles(PILES, most_seats=3)
CARDS = kinds(DECK, names="abc", copies=(4, 3, 2))
State = state_type(PILES, cards=9, kinds=3, seats=3, left=1)

GIVE, SHOW, DRAW, LAY, PASS = 1, 2, 3, 4, 5
MOVES = (
    Move(GIVE, "give", "{card}>{to}", card=Card("hand", hidden=True), to=Seat()),
    Move(SHOW, "show", "show {to}", to=Seat()),
    Move(DRAW, "draw", "draw"),
    Move(LAY, "lay", "lay {card}", card=Card("hand")),
    Move(PASS, "pass", "pass"),
)


def deal(s, t, chance):
    shuffle(s, DECK, chance)
    for seat in range(3):
        draw(s, DECK, HAND + seat, 2)
    s.turn = random_seat(s, chance)
    s.left = 8


def legal(s, moves, t):
    for card in range(1, 4):
        if count(s, HAND + s.turn, card) > 0:
            add(moves, LAY, card)
            for seat in range(3):
                if seat != s.turn:
                    add(moves, GIVE, card, seat)
    for seat in range(3):
        if seat != s.turn:
            add(moves, SHOW, seat)
    if size(s, DECK) > 0:
        add(moves, DRAW)
    add(moves, PASS)


def apply(s, choice, t):
    kind, first, second, _ = parts(choice)
    if kind == GIVE:
        move(s, first, HAND + s.turn, HAND + second)
    elif kind == SHOW:
        show_to(s, HAND + s.turn, first)
    elif kind == DRAW:
        draw(s, DECK, HAND + s.turn)
    elif kind == LAY:
        move(s, first, HAND + s.turn, TABLE)
    s.turn = (s.turn + 1) % 3
    s.left -= 1


def is_over(s, t):
    return s.left == 0


def scores(s, points, t):
    for seat in range(3):
        points[seat] = size(s, HAND + seat)
