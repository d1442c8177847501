"""Many games between bots, on all cores: compiled code, which lets threads run at the same time."""

from __future__ import annotations

import os
import threading
import time
import types
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tefuda.bots import Bot, BotError
from tefuda.bots.thinking import facts, kernels, own_tables, room
from tefuda.engine.compiled_chance import CHANCE
from tefuda.engine.declare import Field
from tefuda.engine.plain import to_record
from tefuda.engine.rules import Rules, compiled_told_of
from tefuda.lab.results import Results

KERNEL = Path(__file__).parent / "kernel.py"

BATCH = 1000
"""Games a thread plays before it looks up, when no bot of theirs thinks: some milliseconds."""

MOST_THREADS = 256

HISTORY = 4096
"""Decisions of a kept game for which there is room at the first try."""

Array = npt.NDArray[Any]


@lru_cache(maxsize=8)
def compiled(rules: Rules) -> types.ModuleType:
    """A game's rules with the kernels of bots and lab."""
    return rules.compiled(*kernels(rules), KERNEL)


def cores() -> int:
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


class Run:
    """All that the games of one run share, and the rows they fill."""

    def __init__(
        self, rules: Rules, seats: int, options: Mapping[str, Any], bots: Sequence[Bot], rotate: bool, seeds: Array
    ) -> None:
        self.rules, self.seats, self.seeds = rules, seats, seeds
        self.module = compiled(rules)
        self.t = rules.compiled_tables(self.module, options, seats)
        self.start = to_record(rules.undealt(seats, options), rules.state_type)
        self.facts = facts(rules, self.module, seats)
        kinds = {"random": self.module.RANDOM, "greedy": self.module.GREEDY, "search": self.module.SEARCH}
        self.lineup = self.module.Lineup(
            kinds=np.array([kinds[bot.kind] for bot in bots], np.int64),
            iterations=np.array([bot.iterations or 0 for bot in bots], np.int64),
            shares=np.array([bot.share for bot in bots], np.int64),
            rotate=int(rotate),
        )
        self.most_iterations = max(bot.iterations or 0 for bot in bots)
        games = len(seeds)
        self.rows = self.module.Rows(
            first=np.zeros(games, np.int8),
            decisions=np.zeros(games, np.int32),
            legal=np.zeros(games, np.int64),
            capped=np.zeros(games, np.bool_),
            ranks=np.zeros((games, seats), np.int64),
            scores=np.zeros((games, seats), np.int64),
        )
        self._own = threading.local()

    def place(self) -> tuple[Any, Any, Any]:
        """This thread's desk to play at, tables of its own and room to think in."""
        if not hasattr(self._own, "place"):
            type_ = self.rules.state_type
            shown = np.zeros(1, type_.dtype)
            desk = self.module.Desk(
                state=np.zeros(1, type_.dtype),
                shown=shown,
                numbers=shown.view(Field),
                chance=np.zeros(1 + self.seats, CHANCE),
                known=np.ones((self.seats, len(self.module.vocabulary(self.t))), np.int64),
            )
            thinking = room(self.rules, self.module, self.seats, self.facts.trees, self.most_iterations)
            self._own.place = desk, own_tables(self.t), thinking
        return self._own.place  # type: ignore[no-any-return]

    def play(self, first: int, end: int, history: Array) -> None:
        """Play the games number `first` to `end` - 1."""
        desk, own, thinking = self.place()
        self.module.play_games(
            self.start, self.t, own, self.seeds, first, end, self.lineup, self.facts, desk, thinking, self.rows, history
        )

    def play_kept(self, game: int) -> Array:
        """Play one game; its decisions."""
        history = np.zeros(HISTORY, np.int64)
        self.play(game, game + 1, history)
        if self.rows.decisions[game] > len(history):
            history = np.zeros(self.rows.decisions[game], np.int64)
            self.play(game, game + 1, history)
        return history[: self.rows.decisions[game]].copy()


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
    progress: Callable[[int], None] | None = None,
) -> Results:
    """Play so many games between bots and count what comes of them.

    `bots`: one for each seat. Bot k stays in seat k; with `rotate` it sits in seat k + i in game number i, so that
    each bot has sat in every seat. Game number i is dealt from a seed that depends on `seed` and i alone, and every
    bot has a generator of its own: the results are the same however many `threads` play (all cores, unless told).
    The decisions of the first `keep` games are kept, to make records of them. `progress` is told, in the calling
    thread, how many games are done.

    OptionError, or BotError for a bot that cannot play the game or searches by the clock (that could not be played
    again)."""
    rules.check_seats(seats)
    filled = rules.options(options, seats)
    if games < 1:
        raise ValueError(f"at least one game must be played, not {games}")
    if len(bots) != seats:
        raise BotError(f"there are {len(bots)} bots for {seats} seats")
    for bot in bots:
        bot.check(rules)
        if bot.seconds is not None:
            raise BotError(f"{bot}: the lab counts iterations, so that its games can be played again; try search:1000")
    seeds = np.random.SeedSequence(seed % (1 << 64)).generate_state(games, np.uint64)
    keep = min(keep, games)
    none = np.zeros(0, np.int64)
    with compiled_told_of(rules):
        run = Run(rules, seats, filled, bots, rotate, seeds)
        run.play(0, 1, none)  # compiles, when that was not done yet
    start = time.perf_counter()
    threads = min(threads or cores(), MOST_THREADS)
    batch = BATCH if all(bot.kind == "random" for bot in bots) else 1
    histories: dict[int, Array] = {}
    done = 0
    with ThreadPoolExecutor(threads) as pool:
        played: dict[Future[Any], tuple[int, int]] = {}
        for game in range(keep):
            played[pool.submit(run.play_kept, game)] = game, game + 1
        for first in range(keep, games, batch):
            end = min(first + batch, games)
            played[pool.submit(run.play, first, end, none)] = first, end
        try:
            for future in as_completed(played):
                first, end = played[future]
                with compiled_told_of(rules):
                    history = future.result()
                if first < keep:
                    histories[first] = history
                done += end - first
                if progress is not None:
                    progress(done)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return Results(
        rules=rules,
        seats=seats,
        options=filled,
        bots=tuple(bots),
        rotate=rotate,
        seed=seed,
        threads=threads,
        seconds=time.perf_counter() - start,
        seeds=seeds,
        **run.rows._asdict(),
        histories=tuple(histories[game] for game in range(keep)),
    )
