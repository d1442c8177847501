"""What a viewer of 手びねりクッキー knows (TC-11), written from the clauses and from the text of a record alone, and
how the same could have come about with other hidden cards. Nothing of the engine is used."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

Record = dict[str, Any]
Viewer = int | None


@dataclass
class Gift:
    """One cookie on its way: the event that gave it, who gave it, who has seen it, and the event that turned it up."""

    event: int
    giver: int
    card: str
    seen_by: set[int]
    turned_up: int | None = None


@dataclass
class Telling:
    """What the events of a record tell of: the hands dealt, the cards removed, the pictures, the gifts."""

    removed: list[str]
    hands: list[list[str]]
    weak: list[str]
    undealt: list[str]
    gifts: list[Gift] = field(default_factory=list)
    over: bool = False


def telling(record: Record) -> Telling:
    """Read a record by the clauses TC-2 to TC-8."""
    seats = len(record["players"])
    deck = record["events"][0][1].split()[1:]
    pictures = record["events"][1][1].split()[1:]
    each = 36 // seats
    hands = [deck[4 + seat * each : 4 + (seat + 1) * each] for seat in range(seats)]
    out = Telling(deck[:4], hands, pictures[:seats], pictures[seats:])
    left = [len(hand) for hand in hands]
    fronts: list[list[str]] = [[] for _ in range(seats)]
    for n, (who, what) in enumerate(record["events"]):
        if who == "*" or what.startswith((">", ":")):
            continue
        if ">" in what:
            out.gifts.append(Gift(n, who, what.split(">")[0], {who}))
            left[who] -= 1
            continue
        gift = out.gifts[-1]
        eater = who
        if what == "hold":
            gift.seen_by.add(who)
            if len(gift.seen_by) < seats:
                continue
            eater = gift.giver  # nobody is left (TC-6)
        gift.turned_up = n
        fronts[eater].append(gift.card)
        suits = [card[0] for card in fronts[eater]]
        out.over = suits.count(gift.card[0]) == 4 or left[eater] == 0  # TC-8
    return out


def known(gift: Gift, viewer: Viewer) -> bool:
    """Whether a viewer knows the cookie of a gift, now or at last: it has seen it, or it was eaten (TC-5, TC-7)."""
    return gift.turned_up is not None or viewer in gift.seen_by


def visible(record: Record, viewer: Viewer) -> list[Any]:
    """Who starts, gives what to whom as far as the viewer has seen the card, the claims, eating and holding; the card
    when it is turned up, or looked at by the viewer; the own hand and weak suit; all weak suits at the end (TC-11)."""
    told = telling(record)
    gifts = {gift.event: gift for gift in told.gifts}
    out: list[Any] = [record["options"], record["players"]]
    if viewer is not None:
        out.append([sorted(told.hands[viewer]), told.weak[viewer]])
    gift = None
    for n, (who, what) in enumerate(record["events"]):
        if what.startswith(("deck ", "pictures ")):
            continue
        if n in gifts:
            gift = gifts[n]
            out.append([who, what if viewer == who else "?>" + what.split(">")[1]])
            continue
        out.append([who, what])
        if gift is not None and what == "hold" and who == viewer:
            out.append(["looks at", gift.card])
        if gift is not None and n == gift.turned_up:
            out.append(["turned up", gift.card])
    if told.over:
        out.append(["weak suits", told.weak])
    return out


def other_history(record: Record, viewer: Viewer, random: Random) -> Record:
    """The same game as far as the viewer knows, with other cards in the hands of others, removed, and on offer."""
    told = telling(record)
    seats = len(told.hands)
    out = [list(event) for event in record["events"]]
    hidden = [seat for seat in range(seats) if seat != viewer]
    fixed = [[gift.card for gift in told.gifts if gift.giver == seat and known(gift, viewer)] for seat in range(seats)]
    pool = list(told.removed) + [card for seat in hidden for card in told.hands[seat] if card not in fixed[seat]]
    random.shuffle(pool)
    hands = list(told.hands)
    for seat in hidden:
        hands[seat] = fixed[seat] + [pool.pop() for _ in range(len(told.hands[seat]) - len(fixed[seat]))]
    for gift in told.gifts:
        if not known(gift, viewer):  # the one on offer: any card still in that hand
            card = random.choice([card for card in hands[gift.giver] if card not in fixed[gift.giver]])
            out[gift.event][1] = f"{card}>{out[gift.event][1].split('>')[1]}"
    cards = pool + [card for hand in hands for card in random.sample(hand, len(hand))]
    out[0][1] = " ".join(["deck", *cards])
    weak, undealt = list(told.weak), list(told.undealt)
    if not told.over:
        pictures = undealt + [weak[seat] for seat in hidden]
        random.shuffle(pictures)
        for seat in hidden:
            weak[seat] = pictures.pop()
        undealt = pictures
    random.shuffle(undealt)
    out[1][1] = " ".join(["pictures", *weak, *undealt])
    return {**record, "events": out}
