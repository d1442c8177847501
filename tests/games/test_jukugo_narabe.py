"""熟語並べ, clause by clause (the numbers are those of its rules page)."""

from __future__ import annotations

from collections import Counter

import pytest
from games.positions import cards_in, dealt, laid

import tefuda
from tefuda.decks import kanji_decks, lexicon
from tefuda.engine.chance import SeededChance

CLAUSES = [f"JK-{n}" for n in range(1, 8)] + [f"JN-{n}" for n in range(1, 8)]

KANJI = "人月花国本日徒給家学生名神中大小文水車音楽格官立地場書物一先行風仏経王事理無同代位器用和職道主役牛科歩前"
VALUES = {kanji: 1 + i % 5 for i, kanji in enumerate(KANJI)}
WORDS = [
    "本人", "日本", "本日", "日々", "人々", "神々", "国家", "徒花", "月給", "学徒", "学生", "一生", "日本人", "家々",
]  # fmt: skip

OWN = {
    "lexicon": "none",
    "deck": {"cards": [[kanji, VALUES[kanji]] for kanji in KANJI], "jokers": 2},
    "words": WORDS,
}
ALL = Counter([*KANJI, "々", "々"])


def table(columns, *hands, bank="立地", pile=None, discard="", turn=0, **fields):
    """Seat `turn` begins its turn: these columns, hands, bank and discards. `pile`: the pile from the top down (all
    that is left unless told; what is told to be nowhere is put into the last hand)."""
    places = {f"column{n}": card for n, card in enumerate(columns, 1)}
    places |= {("hand", seat): " ".join(hand) for seat, hand in enumerate(hands)}
    places |= {"bank": " ".join(bank), "discard": " ".join(discard)}
    if pile is not None:
        last = ("hand", len(hands) - 1)
        rest = ALL - Counter("".join([*columns, *hands, *bank, *discard, *pile]))
        places[last] = " ".join([*hands[-1], *rest.elements()])
    game = laid("jukugo_narabe", len(hands), places, {"round": 1, "turn": turn, "start": 0, **fields}, **OWN)
    if pile is not None:
        s, number = game.state, game.rules.state_type.pile_number("deck")
        for i, card in enumerate(reversed(pile)):  # the last place is the top
            s.card[number, i] = game.notation.kind_of[card]
    return game


def plays(game, *texts):
    for text in texts:
        game.play(text)
    return game


def columns_of(game):
    return "".join(next(iter(cards_in(game, f"column{n}"))) for n in range(1, 5))


def hand(game, seat=0):
    return cards_in(game, "hand", seat)


def new_moves(game):
    """The plays among the moves."""
    return sorted(move for move in game.moves() if "@" in move)


def by_the_clauses(held, columns, words):
    """The plays that JN-2 allows: either order, words of two."""
    return sorted(
        f"{card}@{n}" for card in set(held) for n, top in enumerate(columns, 1) if {card + top, top + card} & set(words)
    )


def deck_text(top):
    """A deck with these cards on top, the rest of OWN below."""
    rest = ALL - Counter(top)
    return "deck " + " ".join([*top, *rest.elements()])


# ------------------------------------------------------------------------------------ what the 熟語 games share


def everything(game):
    names = ("deck", "bank", "discard", *(f"column{n}" for n in range(1, 5)))
    held = sum((hand(game, seat) for seat in range(len(game.players))), Counter())
    return held + sum((cards_in(game, name) for name in names), Counter())


def test_JK_1_deck():
    every = everything(tefuda.new("jukugo_narabe", seats=2, seed=1))
    assert every.total() == 54
    assert len(every) == 53
    assert every["々"] == 2


def test_JK_2_decks():
    assert tefuda.new("jukugo_narabe").options["deck"] == "reconstruction"
    for name, deck in kanji_decks.built_in().items():
        game = tefuda.new("jukugo_narabe", seats=2, seed=1, options={"deck": name})
        assert everything(game) == Counter([card.kanji for card in deck.cards] + ["々"] * 2)


@pytest.mark.parametrize(("kanji", "jokers", "seats"), [(32, 4, 3), (36, 0, 3), (42, 4, 4)])
def test_JK_2_a_deck_of_ones_own_needs_cards_for_all(kanji, jokers, seats):
    assert kanji + jokers == 4 + 10 * seats + 2
    cards = [[one, 9] for one in KANJI[:kanji]]
    options = {"deck": {"cards": cards, "jokers": jokers}}
    assert everything(tefuda.new("jukugo_narabe", seats=seats, seed=1, options=options)).total() == kanji + jokers
    with pytest.raises(tefuda.OptionError, match=f"needs {kanji + jokers} cards"):
        tefuda.new("jukugo_narabe", seats=seats, options={"deck": {"cards": cards[1:], "jokers": jokers}})


def test_JK_2_exactly_enough_cards_will_do():
    deck = {"cards": [[one, 9] for one in KANJI[:36]], "jokers": 0}
    game = tefuda.new("jukugo_narabe", seats=3, seed=1, options={"deck": deck})
    assert cards_in(game, "deck") == {}
    with pytest.raises(tefuda.OptionError, match="46"):
        tefuda.new("jukugo_narabe", seats=4, options={"deck": deck})


def test_JK_2_the_largest_deck():
    kanji = [chr(0x4E00 + i) for i in range(104)]
    options = {"deck": {"cards": [[one, 1] for one in kanji], "jokers": 4}, "lexicon": "none"}
    game = tefuda.new("jukugo_narabe", seats=4, seed=1, options=options)
    assert everything(game).total() == 108


def test_JK_3_words():
    game = table("人日歩国", "々先家本", "中")
    assert set(new_moves(game)) == {"々@1", "々@2", "本@1", "本@2", "家@4"}


def test_JK_3_the_joker_is_read_second():
    game = table("々中大小", "人日国々", "文")
    assert set(new_moves(game)) == {"人@1", "日@1"}  # 人々, 日々; neither 国々 nor 々々 is a word here
    assert set(new_moves(table("人中大小", "々", "国"))) == {"々@1"}


@pytest.mark.parametrize("name", ["standard/1", "common/1", "none"])
def test_JK_4_which_words_count(name):
    places = {f"column{n}": card for n, card in enumerate("花月歩人", 1)} | {("hand", 0): "徒 給 先 本"}
    game = laid("jukugo_narabe", 2, places, {"round": 1}, lexicon=name)
    words = [word for word in lexicon.words(name) if len(word) == 2]
    assert new_moves(game) == by_the_clauses("徒給先本", "花月歩人", words)
    assert ("徒@1" in game.moves()) == (name == "standard/1")
    assert ("給@2" in game.moves()) == (name != "none")
    assert "先@3" not in game.moves()


def test_JK_4_the_standard_list_is_used_unless_told():
    assert tefuda.new("jukugo_narabe").options["lexicon"] == "standard/1"


def test_JK_5_a_word_of_the_table():
    game = table("先月大小", "歩", "国")
    assert new_moves(game) == []
    game.accept("先歩")
    assert new_moves(game) == ["歩@1"]
    assert game.events[-1].entry == "先歩"
    plays(game, "歩@1")
    assert columns_of(game) == "歩月大小"


def test_JK_5_a_word_is_in_the_record_and_undoing_keeps_it():
    top = "先月大小" + "歩文水車音楽格官立地" + "場書物一人花国本日徒" + "給家"
    game = dealt("jukugo_narabe", 2, [deck_text(top), "start 0"], **OWN)
    game.accept("歩先")
    plays(game, "歩@1")
    assert game.record()["events"][2:] == [["*", "word 歩先"], [0, "歩@1"]]
    assert tefuda.from_record(game.record()).record() == game.record()
    game.undo()
    assert "歩@1" in game.moves()


def test_JK_6_finding_is_the_game():
    game = table("人月大小", "本給々", "国")
    assert set(game.moves(person=True, assist=False)) == {"pass", "-本", "-給", "-々"}
    assert set(game.moves(person=True)) == {"本@1", "給@2", "々@1", "pass", "-本", "-給", "-々"}
    game.play("本@1")
    assert game.moves(person=True, assist=False) == ["done"]


def test_JK_6_what_is_no_word_costs_nothing():
    game = table("人月大小", "本給々", "国家")
    before = game.record()
    for text in ("本@2", "給@1", "々@3", "国@1", "家@4", "本@5", "本@0"):
        with pytest.raises(tefuda.IllegalMove):
            game.play(text)
    assert game.record() == before
    assert game.seat == 0


def test_JK_7_values():
    game = table("人月大小", "本", "国")
    assert game.t.value[game.notation.kind_of["々"]] == 0
    for kanji in KANJI:
        assert game.t.value[game.notation.kind_of[kanji]] == VALUES[kanji]


# ---------------------------------------------------------------------------------------------------- the game


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_JN_1_set_up(seats):
    game = tefuda.new("jukugo_narabe", seats=seats, seed=3)
    assert [hand(game, seat).total() for seat in range(seats)] == [10] * seats
    assert [cards_in(game, f"column{n}").total() for n in range(1, 5)] == [1] * 4
    assert cards_in(game, "bank").total() == 2
    assert cards_in(game, "deck").total() == 54 - 6 - 10 * seats
    assert cards_in(game, "discard") == {}
    assert game.state.round == 1


def test_JN_1_columns_then_hands_then_bank():
    top = "人月花国" + "本日徒給家学生名神中" + "大小文水車音楽格官立" + "地場" + "書物"
    game = dealt("jukugo_narabe", 2, [deck_text(top), "start 1"], **OWN)
    assert columns_of(game) == "人月花国"
    assert hand(game, 0) == Counter("本日徒給家学生名神中")
    assert hand(game, 1) == Counter("大小文水車音楽格官立")
    assert cards_in(game, "bank") == Counter("地場")
    assert game.seat == 1
    plays(game, "pass", "pile")
    assert hand(game, 1) == Counter("大小文水車音楽格官立書")


@pytest.mark.parametrize("seats", [1, 5])
def test_JN_1_is_for_two_to_four(seats):
    with pytest.raises(tefuda.OptionError, match="2 to 4"):
        tefuda.new("jukugo_narabe", seats=seats)


def test_JN_1_start():
    starts = Counter()
    for seed in range(200):
        game = tefuda.new("jukugo_narabe", seats=3, seed=seed, options=OWN)
        assert game.log(None)[-1] == ["*", f"start {game.seat}"]
        assert game.state.start == game.seat
        starts[game.seat] += 1
    assert min(starts[seat] for seat in range(3)) > 40


def test_JN_2_three_things_to_do():
    game = table("人月大小", "本給格", "国")
    assert sorted(game.moves()) == sorted(["本@1", "給@2", "pass", "-本", "-給", "-格"])
    game = table("中月大小", "格", "国")
    assert sorted(game.moves()) == sorted(["pass", "-格"])


def test_JN_2_the_plays_of_whole_games():
    standard = [word for word in lexicon.words("standard/1") if len(word) == 2]
    for seed in range(6):
        game = tefuda.new("jukugo_narabe", seats=2, seed=seed)
        assert new_moves(game) == by_the_clauses(hand(game, game.seat), columns_of(game), standard)


def test_JN_2_in_either_order():
    for column, card in ("人本", "本人", "日本", "本日"):
        assert new_moves(table(column + "大小文", card + "格", "国")) == [f"{card}@1"]


def test_JN_2_only_words_of_two():
    assert new_moves(table("日大小文", "人", "国")) == []  # 日本人 is a word, 日人 is none


def test_JN_2_a_card_played_is_the_new_card_of_the_column():
    game = plays(table("人月大小", "本日格", "国"), "本@1")
    assert columns_of(game) == "本月大小"
    assert cards_in(game, "discard") == Counter("人")
    assert hand(game) == Counter("日格")
    assert game.seat == 0
    assert sorted(game.moves()) == sorted(["日@1", "done"])  # no pass and no discard any more
    plays(game, "日@1")
    assert columns_of(game) == "日月大小"
    assert cards_in(game, "discard") == Counter("人本")
    assert game.moves() == ["done"]


def test_JN_2_each_column():
    for n in range(4):
        columns = list("中大小文")
        columns[n] = "人"
        game = plays(table("".join(columns), "本格", "国"), f"本@{n + 1}")
        columns[n] = "本"
        assert columns_of(game) == "".join(columns)


@pytest.mark.parametrize("stop", [1, 2])
def test_JN_2_one_may_stop(stop):
    game = plays(table("人月大小", "本日給格", "国"), *["本@1", "日@1"][:stop], "done")
    assert game.seat == 1
    assert hand(game).total() == 4 - stop
    assert cards_in(game, "bank") == Counter("立地")
    assert "done" not in game.moves()
    assert "pass" in game.moves()


def test_JN_2_not_before_the_first():
    with pytest.raises(tefuda.IllegalMove):
        table("人月大小", "本日", "国").play("done")


def test_JN_2_after_the_third_the_turn_ends_by_itself():
    game = plays(table("人月大小", "本日給々格", "国"), "本@1", "日@1", "給@2")
    assert game.seat == 1
    assert hand(game) == Counter("々格")
    assert game.log(None)[-1] == [0, "給@2"]


def test_JN_2_the_next_turn_has_three_plays_again():
    game = table("人月花国", "本日給格", "徒家々", turn=0)
    plays(game, "本@1", "done", "徒@3")
    assert game.seat == 1
    assert "done" in game.moves()
    plays(game, "家@4", "done")
    assert game.seat == 0
    plays(game, "日@1", "給@2", "done")
    assert game.seat == 1


def test_JN_2_with_an_empty_hand_the_turn_ends_by_itself():
    for held, texts in (("本", ["本@1"]), ("本日", ["本@1", "日@1"])):
        game = plays(table("人月大小", held, "国中"), *texts)
        assert game.seat == 1
        assert not game.over


def test_JN_2_pass_draws_one_card():
    game = plays(table("人月大小", "本", "国", pile="場書"), "pass")
    assert game.seat == 0
    assert sorted(game.moves()) == sorted(["pile", "立", "地"])
    plays(game, "pile")
    assert hand(game) == Counter("本場")
    assert game.seat == 1
    game = plays(table("人月大小", "本", "国", pile="場書"), "pass", "地")
    assert hand(game) == Counter("本地")
    assert game.seat == 1


@pytest.mark.parametrize(
    ("draws", "held", "bank"),
    [
        (("pile", "pile"), "本場書", "立地"),
        (("pile", "立"), "本場立", "書地"),
        (("立", "pile"), "本立書", "地場"),
        (("立", "地"), "本立地", "場書"),
        (("立", "場"), "本立場", "地書"),  # the card that came into the bank
    ],
)
def test_JN_2_discard_draws_two_one_after_the_other(draws, held, bank):
    game = plays(table("人月大小", "本格", "国", pile="場書物"), "-格")
    assert cards_in(game, "discard") == Counter("格")
    assert hand(game) == Counter("本")
    assert game.seat == 0
    assert sorted(game.moves()) == sorted(["pile", "立", "地"])
    plays(game, draws[0])
    assert game.seat == 0
    assert not {"pass", "-本", "本@1", "done"} & set(game.moves())
    plays(game, draws[1])
    assert hand(game) == Counter(held)
    assert cards_in(game, "bank") == Counter(bank)
    assert game.seat == 1


def test_JN_2_a_card_once_discarded_is_not_drawn_from_the_bank():
    game = plays(table("人月大小", "本格", "国", pile="場書"), "-格")
    with pytest.raises(tefuda.IllegalMove):
        game.play("格")


@pytest.mark.parametrize(("text", "bank"), [("pile", "立書"), ("立", "場書")])
def test_JN_3_the_bank_is_filled_up_after_every_draw(text, bank):
    game = plays(table("人月大小", "本", "国", bank="立", pile="場書物"), "pass", text)
    assert cards_in(game, "bank") == Counter(bank)


def test_JN_3_by_two_when_it_is_empty():
    game = plays(table("人月大小", "本", "国", bank="", pile="場書物"), "pass")
    assert game.moves() == ["pile"]
    plays(game, "pile")
    assert cards_in(game, "bank") == Counter("書物")
    assert hand(game) == Counter("本場")


def test_JN_3_also_from_the_discards():
    game = plays(table("人月大小", "本", "国", pile="", discard="場書"), "pass", "立")
    assert cards_in(game, "bank").total() == 2
    assert cards_in(game, "deck").total() == 1
    assert cards_in(game, "discard") == {}
    assert [what.split()[0] for _, what in game.log(None)[-2:]] == ["立", "deck"]


def test_JN_3_only_after_a_draw():
    game = plays(table("人月大小", "本格", "国", bank="立", pile="場書"), "本@1", "done")
    assert cards_in(game, "bank") == Counter("立")


def test_JN_4_the_discards_become_the_pile_when_a_card_is_needed():
    game = table("人月大小", "本", "国", pile="場", discard="書物文")
    plays(game, "pass", "pile")
    assert cards_in(game, "deck") == {}  # the pile is empty, but no card is needed
    assert cards_in(game, "discard") == Counter("書物文")
    assert game.log(None)[-1] == [0, "pile"]
    plays(game, "pass", "pile")
    drawn = game.record()["events"][-1][1].split()[1:]
    assert sorted(drawn) == sorted("書物文")
    assert hand(game, 1)[drawn[0]] == 1
    assert cards_in(game, "deck") == Counter(drawn[1:])
    assert cards_in(game, "discard") == {}


def test_JN_4_every_order_of_the_new_pile_is_as_likely():
    tops = Counter()
    for seed in range(90):
        game = table("人月大小", "本", "国", pile="", discard="書物文")
        game.chance = SeededChance(seed)
        plays(game, "pass", "pile")
        tops[next(iter(hand(game) - Counter("本")))] += 1
    assert len(tops) == 3
    assert min(tops.values()) > 12


def test_JN_4_the_card_just_discarded_may_be_drawn_again():
    game = plays(table("人月大小", "本花", "国", pile=""), "-花")
    assert sorted(game.moves()) == sorted(["pile", "立", "地"])
    plays(game, "pile")
    assert hand(game) == Counter("本花")
    assert game.record()["events"][-1] == ["*", "deck 花"]
    assert game.seat == 0
    assert sorted(game.moves()) == sorted(["立", "地"])  # the second draw: pile and discards are empty
    plays(game, "立")
    assert game.seat == 1
    assert cards_in(game, "bank") == Counter("地")


def test_JN_4_a_draw_takes_what_there_is():
    game = plays(table("人月大小", "本", "国", pile=""), "pass")
    assert sorted(game.moves()) == sorted(["立", "地"])
    plays(game, "立")
    assert cards_in(game, "bank") == Counter("地")
    assert game.seat == 1


def test_JN_4_a_second_draw_goes_without():
    game = plays(table("人月大小", "本花", "国", bank="", pile=""), "-花", "pile")
    assert hand(game) == Counter("本花")
    assert game.seat == 1
    assert field_is(game, "dry", 0)


def test_JN_4_a_pass_goes_without():
    game = plays(table("人月大小", "本", "国", bank="", pile=""), "pass")
    assert game.seat == 1
    assert hand(game) == Counter("本")
    assert field_is(game, "dry", 1)


def field_is(game, name, value):
    return int(getattr(game.state, name)) == value


@pytest.mark.parametrize("start", [0, 1, 2])
def test_JN_5_play_goes_on_to_the_right_neighbour_of_the_start(start):
    # seat 1 empties its hand
    game = table("人月花国", "給格", "本", "家々", turn=1, start=start)
    plays(game, "本@1")
    assert field_is(game, "last_round", 1)
    for seat in {0: [2], 1: [2, 0], 2: []}[start]:
        assert not game.over
        assert game.seat == seat
        plays(game, "pass", "pile")
    assert game.over
    assert game.result["capped"] is False
    assert game.result["scores"][1] == 0
    assert game.result["ranks"][1] == 1


def test_JN_5_at_once_if_the_right_neighbour_emptied_the_hand():
    game = plays(table("人月花国", "給格", "本", turn=1), "本@1")
    assert game.over
    assert game.result == {"ranks": [2, 1], "scores": [-2, 0], "capped": False}
    assert game.seat is None


def test_JN_5_a_round_without_an_empty_hand_is_followed_by_another():
    game = plays(table("人月花国", "給格", "本日", turn=1), "本@1", "done")
    assert not game.over
    assert (game.seat, int(game.state.round)) == (0, 2)
    plays(game, "pass", "pile")
    assert (game.seat, int(game.state.round)) == (1, 2)
    plays(game, "日@1")
    assert game.over


@pytest.mark.parametrize(
    ("hands", "ranks"),
    [
        (("人本", "国", ""), [3, 2, 1]),  # cards come first: 6 points, 4 points, nothing
        (("人", "国", "本"), [1, 2, 3]),  # 1, 4 and 5 points
        (("人", "々", "月"), [2, 1, 3]),  # the joker counts nothing
        (("人国", "月花", "本々"), [1, 1, 1]),  # 5 points each
        (("日本", "月花", "人国"), [3, 1, 1]),
    ],
)
def test_JN_5_fewer_cards_then_fewer_points_else_shared(hands, ranks):
    assert [VALUES[kanji] for kanji in "人月花国本日"] == [1, 2, 3, 4, 5, 1]
    result = table("場書物文", *hands, over=1).result
    assert result == {"ranks": ranks, "scores": [-len(one) for one in hands], "capped": False}


def test_JN_5_the_hands_are_laid_open_to_be_compared():
    game = table("人月花国", "給格", "本", turn=1)
    for viewer in (0, 1, None):
        shown = [bool(one["cards"]) for one in game.view(viewer)["piles"]["hand"]]
        assert shown == [seat == viewer for seat in range(2)]
    plays(game, "本@1")
    for viewer in (0, 1, None):
        assert [set(one["cards"]) for one in game.view(viewer)["piles"]["hand"]] == [{"給", "格"}, set()]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_JN_6_stuck(seats):
    game = table("中大小文", *"神格官先"[:seats], bank="", pile="", start=1)
    for n in range(seats):
        assert not game.over
        assert game.seat == n
        assert field_is(game, "dry", n)
        plays(game, "pass")
    assert game.over
    assert game.result["capped"] is False


def test_JN_6_also_across_rounds():
    game = table("中大小文", "神", "官", "格", bank="", pile="", turn=2, start=0, round=7)
    plays(game, "pass")
    assert int(game.state.round) == 8
    plays(game, "pass")
    assert not game.over
    plays(game, "pass")
    assert game.over
    assert game.result["capped"] is False


def test_JN_6_a_play_between_makes_the_passes_count_anew():
    game = table("人大小文", "神", "本格", "官", bank="", pile="")
    plays(game, "pass", "本@1", "done")
    assert field_is(game, "dry", 0)
    assert not game.over


def test_JN_6_a_pass_with_a_draw_makes_the_passes_count_anew():
    game = table("中大小文", "神", "格", "官", bank="立", pile="", dry=2)
    plays(game, "pass", "立")
    assert field_is(game, "dry", 0)
    assert not game.over
    plays(game, "pass", "pass", "pass")
    assert game.over


def test_JN_6_a_discard_makes_the_passes_count_anew():
    game = table("中大小文", "神", "格", bank="", pile="", dry=1)
    plays(game, "-神", "pile")
    assert field_is(game, "dry", 0)
    assert not game.over


def test_JN_6_cap():
    game = table("中大小文", "神", "格", turn=1, round=199)
    plays(game, "pass", "pile")
    assert not game.over
    assert int(game.state.round) == 200
    plays(game, "pass", "pile")
    assert not game.over
    plays(game, "pass", "pile")
    assert game.over
    assert game.result["capped"] is True
    assert field_is(game, "capped", 1)
    assert int(game.state.round) == 200


def test_JN_6_an_empty_hand_and_being_stuck_go_first():
    game = plays(table("人大小文", "神", "本", turn=1, round=200), "本@1")
    assert game.over
    assert game.result["capped"] is False
    game = plays(table("人大小文", "神", "本", turn=1, round=200, last_round=1), "pass", "pile")
    assert game.over
    assert game.result["capped"] is False
    game = plays(table("人大小文", "神", "格", turn=1, round=200, bank="", pile="", dry=1), "pass")
    assert game.over
    assert game.result["capped"] is False


def test_JN_6_two_hundred_rounds_go_on_past_two_thousand_decisions():
    game = table("中大小文", "神格", "官", decisions=1999)
    plays(game, "pass", "pile", "pass", "pile")
    assert not game.over
    assert game.rules.cap > 200 * 4 * 3  # at most three decisions a turn
    assert game.rules.cap < 32767


def test_JN_7_visible():
    top = "人月花国" + "本日徒給家学生名神中" + "大小文水車音楽格官立" + "地場" + "書物"
    game = dealt("jukugo_narabe", 2, [deck_text(top), "start 1"], **OWN)
    plays(game, "pass", "地", "pass", "pile", "-大", "pile", "場")
    for viewer in (0, 1, None):
        piles = game.view(viewer)["piles"]
        assert [piles[f"column{n}"]["cards"] for n in range(1, 5)] == [[card] for card in "人月花国"]
        assert piles["bank"]["size"] == 2
        assert Counter(piles["bank"]["cards"]) == cards_in(game, "bank")
        assert piles["discard"]["cards"] == ["大"]
        assert piles["deck"]["cards"] == []
        assert [one["size"] for one in piles["hand"]] == [11, 12]
        for seat in range(2):
            known = Counter(piles["hand"][seat]["cards"])
            assert known == (hand(game, seat) if seat == viewer else Counter([[], ["地", "場"]][seat]))
        assert game.view(viewer)["log"] == [
            ["*", "deck ?"], ["*", "start 1"], [1, "pass"], [1, "地"], [0, "pass"], [0, "pile"], [1, "-大"],
            [1, "pile"], [1, "場"],
        ]  # fmt: skip


def test_JN_7_a_new_pile_is_known_to_nobody():
    game = table("人月大小", "本", "国", pile="", discard="書物文")
    plays(game, "pass", "pile")
    for viewer in (0, 1, None):
        piles = game.view(viewer)["piles"]
        assert piles["deck"] == {"size": 2, "cards": []}
        assert piles["discard"]["cards"] == []
        assert game.log(viewer)[-1] == ["*", "deck ?"]
        assert len(piles["hand"][0]["cards"]) == (2 if viewer == 0 else 0)


# ------------------------------------------------------------------------------------------------- all the rest


def test_notation():
    game = table("人月大小", "本給", "国")
    for text in ("本@1 ", "本 @1", "本@01", "本", "@1", "- 本", "pile", "立", "Pass", "本人", "word 本人", "deck"):
        with pytest.raises(tefuda.IllegalMove):
            game.play(text)
    plays(game, "-本")
    for text in ("本", "draw", "pass", "-給", "done", "立 "):
        with pytest.raises(tefuda.IllegalMove):
            game.play(text)


def test_moves_have_the_names_that_the_words_know():
    moves = tefuda.new("jukugo_narabe").rules.moves
    assert [move.name for move in moves] == ["play", "done", "pass", "discard", "draw_top", "draw"]
    assert [move.name for move in moves if move.found] == ["play"]
    assert [move.name for move in moves if move.overlooks or move.silence] == []


def test_there_is_room_for_all_moves():
    # a turn's start with every kind of card in the hand: each on each column, each discarded, and a pass
    assert tefuda.new("jukugo_narabe").rules.most_moves == 105 * 4 + 105 + 1


@pytest.mark.parametrize("texts", [["本@1", "done"], ["pass", "pile"], ["pass", "立"], ["-給", "立", "pile"]])
def test_a_turn_leaves_nothing_behind(texts):
    game = plays(table("人月大小", "本給", "国"), *texts)
    assert game.seat == 1
    assert [int(getattr(game.state, name)) for name in ("plays", "draws", "passing", "from_deck")] == [0] * 4


def test_when_the_page_lets_cards_be_laid_on_the_columns():
    game = table("人月大小", "本日給", "国")
    may_play = game.rules.module.may_play
    assert may_play(game.view(0)) is True
    assert may_play(plays(game, "本@1").view(0)) is True
    assert may_play(plays(game, "done").view(1)) is True
    assert may_play(plays(game, "pass").view(1)) is False
    assert may_play(plays(game, "pile", "-給").view(0)) is False
    assert may_play(plays(game, "pile").view(0)) is False


def test_estimate_wants_few_cards_that_can_be_played_or_cost_little():
    game = table("本月大々", "人給格", "々日", "神", "")
    hands = ("人給格", "々日", "神", "")
    fits = [3, 2, 1, 0]  # kinds of cards on columns: 人 on 本 and 々, 給 on 月; 日 on 本 and 々; 神 on 々
    points = [sum(VALUES.get(card, 0) for card in one) for one in hands]
    expected = [-len(one) - 0.02 * p + 0.1 * n for one, p, n in zip(hands, points, fits, strict=True)]
    estimate = game.rules.module.estimate
    assert [estimate(game.state, seat, game.t) for seat in range(4)] == pytest.approx(expected, abs=1e-12)
    before = estimate(game.state, 0, game.t)
    plays(game, "pass")
    assert estimate(game.state, 0, game.t) == pytest.approx(before - 1)  # one card is still to be drawn
    assert estimate(game.state, 1, game.t) == pytest.approx(expected[1])


def test_why_it_ended():
    def why(game):
        return game.rules.module.why(game.view(None))

    assert why(plays(table("人月花国", "給格", "本", turn=1), "本@1")) == ("emptied", 1)
    # seat 1 starts and empties its hand first, then seat 0 does too
    game = table("人月花国", "給", "本", turn=1, start=1)
    assert why(plays(game, "本@1", "給@2")) == ("emptied", 1)
    game = table("人月花国", "給", "格", "本", turn=2, start=1)
    assert why(plays(game, "本@1", "給@2")) == ("emptied", 2)
    game = table("中大小文", "神", "格", bank="", pile="", dry=1)
    assert why(plays(game, "pass")) == ("stuck", 0)
    game = table("中大小文", "神", "格", turn=1, round=200)
    assert why(plays(game, "pass", "pile")) == ("capped", 0)


def test_the_words_that_a_play_tells_of():
    game = plays(table("人月大小", "本日先", "国"), "本@1", "日@1")
    game.accept("先日")
    plays(game, "先@1", "pass", "pile")
    story = game.story(None)
    told = {
        event["text"]: game.rules.module.told_words(game.options_now, story, n)
        for n, event in enumerate(story)
        if event["who"] != "*"
    }
    assert told == {"本@1": ["本人"], "日@1": ["本日", "日本"], "先@1": ["先日"], "pass": [], "pile": []}


def test_the_state_has_no_needless_room():
    rules = tefuda.new("jukugo_narabe").rules
    state = rules.state_type
    assert (state.most_cards, state.most_kinds, state.most_seats) == (108, 105, rules.most_seats)
    assert all(state.shapes[name] == 1 for name in state.own)
