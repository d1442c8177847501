"""What people are told when something is wrong: every sentence in the code has its Japanese, with the same places."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import string
import tomllib
from collections.abc import Iterator
from pathlib import Path

import tefuda
from tefuda.check.compile_errors import PLAINER
from tefuda.engine.plainer import PYTHON, TOML
from tefuda.engine.record import RecordError
from tefuda.engine.sentence import JAPANESE, Sentence, ToldError, fill, words_of

SOURCE = Path(tefuda.__file__).parent
TOLD = tomllib.loads(JAPANESE.read_text(encoding="utf-8"))
ONLY_PLACES = {"{reason}"}
"""Sentences without a word."""


def makers() -> set[str]:
    """What makes a sentence of its first argument: Sentence, the errors that hold one, and methods that pass it on."""
    for module in pkgutil.walk_packages([str(SOURCE)], "tefuda."):
        if not module.name.startswith(("tefuda.games", "tefuda.web.__main__")) and "migrations" not in module.name:
            importlib.import_module(module.name)
    kinds, found = [ToldError], {"Sentence", "_wrong", "_wrong_move"}
    while kinds:
        kind = kinds.pop()
        found.add(kind.__name__)
        kinds += kind.__subclasses__()
    return found


def texts_in(node: ast.expr, assigned: dict[str, list[ast.expr]]) -> Iterator[str]:
    """The texts that an argument may be: itself, either of two, or whatever its name stands for in the file."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from texts_in(node.body, assigned)
        yield from texts_in(node.orelse, assigned)
    elif isinstance(node, ast.Name):
        for value in assigned.get(node.id, []):
            yield from texts_in(value, {})


def made() -> dict[str, str]:
    """Every sentence that is made in the code, and where."""
    names, found = makers(), {}
    for file in sorted(SOURCE.rglob("*.py")):
        nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
        assigned: dict[str, list[ast.expr]] = {}
        for node in nodes:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                assigned.setdefault(node.targets[0].id, []).append(node.value)
        errors = [node for node in nodes if isinstance(node, ast.ClassDef) and node.name in names]
        inits = {call for error in errors for call in ast.walk(error) if isinstance(call, ast.Call)}
        for node in nodes:
            if not isinstance(node, ast.Call):
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            arguments = [each for each in node.args if not (isinstance(each, ast.Name) and each.id == "rules")]
            if not arguments or not (name in names or (name == "__init__" and node in inits)):
                continue
            place = f"{file.relative_to(SOURCE)}:{node.lineno}"
            first = arguments[name == "BrokenPromiseError"]
            assert not isinstance(first, ast.JoinedStr | ast.BinOp), f"{place}: what differs is put into {{places}}"
            for text in texts_in(first, assigned):
                found[text] = place
    return found


MADE = made() | {english: "a table" for table in (PYTHON, TOML, PLAINER) for _, english in table}


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_every_sentence_has_its_japanese() -> None:
    missing = {text: place for text, place in MADE.items() if text not in TOLD and text not in ONLY_PLACES}
    assert not missing


def test_no_japanese_is_left_over() -> None:
    everywhere = set()
    for file in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                everywhere.add(node.value)
    assert not set(TOLD) - everywhere


def test_the_same_is_put_into_both() -> None:
    assert not {english: told for english, told in TOLD.items() if places(told) != places(english)}


def test_a_sentence_within_a_sentence_is_told_in_the_same_language() -> None:
    error = RecordError("{reason}", at=3, reason=tefuda.IllegalMove("{move}: the game is over", move="'5x2'"))
    assert str(error) == words_of(error, "en") == "event 3: '5x2': the game is over"
    assert error.say("ja") == words_of(error, "ja") != str(error)
    assert "'5x2'" in error.say("ja") and "over" not in error.say("ja")
    assert words_of(KeyError("x"), "ja") == "'x'"


def test_braces_in_what_is_put_there_do_no_harm() -> None:
    assert str(Sentence("{file}: {reason}", file="{a}", reason="}{0.x!r")) == "{a}: }{0.x!r"
    assert str(Sentence("as it stands { {x}")) == "as it stands { {x}"
    assert str(Sentence("{n} {n:card|cards}", n=1)) == "1 card"
    assert str(Sentence("{n} {n:card|cards}", n=-2)) == "-2 cards"
    assert fill("{n} {n:point|points}", n=-2) == "−2 points"
