"""熟語ドラフト, clause by clause (the numbers are those of its rules page)."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random

import pytest
from games.positions import cards_in, dealt, field, laid

import tefuda
from tefuda.decks import kanji_decks, lexicon
from tefuda.words import words

CLAUSES = [f"JD-{n}" for n in range(1, 7)] + [f"JK-{n}" for n in range(1, 8)]

DECK = kanji_decks.deck("reconstruction")
KANJI = [card.kanji for card in DECK.cards]
VALUE = {card.kanji: card.value for card in DECK.cards} | {"々": 1}
WORDS = set(kanji_decks.spellable(DECK, "standard/1"))
TURNED = {2: 3, 3: 3, 4: 4, 5: 5}

TAKING, MAKING, DISCARDING = range(3)


def own_deck(n, jokers=0):
    """A deck of n kanji of the usual one, each worth 2."""
    return {"cards": [[kanji, 2] for kanji in KANJI[:n]], "jokers": jokers}


def taking(up, hands, turn=0, first=0, **options):
    """Seat `turn` takes a card of this field, in the turn of seat `first`."""
    piles = {("hand", seat): " ".join(hand) for seat, hand in enumerate(hands)} | {"field": " ".join(up)}
    return laid("jukugo_draft", len(hands), piles, {"phase": TAKING, "turn": turn, "first": first}, **options)


def making(hands, turn=0, first=0, **options):
    """Seat `turn` makes words, in the turn of seat `first`."""
    piles = {("hand", seat): " ".join(hand) for seat, hand in enumerate(hands)}
    return laid("jukugo_draft", len(hands), piles, {"phase": MAKING, "turn": turn, "first": first}, **options)


def deck(*top, jokers=2):
    """A deck with these cards on top and the rest below."""
    cards = Counter(KANJI) + Counter({"々": jokers})
    cards.subtract("".join(top))
    assert min(cards.values()) >= 0
    return "deck " + " ".join([*"".join(top), *cards.elements()])


def plays(game, *texts):
    for text in texts:
        game.play(text)
    return game


def spelled_by(hand):
    """The words of a hand (JK-3), found by trying every order."""
    tried = ("".join(cards) for n in (2, 3, 4) for cards in permutations(hand, n))
    return {word for word in tried if word in WORDS}


def words_among(game):
    return {move for move in game.moves() if move != "done" and len(move) > 1 and not move.startswith("-")}


def hand_of(game, seat):
    return "".join(sorted(cards_in(game, "hand", seat).elements()))


# -------------------------------------------------------------------------------- what the 熟語 games share (JK)


def test_JK_1_cards():
    game = tefuda.new("jukugo_draft", seats=2, seed=1)
    every = sum((cards_in(game, pile) for pile in ("field", "deck", "out", "discard", "box")), Counter())
    every += cards_in(game, "hand", 0) + cards_in(game, "hand", 1)
    assert every == Counter(KANJI) + Counter({"々": 2})
    assert len(KANJI) == len(set(KANJI)) == 52
    assert {kanji: VALUE[kanji] for kanji in KANJI} == {kanji: lexicon.grades()[kanji] for kanji in KANJI}


def test_JK_2_which_kanji():
    assert set("徒花器用格月給水文楽人本行先歩中立場車風理科面牛王日音") <= set(KANJI)
    game = tefuda.new("jukugo_draft", seats=3, seed=1, options={"deck": "dense"})
    dense = kanji_decks.deck("dense")
    assert {kind.name for kind in game.rules.kinds(game.options)} == {card.kanji for card in dense.cards} | {"々"}
    for wrong in ("sparse", own_deck(29), {"cards": []}, 3):
        with pytest.raises(tefuda.OptionError, match="deck"):
            tefuda.new("jukugo_draft", seats=3, options={"deck": wrong})


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_JK_2_the_smallest_deck_is_enough(seats):
    game = tefuda.new("jukugo_draft", seats=seats, seed=1, options={"deck": own_deck(30)})
    turns = 0
    while not game.over:
        turns += game.state.phase == TAKING and game.seat == game.state.first
        game.play(game.moves()[-1])
    assert turns == (30 - 3 * seats) // TURNED[seats]


def test_JK_3_words():
    game = making(["徒花器用人々", "日"])
    assert words_among(game) == {"徒花", "器用", "用器", "花器", "人々", "花々", "用人"}
    for no_word in ("々人", "人人", "器徒", "花徒", "人花々", "日"):
        with pytest.raises(tefuda.IllegalMove):
            game.play(no_word)


def test_JK_3_three_and_four_cards():
    game = making(["日本人道中無", "行"])
    assert words_among(game) >= {"日本人", "道中", "日本中", "日中"}
    assert "中国文学" in words_among(making(["国文中学科", "行"]))
    assert "日本音楽" in words_among(making(["音本楽日", "行"]))


def test_JK_3_each_card_once():
    game = plays(making(["月給水", "日"]), "月給")
    assert game.moves() == ["done"]  # 給水 is gone
    assert words_among(making(["人々々日", "月"])) == {"人々", "日々", "人日"}  # of two alike cards one move
    game = plays(making(["人々日", "月"]), "人々")
    assert game.moves() == ["done"]  # 日々 needs another joker


def test_JK_4_which_words_are_accepted():
    must_be = ["徒花", "器用", "月給", "文楽", "給水", "本人", "中人", "人々", "日々", "月々", "花々", "楽々", "国々"]
    for word in must_be:
        assert word in words_among(making([word, "無"])), word
    for word in ["歩人", "歩先", "先歩", "中歩", "人行", "中先"]:
        assert word not in words_among(making([word, "無"])), word
    assert "徒花" not in words_among(making(["徒花器用", "無"], lexicon="common/1"))
    assert "器用" in words_among(making(["徒花器用", "無"], lexicon="common/1"))
    assert making(["徒花器用", "無"], lexicon="none").moves() == ["done"]
    assert making(["徒花器用", "無"], lexicon="none", words=["用徒"]).moves() == ["用徒", "done"]
    with pytest.raises(tefuda.OptionError, match="lexicon"):
        tefuda.new("jukugo_draft", options={"lexicon": "standard/0"})


def test_JK_5_a_word_that_the_table_accepts():
    game = making(["花楽器用", "無"])
    assert "花楽" not in game.moves()
    game.accept("花楽")
    assert "花楽" in game.moves()
    plays(game, "花楽")
    assert field(game, "points") == [3, 0]
    assert game.log(None)[-2:] == [["*", "word 花楽"], [0, "花楽"]]
    game = tefuda.new("jukugo_draft", seats=2, seed=1)
    game.accept("花楽")
    game.play(game.moves()[0])
    game.undo()
    assert game.record()["events"][-1] == ["*", "word 花楽"]  # undoing a move never undoes a word
    for refused in ("徒花", "花楽", "々花", "花", "花楽器用人", "花山", "花楽花楽"):
        with pytest.raises(tefuda.IllegalMove):
            game.accept(refused)


def test_JK_6_finding_is_the_game():
    game = making(["月給花徒", "日"])
    assert game.view(0, person=True, assist=False)["moves"] == ["done"]
    assert game.view(0, person=True, assist=True)["moves"] == game.moves() == ["月給", "徒花", "花月", "done"]
    assert game.claim("hand", [["月", "給"]]) == "月給"  # found unaided it is a move like any
    before = game.record()
    for wrong in (["給", "月"], ["月", "月"], ["日", "月"]):
        with pytest.raises(tefuda.IllegalMove):
            game.claim("hand", [wrong])
    assert game.record() == before  # at no cost


def test_JK_7_values():
    for grade, word, points in ((1, "日本", 2), (2, "歩行", 4), (3, "主役", 6), (4, "官位", 8)):
        assert all(VALUE[kanji] == grade for kanji in word)
        assert field(plays(making([word, "無"]), word), "points") == [points, 0]
    assert field(plays(making(["仏経", "無"], words=["仏経"]), "仏経"), "points") == [10, 0]
    assert field(plays(making(["人々", "無"]), "人々"), "points") == [2, 0]  # the joker counts 1


# ----------------------------------------------------------------------------------------------- the cards (JD-1)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_JD_1_cards(seats):
    game = tefuda.new("jukugo_draft", seats=seats, seed=1)
    playing = sum((cards_in(game, "hand", seat) for seat in range(seats)), Counter())
    playing += cards_in(game, "field") + cards_in(game, "deck") + cards_in(game, "out")
    jokers = 2 if seats <= 3 else 0
    assert playing == Counter(KANJI) + Counter({"々": jokers})
    assert cards_in(game, "box") == Counter({"々": 2 - jokers})


def test_JD_1_all_jokers_stay_in_the_box():
    game = tefuda.new("jukugo_draft", seats=4, seed=1, options={"deck": own_deck(40, jokers=4)})
    assert cards_in(game, "box") == {"々": 4}


@pytest.mark.parametrize("seats", [1, 6])
def test_JD_1_is_for_two_to_five(seats):
    with pytest.raises(tefuda.OptionError, match="2 to 5"):
        tefuda.new("jukugo_draft", seats=seats)


# ------------------------------------------------------------------------------------------------- the deal (JD-2)


def test_JD_2_three_each_from_the_top_seat_by_seat():
    game = dealt("jukugo_draft", 3, [deck("徒花器", "用格月", "給水文", "楽人本"), "start 2"])
    assert [hand_of(game, seat) for seat in range(3)] == ["".join(sorted(h)) for h in ("徒花器", "用格月", "給水文")]
    assert cards_in(game, "field") == Counter("楽人本")
    assert cards_in(game, "out") == {}
    assert sum(cards_in(game, "deck").values()) == 54 - 9 - 3
    assert (game.seat, game.state.first, game.state.phase) == (2, 2, TAKING)


def test_JD_2_two_go_out_unseen_with_five():
    game = dealt(
        "jukugo_draft", 5, [deck("徒花器", "用格月", "給水文", "楽人本", "行先歩", "中立", jokers=0), "start 0"]
    )
    assert cards_in(game, "out") == Counter("中立")
    for viewer in (0, 4, None):
        assert game.view(viewer)["piles"]["out"] == {"size": 2, "cards": []}


@pytest.mark.parametrize(("seats", "out"), [(2, 0), (3, 0), (4, 0), (5, 2)])
def test_JD_2_how_many_go_out(seats, out):
    game = tefuda.new("jukugo_draft", seats=seats, seed=2)
    assert sum(cards_in(game, "out").values()) == out
    assert sum(cards_in(game, "field").values()) == TURNED[seats]


@pytest.mark.parametrize(
    ("seats", "kanji", "jokers", "out"), [(2, 31, 2, 0), (3, 40, 1, 2), (4, 31, 2, 3), (5, 39, 0, 4)]
)
def test_JD_2_the_pile_comes_out_even_with_any_deck(seats, kanji, jokers, out):
    game = tefuda.new("jukugo_draft", seats=seats, seed=2, options={"deck": own_deck(kanji, jokers)})
    assert sum(cards_in(game, "out").values()) == out
    while not game.over:
        game.play(game.moves()[-1])
    assert sum(cards_in(game, "deck").values()) == sum(cards_in(game, "field").values()) == 0


def test_JD_2_start():
    starts = Counter()
    for seed in range(200):
        game = tefuda.new("jukugo_draft", seats=3, seed=seed)
        assert game.log(None)[-1] == ["*", f"start {game.seat}"]
        starts[game.seat] += 1
    assert min(starts[seat] for seat in range(3)) > 40


# ------------------------------------------------------------------------------------------------- a turn (JD-3)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("first", [0, 1])
def test_JD_3_a_turn(seats, first):
    jokers = 2 if seats <= 3 else 0
    game = dealt("jukugo_draft", seats, [deck(jokers=jokers), f"start {first}"])
    order = [(first + i) % seats for i in range(seats)]
    for i, seat in enumerate(order):
        assert (game.seat, game.state.phase, game.state.first) == (seat, TAKING, first)
        up = cards_in(game, "field")
        assert sum(up.values()) == TURNED[seats] - i
        assert set(game.moves()) == set(up)
        card = game.moves()[-1]
        game.play(card)
        assert card in hand_of(game, seat)
    assert sum(cards_in(game, "field").values()) == 0
    assert sum(cards_in(game, "discard").values()) == (1 if seats == 2 else 0)
    for seat in order:
        assert (game.seat, game.state.phase) == (seat, MAKING)
        assert game.moves()[-1] == "done"
        game.play("done")
    # four cards each: nobody discards, and the left neighbour has a turn
    assert (game.seat, game.state.phase, game.state.first) == (order[1], TAKING, order[1])
    assert sum(cards_in(game, "field").values()) == TURNED[seats]


def test_JD_3_taking_is_compulsory_and_any_card_of_the_field():
    game = taking("花月々", ["日", "本", "車"], turn=1, first=1)
    assert game.moves() == ["月", "花", "々"]
    plays(game, "々")
    assert (game.seat, game.moves()) == (2, ["月", "花"])
    plays(game, "花")
    assert (game.seat, game.moves()) == (0, ["月"])
    with pytest.raises(tefuda.IllegalMove):
        game.play("done")


def test_JD_3_with_two_the_third_is_discarded():
    game = taking("花月々", ["日", "本"], turn=1, first=1)
    plays(game, "花", "々")
    assert (cards_in(game, "discard"), cards_in(game, "field")) == ({"月": 1}, {})
    assert (hand_of(game, 0), hand_of(game, 1)) == ("々日", "本花")


def test_JD_3_only_those_with_six_or_more_discard_from_the_turns_player_on():
    hands = ["徒官事家科", "仏名書経国先", "小大一理無給日", "同代位花器物"]
    game = plays(making(hands, turn=2, first=2), "done", "done", "done", "done")
    assert (game.seat, game.state.phase) == (2, DISCARDING)
    assert set(game.moves()) == {f"-{card}" for card in hands[2]}
    plays(game, "-無")
    assert set(game.moves()) == {f"-{card}" for card in "小大一理給日"}  # six are left: not done yet
    plays(game, "-小")
    assert set(game.moves()) == {f"-{card}" for card in "大一理給日"} | {"done"}
    plays(game, "-大", "done")
    assert (game.seat, hand_of(game, 2)) == (3, "".join(sorted("一理給日")))
    plays(game, "-花", "done")  # seat 0 has five and is not asked
    assert game.seat == 1
    plays(game, "-国", "done")
    assert (game.seat, game.state.phase, game.state.first) == (3, TAKING, 3)
    assert cards_in(game, "discard") == Counter("無小大花国")
    assert hand_of(game, 0) == "".join(sorted(hands[0]))
    assert game.view(None)["piles"]["discard"]["cards"] == list("国花大小無")  # the latest on top


def test_JD_3_all_may_be_discarded():
    game = plays(making(["日本", "仏名書経国先"], first=0), "done", "done")
    plays(game, *(f"-{card}" for card in "仏名書経国先"))
    assert game.moves() == ["done"]
    plays(game, "done")
    assert (game.state.phase, game.seat) == (TAKING, 1)


def test_JD_3_words_may_bring_a_hand_to_five():
    game = plays(making(["月給日本人花", "先"], first=0), "月給", "done", "done")
    assert (game.state.phase, game.seat) == (TAKING, 1)


def test_JD_3_everybody_makes_words_before_anybody_discards():
    game = plays(making(["官事家科名音", "月給"], first=0), "done")
    assert (game.seat, game.state.phase, game.moves()) == (1, MAKING, ["月給", "done"])
    plays(game, "月給", "done")
    assert (game.seat, game.state.phase) == (0, DISCARDING)


# -------------------------------------------------------------------------------------------- making words (JD-4)


def test_JD_4_words():
    game = making(["徒花器用格", "月給水文楽"])
    plays(game, "器用")
    assert (game.seat, field(game, "points")) == (0, [6, 0])
    plays(game, "徒花", "done")
    assert field(game, "points") == [11, 0]
    assert (hand_of(game, 0), cards_in(game, "made", 0)) == ("格", Counter("器用徒花"))
    plays(game, "月給", "文楽")
    assert field(game, "points") == [11, 8]
    assert game.moves() == ["done"]  # 給水 needs 給 again
    assert (hand_of(game, 1), cards_in(game, "made", 1)) == ("水", Counter("月給文楽"))


def test_JD_4_a_long_word_and_a_joker():
    game = plays(making(["日本人々", "月"]), "日本人")
    assert field(game, "points") == [3, 0]
    game = plays(making(["先代々", "月"]), "先々代")
    assert field(game, "points") == [5, 0]
    game = plays(making(["同一人物", "月"]), "同一人物")
    assert field(game, "points") == [7, 0]


def test_JD_4_a_game_by_the_clauses():
    """Legal moves and points of random games, compared with the clauses read once more."""
    for seed in range(8):
        seats, random = 2 + seed % 4, Random(seed)
        game = tefuda.new("jukugo_draft", seats=seats, seed=seed)
        points = [0] * seats
        while not game.over:
            seat, phase, hand = game.seat, game.state.phase, cards_in(game, "hand", game.seat)
            if phase == TAKING:
                expected = set(cards_in(game, "field"))
            elif phase == MAKING:
                expected = spelled_by(list(hand.elements())) | {"done"}
            else:
                expected = {f"-{card}" for card in hand} | ({"done"} if hand.total() <= 5 else set())
            assert set(game.moves()) == expected
            assert len(game.moves()) == len(expected)
            text = random.choice(game.moves())
            game.play(text)
            points[seat] += sum(VALUE[kanji] for kanji in text) if phase == MAKING and text != "done" else 0
            assert field(game, "points") == points
        assert game.result["scores"] == points


def test_JD_4_there_is_room_for_every_word_of_six_cards():
    cards = KANJI[:6]
    every = ["".join(word) for n in (2, 3, 4) for word in permutations(cards, n)]
    game = making([cards, KANJI[6]], lexicon="none", words=every)
    assert set(game.moves()) == {*every, "done"}
    assert len(game.moves()) == game.rules.most_moves == 511


# ------------------------------------------------------------------------------------------------- the end (JD-5)


@pytest.mark.parametrize(("seats", "turns"), [(2, 16), (3, 15), (4, 10), (5, 7)])
def test_JD_5_turns(seats, turns):
    game = tefuda.new("jukugo_draft", seats=seats, seed=3)
    taken = 0
    while not game.over:
        taken += game.state.phase == TAKING
        game.play(game.moves()[-1])
    assert taken == turns * seats
    assert game.state.first == (int(game.log(None)[1][1].split()[1]) + turns - 1) % seats
    assert game.result["capped"] is False


def test_JD_5_the_last_turn_is_finished():
    everything = [*KANJI, "々", "々"]
    hands = ["月給日本人花", "器用徒先"]
    rest = Counter(everything)
    rest.subtract("".join(hands))
    piles = {("hand", 0): " ".join(hands[0]), ("hand", 1): " ".join(hands[1]), "discard": " ".join(rest.elements())}
    game = laid("jukugo_draft", 2, piles, {"phase": MAKING, "turn": 1, "first": 1})
    assert cards_in(game, "deck") == cards_in(game, "field") == {}
    plays(game, "器用", "done")
    assert not game.over
    plays(game, "done")
    assert not game.over  # seat 0 has six cards and discards first
    plays(game, "-花")
    assert not game.over
    plays(game, "done")
    assert game.over
    assert game.result == {"ranks": [2, 1], "scores": [0, 6], "capped": False}  # what is left in hand counts nothing
    view = game.view(None)
    assert (view["seat"], view["state"]["over"], view["state"]["turn_over"]) == (None, 1, 1)


def test_JD_5_it_goes_on_while_there_is_a_pile():
    game = plays(making(["日本", "月給"]), "done", "done")
    assert not game.over
    assert game.view(None)["state"]["turn_over"] == 0


def test_JD_5_ranks():
    for points, ranks in (([5, 9, 5, 0], [2, 1, 2, 4]), ([3, 3, 3, 3], [1, 1, 1, 1]), ([0, 1, 2, 3], [4, 3, 2, 1])):
        game = laid("jukugo_draft", 4, {}, {"over": 1, "points": points})
        assert game.result == {"ranks": ranks, "scores": points, "capped": False}


# ------------------------------------------------------------------------------------------- what is seen (JD-6)


def test_JD_6_visible():
    hands = ("徒花器", "用格月", "給水文", "楽人本", "行先歩")
    game = dealt("jukugo_draft", 5, [deck(*hands, "中立", "場車風理科", jokers=0), "start 0"])
    plays(game, "場", "車", "風", "理", "科", "徒花", "done", "done", "done")
    for viewer in (0, 1, 4, None):
        view = game.view(viewer)
        piles, state = view["piles"], view["state"]
        assert [hand["size"] for hand in piles["hand"]] == [2, 4, 4, 4, 4]
        assert [set(hand["cards"]) for hand in piles["hand"]] == [
            set(hand) for hand in ("器場", "用格月車", "給水文風", "楽人本理", "行先歩科")
        ]
        assert [set(made["cards"]) for made in piles["made"]] == [set("徒花"), set(), set(), set(), set()]
        assert piles["deck"] == {"size": 30, "cards": []}
        assert piles["out"] == {"size": 2, "cards": []}
        assert piles["box"]["cards"] == ["々", "々"]
        assert (state["first"], state["phase"], state["points"]) == (0, MAKING, [5, 0, 0, 0, 0])
        assert view["log"][0] == ["*", "deck ?"]
        assert view["log"][2:] == [
            *[[seat, card] for seat, card in enumerate("場車風理科")],
            *[[0, "徒花"], [0, "done"], [1, "done"], [2, "done"]],
        ]


def test_JD_6_the_pile_stays_hidden_and_the_field_does_not():
    game = plays(making(["日本", "月給"]), "done", "done")
    assert game.state.phase == TAKING
    for viewer in (0, 1, None):
        piles = game.view(viewer)["piles"]
        assert Counter(piles["field"]["cards"]) == cards_in(game, "field")
        assert piles["deck"]["cards"] == []


# ------------------------------------------------------------------------------------------------ notation and page


def test_notation():
    game = taking("花月車", ["日本人", "先"], turn=0)
    for text in ("done", "日本", "-日", "々", "花月", "?", " 花", "花 "):
        with pytest.raises(tefuda.IllegalMove):
            game.play(text)
    plays(game, "花", "車")
    for text in ("花", "-花", "本日人", "Done", "日本 ", "日 本", "日本,日本人"):
        with pytest.raises(tefuda.IllegalMove):
            game.play(text)
    plays(game, "日本人")


def test_moves_have_the_names_that_the_words_know():
    moves = tefuda.new("jukugo_draft", seats=2).rules.moves
    assert [move.name for move in moves] == ["take", "word", "discard", "done"]
    assert [move.name for move in moves if move.found] == ["word"]
    assert [move.name for move in moves if move.silence] == ["done"]
    assert next(move for move in moves if move.found).parts["word"].of == "hand"


def test_the_log_says_that_there_is_no_word_only_where_none_was_made():
    game = plays(making(["月給", "日"]), "月給", "done", "done")
    told = [event.sentence for event in words(game.rules, "ja").tell(game.story(None), str)]
    assert told[-3:-1] == ["「月給」を作った", "熟語なし"]


def test_estimate_is_the_lead_in_points_and_promised_words():
    game = making(["徒花器用格", "月給水", "無"])
    game.state.points[0], game.state.points[1] = 3, 7
    estimate = game.rules.module.estimate
    standing = [3 + 0.8 * (6 + 5), 7 + 0.8 * 5, 0]
    for seat in range(3):
        others = sum(standing) - standing[seat]
        assert estimate(game.state, seat, game.t) == pytest.approx(standing[seat] - others / 2)


def test_why_it_ended():
    game = laid("jukugo_draft", 2, {}, {"over": 1})
    assert game.rules.module.why(game.view(None)) == ("used_up", 0)


def test_the_page_offers_a_tray_while_words_may_be_made():
    offered = making(["月給", "日"]).rules.module.may_make_words
    assert offered(making(["月給", "日"]).view(0))
    assert not offered(taking("花月", ["日", "先"]).view(0))
    discarding = plays(making(["徒官事家科位", "無"]), *["done"] * 2)
    assert discarding.state.phase == DISCARDING
    assert not offered(discarding.view(0))


def test_the_state_has_no_needless_room():
    rules = tefuda.new("jukugo_draft", seats=2).rules
    state = rules.state_type
    assert (state.most_cards, state.most_kinds, state.most_seats) == (108, 105, rules.most_seats)
    own = {name: state.shapes[name] for name in state.own}
    assert {name: length for name, length in own.items() if length != 1} == {"points": 5}
