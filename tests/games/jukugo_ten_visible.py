"""What a viewer of 熟語テン knows (JT-10), written from the clauses and from the text of a record alone, and how the
same could have come about with other hidden cards. Nothing of the engine is used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

Record = dict[str, Any]
Viewer = int | None


@dataclass(eq=False)
class Card:
    """A card from its place in a shuffled pile until it is shuffled again: which shuffle (event), which place in it,
    whose hand it was dealt to and in which deal, and what made all know it."""

    name: str
    event: int
    place: int
    owner: Viewer = None
    deal: int = 0
    known: str = ""


@dataclass
class Telling:
    """A record followed by the clauses JT-1 to JT-9."""

    record: Record
    events: Iterator[tuple[int, list[Any]]]
    cards: list[Card] = field(default_factory=list)
    lines: list[Any] = field(default_factory=list)
    pile: list[Card] = field(default_factory=list)
    to_turn: list[Card] = field(default_factory=list)
    turned: list[Card] = field(default_factory=list)
    discards: list[Card] = field(default_factory=list)
    hands: list[list[Card]] = field(default_factory=list)
    wins: list[int] = field(default_factory=list)
    barred: set[int] = field(default_factory=set)
    dealer: int = 0
    deals: int = 0

    @property
    def seats(self) -> int:
        return len(self.hands)

    def shuffled(self) -> None:
        """The next event of the record is a new pile."""
        n, (_, what) = next(self.events)
        self.pile = [Card(name, n, place) for place, name in enumerate(what.split()[1:])]
        self.cards += self.pile
        self.lines.append(["a new pile", sorted(card.name for card in self.pile)])

    def take(self) -> Card:
        """A card from the pile; when it is empty the discards make a new one (JT-7)."""
        if not self.pile:
            self.discards = []
            self.shuffled()
        return self.pile.pop(0)

    def deal(self) -> None:
        """Three cards each, seat 0 first; each sees the own (JT-1)."""
        self.deals += 1
        for seat, hand in enumerate(self.hands):
            for _ in range(3):
                card = self.take()
                card.owner, card.deal = seat, self.deals
                hand.append(card)
            self.lines.append(Own(seat, sorted(card.name for card in hand)))

    def void(self) -> None:
        """All but the point cards into a new pile, unseen (JT-7)."""
        for hand in self.hands:
            hand.clear()
        self.discards, self.to_turn = [], []
        self.shuffled()
        self.deal()

    def start_turn(self) -> None:
        """The dealer takes the cards of a turn and turns the first up (JT-2)."""
        places = max(3, self.seats)
        while len(self.pile) + len(self.discards) < places:
            self.void()
        self.to_turn = [self.take() for _ in range(places)]
        self.turn_up()

    def turn_up(self) -> None:
        card = self.to_turn.pop(0)
        card.known = f"turned up {len(self.lines)}"
        self.turned = [card]
        self.lines.append(["turned up", card.name])

    def go_on(self) -> None:
        """The next card, or the next dealer (JT-2)."""
        if self.to_turn:
            self.turn_up()
        else:
            self.dealer = (self.dealer + 1) % self.seats
            self.start_turn()

    def show(self, seat: int) -> None:
        """All see a hand: its cards as dealt, in whatever order (JT-5, JT-6, JT-8)."""
        for card in self.hands[seat]:
            card.known = card.known or f"shown {card.deal} {seat}"
        self.lines.append(["a hand", seat, sorted(card.name for card in self.hands[seat])])

    def decide(self, who: int, what: str) -> None:
        self.lines.append([who, what])
        if what == ">x":
            self.discards += self.turned
            self.go_on()
        elif what.startswith(">"):
            self.hands[int(what[1:])] += self.turned
        elif what == "pass":
            self.go_on()
        elif what == "false":
            self.show(who)
            self.barred.add(who)
            if len(self.barred) < self.seats:
                self.go_on()
            else:  # JT-8
                self.barred.clear()
                self.void()
                self.dealer = (self.dealer + 1) % self.seats
                self.start_turn()
        else:
            self.win(who, what[1:])

    def win(self, who: int, kept: str) -> None:
        """The winner keeps a card; the rest of all hands is discarded for all to see (JT-5, JT-6, JT-10)."""
        for seat, hand in enumerate(self.hands):
            self.show(seat)
            kept_card = next((card for card in hand if seat == who and card.name == kept), None)
            self.discards += [card for card in hand if card is not kept_card]
            hand.clear()
        self.barred.clear()
        self.wins[who] += 1
        self.pile[:0] = self.to_turn
        self.to_turn = []
        if self.wins[who] < self.record["options"]["wins"]:  # JT-9
            self.dealer = (self.dealer + 1) % self.seats
            self.deal()
            self.start_turn()


@dataclass
class Own:
    """A line that only one seat sees: the hand dealt to it."""

    seat: int
    hand: list[str]


def telling(record: Record) -> Telling:
    """Follow a record to its end."""
    out = Telling(record, iter(enumerate(record["events"])))
    out.hands = [[] for _ in record["players"]]
    out.wins = [0] * out.seats
    out.shuffled()
    _, (_, start) = next(out.events)
    out.lines.append(start)
    out.dealer = int(start.split()[1])
    out.deal()
    out.start_turn()
    for _, (who, what) in out.events:
        if who == "*":
            out.lines.append(what)  # a word that all accepted (JK-5)
        else:
            out.decide(who, what)
    return out


def visible(record: Record, viewer: Viewer) -> list[Any]:
    """The cards turned up and who got them, all answers, the hand of a false call, after a win all hands; of what is
    dealt only the own (JT-10). What lies in the discards, who is barred, and all sizes follow from these."""
    lines = telling(record).lines
    seen = [["own", line.hand] if isinstance(line, Own) else line for line in lines
            if not isinstance(line, Own) or line.seat == viewer]  # fmt: skip
    return [record["options"], record["players"], *seen]


def other_history(record: Record, viewer: Viewer, random: Random) -> Record:
    """The same game as far as the viewer knows: of every pile the cards that it never gets to see change places, in
    the pile and in hands; so do those of a hand among themselves, for in which order they were dealt nobody sees."""
    groups: dict[tuple[Any, ...], list[Card]] = {}
    for card in telling(record).cards:
        own = viewer is not None and card.owner == viewer
        what = card.known or (f"own {card.deal}" if own else "hidden")
        groups.setdefault((card.event, what), []).append(card)
    out = [list(event) for event in record["events"]]
    for (event, _), cards in groups.items():
        names = [card.name for card in cards]
        random.shuffle(names)
        order = out[event][1].split()
        for card, name in zip(cards, names, strict=True):
            order[1 + card.place] = name
        out[event][1] = " ".join(order)
    return {**record, "events": out}
