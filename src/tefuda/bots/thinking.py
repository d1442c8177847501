"""Asking a bot: which move, and what it thought of the others."""

from __future__ import annotations

import json
import secrets
import time
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.bots.spec import EVERY, VOCABULARY, Bot, BotError, has_estimate, parse
from tefuda.engine.compiled_chance import CHANCE
from tefuda.engine.declare import Field
from tefuda.engine.game import new
from tefuda.engine.notation import hidden, open_bits
from tefuda.engine.plain import PlainState, to_record
from tefuda.engine.rules import Rules, compiled_told_of
from tefuda.engine.sentence import WrongValueError
from tefuda.engine.view import blind

HERE = Path(__file__).parent

EXPLORE = 0.6
"""The constant of UCB1 in a search, for values from 0 to 1."""

REDEALS = 30
"""How many redeals the bot that looks one step ahead takes."""

HORIZON = 16
"""After so many random decisions a search breaks a playout off and ranks the seats by the rules' `estimate`. With 8 to
24 it beats greedy clearly in both games; played to the end, in 手びねりクッキー with four it did not."""

NO_HORIZON = 1 << 62
"""Playouts go to the end: in a game without `estimate`, and where chances are reckoned."""

CHUNK = 250
"""Iterations between two looks at the clock: some milliseconds."""

MOST_NODES = 1 << 21
"""Nodes in all trees of a search together (64 MiB); with more iterations than that, trees stop growing."""

ITERATIONS_A_SECOND = 200_000
"""More than any search makes: how many nodes a search by the clock may need."""


@dataclass(frozen=True)
class Thought:
    """What a bot thought of one move: how often its search chose it (0 when it did not search), and its `value`:
    the mean result from 0 (last) to 1 (first), or what `estimate` says of it on average; None when it was not looked
    at."""

    move: int
    visits: int
    value: float | None


@dataclass(frozen=True)
class Decision:
    """A bot's choice, and what it thought of all moves (best known first); `iterations` of its search, 0 when there
    was none. `chances`: of all games of the search the share that each seat won, a shared first place in parts; they
    add up to 1. Empty when it did not search."""

    move: int
    thoughts: tuple[Thought, ...]
    iterations: int
    chances: tuple[float, ...] = ()


@dataclass(frozen=True)
class Reckoning:
    """What a seat takes everybody's chances to be: of the games of a search the share that each seat won, a shared
    first place in parts (they add up to 1), and how many games (`iterations`) that were."""

    chances: tuple[float, ...]
    iterations: int


# ---------------------------------------------------------------------------------------------------- compiled


def kernels(rules: Rules) -> list[Path]:
    """The files that are compiled over a game's rules for its bots."""
    lacking = [] if has_estimate(rules) else [HERE / "without_estimate.py"]
    if not hasattr(rules.module, VOCABULARY):
        lacking.append(HERE / "without_vocabulary.py")
    return [*lacking, HERE / "kernel.py"]


@lru_cache(maxsize=32)
def compiled(rules: Rules) -> types.ModuleType:
    """A game's rules with the bots' kernel; its functions compile when they are first called (see `warm`)."""
    return rules.compiled(*kernels(rules))


def tables(rules: Rules, options: Mapping[str, Any], seats: int) -> Any:
    """The tables `t` of compiled rules; those last used are kept."""
    return _tables(rules, json.dumps(dict(options), sort_keys=True), seats)


@lru_cache(maxsize=16)
def _tables(rules: Rules, options: str, seats: int) -> Any:
    return rules.compiled_tables(compiled(rules), json.loads(options), seats)


def own_tables(t: Any) -> Any:
    """A copy of the tables for a bot of its own vocabulary."""
    return type(t)(*(value.copy() if isinstance(value, np.ndarray) else value for value in t))


def facts(rules: Rules, module: types.ModuleType, seats: int, explore: float = EXPLORE) -> Any:
    """What the kernel must know of a game's declarations."""
    talk = np.zeros(64, np.bool_)
    for move in rules.moves:
        talk[move.kind] = move.talk
    all_open = not any(hidden(part) for move in rules.moves if not move.talk for part in move.parts.values())
    type_ = rules.state_type
    ordered = [pile.ordered for pile in rules.piles for _ in range(type_.most_seats if pile.per_seat else 1)]
    owners = np.zeros(1, type_.dtype)  # in every number of a state, here stands the seat it belongs to
    owner = owners.view(Field)
    owner[:] = -1
    for name in type_.private:
        for seat in range(type_.most_seats):
            owners[0][name][seat] = seat
    return module.Facts(
        open_bits=np.array(open_bits(rules.moves), np.int64),
        talk=talk,
        trees=1 if all_open else seats,
        explore=explore,
        redeals=REDEALS,
        horizon=HORIZON if has_estimate(rules) else NO_HORIZON,
        ordered=np.array(ordered, np.bool_),
        owner=owner,
    )


def room(rules: Rules, module: types.ModuleType, seats: int, trees: int, iterations: int) -> Any:
    """Arrays for a bot to think in, with nodes for so many iterations."""
    nodes = min(trees * (iterations + 1), MOST_NODES)
    moves = rules.most_moves + 1
    return module.Room(
        dealt=np.zeros(1, rules.state_type.dtype),
        work=np.zeros(1, rules.state_type.dtype),
        moves=np.zeros(moves, np.int64),
        worth=np.zeros(moves, np.float64),
        found=np.zeros(moves, np.int64),
        places=np.zeros(seats, np.int64),
        hope=np.zeros(seats, np.float64),
        value=np.zeros(seats, np.float64),
        won=np.zeros(seats, np.float64),
        nodes=np.zeros(nodes, module.NODE),
        table=np.zeros(1 << (2 * nodes - 1).bit_length(), np.int32),
        used=np.zeros(1, np.int64),
        at=np.zeros(trees, np.int64),
        left=np.zeros(trees, np.int64),
    )


# ---------------------------------------------------------------------------------------------------- deciding


def choose(
    bot: Bot,
    information_state: PlainState,
    rules: Rules,
    options: Mapping[str, Any],
    seed: int | None = None,
    stop: Callable[[], bool] | None = None,
    words: int = 0,
) -> int:
    """The move of a bot in the seat on turn. See `consider`."""
    return consider(bot, information_state, rules, options, seed, stop, words).move


def consider(
    bot: Bot,
    information_state: PlainState,
    rules: Rules,
    options: Mapping[str, Any],
    seed: int | None = None,
    stop: Callable[[], bool] | None = None,
    words: int = 0,
) -> Decision:
    """What a bot does in the seat on turn, and what it thinks of every move.

    `information_state` is `game.blind(seat)`: a bot is given nothing else. `options`: all of the game's. `seed` of
    the bot's own generator; without it, from the operating system. `stop` is asked every few milliseconds; when it
    says yes a search decides by what it has. `words` is the seed from which a bot that knows a share of all words has
    them: the same throughout a game. May run in a thread: the compiled part lets others run.

    BotError when the bot cannot play the game; ValueError when the game is over; CompiledRulesError when its rules
    cannot be compiled, or go wrong."""
    bot.check(rules)
    root = to_record(information_state, rules.state_type)
    with compiled_told_of(rules):
        decision = _decide(bot, root, rules, options, seed, stop, words)
    if decision is None:
        raise WrongValueError("the game is over: there is nothing to decide")
    return decision


def reckon(
    bot: Bot,
    information_state: PlainState,
    viewer: int,
    rules: Rules,
    options: Mapping[str, Any],
    seed: int | None = None,
    stop: Callable[[], bool] | None = None,
    words: int = 0,
) -> Reckoning:
    """The chances of all seats by a search from what `viewer` knows, whoever is on turn.

    Unlike a search for a move, this one plays every game to its end: breaking it off and asking `estimate` picks good
    moves, but takes whoever leads then for the winner (measured: docs/analysis.md).

    `information_state` is `game.blind(viewer)`; the rest as in `consider`. BotError when the bot does not search;
    ValueError when the game is over."""
    bot.check(rules)
    if bot.kind != "search":
        raise BotError("{bot} reckons no chances; take a search, as search:1000", bot=str(bot))
    root = to_record(information_state, rules.state_type)
    with compiled_told_of(rules):
        desk = _Desk(bot, root, rules, options, seed, words)
        if not desk.over:
            desk.facts = desk.facts._replace(horizon=NO_HORIZON)
            iterations = desk.search(viewer, stop)
            return Reckoning(desk.shares(iterations), iterations)
    raise WrongValueError("the game is over: its result is known")


class _Desk:
    """What a bot needs to think about `root`, an information state as a record."""

    def __init__(
        self, bot: Bot, root: Any, rules: Rules, options: Mapping[str, Any], seed: int | None, words: int
    ) -> None:
        self.bot, self.root = bot, root
        self.module = module = compiled(rules)
        seats = int(root[0]["seats"])
        self.t = t = tables(rules, options, seats)
        self.facts = facts(rules, module, seats)
        self.room = room(rules, module, seats, self.facts.trees, _most_iterations(bot))
        chance = np.zeros(1, CHANCE)
        module.seed_chance(chance[0], np.uint64(secrets.randbits(64) if seed is None else seed % (1 << 64)))
        self.chance = chance[0]
        self.over = bool(module.over(root[0], t))
        if not self.over and bot.share != EVERY:
            drawn = np.zeros(1, CHANCE)
            module.seed_chance(drawn[0], np.uint64(words % (1 << 64)))
            own = own_tables(t)
            module.learn(own, bot.share, drawn[0])
            if not module.overlooks(root[0], own, t, self.room):
                self.t = own

    def search(self, viewer: int, stop: Callable[[], bool] | None) -> int:
        """Search until the budget is spent or `stop` says so; how many iterations that made."""
        bot, module, r = self.bot, self.module, self.room
        module.clear_trees(self.facts, r)
        end = None if bot.seconds is None else time.monotonic() + bot.seconds
        done = 0
        while bot.iterations is None or done < bot.iterations:
            n = CHUNK if bot.iterations is None else min(CHUNK, bot.iterations - done)
            module.search_as(viewer, self.root, self.t, self.chance, self.facts, r, n)
            done += n
            if (end is not None and time.monotonic() >= end) or (stop is not None and stop()):
                break
        return done

    def shares(self, iterations: int) -> tuple[float, ...]:
        """The share of the games of a search that each seat won."""
        return tuple(float(won) / iterations for won in self.room.won)


def _decide(
    bot: Bot,
    root: Any,
    rules: Rules,
    options: Mapping[str, Any],
    seed: int | None,
    stop: Callable[[], bool] | None,
    words: int,
) -> Decision | None:
    """A bot's decision where `root` is what it knows; None when the game is over."""
    desk = _Desk(bot, root, rules, options, seed, words)
    if desk.over:
        return None
    module, t, f, r = desk.module, desk.t, desk.facts, desk.room
    module.find_legal(root[0], r.moves, t)
    if bot.kind == "random" or module.leave_out_talk(r.moves, f):
        move = int(module.random_move(r.moves, desk.chance))
        return Decision(move, tuple(Thought(int(m), 0, None) for m in r.moves[1 : r.moves[0] + 1]), 0)
    shares: tuple[float, ...] = ()
    if bot.kind == "greedy":
        module.look_ahead(root, t, desk.chance, f, r)
        move = int(module.best_ahead(desk.chance, r))
        visits, worth, iterations = [0] * r.moves[0], r.worth[1:] / f.redeals, 0
    else:
        iterations = desk.search(int(root[0]["turn"]), stop)
        shares = desk.shares(iterations)
        module.root_moves(root, t, f, r)
        move = int(module.most_visited(r))
        visits, worth = [int(n) for n in r.found[1:]], r.worth[1:]
    thoughts = [
        Thought(int(m), n, None if iterations and not n else float(w))
        for m, n, w in zip(r.moves[1 : r.moves[0] + 1], visits, worth, strict=False)
    ]
    thoughts.sort(key=lambda x: (x.move != move, -x.visits, -(x.value or 0.0)))
    return Decision(move, tuple(thoughts), iterations, shares)


def _most_iterations(bot: Bot) -> int:
    if bot.iterations is not None:
        return bot.iterations
    return 1 if bot.seconds is None else int(bot.seconds * ITERATIONS_A_SECOND) + 1


# ----------------------------------------------------------------------------------------------------- warming

_warm: set[Rules] = set()


def warm(rules: Rules) -> None:
    """Compile all that bots of a game need (seconds when it was never done on this machine, else a moment), so that
    the first move does not wait for it. For a thread of its own."""
    options = rules.options(None, rules.least_seats)
    game = new(rules, seats=rules.least_seats, seed=0)
    if game.seat is not None:
        state = blind(game.state, rules, game.seat)
        for text in ("random", "greedy", "search:2") if has_estimate(rules) else ("random", "search:2"):
            consider(parse(text), state, rules, options, seed=0)
    _warm.add(rules)


def is_warm(rules: Rules) -> bool:
    """Whether a game's bots can answer without compiling first."""
    return rules in _warm
