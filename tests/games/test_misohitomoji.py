"""三十一文字, clause by clause (the numbers are those of its rules page)."""

from __future__ import annotations

from collections import Counter

import pytest
from games.positions import cards_in, dealt, laid

import tefuda
from tefuda.decks.karuta import FAMILIES, KIMARIJI
from tefuda.engine.rules import find

CLAUSES = [f"MH-{n}" for n in range(1, 16)]

LENGTHS = {1: 7, 2: 42, 3: 37, 4: 6, 5: 2, 6: 6}
REVERSE = [kimariji for kimariji in KIMARIJI if len(kimariji) == 6]
SMALL = ["む", "す", "め", "ふ", "さ", "ほ", "せ", "うか", "うら", "つき", "つく", "しら", "しの"]


def at(hands, turn=0, total=0, direction=1, duty=0, just="", played="", **options):
    """A moment of a game: the seats' hands, whose turn, the total, the direction, and how many plays of a duty."""
    piles = {("hand", seat): hand for seat, hand in enumerate(hands)}
    fields = {"turn": turn, "total": total, "direction": direction, "duty": duty, "player": -1, "loser": -1}
    return laid("misohitomoji", len(hands), {**piles, "just": just, "played": played}, fields, **options)


def now(game):
    """Total, direction, whose turn, and the duty."""
    s = game.state
    return s.total, s.direction, game.seat, s.duty


def hand(game, seat):
    return cards_in(game, "hand", seat)


def spare(*hands, seats=5):
    """These hands, and for the seats that are left hands of two cards that do nothing special."""
    used = " ".join(hands).split()
    free = iter([kimariji for kimariji in KIMARIJI if len(kimariji) == 2 and kimariji not in used])
    return [*hands, *(f"{next(free)} {next(free)}" for _ in range(seats - len(hands)))]


def stock(deck):
    """A list of cards as the text of a deck, in its order."""
    return "deck " + " ".join(deck)


# ---------------------------------------------------------------------------------------------- cards and deal


def test_MH_1_a_card_a_poem_named_by_its_kimariji():
    game = tefuda.new("misohitomoji", seats=2, seed=1)
    every = hand(game, 0) + hand(game, 1) + cards_in(game, "deck")
    assert every == Counter(KIMARIJI)
    assert Counter(len(kimariji) for kimariji in every) == LENGTHS
    assert {"おおこ", "おぐ"} <= set(every)


def test_MH_2_a_list_may_leave_out_and_repeat():
    deck = [*SMALL, "む", "む"]
    game = tefuda.new("misohitomoji", seats=2, seed=1, options={"deck": deck})
    assert hand(game, 0) + hand(game, 1) + cards_in(game, "deck") == Counter(deck)
    assert game.record()["options"]["deck"] == deck


@pytest.mark.parametrize(
    ("deck", "message"),
    [
        (["む"] * 10, "11 to 400 cards are needed, not 10"),
        (["む"] * 401, "11 to 400 cards are needed, not 401"),
        ([*SMALL, "な"], "'な' is no kimariji"),
        ([*SMALL, "うら+うか"], "no kimariji"),
        ([*SMALL, 5], "5 is no kimariji"),
        ([*SMALL, ["む"]], "no kimariji"),
        ("half", 'takes "full" or a list of kimariji$'),
        (None, 'takes "full" or a list of kimariji$'),
        ({"む": 12}, 'takes "full" or a list of kimariji$'),
    ],
)
def test_MH_2_a_list_that_will_not_do(deck, message):
    with pytest.raises(tefuda.OptionError, match=message):
        tefuda.new("misohitomoji", seats=2, options={"deck": deck})


@pytest.mark.parametrize(("seats", "in_hand", "least"), [(2, 5, 11), (5, 5, 26), (5, 7, 36), (3, 3, 10)])
def test_MH_2_more_cards_than_the_hands_together(seats, in_hand, least):
    game = tefuda.new("misohitomoji", seats=seats, seed=1, options={"deck": ["む"] * least, "hand": in_hand})
    assert sum(cards_in(game, "deck").values()) == 1
    with pytest.raises(tefuda.OptionError, match=f"{least} to 400"):
        tefuda.new("misohitomoji", seats=seats, options={"deck": ["む"] * (least - 1), "hand": in_hand})


def test_MH_2_four_hundred_cards():
    game = tefuda.new("misohitomoji", seats=2, seed=1, options={"deck": list(KIMARIJI) * 4})
    assert sum(cards_in(game, "deck").values()) == 390


def test_MH_2_options_are_checked_before_it_is_known_how_many_play():
    assert find("misohitomoji").options({"deck": ["む"] * 11})["deck"] == ["む"] * 11
    with pytest.raises(tefuda.OptionError, match="11 to 400"):
        find("misohitomoji").options({"deck": ["む"] * 10})


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_MH_3_deal(seats):
    game = tefuda.new("misohitomoji", seats=seats, seed=2)
    assert [sum(hand(game, seat).values()) for seat in range(seats)] == [5] * seats
    assert sum(cards_in(game, "deck").values()) == 100 - 5 * seats
    assert now(game) == (0, 1, game.seat, 0)
    assert game.log(None)[1] == ["*", f"start {game.seat}"]


def test_MH_3_hands_are_dealt_from_the_top_seat_by_seat():
    order = list(KIMARIJI)
    game = dealt("misohitomoji", 3, [stock(order), "start 2"], hand=4)
    for seat in range(3):
        assert hand(game, seat) == Counter(order[4 * seat : 4 * seat + 4])
    assert game.seat == 2
    text = min(game.moves(), key=len)
    game.play(text)
    assert hand(game, 2)[order[12]] == 1


def test_MH_3_a_random_seat_starts():
    starts = Counter(tefuda.new("misohitomoji", seats=3, seed=seed).seat for seed in range(150))
    assert min(starts[seat] for seat in range(3)) > 30


@pytest.mark.parametrize("seats", [1, 6])
def test_MH_3_is_for_two_to_five(seats):
    with pytest.raises(tefuda.OptionError, match="2 to 5"):
        tefuda.new("misohitomoji", seats=seats)


# ---------------------------------------------------------------------------------------------- single cards


@pytest.mark.parametrize(("card", "total"), [("む", 8), ("うか", 9), ("あきの", 10), ("ちぎりき", 11)])
def test_MH_4_a_normal_card_adds_its_length(card, total):
    game = at(spare(f"{card} しの"), total=7)
    game.play(card)
    assert now(game) == (total, 1, 1, 0)
    assert cards_in(game, "just") == Counter([card])
    assert sum(hand(game, 0).values()) == 2 and hand(game, 0)[card] == 0


def test_MH_4_the_cards_of_a_normal_play_lie_open_one_after_another():
    game = at(spare("む しの"), just="め", played="ふ さ")
    game.play("む")
    assert cards_in(game, "just") == Counter(["む"])
    assert game.view(None)["piles"]["played"]["cards"] == ["め", "さ", "ふ"]


@pytest.mark.parametrize("card", ["よのなかは", "よのなかよ"])
def test_MH_5_a_minus_card_takes_five_off(card):
    game = at(spare(f"{card} しの"), total=20)
    game.play(card)
    assert now(game) == (15, 1, 1, 0)
    assert sum(hand(game, 0).values()) == 2


def test_MH_5_below_zero_unless_there_is_a_floor():
    for floor, total in ((None, -2), (0, 0)):
        game = at(spare("よのなかは しの"), total=3, floor=floor)
        game.play("よのなかは")
        assert now(game) == (total, 1, 1, 0)


def test_MH_5_the_floor_is_null_or_0():
    for floor in (1, -1, "0", False):
        with pytest.raises(tefuda.OptionError, match="from 0 to 0, or null"):
            tefuda.new("misohitomoji", options={"floor": floor})


@pytest.mark.parametrize("card", REVERSE)
def test_MH_6_a_reverse_card_turns_back(card):
    game = at(spare(f"{card} しの"), total=20)
    game.play(card)
    assert now(game) == (20, -1, 4, 0)
    assert sum(hand(game, 0).values()) == 2


@pytest.mark.parametrize(
    ("reverse", "direction", "back", "direction_after", "then"),
    [("turn", 1, 1, -1, 0), ("turn", -1, 3, 1, 4), ("once", 1, 1, 1, 2), ("once", -1, 3, -1, 2)],
)
def test_MH_6_the_direction_stays_turned_or_not(reverse, direction, back, direction_after, then):
    """Seat 2 of five turns back; then the player before plays a normal card."""
    hands = ["む しの", "ふ しら", "きみがためは もも", "さ もろ", "ほ せ"]
    game = at(hands, turn=2, direction=direction, reverse=reverse)
    game.play("きみがためは")
    assert now(game) == (0, direction_after, back, 0)
    game.play({1: "ふ", 3: "さ"}[back])
    assert game.seat == then


@pytest.mark.parametrize("reverse", ["turn", "once"])
def test_MH_6_of_two_players_the_other(reverse):
    game = at(["きみがためは しの", "わたのはらや む"], reverse=reverse)
    game.play("きみがためは")
    assert game.seat == 1
    game.play("わたのはらや")
    assert now(game) == (0, 1, 0, 0)


# ------------------------------------------------------------------------------------------------------- dubs


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.beginning)
def test_MH_7_every_family_is_a_dub(family):
    members = family.name.split("+")
    game = at(spare(" ".join(members)), total=20, hand=7)
    assert family.name in game.moves()
    game.play(family.name)
    assert now(game) == (20, 1, 1, 2)
    assert cards_in(game, "just") == Counter(members)
    assert sum(hand(game, 0).values()) == len(members)


def test_MH_7_the_dubs_of_a_hand():
    game = at(spare("なにわが なにし なにわえ うか うら む す"), hand=7)
    dubs = {move for move in game.moves() if "+" in move}
    assert dubs == {"うら+うか", "なにわが+なにし+なにわえ", "なにわが+なにわえ"}


@pytest.mark.parametrize("cards", ["なにわが なにし", "なつ なにし", "む す", "つき うか", "あさぼらけあ きみがためは"])
def test_MH_7_what_is_no_dub(cards):
    game = at(spare(cards))
    assert sorted(game.moves()) == sorted(cards.split())
    with pytest.raises(tefuda.IllegalMove):
        game.play(cards.replace(" ", "+"))


def test_MH_7_copies_are_no_dub_and_one_of_each_is_played():
    game = at(["うか うか うら", "む す"], deck=["うか", "うか", "うら", "む", "す", *SMALL])
    assert sorted(game.moves()) == ["うか", "うら", "うら+うか"]
    game.play("うら+うか")
    assert cards_in(game, "just") == Counter(["うか", "うら"])
    assert hand(game, 0)["うか"] == 1


def test_MH_7_of_the_full_hundred_even_when_the_deck_has_fewer():
    """Without なにわえ in the deck, なにわが and なにし are still no dub."""
    game = at(["なにわが なにし", "む す"], deck=["なにわが", "なにし", "む", "す", *SMALL])
    assert sorted(game.moves()) == ["なにし", "なにわが"]


def test_MH_7_played_cards_shorten_nothing():
    game = at(["つき しの", "む す"], played="つく")
    assert sorted(game.moves()) == ["しの", "つき"]
    game.play("つき")
    assert game.state.total == 2


def test_MH_7_a_dub_is_written_by_the_numbers_of_the_poems():
    game = at(spare("うか うら"))
    with pytest.raises(tefuda.IllegalMove):
        game.play("うか+うら")
    assert game.claim("hand", [["うか", "うら"]]) == game.claim("hand", [["うら", "うか"]]) == "うら+うか"


def test_MH_7_minus_and_reverse_cards_in_a_dub_do_nothing_else():
    game = at(spare("よのなかは よのなかよ"), total=20)
    game.play("よのなかよ+よのなかは")
    assert now(game) == (20, 1, 1, 2)
    game = at(spare("わたのはらや わたのはらこ"), total=20, direction=-1, turn=0)
    game.play("わたのはらや+わたのはらこ")
    assert now(game) == (20, -1, 4, 2)


# ------------------------------------------------------------------------------------------------- two plays


def test_MH_8_two_plays_then_the_next():
    game = at(spare("む しの", "ふ よのなかは"), turn=1, total=10, duty=2)
    game.play("よのなかは")
    assert now(game) == (5, 1, 1, 1)
    assert sum(hand(game, 1).values()) == 2  # drawn after each play
    game.play("ふ")
    assert now(game) == (6, 1, 2, 0)
    assert sum(hand(game, 1).values()) == 2


@pytest.mark.parametrize("duty", [2, 1])
def test_MH_8_a_dub_as_either_play_hands_two_plays_on(duty):
    game = at(spare("む しの", "うか うら"), turn=1, total=10, duty=duty)
    game.play("うら+うか")
    assert now(game) == (10, 1, 2, 2)


def test_MH_8_a_reverse_card_first_hands_the_whole_duty_back():
    for reverse, direction in (("turn", -1), ("once", 1)):
        game = at(spare("む しの", "きみがためは しら"), turn=1, total=10, duty=2, reverse=reverse)
        game.play("きみがためは")
        assert now(game) == (10, direction, 0, 2)
        game.play("む")
        assert now(game) == (11, direction, 0, 1)


def test_MH_8_a_reverse_card_second_is_an_ordinary_one():
    game = at(spare("む しの", "きみがためは しら"), turn=1, total=10, duty=1)
    game.play("きみがためは")
    assert now(game) == (10, -1, 0, 0)
    game.play("む")
    assert now(game) == (11, -1, 4, 0)


def test_MH_8_back_and_forth_it_stays_two():
    game = at(["きみがためは しの", "きみがためお しら"], turn=1, total=10, duty=2)
    game.play("きみがためお")
    assert now(game) == (10, -1, 0, 2)
    game.play("きみがためは")
    assert now(game) == (10, 1, 1, 2)


def test_MH_9_effects_are_automatic():
    game = at(spare("よのなかは きみがためは"), total=28)
    assert sorted(game.moves()) == ["きみがためは", "よのなかは"]
    game.play("よのなかは")
    assert game.state.total == 23
    game = at(spare("きみがためは"), total=28)
    game.play("きみがためは")
    assert game.state.total == 28


def test_MH_10_every_card_may_be_played_and_one_must():
    game = at(spare("む うか あきの ちぎりき よのなかは きみがためは"), total=30)
    assert game.moves(person=True) == ["あきの", "きみがためは", "ちぎりき", "うか", "む", "よのなかは"]


# ---------------------------------------------------------------------------------------- the end, and the stock


@pytest.mark.parametrize(("card", "total", "over"), [("む", 29, False), ("む", 30, True), ("ちぎりき", 30, True)])
def test_MH_11_who_makes_31_or_more_loses_at_once(card, total, over):
    game = at(spare(f"{card} しの"), total=total)
    before = sum(cards_in(game, "deck").values())
    game.play(card)
    assert game.over == over
    if over:
        assert game.result == {"ranks": [5, 1, 1, 1, 1], "scores": [-1, 0, 0, 0, 0], "capped": False}
        assert sum(hand(game, 0).values()) == 1 and sum(cards_in(game, "deck").values()) == before


def test_MH_11_in_the_middle_of_two_plays_too():
    game = at(["む しの", "ふ しら", "さ せ"], turn=2, total=30, duty=2)
    game.play("さ")
    assert game.result == {"ranks": [1, 1, 3], "scores": [0, 0, -1], "capped": False}


@pytest.mark.parametrize("limit", [10, 99])
def test_MH_11_the_limit_is_an_option(limit):
    game = at(spare("む しの"), total=limit - 1, limit=limit)
    game.play("む")
    assert game.over
    game = at(spare("む しの"), total=limit - 2, limit=limit)
    game.play("む")
    assert not game.over


@pytest.mark.parametrize(("option", "low", "high"), [("limit", 10, 99), ("hand", 3, 7)])
def test_MH_11_options_have_bounds(option, low, high):
    for value in (low - 1, high + 1, None, "5", True):
        with pytest.raises(tefuda.OptionError, match=f"from {low} to {high}"):
            tefuda.new("misohitomoji", options={option: value})
    for value in (low, high):
        assert tefuda.new("misohitomoji", seed=1, options={option: value}).options[option] == value


FEW = ["む", "うか", "うら", "す", "さ", "ほ", "つき"]


def test_MH_12_an_empty_stock_is_filled_with_what_was_played_before():
    game = dealt("misohitomoji", 2, [stock(FEW), "start 0"], hand=3, deck=FEW)
    game.play("む")  # draws つき, the last card
    assert cards_in(game, "deck") == Counter()
    game.play("す")  # nothing but む was played before
    assert cards_in(game, "just") == Counter(["す"]) and cards_in(game, "played") == Counter()
    assert game.log(1)[-1] == ["*", "deck ?"]
    assert hand(game, 1) == Counter(["さ", "ほ", "む"])


def test_MH_12_in_the_middle_of_a_dub():
    deck = ["うか", "うら", "む", "す", "さ", "ほ", "つき", "しの"]
    game = dealt("misohitomoji", 2, [stock(deck), "start 1"], hand=3, deck=deck)
    game.play("す")  # draws つき; しの is left
    game.play("うら+うか")  # draws しの, then from what was played before: す
    assert hand(game, 0) == Counter(["む", "しの", "す"])
    assert [event[1] for event in game.log(None)[2:]] == ["す", "うら+うか", "deck ?"]
    assert cards_in(game, "just") == Counter(["うか", "うら"])


def test_MH_12_without_any_what_there_is():
    deck = ["うか", "うら", "む", "す", "さ", "ほ", "つき"]
    game = dealt("misohitomoji", 2, [stock(deck), "start 0"], hand=3, deck=deck)
    game.play("うら+うか")  # one card in the stock, none played before
    assert hand(game, 0) == Counter(["む", "つき"])
    assert len(game.events) == 3
    game.play("す")
    assert hand(game, 1) == Counter(["さ", "ほ"]) + (hand(game, 1) & Counter(["うか", "うら"]))
    assert sum(hand(game, 1).values()) == 3


def test_MH_13_a_thousand_decisions_end_it_without_a_loser():
    game = at(spare("む しの", "ふ しら"), total=5)
    game.state.decisions = 998
    game.play("む")
    assert not game.over
    game.play("ふ")
    assert game.result == {"ranks": [1] * 5, "scores": [0] * 5, "capped": True}
    assert sum(hand(game, 1).values()) == 1  # nothing is drawn any more


def test_MH_13_a_loser_on_the_last_decision_is_a_loser():
    game = at(spare("む しの"), total=30)
    game.state.decisions = 999
    game.play("む")
    assert game.result == {"ranks": [5, 1, 1, 1, 1], "scores": [-1, 0, 0, 0, 0], "capped": False}


def test_MH_14_what_everybody_sees():
    game = at(["む しの", "ふ しら"], turn=1, total=12, direction=-1, duty=2, just="さ", played="ほ せ")
    view = game.view(None)
    assert {name: view["state"][name] for name in ("total", "direction", "duty")} == {
        "total": 12,
        "direction": -1,
        "duty": 2,
    }
    assert view["piles"]["just"]["cards"] == ["さ"] and view["piles"]["played"]["cards"] == ["せ", "ほ"]
    assert view["piles"]["hand"] == [{"size": 2, "cards": []}] * 2
    assert view["piles"]["deck"] == {"size": 93, "cards": []}
    assert sorted(game.view(0)["piles"]["hand"][0]["cards"]) == ["しの", "む"]
    assert game.view(0)["piles"]["hand"][1]["cards"] == []


def test_MH_14_who_played_last_and_who_lost_is_seen():
    game = at(["む しの", "ふ しら"], turn=1, total=29)
    assert (game.view(0)["state"]["player"], game.view(0)["state"]["loser"]) == (-1, -1)
    game.play("ふ")
    assert game.view(0)["state"]["player"] == 1
    game.play("む")
    assert (game.view(1)["state"]["player"], game.view(1)["state"]["loser"]) == (0, 0)


def test_MH_14_a_dub_is_for_people_to_find():
    game = at(spare("うか うら"))
    assert game.moves(person=True, assist=False) == ["うら", "うか"]
    assert "うら+うか" in game.moves(person=True, assist=True)
    game.play("うら+うか")  # and may be played without being listed


def test_MH_15_declaring_changes_nothing_but_is_counted():
    options = {"declare": True}
    game = tefuda.new("misohitomoji", players=["Aki", "Ben"], seed=3, options=options)
    same = tefuda.new("misohitomoji", players=["Aki", "Ben"], seed=3, options=options)
    n = 0
    wrong = [0, 0]
    while not game.over:
        seat, text = game.seat, game.moves()[0]
        same.play(text)
        said = same.state.total + (1 if n in (0, 3) else 0)
        wrong[seat] += n in (0, 3)
        game.play(text, said=said)
        n += 1
    assert game.record()["result"]["notes"] == {"misdeclared": wrong}
    assert game.record()["events"] == same.record()["events"]
    assert "notes" not in same.record()["result"]


def test_MH_11_and_MH_13_how_it_ended_is_told():
    lost, capped = at(["む しの", "ふ しら"], turn=1, total=30), at(["む しの", "ふ しら"], turn=1)
    capped.state.decisions = 999
    for game, why in ((lost, ("lost", 1)), (capped, ("capped", 0))):
        game.play("ふ")
        assert game.rules.module.why(game.view(0)) == why


def test_moves_by_name():
    game = at(spare("うか うら しら"))
    game.play("うら+うか")
    game.play(game.moves()[0])
    assert [(event["move"], event["parts"]) for event in game.story(None)[-2:]] == [
        ("dub", {"dub": "うら+うか"}),
        ("play", {"card": game.log(None)[-1][1]}),
    ]
    assert game.rules.moves[1].parts["dub"].of == "hand"


def test_MH_15_the_total_is_what_is_declared_and_only_by_option():
    assert tefuda.new("misohitomoji", seed=1, options={"declare": True}).declares == "total"
    assert tefuda.new("misohitomoji", seed=1).declares is None


# --------------------------------------------------------------------------------------------- how bots see it


def worth(hands, seat=0, **fields):
    game = at(hands, **fields)
    return game.rules.module.estimate(game.state, seat, game.t)


def test_estimate_keeps_what_is_always_safe_and_fears_to_have_nothing():
    rest = ["なつ ちは"]
    assert (
        worth(["きみがためは", *rest]) == worth(["よのなかは", *rest]) > worth(["む", *rest]) > worth(["うか", *rest])
    )
    assert worth(["きみがためは よのなかは", *rest]) == 8.0
    assert worth(["む うか あきの ちぎりき", *rest]) == pytest.approx(0.8 + 0.6 + 0.4 + 0.2)
    assert worth(["もも しの あきの", *rest]) == pytest.approx(0.6 + 0.6 + 0.4)
    assert worth(["うか うら", *rest]) == pytest.approx(4.0 + 1.2)
    assert worth(["うか うら", *rest], total=30) == 4.0
    assert worth(["うか つき", *rest], total=29) == -20.0
    assert worth(["む す", "きみがためは"], seat=1) == 4.0
    assert worth(["うか つき", *rest], total=29, turn=1) == -5.0
    assert worth(["む うか つき", *rest], total=29) == pytest.approx(0.8)
    assert worth(["よのなかは うか つき", *rest], total=29) == 4.0
    assert worth(["うか しの", *rest], total=28) > 0 > worth(["うか しの", *rest], total=29)
    assert worth(["うか しの", *rest], total=29, turn=1) > worth(["うか しの", *rest], total=29, turn=0)
    assert worth(["きみがためは", *rest], total=30) > 0
    game = at(["む しの", "ふ しら"], total=30)
    game.play("む")
    loser, other = (game.rules.module.estimate(game.state, seat, game.t) for seat in (0, 1))
    assert (loser, other) == (-100.0, 0.0)
