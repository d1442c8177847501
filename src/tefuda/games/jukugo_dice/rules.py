"""熟語ダイスキャッチ by カバレロ (Garden Games): the die says how far along the row you may reach for a card.

Clause numbers (JC-, and JK- for what the 熟語 games share) are those of the rules page.
"""

from tefuda.decks.spelling import *
from tefuda.engine.cards import *

INFO = {
    "id": "jukugo_dice",
    "rules": "1",
    "title": {"ja": "熟語ダイスキャッチ", "en": "Jukugo Dice Catch"},
    "author": {"ja": "カバレロ", "en": "Caballero"},
    "seats": (2, 4),
    "deck": "kanji",
    "lid": {"sign": "賽", "colour": "black", "band": "熟語トランプ 三"},
    "claims": {"age": 10},
    "options": {**KANJI_OPTIONS},
}
HAND_LIMIT = 5                           # so many cards may be kept (JC-3)
ROW_LENGTH = 6
MOST_MOVES = 511                         # six cards can be set in 510 orders of 2 to 4; and `done`

# ------------------------------------------------------------------ what is on the table (JC-1, JC-6)

PILES = (
    Pile("hand", seen_by=EVERYBODY, each=True),     # hands lie open
    Pile("made", seen_by=EVERYBODY, each=True),     # the cards of the words, worth points
    Pile("row", seen_by=EVERYBODY, ordered=True, row=True),     # number 1, nearest the pile, is place 0
    Pile("deck", ordered=True),
    Pile("discard", seen_by=EVERYBODY, ordered=True),    # the latest lies on top
    Pile("box", seen_by=EVERYBODY),      # jokers that do not play
)
HAND, MADE, ROW, DECK, DISCARD, BOX = number_piles(PILES, most_seats=4)


def cards(options):
    return kanji_cards(DECK, options)


def check_options(options, seats):
    check_kanji(options)                 # the smallest deck, 30 kanji, is enough for any number of seats


def tables(options, seats):
    return kanji_tables(options, joker_value=1)     # JK-7


State = state_type(
    PILES, cards=MOST_CARDS, kinds=MOST_KINDS, seats=4,
    die=1,                               # what was rolled this turn
    phase=1,                             # what is being done: TAKING, MAKING or DISCARDING
    from_deck=1,                         # 1: this turn's card came from the pile
    points=4,
    turn_over=1,
    over=1,
)
TAKING, MAKING, DISCARDING = 0, 1, 2

TAKE_TOP = 1
TAKE = 2
WORD = 3
DROP = 4
DONE = 5
MOVES = (
    Move(TAKE_TOP, "take_top", "pile"),
    Move(TAKE, "take", "{place}", place=Number()),
    Move(WORD, "word", "{word}", found=True, word=Name("words", of="hand")),
    Move(DROP, "discard", "-{card}", card=Card("hand")),
    Move(DONE, "done", "done", silence=True),
)

# ------------------------------------------------------------------ the deal (JC-1, JC-2)


def deal(s, t, chance):
    gather(s)
    if s.seats != 3:                     # two and four play without jokers
        joker = len(t.value) - 1
        for _ in range(count(s, DECK, joker)):
            move(s, joker, DECK, BOX)
    shuffle(s, DECK, chance)
    s.turn = random_seat(s, chance)
    for seat in range(s.seats):
        draw(s, DECK, HAND + seat, 3)
    draw(s, DECK, ROW, ROW_LENGTH)       # (JC-2)
    start_turn(s, chance)


def start_turn(s, chance):
    s.die = roll(s, chance)              # (JC-3)
    s.phase = TAKING
    s.turn_over = 0


# ------------------------------------------------------------------ what a player may do (JC-3, JC-4)


def legal(s, moves, t):
    if s.phase == TAKING:
        if size(s, DECK) > 0:
            add(moves, TAKE_TOP)
        for place in range(1, min(s.die, size(s, ROW)) + 1):
            add(moves, TAKE, place)
    elif s.phase == MAKING:
        add_words(s, moves, WORD, HAND + s.turn, t)
        add(moves, DONE)
    else:
        for kind in range(1, len(t.value)):
            if count(s, HAND + s.turn, kind) > 0:
                add(moves, DROP, kind)
        if size(s, HAND + s.turn) <= HAND_LIMIT:
            add(moves, DONE)


# ------------------------------------------------------------------ what it does (JC-3 to JC-5)


def apply(s, choice, t):
    kind, first, _, _ = parts(choice)
    if kind == TAKE_TOP:
        draw(s, DECK, HAND + s.turn)
        s.from_deck = 1
        s.phase = MAKING
    elif kind == TAKE:
        move_at(s, ROW, first - 1, HAND + s.turn)
        s.from_deck = 0
        s.phase = MAKING
    elif kind == WORD:
        spell(s, first, HAND + s.turn, MADE + s.turn, t)  # (JD-4)
        s.points[s.turn] += t.worth[first]
    elif kind == DROP:
        move(s, first, HAND + s.turn, DISCARD)
    elif s.phase == MAKING and size(s, HAND + s.turn) > HAND_LIMIT:
        s.phase = DISCARDING
    else:
        refill(s)
        s.turn_over = 1
        if size(s, DECK) == 0 and size(s, ROW) == 0:
            s.over = 1                   # pile and row are used up (JC-5)
        else:
            s.turn = (s.turn + 1) % s.seats


def refill(s):
    """A card taken from the pile costs the row its number 1; the row closes up and gets one card from the pile."""
    if s.from_deck:
        move_at(s, ROW, 0, DISCARD)
    if size(s, DECK) > 0:
        draw(s, DECK, ROW)


def advance(s, t, chance):
    if s.turn_over:
        start_turn(s, chance)


# ------------------------------------------------------------------ when it is over, and what it scores (JC-5)


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
    Seats(score="points"),
    Deck("deck"),
    Spread("row", places="place"),
    Die("die"),
    LastWord("word"),
    Deck("discard"),
    Tray("hand", worth=card_worth, when=may_make_words),
    Hand("hand", fanned=False),
    Ending(why),
)
