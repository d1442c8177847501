"""Luck and skill: the same deals are played with the bots moved around the table, so that each plays every hand. From
that follow which part of the results is the players', which the deal's; what a beginner lacks; what it would be worth
to see every card; and what thinking twice as long is worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tefuda.bots import parse
from tefuda.engine.rules import Rules
from tefuda.lab.cell import Cell, cell
from tefuda.lab.intervals import UNKNOWN, Interval, ratios
from tefuda.lab.measures.outcomes import place, turned
from tefuda.lab.store import Data

Array = npt.NDArray[Any]

ROUNDS = 400
"""So many times the deals are drawn again (with replacement) for an interval (Efron and Tibshirani, "An Introduction to
the Bootstrap", 1993)."""

STEPS = 3
"""Doublings of thought that are looked at, up to the strongest."""


@dataclass(frozen=True)
class Trials:
    """What is played to tell luck from skill: cells whose deals are each played by all in all seats.

    `mixed`: strong and random players by turns. `novice`: one random player among strong ones. `seer`: one strong
    player who sees every card among others who do not. `ladder`: by budget b, one with 2 b among others with b."""

    mixed: Cell
    novice: Cell
    seer: Cell
    ladder: Mapping[int, Cell]

    def cells(self) -> Iterator[Cell]:
        """All of them, each once (with two players, `mixed` and `novice` are the same)."""
        found = {each.id: each for each in (self.mixed, self.novice, self.seer, *self.ladder.values())}
        yield from found.values()


def trials(rules: Rules, seats: int, options: Mapping[str, Any], seed: int, budget: int) -> Trials:
    """The trials with a search of so many iterations as the strong player."""
    strong, weak = parse(f"search:{budget}"), parse("random")
    many = [strong] * seats

    def rotated(bots: list[Any], seer: int | None = None) -> Cell:
        return cell(rules, seats, bots, options, seed, rotate=True, seer=seer)

    steps = [budget >> k for k in range(STEPS, 0, -1) if budget >> k >= 1]
    return Trials(
        mixed=rotated([strong if k % 2 == 0 else weak for k in range(seats)]),
        novice=rotated([weak, *many[1:]]),
        seer=rotated(many, seer=0),
        ladder={b: rotated([parse(f"search:{2 * b}"), *[parse(f"search:{b}")] * (seats - 1)]) for b in steps},
    )


def skill(of: Mapping[str, Data], played: Trials) -> dict[str, object]:
    """The measures; `of` holds the games of each cell by its id."""
    mixed = places_by_deal(of[played.mixed.id])
    novice = places_by_deal(of[played.novice.id])[:, :, 0].mean(axis=1)
    seer = places_by_deal(of[played.seer.id])[:, :, 0].mean(axis=1)
    ladder = {}
    for budget, each in played.ladder.items():
        won = ratios(of[each.id].games, "deal", **{"0": (_of_bot(each, 0), pl.lit(1))})["0"]
        ladder[str(budget)] = won.within(0, 1)
    return {
        **_variance(mixed),
        "novice_place": bootstrap(novice, np.mean).within(0, 1),
        "seer_place": bootstrap(seer, np.mean).within(0, 1),
        "relative_skill": _relative_skill(novice, seer),
        "ladder": ladder,
        "deals": len(mixed),
    }


def _of_bot(each: Cell, bot: int) -> pl.Expr:
    return turned([place(seat, each.seats) for seat in range(each.seats)], pl.col("game"))[bot]


def places_by_deal(data: Data) -> Array:
    """By deal, rotation and bot the place: shape (deals, seats, seats). Deals that were not played by all are left
    out."""
    seats = data.cell.seats
    of_bots = turned([place(seat, seats) for seat in range(seats)], pl.col("game"))
    columns = [each.alias(str(k)) for k, each in enumerate(of_bots)]
    rows = data.games.sort("game").select(columns).collect().to_numpy()
    whole = len(rows) // seats
    return rows[: whole * seats].reshape(whole, seats, seats)


def _variance(places: Array) -> dict[str, object]:
    """The parts of the variance of places: that of the players, that of the deal (cards and seat), and the rest (chance
    during the game, and what the others do)."""
    found = {
        name: bootstrap(places, lambda drawn, k=k: split(drawn)[k]).within(0, 1)
        for k, name in enumerate(("skill_share", "deal_share", "rest_share"))
    }
    return dict(found)


def split(places: Array) -> tuple[float, float, float]:
    """The parts of the variance, as shares that add up to 1, of places by deal, rotation and bot. In rotation r bot k
    sits in seat (k + r) % seats. An analysis of variance: place = bot + seat of the deal + rest, each component by its
    unbiased estimate (Searle, Casella and McCulloch, "Variance Components", 1992, ch. 4), none below nothing."""
    deals, seats, _ = places.shape
    if deals < 2:
        return (float("nan"),) * 3
    by_bot = places.mean(axis=1)
    of_bots = by_bot.mean(axis=0) - 0.5
    noise = by_bot.var(axis=0, ddof=1) / deals
    players = float(np.mean(of_bots**2 - noise))
    rest = places - 0.5 - of_bots
    rotation, bot = np.meshgrid(np.arange(seats), np.arange(seats), indexing="ij")
    by_seat = np.empty_like(rest)
    by_seat[:, rotation, (bot + rotation) % seats] = rest[:, rotation, bot]
    means = by_seat.mean(axis=1)
    within = float(((by_seat - means[:, None, :]) ** 2).sum() / (deals * seats * (seats - 1)))
    between = float((means**2).mean() - within / seats)
    parts = [max(0.0, each) for each in (players, between, within)]
    total = sum(parts)
    if total == 0:
        return (float("nan"),) * 3
    return parts[0] / total, parts[1] / total, parts[2] / total


def _relative_skill(novice: Array, seer: Array) -> Interval:
    """Borm and van der Genugten's (2001): what is learned, of what is learned and what chance hides together."""
    if len(novice) != len(seer):
        shorter = min(len(novice), len(seer))
        novice, seer = novice[:shorter], seer[:shorter]

    def relative(drawn: Array) -> float:
        learned = max(0.0, 0.5 - float(drawn[:, 0].mean()))
        hidden = max(0.0, float(drawn[:, 1].mean()) - 0.5)
        return learned / (learned + hidden) if learned + hidden > 0 else float("nan")

    return bootstrap(np.stack([novice, seer], axis=1), relative).within(0, 1)


def bootstrap(rows: Array, measure: Any) -> Interval:
    """A measure of independent rows, with the interval of the percentiles of what it comes to when they are drawn
    again."""
    if len(rows) < 2:
        return UNKNOWN
    random = np.random.default_rng(1)
    value = float(measure(rows))
    again = np.array([measure(rows[random.integers(0, len(rows), len(rows))]) for _ in range(ROUNDS)], float)
    again = again[np.isfinite(again)]
    if not np.isfinite(value) or len(again) == 0:
        return UNKNOWN
    low, high = np.percentile(again, [2.5, 97.5])
    return Interval(value, float(min(low, value)), float(max(high, value)))
