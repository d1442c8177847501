"""A table as a process knows it: its game, who sits there, its clocks, what is said and voted on. `rows` rebuilds it
from its events, `tables` plays at it."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from tefuda.engine.chance import SecretChance
from tefuda.engine.commitment import commitment, promise
from tefuda.engine.game import Game, IllegalMove
from tefuda.engine.notation import Notation
from tefuda.engine.plain import PlainState
from tefuda.engine.record import from_record
from tefuda.engine.rules import Rules
from tefuda.tables.settings import Settings
from tefuda.tables.sitters import Sitter, seat_of
from tefuda.tables.talk import MOST_KEPT, Line, Notice

Json = Any

GRACE = 60_000
"""Milliseconds that somebody has at least who comes back to a game clock, or whose server was away."""

ABSENT_AFTER = 60_000
"""After so many milliseconds of thinking the others may ask for a bot in somebody's place."""


class UnknownTableError(LookupError):
    """No table has that name."""


class WaitingError(Exception):
    """The table waits for its players; its game has not begun."""


class UnseatedError(Exception):
    """Somebody who holds no seat at the table wants to play."""


class StaleError(Exception):
    """The move was meant for a moment that has passed: the table had gone on when it came. Nothing was changed."""


class AskError(Exception):
    """What somebody asks of the others cannot be asked or answered now. `why` is a key.

    Of a word: "game" (this game takes none), "alone" (nobody else could accept it), "word" (it can be no word here; the
    message says why). Of taking back: "nothing" (no decision of the own), "revealed" (something was revealed since),
    "over". Of a bot in somebody's place: "here" (a bot, or it is not their turn), "soon" (they have not thought long).
    Of any: "open" (something else is being voted on), "none" (nothing of the kind is), "own" (it is the own one)."""

    def __init__(self, why: str, message: str = "") -> None:
        super().__init__(message or why)
        self.why = why


class FormerRulesError(Exception):
    """The table was begun by rules that this server does not have (any more): `version` of `game`."""

    def __init__(self, game: str, version: str) -> None:
        super().__init__(f"{game}, rules {version}")
        self.game, self.version = game, version


class TableSpoiltError(Exception):
    """What the store holds of a table cannot be played again, or its rules broke. The log of the server says why."""


AskKind = Literal["word", "undo", "absent"]


@dataclass
class Proposal:
    """What a seat asks of the others, and who has agreed so far: a word to be accepted; its last decision, event
    number `about`, to be taken back; or a bot to play for the seat `about`, which is absent."""

    seat: int
    kind: AskKind
    word: str = ""
    about: int = 0
    accepted: set[int] = field(default_factory=set)

    def as_json(self) -> dict[str, Json]:
        """For programs."""
        asked = {"word": self.word} if self.kind == "word" else {"about": self.about}
        return {"seat": self.seat, "kind": self.kind, **asked, "accepted": sorted(self.accepted)}


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
        super().__init__("{laid} is no true claim", why="wrong", laid=" ".join(wrong.laid))
        self.wrong = wrong


@dataclass(frozen=True)
class Silence:
    """What silence will decide: the move of a seat, at the moment `number`, after so many seconds."""

    seat: int
    number: int
    text: str
    seconds: float


@dataclass(frozen=True)
class Thought:
    """How long a decision took: whose it was, and the milliseconds."""

    seat: int
    milliseconds: int


@dataclass
class Times:
    """When things happened at a table, in milliseconds since 1970.

    `began`: the deal. `since`: the decision at hand came up. `thoughts`: of every decision, in order. `extra`: what a
    seat was given on top of its game clock. `stamps`: after how many events of the game it was what time."""

    began: int = 0
    since: int = 0
    thoughts: list[Thought] = field(default_factory=list)
    extra: dict[int, int] = field(default_factory=dict)
    stamps: list[tuple[int, int]] = field(default_factory=list)

    def used(self, seat: int) -> int:
        """The milliseconds that a seat has thought."""
        return sum(thought.milliseconds for thought in self.thoughts if thought.seat == seat)

    def decided(self, seat: int, at: int, events: int) -> None:
        """A decision was made at a time; now there are so many events of the game."""
        self.thoughts.append(Thought(seat, max(0, at - self.since)))
        self.passed(at, events)

    def passed(self, at: int, events: int) -> None:
        """Another decision comes up."""
        self.since = at
        self.stamps.append((events, at))

    def back(self, seat: int, at: int, extra: int) -> None:
        """A seat is its player's again, with so many milliseconds on top of its game clock."""
        self.extra[seat] = self.extra.get(seat, 0) + extra
        self.since = at

    def take_back(self, at: int, events: int, decisions: int) -> None:
        """So many events and decisions are left of the game."""
        del self.thoughts[decisions:]
        self.stamps = [stamp for stamp in self.stamps if stamp[0] < events]
        self.passed(at, events)


@dataclass
class Table:
    """A table as this process knows it. Hold `Tables.at(...)` while looking at it.

    `last`: the number of its last event in the store. `secret`: the source of its chance; `nonce`: with its key, what
    the table promised; `starter`: the seat that the table named to begin. `stand_ins`: the bots that play for people
    who are away, by seat. `undone`: by how much the moment (`number`) is ahead of the count of the game's events.
    `forgotten`: it differs from the store, because something was not kept; nobody may look at it any more. `again`:
    the name of the table opened for another game. `wrong`: by seat, the last claim that was wrong and cost something.
    `awake`: since when this process keeps time."""

    id: str
    game: Game
    sitters: list[Sitter]
    digests: Mapping[int, bytes]
    last: int
    secret: SecretChance
    settings: Settings = field(default_factory=Settings)
    nonce: bytes | None = None
    starter: int | None = None
    host: bytes | None = None
    public: bool = False
    proposal: Proposal | None = None
    times: Times = field(default_factory=Times)
    stand_ins: dict[int, str] = field(default_factory=dict)
    stood_in: set[int] = field(default_factory=set)
    talk: deque[Line] = field(default_factory=lambda: deque(maxlen=MOST_KEPT), repr=False)
    notices: deque[Notice] = field(default_factory=lambda: deque(maxlen=MOST_KEPT), repr=False)
    undone: int = 0
    awake: int = 0
    lock: threading.RLock = field(default_factory=threading.RLock, repr=False)
    forgotten: bool = False
    again: str | None = None
    wrong: dict[int, WrongClaim] = field(default_factory=dict, repr=False)

    @property
    def rules(self) -> Rules:
        """The rules it is played by."""
        return self.game.rules

    @property
    def number(self) -> int:
        """The moment the game is at, which only ever grows: what a move names as the moment it is meant for."""
        return len(self.game.events) + self.undone

    @property
    def phase(self) -> str:
        """As the store has it: "playing", or "over"."""
        return "over" if self.game.over else "playing"

    # ------------------------------------------------------------------------------------------------ who is due

    def bot_of(self, seat: int) -> str | None:
        """The spec of the bot that plays at a seat now, be it a bot's or in the place of somebody who is away."""
        return self.sitters[seat].bot or self.stand_ins.get(seat)

    @property
    def bot_due(self) -> bool:
        """Whether the next decision is a bot's."""
        seat = self.game.seat
        return seat is not None and self.bot_of(seat) is not None

    @property
    def due(self) -> int | None:
        """When something happens without anybody's doing, in milliseconds since 1970: a bot plays or silence decides
        (0: as soon as it may), or a clock runs out. None: never."""
        if self.bot_due or self.silence is not None:
            return 0
        return self.deadline

    @property
    def silence(self) -> Silence | None:
        """What the silence of the person on turn will decide; None when it decides nothing."""
        seat, seconds = self.game.seat, self.settings.call
        if seat is None or seconds is None or self.bot_of(seat) is not None:
            return None
        if not any(move.silence for move in self.rules.moves):
            return None
        for move in self.game.legal(person=True):
            if self.game.notation.move_of(move).silence:
                return Silence(seat, self.number, self.game.notation.text(move), seconds)
        return None

    def time_left(self, seat: int, now: int) -> int | None:
        """The milliseconds that a person has left to think; None without a clock."""
        clock = self.settings.clock
        if clock is None or self.sitters[seat].bot is not None:
            return None
        running = max(0, now - self.times.since) if self.game.seat == seat and seat not in self.stand_ins else 0
        if clock.kind == "move":
            return 1000 * clock.seconds - running
        made = sum(thought.seat == seat for thought in self.times.thoughts)
        given = 1000 * (clock.seconds + clock.increment * made) + self.times.extra.get(seat, 0)
        return max(0, given - self.times.used(seat)) - running

    @property
    def deadline(self) -> int | None:
        """When the clock of the person on turn runs out; None when none runs."""
        seat = self.game.seat
        if seat is None or self.bot_of(seat) is not None:
            return None
        left = self.time_left(seat, self.times.since)
        return None if left is None else max(self.times.since + left, self.awake + GRACE if self.awake else 0)

    def missing(self, seat: int, now: int) -> int:
        """The milliseconds that somebody who comes back to a game clock is given, to have a little time at least."""
        clock, left = self.settings.clock, self.time_left(seat, now)
        return max(0, GRACE - left) if clock is not None and clock.kind == "game" and left is not None else 0

    # ------------------------------------------------------------------------------------------------ people

    @property
    def people(self) -> list[int]:
        """The seats in which people sit."""
        return [seat for seat, sitter in enumerate(self.sitters) if sitter.bot is None]

    def voters(self, proposal: Proposal) -> set[int]:
        """The seats that must agree to what one of them asks: the people who are there; to taking back also those who
        are away, for the game is theirs, too."""
        asked = set(self.people) - {proposal.seat}
        if proposal.kind == "undo":
            return asked
        asked -= set(self.stand_ins)
        return asked - {proposal.about} if proposal.kind == "absent" else asked

    def seat_of(self, token: str | None) -> int | None:
        """The seat that a token holds, or None: a spectator."""
        return seat_of(token, dict(self.digests))

    # ------------------------------------------------------------------------------------------------ looking

    def view(self, seat: int | None) -> dict[str, Json]:
        """What a seat or a spectator may see, with what a person may do; `number` is the moment."""
        person = seat is not None and self.sitters[seat].bot is None
        seen = self.game.view(seat, person=person, assist=self.settings.assist)
        return {**seen, "number": self.number}

    def story(self, seat: int | None) -> list[dict[str, Json]]:
        """The events so far as a seat or a spectator knows them."""
        return self.game.story(seat)

    def wrong_claim(self, seat: int | None) -> WrongClaim | None:
        """The claim of a seat that was wrong, until it has decided again."""
        made = None if seat is None else self.wrong.get(seat)
        if made is None or any(event.who == seat for event in self.game.events[made.at + 1 :]):
            return None
        return made

    def past(self, events: int) -> Game:
        """The game as it was after so many of its events, for looking only."""
        record = self.game.record()
        if events < len(record["events"]):
            record.pop("result", None)
        return from_record({**record, "events": record["events"][:events]}, self.rules)

    def late(self, now: int) -> Game:
        """The game as it was as many minutes ago as those who watch late are behind; at its end, as it is."""
        if self.game.over:
            return self.game
        until = now - 60_000 * self.settings.delay
        events = [n for n, at in self.times.stamps if at <= until]
        return self.past(events[-1] if events else self.times.stamps[0][0])

    def opened_late(self, now: int) -> bool:
        """Whether those who watch late see the hands: not before the game is as old as they are behind, for what they
        see until then is the deal that is being played."""
        return self.game.over or now - 60_000 * self.settings.delay >= self.times.stamps[0][1]

    @property
    def promised(self) -> str | None:
        """What the table promised of its chance; None when it is older than promises."""
        return None if self.nonce is None else commitment(self.secret.key, self.nonce)

    def record(self) -> dict[str, Json]:
        """The whole game as a record, with what it needs to be verified; for games that are over."""
        record = self.game.record()
        if self.nonce is not None and "result" in record:
            told = {"chance": promise(self.secret.key, self.nonce, self.starter)}
            record["result"]["notes"] = {**(record["result"].get("notes") or {}), **told}
        return record


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
