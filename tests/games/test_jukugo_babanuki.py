"""熟語ババ抜き, clause by clause (the numbers are those of its rules page)."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from games.positions import cards_in, dealt, from_start, laid

import tefuda
from tefuda.decks import kanji_decks, lexicon

CLAUSES = [f"JK-{n}" for n in range(1, 8)] + [f"JB-{n}" for n in range(1, 7)]

KANJI = "人中日本月給花徒国家先歩格水楽神文学大小一名車音官立地場書物行風仏経王事理無同代位器用和職道主役牛科面前"

VALUES = {kanji: 1 + i % 5 for i, kanji in enumerate(KANJI)}
WORDS = ["人中", "中人", "日本", "本日", "本人", "月給", "徒花", "国家", "人々", "日々", "日本人", "中人々"]

OWN = {
    "lexicon": "none",
    "deck": {"cards": [[kanji, VALUES[kanji]] for kanji in KANJI], "jokers": 2},
    "words": WORDS,
}


def holding(*hands, turn=0, **options):
    """Seat `turn` has drawn and may show a word; the hands as told (others one card each where that is enough)."""
    piles = {("hand", seat): " ".join(hand) for seat, hand in enumerate(hands)}
    fields = {"round": 1, "turn": turn, "drawn_from": -1}
    return laid("jukugo_babanuki", len(hands), piles, fields, **{**OWN, **options})


def last_turn(*hands, **options):
    """The last player of the last round has drawn and may show a word; `hands` of all."""
    seats = len(hands)
    rounds = options.get("rounds", 4)
    game = holding(*hands, turn=seats - 1, **options)
    game.state.round, game.state.turns = rounds, seats - 1
    return game


def moments(seats, seed, **options):
    """A game after each of its decisions."""
    game = tefuda.new("jukugo_babanuki", seats=seats, seed=seed, options=options)
    while not game.over:
        game.play(game.moves()[-1])
        yield game


def words_of_two(hand, words):
    return sorted({a + b for a, b in permutations(hand, 2)} & set(words))


def deck_text(top):
    """A deck with these cards on top, the rest of OWN below."""
    rest = Counter([*KANJI, "々", "々"])
    rest.subtract(top)
    assert min(rest.values()) >= 0
    return "deck " + " ".join([*top, *rest.elements()])


# ------------------------------------------------------------------------------------ what the 熟語 games share


def test_JK_1_deck():
    game = tefuda.new("jukugo_babanuki", seats=2, seed=1)
    every = cards_in(game, "hand", 0) + cards_in(game, "hand", 1) + cards_in(game, "deck")
    assert every.total() == 54
    assert every["々"] == 2
    assert len(every) == 53
    assert set(every.values()) == {1, 2}


def test_JK_1_the_two_jokers_are_alike():
    game = holding("人々々日", "月")
    assert game.moves() == ["人々", "日々"]


def test_JK_2_decks():
    built_in = kanji_decks.built_in()
    assert set(built_in) == {"reconstruction", "dense"}
    assert tefuda.new("jukugo_babanuki").options["deck"] == "reconstruction"
    for name, deck in built_in.items():
        game = tefuda.new("jukugo_babanuki", seats=2, seed=1, options={"deck": name})
        every = cards_in(game, "hand", 0) + cards_in(game, "hand", 1) + cards_in(game, "deck")
        assert every == Counter([card.kanji for card in deck.cards] + ["々"] * 2)
    with pytest.raises(tefuda.OptionError, match="deck"):
        tefuda.new("jukugo_babanuki", options={"deck": "published"})


@pytest.mark.parametrize(("kanji", "jokers", "seats"), [(30, 0, 3), (30, 4, 3), (32, 4, 4)])
def test_JK_2_a_deck_of_ones_own_needs_nine_cards_a_player(kanji, jokers, seats):
    deck = {"cards": [[one, 9] for one in KANJI[:kanji]], "jokers": jokers}
    game = tefuda.new("jukugo_babanuki", seats=seats, seed=1, options={"deck": deck})
    dealt_cards = sum((cards_in(game, "hand", seat) for seat in range(seats)), Counter())
    assert (dealt_cards + cards_in(game, "deck")).total() == kanji + jokers
    with pytest.raises(tefuda.OptionError, match="cards"):
        tefuda.new("jukugo_babanuki", seats=seats + 1, options={"deck": deck})


def test_JK_2_the_most_cards_and_the_most_words_of_a_hand():
    kanji = [chr(0x4E00 + i) for i in range(104)]
    deck = {"cards": [[one, 1] for one in kanji], "jokers": 4}
    words = [a + b for a, b in permutations(kanji[:10], 2)]
    options = {"deck": deck, "words": words, "lexicon": "none", "must": False}
    game = laid("jukugo_babanuki", 6, {("hand", 0): " ".join(kanji[:10])}, {"round": 1}, **options)
    assert sum(pile.total() for pile in (cards_in(game, "deck"), cards_in(game, "hand", 0))) == 108
    assert sorted(game.moves()) == sorted([*words, "pass"])
    assert len(game.moves()) == game.rules.most_moves


def test_JK_3_words():
    game = holding("人々日本", "月")
    assert set(game.moves()) == {"日本", "本日", "本人", "人々", "日々"}
    for none in ("々人", "々日", "人人", "人", "人日", "々々"):
        with pytest.raises(tefuda.IllegalMove):
            game.play(none)


def test_JK_3_each_card_is_used_once_and_a_card_that_is_not_held_never():
    game = holding("本日国", "家人")
    assert set(game.moves()) == {"日本", "本日"}
    for absent in ("国家", "本人"):
        with pytest.raises(tefuda.IllegalMove):
            game.play(absent)


def test_JK_4_which_words_count():
    hand = "徒花月給歩先人"
    options = {"deck": "reconstruction", "words": []}
    both = holding(hand, "国", lexicon="standard/1", **options)
    common = holding(hand, "国", lexicon="common/1", **options)
    none = holding(hand, "国", lexicon="none", **options)
    assert tefuda.new("jukugo_babanuki").options["lexicon"] == "standard/1"
    assert {"徒花", "月給"} <= set(both.moves())
    assert not {"歩先", "先歩", "歩人"} & set(both.moves())
    assert set(both.moves()) == set(words_of_two(hand, lexicon.words("standard/1")))
    assert set(common.moves()) == set(words_of_two(hand, lexicon.words("common/1")))
    assert "徒花" not in common.moves()
    assert none.moves() == ["pass"]


def test_JK_4_every_two_kanji_word_of_a_hand_is_a_move():
    for seed in range(20):
        game = tefuda.new("jukugo_babanuki", seats=3, seed=seed)
        hand = list(cards_in(game, "hand", game.seat).elements())
        words = words_of_two(hand, lexicon.words("standard/1"))
        assert sorted(game.moves()) == (words or ["pass"])


def test_JK_5_a_word_of_the_table():
    game = holding("先歩", "月")
    assert game.moves() == ["pass"]
    game.accept("先歩")
    assert game.moves() == ["先歩"]
    assert game.events[-1].entry == "先歩"
    for refused in ("先歩", "々先", "先", "猫々", "日本"):
        with pytest.raises(tefuda.IllegalMove):
            game.accept(refused)


def test_JK_5_a_word_is_in_the_record_and_undoing_keeps_it():
    game = dealt("jukugo_babanuki", 2, [deck_text("先歩国日文学大小一名車音官立地場書物"), "start 0", "take 名"], **OWN)
    game.accept("先歩")
    game.play("先歩")
    assert game.record()["events"][3:5] == [["*", "word 先歩"], [0, "先歩"]]
    assert tefuda.from_record(game.record()).record() == game.record()
    game.undo()
    assert "先歩" in game.moves()


def test_JK_6_finding_is_the_game():
    game = holding("人中々", "月")
    assert game.moves(person=True, assist=False) == ["pass"]
    assert set(game.moves(person=True)) == {"人中", "中人", "人々"}
    assert game.view(0, person=True, assist=False)["moves"] == ["pass"]
    game.play(game.claim("hand", [["中", "人"]]))
    assert cards_in(game, "discard") == Counter("中人")


def test_JK_6_a_claim_that_is_no_word_costs_nothing():
    game = holding("人中々国日本", "月家")
    before = game.record()
    for laid_down in (["人", "国"], ["々", "人"], ["国", "家"], ["人", "人"], []):
        with pytest.raises(tefuda.IllegalMove):
            game.play(game.claim("hand", [laid_down]))
    with pytest.raises(tefuda.IllegalMove):  # a word, but of three
        game.play("日本人")
    assert game.record() == before
    assert game.seat == 0


def test_JK_7_values():
    game = holding("人中日本月", "々")
    value = game.t.value
    assert [value[game.notation.kind_of[kanji]] for kanji in KANJI] == [VALUES[kanji] for kanji in KANJI]
    assert value[game.notation.kind_of["々"]] == 0
    for name, deck in kanji_decks.built_in().items():
        game = tefuda.new("jukugo_babanuki", options={"deck": name})
        for card in deck.cards:
            assert game.t.value[game.notation.kind_of[card.kanji]] == card.value


# ---------------------------------------------------------------------------------------------------- the game


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_JB_1_deal(seats):
    game = tefuda.new("jukugo_babanuki", seats=seats, seed=3)
    left = (game.seat + 1) % seats
    for seat in range(seats):
        n = 10 if seat == game.seat else 8 if seat == left else 9  # the first card is drawn at once
        assert cards_in(game, "hand", seat).total() == n
    assert cards_in(game, "deck").total() == 54 - 9 * seats
    assert cards_in(game, "discard") == {}
    for viewer in (*range(seats), None):
        assert game.view(viewer)["piles"]["deck"] == {"size": 54 - 9 * seats, "cards": []}


def test_JB_1_hands_come_from_the_top_seat_by_seat():
    top = "人中日本月給花徒国家先歩格水楽神文学大小一名車音官立"
    game = dealt("jukugo_babanuki", 2, [deck_text(top), "start 1", "take 人"], **OWN)
    assert cards_in(game, "hand", 0) == Counter(top[1:9])
    assert cards_in(game, "hand", 1) == Counter(top[9:18] + "人")
    assert game.seat == 1


@pytest.mark.parametrize("seats", [1, 7])
def test_JB_1_is_for_two_to_six(seats):
    with pytest.raises(tefuda.OptionError, match="2 to 6"):
        tefuda.new("jukugo_babanuki", seats=seats)


def test_JB_1_start():
    starts = Counter()
    for seed in range(200):
        game = tefuda.new("jukugo_babanuki", seats=3, seed=seed, options=OWN)
        assert game.log(None)[1] == ["*", f"start {game.seat}"]
        starts[game.seat] += 1
    assert min(starts[seat] for seat in range(3)) > 40


def test_JB_2_the_card_comes_from_the_left_neighbour_each_as_likely():
    taken = Counter()
    for seed in range(250):
        game = tefuda.new("jukugo_babanuki", seats=3, seed=seed, options=OWN)
        who, what = game.record()["events"][2]
        assert (who, what[:5]) == ("*", "take ")
        deck = game.record()["events"][0][1].split()[1:]
        left = (game.seat + 1) % 3
        hand = deck[9 * left : 9 * left + 9]
        assert what[5:] in hand
        assert game.state.drawn_from == left
        taken[sorted(hand).index(what[5:])] += 1
    assert len(taken) == 9
    assert min(taken.values()) > 8


def test_JB_2_exactly_one_word_goes_and_the_left_neighbour_has_the_turn():
    game = holding("人中国家格", "月給日", "水楽")
    assert set(game.moves()) == {"人中", "中人", "国家"}
    game.play("国家")
    assert cards_in(game, "discard") == Counter("国家")
    assert cards_in(game, "hand", 0) == Counter("人中格")
    assert game.seat == 1
    assert cards_in(game, "hand", 1).total() == 4  # and has drawn
    assert cards_in(game, "hand", 2).total() == 1


def test_JB_2_the_same_cards_in_another_order_are_another_word():
    for word in ("人中", "中人"):
        game = holding("人中格", "月給日")
        game.play(word)
        assert cards_in(game, "discard") == Counter("人中")
        assert [0, word] in game.log(None)


def test_JB_2_only_words_of_two():
    game = holding("日本人々", "月")
    assert set(game.moves()) == {"日本", "本日", "本人", "人々", "日々"}
    for long in ("日本人", "中人々"):
        with pytest.raises(tefuda.IllegalMove):
            game.play(long)


def test_JB_2_turns_go_to_the_left():
    for seats in (2, 3, 6):
        game = tefuda.new("jukugo_babanuki", seats=seats, seed=seats)
        first = game.seat
        for turn in range(4 * seats):
            assert game.seat == (first + turn) % seats
            assert game.state.round == 1 + turn // seats
            game.play(game.moves()[0])
        assert game.over


@pytest.mark.parametrize("must", [True, False])
def test_JB_3_not_showing(must):
    with_word, without = holding("人中", "月", must=must), holding("人月", "中", must=must)
    words = {"人中", "中人"}
    assert set(with_word.moves()) == (words if must else {*words, "pass"})
    assert without.moves() == ["pass"]
    # a person may overlook a word whatever `must` says, unless assist shows it
    assert set(with_word.moves(person=True, assist=False)) == {"pass"}
    assert [with_word.notation.text(move) for move in with_word.legal(person=True)].count("pass") == 1
    assisted = {with_word.notation.text(move) for move in with_word.legal(person=True, assist=True)}
    assert assisted == (words if must else {*words, "pass"})
    assert [without.notation.text(move) for move in without.legal(person=True, assist=True)] == ["pass"]


def test_JB_3_what_a_list_of_moves_held_before_does_not_matter():
    game = holding("人月", "中")
    moves = [0, *[7] * game.rules.most_moves]
    game.rules.module.find_legal(game.state, moves, game.t)
    assert [game.notation.text(move) for move in moves[1 : moves[0] + 1]] == ["pass"]


def test_JB_3_must_is_true_unless_told():
    assert tefuda.new("jukugo_babanuki").options["must"] is True


def test_JB_3_a_person_passes_with_a_word_in_hand():
    game = holding("人中", "月日")
    game.play("pass")
    assert cards_in(game, "hand", 0) + cards_in(game, "hand", 1) == Counter("人中月日")
    assert cards_in(game, "discard") == {}
    assert game.seat == 1


def test_JB_3_a_record_may_tell_of_a_word_overlooked():
    game = dealt("jukugo_babanuki", 2, [deck_text("人中国日文学大小一名車音官立地場書物"), "start 0", "take 名"], **OWN)
    game.play("pass")
    assert tefuda.from_record(game.record()).record() == game.record()


def test_JB_3_with_assist_nobody_overlooks_a_word():
    game = holding("人中", "月日")
    with pytest.raises(tefuda.IllegalMove):
        game.play("pass", assist=True)
    game = holding("人月", "中日")
    game.play("pass", assist=True)
    game = holding("人中", "月日", must=False)
    game.play("pass", assist=True)


@pytest.mark.parametrize("rounds", [None, 1, 3, 8])
@pytest.mark.parametrize("seats", [2, 5])
def test_JB_4_end(rounds, seats):
    options = {} if rounds is None else {"rounds": rounds}
    *_, game = moments(seats, 4, **options)
    assert sum(who != "*" for who, _ in game.log(None)) == (rounds or 4) * seats
    assert game.result["capped"] is False
    assert game.state.round == (rounds or 4)


@pytest.mark.parametrize("rounds", [0, 9, "4", None])
def test_JB_4_rounds_are_one_to_eight(rounds):
    with pytest.raises(tefuda.OptionError, match="rounds"):
        tefuda.new("jukugo_babanuki", options={"rounds": rounds})


def test_JB_4_fewer_cards_first():
    # 給 counts 1, 日本 3 + 4, 人中 1 + 2 points
    game = last_turn("日本", "人中国", "給")
    game.play("pass")
    assert VALUES["給"] == 1
    assert game.result == {"ranks": [2, 3, 1], "scores": [-2, -3, -1], "capped": False}


def test_JB_4_then_fewer_points_and_the_joker_counts_nothing():
    assert [VALUES[kanji] for kanji in "人中日"] == [1, 2, 3]
    game = last_turn("日", "人", "々", "中")
    game.play("pass")
    assert game.result == {"ranks": [4, 2, 1, 3], "scores": [-1] * 4, "capped": False}
    game = last_turn("々日", "人中", "給本")
    game.play("pass")
    assert [VALUES[kanji] for kanji in "給本"] == [1, 4]
    assert game.result["ranks"] == [1, 1, 3]


def test_JB_4_else_shared():
    game = last_turn("", "", "人")
    game.play("pass")
    assert game.result == {"ranks": [1, 1, 3], "scores": [0, 0, -1], "capped": False}


def test_JB_4_an_empty_hand_does_not_end_the_game():
    game = holding("人中", "月日", "国格")
    game.play("人中")
    assert not game.over
    assert game.seat == 1


def test_JB_4_the_hands_are_laid_open_to_be_compared():
    game = last_turn("日", "人", "々")
    for viewer in (0, 1, 2, None):
        known = [bool(hand["cards"]) for hand in game.view(viewer)["piles"]["hand"]]
        assert known == [seat == viewer for seat in range(3)]
    game.play("pass")
    for viewer in (0, 1, 2, None):
        assert [hand["cards"] for hand in game.view(viewer)["piles"]["hand"]] == [["日"], ["人"], ["々"]]


def test_JB_4_no_card_is_drawn_after_the_end():
    game = last_turn("日本", "人中")
    game.play("人中")
    assert game.over
    assert cards_in(game, "hand", 0) == Counter("日本")
    assert game.log(None)[-1] == [1, "人中"]


def test_JB_5_an_empty_neighbour():
    # seat 0 plays; the next on turn is 1, whose left neighbours 2 and 3 have nothing
    game = holding("人中国", "月", "", "", "日")
    game.play("人中")
    assert game.seat == 1
    assert game.state.drawn_from == 4
    assert cards_in(game, "hand", 1) == Counter("月日")
    assert game.record()["events"][-1] == ["*", "take 日"]


def test_JB_5_round_the_table():
    game = holding("国", "月", "", turn=0)
    game.play("pass")
    assert (game.seat, game.state.drawn_from) == (1, 0)
    assert cards_in(game, "hand", 1) == Counter("月国")
    game.play("pass")
    assert (game.seat, game.state.drawn_from) == (2, 1)  # seat 0 has nothing left


def test_JB_5_nobody_else_has_a_card():
    game = holding("人中", "月給")
    game.play("人中")
    assert game.seat == 1
    assert game.state.drawn_from == -1
    assert game.record()["events"][-1] == [0, "人中"]  # no `take`
    assert game.moves() == ["月給"]
    game.play("月給")
    assert game.record()["events"][-1] == [1, "月給"]
    assert game.moves() == ["pass"]


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_JB_5_cannot_happen_in_four_rounds(seats):
    for seed in range(5):
        for game in moments(seats, seed, **OWN):
            if not game.over:
                assert game.state.drawn_from == (game.seat + 1) % seats


def test_JB_6_visible():
    top = "人中日本月給花徒国家先歩格水楽神文学大小一名車音官立地"
    game = dealt("jukugo_babanuki", 3, [deck_text(top), "start 2", "take 中"], **OWN)
    for viewer in (0, 1, 2, None):
        log = game.log(viewer)
        assert log == [["*", "deck ?"], ["*", "start 2"], ["*", "take 中" if viewer in (0, 2) else "take ?"]]
        piles = game.view(viewer)["piles"]
        assert [hand["size"] for hand in piles["hand"]] == [8, 9, 10]
        for seat in range(3):
            told = piles["hand"][seat]["cards"]
            if seat == viewer:
                assert len(told) == piles["hand"][seat]["size"]
            else:
                assert told == (["中"] if (viewer, seat) == (0, 2) else [])
        assert piles["deck"]["cards"] == []
        assert game.view(viewer)["state"]["round"] == 1
        assert game.view(viewer)["state"]["drawn_from"] == 0


def test_JB_6_words_are_seen_by_all_and_cards_drawn_on_are_forgotten():
    game = holding("人中国", "月", "日本徒")
    game.play("人中")
    assert game.view(None)["piles"]["discard"]["cards"] == ["人", "中"]
    drawn = game.record()["events"][-1][1].split()[1]
    assert game.view(2)["piles"]["hand"][1]["cards"] == [drawn]
    assert game.view(0)["piles"]["hand"][1]["cards"] == []
    game.play("pass")  # seat 2 draws from seat 0
    game.play(game.moves()[0])  # seat 0 draws from seat 1: seat 2 cannot tell which card
    assert game.seat == 0
    assert game.view(2)["piles"]["hand"][1]["cards"] == []


# ------------------------------------------------------------------------------------------------- all the rest


def test_notation():
    game = holding("人中徒花", "月")
    assert {game.notation.text(move) for move in game.legal(person=True)} == {"人中", "中人", "徒花", "pass"}
    for text in ("花徒", "人 中", "人中 ", "Pass", "pass ", "", "人", "take 月", "word 人中"):
        with pytest.raises(tefuda.IllegalMove):
            game.play(text)


def test_moves_have_the_names_that_the_words_know():
    moves = tefuda.new("jukugo_babanuki").rules.moves
    assert [(move.name, move.found, move.overlooks) for move in moves] == [("show", True, False), ("pass", False, True)]


def test_the_lone_move_that_a_person_lays_cards_for():
    move = tefuda.new("jukugo_babanuki").rules.moves[0]
    part = move.parts["word"]
    assert (part.list, part.of, part.join, part.hidden) == ("words", "hand", "", False)


def test_estimate_wants_few_cards_that_make_words_or_cost_little():
    hands = ("人中格", "日々", "国", "")
    game = holding(*hands)
    points = [sum(VALUES.get(kanji, 0) for kanji in hand) for hand in hands]
    makes_words = [2, 2, 0, 0]
    expected = [-n - 0.02 * p + 0.5 * w for n, p, w in zip((3, 2, 1, 0), points, makes_words, strict=True)]
    estimate = game.rules.module.estimate
    assert [estimate(game.state, seat, game.t) for seat in range(4)] == pytest.approx(expected, abs=1e-12)


def test_why_it_ended():
    game = last_turn("日", "人")
    game.play("pass")
    assert game.rules.module.why(game.view(None)) == ("rounds", 0)


def test_a_record_played_again_is_the_same():
    *_, game = moments(4, 11, **OWN)
    assert from_start(game).seat == int(game.record()["events"][1][1].split()[1])
    assert tefuda.from_record(game.record()).result == game.result


def test_the_state_has_no_needless_room():
    rules = tefuda.new("jukugo_babanuki").rules
    state = rules.state_type
    assert (state.most_cards, state.most_kinds, state.most_seats) == (108, 105, rules.most_seats)
    assert {name: state.shapes[name] for name in state.own} == {"round": 1, "turns": 1, "drawn_from": 1}
