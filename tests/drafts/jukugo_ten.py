"""熟語テン by カバレロ (Garden Games): the card just dealt makes words worth ten? Call it.

A draft: it proves that a rules file can hold the hardest of the games to come (words from tables made at run time,
calls that only a person can get wrong, a hand laid open, void rounds). It plays with the table's own words only.
"""

from tefuda.engine.cards import *

INFO = {
    "id": "jukugo_ten",
    "rules": "1",
    "title": {"ja": "熟語テン", "en": "Jukugo Ten"},
    "author": {"ja": "カバレロ", "en": "Caballero"},
    "seats": (2, 4),
    "options": {
        "lexicon": Choice("none"),
        "deck": Data({"cards": [["花", 1], ["月", 1], ["人", 1]] + [[c, 2] for c in "楽給水文本国行先歩中立場車"], "jokers": 2}),
        "words": Data(["花月", "人々", "月給", "給水", "文楽", "本国", "国立", "中立", "立場", "行人", "先行"]),
        "goal": Range(10, 5, 20),
        "wins": Range(3, 1, 5),
        "bonus": Range(2, 0, 10),
    },
}
CAP = 3000                               # JT-11
MOST_MOVES = 60
JOKER = "々"

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
    deck = options["deck"]
    return kinds(DECK, [kanji for kanji, _ in deck["cards"]]) + kinds(DECK, [JOKER], copies=deck["jokers"])


def check_options(options, seats):
    known = {kanji for kanji, _ in options["deck"]["cards"]} | {JOKER}
    for word in options["words"]:
        if not 2 <= len(word) <= 4 or word[0] == JOKER or not set(word) <= known:
            raise ValueError(f"the word {word!r} is not 2 to 4 cards of the deck, or begins with {JOKER}")


def tables(options, seats):
    """`value[kind]`; `words[n]`: the kinds of word n, 0 after its end."""
    deck = options["deck"]
    kind = {kanji: i for i, (kanji, _) in enumerate(deck["cards"], 1)}
    kind[JOKER] = len(deck["cards"]) + 1
    words = np.zeros((len(options["words"]), 4), np.int16)
    for i, word in enumerate(options["words"]):
        for j, kanji in enumerate(word):
            words[i, j] = kind[kanji]
    value = np.array([0, *(v for _, v in deck["cards"]), 1], np.int16)      # JK-7
    return {"value": value, "words": words}


State = state_type(
    PILES, cards=108, kinds=105, seats=4,
    dealer=1,
    answering=1,                         # 1: who got the new card answers; 0: the dealer gives
    new_card=1,
    served=5,                            # 1: that place has its card of this turn; the last place is the discard
    barred=4,                            # あがり放棄
    wins=4,
    round_over=1,                        # what follows the decision: 0 goes on, WON, VOID or SET_FREE
)
DISCARD_PLACE = 4
WON, VOID, SET_FREE = 1, 2, 3

GIVE = 1
THROW = 2
PASS = 3
WIN = 4
FALSE_CALL = 5
MOVES = (
    Move(GIVE, "give", ">{to}", to=Seat()),
    Move(THROW, "throw", ">x"),
    Move(PASS, "pass", "pass"),
    Move(WIN, "win", "={keep}", keep=Card("hand")),
    Move(FALSE_CALL, "false_call", "false"),
)

# ------------------------------------------------------------------ the deal (JT-1)


def deal(s, t, chance):
    gather(s)
    shuffle(s, DECK, chance)
    s.dealer = random_seat(s, chance)
    deal_hands(s, chance)
    start_turn(s, chance)


def deal_hands(s, chance):
    for seat in range(s.seats):
        for _ in range(3):
            refill(s, chance)
            draw(s, DECK, HAND + seat)


def refill(s, chance):
    """When a card is needed and the pile is empty, the discards are shuffled into a new one (JT-7)."""
    if size(s, DECK) == 0:
        move_all(s, DISCARD, DECK)
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
            for keep in range(1, len(t.value)):
                if count(s, HAND + s.turn, keep) > 0 and may_keep(s, keep, t):
                    add(moves, WIN, keep)


def also_people(s, moves, t):
    """A person may overlook a word, or see one that is none (JT-8)."""
    if s.answering and not s.barred[s.turn]:
        add(moves, FALSE_CALL)


def may_keep(s, keep, t):
    """Whether the hand makes words worth the goal with the new card in one of them, and `keep` in one of them."""
    left = np.zeros(len(t.value), np.int64)
    for kind in range(1, len(t.value)):
        left[kind] = count(s, HAND + s.turn, kind)
    for first in range(len(t.words)):
        if has(t, first, s.new_card) and fits(t, first, left):
            use(t, first, left, 1)
            if has(t, first, keep):
                if worth(t, first) + best(t, left) >= t.goal:
                    return True
            else:
                for second in range(len(t.words)):
                    if has(t, second, keep) and fits(t, second, left):
                        use(t, second, left, 1)
                        if worth(t, first) + worth(t, second) + best(t, left) >= t.goal:
                            return True
                        use(t, second, left, -1)
            use(t, first, left, -1)
    return False


def has(t, word, kind):
    for i in range(4):
        if t.words[word, i] == kind:
            return True
    return False


def fits(t, word, left):
    """Whether the cards left spell the word."""
    for i in range(4):
        kind = t.words[word, i]
        if kind != NO_CARD:
            need = 0
            for j in range(4):
                if t.words[word, j] == kind:
                    need += 1
            if left[kind] < need:
                return False
    return True


def use(t, word, left, sign):
    for i in range(4):
        if t.words[word, i] != NO_CARD:
            left[t.words[word, i]] -= sign


def worth(t, word):
    points = 0
    for i in range(4):
        points += t.value[t.words[word, i]]
    return points


def best(t, left):
    """The most that words are worth together, each card left in at most one of them."""
    taken = np.zeros(len(t.words) + 1, np.int64)
    n = points = most = word = 0
    while True:
        if word < len(t.words):
            if fits(t, word, left):
                use(t, word, left, 1)
                points += worth(t, word)
                most = max(most, points)
                taken[n] = word
                n += 1
            word += 1
        elif n > 0:                      # give the last word back and try those after it
            n -= 1
            word = taken[n]
            use(t, word, left, -1)
            points -= worth(t, word)
            word += 1
        else:
            return most


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
        show(s, HAND + s.turn)           # the hand, now known to all, is taken back
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
        while size(s, DECK) + size(s, DISCARD) < 3 * s.seats:
            void(s, chance)
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
        points[seat] = 0
        for i in range(size(s, POINT + seat)):
            points[seat] += t.value[card_at(s, POINT + seat, i)]
    if third_win(s, t) != NOBODY:
        points[third_win(s, t)] += t.bonus
