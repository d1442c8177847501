"""Games of one line-up, and the measures that need nothing but a row a game."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tefuda.bots import Bot
from tefuda.engine.rules import Rules
from tefuda.engine.sentence import WrongValueError
from tefuda.lab import measures
from tefuda.lab.cell import Cell, cell
from tefuda.lab.intervals import Interval
from tefuda.lab.minutes import first_guess
from tefuda.lab.playing import MOST_THREADS, Table, cores, play
from tefuda.lab.store import Data, Store
from tefuda.lab.watched import Watched


@dataclass(frozen=True)
class Results:
    """Games that were played: of which cell, how long it took without compiling, and their rows."""

    cell: Cell
    games: int
    threads: int
    seconds: float
    store: Store

    @property
    def rows(self) -> Data:
        """The rows."""
        return self.store.data(self.cell)

    @cached_property
    def measured(self) -> dict[str, Any]:
        """All measures that need no kept decisions, by name."""
        rows = self.rows
        found = measures.fairness(rows) | measures.length(rows, first_guess())
        return found | measures.choices(rows) | measures.faults(rows)

    def intervals(self, name: str) -> list[Interval]:
        """A measure that is a list of intervals."""
        found: list[Interval] = self.measured[name]
        return found

    def data(self) -> dict[str, Any]:
        """All of it as plain data; an interval is [value, low, high], None where it has no end."""
        played = self.cell
        return {
            "game": played.rules.id,
            "rules": played.rules.version,
            "seats": played.seats,
            "options": dict(played.options),
            "bots": [str(bot) for bot in played.bots],
            "rotate": played.rotate,
            "seed": played.seed,
            "games": self.games,
            **measures.plain(self.measured),
            "threads": self.threads,
            "seconds": self.seconds,
        }


def play_games(
    rules: Rules,
    seats: int,
    games: int,
    bots: Sequence[Bot],
    options: Mapping[str, Any] | None = None,
    seed: int = 0,
    *,
    threads: int | None = None,
    keep: int = 0,
    rotate: bool = False,
    until: float | None = None,
    progress: Callable[[int], None] | None = None,
) -> Results:
    """Play so many games between bots, one for each seat, and count what comes of them.

    The results are the same however many `threads` play (all cores, unless told). Of the first `keep` games the
    decisions are kept. With `rotate`, each deal is played once with every bot in every seat. `until`: stop earlier, as
    soon as the intervals of the win shares by turn order reach no further than this to each side. `progress` is told,
    in the calling thread, how many games are done.

    OptionError, or BotError for a bot that cannot play the game or searches by the clock (that could not be played
    again)."""
    played = cell(rules, seats, bots, options, seed, rotate)
    if games < 1:
        raise WrongValueError("at least one game must be played, not {games}", games=games)
    store = Store()
    table = Table(played)
    batches = play(played, 0, games, threads, min(keep, games), table)
    start = time.perf_counter()
    watched, done = Watched(played), 0
    for done in store.write(played, watched.each(batches)):
        if progress is not None:
            progress(done)
        if until is not None and watched.narrow(until):
            break
    seconds = time.perf_counter() - start
    return Results(played, done, min(threads or cores(), MOST_THREADS), seconds, store)
