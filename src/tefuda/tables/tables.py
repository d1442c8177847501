"""All the tables of a server: opened, found again after a restart, and played at, by people and bots alike.

A `Table` in memory may be forgotten at any time: it is rebuilt from its events, and the game goes on exactly where it
was. What is accepted is in the store before anybody hears of it."""

from __future__ import annotations

import hashlib
import logging
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from tefuda.engine.chance import Chance, SecretChance
from tefuda.engine.commitment import NONCE_BYTES, NamedStart
from tefuda.engine.game import Game, IllegalMove
from tefuda.engine.record import RecordError
from tefuda.engine.reveal import revealed_since
from tefuda.engine.rules import Rules, RulesError, UnknownGameError, find, game_ids
from tefuda.tables import talk
from tefuda.tables.rows import begun, notices_of, outlived, rebuilt, row_of, rows_of, sit_row, voted
from tefuda.tables.settings import Settings
from tefuda.tables.sitters import Sitter, digest, is_held, new_token, seat_of
from tefuda.tables.store import EventRow, Store, TableRow, TakenError, milliseconds
from tefuda.tables.table import (
    ABSENT_AFTER,
    AskError,
    BotTurn,
    Claim,
    FormerRulesError,
    Proposal,
    Silence,
    StaleError,
    Table,
    TableSpoiltError,
    Times,
    UnknownTableError,
    UnseatedError,
    WaitingError,
    WrongClaim,
    WrongClaimError,
)
from tefuda.tables.table_names import PATTERN, new_table_name

log = logging.getLogger("tefuda.tables")

MOST_IN_MEMORY = 500
"""Games a process keeps at hand; the others are rebuilt when they are asked for."""

KEY_BYTES = 32

Json = Any
Shelf = Mapping[str, Rules]
"""The games that may be played here, by name."""


class Opened:
    """A table just opened, and the tokens that hold its seats. A token is told once, to whoever sits there."""

    def __init__(self, table: Table, tokens: Mapping[int, str]) -> None:
        self.table, self.tokens = table, tokens


def usual_bot(rules: Rules) -> str:
    """The bot that plays for somebody who is away, unless a server has another."""
    return "greedy"


class Tables:
    """The tables in a store. May be used from any thread; several processes may share a store.

    `stand_in`: the spec of the bot that plays a game for people who are away."""

    def __init__(self, store: Store, shelf: Shelf, stand_in: Callable[[Rules], str] = usual_bot) -> None:
        self.store, self.shelf, self.stand_in = store, shelf, stand_in
        self.heard: list[Callable[[Table], None]] = []
        """Called after every event that was kept, in the thread that kept it, which holds the table: only to take
        note, not to wait."""
        self.gathered: list[Callable[[str], None]] = []
        """Called with the name of a waiting table that has changed."""
        self.awake = milliseconds()
        self._memory: OrderedDict[str, Table] = OrderedDict()
        self._lock = threading.Lock()

    # ------------------------------------------------------------------------------------------------ opening

    def rules(self, game: str) -> Rules:
        """The rules of a game of the shelf. UnknownGameError."""
        if game not in self.shelf:
            known = ", ".join(self.shelf)
            raise UnknownGameError("there is no game {game!r} here; the games: {known}", game=game, known=known)
        return self.shelf[game]

    def open(
        self,
        game: str,
        sitters: Sequence[Sitter],
        options: Mapping[str, Json] | None = None,
        *,
        settings: Settings | None = None,
        chance: Chance | None = None,
        table_id: str | None = None,
        tokens: Mapping[int, str] | None = None,
    ) -> Opened:
        """Deal a game of the shelf at a new table. UnknownGameError, OptionError when it cannot be.

        `tokens`: what holds the seats; new ones for the people unless told. `chance` and `table_id` are for tests; else
        both are drawn from the operating system."""
        secret = new_secret()
        players = [sitter.player for sitter in sitters]
        dealt = Game(self.rules(game), players, options or {}, chance or secret)
        return self.put(dealt, sitters, settings=settings, secret=secret, table_id=table_id, tokens=tokens)

    def put(
        self,
        game: Game,
        sitters: Sequence[Sitter],
        *,
        settings: Settings | None = None,
        secret: SecretChance | None = None,
        table_id: str | None = None,
        tokens: Mapping[int, str] | None = None,
    ) -> Opened:
        """Set a running game on a new table; everything so far is kept as if it had been played there."""
        secret = secret or new_secret()
        if tokens is None:
            tokens = {seat: new_token() for seat, sitter in enumerate(sitters) if sitter.bot is None}
        digests = {seat: digest(token) for seat, token in tokens.items()}
        rows = [sit_row(seat, seat, sitter) for seat, sitter in enumerate(sitters)]
        rows += rows_of(game, len(rows), secret.used)
        nonce = secrets.token_bytes(NONCE_BYTES)
        while True:
            table = Table(
                table_id or new_table_name(),
                game,
                list(sitters),
                digests,
                rows[-1].number,
                secret,
                settings or Settings(),
                nonce=nonce,
                times=_times_of(rows),
            )
            try:
                self.store.open_table(table_row(table), rows, digests)
                break
            except TakenError:
                if table_id:
                    raise
        self.remember(table)
        self._tell(table)
        return Opened(table, tokens)

    # ------------------------------------------------------------------------------------------------ looking

    @contextmanager
    def at(self, table_id: str) -> Iterator[Table]:
        """A table as the store has it now, kept from changing in this process meanwhile.

        UnknownTableError, WaitingError, FormerRulesError, TableSpoiltError, StoreError."""
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

    def is_of_table(self, table_id: str, token: str | None) -> bool:
        """Whether a token holds a seat at a table, or is its host's, be the table waiting, playing or over."""
        found = self.store.table(table_id)
        if found is None:
            return False
        row, _, digests = found
        return is_held(token, row.host) or seat_of(token, digests) is not None

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
        return self.remember(self._rebuilt(table_id))

    def remember(self, table: Table) -> Table:
        """Keep a table at hand. When two have taken it from the store at a time, both get the same one: a table of
        which there are two in memory would be changed in one and looked at in the other."""
        with self._lock:
            known = self._memory.get(table.id)
            if known is None or known.forgotten or known.last < table.last:
                self._memory[table.id] = known = table
            self._memory.move_to_end(table.id)
            while len(self._memory) > MOST_IN_MEMORY:
                self._memory.popitem(last=False)
            return known

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
        if not begun(rows):
            raise WaitingError(table_id)
        rules = self._rules_of(row)
        try:
            return rebuilt(row, rows, digests, rules, self.awake)
        except (RecordError, RulesError) as e:
            log.error("table %s cannot be played again: %s", table_id, e)
            raise TableSpoiltError(table_id) from e

    def _rules_of(self, row: TableRow) -> Rules:
        here = self.shelf.get(row.game)
        if here is not None and here.version == row.rules:
            return here
        try:
            if row.game in game_ids():
                return find(row.game, row.rules)
        except UnknownGameError as e:
            raise FormerRulesError(row.game, row.rules) from e
        raise FormerRulesError(row.game, row.rules)

    # ------------------------------------------------------------------------------------------------ playing

    def play(
        self,
        table_id: str,
        seat: int | None,
        text: str | Claim,
        number: int | None = None,
        said: int | None = None,
        person: bool = True,
    ) -> Table:
        """Make a move, as text or as a claim, for a seat; it is kept when this returns.

        `number`: the moment the move is meant for (`Table.number` when its maker looked); None for now, whatever it
        is. `said`: what the player declares with it. `person`: whoever sits there makes it, and no bot in their place:
        if one plays, the seat is its player's again. UnseatedError for a spectator; StaleError when the table has gone
        on; IllegalMove when it may not be made. Whatever is raised, nothing has changed."""
        with self.at(table_id) as table:
            if seat is None:
                raise UnseatedError(table_id)
            if number is not None and number != table.number:
                raise StaleError(table_id)
            if not person and table.bot_of(seat) is None:
                raise StaleError(table_id)  # its player is back
            before = len(table.game.events)
            rows = self._back(table, seat) if person else []
            asked = table.proposal
            try:
                text, wrong = _text_of(table, seat, text, person)
                said = None if table.game.declares is None else said
                table.game.play(text, seat=seat, assist=table.settings.assist, said=said)
                move, *chance = table.game.events[before:]
                row = row_of(table.game, table.last + len(rows) + 1, move, chance, table.secret.used, said)
                if wrong is not None:
                    row.body["wrong"] = wrong.as_json()
                for back in rows:
                    self._came_back(table, back)
                if seat in table.stand_ins:
                    table.stood_in.add(before)
                table.times.decided(seat, row.at, len(table.game.events))
                table.proposal = outlived(table.proposal, seat)
                self._keep(table, [*rows, row], asked)
            except IllegalMove:
                raise
            except RulesError as e:
                self._forget(table)
                log.error("table %s: its rules broke at %r: %s", table_id, text, e)
                raise TableSpoiltError(table_id) from e
            except BaseException:
                self._forget(table)
                raise
            if wrong is not None:
                table.wrong[seat] = wrong
            return table

    def _keep(self, table: Table, rows: Sequence[EventRow], asked: Proposal | None = None) -> None:
        """Append events, and tell of them; whatever goes wrong, memory does not differ from the store. `asked`: what
        was being voted on before them."""
        values = {"due": table.due, "result": table.game.result, "phase": table.phase}
        try:
            self.store.append(table.id, rows, values)
        except TakenError:
            self._forget(table)
            raise StaleError(table.id) from None
        except BaseException:
            self._forget(table)
            raise
        table.last = rows[-1].number
        for row in rows:
            table.notices.extend(notices_of(row, asked))
        self._tell(table)

    def silence(self, table_id: str) -> Silence | None:
        """What silence will decide at a table."""
        with self.at(table_id) as table:
            return table.silence

    def bot_turn(self, table_id: str) -> BotTurn | None:
        """What the bot that is due must know, and nothing else; None when no bot is due."""
        with self.at(table_id) as table:
            seat = table.game.seat
            spec = None if seat is None else table.bot_of(seat)
            if seat is None or spec is None:
                return None
            game = table.game
            seats, known = len(game.players), game.blind(seat)
            words = int.from_bytes(hashlib.sha256(f"{table_id} {seat}".encode()).digest()[:8], "big")
            return BotTurn(seat, spec, table.number, game.rules, game.notation, game.options_now, seats, known, words)

    # ------------------------------------------------------------------------------------------------ being away

    def run_out(self, table_id: str, number: int) -> Table:
        """The clock of the person on turn at the moment `number` has run out: a bot plays on. StaleError when the
        table has gone on, or the clock has not run out after all."""
        with self.at(table_id) as table:
            seat, deadline = table.game.seat, table.deadline
            if seat is None or deadline is None or table.number != number or milliseconds() < deadline:
                raise StaleError(table_id)
            self._stand_in(table, seat, [])
            return table

    def _stand_in(self, table: Table, seat: int, before: Sequence[EventRow]) -> None:
        bot, asked = self.stand_in(table.rules), table.proposal
        table.stand_ins[seat] = bot
        table.proposal = None
        number = before[-1].number if before else table.last
        self._keep(table, [*before, EventRow(number + 1, "stand_in", seat, {"bot": bot})], asked)

    def come_back(self, table_id: str, seat: int | None) -> Table:
        """Somebody who was away plays again. UnseatedError."""
        with self.at(table_id) as table:
            if seat is None:
                raise UnseatedError(table_id)
            rows = self._back(table, seat)
            for row in rows:
                self._came_back(table, row)
                self._keep(table, [row])
            return table

    def _back(self, table: Table, seat: int) -> list[EventRow]:
        """The event of coming back, for a seat whose player was away."""
        if seat not in table.stand_ins:
            return []
        now = milliseconds()
        return [EventRow(table.last + 1, "back", seat, {"extra": table.missing(seat, now)}, now)]

    def _came_back(self, table: Table, row: EventRow) -> None:
        assert row.seat is not None
        table.stand_ins.pop(row.seat, None)
        table.times.back(row.seat, row.at, row.body["extra"])

    # ------------------------------------------------------------------------------------------------ asking

    def propose(self, table_id: str, seat: int | None, word: str) -> Table:
        """Propose a word that the lexicon lacks to the other people at the table. UnseatedError, AskError."""
        with self.at(table_id) as table:
            self._may_ask(table, seat)
            if table.rules.growing is None:
                raise AskError("game")
            if table.people == [seat]:
                raise AskError("alone")
            try:
                table.game.check_entry(word)
            except IllegalMove as e:
                raise AskError("word", str(e)) from e
            assert seat is not None
            self._ask(table, Proposal(seat, "word", word=word), {"word": word})
            return table

    def ask_back(self, table_id: str, seat: int | None) -> Table:
        """Ask to take the own last decision back, and all that came after it: the others must agree, and nothing may
        have been revealed since. Without other people it is done at once. UnseatedError, AskError."""
        with self.at(table_id) as table:
            self._may_ask(table, seat)
            if table.game.over:
                raise AskError("over")
            events = table.game.events
            made = next((n for n in reversed(range(len(events))) if events[n].who == seat), None)
            if made is None:
                raise AskError("nothing")
            if revealed_since(table.game, made):
                raise AskError("revealed")
            assert seat is not None
            self._ask(table, Proposal(seat, "undo", about=made), {"kind": "undo", "about": made})
            return table

    def call_absent(self, table_id: str, seat: int | None, absent: int) -> Table:
        """Ask for a bot in the place of the person on turn, who has long been thinking or is away. UnseatedError,
        AskError."""
        with self.at(table_id) as table:
            self._may_ask(table, seat)
            if table.game.seat != absent or table.bot_of(absent) is not None or absent == seat:
                raise AskError("here")
            if milliseconds() - max(table.times.since, table.awake) < ABSENT_AFTER:
                raise AskError("soon")
            assert seat is not None
            self._ask(table, Proposal(seat, "absent", about=absent), {"kind": "absent", "about": absent})
            return table

    def _may_ask(self, table: Table, seat: int | None) -> None:
        if seat is None:
            raise UnseatedError(table.id)
        if table.proposal is not None:
            raise AskError("open")

    def _ask(self, table: Table, proposal: Proposal, body: dict[str, Json]) -> None:
        rows = [EventRow(table.last + 1, "propose", proposal.seat, body)]
        if table.voters(proposal):
            table.proposal = proposal
            self._keep(table, rows)
        else:
            self._carry_out(table, proposal, rows)

    def vote(self, table_id: str, seat: int | None, about: str, accepts: bool) -> Table:
        """Agree or not to what was asked; `about`: the word that is meant, or else the kind of what is. When everybody
        has agreed it is done; the first who does not ends the vote. UnseatedError, AskError."""
        with self.at(table_id) as table:
            if seat is None:
                raise UnseatedError(table_id)
            proposal = table.proposal
            if proposal is None or about != (proposal.word or proposal.kind):
                raise AskError("none")
            if seat == proposal.seat or seat not in table.voters(proposal):
                raise AskError("own")
            rows = [EventRow(table.last + 1, "vote", seat, {"accepts": accepts})]
            left = voted(proposal, seat, accepts)
            if left is not None and left.accepted >= table.voters(left):
                self._carry_out(table, left, rows)
            else:
                table.proposal = left
                self._keep(table, rows, proposal)
            return table

    def _carry_out(self, table: Table, asked: Proposal, rows: list[EventRow]) -> None:
        """Everybody has agreed."""
        if asked.kind == "absent":
            self._stand_in(table, asked.about, rows)
            return
        table.proposal = None
        number = rows[-1].number + 1
        try:
            if asked.kind == "word":
                assert table.rules.growing is not None
                table.game.accept(asked.word)
                rows.append(EventRow(number, "word", None, {"event": f"{table.rules.growing[1]} {asked.word}"}))
            else:
                rows.append(EventRow(number, "undo", asked.seat, {"to": asked.about}))
                self._take_back(table, asked.about, rows[-1].at)
        except IllegalMove as e:  # the game has ended meanwhile
            self._forget(table)
            raise AskError("word", str(e)) from e
        except BaseException:
            self._forget(table)
            raise
        self._keep(table, rows)

    def _take_back(self, table: Table, made: int, at: int) -> None:
        game, before = table.game, table.number
        game.take_back(made)
        table.undone = before + 1 - len(game.events)
        decisions = sum(event.who != "*" for event in game.events)
        table.times.take_back(at, len(game.events), decisions)
        table.wrong = {seat: wrong for seat, wrong in table.wrong.items() if wrong.at < made}
        table.stood_in = {n for n in table.stood_in if n < made}

    # ------------------------------------------------------------------------------------------------ talking

    def say(self, table_id: str, seat: int | None, text: str | None = None, phrase: str | None = None) -> Table:
        """Say something to everybody at the table. UnseatedError, TalkError."""
        with self.at(table_id) as table:
            if seat is None:
                raise UnseatedError(table_id)
            row = EventRow(table.last + 1, "say", seat, talk.checked(table.settings.talk, text, phrase))
            table.talk.append(talk.line_of(row.number, seat, row.body))
            self._keep(table, [row])
            return table

    def stop_guide(self, table_id: str, seat: int | None) -> Table:
        """Nobody needs explanations at this table any more. UnseatedError."""
        with self.at(table_id) as table:
            if seat is None:
                raise UnseatedError(table_id)
            if table.settings.guide:
                table.settings = replace(table.settings, guide=False)
                self._keep(table, [EventRow(table.last + 1, "set", seat, table.settings.as_json())])
            return table

    def goes_on_at(self, table_id: str, seat: int, next_id: str) -> None:
        """Another game is played at another table; a seat has asked for it. StaleError."""
        with self.at(table_id) as table:
            table.again = next_id
            self._keep(table, [EventRow(table.last + 1, "again", seat, {"table": next_id})])

    def forget(self, table_id: str) -> None:
        """The table was deleted, or began anew in the store."""
        with self._lock:
            table = self._memory.pop(table_id, None)
        if table is not None:
            table.forgotten = True

    def begin(self, table: Table) -> None:
        """Tell everybody that the game of a waiting table has begun."""
        self._tell(table)
        for listener in self.gathered:
            listener(table.id)

    def _tell(self, table: Table) -> None:
        for listener in self.heard:
            listener(table)


def new_secret() -> SecretChance:
    """The chance of a new table: 256 bits from the operating system."""
    return SecretChance(secrets.token_bytes(KEY_BYTES))


def named_start(secret: SecretChance, starter: int | None) -> Chance:
    """A table's chance, where it may name who begins."""
    return secret if starter is None else NamedStart(secret, starter)


def table_row(table: Table) -> TableRow:
    """A table as the store keeps it."""
    return TableRow(
        table.id,
        table.rules.id,
        table.rules.version,
        dict(table.game.options),
        table.settings.as_json(),
        table.secret.key,
        table.game.result,
        nonce=table.nonce,
        host=table.host,
        phase=table.phase,
        public=table.public,
        due=table.due,
    )


def _times_of(rows: Sequence[EventRow]) -> Times:
    """The times of a game set on a table as it was."""
    times, events = Times(), 0
    for row in rows:
        events += len(row.body.get("chance", ())) + (row.kind in ("move", "word"))
        if row.kind == "deal":
            times.began = row.at
            times.passed(row.at, events)
        elif row.kind == "move" and row.seat is not None:
            times.decided(row.seat, row.at, events)
    return times


def _text_of(table: Table, seat: int, move: str | Claim, person: bool) -> tuple[str, WrongClaim | None]:
    """The move as text, and what is wrong with the claim that it is. Where a wrong claim costs something, people must
    claim: nobody tries moves for nothing. A table with assist does not let anybody make one."""
    game = table.game
    if isinstance(move, Claim):
        if game.seat != seat:
            raise IllegalMove("it is not seat {seat}'s turn", seat=seat)
        judged = game.judge(move.pile, move.laid, move.keep)
        if judged.why is None:
            return judged.text, None
        laid = ["".join(cards) for cards in move.laid if cards]
        wrong = WrongClaim(len(game.events), laid, judged.why, judged.about)
        if table.settings.assist:
            raise WrongClaimError(wrong)
        return judged.text, wrong
    number = game.notation.parse(move)
    must_claim = hasattr(table.rules.module, "claim") and not table.settings.assist
    if number is not None and must_claim and person and game.is_person(seat) and game.notation.move_of(number).found:
        raise IllegalMove("{move!r} must be claimed by laying the cards", why="claim", move=move)
    return move, None
