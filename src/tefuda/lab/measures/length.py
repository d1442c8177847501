"""How long is it: in decisions, turns, rounds, and in minutes by the model of people's times."""

from __future__ import annotations

import polars as pl

from tefuda.lab.intervals import quantile, ratios
from tefuda.lab.minutes import Minutes
from tefuda.lab.store import Data

STEP = 10
"""Minutes are counted in tenths where it is asked how they are distributed."""


def length(data: Data, minutes: Minutes) -> dict[str, object]:
    """Means, and what one game in ten does not reach or goes beyond."""
    rows = data.games.with_columns(minutes=minutes.expression(data.cell.rules))
    names = ("decisions", "turns", "rounds", "minutes")
    unit = "deal" if data.cell.rotate else None
    found = ratios(rows, unit, **{name: (pl.col(name), pl.lit(1)) for name in names})
    out: dict[str, object] = {f"{name}_a_game": found[name].within(0) for name in names}
    for name, step in (("decisions", 1), ("minutes", STEP)):
        counted = (
            rows.group_by((pl.col(name) * step).round().cast(pl.Int64).alias("value"))
            .agg(pl.len())
            .sort("value")
            .collect(engine="streaming")
        )
        values, counts = counted["value"].to_numpy() / step, counted["len"].to_numpy()
        out[f"{name}_spread"] = [quantile(values, counts, q) for q in (0.1, 0.5, 0.9)]
    return out


def histogram(data: Data, bars: int = 40) -> list[tuple[float, int]]:
    """How many games have how many decisions: the middle of each bar, and how many games are in it."""
    counted = data.games.group_by("decisions").agg(pl.len()).sort("decisions").collect(engine="streaming")
    least, most = int(counted["decisions"].min() or 0), int(counted["decisions"].max() or 0)  # type: ignore[arg-type]
    width = max(1, -(-(most - least + 1) // bars))
    bar = ((pl.col("decisions") - least) // width).alias("bar")
    found = dict(counted.group_by(bar).agg(pl.col("len").sum()).iter_rows())
    return [(least + width * k + (width - 1) / 2, int(found.get(k, 0))) for k in range((most - least) // width + 1)]
