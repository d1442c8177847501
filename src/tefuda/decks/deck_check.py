"""What a deck can do: the words it makes, which kanji are dead, how often a hand holds a word; of grabbing cards, which
dubs they make and how often a hand holds one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from tefuda.decks import karuta, lexicon
from tefuda.decks.deck import DeckError
from tefuda.decks.deck_search import neighbours
from tefuda.decks.kanji_decks import JOKER, LONGEST, KanjiDeck, spellable

HANDS = range(2, 9)
"""The sizes of hand that are looked at."""

DRAWN = 40_000
"""How many hands are drawn where there are more than `MOST_COUNTED`."""

MOST_COUNTED = 400_000
"""Up to so many different hands are all looked at."""

SEED = 1

MOST_GRABBING = 400
"""The most grabbing cards of a deck (MH-2)."""

Json = Any


@dataclass(frozen=True)
class Share:
    """A share of all hands. `low` and `high` are its 95 % interval (Wilson's); all three agree when it was counted."""

    value: float
    low: float
    high: float


def share(hits: int, of: int, exact: bool) -> Share:
    """So many of so many hands: all there are (`exact`), or hands drawn at random."""
    value = hits / of
    if exact:
        return Share(value, value, value)
    z = 1.959964
    middle = (value + z * z / (2 * of)) / (1 + z * z / of)
    half = z * math.sqrt(value * (1 - value) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return Share(value, max(0.0, middle - half), min(1.0, middle + half))


def holding(cards: Sequence[str], sets: Iterable[Sequence[str]], n: int) -> Share:
    """How often `n` cards drawn at random from a deck hold all the cards of one of the sets at least; every card of a
    set is needed as often as it stands there."""
    kinds = {name: kind for kind, name in enumerate(dict.fromkeys(cards))}
    deck = np.array([kinds[card] for card in cards])
    wanted = {tuple(sorted(Counter(kinds[card] for card in one).items())) for one in sets}
    counts, exact = _hands(deck, n)
    held = np.zeros((len(counts), len(kinds)), np.int8)
    rows = np.arange(len(counts))
    for column in counts.T:
        held[rows, column] += 1
    pair = np.zeros((len(kinds), len(kinds)), np.float32)
    for one in wanted:
        if _is_pair(one):
            pair[one[0][0], one[1][0]] = 1
    has = (held > 0).astype(np.float32)
    hits: npt.NDArray[np.bool_] = np.asarray(((has @ pair) * has).any(axis=1))
    for one in wanted:
        if not _is_pair(one) and not any(pair[a, b] for (a, _), (b, _) in combinations(one, 2)):
            hits |= np.logical_and.reduce([held[:, kind] >= times for kind, times in one])
    return share(int(hits.sum()), len(hits), exact)


def _is_pair(one: tuple[tuple[int, int], ...]) -> bool:
    """Whether two different cards are all that is needed."""
    return [times for _, times in one] == [1, 1]


def _hands(deck: npt.NDArray[np.int64], n: int) -> tuple[npt.NDArray[np.int64], bool]:
    """Hands of `n` cards, a row each: all there are (and True), or many drawn at random."""
    if math.comb(len(deck), n) <= MOST_COUNTED:
        return deck[np.array(list(combinations(range(len(deck)), n)), np.int64)], True
    drawn = np.random.default_rng(SEED).random((DRAWN, len(deck)))
    return deck[np.argpartition(drawn, n, axis=1)[:, :n]], False


# -------------------------------------------------------------------------------------------------- kanji decks


@dataclass(frozen=True)
class KanjiReport:
    """What a kanji deck can do with a list of words."""

    deck: KanjiDeck
    lexicon: str
    words: tuple[str, ...]
    partners: Mapping[str, str]
    """Of each kanji, those with which it makes a word of two, in the order of the deck."""
    dead: str
    """The kanji that are in no word at all."""
    apart: tuple[str, ...]
    """Neighbours (two kanji) that make no word of two, either way round."""
    pairs: int
    """How many neighbours there are; none when the cards cannot stand in four suits of one length."""
    hands: Mapping[int, Share]
    """How often a hand of so many cards holds a word."""
    common_hands: Mapping[int, Share]
    """How often it holds one that everybody knows."""

    def lengths(self) -> dict[int, int]:
        """How many words there are of each length."""
        return {n: sum(len(word) == n for word in self.words) for n in range(2, LONGEST + 1)}

    def with_joker(self) -> int:
        """How many of the words hold a joker."""
        return sum(JOKER in word for word in self.words)

    def data(self) -> dict[str, Json]:
        """The report as JSON."""
        return {
            "cards": len(self.deck.cards),
            "jokers": self.deck.jokers,
            "lexicon": self.lexicon,
            "words": {str(n): count for n, count in self.lengths().items()},
            "with_joker": self.with_joker(),
            "partners": dict(self.partners),
            "dead": list(self.dead),
            "neighbours": {"pairs": self.pairs, "without_word": list(self.apart)},
            "hands": _hands_data(self.hands),
            "common_hands": _hands_data(self.common_hands),
        }


def check_kanji(deck: KanjiDeck, lexicon_name: str = "standard/1") -> KanjiReport:
    """Look a kanji deck over."""
    words = spellable(deck, lexicon_name)
    kanji = [card.kanji for card in deck.cards]
    twos = {word for word in words if len(word) == 2}
    cards = [*kanji, *[JOKER] * deck.jokers]
    beside = neighbours(len(kanji))
    listed = lexicon.words(lexicon_name)
    common = [word for word in words if listed[word].common]
    sizes = [n for n in HANDS if n <= len(cards)]
    return KanjiReport(
        deck,
        lexicon_name,
        tuple(words),
        {one: "".join(other for other in kanji if one + other in twos or other + one in twos) for one in kanji},
        "".join(sorted(set(kanji) - set("".join(words)), key=kanji.index)),
        tuple(kanji[a] + kanji[b] for a, b in beside if not {kanji[a] + kanji[b], kanji[b] + kanji[a]} & twos),
        len(beside),
        {n: holding(cards, words, n) for n in sizes},
        {n: holding(cards, common, n) for n in sizes},
    )


# ------------------------------------------------------------------------------------------------ grabbing cards


@dataclass(frozen=True)
class KimarijiReport:
    """What a deck of grabbing cards can do (三十一文字)."""

    cards: tuple[str, ...]
    families: tuple[karuta.Family, ...]
    """The dubs whose cards are all in the deck."""
    hands: Mapping[int, Share]
    """How often a hand of so many cards holds a dub."""

    def lengths(self) -> dict[int, int]:
        """How many cards there are of each length of kimariji."""
        return {n: sum(len(card) == n for card in self.cards) for n in range(1, karuta.REVERSE + 1)}

    def repeated(self) -> list[str]:
        """The cards that are there more than once."""
        return [card for card, n in Counter(self.cards).items() if n > 1]

    def data(self) -> dict[str, Json]:
        """The report as JSON."""
        return {
            "cards": len(self.cards),
            "lengths": {str(n): count for n, count in self.lengths().items()},
            "repeated": self.repeated(),
            "dubs": [family.name for family in self.families],
            "hands": _hands_data(self.hands),
        }


def kimariji_deck(option: Json) -> tuple[str, ...]:
    """The cards of a deck of 三十一文字: "full", or a list of kimariji (MH-2). DeckError when it can be none."""
    if option == "full":
        return karuta.KIMARIJI
    if not isinstance(option, list) or not option:
        raise DeckError("a deck of grabbing cards is a list of kimariji", "取り札の山は、決まり字のリストで書きます")
    if len(option) > MOST_GRABBING:
        raise DeckError(
            f"a deck has at most {MOST_GRABBING} grabbing cards, not {len(option)}",
            f"取り札は {MOST_GRABBING} 枚までです（{len(option)} 枚にはできません）",
        )
    wrong = next((card for card in option if card not in karuta.POEM_OF), None)
    if wrong is not None:
        raise DeckError(
            f"{wrong!r:.40} is no kimariji of the hundred poems", f"{wrong!r:.40} という決まり字は百首にありません"
        )
    return tuple(option)


def check_kimariji(cards: Sequence[str]) -> KimarijiReport:
    """Look a deck of grabbing cards over."""
    there = set(cards)
    names = {family: family.name.split("+") for family in karuta.FAMILIES}
    families = tuple(family for family in karuta.FAMILIES if there.issuperset(names[family]))
    sets = [names[family] for family in families]
    sizes = [n for n in HANDS if n <= min(len(cards), karuta.MOST_TOGETHER)]
    return KimarijiReport(tuple(cards), families, {n: holding(cards, sets, n) for n in sizes})


def _hands_data(hands: Mapping[int, Share]) -> dict[str, list[float]]:
    return {str(n): [round(number, 5) for number in (one.value, one.low, one.high)] for n, one in hands.items()}
