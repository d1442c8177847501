"""The store: tables and their events in SQLite or PostgreSQL.

It knows rows, not games. What it was asked to keep is on disk when a call returns, or the call raises."""

from __future__ import annotations

import os
import re
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from tefuda.tables.schema import analyses, events, reports, seats, tables

MIGRATIONS = Path(__file__).parent / "migrations"

SECONDS_TO_WAIT = 5
"""How long a write waits for another's lock before the store is said to be busy."""

SECONDS_TO_MIGRATE = 60
"""How long a server that starts waits for another that is just making the schema: on a busy machine that takes more
than a write."""

MOST_SHOWN = 80
"""Characters of a URL that a message repeats."""

POSTGRES_LOCK = 0x7EF0DA
"""The advisory lock under which servers that start together migrate one after the other."""

Json = Any


class StoreError(Exception):
    """The store cannot be read or written just now (locked, disk full, connection lost). Nothing was half kept."""


class TakenError(Exception):
    """That table already has an event of that number, or that name is taken: somebody was faster."""


def milliseconds() -> int:
    """Now, in milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True)
class EventRow:
    """An event as it is kept: what kind (`tefuda.tables.rows` lists them), whose (a seat, or None), and what else there
    is to it; `at` in milliseconds since 1970."""

    number: int
    kind: str
    seat: int | None
    body: dict[str, Json]
    at: int = field(default_factory=milliseconds)


@dataclass(frozen=True)
class TableRow:
    """A table without its events. `phase`: waiting, playing or over. `due`: when something is to happen by itself (0:
    now; None: never). `host`: what the store keeps of the token of whoever opened it for friends."""

    id: str
    game: str
    rules: str
    options: dict[str, Json]
    settings: dict[str, Json]
    key: bytes
    result: dict[str, Json] | None
    nonce: bytes | None = None
    host: bytes | None = None
    phase: str = "playing"
    public: bool = False
    due: int | None = None
    opened: int = field(default_factory=milliseconds)
    touched: int = 0


@dataclass(frozen=True)
class ReportRow:
    """What somebody felt of a game: `at` in milliseconds since 1970, and the answers."""

    table_id: str
    seat: int
    at: int
    body: dict[str, Json]


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
        self._writer = threading.Lock()
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
                connection.exec_driver_sql(f"PRAGMA busy_timeout = {1000 * SECONDS_TO_MIGRATE}")
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            else:
                for timeout in ("lock_timeout", "statement_timeout"):  # of this transaction alone
                    connection.exec_driver_sql(f"SET LOCAL {timeout} = '{SECONDS_TO_MIGRATE}s'")
                connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({POSTGRES_LOCK})"))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
        self.engine.dispose()  # the connections to come wait as long as a write does

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
        with self._turn(), _errors_told(), self.engine.begin() as connection:
            yield connection
            if self.sqlite:
                self._check_file()

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """SQLite has one writer at a time, and whoever finds it busy sleeps and tries again, longer and longer. Within
        a process each has its turn instead, at once when the one before is done."""
        if not self.sqlite:
            yield
            return
        if not self._writer.acquire(timeout=SECONDS_TO_WAIT):
            raise StoreError("the database is busy: others have been waiting to write for too long")
        try:
            yield
        finally:
            self._writer.release()

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with _errors_told(), self.engine.connect() as connection:
            yield connection

    # ------------------------------------------------------------------------------------------------ writing

    def open_table(self, row: TableRow, rows: Sequence[EventRow], digests: Mapping[int, bytes]) -> None:
        """Keep a new table with its first events, all or nothing. TakenError when its name is in use."""
        with self._writing() as connection:
            values = {column.name: getattr(row, column.name) for column in tables.columns}
            connection.execute(sa.insert(tables).values(values | {"touched": rows[-1].at}))
            connection.execute(sa.insert(events), [_event_values(row.id, e) for e in rows])
            _set_seats(connection, row.id, digests)

    def append(
        self,
        table_id: str,
        rows: Sequence[EventRow],
        values: Mapping[str, Json],
        digests: Mapping[int, bytes | None] | None = None,
    ) -> None:
        """Keep more events of a table with what they change of its row (`values`) and of who holds its seats (None:
        nobody does), all or nothing. TakenError when a number or a seat is already there; then nothing was changed.

        Of plans only the last one's body is kept: earlier ones mean nothing any more, and a long list of words in each
        would be read whenever somebody looks at the table."""
        with self._writing() as connection:
            if any(row.kind == "plan" for row in rows):
                earlier = (events.c.table_id == table_id) & (events.c.kind == "plan")
                connection.execute(sa.update(events).where(earlier).values(body={}))
            connection.execute(sa.insert(events), [_event_values(table_id, e) for e in rows])
            changed = {**values, "touched": rows[-1].at}
            connection.execute(sa.update(tables).where(tables.c.id == table_id).values(changed))
            _set_seats(connection, table_id, digests or {})

    def keep_analysis(self, table_id: str, body: dict[str, Json]) -> None:
        """Keep what was thought of a finished game, once; a later one takes its place."""
        with self._writing() as connection:
            connection.execute(sa.delete(analyses).where(analyses.c.table_id == table_id))
            connection.execute(sa.insert(analyses).values(table_id=table_id, body=body))

    def keep_report(self, report: ReportRow) -> None:
        """Keep what somebody felt of a game; a later one of the same seat takes its place."""
        with self._writing() as connection:
            theirs = (reports.c.table_id == report.table_id) & (reports.c.seat == report.seat)
            connection.execute(sa.delete(reports).where(theirs))
            values = {"table_id": report.table_id, "seat": report.seat, "at": report.at, "body": report.body}
            connection.execute(sa.insert(reports).values(values))

    def delete(self, table_id: str) -> bool:
        """Delete a table and all that is kept of it; whether there was one."""
        with self._writing() as connection:
            return connection.execute(sa.delete(tables).where(tables.c.id == table_id)).rowcount > 0

    def expire(self, phase: str, before: int) -> list[str]:
        """Delete the tables of a phase that nobody has touched since; their names."""
        old = (tables.c.phase == phase) & (tables.c.touched < before)
        with self._writing() as connection:
            gone = list(connection.execute(sa.select(tables.c.id).where(old)).scalars())
            connection.execute(sa.delete(tables).where(old))
        return gone

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
        return (
            _table_row(found),
            [EventRow(e.number, e.kind, e.seat, e.body, e.at) for e in rows],
            {seat.seat: bytes(seat.digest) for seat in kept},
        )

    def last_number(self, table_id: str) -> int | None:
        """The number of a table's last event; None when there is no such table."""
        with self._reading() as connection:
            number = connection.execute(
                sa.select(sa.func.max(events.c.number)).where(events.c.table_id == table_id)
            ).scalar_one()
        return None if number is None else int(number)

    def last_numbers(self, table_ids: Sequence[str]) -> dict[str, int]:
        """The numbers of the last events of many tables; a table that does not exist is left out."""
        if not table_ids:
            return {}
        # For each table by itself: so the index gives the number, and no other event is read.
        last = sa.select(sa.func.max(events.c.number)).where(events.c.table_id == tables.c.id).scalar_subquery()
        with self._reading() as connection:
            found = connection.execute(sa.select(tables.c.id, last).where(tables.c.id.in_(table_ids))).all()
        return {table_id: number for table_id, number in found}

    def due(self, until: int) -> list[str]:
        """The tables at which something happens by itself until a time (milliseconds since 1970), the oldest first."""
        with self._reading() as connection:
            wanted = sa.select(tables.c.id).where(tables.c.due <= until).order_by(tables.c.opened)
            return list(connection.execute(wanted).scalars())

    def listed(self, phase: str, most: int) -> list[str]:
        """The public tables of a phase, the one touched last first."""
        with self._reading() as connection:
            wanted = sa.select(tables.c.id).where(tables.c.public & (tables.c.phase == phase))
            return list(connection.execute(wanted.order_by(tables.c.touched.desc()).limit(most)).scalars())

    def analysis(self, table_id: str) -> dict[str, Json] | None:
        """What was thought of a finished game; None when nothing is kept."""
        with self._reading() as connection:
            wanted = sa.select(analyses.c.body).where(analyses.c.table_id == table_id)
            found: dict[str, Json] | None = connection.execute(wanted).scalar_one_or_none()
        return found

    def reports(self, *, table_id: str | None = None, game: str | None = None) -> list[ReportRow]:
        """What people felt, at one table or of one game, the latest first."""
        wanted = sa.select(reports).order_by(reports.c.at.desc())
        if table_id is not None:
            wanted = wanted.where(reports.c.table_id == table_id)
        if game is not None:
            wanted = wanted.join(tables).where(tables.c.game == game)
        with self._reading() as connection:
            return [ReportRow(r.table_id, r.seat, r.at, r.body) for r in connection.execute(wanted).all()]

    def played(self, game: str, most: int) -> list[str]:
        """The tables at which a game was played to its end, the latest first."""
        with self._reading() as connection:
            wanted = sa.select(tables.c.id).where((tables.c.game == game) & (tables.c.phase == "over"))
            return list(connection.execute(wanted.order_by(tables.c.touched.desc()).limit(most)).scalars())


def _table_row(found: sa.Row[Json]) -> TableRow:
    values = {column.name: getattr(found, column.name) for column in tables.columns}
    for name in ("key", "nonce", "host"):
        values[name] = None if values[name] is None else bytes(values[name])
    return TableRow(**values)


def _set_seats(connection: Connection, table_id: str, digests: Mapping[int, bytes | None]) -> None:
    """Let others hold seats: first who leaves, then who sits down, so that people can change places."""
    if digests:
        there = (seats.c.table_id == table_id) & seats.c.seat.in_([s for s, held in digests.items() if held is None])
        connection.execute(sa.delete(seats).where(there))
    taken = [{"table_id": table_id, "seat": seat, "digest": held} for seat, held in digests.items() if held is not None]
    if taken:
        connection.execute(sa.insert(seats), taken)


def _event_values(table_id: str, event: EventRow) -> dict[str, Json]:
    return {
        "table_id": table_id,
        "number": event.number,
        "at": event.at,
        "kind": event.kind,
        "seat": event.seat,
        "body": event.body,
    }


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
