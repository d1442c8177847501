"""Talk: how often what is said is a lie, what the others do after lies and after the truth, and how much a claim gives
away of the card it is about. For games whose rules declare moves that are talk, and say (`truth`) which are true."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tefuda.engine.declare import Card
from tefuda.lab.intervals import Interval, ratios, share
from tefuda.lab.store import Data

ROUNDS = 200
"""So many resamplings give the interval of what a claim gives away."""


def talk(data: Data) -> dict[str, object]:
    """Nothing where there is no talk that can be true."""
    if data.decisions is None or not any(move.talk for move in data.cell.rules.moves):
        return {}
    if data.decisions.select((pl.col("truth") >= 0).any()).collect(engine="streaming").item() is not True:
        return {}
    names = {move.kind: move.name for move in data.cell.rules.moves}
    of_games = (said.group_by("game").agg(lies=(pl.col("truth") == 0).sum(), n=pl.len()) for said in _said(data))
    counted = pl.concat(
        said.filter(pl.col("next_kind").is_not_null() & (pl.col("next_seat") != pl.col("seat")))
        .group_by("truth", "next_kind")
        .agg(pl.len().cast(pl.Int64))
        .collect()
        for said in _said(data)
    )
    counted = counted.group_by("truth", "next_kind").sum().sort("truth", "next_kind")
    out: dict[str, object] = {
        "lies": ratios(of_games, lies=(pl.col("lies"), pl.col("n")))["lies"].within(0, 1),
        "claims_a_game": ratios(data.games, n=(_claims(data), pl.lit(1)))["n"].within(0),
    }
    for truth, key in ((0, "answers_to_lies"), (1, "answers_to_truths")):
        mine = counted.filter(pl.col("truth") == truth)
        total = int(mine["len"].sum())
        out[key] = {names[kind]: share(n, total) for kind, n in mine.select("next_kind", "len").iter_rows()}
    return out | _given_away(data)


def _said(data: Data) -> Iterator[pl.LazyFrame]:
    """What was said, with what the next decision was and whose."""
    for part in data.slices():
        assert part.decisions is not None
        rows = part.decisions.sort("game", "n").with_columns(
            next_kind=pl.col("kind").shift(-1).over("game"), next_seat=pl.col("seat").shift(-1).over("game")
        )
        yield rows.filter(pl.col("truth") >= 0)


def _claims(data: Data) -> pl.Expr:
    return pl.sum_horizontal([pl.col(f"made_{move.name}") for move in data.cell.rules.moves if move.talk])


def _given_away(data: Data) -> dict[str, object]:
    """The mutual information of what is claimed and the hidden card last laid, in bits."""
    hidden = [
        (move.kind, column)
        for move in data.cell.rules.moves
        for column, part in zip("abc", move.parts.values(), strict=False)
        if isinstance(part, Card) and part.hidden
    ]
    if not hidden or data.decisions is None:
        return {}
    card = pl.lit(None, pl.Int32)
    for kind, column in hidden:
        card = pl.when(pl.col("kind") == kind).then(pl.col(column)).otherwise(card)
    what = ("kind", "a", "b", "c", "card")
    counted = pl.concat(
        part.decisions.sort("game", "n")
        .with_columns(card=card.forward_fill().over("game"))
        .filter((pl.col("truth") >= 0) & pl.col("card").is_not_null())
        .group_by(what)
        .agg(pl.len().cast(pl.Int64))
        .collect()
        for part in data.slices()
        if part.decisions is not None
    )
    if len(counted) == 0:
        return {}
    counted = counted.group_by(what).sum().sort(what)
    claim = counted.select(pl.struct("kind", "a", "b", "c").rank("dense")).to_series().to_numpy() - 1
    which = counted["card"].rank("dense").to_numpy() - 1
    table = np.zeros((claim.max() + 1, which.max() + 1))
    np.add.at(table, (claim, which), counted["len"].to_numpy())
    random = np.random.default_rng(1)
    n = int(table.sum())
    again = [information(random.multinomial(n, table.ravel() / n).reshape(table.shape)) for _ in range(ROUNDS)]
    value = information(table)
    half = float(1.96 * np.std(again))
    return {
        "claim_gives_away": Interval(value, value - half, value + half).within(0),
        "card_bits": float(_entropy(table.sum(axis=0))),
    }


def information(table: npt.NDArray[Any]) -> float:
    """The mutual information of rows and columns of a table of counts, in bits, with the correction of Miller ("Note
    on the bias of information estimates", 1955); below nothing it is noise."""
    n = table.sum()
    raw = _entropy(table.sum(axis=0)) + _entropy(table.sum(axis=1)) - _entropy(table.ravel())
    cells = (table > 0).sum() - (table.sum(axis=0) > 0).sum() - (table.sum(axis=1) > 0).sum() + 1
    return float(raw - cells / (2 * n * np.log(2)))


def _entropy(counts: npt.NDArray[Any]) -> float:
    p = counts[counts > 0] / counts.sum()
    return float(-(p * np.log2(p)).sum())
