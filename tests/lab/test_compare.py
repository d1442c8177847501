"""Variants side by side: what was planted is found as often as was said, and what is not there is not found."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tefuda import bots, lab
from tefuda.engine.rules import find
from tefuda.lab.compare import MEASURES, Comparison, Difference, by_deal, compare, differences
from tefuda.lab.intervals import Interval
from tefuda.lab.playing import play
from tefuda.lab.store import Store

TOYS = Path(__file__).parent / "toys.py"
BLOCK = 400
BLOCKS = 150


def table(**options: object) -> np.ndarray:  # type: ignore[type-arg]
    rules, store = find(TOYS), Store()
    cell = lab.cell(rules, 2, bots.parse_seats("random", 2, rules), {"game": "flip", **options}, seed=3)
    list(store.write(cell, play(cell, 0, BLOCK * BLOCKS)))
    return by_deal(store.data(cell))


def found(before: np.ndarray, after: np.ndarray, measure: str) -> tuple[float, float, float]:  # type: ignore[type-arg]
    """In which share of comparisons of so many deals a measure is found to differ, and any is; and how big a difference
    is said to be findable."""
    k = MEASURES.index(measure)
    every = [
        differences(before[i : i + BLOCK], after[i : i + BLOCK], 2) for i in range(0, BLOCK * BLOCKS, BLOCK)
    ]
    hits = [each[k].real for each in every]
    any_hit = [any(one.real for one in each) for each in every]
    return float(np.mean(hits)), float(np.mean(any_hit)), float(np.mean([each[k].findable for each in every]))


def test_what_differs_is_found_and_what_does_not_is_not() -> None:
    plain = table()
    # The same deals: another way to play them, which changes nothing that is measured.
    hits, alarms, findable = found(plain[::-1], plain, "first")
    assert alarms < 0.1
    # An unfairness as big as is said to be findable is found about four times in five.
    unfair = table(edge=round(100 * findable))
    hits, _, _ = found(plain[::-1], unfair, "first")
    assert 0.68 < hits < 0.95
    # On the same deals much smaller ones are seen.
    same_deals = found(plain, unfair, "first")[0]
    assert same_deals > hits


def test_differences_are_told_in_sentences() -> None:
    rules = find(TOYS)
    names = ["turns=4", "turns=8+edge=30"]
    options = [{"turns": 4}, {"turns": 8, "edge": 30}]
    result = compare(rules, 2, names, options, bots.parse_seats("random", 2, rules), 500, seed=1)
    real = {each.measure: each for each in result.differences[0] if each.real}
    assert {"first", "decisions", "minutes"} <= set(real)
    assert real["decisions"].difference.value == 4 and real["first"].after > 0.7
    english, japanese = result.sentences("en"), result.sentences("ja")
    assert "With turns=8+edge=30 a game has 100 % (±1) more decisions than with turns=4." in english
    assert any(sentence.startswith("Fairness differs") for sentence in english)
    assert len(japanese) == len(english) and all("{" not in sentence for sentence in japanese)
    assert result.data()["variants"][1]["options"]["edge"] == 30
    alike = compare(rules, 2, ["edge=0", "edge=1"], [{}, {"edge": 1}], bots.parse_seats("random", 2, rules), 300)
    (sentence,) = alike.sentences("en")
    assert sentence.startswith("No difference between edge=1 and edge=0 was found") and "fairness" in sentence
    same = compare(rules, 2, ["top=true", "top=false"], [{"top": True}, {}], bots.parse_seats("random", 2, rules), 300)
    (sentence,) = same.sentences("en")
    assert "every one of 300 games came out the same with top=false as with top=true" in sentence


def test_bots_that_differ_are_moved_around_the_table() -> None:
    rules = find(TOYS)
    variants = [{"game": "nim", "sticks": 20}, {"game": "nim", "sticks": 21}]
    result = compare(rules, 2, ["a", "b"], variants, bots.parse_seats("search:60,random", 2, rules), 20, seed=1)
    assert result.cells[0].rotate and result.deals == 10


@pytest.mark.parametrize("games", [2, 3])
def test_a_few_games_are_no_error(games: int) -> None:
    rules = find(TOYS)
    line_up = bots.parse_seats("random", 2, rules)
    result = compare(rules, 2, ["a", "b"], [{}, {"turns": 6}], line_up, games)
    assert len(result.sentences("en")) >= 1


def test_what_would_have_been_found_is_never_told_as_nothing() -> None:
    nothing = Interval(0.0, 0.0, 0.0)
    found = tuple(
        Difference(name, 1.0, 1.0, nothing, 1.0, False, findable)
        for name, findable in (("minutes", 0.0019), ("legal", 0.002), ("tied", 0.0004), ("decisions", 0.25))
    )
    rules = find(TOYS)
    cells = tuple(lab.cell(rules, 2, bots.parse_seats("random", 2, rules)) for _ in range(2))
    compared = Comparison(rules, 2, ("a", "b"), cells, 100, 0, (found,))
    (told,) = compared.sentences("en")
    assert "time (less than 0.01 min)" in told and "shared first places (less than 0.1 points)" in told
    assert "legal moves (less than 0.01)" in told and "decisions (0.25)" in told and "0.00" not in told
    (told,) = compared.sentences("ja")
    assert "時間（0.01分未満）" in told and "0.00" not in told
