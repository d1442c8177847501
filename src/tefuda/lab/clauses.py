"""Which clauses of the rules come up in play, and which never: games are played again by the rules as they are written,
and every line that runs is noted. A clause is what a comment or a docstring names, as (LV-10); rules that name none are
told by their lines."""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Any

import numpy as np
import polars as pl

from tefuda.engine.chance import SeededChance
from tefuda.engine.plain import Cells
from tefuda.engine.rules import Rules
from tefuda.lab.intervals import share
from tefuda.lab.store import Data

MARK = re.compile(r"\(([^()]*[A-Z]{2,}-\d[^()]*)\)")
CLAUSE = re.compile(r"([A-Z]{2,}-)?(\d+)( ?[a-z]\b)?")

NOT_PLAYED = frozenset({
    "estimate", "also_people", "claim", "truth", "vocabulary", "common", "tables", "names", "cards",
})  # fmt: skip
"""Functions of a rules file that are no rules of play."""


PLAYED: tuple[str, ...] = ("deal", "legal", "apply", "advance", "at_cap", "is_over", "ranks", "scores")
"""Functions of a rules file that the engine calls in play."""


@dataclass(frozen=True)
class Probe:
    """A clause, and the line that runs when it comes up."""

    clause: str
    line: int


def probes(rules: Rules) -> list[Probe]:
    """What to look for, in the order of the rules file."""
    found = []
    functions = [node for node in ast.parse(rules.source).body if isinstance(node, ast.FunctionDef)]
    played = _played(functions)
    for line, text in _comments(rules.source):
        for function in played:
            if function.lineno <= line <= (function.end_lineno or 0):
                at = _line_that_runs(function, line)
                if at is not None:
                    found += [Probe(clause, at) for clause in _named(text)]
    for function in played:
        described = ast.get_docstring(function)
        body = function.body[1:]
        if described and body:
            found += [Probe(clause, body[0].lineno) for clause in _named(described)]
    return sorted(dict.fromkeys(found), key=lambda probe: probe.line)


def _comments(source: str) -> Iterator[tuple[int, str]]:
    """Comments that stand behind something, by line."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and token.line[: token.start[1]].strip():
            yield token.start[0], token.string


def _named(text: str) -> list[str]:
    """The clauses a text names: `(TC-7, TC-8 a)`."""
    out = []
    for group in MARK.findall(text):
        prefix = ""
        for found in CLAUSE.finditer(group):
            prefix = str(found[1] or prefix)
            if prefix:
                out.append(f"{prefix}{found[2]}{(found[3] or '').replace(' ', '')}")
    return out


def _played(functions: Sequence[ast.FunctionDef]) -> list[ast.FunctionDef]:
    """The functions that run when a game is played: those of PLAYED and what they call, at once or through others."""
    by_name = {function.name: function for function in functions if function.name not in NOT_PLAYED}
    waiting = [name for name in PLAYED if name in by_name]
    found: dict[str, ast.FunctionDef] = {}
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = by_name[name]
            names = {node.id for node in ast.walk(by_name[name]) if isinstance(node, ast.Name)}
            waiting += sorted(names & by_name.keys())
    return [function for function in functions if function.name in found]


def _line_that_runs(function: ast.FunctionDef, line: int) -> int | None:
    """Of the innermost statement at a line: its own first line; of an `if` or a loop that of its body."""
    best: ast.stmt | None = None
    for node in ast.walk(function):
        if not isinstance(node, ast.stmt):
            continue
        if node.lineno <= line <= (node.end_lineno or 0) and (best is None or node.lineno > best.lineno):
            best = node
    if best is None:
        return None
    body = getattr(best, "body", None)
    if isinstance(best, ast.FunctionDef):
        return body[0].lineno if body else None
    if body and isinstance(body, list) and line < body[0].lineno:
        return int(body[0].lineno)
    if isinstance(best, ast.If) and best.orelse and line < best.orelse[0].lineno and line > best.body[-1].lineno:
        return best.orelse[0].lineno
    return best.lineno


def lines_of_play(rules: Rules) -> list[int]:
    """The first line of every statement that may run in play."""
    functions = [node for node in ast.parse(rules.source).body if isinstance(node, ast.FunctionDef)]
    lines = set()
    for function in _played(functions):
        for node in ast.walk(function):
            docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef) and not docstring:
                lines.add(node.lineno)
    return sorted(lines)


# ------------------------------------------------------------------------------------------------------- playing


def lines_run(data: Data, games: int) -> Iterator[set[int]]:
    """Play the first so many kept games again by the plain rules: of each, the lines that ran."""
    assert data.decisions is not None
    cell = data.cell
    rows = data.decisions.filter(pl.col("game") < games).sort("game", "n").collect()
    seeds = dict(data.games.filter(pl.col("game") < games).select("game", "seed").collect().iter_rows())
    t = cell.rules.tables(cell.options, cell.seats)
    for part in rows.partition_by("game", maintain_order=True):
        kind, a, b, c = (part[name].to_numpy().astype(np.int64) for name in ("kind", "a", "b", "c"))
        moves = (kind << 57 | a << 38 | b << 19 | c).tolist()
        yield _lines_of_game(cell.rules, cell.seats, cell.options, t, int(seeds[part["game"][0]]), moves)


def _lines_of_game(rules: Rules, seats: int, options: Any, t: Any, seed: int, moves: Sequence[int]) -> set[int]:
    file = str(rules.path)
    lines: set[int] = set()

    def within(frame: FrameType, event: str, _: object) -> Any:
        if event == "line":
            lines.add(frame.f_lineno)
        return within

    def called(frame: FrameType, event: str, _: object) -> Any:
        return within if frame.f_code.co_filename == file else None

    m = rules.module
    s = rules.undealt(seats, options)
    chance = SeededChance(seed)
    legal = Cells("moves", [0] * (rules.most_moves + 1), 0, (1 << 63) - 1)
    places = Cells("places", [0] * seats, -(1 << 62), 1 << 62)
    before = sys.gettrace()
    sys.settrace(called)
    try:
        m.begin(s, t, chance)
        for move in moves:
            m.over(s, t)
            m.find_legal(s, legal, t)
            m.step(s, move, t, chance)
        if not m.over(s, t):  # it got stuck: see what is legal then
            m.find_legal(s, legal, t)
        m.ranks(s, places, t)
        m.scores(s, places, t)
    finally:
        sys.settrace(before)
    return lines


def clauses(data: Data, games: int) -> dict[str, object]:
    """In which share of games each clause comes up (of a clause named at several lines, any of them); the clauses that
    never do; and the lines of play that never run, with their text. Nothing where no decisions are kept."""
    if data.decisions is None:
        return {}
    rules = data.cell.rules
    where: dict[str, set[int]] = {}
    for probe in probes(rules):
        where.setdefault(probe.clause, set()).add(probe.line)
    played, ran, found = 0, Counter[int](), dict.fromkeys(where, 0)
    for lines in lines_run(data, games):
        played += 1
        ran.update(lines)
        for clause, at in where.items():
            found[clause] += not at.isdisjoint(lines)
    source = rules.source.splitlines()
    never = [line for line in lines_of_play(rules) if not ran[line]]
    return {
        "clauses": {clause: share(n, played) for clause, n in found.items()},
        "clauses_never": [clause for clause, n in found.items() if n == 0],
        "lines_never": [f"{line}: {source[line - 1].split('  #')[0].strip()}" for line in never],
        "clause_games": played,
    }
