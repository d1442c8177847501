"""How the seats stand during a game: a sample of games is played again, and before every few decisions a search that
sees what any seat knows says which place each seat may expect. Twice, each with its own playouts: what both say alike
is the game's, what they say differently is the search's."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tefuda.engine.rules import compiled_told_of
from tefuda.lab.playing import MOST_THREADS, Table, cores
from tefuda.lab.store import Data

Array = npt.NDArray[Any]

ITERATIONS = 100
"""Of each of the two searches of a position."""

POINTS = 60
"""In a game of more decisions than this not every position is looked at, but pairs of neighbours."""


def stands(
    data: Data, games: int, iterations: int = ITERATIONS, threads: int | None = None
) -> Iterator[pl.DataFrame]:
    """Look at the first so many games of which decisions are kept; a frame a game, in order: `game`, `n` (the decision
    that comes next), `half` (0 or 1), and by seat `stand_0`, ... from 0 (last) to 1 (first)."""
    assert data.decisions is not None
    rows = data.decisions.filter(pl.col("game") < games).sort("game", "n").collect()
    seeds = dict(
        (game, np.array([seed, bot_seed], np.uint64))
        for game, seed, bot_seed in data.games.filter(pl.col("game") < games)
        .select("game", "seed", "bot_seed")
        .collect()
        .iter_rows()
    )
    table = Table(data.cell)

    def look(game: int, moves: Array) -> pl.DataFrame:
        desk, _, room, _ = table.place(iterations)
        seats = data.cell.seats
        every = 2 * -(-len(moves) // POINTS) if len(moves) > POINTS else 2
        looked_at = np.array([n for n in range(len(moves)) if n % every < 2], np.int32)
        found = np.zeros((len(looked_at), 2, seats))
        table.module.follow_game(
            table.start, table.t, seeds[game], moves, every, iterations, table.open_facts, desk, room, found
        )
        points = len(looked_at)
        return pl.DataFrame(
            {
                "game": np.full(2 * points, game, np.int64),
                "n": np.repeat(looked_at, 2),
                "half": np.tile(np.array([0, 1], np.int8), points),
                **{f"stand_{seat}": found[:, :, seat].reshape(-1).astype(np.float32) for seat in range(seats)},
            }
        )

    games_of = []
    for part in rows.partition_by("game", maintain_order=True):
        kind, a, b, c = (part[name].cast(pl.Int64).to_numpy() for name in ("kind", "a", "b", "c"))
        games_of.append((int(part["game"][0]), kind << 57 | a << 38 | b << 19 | c))
    with compiled_told_of(data.cell.rules), ThreadPoolExecutor(min(threads or cores(), MOST_THREADS)) as pool:
        try:
            for future in [pool.submit(look, *each) for each in games_of]:
                yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
