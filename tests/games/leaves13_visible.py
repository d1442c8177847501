"""What a viewer of 13枚の葉 knows (LV-15), written from the clauses and from the text of a record alone, and how the
same could have come about with other hidden cards. Nothing of the engine is used."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

Record = dict[str, Any]
Viewer = int | None

HAND_SIZE = {3: 12, 4: 11, 5: 10, 6: 9}  # LV-2


def dealt_hands(deck: str, seats: int) -> list[list[str]]:
    """The hands dealt from a deck's text, and last what is out of the game (LV-2, and the notation)."""
    cards = deck.split()[1:]
    n = HAND_SIZE[seats]
    return [cards[seat * n : (seat + 1) * n] for seat in range(seats)] + [cards[seats * n :]]


def visible(record: Record, viewer: Viewer) -> list[Any]:
    """All plays and passes, who starts, and the own cards as dealt: of a deal everything else is hidden (LV-15).

    The number of cards in each hand, who is out, the row and the minus points follow from these."""
    out: list[Any] = [record["options"], record["players"]]
    for who, what in record["events"]:
        if who == "*" and what.startswith("deck "):
            own = [] if viewer is None else sorted(dealt_hands(what, len(record["players"]))[viewer])
            out.append(["*", "deck", own])
        else:
            out.append([who, what])
    return out


def other_history(record: Record, viewer: Viewer, random: Random) -> Record:
    """The same game as far as the viewer knows, with the hidden cards of every deal dealt anew.

    Each other seat is first given what it is seen to play and had not been seen to take; the rest of its hand may be
    anything. Which cards of its own hand the viewer was dealt first does not matter."""
    seats = len(record["players"])
    events = record["events"]
    deals = [n for n, (who, what) in enumerate(events) if who == "*" and what.startswith("deck ")]
    out = [list(event) for event in events]
    for start, end in zip(deals, [*deals[1:], len(events)], strict=True):
        hands = dealt_hands(events[start][1], seats)
        needed = needed_cards(events[start + 1 : end], seats)
        hidden = [seat for seat in range(seats) if seat != viewer]
        pool = Counter(card for seat in [*hidden, seats] for card in hands[seat])
        for seat in hidden:
            pool.subtract(needed[seat])
        spare = list(pool.elements())
        random.shuffle(spare)
        for seat in hidden:
            hand = list(needed[seat].elements())
            while len(hand) < HAND_SIZE[seats]:
                hand.append(spare.pop())
            hands[seat] = hand
        hands[seats] = spare
        for hand in hands:
            random.shuffle(hand)
        out[start][1] = " ".join(["deck", *(card for hand in hands for card in hand)])
    return {**record, "events": out}


def needed_cards(events: list[Any], seats: int) -> list[Counter[str]]:
    """What each seat must have been dealt, to play what it played in this deal."""
    held = [Counter[str]() for _ in range(seats)]
    needed = [Counter[str]() for _ in range(seats)]
    for who, what in events:
        if who == "*":
            continue
        if what.startswith("-"):
            held[who][what[1:]] += 1
        else:
            rank, n = what.split("x")
            held[who][rank] -= int(n)
            needed[who][rank] = max(needed[who][rank], -held[who][rank])
    return needed
