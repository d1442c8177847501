"""What a viewer may see of a state, derived from the marks for every game alike. A viewer is a seat, or None."""

from __future__ import annotations

from typing import Any

from tefuda.engine.cards import take_up_unknown
from tefuda.engine.declare import SPECTATOR, Pile
from tefuda.engine.plain import Cells, Grid, PlainState, copy_state
from tefuda.engine.rules import Rules

Json = Any

ENGINE_FIELDS = ("seats", "turn", "decisions", "capped", "ended")


def viewer_bit(viewer: int | None) -> int:
    """The bit of a viewer in the marks."""
    return 1 << (SPECTATOR if viewer is None else viewer)


def open_bits(seats: int) -> int:
    """The bits of all who look at an open table: what any seat knows, they know."""
    return (1 << seats) - 1 | viewer_bit(None)


def see_pile(s: PlainState, number: int, pile: Pile, bit: int, names: list[str]) -> dict[str, Json]:
    """A pile as the viewer of a bit (or any of several) sees it: `size`, and `cards` by name.

    Of an ordered pile all places from the top down (of a row from place 0 on), None where the viewer does not know
    the card; the unknown end of it is left out. Of any other pile the known cards, by kind."""
    n = s.size[number]
    open_ = s.always[number] & bit
    kinds = [s.card[number, i] if open_ or s.seen[number, i] & bit else None for i in range(n)]
    if pile.ordered:
        if not pile.row:
            kinds.reverse()
        while kinds and kinds[-1] is None:
            kinds.pop()
        return {"size": n, "cards": [None if kind is None else names[kind] for kind in kinds]}
    known = sorted(kind for kind in kinds if kind is not None)
    return {"size": n, "cards": [names[kind] for kind in known]}


def see_piles(s: PlainState, rules: Rules, bit: int, names: list[str]) -> dict[str, Json]:
    """All piles by name; a list, by seat, where every seat has one."""
    out: dict[str, Json] = {}
    number = 0
    for pile in rules.piles:
        if pile.per_seat:
            out[pile.name] = [see_pile(s, number + seat, pile, bit, names) for seat in range(s.seats)]
            number += rules.state_type.most_seats
        else:
            out[pile.name] = see_pile(s, number, pile, bit, names)
            number += 1
    return out


def see_fields(s: PlainState, rules: Rules, viewer: int | None, open_hands: bool = False) -> dict[str, Json]:
    """The game's own fields; what is one entry a seat is cut to the seats, and a private one to the viewer's own."""
    out: dict[str, Json] = {}
    for name in rules.state_type.own:
        value = vars(s)[name]
        rows: Json
        if isinstance(value, Cells):
            rows = list(value)
        elif isinstance(value, Grid):
            rows = [list(row) for row in value.rows]
        else:
            out[name] = value
            continue
        if len(rows) == rules.state_type.most_seats:
            rows = rows[: s.seats]
        if name in rules.state_type.private:
            rows = [row if open_hands or seat == viewer else None for seat, row in enumerate(rows)]
        out[name] = rows
    return out


def see(
    s: PlainState, rules: Rules, viewer: int | None, names: list[str], open_hands: bool = False
) -> dict[str, Json]:
    """The table as a viewer sees it: `piles` and `state`. With `open_hands` all that any seat knows."""
    bit = open_bits(s.seats) if open_hands else viewer_bit(viewer)
    return {"piles": see_piles(s, rules, bit, names), "state": see_fields(s, rules, viewer, open_hands)}


def blind(s: PlainState, rules: Rules, viewer: int) -> PlainState:
    """The information state of a seat, as a state: all that it does not know is replaced by what follows from its
    view alone.

    The cards it does not know lie by kind in the places it does not see (each where its back is); other viewers'
    marks are wiped; in piles without an order its known cards come first. Two states that look alike to the seat give
    the same bytes, so whoever is handed this (a bot) can learn nothing more, whatever it does with it."""
    out = copy_state(s, rules.state_type)
    bit = viewer_bit(viewer)
    unknown, first, _ = take_up_unknown(out, viewer)
    number = 0
    for pile in rules.piles:
        for _ in range(rules.state_type.most_seats if pile.per_seat else 1):
            n = out.size[number]
            open_ = out.always[number] & bit
            cards = [out.card[number, i] for i in range(n)]
            known = [bool(open_ or out.seen[number, i] & bit) for i in range(n)]
            order = list(range(n))
            if not pile.ordered:
                order.sort(key=lambda i: (not known[i], cards[i] if known[i] else out.home[cards[i]]))
            kinds = []
            for i in order:
                kind = cards[i]
                if not known[i]:
                    back = out.home[kind]
                    kind = int(unknown[first[back]])
                    first[back] += 1
                    out.count[number, kind] += 1
                kinds.append(kind)
            beyond = [0] * (rules.state_type.most_cards - n)
            out.card[number].values[:] = kinds + beyond
            out.seen[number].values[:] = [bit if known[i] else 0 for i in order] + beyond
            number += 1
    for name in rules.state_type.private:
        for seat in range(rules.state_type.most_seats):
            if seat != viewer:
                vars(out)[name][seat] = 0
    return out
