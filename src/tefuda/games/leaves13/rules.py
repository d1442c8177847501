"""13枚の葉 (13 Leaves) by Masato Uesugi: shed your hand by laying leaves on either end of a row of ranks."""

from tefuda.engine.cards import *

INFO = {
    "id": "leaves13",
    "rules": "1",
    "title": {"ja": "13枚の葉", "en": "13 Leaves"},
    "author": {"ja": "上杉真人", "en": "Masato Uesugi"},
    "seats": (3, 6),
    "deck": "leaves",
    "options": {
        "expert": Flag(False),           # 上級モード: deal after deal, for the fewest minus points
        "target": Range(20, 5, 100),     # with expert only: so many minus points end the game
        "leader": Choice("random", "winner"),    # with expert only: who starts the next deal
        "empty_row_clears": Flag(False),
    },
    "claims": {"minutes": 7, "complexity": 0, "strategy": 2, "luck": 3, "interaction": 1},     # of 5 (the site's)
}
RANDOM, WINNER = 0, 1                    # the choices of `leader`
CAP = 2000                               # decisions in one deal (LV-14)
MOST_MOVES = 80
NEVER = 99                               # more cards than there are of any rank

# ------------------------------------------------------------------ what is on the table (LV-1)

PILES = (
    Pile("hand", seen_by=OWNER),         # (how many cards a pile has is seen by all)
    Pile("row", seen_by=EVERYBODY),      # its ranks lie in order, with gaps; each with its cards as a stack
    Pile("deck", ordered=True),          # what is not dealt stays here, unseen
    Pile("gone", seen_by=EVERYBODY),     # rows that were cleared
)
HAND, ROW, DECK, GONE = number_piles(PILES, most_seats=6)

RANKS = tuple(range(1, 14))              # a leaf's kind is its rank
CARDS = kinds(DECK, names=RANKS, copies=(2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2))
HAND_SIZE = (12, 11, 10, 9)              # for 3, 4, 5 and 6 players

State = state_type(
    PILES, cards=62, kinds=13, seats=6,
    out=6,                               # 1: that seat has passed and waits until the row is cleared
    over=1,                              # 1: this deal has ended
    winner=1,                            # who won it, or NOBODY
    minus=6,                             # minus points, in expert mode over all deals
)

PLAY = 1                                 # so many cards of a rank, from the hand to an end of the row
PASS = 2                                 # take a card of that rank from the row; out until the row is cleared
MOVES = (
    Move(PLAY, "play", "{rank}x{n}", rank=Card("hand"), n=Number(of="rank")),
    Move(PASS, "pass", "-{rank}", rank=Card("row")),
)

# ------------------------------------------------------------------ the deal (LV-2, LV-3, LV-13)


def deal(s, t, chance):
    s.winner = NOBODY                    # there was no deal before
    deal_hands(s, t, chance)


def deal_hands(s, t, chance):
    last_winner = s.winner
    s.over = 0
    s.winner = NOBODY
    s.decisions = 0                      # CAP counts those of one deal
    s.out[:] = 0
    gather(s)
    shuffle(s, DECK, chance)
    for seat in range(s.seats):
        draw(s, DECK, HAND + seat, HAND_SIZE[s.seats - 3])  # (LV-2)
    if t.leader == WINNER and last_winner != NOBODY:
        s.turn = last_winner
    else:
        s.turn = random_seat(s, chance)  # (LV-3)


# ------------------------------------------------------------------ what a player may do (LV-4 to LV-8)


def legal(s, moves, t):
    low, high = row_ends(s)
    for rank in RANKS:
        for n in range(fewest(s, rank, low, high), count(s, HAND + s.turn, rank) + 1):
            add(moves, PLAY, rank, n)
    for rank in RANKS:                   # one may always pass, and take any card of the row, inside too
        if count(s, ROW, rank) > 0:
            add(moves, PASS, rank)


def row_ends(s):
    """The lowest and the highest rank of the row; twice NO_CARD when it is empty."""
    low = high = NO_CARD
    for rank in RANKS:
        if count(s, ROW, rank) > 0:
            if low == NO_CARD:
                low = rank
            high = rank                  # the ends (LV-4)
    return low, high


def fewest(s, rank, low, high):
    """How many cards of a rank must at least be played: as many as lie at the end they go to. Strictly between the
    ends none may go, even where that rank lies (LV-5, LV-6)."""
    if low == NO_CARD:
        return 1
    if rank <= low:
        return count(s, ROW, low)
    if rank >= high:
        return count(s, ROW, high)
    return NEVER


# ------------------------------------------------------------------ what it does (LV-8 to LV-12)


def apply(s, choice, t):
    kind, rank, n, _ = parts(choice)
    if kind == PLAY:
        for _ in range(n):
            move(s, rank, HAND + s.turn, ROW)
        if size(s, HAND + s.turn) == 0:
            end_deal(s, s.turn)          # an empty hand wins at once (LV-12)
        else:
            s.turn = next_in(s, s.turn)
    else:
        move(s, rank, ROW, HAND + s.turn)  # a pass (LV-8)
        s.out[s.turn] = 1
        s.turn = next_in(s, s.turn)
        if still_in(s) == 1:             # the row is cleared, and the one left leads (LV-10)
            move_all(s, ROW, GONE)
            s.out[:] = 0
        elif t.empty_row_clears and size(s, ROW) == 0:
            s.out[:] = 0                 # LV-11: by option all come back in, but the next who was still in leads


def next_in(s, seat):
    """The next seat clockwise that is not out (LV-9)."""
    seat = (seat + 1) % s.seats
    while s.out[seat]:
        seat = (seat + 1) % s.seats
    return seat


def still_in(s):
    n = 0
    for seat in range(s.seats):
        if not s.out[seat]:
            n += 1
    return n


def end_deal(s, winner):
    """The deal is over; all count the cards left in their hands as minus points (the winner has none)."""
    s.over = 1
    s.winner = winner
    for seat in range(s.seats):
        s.minus[seat] += size(s, HAND + seat)


def at_cap(s, t):
    """CAP decisions in one deal: that deal ends and nobody has won it; expert mode goes on."""
    if not s.over:
        s.capped = 1                     # (LV-14)
        end_deal(s, NOBODY)


def advance(s, t, chance):
    if s.over:                           # expert mode goes on with another deal (LV-13)
        deal_hands(s, t, chance)


# ------------------------------------------------------------------ when it is over, and what it scores (LV-12, LV-13)


def is_over(s, t):
    return s.over and (not t.expert or max_minus(s) >= t.target)


def max_minus(s):
    most = s.minus[0]
    for seat in range(s.seats):
        most = max(most, s.minus[seat])
    return most


def scores(s, points, t):
    for seat in range(s.seats):
        points[seat] = -s.minus[seat]


def ranks(s, places, t):
    """The places. Expert mode: by minus points. Else the winner is first and all others second; without a winner all
    are first."""
    for seat in range(s.seats):
        places[seat] = 1
        if t.expert:
            for other in range(s.seats):
                if s.minus[other] < s.minus[seat]:
                    places[seat] += 1
        elif s.winner != NOBODY and seat != s.winner:
            places[seat] = 2


# ------------------------------------------------------------------ for the bot that looks one step ahead


def estimate(s, seat, t):
    """Few cards in the hand are good; nothing else is looked at."""
    return -float(size(s, HAND + seat))


# ------------------------------------------------------------------ how the page sets it out


def asks(view):
    """For the ruler below the row: how many leaves of each rank must at least be played, None where none may go."""
    row = [int(name) for name in view["piles"]["row"]["cards"]]
    low, high = (row[0], row[-1]) if row else (NO_CARD, NO_CARD)
    return [
        row.count(low) if rank <= low else max(1, row.count(high)) if rank >= high else None for rank in RANKS
    ]


def why(view):
    """How it ended: which of the words' sentences tells it, and of which seat."""
    minus, winner = view["state"]["minus"], view["state"]["winner"]
    if view["options"]["expert"]:
        return "target", minus.index(max(minus))
    if winner == NOBODY:
        return "capped", 0
    return "emptied", winner


LAYOUT = (
    Seats(out="out", facts=("minus",)),
    Stacks("row", asks=asks),
    Hand("hand"),
    Ending(why),
)
