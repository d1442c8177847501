"""A table's events as the store keeps them, both ways: from a game to rows, and from rows to a table.

Kinds of rows, each with what its body holds:

    plan      what a waiting table is to play: seats, options, settings, starter (only of the last one)
    sit       somebody sits down at a seat: name, bot                     leave     a seat is free again
    deal      the game begins: chance, drawn, starter
    move      a decision: move, chance, drawn, said, wrong                word      a word counts from now on: event
    propose   something is asked of the others: kind, word, about         vote      somebody answers: accepts
    undo      decisions are taken back: to (so many events are left)      set       other settings
    stand_in  a bot plays for somebody from now on: bot                   back      its player is there again: extra
    say       a line: text or phrase                                      again     another game, at that table: table

A decision and the chance that it caused are one row, so they are kept together or not at all. The table is rebuilt by
the engine's own replay of records: what the store holds is checked as strictly as a record from outside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from tefuda.engine.chance import SecretChance, ToldChance
from tefuda.engine.game import Event, Game
from tefuda.engine.record import FORMAT, from_record
from tefuda.engine.rules import Rules
from tefuda.tables.settings import Settings
from tefuda.tables.sitters import Sitter
from tefuda.tables.store import EventRow, TableRow
from tefuda.tables.table import Proposal, Table, Times, WrongClaim
from tefuda.tables.talk import Notice, line_of

Json = Any


def begun(rows: Sequence[EventRow]) -> bool:
    """Whether the game of a table has been dealt."""
    return any(row.kind == "deal" for row in rows)


def sitting(rows: Sequence[EventRow]) -> dict[int, Sitter]:
    """Who sits where, when the game begins or now."""
    sitters: dict[int, Sitter] = {}
    for row in rows:
        if row.kind == "deal":
            break
        if row.kind == "sit" and row.seat is not None:
            sitters[row.seat] = Sitter(row.body["name"], row.body["bot"])
        elif row.kind == "leave" and row.seat is not None:
            sitters.pop(row.seat, None)
    return sitters


def sit_row(number: int, seat: int, sitter: Sitter) -> EventRow:
    """Somebody sits down."""
    return EventRow(number, "sit", seat, {"name": sitter.name, "bot": sitter.bot})


def rows_of(game: Game, number: int, drawn: int, starter: int | None = None) -> list[EventRow]:
    """A game's events as rows, numbered from `number` on: one for the deal and one for each decision."""
    groups: list[tuple[Event | None, list[Event]]] = [(None, [])]
    for event in game.events:
        if event.who == "*" and event.entry is None:
            groups[-1][1].append(event)
        else:
            groups.append((event, []))
    rows = [row_of(game, number + i, move, chance, drawn) for i, (move, chance) in enumerate(groups)]
    if starter is not None:
        rows[0].body["starter"] = starter
    return rows


def row_of(
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


def rebuilt(
    row: TableRow, rows: Sequence[EventRow], digests: Mapping[int, bytes], rules: Rules, awake: int
) -> Table:
    """A table whose game has begun, from what the store holds of it. RecordError or RulesError when it cannot be."""
    there = sitting(rows)
    sitters = [there[seat] for seat in sorted(there)]
    told = _Told()
    for event in rows:
        told.read(event)
    record: dict[str, Json] = {
        "format": FORMAT,
        "game": row.game,
        "rules": row.rules,
        "options": row.options,
        "players": [sitter.player for sitter in sitters],
        "events": told.events,
    }
    if row.result is not None:
        record["result"] = row.result
    game = from_record(record, rules)
    assert isinstance(game.chance, ToldChance)
    secret = SecretChance(row.key)
    secret.used = told.drawn
    game.chance.go_on_with(secret)
    game.said = told.said
    table = Table(
        row.id,
        game,
        sitters,
        digests,
        rows[-1].number,
        secret,
        Settings.from_json(row.settings | told.settings),
        nonce=row.nonce,
        starter=told.starter,
        host=row.host,
        public=row.public,
        proposal=told.proposal,
        times=told.times,
        stand_ins=told.stand_ins,
        stood_in=told.stood_in,
        undone=told.undone,
        again=told.again,
        wrong=told.wrong,
        awake=awake,
    )
    table.talk.extend(line_of(event.number, event.seat, event.body) for event in rows if event.kind == "say")
    table.notices.extend(told.notices)
    return table


class _Told:
    """What the rows of a table tell, one after the other."""

    def __init__(self) -> None:
        self.events: list[Json] = []
        self.decisions: list[int] = []  # of each, its number among the events
        self.drawn = 0
        self.starter: int | None = None
        self.said: dict[int, int] = {}
        self.settings: dict[str, Json] = {}
        self.proposal: Proposal | None = None
        self.times = Times()
        self.stand_ins: dict[int, str] = {}
        self.stood_in: set[int] = set()
        self.notices: list[Notice] = []
        self.undone = 0
        self.again: str | None = None
        self.wrong: dict[int, WrongClaim] = {}
        self.words: list[Json] = []

    def read(self, row: EventRow) -> None:
        """Take up one row."""
        self.notices += notices_of(row, self.proposal)
        match row.kind:
            case "deal":
                self.chance(row)
                self.starter = row.body.get("starter")
                self.times = Times(began=row.at)
                self.times.passed(row.at, len(self.events))
            case "move":
                self.move(row)
            case "word":
                self.words.append(["*", row.body["event"]])
                self.events.append(self.words[-1])
                self.proposal = None
            case "propose":
                asked = {key: row.body[key] for key in ("word", "about") if key in row.body}
                self.proposal = Proposal(row.seat or 0, row.body.get("kind", "word"), **asked)
            case "vote":
                self.proposal = voted(self.proposal, row.seat, row.body["accepts"])
            case "undo":
                self.undo(row)
            case "stand_in":
                self.stand_ins[row.seat or 0] = row.body["bot"]
                self.proposal = None
            case "back":
                self.stand_ins.pop(row.seat or 0, None)
                self.times.back(row.seat or 0, row.at, row.body["extra"])
            case "set":
                self.settings = row.body
            case "again":
                self.again = row.body["table"]

    def chance(self, row: EventRow) -> None:
        self.events += [["*", text] for text in row.body["chance"]]
        self.drawn = row.body["drawn"]

    def move(self, row: EventRow) -> None:
        seat, body = row.seat or 0, row.body
        if "wrong" in body:
            self.wrong[seat] = WrongClaim(len(self.events), **body["wrong"])
        if "said" in body:
            self.said[len(self.decisions)] = body["said"]
        if seat in self.stand_ins:
            self.stood_in.add(len(self.events))
        self.decisions.append(len(self.events))
        self.events.append([seat, body["move"]])
        self.chance(row)
        self.times.decided(seat, row.at, len(self.events))
        self.proposal = outlived(self.proposal, seat)

    def undo(self, row: EventRow) -> None:
        to = row.body["to"]
        words = [event for event in self.events[to:] if any(event is word for word in self.words)]
        gone = len(self.events) - to - len(words)
        self.events[to:] = words
        self.decisions = [n for n in self.decisions if n < to]
        self.said = {n: value for n, value in self.said.items() if n < len(self.decisions)}
        self.wrong = {seat: wrong for seat, wrong in self.wrong.items() if wrong.at < to}
        self.stood_in = {n for n in self.stood_in if n < to}
        self.undone += gone + 1
        self.times.take_back(row.at, len(self.events), len(self.decisions))
        self.proposal = None


def voted(proposal: Proposal | None, seat: int | None, accepts: bool) -> Proposal | None:
    """What is left of a proposal after a vote: None when it was refused."""
    if proposal is None or seat is None or not accepts:
        return None
    return Proposal(proposal.seat, proposal.kind, proposal.word, proposal.about, proposal.accepted | {seat})


def outlived(proposal: Proposal | None, seat: int) -> Proposal | None:
    """What is left of a proposal after a seat has decided: to take back is asked of one moment only, and whoever
    decides is not absent."""
    if proposal is None or proposal.kind == "word" or (proposal.kind == "absent" and proposal.about != seat):
        return proposal
    return None


def notices_of(row: EventRow, asked: Proposal | None) -> Iterator[Notice]:
    """What the table says of an event to everybody; `asked`: what was being voted on until then. That a word counts
    from now on is an event of the game, and told there."""
    seat = row.seat or 0
    if row.kind in ("undo", "stand_in", "back"):
        what: Literal["undone", "stands in", "back"]
        what = "undone" if row.kind == "undo" else "back" if row.kind == "back" else "stands in"
        yield Notice(row.number, what, seat)
    if asked is None:
        return
    other = asked.about if asked.kind == "absent" else 0
    if row.kind == "vote" and not row.body["accepts"]:
        yield Notice(row.number, "refused", asked.seat, asked.kind, asked.word, other)
    missed = row.kind == "stand_in" and not (asked.kind == "absent" and asked.about == seat)
    if missed or (row.kind == "move" and outlived(asked, seat) is None):
        yield Notice(row.number, "gone on", asked.seat, asked.kind, asked.word, other)
