"""三十一文字 (Misohitomoji) by the author of かるた無病息災: add up the kimariji; who reaches thirty-one loses.

Clause numbers (MH-) are those of the rules page.
"""

from tefuda.decks.deck import DeckError
from tefuda.decks.karuta import FAMILIES, KIMARIJI, MINUS, MOST_TOGETHER, REVERSE
from tefuda.engine.cards import *

INFO = {
    "id": "misohitomoji",
    "rules": "1",
    "title": {"ja": "三十一文字", "en": "Misohitomoji"},
    "author": {"ja": "「かるた無病息災」の筆者", "en": "the author of the blog かるた無病息災"},
    "seats": (2, 5),
    "deck": "karuta",
    "options": {
        "deck": Data("full"),            # "full", or a list of kimariji, with repeats if one likes (MH-2)
        "limit": Range(31, 10, 99),
        "hand": Range(5, 3, 7),
        "reverse": Choice("turn", "once"),
        "floor": Range(None, 0, 0, none=True),       # 0: the total never goes below zero (MH-5)
        "declare": Flag(False),          # people type the new total with their cards (MH-15)
    },
    "declares": ("declare", "total"),
    "card_groups": {
        "reverse": tuple(kimariji for kimariji in KIMARIJI if len(kimariji) == REVERSE),
        "minus": tuple(kimariji for kimariji in KIMARIJI if len(kimariji) == MINUS),
        **{f"letters{n}": tuple(k for k in KIMARIJI if len(k) == n) for n in range(1, MINUS)},
    },
    "claims": {"minutes": "few"},
}
TURN, ONCE = 0, 1                        # the choices of `reverse`
CAP = 1000                               # MH-13
MOST_MOVES = 30                          # seven cards, and the dubs among them
MOST_CARDS = 400
POEMS = 100                              # a card is numbered as its poem is

# ------------------------------------------------------------------ what is on the table (MH-1, MH-2, MH-14)

PILES = (
    Pile("hand", seen_by=OWNER),         # (how many cards a pile has is seen by all)
    Pile("deck", ordered=True),          # the stock (山札)
    Pile("just", seen_by=EVERYBODY),     # the cards just played
    Pile("played", seen_by=EVERYBODY, ordered=True),     # all played before
)
HAND, DECK, JUST, PLAYED = number_piles(PILES, most_seats=5)


def cards(options):
    if options["deck"] == "full":
        return kinds(DECK, KIMARIJI)
    return kinds(DECK, KIMARIJI, [options["deck"].count(kimariji) for kimariji in KIMARIJI])


def check_options(options, seats):
    deck = options["deck"]
    if deck == "full":
        return
    if not isinstance(deck, list):
        raise DeckError('deck takes "full" or a list of kimariji', '山（deck）は "full" か、決まり字のリストで書きます')
    for kimariji in deck:
        if kimariji not in KIMARIJI:
            raise DeckError(
                f"deck: {kimariji!r} is no kimariji of the hundred poems",
                f"山（deck）：{kimariji!r} という決まり字は百首にありません",
            )
    least = (seats or 2) * options["hand"] + 1         # (before it is known how many play: for two)
    if not least <= len(deck) <= MOST_CARDS:
        raise DeckError(
            f"deck: {least} to {MOST_CARDS} cards are needed, not {len(deck)}",
            f"山（deck）には札が {least}〜{MOST_CARDS} 枚要ります（{len(deck)} 枚では足りないか、多すぎます）",
        )


def names(options):
    return {"dubs": [family.name for family in FAMILIES]}


def tables(options, seats):
    members = np.zeros((len(FAMILIES), MOST_TOGETHER), np.int16)
    for dub, family in enumerate(FAMILIES):
        members[dub, : len(family.numbers)] = family.numbers
    return {
        "length": np.array([0, *(len(kimariji) for kimariji in KIMARIJI)], np.int16),    # of the kimariji, by card
        "together": np.array([len(family.numbers) for family in FAMILIES], np.int16),    # how many cards, by dub
        "members": members,              # which cards, by dub
    }


State = state_type(
    PILES, cards=MOST_CARDS, kinds=POEMS, seats=5,
    total=1,                             # the letters said so far
    direction=1,                         # 1: clockwise, -1: against it
    duty=1,                              # how many plays of a duty the seat on turn has before it: 2, 1, or 0 for none
    player=1,                            # who played last, or NOBODY
    loser=1,                             # or NOBODY
)
PLAY = 1
DUB = 2
MOVES = (
    Move(PLAY, "play", "{card}", card=Card("hand")),
    Move(DUB, "dub", "{dub}", found=True, dub=Name("dubs", of="hand", join="+", any_order=True)),
)

# ------------------------------------------------------------------ the deal (MH-3)


def deal(s, t, chance):
    shuffle(s, DECK, chance)
    for seat in range(s.seats):
        draw(s, DECK, HAND + seat, t.hand)  # (MH-3)
    s.turn = random_seat(s, chance)
    s.direction = 1
    s.player = NOBODY
    s.loser = NOBODY


# ------------------------------------------------------------------ what a player may do (MH-7, MH-10)


def legal(s, moves, t):
    for card in range(1, POEMS + 1):
        if count(s, HAND + s.turn, card) > 0:
            add(moves, PLAY, card)       # there is no passing (MH-10)
    for dub in range(len(t.together)):
        if holds(s, s.turn, dub, t):
            add(moves, DUB, dub)


def holds(s, seat, dub, t):
    """Whether a seat holds every card of a dub (all that begin alike, of the hundred)."""
    for i in range(t.together[dub]):
        if count(s, HAND + seat, t.members[dub, i]) == 0:
            return False
    return True


# ------------------------------------------------------------------ what it does (MH-4 to MH-9, MH-11)


def apply(s, choice, t):
    kind, what, _, _ = parts(choice)
    move_all(s, JUST, PLAYED)
    s.player = s.turn
    if kind == DUB:                      # (MH-7)
        for i in range(t.together[what]):
            move(s, t.members[what, i], HAND + s.turn, JUST)
        s.turn = neighbour(s, s.direction)
        s.duty = 2                       # never more than two, and the own duty is over (MH-8)
    else:
        move(s, what, HAND + s.turn, JUST)
        if t.length[what] == REVERSE:
            turn_back(s, t)
        else:
            count_letters(s, t.length[what], t)


def neighbour(s, direction):
    """The seat next to the one on turn."""
    return (s.turn + direction) % s.seats


def turn_back(s, t):
    """The player before is on turn. The first of two plays hands over the whole duty; the second has fulfilled it,
    and that player has an ordinary turn (MH-6)."""
    back = -s.direction
    if t.reverse == TURN:
        s.direction = back
    s.turn = neighbour(s, back)
    if s.duty == 1:
        s.duty = 0                       # (MH-8)


def count_letters(s, length, t):
    """A normal or a minus card."""
    if length == MINUS:                  # (MH-5)
        s.total = max(s.total - MINUS, t.floor)
    else:
        s.total += length                # (MH-4)
    if s.total >= t.limit:
        s.loser = s.turn                 # (MH-11)
    elif s.duty == 2:
        s.duty = 1                       # the same player plays once more (MH-8)
    else:
        s.duty = 0
        s.turn = neighbour(s, s.direction)


def advance(s, t, chance):
    """As many cards are drawn as were played. From an empty stock: all cards played before are shuffled
    into a new one, also in the middle; without any, that is all."""
    for _ in range(size(s, JUST)):
        if size(s, DECK) == 0 and size(s, PLAYED) > 0:
            move_all(s, PLAYED, DECK)    # (MH-12)
            shuffle(s, DECK, chance)
        if size(s, DECK) > 0:
            draw(s, DECK, HAND + s.player)


# ------------------------------------------------------------------ when it is over, and what it scores (MH-11, MH-13)


def is_over(s, t):
    return s.loser != NOBODY


def scores(s, points, t):
    for seat in range(s.seats):
        points[seat] = -1 if seat == s.loser else 0


# ------------------------------------------------------------------ for the bot that looks one step ahead


def estimate(s, seat, t):
    """Cards that never end the game (reverse, minus, dubs) are worth keeping, short ones more than long ones; to be on
    turn without a safe card is the end."""
    if s.loser != NOBODY:
        return -100.0 if seat == s.loser else 0.0
    worth = 0.0
    safe = 0
    for card in range(1, POEMS + 1):
        n = count(s, HAND + seat, card)
        if t.length[card] >= MINUS:
            worth += 4.0 * n
            safe += n
        elif s.total + t.length[card] < t.limit:
            worth += 0.2 * (MINUS - t.length[card]) * n
            safe += n
    for dub in range(len(t.together)):
        if holds(s, seat, dub, t):
            worth += 4.0
            safe += 1
    if safe < 1:
        worth -= 20.0 if s.turn == seat else 5.0
    return worth


# ------------------------------------------------------------------ how the page sets it out


def why(view):
    """How it ended: which of the words' sentences tells it, and of which seat."""
    loser = view["state"]["loser"]
    return ("capped", 0) if loser == NOBODY else ("lost", loser)


LAYOUT = (
    Seats(direction="direction", duty=("duty", 2)),
    # The first tanka there is; not one of the hundred, so it gives nothing away.
    Tally("total", "limit", ("やくもたつ", "いづもやへがき", "つまごみに", "やへがきつくる", "そのやへがきを")),
    Heap("just", under="played", player="player"),
    Hand("hand", fanned=False),
    Strip(("deck",)),
    Ending(why),
)
