"""A finished game looked at by a search bot: what it thought of every decision, and where the game turned.

**A decision is judged by what its seat knew.** The bot is given the information state of the seat that decides, as at
the table, and searches. `value` of a move is the mean place that the search came to with it, 1 (first) to 0 (last).

**The chances of winning are the mean of all seats' reckonings.** Before a decision every seat reckons from its own
information state how often each seat wins (a shared first place in parts); no search is given the whole truth. One
seat's reckoning alone would not do: it jumps whenever the next seat, which holds other cards, is on turn, and these
jumps would pass for turns of the game. All seats together have the bot's budget for it once more. The bot's playouts
are not perfect play, so these are estimates of how such bots would go on.

How far an estimate may be off because a search draws at random is told beside it: 95 % margins. That the bot itself
errs is in no margin.

Decisions that are only talk (a claim) are not judged, and of a long game not all others: see `analyse`."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any

from tefuda.bots.spec import Bot, BotError
from tefuda.bots.thinking import Reckoning, consider, reckon
from tefuda.engine.game import Event, Game
from tefuda.engine.record import positions
from tefuda.engine.sentence import WrongValueError

FORMAT = "tefuda-analysis/1"

MOST_DECISIONS = 150
"""So many decisions of a game are judged, spread evenly over it, before the stretches where it turned are looked at."""

MOST_TURNING_POINTS = 5

LEAST_CHANGE = 0.05
"""A turning point moves at least so much of the chances from seat to seat..."""

MUCH = 0.15
"""... or, when three others moved more, so much..."""

TIMES_BY_CHANCE = 3
"""... and at least so many times what two estimates of the same chances differ by on average."""

Z = 1.96
"""Standard errors on either side of a 95 % interval."""

Json = Any


@dataclass(frozen=True)
class Considered:
    """A move, how often the search chose it, and the mean place it came to, from 0 (last) to 1 (first); None when the
    search never came to it."""

    move: str
    visits: int
    value: float | None


@dataclass(frozen=True)
class Judgement:
    """A decision: event number `n` of the game and decision `number` (from 1) by `seat`, which `played` a move.

    `moves`: all that the bot considered, the one it would have made first, then by how often the search chose them in
    its `iterations`. `worse`: how much less than that first one the move played was worth, 0 when not less; with its
    95 % `margin`. Both are None for a move the search never came to, or does not know: what only people may do (a
    wrong call). `chances` of every seat before the decision, adding up to 1, each with its 95 % margin."""

    n: int
    number: int
    seat: int
    played: str
    iterations: int
    moves: tuple[Considered, ...]
    worse: float | None
    margin: float | None
    chances: tuple[float, ...]
    margins: tuple[float, ...]


@dataclass(frozen=True)
class TurningPoint:
    """A decision (as in `Judgement`) after which the chances moved much: `before` it, and `after` it and what chance
    did then, before the next one. `followed`: the events of chance in between. `change`: the part of all chances that
    went from some seats to others, 0 to 1."""

    n: int
    number: int
    seat: int
    followed: tuple[int, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    change: float

    @property
    def winner(self) -> int:
        """The seat whose chances rose most."""
        return max(range(len(self.before)), key=lambda seat: self.after[seat] - self.before[seat])


@dataclass(frozen=True)
class Analysis:
    """A finished game of the rules `game` (`rules` is their version), judged by a `bot`.

    `decisions`: how many there were, `talk`: how many of them were only talk. `judged`: in order of play. `end`: each
    seat's part of the first place. `turning_points`: at most five, in order of play; none where no change was large
    enough to be told from chance."""

    game: str
    rules: str
    bot: str
    decisions: int
    talk: int
    judged: tuple[Judgement, ...]
    end: tuple[float, ...]
    turning_points: tuple[TurningPoint, ...]

    @property
    def left_out(self) -> int:
        """How many decisions, talk apart, were not judged because there were too many."""
        return self.decisions - self.talk - len(self.judged)

    def to_json(self) -> Json:
        """As plain JSON data."""
        return {"format": FORMAT, **asdict(self)}

    @classmethod
    def from_json(cls, data: Json) -> Analysis:
        """What `to_json` gave; ValueError when it is of another format."""
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise WrongValueError("this is no analysis of the format {format!r}", format=FORMAT)
        given = {key: value for key, value in data.items() if key != "format"}
        try:
            given["end"] = tuple(given["end"])
            given["judged"] = tuple(
                Judgement(**_with_tuples(each | {"moves": [Considered(**move) for move in each["moves"]]}))
                for each in given["judged"]
            )
            given["turning_points"] = tuple(TurningPoint(**_with_tuples(each)) for each in given["turning_points"])
            return cls(**given)
        except (AttributeError, KeyError, TypeError) as e:
            raise WrongValueError(
                "this is no analysis of the format {format!r}: {reason}", format=FORMAT, reason=e
            ) from e


def _with_tuples(data: dict[str, Json]) -> dict[str, Json]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in data.items()}


def analyse(
    game: Game,
    bot: Bot,
    progress: Callable[[int, int], None] | None = None,
    stop: Callable[[], bool] | None = None,
    most: int = MOST_DECISIONS,
    seed: int = 0,
    words: int = 0,
) -> Analysis | None:
    """Judge the decisions of a finished game by a search bot; None when `stop` said so before the end.

    All decisions but talk are judged when they are at most `most`. Of more, `most` spread evenly are, and then every
    one in the (at most five) stretches between two of them in which the chances moved most, to find out where.

    `progress` is called with how many decisions are judged and how many will be; `stop` is asked every few
    milliseconds. `seed`: the same one judges in the same way again (with a budget of iterations). `words`: as in
    `consider`. May run in a thread.

    ValueError when the game is not over: an analysis tells what is hidden. BotError when the bot does not search or
    cannot play the game; CompiledRulesError when its rules cannot be compiled, or go wrong."""
    if not game.over:
        raise WrongValueError("the game is not over: its analysis would tell what is hidden")
    bot.check(game.rules)
    if bot.kind != "search":
        raise BotError("{bot} thinks too little to judge a game; take a search, as search:1000", bot=str(bot))
    decided = [n for n, event in enumerate(game.events) if event.who != "*"]
    thought = [n for n in decided if not _is_talk(game, game.events[n])]
    judged: dict[int, Judgement] = {}
    end = _first_places(game)

    def judge(wanted: Collection[int]) -> bool:
        """Judge these decisions; False when `stop` said so."""
        total = len(judged) + len(wanted)
        for n, then in positions(game):
            if n in wanted:
                found = _judge(then, game.events[n], n, decided.index(n) + 1, bot, seed, stop, words)
                if stop is not None and stop():
                    return False
                judged[n] = found
                if progress is not None:
                    progress(len(judged), total)
        return True

    if not judge(_spread(thought, most)):
        return None
    inside = _stretches(thought, judged, end)
    if inside and not judge(inside):
        return None
    return Analysis(
        game=game.rules.id,
        rules=game.rules.version,
        bot=str(bot),
        decisions=len(decided),
        talk=len(decided) - len(thought),
        judged=tuple(judged[n] for n in sorted(judged)),
        end=end,
        turning_points=_turning_points(game, thought, judged, end),
    )


def _is_talk(game: Game, event: Event) -> bool:
    return any(move.kind == event.move >> 57 and move.talk for move in game.rules.moves)


def _first_places(game: Game) -> tuple[float, ...]:
    """Each seat's part of the first place."""
    assert game.result is not None
    first = [rank == 1 for rank in game.result["ranks"]]
    return tuple(won / sum(first) for won in first)


def _spread(numbers: Sequence[int], most: int) -> set[int]:
    """At most so many of the numbers, the first and the last among them, the others evenly between."""
    if len(numbers) <= most:
        return set(numbers)
    return {numbers[round(i * (len(numbers) - 1) / max(1, most - 1))] for i in range(most)}


# ----------------------------------------------------------------------------------------------------- a decision


def _judge(
    game: Game,
    event: Event,
    n: int,
    number: int,
    bot: Bot,
    seed: int,
    stop: Callable[[], bool] | None,
    words: int,
) -> Judgement:
    """Judge the decision that is due in a game, and that the event tells."""
    seat, seats, rules, options = game.seat, len(game.players), game.rules, game.options_now
    assert seat is not None
    own_seed = (seed << 32) + n * (seats + 1)
    decision = consider(bot, game.blind(seat), rules, options, own_seed, stop, words)
    part = _part(bot, seats)
    reckonings = [
        reckon(part, game.blind(viewer), viewer, rules, options, own_seed + 1 + viewer, stop, words)
        for viewer in range(seats)
    ]
    moves = tuple(
        Considered(game.notation.text(each.move), each.visits, None if each.value is None else round(each.value, 4))
        for each in decision.thoughts
    )
    played = game.event_text(event)
    worse, margin = _worse(moves, played)
    chances, margins = _mean(reckonings)
    return Judgement(n, number, seat, played, decision.iterations, moves, worse, margin, chances, margins)


def _mean(reckonings: Sequence[Reckoning]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The mean chances of all seats, and their 95 % margins."""
    seats = len(reckonings)
    chances, margins = [], []
    for seat in range(seats):
        chances.append(round(sum(each.chances[seat] for each in reckonings) / seats, 6))
        variance = sum(_variance(each.chances[seat], each.iterations) for each in reckonings) / seats**2
        margins.append(round(Z * math.sqrt(variance), 4))
    return tuple(chances), tuple(margins)


def _part(bot: Bot, n: int) -> Bot:
    """A bot that searches as long as this one when it does so n times."""
    if bot.iterations is not None:
        return replace(bot, iterations=max(1, bot.iterations // n))
    assert bot.seconds is not None
    return replace(bot, seconds=bot.seconds / n)


def _worse(moves: Sequence[Considered], played: str) -> tuple[float | None, float | None]:
    """How much less than the bot's own move the one played was worth, with its 95 % margin."""
    best, made = moves[0], next((move for move in moves if move.move == played), None)
    if best.value is None or made is None or made.value is None:
        return None, None
    if made is best:
        return 0.0, 0.0
    variance = _variance(best.value, best.visits) + _variance(made.value, made.visits)
    return round(max(0.0, best.value - made.value), 4), round(Z * math.sqrt(variance), 4)


def _variance(mean: float, n: int) -> float:
    """The most that the variance of a mean of n numbers from 0 to 1 may be, with the two values on either side that
    Agresti and Coull add ("Approximate is better than exact", The American Statistician 52, 1998), so that it is not
    0 where all were equal."""
    p = (mean * n + 2) / (n + 4)
    return p * (1 - p) / (n + 4)


# ------------------------------------------------------------------------------------------------ where it turned


@dataclass(frozen=True)
class _Step:
    """From a judged decision (its place among those that might have been) to the next judged one, or to the end."""

    place: int
    next_place: int
    before: tuple[float, ...]
    after: tuple[float, ...]
    by_chance: float
    """What two estimates of the same chances differ by on average."""

    @property
    def change(self) -> float:
        """The part of all chances that went from some seats to others."""
        return sum(abs(a - b) for a, b in zip(self.before, self.after, strict=True)) / 2


def _steps(thought: Sequence[int], judged: dict[int, Judgement], end: tuple[float, ...]) -> list[_Step]:
    """All steps of a game, those by which the chances moved most first."""
    places = [place for place, n in enumerate(thought) if n in judged]
    sure = (0.0,) * len(end)
    steps = []
    for place, next_place in pairwise([*places, len(thought)]):
        now = judged[thought[place]]
        later = judged.get(thought[next_place]) if next_place < len(thought) else None
        margins = zip(now.margins, later.margins if later else sure, strict=True)
        errors = [math.hypot(*pair) / Z for pair in margins]
        by_chance = math.sqrt(2 / math.pi) * sum(errors) / 2  # the mean of |x| is sqrt(2 / pi) standard errors
        steps.append(_Step(place, next_place, now.chances, later.chances if later else end, by_chance))
    return sorted(steps, key=lambda step: -step.change)


def _stretches(thought: Sequence[int], judged: dict[int, Judgement], end: tuple[float, ...]) -> set[int]:
    """The decisions not judged yet in the steps by which the chances moved most."""
    steps = _steps(thought, judged, end)[:MOST_TURNING_POINTS]
    return {thought[place] for step in steps for place in range(step.place + 1, step.next_place)}


def _turning_points(
    game: Game, thought: Sequence[int], judged: dict[int, Judgement], end: tuple[float, ...]
) -> tuple[TurningPoint, ...]:
    found: list[TurningPoint] = []
    for step in _steps(thought, judged, end):
        enough = max(LEAST_CHANGE if len(found) < 3 else MUCH, TIMES_BY_CHANCE * step.by_chance)
        if len(found) < MOST_TURNING_POINTS and step.next_place == step.place + 1 and step.change >= enough:
            found.append(_turning_point(game, thought, judged[thought[step.place]], step))
    return tuple(sorted(found, key=lambda point: point.n))


def _turning_point(game: Game, thought: Sequence[int], decision: Judgement, step: _Step) -> TurningPoint:
    until = thought[step.next_place] if step.next_place < len(thought) else len(game.events)
    return TurningPoint(
        n=decision.n,
        number=decision.number,
        seat=decision.seat,
        followed=tuple(n for n in range(decision.n, until) if game.events[n].answer is not None),
        before=step.before,
        after=step.after,
        change=round(step.change, 4),
    )
