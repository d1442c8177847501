"""Plain must not be kinder than compiled: the plain state refuses every slip, with the maker's line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tefuda
from tefuda.engine.declare import Pile, private, state_type
from tefuda.engine.plain import PlainState, ReadOnlyTable, SlipError, copy_state, from_record, to_record

SMALL = (Path(__file__).parent / "handing_on.py").read_text(encoding="utf-8")
TYPE = state_type((Pile("deck", ordered=True),), cards=3, kinds=2, seats=2, score=2, grid=(2, 3), last=1, own=private())


def state():
    return PlainState(TYPE)


def test_it_holds_what_is_written():
    s = state()
    s.last = 7
    s.score[1] = np.int16(-5)
    s.grid[1, 2] = True
    s.grid[0] = 4
    s.score[:] = s.score[1]
    assert (s.last, list(s.score), list(s.grid[0]), list(s.grid[1])) == (7, [-5, -5], [4, 4, 4], [0, 0, 1])
    s.grid[:] = 2
    assert [list(row) for row in (s.grid[0], s.grid[1])] == [[2, 2, 2], [2, 2, 2]]


def test_a_row_of_one_stays_a_row():
    """A game of one pile has one size; of one seat, one number a seat."""
    alone = state_type((Pile("heap"),), cards=2, kinds=2, seats=1, last=1, row=(1,), own=private())
    s = PlainState(alone)
    s.size[0], s.row[0], s.own[0], s.last = 2, 3, 4, 5
    record = to_record(s, alone)
    assert [record[0][name].tolist() for name in ("size", "row", "own", "last")] == [[2], [3], [4], 5]
    again = copy_state(from_record(record, alone), alone)
    assert [list(again.size), list(again.row), list(again.own), again.last] == [[2], [3], [4], 5]


@pytest.mark.parametrize(
    "slip",
    [
        "s.lats = 1",
        "s.lats",
        "s.last = 32768",
        "s.last = -32769",
        "s.last = 1.0",
        "s.last = 'a'",
        "s.score[2] = 1",
        "s.score[-1] = 1",
        "s.score[-1]",
        "s.score[0] = 40000",
        "s.score[0:1] = 1",
        "s.score = [1, 2]",
        "s.score[:] = s.score",
        "s.grid[2, 0]",
        "s.grid[0, 3]",
        "s.grid[0, -1] = 1",
        "s.grid[-1]",
        "s.grid[0] = s.grid[1]",
        "s.grid = s.grid",
        "s.last = s.score",
        "s.journal = []",
        "s.card[0, 3] = 1",
    ],
)
def test_a_slip_is_refused(slip):
    s = state()
    before = to_record(s, TYPE).tobytes()
    with pytest.raises(SlipError):
        exec(slip)
    assert to_record(s, TYPE).tobytes() == before


def test_tables_refuse_a_wrong_index_and_writing():
    table = ReadOnlyTable("words", np.array([[1, 2], [3, 4]]))
    assert (table[1, 0], table[1][1], len(table)) == (3, 4, 2)
    for key in (2, -1, (0, 2), (0, -1)):
        with pytest.raises(SlipError, match="words"):
            table[key]
    with pytest.raises(TypeError):
        table[0] = 1  # type: ignore[index]


def test_a_state_survives_the_way_to_an_array_and_back():
    s = state()
    s.last, s.score[1], s.grid[1, 2] = -3, 9, 8
    other = from_record(to_record(s, TYPE), TYPE)
    assert to_record(other, TYPE).tobytes() == to_record(s, TYPE).tobytes()
    copied = copy_state(s, TYPE)
    copied.grid[1, 2] = 1
    assert s.grid[1, 2] == 8


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("s.lfet -= 1", "no field 'lfet'"),
        ("s.left = 40000", "-32768 to 32767"),
        ("s.size[s.turn - 9] = 0", "size"),
        ("s.card[0] = s.card[1]", "row"),
        ("s.left -= nothing", "nothing"),
        ("move(s, 9, HAND, DECK)", "no such card"),
        ("s.left -= 1 // 0", "divided by 0"),
        ("assert s.left > 99", "AssertionError"),
    ],
)
def test_a_slip_in_a_rules_file_is_told_with_its_line_and_changes_nothing(tmp_path, line, said):
    file = tmp_path / "broken.py"
    file.write_text(SMALL.replace("    s.left -= 1\n", f"    s.left -= 1\n    {line}\n"), encoding="utf-8")
    number = file.read_text(encoding="utf-8").splitlines().index(f"    {line}") + 1
    game = tefuda.new(file, seed=1)
    before, events = game.view(game.seat), list(game.events)
    with pytest.raises(tefuda.RulesError) as refused:
        game.play("pass")
    assert f"{file}, line {number}:" in str(refused.value)
    assert said in str(refused.value)
    assert game.view(game.seat) == before
    assert game.events == events


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("def apply(s, choice, t):", "def aply(s, choice, t):", "'aply'; is 'apply' meant"),
        ('    "seats"', '    "saets"', "lacks 'seats'"),
        ("def legal(s, moves, t):\n", "def legal(s, moves, t)\n", "line 37: a colon"),
        ("import *", "import nothing", "line 3"),
        ("LAY, PASS = 1, 2, 3, 4, 5", "LAY, PASS = 1, 2, 3, 4, 4", "same number"),
        ("def is_over", "def redeal(s):\n    pass\n\n\ndef is_over", "has a function 'redeal'"),
        ('"seats": (3, 3)', '"seats": (3, 4)', "State is for 3"),
        ('"seats": (3, 3)', '"seats": (0, 3)', "1 to 10"),
        ("left=1", "turn=1", "'turn'"),
        ("cards=9", "cards=8", "room"),
        ('lay {card}", card=Card("hand")', 'lay {card}", card=Card("hnad")', "'hnad'; the piles are hand, table, deck"),
        ('to=Seat()),\n    Move(SHOW', 'to=Number(of="crad")),\n    Move(SHOW', "counts 'crad'"),
    ],
)
def test_a_wrong_rules_file_is_refused_in_words(tmp_path, old, new, said):
    file = tmp_path / "wrong.py"
    source = SMALL.replace('INFO = {"id"', 'INFO = {\n    "id"').replace('}, "seats"', '},\n    "seats"')
    assert old in source
    file.write_text(source.replace(old, new), encoding="utf-8")
    with pytest.raises(tefuda.RulesError, match=said) as refused:
        tefuda.new(file, seed=1)
    assert str(file) in str(refused.value)


def test_files_that_are_no_rules(tmp_path):
    (tmp_path / "bytes.py").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "nul.py").write_bytes(b"x = 1\x00")
    for name in ("bytes.py", "nul.py"):
        with pytest.raises(tefuda.RulesError, match=name):
            tefuda.new(tmp_path / name)
    for name in ("nothing.py", "no_such_game", "a\0b", "x" * 5000):
        with pytest.raises(tefuda.UnknownGameError):
            tefuda.new(name)
