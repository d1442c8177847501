"""Telling the browsers that are looking at a table that it has changed.

A message holds the number of one of the table's events and nothing else, and it is the same for every viewer, sent at
the same time: who may see what is settled when the browser then asks for its own page.

The events of a table are numbered without a gap. So what a stream has still to tell follows from the number it told
last and the number of the last event: nothing is queued, and a slow reader is told every number all the same."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field

from starlette.concurrency import run_in_threadpool

from tefuda.tables import StoreError, Table, Tables

SECONDS_BETWEEN_LOOKS = 1.0
"""So often the store is asked whether another process has added something: once for all tables that are watched."""


@dataclass
class _Watched:
    """A table that somebody listens to. `number`: of its last event, as far as this process has heard; `besides`: how
    often something about it has changed that is no event of its own; `gone`: it was deleted; `streams`: one signal for
    each listener."""

    number: int = -1
    besides: int = 0
    gone: bool = False
    streams: set[asyncio.Event] = field(default_factory=set)

    def wake(self) -> None:
        for stream in self.streams:
            stream.set()


class Listeners:
    """The browsers that listen, by table. Lives in one event loop; `changed`, `gathered`, `troubled`, `all_changed` and
    `close` may be called from any thread."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._watched: dict[str, _Watched] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._looking: asyncio.Task[None] | None = None
        self._closed = False
        self._streams: Counter[str] = Counter()

    def start(self) -> None:
        """From now on, in the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._looking = self._loop.create_task(self._keep_looking())
        self.tables.heard.append(self.changed)
        self.tables.gathered.append(self.gathered)

    def close(self) -> None:
        """Let all go: their streams end."""
        self._closed = True
        self._call(self._end)

    def changed(self, table: Table) -> None:
        """A table has more events; in the thread that holds it."""
        if table.id in self._watched:
            self._call(self._reached, table.id, table.last)

    def gathered(self, table_id: str) -> None:
        """Something has changed at a table that waits for its players, or it was deleted."""
        if table_id in self._watched:
            try:
                self._call(self._reached, table_id, self.tables.store.last_number(table_id))
            except StoreError:  # the next look finds it
                self.troubled(table_id)

    def troubled(self, table_id: str) -> None:
        """Something keeps a table from going on by itself."""
        self._call(self._changed_besides, table_id)

    def all_changed(self) -> None:
        """Something that many pages show has changed."""
        self._call(self._all_changed_besides)

    def _call(self, function: Callable[..., None], *arguments: str | int | None) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop is closed: nobody listens any more
                self._loop.call_soon_threadsafe(function, *arguments)

    # ------------------------------------------------------------------------------------------ in the event loop

    def _reached(self, table_id: str, number: int | None) -> None:
        """The number of a table's last event is at least that; None: there is no such table any more."""
        watched = self._watched.get(table_id)
        if watched is None:
            return
        if number is None:
            watched.gone = True
        elif number > watched.number:
            watched.number = number
        else:
            return
        watched.wake()

    def _changed_besides(self, table_id: str) -> None:
        watched = self._watched.get(table_id)
        if watched is not None:
            watched.besides += 1
            watched.wake()

    def _all_changed_besides(self) -> None:
        for table_id in self._watched:
            self._changed_besides(table_id)

    def _end(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
        for watched in self._watched.values():
            watched.wake()

    async def _keep_looking(self) -> None:
        while True:
            await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
            asked = list(self._watched)
            with suppress(StoreError):  # busy; there will be another look
                numbers = await run_in_threadpool(self.tables.store.last_numbers, asked)
                for table_id in asked:
                    self._reached(table_id, numbers.get(table_id))

    # ---------------------------------------------------------------------------------------------------- streams

    def take_place(self, client: str, of_client: float, of_all: float) -> bool:
        """Count one more stream of a client, where so many of its own and of all may be open; whether there is room.

        Whoever gets a place gives it back (`give_place`). It is taken before the stream begins: of many asked for at
        once, each must know of the others."""
        if self._streams[client] >= of_client or self._streams.total() >= of_all:
            return False
        self._streams[client] += 1
        return True

    def give_place(self, client: str) -> None:
        """A stream of a client has ended."""
        self._streams[client] -= 1
        if not self._streams[client]:
            del self._streams[client]

    async def changes(self, table_id: str, seen: int | None) -> AsyncIterator[int]:
        """The numbers of a table's events, each once and in order: those after the `seen` one; without one, the last,
        and then what comes. A number told again says that something else about the table has changed. Ends when the
        table is deleted. UnknownTableError, StoreError at the beginning."""
        watched, signal = self._watched.setdefault(table_id, _Watched()), asyncio.Event()
        watched.streams.add(signal)
        try:
            # Listening first and asking then: what happens in between is heard.
            self._reached(table_id, await run_in_threadpool(self.tables.last_number, table_id))
            told, besides = seen, watched.besides
            if told is None or told > watched.number:
                told = watched.number
                yield told
            while not self._closed:
                if told < watched.number or besides != watched.besides:
                    besides = watched.besides
                    if told == watched.number:
                        yield told
                    while told < watched.number and not self._closed:
                        told += 1
                        yield told
                    continue
                if watched.gone:
                    yield told  # who asks for the table now is told that it is gone
                    return
                await signal.wait()
                signal.clear()
        finally:
            watched.streams.discard(signal)
            if not watched.streams and self._watched.get(table_id) is watched:
                del self._watched[table_id]
