"""A running game: moves and refusals, undoing, names and options, former versions of rules."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import tefuda
from tefuda.engine import rules
from tefuda.engine.declare import Card, Choice, Move, Name, Number, Range, Seat
from tefuda.engine.notation import Notation, open_bits, pack


def test_a_refusal_names_the_move_the_seat_and_what_is_legal():
    game = tefuda.new("leaves13", seats=3, seed=1)
    before = game.record()
    with pytest.raises(tefuda.IllegalMove) as refused:
        game.play("14x1")
    assert f"'14x1' by seat {game.seat} reads as no move; legal: " in str(refused.value)
    assert refused.value.legal == game.moves()
    with pytest.raises(tefuda.IllegalMove, match="may not be played now"):
        game.play("-13")
    with pytest.raises(tefuda.IllegalMove, match=f"not seat 9's turn but seat {game.seat}'s") as refused:
        game.play(game.moves()[0], seat=9)
    assert refused.value.legal == []
    assert game.record() == before


@pytest.mark.parametrize("text", [None, 5, b"5x2", "x" * 100_000, "\ud800", ["5x2"], "5x2\n"])
def test_a_move_that_is_no_text(text):
    game = tefuda.new("leaves13", seats=3, seed=1)
    with pytest.raises(tefuda.IllegalMove) as refused:
        game.play(text)
    assert len(str(refused.value)) < 1000


def test_a_game_that_is_over_takes_no_move():
    game = tefuda.new("tebineri_cookie", seed=1)
    while not game.over:
        game.play(game.moves()[0])
    with pytest.raises(tefuda.IllegalMove, match="over"):
        game.play("eat")
    assert (game.seat, game.moves(), game.legal()) == (None, [], [])


def test_undo_to_the_start_and_no_further():
    game = tefuda.new("tebineri_cookie", seed=1)
    start = game.record()
    for _ in range(7):
        game.play(game.moves()[-1])
    for _ in range(7):
        game.undo()
    assert game.record() == start
    with pytest.raises(IndexError, match="take back"):
        game.undo()


def test_undo_of_the_end():
    game = tefuda.new("tebineri_cookie", seed=1)
    while not game.over:
        game.play(game.moves()[0])
    end, last = game.record(), game.record()["events"][-1][1]
    game.undo()
    assert not game.over
    game.play(last)
    assert game.record() == end


@pytest.mark.parametrize("viewer", [-1, 3, 10, "0", 1.0])
def test_there_is_no_such_viewer(viewer):
    with pytest.raises(IndexError, match="spectator is None"):
        tefuda.new("leaves13", seats=3, seed=1).view(viewer)


FIELDS = ("joker", "phase", "giver", "receiver", "claim_suit", "claim_flavour", "over")
"""The fields of 手びねりクッキー that are one number."""


def test_the_story_is_told_with_what_moved():
    game = tefuda.new("tebineri_cookie", seats=3, seed=1)
    giver = game.seat
    text = game.moves()[0]
    card, to = text.split(">")
    game.play(text)
    event = game.story(giver, since=3)[0]
    assert event == {
        "n": 3,
        "who": giver,
        "text": text,
        "move": "give",
        "parts": {"card": card, "to": int(to)},
        "cards": [{"card": card, "from": ["hand", giver], "to": ["offer", None]}],
        "fields": {name: getattr(game.state, name) for name in FIELDS},
        "said": None,
    }
    assert event["fields"]["giver"] == giver and event["fields"]["receiver"] == int(to)
    other = game.story(int(to), since=3)[0]
    assert (other["text"], other["parts"]["card"], other["cards"][0]["card"]) == (f"?>{to}", None, None)
    dealt = [move for event in game.story(giver)[:3] for move in event["cards"] if move["to"] == ["hand", giver]]
    assert len([move for move in dealt if move["card"]]) == 12
    assert all(move["card"] is None for move in game.story(None)[2]["cards"])


# ------------------------------------------------------------------------------------------------- declaring


def declaring(**options):
    return tefuda.new("misohitomoji", players=["Aki", "bot:random"], seed=4, options={"declare": True, **options})


def play_on(game, wrong):
    """Play to the end; Aki says the total with each move, and something else in the decisions named."""
    n = 0
    while not game.over:
        text = game.moves()[0]
        if game.is_person(game.seat):
            ahead = tefuda.from_record(game.record())
            ahead.play(text)
            game.play(text, said=ahead.state.total + (n in wrong))
        else:
            game.play(text)
        n += 1


def test_what_is_declared_wrongly_is_counted_in_the_notes():
    game = declaring()
    first = 0 if game.seat == 0 else 1
    play_on(game, wrong={first, first + 2})
    assert game.misdeclared == [2, 0]
    record = game.record()
    assert record["result"]["notes"] == {"misdeclared": [2, 0]}
    assert tefuda.from_record(record).record() == record
    told = [event["said"] for event in game.story(1) if event["who"] == 0]
    assert None not in told
    totals = [event["fields"]["total"] for event in game.story(1) if event["who"] == 0]
    assert [said - total for said, total in zip(told, totals, strict=True)][:3] == [1, 1, 0]


def test_declaring_changes_nothing_in_the_game_and_can_be_taken_back():
    game, silent = declaring(), declaring()
    text = game.moves()[0]
    game.play(text, said=99)
    silent.play(text)
    assert game.log(0) == silent.log(0)
    assert game.view(0) == silent.view(0)
    assert game.said == {0: 99}
    game.undo()
    assert game.said == {} and game.misdeclared == [0, 0]


def test_nothing_is_declared_unless_the_option_says_so():
    game = declaring(declare=False)
    assert game.declares is None
    game.play(game.moves()[0], said=99)
    assert game.said == {} and game.story(0)[-1]["said"] is None
    assert tefuda.new("leaves13", seed=1).declares is None


# ------------------------------------------------------------------------------------------- names and options


@pytest.mark.parametrize("name", ["あき", "上杉 真人", "Ünal", "नमस्ते", "🃏", "a" * 40, "bot:search;x=1", "<b>"])
def test_names_are_anybodys(name):
    game = tefuda.new("leaves13", players=[name, "B", "C"], seed=1)
    assert tefuda.from_record(game.record()).players[0] == name


@pytest.mark.parametrize("name", ["", " ", "a" * 41, "a\nb", "a\x00", "\u202eevil", "\ud800", None, 5, b"a"])
def test_names_that_are_refused(name):
    with pytest.raises(tefuda.OptionError, match="name"):
        tefuda.new("leaves13", players=[name, "B", "C"], seed=1)


@pytest.mark.parametrize("seats", [2, 7, 0, -3, True, "3", 3.0])
def test_seats_that_are_refused(seats):
    with pytest.raises(tefuda.OptionError, match="3 to 6"):
        tefuda.new("leaves13", seats=seats)


def test_names_and_seats_agree():
    with pytest.raises(tefuda.OptionError, match="2 names for 3 seats"):
        tefuda.new("leaves13", seats=3, players=["A", "B"])


@pytest.mark.parametrize(
    "options",
    [{"exprt": True}, {"expert": 1}, {"expert": "true"}, {"expert": None}, {"target": "20"}, {"target": 4},
     {"target": True}, {"leader": 0}, {"leader": "Random"}, {"leader": ["random"]}, {"leader": {}}],
)  # fmt: skip
def test_an_option_is_refused_by_name_with_what_it_takes(options):
    takes = {
        "exprt": "expert, target, leader, empty_row_clears",
        "expert": "true or false",
        "target": "from 5 to 100",
        "leader": "'random' or 'winner'",
    }
    with pytest.raises(tefuda.OptionError) as refused:
        tefuda.new("leaves13", options=options)
    name = next(iter(options))
    assert repr(name) in str(refused.value)
    assert takes[name] in str(refused.value)


def test_a_range_may_be_null_when_it_says_so():
    assert rules.option_problem(Range(3, 1, 9, none=True), None) is None
    assert str(rules.option_problem(Range(3, 1, 9, none=True), 10)) == "takes a whole number from 1 to 9, or null"
    assert str(rules.option_problem(Range(3, 1, 9), None)) == "takes a whole number from 1 to 9"


def test_an_unknown_game_is_refused_with_the_games_there_are():
    with pytest.raises(tefuda.UnknownGameError, match="leaves13, misohitomoji, tebineri_cookie"):
        tefuda.new("leaves")


# ----------------------------------------------------------------------------------------------- former versions


@pytest.fixture
def two_versions(tmp_path, monkeypatch):
    """leaves13 whose rules have changed: version 2 deals 4 cards to three players; version 1 stays beside it."""
    folder = tmp_path / "games" / "leaves13"
    folder.mkdir(parents=True)
    current = rules.GAMES / "leaves13" / "rules.py"
    shutil.copy(current, folder / "rules_v1.py")
    text = current.read_text(encoding="utf-8")
    changed = text.replace('"rules": "1"', '"rules": "2"').replace("(12, 11, 10, 9)", "(4, 11, 10, 9)")
    (folder / "rules.py").write_text(changed, encoding="utf-8")
    monkeypatch.setattr(rules, "GAMES", tmp_path / "games")
    rules._builtin.cache_clear()
    yield
    rules._builtin.cache_clear()


def test_an_old_record_keeps_the_rules_it_began_with(two_versions):
    old = Path(__file__).parent.parent / "records" / "leaves13-by-hand.fuda.json"
    game = tefuda.load(old)
    assert (game.rules.version, game.rules.path.name) == ("1", "rules_v1.py")
    assert game.over
    new = tefuda.new("leaves13", seats=3, seed=1)
    assert new.rules.version == "2"
    assert new.view(0)["piles"]["hand"][0]["size"] == 4
    assert tefuda.from_record(new.record()).rules.version == "2"


def test_a_version_that_is_not_here_is_refused_by_name(two_versions):
    data = tefuda.new("leaves13", seats=3, seed=1).record()
    with pytest.raises(tefuda.RecordError, match="rules version '3' is not here; the newest is '2'"):
        tefuda.from_record(data | {"rules": "3"})


# ----------------------------------------------------------------------------------------------------- notation

MOVES = (
    Move(1, "give", "{card}>{to}", card=Card("hand", hidden=True), to=Seat()),
    Move(2, "lay", "{card}x{n}", card=Card("hand"), n=Number(of="card")),
    Move(3, "say", "say {word} {how}", word=Name("words"), how=Choice("loud", "low", "lo")),
    Move(4, "pass", "pass"),
)
NOTATION = Notation(MOVES, ["", "1", "10", "a.b", "む"], {"words": ["さ", "二 語", "?"]})


@pytest.mark.parametrize(
    ("text", "kind", "numbers"),
    [("10>3", 1, [2, 3]), ("1>0", 1, [1, 0]), ("a.b>12", 1, [3, 12]), ("む>1", 1, [4, 1]),
     ("10x524287", 2, [2, 524287]), ("say 二 語 low", 3, [1, 1]), ("say さ lo", 3, [0, 2]),
     ("say ? loud", 3, [2, 0]), ("pass", 4, [])],
)  # fmt: skip
def test_a_move_reads_back(text, kind, numbers):
    move = pack(kind, numbers)
    assert NOTATION.text(move) == text
    assert NOTATION.parse(text) == move


@pytest.mark.parametrize(
    "text", ["", "PASS", "pass ", " pass", "01>3", "1>03", "1> 3", "axb>1", "10x524288", "1x-1", "1x1.0", "say x low",
             "?>1", "1>٣", "say さ lou", "5>1", "1>"],
)  # fmt: skip
def test_what_reads_as_no_move(text):
    assert NOTATION.parse(text) is None


def test_hidden_parts_are_left_out_of_text_and_keys():
    give, other = pack(1, [2, 3]), pack(1, [4, 3])
    assert NOTATION.text(give, reveal=False) == "?>3"
    assert NOTATION.data(give, reveal=False) == {"card": None, "to": 3}
    bits = open_bits(MOVES)
    assert give & bits[1] == other & bits[1] != pack(1, [2, 4]) & bits[1]
    assert bits[2] == (1 << 63) - 1
