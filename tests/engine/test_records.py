"""Records: whatever is in a file, it is refused with a reason or it is the game that it tells; never half of one."""

from __future__ import annotations

import copy
import json
import math
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tefuda
from tefuda.engine.record import MOST_BYTES, to_text

RECORDS = Path(__file__).parent.parent / "records"
NAMES = (
    "leaves13-by-hand", "leaves13-option1-2", "leaves13-6-2", "leaves13-option3-2",
    "tebineri_cookie-by-hand", "tebineri_cookie-4-1", "tebineri_cookie-option1-2",
)  # fmt: skip
GOOD = [json.loads((RECORDS / f"{name}.fuda.json").read_text(encoding="utf-8")) for name in NAMES]


def record(name="leaves13-by-hand"):
    return copy.deepcopy(GOOD[NAMES.index(name)])


def refused_or_the_same(data):
    """The one thing that must be true of any record."""
    try:
        game = tefuda.from_record(data)
    except tefuda.RecordError as e:
        assert str(e)
        return None
    again = game.record()
    assert again["events"] == data["events"]
    assert again["options"] == data["options"]
    assert again["players"] == data["players"]
    assert again.get("result") == data.get("result")
    assert json.dumps(again, sort_keys=True) == json.dumps(data, sort_keys=True)
    return game


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12) | st.binary(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)

TEXTS = st.sampled_from(
    ["5x2", "5x1", "-6", "pass", "eat", "hold", "S9>1", ">2", ":H0", ":S3", "start 0", "start 9", "start 00", "deck",
     "deck 1 2 3", "pictures SJ", "roll 1", "take 5", "pick 0", "05x2", "5X2", "", " ", "？", "が", "5x2 "]
) | st.text(max_size=20)  # fmt: skip


@st.composite
def mutated(draw):
    data = draw(st.sampled_from(GOOD))
    data = copy.deepcopy(data)
    for _ in range(draw(st.integers(1, 3))):
        events = data["events"] if isinstance(data.get("events"), list) else []
        n = draw(st.integers(0, max(0, len(events) - 1)))
        kind = draw(st.sampled_from(
            ["swap", "drop", "twice", "text", "who", "event", "cut", "options", "option", "players", "result", "score",
             "key", "value", "cards", "none"]
        ))  # fmt: skip
        if kind in ("swap", "drop", "twice", "text", "who", "event", "cut", "cards") and not events:
            continue
        event = events[n] if events else None
        pair = isinstance(event, list) and len(event) == 2
        if kind == "swap":
            other = draw(st.integers(0, len(events) - 1))
            events[n], events[other] = events[other], events[n]
        elif kind == "drop":
            del events[n]
        elif kind == "twice":
            events.insert(n, copy.deepcopy(event))
        elif kind == "text" and pair:
            event[1] = draw(TEXTS)
        elif kind == "who" and pair:
            event[0] = draw(st.integers(-2, 7) | st.just("*") | ANYTHING)
        elif kind == "event":
            events[n] = draw(ANYTHING)
        elif kind == "cut":
            del events[n:]
            if draw(st.booleans()):
                data.pop("result", None)
        elif kind == "cards" and pair and isinstance(event[1], str):
            words = event[1].split(" ")
            i, j = draw(st.integers(0, len(words) - 1)), draw(st.integers(0, len(words) - 1))
            words[i], words[j] = words[j], words[i]
            event[1] = " ".join(words)
        elif kind == "option" and isinstance(data.get("options"), dict):
            data["options"][draw(st.sampled_from(["expert", "target", "leader", "weak_tie", "no"]))] = draw(ANYTHING)
        elif kind == "players" and isinstance(data.get("players"), list):
            data["players"] = draw(st.lists(st.text(max_size=50) | ANYTHING, max_size=7))
        elif kind == "score" and isinstance(data.get("result"), dict):
            data["result"][draw(st.sampled_from(["ranks", "scores", "capped", "notes", "no"]))] = draw(ANYTHING)
        elif kind in ("options", "result", "value"):
            key = kind if kind != "value" else draw(st.sampled_from(["format", "game", "rules", "events", "players"]))
            data[key] = draw(ANYTHING)
        elif kind == "key":
            data[draw(st.text(max_size=8))] = draw(ANYTHING)
    return data


@given(mutated())
@settings(max_examples=800, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_mutated_record_is_refused_or_is_the_game_it_tells(data):
    refused_or_the_same(data)


@given(ANYTHING)
@settings(max_examples=150, deadline=None)
def test_what_is_no_record_is_refused(data):
    with pytest.raises(tefuda.RecordError):
        tefuda.from_record(data)


@given(st.sampled_from(GOOD), st.data())
@settings(max_examples=150, deadline=None)
def test_a_mutated_text_is_refused_or_is_a_record(good, data):
    text = to_text(good)
    at = data.draw(st.integers(0, len(text) - 1))
    text = text[:at] + data.draw(st.text(max_size=3)) + text[at + data.draw(st.integers(0, 3)) :]
    try:
        game = tefuda.from_text(text)
    except tefuda.RecordError:
        return
    assert json.dumps(game.record(), sort_keys=True) == json.dumps(json.loads(text), sort_keys=True)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"format": "tefuda-record/2"}, "tefuda-record/2"),
        ({"format": None}, "format"),
        ({"game": "chess"}, "chess"),
        ({"game": "../leaves13"}, "no game"),
        ({"rules": "2"}, "'2'"),
        ({"rules": "9" * 5000}, "rules version"),
        ({"rules": "../1"}, "rules version"),
        ({"rules": 1}, "rules"),
        ({"more": 1}, "more"),
        ({"options": {}}, "lack expert, target, leader, empty_row_clears"),
        ({"players": ["A", "B"]}, "3 to 6"),
        ({"players": ["A", "B", "C" * 41]}, "40"),
        ({"players": ["A", "B", " "]}, "printable"),
        ({"players": ["A", "B", "C\n"]}, "printable"),
        ({"players": ["A", "B", 3]}, "text"),
        ({"events": "deck"}, "events"),
        ({"result": None}, "no result"),
        ({"result": {"ranks": [1, 2, 2], "scores": [-9, 0, -7], "capped": False}}, "ranks"),
        ({"result": {"ranks": [2, 1.0, 2], "scores": [-9, 0, -7], "capped": False}}, "ranks"),
        ({"result": {"ranks": [2, True, 2], "scores": [-9, 0, -7], "capped": False}}, "ranks"),
        ({"result": {"ranks": [2, 1, 2], "scores": [-9, 0, -8], "capped": False}}, "scores"),
        ({"result": {"ranks": [2, 1, 2], "scores": [-9, 0, -7], "capped": 0}}, "capped"),
        ({"result": {"ranks": [2, 1, 2], "scores": [-9, 0, -7]}}, "capped"),
        ({"result": {"ranks": [2, 1, 2], "scores": [-9, 0, -7], "capped": False, "best": 1}}, "best"),
    ],
)
def test_refused_with_the_reason(change, reason):
    with pytest.raises(tefuda.RecordError, match=reason) as refused:
        tefuda.from_record(record() | change)
    assert refused.value.event is None
    assert len(str(refused.value)) < 12_000


@pytest.mark.parametrize(
    ("n", "event", "reason"),
    [
        (0, ["*", "start 0"], "another question"),
        (0, ["*", "deck 1 2 3"], "other cards"),
        (0, ["*", "deck 14"], "no card '14'"),
        (1, ["*", "start 3"], "not from 0 to 2"),
        (1, ["*", "start 00"], "nothing that chance says"),
        (1, ["*", "start ²"], "nothing that chance says"),
        (1, ["*", "dice 3"], "nothing that chance says"),
        (1, [0, "5x2"], "stops before what chance must say"),
        (2, [1, "5x2"], "not seat 1's turn"),
        (2, [9, "5x2"], "not seat 9's turn"),
        (2, [-1, "5x2"], "not seat -1's turn"),
        (2, [0, "5x9"], "may not be played now; legal"),
        (2, [0, "05x2"], "reads as no move"),
        (2, [0, "5x2 "], "reads as no move"),
        (2, [0, "か\u3099"], "NFC"),
        (2, [0, "5" * 4001], "4000"),
        (2, [0, 5], "pair"),
        (2, [0], "pair"),
        (2, ["0", "5x2"], "who"),
        (2, [0.0, "5x2"], "who"),
        (2, [True, "5x2"], "who"),
        (2, [None, "5x2"], "who"),
        (2, ["*", "start 1"], "nothing of chance is asked"),
    ],
)
def test_refused_with_the_number_of_the_event(n, event, reason):
    data = record()
    data["events"][n] = event
    with pytest.raises(tefuda.RecordError, match=reason) as refused:
        tefuda.from_record(data)
    assert refused.value.event == n
    assert f"event {n}: " in str(refused.value)


def test_what_comes_after_the_end_is_refused():
    for more in ([0, "5x2"], ["*", "start 1"]):
        data = record()
        data["events"].append(more)
        with pytest.raises(tefuda.RecordError) as refused:
            tefuda.from_record(data)
        assert refused.value.event == 15


def test_a_result_of_a_game_that_goes_on_is_refused():
    data = record()
    del data["events"][-1]
    for result in (data["result"], None):
        with pytest.raises(tefuda.RecordError, match="not over"):
            tefuda.from_record(data | {"result": result})
    del data["result"]
    assert not tefuda.from_record(data).over


def test_chance_in_the_middle_is_looked_at_where_it_stands():
    data = record("leaves13-option1-2")
    at = [n for n, (who, _) in enumerate(data["events"]) if who == "*"][2]
    data["events"][at][1] = data["events"][at][1].replace(" 7", " 6", 1)
    with pytest.raises(tefuda.RecordError, match="other cards") as refused:
        tefuda.from_record(data)
    assert refused.value.event == at
    data = record("leaves13-option1-2")
    del data["events"][at:]
    del data["result"]
    with pytest.raises(tefuda.RecordError, match="stops before") as refused:
        tefuda.from_record(data)
    assert refused.value.event == at


def test_a_record_cannot_make_a_file_run(tmp_path):
    trap = tmp_path / "trap.py"
    trap.write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')\n", encoding="utf-8")
    with pytest.raises(tefuda.RecordError, match="no game"):
        tefuda.from_record(record() | {"game": str(trap)})
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", "5", '"x"', "{", "NaN", '{"format": NaN}', '{"format": 1, "format": 1}', "\ud800", "[" * 100_000,
     '{"format": "tefuda-record/1", "players": ["\\ud800"]}', "9" * 5000, "\ufeff{}"],
    ids=range(14),
)  # fmt: skip
def test_text_that_is_no_record(text):
    with pytest.raises(tefuda.RecordError):
        tefuda.from_text(text)


@pytest.mark.parametrize("value", [math.nan, math.inf, {1, 2}, b"x", object(), 10**5000], ids=range(6))
def test_data_that_is_not_json(value):
    for change in ({"rules": value}, {"options": {"target": value}}, {"events": [[0, value]]}, {"players": [value]}):
        with pytest.raises(tefuda.RecordError):
            tefuda.from_record(record() | change)


def test_data_that_holds_itself():
    data = record()
    data["options"]["target"] = data
    with pytest.raises(tefuda.RecordError):
        tefuda.from_record(data)


def test_a_huge_record_is_refused(tmp_path):
    data = record() | {"result": {**record()["result"], "notes": "x" * MOST_BYTES}}
    with pytest.raises(tefuda.RecordError, match="4 MiB"):
        tefuda.from_text(json.dumps(data))
    file = tmp_path / "huge.fuda.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(tefuda.RecordError, match="4 MiB"):
        tefuda.load(file)


def test_files_that_cannot_be_read(tmp_path):
    (tmp_path / "latin").write_bytes(b'{"format": "\xe9"}')
    for path in (tmp_path, tmp_path / "none", tmp_path / "latin"):
        with pytest.raises(tefuda.RecordError):
            tefuda.load(path)


def test_saved_and_loaded(tmp_path):
    game = tefuda.new("leaves13", seats=3, seed=4, players=["あき", "Ünal", "🃏"])
    game.play(game.moves()[0])
    file = tmp_path / "game.fuda.json"
    game.save(file)
    assert tefuda.load(file).record() == game.record()
    assert "あき" in file.read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["game.fuda.json"]


def test_notes_are_kept_and_not_checked():
    data = record()
    data["result"]["notes"] = {"anything": [1, None, "か"]}
    game = tefuda.from_record(data)
    assert game.record() == data
    game.undo()
    assert "result" not in game.record()


def test_a_makers_own_record_needs_its_file():
    file = Path(__file__).parent / "handing_on.py"
    game = tefuda.new(file, seed=1)
    game.play("pass")
    data = game.record()
    assert data["rules"].startswith("sha256:")
    with pytest.raises(tefuda.RecordError, match="rules file"):
        tefuda.from_record(data)
    assert tefuda.from_record(data, file).record() == data
    with pytest.raises(tefuda.RecordError, match="leaves13"):
        tefuda.from_record(record(), file)
    with pytest.raises(tefuda.RecordError, match="sha256:0"):
        tefuda.from_record(data | {"rules": "sha256:0"}, file)


def test_a_person_may_do_what_the_rules_allow_only_people(tmp_path):
    """A record is checked by what a person may do, unless the player's name says that it is a program."""
    small = (Path(__file__).parent / "handing_on.py").read_text(encoding="utf-8")
    file = tmp_path / "people.py"
    more = "\n\ndef also_people(s, moves, t):\n    add(moves, SHOW, s.turn)\n"
    file.write_text(small + more, encoding="utf-8")
    game = tefuda.new(file, seed=1)
    move = f"show {game.seat}"
    assert move not in game.moves()
    assert move in game.moves(person=True)
    game.play(move)
    data = game.record()
    assert tefuda.from_record(data, file).record() == data
    with pytest.raises(tefuda.RecordError) as refused:
        tefuda.from_record(data | {"players": ["bot:a", "bot:b", "bot:c"]}, file)
    assert refused.value.event == 2
