"""The cards: what being dealt one is worth, how often each is played, and what playing it swings."""

from __future__ import annotations

from collections import Counter

import polars as pl

from tefuda.engine.declare import Card, Name
from tefuda.lab.intervals import Interval, ratio_of_sums, share, sums
from tefuda.lab.measures.outcomes import place
from tefuda.lab.store import Data


def cards(data: Data) -> dict[str, object]:
    """By kind of card, and by group where the rules file's INFO names `card_groups`; nothing where no decisions are
    kept, or no card is dealt to a seat."""
    if data.decisions is None or data.dealt is None:
        return {}
    parts: dict[str, list[pl.DataFrame]] = {}
    for part in data.slices():
        for key, frame in _sums(part).items():
            parts.setdefault(key, []).append(frame)
    out: dict[str, object] = {}
    games = data.kept
    for key, frames in parts.items():
        rows = pl.concat(frames).group_by("name").sum().sort("name")
        if key.startswith(("played", "last")):
            out[key] = {name: share(n, games) for name, n in rows.iter_rows()}
        else:
            out[key] = _intervals(rows)
    return out


def _sums(data: Data) -> dict[str, pl.DataFrame]:
    """What the measures of cards come from, by name of card or group, over some games."""
    out: dict[str, pl.DataFrame] = {}
    places, played = _places(data), _played(data)
    names = [kind.name for kind in data.cell.rules.kinds(data.cell.options)]
    kinds = pl.LazyFrame({"card": range(1, len(names) + 1), "name": names}, schema_overrides={"card": pl.Int16})
    assert data.decisions is not None and data.dealt is not None
    lasts = data.decisions.group_by("game").agg(n=pl.col("n").max())
    for key, frame in (("card", kinds), ("group", _groups(data, names))):
        if frame is None:
            continue
        out[f"dealt_{key}"] = _worth(data.dealt.join(frame, on="card"), places)
        if played is not None:
            laid = played.join(frame, on="card")
            out[f"played_{key}"] = _games(laid)
            out[f"winners_played_{key}"] = _worth(laid, places)
            out[f"last_{key}"] = _games(laid.join(lasts, on=("game", "n")))
    return out


def _places(data: Data) -> pl.LazyFrame:
    """By game and seat, the place less the even one."""
    seats = data.cell.seats
    columns = [(place(seat, seats) - 0.5).alias(str(seat)) for seat in range(seats)]
    long = data.games.select("game", *columns).unpivot(index="game", variable_name="seat", value_name="place")
    return long.with_columns(pl.col("seat").cast(pl.Int8))


def _worth(cards: pl.LazyFrame, places: pl.LazyFrame) -> pl.DataFrame:
    """By card: how much higher than even those seats came out that had it (0.5 is from the middle to the top)."""
    holders = cards.select("game", "seat", "name").unique()
    of_game = holders.join(places, on=("game", "seat")).group_by("name", "game").agg(pl.col("place").sum(), n=pl.len())
    return _sums_by_name(of_game, "place", "n")


def _games(laid: pl.LazyFrame) -> pl.DataFrame:
    """By card: in how many games."""
    return laid.group_by("name").agg(pl.col("game").n_unique()).collect(engine="streaming")


def _sums_by_name(rows: pl.LazyFrame, what: str, count: str) -> pl.DataFrame:
    """By name, the sums from which the ratio of two columns comes; a row a game."""
    return rows.group_by("name").agg(pl.len(), *sums(pl.col(what), pl.col(count))).collect(engine="streaming")


def _intervals(rows: pl.DataFrame) -> dict[str, Interval]:
    return {name: ratio_of_sums(*rest) for name, *rest in rows.sort("name").iter_rows()}


def _groups(data: Data, names: list[str]) -> pl.LazyFrame | None:
    """Which cards belong to which group."""
    groups: dict[str, tuple[str, ...]] = data.cell.rules.info.get("card_groups", {})
    rows = [(names.index(card) + 1, group) for group, members in groups.items() for card in members if card in names]
    if not rows:
        return None
    return pl.LazyFrame(rows, schema={"card": pl.Int16, "name": pl.String}, orient="row")


# ------------------------------------------------------------------------------------------ which cards a move plays


def _played(data: Data) -> pl.LazyFrame | None:
    """A row for each kind of card a decision plays from the mover's own piles: `game`, `n`, `seat`, `card`."""
    assert data.decisions is not None
    frames = []
    own = {pile.name for pile in data.cell.rules.piles if pile.per_seat}
    for move in data.cell.rules.moves:
        rows = data.decisions.filter(pl.col("kind") == move.kind)
        for column, part in zip("abc", move.parts.values(), strict=False):
            if isinstance(part, Card) and part.of in own:
                frames.append(rows.select("game", "n", "seat", card=pl.col(column).cast(pl.Int16)))
            elif isinstance(part, Name) and part.of in own:
                spelled = _spelled(data, part)
                if spelled is not None:
                    frames.append(
                        rows.join(spelled, left_on=column, right_on="number").select("game", "n", "seat", "card")
                    )
    return pl.concat(frames) if frames else None


def _spelled(data: Data, part: Name) -> pl.LazyFrame | None:
    """Of every name of a list, the cards that spell it."""
    notation = data.cell.rules.notation(data.cell.options)
    rows = []
    for number, text in enumerate(notation.names[part.list]):
        pieces = text.split(part.join) if part.join else list(text)
        for piece in Counter(pieces):
            if piece in notation.kind_of:
                rows.append((number, notation.kind_of[piece]))
    if not rows:
        return None
    return pl.LazyFrame(rows, schema={"number": pl.Int32, "card": pl.Int16}, orient="row")


# ------------------------------------------------------------------------------------------------- what it swings


def swings_by_card(data: Data, swings: pl.DataFrame) -> dict[str, object]:
    """By card and by group: what a decision that plays it adds to the mover's place, by the search's estimate (see
    course.py; `swings` has `game`, `n` and `gain`)."""
    if data.decisions is None or len(swings) == 0:
        return {}
    played = _played(data)
    if played is None:
        return {}
    names = [kind.name for kind in data.cell.rules.kinds(data.cell.options)]
    groups = _groups(data, names)
    if groups is None:
        return {}
    laid = played.join(groups, on="card").join(swings.lazy(), on=("game", "n"))
    of_game = laid.group_by("name", "game").agg(
        pl.col("gain").sum(), square=pl.col("square").sum(), n=pl.len()
    )
    return {
        "gain_by_group": _intervals(_sums_by_name(of_game, "gain", "n")),
        "swing_by_group": {
            name: found.within(0) for name, found in _intervals(_sums_by_name(of_game, "square", "n")).items()
        },
    }
