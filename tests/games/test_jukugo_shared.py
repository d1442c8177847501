"""What the 熟語 games share, clause by clause (JK-1 to JK-7), for each of them; and finding words in a hand, against a
search written here that tries everything. The lists and decks themselves are tested in test_lexicon.py."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random

import numpy as np
import pytest

import tefuda
from tefuda.decks import kanji_decks, lexicon, spelling
from tefuda.engine.cards import move
from tefuda.engine.rules import find

GAMES = [game for game in tefuda.games() if "lexicon" in find(game).declared_options]

MUST = [
    "徒花",
    "器用",
    "月給",
    "文楽",
    "給水",
    "本人",
    "中人",
    "人々",
    "日々",
    "月々",
    "花々",
    "年々",
    "楽々",
    "国々",
    "時々",
    "個々",
]
MUST_NOT = ["歩人", "歩先", "先歩", "中歩", "人行", "中先"]

FORTY = "徒花器用月給文楽水本人中日年国時個歩先行格学名大小一主事物道神前車音風理科面牛王"
"""A deck with the kanji of all of these; enough cards for any game of few players."""

OWN = {"cards": [[kanji, 1 + i % 9] for i, kanji in enumerate(FORTY)], "jokers": 2}

DECKS = ("reconstruction", "dense")


@pytest.mark.parametrize("game", GAMES)
def test_the_box_says_what_the_author_says(game):
    assert find(game).info["claims"] == {"age": 10} | ({"luck": "much"} if game == "jukugo_babanuki" else {})



def options_of(game, **more):
    return find(game).options({**more})


def words_in(game, **options):
    """The words that count in a game with these options."""
    return find(game).notation(options_of(game, **options)).names["words"]


def new(game, seed=1, **options):
    return tefuda.new(game, seed=seed, options=options)


def made_moves(game, most=400):
    """A game after each decision, all of them made at random by people."""
    random = Random(game.rules.id)
    for _ in range(most):
        if game.over:
            return
        yield game
        game.play(random.choice(game.moves(person=True)))


# ------------------------------------------------------------------------------------------------ the cards, JK-1, 2


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("deck", DECKS)
def test_JK_1_52_different_kanji_and_two_jokers_that_are_alike(game, deck):
    kinds = find(game).kinds(options_of(game, deck=deck))
    assert [kind.name for kind in kinds[:52]] == [card.kanji for card in kanji_decks.deck(deck).cards]
    assert {kind.copies for kind in kinds[:52]} == {1}
    assert (kinds[52].name, kinds[52].copies, len(kinds)) == ("々", 2, 53)


@pytest.mark.parametrize("deck", DECKS)
def test_JK_1_the_colour_is_the_grade_before_2020(deck):
    for card in kanji_decks.deck(deck).cards:
        assert card.value == lexicon.grades()[card.kanji] in range(1, 6)
    suits = Counter((card.suit, card.rank) for card in kanji_decks.deck(deck).cards)
    assert suits == {(suit, rank): 1 for suit in "SHCD" for rank in range(1, 14)}


@pytest.mark.parametrize("game", GAMES)
def test_JK_2_the_reconstruction_unless_told(game):
    assert options_of(game)["deck"] == "reconstruction"
    assert set("徒花器用格月給水文楽人本行先歩中立場車風理科面牛王日音") <= {
        k.name for k in find(game).kinds(options_of(game))
    }


@pytest.mark.parametrize("game", GAMES)
def test_JK_2_a_deck_of_ones_own(game):
    played = new(game, deck=OWN, lexicon="standard/1")
    kinds = played.rules.kinds(played.options)
    assert [kind.name for kind in kinds] == [*FORTY, "々"]
    assert kinds[-1].copies == 2
    assert list(played.t.value)[1:41] == [1 + i % 9 for i in range(40)]
    assert tefuda.from_record(played.record()).options["deck"] == OWN
    without = find(game).kinds(options_of(game, deck={"cards": OWN["cards"]}))
    assert without[-1].copies == 0


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "deck", ["Dense", 3, {"cards": OWN["cards"][:29]}, {"cards": [*OWN["cards"], ["徒", 1]]}, {"cards": [["ab", 1]]}]
)
def test_JK_2_a_deck_that_cannot_be(game, deck):
    with pytest.raises(tefuda.OptionError, match=r"deck|kanji"):
        new(game, deck=deck)


@pytest.mark.parametrize("game", GAMES)
def test_JK_2_a_deck_with_too_few_cards_is_refused_for_so_many_players(game):
    thirty = {"cards": OWN["cards"][:30], "jokers": 0}
    rules = find(game)
    needed = {"jukugo_babanuki": 9 * 6, "jukugo_narabe": 4 + 10 * 4 + 2, "jukugo_ten": 12 + 4 + 4 * 4}
    options = {"deck": thirty, "lexicon": "none"} | ({"wins": 5} if game == "jukugo_ten" else {})
    if game in needed:
        with pytest.raises(tefuda.OptionError, match=f"needs {needed[game]} cards, this deck has 30"):
            tefuda.new(game, seats=rules.most_seats, options=options)
    else:
        assert tefuda.new(game, seats=rules.most_seats, options=options)
    assert tefuda.new(game, seats=rules.least_seats, options=options)


@pytest.mark.parametrize("game", GAMES)
def test_JK_2_the_largest_deck_there_can_be(game):
    largest = {"cards": [[kanji, 9] for kanji in list(lexicon.grades())[:104]], "jokers": 4}
    played = new(game, deck=largest, lexicon="none")
    assert len(played.t.value) == 106
    for _ in range(5):
        played.play(played.moves()[0])
    assert (played.rules.state_type.most_cards, played.rules.state_type.most_kinds) == (108, 105)


# ------------------------------------------------------------------------------------------------ the words, JK-3, 4


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("deck", DECKS)
def test_JK_3_words_are_two_to_four_cards_each_used_once(game, deck):
    kanji = {card.kanji for card in kanji_decks.deck(deck).cards}
    found = words_in(game, deck=deck)
    assert len(found) > 550
    for word in found:
        once = word.replace("々", "")
        assert 2 <= len(word) <= 4
        assert word[0] != "々"
        assert set(once) <= kanji
        assert len(set(once)) == len(once)
        assert len(word) - len(once) <= 2
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("game", GAMES)
def test_JK_3_a_word_with_a_kanji_twice_counts_nowhere(game):
    assert words_in(game, lexicon="none", words=["人人", "人々", "中中人", "人中"]) == ["人々", "人中"]


@pytest.mark.parametrize("game", GAMES)
def test_JK_3_the_joker_never_begins_a_word(game):
    with pytest.raises(tefuda.OptionError, match="'々人' is not 2 to 4 cards of the deck, or begins with 々"):
        new(game, words=["々人"])


@pytest.mark.parametrize("game", GAMES)
def test_JK_4_must_be_words_and_must_not_be_words(game):
    there = set(words_in(game, deck=OWN))
    assert there >= set(MUST)
    assert not there & set(MUST_NOT)
    assert options_of(game)["lexicon"] == "standard/1"


@pytest.mark.parametrize("game", GAMES)
def test_JK_4_common_words_and_no_list(game):
    common = words_in(game, deck=OWN, lexicon="common/1")
    assert "月給" in common
    assert "徒花" not in common
    assert set(common) < set(words_in(game, deck=OWN))
    assert words_in(game, deck=OWN, lexicon="none") == []
    with pytest.raises(tefuda.OptionError, match="lexicon"):
        new(game, lexicon="standard/2")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("deck", DECKS)
def test_JK_4_every_word_has_a_reading_and_a_gloss(game, deck):
    options = options_of(game, deck=deck, words=["花楽"])
    for word in words_in(game, deck=deck):
        told = spelling.explain(options, word)
        assert told["reading"], word
        assert told["gloss"], word
    assert spelling.explain(options, "花楽") == {"reading": "", "gloss": ""}
    assert spelling.explain(options, "月給")["reading"] == "げっきゅう"


@pytest.mark.parametrize("game", GAMES)
def test_JK_4_the_notice_of_the_list_is_at_hand(game):
    notice = find(game).module.NOTICE
    assert notice == {**lexicon.ACKNOWLEDGEMENT, "url": lexicon.ACKNOWLEDGEMENT_URL}
    assert set(notice) == {"ja", "en", "url"}


# ----------------------------------------------------------------------------------- words of the table's own, JK-5


@pytest.mark.parametrize("game", GAMES)
def test_JK_5_a_word_that_the_others_accepted_counts_from_then_on(game):
    played = new(game)
    assert "花楽" not in played.notation.names["words"]
    before = len(played.notation.names["words"])
    played.accept("花楽")
    assert played.notation.names["words"][before:] == ["花楽"]  # the others keep their numbers
    assert played.entries == ["花楽"]
    kind = played.notation.kind_of
    assert list(played.t.words[before]) == [kind["花"], kind["楽"], 0, 0]
    assert played.t.worth[before] == 1 + 2
    assert played.t.pair[kind["花"], kind["楽"]] == before + 1
    assert played.view(None)["entries"] == ["花楽"]


@pytest.mark.parametrize("game", GAMES)
def test_JK_5_it_is_kept_in_the_record_before_the_next_decision(game):
    played = new(game)
    for n in range(4):
        played.play(played.moves()[0])
        if n == 1:
            decided = len(played.events)
            played.accept("花楽")
            played.accept("楽花人")
    record = played.record()
    assert record["events"][decided : decided + 2] == [["*", "word 花楽"], ["*", "word 楽花人"]]
    assert record["options"]["words"] == []
    assert played.log(None)[decided] == ["*", "word 花楽"]
    again = tefuda.from_record(record)
    assert again.entries == ["花楽", "楽花人"]
    assert again.record() == record
    assert again.moves() == played.moves()


@pytest.mark.parametrize("game", GAMES)
def test_JK_5_undoing_a_move_never_undoes_a_word(game):
    played = new(game)
    start = played.moves()
    played.play(played.moves()[0])
    played.accept("花楽")
    played.undo()
    assert played.moves() == start
    assert played.entries == ["花楽"]
    assert "花楽" in played.notation.names["words"]
    assert played.log(None)[-1] == ["*", "word 花楽"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("月給", "counts already"),
        ("花人楽", "counts already"),  # accepted before, below
        ("花花", "counts already"),  # can never be laid
        ("花々々々", "counts already"),  # with more jokers than there are
        ("々花", "not 2 to 4 cards"),
        ("花", "not 2 to 4 cards"),
        ("花楽人日本", "not 2 to 4 cards"),
        ("花森", "not 2 to 4 cards"),  # 森 is not in the deck
        ("花 楽", "not 2 to 4 cards"),
        ("", "not 2 to 4 cards"),
    ],
)
def test_JK_5_what_cannot_be_accepted(game, word, why):
    played = new(game)
    played.accept("花人楽")
    record = played.record()
    with pytest.raises(tefuda.IllegalMove, match=why):
        played.accept(word)
    assert played.record() == record


@pytest.mark.parametrize("game", GAMES)
def test_JK_5_a_record_with_a_word_that_cannot_be_is_refused_with_its_number(game):
    record = new(game).record()
    events = [*record["events"], ["*", "word 花楽"], ["*", "word 月給"]]
    with pytest.raises(tefuda.RecordError, match="月給") as refused:
        tefuda.from_record({**record, "events": events})
    assert refused.value.event == len(events) - 1


@pytest.mark.parametrize("game", GAMES)
def test_JK_5_a_table_may_open_with_words_of_its_own(game):
    assert words_in(game, words=["花楽"])[-1] == "花楽"
    assert words_in(game, lexicon="none", words=["花楽", "人々"]) == ["花楽", "人々"]
    for wrong, why in (
        (["花森"], "花森"),
        ("花楽", "list of words$"),
        ([3], "list of words$"),
        (None, "list of words$"),
    ):
        with pytest.raises(tefuda.OptionError, match=why):
            new(game, words=wrong)


# -------------------------------------------------------------------------------------- finding, and values, JK-6, 7


@pytest.mark.parametrize("game", GAMES)
def test_JK_6_what_a_person_must_find_is_listed_with_assist_alone(game):
    found = 0
    for played in made_moves(new(game, deck="dense")):

        def kind(text, played=played):
            return played.notation.move_of(played.notation.parse(text))

        assisted, shown = played.moves(person=True), played.moves(person=True, assist=False)
        hidden = [text for text in assisted if kind(text).found]
        assert [text for text in shown if not kind(text).overlooks] == [
            text for text in assisted if text not in hidden and not kind(text).overlooks
        ]
        assert not any(kind(text).overlooks for text in assisted if hidden)
        assert played.view(played.seat, person=True, assist=False)["moves"] == shown
        assert played.view(played.seat, person=True, assist=True)["moves"] == assisted
        found += len(hidden)
    assert found > 10


@pytest.mark.parametrize("game", GAMES)
def test_JK_6_assist_is_not_part_of_the_record(game):
    record = new(game).record()
    assert set(record) == {"format", "game", "rules", "options", "players", "events"}
    assert "assist" not in str(record)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("deck", DECKS)
def test_JK_7_values(game, deck):
    t = find(game).tables(options_of(game, deck=deck), find(game).least_seats)
    assert list(t.value)[1:53] == [card.value for card in kanji_decks.deck(deck).cards]
    assert t.value[53] == (0 if game in ("jukugo_babanuki", "jukugo_narabe") else 1)
    assert t.value[0] == 0
    for number, word in enumerate(words_in(game, deck=deck)):
        value = {card.kanji: card.value for card in kanji_decks.deck(deck).cards} | {"々": t.value[53]}
        assert t.worth[number] == sum(value[kanji] for kanji in word), word


def test_JK_7_what_a_page_says_a_card_counts():
    view = {"options": {"deck": "reconstruction"}}
    assert [spelling.card_worth(view, kanji) for kanji in "花用和徒格々"] == [1, 2, 3, 4, 5, 1]
    assert spelling.card_worth({"options": {"deck": OWN}}, "器") == 3


# ------------------------------------------------------------------------------------------- finding words in a hand
# The rules of 熟語テン stand for all: what is tested here is `decks/spelling.py`, which every game imports.


class Holding:
    """A hand of cards in pile 0 of a table, with the words that count, and what can be found in it by trying all."""

    def __init__(self, hand, **options):
        self.rules = find("jukugo_ten")
        self.options = options = self.rules.options(options)
        self.t = self.rules.tables(options, 2)
        self.names = ["", *(kind.name for kind in self.rules.kinds(options))]
        self.kind = {name: kind for kind, name in enumerate(self.names)}
        self.words = self.rules.notation(options).names["words"]
        self.value = dict(zip(self.names, self.t.value, strict=True))
        self.hand = Counter(hand)
        self.s = self.rules.undealt(2, options)
        for name in hand:
            move(self.s, self.kind[name], self.rules.module.DECK, 0)

    def spelled(self, longest=4):
        """The words that the hand spells."""
        return [word for word in self.words if len(word) <= longest and not Counter(word) - self.hand]

    def sets(self):
        """All sets of words that the hand spells together, each card in at most one of them."""

        def grow(left, words):
            yield ()
            for i, word in enumerate(words):
                if not Counter(word) - left:
                    for more in grow(left - Counter(word), words[i + 1 :]):
                        yield (word, *more)

        return list(grow(self.hand, self.spelled()))

    def worth(self, words):
        return sum(self.value[kanji] for word in words for kanji in word)

    def keepable(self, new, goal):
        """The cards of all sets of words that hold the new card and are worth enough."""
        enough = [words for words in self.sets() if self.worth(words) >= goal and new in "".join(words)]
        return {kanji for words in enough for kanji in "".join(words)}

    def found_keepable(self, new, goal):
        good = spelling.keepable(self.s, 0, self.kind[new], goal, self.t)
        assert len(good) == len(self.names)
        assert set(good) <= {0, 1}
        return {self.names[kind] for kind in range(len(good)) if good[kind]}


def hands(number, most, seed):
    """Random hands of both decks, some of them with words of the table's own."""
    random = Random(seed)
    for n in range(number):
        deck = DECKS[n % 2]
        cards = [card.kanji for card in kanji_decks.deck(deck).cards] + ["々", "々"]
        hand = random.sample(cards, random.randint(2, most))
        own = ["".join(random.sample(hand, min(len(hand), random.randint(2, 4)))) for _ in range(n % 4)]
        yield Holding(hand, deck=deck, words=[word for word in own if word[0] != "々"]), random


def test_JK_3_words_of_a_hand_are_those_and_no_others():
    for holding, _ in hands(60, 12, seed=1):
        moves = np.zeros(2000, np.int64)
        for longest in (4, 3, 2):
            moves[0] = 0
            spelling.add_words(holding.s, moves, 7, 0, holding.t, longest)
            found = [(move >> 57, holding.words[(move >> 38) & 0x7FFFF]) for move in moves[1 : moves[0] + 1]]
            assert sorted(found) == sorted((7, word) for word in holding.spelled(longest))
        rows = spelling.words_of(holding.s, 0, holding.t)
        told = [("".join(holding.names[kind] for kind in row[:4] if kind), int(row[4])) for row in rows]
        assert sorted(told) == sorted((word, holding.worth([word])) for word in holding.spelled())


def test_JK_3_a_joker_is_used_once():
    one, two = (Holding("事物" + "々" * n, words=["事々物々"], deck="dense") for n in (1, 2))
    number = one.words.index("事々物々")
    assert not spelling.spells(one.s, 0, number, one.t)
    assert spelling.spells(two.s, 0, number, two.t)


def test_JK_3_pairs_in_either_order():
    holding = Holding("人中花楽", lexicon="none", words=["人中", "花人", "花人楽"])
    for first, second in permutations("人中花楽々", 2):
        number = spelling.pair_word(holding.t, holding.kind[first], holding.kind[second])
        assert number == (holding.words.index(first + second) if first + second in holding.words else -1)
        either = first + second in holding.words or second + first in holding.words
        assert spelling.neighbours(holding.t, holding.kind[first], holding.kind[second]) == either


def test_JK_3_the_cards_of_a_word_go_in_its_order():
    holding = Holding("楽々人花", lexicon="none", words=["人々", "花人々楽"])
    pile = holding.rules.module.DISCARD
    spelling.spell(holding.s, holding.words.index("花人々楽"), 0, pile, holding.t)
    assert "".join(holding.names[holding.s.card[pile, i]] for i in range(holding.s.size[pile])) == "花人々楽"
    assert holding.s.size[0] == 0


def test_JK_7_points_of_a_pile():
    assert spelling.points_in(Holding("徒花格々").s, 0, Holding("").t) == 4 + 1 + 5 + 1
    assert spelling.points_in(Holding("").s, 0, Holding("").t) == 0


def test_which_cards_may_be_kept_is_exact():
    """Against all sets of disjoint words, for hands of up to nine cards, each card new in turn, goals about what the
    hand can reach."""
    compared = kept = 0
    for holding, random in hands(80, 9, seed=2):
        most = max(map(holding.worth, holding.sets()))
        for new in random.sample(list(holding.hand), min(3, len(holding.hand))):
            for goal in {most, most + 1, max(1, most - random.randint(1, 6)), 10}:
                expected = holding.keepable(new, goal)
                assert holding.found_keepable(new, goal) == expected, (dict(holding.hand), new, goal)
                compared += 1
                kept += bool(expected) and expected != set(holding.hand)
    assert compared > 500
    assert kept > 100


def test_which_cards_may_be_kept_with_four_words_and_jokers():
    words = ["人々", "日々", "月々", "徒花", "器用", "文楽", "国家", "花々", "人日月", "人々日々"]
    for hand in (
        "人々日々徒花器",
        "人日月々々徒花",
        "人々日月徒花器用文楽",
        "人日月々徒花器用国家",
        "徒花器用文楽国家人々",
    ):
        holding = Holding(hand, lexicon="none", words=words)
        most = max(map(holding.worth, holding.sets()))
        for new in set(hand):
            for goal in range(1, most + 2):
                assert holding.found_keepable(new, goal) == holding.keepable(new, goal), (hand, new, goal)


def test_some_words_that_win_are_as_few_as_will_do():
    for holding, random in hands(40, 9, seed=4):
        for goal in (1, 5, 6, 10):
            needed = set(random.sample(list(holding.hand), min(len(holding.hand), goal % 3)))
            good = [
                words for words in holding.sets()
                if words and holding.worth(words) >= goal and needed <= set("".join(words))
            ]  # fmt: skip
            told = spelling.some_words(holding.options, list(holding.hand.elements()), needed, goal)
            if good:
                assert tuple(sorted(told)) in {tuple(sorted(words)) for words in good}
                assert len(told) == min(map(len, good))
            else:
                assert told == []


def test_words_of_a_hand_for_a_person_with_assist():
    holding = Holding("徒花器用格々人", words=["花格"])
    piles = {"hand": [{"cards": []}, {"cards": list(holding.hand.elements())}]}
    view = {"options": holding.options, "entries": ["格用"], "piles": piles, "viewer": 1}
    found = spelling.words_in_hand(view)
    assert sorted(found) == sorted([*holding.spelled(), "格用"])
    worth = [holding.worth([word]) for word in found]
    assert worth == sorted(worth, reverse=True)


def test_what_is_looked_for_leaves_the_cards_as_they_were():
    holding = Holding("人日月々々徒花", lexicon="none", words=["人々", "日々", "徒花", "月々"])
    found = spelling.words_of(holding.s, 0, holding.t)
    left = np.array([0, *(holding.hand[name] for name in holding.names[1:])], np.int64)
    before = left.copy()
    for need in range(12):
        assert spelling.reaches(found, left, need, holding.t) == (need <= 9)  # 人々 2, 日々 2 and 徒花 5
        assert (left == before).all()


def test_the_promise_of_a_hand_is_the_dearest_word_and_what_the_rest_still_spells():
    for hand, points in (
        ("", 0),
        ("徒", 0),
        ("徒花", 5),
        ("徒花器用", 11),
        ("花器徒", 5),
        ("月給水", 5),
        ("月給水文", 7),
        ("人日々々", 4),
    ):
        holding = Holding(
            hand, lexicon="none", words=["徒花", "器用", "花器", "月給", "給水", "水文", "文月", "人々", "日々"]
        )
        assert spelling.promise(holding.s, 0, holding.t) == points, hand
    for holding, _ in hands(30, 9, seed=3):
        promised = spelling.promise(holding.s, 0, holding.t)
        assert promised <= max(map(holding.worth, holding.sets()))
        assert promised >= max(map(holding.worth, ([word] for word in holding.spelled())), default=0)


def test_a_bot_finds_the_words_it_knows_and_no_others():
    """What it knows limits what it finds, never what the rules accept: `spells` still says yes."""
    holding = Holding("徒花器用格月給", deck="reconstruction")
    t = holding.t._replace(known=np.zeros(len(holding.words), np.int64))
    known = spelling.vocabulary(t)
    for word in ("器用", "月給"):
        known[holding.words.index(word)] = 1
    moves = np.zeros(100, np.int64)
    spelling.add_words(holding.s, moves, 1, 0, t)
    assert sorted(holding.words[(move >> 38) & 0x7FFFF] for move in moves[1 : moves[0] + 1]) == ["器用", "月給"]
    assert len(spelling.words_of(holding.s, 0, t)) == 2
    good = spelling.keepable(holding.s, 0, holding.kind["用"], 11, t)
    assert {holding.names[kind] for kind in range(len(good)) if good[kind]} == set("器用月給")
    assert spelling.promise(holding.s, 0, t) == 11
    for first, second, there in (("器", "用", True), ("徒", "花", False)):
        pair = holding.kind[first], holding.kind[second]
        assert (spelling.pair_word(t, *pair) >= 0) == spelling.neighbours(t, *pair) == there
        assert spelling.neighbours(t, *reversed(pair)) == there
        assert spelling.pair_word(holding.t, *pair) >= 0
    assert spelling.spells(holding.s, 0, holding.words.index("徒花"), t)


def test_words_that_everybody_knows():
    holding = Holding("", words=["花楽"])
    for word, there in (("月給", 1), ("徒花", 0), ("花楽", 1)):  # the table's own are known to all
        assert spelling.common(holding.t)[holding.words.index(word)] == there
    assert set(spelling.vocabulary(holding.t)) == {1}
