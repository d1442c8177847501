"""What came of many games: a row for each, and the measures of them all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tefuda.bots import Bot
from tefuda.engine.rules import Rules
from tefuda.lab.measures import Interval, mean, ratio, share

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Results:
    """Games that were played: of which game, with what, and what came of them. Game number i is row i.

    `seeds`: the seed each was dealt from (`tefuda.new(..., seed=...)` deals it again). `first`: the seat that decided
    first. `legal`: legal moves of all its decisions together. `histories`: the decisions of the first games, as many
    as were to be kept. `seconds`: how long all of it took, without compiling."""

    rules: Rules
    seats: int
    options: dict[str, Any]
    bots: tuple[Bot, ...]
    rotate: bool
    seed: int
    threads: int
    seconds: float
    seeds: Array
    first: Array
    decisions: Array
    legal: Array
    capped: Array
    ranks: Array
    scores: Array
    histories: tuple[Array, ...]

    @property
    def games(self) -> int:
        """How many were played."""
        return len(self.seeds)

    def bots_of(self, game: int) -> list[Bot]:
        """The bots of a game by seat."""
        turned = game if self.rotate else 0
        return [self.bots[(seat - turned) % self.seats] for seat in range(self.seats)]

    def wins(self) -> Array:
        """By game and seat, the share of the first place: 1 alone, 1/2 with another, 0 when not first."""
        firsts = self.ranks == 1
        return np.asarray(firsts / firsts.sum(axis=1, keepdims=True))

    def places(self) -> Array:
        """By game and seat, the place from 0 (last) to 1 (first); who shares a rank has the mean of the places it
        covers. This is what a search plays for."""
        equal = (self.ranks[:, :, None] == self.ranks[:, None, :]).sum(axis=2)
        if self.seats == 1:
            return np.full((self.games, 1), 0.5)
        return np.asarray((self.seats - self.ranks - 0.5 * (equal - 1)) / (self.seats - 1))

    def _turned(self, by_seat: Array, turns: Array | int) -> Array:
        """Column k becomes what stands in column k + turns, in each row its own turns."""
        seats = (np.arange(self.seats) + np.broadcast_to(turns, self.games)[:, None]) % self.seats
        return np.take_along_axis(by_seat, seats, axis=1)

    def _of_bots(self, by_seat: Array) -> Array:
        return self._turned(by_seat, np.arange(self.games) if self.rotate else 0)

    def _shares(self, wins: Array) -> list[Interval]:
        return [share(float(won), self.games) for won in wins.sum(axis=0)]

    def by_seat(self) -> list[Interval]:
        """The win share of each seat. A first place that k seats share counts as 1/k for each."""
        return self._shares(self.wins())

    def by_turn_order(self) -> list[Interval]:
        """The win share of who decided first, of the next seat, and so on."""
        return self._shares(self._turned(self.wins(), self.first))

    def by_bot(self) -> list[Interval]:
        """The win share of each bot, in the order they were given; with `rotate` each has sat in every seat."""
        return self._shares(self._of_bots(self.wins()))

    def places_by_bot(self) -> list[Interval]:
        """The mean place of each bot (see `places`)."""
        return [mean(column) for column in self._of_bots(self.places()).T]

    def decisions_a_game(self) -> Interval:
        """How many decisions a game has."""
        return mean(self.decisions).not_below(0.0)

    def moves_a_decision(self) -> Interval:
        """How many legal moves a decision has."""
        return ratio(self.legal, self.decisions).not_below(0.0)

    def data(self) -> dict[str, Any]:
        """All measures as plain data; an interval is [value, low, high]."""
        return {
            "game": self.rules.id,
            "rules": self.rules.version,
            "seats": self.seats,
            "options": dict(self.options),
            "bots": [str(bot) for bot in self.bots],
            "rotate": self.rotate,
            "seed": self.seed,
            "games": self.games,
            "win_share_by_seat": plain(self.by_seat()),
            "win_share_by_turn_order": plain(self.by_turn_order()),
            "win_share_by_bot": plain(self.by_bot()),
            "place_by_bot": plain(self.places_by_bot()),
            "decisions_a_game": self.decisions_a_game().data(),
            "legal_moves_a_decision": self.moves_a_decision().data(),
            "capped": int(self.capped.sum()),
            "threads": self.threads,
            "seconds": self.seconds,
        }


def plain(intervals: Sequence[Interval]) -> list[list[float]]:
    """Intervals for JSON."""
    return [interval.data() for interval in intervals]
