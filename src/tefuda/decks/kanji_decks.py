"""The decks of the 熟語 games as data: which kanji, what they count, and which words they can spell.

The published deck's list is not public: both built-in decks are reconstructions, and are called so where they are
shown (JK-2). A deck of one's own is a small JSON file, {"cards": [["一", 1], …], "jokers": 2}. The order of its cards
is their arrangement: when it has four suits' worth, the first quarter are the spades from the first rank up, then come
hearts, clubs and diamonds.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from tefuda.decks import lexicon

JOKER = "々"

FEWEST_KANJI, MOST_KANJI = 30, 104
MOST_VALUE = 9
MOST_JOKERS = 4
LONGEST = 4
MOST_OWN_WORDS = 5000
SUITS = "SHCD"

KEPT = 64
"""How many decks and their words are kept at hand: tables may bring decks of their own without end."""

DATA = Path(__file__).parent / "kanji_decks.json"

Json = Any


@dataclass(frozen=True)
class KanjiCard:
    """A card: its kanji, what it counts (the school grade), and its suit and rank where the deck has them."""

    kanji: str
    value: int
    suit: str | None = None
    rank: int | None = None


@dataclass(frozen=True)
class KanjiDeck:
    """A deck: its cards in order, how many jokers, and its name where it has one."""

    cards: tuple[KanjiCard, ...]
    jokers: int
    name: str | None = None

    def as_option(self) -> dict[str, Json]:
        """The deck as a record holds it."""
        return {"cards": [[card.kanji, card.value] for card in self.cards], "jokers": self.jokers}


@cache
def built_in() -> Mapping[str, KanjiDeck]:
    """The decks that come with the games, by name."""
    found = {}
    for name, suits in json.loads(DATA.read_text(encoding="utf-8")).items():
        cards = [(kanji, value) for suit in SUITS for kanji, value in suits[suit]]
        found[name] = KanjiDeck(arranged(cards), 2, name)
    return found


def arranged(cards: Sequence[tuple[str, int]]) -> tuple[KanjiCard, ...]:
    """Cards (kanji, value) with the suits and ranks that their order gives them; without, when there are no four suits
    of one length."""
    length, rest = divmod(len(cards), len(SUITS))
    if rest:
        return tuple(KanjiCard(kanji, value) for kanji, value in cards)
    return tuple(KanjiCard(kanji, value, SUITS[i // length], i % length + 1) for i, (kanji, value) in enumerate(cards))


def deck(option: Json) -> KanjiDeck:
    """The deck that the option `deck` of a game says: a name, or a deck as data. ValueError, in words, when it can be
    none."""
    if isinstance(option, str):
        if option not in built_in():
            raise ValueError(f"there is no deck {option!r}; there are {', '.join(built_in())}, or a deck as data")
        return built_in()[option]
    return _own_deck(json.dumps(option, ensure_ascii=False))


@lru_cache(KEPT)
def _own_deck(text: str) -> KanjiDeck:
    data = json.loads(text)
    if not isinstance(data, dict) or not {"cards"} <= set(data) <= {"cards", "jokers"}:
        raise ValueError('a deck is a name, or {"cards": [["一", 1], …], "jokers": 2}')
    jokers = data.get("jokers", 0)
    if isinstance(jokers, bool) or not isinstance(jokers, int) or not 0 <= jokers <= MOST_JOKERS:
        raise ValueError(f"a deck has 0 to {MOST_JOKERS} jokers, not {jokers!r}")
    rows = data["cards"]
    if not isinstance(rows, list) or not FEWEST_KANJI <= len(rows) <= MOST_KANJI:
        n = len(rows) if isinstance(rows, list) else 0
        raise ValueError(f"a deck has {FEWEST_KANJI} to {MOST_KANJI} different kanji, not {n}")
    cards = [_card(row) for row in rows]
    kanji = [one for one, _ in cards]
    twice = next((one for one in kanji if kanji.count(one) > 1), None)
    if twice is not None:
        raise ValueError(f"the deck has {twice} twice")
    return KanjiDeck(arranged(cards), jokers)


def _card(row: Json) -> tuple[str, int]:
    if not (isinstance(row, list) and len(row) == 2):
        raise ValueError(f'a card is ["一", 1], a kanji and its value, not {row!r:.40}')
    kanji, value = row
    if not is_kanji(kanji):
        raise ValueError(f"{kanji!r:.40} is no single kanji (NFC, not {JOKER})")
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_VALUE:
        raise ValueError(f"the value of {kanji} is 1 to {MOST_VALUE}, not {value!r:.40}")
    return kanji, value


def is_kanji(text: Json) -> bool:
    """Whether a text is one CJK ideograph, in Unicode form NFC."""
    return (
        isinstance(text, str)
        and len(text) == 1
        and text != JOKER
        and unicodedata.normalize("NFC", text) == text
        and unicodedata.name(text, "").startswith("CJK UNIFIED IDEOGRAPH")
    )


@lru_cache(KEPT)
def spellable(deck: KanjiDeck, lexicon_name: str, own_words: tuple[str, ...] = ()) -> list[str]:
    """The words that the cards of a deck can spell: those of the lexicon in their order, then those of `own_words`
    that are not among them, each once. ValueError for an own word that the deck cannot spell."""
    kanji = {card.kanji for card in deck.cards}
    found = [word for word in lexicon.words(lexicon_name) if fits(word, kanji, deck.jokers)]
    if len(own_words) > MOST_OWN_WORDS:
        raise ValueError(f"at most {MOST_OWN_WORDS} words of the table's own")
    for word in own_words:
        if not 2 <= len(word) <= LONGEST or word.startswith(JOKER) or not set(word) <= {*kanji, JOKER}:
            raise ValueError(f"the word {word!r:.40} is not 2 to {LONGEST} cards of the deck, or begins with {JOKER}")
    there = set(found)
    for word in own_words:
        if word not in there and fits(word, kanji, deck.jokers):  # a kanji twice can never be laid (JK-3)
            there.add(word)
            found.append(word)
    return found


def fits(word: str, kanji: set[str], jokers: int) -> bool:
    """Whether cards spell a word, each used once."""
    once: Sequence[str] = [c for c in word if c != JOKER]
    return set(once) <= kanji and len(set(once)) == len(once) and len(word) - len(once) <= jokers
