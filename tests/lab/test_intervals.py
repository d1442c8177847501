"""Intervals and tests of the lab: against known formulas, and by simulation."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy.stats import binomtest, chisquare, multinomial, ttest_1samp

from tefuda.lab import intervals
from tefuda.lab.intervals import Interval


@pytest.mark.parametrize(("wins", "games"), [(0, 10), (3, 10), (10, 10), (940, 1000), (1, 200000)])
def test_shares_have_wilsons_interval(wins: int, games: int) -> None:
    known = binomtest(wins, games).proportion_ci(method="wilson")
    share = intervals.share(wins, games)
    assert (share.value, share.low, share.high) == pytest.approx((wins / games, known.low, known.high), abs=1e-12)


def test_a_shared_first_place_is_a_part_of_a_win() -> None:
    share = intervals.share(2.5, 10)
    assert share.value == 0.25
    assert intervals.share(2, 10).low < share.low < share.value < share.high < intervals.share(3, 10).high


def test_the_interval_of_shared_places_holds_the_truth_as_often_as_it_says() -> None:
    """One of four loses, the others share the first place: an even share is known much better than by Wilson's."""
    random, held, halves = np.random.default_rng(5), 0, []
    for _ in range(400):
        parts = np.where(random.random(150) < 0.25, 0, 1 / 3)
        share = intervals.share(parts.sum(), 150, (parts**2).sum())
        held += share.holds(0.25)
        halves.append(share.half)
    assert 0.92 < held / 400 < 0.98
    assert np.mean(halves) < 0.4 * intervals.share(37.5, 150).half
    assert intervals.share(3, 10, 3) == intervals.share(3, 10), "whole wins have Wilson's"


def test_means_have_the_normal_interval() -> None:
    values = np.random.default_rng(1).poisson(80, 5000)
    known = ttest_1samp(values, 0).confidence_interval()
    mean = intervals.mean(values)
    assert (mean.value, mean.low, mean.high) == pytest.approx((values.mean(), known.low, known.high), rel=1e-4)


def test_the_interval_of_a_ratio_holds_the_truth_as_often_as_it_says() -> None:
    random = np.random.default_rng(2)
    held = 0
    for _ in range(2000):
        counts = random.poisson(20, 200) + 1
        amounts = random.poisson(counts * random.gamma(20, 0.3, 200))  # 6 a count, games differ
        held += intervals.ratio(amounts, counts).holds(6)
    assert held / 2000 == pytest.approx(0.95, abs=0.02)


def test_ratios_of_a_frame_are_those_of_its_rows(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    x, y, unit = random.poisson(5, 300), random.poisson(9, 300) + 1, np.arange(300) // 3
    frame = pl.LazyFrame({"x": x, "y": y, "unit": unit})
    by_row = intervals.ratios(frame, r=(pl.col("x"), pl.col("y")))["r"]
    assert by_row.data() == pytest.approx(intervals.ratio(x, y).data())
    by_unit = intervals.ratios(frame, "unit", r=(pl.col("x"), pl.col("y")))["r"]
    together = intervals.ratio(x.reshape(-1, 3).sum(axis=1), y.reshape(-1, 3).sum(axis=1))
    assert by_unit.data() == pytest.approx(together.data())


def test_quantiles_hold_the_truth_as_often_as_they_say() -> None:
    random = np.random.default_rng(4)
    held = 0
    for _ in range(1000):
        values, counts = np.unique(random.integers(0, 1000, 150), return_counts=True)
        held += intervals.quantile(values, counts, 0.9).holds(899.5)
    assert held / 1000 == pytest.approx(0.955, abs=0.025)
    assert intervals.quantile(np.array([5, 3]), np.array([1, 99]), 0.5).value == 3


def test_an_interval_may_be_bounded_and_scaled() -> None:
    assert Interval(1.0, -2.0, 4.0).within(0.0) == Interval(1.0, 0.0, 4.0)
    assert Interval(1.0, -math.inf, math.inf).within(0.0) == Interval(1.0, -math.inf, math.inf)
    assert Interval(0.4, 0.3, 0.6).times(-10, 10) == Interval(6.0, 4.0, 7.0)


# ------------------------------------------------------------------------------------------------------- fairness


def together_of(winners: np.ndarray, seats: int) -> tuple[list[float], np.ndarray]:  # type: ignore[type-arg]
    won = np.eye(seats)[winners]
    return [float(x) for x in won.sum(axis=0)], won.T @ won


def test_few_games_are_tested_exactly() -> None:
    wins, together = together_of(np.array([0, 0, 0, 0, 1, 2]), 3)
    outcomes = [(a, b, 6 - a - b) for a in range(7) for b in range(7 - a)]
    chances = {each: multinomial.pmf(each, 6, [1 / 3] * 3) for each in outcomes}
    known = sum(p for p in chances.values() if p <= chances[4, 1, 1] + 1e-12)
    assert intervals.evenness(wins, together, 6) == pytest.approx(known)


def test_many_games_are_tested_by_pearson() -> None:
    winners = np.random.default_rng(5).choice(4, 20000, p=[0.26, 0.25, 0.25, 0.24])
    wins, together = together_of(winners, 4)
    assert intervals.evenness(wins, together, 20000) == pytest.approx(chisquare(wins).pvalue)


def test_shared_places_do_not_make_false_alarms() -> None:
    random = np.random.default_rng(6)
    alarms = 0
    for _ in range(600):  # one of three loses, the two others share
        won = (1 - np.eye(3)[random.integers(0, 3, 400)]) / 2
        alarms += intervals.evenness(list(won.sum(axis=0)), won.T @ won, 400) < 0.05
    assert alarms / 600 == pytest.approx(0.05, abs=0.03)


def test_so_many_games_as_are_needed_find_two_points() -> None:
    games = intervals.games_needed(4)
    random = np.random.default_rng(7)
    wins = random.binomial(games, 0.27, 2000)
    error = math.sqrt(0.25 * 0.75 / games)
    found = np.abs(wins / games - 0.25) / error > 1.96
    assert np.mean(found) == pytest.approx(0.8, abs=0.03)


def test_of_several_tests_together_one_in_twenty_is_wrong() -> None:
    random = np.random.default_rng(8)
    wrong = sum(any(intervals.not_by_chance(list(random.uniform(size=6)))) for _ in range(3000))
    assert wrong / 3000 == pytest.approx(0.05, abs=0.015)
    assert intervals.not_by_chance([0.001, 0.9, 0.02, 0.026]) == [True, False, False, False]
    assert intervals.not_by_chance([0.001, 0.9, 0.016, 0.024]) == [True, False, True, True]
