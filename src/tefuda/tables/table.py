"""All the tables of a server: opened, found again after a restart, and played at, by people and bots alike.

A `Table` in memory is rebuilt from its events by the engine's own replay of records, so what the store holds is
checked as strictly as a record from outside, and the game goes on exactly where it was."""

from __future__ import annotations

import logging
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tefuda.engine.chance import Chance, SecretChance, ToldChance
from tefuda.engine.game import Event, Game, IllegalMove
from tefuda.engine.notation import Notation
from tefuda.engine.plain import PlainState
from tefuda.engine.record import FORMAT, RecordError, from_record
from tefuda.engine.rules import Rules, RulesError, UnknownGameError, find, game_ids
from tefuda.tables.sitters import Sitter, digest, new_token, seat_of
from tefuda.tables.store import EventRow, Store, StoreError, TableRow, TakenError
from tefuda.tables.table_names import PATTERN, new_table_name

log = logging.getLogger("tefuda.tables")

MOST_IN_MEMORY = 500
"""Games a process keeps at hand; the others are rebuilt when they are asked for."""

KEY_BYTES = 32

Json = Any
Shelf = Mapping[str, Rules]
"""The games that may be played here, by name."""


class UnknownTableError(LookupError):
    """No table has that name."""


class UnseatedError(Exception):
    """Somebody who holds no seat at the table wants to play."""


class StaleError(Exception):
    """The move was meant for a moment that has passed: the table had gone on when it came. Nothing was changed."""


class FormerRulesError(Exception):
    """The table was begun by rules that this server does not have (any more)."""


class TableSpoiltError(Exception):
    """What the store holds of a table cannot be played again, or its rules broke. The log of the server says why."""


@dataclass
class Table:
    """A table as this process knows it. Hold `Tables.at(...)` while looking at it.

    `last`: the number of its last event in the store. `secret`: the source of its chance. `forgotten`: it differs from
    the store, because something was not kept; nobody may look at it any more. `again`: by seat, the table opened when
    it asked for another game; a server that was restarted knows of none."""

    id: str
    game: Game
    sitters: list[Sitter]
    digests: Mapping[int, bytes]
    last: int
    secret: SecretChance
    lock: threading.RLock = field(default_factory=threading.RLock, repr=False)
    forgotten: bool = False
    again: dict[int, Opened] = field(default_factory=dict, repr=False)

    @property
    def rules(self) -> Rules:
        """The rules it is played by."""
        return self.game.rules

    @property
    def number(self) -> int:
        """How many events the game has so far, chance included: what a move names as the moment it is meant for."""
        return len(self.game.events)

    @property
    def bot_due(self) -> bool:
        """Whether the next decision is a bot's."""
        seat = self.game.seat
        return seat is not None and self.sitters[seat].bot is not None

    def seat_of(self, token: str | None) -> int | None:
        """The seat that a token holds, or None: a spectator."""
        return seat_of(token, dict(self.digests))

    def view(self, seat: int | None) -> dict[str, Json]:
        """What a seat or a spectator may see, with what a person may do."""
        return self.game.view(seat, person=seat is not None and self.sitters[seat].bot is None)

    def story(self, seat: int | None) -> list[dict[str, Json]]:
        """The events so far as a seat or a spectator knows them."""
        return self.game.story(seat)


@dataclass(frozen=True)
class Opened:
    """A table just opened, and the tokens that hold its seats. A token is told once, to whoever sits there."""

    table: Table
    tokens: Mapping[int, str]


class Tables:
    """The tables in a store. May be used from any thread; several processes may share a store."""

    def __init__(self, store: Store, shelf: Shelf) -> None:
        self.store, self.shelf = store, shelf
        self.heard: list[Callable[[Table], None]] = []
        """Called after every event that was kept, in the thread that kept it, which holds the table: only to take
        note, not to wait."""
        self._memory: OrderedDict[str, Table] = OrderedDict()
        self._lock = threading.Lock()

    # ------------------------------------------------------------------------------------------------ opening

    def open(
        self,
        game: str,
        sitters: Sequence[Sitter],
        options: Mapping[str, Json] | None = None,
        *,
        chance: Chance | None = None,
        table_id: str | None = None,
        tokens: Mapping[int, str] | None = None,
    ) -> Opened:
        """Deal a game of the shelf at a new table. UnknownGameError, OptionError when it cannot be.

        `chance`, `table_id` and `tokens` are for tests; else all three are drawn from the operating system."""
        if game not in self.shelf:
            raise UnknownGameError(f"there is no game {game!r} here; the games: {', '.join(self.shelf)}")
        secret = SecretChance(secrets.token_bytes(KEY_BYTES))
        players = [sitter.player for sitter in sitters]
        dealt = Game(self.shelf[game], players, options or {}, chance or secret)
        return self.put(dealt, sitters, secret=secret, table_id=table_id, tokens=tokens)

    def put(
        self,
        game: Game,
        sitters: Sequence[Sitter],
        *,
        secret: SecretChance | None = None,
        table_id: str | None = None,
        tokens: Mapping[int, str] | None = None,
    ) -> Opened:
        """Set a running game on a new table; everything so far is kept as if it had been played there."""
        secret = secret or SecretChance(secrets.token_bytes(KEY_BYTES))
        if tokens is None:
            tokens = {seat: new_token() for seat, sitter in enumerate(sitters) if sitter.bot is None}
        digests = {seat: digest(token) for seat, token in tokens.items()}
        rows = [
            EventRow(seat, "sit", seat, {"name": sitter.name, "bot": sitter.bot}) for seat, sitter in enumerate(sitters)
        ]
        rows += _rows_of(game, len(rows), secret.used)
        while True:
            name = table_id or new_table_name()
            row = TableRow(name, game.rules.id, game.rules.version, dict(game.options), secret.key, game.result)
            table = Table(name, game, list(sitters), digests, rows[-1].number, secret)
            try:
                self.store.open_table(row, rows, digests, table.bot_due)
                break
            except TakenError:
                if table_id:
                    raise
        self._remember(table)
        self._tell(table)
        return Opened(table, tokens)

    # ------------------------------------------------------------------------------------------------ looking

    @contextmanager
    def at(self, table_id: str) -> Iterator[Table]:
        """A table as the store has it now, kept from changing in this process meanwhile.

        UnknownTableError, FormerRulesError, TableSpoiltError, StoreError."""
        while True:
            table = self._fresh(table_id)
            with table.lock:
                if not table.forgotten:
                    yield table
                    return

    def last_number(self, table_id: str) -> int:
        """The number of a table's last event. UnknownTableError, StoreError."""
        if not PATTERN.fullmatch(table_id):
            raise UnknownTableError(table_id)
        number = self.store.last_number(table_id)
        if number is None:
            raise UnknownTableError(table_id)
        return number

    def _fresh(self, table_id: str) -> Table:
        number = self.last_number(table_id)
        with self._lock:
            table = self._memory.get(table_id)
            if table is not None:
                self._memory.move_to_end(table_id)
        if table is not None:
            with table.lock:
                if table.last >= number:
                    return table
        table = self._rebuilt(table_id)
        self._remember(table)
        return table

    def _remember(self, table: Table) -> None:
        with self._lock:
            self._memory[table.id] = table
            self._memory.move_to_end(table.id)
            while len(self._memory) > MOST_IN_MEMORY:
                self._memory.popitem(last=False)

    def _forget(self, table: Table) -> None:
        """What is in memory may differ from the store: the next look takes the store's."""
        table.forgotten = True
        with self._lock:
            if self._memory.get(table.id) is table:
                del self._memory[table.id]

    def _rebuilt(self, table_id: str) -> Table:
        found = self.store.table(table_id)
        if found is None:
            raise UnknownTableError(table_id)
        row, rows, digests = found
        rules = self._rules_of(row)
        sitters = [Sitter(event.body["name"], event.body["bot"]) for event in rows if event.kind == "sit"]
        record: dict[str, Json] = {
            "format": FORMAT,
            "game": row.game,
            "rules": row.rules,
            "options": row.options,
            "players": [sitter.player for sitter in sitters],
            "events": [],
        }
        if row.result is not None:
            record["result"] = row.result
        secret = SecretChance(row.key)
        for event in rows:
            if event.kind == "move":
                record["events"].append([event.seat, event.body["move"]])
            if event.kind in ("deal", "move"):
                record["events"] += [["*", text] for text in event.body["chance"]]
                secret.used = event.body["drawn"]
        try:
            game = from_record(record, rules)
        except (RecordError, RulesError) as e:
            log.error("table %s cannot be played again: %s", table_id, e)
            raise TableSpoiltError(table_id) from e
        assert isinstance(game.chance, ToldChance)
        game.chance.go_on_with(secret)
        return Table(row.id, game, sitters, digests, rows[-1].number, secret)

    def _rules_of(self, row: TableRow) -> Rules:
        here = self.shelf.get(row.game)
        if here is not None and here.version == row.rules:
            return here
        try:
            if row.game in game_ids():
                return find(row.game, row.rules)
        except UnknownGameError as e:
            raise FormerRulesError(row.game) from e
        raise FormerRulesError(row.game)

    # ------------------------------------------------------------------------------------------------ playing

    def play(self, table_id: str, seat: int | None, text: str, number: int | None = None) -> Table:
        """Make a move, as text, for a seat; it is kept when this returns.

        `number`: the moment the move is meant for (`Table.number` when its maker looked); None for now, whatever it
        is. UnseatedError for a spectator; StaleError when the table has gone on; IllegalMove when it may not be made.
        Whatever is raised, nothing has changed."""
        with self.at(table_id) as table:
            if seat is None:
                raise UnseatedError(table_id)
            if number is not None and number != table.number:
                raise StaleError(table_id)
            before = table.number
            try:
                table.game.play(text, seat=seat)
                move, *chance = table.game.events[before:]
                row = _row(table.game, table.last + 1, move, chance, table.secret.used)
                self.store.append(table.id, row, table.bot_due, table.game.result)
            except IllegalMove:
                raise
            except TakenError:
                self._forget(table)
                raise StaleError(table_id) from None
            except RulesError as e:
                self._forget(table)
                log.error("table %s: its rules broke at %r: %s", table_id, text, e)
                raise TableSpoiltError(table_id) from e
            except BaseException:
                self._forget(table)
                raise
            table.last = row.number
            self._tell(table)
            return table

    def bot_turn(self, table_id: str) -> BotTurn | None:
        """What the bot that is due must know, and nothing else; None when no bot is due."""
        with self.at(table_id) as table:
            seat = table.game.seat
            if seat is None:
                return None
            spec = table.sitters[seat].bot
            if spec is None:
                return None
            game = table.game
            seats, known = len(game.players), game.blind(seat)
            return BotTurn(seat, spec, table.number, game.rules, game.notation, dict(game.options), seats, known)

    def _tell(self, table: Table) -> None:
        for listener in self.heard:
            listener(table)


@dataclass(frozen=True)
class BotTurn:
    """A bot's decision that is due: all that is handed to the bot. `number` is the moment it is for."""

    seat: int
    spec: str
    number: int
    rules: Rules
    notation: Notation
    options: dict[str, Json]
    seats: int
    known: PlainState


def _rows_of(game: Game, number: int, drawn: int) -> list[EventRow]:
    """A game's events as rows, numbered from `number` on: one for the deal and one for each decision."""
    groups: list[tuple[Event | None, list[Event]]] = [(None, [])]
    for event in game.events:
        if event.who == "*":
            groups[-1][1].append(event)
        else:
            groups.append((event, []))
    return [_row(game, number + i, move, chance, drawn) for i, (move, chance) in enumerate(groups)]


def _row(game: Game, number: int, move: Event | None, chance: Sequence[Event], drawn: int) -> EventRow:
    """A decision (None: the deal) and the chance it caused, as a row.

    `drawn`: how many numbers the table's source of chance has given by now; there it goes on after a restart."""
    body: dict[str, Json] = {"chance": [game.event_text(event) for event in chance], "drawn": drawn}
    if move is None:
        return EventRow(number, "deal", None, body)
    assert move.who != "*"
    return EventRow(number, "move", move.who, {"move": game.event_text(move), **body})


__all__ = [
    "BotTurn",
    "FormerRulesError",
    "Opened",
    "Shelf",
    "StaleError",
    "StoreError",
    "Table",
    "TableSpoiltError",
    "Tables",
    "UnknownTableError",
    "UnseatedError",
]
