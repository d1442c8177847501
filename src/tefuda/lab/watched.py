"""Win shares while games are being played: for bars that settle live, and to stop when they are exact enough."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from tefuda.lab.cell import Cell
from tefuda.lab.intervals import Interval, share
from tefuda.lab.measures.outcomes import turned, win
from tefuda.lab.playing import Batch


class Watched:
    """The win shares by turn order of the games so far."""

    def __init__(self, one: Cell) -> None:
        seats = one.seats
        self.columns = turned([win(seat, seats) for seat in range(seats)], pl.col("start"))
        self.won, self.squares, self.games = np.zeros(seats), np.zeros(seats), 0

    def add(self, games: pl.DataFrame) -> None:
        """Count some more."""
        won = games.select(each.alias(str(k)) for k, each in enumerate(self.columns)).to_numpy()
        self.won += won.sum(axis=0)
        self.squares += (won * won).sum(axis=0)
        self.games += len(games)

    def each(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        """The batches, each counted as it passes."""
        for batch in batches:
            self.add(batch.games)
            yield batch

    def shares(self) -> tuple[Interval, ...]:
        """As they are now."""
        return tuple(
            share(float(won), self.games, float(squares)) for won, squares in zip(self.won, self.squares, strict=True)
        )

    def narrow(self, until: float) -> bool:
        """Whether every interval reaches no further than that."""
        return all(each.half <= until for each in self.shares())
