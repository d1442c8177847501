"""`tefuda deck`: listing, checking and making decks."""

from __future__ import annotations

import json
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from tefuda import cli
from tefuda.cli import show_deck
from tefuda.decks import deck_search, karuta, lexicon
from tefuda.decks.deck import DeckError
from tefuda.decks.deck_check import (
    check_kanji,
    check_kimariji,
    holding,
    kimariji_deck,
    share,
)
from tefuda.decks.deck_search import arrange, neighbours, search, words_of_pairs
from tefuda.decks.kanji_decks import JOKER, deck, spellable


def run(*arguments: object, lang: str = "en") -> Result:
    environment = {"LC_ALL": f"{lang}_XX.UTF-8", "COLUMNS": "200"}
    return CliRunner().invoke(cli.app, ["deck", *map(str, arguments)], env=environment, prog_name="tefuda")


def fine(*arguments: object, lang: str = "en") -> str:
    result = run(*arguments, lang=lang)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return result.stdout


def as_json(*arguments: object) -> Any:
    return json.loads(fine(*arguments, "--json", lang="ja"))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches that are short."""
    monkeypatch.setattr(deck_search, "STEPS", 3000)
    monkeypatch.setattr(deck_search, "SWAPS", 3000)


def written(path: Path, data: object) -> Path:
    path.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    return path


# ----------------------------------------------------------------------------------------------------------- showing


def test_show_json_is_as_the_issue_says() -> None:
    shown = as_json("show", "reconstruction")
    assert list(shown) == ["cards", "jokers", "words"]
    assert shown["cards"][:2] == [["官", 4, "S", 1], ["学", 1, "S", 2]]
    assert len(shown["cards"]) == 52
    assert shown["jokers"] == 2
    assert ["月給", "げっきゅう", "monthly salary", True] in shown["words"]
    assert [word[0] for word in shown["words"]] == spellable(deck("reconstruction"), "standard/1")


def test_show_takes_a_lexicon() -> None:
    words = as_json("show", "dense", "--lexicon", "common/1")["words"]
    assert words
    assert all(common for *_, common in words)
    assert as_json("show", "dense", "--lexicon", "none")["words"] == []


@pytest.mark.parametrize(
    ("lang", "said"), [("en", ["reconstruction", "JMdict", "EDRDG"]), ("ja", ["復元案", "JMdict", "EDRDG"])]
)
def test_show_for_people_says_what_it_is_and_where_the_words_come_from(lang: str, said: list[str]) -> None:
    text = fine("show", "dense", lang=lang)
    for each in (*said, "体格", "たいかく", "physique", "♠"):
        assert each in text


def test_show_grabbing_cards(tmp_path: Path) -> None:
    assert as_json("show", "full")["cards"][:2] == [[karuta.KIMARIJI[0], 1], [karuta.KIMARIJI[1], 2]]
    file = written(tmp_path / "few.json", ["うか", "うら", "うか"])
    assert as_json("show", file)["cards"] == [["うか", 74], ["うら", 65], ["うか", 74]]
    assert karuta.POEM_OF["うか"].on_card in fine("show", file)


# ---------------------------------------------------------------------------------------------------------- checking


def test_check_json(tmp_path: Path) -> None:
    report = as_json("check", "dense")
    words = spellable(deck("dense"), "standard/1")
    assert report["words"] == {str(n): sum(len(word) == n for word in words) for n in (2, 3, 4)}
    assert report["with_joker"] == sum(JOKER in word for word in words)
    assert report["dead"] == []
    assert report["neighbours"] == {"pairs": 87, "without_word": []}
    assert set("徒") <= set(report["partners"]["生"])
    assert set("生") <= set(report["partners"]["徒"])
    value, low, high = report["hands"]["5"]
    assert 0.97 < low < value < high < 1
    assert report["common_hands"]["5"][2] < low


def test_check_for_people_names_dead_kanji_and_neighbours_without_words(tmp_path: Path) -> None:
    kanji = [*sorted(lexicon.grades())[:51], "龍"]
    file = written(tmp_path / "mine.json", {"cards": [[one, 1] for one in kanji], "jokers": 1})
    report = as_json("check", file)
    text = fine("check", file)
    assert "龍" in report["dead"]
    assert f"Dead kanji, in no word at all: {' '.join(report['dead'])}" in text
    assert "Of 87 pairs of neighbours these make no word:" in text
    assert "どの言葉にも入らない漢字：" in fine("check", file, lang="ja")


def test_check_of_a_deck_without_suits(tmp_path: Path) -> None:
    cards = [[one, 2] for one in sorted(lexicon.grades())[:53]]
    file = written(tmp_path / "mine.json", {"cards": cards})
    assert as_json("show", file)["cards"] == [[*card, None, None] for card in cards]
    assert as_json("check", file)["neighbours"] == {"pairs": 0, "without_word": []}
    assert "no multiple of four" in fine("check", file)


def test_check_grabbing_cards(tmp_path: Path) -> None:
    report = as_json("check", "full")
    assert report["lengths"] == {"1": 7, "2": 42, "3": 37, "4": 6, "5": 2, "6": 6}
    assert len(report["dubs"]) == 44
    few = as_json("check", written(tmp_path / "few.json", ["うか", "うら", "む", "む"]))
    assert few["dubs"] == ["うら+うか"]
    assert few["repeated"] == ["む"]
    assert few["hands"] == {"2": [0.16667] * 3, "3": [0.5] * 3, "4": [1.0] * 3}
    assert "More than once: む" in fine("check", tmp_path / "few.json")


@pytest.mark.parametrize("n", [2, 3])
def test_small_hands_are_counted(n: int) -> None:
    words = [word for word in spellable(deck("dense"), "standard/1")]
    cards = [*[card.kanji for card in deck("dense").cards], JOKER, JOKER]
    held = 0
    letters = [{*word} for word in words if len(word) <= n]
    for hand in combinations(cards, n):
        held += any(word <= set(hand) for word in letters)
    found = check_kanji(deck("dense")).hands[n]
    assert found.value == found.low == found.high == held / comb(54, n)


def test_a_word_of_two_jokers_needs_both() -> None:
    cards = ["子", "孫", "人", "々", "々"]
    assert holding(cards, ["子々孫々"], 4).value == 1 / 5
    assert holding(cards, ["子々孫々"], 3).value == 0
    assert holding(cards, ["子々孫々"], 5).value == 1


def test_many_hands_are_drawn_and_the_interval_holds_the_truth() -> None:
    cards = [str(i) for i in range(40)]
    drawn = holding(cards, [["0", "1"]], 8)
    truth = comb(38, 6) / comb(40, 8)
    assert drawn.low < truth < drawn.high
    assert drawn.high - drawn.low < 0.004


def test_interval_of_wilson() -> None:
    found = share(8, 10, exact=False)
    assert (round(found.low, 4), round(found.high, 4)) == (0.4902, 0.9433)


# ------------------------------------------------------------------------------------------------------------ making


def test_make_writes_a_deck_file_that_can_be_played(tmp_path: Path, quick: None) -> None:
    file = tmp_path / "mine.json"
    report = as_json("make", "--grades", "1-3", "--with", "花月徒", "--out", file)
    option = json.loads(file.read_text(encoding="utf-8"))
    made = deck(option)
    grades = lexicon.grades()
    kanji = [card.kanji for card in made.cards]
    assert len(kanji) == 52
    assert set("花月徒") <= set(kanji)
    assert all(card.value == grades[card.kanji] for card in made.cards)
    assert all(card.value <= 3 for card in made.cards if card.kanji != "徒")
    assert made.jokers == 2
    assert report["file"] == str(file)
    assert report["words"] == as_json("check", file)["words"]
    assert report["words"]["2"] > 350


def test_make_says_what_it_made(tmp_path: Path, quick: None) -> None:
    file = tmp_path / "mine.json"
    text = fine("make", "--size", "40", "--jokers", "0", "--out", file)
    assert "40 kanji, 0 jokers" in text
    assert f"deck=@{file}" in text.replace("\n", "")


def test_make_with_so_many_of_each_grade(tmp_path: Path, quick: None) -> None:
    file = tmp_path / "mine.json"
    as_json("make", "--mix", "14,13,11,8,6", "--with", "徒職", "--out", file)
    made = deck(json.loads(file.read_text(encoding="utf-8")))
    assert [sum(card.value == grade for card in made.cards) for grade in range(1, 6)] == [14, 13, 11, 8, 6]
    assert {"徒", "職"} <= {card.kanji for card in made.cards}


def test_the_same_seed_makes_the_same_deck() -> None:
    words = lexicon.words("standard/1")
    made = [search(lexicon.grades(), 52, "花", words, seed, steps=2000) for seed in (1, 1, 2)]
    assert made[0] == made[1] != made[2]


def test_a_search_finds_more_words_than_luck() -> None:
    words = lexicon.words("standard/1")
    first, found = (search(lexicon.grades(), 52, "", words, 1, steps=steps) for steps in (0, 20_000))
    made = [int(words_of_pairs(kanji, words).sum()) // 2 for kanji in (first, found)]
    assert made[1] > 500 > 2 * made[0]
    assert words_of_pairs(found, words).sum(axis=1).min() >= deck_search.PARTNERS


def test_words_of_pairs_counts_both_ways_round() -> None:
    assert words_of_pairs("人中花", ["人中", "中人", "花人", "人中花", "山人"]).tolist() == [
        [0, 2, 1],
        [2, 0, 0],
        [1, 0, 0],
    ]


def test_neighbours_are_the_next_of_the_suit_and_of_the_rank() -> None:
    assert neighbours(8) == [(0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (1, 3), (2, 4), (3, 5), (4, 6), (5, 7)]
    assert len(neighbours(52)) == 87
    assert neighbours(53) == []


def test_an_arrangement_that_exists_is_found() -> None:
    kanji = [card.kanji for card in deck("dense").cards]
    words = lexicon.words("standard/1")
    found = arrange(sorted(kanji), words, 1, steps=100_000)
    fits = words_of_pairs(found, words)
    assert sorted(found) == sorted(kanji)
    assert sum(fits[one, other] == 0 for one, other in neighbours(52)) <= 4


def test_progress_rises_to_the_end() -> None:
    told: list[int] = []
    words = lexicon.words("standard/1")
    found = search(lexicon.grades(), 40, "", words, steps=5000, progress=told.append)
    arrange(found, [], steps=5000, progress=lambda done: told.append(5000 + done))
    assert told == sorted(told)
    assert told[-1] == 5000 + 5000 * deck_search.ATTEMPTS


def test_a_deck_file_is_read_as_it_is_written() -> None:
    for n in (52, 30):
        option = {"cards": [[one, grade] for one, grade in list(lexicon.grades().items())[:n]], "jokers": 4}
        assert json.loads(show_deck.deck_text(option)) == option


# ------------------------------------------------------------------------------------------------------ being refused

FEW = {"cards": [[one, 1] for one in sorted(lexicon.grades())[:29]]}

WRONG: list[tuple[list[object], int, str]] = [
    (["show", "nothere"], 2, "no deck 'nothere'; the decks: reconstruction, dense, full"),
    (["show", "dense", "--lexicon", "standard/9"], 2, "standard/1, common/1, none"),
    (["check", "full", "--lexicon", "standard/9"], 2, "standard/1, common/1, none"),
    (["check", "few.json"], 1, "30 to 104 different kanji, not 29"),
    (["check", "broken.json"], 1, "does not hold JSON"),
    (["check", "poems.json"], 1, "'うた' is no kimariji"),
    (["check", "none.json"], 1, "list of kimariji"),
    (["check", "number.json"], 1, "a deck is a name, or"),
    (["check", "."], 2, "cannot be read"),
    (["make", "--grades", "0-3"], 2, "like 1-3"),
    (["make", "--grades", "3-1"], 2, "like 1-3"),
    (["make", "--size", 29], 2, "30 to 104 kanji"),
    (["make", "--size", 105], 2, "30 to 104 kanji"),
    (["make", "--jokers", 5], 2, "0 to 4 jokers"),
    (["make", "--with", "花龍あ"], 2, "龍 あ"),
    (["make", "--grades", "1", "--size", "90"], 2, "only 80 kanji for a deck of 90"),
    (["make", "--size", "30", "--with", "".join(sorted(lexicon.grades())[:31])], 2, "31 kanji are wanted"),
    (["make", "--mix", "20,20"], 2, "each of the 5 grades"),
    (["make", "--mix", "a,b,c,d,e"], 2, "each of the 5 grades"),
    (["make", "--mix", "1,1,1,1,1"], 2, "make 5 kanji, not 52"),
    (["make", "--mix", "90,0,0,0,0"], 2, "0 to 80 kanji here, not 90"),
    (["make", "--grades", "1-2", "--mix", "26,26", "--with", "徒"], 2, "leave out kanji"),
    (["make", "--out", "few.json"], 2, "there already"),
]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "few.json", FEW)
    written(tmp_path / "poems.json", ["うか", "うた"])
    written(tmp_path / "none.json", [])
    written(tmp_path / "number.json", 7)
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(("arguments", "code", "says"), WRONG)
def test_what_is_wrong_is_said_in_a_sentence(files: Path, arguments: list[object], code: int, says: str) -> None:
    result = run(*arguments)
    assert result.exit_code == code
    assert result.stdout == ""
    assert says in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(("arguments", "code"), [wrong[:2] for wrong in WRONG])
def test_what_is_wrong_is_said_in_japanese(files: Path, arguments: list[object], code: int) -> None:
    result = run(*arguments, lang="ja")
    assert result.exit_code == code
    assert any("ぁ" <= letter <= "ん" for letter in result.stderr), result.stderr


def test_a_refused_deck_leaves_no_file(files: Path) -> None:
    run("make", "--grades", "1", "--size", "90", "--out", "new.json")
    assert not (files / "new.json").exists()


def test_too_many_grabbing_cards_are_refused() -> None:
    assert len(kimariji_deck(["む"] * 400)) == 400
    with pytest.raises(DeckError, match="at most 400 grabbing cards, not 401"):
        kimariji_deck(["む"] * 401)


def test_a_deck_of_four_copies_holds_no_dub() -> None:
    assert check_kimariji(["む"] * 4).hands[4].value == 0
