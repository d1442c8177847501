"""Where chance comes from: seeds, the operating system, records; and that undoing never rolls again."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chisquare

import tefuda
from tefuda.engine import cards, compiled_chance
from tefuda.engine.chance import Answer, SecretChance, SeededChance, ToldChance, WrongAnswerError
from tefuda.engine.rules import find

RULES = find(Path(__file__).parent / "handing_on.py")
KEY = bytes(range(32))


@pytest.mark.parametrize("seed", [0, 1, 7, 2**31, 2**63 - 1, 2**64 - 1])
def test_seeded_numbers_are_those_of_compiled_rules(seed):
    compiled = np.zeros(1, compiled_chance.CHANCE)[0]
    with np.errstate(over="ignore"):
        compiled_chance.seed_chance(compiled, np.uint64(seed))
        plain = SeededChance(seed)
        for n in [1, 2, 3, 6, 62, 1000, 2**20] * 20:
            assert plain.below(n) == compiled_chance.below(compiled, n)


@pytest.mark.parametrize("source", [SecretChance(KEY), SeededChance(5)], ids=["secret", "seeded"])
@pytest.mark.parametrize("n", [2, 3, 6, 13])
def test_numbers_are_uniform(source, n):
    tally = Counter(source.below(n) for _ in range(6000))
    assert set(tally) == set(range(n))
    assert chisquare([tally[i] for i in range(n)]).pvalue > 0.001


def test_every_order_of_a_shuffle_is_as_likely():
    source, tally = SecretChance(KEY), Counter()
    for _ in range(3000):
        s = RULES.undealt(3, {})
        for kind in (1, 2, 3):
            cards.move(s, kind, RULES.module.DECK, RULES.module.TABLE)
        cards.shuffle(s, RULES.module.TABLE, source)
        tally[tuple(s.card[RULES.module.TABLE, i] for i in range(3))] += 1
    assert len(tally) == 6
    assert chisquare(list(tally.values())).pvalue > 0.001


def test_a_secret_differs_from_another():
    one, two = SecretChance(), SecretChance()
    assert one.key != two.key
    assert len(one.key) == 32
    assert [one.below(1 << 30) for _ in range(4)] != [two.below(1 << 30) for _ in range(4)]


@pytest.mark.parametrize("source", [SecretChance(KEY), SeededChance(5)], ids=["secret", "seeded"])
def test_wound_back_it_gives_the_same_again(source):
    source.below(9)
    mark = source.mark()
    first = [source.below(100) for _ in range(10)]
    source.rewind(mark)
    assert [source.below(100) for _ in range(10)] == first


def test_without_a_seed_deals_differ():
    assert len({str(tefuda.new("leaves13").record()["events"][0]) for _ in range(3)}) == 3


@pytest.mark.parametrize("seed", [None, 5])
def test_undo_never_rolls_again(seed):
    """Expert mode deals anew in the middle: the same deal comes again, whatever was done in between."""
    game = tefuda.new("leaves13", seats=3, seed=seed, options={"expert": True})
    first = game.log(None)
    while [who for who, _ in game.log(None)].count("*") == len([e for e in first if e[0] == "*"]):
        game.play(game.moves()[0])
    dealt = game.record()["events"]
    for _ in range(3):
        game.undo()
    for who, what in dealt[-5:]:
        if who != "*":
            game.play(what)
    assert game.record()["events"] == dealt


def loaded_game():
    game = tefuda.new("leaves13", seats=3, seed=5, options={"expert": True})
    for _ in range(100):
        game.play(game.moves()[0])
    assert [who for who, _ in game.record()["events"]].count("*") >= 4
    return game, tefuda.from_record(game.record())


def test_undo_never_rolls_again_after_loading():
    game, loaded = loaded_game()
    events = loaded.record()["events"]
    for _ in range(100):
        loaded.undo()
    assert loaded.record()["events"] == events[:2]
    for who, what in events:
        if who != "*":
            loaded.play(what)
    assert loaded.record()["events"] == events == game.record()["events"]


def test_a_loaded_game_can_be_undone_and_go_another_way():
    _, loaded = loaded_game()
    for _ in range(70):
        loaded.undo()
    kept = loaded.record()["events"]
    for _ in range(200):  # past all chance that the record told
        loaded.play(loaded.moves()[-1] if loaded.state.decisions % 3 else loaded.moves()[0])
    went = loaded.record()["events"]
    assert went[: len(kept)] == kept
    assert tefuda.from_record(loaded.record()).record()["events"] == went
    made = [what for who, what in went if who != "*"]
    for _ in range(150):
        loaded.undo()
    for what in made[-150:]:  # what came from the source after the record comes again too
        loaded.play(what)
    assert loaded.record()["events"] == went


def told(*answers, strict=True):
    source = ToldChance(answers)
    if not strict:
        source.go_on_with(SeededChance(1))
    return source


def test_told_chance_says_what_it_was_told():
    s = RULES.undealt(3, {})
    deck = (3, 1, 1, 2, 1, 2, 3, 1, 2)
    source = told(
        Answer(cards.SHUFFLE, RULES.module.DECK, deck), Answer(cards.START, 0, (2,)), Answer(cards.ROLL, 0, (6,)),
        Answer(cards.PICK, 0, (4,)), Answer(cards.TAKE, 0, (2,)),
    )  # fmt: skip
    cards.shuffle(s, RULES.module.DECK, source)
    assert tuple(s.card[RULES.module.DECK, 8 - i] for i in range(9)) == deck
    assert cards.random_seat(s, source) == 2
    assert cards.roll(s, source) == 6
    assert cards.pick(s, source, 5) == 4
    assert cards.take_random(s, RULES.module.DECK, RULES.module.HAND, source) == 2
    assert [(a.question, a.values) for a in source.answers] == [(a.question, a.values) for a in source.told]


WRONG = {
    "no answer": ([], cards.random_seat),
    "another question": ([Answer(cards.ROLL, 0, (1,))], cards.random_seat),
    "no such seat": ([Answer(cards.START, 0, (3,))], cards.random_seat),
    "seven pips": ([Answer(cards.ROLL, 0, (7,))], cards.roll),
    "no pips": ([Answer(cards.ROLL, 0, (0,))], cards.roll),
    "other cards": ([Answer(cards.SHUFFLE, 4, (1, 2, 3))], lambda s, source: cards.shuffle(s, 4, source)),
    "another pile": ([Answer(cards.SHUFFLE, 3, ())], lambda s, source: cards.shuffle(s, 4, source)),
    "no such card": ([Answer(cards.TAKE, 0, (9,))], lambda s, source: cards.take_random(s, 4, 0, source)),
}


@pytest.mark.parametrize("case", WRONG)
def test_told_chance_refuses_what_cannot_be_while_strict(case):
    answers, ask = WRONG[case]
    with pytest.raises(WrongAnswerError):
        ask(RULES.undealt(3, {}), told(*answers))


@pytest.mark.parametrize("case", WRONG)
def test_told_chance_is_left_where_it_does_not_fit_in_play(case):
    answers, ask = WRONG[case]
    s = RULES.undealt(3, {})
    source = told(*answers, strict=False)
    ask(s, source)
    assert len(source.answers) == 1
    assert sum(s.size[pile] for pile in range(len(s.size))) == 9
