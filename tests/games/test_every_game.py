"""What must be so for every game that comes with Tefuda, now and later. A game that lacks one of these turns it red."""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from pathlib import Path

import pytest
from games.positions import decisions, from_start, repeat

import tefuda
from tefuda.check import Report, check
from tefuda.check.examination import CHECKS, values_of
from tefuda.engine.declare import Choice, Flag
from tefuda.engine.record import to_text
from tefuda.engine.rules import GAMES, find

HERE = Path(__file__).parent
RECORDS = HERE.parent / "records"
FILES = sorted(RECORDS.glob("*.fuda.json"))


def records_of(game: str) -> list[Path]:
    return [file for file in FILES if json.loads(file.read_text(encoding="utf-8"))["game"] == game]


def by_hand(game: str) -> list[Path]:
    return [file for file in records_of(game) if file.name.startswith(f"{game}-by-hand")]


@cache
def report(game: str) -> Report:
    return check(game, games=12)


@pytest.fixture(params=tefuda.games())
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("name", ["rules", *(name for name, _, _ in CHECKS)])
def test_check_finds_nothing_wrong(game, name):
    finding = next(f for f in report(game).findings if f.name == name)
    assert finding.verdict == "passed", finding.sentence


# ---------------------------------------------------------------------------------------------- golden records


def test_a_game_has_golden_records(game):
    assert len(records_of(game)) >= 2


def test_no_golden_record_has_gone():
    listed = re.findall(r"^\| (\S+\.fuda\.json) \|", (RECORDS / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == [file.name for file in FILES]


def test_no_golden_record_is_of_an_unknown_game():
    for file in FILES:
        assert json.loads(file.read_text(encoding="utf-8"))["game"] in tefuda.games(), file.name


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.removesuffix(".fuda.json"))
def test_golden_record(file):
    data = json.loads(file.read_text(encoding="utf-8"))
    game = tefuda.load(file)
    assert game.over
    assert game.record() == data
    assert to_text(tefuda.from_text(to_text(data)).record()) == to_text(data)
    again = from_start(game)
    for event in decisions(game):
        if event.who != "*":
            assert again.seat == event.who
            assert event.move in again.legal(person=again.is_person(event.who))
        repeat(again, event)
    assert again.result == {key: value for key, value in data["result"].items() if key != "notes"}


def test_golden_records_use_every_option(game):
    """Every value of a Flag or Choice, and of any other option one that is not its default."""
    played = [json.loads(file.read_text(encoding="utf-8"))["options"] for file in records_of(game)]
    for name, option in find(game).declared_options.items():
        used = [options[name] for options in played]
        values = values_of(option)
        if isinstance(option, (Flag, Choice)):
            assert all(value in used for value in values), name
        else:
            assert any(value != values[0] for value in used), name


def test_a_record_is_worked_out_by_hand_and_annotated(game):
    assert by_hand(game), f"{game} has no tests/records/{game}-by-hand.fuda.json"
    for file in by_hand(game):
        note = file.with_name(file.name.replace(".fuda.json", ".md")).read_text(encoding="utf-8")
        rows = re.findall(r"^\| (\d+) \| (\S+) \| `([^`]+)` \|", note, re.MULTILINE)
        events = json.loads(file.read_text(encoding="utf-8"))["events"]
        assert len(rows) == len(events), "the annotation has a row for each event"
        for n, ((number, who, what), event) in enumerate(zip(rows, events, strict=True)):
            assert (int(number), who) == (n, str(event[0]))
            assert what == event[1] or (what.endswith("…") and event[1].startswith(what[:-1]))
        named = set(re.findall(r"[A-Z]{2}-\d+", note))
        assert len(named) >= len(clauses_of(game)) / 2, "the annotation says which clauses each step shows"


# ------------------------------------------------------------------------------------------ each clause by number


def clause_tests(game: str) -> ast.Module:
    return ast.parse((HERE / f"test_{game}.py").read_text(encoding="utf-8"))


def shared_tests(game: str) -> list[ast.stmt]:
    """The tests of clauses that several games share: their names begin alike, as that of the file does."""
    file = HERE / f"test_{game.split('_')[0]}_shared.py"
    return ast.parse(file.read_text(encoding="utf-8")).body if file.is_file() else []


def clauses_of(game: str) -> list[str]:
    for node in clause_tests(game).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "CLAUSES":
            return list(eval(ast.unparse(node.value)))
    raise AssertionError(f"tests/games/test_{game}.py has no list CLAUSES")


def test_each_clause_has_a_test_that_names_it(game):
    body = clause_tests(game).body + shared_tests(game)
    tests = [node.name for node in body if isinstance(node, ast.FunctionDef)]
    for clause in clauses_of(game):
        prefix = "test_" + clause.replace("-", "_")
        assert any(name == prefix or name.startswith(prefix + "_") for name in tests), f"no test of {clause}"


def test_the_list_of_clauses_is_that_of_the_rules_pages(game):
    for language in ("ja", "en"):
        page = (GAMES / game / f"rules.{language}.md").read_text(encoding="utf-8")
        assert set(re.findall(r"[A-Z]{2}-\d+", page)) == set(clauses_of(game)), language


def test_what_is_visible_is_written_down_for_the_test(game):
    assert (HERE / f"{game}_visible.py").is_file(), "see test_hidden.py"
