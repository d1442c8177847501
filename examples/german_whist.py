"""German whist, traditional, for two: 13 tricks to better the hand, then 13 tricks that count."""

from tefuda.engine.cards import *

INFO = {
    "id": "german_whist",
    "title": {"ja": "ジャーマン・ホイスト", "en": "German Whist"},
    "author": {"ja": "伝統ゲーム", "en": "traditional"},
    "seats": (2, 2),
    "deck": "plain",
    "options": {"trumps": Flag(True)},           # false: no suit beats the others
}

# ------------------------------------------------------------------ what is on the table
PILES = (
    Pile("hand", seen_by=OWNER),
    Pile("trick", seen_by=EVERYBODY),
    Pile("turned", seen_by=EVERYBODY),           # the card of the stock that the winner of the trick gets
    Pile("stock", ordered=True),
    Pile("played", seen_by=EVERYBODY),
)
HAND, TRICK, TURNED, STOCK, PLAYED = number_piles(PILES, most_seats=2)
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
CARDS = kinds(STOCK, [suit + rank for suit in "SHDC" for rank in RANKS])    # kinds 1 to 52
State = state_type(
    PILES, cards=52, kinds=52, seats=2,
    trump=1,                                     # the suit of the first card turned
    led=1,                                       # the card led, or NO_CARD
    winner=1,                                    # of the trick just played, or NOBODY
    tricks=2,                                    # tricks won that count
)
PLAY = 1
MOVES = (Move(PLAY, "play", "{card}", card=Card("hand")),)


def suit_of(card):
    return (card - 1) // 13


# ------------------------------------------------------------------ the deal
def deal(s, t, chance):
    shuffle(s, STOCK, chance)
    draw(s, STOCK, HAND, 13)
    draw(s, STOCK, HAND + 1, 13)
    draw(s, STOCK, TURNED)
    s.trump = suit_of(top(s, TURNED))
    s.winner = NOBODY
    s.turn = random_seat(s, chance)


# ------------------------------------------------------------------ what a player may do: follow suit, if possible
def legal(s, moves, t):
    follow = s.led != NO_CARD and has_suit(s, s.turn, suit_of(s.led))
    for card in range(1, 53):
        if count(s, HAND + s.turn, card) > 0 and (not follow or suit_of(card) == suit_of(s.led)):
            add(moves, PLAY, card)


def has_suit(s, seat, suit):
    for i in range(size(s, HAND + seat)):
        if suit_of(card_at(s, HAND + seat, i)) == suit:
            return True
    return False


# ------------------------------------------------------------------ what it does
def apply(s, choice, t):
    kind, card, _, _ = parts(choice)
    move(s, card, HAND + s.turn, TRICK)
    if s.led == NO_CARD:
        s.led = card
        s.turn = 1 - s.turn
        return
    same_suit = suit_of(card) == suit_of(s.led)
    if not (card > s.led if same_suit else t.trumps and suit_of(card) == s.trump):
        s.turn = 1 - s.turn                      # the card led has won; the winner leads again
    s.winner, s.led = s.turn, NO_CARD
    if size(s, TURNED) == 0:
        s.tricks[s.winner] += 1


def advance(s, t, chance):
    if s.winner != NOBODY:                       # the winner takes the card turned up, the other the next, unseen
        move_all(s, TRICK, PLAYED)
        if size(s, TURNED) > 0:
            draw(s, TURNED, HAND + s.winner)
            draw(s, STOCK, HAND + 1 - s.winner)
        if size(s, STOCK) > 0:
            draw(s, STOCK, TURNED)
        s.winner = NOBODY


# ------------------------------------------------------------------ when it is over, and what it scores
def is_over(s, t):
    return size(s, HAND) + size(s, HAND + 1) == 0


def scores(s, points, t):
    points[0] = s.tricks[0]
    points[1] = s.tricks[1]
