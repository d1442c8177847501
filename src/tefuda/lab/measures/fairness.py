"""Is it fair: who wins, by seat, by place in the turn order, by bot; and how clear a win is."""

from __future__ import annotations

import numpy as np
import polars as pl

from tefuda.lab.intervals import Interval, evenness, games_needed, ratios, share
from tefuda.lab.measures.outcomes import place, tied, turned, win
from tefuda.lab.store import Data


def fairness(data: Data) -> dict[str, object]:
    """Shares of first places with their tests; scores and margins."""
    cell, seats = data.cell, data.cell.seats
    games = data.games
    wins = [win(seat, seats) for seat in range(seats)]
    by_turn = turned(wins, pl.col("start"))
    out: dict[str, object] = {}
    count = data.count
    for name, columns in (("seat", wins), ("turn_order", by_turn)):
        shares, p = _shares(games, columns, count, data)
        out[f"win_share_by_{name}"], out[f"evenness_by_{name}"] = shares, p
    out["edge_of_the_first"] = out["win_share_by_turn_order"][0].times(1, -1 / seats)  # type: ignore[index]
    out["games_needed"] = games_needed(seats) if seats > 1 else None
    turns = pl.col("game") if cell.rotate else pl.lit(0)
    of_bots = {f"win {k}": (each, pl.lit(1)) for k, each in enumerate(turned(wins, turns))}
    places = turned([place(seat, seats) for seat in range(seats)], turns)
    of_bots |= {f"place {k}": (each, pl.lit(1)) for k, each in enumerate(places)}
    found = ratios(games, "deal" if cell.rotate else None, **of_bots)
    out["win_share_by_bot"] = [found[f"win {k}"].within(0, 1) for k in range(seats)]
    out["place_by_bot"] = [found[f"place {k}"].within(0, 1) for k in range(seats)]
    return out | _scores(data)


def _shares(games: pl.LazyFrame, columns: list[pl.Expr], count: int, data: Data) -> tuple[list[Interval], float]:
    seats = len(columns)
    named = games.select(*(each.alias(f"w{k}") for k, each in enumerate(columns)))
    sums = [pl.col(f"w{k}").sum() for k in range(seats)]
    sums += [
        (pl.col(f"w{i}") * pl.col(f"w{k}")).sum().alias(f"w{i} w{k}") for i in range(seats) for k in range(seats)
    ]
    row = named.select(sums).collect(engine="streaming").row(0)
    won, together = row[:seats], np.reshape(row[seats:], (seats, seats))
    if data.cell.rotate:  # games of one deal hang together
        found = ratios(games, "deal", **{str(k): (each, pl.lit(1)) for k, each in enumerate(columns)})
        shares = [found[str(k)].within(0, 1) for k in range(seats)]
    else:
        shares = [share(float(each), count, float(together[k, k])) for k, each in enumerate(won)]
    return shares, evenness([float(each) for each in won], together, count)


def _scores(data: Data) -> dict[str, object]:
    """Scores by place, margins and shared places."""
    seats, unit = data.cell.seats, "deal" if data.cell.rotate else None
    ordered = pl.concat_list([pl.col(f"score_{seat}") for seat in range(seats)]).list.sort(descending=True)
    rows = data.games.with_columns(ordered=ordered, tied=tied())
    one = pl.lit(1)
    of = {f"score {k}": (pl.col("ordered").list.get(k), one) for k in range(seats)}
    of["tied"] = (pl.col("tied"), one)
    if seats > 1:
        of["margin"] = (pl.col("ordered").list.get(0) - pl.col("ordered").list.get(1), one)
        of["spread"] = (pl.col("ordered").list.get(0) - pl.col("ordered").list.get(seats - 1), one)
    found = ratios(rows, unit, **of)
    out: dict[str, object] = {
        "score_by_place": [found[f"score {k}"] for k in range(seats)],
        "shared_first_places": found["tied"].within(0, 1)
        if unit
        else share(round(found["tied"].value * data.count), data.count),
    }
    if seats > 1:
        out["margin"], out["score_spread"] = found["margin"].within(0), found["spread"].within(0)
    return out
