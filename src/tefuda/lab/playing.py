"""Playing the games of a cell, on all cores: compiled code, which lets threads run at the same time. What comes of them
is handed on in frames, a batch of games after the other in their order, so memory does not grow with their number."""

from __future__ import annotations

import os
import threading
import types
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tefuda.bots.thinking import facts, kernels, own_tables, room
from tefuda.engine.compiled_chance import CHANCE
from tefuda.engine.declare import Field
from tefuda.engine.plain import to_record
from tefuda.engine.rules import Rules, compiled_told_of
from tefuda.lab.cell import Cell

HERE = Path(__file__).parent

BATCH = 1000
"""Games a thread plays before it looks up, when none of their bots thinks and no decisions are kept: some ms."""

BATCH_KEPT = 250
"""The same when their decisions are kept."""

MOST_THREADS = 256

AHEAD = 4
"""So many batches a thread are played or waiting to be taken: the most there are in memory at a time."""

BOOK = 1 << 14
"""Decisions for which a thread has room before it empties its book."""

POSITIONS = 1 << 12
"""Twice the most positions of one game that are remembered."""

Array = npt.NDArray[Any]


@lru_cache(maxsize=8)
def compiled(rules: Rules) -> types.ModuleType:
    """A game's rules with the kernels of bots and lab."""
    lacking = [] if hasattr(rules.module, "truth") else [HERE / "without_truth.py"]
    return rules.compiled(*kernels(rules), *lacking, HERE / "kernel.py")


def cores() -> int:
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


@dataclass(frozen=True)
class Batch:
    """What came of the games `first` to `end` - 1: a row a game; and when decisions are kept a row a decision, and
    one for each kind of card a seat held before the first."""

    first: int
    end: int
    games: pl.DataFrame
    decisions: pl.DataFrame | None = None
    dealt: pl.DataFrame | None = None


class Table:
    """All that the games of a cell share, and for each thread a place to play at."""

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        rules, seats = cell.rules, cell.seats
        self.module = module = compiled(rules)
        self.t = rules.compiled_tables(module, cell.options, seats)
        self.start = to_record(rules.undealt(seats, cell.options), rules.state_type)
        self.facts = facts(rules, module, seats)
        self.open_facts = self.facts._replace(trees=1)
        kinds = {"random": module.RANDOM, "greedy": module.GREEDY, "search": module.SEARCH}
        of_bots = [module.SEER if k == cell.seer else kinds[bot.kind] for k, bot in enumerate(cell.bots)]
        self.lineup = module.Lineup(
            kinds=np.array(of_bots, np.int64),
            iterations=np.array([bot.iterations or 0 for bot in cell.bots], np.int64),
            shares=np.array([bot.share for bot in cell.bots], np.int64),
            rotate=int(cell.rotate),
        )
        self.most_iterations = max(bot.iterations or 0 for bot in cell.bots)
        self.kinds_of_moves = max(move.kind for move in rules.moves) + 1
        self._own = threading.local()

    @property
    def thinks(self) -> bool:
        """Whether any bot thinks before it moves: its games take much longer."""
        return any(bot.kind != "random" for bot in self.cell.bots)

    def place(self, iterations: int | None = None) -> tuple[Any, Any, Any, Any]:
        """This thread's desk to play at, tables of its own, room to think in, and what to look at for the book."""
        if not hasattr(self._own, "place"):
            rules, seats, type_ = self.cell.rules, self.cell.seats, self.cell.rules.state_type
            state, shown = np.zeros(1, type_.dtype), np.zeros(1, type_.dtype)
            desk = self.module.Desk(
                state=state,
                figures=state.view(Field),
                shown=shown,
                numbers=shown.view(Field),
                chance=np.zeros(1 + seats, CHANCE),
                known=np.ones((seats, len(self.module.vocabulary(self.t))), np.int64),
            )
            most = self.most_iterations if iterations is None else iterations
            thinking = room(rules, self.module, seats, self.facts.trees, most)
            self._own.place = desk, own_tables(self.t), thinking, self._watch()
        return self._own.place  # type: ignore[no-any-return]

    def _watch(self) -> Any:
        rules = self.cell.rules
        type_ = rules.state_type
        holder, ordered = [], []
        for pile in rules.piles:
            for seat in range(type_.most_seats if pile.per_seat else 1):
                holder.append(seat if pile.per_seat else -1)
                ordered.append(pile.ordered)
        matters = np.zeros(1, type_.dtype)
        for name in ("turn", "count", *type_.own):
            matters[0][name] = 1
        matters[0]["card"][np.array(ordered)] = 1
        log2 = np.zeros(rules.most_moves + 2, np.int64)
        log2[1:] = np.rint(1000 * np.log2(np.arange(1, len(log2))))
        return self.module.Watch(
            holder=np.array(holder, np.int64),
            matters=matters.view(Field) != 0,
            log2=log2,
            seen=np.zeros(POSITIONS, np.uint64),
        )

    def play(self, first: int, end: int, keep: bool) -> Batch:
        """Play the games `first` to `end` - 1; with `keep` write their decisions down, too."""
        cell, n = self.cell, end - first
        desk, own, thinking, watch = self.place()
        seeds = cell.seeds(first, end)
        rows = self._rows(n)
        size = BOOK if keep else 0
        written: list[dict[str, Array]] = []
        dealt = np.zeros((n if keep else 0, cell.seats, cell.rules.state_type.most_kinds + 1), np.int8)
        done = 0
        while done < n:
            steps = self._steps(size)
            book = self.module.Book(steps=steps, dealt=dealt)
            before = done
            done, used = self.module.play_games(
                self.start, self.t, own, seeds, first, self.lineup, self.facts, self.open_facts, watch, desk, thinking,
                rows, book, done, 0,
            )  # fmt: skip
            if done == before:  # one game alone has more decisions than that
                size *= 2
                continue
            written.append({name: column[:used] for name, column in steps._asdict().items()})
        games = games_frame(cell, first, seeds, rows)
        if not keep:
            return Batch(first, end, games)
        steps_of_all = {name: np.concatenate([part[name] for part in written]) for name in written[0]}
        game, seat, kind = np.nonzero(dealt)
        hands = {
            "game": (first + game).astype(np.int64),
            "seat": seat.astype(np.int8),
            "card": kind.astype(np.int16),
            "n": dealt[game, seat, kind],
        }
        return Batch(first, end, games, pl.DataFrame(steps_of_all), pl.DataFrame(hands))

    def _rows(self, games: int) -> Any:
        seats = self.cell.seats
        return self.module.Rows(
            start=np.zeros(games, np.int8),
            decisions=np.zeros(games, np.int32),
            turns=np.zeros(games, np.int32),
            rounds=np.zeros(games, np.int32),
            legal=np.zeros(games, np.int64),
            bits=np.zeros(games, np.int64),
            forced=np.zeros(games, np.int32),
            capped=np.zeros(games, np.bool_),
            stuck=np.zeros(games, np.bool_),
            repeats=np.zeros(games, np.int32),
            kinds=np.zeros((games, self.kinds_of_moves), np.int32),
            ranks=np.zeros((games, seats), np.int64),
            scores=np.zeros((games, seats), np.int64),
        )

    def _steps(self, size: int) -> Any:
        return self.module.Steps(
            game=np.zeros(size, np.int64),
            n=np.zeros(size, np.int32),
            seat=np.zeros(size, np.int8),
            kind=np.zeros(size, np.int8),
            a=np.zeros(size, np.int32),
            b=np.zeros(size, np.int32),
            c=np.zeros(size, np.int32),
            legal=np.zeros(size, np.int16),
            hidden=np.zeros(size, np.int16),
            truth=np.zeros(size, np.int8),
        )


def games_frame(cell: Cell, first: int, seeds: Array, rows: Any) -> pl.DataFrame:
    """The rows of a batch of games as a frame. `rank_0`, `score_0`, ... are by seat; `made_play`, ... by kind of move;
    `bits` are the base-two logarithms of the numbers of legal moves, added up."""
    n = len(seeds)
    columns: dict[str, Array] = {
        "game": np.arange(first, first + n, dtype=np.int64),
        "seed": seeds[:, 0],
        "bot_seed": seeds[:, 1],
    }
    for name in ("start", "decisions", "turns", "rounds", "legal", "forced", "capped", "stuck", "repeats"):
        columns[name] = getattr(rows, name)
    columns["bits"] = rows.bits.astype(np.int64)
    for move in cell.rules.moves:
        columns[f"made_{move.name}"] = rows.kinds[:, move.kind].copy()
    for seat in range(cell.seats):
        columns[f"rank_{seat}"] = rows.ranks[:, seat].astype(np.int8)
        columns[f"score_{seat}"] = rows.scores[:, seat].astype(np.int32)
    return pl.DataFrame(columns)


def play(
    cell: Cell, first: int, end: int, threads: int | None = None, kept: int = 0, table: Table | None = None
) -> Iterator[Batch]:
    """Play the games `first` to `end` - 1 of a cell; batch after batch, in order, the same however many `threads` play
    (all cores, unless told). The decisions of the games before number `kept` are written down.

    To stop early, close the iterator: what is being played then is thrown away. CompiledRulesError for rules of a
    maker that cannot be compiled or go wrong."""
    with compiled_told_of(cell.rules):
        table = table or Table(cell)
        warm(table, kept > first)
    threads = min(threads or cores(), MOST_THREADS)
    bounds = deque(_bounds(table, first, end, kept))
    running: deque[Future[Batch]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            while bounds or running:
                while bounds and len(running) < AHEAD * threads:
                    start, stop = bounds.popleft()
                    running.append(pool.submit(table.play, start, stop, start < kept))
                with compiled_told_of(cell.rules):
                    batch = running.popleft().result()
                yield batch
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def warm(table: Table, keep: bool) -> None:
    """Compile what has not been compiled yet, by playing a game."""
    table.play(0, 1, keep)


def _bounds(table: Table, first: int, end: int, kept: int) -> Iterator[tuple[int, int]]:
    """The batches: first those of which decisions are kept."""
    kept = min(max(kept, first), end)
    for low, high, size in ((first, kept, BATCH_KEPT), (kept, end, BATCH)):
        step = 1 if table.thinks else size
        for start in range(low, high, step):
            yield start, min(start + step, high)
