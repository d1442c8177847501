"""The draft of 熟語テン shows that a rules file can hold the hardest game to come."""

import json
from pathlib import Path

import numpy as np
import pytest

from tefuda.engine.compiled_chance import CHANCE
from tefuda.engine.game import Game, new
from tefuda.engine.plain import PlainState, to_record
from tefuda.engine.record import from_record
from tefuda.engine.rules import Rules, find

HERE = Path(__file__).parent
RECORDS = sorted(HERE.glob("*.fuda.json"))

KERNEL = """
def follow(s, t, chance, choices, moves):
    begin(s[0], t, chance[0])
    for i in range(len(choices)):
        find_legal(s[0], moves, t)
        step(s[0], choices[i], t, chance[0])
"""


@pytest.fixture(scope="module")
def rules() -> Rules:
    return find(HERE / "jukugo_ten.py")


def options(goal: int = 10) -> dict:
    told = json.loads(RECORDS[0].read_text(encoding="utf-8"))["options"]
    return {**told, "goal": goal}


@pytest.mark.parametrize("path", RECORDS, ids=lambda p: p.name)
def test_records_of_independent_implementations_come_out_the_same(rules: Rules, path: Path) -> None:
    told = json.loads(path.read_text(encoding="utf-8"))
    game = from_record({**told, "rules": rules.version}, rules)
    assert game.over
    assert game.result == told["result"]
    assert game.record()["events"] == told["events"]


def play_out(rules: Rules, seed: int, goal: int) -> Game:
    game = new(rules, seats=3, seed=seed, options=options(goal), players=["bot:a", "bot:b", "bot:c"])
    pick = np.random.default_rng(seed)
    while not game.over and len(game.events) < 150:
        legal = game.legal()
        game.play_move(legal[pick.integers(len(legal))])
    return game


def test_compiled_rules_play_as_the_plain_ones(rules: Rules, tmp_path: Path) -> None:
    file = tmp_path / "follow.py"
    file.write_text(KERNEL)
    compiled = rules.compiled(file)
    game = play_out(rules, seed=5, goal=8)
    choices = np.array([event.move for event in game.events if event.who != "*"], np.int64)
    s = to_record(rules.undealt(3, game.options), rules.state_type)
    chance = np.zeros(1, CHANCE)
    compiled.seed_chance(chance[0], 5)
    t = rules.compiled_tables(compiled, game.options, 3)
    compiled.follow(s, t, chance, choices, np.zeros(rules.most_moves + 1, np.int64))
    assert s.tobytes() == to_record(game.state, rules.state_type).tobytes()


def answering(rules: Rules, seed: int) -> Game:
    """A game in which the first card has been given to seat 1, a person."""
    game = new(rules, seats=3, seed=seed, options=options())
    game.play(next(m for m in game.moves() if m == ">1"))
    return game


def test_only_people_call_falsely_and_it_shows_their_hand(rules: Rules) -> None:
    game = answering(rules, seed=2)
    assert "false" not in game.moves()
    assert "false" in game.moves(person=True)
    hand = game.view(1)["piles"]["hand"][1]["cards"]
    assert len(game.view(0)["piles"]["hand"][1]["cards"]) == 1  # the card that all saw given
    game.play("false")
    assert game.view(0)["piles"]["hand"][1]["cards"] == hand
    assert game.view(None)["piles"]["hand"][1]["cards"] == hand
    assert game.view(None)["state"]["barred"] == [0, 1, 0]


def test_a_program_cannot_call_falsely(rules: Rules) -> None:
    game = new(rules, seats=3, seed=2, options=options(), players=["bot:a", "bot:b", "bot:c"])
    game.play(">1")
    with pytest.raises(ValueError, match="may not be played now"):
        game.play("false")


def test_when_everyone_is_barred_the_round_is_void(rules: Rules) -> None:
    game = new(rules, seats=3, seed=4, options=options())
    dealer = game.seat
    assert dealer is not None
    for _ in range(3):
        game.play(next(m for m in game.moves() if m.startswith(">")))
        game.play("false")
    view = game.view(None)
    assert view["state"]["barred"] == [0, 0, 0]
    assert view["state"]["dealer"] == (dealer + 1) % 3
    assert [pile["size"] for pile in view["piles"]["hand"]] == [3, 3, 3]
    assert [pile["cards"] for pile in view["piles"]["hand"]] == [[], [], []]  # dealt anew: nobody knows them


def test_cards_not_yet_turned_go_back_in_their_order(rules: Rules) -> None:
    for seed in range(40):
        game = play_out(rules, seed, goal=5)
        wins = [n for n, e in enumerate(game.events) if e.who != "*" and game.event_text(e).startswith("=")]
        if wins:
            break
    else:
        pytest.fail("no game with a win among these seeds")
    again = new(rules, seats=3, seed=seed, options=options(5), players=game.players)
    m = again.rules.module
    for event in game.events:
        if event is game.events[wins[0]]:
            break
        if event.who != "*":
            again.play_move(event.move)
    expected = from_top(again.state, m.TO_TURN) + from_top(again.state, m.DECK)
    again.play_move(game.events[wins[0]].move)
    dealt = [kind for seat in range(3) for kind in cards_in(again.state, m.HAND + seat)]
    assert [*dealt, again.state.card[m.TURNED, 0]] == expected[:10]


def from_top(s: PlainState, pile: int) -> list[int]:
    return [s.card[pile, i] for i in reversed(range(s.size[pile]))]


def cards_in(s: PlainState, pile: int) -> list[int]:
    return [s.card[pile, i] for i in range(s.size[pile])]
