"""熟語ドラフト by カバレロ (Garden Games): take cards from the field in turn and make words of an open hand.

Clause numbers (JD-, and JK- for what the 熟語 games share) are those of the rules page.
"""

from tefuda.decks.spelling import *
from tefuda.engine.cards import *

INFO = {
    "id": "jukugo_draft",
    "rules": "1",
    "title": {"ja": "熟語ドラフト", "en": "Jukugo Draft"},
    "author": {"ja": "カバレロ", "en": "Caballero"},
    "seats": (2, 5),
    "deck": "kanji",
    "lid": {"sign": "選", "colour": "orange", "band": "熟語トランプ 二"},
    "claims": {"age": 10},
    "options": {**KANJI_OPTIONS},
}
HAND_LIMIT = 5                           # so many cards may be kept (JD-3)
MOST_MOVES = 511                         # six cards can be set in 510 orders of 2 to 4; and `done`

# ------------------------------------------------------------------ what is on the table (JD-1, JD-6)

PILES = (
    Pile("hand", seen_by=EVERYBODY, each=True),     # hands lie open
    Pile("made", seen_by=EVERYBODY, each=True),     # the cards of the words, worth points
    Pile("field", seen_by=EVERYBODY),    # 場札: the cards turned up this turn
    Pile("deck", ordered=True),
    Pile("out"),                         # put out unseen, so that the pile comes out even
    Pile("discard", seen_by=EVERYBODY, ordered=True),    # the latest lies on top
    Pile("box", seen_by=EVERYBODY),      # jokers that do not play
)
HAND, MADE, FIELD, DECK, OUT, DISCARD, BOX = number_piles(PILES, most_seats=5)


def cards(options):
    return kanji_cards(DECK, options)


def check_options(options, seats):
    check_kanji(options)                 # the smallest deck, 30 kanji, is enough for any number of seats


def tables(options, seats):
    return kanji_tables(options, joker_value=1)     # JK-7


State = state_type(
    PILES, cards=MOST_CARDS, kinds=MOST_KINDS, seats=5,
    first=1,                             # the turn's player, who takes first
    phase=1,                             # what is being done: TAKING, MAKING or DISCARDING
    points=5,
    turn_over=1,
    over=1,
)
TAKING, MAKING, DISCARDING = 0, 1, 2

TAKE = 1
WORD = 2
DROP = 3
DONE = 4
MOVES = (
    Move(TAKE, "take", "{card}", card=Card("field")),
    Move(WORD, "word", "{word}", found=True, word=Name("words", of="hand")),
    Move(DROP, "discard", "-{card}", card=Card("hand")),
    Move(DONE, "done", "done", silence=True),
)

# ------------------------------------------------------------------ the deal (JD-1, JD-2)


def deal(s, t, chance):
    gather(s)
    if s.seats > 3:                      # four and five play without jokers
        joker = len(t.value) - 1
        for _ in range(count(s, DECK, joker)):
            move(s, joker, DECK, BOX)
    shuffle(s, DECK, chance)
    s.first = random_seat(s, chance)
    for seat in range(s.seats):
        draw(s, DECK, HAND + seat, 3)    # (JD-2)
    draw(s, DECK, OUT, size(s, DECK) % turned_each_turn(s))
    turn_up(s)


def turned_each_turn(s):
    """One card a player; for two players a third, which is discarded (JD-3)."""
    return max(3, s.seats)


def turn_up(s):
    draw(s, DECK, FIELD, turned_each_turn(s))
    s.phase = TAKING
    s.turn = s.first
    s.turn_over = 0


# ------------------------------------------------------------------ what a player may do (JD-3, JD-4)


def legal(s, moves, t):
    if s.phase == TAKING:
        for kind in range(1, len(t.value)):
            if count(s, FIELD, kind) > 0:
                add(moves, TAKE, kind)
    elif s.phase == MAKING:
        add_words(s, moves, WORD, HAND + s.turn, t)
        add(moves, DONE)
    else:
        for kind in range(1, len(t.value)):
            if count(s, HAND + s.turn, kind) > 0:
                add(moves, DROP, kind)
        if size(s, HAND + s.turn) <= HAND_LIMIT:
            add(moves, DONE)


# ------------------------------------------------------------------ what it does (JD-3 to JD-5)


def apply(s, choice, t):
    kind, first, _, _ = parts(choice)
    if kind == TAKE:
        move(s, first, FIELD, HAND + s.turn)
        s.turn = (s.turn + 1) % s.seats
        if s.turn == s.first:
            move_all(s, FIELD, DISCARD)  # the third card, with two players
            s.phase = MAKING
    elif kind == WORD:
        spell(s, first, HAND + s.turn, MADE + s.turn, t)  # (JD-4)
        s.points[s.turn] += t.worth[first]
    elif kind == DROP:
        move(s, first, HAND + s.turn, DISCARD)
    elif s.phase == MAKING:
        s.turn = (s.turn + 1) % s.seats
        if s.turn == s.first:
            s.phase = DISCARDING
            go_to_full_hand(s)
    else:
        s.turn = (s.turn + 1) % s.seats
        if s.turn == s.first:
            end_turn(s)
        else:
            go_to_full_hand(s)


def go_to_full_hand(s):
    """From the seat on turn clockwise, the next who has too many cards discards; when the round of seats has none any
    more the turn is over, and with the pile used up the game."""
    while size(s, HAND + s.turn) <= HAND_LIMIT:
        s.turn = (s.turn + 1) % s.seats
        if s.turn == s.first:
            end_turn(s)
            return


def end_turn(s):
    s.turn_over = 1
    if size(s, DECK) == 0:
        s.over = 1                       # pile and field are used up (JD-5)


def advance(s, t, chance):
    if s.turn_over:
        s.first = (s.first + 1) % s.seats
        turn_up(s)


# ------------------------------------------------------------------ when it is over, and what it scores (JD-5)


def is_over(s, t):
    return s.over == 1


def scores(s, points, t):
    for seat in range(s.seats):
        points[seat] = s.points[seat]


# ------------------------------------------------------------------ for the bot that looks one step ahead


def estimate(s, seat, t):
    """The own lead over the others: points, and what the words of the hand would make."""
    lead = 0.0
    for other in range(s.seats):
        standing = s.points[other] + 0.8 * promise(s, HAND + other, t)
        if other == seat:
            lead += standing
        else:
            lead -= standing / (s.seats - 1)
    return lead


# ------------------------------------------------------------------ how the page sets it out


def why(view):
    """How it ended: there is one way only (the seat does not matter)."""
    return "used_up", 0


def may_make_words(view):
    """Whether it is the time to make words."""
    return view["state"]["phase"] == MAKING


LAYOUT = (
    Seats(marker="first", score="points"),
    Deck("deck"),
    Spread("field"),
    LastWord("word"),
    Deck("discard"),
    Tray("hand", worth=card_worth, when=may_make_words),
    Hand("hand", fanned=False),
    Ending(why),
)
