"""熟語テン, clause by clause (the numbers are those of its rules page). What it shares with the other 熟語 games is
tested in test_jukugo_shared.py."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from games.positions import cards_in, dealt, field, laid

import tefuda
from tefuda.decks import kanji_decks
from tefuda.words import words

CLAUSES = [f"JK-{n}" for n in range(1, 8)] + [f"JT-{n}" for n in range(1, 12)]

ALL = [card.kanji for card in kanji_decks.deck("reconstruction").cards] + ["々", "々"]
VALUE = {card.kanji: card.value for card in kanji_decks.deck("reconstruction").cards} | {"々": 1}

THIRTY = "徒花器用月給水文楽格行先歩中立場車風理科面牛王日音人本国年時"
"""A deck of 30 kanji, the smallest there can be."""

SMALL = {"deck": {"cards": [[kanji, VALUE.get(kanji, 1)] for kanji in THIRTY], "jokers": 0}}


def deck(top, cards=ALL):
    """A deck with these cards on top, in order, the others below."""
    rest = Counter(cards)
    rest.subtract(top)
    assert min(rest.values()) >= 0
    return "deck " + " ".join([*top, *rest.elements()])


def given(hand, new, turn=1, seats=3, dealer=0, piles=None, wins=(), barred=(), served=None, decisions=0, **options):
    """Seat `turn` has just been given the card `new`, which is among these cards of the hand. Unless told no other
    place (a seat, or 4 the discards) has a card of this turn, and two are still to be turned, 大 first."""
    full = {turn} if served is None else {*served}
    fields = {"turn": turn, "dealer": dealer, "answering": 1, "decisions": decisions, "wins": wins, "barred": barred}
    fields["served"] = [int(place in full or (place == 4 and seats > 2)) for place in range(5)]
    there = {("hand", turn): " ".join(hand), "to_turn": "小 大"} | (piles or {})
    game = laid("jukugo_ten", seats, there, fields, **options)
    game.state.new_card = game.notation.kind_of[new]
    return game


def kept(game):
    """The cards with which the seat on turn may win."""
    return {move[1:] for move in game.moves() if move.startswith("=")}


def plays(game, *texts):
    for text in texts:
        game.play(text)
    return game


def deals_and_passes(game, turns=1):
    """Everybody gets a card, the lowest seat first, and lets it pass."""
    for _ in range(turns):
        dealer = game.state.dealer
        while game.state.dealer == dealer and not game.over:
            game.play(game.moves()[0])
    return game


def from_top(game, pile):
    """The true cards of an ordered pile, from the top."""
    s, number = game.state, game.rules.state_type.pile_number(pile)
    return [game.notation.cards[s.card[number, i]] for i in reversed(range(s.size[number]))]


def every_card(game):
    piles = [cards_in(game, name) for name in ("deck", "taken", "to_turn", "turned", "discard")]
    piles += [cards_in(game, name, seat) for name in ("hand", "point") for seat in range(len(game.players))]
    return sum(piles, Counter())


# ------------------------------------------------------------------------------------------------------- the deal


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_JT_1_deal(seats):
    game = tefuda.new("jukugo_ten", seats=seats, seed=3)
    assert [cards_in(game, "hand", seat).total() for seat in range(seats)] == [3] * seats
    assert cards_in(game, "deck").total() == 54 - 3 * seats - max(3, seats)
    assert every_card(game) == Counter(ALL)


def test_JT_1_hands_come_from_the_top_seat_by_seat():
    game = dealt("jukugo_ten", 3, [deck("官学仏文科名月経国書行先"), "start 1"])
    for seat, hand in enumerate(("官学仏", "文科名", "月経国")):
        assert set(cards_in(game, "hand", seat)) == set(hand)
    assert cards_in(game, "turned") == {"書": 1}
    assert from_top(game, "to_turn") == ["行", "先"]


@pytest.mark.parametrize("seats", [1, 5])
def test_JT_1_is_for_two_to_four(seats):
    with pytest.raises(tefuda.OptionError, match="2 to 4"):
        tefuda.new("jukugo_ten", seats=seats)


def test_JT_1_the_first_dealer_is_random():
    starts = Counter()
    for seed in range(150):
        game = tefuda.new("jukugo_ten", seats=3, seed=seed)
        assert game.log(None)[-1] == ["*", f"start {game.seat}"]
        assert game.view(None)["state"]["dealer"] == game.seat
        starts[game.seat] += 1
    assert min(starts[seat] for seat in range(3)) > 25


# ---------------------------------------------------------------------------------------------------- the dealing


@pytest.mark.parametrize(("seats", "taken"), [(2, 3), (3, 3), (4, 4)])
def test_JT_2_as_many_cards_as_players_but_three_for_two(seats, taken):
    game = tefuda.new("jukugo_ten", seats=seats, seed=1)
    assert cards_in(game, "to_turn").total() == taken - 1
    assert cards_in(game, "turned").total() == 1
    places = [f">{seat}" for seat in range(seats)] + ([">x"] if seats == 2 else [])
    assert game.moves() == places


def test_JT_2_one_card_at_a_time_and_nobody_gets_two():
    game = dealt("jukugo_ten", 4, [deck("官学仏文科名月経国書行先" + "王事小大"), "start 2"])
    for to, card, left in ((3, "王", [0, 1, 2]), (2, "事", [0, 1]), (0, "小", [1])):
        assert game.seat == 2
        assert cards_in(game, "turned") == {card: 1}
        assert all(game.view(viewer)["piles"]["to_turn"]["cards"] == [] for viewer in (0, 1, 2, 3, None))
        game.play(f">{to}")
        assert card in cards_in(game, "hand", to)
        assert cards_in(game, "turned").total() == 0  # the next is turned up after the answer
        assert (game.seat, game.moves()[0]) == (to, "pass")
        game.play("pass")
        assert game.moves() == [f">{seat}" for seat in left]
    plays(game, ">1", "pass")
    assert (game.seat, game.state.dealer) == (3, 3)
    assert game.moves() == [">0", ">1", ">2", ">3"]
    assert [cards_in(game, "hand", seat).total() for seat in range(4)] == [4] * 4


@pytest.mark.parametrize("order", [(">x", ">0", ">1"), (">1", ">x", ">0"), (">0", ">1", ">x")])
def test_JT_2_two_players_use_each_of_three_places_once(order):
    game = dealt("jukugo_ten", 2, [deck("官学仏文科名" + "王事小"), "start 0"])
    open_ = {">0", ">1", ">x"}
    for place in order:
        assert set(game.moves()) == open_
        assert game.seat == 0
        full = [int(other not in open_) for other in (">0", ">1", ">x")]
        assert list(game.state.served) == [full[0], full[1], 0, 0, full[2]]
        game.play(place)
        open_.discard(place)
        if place != ">x":
            assert (game.state.answering, game.state.round_over) == (1, 0)
            game.play("pass")
        assert game.state.answering == 0
    assert game.seat == 1
    assert cards_in(game, "discard") == {"王事小"[order.index(">x")]: 1}
    assert [cards_in(game, "hand", seat).total() for seat in range(2)] == [4, 4]
    assert game.moves() == [">0", ">1", ">x"]


@pytest.mark.parametrize("seats", [3, 4])
def test_JT_2_only_two_players_discard(seats):
    game = tefuda.new("jukugo_ten", seats=seats, seed=1)
    with pytest.raises(tefuda.IllegalMove):
        game.play(">x")


@pytest.mark.parametrize(
    ("first", "last"), [((">0", "pass", ">1", "pass"), ">2"), ((">2", "pass", ">0", "pass"), ">1")]
)
def test_JT_3_the_last_place_is_a_decision_with_one_move(first, last):
    game = plays(dealt("jukugo_ten", 3, [deck(ALL[:20]), "start 0"]), *first)
    assert (game.seat, game.moves()) == (0, [last])


# -------------------------------------------------------------------------------------------------------- winning


@pytest.mark.parametrize("new", "徒花器用")
def test_JT_4_the_authors_example_of_eleven_points(new):
    game = given("徒花器用格", new)
    assert game.moves()[0] == "pass"
    assert kept(game) == set("徒花器用")


def test_JT_4_a_hand_good_enough_before_needs_the_new_card_in_a_word():
    assert kept(given("徒花器用格", "格")) == set()
    assert kept(given("徒花器用格", "用")) != set()


@pytest.mark.parametrize("new", "月給水文楽")
def test_JT_4_the_authors_example_of_eight_points(new):
    assert kept(given("月給水文楽", new)) == set()  # 月給 + 文楽 or 給水 + 文楽; 給 counts once


def test_JT_4_every_card_of_the_deck_can_be_kept():
    for kanji in ALL[:52]:
        other = "格" if kanji != "格" else "経"
        options = {"lexicon": "none", "words": [kanji + other], "goal": VALUE[kanji] + VALUE[other]}
        assert kept(given(kanji + other, other, piles={"to_turn": ""}, **options)) == {kanji, other}


def test_JT_4_exactly_the_goal_is_enough():
    hand, new = "地位名主", "位"  # 地位 6, 名主 4
    assert kept(given(hand, new)) == set(hand)
    assert kept(given(hand, new, goal=11)) == set()


@pytest.mark.parametrize(
    ("words_", "hand", "new", "goal", "may"),
    [
        (["徒花器"], "徒花器格", "花", 9, "徒花器"),  # a word of three: 4 + 1 + 4
        (["徒花器"], "徒花器格", "格", 9, ""),
        (["徒花器用"], "徒花器用", "用", 11, "徒花器用"),  # of four
        (["徒花", "器用", "月給"], "徒花器用月給", "月", 16, "徒花器用月給"),  # three words together
        (["徒花", "花器"], "徒花器", "花", 6, ""),  # 花 in one of them only
        (["人々", "日々", "月給"], "人日々月給", "々", 7, "人日々月給"),  # one joker in one word; it counts 1
        (["人々", "日々", "月給"], "人日々月給", "々", 8, ""),
        (["人々", "日々", "月給"], "人日々々月給", "々", 9, "人日々月給"),  # two jokers
        (["月給", "給水", "文楽"], "月給水文楽", "水", 8, "給水文楽"),  # 月給 leaves out the new card
        (["徒花", "器用", "格人"], "徒花器用格人", "花", 10, "徒花器用格人"),  # a third word may join
    ],
)
def test_JT_4_words_of_the_hand_with_the_new_card(words_, hand, new, goal, may):
    game = given(hand, new, lexicon="none", words=words_, goal=goal)
    assert kept(game) == set(may)


def test_JT_4_one_may_let_it_pass_and_then_the_next_card_is_turned():
    game = plays(given("徒花器用格", "用"), "pass")
    assert (game.seat, cards_in(game, "turned")) == (0, {"大": 1})
    assert game.moves() == [">0", ">2"]
    assert field(game, "wins") == [0, 0, 0]


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_JT_4_it_is_called_ron_and_from_the_own_hand_tsumo(lang):
    ron, tsumo = {"ja": ("ロン", "ツモ"), "en": ("Ron", "Tsumo")}[lang]
    for hands, first, called, other in (
        ("徒花器" + "月給文" + "先王歩", ">0", tsumo, ron),
        ("月給文" + "徒花器" + "先王歩", ">1", ron, tsumo),
    ):
        game = plays(dealt("jukugo_ten", 3, [deck(hands + "用大小"), "start 0"]), first, "=徒")
        told = [line for line in words(game.rules, lang).tell(game.story(None), str) if line.notation == "=徒"]
        assert called in told[0].sentence
        assert other not in told[0].sentence


def test_JT_5_the_point_card():
    game = plays(given("徒花器用格", "用", piles={("hand", 0): "月 給", ("point", 1): "経"}, wins=[0, 1, 0]), "=器")
    assert cards_in(game, "point", 1) == {"経": 1, "器": 1}
    assert [cards_in(game, "point", seat).total() for seat in (0, 2)] == [0, 0]
    assert field(game, "wins") == [0, 2, 0]
    assert every_card(game) == Counter(ALL)


def test_JT_5_any_card_of_the_words_may_be_kept_and_no_other():
    for keep in "徒花器用":
        assert cards_in(plays(given("徒花器用格", "用"), f"={keep}"), "point", 1) == {keep: 1}
    with pytest.raises(tefuda.IllegalMove):
        given("徒花器用格", "用").play("=格")
    # with 8 to reach and 水 new: 給水 and 文楽
    assert kept(given("月給水文楽", "水", goal=8)) == set("給水文楽")


def test_JT_5_a_card_that_joins_by_a_word_that_is_not_needed():
    game = given("徒花器用国家", "用", lexicon="none", words=["徒花", "器用", "国家"], goal=6)
    assert kept(game) == set("徒花器用国家")


@pytest.mark.parametrize(("turn", "dealer"), [(1, 0), (0, 0), (0, 2)])
def test_JT_6_after_a_win(turn, dealer):
    others = {("hand", seat): cards for seat, cards in ((2, "月 給"), (1 - turn, "経 文"))}
    game = given("徒花器用格", "用", turn=turn, dealer=dealer, piles=others)
    below = from_top(game, "deck")
    game.play("=徒")
    dealer = (dealer + 1) % 3
    assert (game.state.dealer, game.seat) == (dealer, dealer)  # left of the dealer, whoever won
    assert cards_in(game, "discard") == Counter("花器用格月給経文")
    order = ["大", "小", *below]  # the cards not yet turned are on top, in their order
    for seat in range(3):
        assert cards_in(game, "hand", seat) == Counter(order[3 * seat : 3 * seat + 3])
    assert cards_in(game, "turned") == {order[9]: 1}
    assert from_top(game, "to_turn") == order[10:12]
    assert from_top(game, "deck") == order[12:]
    assert list(game.state.served) == [0, 0, 0, 0, 1]
    assert game.moves() == [">0", ">1", ">2"]


def test_JT_6_with_two_players_the_discard_is_a_place_again():
    game = given("徒花器用", "用", turn=0, seats=2, piles={("hand", 1): "月 給"}, served=[0, 4])
    game.play("=徒")
    assert game.moves() == [">0", ">1", ">x"]


def test_JT_6_nobody_knows_the_cards_that_went_back():
    game = plays(given("徒花器用格", "用"), "=徒")
    for viewer in (1, 2, None):
        view = game.view(viewer)
        assert view["piles"]["deck"]["cards"] == []
        assert view["piles"]["hand"][0] == {"size": 3, "cards": []}


# ---------------------------------------------------------------------------------------------------- the pile


def test_JT_7_the_discards_become_the_pile_when_a_card_is_needed():
    piles = {("hand", 0): "月 給", ("hand", 2): "科 官", "discard": " ".join(c for c in ALL if c in "学仏文名経国書行")}
    rest = [c for c in ALL if c not in "徒花器用格月給科官学仏文名経国書行々"]
    game = given("徒花器用格", "用", piles=piles | {("point", 0): " ".join(rest), "to_turn": ""}, served=[0, 1, 2])
    # 々 and 々 are left in the pile: two cards, then the eight discards are shuffled, and one of them is the third
    game.play("pass")
    assert [text for _, text in game.log(None)[-2:]] == ["pass", "deck ?"]
    assert game.record()["events"][-1][1].split()[1:] != sorted("学仏文名経国書行")
    assert Counter(game.record()["events"][-1][1].split()[1:]) == Counter("学仏文名経国書行")
    assert cards_in(game, "discard").total() == 0
    assert cards_in(game, "turned") == {"々": 1}
    assert from_top(game, "to_turn")[0] == "々"
    assert cards_in(game, "deck").total() == 7
    assert (game.seat, [cards_in(game, "hand", seat).total() for seat in range(3)]) == (1, [2, 5, 2])


def test_JT_7_not_before_a_card_is_needed():
    rest = [c for c in ALL if c not in "徒花器用格月給々"]
    piles = {("point", 0): " ".join(rest[:30]), "discard": " ".join(rest[30:])}
    game = given("徒花器用格々", "用", piles=piles | {"to_turn": ""}, served=[0, 1, 2])
    assert from_top(game, "deck") == ["々", "給", "月"]
    game.play("pass")
    assert game.log(None)[-1] == [1, "pass"]  # three cards were there: nothing is shuffled
    assert cards_in(game, "deck").total() == 0
    assert cards_in(game, "discard").total() == len(rest[30:])


def test_JT_7_while_hands_are_dealt():
    rest = [c for c in ALL if c not in "徒花器用格"]
    piles = {("point", 0): " ".join(rest[:30]), "discard": " ".join(rest[32:]), "to_turn": ""}
    game = given("徒花器用格", "用", piles=piles, served=[0, 1, 2])
    two = from_top(game, "deck")
    game.play("=徒")
    assert set(two) <= set(cards_in(game, "hand", 0))
    new = game.record()["events"][-1][1].split()[1:]
    assert Counter(new) == Counter(rest[32:]) + Counter("花器用格")
    assert cards_in(game, "hand", 1) == Counter(new[1:4])


def too_few(left, discard="", **more):
    """After this answer the next turn's cards are to be taken; `left` is how many cards the pile has for it."""
    used = "徒花器用格" + discard
    rest = [c for c in ALL if c not in used]
    hands = {("hand", 0): " ".join(rest[left : left + 6]), ("hand", 2): " ".join(rest[left + 6 : left + 12])}
    points = rest[left + 12 :]
    piles = {("point", 0): " ".join(points), "discard": " ".join(discard), "to_turn": ""}
    return given("徒花器用格", "用", piles=hands | piles, served=[0, 1, 2], **more), points


@pytest.mark.parametrize(
    ("left", "discard", "void"), [(2, "", True), (3, "", False), (2, "文", False), (1, "文", True)]
)
def test_JT_7_too_few_cards_for_a_turn_make_the_round_void(left, discard, void):
    game, points = too_few(left, discard=discard, barred=[0, 0, 1])
    game.play("pass")
    assert (game.seat, game.state.dealer) == (1, 1)  # who was to take them deals
    assert field(game, "barred") == [0, 0, 1]
    assert cards_in(game, "point", 0) == Counter(points)
    hands = [cards_in(game, "hand", seat).total() for seat in range(3)]
    if not void:
        assert hands == [6, 5, 6]
        return
    assert hands == [3, 3, 3]
    new = game.record()["events"][-1][1].split()[1:]
    assert Counter(new) + Counter(points) == Counter(ALL)
    assert [cards_in(game, "hand", seat) for seat in range(3)] == [Counter(new[i : i + 3]) for i in (0, 3, 6)]
    assert cards_in(game, "turned") == {new[9]: 1}
    assert cards_in(game, "discard").total() == 0
    for viewer in (0, 2, None):  # the hands were not shown
        assert game.view(viewer)["piles"]["hand"][1] == {"size": 3, "cards": []}
        assert all(card["card"] is None for card in game.story(viewer)[-2]["cards"]
                   if card["from"] == ["hand", 1] and card["to"] == ["deck", None])  # fmt: skip


def test_JT_7_a_round_of_a_small_deck_runs_out():
    game = dealt("jukugo_ten", 4, [deck(THIRTY, THIRTY), "start 0"], **SMALL, lexicon="none")
    deals_and_passes(game, turns=4)  # 30 = 4 x 3 + 4 x 4 + 2
    assert game.log(None)[-1] == ["*", "deck ?"]
    assert game.seat == 0
    assert [cards_in(game, "hand", seat).total() for seat in range(4)] == [3] * 4


# --------------------------------------------------------------------------------------------------- false calls


@pytest.mark.parametrize(
    "laid_",
    [
        ["徒花", "格用"],  # no word
        ["徒花", "用"],
        ["器用"],  # worth 6
        ["徒花", "花器"],  # one card twice is refused before it is a call: see below
    ],
)
def test_JT_8_what_is_laid_is_no_win(laid_):
    game = given("徒花器用格", "用")
    claim = [list(word) for word in laid_]
    if Counter("".join(laid_)) - Counter("徒花器用格"):
        with pytest.raises(tefuda.IllegalMove) as refused:
            game.claim("hand", claim, claim[0][0])
        assert refused.value.why == "absent"
    else:
        assert game.claim("hand", claim, claim[0][0]) == "false"


@pytest.mark.parametrize(
    ("hand", "new", "laid_", "why", "about"),
    [
        ("徒花器用格", "用", ["徒花", "格用"], "none", ("格用",)),
        ("徒花器用格", "格", ["徒花", "器用"], "new", ()),
        ("徒花器用格", "用", ["器用"], "points", ()),
    ],
)
def test_JT_8_a_false_call_says_why(hand, new, laid_, why, about):
    judged = given(hand, new).judge("hand", [list(word) for word in laid_], laid_[0][0])
    assert (judged.text, judged.why, judged.about) == ("false", why, about)


def test_JT_8_a_call_that_leaves_out_the_new_card_is_false():
    game = given("徒花器用格", "格")
    assert game.claim("hand", [["徒", "花"], ["器", "用"]], "徒") == "false"
    game = given("徒花器用格人", "格")
    assert game.claim("hand", [["徒", "花"], ["器", "用"], ["人", "格"]], "徒") == "=徒"


def test_JT_8_exactly_the_goal_is_no_false_call():
    claim = [["地", "位"], ["名", "主"]]
    assert given("地位名主", "位").claim("hand", claim, "位") == "=位"
    assert given("地位名主", "位", goal=11).claim("hand", claim, "位") == "false"


def test_JT_8_a_true_call_wins_with_the_card_to_be_kept():
    game = given("徒花器用格", "用")
    assert game.claim("hand", [["徒", "花"], ["器", "用"]], "花") == "=花"
    for keep, why in (("格", "keep"), (None, "keep")):
        with pytest.raises(tefuda.IllegalMove) as refused:
            game.claim("hand", [["徒", "花"], ["器", "用"]], keep)
        assert refused.value.why == why


def test_JT_8_a_false_call():
    game = given("徒花器用格", "格", piles={("hand", 0): "月 給"})
    assert game.moves(person=True) == ["pass", "false"]
    assert game.view(0)["piles"]["hand"][1]["cards"] == []
    game.play("false")
    for viewer in (0, 1, 2, None):
        view = game.view(viewer)
        assert Counter(view["piles"]["hand"][1]["cards"]) == Counter("徒花器用格")
        assert view["state"]["barred"] == [0, 1, 0]
        assert [bool(view["piles"]["hand"][0]["cards"])] == [viewer == 0]
    assert (game.seat, cards_in(game, "turned")) == (0, {"大": 1})  # the dealing goes on
    assert game.moves() == [">0", ">2"]


def test_JT_8_a_person_who_could_win_can_call_falsely_too():
    game = given("徒花器用格", "用")
    assert game.moves(person=True)[-1] == "false"
    assert "false" not in game.moves()
    assert game.moves(person=True, assist=True)[-1] == "false"  # assist shows words; it does not hinder a wrong call


def test_JT_8_who_is_barred_can_only_let_it_pass():
    game = given("徒花器用格", "用", barred=[0, 1, 0])
    assert game.moves(person=True) == ["pass"]
    for text in ("=徒", "false"):
        with pytest.raises(tefuda.IllegalMove):
            game.play(text)


def test_JT_8_barred_until_somebody_else_wins():
    game = given("徒花器用格", "用", piles={("hand", 2): "地 名 主"}, barred=[1, 0, 1])
    game.play("=徒")
    assert field(game, "barred") == [0, 0, 0]
    game = plays(given("徒花器用格", "格", barred=[1, 0, 0]), "false")
    assert field(game, "barred") == [1, 1, 0]


def test_JT_8_the_last_card_of_a_turn_may_be_called_falsely():
    game = plays(given("徒花器用格", "格", piles={"to_turn": ""}, served=[0, 1, 2]), "false")
    assert (game.seat, game.state.dealer) == (1, 1)
    assert field(game, "barred") == [0, 1, 0]
    assert len(game.moves()) == 3


def test_JT_8_when_everyone_is_barred_the_round_is_void():
    game = given("徒花器用格", "格", turn=2, piles={("hand", 0): "月 給", ("point", 0): "経"}, barred=[1, 1, 0])
    game.play("false")
    assert field(game, "barred") == [0, 0, 0]
    assert (game.seat, game.state.dealer) == (1, 1)  # left of the dealer 0
    assert [cards_in(game, "hand", seat).total() for seat in range(3)] == [3] * 3
    assert cards_in(game, "point", 0) == {"経": 1}
    assert cards_in(game, "deck").total() == 54 - 1 - 9 - 3
    assert Counter(game.record()["events"][-1][1].split()[1:]) == Counter(ALL) - Counter("経")
    for viewer in (0, 1, 2, None):
        hands = [hand["cards"] for hand in game.view(viewer)["piles"]["hand"]]
        assert [len(hand) for hand in hands] == [3 * (seat == viewer) for seat in range(3)]


def test_JT_8_programs_never_call_falsely():
    game = tefuda.new("jukugo_ten", seed=3, players=["bot:a", "Aki"])
    game.play(next(move for move in game.moves() if move == f">{0}"))
    assert "false" not in game.moves()
    with pytest.raises(tefuda.IllegalMove, match="may not be played now"):
        game.play("false")


def test_JT_8_nobody_calls_while_dealing():
    game = tefuda.new("jukugo_ten", seats=3, seed=3)
    assert set(game.moves(person=True)) == {">0", ">1", ">2"}


# -------------------------------------------------------------------------------------------------------- the end


def test_JT_9_the_third_win_ends_the_game_at_once():
    points = {("point", 0): "月 給", ("point", 1): "経 本", ("hand", 0): "科"}
    game = given("徒花器用格", "用", piles=points, wins=[2, 2, 0])
    assert not game.over
    game.play("=徒")
    assert game.over
    assert game.log(None)[-1] == [1, "=徒"]  # nothing is dealt any more
    assert game.result == {"ranks": [2, 1, 3], "scores": [5, 5 + 1 + 4 + 2, 0], "capped": False}


def test_JT_9_the_second_does_not():
    assert not plays(given("徒花器用格", "用", wins=[1, 1, 2]), "=徒").over


@pytest.mark.parametrize(("wins", "bonus"), [(1, 0), (1, 10), (5, 3)])
def test_JT_9_wins_and_bonus_are_options(wins, bonus):
    game = dealt("jukugo_ten", 3, [deck("徒花器月給文先王歩用大小"), "start 0"], wins=wins, bonus=bonus)
    game.state.wins[0] = wins - 1
    plays(game, ">0", "=花")
    assert game.over
    assert game.result["scores"] == [1 + bonus, 0, 0]
    assert game.result["ranks"] == [1, 2, 2]


def test_JT_9_three_wins_do_not_win_the_game_by_themselves():
    points = {("point", 0): "経 格", ("point", 1): "一 本"}
    game = plays(given("徒花器用", "用", piles=points, wins=[2, 2, 0]), "=用")
    assert game.result["scores"] == [10, 1 + 1 + 2 + 2, 0]
    assert game.result["ranks"] == [1, 2, 3]


def test_JT_9_equal_points_share_a_rank_and_the_next_is_skipped():
    points = {("point", 0): "経 格", ("point", 1): "給 無"}
    game = plays(given("徒花器用", "用", piles=points, wins=[2, 2, 0], bonus=0), "=用")
    assert game.result == {"ranks": [1, 1, 3], "scores": [10, 10, 0], "capped": False}


def test_JT_9_the_joker_counts_one():
    game = plays(given("人々徒花器用", "用", piles={("point", 1): "々"}, wins=[0, 2, 0]), "=徒")
    assert game.result["scores"] == [0, 1 + 4 + 2, 0]


@pytest.mark.parametrize(
    ("name", "wrong"), [("goal", 4), ("goal", 21), ("wins", 0), ("wins", 6), ("bonus", -1), ("bonus", 11)]
)
def test_JT_9_what_the_options_take(name, wrong):
    with pytest.raises(tefuda.OptionError, match=name):
        tefuda.new("jukugo_ten", options={name: wrong})
    for right in {"goal": (5, 20), "wins": (1, 5), "bonus": (0, 10)}[name]:
        assert tefuda.new("jukugo_ten", options={name: right}).options[name] == right
    assert {"goal": 10, "wins": 3, "bonus": 2}.items() <= tefuda.new("jukugo_ten").options.items()


# ------------------------------------------------------------------------------------------------ what can be seen


def test_JT_10_visible():
    hands = ("官学仏", "文科名", "月経国")
    game = plays(dealt("jukugo_ten", 3, [deck("".join(hands) + "書行先"), "start 1"]), ">2")
    for viewer in (0, 1, 2, None):
        view = game.view(viewer)
        piles, state = view["piles"], view["state"]
        assert [hand["size"] for hand in piles["hand"]] == [3, 3, 4]
        for seat, hand in enumerate(hands):
            own = set(hand) if seat == viewer else set()
            assert set(piles["hand"][seat]["cards"]) == own | ({"書"} if seat == 2 else set())
        assert piles["deck"] == {"size": 54 - 9 - 3, "cards": []}
        assert piles["to_turn"] == {"size": 2, "cards": []}
        assert piles["discard"] == {"size": 0, "cards": []}
        assert (state["dealer"], state["barred"], state["wins"]) == (1, [0, 0, 0], [0, 0, 0])
        assert view["log"] == [["*", "deck ?"], ["*", "start 1"], [1, ">2"]]


def test_JT_10_after_a_win_all_hands_lie_in_the_discards():
    game = plays(given("徒花器用格", "用", piles={("hand", 2): "月 給"}), "=徒")
    for viewer in (0, 1, 2, None):
        piles = game.view(viewer)["piles"]
        assert Counter(piles["discard"]["cards"]) == Counter("花器用格月給")
        assert [point["cards"] for point in piles["point"]] == [[], ["徒"], []]


def test_JT_10_what_waits_for_its_place_is_seen_by_all():
    game = dealt("jukugo_ten", 2, [deck("官学仏文科名" + "王事小"), "start 0"])
    assert game.view(None)["piles"]["turned"] == {"size": 1, "cards": ["王"]}
    game.play(">x")
    assert game.view(None)["piles"]["discard"] == {"size": 1, "cards": ["王"]}
    assert game.view(1)["piles"]["turned"]["cards"] == ["事"]


def test_JT_11_the_cap():
    game = given("徒花器用", "用", piles={("point", 0): "経"}, wins=[2, 0, 0], decisions=2999)
    game.play("pass")
    assert game.over
    assert game.result == {"ranks": [1, 2, 2], "scores": [5, 0, 0], "capped": True}  # no bonus
    assert cards_in(game, "turned").total() == 0  # it ends as it stands
    assert not plays(given("徒花器用", "用", decisions=2998), "pass").over


def test_JT_11_a_third_win_on_the_last_decision_is_not_capped():
    game = plays(given("徒花器用", "用", wins=[0, 2, 0], decisions=2999), "=徒")
    assert game.result == {"ranks": [2, 1, 2], "scores": [0, 6, 0], "capped": False}


# ----------------------------------------------------------------------------------------------------- the rest


def test_JK_2_more_cards_than_the_deck_has_are_refused():
    # hands, a turn, and the point cards there can be: 4 x 3 + 4 + 4 x 4 = 32 of 30
    with pytest.raises(tefuda.OptionError, match="needs 32 cards, this deck has 30"):
        tefuda.new("jukugo_ten", seats=4, options={**SMALL, "wins": 5})
    exactly = {"deck": {**SMALL["deck"], "jokers": 2}, "wins": 5}
    assert tefuda.new("jukugo_ten", seats=4, options=exactly)
    for seats, wins in ((4, 4), (3, 5), (2, 5)):
        assert tefuda.new("jukugo_ten", seats=seats, options={**SMALL, "wins": wins})


def test_notation():
    game = given("徒花器用格", "用")
    for text in ("徒", "=格", "=x", "= 徒", "=徒花", "Pass", "pass ", ">1", "False"):
        with pytest.raises(tefuda.IllegalMove):
            game.play(text)
    game.play("pass")
    for text in (">1", ">x", ">00", ">", ">3", "pass", "false"):
        with pytest.raises(tefuda.IllegalMove):
            game.play(text)
    game.play(">0")


def test_moves_have_the_names_that_the_words_know():
    moves = tefuda.new("jukugo_ten").rules.moves
    assert [move.name for move in moves] == ["give", "throw", "pass", "win", "false_call"]
    assert [move.name for move in moves if move.silence] == ["pass"]
    assert [move.name for move in moves if move.found] == ["win"]


def test_estimate_is_the_own_lead_with_the_promise_of_the_words():
    piles = {("point", 0): "経", ("point", 2): "給 一", ("hand", 0): "月 文", ("hand", 2): "地 位"}
    game = given("徒花器用", "用", piles=piles, wins=[1, 0, 2])
    estimate = game.rules.module.estimate

    def all_seats():
        return [estimate(game.state, seat, game.t) for seat in range(3)]

    # 文月 2 of 10 and a 5; 徒花 and 器用, 11, count as 10 of 10; 地位 6 of 10 and 5 points
    standing = [5 + 0.4, 2.0, 5 + 1.2]
    assert all_seats() == pytest.approx([standing[i] - (sum(standing) - standing[i]) / 2 for i in range(3)])
    game.state.barred[1] = 1  # nothing to be hoped for
    standing[1] = 0
    assert all_seats() == pytest.approx([standing[i] - (sum(standing) - standing[i]) / 2 for i in range(3)])
    game.state.wins[2] = 3
    standing[2] += 2
    assert all_seats() == pytest.approx([standing[i] - (sum(standing) - standing[i]) / 2 for i in range(3)])


def test_why_it_ended():
    game = plays(given("徒花器用", "用", wins=[0, 2, 0]), "=徒")
    assert game.rules.module.why(game.view(None)) == ("wins", 1)
    game = plays(given("徒花器用", "用", decisions=2999), "pass")
    assert game.rules.module.why(game.view(None)) == ("capped", 0)


def test_the_tray_is_for_who_was_given_a_card_and_may_call():
    may_call = tefuda.new("jukugo_ten").rules.module.may_call
    game = given("徒花器用", "用")
    assert may_call(game.view(1))
    assert not may_call(given("徒花器用", "用", barred=[1, 1, 0]).view(1))
    assert not may_call(plays(game, "pass").view(0))


def test_a_win_tells_words_that_allow_it():
    told = tefuda.new("jukugo_ten").rules.module.told_words
    hands = "徒花器" + "月給文" + "人々王"
    for keep, cards in (("=徒", "徒花器用"), ("=花", "徒花器用")):
        game = plays(dealt("jukugo_ten", 3, [deck(hands + "用位大"), "start 0"]), ">2", "pass")
        assert told(game.options, game.story(0), 2) == []
        game = plays(dealt("jukugo_ten", 3, [deck(hands + "用位大"), "start 0"]), ">0", keep)
        for viewer in (0, 1, None):
            story = game.story(viewer)
            assert sorted("".join(told(game.options, story, len(story) - 1))) == sorted(cards)
    # 人 is kept and 用 is new: both have their word, though 器用 alone is worth enough
    options = {"goal": 6, "lexicon": "none", "words": ["器用", "人々"]}
    game = plays(dealt("jukugo_ten", 2, [deck("器人々" + "月給文" + "用大小"), "start 1"], **options), ">0", "=人")
    assert sorted(told(game.options, game.story(1), 3)) == ["人々", "器用"]


def test_every_card_is_there_at_every_moment_and_no_more_is_legal_than_the_clauses_say():
    random = Random(4)
    for seats in (2, 3, 4):
        game = tefuda.new("jukugo_ten", seats=seats, seed=seats, options={"deck": "dense", "goal": 12})
        held = every_card(game)
        for _ in range(150):
            moves = game.moves(person=True)
            assert every_card(game) == held
            if game.state.answering:
                assert moves[0] == "pass"
                assert {move[0] for move in moves[1:]} <= {"=", "f"}
            game.play(random.choice(moves))
            if game.over:
                break


def test_the_state_has_no_needless_room():
    rules = tefuda.new("jukugo_ten").rules
    state = rules.state_type
    assert (state.most_cards, state.most_kinds, state.most_seats) == (108, 105, rules.most_seats)
    own = {name: state.shapes[name] for name in state.own}
    assert {name: n for name, n in own.items() if n != 1} == {"served": 5, "barred": 4, "wins": 4}
    assert rules.most_moves == 107  # to pass, a card to keep, and a false call
