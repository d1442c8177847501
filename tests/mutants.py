"""Break the rules on purpose, one place at a time, and see that the tests notice: `make mutants`.

Each comparison, each number, text and truth value, and each operator of a game's rules file is changed in turn, and of
what the 熟語 games import to find words. The changed rules take the game's place for its clause tests, its golden
records and a few random games. What nobody notices is printed; it must be listed in `mutants.toml` with the reason why
the game is the same all the same. The command fails when a survivor is not listed, when a listed one is noticed after
all, or when fewer than 95 of 100 are noticed."""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import itertools
import json
import multiprocessing
import os
import resource
import signal
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import pytest  # noqa: E402

import tefuda  # noqa: E402
from tefuda.decks import spelling  # noqa: E402
from tefuda.engine import rules  # noqa: E402
from tefuda.engine.game import Game  # noqa: E402

SECONDS = 20
"""Rules that loop for ever are noticed after so much of the processor's time."""

limits: dict[str, float] = {}
"""By game, after how many seconds its tests are given up: that, or three times what they take with the rules as they
are."""

MOST_MEMORY = 6 << 30
"""Bytes of room for addresses: a loop that moves cards for ever keeps all these moves."""

LEAST_NOTICED = 0.95

SPELLING = "spelling"
"""What the 熟語 games import (decks/spelling.py): finding words in a hand."""

OTHERS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.FloorDiv,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
}

SIGNS = {
    "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=", "Eq": "==", "NotEq": "!=", "Add": "+", "Sub": "-", "Mult": "*",
    "Div": "/", "FloorDiv": "//", "Mod": "%", "And": "and", "Or": "or",
}  # fmt: skip

WORDS_FOR_PEOPLE = {"id", "rules", "title", "author", "deck", "lid"}
"""Entries of INFO that are no rules: names, which faces the cards have, and the look of the box."""


@dataclass(frozen=True)
class Mutant:
    """One change: of which game (or of `SPELLING`), in which line of the file, what, and the changed file."""

    game: str
    number: int
    line: str
    change: str
    source: str

    @property
    def key(self) -> tuple[str, str, str]:
        """How the list of survivors names it."""
        return self.game, self.line, self.change


def mutants_of(game: str) -> Iterator[Mutant]:
    """Every mutant of a game's rules file. Of two same changes in a line the second is marked `(2)`, and so on."""
    source = Path(spelling.__file__).read_text(encoding="utf-8") if game == SPELLING else rules.find(game).source
    lines = source.splitlines()
    seen: dict[tuple[int, str], int] = {}
    places = len(list(_places(ast.parse(source))))
    for n in range(places):
        _, changes = list(_places(ast.parse(source)))[n]
        for i in range(len(changes)):
            tree = ast.parse(source)
            node, changes_here = list(_places(tree))[n]
            text, apply = changes_here[i]
            apply()
            line: int = node.lineno
            seen[line, text] = seen.get((line, text), 0) + 1
            if seen[line, text] > 1:
                text = f"{text} ({seen[line, text]})"
            yield Mutant(game, line, lines[line - 1].split("#")[0].strip(), text, ast.unparse(tree))


Change = tuple[str, Callable[[], None]]


def _places(tree: ast.Module) -> Iterator[tuple[Any, list[Change]]]:
    """The nodes of a rules file that can be changed, with what each change says and does."""
    skipped = set(_no_rules(tree))
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Compare):
            for i, op in enumerate(node.ops):
                yield node, [_setting(node.ops, i, op, other) for other in OTHERS.get(type(op), ())]
        elif isinstance(node, (ast.BinOp, ast.AugAssign, ast.BoolOp)):
            yield node, [_setting(vars(node), "op", node.op, other) for other in OTHERS.get(type(node.op), ())]
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
            yield node, [_without(node)]
        elif isinstance(node, ast.Constant) and node.value is not None and node.value is not Ellipsis:
            yield node, [_valued(node, value) for value in _other_values(node.value)]


def _no_rules(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):  # docstrings
            yield id(node.value)
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "LAYOUT":  # how a page sets it out
            yield from (id(inner) for inner in ast.walk(node))
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "INFO":
            assert isinstance(node.value, ast.Dict)
            for key, value in zip(node.value.keys, node.value.values, strict=True):
                assert isinstance(key, ast.Constant)
                if key.value in WORDS_FOR_PEOPLE:
                    yield from (id(inner) for inner in ast.walk(value))
                    yield id(key)
        elif isinstance(node, ast.JoinedStr):  # the texts between the braces cannot be set alone
            yield from (id(value) for value in node.values)


def _setting(holder: Any, key: Any, old: ast.AST, new: type[ast.AST]) -> Change:
    def apply() -> None:
        holder[key] = new()

    return f"{SIGNS[type(old).__name__]} → {SIGNS[new.__name__]}", apply


def _without(node: ast.UnaryOp) -> Change:
    def apply() -> None:
        node.op = ast.UAdd() if isinstance(node.op, ast.USub) else ast.Not()
        if isinstance(node.op, ast.Not):
            node.operand = ast.UnaryOp(ast.Not(), node.operand)

    return f"{'not' if isinstance(node.op, ast.Not) else '-'} → nothing", apply


def _valued(node: ast.Constant, value: Any) -> Change:
    old = node.value

    def apply() -> None:
        node.value = value

    return f"{old!r} → {value!r}", apply


def _other_values(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, (int, float)):
        return [value + 1, value - 1]
    return [value + "'"]


# --------------------------------------------------------------------------------------------- noticing a mutant


def noticed(mutant: Mutant) -> str | None:
    """Which test notices a mutant; None when none does."""
    signal.signal(signal.SIGVTALRM, _too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, limits[mutant.game])
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, resource.RLIM_INFINITY))
    original = rules._builtin
    name = "loading"
    try:
        instead: Any = changed_rules(mutant)
        rules._builtin = instead
        for test_name, test in tests_of(mutant.game):
            name = test_name
            test()
    except (Exception, pytest.fail.Exception) as e:
        return f"{name}: {type(e).__name__}"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        rules._builtin = original
        if mutant.game == SPELLING:
            exec(
                compile(Path(spelling.__file__).read_text(encoding="utf-8"), spelling.__file__, "exec"), vars(spelling)
            )
    return None


def changed_rules(mutant: Mutant) -> Callable[[str, str | None], rules.Rules]:
    """What finds the rules of a game, with the mutant in its place. One of `SPELLING` is in every game that imports it:
    those are loaded anew under another text."""
    original = rules._builtin
    if mutant.game != SPELLING:
        changed = rules.Rules(rules.GAMES / mutant.game / "rules.py", mutant.source)
        return lambda game, version: changed if game == mutant.game else original(game, version)
    _spell(mutant.source)

    @cache
    def find(game: str, version: str | None) -> rules.Rules:
        found = original(game, version)
        if spelling.__name__ not in found.source:
            return found
        return rules.Rules(found.path, f"{found.source}\n# {mutant.number} {mutant.line}: {mutant.change}\n")

    return find


def _spell(source: str) -> None:
    exec(compile(source, spelling.__file__, "exec"), vars(spelling))


def _too_long(*_: object) -> None:
    raise TimeoutError


@cache
def tests_of(game: str) -> list[tuple[str, Callable[[], object]]]:
    """The tests of a game by name, and those of clauses that it shares with others. Those of `SPELLING` are what the
    games share, where it is tested for each game in one of them, and that game's records."""
    found: list[tuple[str, Callable[[], object]]] = []
    shared = HERE / "games" / f"test_{('jukugo' if game == SPELLING else game).split('_')[0]}_shared.py"
    if shared.is_file():
        module = importlib.import_module(f"games.{shared.stem}")
        found += clause_tests(module, (None, "jukugo_ten") if game == SPELLING else (game,))
    for file in sorted((HERE / "records").glob("*.fuda.json"), key=lambda file: file.stat().st_size):
        data = json.loads(file.read_text(encoding="utf-8"))
        if data["game"] == ("jukugo_ten" if game == SPELLING else game):
            found.append((file.name, lambda data=data: replay(data)))  # type: ignore[misc]
    if game != SPELLING:
        found += clause_tests(importlib.import_module(f"games.test_{game}"))
        found.append(("random games", lambda: random_games(game)))
    return found


def sound(game: str) -> bool:
    """Whether the tests pass with the rules as they are. Puts them in order, the quick ones first."""
    seconds: dict[str, float] = {}
    began = time.process_time()
    for name, test in tests_of(game):
        start = time.monotonic()
        try:
            test()
        except (Exception, pytest.fail.Exception) as e:
            print(f"{game}: {name} fails with the rules as they are: {e!r}")
            return False
        seconds[name] = max(seconds.get(name, 0.0), time.monotonic() - start)
    tests_of(game).sort(key=lambda named: seconds[named[0]])
    limits[game] = max(SECONDS, 3 * (time.process_time() - began))
    return True


def replay(data: dict[str, Any]) -> None:
    """A golden record loads and is saved as it was."""
    assert tefuda.from_record(copy.deepcopy(data)).record() == data


def random_games(game: str) -> None:
    """Some random games end, with all cards where the table has them."""
    found = rules.find(game)
    for seats in range(found.least_seats, found.most_seats + 1):
        for seed in range(2):
            played = tefuda.new(game, seats=seats, seed=seed)
            random = Random(seed)
            for _ in range(3000):
                if played.over:
                    break
                played.play_move(random.choice(played.legal()))
            assert played.over
            assert_cards_are_there(played)


def assert_cards_are_there(game: Game) -> None:
    """No card has gone, and the counts are those of the cards."""
    s, piles = game.state, range(len(game.state.size))
    for kind, declared in enumerate(game.rules.kinds(game.options), 1):
        lying = [sum(s.card[pile, i] == kind for i in range(s.size[pile])) for pile in piles]
        assert lying == [s.count[pile, kind] for pile in piles]
        assert sum(lying) == declared.copies


def clause_tests(module: Any, games: Sequence[str | None] | None = None) -> Iterator[tuple[str, Callable[[], object]]]:
    """The test functions of a module, once for each of their parameters. `games`: only those whose parameter `game` is
    one of these; None among them stands for those that have none."""
    for name, test in vars(module).items():
        if name.startswith("test_"):
            marks = [mark.args for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"]
            for values in itertools.product(*(given for _, given in marks)):
                arguments: dict[str, Any] = {}
                for (names, _), value in zip(marks, values, strict=True):
                    arguments |= {names: value} if isinstance(names, str) else dict(zip(names, value, strict=True))
                if games is None or arguments.get("game") in games:
                    yield name, partial(test, **arguments)


# ------------------------------------------------------------------------------------------------------ the report


def equivalents() -> dict[tuple[str, str, str], str]:
    """The survivors that are known, with the reason why each makes no difference to the game."""
    listed = tomllib.loads((HERE / "mutants.toml").read_text(encoding="utf-8"))
    return {(game, entry["line"], entry["change"]): entry["reason"] for game in listed for entry in listed[game]}


def main() -> int:
    """Try every mutant of the games named on the command line, or of all."""
    parser = argparse.ArgumentParser(description="Break the rules one place at a time, and see that the tests notice.")
    every = [*tefuda.games(), SPELLING]
    parser.add_argument("games", nargs="*", default=every, help=f"the games, or {SPELLING} (all of them unless named)")
    parser.add_argument("--show", action="store_true", help="print which test noticed each mutant")
    args = parser.parse_args()
    known = equivalents()
    wrong = 0
    for game in args.games:
        start = time.monotonic()
        if not sound(game):
            return 1
        mutants = list(mutants_of(game))
        survivors = []
        with multiprocessing.get_context("fork").Pool(os.cpu_count(), maxtasksperchild=100) as pool:
            for n, (mutant, by) in enumerate(zip(mutants, pool.imap(noticed, mutants), strict=True), 1):
                if sys.stderr.isatty():
                    print(f"\r{game}: {n} of {len(mutants)}", end="", file=sys.stderr)
                if args.show:
                    print(f"{game}, line {mutant.number}: {mutant.line}: {mutant.change}: {by}", flush=True)
                if by is None:
                    survivors.append(mutant)
                elif mutant.key in known:
                    print(f"{game}, line {mutant.number}: {mutant.change} is in mutants.toml, but {by} notices it")
                    wrong += 1
        for mutant in survivors:
            reason = known.get(mutant.key)
            wrong += reason is None
            where = f"{game}, line {mutant.number}: {mutant.line}: {mutant.change}"
            print(f"{where}: {'NOT NOTICED, and not listed in mutants.toml' if reason is None else reason}")
        stale = {key for key in known if key[0] == game} - {mutant.key for mutant in mutants}
        for _, line, change in sorted(stale):
            print(f"{game}: mutants.toml lists {line!r}, {change}, which is no longer there")
        share = 1 - len(survivors) / len(mutants)
        wrong += len(stale) + (share < LEAST_NOTICED)
        print(
            f"{game}: {len(mutants) - len(survivors)} of {len(mutants)} mutants noticed ({share:.1%}) "
            f"in {time.monotonic() - start:.0f} s"
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
