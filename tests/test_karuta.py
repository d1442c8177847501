"""The hundred poems: their kimariji, what makes a dub, and the grabbing cards."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from tefuda import decks
from tefuda.decks.karuta import FAMILIES, KIMARIJI, POEM_OF, POEMS

STANDARD = (
    "む す め ふ さ ほ せ うか うら つき つく しら しの もも もろ ゆう ゆら いに いまこ "
    "いまは ちは ちぎりき ちぎりお ひさ ひとは ひとも きり きみがためは きみがためお はるす はるの "
    "はなの はなさ やえ やす やまが やまざ よを よも よのなかは よのなかよ かく かさ かぜを かぜそ "
    "みよ みせ みち みかの みかき たか たち たき たま たれ たご こい これ この こぬ こころあ "
    "こころに おく おと おぐ おも おおえ おおこ おおけ わび わがい わがそ わすら わすれ わたのはらや "
    "わたのはらこ なつ なにし なにわえ なにわが ながか ながら なげき なげけ あい あけ あし あさじ "
    "あさぼらけあ あさぼらけう あまの あまつ あらざ あらし ありあ ありま あきの あきか あわじ あわれ "
)
"""The kimariji as players recite them (むすめふさほせ …)."""


def test_kimariji_are_those_that_players_know() -> None:
    assert sorted(KIMARIJI) == sorted(STANDARD.split())
    assert len(set(KIMARIJI)) == len(POEMS) == 100
    assert [poem.number for poem in POEMS] == list(range(1, 101))


def test_kimariji_by_length() -> None:
    assert Counter(map(len, KIMARIJI)) == {1: 7, 2: 42, 3: 37, 4: 6, 5: 2, 6: 6}


def test_kimariji_go_by_sound_not_by_spelling() -> None:
    assert POEM_OF["おおこ"].upper.startswith("逢ふことの")
    assert POEM_OF["おぐ"].upper.startswith("小倉山")


def test_a_kimariji_is_the_shortest_beginning_of_its_own() -> None:
    readings = [poem.upper_reading.replace(" ", "") for poem in POEMS]
    for poem, reading in zip(POEMS, readings, strict=True):
        for n in range(len(poem.kimariji) + 1):
            alike = sum(other.startswith(reading[:n]) for other in readings)
            assert (alike == 1) == (n == poem.length), poem


def test_poems_have_31_letters_or_one_more() -> None:
    """ゃゅょ are no letters of their own. Some poems have lines with a letter too many (字余り), none one too few."""
    for poem in POEMS:
        for reading, lines in ((poem.upper_reading, (5, 7, 5)), (poem.lower_reading, (7, 7))):
            letters = [len(re.sub("[ゃゅょ]", "", line)) for line in reading.split()]
            assert len(letters) == len(lines)
            assert all(n - line in (0, 1) for n, line in zip(letters, lines, strict=True)), poem
        assert len(poem.upper.split()) == 3 and len(poem.lower.split()) == len(poem.lower_kana.split()) == 2


def test_a_card_has_the_lower_half_without_voicing_marks() -> None:
    assert POEM_OF["うか"].on_card == "はけしかれとはいのらぬものを"
    assert POEM_OF["あきの"].on_card == "わかころもてはつゆにぬれつつ"
    for poem in POEMS:
        assert not re.search("[がぎぐげござじずぜぞだぢづでどばびぶべぼぱぴぷぺぽ]", poem.on_card)
        assert len(poem.on_card) in range(14, 17)
    assert len({poem.on_card for poem in POEMS}) == 100


def test_known_variants_change_no_kimariji() -> None:
    varied = {poem.number: poem for poem in POEMS if poem.variant}
    assert sorted(varied) == [1, 33, 37, 44, 49, 57, 58, 64, 70, 74, 76, 85]
    for poem in varied.values():
        ours, other = poem.variant or ("", "")
        said = poem.upper_reading.replace(" ", "")
        assert any(ours in text for text in (poem.upper, poem.lower, said, poem.lower_reading)), poem
        assert ours != other
        assert not said[: poem.length].startswith(ours)


def test_families_are_all_that_begin_alike() -> None:
    """44 that a hand of seven can hold: 28, 7, 4, 1, 2 and 2 of 2 to 7 cards."""
    assert Counter(len(f.numbers) for f in FAMILIES) == {2: 28, 3: 7, 4: 4, 5: 1, 6: 2, 7: 2}
    for f in FAMILIES:
        members = {number for number, k in enumerate(KIMARIJI, 1) if k.startswith(f.beginning)}
        assert members == set(f.numbers)
        assert list(f.numbers) == sorted(f.numbers)
    assert len({f.numbers for f in FAMILIES}) == len(FAMILIES)


@pytest.mark.parametrize(
    ("name", "beginning"),
    [
        ("うら+うか", "う"),
        ("なにわが+なにし+なにわえ", "なに"),
        ("なにわが+なにわえ", "なにわ"),
        ("よのなかよ+よのなかは", "よのなか"),
        ("あさぼらけあ+あさぼらけう", "あさぼらけ"),
        ("よを+よのなかよ+よも+よのなかは", "よ"),
    ],
)
def test_dubs_that_players_know(name: str, beginning: str) -> None:
    assert {f.name: f.beginning for f in FAMILIES}[name] == beginning


@pytest.mark.parametrize("name", ["うか+うら", "なにわが+なにし", "む+す", "なつ+なにし", "あきの+あきの", "つき"])
def test_what_is_no_dub(name: str) -> None:
    assert name not in {f.name for f in FAMILIES}


def test_without_help_nothing_tells_the_kimariji() -> None:
    for poem in POEMS:
        told = decks.label("karuta", poem.kimariji) + decks.face("karuta", poem.kimariji)
        assert set(re.sub("<[^>]*>", "", told)) <= set(poem.on_card + "\n")
        assert decks.describe("karuta", poem.kimariji) == decks.describe("karuta", "む")


def test_with_help_the_card_tells_everything() -> None:
    assert decks.helped("karuta", "つき") == "help-つき"
    assert decks.helped("karuta", "back") == "back"
    assert decks.helped("leaves", "3") == "3"
    for poem in POEMS:
        name = decks.helped("karuta", poem.kimariji)
        for lang in ("ja", "en"):
            told = decks.describe("karuta", name, lang)
            for part in (poem.upper, poem.lower, poem.kimariji, poem.author.say(lang), str(poem.length)):
                assert part in told
        assert f">{poem.kimariji}</text>" in decks.face("karuta", name)


@pytest.mark.parametrize(
    ("kimariji", "japanese", "english"),
    [("む", "1", "1"), ("よのなかは", "−5", "−5"), ("わたのはらこ", "リバース", "reverse")],
)
def test_what_a_card_counts(kimariji: str, japanese: str, english: str) -> None:
    assert f"{kimariji}・{japanese}" in decks.label("karuta", f"help-{kimariji}")
    assert f"{kimariji}, {english}" in decks.label("karuta", f"help-{kimariji}", "en")
