"""熟語テン by カバレロ (Garden Games): the card just dealt makes words worth ten? Call it.

Clause numbers (JT-, and JK- for what the 熟語 games share) are those of the rules page.
"""

from tefuda.decks.spelling import *
from tefuda.engine.cards import *

INFO = {
    "id": "jukugo_ten",
    "rules": "1",
    "title": {"ja": "熟語テン", "en": "Jukugo Ten"},
    "author": {"ja": "カバレロ", "en": "Caballero"},
    "seats": (2, 4),
    "deck": "kanji",
    "lid": {"sign": "十", "colour": "red", "band": "熟語トランプ 一"},
    "claims": {"age": 10},
    "options": {
        **KANJI_OPTIONS,
        "goal": Range(10, 5, 20),
        "wins": Range(3, 1, 5),
        "bonus": Range(2, 0, 10),
    },
}
CAP = 3000                               # JT-11
MOST_MOVES = MOST_KINDS + 2

# ------------------------------------------------------------------ what is on the table (JK-1, JT-1)

PILES = (
    Pile("hand", seen_by=OWNER),
    Pile("point", seen_by=EVERYBODY, each=True),    # cards won
    Pile("deck", ordered=True),
    Pile("taken", ordered=True),                    # cards on their way to and from the dealer
    Pile("to_turn", ordered=True),                  # the dealer's cards of this turn, face down; the top is next
    Pile("turned", seen_by=EVERYBODY),              # the card that lies open and waits for its place
    Pile("discard", seen_by=EVERYBODY),
)
HAND, POINT, DECK, TAKEN, TO_TURN, TURNED, DISCARD = number_piles(PILES, most_seats=4)


def cards(options):
    return kanji_cards(DECK, options)


def check_options(options, seats):
    if seats:                            # hands, a turn's cards, and what may lie in front of everybody before the end
        check_kanji(options, 3 * seats + max(3, seats) + seats * (options["wins"] - 1))
    else:
        check_kanji(options)


def tables(options, seats):
    return kanji_tables(options, joker_value=1)                     # JK-7


State = state_type(
    PILES, cards=MOST_CARDS, kinds=MOST_KINDS, seats=4,
    dealer=1,
    answering=1,                         # 1: who got the new card answers; 0: the dealer gives
    new_card=1,
    served=5,                            # 1: that place has its card of this turn; the last place is the discard
    barred=4,                            # あがり放棄
    wins=4,
    round_over=1,                        # what follows the decision: WON, SET_FREE, or 0: it goes on
)
DISCARD_PLACE = 4
WON, SET_FREE = 1, 2

GIVE = 1
THROW = 2
PASS = 3
WIN = 4
FALSE_CALL = 5
MOVES = (
    Move(GIVE, "give", ">{to}", to=Seat()),
    Move(THROW, "throw", ">x"),
    Move(PASS, "pass", "pass", silence=True),
    Move(WIN, "win", "={keep}", found=True, keep=Card("hand")),
    Move(FALSE_CALL, "false_call", "false"),
)

# ------------------------------------------------------------------ the deal (JT-1)


def deal(s, t, chance):
    gather(s)
    shuffle(s, DECK, chance)
    s.dealer = random_seat(s, chance)    # (JT-1)
    deal_hands(s, chance)
    start_turn(s, chance)


def deal_hands(s, chance):
    for seat in range(s.seats):
        for _ in range(3):
            refill(s, chance)
            draw(s, DECK, HAND + seat)


def refill(s, chance):
    """When a card is needed and the pile is empty, the discards are shuffled into a new one."""
    if size(s, DECK) == 0:
        move_all(s, DISCARD, DECK)       # (JT-7)
        shuffle(s, DECK, chance)


def places(s):
    """How many cards the dealer takes: one a player, for two players a third to discard (JT-2)."""
    return max(3, s.seats)


def start_turn(s, chance):
    """The dealer takes the cards of the turn and turns the first up; without enough of them the round is void."""
    while size(s, DECK) + size(s, DISCARD) < places(s):
        void(s, chance)
    for _ in range(places(s)):
        refill(s, chance)
        draw(s, DECK, TAKEN)
    draw(s, TAKEN, TO_TURN, places(s))   # over once, so that the first taken is on top
    s.served[:] = 0
    if s.seats > 2:
        s.served[DISCARD_PLACE] = 1
    turn_up(s)


def turn_up(s):
    draw(s, TO_TURN, TURNED)
    s.answering = 0
    s.turn = s.dealer


def void(s, chance):
    """流局: everything but the point cards is shuffled into a new pile; three new cards each (JT-7)."""
    for seat in range(s.seats):
        move_all(s, HAND + seat, DECK)
    move_all(s, TO_TURN, DECK)
    move_all(s, DISCARD, DECK)
    shuffle(s, DECK, chance)
    deal_hands(s, chance)


# ------------------------------------------------------------------ what a player may do (JT-2 to JT-4, JT-8)


def legal(s, moves, t):
    if s.answering == 0:
        for seat in range(s.seats):
            if not s.served[seat]:
                add(moves, GIVE, seat)
        if not s.served[DISCARD_PLACE]:
            add(moves, THROW)
    else:
        add(moves, PASS)
        if not s.barred[s.turn]:
            good = keepable(s, HAND + s.turn, s.new_card, t.goal, t)
            for keep in range(1, len(good)):
                if good[keep]:
                    add(moves, WIN, keep)  # (JT-4)


def also_people(s, moves, t):
    """A person may overlook a word, or see one that is none (JT-8)."""
    if s.answering and not s.barred[s.turn]:
        add(moves, FALSE_CALL)


def claim(s, laid, keep, moves, t):
    """The answer of a person who lays these words open and would keep that card: a win, or a false call (JT-8) and
    why it is one: which words are none, points that lack, or that the new card is not among them."""
    accepted = {tuple(kind for kind in word if kind): worth for word, worth in zip(t.words, t.worth)}
    none = [i for i, word in enumerate(laid) if tuple(word) not in accepted]
    wrong = None
    if none:
        wrong = "none", none
    elif not any(s.new_card in word for word in laid):
        wrong = "new", []
    elif sum(accepted[tuple(word)] for word in laid) < t.goal:
        wrong = "points", []
    if wrong:
        add(moves, FALSE_CALL)
    else:
        add(moves, WIN, keep)
    return wrong


# ------------------------------------------------------------------ what it does (JT-2 to JT-9)


def apply(s, choice, t):
    kind, first, _, _ = parts(choice)
    s.round_over = 0
    if kind == GIVE:
        s.new_card = top(s, TURNED)
        move(s, s.new_card, TURNED, HAND + first)
        s.served[first] = 1
        s.answering = 1
        s.turn = first
    elif kind == THROW:
        move(s, top(s, TURNED), TURNED, DISCARD)
        s.served[DISCARD_PLACE] = 1
        s.answering = 0
    elif kind == PASS:
        s.answering = 0
    elif kind == WIN:
        win(s, first, t)
    else:
        show(s, HAND + s.turn)           # the hand, now known to all, is taken back (JT-8)
        s.barred[s.turn] = 1
        s.answering = 0
        if all_barred(s):
            s.round_over = SET_FREE


def win(s, keep, t):
    """The winner keeps one card as points; the turn ends, all other cards of all hands are discarded (JT-5, JT-6)."""
    show(s, HAND + s.turn)
    move(s, keep, HAND + s.turn, POINT + s.turn)
    s.wins[s.turn] += 1
    for seat in range(s.seats):
        s.barred[seat] = 0
        move_all(s, HAND + seat, DISCARD)
    n = size(s, TO_TURN)
    draw(s, TO_TURN, TAKEN, n)           # over twice: back on the pile in their order
    draw(s, TAKEN, DECK, n)
    s.round_over = WON


def all_barred(s):
    for seat in range(s.seats):
        if not s.barred[seat]:
            return False
    return True


def advance(s, t, chance):
    if s.round_over == WON:
        s.dealer = (s.dealer + 1) % s.seats
        deal_hands(s, chance)
        start_turn(s, chance)
    elif s.round_over == SET_FREE:
        s.barred[:] = 0
        void(s, chance)
        s.dealer = (s.dealer + 1) % s.seats
        start_turn(s, chance)
    elif s.answering == 0:
        if size(s, TO_TURN) > 0:
            turn_up(s)
        else:
            s.dealer = (s.dealer + 1) % s.seats
            start_turn(s, chance)


# ------------------------------------------------------------------ when it is over, and what it scores (JT-9)


def is_over(s, t):
    return third_win(s, t) != NOBODY


def third_win(s, t):
    for seat in range(s.seats):
        if s.wins[seat] >= t.wins:
            return seat
    return NOBODY


def scores(s, points, t):
    for seat in range(s.seats):
        points[seat] = points_in(s, POINT + seat, t)
    if third_win(s, t) != NOBODY:
        points[third_win(s, t)] += t.bonus  # (JT-9)


# ------------------------------------------------------------------ for the bot that looks one step ahead


def estimate(s, seat, t):
    """The own lead over the others: points, and how much of a call the hand's words would make."""
    lead = 0.0
    for other in range(s.seats):
        standing = 1.0 * points_in(s, POINT + other, t)
        if not s.barred[other]:          # up to 2 for a hand whose words come to the goal
            standing += 2.0 * min(promise(s, HAND + other, t), t.goal) / t.goal
        if s.wins[other] >= t.wins:
            standing += t.bonus
        if other == seat:
            lead += standing
        else:
            lead -= standing / (s.seats - 1)
    return lead


# ------------------------------------------------------------------ how the page sets it out


def why(view):
    """How it ended: which of the words' sentences tells it, and of which seat."""
    wins = view["state"]["wins"]
    if max(wins) >= view["options"]["wins"]:
        return "wins", wins.index(max(wins))
    return "capped", 0


def may_call(view):
    """Whether the card just dealt waits for the viewer's answer, and the viewer may call (JT-4, JT-8)."""
    return view["state"]["answering"] == 1 and not view["state"]["barred"][view["viewer"]]


def told_words(options, story, n):
    """Words that a win shows: its answer stands for all that allow it (JT-5), so it tells some that do."""
    event = story[n]
    if event["move"] != "win":
        return []
    hand = [moved["card"] for moved in event["cards"] if moved["from"] == ["hand", event["who"]]]
    given = next(one for one in reversed(story[:n]) if one["move"] == "give")
    new = given["cards"][0]["card"]
    return some_words(options, hand, {new, event["parts"]["keep"]}, options["goal"])


LAYOUT = (
    Seats(out="barred", marker="dealer", tally="wins"),
    Deck("deck"),
    Dealt("turned", ahead="to_turn", served="served", spare=("discard", DISCARD_PLACE)),
    Deck("discard"),
    LastWord("win", news=True),
    Spread("point", worth=card_worth),
    Tray(
        "hand",
        words=10,
        keep=True,
        worth=card_worth,
        goal="goal",
        moves=("win", "false_call"),
        when=may_call,
        find=words_in_hand,
    ),
    Hand("hand", fanned=False),
    Ending(why),
)
