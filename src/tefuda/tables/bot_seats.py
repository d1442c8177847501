"""The bots in their seats: whenever a bot's decision is due, choose beside everything else, and play.

Nothing here has to be remembered: which tables wait for a bot stands in the store, so after a restart the bots go on
by themselves."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from tefuda import bots
from tefuda.engine.rules import Rules
from tefuda.tables.table import (
    BotTurn,
    FormerRulesError,
    StaleError,
    StoreError,
    Table,
    Tables,
    TableSpoiltError,
    UnknownTableError,
)

log = logging.getLogger("tefuda.tables")

PAUSE = 0.9
"""Seconds before a bot plays, so that people can follow what happens."""

SECONDS_UNTIL_STORE = 3.0
"""After the store could not be used, a bot tries again so much later."""

SECONDS_UNTIL_BROKEN = 60.0
"""The same after a bot could not choose at all."""

Choose = Callable[[BotTurn], int]
"""How a bot chooses: what is due in, a move out."""


class BotSeats:
    """Plays for the bots at all tables, on threads of its own.

    `choose` and `warm` are the bots' (`tefuda.bots`) unless told; `pause` in seconds; `workers`: how many choose at a
    time, all cores but one unless told."""

    def __init__(
        self,
        tables: Tables,
        pause: float = PAUSE,
        workers: int | None = None,
        choose: Choose | None = None,
        warm: Callable[[Rules], object] | None = None,
    ) -> None:
        self.tables, self.pause = tables, pause
        self.choose = choose or self._choose
        self.warm = warm or bots.warm
        self.prepared: list[Callable[[Rules], None]] = []
        """Called when a game's bots need no more preparing, from any thread."""
        self.at_a_loss: set[str] = set()
        """Tables whose bot could not choose; the log of the server says why."""
        self._preparing = set(tables.shelf.values())
        self._waiting: dict[str, asyncio.TimerHandle] = {}
        self._hurried: set[str] = set()
        self._stopped = threading.Event()
        self._loop = asyncio.new_event_loop()  # keeps the time; no coroutine runs in it
        self._clock = threading.Thread(target=self._loop.run_forever, name="bots-clock", daemon=True)
        cores = max(1, (os.cpu_count() or 2) - 1)
        self._pool = ThreadPoolExecutor(workers or cores, thread_name_prefix="bot")

    def start(self) -> None:
        """Prepare the bots of every game, and take up all decisions that wait for one."""
        self.tables.heard.append(self._heard)
        self._clock.start()
        threading.Thread(target=self._prepare_all, name="bots-prepare", daemon=True).start()
        self._soon(0, self._take_up_all)

    def close(self) -> None:
        """Stop. A choice under way is dropped; it is made again after the next start."""
        self._stopped.set()
        self.tables.heard.remove(self._heard)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._clock.join()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._loop.close()

    def preparing(self, rules: Rules) -> bool:
        """Whether the first move of a bot in this game will still take its time."""
        return rules in self._preparing

    def hurry(self, table_id: str) -> None:
        """No pauses at this table until a person's decision is due."""
        self._loop.call_soon_threadsafe(self._hurry, table_id)

    # -------------------------------------------------------------- in the thread of whoever calls, or a bot's

    def _prepare_all(self) -> None:
        for rules in list(self._preparing):
            try:
                self.warm(rules)
            except Exception:  # the game can still be played; a bot that cannot choose is told of at its table
                log.exception("the bots of %s cannot be prepared", rules.id)
            self._preparing.discard(rules)
            for listener in self.prepared:
                listener(rules)

    def _take_up_all(self) -> None:
        try:
            for table_id in self.tables.store.waiting_for_bots():
                self._call(self._due, table_id)
        except StoreError as e:
            log.warning("the store does not say which tables wait for a bot: %s", e)
            self._soon(SECONDS_UNTIL_STORE, self._take_up_all)

    def _heard(self, table: Table) -> None:
        self._call(self._due if table.bot_due else self._not_due, table.id)

    def _turn(self, table_id: str) -> None:
        """Choose and play, when a bot's decision is due."""
        try:
            turn = self.tables.bot_turn(table_id)
            if turn is None:
                return
            move = self.choose(turn)
            if self._stopped.is_set():  # perhaps chosen in haste; it is chosen again after the next start
                return
            self.tables.play(table_id, turn.seat, turn.notation.text(move), turn.number)
            self.at_a_loss.discard(table_id)
        except StaleError:  # another process was faster; there may be another decision now
            self._soon(0, self._turn, table_id)
        except StoreError as e:
            log.warning("table %s: the bot's move could not be kept, it will be tried again: %s", table_id, e)
            self._soon(SECONDS_UNTIL_STORE, self._turn, table_id)
        except (UnknownTableError, FormerRulesError, TableSpoiltError) as e:
            log.warning("table %s: its bots have stopped: %s", table_id, type(e).__name__)
            self.at_a_loss.add(table_id)
        except Exception:
            log.exception("table %s: the bot cannot choose, it will try again", table_id)
            self.at_a_loss.add(table_id)
            self._soon(SECONDS_UNTIL_BROKEN, self._turn, table_id)

    def _choose(self, turn: BotTurn) -> int:
        return bots.choose(bots.parse(turn.spec), turn.known, turn.rules, turn.options, stop=self._stopped.is_set)

    def _soon(self, seconds: float, function: Callable[..., None], *arguments: str) -> None:
        """Have a worker call it, so many seconds from now."""
        self._call(self._loop.call_later, seconds, self._submit, function, *arguments)

    def _call(self, function: Callable[..., object], *arguments: object) -> None:
        try:
            self._loop.call_soon_threadsafe(function, *arguments)
        except RuntimeError:  # closed: what was due is taken up after the next start
            log.debug("the bots have stopped")

    # --------------------------------------------------------------------------------- in the clock's own thread

    def _submit(self, function: Callable[..., None], *arguments: str) -> None:
        self._pool.submit(function, *arguments)

    def _due(self, table_id: str) -> None:
        if table_id in self._waiting:
            return
        pause = 0.0 if table_id in self._hurried else self.pause
        self._waiting[table_id] = self._loop.call_later(pause, self._begin, table_id)

    def _not_due(self, table_id: str) -> None:
        self._hurried.discard(table_id)

    def _begin(self, table_id: str) -> None:
        del self._waiting[table_id]
        self._submit(self._turn, table_id)

    def _hurry(self, table_id: str) -> None:
        self._hurried.add(table_id)
        waiting = self._waiting.get(table_id)
        if waiting is not None:
            waiting.cancel()
            self._begin(table_id)
