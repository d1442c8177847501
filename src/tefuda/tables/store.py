"""The store: tables and their events in SQLite or PostgreSQL.

It knows rows, not games. What it was asked to keep is on disk when a call returns, or the call raises."""

from __future__ import annotations

import os
import re
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from tefuda.tables.schema import events, seats, tables

MIGRATIONS = Path(__file__).parent / "migrations"

SECONDS_TO_WAIT = 5
"""How long a write waits for another's lock before the store is said to be busy."""

MOST_SHOWN = 80
"""Characters of a URL that a message repeats."""

POSTGRES_LOCK = 0x7EF0DA
"""The advisory lock under which servers that start together migrate one after the other."""

Json = Any


class StoreError(Exception):
    """The store cannot be read or written just now (locked, disk full, connection lost). Nothing was half kept."""


class TakenError(Exception):
    """That table already has an event of that number, or that name is taken: somebody was faster."""


@dataclass(frozen=True)
class EventRow:
    """An event as it is kept. `kind`: `sit` (a seat is taken), `deal`, or `move`; chance stands with what caused it.
    `again`: a seat has asked for another game, at that table. `propose`, `vote` and `word` are about words of the
    table's own; `set` changes what it is set to."""

    number: int
    kind: str
    seat: int | None
    body: dict[str, Json]


@dataclass(frozen=True)
class TableRow:
    """What of a table never changes, and its result once it has one."""

    id: str
    game: str
    rules: str
    options: dict[str, Json]
    settings: dict[str, Json]
    key: bytes
    result: dict[str, Json] | None


def default_database() -> str:
    """The URL of the database that is used unless told: a file in the user's data folder (TEFUDA_DATA names another
    folder)."""
    given = os.environ.get("TEFUDA_DATA")
    base = os.environ.get("XDG_DATA_HOME")
    folder = Path(given) if given else (Path(base) if base else Path.home() / ".local" / "share") / "tefuda"
    return URL.create("sqlite", database=str(folder / "tables.sqlite3")).render_as_string()


class Store:
    """A database with the schema of today; older ones are brought up to date when it is opened.

    `url` is SQLAlchemy's (`sqlite:///file`, `postgresql://…`). ValueError when it makes no sense, StoreError when the
    database cannot be reached."""

    def __init__(self, url: str | None = None) -> None:
        self.url = _checked(default_database() if url is None else url)
        self.sqlite = self.url.get_backend_name() == "sqlite"
        settings: dict[str, Any] = {}
        if self.sqlite:
            self._path = Path(self.url.database or "").absolute()
            self._file = _make_file(self._path)
            settings["creator"] = self._connect_sqlite
        else:
            settings["pool_pre_ping"] = True
        self.engine = sa.create_engine(self.url, **settings)
        if self.sqlite:
            sa.event.listen(self.engine, "connect", _set_up_sqlite)
        else:
            sa.event.listen(self.engine, "connect", _set_up_postgres)
        self._migrate()

    def close(self) -> None:
        """Let the connections go."""
        self.engine.dispose()

    def _migrate(self) -> None:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        with _errors_told(), self.engine.begin() as connection:
            if self.sqlite:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            else:
                connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({POSTGRES_LOCK})"))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    def _connect_sqlite(self) -> sqlite3.Connection:
        """A connection to the file that is there; it does not make another when that is gone."""
        return sqlite3.connect(
            f"{self._path.as_uri()}?mode=rw", uri=True, timeout=SECONDS_TO_WAIT, check_same_thread=False
        )

    def _check_file(self) -> None:
        """SQLite goes on writing to a file that was deleted or replaced, where nobody finds it again."""
        try:
            now = _identity(os.stat(self._path))
        except OSError as e:
            raise StoreError(f"{self._path} is gone: {e.strerror}") from e
        if now != self._file:
            raise StoreError(f"{self._path} is another file than when the server started; start it again")

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with _errors_told(), self.engine.begin() as connection:
            yield connection
            if self.sqlite:
                self._check_file()

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with _errors_told(), self.engine.connect() as connection:
            yield connection

    # ------------------------------------------------------------------------------------------------ writing

    def open_table(self, row: TableRow, rows: Sequence[EventRow], digests: dict[int, bytes], bot_due: bool) -> None:
        """Keep a new table with its first events, all or nothing. TakenError when its name is in use."""
        now = milliseconds()
        with self._writing() as connection:
            connection.execute(
                sa.insert(tables).values(
                    id=row.id,
                    game=row.game,
                    rules=row.rules,
                    options=row.options,
                    settings=row.settings,
                    key=row.key,
                    opened=now,
                    bot_due=bot_due,
                    result=row.result,
                )
            )
            connection.execute(
                sa.insert(events),
                [_event_values(row.id, e, now) for e in rows],
            )
            if digests:
                connection.execute(
                    sa.insert(seats),
                    [{"table_id": row.id, "seat": seat, "digest": digest} for seat, digest in digests.items()],
                )

    def append(self, table_id: str, rows: Sequence[EventRow], bot_due: bool, result: dict[str, Json] | None) -> None:
        """Keep more events of a table, all or none. TakenError when a number is already there; then nothing was
        changed."""
        now = milliseconds()
        with self._writing() as connection:
            connection.execute(sa.insert(events), [_event_values(table_id, e, now) for e in rows])
            connection.execute(sa.update(tables).where(tables.c.id == table_id).values(bot_due=bot_due, result=result))

    # ------------------------------------------------------------------------------------------------ reading

    def table(self, table_id: str) -> tuple[TableRow, list[EventRow], dict[int, bytes]] | None:
        """A table, its events in order, and the digests of its seats' tokens; None when there is no such table."""
        with self._reading() as connection:
            found = connection.execute(sa.select(tables).where(tables.c.id == table_id)).one_or_none()
            if found is None:
                return None
            rows = connection.execute(
                sa.select(events).where(events.c.table_id == table_id).order_by(events.c.number)
            ).all()
            kept = connection.execute(sa.select(seats).where(seats.c.table_id == table_id)).all()
        row = TableRow(
            found.id, found.game, found.rules, found.options, found.settings, bytes(found.key), found.result
        )
        return (
            row,
            [EventRow(e.number, e.kind, e.seat, e.body) for e in rows],
            {seat.seat: bytes(seat.digest) for seat in kept},
        )

    def last_number(self, table_id: str) -> int | None:
        """The number of a table's last event; None when there is no such table."""
        with self._reading() as connection:
            number = connection.execute(
                sa.select(sa.func.max(events.c.number)).where(events.c.table_id == table_id)
            ).scalar_one()
        return None if number is None else int(number)

    def waiting_for_bots(self) -> list[str]:
        """The tables at which a bot's decision is due, or silence decides, the oldest first."""
        with self._reading() as connection:
            found = connection.execute(
                sa.select(tables.c.id).where(tables.c.bot_due).order_by(tables.c.opened)
            ).scalars()
            return list(found)


def _event_values(table_id: str, event: EventRow, at: int) -> dict[str, Json]:
    return {
        "table_id": table_id,
        "number": event.number,
        "at": at,
        "kind": event.kind,
        "seat": event.seat,
        "body": event.body,
    }


def milliseconds() -> int:
    """Now, in milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


def _checked(text: str) -> URL:
    try:
        url = make_url(text)
        url.get_dialect()
    except (SQLAlchemyError, ValueError, ImportError) as e:
        raise ValueError(
            f"{_without_password(text)} is no database URL; sqlite:///tables.sqlite3 and "
            "postgresql://user@host/name are"
        ) from e
    backend = url.get_backend_name()
    if backend == "sqlite":
        url = url.set(drivername="sqlite")
        if url.database in (None, "", ":memory:"):
            raise ValueError("a table must outlive the server: name a file, as in sqlite:///tables.sqlite3")
        return url
    if backend != "postgresql":
        raise ValueError(f"the store can be SQLite or PostgreSQL, not {backend}")
    return url.set(drivername="postgresql+psycopg")


def _without_password(text: str) -> str:
    """A URL as it may be shown, however it is written; no more of it than a person would read."""
    shown = re.sub(r"(?s)^([^:]*://)?([^:@]*):(?!//).*@", r"\1\2:***@", text)
    shown = re.sub(r"(?i)(password=)[^&]*", r"\1***", shown)
    return repr(shown if len(shown) <= MOST_SHOWN else shown[: MOST_SHOWN - 3] + "...")


def _make_file(path: Path) -> tuple[int, int]:
    """The file holds what must stay hidden while people play: only the owner may read it. Which file it is."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        try:
            found = os.fstat(handle)
            if found.st_uid == os.getuid():
                os.fchmod(handle, 0o600)
            return _identity(found)
        finally:
            os.close(handle)
    except OSError as e:
        raise StoreError(f"{path} cannot be written: {e.strerror}") from e


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _set_up_sqlite(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")  # readers do not wait for a writer, nor it for them
    # With WAL, NORMAL may lose the last moves when the power fails. A move that was answered must not be lost, and at
    # a table moves are seconds apart: the few milliseconds of a full sync are not felt.
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _set_up_postgres(connection: Any, _: Any) -> None:
    # What a request waits for must end: a person is told that the store is busy instead.
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = '{SECONDS_TO_WAIT}s'")
        cursor.execute(f"SET statement_timeout = '{3 * SECONDS_TO_WAIT}s'")
    connection.commit()


@contextmanager
def _errors_told() -> Iterator[None]:
    try:
        yield
    except IntegrityError as e:
        raise TakenError from e
    except DBAPIError as e:
        raise StoreError(str(e.orig)) from e
    except SQLAlchemyError as e:  # the pool gave up waiting, for one
        raise StoreError(str(e)) from e
