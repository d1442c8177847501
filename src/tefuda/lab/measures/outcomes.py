"""Who won, by seat: expressions over the rows of games that several measures start from."""

from __future__ import annotations

import polars as pl


def win(seat: int, seats: int) -> pl.Expr:
    """A seat's part of the first place: 1 alone, 1/2 with another, 0 when not first."""
    firsts = pl.sum_horizontal([(pl.col(f"rank_{other}") == 1).cast(pl.Int32) for other in range(seats)])
    return (pl.col(f"rank_{seat}") == 1).cast(pl.Float64) / firsts


def place(seat: int, seats: int) -> pl.Expr:
    """A seat's place from 0 (last) to 1 (first); who shares a rank has the mean of the places it covers. This is what
    a search plays for. Whoever plays alone has 0.5."""
    if seats == 1:
        return pl.lit(0.5)
    rank = pl.col(f"rank_{seat}")
    equal = pl.sum_horizontal([(pl.col(f"rank_{other}") == rank).cast(pl.Int32) for other in range(seats)])
    return (seats - rank.cast(pl.Float64) - 0.5 * (equal - 1)) / (seats - 1)


def turned(values: list[pl.Expr], by: pl.Expr) -> list[pl.Expr]:
    """Number k becomes what stands at k + `by`, counted around."""
    n = len(values)
    out = []
    for k in range(n):
        chosen = values[k]
        for shift in range(1, n):
            chosen = pl.when(by % n == shift).then(values[(k + shift) % n]).otherwise(chosen)
        out.append(chosen)
    return out


def tied() -> pl.Expr:
    """Whether the first place was shared."""
    return pl.sum_horizontal(pl.col("^rank_[0-9]+$") == 1) > 1
