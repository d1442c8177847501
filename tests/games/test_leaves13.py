"""13枚の葉, clause by clause (the numbers are those of its rules page)."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from games.positions import cards_in, dealt, field, laid

import tefuda

CLAUSES = [f"LV-{n}" for n in range(1, 16)]

COPIES = {1: 2, 2: 3, 3: 4, 4: 5, 5: 6, 6: 7, 7: 8, 8: 7, 9: 6, 10: 5, 11: 4, 12: 3, 13: 2}
HAND_SIZE = {3: 12, 4: 11, 5: 10, 6: 9}


def on_row(row, hand, seats=3, turn=0, others="9 10", **fields):
    """Seat `turn` with this hand before this row; the other seats hold two cards each."""
    hands = {("hand", seat): others for seat in range(seats) if seat != turn}
    return laid("leaves13", seats, {("hand", turn): hand, "row": row, **hands}, {"turn": turn, "winner": -1, **fields})


def deck(*hands):
    """A deck that deals these hands from the top, the rest in rising order below."""
    cards = [int(card) for hand in hands for card in hand.split()]
    rest = Counter(COPIES)
    rest.subtract(cards)
    assert min(rest.values()) >= 0
    return "deck " + " ".join(str(card) for card in [*cards, *sorted(rest.elements())])


def by_the_clauses(hand, row):
    """The legal moves as LV-5, LV-6 and LV-8 have them, from a hand and a row (ranks, with repeats)."""
    plays = set()
    for rank, held in hand.items():
        for n in range(1, held + 1):
            low, high = (min(row), max(row)) if row else (None, None)
            if not row or (rank <= low and n >= row[low]) or (rank >= high and n >= row[high]):
                plays.add(f"{rank}x{n}")
    return plays | {f"-{rank}" for rank in row}


def ranks_in(game, pile, seat=0):
    return Counter({int(name): n for name, n in cards_in(game, pile, seat).items()})


def plays(game):
    return [move for move in game.moves() if "x" in move]


def test_LV_1_deck():
    game = tefuda.new("leaves13", seats=3, seed=1)
    every = sum((ranks_in(game, "hand", seat) for seat in range(3)), ranks_in(game, "deck"))
    assert every == COPIES
    assert sum(COPIES.values()) == 62


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_LV_2_deal(seats):
    game = tefuda.new("leaves13", seats=seats, seed=2)
    for seat in range(seats):
        assert sum(ranks_in(game, "hand", seat).values()) == HAND_SIZE[seats]
    assert sum(ranks_in(game, "deck").values()) == 62 - seats * HAND_SIZE[seats]
    assert game.view(0)["piles"]["deck"]["cards"] == []


def test_LV_2_hands_are_dealt_from_the_top_seat_by_seat():
    hands = ("1 1 2 2 2 3 3 3 3 4 4 4", "4 4 5 5 5 5 5 5 6 6 6 6", "6 6 6 7 7 7 7 7 7 7 7 8")
    game = dealt("leaves13", 3, [deck(*hands), "start 1"])
    for seat, hand in enumerate(hands):
        assert ranks_in(game, "hand", seat) == Counter(int(card) for card in hand.split())


@pytest.mark.parametrize("seats", [2, 7])
def test_LV_2_is_for_three_to_six(seats):
    with pytest.raises(tefuda.OptionError, match="3 to 6"):
        tefuda.new("leaves13", seats=seats)


def test_LV_3_start():
    starts = Counter()
    for seed in range(300):
        game = tefuda.new("leaves13", seats=3, seed=seed)
        assert game.view(None)["piles"]["row"] == {"size": 0, "cards": []}
        assert game.log(None)[-1] == ["*", f"start {game.seat}"]
        starts[game.seat] += 1
    assert min(starts[seat] for seat in range(3)) > 60


def test_LV_4_the_row_is_stacks_with_two_ends():
    game = on_row("7 7 5", "4 5 6 7 8")
    # the low end is one 5, the high end two 7s: 5 and lower go one by one, 7 and higher by two
    assert plays(game) == ["4x1", "5x1"]


def test_LV_4_a_row_of_one_rank_has_it_at_both_ends():
    game = on_row("6 6", "5 5 6 6 7 7 7")
    assert plays(game) == ["5x2", "6x2", "7x2", "7x3"]


def test_LV_5_on_an_empty_row_any_rank_and_any_number():
    game = on_row("", "1 1 7 13")
    assert game.moves() == ["1x1", "1x2", "7x1", "13x1"]


def test_LV_5_a_rank_between_the_ends_is_not_allowed_even_if_it_lies_there():
    game = on_row("3 6 9", "4 6 8")
    assert plays(game) == []


def test_LV_5_lower_equal_or_higher_than_an_end():
    game = on_row("3 6 9", "1 2 3 9 10 13")
    assert plays(game) == ["1x1", "2x1", "3x1", "9x1", "10x1", "13x1"]


def test_LV_6_how_many():
    row = "5 5 8 8 11 11"
    assert plays(on_row(row, "5")) == []
    assert plays(on_row(row, "5 5")) == ["5x2"]
    assert plays(on_row(row, "3")) == []
    assert plays(on_row(row, "3 3 3")) == ["3x2", "3x3"]
    assert plays(on_row(row, "12")) == []
    assert plays(on_row(row, "12 12")) == ["12x2"]


def test_LV_6_each_end_has_its_own_number():
    assert plays(on_row("5 8 8 8", "2 5 8 8 9 9 9")) == ["2x1", "5x1", "9x3"]


def test_LV_6_played_cards_join_an_equal_stack():
    game = on_row("5 5 8 8 11 11", "5 5 1")
    game.play("5x2")
    assert ranks_in(game, "row") == {5: 4, 8: 2, 11: 2}
    assert ranks_in(game, "hand", 0) == {1: 1}


def test_LV_5_and_6_and_8_at_every_moment_of_random_games():
    for seed in range(12):
        game = tefuda.new("leaves13", seats=3 + seed % 4, seed=seed, options={"empty_row_clears": bool(seed % 2)})
        random = Random(seed)
        while not game.over and len(game.events) < 80:
            assert set(game.moves()) == by_the_clauses(ranks_in(game, "hand", game.seat), ranks_in(game, "row"))
            game.play(random.choice(game.moves()))


def test_LV_7_one_place():
    game = on_row("5", "4 6 1")
    assert game.moves() == ["1x1", "4x1", "6x1", "-5"]
    game.play("4x1")
    assert game.seat == 1


def test_LV_8_pass():
    game = on_row("3 6 9", "2 13")  # a playable hand may pass all the same
    assert game.moves() == ["2x1", "13x1", "-3", "-6", "-9"]
    game.play("-6")
    assert ranks_in(game, "hand", 0) == {2: 1, 6: 1, 13: 1}
    assert ranks_in(game, "row") == {3: 1, 9: 1}
    assert field(game, "out") == [1, 0, 0]


def test_LV_8_the_row_really_changes():
    game = on_row("3 6 6 9 9", "13", turn=0, others="4 6")
    game.play("-3")  # the stack is gone, the low end is 6 now, of two
    assert plays(game) == []
    game = on_row("3 6 6 9 9", "13", turn=0, others="8 9")
    game.play("-9")  # the high end is one 9 now
    assert plays(game) == ["9x1"]


def test_LV_8_everybody_has_seen_the_card_taken():
    game = on_row("3 6 9", "2 13")
    game.play("-6")
    assert game.view(1)["piles"]["hand"][0] == {"size": 3, "cards": ["6"]}
    assert game.view(None)["piles"]["hand"][0] == {"size": 3, "cards": ["6"]}


def test_LV_9_next():
    game = on_row("3", "2 13", seats=4, turn=3, others="4 11", out=[0, 1, 0, 0])
    game.play("2x1")
    assert game.seat == 0
    game.play("11x1")
    assert game.seat == 2  # seat 1 is out
    game = on_row("3", "2 13", seats=4, turn=0, others="4 11", out=[0, 1, 1, 0])
    game.play("2x1")
    assert game.seat == 3


def test_LV_10_clearing():
    game = on_row("3 6 9", "2 13", turn=2, others="4 5", out=[1, 0, 0])
    game.play("-6")
    assert field(game, "out") == [0, 0, 0]
    assert game.seat == 1
    assert ranks_in(game, "row") == {}
    assert ranks_in(game, "gone") == {3: 1, 9: 1}
    assert game.moves() == ["4x1", "5x1"]  # leads on the empty row


def test_LV_10_two_left_do_not_clear():
    game = on_row("3 6 9", "2 13", seats=4, turn=2, others="4 5", out=[1, 0, 0, 0])
    game.play("-6")
    assert field(game, "out") == [1, 0, 1, 0]
    assert game.seat == 3
    assert ranks_in(game, "row") == {3: 1, 9: 1}


def test_LV_11_empty_row():
    game = on_row("6", "2 13", seats=4, turn=1, others="4 5", out=[1, 0, 0, 0])
    game.play("-6")
    assert field(game, "out") == [1, 1, 0, 0]
    assert game.seat == 2
    assert game.moves() == ["4x1", "5x1"]  # as on an empty row, and no pass


def test_LV_11_with_empty_row_clears():
    position = {("hand", 0): "4 5", ("hand", 1): "2 13", ("hand", 2): "4 5", ("hand", 3): "7 8", "row": "6"}
    fields = {"turn": 1, "winner": -1, "out": [1, 0, 0, 0]}
    game = laid("leaves13", 4, position, fields, empty_row_clears=True)
    game.play("-6")
    assert field(game, "out") == [0, 0, 0, 0]
    assert game.seat == 2
    # the next who was not out before leads: seat 2 was, so it is seat 3
    game = laid("leaves13", 4, position, {**fields, "out": [0, 0, 1, 0]}, empty_row_clears=True)
    game.play("-6")
    assert field(game, "out") == [0, 0, 0, 0]
    assert game.seat == 3
    # a row that is not empty stays
    game = laid("leaves13", 4, {**position, "row": "6 7"}, fields, empty_row_clears=True)
    game.play("-6")
    assert field(game, "out") == [1, 1, 0, 0]


def test_LV_12_end():
    game = on_row("6", "7 7", turn=1, others="4 5 5")
    game.play("7x2")
    assert game.over
    assert game.result == {"ranks": [2, 1, 2], "scores": [-3, 0, -3], "capped": False}
    assert game.view(None)["state"]["over"] == 1
    assert game.moves() == []


def test_LV_12_one_card_left_is_not_the_end():
    game = on_row("6", "7 8", turn=1)
    game.play("7x1")
    assert not game.over
    assert game.result is None


def test_LV_12_the_winner_is_whoever_emptied_the_hand():
    for winner in range(4):
        game = on_row("6", "7", seats=4, turn=winner)
        game.play("7x1")
        assert game.result["ranks"] == [1 if seat == winner else 2 for seat in range(4)]


def expert_end(minus, left, **options):
    """Seat 0 of an expert game plays its last card; the others have `left` cards each, and had `minus` before."""
    hands = {("hand", seat): cards for seat, cards in enumerate(left, 1)}
    fields = {"turn": 0, "winner": -1, "minus": minus}
    game = laid("leaves13", 3, {("hand", 0): "7", "row": "6", **hands}, fields, expert=True, **options)
    game.play("7x1")
    return game


def test_LV_13_expert_mode_counts_cards_left():
    game = expert_end([5, 0, 3], ["1 1 2", "8 8"])
    assert not game.over
    assert field(game, "minus") == [5, 3, 5]
    assert [sum(ranks_in(game, "hand", seat).values()) for seat in range(3)] == [12, 12, 12]
    assert sum(ranks_in(game, "deck").values()) == 26  # from all 62 cards again
    assert [event[1].split()[0] for event in game.log(None)[-2:]] == ["deck", "start"]


def test_LV_13_ends_when_someone_has_reached_the_target():
    assert not expert_end([0, 16, 3], ["1 1 2", "8 8"]).over
    game = expert_end([7, 17, 3], ["1 1 2", "8 8"])
    assert game.result == {"ranks": [2, 3, 1], "scores": [-7, -20, -5], "capped": False}
    assert expert_end([0, 3, 1], ["1 1", "8"], target=5).over
    assert not expert_end([0, 95, 1], ["1 1 2 2", "8"], target=100).over


def test_LV_13_ties_are_shared():
    game = expert_end([5, 17, 3], ["1 1 2", "8 8"])
    assert game.result["ranks"] == [1, 3, 1]
    game = expert_end([0, 18, 18], ["1 1", "8 8"])
    assert game.result["ranks"] == [1, 2, 2]


def test_LV_13_the_target_is_not_looked_at_in_the_middle_of_a_deal():
    game = on_row("6", "7 8", turn=0, minus=[0, 30, 0])
    game.options["expert"] = True
    game.t = game.rules.tables(game.options, 3)
    game.play("7x1")
    assert not game.over


def test_LV_13_leader_winner():
    game = laid(
        "leaves13", 3, {("hand", 1): "7", ("hand", 0): "1", ("hand", 2): "1", "row": "6"},
        {"turn": 1, "winner": -1}, expert=True, leader="winner",
    )  # fmt: skip
    game.play("7x1")
    assert game.seat == 1
    assert game.log(None)[-1] == ["*", "deck ?"]  # nothing random about the start


def test_LV_13_leader_winner_the_first_game_starts_at_random():
    options = {"expert": True, "leader": "winner"}
    games = [tefuda.new("leaves13", seats=3, seed=seed, options=options) for seed in range(60)]
    assert {game.seat for game in games} == {0, 1, 2}
    assert all(game.log(None)[-1] == ["*", f"start {game.seat}"] for game in games)


def test_LV_13_leader_random():
    seats = set()
    for seed in range(40):
        game = tefuda.new("leaves13", seats=3, seed=seed, options={"expert": True})
        game.state = on_row("6", "7", turn=1).state
        game.play("7x1")
        seats.add(game.seat)
    assert seats == {0, 1, 2}


def test_LV_13_target_and_leader_have_no_effect_without_expert():
    game = laid(
        "leaves13", 3, {("hand", 1): "7", ("hand", 0): "1", ("hand", 2): "1", "row": "6"},
        {"turn": 1, "winner": -1}, target=5, leader="winner",
    )  # fmt: skip
    game.play("7x1")
    assert game.over
    assert game.result == {"ranks": [2, 1, 2], "scores": [-1, 0, -1], "capped": False}


@pytest.mark.parametrize("value", [4, 101, 20.0, "20", None, True])
def test_LV_13_target_is_5_to_100(value):
    with pytest.raises(tefuda.OptionError, match="target"):
        tefuda.new("leaves13", options={"target": value})


def test_LV_13_option_values():
    for target in (5, 100):
        assert tefuda.new("leaves13", options={"target": target}).options["target"] == target
    defaults = {"expert": False, "target": 20, "leader": "random", "empty_row_clears": False}
    assert tefuda.new("leaves13").options == defaults
    with pytest.raises(tefuda.OptionError, match="leader"):
        tefuda.new("leaves13", options={"leader": "loser"})


def at_decision(number, hand="7 8", **options):
    """A deal in which `number` decisions have been made."""
    return laid(
        "leaves13", 3, {("hand", 0): hand, ("hand", 1): "1 1", ("hand", 2): "2 2 3", "row": "6"},
        {"turn": 0, "winner": -1, "decisions": number}, **options,
    )  # fmt: skip


def test_LV_14_cap():
    game = at_decision(1998)
    game.play("7x1")
    assert not game.over
    game.play("-6")
    assert game.result == {"ranks": [1, 1, 1], "scores": [-1, -3, -3], "capped": True}


def test_LV_14_a_win_on_the_last_decision_is_no_cap():
    game = at_decision(1999, hand="7")
    game.play("7x1")
    assert game.result == {"ranks": [1, 2, 2], "scores": [0, -2, -3], "capped": False}


def test_LV_14_cap_in_expert_mode_ends_only_the_deal():
    starts = set()
    for seed in range(40):
        game = tefuda.new("leaves13", seats=3, seed=seed, options={"expert": True, "leader": "winner"})
        game.state = at_decision(1999).state
        game.play("7x1")
        assert not game.over
        assert field(game, "minus") == [1, 2, 3]
        assert game.state.decisions == 0
        assert game.state.capped == 1
        assert [event[1].split()[0] for event in game.log(None)[-2:]] == ["deck", "start"]  # nobody won: at random
        starts.add(game.seat)
    assert starts == {0, 1, 2}


def test_LV_14_cap_in_expert_mode_can_end_the_whole():
    game = at_decision(1999, expert=True, target=5)
    game.state.minus[1] = 4
    game.play("7x1")
    assert game.result == {"ranks": [1, 3, 2], "scores": [-1, -6, -3], "capped": True}


def test_LV_14_a_win_in_expert_mode_on_the_last_decision_is_no_cap():
    game = at_decision(1999, hand="7", expert=True)
    game.play("7x1")
    assert game.state.capped == 0
    assert field(game, "minus") == [0, 2, 3]


def test_LV_14_each_deal_counts_anew():
    game = expert_end([0, 0, 0], ["1", "8"])
    assert game.state.decisions == 0


def test_LV_15_visible():
    game = on_row("3 6 9", "2 13", turn=1, out=[0, 0, 1], minus=[3, 1, 2])
    for viewer in (0, 1, 2, None):
        view = game.view(viewer)
        assert view["piles"]["row"]["cards"] == ["3", "6", "9"]
        assert [hand["size"] for hand in view["piles"]["hand"]] == [2, 2, 2]
        assert view["state"]["out"] == [0, 0, 1]
        assert view["state"]["minus"] == [3, 1, 2]
        true = [["9", "10"], ["2", "13"], ["9", "10"]]
        hands = [hand["cards"] for hand in view["piles"]["hand"]]
        assert hands == [true[seat] if seat == viewer else [] for seat in range(3)]


def test_LV_15_what_alike_cards_do_not_tell():
    game = on_row("5", "5 9", turn=0)
    game.play("-5")  # seat 0 has two 5s now, and everybody saw one of them taken
    assert game.view(1)["piles"]["hand"][0] == {"size": 3, "cards": ["5"]}
    game.state.turn = 0
    game.state.out[0] = 0
    game.play("5x1")  # nobody can tell which 5 that was
    assert game.view(1)["piles"]["hand"][0] == {"size": 2, "cards": []}


def test_notation():
    game = on_row("5 5", "7 7 13", turn=0)
    assert game.moves() == ["7x2", "-5"]
    for text in ("7x1", "7x02", "7 x2", "7x2 ", "07x2", "-7", "pass", "", "7X2", "７x2", "7x-2", "-05"):
        with pytest.raises(tefuda.IllegalMove):
            game.play(text)


def test_moves_have_the_names_that_the_words_know():
    assert [move.name for move in tefuda.new("leaves13").rules.moves] == ["play", "pass"]


def test_estimate_few_cards_are_good():
    game = on_row("6", "7 8 8", turn=1)
    estimate = game.rules.module.estimate
    assert [estimate(game.state, seat, game.t) for seat in range(3)] == [-2.0, -3.0, -2.0]


# ------------------------------------------------------------------------------------------ what the page tells


@pytest.mark.parametrize("row", ["", "6 6", "5 5 8 8 8 11", "1 13 13", "3 4 9 9"])
def test_LV_6_the_page_asks_for_as_many_as_must_be_played(row):
    game = on_row(row, "2", others="")
    asked = game.rules.module.asks(game.view(None))
    cards = Counter(int(card) for card in row.split())
    for rank, least in zip(COPIES, asked, strict=True):
        enough = [n for n in range(1, 4) if f"{rank}x{n}" in by_the_clauses(Counter({rank: 3}), cards)]
        assert least == (enough[0] if enough else None)


def test_why_it_ended():
    game = on_row("6", "7", seats=4, turn=3)
    game.play("7x1")
    why = game.rules.module.why
    assert why(game.view(None)) == ("emptied", 3)
    game = at_decision(1999)
    game.play("7x1")
    assert why(game.view(None)) == ("capped", 0)
    game = expert_end([7, 17, 3], ["1 1 2", "8 8"])
    assert why(game.view(None)) == ("target", 1)


def test_the_state_has_no_needless_room():
    rules = tefuda.new("leaves13").rules
    state = rules.state_type
    assert (state.most_cards, state.most_kinds, state.most_seats) == (62, 13, rules.most_seats)
    assert [state.shapes[name] for name in ("out", "over", "winner", "minus")] == [6, 1, 1, 6]
