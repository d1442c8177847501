"""Marks: what each viewer knows of where cards are, after every way a card can move."""

from __future__ import annotations

from pathlib import Path

import pytest

from tefuda.engine import cards, view
from tefuda.engine.cards import EVERYBODY, SPECTATOR
from tefuda.engine.chance import SeededChance
from tefuda.engine.plain import to_record
from tefuda.engine.rules import find

FILE = Path(__file__).parent / "handing_on.py"
RULES = find(FILE)
HAND, TABLE, DECK = RULES.module.HAND, RULES.module.TABLE, RULES.module.DECK
A, B, C = 1, 2, 3


def table(**piles):
    """A state with these cards, as letters from the bottom up, marked for nobody; the rest in the deck below."""
    s = RULES.undealt(3, {})
    for name, letters in piles.items():
        pile = {"hand0": HAND, "hand1": HAND + 1, "hand2": HAND + 2, "table": TABLE, "deck": DECK}[name]
        for letter in letters:
            cards.move(s, "abc".index(letter) + 1, DECK, pile)
    for pile in range(len(s.size)):
        for i in range(s.size[pile]):
            s.seen[pile, i] = 0
    return s


def marks(s, pile):
    return [(" abc"[s.card[pile, i]], s.seen[pile, i]) for i in range(s.size[pile])]


def known(s, pile, viewer):
    return view.see_piles(s, RULES, view.viewer_bit(viewer), ["", "a", "b", "c"])[pile]


def test_draw_is_seen_by_whoever_always_sees_one_of_the_piles():
    s = table(hand0="b")
    cards.draw(s, HAND, HAND + 1)
    assert marks(s, HAND + 1) == [("b", 0b011)]
    cards.draw(s, HAND + 1, TABLE)
    assert marks(s, TABLE) == [("b", EVERYBODY)]


def test_draw_keeps_the_mark_of_who_knew_the_top_card():
    s = table()
    s.seen[DECK, 8] = 0b100
    cards.draw(s, DECK, HAND)
    assert marks(s, HAND) == [("c", 0b101)]


def test_draw_several():
    s = table()
    cards.draw(s, DECK, HAND, 3)
    assert [letter for letter, _ in marks(s, HAND)] == ["c", "c", "b"]
    assert cards.size(s, DECK) == 6
    assert cards.count(s, HAND, C) == 2


def test_draw_from_an_empty_pile_is_refused():
    with pytest.raises(ValueError, match="empty"):
        cards.draw(table(), HAND, TABLE)


def test_move_takes_the_marks_of_who_does_not_see_it_off_the_pile():
    s = table(hand0="abc")
    cards.show(s, HAND)
    cards.move(s, B, HAND, HAND + 1)
    assert marks(s, HAND) == [("a", 0b011), ("c", 0b011)]  # 2 and the spectator know no more what is left
    assert marks(s, HAND + 1) == [("b", 0b011)]


def test_move_in_view_of_all_leaves_the_other_marks():
    s = table(hand0="abc")
    cards.show_to(s, HAND, 2)
    cards.move(s, B, HAND, TABLE)
    assert marks(s, HAND) == [("a", 0b100), ("c", 0b100)]


def test_move_of_one_of_alike_cards_carries_one_mark_of_each_viewer_away():
    s = table(hand0="aab")
    s.seen[HAND, 0] = 0b010  # 1 knows of the lower a, 2 of both
    s.seen[HAND, 1] = 0b100
    s.seen[HAND, 0] |= 0b100
    cards.move(s, A, HAND, TABLE)
    assert marks(s, HAND) == [("a", 0b100), ("b", 0)]


@pytest.mark.parametrize("marked", [0, 1])
def test_whichever_of_two_alike_cards_was_marked_looks_the_same(marked):
    s = table(hand0="aa")
    s.seen[HAND, marked] = EVERYBODY
    cards.move(s, A, HAND, TABLE)
    assert marks(s, HAND) == [("a", 0)]


def test_move_of_a_card_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="no such card"):
        cards.move(table(hand0="a"), B, HAND, TABLE)


def test_move_all_keeps_the_order_and_adds_who_sees_it():
    s = table(hand0="abc")
    s.seen[HAND, 1] = 0b100
    cards.move_all(s, HAND, HAND + 1)
    assert marks(s, HAND + 1) == [("a", 0b011), ("b", 0b111), ("c", 0b011)]
    assert cards.size(s, HAND) == 0
    assert [cards.count(s, HAND, kind) for kind in (A, B, C)] == [0, 0, 0]


def test_show_and_show_to():
    s = table(hand0="ab")
    cards.show_to(s, HAND, 1)
    assert marks(s, HAND) == [("a", 0b010), ("b", 0b010)]
    assert known(s, "hand", 1)[0] == {"size": 2, "cards": ["a", "b"]}
    assert known(s, "hand", 2)[0] == {"size": 2, "cards": []}
    cards.show(s, HAND)
    assert known(s, "hand", None)[0] == {"size": 2, "cards": ["a", "b"]}


def test_shuffle_forgets():
    s = table()
    cards.show(s, DECK)
    cards.shuffle(s, DECK, SeededChance(1))
    assert {mark for _, mark in marks(s, DECK)} == {0}
    assert sorted(letter for letter, _ in marks(s, DECK)) == list("aaaabbbcc")


def test_gather_brings_all_cards_home_unknown():
    s = table(hand0="ab", hand2="c", table="aa")
    cards.show(s, DECK)
    cards.show(s, HAND)
    cards.gather(s)
    assert sorted(marks(s, DECK)) == sorted((letter, 0) for letter in "aaaabbbcc")
    assert [cards.size(s, pile) for pile in (HAND, HAND + 1, HAND + 2, TABLE)] == [0, 0, 0, 0]
    assert [s.count[DECK, kind] for kind in (A, B, C)] == [4, 3, 2]


def test_take_random_moves_the_card_it_names():
    s = table(hand0="abc")
    kind = cards.take_random(s, HAND, HAND + 1, SeededChance(3))
    assert marks(s, HAND + 1) == [(" abc"[kind], 0b011)]
    assert cards.count(s, HAND, kind) == 0


def test_top_and_card_at():
    s = table(hand0="abc")
    assert (cards.top(s, HAND), cards.card_at(s, HAND, 0), cards.top(s, HAND + 1)) == (C, A, cards.NO_CARD)
    with pytest.raises(IndexError):
        cards.card_at(s, HAND, 3)


def test_an_ordered_pile_shows_known_cards_in_their_places_from_the_top():
    s = table()  # from the bottom: aaaabbbcc
    s.seen[DECK, 6] = 1 << SPECTATOR
    assert known(s, "deck", None) == {"size": 9, "cards": [None, None, "b"]}
    assert known(s, "deck", 0) == {"size": 9, "cards": []}


def test_redeal_depends_on_the_view_and_the_seed_alone():
    one, two = table(hand0="ab", hand1="ac", hand2="b"), table(hand0="ba", hand1="bb", hand2="c")
    for seed in range(20):
        states = []
        for s in (one, two):
            blind = view.blind(s, RULES, 0)
            cards.redeal(blind, 0, SeededChance(seed))
            states.append(to_record(blind, RULES.state_type).tobytes())
        assert states[0] == states[1]


def test_redeal_gives_every_unknown_place_any_unknown_card():
    s = table(hand0="ab", hand1="ac", hand2="b")
    found = set()
    for seed in range(200):
        blind = view.blind(s, RULES, 0)
        cards.redeal(blind, 0, SeededChance(seed))
        assert [letter for letter, _ in marks(blind, HAND)] == ["a", "b"]
        assert sum(blind.count[pile, A] for pile in range(len(blind.size))) == 4
        found.add("".join(sorted(letter for letter, _ in marks(blind, HAND + 1))))
    assert found == {"aa", "ab", "ac", "bb", "bc", "cc"}


def test_redeal_keeps_backs_apart():
    rules = find("tebineri_cookie")
    s = rules.undealt(3, rules.options())
    rules.module.begin(s, rules.tables(rules.options(), 3), SeededChance(1))
    for seed in range(30):
        blind = view.blind(s, rules, 1)
        cards.redeal(blind, 1, SeededChance(seed))
        for pile in range(len(blind.size)):
            for i in range(blind.size[pile]):
                assert blind.home[blind.card[pile, i]] == s.home[s.card[pile, i]]


def test_an_information_state_holds_nothing_but_the_view():
    s = table(hand0="ab", hand1="ac", hand2="b")
    cards.show_to(s, HAND + 1, 2)  # what others know is not in it either
    blind = view.blind(s, RULES, 0)
    assert marks(blind, HAND) == [("a", 1), ("b", 1)]
    places = [blind.card[pile, i] for pile in (HAND + 1, HAND + 2, DECK) for i in range(blind.size[pile])]
    assert places == sorted(places)
    assert {blind.seen[pile, i] for pile in (HAND + 1, HAND + 2, DECK) for i in range(blind.size[pile])} == {0}
