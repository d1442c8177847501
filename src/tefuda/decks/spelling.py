"""What the rules files of the 熟語 games share: their options, their cards and words, and finding words in a pile.

    from tefuda.engine.cards import *
    from tefuda.decks.spelling import *

Like the engine's own functions for rules files these run plain on a page and in a test, and are compiled together
with the rules for bots and the lab. Numbers in brackets are those of the clauses that the games share.

The tables `t` of such a game hold, besides its options: `value[kind]`, what a card counts (JK-7); `words[word]`, the
kinds that spell a word, NO_CARD after its end; `worth[word]`, its cards' values together; `begin[kind]` to
`begin[kind + 1]`, where in `by_first` the words stand that begin with a kind; `pair[first, second]`, the word of two
cards plus 1, or 0; `known[word]`, whether a bot finds it; `common[word]`, whether everybody knows it.
"""

from collections import Counter

import numpy as np

from tefuda.decks import kanji_decks, lexicon
from tefuda.decks.deck import DeckError
from tefuda.engine.cards import *

JOKER = "々"

LONGEST = 4
"""Cards in the longest words (JK-3)."""

MOST_CARDS = 108
"""A deck has at most 104 kanji and 4 jokers (JK-2)."""

MOST_KINDS = 105

KANJI_OPTIONS = {
    "lexicon": Choice("standard/1", "common/1", "none"),
    "deck": Data("reconstruction"),
    "words": Data([], grows="word"),
}
"""What the table may choose in every 熟語 game: the list of words, the deck, words of its own (JK-4, JK-5)."""

__all__ = [
    "JOKER",
    "KANJI_OPTIONS",
    "LONGEST",
    "MOST_CARDS",
    "MOST_KINDS",
    "NOTICE",
    "add_words",
    "card_worth",
    "check_kanji",
    "common",
    "explain",
    "hand_worth",
    "kanji_cards",
    "kanji_tables",
    "keepable",
    "names",
    "neighbours",
    "pair_word",
    "points_in",
    "promise",
    "reaches",
    "some_words",
    "spell",
    "spells",
    "vocabulary",
    "words_in_hand",
    "words_of",
]

# ------------------------------------------------------------------------------ options, cards and tables (Python)


def check_kanji(options, least_cards=0):
    """ValueError when the deck or the table's own words cannot be, or the deck has fewer cards than the game needs."""
    deck = kanji_decks.deck(options["deck"])
    n = len(deck.cards) + deck.jokers
    if n < least_cards:
        raise DeckError(
            f"the game needs {least_cards} cards, this deck has {n} (JK-2)",
            f"このゲームには札が {least_cards} 枚要りますが、この山は {n} 枚です（JK-2）",
        )
    kanji_decks.spellable(deck, options["lexicon"], tuple(own_words(options)))


def own_words(options):
    words = options["words"]
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise DeckError("words is a list of words", "words は言葉のリストです")
    return words


def kanji_cards(home, options):
    """The kinds of the deck: its kanji, and last the joker (a kind without a card in a deck that has none)."""
    deck = kanji_decks.deck(options["deck"])
    return kinds(home, [card.kanji for card in deck.cards]) + kinds(home, [JOKER], copies=deck.jokers)


def names(options):
    """`words`: every word that the deck can spell and the table accepts."""
    deck = kanji_decks.deck(options["deck"])
    return {"words": kanji_decks.spellable(deck, options["lexicon"], tuple(own_words(options)))}


def kanji_tables(options, joker_value):
    """The tables of a word game (see the top of this file)."""
    deck = kanji_decks.deck(options["deck"])
    kind = {card.kanji: i for i, card in enumerate(deck.cards, 1)}
    kind[JOKER] = len(deck.cards) + 1
    value = np.array([0, *(card.value for card in deck.cards), joker_value], np.int64)
    accepted = names(options)["words"]
    words = np.zeros((len(accepted), LONGEST), np.int64)
    for i, word in enumerate(accepted):
        words[i, : len(word)] = [kind[kanji] for kanji in word]
    pair = np.zeros((len(value), len(value)), np.int64)
    for i, word in enumerate(accepted):
        if len(word) == 2:
            pair[words[i, 0], words[i, 1]] = i + 1
    familiar = lexicon.words(options["lexicon"])
    return {
        "value": value,
        "words": words,
        "worth": value[words].sum(axis=1),
        "begin": np.searchsorted(np.sort(words[:, 0]), np.arange(len(value) + 1)),
        "by_first": np.argsort(words[:, 0], kind="stable"),
        "pair": pair,
        "known": np.ones(len(accepted), np.int64),
        "common": np.array([word not in familiar or familiar[word].common for word in accepted], np.int64),
    }


def explain(options, name):
    """What a word means, for people: `reading` and `gloss` (empty for a word of the table's own)."""
    found = lexicon.words(options["lexicon"]).get(name)
    return {"reading": found.reading if found else "", "gloss": found.gloss if found else ""}


NOTICE = {**lexicon.ACKNOWLEDGEMENT, "url": lexicon.ACKNOWLEDGEMENT_URL}


def some_words(options, cards, needed, goal):
    """For people: some words that these cards spell, each card used once, worth `goal` or more together and with all
    the cards `needed` among them; as few words as will do, none when there are none such."""
    deck = kanji_decks.deck(options["deck"])
    value = {**{card.kanji: card.value for card in deck.cards}, JOKER: 1}
    held = Counter(cards)
    worth = {word: sum(value[c] for c in word) for word in names(options)["words"] if Counter(word) <= held}
    found = sorted(worth, key=lambda word: -worth[word])

    def choose(words, left, goal, more, first):
        """These words and up to so many more; of the found ones from `first` on, unless a needed card is missing."""
        missing = next((c for c in needed if not any(c in word for word in words)), None)
        if missing is None and goal <= 0:
            return words
        for i in range(first if missing is None else 0, len(found) if more else 0):
            word = found[i]
            if missing is None and worth[word] * more < goal:
                break
            if (missing is None or missing in word) and Counter(word) <= left:
                after = i + 1 if missing is None else 0
                chosen = choose([*words, word], left - Counter(word), goal - worth[word], more - 1, after)
                if chosen:
                    return chosen
        return []

    return next((words for most in range(1, len(cards) // 2 + 1) if (words := choose([], held, goal, most, 0))), [])


def words_in_hand(view):
    """For people with assist: every word that the viewer's own hand spells, those worth most first."""
    held = view["piles"]["hand"][view["viewer"]]["cards"]
    option = {**view["options"], "words": [*view["options"]["words"], *view["entries"]]}
    found = [word for word in names(option)["words"] if all(word.count(c) <= held.count(c) for c in word)]
    return sorted(found, key=lambda word: -sum(card_worth(view, c) for c in word))


def card_worth(view, name):
    """What a card counts where the joker counts 1, for a page."""
    deck = kanji_decks.deck(view["options"]["deck"])
    return next((card.value for card in deck.cards if card.kanji == name), 1)


def hand_worth(view, seat):
    """What the cards of a hand count together where jokers count nothing, for a page."""
    value = {card.kanji: card.value for card in kanji_decks.deck(view["options"]["deck"]).cards}
    return sum(value.get(name, 0) for name in view["piles"]["hand"][seat]["cards"])


# ------------------------------------------------------------------------------------- words of a pile (JK-3)


def spells(s, pile, word, t):
    """Whether the cards of a pile spell a word, each used once."""
    for i in range(LONGEST):
        kind = t.words[word, i]
        if kind != NO_CARD:
            need = 1
            for j in range(i):
                if t.words[word, j] == kind:
                    need += 1
            if count(s, pile, kind) < need:
                return False
    return True


def add_words(s, moves, move_kind, pile, t, longest=LONGEST):
    """Add a move for every known word that the cards of a pile spell, of so many cards at most: its kind, the word."""
    for kind in range(1, len(t.value)):
        if count(s, pile, kind) > 0:
            for i in range(t.begin[kind], t.begin[kind + 1]):
                word = t.by_first[i]
                short = longest == LONGEST or t.words[word, longest] == NO_CARD
                if short and t.known[word] and spells(s, pile, word, t):
                    add(moves, move_kind, word)


def spell(s, word, a, b, t):
    """The cards of a word go from pile `a` to pile `b`, in the word's order."""
    for i in range(LONGEST):
        if t.words[word, i] != NO_CARD:
            move(s, t.words[word, i], a, b)


def pair_word(t, first, second):
    """The known word that two cards spell in this order, or -1."""
    word = t.pair[first, second] - 1
    if word >= 0 and t.known[word]:
        return word
    return -1


def neighbours(t, one, other):
    """Whether two cards spell a known word in one order or the other."""
    return pair_word(t, one, other) >= 0 or pair_word(t, other, one) >= 0


def points_in(s, pile, t):
    """What the cards of a pile count together."""
    points = 0
    for i in range(size(s, pile)):
        points += t.value[card_at(s, pile, i)]
    return points


# --------------------------------------------------------------------- several words of one hand (JT-4, JT-5)


def words_of(s, pile, t):
    """The known words that the cards of a pile spell: of each the kinds, NO_CARD after the end, and its worth."""
    n = 0
    for kind in range(1, len(t.value)):
        if count(s, pile, kind) > 0:
            for i in range(t.begin[kind], t.begin[kind + 1]):
                if t.known[t.by_first[i]] and spells(s, pile, t.by_first[i], t):
                    n += 1
    found = np.zeros((n, LONGEST + 1), np.int64)
    at = 0
    for kind in range(1, len(t.value)):
        if count(s, pile, kind) > 0:
            for i in range(t.begin[kind], t.begin[kind + 1]):
                word = t.by_first[i]
                if t.known[word] and spells(s, pile, word, t):
                    for j in range(LONGEST):
                        found[at, j] = t.words[word, j]
                    found[at, LONGEST] = t.worth[word]
                    at += 1
    return found


def keepable(s, pile, new, goal, t):
    """For every kind, 1 when the cards of a pile make words, each card in at most one of them, worth `goal` or more
    together, with the card `new` and a card of that kind among them."""
    good = np.zeros(len(t.value), np.int64)
    if points_in(s, pile, t) < goal:
        return good
    found = words_of(s, pile, t)
    left = np.zeros(len(t.value), np.int64)
    for kind in range(1, len(t.value)):
        left[kind] = count(s, pile, kind)
    for one in range(len(found)):
        if holds(found, one, new):
            take_up(found, one, left, 1)
            need = goal - found[one, LONGEST]
            if reaches(found, left, need, t):
                mark(found, one, good)
            for other in range(len(found)):
                if holds_unmarked(found, other, good) and fits(found, other, left):
                    take_up(found, other, left, 1)
                    if reaches(found, left, need - found[other, LONGEST], t):
                        mark(found, one, good)
                        mark(found, other, good)
                    take_up(found, other, left, -1)
            take_up(found, one, left, -1)
    return good


def reaches(found, left, need, t):
    """Whether disjoint words of the cards `left` are worth `need` or more together. Depth first; given up where even
    all the cards left would not do."""
    if need <= 0:
        return True
    most = 0
    for kind in range(1, len(left)):
        most += left[kind] * t.value[kind]
    taken = np.zeros(len(found), np.int64)
    n = 0
    word = 0
    while True:
        if most >= need and word < len(found):
            if fits(found, word, left):
                take_up(found, word, left, 1)
                need -= found[word, LONGEST]
                most -= found[word, LONGEST]
                taken[n] = word
                n += 1
                if need <= 0:
                    break
            word += 1
        elif n > 0:                      # give the last word back and try those after it
            n -= 1
            word = taken[n]
            take_up(found, word, left, -1)
            need += found[word, LONGEST]
            most += found[word, LONGEST]
            word += 1
        else:
            return False
    for i in range(n):
        take_up(found, taken[i], left, -1)
    return True


def fits(found, word, left):
    """Whether the cards left spell the word. (Its first kinds are the likeliest to be missing.)"""
    for i in range(LONGEST):
        kind = found[word, i]
        if kind != NO_CARD:
            need = 1
            for j in range(i):
                if found[word, j] == kind:
                    need += 1
            if left[kind] < need:
                return False
    return True


def take_up(found, word, left, sign):
    """Take the cards of a word from those left; with sign -1 give them back."""
    for i in range(LONGEST):
        if found[word, i] != NO_CARD:
            left[found[word, i]] -= sign


def holds(found, word, kind):
    """Whether a card of this kind is in the word."""
    for i in range(LONGEST):
        if found[word, i] == kind:
            return True
    return False


def holds_unmarked(found, word, good):
    """Whether the word has a card that is not known to be good yet."""
    for i in range(LONGEST):
        if found[word, i] != NO_CARD and good[found[word, i]] == 0:
            return True
    return False


def mark(found, word, good):
    """The cards of the word are good."""
    for i in range(LONGEST):
        if found[word, i] != NO_CARD:
            good[found[word, i]] = 1


def promise(s, pile, t):
    """About how much the words of a pile come to together: the dearest first, then what the cards left still spell."""
    found = words_of(s, pile, t)
    left = np.zeros(len(t.value), np.int64)
    for kind in range(1, len(t.value)):
        left[kind] = count(s, pile, kind)
    points = 0
    while True:
        best = -1
        for word in range(len(found)):
            if (best < 0 or found[word, LONGEST] > found[best, LONGEST]) and fits(found, word, left):
                best = word
        if best < 0:
            return points
        take_up(found, best, left, 1)
        points += found[best, LONGEST]


# ------------------------------------------------------------------------------------ what a bot knows (bots)


def vocabulary(t):
    """By word, whether a bot finds it: it may be written to."""
    return t.known


def common(t):
    """By word, whether everybody knows it."""
    return t.common
