"""What a viewer of 熟語ダイスキャッチ knows (JC-6), written from the clauses and from the text of a record alone, and
how the same could have come about with other hidden cards. Nothing of the engine is used.

Every viewer knows the same: all but the order of the pile."""

from __future__ import annotations

from random import Random
from typing import Any

Record = dict[str, Any]
Viewer = int | None


def cut(record: Record) -> tuple[list[list[str]], list[str], list[str]]:
    """The hands dealt; the cards that were turned up or taken from the pile so far, in order; the pile below."""
    seats = len(record["players"])
    deck = record["events"][0][1].split()[1:]
    hands = [deck[3 * seat : 3 * seat + 3] for seat in range(seats)]
    known = 3 * seats + gone_from_pile(record, len(deck) - 3 * seats)
    return hands, deck[3 * seats : known], deck[known:]


def gone_from_pile(record: Record, cards: int) -> int:
    """How many of so many cards have left the pile: six to the row, those taken, and one at the end of every turn
    while there is one (JC-2, JC-3)."""
    held = [3] * len(record["players"])
    gone = 6
    for who, what in record["events"]:
        if who == "*":
            continue
        if what == "pile" or what.isdecimal():
            held[who] += 1
            gone += what == "pile"
        elif what.startswith("-"):
            held[who] -= 1
        elif what != "done":
            held[who] -= len(what)
        elif held[who] <= 5:  # the turn is over; with six or more the words are, and the discards follow
            gone = min(gone + 1, cards)
    return gone


def visible(record: Record, viewer: Viewer) -> list[Any]:
    """All decisions, who starts, the die, the words accepted, every hand as dealt, and each card that left the pile
    (JC-6)."""
    hands, turned, _ = cut(record)
    return [record["options"], record["players"], [sorted(hand) for hand in hands], turned, record["events"][1:]]


def other_history(record: Record, viewer: Viewer, random: Random) -> Record:
    """The same game as far as anybody knows: the pile lies in another order. In which order the cards of a hand were
    dealt does not matter."""
    hands, turned, pile = cut(record)
    dealt = [card for hand in hands for card in random.sample(hand, 3)]
    deck = ["*", " ".join(["deck", *dealt, *turned, *random.sample(pile, len(pile))])]
    return {**record, "events": [deck, *record["events"][1:]]}
