"""手びねりクッキー (Hand-made Cookies) by オシノ: give cookies face down, and bluff about what they are."""

from tefuda.engine.cards import *

INFO = {
    "id": "tebineri_cookie",
    "rules": "1",
    "title": {"ja": "手びねりクッキー", "en": "Hand-made Cookies"},
    "author": {"ja": "オシノ", "en": "Oshino"},
    "seats": (3, 4),
    "deck": "cookies",
    "options": {"weak_tie": Choice("all", "odd")},
    "claims": {"minutes": 30},           # what its author says of it
}
ALL, ODD = 0, 1                          # the choices of `weak_tie`
MOST_MOVES = 60                          # (no cap is needed: every cookie eaten leaves a hand, TC-12)

# ------------------------------------------------------------------ what is on the table (TC-1)

PILES = (
    Pile("hand", seen_by=OWNER),         # (how many cards a pile has is seen by all)
    Pile("weak", seen_by=OWNER),         # the picture card: only its suit matters, that its owner cannot stand (苦手)
    Pile("front", seen_by=EVERYBODY, each=True),    # cookies eaten
    Pile("offer"),                       # the cookie on offer, face down
    Pile("deck", ordered=True),          # number cards before the deal
    Pile("pictures", ordered=True),      # picture cards; what is not dealt stays here, unseen
    Pile("removed"),                     # four number cards that nobody sees
)
HAND, WEAK, FRONT, OFFER, DECK, PICTURES, REMOVED = number_piles(PILES, most_seats=4)

SUITS = ("S", "H", "C", "D")
COOKIES = [f"{suit}{rank}" for suit in SUITS for rank in range(1, 11)]      # kinds 1 to 40
COURTS = [f"{suit}{court}" for suit in SUITS for court in "JQK"]            # kinds 41 to 52
CARDS = kinds(DECK, COOKIES) + kinds(PICTURES, COURTS)


def suit_of(card):
    """The suit of a cookie or a picture card."""
    if card <= 40:
        return (card - 1) // 10
    return (card - 41) // 3


def rank_of(card):
    """The rank of a cookie."""
    return (card - 1) % 10 + 1


State = state_type(
    PILES, cards=52, kinds=52, seats=4,
    joker=1,                             # who has the joker, the marker of the first giver (it is in no pile)
    phase=1,                             # what is to be decided: GIVING, CLAIMING, RECEIVING or PASSING_ON
    giver=1,                             # who offers the cookie now (贈り手)
    receiver=1,                          # to whom, while CLAIMING and RECEIVING (受け手)
    saw=4,                               # 1: that seat has seen the cookie on offer
    claim_suit=1,                        # what was said last; true or not, it has no effect
    claim_flavour=1,
    over=1,
)
GIVING, CLAIMING, RECEIVING, PASSING_ON = 0, 1, 2, 3

GIVE = 1                                 # offer a card of the hand to a seat
PASS_ON = 2                              # offer the card one holds to another seat
CLAIM = 3                                # say what it is, true or not
EAT = 4                                  # take it without having looked
HOLD = 5                                 # look at it, and pass it on to somebody who has not seen it
FLAVOURS = ("0", "1", "2", "3")          # four phrases (among the words) that hint at the number, or lie
MOVES = (
    Move(GIVE, "give", "{card}>{to}", card=Card("hand", hidden=True), to=Seat()),
    Move(PASS_ON, "pass_on", ">{to}", to=Seat()),
    Move(CLAIM, "claim", ":{suit}{flavour}", suit=Choice(*SUITS), flavour=Choice(*FLAVOURS), talk=True),
    Move(EAT, "eat", "eat"),
    Move(HOLD, "hold", "hold"),
)

# ------------------------------------------------------------------ the deal (TC-2, TC-3)


def deal(s, t, chance):
    shuffle(s, DECK, chance)
    shuffle(s, PICTURES, chance)
    s.joker = random_seat(s, chance)     # (TC-3)
    draw(s, DECK, REMOVED, 4)
    for seat in range(s.seats):
        draw(s, DECK, HAND + seat, 36 // s.seats)  # (TC-2)
        draw(s, PICTURES, WEAK + seat)
    start_gift(s)


def start_gift(s):
    """The joker's owner starts a gift; without a card to give the game is over."""
    s.giver = s.joker
    s.turn = s.joker
    s.phase = GIVING
    s.saw[:] = 0
    s.saw[s.joker] = 1
    if size(s, HAND + s.joker) == 0:
        end_game(s)                      # nothing to give (TC-8 b)


# ------------------------------------------------------------------ what a player may do (TC-4 to TC-6)


def legal(s, moves, t):
    if s.phase == GIVING:
        for card in range(1, 41):
            if count(s, HAND + s.turn, card) > 0:
                for seat in range(s.seats):
                    if seat != s.turn:
                        add(moves, GIVE, card, seat)
    elif s.phase == PASSING_ON:          # needs no card in the hand: TC-8
        for seat in range(s.seats):
            if not s.saw[seat]:
                add(moves, PASS_ON, seat)
    elif s.phase == CLAIMING:
        for suit in range(4):
            for flavour in range(len(FLAVOURS)):
                add(moves, CLAIM, suit, flavour)
    else:
        add(moves, EAT)                  # (TC-5)
        add(moves, HOLD)


# ------------------------------------------------------------------ what it does (TC-4 to TC-8)


def apply(s, choice, t):
    kind, first, second, _ = parts(choice)
    if kind == GIVE:                     # (TC-4)
        move(s, first, HAND + s.turn, OFFER)
        offer_to(s, second)
    elif kind == PASS_ON:
        offer_to(s, first)
    elif kind == CLAIM:
        s.claim_suit = first
        s.claim_flavour = second
        s.phase = RECEIVING
        s.turn = s.receiver
    elif kind == EAT:
        eat(s, s.turn)
    else:
        show_to(s, OFFER, s.turn)
        s.saw[s.turn] = 1
        if all_saw(s):
            eat(s, s.joker)              # nobody is left: it comes back to who gave it first (TC-6)
        else:
            s.giver = s.turn
            s.phase = PASSING_ON


def offer_to(s, seat):
    s.receiver = seat
    s.phase = CLAIMING                   # the giver is still on turn, and speaks


def all_saw(s):
    for seat in range(s.seats):
        if not s.saw[seat]:
            return False
    return True


def eat(s, seat):
    """The cookie is turned up in front of the eater, who takes the joker and gives next, unless that was the
    fourth of its suit there (TC-7)."""
    suit = suit_of(top(s, OFFER))
    draw(s, OFFER, FRONT + seat)
    s.joker = seat
    if of_suit(s, seat, suit) == 4:
        end_game(s)                      # (TC-8 a)
    else:
        start_gift(s)


def of_suit(s, seat, suit):
    """How many cookies of a suit lie in front of a seat."""
    n = 0
    for i in range(size(s, FRONT + seat)):
        if suit_of(card_at(s, FRONT + seat, i)) == suit:
            n += 1
    return n


def end_game(s):
    s.over = 1
    for seat in range(s.seats):
        show(s, WEAK + seat)             # all weak suits are shown (TC-9)


# ------------------------------------------------------------------ when it is over, and what it scores (TC-8 to TC-10)


def is_over(s, t):
    return s.over != 0


def weak_suit(s, seat):
    return suit_of(card_at(s, WEAK + seat, 0))


def value_for(s, seat, card):
    """What a cookie is worth in front of a seat: odd plus, even minus, the weak suit always minus."""
    if suit_of(card) == weak_suit(s, seat) or rank_of(card) % 2 == 0:
        return -rank_of(card)
    return rank_of(card)


def score(s, seat):
    points = -size(s, HAND + seat)
    for i in range(size(s, FRONT + seat)):
        points += value_for(s, seat, card_at(s, FRONT + seat, i))
    return points


def lost_to_weak(s, seat, t):
    """The ranks of the cookies in the weak suit, added up; with `weak_tie` odd only the odd ones."""
    lost = 0
    for i in range(size(s, FRONT + seat)):
        card = card_at(s, FRONT + seat, i)
        if suit_of(card) == weak_suit(s, seat) and (t.weak_tie == ALL or rank_of(card) % 2 == 1):
            lost += rank_of(card)
    return lost


def scores(s, points, t):
    for seat in range(s.seats):
        points[seat] = score(s, seat)


def standing(s, seat, t):
    """What decides between two players, in this order; more is better."""
    return score(s, seat), size(s, FRONT + seat), -lost_to_weak(s, seat, t), -size(s, HAND + seat)


def ranks(s, places, t):
    for seat in range(s.seats):
        places[seat] = 1
        for other in range(s.seats):
            if standing(s, other, t) > standing(s, seat, t):
                places[seat] += 1


# ------------------------------------------------------------------ for the bot that looks one step ahead


def estimate(s, seat, t):
    """The own lead over the others, as if the cookie on offer were eaten half of the time. (A bot asks this of deals
    that it imagines; it sees nobody's cards.)"""
    lead = 0.0
    for other in range(s.seats):
        points = float(score(s, other))
        if (s.phase == CLAIMING or s.phase == RECEIVING) and other == s.receiver:
            points += 0.5 * value_for(s, other, top(s, OFFER))
        if other == seat:
            lead += points
        else:
            lead -= points / (s.seats - 1)
    return lead


# ------------------------------------------------------------------ for the lab


def truth(s, choice, t):
    """Whether what is said of the cookie is true: its suit. (What a phrase says of its number is left open.)"""
    kind, suit, _, _ = parts(choice)
    if kind != CLAIM:
        return -1
    return 1 if suit == suit_of(top(s, OFFER)) else 0


# ------------------------------------------------------------------ how the page sets it out


def why(view):
    """How it ended: which of the words' sentences tells it, and of which seat."""
    for seat, front in enumerate(view["piles"]["front"]):
        suits = [name[0] for name in front["cards"]]
        for suit in SUITS:
            if suits.count(suit) == 4:
                return "four", seat
    return "empty", view["state"]["joker"]


WELL_BAKED = tuple(f"{suit}{rank}" for suit in SUITS for rank in (1, 3, 5, 7, 9))

LAYOUT = (
    Seats(marker="joker", around=True),
    Plates("front", columns=SUITS, upper=WELL_BAKED, full=4, small="t-"),
    Bubble("offer", giver="giver", receiver="receiver", eyes="saw"),
    Beside("weak"),
    Hand("hand", fanned=False),
    Ending(why),
)
