"""Tables that wait for their players: who opened one, what is to be played, who has sat down; and the start.

A waiting table is small and changes seldom, so it is read from the store whenever somebody looks. Two who want the
same seat, or who start at the same time, are told apart by the number of the event: one is first, the other looks
again."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from tefuda.engine.commitment import NONCE_BYTES, starts_by_lot
from tefuda.engine.game import Game
from tefuda.engine.rules import Rules
from tefuda.tables import talk
from tefuda.tables.rows import begun, rows_of, sit_row, sitting
from tefuda.tables.settings import Settings
from tefuda.tables.sitters import Sitter, digest, is_held, is_token, new_token, seat_of, told_apart
from tefuda.tables.store import EventRow, TableRow, TakenError
from tefuda.tables.table import FormerRulesError, Table, Times, UnknownTableError, UnseatedError, WaitingError
from tefuda.tables.table_names import DIGITS_OF_PRIVATE, PATTERN, new_table_name
from tefuda.tables.tables import Tables, named_start, new_secret
from tefuda.tables.talk import TalkError

Json = Any

TRIES = 20
"""So often somebody who was slower looks again before giving up."""

MOST_EVENTS = 1000
"""So much may happen at a table before its game begins: whoever looks at it, or at the list of tables, reads it all."""


class BegunError(Exception):
    """The table does not wait any more: its game has begun."""


class LobbyError(Exception):
    """What somebody wants at a waiting table cannot be. `why` is a key: "host" (only who opened it may), "taken" (that
    seat), "seat" (there is no such seat), "full", "not full", "occupied" (fewer seats than sit there), "person" (a seat
    held by a person), "starter" (the game draws no starter), "nothing" (nobody to stand up), "playing" (the game
    before it is not over), "events" (too much has happened there)."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True)
class Plan:
    """What a waiting table is to play: how many, by which options, set to what; `starter`: who is to begin, None: the
    lot decides."""

    seats: int
    options: Mapping[str, Json] = field(default_factory=dict)
    settings: Settings = field(default_factory=Settings)
    starter: int | None = None

    def as_json(self) -> dict[str, Json]:
        """As the store keeps it."""
        more = {"options": dict(self.options), "settings": self.settings.as_json()}
        return {"seats": self.seats, **more, "starter": self.starter}


@dataclass(frozen=True)
class Gathering:
    """A waiting table as it is now. `host`: what the store keeps of the token of whoever opened it."""

    id: str
    rules: Rules
    plan: Plan
    sitters: Mapping[int, Sitter]
    digests: Mapping[int, bytes]
    host: bytes
    public: bool
    last: int
    lines: Sequence[talk.Line]

    @property
    def free(self) -> list[int]:
        """The seats in which nobody sits."""
        return [seat for seat in range(self.plan.seats) if seat not in self.sitters]

    def is_host(self, token: str | None) -> bool:
        """Whether a token is that of whoever opened the table."""
        return is_held(token, self.host)

    def seat_of(self, token: str | None) -> int | None:
        """The seat that a token holds, or None."""
        return seat_of(token, dict(self.digests))


@dataclass(frozen=True)
class Listed:
    """A public table as the lobby tells of it: who sits there, how many seats there are, by which options it plays, and
    what it is set to."""

    id: str
    rules: Rules
    names: Sequence[Sitter]
    seats: int
    options: Mapping[str, Json]
    settings: Settings


Changed = tuple[Sequence[EventRow], Mapping[str, Json], Mapping[int, bytes | None]]
"""What becomes of a waiting table: events, what changes of its row, and who holds its seats (None: nobody)."""


class Lobby:
    """The waiting tables of a server."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    # ------------------------------------------------------------------------------------------------ looking

    def at(self, table_id: str) -> Gathering:
        """A waiting table. UnknownTableError, BegunError, FormerRulesError, StoreError."""
        if not PATTERN.fullmatch(table_id):
            raise UnknownTableError(table_id)
        found = self.tables.store.table(table_id)
        if found is None:
            raise UnknownTableError(table_id)
        row, rows, digests = found
        if begun(rows):
            raise BegunError(table_id)
        rules = self.tables.shelf.get(row.game)
        if rules is None or row.host is None:
            raise FormerRulesError(row.game, row.rules)
        settled = [event.body for event in rows if event.kind == "plan"]
        plan = Plan(**{**settled[-1], "settings": Settings.from_json(settled[-1]["settings"])})
        lines = [talk.line_of(event.number, event.seat, event.body) for event in rows if event.kind == "say"]
        there = sitting(rows)
        lines = lines[-talk.MOST_KEPT :]
        return Gathering(table_id, rules, plan, there, digests, row.host, row.public, rows[-1].number, lines)

    def listed(self, most: int) -> tuple[list[Listed], list[Listed]]:
        """The public tables: those that wait for players, and those at which people play."""
        waiting, playing = [], []
        for table_id in self.tables.store.listed("waiting", most):
            with suppress(BegunError, UnknownTableError, FormerRulesError):
                found = self.at(table_id)
                names = [found.sitters[seat] for seat in sorted(found.sitters)]
                plan = found.plan
                waiting.append(Listed(table_id, found.rules, names, plan.seats, plan.options, plan.settings))
        for table_id in self.tables.store.listed("playing", most):
            with suppress(WaitingError, UnknownTableError, FormerRulesError), self.tables.at(table_id) as table:
                sitters, options = list(table.sitters), table.game.options
                playing.append(Listed(table_id, table.rules, sitters, len(sitters), options, table.settings))
        return waiting, playing

    # ------------------------------------------------------------------------------------------------ opening

    def open(
        self, game: str, plan: Plan, name: str, *, public: bool = False, token: str | None = None
    ) -> tuple[Gathering, str]:
        """A table for friends, at which whoever opens it sits in the first seat; and the token that holds that seat
        and makes them its host. UnknownGameError, OptionError, LobbyError."""
        rules = self.tables.rules(game)
        _check(rules, plan)
        token = token if token is not None and is_token(token) else new_token()
        held = digest(token)
        rows = [EventRow(0, "plan", None, plan.as_json()), sit_row(1, 0, Sitter(name))]
        return self.at(self._gather(rules, plan, rows, 0, held, public=public, short=public)), token

    def _gather(
        self, rules: Rules, plan: Plan, rows: Sequence[EventRow], seat: int, held: bytes, *, public: bool, short: bool
    ) -> str:
        """Keep a waiting table with its first events, whose host holds a seat; its name, a `short` one or one that is
        not guessed."""
        while True:
            row = TableRow(
                new_table_name() if short else new_table_name(DIGITS_OF_PRIVATE),
                rules.id,
                rules.version,
                dict(plan.options),
                plan.settings.as_json(),
                new_secret().key,
                None,
                host=held,
                phase="waiting",
                public=public,
            )
            with suppress(TakenError):
                self.tables.store.open_table(row, rows, {seat: held})
                return row.id

    # ------------------------------------------------------------------------------------------------ changing

    def plan(self, table_id: str, token: str | None, plan: Plan, public: bool) -> Gathering:
        """Play otherwise; what changes nothing is not kept. LobbyError, OptionError."""

        def change(now: Gathering) -> Changed | None:
            _only_host(now, token)
            _check(now.rules, plan)
            if any(seat >= plan.seats for seat in now.sitters):
                raise LobbyError("occupied")
            if plan.as_json() == now.plan.as_json() and public == now.public:
                return None
            return [EventRow(now.last + 1, "plan", None, plan.as_json())], {"public": public}, {}

        return self._change(table_id, change)

    def sit(self, table_id: str, token: str | None, seat: int | None, name: str) -> tuple[Gathering | None, str]:
        """Sit down, at the first free seat unless told, or sit elsewhere, or go by another name; the token that holds
        the seat. Of two with one name the later is told by a number, too (`told_apart`). The table is None when it
        began with that. LobbyError."""
        mine = token if token is not None and is_token(token) else new_token()

        def change(now: Gathering) -> Changed:
            before = now.seat_of(mine)
            wanted = before if seat is None else seat
            if wanted is None:
                if not now.free:
                    raise LobbyError("full")
                wanted = now.free[0]
            if not 0 <= wanted < now.plan.seats:
                raise LobbyError("seat")
            if wanted != before and wanted in now.sitters:
                raise LobbyError("taken")
            number, rows = now.last + 1, []
            held: dict[int, bytes | None] = {}
            if before is not None and before != wanted:
                rows.append(EventRow(number, "leave", before, {}))
                held[before] = None
                number += 1
            others = [now.sitters[other] for other in sorted(now.sitters) if other not in (before, wanted)]
            rows.append(sit_row(number, wanted, Sitter(told_apart(name, wanted, others))))
            if wanted != before:
                held[wanted] = digest(mine)
            return rows, {}, held

        return self._begun_if_full(self._change(table_id, change)), mine

    def seat_bot(self, table_id: str, token: str | None, seat: int | None, bot: str) -> Gathering | None:
        """Let a bot sit down, at the first free seat unless told. The table is None when it began with that.
        LobbyError."""

        def change(now: Gathering) -> Changed:
            _only_host(now, token)
            if not now.free:
                raise LobbyError("full")
            wanted = now.free[0] if seat is None else seat
            if not 0 <= wanted < now.plan.seats:
                raise LobbyError("seat")
            if wanted in now.sitters and now.sitters[wanted].bot is None:
                raise LobbyError("taken")
            return [sit_row(now.last + 1, wanted, Sitter(f"bot:{bot}", bot))], {}, {}

        return self._begun_if_full(self._change(table_id, change))

    def leave(self, table_id: str, token: str | None, seat: int | None = None) -> Gathering:
        """Stand up; the host may also ask others to. LobbyError."""

        def change(now: Gathering) -> Changed:
            mine = now.seat_of(token)
            left = mine if seat is None else seat
            if left is None or left not in now.sitters:
                raise LobbyError("nothing")
            if left != mine:
                _only_host(now, token)
            held = {left: None} if now.sitters[left].bot is None else {}
            return [EventRow(now.last + 1, "leave", left, {})], {}, held

        return self._change(table_id, change)

    def say(self, table_id: str, token: str | None, text: str | None, phrase: str | None) -> Gathering:
        """Say something to everybody who waits. UnseatedError, TalkError."""

        def change(now: Gathering) -> Changed:
            seat = now.seat_of(token)
            if seat is None:
                raise UnseatedError(table_id)
            if now.last >= MOST_EVENTS:
                raise TalkError("full")
            return [EventRow(now.last + 1, "say", seat, talk.checked(now.plan.settings.talk, text, phrase))], {}, {}

        return self._change(table_id, change)

    def _change(self, table_id: str, change: Callable[[Gathering], Changed | None]) -> Gathering:
        """Keep what becomes of a waiting table; None: nothing does."""
        for _ in range(TRIES):
            now = self.at(table_id)
            changed = change(now)
            if changed is None:
                return now
            rows, values, held = changed
            if now.last >= MOST_EVENTS:
                raise LobbyError("events")
            try:
                self.tables.store.append(table_id, rows, values, held)
            except TakenError:
                continue
            self._tell(table_id)
            return self.at(table_id)
        raise LobbyError("taken")

    # ------------------------------------------------------------------------------------------------ beginning

    def start(self, table_id: str, token: str | None, bot: str | None = None) -> Table:
        """Begin the game; with `bot`, bots of that kind take the free seats. LobbyError."""
        for _ in range(TRIES):
            now = self.at(table_id)
            _only_host(now, token)
            with suppress(TakenError):
                return self._start(now, bot)
        raise BegunError(table_id)

    def _begun_if_full(self, now: Gathering) -> Gathering | None:
        """The table, unless its last seat was taken and its game has begun by itself."""
        while not now.free and now.plan.settings.when_full:
            try:
                self._start(now, None)
            except TakenError:
                try:
                    now = self.at(now.id)
                    continue
                except BegunError:
                    return None
            return None
        return now

    def _start(self, now: Gathering, bot: str | None) -> Table:
        there = dict(now.sitters)
        rows: list[EventRow] = []
        for seat in now.free:
            if bot is None:
                raise LobbyError("not full")
            there[seat] = Sitter(f"bot:{bot}", bot)
            rows.append(sit_row(now.last + 1 + len(rows), seat, there[seat]))
        sitters = [there[seat] for seat in sorted(there)]
        secret, nonce, starter = new_secret(), secrets.token_bytes(NONCE_BYTES), now.plan.starter
        chance = named_start(secret, starter)
        game = Game(now.rules, [sitter.player for sitter in sitters], now.plan.options, chance)
        rows += rows_of(game, now.last + 1 + len(rows), secret.used, starter)
        times = Times(began=rows[-1].at)
        times.passed(rows[-1].at, len(game.events))
        settings = now.plan.settings
        if settings.clock is not None and settings.clock.by_post:
            settings = replace(settings, call=None)
        table = Table(
            now.id,
            game,
            sitters,
            dict(now.digests),
            rows[-1].number,
            secret,
            settings,
            nonce=nonce,
            starter=starter,
            host=now.host,
            public=now.public,
            times=times,
        )
        table.talk.extend(now.lines)
        values = {
            "rules": now.rules.version,
            "options": dict(game.options),
            "settings": settings.as_json(),
            "key": secret.key,
            "nonce": nonce,
            "phase": table.phase,
            "result": game.result,
            "due": table.due,
        }
        self.tables.store.append(now.id, rows, values)
        table = self.tables.remember(table)
        self.tables.begin(table)
        return table

    # ------------------------------------------------------------------------------------------------ once more

    def again(self, table_id: str, token: str | None) -> str:
        """Another game with the same people and bots, options and settings, everybody one seat further; the name of
        its table, where the same token holds a seat. Asked for again it is the same, until that game is over.

        Somebody who played against bots alone begins at once; among several people it begins when all have asked, and
        nobody may ask before the game is over. UnseatedError, LobbyError, and whatever opening a table raises."""
        with self.tables.at(table_id) as table:
            seat = table.seat_of(token)
            if seat is None or token is None:
                raise UnseatedError(table_id)
            if table.people != [seat] and not table.game.over:
                raise LobbyError("playing")
            if table.again is not None and self._joined(table.again, table, seat, token):
                return table.again
            sitters = [table.sitters[seat - 1] for seat in range(len(table.sitters))]
            rules = self.tables.rules(table.rules.id)
            mine = (seat + 1) % len(sitters)
            if table.people == [seat]:
                opened = self.tables.open(
                    rules.id, sitters, table.game.options, settings=table.settings, tokens={mine: token}
                )
                next_id = opened.table.id
            else:
                next_id = self._rematch(table, sitters, mine, token)
            self.tables.goes_on_at(table_id, seat, next_id)
            return next_id

    def _joined(self, next_id: str, table: Table, seat: int, token: str) -> bool:
        """Whether there is a next table for a seat's player: who sits there by now, if there is room."""
        try:
            with self.tables.at(next_id) as following:
                return following.seat_of(token) is not None and not following.game.over
        except WaitingError:
            pass
        except (UnknownTableError, FormerRulesError):
            return False
        mine = (seat + 1) % len(table.sitters)
        now = self.at(next_id)
        if now.seat_of(token) is None:
            wanted = mine if mine in now.free else None
            with suppress(LobbyError):  # there may be no room any more: they see that there
                self.sit(next_id, token, wanted, table.sitters[seat].name)
        return True

    def _rematch(self, table: Table, sitters: Sequence[Sitter], mine: int, token: str) -> str:
        settings = replace(table.settings, when_full=True)
        plan = Plan(len(sitters), dict(table.game.options), settings)
        rows = [EventRow(0, "plan", None, plan.as_json())]
        for seat, sitter in enumerate(sitters):
            if sitter.bot is not None or seat == mine:
                rows.append(sit_row(len(rows), seat, sitter))
        rules = self.tables.rules(table.rules.id)
        return self._gather(rules, plan, rows, mine, digest(token), public=False, short=table.public)

    def delete(self, table_id: str, token: str | None) -> None:
        """Delete a table and all that is kept of it, as `may_delete` has it. UnseatedError."""
        try:
            with self.tables.at(table_id) as table:
                if not may_delete(table, token):
                    raise UnseatedError(table_id)
                self.tables.store.delete(table_id)
        except WaitingError:
            if not self.at(table_id).is_host(token):
                raise UnseatedError(table_id) from None
            self.tables.store.delete(table_id)
        self.tables.forget(table_id)
        self._tell(table_id)

    def _tell(self, table_id: str) -> None:
        for listener in self.tables.gathered:
            listener(table_id)


def may_delete(table: Table, token: str | None) -> bool:
    """Whether a token may delete a table: its host may, and whoever holds a seat there, when the game is over; before
    that only where no other person sits, so at a table of bots alone its host."""
    host, mine = is_held(token, table.host), table.seat_of(token)
    others = [seat for seat in table.people if seat != mine]
    return (host or mine is not None) and (table.game.over or not others)


@lru_cache(maxsize=64)
def can_name_starter(rules: Rules) -> bool:
    """Whether the starter of a game is drawn by lot as it is dealt, so that a table may name one."""
    seats = rules.least_seats
    return starts_by_lot(Game(rules, [f"P{seat}" for seat in range(seats)], {}, new_secret()))


def _check(rules: Rules, plan: Plan) -> None:
    rules.check_seats(plan.seats)
    rules.options(plan.options, plan.seats)
    if plan.starter is not None:
        if not 0 <= plan.starter < plan.seats:
            raise LobbyError("seat")
        if not can_name_starter(rules):
            raise LobbyError("starter")


def _only_host(now: Gathering, token: str | None) -> None:
    if not now.is_host(token):
        raise LobbyError("host")
