"""What a viewer of 熟語並べ knows (JN-7), written from the clauses and from the text of a record alone, and how the
same could have come about with other hidden cards. Nothing of the engine is used."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

Record = dict[str, Any]
Viewer = int | None

COLUMNS, HAND_SIZE, BANK_SIZE = 4, 10, 2  # JN-1
TRIES = 80


class ImpossibleError(Exception):
    """A history that cannot be: a card is not where it is taken."""


class Telling:
    """A record read by the clauses JN-1 to JN-4, for one viewer: `seen` is what it sees, in order.

    `shuffles`: the numbers of the events that say the order of a pile."""

    def __init__(self, record: Record, viewer: Viewer) -> None:
        self.events, self.viewer = record["events"], viewer
        self.discards: list[str] = []
        self.shuffles = [0]
        self.at = 1
        self.seen: list[Any] = [record["options"], record["players"]]
        seats = len(record["players"])
        self.pile = self.events[0][1].split()[1:]
        self.columns = [self.pile.pop(0) for _ in range(COLUMNS)]
        self.hands = [Counter(self.pile.pop(0) for _ in range(HAND_SIZE)) for _ in range(seats)]
        self.bank = [self.pile.pop(0) for _ in range(BANK_SIZE)]
        self.seen.append([list(self.columns), list(self.bank)])
        if viewer is not None:
            self.seen.append(sorted(self.hands[viewer].elements()))
        while self.at < len(self.events):
            who, what = self.events[self.at]
            self.at += 1
            self.seen.append([who, what])
            if who != "*":
                self._decision(who, what)
        if "result" in record:  # the hands are compared (JN-5)
            self.seen.append([sorted(hand.elements()) for hand in self.hands])

    def _decision(self, who: int, what: str) -> None:
        if "@" in what:
            card, column = what.split("@")
            self._leave(who, card)
            self.discards.append(self.columns[int(column) - 1])
            self.columns[int(column) - 1] = card
        elif what.startswith("-"):
            self._leave(who, what[1:])
            self.discards.append(what[1:])
        elif what not in ("done", "pass"):
            if what == "pile":
                card = self._top()
                self.seen.append(["draws", card if who == self.viewer else "?"])
            else:
                card = what
                if card not in self.bank:
                    raise ImpossibleError
                self.bank.remove(card)
            self.hands[who][card] += 1
            while len(self.bank) < BANK_SIZE and (self.pile or self.discards):  # JN-3
                self.bank.append(self._top())
                self.seen.append(["bank", self.bank[-1]])

    def _leave(self, who: int, card: str) -> None:
        if not self.hands[who][card]:
            raise ImpossibleError
        self.hands[who][card] -= 1

    def _top(self) -> str:
        """The top card of the pile, which is made of the discards when it is empty (JN-4)."""
        if not self.pile:
            self.pile = self.events[self.at][1].split()[1:]
            if sorted(self.pile) != sorted(self.discards):
                raise ImpossibleError
            self.seen.append(["shuffled", sorted(self.discards)])
            self.discards = []
            self.shuffles.append(self.at)
            self.at += 1
        return self.pile.pop(0)


def visible(record: Record, viewer: Viewer) -> list[Any]:
    """The columns and the bank as they are laid out, all decisions, the cards that come into the bank, what is shuffled
    into a new pile; of cards from the pile the own; the own hand as dealt; all hands at the end, when they are compared
    (JN-5, JN-7). The discards and how many cards there are follow from these."""
    return Telling(record, viewer).seen


def other_history(record: Record, viewer: Viewer, random: Random) -> Record:
    """The same game as far as the viewer knows, with other cards in the hands of others and in the pile: two cards of a
    shuffled pile are exchanged again and again, for as long as it can be and looks the same."""
    told = Telling(record, viewer)
    for _ in range(TRIES):
        events = [list(event) for event in record["events"]]
        n = random.choice(told.shuffles)
        cards = events[n][1].split()[1:]
        i, j = random.randrange(len(cards)), random.randrange(len(cards))
        cards[i], cards[j] = cards[j], cards[i]
        events[n][1] = " ".join(["deck", *cards])
        other = {**record, "events": events}
        try:
            if visible(other, viewer) == told.seen:
                record = other
        except ImpossibleError:
            continue
    return record
