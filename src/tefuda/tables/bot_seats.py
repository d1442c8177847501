"""The bots in their seats: whenever a bot's decision is due, choose beside everything else, and play.

Nothing here has to be remembered: which tables wait for a bot stands in the store, so after a restart the bots go on
by themselves."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

from tefuda import bots
from tefuda.engine.rules import Rules, RulesError
from tefuda.tables.store import StoreError, milliseconds
from tefuda.tables.table import (
    BotTurn,
    FormerRulesError,
    StaleError,
    Table,
    TableSpoiltError,
    UnknownTableError,
    WaitingError,
)
from tefuda.tables.tables import Tables

log = logging.getLogger("tefuda.tables")

PAUSE = 0.9
"""Seconds from when a bot's decision is due to when it plays, so that people can follow what happens. The bot thinks
meanwhile: how long it thought, which may tell of its hand, is not seen."""

SECONDS_OF_HOLD = 60.0
"""So long a person may hold the silence that would else be the answer: to lay out what is claimed."""

SECONDS_BETWEEN_LOOKS = 5.0
"""So often the store is asked for decisions that wait for a bot: another process may have died before it played."""

SECONDS_AHEAD = 30.0
"""Clocks that run out within so many seconds are kept here; of others the store reminds in time."""

SECONDS_UNTIL_STORE = 3.0
"""After the store could not be used, a bot tries again so much later."""

SECONDS_UNTIL_BROKEN = 60.0
"""The same after a bot could not choose at all."""

Choose = Callable[[BotTurn], int]
"""How a bot chooses: what is due in, a move out."""


@dataclass(frozen=True)
class Due:
    """What is due when its time comes: the move of a bot, or what the silence of a person means (`silence`); or, when
    there is no move, that the clock of a person has run out."""

    seat: int
    number: int
    text: str | None
    silence: bool = False

    @property
    def bots(self) -> bool:
        """Whether it is a bot's move."""
        return self.text is not None and not self.silence


class BotSeats:
    """Plays for the bots at all tables, on threads of its own; and for people who say nothing, where that is a move.

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
        self.without_store: set[str] = set()
        """Tables whose bot has a move that the store would not keep yet."""
        self.troubled: list[Callable[[str], None]] = []
        """Called with a table's name when a trouble of its bots begins, from any thread."""
        self._preparing = list(tables.shelf.values())
        """Games whose bots are not prepared yet; the first is just being prepared."""
        self._lock = threading.Lock()
        self._busy: set[str] = set()
        """Tables whose bot is thinking here, or has thought and waits for its pause to end."""
        self._waiting: dict[str, tuple[asyncio.TimerHandle, Due]] = {}
        """Of those, the ones that wait: until when, and what is due then."""
        self._held: dict[str, int] = {}
        """Tables whose silence a person holds, at the moment of that number."""
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
        self._soon(0, self._look)

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

    def hold(self, table_id: str, number: int) -> None:
        """The person on turn at the moment `number` is about to say something: silence is no answer for a while. Once
        a decision."""
        self._loop.call_soon_threadsafe(self._hold, table_id, number)

    # -------------------------------------------------------------- in the thread of whoever calls, or a bot's

    def _prepare_all(self) -> None:
        while self._preparing and not self._stopped.is_set():
            rules = self._preparing[0]
            try:
                self.warm(rules)
            except RulesError as e:
                log.error("the bots of %s cannot be prepared: %s", rules.id, e)
            except Exception:  # the game can still be played; a bot that cannot choose is told of at its table
                log.exception("the bots of %s cannot be prepared", rules.id)
            with self._lock:
                self._preparing.remove(rules)
            for listener in self.prepared:
                listener(rules)

    def _prepare_soon(self, rules: Rules) -> None:
        """Somebody waits for this game's bots: they are the next to be prepared."""
        with self._lock:
            if rules in self._preparing[1:]:
                self._preparing.remove(rules)
                self._preparing.insert(1, rules)

    def _look(self) -> None:
        """Take up every decision that waits for a bot, now and again from time to time."""
        seconds = SECONDS_BETWEEN_LOOKS
        try:
            for table_id in self.tables.store.due(milliseconds() + int(1000 * SECONDS_AHEAD)):
                self._call(self._due, table_id)
        except StoreError as e:
            log.warning("the store does not say which tables wait for a bot: %s", e)
            seconds = SECONDS_UNTIL_STORE
        self._soon(seconds, self._look)

    def _heard(self, table: Table) -> None:
        self.without_store.discard(table.id)
        if not table.bot_due:
            self._call(self._hurried.discard, table.id)
        due = table.due
        soon = due is not None and due <= milliseconds() + 1000 * SECONDS_AHEAD
        self._call(self._due if soon else self._passed, table.id, table.number, table.bot_due)

    def _think(self, table_id: str, until: float) -> None:
        """Choose a move, when a bot's decision is due; it is played at the time `until` of the clock."""
        with self._troubles_told(table_id):
            turn = self.tables.bot_turn(table_id)
            if turn is not None:
                self._prepare_soon(turn.rules)
            if turn is None:
                self._wait_for_person(table_id, until - self.pause)
                return
            move = self.choose(turn)
            if not self._stopped.is_set():  # else perhaps chosen in haste; it is chosen again after the next start
                self._call(self._chosen, table_id, Due(turn.seat, turn.number, turn.notation.text(move)), until)

    def _wait_for_person(self, table_id: str, now: float) -> None:
        """A person is on turn: their silence may be the answer, or their clock run out, whichever comes first; `now` by
        the clock's time."""
        with self.tables.at(table_id) as table:
            silence, deadline = table.silence, table.deadline
            seat, number = table.game.seat, table.number
        times: list[tuple[float, Due]] = []
        if silence is not None:
            times.append((now + silence.seconds, Due(silence.seat, silence.number, silence.text, silence=True)))
        if deadline is not None and seat is not None:
            times.append((self._loop.time() + (deadline - milliseconds()) / 1000, Due(seat, number, None)))
        if times:
            until, due = min(times, key=lambda time: time[0])
            self._call(self._chosen, table_id, due, until)
        else:
            self._call(self._busy.discard, table_id)

    def _play(self, table_id: str, due: Due) -> None:
        with self._troubles_told(table_id):
            if due.text is None:
                self.tables.run_out(table_id, due.number)
            else:
                self.tables.play(table_id, due.seat, due.text, due.number, person=due.silence)
            self.at_a_loss.discard(table_id)

    @contextmanager
    def _troubles_told(self, table_id: str) -> Iterator[None]:
        """What goes wrong is logged, and tried again where that may help."""
        again: float | None = None
        try:
            yield
            return
        except StaleError:  # another process was faster; there may be another decision now
            again = 0.0
        except StoreError as e:
            log.warning("table %s: the bot's move could not be kept, it will be tried again: %s", table_id, e)
            self._trouble(self.without_store, table_id)
            again = SECONDS_UNTIL_STORE
        except (UnknownTableError, WaitingError):  # deleted meanwhile
            again = None
        except (FormerRulesError, TableSpoiltError) as e:
            if table_id not in self.at_a_loss:
                log.warning("table %s: its bots have stopped: %s", table_id, type(e).__name__)
            self._trouble(self.at_a_loss, table_id)
        except RulesError as e:
            if table_id not in self.at_a_loss:
                log.error("table %s: the bot cannot choose, it will try again: %s", table_id, e)
            self._trouble(self.at_a_loss, table_id)
            again = SECONDS_UNTIL_BROKEN
        except Exception:
            log.exception("table %s: the bot cannot choose, it will try again", table_id)
            self._trouble(self.at_a_loss, table_id)
            again = SECONDS_UNTIL_BROKEN
        self._call(self._later, table_id, again)

    def _trouble(self, tables: set[str], table_id: str) -> None:
        if table_id not in tables:
            tables.add(table_id)
            for listener in self.troubled:
                listener(table_id)

    def _choose(self, turn: BotTurn) -> int:
        bot, stop = bots.parse(turn.spec), self._stopped.is_set
        return bots.choose(bot, turn.known, turn.rules, turn.options, stop=stop, words=turn.words)

    def _soon(self, seconds: float, function: Callable[..., None]) -> None:
        """Have a worker call it, so many seconds from now."""
        self._call(self._loop.call_later, seconds, self._submit, function)

    def _call(self, function: Callable[..., object], *arguments: object) -> None:
        try:
            self._loop.call_soon_threadsafe(function, *arguments)
        except RuntimeError:  # closed: what was due is taken up after the next start
            log.debug("the bots have stopped")

    # --------------------------------------------------------------------------------- in the clock's own thread

    def _submit(self, function: Callable[..., None], *arguments: object) -> None:
        if not self._stopped.is_set():
            self._pool.submit(function, *arguments)

    def _due(self, table_id: str, number: int | None = None, bot: bool = False) -> None:
        self._passed(table_id, number, bot)
        if table_id not in self._busy:
            self._busy.add(table_id)
            self._submit(self._think, table_id, self._loop.time() + self.pause)

    def _passed(self, table_id: str, number: int | None, bot: bool) -> None:
        """The table is at the moment `number` now, and a bot is due or a person: what waited for an earlier one, or
        for the other of the two, is not due any more."""
        if number is not None and table_id in self._waiting:
            due = self._waiting[table_id][1]
            if due.number != number or due.bots != bot:
                self._waiting.pop(table_id)[0].cancel()
                self._busy.discard(table_id)
        if self._held.get(table_id) != number:
            self._held.pop(table_id, None)

    def _chosen(self, table_id: str, due: Due, until: float) -> None:
        if due.silence and self._held.get(table_id) == due.number:
            until += SECONDS_OF_HOLD
        before = self._waiting.pop(table_id, None)
        if before is not None:  # chosen twice: a move came too late while the next decision was thought about already
            before[0].cancel()
        hurried = table_id in self._hurried and due.bots
        at = self._loop.time() if hurried else until
        self._waiting[table_id] = (self._loop.call_at(at, self._end_pause, table_id), due)

    def _hold(self, table_id: str, number: int) -> None:
        if self._held.get(table_id) == number:
            return
        self._held[table_id] = number
        if table_id in self._waiting and self._waiting[table_id][1].silence:
            handle, due = self._waiting[table_id]
            if due.number == number:
                handle.cancel()
                self._chosen(table_id, due, self._loop.time())

    def _end_pause(self, table_id: str) -> None:
        _, due = self._waiting.pop(table_id)
        self._busy.discard(table_id)  # the next decision is due as soon as this one is played
        self._submit(self._play, table_id, due)

    def _later(self, table_id: str, seconds: float | None) -> None:
        """Let a table go; have its bot try again after so many seconds."""
        self._busy.discard(table_id)
        if seconds is not None:
            self._busy.add(table_id)
            self._loop.call_later(seconds, self._retry, table_id)

    def _retry(self, table_id: str) -> None:
        self._busy.discard(table_id)
        self._due(table_id)

    def _hurry(self, table_id: str) -> None:
        self._hurried.add(table_id)
        due = self._waiting[table_id][1] if table_id in self._waiting else None
        if due is not None and due.bots:
            self._waiting[table_id][0].cancel()
            self._end_pause(table_id)
