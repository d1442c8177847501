"""The drill: its questions, their answers, and that what one gets wrong comes back sooner."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tefuda.decks.karuta import FAMILIES, KIMARIJI
from tefuda.decks.karuta_drill import (
    CHOICES,
    KINDS,
    WAITS,
    Progress,
    Question,
    begin,
    dubs_among,
    items,
    new_total,
    question,
)

SINGLE = ["む", "す", "め", "ふ", "さ", "ほ", "せ"]


@pytest.mark.parametrize("kimariji", KIMARIJI)
def test_which_kimariji(kimariji: str) -> None:
    asked = question("kimariji", kimariji, KIMARIJI, Random(kimariji))
    assert asked.cards == (kimariji,)
    assert len(set(asked.choices)) == len(asked.choices) == CHOICES and kimariji in asked.choices
    assert [choice for choice in asked.choices if asked.is_right([choice])] == [kimariji]
    assert not asked.is_right([]) and not asked.is_right(list(asked.choices[:2]))
    begins_alike = [other for other in KIMARIJI if other[0] == kimariji[0] and other != kimariji]
    assert sum(choice in begins_alike for choice in asked.choices) == min(len(begins_alike), CHOICES - 1)


@pytest.mark.parametrize(
    ("total", "kimariji", "new"),
    [
        (7, "む", 8),
        (7, "うか", 9),
        (7, "ちぎりき", 11),
        (20, "よのなかは", 15),
        (3, "よのなかよ", -2),
        (9, "わたのはらや", 9),
    ],
)
def test_what_is_the_total(total: int, kimariji: str, new: int) -> None:
    assert new_total(total, kimariji) == new
    asked = Question("total", kimariji, (kimariji,), total=total)
    assert asked.right == (str(new),)
    assert asked.is_right([f" {new} "])
    assert not asked.is_right([str(new + 1)]) and not asked.is_right([]) and not asked.is_right(["x"])


def test_totals_stay_below_thirty_one() -> None:
    random = Random(1)
    totals = [question("total", "ちぎりき", KIMARIJI, random) for _ in range(400)]
    assert min(asked.total for asked in totals) == 0
    assert max(int(asked.right[0]) for asked in totals) == 30


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.beginning)
def test_which_cards_make_a_dub(family) -> None:  # type: ignore[no-untyped-def]
    random = Random(family.name)
    members = family.name.split("+")
    complete = 0
    for _ in range(40):
        asked = question("dub", family.name, KIMARIJI, random)
        assert len(set(asked.cards)) == len(asked.cards) >= 6
        found = dubs_among(asked.cards)
        if set(members) <= set(asked.cards):
            complete += 1
            assert asked.is_right(members) and asked.is_right(members[::-1])
            assert set(asked.right) == set(members)
            assert all(set(dub) <= set(members) for dub in found)
            assert not asked.is_right([]) and not asked.is_right(list(asked.cards))
        else:
            assert found == []
            assert asked.right == () and asked.is_right([]) and not asked.is_right(members)
    assert 15 <= complete <= 39


def test_of_several_dubs_any_will_do() -> None:
    asked = Question("dub", "なにわが+なにし+なにわえ", ("なにわが", "なにし", "なにわえ", "む"))
    assert asked.is_right(["なにわえ", "なにわが"]) and asked.is_right(["なにし", "なにわえ", "なにわが"])
    assert not asked.is_right(["なにし", "なにわが"]) and not asked.is_right(["む"])
    assert asked.right == ("なにわが", "なにし", "なにわえ")


def test_what_can_be_asked_of_some_cards() -> None:
    assert items("kimariji", SINGLE) == tuple(SINGLE)
    assert items("dub", SINGLE) == ()
    assert items("dub", ["うか", "うら", "つき"]) == ("うら+うか",)
    assert begin(SINGLE, KINDS).kinds == ("kimariji", "total")
    assert begin(["うら", "x", "うか", "うら"], ["dub"]).cards == ("うら", "うか")


@pytest.mark.parametrize(
    ("cards", "kinds"), [([], KINDS), (["x"], KINDS), (SINGLE, ["dub"]), (SINGLE, []), (SINGLE, ["x"])]
)
def test_of_nothing_nothing_can_be_asked(cards: list[str], kinds: list[str]) -> None:
    with pytest.raises(ValueError, match="nothing to ask"):
        begin(cards, kinds)


def drill(progress: Progress, wrong: set[str], questions: int) -> tuple[list[str], Progress]:
    """The items asked, one after another, of somebody who always gets some of them wrong."""
    random = Random(7)
    asked = []
    for _ in range(questions):
        now = progress.ask(random)
        asked.append(now.item)
        progress = progress.after(now, now.item not in wrong)
    return asked, progress


def test_what_one_gets_wrong_comes_back_sooner() -> None:
    asked, progress = drill(begin(KIMARIJI, ["kimariji"]), {"む", "うか"}, 400)
    counts = Counter(asked)
    assert min(counts["む"], counts["うか"]) > 3 * max(n for item, n in counts.items() if item not in ("む", "うか"))
    assert set(asked) == set(KIMARIJI)  # and everything else is asked as well
    first = asked.index("む")
    assert asked.index("む", first + 1) - first == WAITS[1] + 1
    assert progress.asked == 400 and progress.right == 400 - counts["む"] - counts["うか"]


def test_what_one_knows_comes_later_and_later() -> None:
    progress = begin(["む", *KIMARIJI[:60]], ["kimariji"])
    known = Question("kimariji", "む", ("む",))
    waits = []
    for _ in range(5):
        progress = progress.after(known, True)
        waits.append(progress.standings["kimariji", "む"].wait)
    assert waits == [WAITS[2], WAITS[3], WAITS[4], WAITS[4], WAITS[4]]
    assert progress.known == 1
    progress = progress.after(known, False)
    assert progress.standings["kimariji", "む"].wait == WAITS[1] and progress.known == 0


def test_even_one_card_can_be_drilled() -> None:
    asked, _ = drill(begin(["む"], ["kimariji"]), set(), 5)
    assert asked == ["む"] * 5


def test_progress_is_kept_as_short_texts() -> None:
    progress = begin(KIMARIJI, KINDS)
    _, progress = drill(progress, {"む"}, 150)
    fields = progress.to_fields()
    assert Progress.from_fields(fields) == progress
    assert max(map(len, fields.values())) <= 300
    again = Progress.from_fields(fields)
    assert again.next(Random(3)) == progress.next(Random(3))


@pytest.mark.parametrize(
    "changed",
    [
        {"cards": ""},
        {"cards": "0"},
        {"cards": "-1"},
        {"cards": "x"},
        {"cards": "f" * 26},
        {"kinds": ""},
        {"kinds": "tea"},
        {"asked": "many"},
        {"stand.total": "11"},
        {"stand.kimariji": "500" * 100},
        {"stand.kimariji": "1ff" * 100},
        {"stand.kimariji": "1x0" * 100},
        {"stand.kimariji": "x10" * 100},
    ],
)
def test_what_is_no_progress_is_refused(changed: dict[str, str]) -> None:
    fields = begin(KIMARIJI, KINDS).to_fields()
    with pytest.raises(ValueError):
        Progress.from_fields({**fields, **changed})
