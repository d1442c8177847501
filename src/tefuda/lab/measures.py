"""Numbers with their 95 % intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

Z = float(ndtri(0.975))
"""So many standard deviations to each side hold 95 % of a normal distribution."""


@dataclass(frozen=True)
class Interval:
    """A measured value, and from where to where its 95 % interval goes."""

    value: float
    low: float
    high: float

    def not_below(self, least: float) -> Interval:
        """The same of what cannot be less, as counts cannot be less than 0. An interval without end stays so."""
        return Interval(self.value, max(self.low, least) if np.isfinite(self.low) else self.low, self.high)

    def data(self) -> list[float]:
        """Value, low and high, for JSON."""
        return [self.value, self.low, self.high]


def share(wins: float, games: int) -> Interval:
    """A share of games won, with Wilson's interval (1927). `wins` may have fractions, for places that are shared; the
    interval is then rather too wide than too narrow."""
    if games == 0:
        return Interval(float("nan"), 0.0, 1.0)
    p, w = wins / games, Z * Z / games
    middle = (p + w / 2) / (1 + w)
    half = float(np.sqrt(w * p * (1 - p) + w * w / 4)) / (1 + w)
    return Interval(p, max(0.0, middle - half), min(1.0, middle + half))


def mean(values: npt.NDArray[Any]) -> Interval:
    """The mean of independent values, with the normal interval."""
    return ratio(values, np.ones(len(values)))


def ratio(amounts: npt.NDArray[Any], counts: npt.NDArray[Any]) -> Interval:
    """So much a count, over independent pairs (legal moves and decisions of a game), with the normal interval of a
    ratio estimator: what belongs to one pair may hang together."""
    n = len(counts)
    total = float(np.sum(counts, dtype=np.float64))
    if n == 0 or total == 0:
        return Interval(float("nan"), float("nan"), float("nan"))
    r = float(np.sum(amounts, dtype=np.float64)) / total
    if n == 1:
        return Interval(r, float("-inf"), float("inf"))
    rest = np.asarray(amounts, np.float64) - r * np.asarray(counts, np.float64)
    half = Z * float(np.sqrt(np.sum(rest * rest) / (n - 1) / n)) / (total / n)
    return Interval(r, r - half, r + half)
