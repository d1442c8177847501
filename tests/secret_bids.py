"""A game for the tests: everybody lays one card face down, or first says something; the highest card wins. It keeps a
private number, mixes talk with other moves, and says nothing of how good a position is."""

from tefuda.engine.cards import *

INFO = {"id": "secret_bids", "title": {"ja": "伏せ札", "en": "Secret bids"}, "seats": (1, 3)}
MOST_MOVES = 10

PILES = (Pile("hand", seen_by=OWNER), Pile("bids"), Pile("deck", ordered=True))
HAND, BIDS, DECK = number_piles(PILES, most_seats=3)
CARDS = kinds(DECK, names=range(1, 10))
State = state_type(PILES, cards=9, kinds=9, seats=3, bid=private(), words=1)

BID, SAY = 1, 2
MOVES = (
    Move(BID, "bid", "{card}", card=Card("hand", hidden=True)),
    Move(SAY, "say", "hm", talk=True),
)


def deal(s, t, chance):
    shuffle(s, DECK, chance)
    for seat in range(s.seats):
        draw(s, DECK, HAND + seat, 3)


def legal(s, moves, t):
    for card in range(1, 10):
        if count(s, HAND + s.turn, card) > 0:
            add(moves, BID, card)
    if s.words < 5:
        add(moves, SAY)


def apply(s, choice, t):
    kind, card, _, _ = parts(choice)
    if kind == BID:
        move(s, card, HAND + s.turn, BIDS)
        s.bid[s.turn] = card
        s.turn += 1
    else:
        s.words += 1


def is_over(s, t):
    return s.turn == s.seats


def scores(s, points, t):
    for seat in range(s.seats):
        points[seat] = s.bid[seat]
