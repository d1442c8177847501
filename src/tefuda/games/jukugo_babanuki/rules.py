"""熟語ババ抜き by カバレロ (Garden Games): draw from your neighbour, and lay down a word of two.

Clause numbers (JB-, and JK- for what the 熟語 games share) are those of the rules page.
"""

from tefuda.decks.spelling import *
from tefuda.engine.cards import *

INFO = {
    "id": "jukugo_babanuki",
    "rules": "1",
    "title": {"ja": "熟語ババ抜き", "en": "Jukugo Old Maid"},
    "author": {"ja": "カバレロ", "en": "Caballero"},
    "seats": (2, 6),
    "deck": "kanji",
    "lid": {"sign": "々", "colour": "purple", "band": "熟語トランプ 四"},
    "claims": {"age": 10, "luck": "much"},
    "options": {
        **KANJI_OPTIONS,
        "must": Flag(True),              # a program shows a word if it holds one
        "rounds": Range(4, 1, 8),
    },
}
HAND_SIZE = 9
MOST_MOVES = 91                          # 10 cards (JB-5: a hand never has more) make 90 orders of 2; and a pass

# ------------------------------------------------------------------ what is on the table (JB-1, JB-6)

PILES = (
    Pile("hand", seen_by=OWNER),         # (how many cards a pile has is seen by all)
    Pile("deck", ordered=True),          # what is not dealt stays here, unseen
    Pile("discard", seen_by=EVERYBODY),  # words shown
)
HAND, DECK, DISCARD = number_piles(PILES, most_seats=6)


def cards(options):
    return kanji_cards(DECK, options)


def check_options(options, seats):
    check_kanji(options, HAND_SIZE * seats if seats else 0)


def tables(options, seats):
    return kanji_tables(options, joker_value=0)     # JK-7


State = state_type(
    PILES, cards=MOST_CARDS, kinds=MOST_KINDS, seats=6,
    round=1,                             # the first is 1
    turns=1,                             # turns done in this round
    drawn_from=1,                        # from whose hand the card of this turn came, or NOBODY
)

SHOW = 1
PASS = 2
MOVES = (
    Move(SHOW, "show", "{word}", found=True, word=Name("words", of="hand")),
    Move(PASS, "pass", "pass", overlooks=True),
)

# ------------------------------------------------------------------ the deal (JB-1)


def deal(s, t, chance):
    gather(s)
    shuffle(s, DECK, chance)
    s.turn = random_seat(s, chance)
    for seat in range(s.seats):
        draw(s, DECK, HAND + seat, HAND_SIZE)  # (JB-1)
    s.round = 1
    draw_from_neighbour(s, chance)


def draw_from_neighbour(s, chance):
    """A random card of the left neighbour (JB-2), or of the next to the left who has one: JB-5."""
    s.drawn_from = NOBODY
    for i in range(1, s.seats):
        other = (s.turn + i) % s.seats
        if size(s, HAND + other) > 0:
            take_random(s, HAND + other, HAND + s.turn, chance)
            s.drawn_from = other
            return


# ------------------------------------------------------------------ what a player may do (JB-2, JB-3)


def legal(s, moves, t):
    add_words(s, moves, SHOW, HAND + s.turn, t, longest=2)
    if moves[0] == 0 or not t.must:
        add(moves, PASS)


def also_people(s, moves, t):
    """A person may overlook a word (JB-3)."""
    if t.must and parts(moves[1])[0] == SHOW:
        add(moves, PASS)


# ------------------------------------------------------------------ what it does (JB-2, JB-4)


def apply(s, choice, t):
    kind, word, _, _ = parts(choice)
    if kind == SHOW:
        spell(s, word, HAND + s.turn, DISCARD, t)
    s.turn = (s.turn + 1) % s.seats
    s.turns += 1
    if is_over(s, t):                    # the hands are laid open and compared (JB-4)
        for seat in range(s.seats):
            show(s, HAND + seat)


def advance(s, t, chance):
    if s.turns == s.seats:
        s.turns = 0
        s.round += 1
    draw_from_neighbour(s, chance)


# ------------------------------------------------------------------ when it is over, and what it scores (JB-4)


def is_over(s, t):
    return s.round == t.rounds and s.turns == s.seats


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
    """Few cards are good; each that makes a word with another is half gone; of the others cheap ones are better."""
    hand = HAND + seat
    good = -1.0 * size(s, hand) - 0.02 * points_in(s, hand, t)
    for i in range(size(s, hand)):
        if makes_a_word(s, hand, card_at(s, hand, i), t):
            good += 0.5
    return good


def makes_a_word(s, pile, kind, t):
    """Whether a card makes a word of two with another card of the pile."""
    for other in range(1, len(t.value)):
        if count(s, pile, other) > 0 and neighbours(t, kind, other):
            return True
    return False


# ------------------------------------------------------------------ how the page sets it out


def why(view):
    """How it ended: which of the words' sentences tells it, and of which seat."""
    return "rounds", 0


LAYOUT = (
    Seats(),
    LastWord("show"),
    Deck("discard"),
    Strip(("round",)),
    Tray("hand"),
    Hand("hand", fanned=False),
    Ending(why, tie=hand_worth),
)
