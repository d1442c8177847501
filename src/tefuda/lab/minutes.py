"""How long people would take: a model of decisions, choices and handling, and its fit to the times of real people."""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from tefuda.engine.rules import Rules

FILE = Path(__file__).parent / "minutes.toml"

LEAST_GAMES = 5
"""Fewer games with times than this are shown, but nothing is fitted to them."""


@dataclass(frozen=True)
class Minutes:
    """The seconds that a game takes: so many for itself, for a turn, a decision, a bit of choice (a doubling of the
    number of legal moves), and for a move that must be found. `games`: to how many games of people they are fitted."""

    game: float
    turn: float
    decision: float
    bit: float
    find: float
    games: int = 0

    def expression(self, rules: Rules) -> pl.Expr:
        """The minutes of a game, of its row."""
        return (
            self.game
            + self.turn * pl.col("turns")
            + self.decision * pl.col("decisions")
            + self.bit * pl.col("bits") / 1000
            + self.find * found(rules)
        ) / 60

    def data(self) -> dict[str, float]:
        """The constants."""
        return asdict(self)


def found(rules: Rules) -> pl.Expr:
    """How many moves of a game had to be found."""
    names = [f"made_{move.name}" for move in rules.moves if move.found]
    return pl.sum_horizontal([pl.col(name) for name in names]) if names else pl.lit(0)


@cache
def first_guess() -> Minutes:
    """The constants of minutes.toml."""
    return Minutes(**tomllib.loads(FILE.read_text(encoding="utf-8")))


def fit(rows: pl.DataFrame, rules: Rules) -> Minutes:
    """The constants that go best with games of real people: rows as the lab's of games, and the `minutes` they took.

    All constants are the first guess times one factor: least squares through the origin on the logarithms, so that a
    game twice as long as reckoned weighs as much as one half as long. (A handful of games cannot tell five constants
    apart; what differs between tables most is how fast people are.)"""
    guess = first_guess()
    if len(rows) < LEAST_GAMES:
        return guess
    reckoned: npt.NDArray[np.float64] = rows.select(guess.expression(rules)).to_series().to_numpy()
    factor = float(np.exp(np.mean(np.log(rows["minutes"].to_numpy() / reckoned))))
    parts = ("game", "turn", "decision", "bit", "find")
    return Minutes(**{part: getattr(guess, part) * factor for part in parts}, games=len(rows))
