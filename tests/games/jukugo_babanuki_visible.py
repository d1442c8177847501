"""What a viewer of 熟語ババ抜き knows (JB-6), written from the clauses and from the text of a record alone, and how the
same could have come about with other hidden cards. Nothing of the engine is used, of the product only the list of words
(JK-4)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from itertools import permutations
from random import Random
from typing import Any

from tefuda.decks import lexicon

Record = dict[str, Any]
Viewer = int | None

HAND_SIZE = 9  # JB-1
TRIES = 50


@dataclass
class Draw:
    """A card drawn: who drew it, from whom, and what that seat held."""

    drawer: int
    giver: int
    held: list[str]


@dataclass
class Telling:
    """What the events of a record tell of: the hands dealt, the draws by the number of their event, the hands now."""

    dealt: list[list[str]]
    hands: list[Counter[str]]
    draws: dict[int, Draw] = field(default_factory=dict)


@cache
def words_of_two(name: str, own: tuple[str, ...]) -> frozenset[str]:
    """The words of two that count at the table from the start (JK-4, JK-5)."""
    return frozenset(word for word in (*lexicon.words(name), *own) if len(word) == 2)


def telling(record: Record) -> Telling | None:
    """Read a record by the clauses JB-1, JB-2, JB-3 and JB-5. None when it cannot be: a card is not where it is taken,
    or a program overlooks a word that it must show."""
    seats, options = len(record["players"]), record["options"]
    words = set(words_of_two(options["lexicon"], tuple(options["words"])))
    shows = [options["must"] and name.startswith("bot:") for name in record["players"]]
    deck = record["events"][0][1].split()[1:]
    dealt = [deck[seat * HAND_SIZE : (seat + 1) * HAND_SIZE] for seat in range(seats)]
    out = Telling(dealt, [Counter(hand) for hand in dealt])
    turn = int(record["events"][1][1].split()[1])
    for n, (who, what) in enumerate(record["events"]):
        if what.startswith("take "):
            others = [(turn + i) % seats for i in range(1, seats)]
            giver = next(seat for seat in others if out.hands[seat].total() > 0)
            out.draws[n] = Draw(turn, giver, list(out.hands[giver].elements()))
            card = what.split()[1]
            if not out.hands[giver][card]:
                return None
            out.hands[giver][card] -= 1
            out.hands[turn][card] += 1
        elif what.startswith("word "):
            words.add(what.split()[1])
        elif who != "*":
            if what == "pass" and shows[who] and words & {a + b for a, b in permutations(out.hands[who].elements(), 2)}:
                return None
            for card in "" if what == "pass" else what:
                if not out.hands[who][card]:
                    return None
                out.hands[who][card] -= 1
            turn = (turn + 1) % seats
    return out


def visible(record: Record, viewer: Viewer) -> list[Any]:
    """Who starts, the words shown and the passes, the words the table accepted, of a card drawn which it was for those
    two; the own hand as dealt; all hands at the end, when they are compared (JB-4, JB-6). How many cards each seat has
    and which round it is follow from these."""
    told = telling(record)
    assert told is not None
    out: list[Any] = [record["options"], record["players"]]
    if viewer is not None:
        out.append(sorted(told.dealt[viewer]))
    for n, (who, what) in enumerate(record["events"]):
        if what.startswith("deck "):
            continue
        if n in told.draws:
            draw = told.draws[n]
            out.append(["draws", draw.drawer, draw.giver, what if viewer in (draw.drawer, draw.giver) else "take ?"])
        else:
            out.append([who, what])
    if "result" in record:
        out.append([sorted(hand.elements()) for hand in told.hands])
    return out


def other_history(record: Record, viewer: Viewer, random: Random) -> Record:
    """The same game as far as the viewer knows, with other cards in the hands of others and out of the game, and other
    cards drawn among the others: changed step by step, for as long as it can be and looks the same."""
    seen = visible(record, viewer)
    for _ in range(TRIES):
        other = changed(record, random)
        if telling(other) is not None and visible(other, viewer) == seen:
            record = other
    return record


def changed(record: Record, random: Random) -> Record:
    """Two cards exchanged in the deck, and perhaps wherever they are drawn; or another card drawn once."""
    events = [list(event) for event in record["events"]]
    told = telling(record)
    assert told is not None
    if told.draws and random.random() < 0.5:
        n = random.choice(list(told.draws))
        events[n][1] = f"take {random.choice(told.draws[n].held)}"
    else:
        cards = events[0][1].split()[1:]
        i, j = random.sample(range(len(cards)), 2)
        exchanged = {cards[i]: cards[j], cards[j]: cards[i]}
        cards[i], cards[j] = cards[j], cards[i]
        events[0][1] = " ".join(["deck", *cards])
        if random.random() < 0.5:
            for n in told.draws:
                card = events[n][1].split()[1]
                events[n][1] = f"take {exchanged.get(card, card)}"
    return {**record, "events": events}
