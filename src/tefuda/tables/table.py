"""All the tables of a server: opened, found again after a restart, and played at, by people and bots alike.

A `Table` in memory is rebuilt from its events by the engine's own replay of records, so what the store holds is
checked as strictly as a record from outside, and the game goes on exactly where it was."""

from __future__ import annotations

import hashlib
import logging
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
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


class WordError(Exception):
    """A word cannot be proposed or voted on now; `why` is a key: "game" (this game takes none), "alone" (nobody else
    could accept it), "open" (another word is being voted on), "none" (no word is), "own" (it is the own one), "word"
    (it can be no word here; the message says why)."""

    def __init__(self, why: str, message: str = "") -> None:
        super().__init__(message or why)
        self.why = why


class FormerRulesError(Exception):
    """The table was begun by rules that this server does not have (any more)."""


class TableSpoiltError(Exception):
    """What the store holds of a table cannot be played again, or its rules broke. The log of the server says why."""


@dataclass(frozen=True)
class Settings:
    """What a table is set to that is no rule of its game.

    `assist`: it shows people what they else must find. `call`: how many seconds a person's silence lasts before it is
    the answer, where a move of the game is meant by silence; None: it never is. `guide`: a first game, in which the
    table explains each new thing."""

    assist: bool = False
    call: float | None = 4.0
    guide: bool = False

    def as_json(self) -> dict[str, Json]:
        """As the store keeps it."""
        return {"assist": self.assist, "call": self.call, "guide": self.guide}


@dataclass
class Proposal:
    """A word that a seat proposed to the others, and who has accepted it so far."""

    seat: int
    word: str
    accepted: set[int] = field(default_factory=set)


@dataclass(frozen=True)
class Claim:
    """Cards of a pile of the own laid in groups (words), one of them perhaps to be kept: what a person claims."""

    pile: str
    laid: Sequence[Sequence[str]]
    keep: str | None = None


@dataclass(frozen=True)
class WrongClaim:
    """A claim that cost something: what was laid, group by group, the rules' name of the reason, and the groups that it
    is about. For the eyes of the one who made it; `at` is the number of its event in the game."""

    at: int
    laid: Sequence[str]
    why: str
    about: Sequence[str]

    def as_json(self) -> dict[str, Json]:
        """As the store keeps it, and as a program sees it."""
        return {"laid": list(self.laid), "why": self.why, "about": list(self.about)}


class WrongClaimError(IllegalMove):
    """A claim that would be wrong, at a table whose assist keeps people from it. Nothing was changed."""

    def __init__(self, wrong: WrongClaim) -> None:
        super().__init__(f"{' '.join(wrong.laid)} is no true claim", why="wrong")
        self.wrong = wrong


@dataclass(frozen=True)
class Silence:
    """What silence will decide: the move of a seat, at the moment `number`, after so many seconds."""

    seat: int
    number: int
    text: str
    seconds: float


@dataclass
class Table:
    """A table as this process knows it. Hold `Tables.at(...)` while looking at it.

    `last`: the number of its last event in the store. `secret`: the source of its chance. `forgotten`: it differs from
    the store, because something was not kept; nobody may look at it any more. `again`: by seat, the name of the table
    opened when it asked for another game. `wrong`: by seat, the last claim that was wrong and cost something."""

    id: str
    game: Game
    sitters: list[Sitter]
    digests: Mapping[int, bytes]
    last: int
    secret: SecretChance
    settings: Settings = Settings()
    proposal: Proposal | None = None
    lock: threading.RLock = field(default_factory=threading.RLock, repr=False)
    forgotten: bool = False
    again: dict[int, str] = field(default_factory=dict, repr=False)
    wrong: dict[int, WrongClaim] = field(default_factory=dict, repr=False)

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

    @property
    def due_by_itself(self) -> bool:
        """Whether the game goes on without anybody's doing: a bot is due, or silence decides."""
        return self.bot_due or self.silence is not None

    @property
    def silence(self) -> Silence | None:
        """What the silence of the person on turn will decide; None when it decides nothing."""
        seat, seconds = self.game.seat, self.settings.call
        if seat is None or seconds is None or self.sitters[seat].bot is not None:
            return None
        if not any(move.silence for move in self.rules.moves):
            return None
        for move in self.game.legal(person=True):
            if self.game.notation.move_of(move).silence:
                return Silence(seat, self.number, self.game.notation.text(move), seconds)
        return None

    @property
    def people(self) -> list[int]:
        """The seats in which people sit."""
        return [seat for seat, sitter in enumerate(self.sitters) if sitter.bot is None]

    def seat_of(self, token: str | None) -> int | None:
        """The seat that a token holds, or None: a spectator."""
        return seat_of(token, dict(self.digests))

    def view(self, seat: int | None) -> dict[str, Json]:
        """What a seat or a spectator may see, with what a person may do."""
        person = seat is not None and self.sitters[seat].bot is None
        return self.game.view(seat, person=person, assist=self.settings.assist)

    def story(self, seat: int | None) -> list[dict[str, Json]]:
        """The events so far as a seat or a spectator knows them."""
        return self.game.story(seat)

    def wrong_claim(self, seat: int | None) -> WrongClaim | None:
        """The claim of a seat that was wrong, until it has decided again."""
        made = None if seat is None else self.wrong.get(seat)
        if made is None or any(event.who == seat for event in self.game.events[made.at + 1 :]):
            return None
        return made


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
        settings: Settings | None = None,
        chance: Chance | None = None,
        table_id: str | None = None,
        tokens: Mapping[int, str] | None = None,
    ) -> Opened:
        """Deal a game of the shelf at a new table. UnknownGameError, OptionError when it cannot be.

        `tokens`: what holds the seats; new ones for the people unless told. `chance` and `table_id` are for tests; else
        both are drawn from the operating system."""
        if game not in self.shelf:
            raise UnknownGameError(f"there is no game {game!r} here; the games: {', '.join(self.shelf)}")
        secret = SecretChance(secrets.token_bytes(KEY_BYTES))
        players = [sitter.player for sitter in sitters]
        dealt = Game(self.shelf[game], players, options or {}, chance or secret)
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
            table = Table(name, game, list(sitters), digests, rows[-1].number, secret, settings or Settings())
            row = TableRow(
                name,
                game.rules.id,
                game.rules.version,
                dict(game.options),
                table.settings.as_json(),
                secret.key,
                game.result,
            )
            try:
                self.store.open_table(row, rows, digests, table.due_by_itself)
                break
            except TakenError:
                if table_id:
                    raise
        self._remember(table)
        self._tell(table)
        return Opened(table, tokens)

    def again(self, table_id: str, token: str | None) -> str:
        """Another game for the seat that a token holds, with the same people and bots, options and settings; the name
        of its table, where the same token holds the same seat. Asked for again it is the same, until that game is over.

        UnseatedError, and whatever `open` raises."""
        while True:
            with suppress(StaleError):  # somebody was faster: it is their table, and ours stays empty
                return self._again(table_id, token)

    def _again(self, table_id: str, token: str | None) -> str:
        with self.at(table_id) as table:
            seat = table.seat_of(token)
            if seat is None or token is None:
                raise UnseatedError(table_id)
            if seat in table.again and self._goes_on(table.again[seat]):
                return table.again[seat]
            opened = self.open(
                table.rules.id, table.sitters, table.game.options, settings=table.settings, tokens={seat: token}
            )
            self._keep(table, [EventRow(table.last + 1, "again", seat, {"table": opened.table.id})])
            table.again[seat] = opened.table.id
            return opened.table.id

    def _goes_on(self, table_id: str) -> bool:
        try:
            with self.at(table_id) as table:
                return not table.game.over
        except (UnknownTableError, FormerRulesError, TableSpoiltError):
            return False

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
        proposal: Proposal | None = None
        wrong: dict[int, WrongClaim] = {}
        for event in rows:
            if event.kind == "propose":
                assert event.seat is not None
                proposal = Proposal(event.seat, event.body["word"])
            elif event.kind == "vote":
                proposal = _voted(proposal, event.seat, event.body["accepts"])
            elif event.kind == "word":
                proposal = None
                record["events"].append(["*", event.body["event"]])
            if event.kind == "move":
                if event.seat is not None and "wrong" in event.body:
                    wrong[event.seat] = WrongClaim(len(record["events"]), **event.body["wrong"])
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
        moves = [event for event in rows if event.kind == "move"]
        game.said = {n: event.body["said"] for n, event in enumerate(moves) if "said" in event.body}
        kept = [event.body for event in rows if event.kind == "set"]
        settings = Settings(**(row.settings | (kept[-1] if kept else {})))
        again = {event.seat: event.body["table"] for event in rows if event.kind == "again" and event.seat is not None}
        last = rows[-1].number
        return Table(row.id, game, sitters, digests, last, secret, settings, proposal, again=again, wrong=wrong)

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

    def play(
        self,
        table_id: str,
        seat: int | None,
        text: str | Claim,
        number: int | None = None,
        said: int | None = None,
    ) -> Table:
        """Make a move, as text or as a claim, for a seat; it is kept when this returns.

        `number`: the moment the move is meant for (`Table.number` when its maker looked); None for now, whatever it
        is. `said`: what the player declares with it. UnseatedError for a spectator; StaleError when the table has gone
        on; IllegalMove when it may not be made. Whatever is raised, nothing has changed."""
        with self.at(table_id) as table:
            if seat is None:
                raise UnseatedError(table_id)
            if number is not None and number != table.number:
                raise StaleError(table_id)
            before = table.number
            try:
                text, wrong = self._text_of(table, seat, text)
                said = None if table.game.declares is None else said
                table.game.play(text, seat=seat, assist=table.settings.assist, said=said)
                move, *chance = table.game.events[before:]
                row = _row(table.game, table.last + 1, move, chance, table.secret.used, said)
                if wrong is not None:
                    row.body["wrong"] = wrong.as_json()
                self.store.append(table.id, [row], table.due_by_itself, table.game.result)
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
            if wrong is not None:
                table.wrong[seat] = wrong
            self._tell(table)
            return table

    def _text_of(self, table: Table, seat: int, move: str | Claim) -> tuple[str, WrongClaim | None]:
        """The move as text, and what is wrong with the claim that it is. Where a wrong claim costs something, people
        must claim: nobody tries moves for nothing. A table with assist does not let anybody make one."""
        game = table.game
        if isinstance(move, Claim):
            if game.seat != seat:
                raise IllegalMove(f"it is not seat {seat}'s turn")
            judged = game.judge(move.pile, move.laid, move.keep)
            if judged.why is None:
                return judged.text, None
            wrong = WrongClaim(table.number, ["".join(cards) for cards in move.laid if cards], judged.why, judged.about)
            if table.settings.assist:
                raise WrongClaimError(wrong)
            return judged.text, wrong
        number = game.notation.parse(move)
        must_claim = hasattr(table.rules.module, "claim") and not table.settings.assist and game.is_person(seat)
        if number is not None and must_claim and game.notation.move_of(number).found:
            raise IllegalMove(f"{move!r} must be claimed by laying the cards", why="claim")
        return move, None

    def propose(self, table_id: str, seat: int | None, word: str) -> Table:
        """Propose a word that the lexicon lacks to the other people at the table. UnseatedError, WordError."""
        with self.at(table_id) as table:
            if seat is None:
                raise UnseatedError(table_id)
            if table.rules.growing is None:
                raise WordError("game")
            if table.people == [seat]:
                raise WordError("alone")
            if table.proposal is not None:
                raise WordError("open")
            try:
                table.game.check_entry(word)
            except IllegalMove as e:
                raise WordError("word", str(e)) from e
            self._keep(table, [EventRow(table.last + 1, "propose", seat, {"word": word})])
            table.proposal = Proposal(seat, word)
            self._tell(table)
            return table

    def vote(self, table_id: str, seat: int | None, word: str, accepts: bool) -> Table:
        """Accept or refuse the word that was proposed. When every other person has accepted, it counts at this table
        from now on; the first who refuses ends the vote. UnseatedError, WordError."""
        with self.at(table_id) as table:
            if seat is None:
                raise UnseatedError(table_id)
            proposal = table.proposal
            if proposal is None or proposal.word != word:
                raise WordError("none")
            if proposal.seat == seat:
                raise WordError("own")
            rows = [EventRow(table.last + 1, "vote", seat, {"accepts": accepts})]
            left = _voted(proposal, seat, accepts)
            if left is not None and left.accepted >= set(table.people) - {proposal.seat}:
                assert table.rules.growing is not None
                try:
                    table.game.accept(word)
                except IllegalMove as e:  # the game has ended meanwhile
                    raise WordError("word", str(e)) from e
                rows.append(EventRow(table.last + 2, "word", None, {"event": f"{table.rules.growing[1]} {word}"}))
                left = None
            self._keep(table, rows)
            table.proposal = left
            self._tell(table)
            return table

    def stop_guide(self, table_id: str, seat: int | None) -> Table:
        """Nobody needs explanations at this table any more. UnseatedError."""
        with self.at(table_id) as table:
            if seat is None:
                raise UnseatedError(table_id)
            if table.settings.guide:
                settings = replace(table.settings, guide=False)
                self._keep(table, [EventRow(table.last + 1, "set", seat, settings.as_json())])
                table.settings = settings
                self._tell(table)
            return table

    def _keep(self, table: Table, rows: Sequence[EventRow]) -> None:
        """Append what is no move; whatever goes wrong, memory does not differ from the store."""
        try:
            self.store.append(table.id, rows, table.due_by_itself, table.game.result)
        except TakenError:
            self._forget(table)
            raise StaleError(table.id) from None
        except BaseException:
            self._forget(table)
            raise
        table.last = rows[-1].number

    def silence(self, table_id: str) -> Silence | None:
        """What silence will decide at a table."""
        with self.at(table_id) as table:
            return table.silence

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
            words = int.from_bytes(hashlib.sha256(f"{table_id} {seat}".encode()).digest()[:8], "big")
            return BotTurn(seat, spec, table.number, game.rules, game.notation, game.options_now, seats, known, words)

    def _tell(self, table: Table) -> None:
        for listener in self.heard:
            listener(table)


@dataclass(frozen=True)
class BotTurn:
    """A bot's decision that is due: all that is handed to the bot. `number` is the moment it is for; `words` the
    seed from which a bot that knows a share of all words has them: one for each seat of a table."""

    seat: int
    spec: str
    number: int
    rules: Rules
    notation: Notation
    options: dict[str, Json]
    seats: int
    known: PlainState
    words: int


def _voted(proposal: Proposal | None, seat: int | None, accepts: bool) -> Proposal | None:
    """What is left of a proposal after a vote: None when it was refused."""
    if proposal is None or seat is None or not accepts:
        return None
    return Proposal(proposal.seat, proposal.word, proposal.accepted | {seat})


def _rows_of(game: Game, number: int, drawn: int) -> list[EventRow]:
    """A game's events as rows, numbered from `number` on: one for the deal and one for each decision."""
    groups: list[tuple[Event | None, list[Event]]] = [(None, [])]
    for event in game.events:
        if event.who == "*" and event.entry is None:
            groups[-1][1].append(event)
        else:
            groups.append((event, []))
    return [_row(game, number + i, move, chance, drawn) for i, (move, chance) in enumerate(groups)]


def _row(
    game: Game, number: int, move: Event | None, chance: Sequence[Event], drawn: int, said: int | None = None
) -> EventRow:
    """A decision (None: the deal), what was declared with it, and the chance it caused, as a row.

    `drawn`: how many numbers the table's source of chance has given by now; there it goes on after a restart."""
    body: dict[str, Json] = {"chance": [game.event_text(event) for event in chance], "drawn": drawn}
    if move is None:
        return EventRow(number, "deal", None, body)
    if move.entry is not None:
        return EventRow(number, "word", None, {"event": game.event_text(move)})
    assert move.who != "*"
    if said is not None:
        body["said"] = said
    return EventRow(number, "move", move.who, {"move": game.event_text(move), **body})


__all__ = [
    "BotTurn",
    "Claim",
    "FormerRulesError",
    "Opened",
    "Proposal",
    "Settings",
    "Shelf",
    "Silence",
    "StaleError",
    "StoreError",
    "Table",
    "TableSpoiltError",
    "Tables",
    "UnknownTableError",
    "UnseatedError",
    "WordError",
    "WrongClaim",
    "WrongClaimError",
]
