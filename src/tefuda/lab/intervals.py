"""Numbers with their 95 % intervals, and the tests that go with them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.special import gammaln, ndtri
from scipy.stats import binom, chi2, chisquare

Z = float(ndtri(0.975))
"""So many standard deviations to each side hold 95 % of a normal distribution."""

SURE = 0.05
"""What has a smaller probability than this is not put down to chance."""

POWER = 0.8
"""A number of games is enough when a difference that exists is found so often."""

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Interval:
    """A measured value, and from where to where its 95 % interval goes."""

    value: float
    low: float
    high: float

    def within(self, least: float = -math.inf, most: float = math.inf) -> Interval:
        """The same of what cannot be less or more, as shares cannot be less than 0. What has no end stays so."""
        low = max(self.low, least) if math.isfinite(self.low) else self.low
        return Interval(self.value, low, min(self.high, most) if math.isfinite(self.high) else self.high)

    def times(self, factor: float, plus: float = 0.0) -> Interval:
        """The interval of `factor` times the value, and `plus` added."""
        ends = sorted((self.low * factor + plus, self.high * factor + plus))
        return Interval(self.value * factor + plus, ends[0], ends[1])

    @property
    def half(self) -> float:
        """Half its width."""
        return (self.high - self.low) / 2

    def holds(self, value: float) -> bool:
        """Whether the interval holds a value."""
        return self.low <= value <= self.high

    def data(self) -> list[float]:
        """Value, low and high, for JSON."""
        return [self.value, self.low, self.high]


UNKNOWN = Interval(math.nan, -math.inf, math.inf)
"""What could not be measured."""


# ---------------------------------------------------------------------------------------------- shares and means


def share(wins: float, games: int, squares: float | None = None) -> Interval:
    """A share of games won, with the score interval of Wilson, "Probable inference, the law of succession, and
    statistical inference", JASA 22 (1927). `wins` may have fractions, for places that are shared: with the sum of their
    `squares` the interval is then the normal one of a mean (Wilson's, that takes a game for won or lost, would be too
    wide)."""
    if games == 0:
        return Interval(math.nan, 0.0, 1.0)
    p, w = wins / games, Z * Z / games
    if squares is not None and 0 < squares < wins - 1e-9 and games > 1:
        half = Z * math.sqrt(max(0.0, squares / games - p * p) / (games - 1))
        if half > 0:
            return Interval(p, max(0.0, p - half), min(1.0, p + half))
    middle = (p + w / 2) / (1 + w)
    half = math.sqrt(w * p * (1 - p) + w * w / 4) / (1 + w)
    return Interval(p, max(0.0, middle - half), min(1.0, middle + half))


def mean(values: Array) -> Interval:
    """The mean of independent values, with the normal interval."""
    return ratio(values, np.ones(len(values)))


def ratio(amounts: Array, counts: Array) -> Interval:
    """So much a count, over independent pairs (legal moves and decisions of a game), with the normal interval of a
    ratio estimator (Cochran, "Sampling Techniques", 1977, ch. 6): what belongs to one pair may hang together."""
    x, y = np.asarray(amounts, np.float64), np.asarray(counts, np.float64)
    return ratio_of_sums(len(y), x.sum(), y.sum(), (x * x).sum(), (x * y).sum(), (y * y).sum())


def ratio_of_sums(n: int, x: float, y: float, xx: float, xy: float, yy: float) -> Interval:
    """The same from the sums of both, of their squares and of their products over `n` pairs."""
    if n == 0 or y == 0:
        return UNKNOWN
    r = x / y
    if n == 1:
        return Interval(r, -math.inf, math.inf)
    rest = max(0.0, xx - 2 * r * xy + r * r * yy)
    half = Z * math.sqrt(rest / (n - 1) / n) / (y / n)
    return Interval(r, r - half, r + half)


def sums(what: pl.Expr, count: pl.Expr, of: str = "") -> list[pl.Expr]:
    """What `ratio_of_sums` asks for, as columns `x`, `y`, ... (and ` of`): they may be added up over parts of the rows,
    as may their number."""
    x, y = what.cast(pl.Float64), count.cast(pl.Float64)
    terms = {"x": x, "y": y, "xx": x * x, "xy": x * y, "yy": y * y}
    return [term.sum().alias(key + of) for key, term in terms.items()]


def ratios(
    frames: pl.LazyFrame | Iterable[pl.LazyFrame], unit: str | None = None, **of: tuple[pl.Expr, pl.Expr]
) -> dict[str, Interval]:
    """Ratios over the rows of a frame, or of several one after the other, by name: (what, a count of what). `unit`:
    rows of a frame that have this column in common belong together; else each row is independent of the others."""
    parts = []
    for name, (what, count) in of.items():
        parts += [what.cast(pl.Float64).alias(f"x {name}"), count.cast(pl.Float64).alias(f"y {name}")]
    of_all = [each for name in of for each in sums(pl.col(f"x {name}"), pl.col(f"y {name}"), f" {name}")]
    found = []
    for frame in [frames] if isinstance(frames, pl.LazyFrame) else frames:
        if unit is None:
            rows = frame.select(parts)
        else:
            rows = frame.select(pl.col(unit), *parts).group_by(unit).sum().drop(unit)
        found.append(rows.select(pl.len().cast(pl.Int64).alias("n"), *of_all).collect(engine="streaming"))
    row = pl.concat(found).sum().row(0, named=True)
    return {
        name: ratio_of_sums(row["n"], *(row[f"{key} {name}"] for key in ("x", "y", "xx", "xy", "yy"))) for name in of
    }


def quantile(values: Array, counts: Array, q: float) -> Interval:
    """A quantile of independent values, of which each is there `counts` times, with the interval of the order
    statistics (David and Nagaraja, "Order Statistics", 2003, 7.1): it asks nothing of how they are distributed."""
    n = int(np.sum(counts))
    if n == 0:
        return UNKNOWN
    order = np.argsort(values)
    values, up_to = np.asarray(values, np.float64)[order], np.cumsum(np.asarray(counts)[order])

    def at(k: int) -> float:
        """The k-th of them, from 0."""
        return float(values[np.searchsorted(up_to, k, side="right")])

    low, high = (int(k) for k in binom.ppf([0.025, 0.975], n, q))
    middle = at(min(n - 1, int(q * n)))
    return Interval(middle, at(low - 1) if low >= 1 else -math.inf, at(high) if high < n else math.inf)


def correlation(x: Array, y: Array) -> Interval:
    """The correlation of two measures, with the interval of Fisher's z."""
    n = len(x)
    if n < 4 or np.std(x) == 0 or np.std(y) == 0:
        return UNKNOWN
    r = float(np.corrcoef(x, y)[0, 1])
    if abs(r) >= 1 - 1e-12:
        return Interval(r, r, r)
    z, half = math.atanh(r), Z / math.sqrt(n - 3)
    return Interval(r, math.tanh(z - half), math.tanh(z + half))


# --------------------------------------------------------------------------------------------------------- tests

MOST_OUTCOMES = 100_000
"""More outcomes than this are not counted one by one."""


def evenness(wins: Sequence[float], together: Array, games: int) -> float:
    """How probable so uneven a result is when every seat wins as often as any other (the p-value).

    `wins` are first places by seat, shared ones in parts; `together[i, j]` sums over games what seats i and j got of
    each other's. Without shared places and with few games, the exact multinomial test (as Read and Cressie,
    "Goodness-of-Fit Statistics", 1988, ch. 5, have it: all outcomes that are no more probable); with many, Pearson's χ²
    test; where places are shared, Wald's, with the covariance that was measured."""
    n = len(wins)
    if n < 2 or games < 2:
        return 1.0
    whole = all(abs(w - round(w)) < 1e-9 for w in wins) and abs(np.trace(together) - games) < 1e-6
    if whole and math.comb(games + n - 1, n - 1) <= MOST_OUTCOMES:
        return _exact(tuple(round(w) for w in wins))
    if whole:
        return float(chisquare(wins).pvalue)
    means = np.asarray(wins[:-1]) / games
    deviation = means - 1 / n
    covariance = together[:-1, :-1] / games - np.outer(means, means)
    statistic = games * deviation @ np.linalg.pinv(covariance) @ deviation
    return float(chi2.sf(statistic, n - 1))


@lru_cache(maxsize=64)
def _exact(counts: tuple[int, ...]) -> float:
    games, seats = sum(counts), len(counts)
    terms = gammaln(np.arange(games + 1) + 1.0)

    def logs(left: int, places: int) -> Array:
        """Of every way to share out so many games, minus the logarithm of the product of factorials."""
        if places == 1:
            return np.array([-terms[left]])
        return np.concatenate([logs(left - k, places - 1) - terms[k] for k in range(left + 1)])

    every = logs(games, seats) + terms[games] - games * math.log(seats)
    mine = terms[games] - sum(terms[k] for k in counts) - games * math.log(seats)
    return float(min(1.0, np.exp(every[every <= mine + 1e-9]).sum()))


def games_needed(seats: int, edge: float = 0.02) -> int:
    """So many games are needed to see, four times in five, that a seat wins `edge` more than its even share
    (Fleiss, "Statistical Methods for Rates and Proportions", 2003, 2.5; two-sided, 5 %)."""
    p, q = 1 / seats, 1 / seats + edge
    spread = Z * math.sqrt(p * (1 - p)) + float(ndtri(POWER)) * math.sqrt(q * (1 - q))
    return math.ceil((spread / edge) ** 2)


def not_by_chance(p_values: Sequence[float], level: float = SURE) -> list[bool]:
    """Which of several tests say more than chance would, all of them together wrong in `level` of cases at most (Holm,
    "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979)."""
    found = [False] * len(p_values)
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    for k, i in enumerate(order):
        if not p_values[i] <= level / (len(p_values) - k):
            break
        found[i] = True
    return found
