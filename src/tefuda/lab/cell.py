"""What is to be played: one game with its seats, options and bots, from one seed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tefuda.bots import Bot, BotError
from tefuda.engine.rules import Rules

SEED_BLOCK = 4096
"""Seeds are drawn in blocks of so many, so that those of the millionth game need not wait for all before it."""


@dataclass(frozen=True)
class Cell:
    """A game's rules, how many play, all options, a bot for each seat, and the seed that everything follows from.

    Bot k stays in seat k. With `rotate`, so many games in a row as there are seats have the same deal (the same seed of
    the game), and bot k sits in seat k + i in game number i: all play all hands. `seer`: that bot is shown every card
    (a question of the lab; see kernel.py)."""

    rules: Rules
    seats: int
    options: Mapping[str, Any]
    bots: tuple[Bot, ...]
    seed: int = 0
    rotate: bool = False
    seer: int | None = None

    @property
    def level(self) -> str:
        """The bots in words: one when all are the same."""
        names = [str(bot) for bot in self.bots]
        return names[0] if len(set(names)) == 1 and self.seer is None else ",".join(names)

    @property
    def id(self) -> str:
        """A short name for what is played: the same for the same, in every run."""
        what = [self.rules.id, self.rules.version, self.seats, dict(self.options), [str(bot) for bot in self.bots]]
        text = json.dumps([*what, self.seed, self.rotate, self.seer], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @property
    def turns_a_deal(self) -> int:
        """How many games in a row have the same deal."""
        return self.seats if self.rotate else 1

    def seeds(self, first: int, end: int) -> npt.NDArray[np.uint64]:
        """The seeds of the games `first` to `end` - 1: a row each, the game's (`tefuda.new(..., seed=...)` deals it
        again) and one for its bots. They depend on the cell's seed and the game's number alone."""
        games = np.arange(first, end)
        return np.stack([self._drawn(games // self.turns_a_deal, 0), self._drawn(games, 1)], axis=1)

    def _drawn(self, numbers: npt.NDArray[np.int64], stream: int) -> npt.NDArray[np.uint64]:
        out = np.empty(len(numbers), np.uint64)
        for block in np.unique(numbers // SEED_BLOCK):
            drawn = np.random.SeedSequence((self.seed % (1 << 64), stream, int(block)))
            mine = numbers // SEED_BLOCK == block
            out[mine] = drawn.generate_state(SEED_BLOCK, np.uint64)[numbers[mine] % SEED_BLOCK]
        return out

    def bots_of(self, game: int) -> list[Bot]:
        """The bots of a game by seat."""
        turned = game if self.rotate else 0
        return [self.bots[(seat - turned) % self.seats] for seat in range(self.seats)]


def cell(
    rules: Rules,
    seats: int,
    bots: Sequence[Bot],
    options: Mapping[str, Any] | None = None,
    seed: int = 0,
    rotate: bool = False,
    seer: int | None = None,
) -> Cell:
    """A cell, checked: OptionError for seats or options the game does not take; BotError for a bot that cannot play it,
    or that searches by the clock (its games could not be played again)."""
    rules.check_seats(seats)
    filled = rules.options(options, seats)
    if len(bots) != seats:
        raise BotError("there are {n} bots for {seats} seats", n=len(bots), seats=seats)
    for bot in bots:
        bot.check(rules)
        if bot.seconds is not None:
            raise BotError(
                "{bot}: the lab counts iterations, so that its games can be played again; try search:1000", bot=str(bot)
            )
    return Cell(rules, seats, filled, tuple(bots), seed, rotate, seer)
