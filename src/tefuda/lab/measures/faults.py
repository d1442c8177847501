"""What should not happen: dead ends, caps, positions that come back."""

from __future__ import annotations

import polars as pl

from tefuda.lab.intervals import share
from tefuda.lab.store import Data


def faults(data: Data) -> dict[str, object]:
    """Shares of games. Positions are looked at in games of which decisions are kept."""
    row = data.games.select(pl.col("capped", "stuck").sum()).collect(engine="streaming").row(0, named=True)
    out: dict[str, object] = {"capped": share(row["capped"], data.count), "stuck": share(row["stuck"], data.count)}
    if data.decisions is not None:
        came_back = data.games.select((pl.col("repeats") > 0).sum()).collect(engine="streaming").item()
        out["positions_that_come_back"] = share(came_back, data.kept)
    return out
