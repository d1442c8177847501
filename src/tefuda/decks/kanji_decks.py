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
from tefuda.decks.deck import DeckError

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
    """The deck that the option `deck` of a game says: a name, or a deck as data. DeckError when it can be none."""
    if isinstance(option, str):
        if option not in built_in():
            known = ", ".join(built_in())
            raise DeckError(
                f"there is no deck {option!r}; there are {known}, or a deck as data",
                f"{option!r} という山はありません。あるのは {known} です。自作の山のデータでもかまいません",
            )
        return built_in()[option]
    return _own_deck(json.dumps(option, ensure_ascii=False))


@lru_cache(KEPT)
def _own_deck(text: str) -> KanjiDeck:
    data = json.loads(text)
    if not isinstance(data, dict) or not {"cards"} <= set(data) <= {"cards", "jokers"}:
        form = '{"cards": [["一", 1], …], "jokers": 2}'
        raise DeckError(f"a deck is a name, or {form}", f"山は名前か、{form} の形で書きます")
    jokers = data.get("jokers", 0)
    if isinstance(jokers, bool) or not isinstance(jokers, int) or not 0 <= jokers <= MOST_JOKERS:
        raise DeckError(
            f"a deck has 0 to {MOST_JOKERS} jokers, not {jokers!r:.40}",
            f"ジョーカーは 0〜{MOST_JOKERS} 枚です（{jokers!r:.40} 枚にはできません）",
        )
    rows = data["cards"]
    if not isinstance(rows, list) or not FEWEST_KANJI <= len(rows) <= MOST_KANJI:
        n = len(rows) if isinstance(rows, list) else 0
        raise DeckError(
            f"a deck has {FEWEST_KANJI} to {MOST_KANJI} different kanji, not {n}",
            f"山の漢字は {FEWEST_KANJI}〜{MOST_KANJI} 字です（{n} 字にはできません）",
        )
    cards = [_card(row) for row in rows]
    kanji = [one for one, _ in cards]
    twice = next((one for one in kanji if kanji.count(one) > 1), None)
    if twice is not None:
        raise DeckError(f"the deck has {twice} twice", f"山に「{twice}」が二枚あります")
    return KanjiDeck(arranged(cards), jokers)


def _card(row: Json) -> tuple[str, int]:
    if not (isinstance(row, list) and len(row) == 2):
        raise DeckError(
            f'a card is ["一", 1], a kanji and its value, not {row!r:.40}',
            f'札は ["一", 1]（漢字と点）の形で書きます（{row!r:.40} は読めません）',
        )
    kanji, value = row
    if not is_kanji(kanji):
        raise DeckError(
            f"{kanji!r:.40} is no single kanji (NFC, not {JOKER})",
            f"{kanji!r:.40} は漢字一字ではありません（NFC、{JOKER} は除く）",
        )
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_VALUE:
        raise DeckError(
            f"the value of {kanji} is 1 to {MOST_VALUE}, not {value!r:.40}",
            f"「{kanji}」の点は 1〜{MOST_VALUE} です（{value!r:.40} にはできません）",
        )
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
    that are not among them, each once. DeckError for an own word that the deck cannot spell."""
    kanji = {card.kanji for card in deck.cards}
    found = [word for word in lexicon.words(lexicon_name) if fits(word, kanji, deck.jokers)]
    if len(own_words) > MOST_OWN_WORDS:
        raise DeckError(f"at most {MOST_OWN_WORDS} words of the table's own", f"卓の言葉は {MOST_OWN_WORDS} 語までです")
    for word in own_words:
        if not 2 <= len(word) <= LONGEST or word.startswith(JOKER) or not set(word) <= {*kanji, JOKER}:
            raise DeckError(
                f"the word {word!r:.40} is not 2 to {LONGEST} cards of the deck, or begins with {JOKER}",
                f"「{word:.40}」は山の札 2〜{LONGEST} 枚の言葉ではないか、{JOKER} で始まっています",
            )
    there = set(found)
    for word in own_words:
        if word not in there and fits(word, kanji, deck.jokers):  # a kanji twice can never be laid (JK-3)
            there.add(word)
            found.append(word)
    return found


def fits(word: str, kanji: set[str], jokers: int) -> bool:
    """Whether cards spell a word, each used once."""
    once = [c for c in word if c != JOKER]
    return set(once) <= kanji and len(set(once)) == len(once) and len(word) - len(once) <= jokers
