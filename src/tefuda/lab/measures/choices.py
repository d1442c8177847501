"""What there is to decide: legal moves, forced decisions, what is hidden, who waits how long, which moves are made."""

from __future__ import annotations

import polars as pl

from tefuda.lab.intervals import ratios, share
from tefuda.lab.store import Data


def choices(data: Data) -> dict[str, object]:
    """From the games; and where decisions are kept, from them."""
    cell = data.cell
    unit = "deal" if cell.rotate else None
    decisions = pl.col("decisions")
    of = {
        "legal": (pl.col("legal"), decisions),
        "forced": (pl.col("forced"), decisions),
        "bits": (pl.col("bits") / 1000, decisions),
    }
    of |= {f"made {move.name}": (pl.col(f"made_{move.name}"), pl.lit(1)) for move in cell.rules.moves}
    found = ratios(data.games, unit, **of)
    out: dict[str, object] = {
        "legal_moves_a_decision": found["legal"].within(0),
        "forced_share": found["forced"].within(0, 1),
        "bits_a_decision": found["bits"].within(0),
        "moves_a_game": {move.name: found[f"made {move.name}"].within(0) for move in cell.rules.moves},
    }
    made = data.games.select([(pl.col(f"made_{move.name}") > 0).sum().alias(move.name) for move in cell.rules.moves])
    counts, games = made.collect(engine="streaming").row(0, named=True), data.count
    out["games_with_move"] = {name: share(n, games) for name, n in counts.items()}
    return out | (_of_decisions(data) if data.decisions is not None else {})


def _of_decisions(data: Data) -> dict[str, object]:
    """The hidden share; and by seat in a game, how many real choices it had and how long it waited at most."""
    seats = data.cell.seats
    all_cards = sum(kind.copies for kind in data.cell.rules.kinds(data.cell.options))
    one = pl.lit(1)
    found = ratios(
        (_games(part) for part in data.slices()),
        hidden=(pl.col("hidden"), pl.col("end") * all_cards),
        choices=(pl.col("choices"), one),
        idle=(pl.col("idle"), pl.lit(seats)),
        wait=(pl.col("wait"), one),
        part=(pl.col("wait"), pl.col("end")),
    )
    return {
        "hidden_share": found["hidden"].within(0, 1),
        "choices_a_seat": found["choices"].within(0),
        "idle_seats": found["idle"].within(0, 1),
        "longest_wait": found["wait"].within(0),
        "longest_wait_share": found["part"].within(0, 1),
    }


def _games(data: Data) -> pl.LazyFrame:
    """A row a game: its decisions (`end`), cards hidden at them, real choices of a seat, seats without any, and the
    longest wait."""
    decisions = data.decisions
    assert decisions is not None
    of_game = decisions.group_by("game").agg(end=pl.len(), hidden=pl.col("hidden").cast(pl.Int64).sum())
    everybody = of_game.join(pl.LazyFrame({"seat": pl.Series(range(data.cell.seats), dtype=pl.Int8)}), how="cross")
    own = (
        decisions.sort("game", "n")
        .group_by("game", "seat")
        .agg(
            choices=(pl.col("legal") > 1).sum(),
            first=pl.col("n").first(),
            last=pl.col("n").last(),
            gap=(pl.col("n").diff() - 1).max(),
        )
    )
    by_seat = everybody.join(own, on=("game", "seat"), how="left").with_columns(
        choices=pl.col("choices").fill_null(0),
        wait=pl.max_horizontal("first", pl.col("end") - 1 - pl.col("last"), "gap").fill_null(pl.col("end")),
    )
    return by_seat.group_by("game").agg(
        pl.col("end", "hidden").first(),
        choices=pl.col("choices").mean(),
        idle=(pl.col("choices") == 0).sum(),
        wait=pl.col("wait").max(),
    )
