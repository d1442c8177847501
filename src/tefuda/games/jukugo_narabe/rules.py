"""熟語並べ by カバレロ (Garden Games): shed your hand by laying each kanji on one that makes a word with it.

Clause numbers (JN-, and JK- for what the 熟語 games share) are those of the rules page.
"""

from tefuda.decks.spelling import *
from tefuda.engine.cards import *

INFO = {
    "id": "jukugo_narabe",
    "rules": "1",
    "title": {"ja": "熟語並べ", "en": "Jukugo Columns"},
    "author": {"ja": "カバレロ", "en": "Caballero"},
    "seats": (2, 4),
    "deck": "kanji",
    "lid": {"sign": "並", "colour": "teal", "band": "熟語トランプ 五"},
    "claims": {"age": 10},
    "options": {**KANJI_OPTIONS},
}
HAND_SIZE = 10
MOST_PLAYS = 3                           # in one turn (JN-2)
MOST_ROUNDS = 200                        # JN-6
CAP = 32000                              # (never reached: MOST_ROUNDS end the game before)
MOST_MOVES = 5 * MOST_KINDS + 1           # each kind on each column, or discarded; and a pass

# ------------------------------------------------------------------ what is on the table (JN-1, JN-7)

COLUMNS = ("1", "2", "3", "4")
PILES = (
    Pile("hand", seen_by=OWNER),         # (how many cards a pile has is seen by all)
    *(Pile(f"column{n}", seen_by=EVERYBODY) for n in COLUMNS),
    Pile("bank", seen_by=EVERYBODY),     # 銀行
    Pile("deck", ordered=True),
    Pile("discard", seen_by=EVERYBODY),
)
HAND, COLUMN, _, _, _, BANK, DECK, DISCARD = number_piles(PILES, most_seats=4)


def cards(options):
    return kanji_cards(DECK, options)


def check_options(options, seats):
    check_kanji(options, len(COLUMNS) + HAND_SIZE * seats + 2 if seats else 0)


def tables(options, seats):
    return kanji_tables(options, joker_value=0)     # JK-7


State = state_type(
    PILES, cards=MOST_CARDS, kinds=MOST_KINDS, seats=4,
    start=1,                             # the seat that started: a round ends at its right neighbour
    round=1,                             # the first is 1
    plays=1,                             # cards played in this turn
    draws=1,                             # cards still to be drawn in this turn
    from_deck=1,                         # 1: a card is being drawn from the pile
    passing=1,                           # 1: this turn is a pass; 2: a pass that drew a card
    dry=1,                               # passes in a row that went without a draw
    last_round=1,                        # 1: a hand was empty at the end of a turn
    over=1,
)

PLAY = 1
DONE = 2
PASS = 3
DROP = 4
DRAW_TOP = 5
DRAW = 6
MOVES = (
    Move(PLAY, "play", "{card}@{column}", found=True, card=Card("hand"), column=Choice(*COLUMNS)),
    Move(DONE, "done", "done"),
    Move(PASS, "pass", "pass"),
    Move(DROP, "discard", "-{card}", card=Card("hand")),
    Move(DRAW_TOP, "draw_top", "pile"),
    Move(DRAW, "draw", "{card}", card=Card("bank")),
)

# ------------------------------------------------------------------ the deal (JN-1)


def deal(s, t, chance):
    gather(s)
    shuffle(s, DECK, chance)
    s.start = random_seat(s, chance)
    s.turn = s.start
    for column in range(len(COLUMNS)):
        draw(s, DECK, COLUMN + column)
    for seat in range(s.seats):
        draw(s, DECK, HAND + seat, HAND_SIZE)
    draw(s, DECK, BANK, 2)               # (JN-1)
    s.round = 1


# ------------------------------------------------------------------ what a player may do (JN-2 to JN-4)


def legal(s, moves, t):
    hand = HAND + s.turn
    if s.draws > 0:
        if size(s, DECK) + size(s, DISCARD) > 0:
            add(moves, DRAW_TOP)
        for kind in range(1, len(t.value)):
            if count(s, BANK, kind) > 0:
                add(moves, DRAW, kind)
        return
    for kind in range(1, len(t.value)):
        if count(s, hand, kind) > 0:
            for column in range(len(COLUMNS)):
                if neighbours(t, kind, top(s, COLUMN + column)):
                    add(moves, PLAY, kind, column)
    if s.plays > 0:
        add(moves, DONE)
    else:
        add(moves, PASS)                 # a turn begins (JN-2)
        for kind in range(1, len(t.value)):
            if count(s, hand, kind) > 0:
                add(moves, DROP, kind)


# ------------------------------------------------------------------ what it does (JN-2 to JN-6)


def apply(s, choice, t):
    kind, card, column, _ = parts(choice)
    hand = HAND + s.turn
    if kind == PLAY:
        move_all(s, COLUMN + column, DISCARD)
        move(s, card, hand, COLUMN + column)
        s.plays += 1
        if s.plays == MOST_PLAYS or size(s, hand) == 0:
            end_turn(s)
    elif kind == DONE:
        end_turn(s)
    elif kind == PASS:
        s.passing = 1
        s.draws = 1
        end_if_nothing_to_draw(s)
    elif kind == DROP:
        move(s, card, hand, DISCARD)
        s.draws = 2
    elif kind == DRAW_TOP:
        s.from_deck = 1                  # the pile may have to be made anew first: see `advance`
    else:
        move(s, card, BANK, hand)
        count_draw(s)


def count_draw(s):
    s.draws -= 1
    if s.passing:
        s.passing = 2
    s.from_deck = 2


def end_if_nothing_to_draw(s):
    if size(s, DECK) + size(s, DISCARD) + size(s, BANK) == 0:
        end_turn(s)


def advance(s, t, chance):
    if s.from_deck == 1:
        new_pile(s, chance)
        draw(s, DECK, HAND + s.turn)
        count_draw(s)
    if s.from_deck == 2:                 # after every draw the bank is filled up (JN-3)
        s.from_deck = 0
        while size(s, BANK) < 2 and size(s, DECK) + size(s, DISCARD) > 0:
            new_pile(s, chance)
            draw(s, DECK, BANK)
        if s.draws == 0:
            end_turn(s)
        else:
            end_if_nothing_to_draw(s)


def new_pile(s, chance):
    """When a card is needed and the pile is empty, the discards are shuffled into a new one."""
    if size(s, DECK) == 0:
        move_all(s, DISCARD, DECK)       # (JN-4)
        shuffle(s, DECK, chance)


def end_turn(s):
    """The next seat, unless the game is over: stuck, or at the end of the round in which a hand was emptied."""
    if s.passing == 1:
        s.dry += 1
    else:
        s.dry = 0
    if size(s, HAND + s.turn) == 0:
        s.last_round = 1                 # (JN-5)
    s.plays = 0
    s.draws = 0
    s.passing = 0
    s.turn = (s.turn + 1) % s.seats
    if s.dry == s.seats:
        s.over = 1                       # stuck (JN-6)
    elif s.turn == s.start:
        if s.last_round:
            s.over = 1
        elif s.round == MOST_ROUNDS:
            s.capped = 1                 # (JN-6)
            s.over = 1
        else:
            s.round += 1
    if s.over:                           # the hands are laid open and compared
        for seat in range(s.seats):
            show(s, HAND + seat)


# ------------------------------------------------------------------ when it is over, and what it scores (JN-5)


def is_over(s, t):
    return s.over == 1


def scores(s, points, t):
    for seat in range(s.seats):
        points[seat] = -size(s, HAND + seat)


def standing(s, seat, t):
    """What decides between two players, in this order; more is better."""
    return -size(s, HAND + seat), -points_in(s, HAND + seat, t)


def ranks(s, places, t):
    for seat in range(s.seats):
        places[seat] = 1
        for other in range(s.seats):
            if standing(s, other, t) > standing(s, seat, t):
                places[seat] += 1


# ------------------------------------------------------------------ for the bot that looks one step ahead


def estimate(s, seat, t):
    """Few cards are good, those still to be drawn counted; so are cards that can be played now, and cheap ones."""
    hand = HAND + seat
    good = -1.0 * size(s, hand) - 0.02 * points_in(s, hand, t)
    if seat == s.turn:
        good -= s.draws
    for kind in range(1, len(t.value)):
        if count(s, hand, kind) > 0:
            for column in range(len(COLUMNS)):
                if neighbours(t, kind, top(s, COLUMN + column)):
                    good += 0.1
    return good


# ------------------------------------------------------------------ how the page sets it out


def why(view):
    """How it ended: which of the words' sentences tells it, and of which seat."""
    if view["result"]["capped"]:
        return "capped", 0
    hands, n = view["piles"]["hand"], len(view["players"])
    in_turn = [(view["state"]["start"] + i) % n for i in range(n)]
    empty = [seat for seat in in_turn if hands[seat]["size"] == 0]
    return ("emptied", empty[0]) if empty else ("stuck", 0)


def may_play(view):
    """Whether cards may be laid on the columns: not while cards are being drawn (JN-2)."""
    return view["state"]["draws"] == 0


def told_words(options, story, n):
    """The words that a card laid on a column makes, in either order (JN-2)."""
    if story[n]["move"] != "play":
        return []
    old, new = (moved["card"] for moved in story[n]["cards"][:2])
    return [word for word in (old + new, new + old) if word in names(options)["words"]]


LAYOUT = (
    Seats(marker="start"),
    Columns(tuple(f"column{n}" for n in COLUMNS), move="play", part="column", when=may_play),
    Spread("bank"),
    Deck("deck"),
    Deck("discard"),
    Strip(("round",)),
    Hand("hand", fanned=False),
    Ending(why, tie=hand_worth),
)
