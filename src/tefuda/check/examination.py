"""The checks, one by one. Each returns a sentence about what it found in order, or raises Fault."""

from __future__ import annotations

import importlib.util
import json
import signal
import threading
import types
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import tefuda
from tefuda.check import hidden
from tefuda.check.compile_errors import compile_error
from tefuda.check.words_files import look_over as look_over_words
from tefuda.engine import record as records
from tefuda.engine.chance import SeededChance
from tefuda.engine.compiled_chance import CHANCE
from tefuda.engine.declare import Choice, Data, Flag, Range
from tefuda.engine.game import Game, IllegalMove
from tefuda.engine.plain import to_record
from tefuda.engine.rules import OptionError, Rules, RulesError, describe
from tefuda.engine.sentence import Sentence, ToldError

Options = Mapping[str, Any]

KERNEL = Path(__file__).parent / "fuzz_kernel.py"

FAULTS = {
    1: Sentence("nothing is legal, and the game is not over"),
    2: Sentence("a card has gone or has come from nowhere"),
    3: Sentence("a pile's counts are not those of its cards"),
    4: Sentence("it does not end"),
}

MOST_SETTINGS = 24
"""So many combinations of options are tried in full; of more, each value by itself."""

ENOUGH_GAMES = 20
"""Of so many random games there should be one at least in which every seat had a turn."""

SWAP_MOMENTS = 10
"""Moments of one game at which hidden cards are exchanged; the deal is the first."""

MOST_COMPARED = 300
"""Events of one game that are compared plain and compiled, or saved in a record."""

MOST_SAID = 30
"""So often something else is said, and the game is played on to its end."""

STUCK_SECONDS = 10.0
"""A decision of the rules as written takes well under a millisecond; so long, and it is a loop without an end."""


class Fault(ToldError):
    """Something is wrong; the message says what. `game`, when there is one, shows it."""

    def __init__(self, english: str | Sentence, /, game: Game | None = None, **values: object) -> None:
        sentence = english if isinstance(english, Sentence) else Sentence(english, **values)
        super().__init__(sentence.english, **sentence.values)
        self.game = game


class Skipped(ToldError):
    """A check that cannot be made here; the message says why."""


class Endless(ToldError):
    """The rules have run for far too long."""


class Examination:
    """The rules under examination, how thoroughly, and what one check finds out for the next."""

    def __init__(self, rules: Rules, seed: int, games: int) -> None:
        self.rules, self.seed, self.games = rules, seed % (1 << 62), games  # compiled rules know numbers up to 2^63

    @cached_property
    def settings(self) -> list[dict[str, Any]]:
        """The options to play with, defaults first: every combination of values, or each value by itself."""
        values = {name: values_of(option) for name, option in self.rules.declared_options.items()}
        every = [dict(zip(values, combination, strict=True)) for combination in product(*values.values())]
        if len(every) > MOST_SETTINGS:
            defaults = every[0]
            every = [defaults] + [{**defaults, name: v} for name, some in values.items() for v in some[1:]]
        return [options for options in every if self._allowed(options)]

    def _allowed(self, options: Options) -> bool:
        try:
            self.rules.options(options, self.rules.least_seats)
        except OptionError:  # a combination that the rules file itself refuses
            return False
        return True

    @cached_property
    def tables(self) -> list[tuple[int, dict[str, Any]]]:
        """Every number of seats with all options to play with."""
        seats = range(self.rules.least_seats, self.rules.most_seats + 1)
        return [(n, options) for n in seats for options in self.settings]

    @cached_property
    def compiled(self) -> types.ModuleType:
        """The rules compiled with bounds checks, and the fuzz kernel over them."""
        return self.rules.compiled(KERNEL, check_bounds=True)

    def random(self, *what: object) -> Random:
        """Random numbers of its own for each purpose, the same for the same seed."""
        return Random(f"{self.seed} {what}")

    def some_games(self, purpose: str, n: int) -> Iterator[tuple[Game, Random]]:
        """`n` newly dealt games with different seats and options, each with a source for random play."""
        tables = self.random(purpose, "tables").sample(self.tables, len(self.tables))
        for i in range(n):
            seats, options = tables[i % len(tables)]
            chance = SeededChance(self.seed + i)
            names = [f"bot:{seat}" for seat in range(seats)]
            yield Game(self.rules, names, options, chance), self.random(purpose, i)

    def all_sizes(self, purpose: str) -> Iterator[tuple[Game, Random]]:
        """Newly dealt games with every number of seats, each with a source for random play; at least three games."""
        sizes = range(self.rules.least_seats, self.rules.most_seats + 1)
        random = self.random(purpose, "settings")
        for i in range(max(3, len(sizes))):
            names = [f"bot:{seat}" for seat in range(sizes[i % len(sizes)])]
            options = [o for n, o in self.tables if n == len(names)]
            yield (
                Game(self.rules, names, random.choice(options), SeededChance(self.seed + i)),
                self.random(purpose, i),
            )

    def moments(self, purpose: str, n: int, games: int) -> Iterator[tuple[Game, Random]]:
        """`n` moments of each of some games, spread over random play, the end among them."""
        for game, random in self.some_games(purpose, games):
            while not game.over:
                play_randomly(game, random, 1 + random.randrange(12))
                yield game, random
                n -= 1
                if n <= 0:
                    return


def values_of(option: Flag | Range | Choice | Data) -> list[Any]:
    """Values of an option worth playing with, the default first."""
    if isinstance(option, Flag):
        found: list[Any] = [option.default, not option.default]
    elif isinstance(option, Choice):
        found = [option.default, *option.texts]
    elif isinstance(option, Range):
        found = [option.default, option.low, option.high, *([None] if option.none else [])]
    else:
        found = [option.default]
    return [value for i, value in enumerate(found) if value not in found[:i]]


def play_randomly(game: Game, random: Random, decisions: int) -> None:
    """Make so many random moves, or fewer when the game ends. Fault when nothing is legal."""
    for _ in range(decisions):
        if game.over:
            return
        legal = game.legal()
        if not legal:
            raise Fault(
                "after {n} {n:event|events} nothing is legal, and the game is not over", game, n=len(game.events)
            )
        game.play_move(random.choice(legal))


@contextmanager
def watched() -> Iterator[None]:
    """Break off a game that takes far too long, with the line where it hangs. (Only where the system can: not in a
    thread.)"""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_: object) -> None:
        raise Endless("the game does not come to an end: it loops here")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, STUCK_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# ------------------------------------------------------------------------------------------------- the checks


def options_are_checked(x: Examination) -> Sentence:
    """Every good value is taken, every bad one refused by name."""
    rules = x.rules
    for name, option in rules.declared_options.items():
        for bad in bad_values(option):
            try:
                rules.options({name: bad})
            except OptionError as e:
                if name not in str(e):
                    raise Fault(
                        "{name} = {value!r} is refused, but the message does not name it: {reason}",
                        name=name,
                        value=bad,
                        reason=e,
                    ) from e
            else:
                raise Fault("the option {name!r} takes {value!r}, which it should refuse", name=name, value=bad)
    for wrong in ({"no such option": 1}, {"": None}):
        try:
            rules.options(wrong)
        except OptionError:
            continue
        raise Fault("an unknown option {name!r} is not refused", name=next(iter(wrong)))
    for seats in (rules.least_seats - 1, rules.most_seats + 1, True, None):
        try:
            rules.check_seats(seats)  # type: ignore[arg-type]
        except OptionError:
            continue
        raise Fault("{seats!r} as the number of seats is not refused", seats=seats)
    return Sentence(
        "{settings} {settings:setting|settings} of {options} {options:option|options} and {seats} are taken, others "
        "refused by name",
        settings=len(x.settings),
        options=len(rules.declared_options),
        seats=_sizes(rules),
    )


def _sizes(rules: Rules) -> Sentence:
    if rules.least_seats == rules.most_seats:
        return Sentence("{n} {n:seat|seats}", n=rules.least_seats)
    return Sentence("{least} to {most} seats", least=rules.least_seats, most=rules.most_seats)


def words_fit(x: Examination) -> Sentence:
    """The files of words beside the rules can be read, and speak of what there is."""
    files = look_over_words(x.rules)
    if not files:
        raise Skipped("there are no words beside the rules file: its own names are shown")
    return Sentence("{n} {n:file|files} of words {n:speaks|speak} only of what the rules file has", n=files)


def bad_values(option: Flag | Range | Choice | Data) -> list[Any]:
    """Values that an option must refuse."""
    if isinstance(option, Data):
        return []
    bad: list[Any] = ["no such value", 1.5, [], {}]
    if isinstance(option, Range):
        return [*bad, option.low - 1, option.high + 1, True, float(option.low), *([] if option.none else [None])]
    return [*bad, 0, 1, None, *([True] if isinstance(option, Choice) else ["true"])]


def plain_play(x: Examination) -> Sentence:
    """The rules as written play to the end, and refuse no move that they call legal."""
    games = decisions = 0
    for game, random in x.some_games("plain", 20):
        with watched():
            while not game.over:
                play_randomly(game, random, 1)
                decisions += 1
        result = game.result
        if result is None or not all(1 <= rank <= len(game.players) for rank in result["ranks"]):
            raise Fault(
                "the ranks {ranks} are not places from 1 to {n}",
                game,
                ranks=result and result["ranks"],
                n=len(game.players),
            )
        if 1 not in result["ranks"]:
            raise Fault("nobody is first: the ranks are {ranks}", game, ranks=result["ranks"])
        games += 1
    return Sentence(
        "{games} games with all numbers of seats end, after {n} {n:decision|decisions} on average",
        games=games,
        n=round(decisions / games),
    )


def compiles(x: Examination) -> Sentence:
    """The rules can be compiled, `ranks`, `scores` and all."""
    rules = x.rules
    seats, options = x.tables[0]
    game = Game(rules, ["bot:0"] * seats, options, SeededChance(x.seed))
    try:
        m = x.compiled
        t = rules.compiled_tables(m, options, seats)
        s, chance = to_record(game.state, rules.state_type), np.zeros(1, CHANCE)
        moves = np.zeros(rules.most_moves + 1, np.int64)
        start = to_record(rules.undealt(seats, options), rules.state_type)
        m.fuzz(start[0], t, chance[0], moves, x.seed, 10, np.zeros(seats, np.int64))
        m.find_legal(s[0], moves, t)
        m.also_people(s[0], moves, t)
        m.over(s[0], t)
        m.ranks(s[0], np.zeros(seats, np.int64), t)
        m.scores(s[0], np.zeros(seats, np.int64), t)
        if hasattr(m, "estimate"):
            m.estimate(s[0], 0, t)
    except Exception as e:
        raise Fault(compile_error(e, rules)) from e
    return Sentence("every function compiles")


def fuzz(x: Examination) -> Sentence:
    """Random games, compiled, with bounds checks: they end, none is stuck, no card is lost, each seat has turns."""
    rules, m = x.rules, x.compiled
    played = decisions = capped = widest = 0
    for seats, options in x.tables:
        t = rules.compiled_tables(m, options, seats)
        start = to_record(rules.undealt(seats, options), rules.state_type)
        s, chance = start.copy(), np.zeros(1, CHANCE)
        moves = np.zeros(rules.most_moves + 1, np.int64)
        turns = np.zeros((x.games, seats), np.int64)
        for i in range(x.games):
            seed = x.seed + i
            s[0] = start[0]
            try:
                fault, made, most = m.fuzz(s[0], t, chance[0], moves, seed, 1000 * rules.cap, turns[i])
            except Exception as e:
                told = Sentence("{fault} (seed {seed})", fault=describe(e), seed=seed)
                raise _shown(x, seats, options, seed, told) from e
            if fault:
                told = Sentence(
                    "{fault} (seed {seed}, after {n} {n:decision|decisions})", fault=FAULTS[fault], seed=seed, n=made
                )
                raise _shown(x, seats, options, seed, told)
            played, decisions, widest = played + 1, decisions + made, max(widest, most)
            capped += int(s[0]["capped"])
        if x.games >= ENOUGH_GAMES and not turns.all(axis=1).any():
            raise Fault(_idle(turns, options))
    if capped == played:
        advances = "def advance(" in rules.source
        raise Fault(
            "no game ends by itself: {played:the|each of} {played} random {played:game|games} went on until the cap "
            "broke it off (CAP: {cap} {cap:decision|decisions}). {look}",
            played=played,
            cap=rules.cap,
            look=Sentence(
                "Look at what is_over waits for"
                if advances
                else "Look at what is_over waits for; there is no `advance`, so nothing follows a decision by itself"
            ),
        )
    reached = Sentence("; {n} {n:game|games} reached the cap", n=capped) if capped else ""
    return Sentence(
        "{played} random {played:game|games} with all seats and options ({decisions} {decisions:decision|decisions}) "
        "{played:ends with all its|end with all their} cards; at most {widest} {widest:move was|moves were} legal, of "
        "{room} that there is room for{reached}",
        played=played,
        decisions=decisions,
        widest=widest,
        room=rules.most_moves,
        reached=reached,
    )


def _with(seats: int, options: Options) -> Sentence:
    settings = json.dumps(options, ensure_ascii=False)
    return Sentence("with {n} {n:seat|seats} and {options}", n=seats, options=settings)


def _idle(turns: np.ndarray[Any, Any], options: Options) -> Sentence:
    """What is wrong with who had turns, by game and seat: in none of the games every seat had one."""
    games, seats = turns.shape
    never = [hidden.name_of(seat) for seat in range(seats) if not turns[:, seat].any()]
    if never:
        who = Sentence("{seats} never had a turn", seats=hidden.Several(never))
    else:
        who = Sentence("there were always seats that never had a turn")
    return Sentence(
        "{where}: {who} in {games} random games. Look at where s.turn passes on",
        where=_with(seats, options),
        who=who,
        games=games,
    )


def _shown(x: Examination, seats: int, options: Options, seed: int, told: Sentence) -> Fault:
    """The same random game played by the rules as written: they say the line, where they can."""
    game = None
    try:
        chance = SeededChance(seed)
        game = Game(x.rules, [f"bot:{i}" for i in range(seats)], options, chance)
        with watched():
            while not game.over:
                legal = game.legal()
                if not legal:
                    break
                game.play_move(legal[chance.below(len(legal))])
    except RulesError as e:
        where = _with(seats, options)
        return Fault("{reason} ({where}, seed {seed})", game, reason=e, where=where, seed=seed)
    return Fault("{where}: {reason}", game, where=_with(seats, options), reason=told)


def plain_is_compiled(x: Examination) -> Sentence:
    """The rules as written and compiled do the same: whole state, legal moves and chance, move by move."""
    rules, m = x.rules, x.compiled
    compared = 0
    for n, (game, random) in enumerate(x.some_games("compare", 10)):
        seats, options, source = len(game.players), game.options, game.chance
        assert isinstance(source, SeededChance)
        t = rules.compiled_tables(m, options, seats)
        s, chance = to_record(rules.undealt(seats, options), rules.state_type), np.zeros(1, CHANCE)
        moves = np.zeros(rules.most_moves + 1, np.int64)
        m.seed_chance(chance[0], x.seed + n)
        m.begin(s[0], t, chance[0])
        while True:
            problem = _first_difference(game, s, m.over(s[0], t), int(chance[0]["x"]), source.x)
            if problem is None and not game.over:
                m.find_legal(s[0], moves, t)
                programs = [int(move) for move in moves[1 : moves[0] + 1]]
                m.also_people(s[0], moves, t)
                people = [int(move) for move in moves[1 : moves[0] + 1]]
                if programs != game.legal() or people != game.legal(person=True):
                    problem = Sentence("the legal moves")
            if problem is None and game.over and _result(m, s, t, seats) != game.result:
                problem = Sentence("the result")
            if problem is not None:
                raise Fault(
                    "compiled, the rules go another way after {n} {n:event|events}: {problem}",
                    game,
                    n=len(game.events),
                    problem=problem,
                )
            compared += 1
            if game.over or len(game.events) > MOST_COMPARED:
                break
            move = random.choice(people)
            game.play_move(move)
            m.step(s[0], move, t, chance[0])
    return Sentence("the same state, legal moves and chance at {n} {n:moment|moments}", n=compared)


def _first_difference(game: Game, s: Any, over: bool, x: int, plain_x: int) -> Sentence | None:
    if x != plain_x:
        return Sentence("chance was asked otherwise")
    mine = to_record(game.state, game.rules.state_type)
    for name in game.rules.state_type.shapes:
        if not np.array_equal(mine[0][name], s[0][name]):
            written, compiled = str(mine[0][name].tolist()), str(s[0][name].tolist())
            return Sentence(
                "the field {name!r} is {written:.80} as written, {compiled:.80} compiled",
                name=name,
                written=written,
                compiled=compiled,
            )
    return None if bool(over) == game.over else Sentence("whether it is over")


def _result(m: Any, s: Any, t: Any, seats: int) -> dict[str, Any]:
    ranks, points = np.zeros(seats, np.int64), np.zeros(seats, np.int64)
    m.ranks(s[0], ranks, t)
    m.scores(s[0], points, t)
    return {"ranks": ranks.tolist(), "scores": points.tolist(), "capped": bool(s[0]["capped"])}


def move_text(x: Examination) -> Sentence:
    """Every legal move has a text of its own that reads back as the same move."""
    texts: set[str] = set()
    for game, _ in x.moments("text", 400, 8):
        legal = game.legal(person=True)
        seen: dict[str, int] = {}
        for move in legal:
            text = game.notation.text(move)
            read = game.notation.parse(text)
            named = _in_parts(game, move)
            if read is None:
                english = "the move {move} is written {text!r}, which reads as no move"
                raise Fault(english, game, move=named, text=text)
            if read != move and _in_parts(game, read) == named:
                english = "the move {move} is written {text!r}, with something in it that its text does not say"
                raise Fault(english, game, move=named, text=text)
            if read != move:
                english = "the move {move} is written {text!r}, which reads as the move {other}"
                raise Fault(english, game, move=named, text=text, other=_in_parts(game, read))
            if legal.count(move) > 1:
                raise Fault("the move {move}, written {text!r}, is added twice", game, move=named, text=text)
            if seen.setdefault(text, move) != move:
                two = hidden.Several([_in_parts(game, seen[text]), named])
                raise Fault("two legal moves are written {text!r}: {two}", game, text=text, two=two)
        texts |= set(seen)
    return Sentence("{n} different {n:move reads|moves read} back from {n:its|their} text", n=len(texts))


def _in_parts(game: Game, move: int) -> str:
    """A move by the name of its kind and its parts: throw (card 3)."""
    parts = ", ".join(f"{name} {value}" for name, value in game.notation.data(move).items())
    name = game.notation.move_of(move).name
    return f"{name!r} ({parts})" if parts else repr(name)


def replay(x: Examination) -> Sentence:
    """A record loads as the same game, whole or broken off, and is saved as the same text."""
    n = 0
    for game, random in x.some_games("replay", 6):
        while True:
            saved = game.record()
            text = records.to_text(saved)
            try:
                again = records.from_text(text, x.rules)
            except records.RecordError as e:
                raise Fault("the game's own record is refused: {reason}", game, reason=e) from e
            if records.to_text(again.record()) != text:
                raise Fault("a record loaded and saved again is another", game)
            if not _same_state(game, again):
                raise Fault("a game loaded from its record is in another state", game)
            n += 1
            if game.over or len(game.events) > MOST_COMPARED:
                break
            play_randomly(game, random, 1 + random.randrange(80))
    return Sentence("{n} {n:record loads|records load} as the game {n:it was|they were} saved from", n=n)


def _same_state(game: Game, other: Game) -> bool:
    type_ = game.rules.state_type
    return to_record(game.state, type_).tobytes() == to_record(other.state, type_).tobytes()


def undo(x: Examination) -> Sentence:
    """Taking back and playing on the same way is the same game, chance included."""
    n = 0
    for game, random in x.some_games("undo", 12):
        play_randomly(game, random, 5 + random.randrange(60))
        before, events = to_record(game.state, x.rules.state_type).tobytes(), game.record()["events"]
        made = [event.move for event in game.events if event.who != "*"][-random.randrange(1, 6) :]
        for _ in made:
            game.undo()
        for move in made:
            if move not in game.legal(person=True):
                raise Fault("after undoing, {move} is not legal again", game, move=game.notation.text(move))
            game.play_move(move)
        if to_record(game.state, x.rules.state_type).tobytes() != before or game.record()["events"] != events:
            raise Fault("undone and played again, it is another game", game)
        n += len(made)
    return Sentence(
        "{n} {n:decision|decisions} taken back and made again {n:comes|come} out the same",
        n=n,
    )


def talk_is_talk(x: Examination) -> Sentence:
    """Moves marked as talk are only said: whatever is said, the same may be done afterwards and comes of it. Bots say
    anything, and the lab counts no talk among the decisions."""
    kinds = {move.kind for move in x.rules.moves if move.talk}
    n = 0
    for game, random in x.some_games("talk", 12) if kinds else ():
        while not game.over and n < MOST_SAID:
            said = [move for move in game.legal() if move >> 57 in kinds]
            for move in game.legal():  # of talk and of what is none, as the lab asks
                if game.truth(move) not in (None, -1, 0, 1):
                    text = game.notation.text(move)
                    raise Fault(
                        "truth says {value} of {move}: it is 1, 0 or -1", game, value=game.truth(move), move=text
                    )
            if len(said) > 1:
                one, two = random.sample(said, 2)
                _compare_talk(game, one, two, kinds, random)
                n += 1
            play_randomly(game, random, 1)
    if not n:
        return Sentence("nobody can say one thing or another in this game")
    return Sentence("{n} {n:time|times} something else was said, and nothing came of it but that", n=n)


def _compare_talk(game: Game, one: int, two: int, kinds: Collection[int], random: Random) -> None:
    """Play on after either, in the same way: the same seats decide among the same moves, with the same result."""
    ways = []
    for said in (one, two):
        way = records.from_record(game.record(), game.rules)
        way.chance.go_on_with(SeededChance(1))  # type: ignore[attr-defined]  # what a record is told by
        way.play_move(said)
        ways.append(way)
    a, b = ways
    for _ in range(MOST_COMPARED):
        done = [[move for move in way.legal() if move >> 57 not in kinds] if not way.over else [] for way in ways]
        if a.seat != b.seat or done[0] != done[1] or a.over != b.over or (a.over and a.result != b.result):
            break
        if a.over:
            return
        talk = [move for move in a.legal() if move in b.legal()]
        choice = random.choice(done[0] or talk) if done[0] or talk else None
        if choice is None:
            break
        a.play_move(choice)
        b.play_move(choice)
    else:
        return
    raise Fault(
        "the move {name!r} is marked as talk, but what is said changes the game: after {one} and after {two} it goes "
        "on differently",
        a,
        name=game.notation.move_of(one).name,
        one=game.notation.text(one),
        two=game.notation.text(two),
    )


def refusals(x: Examination) -> Sentence:
    """A wrong move, or a move out of turn, is refused in words and changes nothing."""
    n = 0
    for game, random in x.moments("refusals", 60, 4):
        if game.over:
            continue
        before = to_record(game.state, x.rules.state_type).tobytes()
        legal = game.moves(person=True)
        elsewhere = (game.seat or 0) + 1
        for text, seat in ((hidden.NO_MOVE, game.seat), ("", game.seat), (random.choice(legal), elsewhere)):
            try:
                game.play(text, seat=seat)
            except IllegalMove:
                n += 1
                continue
            raise Fault("{move!r} by seat {seat} is accepted", game, move=text, seat=seat)
        if to_record(game.state, x.rules.state_type).tobytes() != before:
            raise Fault("a refused move has changed the game", game)
    return Sentence("{n} wrong {n:move is|moves are} refused, and nothing changes", n=n)


def redeal_agrees(x: Examination) -> Sentence:
    """Dealt anew, what a seat does not know looks the same to it; that is what bots think with."""
    n = 0
    for game, random in x.moments("redeal", 60, 6):
        for seat in range(len(game.players)):
            other = hidden.redealt(game, seat, random.randrange(1 << 30))
            problem = hidden.difference(game, other, seat)
            if problem:
                raise Fault(
                    "dealt anew for seat {seat}, there is another thing to see: {problem}",
                    game,
                    seat=seat,
                    problem=problem,
                )
            n += 1
    return Sentence("{n} {n:time|times} the unknown cards were dealt anew, and no seat could tell", n=n)


def swaps(x: Examination) -> Sentence:
    """Cards exchanged where a viewer cannot see them make no difference to what it gets: after the deal and later, with
    every number of seats, the card of every place that a viewer cannot see is exchanged."""
    n = 0
    for game, random in x.all_sizes("swaps"):
        for _ in range(SWAP_MOMENTS):
            for viewer in hidden.viewers(game):
                seen = game.view(viewer, person=True)
                for other in hidden.each_exchanged(game, viewer, random):
                    if other.view(viewer, person=True) != seen:
                        raise _can_tell(game, other, viewer)
                    n += 1
                mixed = hidden.swapped(game, viewer, random)
                if hidden.difference(game, mixed, viewer):
                    raise _can_tell(game, mixed, viewer)
            if game.over:
                break
            play_randomly(game, random, 1 + random.randrange(12))
    if not n:
        return Sentence("nothing is hidden in this game")
    return Sentence("{n} {n:time|times} hidden cards were exchanged, and no viewer could tell", n=n)


def _can_tell(game: Game, other: Game, viewer: int | None) -> Fault:
    problem = hidden.difference(game, other, viewer)
    return Fault(
        "cards that {viewer} cannot see were exchanged, and it can tell: {problem}",
        game,
        viewer=hidden.name_of(viewer),
        problem=problem,
    )


def histories(x: Examination) -> Sentence:
    """Games whose cards and log look alike to a viewer so far look alike in everything else: no field of the state
    tells of hidden cards."""
    n = 0
    for game, random in x.all_sizes("deals"):
        for other, alike in hidden.other_deals(game, random):
            for viewer in alike:
                if game.view(viewer, person=True) != other.view(viewer, person=True):
                    problem = hidden.difference(game, other, viewer)
                    raise Fault(
                        "two deals with other hidden cards can be told apart: {problem}", other, problem=problem
                    )
                n += 1
    for game, random in x.some_games("histories", 8):
        play_randomly(game, random, 50)
        for viewer in hidden.viewers(game):
            for _ in range(2):
                for one, two in hidden.other_history(game, viewer, random):
                    same = one.view(viewer, person=True) == two.view(viewer, person=True)
                    problem = None if same and random.random() > 0.2 else hidden.difference(one, two, viewer)
                    if problem:
                        raise Fault(
                            "two games with other hidden cards can be told apart: {problem}", two, problem=problem
                        )
                    n += 1
    if not n:
        return Sentence("nothing is hidden by chance in this game")
    return Sentence("at {n} {n:moment|moments} two games with other hidden cards looked alike in everything", n=n)


def bots_know_no_more(x: Examination) -> Sentence:
    """Bots choose the same in states that look alike to their seat."""
    if importlib.util.find_spec("tefuda.bots") is None:
        raise Skipped("there are no bots here")
    from tefuda import bots

    kinds = ["random", "search:60"] + (["greedy"] if bots.has_estimate(x.rules) else [])
    n = 0
    for game, random in x.moments("bots", 40, 6):
        seat = game.seat
        if seat is None:
            continue
        other = hidden.swapped(game, seat, random)
        for text in kinds:
            seed = random.randrange(1 << 30)
            chosen = [
                bots.choose(bots.parse(text), g.blind(seat), x.rules, g.options, seed=seed) for g in (game, other)
            ]
            if chosen[0] != chosen[1]:
                raise Fault("the bot {bot} chooses otherwise when cards it cannot see are exchanged", game, bot=text)
            if chosen[0] not in game.legal():
                move = game.notation.text(chosen[0])
                raise Fault("the bot {bot} chooses {move}, which is not legal", game, bot=text, move=move)
            n += 1
    return Sentence(
        "{n} {n:choice|choices} of {bots} {n:is|are} legal and {n:does|do} not depend on hidden cards",
        n=n,
        bots=", ".join(kinds),
    )


def page(x: Examination) -> Sentence:
    """The page of a table can be drawn for every viewer, in both languages, and shows nothing of hidden cards."""
    if importlib.util.find_spec("tefuda.web.pages") is None:
        raise Skipped("there are no pages here")
    n = 0
    for game, random in x.moments("page", 12, 4):
        for viewer in hidden.viewers(game):
            other = hidden.swapped(game, viewer, random)
            for lang in ("ja", "en"):
                try:
                    drawn = [page_of(g, viewer, lang) for g in (game, other)]
                except Exception as e:
                    raise Fault(
                        "the page for {viewer} cannot be drawn: {reason}",
                        game,
                        viewer=hidden.name_of(viewer),
                        reason=describe(e),
                    ) from e
                if drawn[0] != drawn[1]:
                    raise Fault("the page for {viewer} tells of hidden cards", game, viewer=hidden.name_of(viewer))
                n += 1
    return Sentence("{n} {n:page is|pages are} drawn, and none tells of hidden cards", n=n)


def page_of(game: Game, viewer: int | None, lang: str) -> str:
    """The page of a table as a viewer gets it, after the end too."""
    from tefuda.web import pages

    visit = pages.Visit(lang=lang, path="/t/check")
    table = pages.Table(word="check")
    seen = game.view(viewer, person=True)
    drawn = pages.render_table(visit, game.rules, seen, game.story(viewer), table)
    if not game.over:
        return drawn.page
    return drawn.page + pages.render_result(visit, game.rules, seen, game.story(viewer), table)


def golden_records(x: Examination) -> Sentence:
    """The records that are kept for a game of ours still load, agree and end the same."""
    if not x.rules.builtin:
        raise Skipped("golden records are kept for the games that come with Tefuda")
    folder = Path(tefuda.__file__).parents[2] / "tests" / "records"
    if not folder.is_dir():
        raise Skipped("golden records lie beside the source, which is not here")
    files = sorted(folder.glob(f"{x.rules.id}-*.fuda.json"))
    if not files:
        raise Fault("there is no golden record of {name} in tests/records", name=x.rules.id)
    for file in files:
        try:
            game = records.load(file, x.rules)
        except records.RecordError as e:
            raise Fault("{where}: {reason}", where=file.name, reason=e) from e
        if game.record() != json.loads(file.read_text(encoding="utf-8")):
            raise Fault("{file}: saved again it is another", game, file=file.name)
    return Sentence(
        "{n} golden {n:record loads, agrees and ends|records load, agree and end} the same",
        n=len(files),
    )


Check = Callable[[Examination], Sentence]

CHECKS: Sequence[tuple[str, tuple[str, ...], Check]] = (
    ("options", (), options_are_checked),
    ("words", (), words_fit),
    ("play", ("options",), plain_play),
    ("compile", ("play",), compiles),
    ("fuzz", ("compile",), fuzz),
    ("plain and compiled", ("compile",), plain_is_compiled),
    ("move text", ("play",), move_text),
    ("replay", ("move text",), replay),
    ("undo", ("play",), undo),
    ("talk", ("play",), talk_is_talk),
    ("refusals", ("play",), refusals),
    ("redeal", ("play",), redeal_agrees),
    ("hidden: swaps", ("play",), swaps),
    ("hidden: histories", ("play",), histories),
    ("bots", ("compile", "hidden: swaps"), bots_know_no_more),
    ("page", ("play",), page),
    ("golden records", ("play",), golden_records),
)
"""The checks in their order: the name, what must be in order before, and the function."""
