"""What a seat knows grows old: cards given on unseen, alike cards, cards drawn on by another seat.

Histories of the small game `handing_on.py` are played out here in a few lines of their own, which also write down what
each viewer sees of them. Those that look the same to a viewer must be the same to it in the engine."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from random import Random
from typing import Any

import pytest

import tefuda
from tefuda.check import hidden
from tefuda.engine import cards
from tefuda.engine.rules import find

FILE = Path(__file__).parent / "handing_on.py"
DECK = "aaaabbbcc"

History = list[tuple[int | str, str]]


def script(random: Random) -> list[tuple[str, int]]:
    """What everybody sees being done: give to a seat, show to a seat, draw, lay; who does it follows."""
    return [(random.choice(["give", "give", "show", "draw", "lay"]), 1 + random.randrange(2)) for _ in range(8)]


def play_out(actions: list[tuple[str, int]], random: Random) -> tuple[History, dict[int | None, str]] | None:
    """A history with these actions, and what each viewer sees of it; None when it cannot be."""
    deck = random.sample(DECK, len(DECK))
    events: History = [("*", "deck " + " ".join(deck)), ("*", "start 0")]
    hands = [[deck[2 * seat], deck[2 * seat + 1]] for seat in range(3)]
    deck = deck[6:]
    seen: dict[int | None, list[Any]] = {seat: [sorted(hands[seat])] for seat in range(3)} | {None: []}

    def tell(text: str, knowing: list[int], secret: Any) -> None:
        for viewer, lines in seen.items():
            lines.append((text, secret if viewer in knowing else "?"))

    for n, (action, step) in enumerate(actions):
        who, to = n % 3, (n + step) % 3
        hand = hands[who]
        if not (deck if action == "draw" else hand) and action != "show":
            return None
        if action == "give":
            card = hand.pop(random.randrange(len(hand)))
            hands[to].append(card)
            events.append((who, f"{card}>{to}"))
            tell(f"{who} gives {to}", [who, to], card)
        elif action == "show":
            events.append((who, f"show {to}"))
            tell(f"{who} shows {to}", [to], sorted(hand))
        elif action == "draw":
            hand.append(deck.pop(0))
            events.append((who, "draw"))
            tell(f"{who} draws", [who], hand[-1])
        else:
            card = hand.pop(random.randrange(len(hand)))
            events.append((who, f"lay {card}"))
            tell(f"{who} lays {card}", [], None)
    return events, {viewer: repr(lines) for viewer, lines in seen.items()}


def pairs() -> list[tuple[History, History, int | None]]:
    found = []
    for n in range(40):
        random = Random(n)
        actions = script(random)
        alike: dict[tuple[int | None, str], list[History]] = defaultdict(list)
        for _ in range(150):
            out = play_out(actions, random)
            if out is not None:
                for viewer, seen in out[1].items():
                    alike[viewer, seen].append(out[0])
        for (viewer, _), histories in alike.items():
            if len(histories) > 1 and histories[0] != histories[1]:
                found.append((histories[0], histories[1], viewer))
    return Random("pairs").sample(found, 400)


PAIRS = pairs()


def loaded(events: History) -> tefuda.Game:
    rules = find(FILE)
    record = {
        "format": "tefuda-record/1",
        "game": "handing_on",
        "rules": rules.version,
        "options": {},
        "players": ["A", "B", "C"],
        "events": [list(event) for event in events[:-1]],
    }
    game = tefuda.from_record(record, FILE)
    game.play(events[-1][1])
    return game


def told_apart() -> list[str]:
    found = (hidden.difference(loaded(one), loaded(two), viewer) for one, two, viewer in PAIRS)
    return [difference for difference in found if difference is not None]


def test_histories_that_look_the_same_are_the_same():
    assert {viewer for _, _, viewer in PAIRS} == {0, 1, 2, None}
    assert told_apart() == []


def test_caught_marks_that_stay_on_a_hand_from_which_a_card_went_unseen(monkeypatch):
    def move(s, kind, a, b):  # takes no marks off what stays
        place = max(i for i in range(s.size[a]) if s.card[a, i] == kind)
        mark = s.seen[a, place] | s.always[a] | s.always[b]
        for i in range(place, s.size[a] - 1):
            s.card[a, i], s.seen[a, i] = s.card[a, i + 1], s.seen[a, i + 1]
        s.size[a] -= 1
        s.count[a, kind] -= 1
        cards.put(s, kind, b, mark)
        cards.moved(s, kind, a, b, s.always[a] | s.always[b])

    monkeypatch.setattr(find(FILE).module, "move", move)
    assert told_apart()


def test_caught_marks_left_behind_on_a_place(monkeypatch):
    """A card drawn on by another seat keeps the mark of a card that lay there before."""

    def put(s, kind, pile, mark):
        n = s.size[pile]
        s.card[pile, n] = kind
        s.seen[pile, n] |= mark
        s.size[pile] = n + 1
        s.count[pile, kind] += 1

    monkeypatch.setattr(cards, "put", put)
    assert told_apart()


@pytest.mark.parametrize("viewer", [0, 1, 2])
def test_what_is_still_known_is_not_forgotten(viewer):
    """Seat 0 shows its hand to 1 and gives 2 a card of it: 1 and nobody else knows no more than that 2 got one."""
    game = loaded([("*", "deck a b c c b b a a a"), ("*", "start 0"), (0, "show 1"), (1, "pass")])
    hand = game.view(viewer)["piles"]["hand"][0]
    assert hand == {"size": 2, "cards": ["a", "b"] if viewer in (0, 1) else []}
    game.play("pass")
    game.play("a>2")
    assert game.view(viewer)["piles"]["hand"][0]["cards"] == (["b"] if viewer == 0 else [])
    known = {0: ["a"], 1: [], 2: ["a", "b", "b"]}
    assert game.view(viewer)["piles"]["hand"][2] == {"size": 3, "cards": known[viewer]}
