"""Telling the browsers that are looking at a table that it has changed.

A message holds the number of the table's last event and nothing else, and it is the same for every viewer, sent at
the same time: who may see what is settled when the browser then asks for its own page."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress

from starlette.concurrency import run_in_threadpool

from tefuda.tables import StoreError, Table, Tables

SECONDS_BETWEEN_LOOKS = 5.0
"""So often the store is asked whether another process has added something."""


class Listeners:
    """The browsers that listen, by table. Lives in one event loop; `changed`, `troubled`, `all_changed` and `close` may
    be called from any thread."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._events: dict[str, set[asyncio.Event]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False
        self._streams: Counter[str] = Counter()

    def start(self) -> None:
        """From now on, in the running event loop."""
        self._loop = asyncio.get_running_loop()
        self.tables.heard.append(self.changed)
        self.tables.gathered.append(self.troubled)

    def close(self) -> None:
        """Let all go: their streams end."""
        self._closed = True
        self._call(self._wake_all)

    def changed(self, table: Table) -> None:
        """A table has one more event."""
        self._call(self._wake, table.id)

    def troubled(self, table_id: str) -> None:
        """Something keeps a table from going on by itself, or somebody sits down at it before it begins."""
        self._call(self._wake, table_id)

    def all_changed(self) -> None:
        """Something that many pages show has changed."""
        self._call(self._wake_all)

    def _call(self, function: object, *arguments: str) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop is closed: nobody listens any more
                self._loop.call_soon_threadsafe(function, *arguments)  # type: ignore[arg-type]

    def _wake(self, table_id: str) -> None:
        for event in self._events.get(table_id, ()):
            event.set()

    def _wake_all(self) -> None:
        for table_id in self._events:
            self._wake(table_id)

    def room_for(self, client: str, of_client: int, of_all: int) -> bool:
        """Whether a client may open one more stream, where so many of its own and of all may be open."""
        return self._streams[client] < of_client and self._streams.total() < of_all

    @contextmanager
    def counted(self, client: str) -> Iterator[None]:
        """A stream of a client is open."""
        self._streams[client] += 1
        try:
            yield
        finally:
            self._streams[client] -= 1
            if not self._streams[client]:
                del self._streams[client]

    async def changes(self, table_id: str, seen: int | None) -> AsyncIterator[int]:
        """The numbers of a table's last event, one whenever there may be something new; at once when it is not the
        `seen` one. UnknownTableError."""
        event = asyncio.Event()
        self._events.setdefault(table_id, set()).add(event)
        try:
            number = await run_in_threadpool(self.tables.last_number, table_id)
            if number != seen:
                yield number
            while not self._closed:
                woken = True
                try:
                    await asyncio.wait_for(event.wait(), SECONDS_BETWEEN_LOOKS)
                except TimeoutError:
                    woken = False
                event.clear()
                with suppress(StoreError):  # busy; there will be another look
                    newest = await run_in_threadpool(self.tables.last_number, table_id)
                    if (newest != number or woken) and not self._closed:
                        number = newest
                        yield number
        finally:
            self._events[table_id].discard(event)
            if not self._events[table_id]:
                del self._events[table_id]
