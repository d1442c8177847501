"""What a viewer of 熟語ドラフト knows (JD-6), written from the clauses and from the text of a record alone, and how the
same could have come about with other hidden cards. Nothing of the engine is used.

Every viewer knows the same: all but the order of the pile and the cards put out."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

Record = dict[str, Any]
Viewer = int | None


@dataclass
class Telling:
    """What the events of a record tell of: the hands dealt, the fields turned up so far, and the cards nobody has
    seen: those put out, and what is left of the pile."""

    hands: list[list[str]]
    out: list[str]
    fields: list[list[str]]
    pile: list[str]


def telling(record: Record) -> Telling:
    """Read a record by the clauses JD-2, JD-3 and JD-5."""
    seats = len(record["players"])
    deck = record["events"][0][1].split()[1:]
    turned = 3 if seats == 2 else seats
    hands = [deck[3 * seat : 3 * seat + 3] for seat in range(seats)]
    rest = deck[3 * seats :]
    out = rest[: len(rest) % turned]
    pile = rest[len(out) :]
    seen = turned * min(turns_begun(record), len(pile) // turned)
    return Telling(hands, out, [pile[n : n + turned] for n in range(0, seen, turned)], pile[seen:])


def turns_begun(record: Record) -> int:
    """The turns that were finished, and one more (which there is not when the pile is used up)."""
    seats = len(record["players"])
    held = [3] * seats
    turns, ended, discarders = 1, 0, 0  # of this turn: how often `done` was said, and how many must discard
    for who, what in record["events"]:
        if who == "*":
            continue
        if what.startswith("-"):
            held[who] -= 1
        elif what != "done" and len(what) == 1:
            held[who] += 1
        elif what != "done":
            held[who] -= len(what)
        else:
            ended += 1
            if ended == seats:
                discarders = sum(n > 5 for n in held)
            if ended >= seats and ended == seats + discarders:
                turns, ended = turns + 1, 0
    return turns


def visible(record: Record, viewer: Viewer) -> list[Any]:
    """All decisions, who starts, the words accepted, every hand as dealt and every field (JD-6)."""
    told = telling(record)
    hands = [sorted(hand) for hand in told.hands]
    fields = [sorted(field) for field in told.fields]
    return [record["options"], record["players"], hands, fields, record["events"][1:]]


def other_history(record: Record, viewer: Viewer, random: Random) -> Record:
    """The same game as far as anybody knows: the pile lies in another order, and other cards were put out. In which
    order the cards of a hand or a field came does not matter."""
    told = telling(record)
    hidden = random.sample([*told.out, *told.pile], len(told.out) + len(told.pile))
    cards = [card for hand in told.hands for card in random.sample(hand, 3)]
    cards += hidden[: len(told.out)]
    cards += [card for field in told.fields for card in random.sample(field, len(field))]
    cards += hidden[len(told.out) :]
    deck = ["*", " ".join(["deck", *cards])]
    return {**record, "events": [deck, *record["events"][1:]]}
