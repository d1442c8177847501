"""Bots: how they are written, that they play by the rules and well, and that they see what their seat sees."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tefuda import bots
from tefuda.bots import spec, thinking
from tefuda.engine import view
from tefuda.engine.cards import parts, redeal
from tefuda.engine.chance import SeededChance
from tefuda.engine.compiled_chance import CHANCE
from tefuda.engine.game import Game, new
from tefuda.engine.plain import copy_state, to_record
from tefuda.engine.rules import Rules, find, game_ids

SECRET_BIDS = Path(__file__).parent / "secret_bids.py"
GAMES = [*game_ids(), SECRET_BIDS]
each_game = pytest.mark.parametrize("rules", [find(game) for game in GAMES], ids=lambda rules: rules.id)


def position(rules: Rules, seats: int, seed: int, decisions: int) -> Game:
    """A game some random decisions after its deal (over, if it was over by then)."""
    game = new(rules, seats=seats, seed=seed)
    pick = np.random.default_rng(seed)
    for _ in range(decisions):
        if not game.over:
            game.play_move(int(pick.choice(game.legal())))
    return game


# ----------------------------------------------------------------------------------------------------- in words


@pytest.mark.parametrize(
    ("text", "bot"),
    [
        ("random", spec.Bot("random")),
        (" greedy ", spec.Bot("greedy")),
        ("search:1000", spec.Bot("search", iterations=1000)),
        ("search:0.5s", spec.Bot("search", seconds=0.5)),
        ("search:2s", spec.Bot("search", seconds=2.0)),
        ("search:9;vocabulary=common", spec.Bot("search", iterations=9, settings=(("vocabulary", "common"),))),
        ("random; vocabulary = all", spec.Bot("random", settings=(("vocabulary", "all"),))),
    ],
)
def test_a_text_is_a_bot_and_the_bot_a_text(text: str, bot: spec.Bot) -> None:
    assert bots.parse(text) == bot
    assert bots.parse(str(bot)) == bot


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("serch:100", "random, greedy, search:1000"),
        ("", "random, greedy, search:1000"),
        ("random:5", "random takes no budget"),
        ("search", "search:1000"),
        ("search:", "search:1000"),
        ("search:0", "1 to "),
        ("search:-5", "1 to "),
        ("search:1e3", "search:1000"),
        ("search:0s", "search:0.5s"),
        ("search:601s", "600 seconds"),
        ("search:5;speed=3", "there is vocabulary"),
        ("search:5;vocabulary=rare", "vocabulary takes all, common, or a share"),
        ("search:5;vocabulary", "vocabulary takes all, common, or a share"),
        ("search:5;", "there is vocabulary"),
        ("search:5;vocabulary=all;vocabulary=all", "twice"),
    ],
)
def test_what_is_no_bot_is_refused_with_what_would_be_right(text: str, right: str) -> None:
    with pytest.raises(bots.BotError, match=right):
        bots.parse(text)


def test_one_bot_for_all_seats_or_one_for_each() -> None:
    rules = find("leaves13")
    assert bots.parse_seats("greedy", 3, rules) == [bots.parse("greedy")] * 3
    three = bots.parse_seats("search:5,random, greedy", 3, rules)
    assert [str(bot) for bot in three] == ["search:5", "random", "greedy"]
    with pytest.raises(bots.BotError, match="2 bots for 3 seats"):
        bots.parse_seats("random,random", 3, rules)


def test_a_setting_is_for_the_games_that_have_it() -> None:
    rules = find("leaves13")
    with pytest.raises(bots.BotError, match="leaves13 have no setting 'vocabulary'; they have none"):
        bots.parse_seats("random;vocabulary=common", 3, rules)
    for text, share in (("random", 1000), ("random;vocabulary=common", -1), ("search:5;vocabulary=0.4", 400)):
        assert bots.parse(text).share == share


def test_greedy_is_refused_where_the_rules_have_no_estimate() -> None:
    rules = find(SECRET_BIDS)
    with pytest.raises(bots.BotError, match="secret_bids: its rules have no `estimate`"):
        bots.parse_seats("greedy", 3, rules)
    game = new(rules, seats=2, seed=1)
    with pytest.raises(bots.BotError, match="estimate"):
        bots.choose(bots.parse("greedy"), game.blind(0), rules, game.options)


def test_the_levels_are_in_both_languages_and_rise() -> None:
    assert all(level.title["ja"] and level.title["en"] for level in bots.LEVELS)
    budgets = [level.bot.iterations or 0 for level in bots.LEVELS]
    assert budgets == sorted(set(budgets))


# ----------------------------------------------------------------------------------------------------- choosing


@each_game
def test_every_bot_chooses_a_legal_move_in_every_seat_at_every_number_of_seats(rules: Rules) -> None:
    kinds = ["random", "search:30"] + ["greedy"] * bots.has_estimate(rules)
    for seats in range(rules.least_seats, rules.most_seats + 1):
        game = new(rules, seats=seats, seed=seats)
        turn = set()
        for n in range(60):
            if game.seat is None:
                break
            turn.add(game.seat)
            bot = bots.parse(kinds[n % len(kinds)])
            move = bots.choose(bot, game.blind(game.seat), rules, game.options, seed=n)
            assert move in game.legal()
            game.play_move(move)
        assert turn == set(range(seats))


def test_nobody_chooses_when_the_game_is_over() -> None:
    game = position(find(SECRET_BIDS), 2, seed=1, decisions=20)
    with pytest.raises(ValueError, match="over"):
        bots.choose(bots.parse("random"), game.blind(0), game.rules, game.options)


def test_a_search_finds_the_best_card_and_tells_what_it_thought() -> None:
    game = new(find(SECRET_BIDS), seats=3, seed=3)
    decision = bots.consider(bots.parse("search:3000"), game.blind(0), game.rules, game.options, seed=1)
    bids = [text for text in game.moves() if text != "hm"]
    assert game.notation.text(decision.move) == max(bids)
    assert decision.iterations == 3000
    assert [game.notation.text(thought.move) for thought in decision.thoughts] == sorted(bids, reverse=True)
    assert sum(thought.visits for thought in decision.thoughts) == 3000
    values = [thought.value for thought in decision.thoughts]
    assert all(value is not None and 0 <= value <= 1 for value in values)


def test_a_search_by_the_clock_takes_its_time_and_can_be_stopped() -> None:
    game = new("leaves13", seats=3, seed=1)
    bots.warm(game.rules)
    bot = bots.parse("search:0.2s")
    start = time.monotonic()
    decision = bots.consider(bot, game.blind(game.seat), game.rules, game.options)
    assert 0.2 <= time.monotonic() - start < 2
    assert decision.iterations % thinking.CHUNK == 0
    stopped = bots.consider(bot, game.blind(game.seat), game.rules, game.options, stop=lambda: True)
    assert stopped.iterations == thinking.CHUNK
    assert stopped.move in game.legal()


def test_a_search_goes_on_when_its_trees_are_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "MOST_NODES", 20)
    game = new("leaves13", seats=3, seed=1)
    decision = bots.consider(bots.parse("search:500"), game.blind(game.seat), game.rules, game.options, seed=1)
    assert decision.move in game.legal()
    assert decision.iterations == 500
    assert 0 < sum(thought.visits for thought in decision.thoughts) <= 500


def test_warm_says_when_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "_warm", set())
    rules = find("leaves13")
    assert not bots.is_warm(rules)
    bots.warm(rules)
    assert bots.is_warm(rules)


@pytest.mark.parametrize(
    ("ranks", "values"),
    [
        ([1, 1, 1, 1], [0.5] * 4),
        ([1, 2, 3, 4], [1, 2 / 3, 1 / 3, 0]),
        ([2, 1, 2, 2], [1 / 3, 1, 1 / 3, 1 / 3]),
        ([1, 3, 1], [0.75, 0, 0.75]),
        ([1], [0.5]),
    ],
)
def test_a_result_is_the_mean_place_from_0_to_1(ranks: list[int], values: list[float]) -> None:
    rules = find(SECRET_BIDS)
    n = len(ranks)
    if n > rules.most_seats:
        rules = find("leaves13")
        s = position(rules, n, seed=1, decisions=0).state
        for seat in range(n):  # by minus points, as in expert mode
            s.minus[seat] = ranks[seat]
        options = rules.options({"expert": True}, n)
    else:
        s = position(rules, n, seed=1, decisions=0).state
        for seat in range(n):
            s.bid[seat] = 10 - ranks[seat]
        options = rules.options({}, n)
    s.ended = 1
    module = thinking.compiled(rules)
    room = thinking.room(rules, module, n, 1, 1)
    module.values(to_record(s, rules.state_type)[0], thinking.tables(rules, options, n), room)
    assert room.value.tolist() == pytest.approx(values)


def test_a_game_broken_off_is_ranked_by_the_estimate() -> None:
    """In 13枚の葉 by the cards left in the hands: 3, 1, 3 and 2 fewer than were dealt."""
    rules = find("leaves13")
    s = position(rules, 4, seed=1, decisions=0).state
    for seat, gone in enumerate((3, 1, 3, 2)):
        s.size[rules.module.HAND + seat] -= gone
    module = thinking.compiled(rules)
    room = thinking.room(rules, module, 4, 1, 1)
    module.values(to_record(s, rules.state_type)[0], thinking.tables(rules, rules.options({}, 4), 4), room)
    assert room.value.tolist() == pytest.approx([5 / 6, 0, 5 / 6, 1 / 3])


# ------------------------------------------------------------------------------------------------ what they see


@each_game
def test_the_lab_hides_from_a_bot_just_what_a_table_hides(rules: Rules) -> None:
    module = thinking.compiled(rules)
    for seed in range(12):
        seats = rules.least_seats + seed % (rules.most_seats - rules.least_seats + 1)
        game = position(rules, seats, seed, decisions=seed * 3)
        facts = thinking.facts(rules, module, seats)
        for seat in range(seats):
            state = to_record(game.state, rules.state_type)
            module.hide(state[0], state.view(np.int16), seat, facts)
            assert state.tobytes() == to_record(game.blind(seat), rules.state_type).tobytes()


@each_game
def test_what_a_seat_cannot_see_changes_nothing_of_what_its_bot_does(rules: Rules) -> None:
    kinds = ["random", "search:60"] + ["greedy"] * bots.has_estimate(rules)
    changed = 0
    for seed in range(4):
        game = position(rules, max(2, rules.least_seats), seed, decisions=seed)
        seat = game.seat
        if seat is None:
            continue
        other = copy_state(game.state, rules.state_type)
        redeal(other, seat, SeededChance(100 + seed))
        for name in rules.state_type.private:
            for rival in range(game.state.seats):
                if rival != seat:
                    vars(other)[name][rival] = 7
        changed += to_record(other, rules.state_type).tobytes() != to_record(game.state, rules.state_type).tobytes()
        for text in kinds:
            choices = {
                bots.choose(bots.parse(text), view.blind(s, rules, seat), rules, game.options, seed=5)
                for s in (game.state, other)
            }
            assert len(choices) == 1
    assert changed


def grown(rules: Rules, game: Game, iterations: int) -> tuple[Any, Any, list[dict[str, int]]]:
    """The facts of a game, the room of a search in it, and its nodes: each with the number of its `tree`."""
    module = thinking.compiled(rules)
    seats = game.state.seats
    t = thinking.tables(rules, game.options, seats)
    facts = thinking.facts(rules, module, seats)
    room = thinking.room(rules, module, seats, facts.trees, iterations)
    chance = np.zeros(1, CHANCE)
    module.seed_chance(chance[0], np.uint64(1))
    assert game.seat is not None
    root = to_record(game.blind(game.seat), rules.state_type)
    module.clear_trees(facts, room)
    module.search(root, t, chance[0], facts, room, iterations)
    nodes: list[dict[str, int]] = [{"tree": tree} for tree in range(facts.trees)]
    for k in range(facts.trees, int(room.used[0])):
        node = room.nodes[k]
        nodes.append(
            {
                "tree": nodes[int(node["parent"])]["tree"],
                "mover": int(node["mover"]),
                "key": int(node["key"]),
                "visits": int(node["visits"]),
            }
        )
    return facts, room, nodes


def test_a_tree_knows_a_move_only_as_far_as_its_seat_sees_it() -> None:
    rules = find("tebineri_cookie")
    game = new(rules, seats=3, seed=2)
    _, room, nodes = grown(rules, game, 1500)
    give = next(move.kind for move in rules.moves if move.name == "give")
    own, rivals = set(), set()
    for node in nodes[3:]:
        kind, card, to, _ = parts(node["key"])
        if kind == give:
            (own if node["mover"] == node["tree"] else rivals).add((card, to))
    assert len(own) > 10
    assert all(card > 0 for card, _ in own)
    assert rivals
    assert all(card == 0 for card, _ in rivals)
    assert [int(room.nodes[tree]["visits"]) for tree in range(3)] == [1500] * 3


@each_game
def test_talk_is_in_no_tree(rules: Rules) -> None:
    game = new(rules, seats=max(2, rules.least_seats), seed=2)
    facts, _, nodes = grown(rules, game, 500)
    assert len(nodes) > 10
    assert not any(facts.talk[node["key"] >> 57] for node in nodes[facts.trees :])


def test_where_all_moves_are_open_one_tree_is_enough() -> None:
    trees = {}
    for game in GAMES:
        rules = find(game)
        trees[rules.id] = thinking.facts(rules, thinking.compiled(rules), 3).trees
    offered_face_down = {"tebineri_cookie", "secret_bids"}
    assert trees == {game: 3 if game in offered_face_down else 1 for game in trees}
    assert offered_face_down < set(trees)


def test_a_claim_is_drawn_at_random_and_not_searched() -> None:
    game = new("tebineri_cookie", seats=3, seed=2)
    game.play_move(game.legal()[0])
    assert game.seat is not None
    state = game.blind(game.seat)
    bot = bots.parse("search:100000000")  # would take hours
    decisions = [bots.consider(bot, state, game.rules, game.options, seed=seed) for seed in range(40)]
    assert {decision.iterations for decision in decisions} == {0}
    assert len({decision.move for decision in decisions}) > 8
    assert all(decision.move in game.legal() for decision in decisions)
