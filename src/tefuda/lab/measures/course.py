"""How a game goes: who leads, how often that changes, whether who is behind can win, when it is decided, and how much
a move moves the others. From the searches' estimates of course.py; most ideas are those of Browne, "Automatic
Generation and Evaluation of Recombination Games" (2008)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tefuda.lab.intervals import Interval, mean, ratio, share
from tefuda.lab.measures.cards import swings_by_card
from tefuda.lab.measures.outcomes import place
from tefuda.lab.store import Data

Array = npt.NDArray[Any]

CLEAR = 0.05
"""Who is ahead by less than this (of the way from last to first) does not lead."""

ERRORS = 2.5
"""Nor who is ahead by less than so many standard errors of the estimates."""

DECIDED = 0.9
"""Whose expected place is above this and who then wins had it decided."""


@dataclass(frozen=True)
class Course:
    """One game: the decisions looked at, how the seats stood by either search before each and at the end, who made
    each, and from which difference on a lead is clear."""

    game: int
    n: Array
    halves: Array
    end: Array
    movers: Array
    decisions: int
    clear: float

    @property
    def stands(self) -> Array:
        """The mean of both searches, and the end."""
        return np.vstack([self.halves.mean(axis=1), self.end])

    def leaders(self) -> list[int]:
        """Who leads at each point, -1 while it never was clear; a lead lasts until another's is clear."""
        out, leader = [], -1
        for stand in self.stands:
            order = np.argsort(-stand, kind="stable")
            if leader < 0 or stand[order[0]] - stand[leader] > self.clear:
                ahead = stand[order[0]] - (stand[order[1]] if leader < 0 else stand[leader])
                leader = int(order[0]) if ahead > self.clear else leader
            out.append(leader)
        return out

    def drama(self) -> float:
        """Browne's drama: how far behind the winner was, on the mean over the points at which it was behind."""
        behind = []
        for winner in np.flatnonzero(self.end == self.end.max()):
            gap = self.stands[:-1].max(axis=1) - self.stands[:-1, winner]
            behind.append([math.sqrt(each) if each > self.clear else 0.0 for each in gap])
        means = [float(np.mean([x for x in gap if x > 0] or [0.0])) for gap in behind]
        return min(means, default=0.0)

    def settled(self) -> float:
        """Which part of the game was gone when the winner took the lead for good."""
        leaders = self.leaders()
        winners = set(np.flatnonzero(self.end == self.end.max()).tolist())
        last = len(leaders)
        while last > 0 and leaders[last - 1] in winners:
            last -= 1
        return float(([*self.n.tolist(), self.decisions][min(last, len(self.n))]) / max(self.decisions, 1))

    def played_out(self) -> float:
        """Which part of the game was left when the winner's place was as good as certain, and stayed so."""
        winner = int(np.argmax(self.end))
        sure = self.stands[:, winner] >= DECIDED
        last = len(sure)
        while last > 0 and sure[last - 1]:
            last -= 1
        at = [*self.n.tolist(), self.decisions][min(last, len(self.n))]
        return float(1 - at / max(self.decisions, 1))


def course(data: Data) -> dict[str, object]:
    """Nothing when nobody looked."""
    if data.stands is None or data.cell.seats < 2:
        return {}
    games = courses(data)
    if not games:
        return {}
    half = [each for each in games if len(each.n) >= 4]
    seats = data.cell.seats
    out: dict[str, object] = {
        "lead_changes": mean(np.array([_changes(each.leaders()) for each in games])).within(0),
        "drama": mean(np.array([each.drama() for each in games])).within(0, 1),
        "settled_at": mean(np.array([each.settled() for each in games])).within(0, 1),
        "played_out": mean(np.array([each.played_out() for each in games])).within(0, 1),
    }
    if half:
        middle = [each.stands[len(each.n) // 2] for each in half]
        last = [_won(each, int(np.argmin(stand))) for each, stand in zip(half, middle, strict=True)]
        first = [_won(each, int(np.argmax(stand))) for each, stand in zip(half, middle, strict=True)]
        out["comeback"] = share(sum(last), len(half))
        out["leader_wins"] = share(sum(first), len(half))
    swings = _without_talk(data, _swings(games, seats))
    if len(swings):
        by_game = swings.group_by("game", maintain_order=True).agg(pl.col("square", "others").sum(), n=pl.len())
        own = ratio(by_game["square"].to_numpy(), by_game["n"].to_numpy())
        others = ratio(by_game["others"].to_numpy(), by_game["n"].to_numpy())
        out["swing"] = _root(own)
        out["interaction"] = _root(others)
        found = swings_by_card(data, swings)
        if "swing_by_group" in found:
            found["swing_by_group"] = {name: _root(each) for name, each in found["swing_by_group"].items()}  # type: ignore[attr-defined]
        out |= found
        out |= _swings_by_move(data, swings)
    return out


def courses(data: Data) -> list[Course]:
    """The games that were looked at, in order."""
    assert data.stands is not None and data.decisions is not None
    seats = data.cell.seats
    looked_at = data.stands.sort("game", "n", "half").collect()
    games = looked_at["game"].unique().sort().to_list()
    ends = data.games.filter(pl.col("game").is_in(games)).select(
        "game", "decisions", *(place(seat, seats).alias(f"p{seat}") for seat in range(seats))
    )
    end_of = {row[0]: row for row in ends.collect().iter_rows()}
    movers = data.decisions.filter(pl.col("game").is_in(games)).select("game", "n", "seat").collect()
    mover_of = {(game, n): seat for game, n, seat in movers.iter_rows()}
    clear = max(CLEAR, ERRORS * _noise(looked_at, seats))
    out = []
    for part in looked_at.partition_by("game", maintain_order=True):
        game = int(part["game"][0])
        n = part["n"].to_numpy()[::2]
        halves = part.select(f"stand_{seat}" for seat in range(seats)).to_numpy().astype(float)
        _, decisions, *places = end_of[game]
        who = np.array([mover_of[game, int(k)] for k in n])
        out.append(Course(game, n, halves.reshape(len(n), 2, seats), np.array(places), who, int(decisions), clear))
    return out


def _noise(looked_at: pl.DataFrame, seats: int) -> float:
    """The standard error of how far one seat is ahead of another in the mean of two searches: from how far the two
    differ, over all positions."""
    stands = looked_at.select(f"stand_{seat}" for seat in range(seats)).to_numpy().astype(float)
    apart = stands[::2] - stands[1::2]
    leads = np.concatenate([apart[:, i] - apart[:, k] for i in range(seats) for k in range(i)])
    return float(np.sqrt(np.mean(leads**2)) / 2)


def _changes(leaders: list[int]) -> int:
    known = [leader for leader in leaders if leader >= 0]
    return sum(a != b for a, b in pairwise(known))


def _won(each: Course, seat: int) -> float:
    firsts = each.end == each.end.max()
    return float(firsts[seat] / firsts.sum())


def _swings(games: list[Course], seats: int) -> pl.DataFrame:
    """Of every decision whose next one was looked at, too: what it did to the mover's place (`gain`), the square of
    that (`square`) and the mean square of what it did to each other's (`others`). A square is the product of what both
    searches say, so what is only noise comes to nothing on the mean."""
    rows: list[tuple[int, int, float, float, float]] = []
    for each in games:
        steps = np.diff(each.halves, axis=0)
        next_looked_at = np.flatnonzero(np.diff(each.n) == 1)
        for k in next_looked_at:
            mover = int(each.movers[k])
            squares = steps[k, 0] * steps[k, 1]
            others = [squares[seat] for seat in range(seats) if seat != mover]
            gain = float(steps[k, :, mover].mean())
            rows.append((each.game, int(each.n[k]), gain, float(squares[mover]), float(np.mean(others))))
    schema = {"game": pl.Int64, "n": pl.Int32, "gain": pl.Float64, "square": pl.Float64, "others": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _without_talk(data: Data, swings: pl.DataFrame) -> pl.DataFrame:
    """Talk changes no position."""
    assert data.decisions is not None
    talk = [move.kind for move in data.cell.rules.moves if move.talk]
    said = data.decisions.filter(pl.col("kind").is_in(talk)).select("game", "n")
    return swings.lazy().join(said, on=("game", "n"), how="anti", maintain_order="left").collect()


def _swings_by_move(data: Data, swings: pl.DataFrame) -> dict[str, object]:
    """By kind of move, how much one swings the mover's own place."""
    assert data.decisions is not None
    names = {move.kind: move.name for move in data.cell.rules.moves}
    joined = data.decisions.select("game", "n", "kind").join(swings.lazy(), on=("game", "n")).collect()
    out = {}
    for kind in sorted(joined["kind"].unique().to_list()):
        mine = joined.filter(pl.col("kind") == kind)
        by_game = mine.group_by("game", maintain_order=True).agg(pl.col("square").sum(), n=pl.len()).sort("game")
        out[names[kind]] = _root(ratio(by_game["square"].to_numpy(), by_game["n"].to_numpy()))
    return {"swing_by_move": out}


def _root(square: Interval) -> Interval:
    """From a mean square to its root, interval and all."""
    value, low, high = (math.sqrt(max(0.0, x)) if math.isfinite(x) else x for x in square.data())
    return Interval(value, low, high)

