"""熟語ダイスキャッチ, clause by clause (the numbers are those of its rules page)."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random

import pytest
from games.positions import cards_in, dealt, field, laid

import tefuda
from tefuda.decks import kanji_decks, lexicon
from tefuda.web.components import scene
from tefuda.words import words

CLAUSES = [f"JC-{n}" for n in range(1, 7)] + [f"JK-{n}" for n in range(1, 8)]

DECK = kanji_decks.deck("reconstruction")
KANJI = [card.kanji for card in DECK.cards]
VALUE = {card.kanji: card.value for card in DECK.cards} | {"々": 1}
WORDS = set(kanji_decks.spellable(DECK, "standard/1"))

TAKING, MAKING, DISCARDING = range(3)


def own_deck(n, jokers=0):
    """A deck of n kanji of the usual one, each worth 2."""
    return {"cards": [[kanji, 2] for kanji in KANJI[:n]], "jokers": jokers}


def taking(row, hands, die, turn=0, pile=None, **options):
    """Seat `turn` has rolled and takes a card. `pile`: how many cards it has, all that are left unless told."""
    piles = {("hand", seat): " ".join(hand) for seat, hand in enumerate(hands)} | {"row": " ".join(row)}
    if pile is not None:
        rest = Counter(KANJI) + Counter({"々": 2})
        rest.subtract("".join([*row, *hands]))
        piles["discard"] = " ".join(list(rest.elements())[pile:])
    return laid("jukugo_dice", len(hands), piles, {"phase": TAKING, "turn": turn, "die": die}, **options)


def making(hands, turn=0, row="文書王国", **options):
    """Seat `turn` has taken a card of the row and makes words."""
    piles = {("hand", seat): " ".join(hand) for seat, hand in enumerate(hands)} | {"row": " ".join(row)}
    return laid("jukugo_dice", len(hands), piles, {"phase": MAKING, "turn": turn, "die": 1}, **options)


def deck(*top, jokers=0):
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
    return {move for move in game.moves() if move != "done"}


def row_of(game):
    """The row from number 1 on."""
    return "".join(game.view(None)["piles"]["row"]["cards"])


def hand_of(game, seat):
    return "".join(sorted(cards_in(game, "hand", seat).elements()))


# -------------------------------------------------------------------------------- what the 熟語 games share (JK)


def test_JK_1_cards():
    game = tefuda.new("jukugo_dice", seats=3, seed=1)
    every = sum((cards_in(game, pile) for pile in ("row", "deck", "discard", "box")), Counter())
    every += sum((cards_in(game, "hand", seat) for seat in range(3)), Counter())
    assert every == Counter(KANJI) + Counter({"々": 2})
    assert len(KANJI) == len(set(KANJI)) == 52
    assert {kanji: VALUE[kanji] for kanji in KANJI} == {kanji: lexicon.grades()[kanji] for kanji in KANJI}


def test_JK_2_which_kanji():
    game = tefuda.new("jukugo_dice", seats=3, seed=1, options={"deck": "dense"})
    dense = kanji_decks.deck("dense")
    assert {kind.name for kind in game.rules.kinds(game.options)} == {card.kanji for card in dense.cards} | {"々"}
    for wrong in ("sparse", own_deck(29), {"cards": []}, 3):
        with pytest.raises(tefuda.OptionError, match="deck"):
            tefuda.new("jukugo_dice", seats=3, options={"deck": wrong})


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_JK_2_the_smallest_deck_is_enough(seats):
    game = tefuda.new("jukugo_dice", seats=seats, seed=1, options={"deck": own_deck(30)})
    assert sum(cards_in(game, "deck").values()) == 30 - 3 * seats - 6
    while not game.over:
        game.play(game.moves()[-1])
    assert len(row_of(game)) == 0


def test_JK_3_words():
    game = making(["徒花器用人々", "日"])
    assert words_among(game) == {"徒花", "器用", "用器", "花器", "人々", "花々", "用人"}
    for no_word in ("々人", "人人", "器徒", "花徒", "人花々", "日"):
        with pytest.raises(tefuda.IllegalMove):
            game.play(no_word)
    assert "中国文学" in words_among(making(["国文中学科", "行"], row="無"))
    game = plays(making(["月給水", "日"]), "月給")
    assert game.moves() == ["done"]  # 給水 needs the same 給
    assert words_among(making(["人々々日", "月"])) == {"人々", "日々", "人日"}  # of two alike cards one move


def test_JK_4_which_words_are_accepted():
    for word in ["徒花", "器用", "月給", "給水", "本人", "中人", "人々", "日々", "月々", "花々", "楽々"]:
        assert word in words_among(making([word, "無"])), word
    for word in ["歩人", "歩先", "先歩", "中歩", "人行", "中先"]:
        assert word not in words_among(making([word, "無"])), word
    assert words_among(making(["徒花器用", "無"], lexicon="common/1")) == {"器用", "花器"}
    assert making(["徒花器用", "無"], lexicon="none", words=["用徒"]).moves() == ["用徒", "done"]


def test_JK_5_a_word_that_the_table_accepts():
    game = making(["花楽器用", "無"])
    game.accept("花楽")
    plays(game, "花楽")
    assert field(game, "points") == [3, 0]
    assert game.log(None)[-2:] == [["*", "word 花楽"], [0, "花楽"]]
    for refused in ("徒花", "花楽", "々花", "花", "花楽器用人", "花山"):
        with pytest.raises(tefuda.IllegalMove):
            game.accept(refused)


def test_JK_6_finding_is_the_game():
    game = making(["月給花徒", "日"])
    assert game.view(0, person=True, assist=False)["moves"] == ["done"]
    assert set(game.view(0, person=True, assist=True)["moves"]) == {"月給", "花月", "徒花", "done"}
    assert game.claim("hand", [["月", "給"]]) == "月給"
    before = game.record()
    with pytest.raises(tefuda.IllegalMove):
        game.claim("hand", [["給", "月"]])
    assert game.record() == before


def test_JK_7_values():
    for word, points in (("日本", 2), ("歩行", 4), ("主役", 6), ("官位", 8), ("人々", 2), ("先々代", 5)):
        assert field(plays(making([word, "無"]), word), "points") == [points, 0]
        assert sum(VALUE[kanji] for kanji in word) == points


# ----------------------------------------------------------------------------------------------- the cards (JC-1)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_JC_1_cards(seats):
    game = tefuda.new("jukugo_dice", seats=seats, seed=1)
    playing = sum((cards_in(game, "hand", seat) for seat in range(seats)), Counter())
    playing += cards_in(game, "row") + cards_in(game, "deck")
    jokers = 2 if seats == 3 else 0
    assert playing == Counter(KANJI) + Counter({"々": jokers})
    assert cards_in(game, "box") == Counter({"々": 2 - jokers})


def test_JC_1_all_jokers_stay_in_the_box():
    game = tefuda.new("jukugo_dice", seats=4, seed=1, options={"deck": own_deck(40, jokers=4)})
    assert cards_in(game, "box") == {"々": 4}


@pytest.mark.parametrize("seats", [1, 5])
def test_JC_1_is_for_two_to_four(seats):
    with pytest.raises(tefuda.OptionError, match="2 to 4"):
        tefuda.new("jukugo_dice", seats=seats)


# ------------------------------------------------------------------------------------------------- the deal (JC-2)


def test_JC_2_deal():
    game = dealt("jukugo_dice", 2, [deck("徒花器", "用格月", "給水文楽人本"), "start 1", "roll 4"])
    assert [hand_of(game, seat) for seat in range(2)] == ["".join(sorted(h)) for h in ("徒花器", "用格月")]
    assert row_of(game) == "給水文楽人本"  # the first turned is number 1
    assert sum(cards_in(game, "deck").values()) == 52 - 6 - 6
    assert (game.seat, game.state.phase, game.state.die) == (1, TAKING, 4)


def test_JC_2_start():
    starts = Counter()
    for seed in range(200):
        game = tefuda.new("jukugo_dice", seats=3, seed=seed)
        assert game.log(None)[1] == ["*", f"start {game.seat}"]
        starts[game.seat] += 1
    assert min(starts[seat] for seat in range(3)) > 40


# ------------------------------------------------------------------------------------------------- a turn (JC-3)


def test_JC_3_a_die_of_six():
    rolls = Counter(tefuda.new("jukugo_dice", seats=2, seed=seed).state.die for seed in range(300))
    assert set(rolls) == set(range(1, 7))
    assert min(rolls.values()) > 25


@pytest.mark.parametrize("die", range(1, 7))
def test_JC_3_what_may_be_taken(die):
    game = taking("花書立人月本", ["日", "先"], die)
    assert game.moves() == ["pile", *(str(number) for number in range(1, die + 1))]
    with pytest.raises(tefuda.IllegalMove):
        game.play(str(die + 1))
    with pytest.raises(tefuda.IllegalMove):
        game.play("done")  # taking is compulsory


@pytest.mark.parametrize("number", range(1, 7))
def test_JC_3_from_the_row(number):
    row = "花書立人月本"
    game = plays(taking(row, ["日", "先"], 6), str(number))
    assert hand_of(game, 0) == "".join(sorted("日" + row[number - 1]))
    closed = row[: number - 1] + row[number:]
    assert row_of(game) == closed
    assert (game.seat, game.state.phase, game.state.from_deck) == (0, MAKING, 0)
    top = game.notation.cards[game.state.card[game.rules.module.DECK, game.state.size[game.rules.module.DECK] - 1]]
    plays(game, "done")
    assert row_of(game) == closed + top  # one card from the pile becomes the new last
    assert cards_in(game, "discard") == {}
    assert (game.seat, game.state.phase) == (1, TAKING)
    assert game.log(None)[-1] == ["*", f"roll {game.state.die}"]


def test_JC_3_from_the_pile():
    game = dealt("jukugo_dice", 2, [deck("徒花器", "用格月", "給水文楽人本", "行先"), "start 1", "roll 1"])
    plays(game, "pile")
    assert (hand_of(game, 1), row_of(game)) == ("".join(sorted("用格月行")), "給水文楽人本")
    assert game.state.from_deck == 1
    plays(game, "done")
    assert row_of(game) == "水文楽人本先"  # number 1 is discarded, the row closes up and gets one card
    assert cards_in(game, "discard") == {"給": 1}
    assert game.seat == 0


def test_JC_3_words_as_in_the_draft():
    game = making(["徒花器用格", "月給水文楽"], row="王国")
    plays(game, "器用", "徒花")
    assert (game.seat, field(game, "points")) == (0, [11, 0])
    assert (hand_of(game, 0), cards_in(game, "made", 0)) == ("格", Counter("器用徒花"))
    assert game.moves() == ["done"]
    plays(game, "done")
    assert (game.seat, game.state.phase) == (1, TAKING)


def test_JC_3_six_or_more_discard():
    game = making(["徒官事家科位", "無"])
    plays(game, "done")
    assert (game.seat, game.state.phase) == (0, DISCARDING)
    assert set(game.moves()) == {f"-{card}" for card in "徒官事家科位"}
    assert row_of(game) == "文書王国"  # refilled only when the discards are over
    plays(game, "-位")
    assert set(game.moves()) == {f"-{card}" for card in "徒官事家科"} | {"done"}
    plays(game, "-徒", "-官")
    assert hand_of(game, 0) == "".join(sorted("事家科"))
    plays(game, "done")
    assert (game.seat, game.state.phase, len(row_of(game))) == (1, TAKING, 5)
    assert game.view(None)["piles"]["discard"]["cards"] == list("官徒位")  # the latest on top


def test_JC_3_all_may_be_discarded():
    game = plays(making(["徒官事家科位", "無"]), "done", *(f"-{card}" for card in "徒官事家科位"))
    assert game.moves() == ["done"]
    plays(game, "done")
    assert game.seat == 1


@pytest.mark.parametrize(("hand", "words"), [("徒官事家科", []), ("徒花事家科位", ["徒花"])])
def test_JC_3_five_or_fewer_do_not_discard(hand, words):
    game = plays(making([hand, "無"]), *words, "done")
    assert (game.seat, game.state.phase) == (1, TAKING)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_JC_3_the_left_neighbour_is_next(seats):
    game = tefuda.new("jukugo_dice", seats=seats, seed=5)
    seat = game.seat
    for _ in range(2 * seats):
        assert (game.seat, game.state.phase) == (seat, TAKING)
        plays(game, "1", "done")
        if game.state.phase == DISCARDING:
            plays(game, game.moves()[0], "done")
        seat = (seat + 1) % seats


def test_JC_3_a_game_by_the_clauses():
    """Legal moves, the row and the points of random games, compared with the clauses read once more."""
    for seed in range(9):
        seats, random = 2 + seed % 3, Random(seed)
        game = tefuda.new("jukugo_dice", seats=seats, seed=seed)
        points, row, from_pile = [0] * seats, row_of(game), False
        while not game.over:
            seat, phase, hand = game.seat, game.state.phase, cards_in(game, "hand", game.seat)
            stock = sum(cards_in(game, "deck").values())
            if phase == TAKING:
                assert row_of(game) == row
                assert len(row) == 6 or stock == 0
                reach = range(1, min(game.state.die, len(row)) + 1)
                expected = {str(n) for n in reach} | ({"pile"} if stock else set())
            elif phase == MAKING:
                expected = spelled_by(list(hand.elements())) | {"done"}
            else:
                expected = {f"-{card}" for card in hand} | ({"done"} if hand.total() <= 5 else set())
            assert set(game.moves()) == expected
            assert len(game.moves()) == len(expected)
            text = random.choice(game.moves())
            game.play(text)
            if phase == TAKING:
                from_pile = text == "pile"
                if not from_pile:
                    row = row[: int(text) - 1] + row[int(text) :]
            elif phase == MAKING and text != "done":
                points[seat] += sum(VALUE[kanji] for kanji in text)
            elif text == "done" and game.state.phase != DISCARDING:
                row = row[1:] if from_pile else row
                row += row_of(game)[len(row) :] if stock else ""
                assert row_of(game) == row
        assert game.result["scores"] == points == field(game, "points")
        assert (row, sum(cards_in(game, "deck").values())) == ("", 0)


def test_JC_3_there_is_room_for_every_word_of_six_cards():
    cards = KANJI[:6]
    every = ["".join(word) for n in (2, 3, 4) for word in permutations(cards, n)]
    game = making([cards, KANJI[6]], row=KANJI[7:9], lexicon="none", words=every)
    assert set(game.moves()) == {*every, "done"}
    assert len(game.moves()) == game.rules.most_moves == 511


# ------------------------------------------------------------------------------------------- the pile empty (JC-4)


def test_JC_4_only_the_row_and_it_is_not_refilled():
    game = taking("花書立人", ["日", "先"], 6, pile=0)
    assert game.moves() == ["1", "2", "3", "4"]
    plays(game, "2", "done")
    assert row_of(game) == "花立人"
    assert (game.seat, game.state.phase) == (1, TAKING)
    assert game.moves() == [str(n) for n in range(1, min(game.state.die, 3) + 1)]


def test_JC_4_the_last_card_of_the_pile():
    game = taking("花書立人月本", ["日", "先"], 3, pile=1)
    assert game.moves() == ["pile", "1", "2", "3"]
    plays(game, "pile", "done")
    assert row_of(game) == "書立人月本"  # number 1 is still discarded, nothing comes in its place
    assert game.view(None)["piles"]["discard"]["cards"][0] == "花"
    assert (game.over, game.seat) == (False, 1)


def test_JC_4_the_last_card_of_the_pile_goes_to_the_row():
    game = plays(taking("花書立人月本", ["日", "先"], 3, pile=1), "3", "done")
    assert len(row_of(game)) == 6
    assert row_of(game).startswith("花書人月本")
    assert sum(cards_in(game, "deck").values()) == 0


# ------------------------------------------------------------------------------------------------- the end (JC-5)


def test_JC_5_the_last_turn_is_finished():
    game = taking("位", ["徒官事家科", "器用"], 6, pile=0)
    assert game.moves() == ["1"]
    plays(game, "1")
    assert not game.over
    plays(game, "done")
    assert (game.over, game.state.phase) == (False, DISCARDING)
    plays(game, "-位")
    assert not game.over
    plays(game, "done")
    assert game.over
    assert game.result == {"ranks": [1, 1], "scores": [0, 0], "capped": False}
    view = game.view(None)
    assert (view["seat"], view["state"]["over"], view["state"]["turn_over"]) == (None, 1, 1)


def test_JC_5_words_of_the_last_turn_count():
    game = plays(taking("花", ["徒", "器用"], 1, pile=0), "1", "徒花", "done")
    assert game.over
    assert game.result == {"ranks": [1, 2], "scores": [5, 0], "capped": False}  # 器用, left in hand, counts nothing


def test_JC_5_pile_and_row_end_together():
    game = plays(taking("花", ["徒", "器用"], 1, pile=1), "pile", "done")
    assert game.over  # the last of the pile was taken and number 1 discarded


def test_JC_5_it_goes_on_while_there_is_either():
    assert not plays(taking("花書", ["徒", "器用"], 1, pile=0), "1", "done").over
    assert not plays(taking("花", ["徒", "器用"], 1, pile=1), "1", "done").over  # the pile's last is the row now
    game = plays(taking("花", ["徒", "器用"], 1, pile=5), "1", "done")
    assert (game.over, game.view(None)["state"]["turn_over"]) == (False, 0)


def test_JC_5_ranks():
    for points, ranks in (([5, 9, 5, 0], [2, 1, 2, 4]), ([3, 3, 3, 3], [1, 1, 1, 1]), ([0, 1, 2, 3], [4, 3, 2, 1])):
        game = laid("jukugo_dice", 4, {}, {"over": 1, "points": points})
        assert game.result == {"ranks": ranks, "scores": points, "capped": False}


# ------------------------------------------------------------------------------------------- what is seen (JC-6)


def test_JC_6_visible():
    hands = ("徒花器", "用格月", "給水文")
    game = dealt("jukugo_dice", 3, [deck(*hands, "楽人本行先歩", "中", jokers=2), "start 0", "roll 2"])
    plays(game, "pile", "徒花")
    for viewer in (0, 1, 2, None):
        view = game.view(viewer)
        piles, state = view["piles"], view["state"]
        assert [set(hand["cards"]) for hand in piles["hand"]] == [set("器中"), set("用格月"), set("給水文")]
        assert [set(made["cards"]) for made in piles["made"]] == [set("徒花"), set(), set()]
        assert piles["row"]["cards"] == list("楽人本行先歩")
        assert piles["deck"] == {"size": 54 - 9 - 6 - 1, "cards": []}
        assert (state["die"], state["phase"], state["points"]) == (2, MAKING, [5, 0, 0])
        assert view["log"] == [["*", "deck ?"], ["*", "start 0"], ["*", "roll 2"], [0, "pile"], [0, "徒花"]]
    game = tefuda.new("jukugo_dice", seats=2, seed=1)
    assert [game.view(viewer)["piles"]["box"]["cards"] for viewer in (0, 1, None)] == [["々", "々"]] * 3


def test_JC_6_the_row_lies_from_number_1_on_and_is_chosen_by_number():
    game = taking("花書立人月本", ["日", "先"], 3)
    shown = scene(game.rules, game.view(0, person=True), game.story(0), "ja", {})
    row = next(pile for pile in shown.middle if pile.name == "row")
    assert [pick.card.name for pick in row.picks] == list("花書立人月本")
    assert [(pick.input.name, pick.input.value) for pick in row.picks] == [("part.place", str(n)) for n in range(1, 7)]
    assert [pick.input.enabled for pick in row.picks] == [True] * 3 + [False] * 3
    assert shown.questions == []
    watching = scene(game.rules, game.view(None), game.story(None), "ja", {})
    assert all(pick.input is None for pile in watching.middle if pile.name == "row" for pick in pile.picks)


# ------------------------------------------------------------------------------------------------ notation and page


def test_notation():
    game = taking("花書立王月場", ["日本人", "先"], 3)
    for text in ("0", "4", "01", "花", "-日", "日本", "Pile", "roll 3", "?", ""):
        with pytest.raises(tefuda.IllegalMove):
            game.play(text)
    plays(game, "pile")
    for text in ("pile", "1", "-日", "花", "本日人", "日 本"):
        with pytest.raises(tefuda.IllegalMove):
            game.play(text)
    plays(game, "日本人")


def test_moves_have_the_names_that_the_words_know():
    moves = tefuda.new("jukugo_dice", seats=2).rules.moves
    assert [move.name for move in moves] == ["take_top", "take", "word", "discard", "done"]
    assert [move.name for move in moves if move.found] == ["word"]
    assert [move.name for move in moves if move.silence] == ["done"]
    assert next(move for move in moves if move.found).parts["word"].of == "hand"


def test_the_log_says_that_there_is_no_word_only_where_none_was_made():
    game = plays(making(["月給", "日"]), "月給", "done", "1", "done")
    told = [event.sentence for event in words(game.rules, "ja").tell(game.story(None), str)]
    assert told.count("「月給」を作った") == told.count("熟語なし") == 1


def test_estimate_is_the_lead_in_points_and_promised_words():
    game = making(["徒花器用格", "月給水", "無"])
    game.state.points[0], game.state.points[1] = 3, 7
    estimate = game.rules.module.estimate
    standing = [3 + 0.8 * (6 + 5), 7 + 0.8 * 5, 0]
    for seat in range(3):
        others = sum(standing) - standing[seat]
        assert estimate(game.state, seat, game.t) == pytest.approx(standing[seat] - others / 2)


def test_why_it_ended():
    game = laid("jukugo_dice", 2, {}, {"over": 1})
    assert game.rules.module.why(game.view(None)) == ("used_up", 0)


def test_the_page_offers_a_tray_while_words_may_be_made():
    offered = making(["月給", "日"]).rules.module.may_make_words
    assert offered(making(["月給", "日"]).view(0))
    assert not offered(taking("花月", ["日", "先"], 3).view(0))
    discarding = plays(making(["徒官事家科位", "無"]), *["done"] * 1)
    assert discarding.state.phase == DISCARDING
    assert not offered(discarding.view(0))


def test_the_state_has_no_needless_room():
    rules = tefuda.new("jukugo_dice", seats=2).rules
    state = rules.state_type
    assert (state.most_cards, state.most_kinds, state.most_seats) == (108, 105, rules.most_seats)
    own = {name: state.shapes[name] for name in state.own}
    assert {name: length for name, length in own.items() if length != 1} == {"points": 4}
