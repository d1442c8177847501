"""A running game: whose decision it is, what is legal, what anybody may see, and how it all came about."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any, Literal

from tefuda.engine import view as views
from tefuda.engine.cards import PICK, ROLL, SHUFFLE, START, TAKE
from tefuda.engine.chance import Answer, Chance, SecretChance, SeededChance, WrongAnswerError
from tefuda.engine.declare import NO_CARD
from tefuda.engine.plain import Cells, Journal, PlainState, SlipError
from tefuda.engine.rules import OptionError, Rules, RulesError, describe, find, where
from tefuda.engine.sentence import Sentence, ToldError

BOT = "bot:"
"""Names that begin so are kept for programs."""

MOST_NAME = 40

QUESTIONS = {SHUFFLE: "shuffle", START: "start", ROLL: "roll", TAKE: "take", PICK: "pick"}

Json = Any


class IllegalMove(ToldError, ValueError):
    """A move that may not be made; says which, whose, and what may be. `legal` lists it.

    `why` names the reason where it has a name: of a claim "nothing" (no card is laid), "absent" (a card is not there),
    "keep" (none of the cards laid is to be kept), "none" (the cards spell nothing that counts)."""

    def __init__(self, english: str, /, legal: Sequence[str] = (), why: str = "", **values: object) -> None:
        super().__init__(english, legal=", ".join(legal), **values)
        self.legal, self.why = list(legal), why


@dataclass(frozen=True)
class Judged:
    """The move, as text, that laying cards is. When it is a wrong claim that costs something, `why` is the rules' name
    of the reason, and `about` the groups laid (as the cards' names together) that it is about."""

    text: str
    why: str | None = None
    about: tuple[str, ...] = ()


@dataclass(frozen=True)
class Event:
    """One line of a record: a decision of a seat, or chance (`who` is "*"), or what the table added (`entry`).

    `cards`: what moved because of it, in order: kind, from pile, to pile, the viewers (bits) who know the kind.
    `fields`: the public fields of one number, as they were when what followed the decision was over."""

    who: int | Literal["*"]
    move: int = 0
    answer: Answer | None = None
    entry: str | None = None
    cards: Journal = field(default_factory=list)
    fields: Mapping[str, int] = field(default_factory=dict)


class Game:
    """A game being played.

    Read `seat`, `over`, `result`, `options`, `players`, `events`. `moves` and `play` speak the notation. `notes` is
    free data that a record may hold beside its result. `entries` are what the table added (see `accept`). `said` is
    what people declared with their decisions (see `declares`), by the number of the decision from 0."""

    def __init__(
        self, rules: Rules, players: Sequence[str], options: Mapping[str, Any], chance: Chance
    ) -> None:
        self.rules = rules
        self.players = [checked_name(name) for name in players]
        rules.check_seats(len(self.players))
        self.options = rules.options(options, len(self.players))
        self.chance = chance
        self.notes: Json = None
        self.said: dict[int, int] = {}
        self._accepted: list[tuple[int, str]] = []  # what the table added, and after how many decisions
        self._start = chance.mark()
        self._deal()

    # ------------------------------------------------------------------------------------------------- running

    def _deal(self) -> None:
        self.entries: list[str] = []
        self._look_up()
        self.state: PlainState = self.rules.undealt(len(self.players), self.options)
        self.events: list[Event] = []
        self._run("begin")

    def _look_up(self) -> None:
        """The notation and the tables as they are with what the table added."""
        self.notation = self.rules.notation(self.options_now)
        self.t = self.rules.tables(self.options_now, len(self.players))

    @property
    def options_now(self) -> dict[str, Json]:
        """The options it is played by, what the table added while it played among them."""
        if not self.entries:
            return dict(self.options)
        assert self.rules.growing is not None
        name = self.rules.growing[0]
        return {**self.options, name: [*self.options[name], *self.entries]}

    def _run(self, function: str, *arguments: Any) -> Any:
        """Call the rules; what goes wrong in them is told with their file and line."""
        try:
            if function in ("begin", "step"):
                return self._record_events(function, arguments)
            return getattr(self.rules.module, function)(self.state, *arguments, self.t)
        except (WrongAnswerError, RulesError):
            raise
        except (Exception, SystemExit) as e:
            wrong = RulesError("{where}: {reason}", where=where(e, self.rules.path), reason=describe(e))
            if function != "begin":  # a deal that broke off is no game
                wrong.game, wrong.move = self, arguments[0] if function == "step" else None
            raise wrong from e

    def _record_events(self, function: str, arguments: tuple[Any, ...]) -> None:
        self.state.journal.clear()
        self.chance.answers.clear()
        getattr(self.rules.module, function)(self.state, *arguments, self.t, self.chance)
        if not self.over and not 0 <= self.state.turn < len(self.players):
            raise SlipError("s.turn is {turn!s}, which is no seat of this table (use % s.seats)", turn=self.state.turn)
        fields = {name: int(getattr(self.state, name)) for name in self.rules.state_type.open_numbers}
        moved = list(self.state.journal)
        answers = list(self.chance.answers)
        stops = [answer.moved for answer in answers] + [len(moved)]
        if function == "step":
            self.events.append(Event(self._mover, move=arguments[0], cards=moved[: stops[0]], fields=fields))
        for i, answer in enumerate(answers):
            self.events.append(Event("*", answer=answer, cards=moved[stops[i] : stops[i + 1]], fields=fields))

    @property
    def seat(self) -> int | None:
        """The seat whose decision is due; None when the game is over."""
        return None if self.over else int(self.state.turn)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._run("over"))

    @property
    def result(self) -> dict[str, Json] | None:
        """`ranks` and `scores` by seat and whether a cap was reached; None while the game runs."""
        if not self.over:
            return None
        n = len(self.players)
        ranks, scores = Cells("places", [0] * n), Cells("points", [0] * n)
        self._run("ranks", ranks)
        self._run("scores", scores)
        return {"ranks": list(ranks), "scores": list(scores), "capped": bool(self.state.capped)}

    # --------------------------------------------------------------------------------------------------- moves

    def legal(self, person: bool = False, assist: bool = False) -> list[int]:
        """What the seat on turn may do, as the engine writes moves; `person` adds what only people may. With `assist`
        nobody overlooks anything: what people may do only because they overlook something is left out."""
        if self.over:
            return []
        moves = Cells("moves", [0] * (self.rules.most_moves + 1), 0, (1 << 63) - 1)
        self._run("find_legal", moves)
        programs = moves[0]
        if person:
            self._run("also_people", moves)
        made = [moves[i] for i in range(1, moves[0] + 1)]
        if assist:
            added = [move for move in made[programs:] if not self.notation.move_of(move).overlooks]
            made[programs:] = added
        return made

    def moves(self, person: bool = False, assist: bool = True) -> list[str]:
        """What a program in the seat on turn may do, as text; `person` adds what only people may do.

        Without `assist` those a person must find are left out, for a person.
        RulesError when `legal` allows what cannot be written, or what reads as another move."""
        legal = self.legal(person, assist)
        return [self._text(move) for move in legal if assist or not person or not self.notation.move_of(move).found]

    def _text(self, move: int) -> str:
        kind = move >> 57
        if kind not in self.notation.moves:
            raise self._wrong_move("a move of the kind {kind}, which MOVES does not declare", kind=kind)
        name = self.notation.move_of(move).name
        try:
            text = self.notation.text(move)
        except IndexError as e:
            raise self._wrong_move("the move {name!r} with a part there is not", name=name) from e
        read = self.notation.parse(text)
        if read is None:
            unread = "the move {name!r}, written {text!r}, which reads as no move (does a part hold NO_CARD?)"
            raise self._wrong_move(unread, name=name, text=text)
        if read != move:
            other = self.notation.move_of(read).name
            if other == name:
                unsaid = "the move {name!r}, written {text!r}, with something in it that its text does not say"
                raise self._wrong_move(unsaid, name=name, text=text)
            alike = "the move {name!r}, written {text!r}, which reads as the move {other!r}; two may not read alike"
            raise self._wrong_move(alike, name=name, text=text, other=other)
        return text

    def _wrong_move(self, english: str, /, **values: object) -> RulesError:
        return RulesError("{file}: `legal` adds {what}", file=self.rules.path, what=Sentence(english, **values))

    def is_person(self, seat: int) -> bool:
        """Whether the name of a seat is a person's."""
        return not self.players[seat].startswith(BOT)

    def play(self, text: str, seat: int | None = None, assist: bool = False, said: int | None = None) -> None:
        """Make a move of the seat on turn (`seat`, when given, must be it). IllegalMove when it may not be made;
        then nothing has changed. What a person may do by overlooking something is refused with `assist`. `said`: what
        the player declares with it (see `declares`); right or wrong, it changes nothing in the game."""
        turn = self.seat
        if turn is None:
            raise IllegalMove("{move}: the game is over", move=_short(text))
        if seat is not None and seat != turn:
            raise IllegalMove(
                "{move}: it is not seat {seat}'s turn but seat {turn}'s", move=_short(text), seat=seat, turn=turn
            )
        person = self.is_person(turn)
        move = self.notation.parse(text) if isinstance(text, str) else None
        if move is None or move not in self.legal(person, assist):
            texts = self.moves(person, assist)
            if move is None:
                english = "{move} by seat {turn} reads as no move; legal: {legal}"
            else:
                english = "{move} by seat {turn} may not be played now; legal: {legal}"
            raise IllegalMove(english, legal=texts, move=_short(text), turn=turn)
        self.play_move(move)
        if said is not None and self.declares is not None:
            self.said[len(self._made()) - 1] = said

    @property
    def declares(self) -> str | None:
        """The field of which people declare with each move what it will be; None where nothing is declared."""
        if self.rules.declares is None or not self.options[self.rules.declares[0]]:
            return None
        return self.rules.declares[1]

    @property
    def misdeclared(self) -> list[int]:
        """How often each seat declared something else than what came to be."""
        wrong = [0] * len(self.players)
        for n, event in enumerate(event for event in self.events if event.who != "*"):
            if self.declares is not None and n in self.said and self.said[n] != event.fields[self.declares]:
                assert event.who != "*"
                wrong[event.who] += 1
        return wrong

    def claim(self, pile: str, laid: Sequence[Sequence[str]], keep: str | None = None) -> str:
        """The move, as text, of the person on turn who lays these cards (see `judge`)."""
        return self.judge(pile, laid, keep).text

    def judge(self, pile: str, laid: Sequence[Sequence[str]], keep: str | None = None) -> Judged:
        """What comes of it when the person on turn lays these cards of a pile of the own, group by group (words), and
        would keep one of them.

        It follows from the rules' own `claim`, where a wrong claim is a move too; else it is the move whose part these
        cards spell, if the table has one. IllegalMove when the cards are not there or they spell no move."""
        turn = self.seat
        if turn is None:
            raise IllegalMove("the game is over")
        groups = [list(cards) for cards in laid if cards]
        together = [card for cards in groups for card in cards]
        if not together:
            raise IllegalMove("no card is laid", why="nothing")
        number = self.rules.state_type.pile_number(pile, turn)
        for card in together:
            kind = self.notation.kind_of.get(card, NO_CARD)
            if kind == NO_CARD or together.count(card) > self.state.count[number, kind]:
                raise IllegalMove("{card} is not there to be laid", why="absent", card=_short(card))
        if keep is not None and keep not in together:
            raise IllegalMove("{card} is not among the cards laid", why="keep", card=_short(keep))
        if hasattr(self.rules.module, "claim"):
            if keep is None:
                raise IllegalMove("one of the cards laid must be chosen to be kept", why="keep")
            kinds = [[self.notation.kind_of[card] for card in cards] for cards in groups]
            moves = Cells("moves", [0, 0], 0, (1 << 63) - 1)
            wrong = self._run("claim", kinds, self.notation.kind_of[keep], moves)
            text = self._text(moves[1])
            if wrong is None:
                return Judged(text)
            why, about = wrong
            return Judged(text, why, tuple("".join(groups[i]) for i in about))
        move = self.notation.spelled(groups[0]) if len(groups) == 1 else None
        if move is None:
            laid_out = _short(" ".join("".join(cards) for cards in groups))
            raise IllegalMove("{cards} spells nothing that counts", why="none", cards=laid_out)
        return Judged(self.notation.text(move))

    def truth(self, move: int) -> int | None:
        """What the rules say of a legal move: 1 when it is talk and true, 0 when it is a lie, -1 when neither; None
        when they say nothing of any."""
        return int(self._run("truth", move)) if hasattr(self.rules.module, "truth") else None

    def accept(self, entry: str) -> None:
        """What all others accepted counts at this table from now on (a word the lexicon lacks): it joins the option
        that may grow. Undoing a move does not undo it. IllegalMove when it cannot be accepted; then nothing has
        changed."""
        self.check_entry(entry)
        self._accepted.append((len(self._made()), entry))
        self._add(entry)

    def check_entry(self, entry: str) -> None:
        """IllegalMove, in words, when the table cannot add this."""
        if self.rules.growing is None:
            raise IllegalMove("nothing can be added to {game} while it is played", game=self.rules.id)
        if self.over:
            raise IllegalMove("{move}: the game is over", move=_short(entry))
        name = self.rules.growing[0]
        try:
            grown = self.rules.options({**self.options, name: [*self.options[name], *self.entries, entry]})
        except OptionError as e:
            raise IllegalMove("{entry} cannot be accepted: {reason}", entry=_short(entry), reason=e) from e
        if self.rules.notation(grown).names == self.notation.names:
            raise IllegalMove("{entry} counts already", entry=_short(entry))

    def _add(self, entry: str) -> None:
        self.entries.append(entry)
        self._look_up()
        self.events.append(Event("*", entry=entry))

    def play_move(self, move: int) -> None:
        """Make a move that is known to be legal, as `legal` gave it. RulesError when the rules cannot make it; then
        nothing has changed."""
        self._mover = int(self.state.turn)
        try:
            self._run("step", move)
        except RulesError:
            self._replay(self._made())
            raise

    def undo(self) -> None:
        """Take the last decision back. Chance once drawn is kept: playing on draws the same again.

        IndexError when there is no decision to take back."""
        made = next((n for n in reversed(range(len(self.events))) if self.events[n].who != "*"), None)
        if made is None:
            raise IndexError("there is no decision to take back")
        self.take_back(made)

    def take_back(self, n: int) -> None:
        """Take the decision that is event number `n` back, and all that came after it (see `undo`). What the table
        added stays. ValueError when that event is no decision."""
        if self.events[n].who == "*":
            raise ValueError(f"event {n} is no decision")
        left = sum(event.who != "*" for event in self.events[:n])
        self.notes = None
        self.said = {number: value for number, value in self.said.items() if number < left}
        self._replay(self._made()[:left])

    def _made(self) -> list[int]:
        """The decisions so far."""
        return [event.move for event in self.events if event.who != "*"]

    def _replay(self, made: Sequence[int]) -> None:
        """Start again with the same chance and make these decisions."""
        self.chance.rewind(self._start)
        self._deal()
        accepted, self._accepted = self._accepted, []
        for at, entry in accepted:
            self._accepted.append((min(at, len(made)), entry))
        for n in range(len(made) + 1):
            for at, entry in self._accepted:
                if at == n:
                    self._add(entry)
            if n < len(made):
                self._mover = int(self.state.turn)
                self._run("step", made[n])

    # -------------------------------------------------------------------------------------------------- seeing

    def view(
        self, viewer: int | None, person: bool = False, assist: bool = True, open_hands: bool = False
    ) -> dict[str, Json]:
        """What a seat, or a spectator (None), may see now, as plain data.

        `piles`: by name, of each its size and the cards the viewer knows. `state`: the game's own fields.
        `moves`: what the viewer may do (empty when it is another's turn; see `moves` of the game for `person` and
        `assist`). `finds`: the kinds of moves left out there, because the viewer must find them. `entries`: what the
        table added. `log`: the events as the viewer knows them. `open_hands`: all that any seat knows is seen, for
        games that are over."""
        if viewer is not None and not (isinstance(viewer, int) and 0 <= viewer < len(self.players)):
            last = len(self.players) - 1
            raise IndexError(f"there is no seat {viewer!r}; the seats are 0 to {last}, a spectator is None")
        turn = self.seat
        return {
            "game": self.rules.id,
            "rules": self.rules.version,
            "options": dict(self.options),
            "entries": list(self.entries),
            "players": list(self.players),
            "viewer": viewer,
            "seat": turn,
            "over": turn is None,
            **views.see(self.state, self.rules, viewer, self.notation.cards, open_hands),
            "moves": self.moves(person, assist) if viewer is not None and viewer == turn else [],
            "finds": [] if assist or not person else [move.name for move in self.rules.moves if move.found],
            "log": self.log(viewer),
            "result": self.result,
        }

    def log(self, viewer: int | None) -> list[list[Json]]:
        """The events as a viewer knows them: who and what, `?` where something is hidden."""
        return [[event.who, self.event_text(event, viewer)] for event in self.events]

    def event_text(self, event: Event, viewer: int | Literal["all"] | None = "all") -> str:
        """An event in the notation, as a viewer knows it ("all": with nothing hidden)."""
        if event.entry is not None:
            assert self.rules.growing is not None
            return f"{self.rules.growing[1]} {event.entry}"
        if event.answer is None:
            return self.notation.text(event.move, reveal=viewer == "all" or viewer == event.who)
        answer = event.answer
        cards = self.notation.cards
        if answer.question == SHUFFLE:
            name, _ = self.rules.pile_label(answer.pile)
            return f"{name} " + ("?" if viewer != "all" else " ".join(cards[kind] for kind in answer.values))
        if answer.question == TAKE:
            seen = viewer == "all" or event.cards[0][3] & views.viewer_bit(viewer)
            return "take " + (cards[answer.values[0]] if seen else "?")
        return f"{QUESTIONS[answer.question]} {answer.values[0]}"

    def story(self, viewer: int | None, since: int = 0, open_hands: bool = False) -> list[dict[str, Json]]:
        """The events from number `since` on as a viewer knows them, as data for sentences and pictures.

        Each has `n` (its number), `who`, `text` (the notation), `move` (the name of the kind of move, or of the
        chance: shuffle, start, roll, take, pick; `accept` for what the table added), `parts` (of the move by name;
        None where hidden) and `cards`: what moved because of it, each with `card` (None when the viewer does not know
        it), `from` and `to` (the pile's name, and its seat where every seat has one). `fields`: the public fields of
        one number, as they were afterwards. `said`: what the player declared with a decision, else None.
        `open_hands`: all that any seat knew is told; for games that are over."""
        said, events = self._said_by_event(), enumerate(self.events)
        return [self._tell(n, event, viewer, open_hands) | {"said": said.get(n)} for n, event in events if n >= since]

    def _said_by_event(self) -> dict[int, int]:
        decided = [n for n, event in enumerate(self.events) if event.who != "*"]
        return {decided[number]: value for number, value in self.said.items()}

    def _tell(self, n: int, event: Event, viewer: int | None, open_hands: bool) -> dict[str, Json]:
        bit = views.open_bits(len(self.players)) if open_hands else views.viewer_bit(viewer)
        parts: dict[str, Json]
        if event.entry is not None:
            name, parts = "accept", {"entry": event.entry}
        elif event.answer is None:
            name = self.notation.move_of(event.move).name
            parts = dict(self.notation.data(event.move, reveal=open_hands or viewer == event.who))
        else:
            name = QUESTIONS[event.answer.question]
            hidden = name in ("shuffle", "take")
            parts = {} if hidden else {"number": event.answer.values[0]}
        return {
            "n": n,
            "who": event.who,
            "text": self.event_text(event, event.who if open_hands and event.who != "*" else viewer),
            "move": name,
            "parts": parts,
            "cards": self._tell_cards(event, bit),
            "fields": dict(event.fields),
        }

    def _tell_cards(self, event: Event, bit: int) -> list[dict[str, Json]]:
        """The cards an event moved. What went together into or out of a pile without an order is told by kind: in
        which order cards lay in a deck, or were dealt, is nothing that anybody sees."""
        ordered = {pile.name: pile.ordered for pile in self.rules.piles}
        out: list[dict[str, Json]] = []
        for (a, b), moved in groupby(event.cards, key=lambda card: card[1:3]):
            source, goal = self.rules.pile_label(a), self.rules.pile_label(b)
            kinds = [kind if seen & bit else NO_CARD for kind, _, _, seen in moved]
            if not (ordered[source[0]] and ordered[goal[0]]):
                kinds.sort(key=lambda kind: (kind == NO_CARD, kind))
            for kind in kinds:
                name = None if kind == NO_CARD else self.notation.cards[kind]
                out.append({"card": name, "from": list(source), "to": list(goal)})
        return out

    def blind(self, seat: int) -> PlainState:
        """The information state of a seat, for a bot: it holds nothing that the seat's view does not tell."""
        return views.blind(self.state, self.rules, seat)

    # ------------------------------------------------------------------------------------------------- records

    def record(self) -> dict[str, Json]:
        """The game so far as a record (format `tefuda-record/1`): it holds everything, hidden cards too."""
        from tefuda.engine.record import to_record

        return to_record(self)

    def save(self, path: str | Path) -> None:
        """Write the record to a file."""
        from tefuda.engine.record import save

        save(self, path)


def _short(text: Any) -> str:
    """A move as it was given, for a message; no more of it than a person would read."""
    shown = repr(text)
    return shown if len(shown) <= 80 else shown[:77] + "..."


def checked_name(name: Any) -> str:
    """A player's name as it may stand in a record; OptionError when it may not."""
    if not isinstance(name, str) or not name.strip() or len(name) > MOST_NAME or not name.isprintable():
        raise OptionError(
            "a player's name is 1 to {most} printable characters, not {name}", most=MOST_NAME, name=reprlib.repr(name)
        )
    return name


def new(
    game: str | Path | Rules,
    seats: int | None = None,
    seed: int | None = None,
    options: Mapping[str, Any] | None = None,
    players: Sequence[str] | None = None,
) -> Game:
    """Deal a new game.

    `game`: a name (`leaves13`) or the path of a rules file. `seats`: how many play, the fewest unless told.
    `seed`: for a deal that can be dealt again; without it the deal comes from the operating system's randomness.
    Raises UnknownGameError, OptionError, or RulesError when the rules file is wrong."""
    rules = game if isinstance(game, Rules) else find(game)
    if players is None:
        n = rules.least_seats if seats is None else seats
        rules.check_seats(n)
        players = [f"Player {i + 1}" for i in range(n)]
    elif seats is not None and seats != len(players):
        raise OptionError("there are {names} names for {seats} seats", names=len(players), seats=seats)
    chance: Chance = SecretChance() if seed is None else SeededChance(seed)
    return Game(rules, players, options or {}, chance)
