"""What a viewer of 三十一文字 knows (MH-14), written from the clauses and from the text of a record alone, and how the
same could have come about with other hidden cards. Nothing of the engine is used."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

Record = dict[str, Any]
Viewer = int | None

MINUS, REVERSE = 5, 6  # lengths of kimariji (MH-5, MH-6)
NEVER = 10**6


@dataclass
class Copy:
    """One card as it lies in one shuffled stock: who drew it and at which event, and the event that played it."""

    kimariji: str
    drawn_by: int | None = None
    drawn_at: int = NEVER
    played_at: int = NEVER


@dataclass
class Telling:
    """What the events of a record tell of: each shuffled stock by its event, and what each seat drew at each event."""

    stocks: dict[int, list[Copy]] = field(default_factory=dict)
    draws: list[tuple[int, int, str]] = field(default_factory=list)


def telling(record: Record) -> Telling:
    """Read a record by the clauses MH-3 to MH-12."""
    options, events, seats = record["options"], record["events"], len(record["players"])
    out = Telling()
    hands: list[list[Copy]] = [[] for _ in range(seats)]
    stock: list[Copy] = []
    played: list[str] = []
    just: list[str] = []
    total = 0

    def shuffle(n: int) -> None:
        stock[:] = out.stocks[n] = [Copy(kimariji) for kimariji in events[n][1].split()[1:]]

    def draw(seat: int, n: int) -> None:
        copy = stock.pop(0)
        copy.drawn_by, copy.drawn_at = seat, n
        hands[seat].append(copy)
        out.draws.append((n, seat, copy.kimariji))

    shuffle(0)
    for seat in range(seats):
        for _ in range(options["hand"]):
            draw(seat, 0)
    for n, (who, what) in enumerate(events):
        if who == "*":
            continue
        played += just
        just = what.split("+")
        for kimariji in just:
            copy = next(copy for copy in hands[who] if copy.kimariji == kimariji)
            copy.played_at = n
            hands[who].remove(copy)
        if len(just) == 1 and len(what) != REVERSE:
            total += -MINUS if len(what) == MINUS else len(what)
            if total < 0 and options["floor"] == 0:
                total = 0
        if total >= options["limit"]:
            break
        at = n
        for _ in just:
            if not stock and played:
                at += 1
                assert events[at][1].startswith("deck ")
                played = []
                shuffle(at)
            if stock:
                draw(who, at)
    return out


def visible(record: Record, viewer: Viewer) -> list[Any]:
    """All that is played, who starts, that a new stock was shuffled, and what the viewer draws and when. (The total,
    the direction, the duty and how many cards lie where follow from these.)"""
    out: list[Any] = [record["options"], record["players"]]
    draws = telling(record).draws
    for n, (who, what) in enumerate(record["events"]):
        out.append([who, "deck" if who == "*" and what.startswith("deck ") else what])
        out.append(sorted(kimariji for at, seat, kimariji in draws if at == n and seat == viewer))
    return out


def other_history(record: Record, viewer: Viewer, random: Random) -> Record:
    """The same game as far as the viewer knows: in each stock, cards change places wherever everybody still draws in
    time what they play, and the viewer draws the same."""
    told = telling(record)
    events = [list(event) for event in record["events"]]
    players = {n: who for n, (who, _) in enumerate(record["events"])}

    def may_lie(card: Copy, place: Copy) -> bool:
        if place.drawn_by == viewer and viewer is not None:
            return False
        if card.played_at == NEVER:
            return True
        return place.drawn_by == players[card.played_at] and place.drawn_at < card.played_at

    for n, stock in told.stocks.items():
        order = list(stock)  # which card lies at each place
        for _ in range(20 * len(stock)):
            i, j = random.randrange(len(stock)), random.randrange(len(stock))
            if may_lie(order[i], stock[j]) and may_lie(order[j], stock[i]):
                order[i], order[j] = order[j], order[i]
        events[n][1] = " ".join(["deck", *(copy.kimariji for copy in order)])
    return {**record, "events": events}
