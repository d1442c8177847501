"""Handles by which the browser recognises a card from one page to the next, so that it glides to its new place.

A handle is a number, given out in the order in which this viewer sees cards move. It is worked out from the story
as this viewer knows it and from nothing else: it cannot tell what the viewer does not know. A card that goes where
the viewer loses sight of it loses its handle; after a shuffle only what is seen to move has one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

MOST = 160
"""Handles are 1 to this; the style sheet has a class for each."""

Place = tuple[str, int | None]
"""A pile by its name, and its seat where every seat has one."""


@dataclass
class _Seen:
    card: str | None
    handle: int
    doubtful: bool = False


@dataclass
class Handles:
    """The handles of the cards a viewer sees, by place; `coming`: those that cards will have which come to light
    next, for the backs from which they would come."""

    places: dict[Place, list[_Seen]] = field(default_factory=dict)
    last: int = 0

    def take(self, place: Place, card: str | None) -> int | None:
        """The handle of a card of this name at a place, once; None when it has none."""
        seen = self._find(place, card)
        if seen is None:
            return None
        self.places[place].remove(seen)
        return seen.handle

    def coming(self, n: int) -> list[int]:
        """The next `n` handles."""
        used = {seen.handle for seen in self._all()}
        found: list[int] = []
        handle = self.last
        for _ in range(MOST):
            handle = handle % MOST + 1
            if handle not in used:
                found.append(handle)
                if len(found) == n:
                    break
        return found

    def _all(self) -> list[_Seen]:
        return [seen for pile in self.places.values() for seen in pile]

    def _find(self, place: Place, card: str | None) -> _Seen | None:
        lying = self.places.get(place, [])
        alike = [seen for seen in lying if seen.card == card]
        if not alike and len(lying) == 1 and lying[0].card is None:
            alike = lying
        return min(alike, key=lambda seen: seen.doubtful, default=None)

    def move(self, card: str | None, a: Place, b: Place, hands: frozenset[str]) -> None:
        """A card went from `a` to `b`; `card` is None when the viewer does not know it."""
        left = self._find(a, card)
        if card is None:
            # Which card went is not known, unless it lay alone.
            if left is not None and len(self.places[a]) > 1:
                left = None
            self.places[a] = []
        elif left is not None:
            self.places[a].remove(left)
        if card is None and b[0] in hands:
            return
        handle = left.handle if left is not None else next(iter(self.coming(1)), 0)
        if handle:
            if left is None:
                self.last = handle
            self.places.setdefault(b, []).append(_Seen(card, handle))

    def shuffle(self) -> None:
        """After a shuffle nothing is sure but what is seen to move from then on."""
        for seen in self._all():
            seen.doubtful = True


def handles(story: Sequence[Any], hands: frozenset[str], gone: frozenset[str]) -> Handles:
    """The handles after a story. `hands`: piles in which unknown cards are not told apart; `gone`: piles that the
    page does not show."""
    out = Handles()
    for event in story:
        if event["move"] == "shuffle":
            out.shuffle()
            out.places = {place: seen for place, seen in out.places.items() if place[0] not in gone}
        for moved in event["cards"]:
            a, b = _place(moved["from"]), _place(moved["to"])
            out.move(moved["card"], a, b, hands)
            if b[0] in gone:
                out.places[b] = []
    return out


def _place(pile: Sequence[Any]) -> Place:
    name, seat = pile
    return name, seat
