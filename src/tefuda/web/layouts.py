"""The layout of a game: what its rules file declares, or what follows from its piles and fields."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tefuda.engine.declare import EVERYBODY, NOBODY, OWNER, Choice, Name, Pile, Range
from tefuda.engine.layout import (
    Beside,
    Bubble,
    Columns,
    Component,
    Dealt,
    Deck,
    Die,
    Ending,
    Hand,
    Heap,
    LastWord,
    OnTable,
    Plates,
    Seats,
    Spread,
    Stacks,
    Strip,
    Tally,
    Tray,
)
from tefuda.engine.rules import Rules, RulesError
from tefuda.engine.sentence import Sentence


@dataclass(frozen=True)
class Layout:
    """A layout by the places of the page. `hand`: None in a game without hands; `tray` and `columns`: where nothing is
    laid so."""

    seats: Seats
    hand: Hand | None
    beside: tuple[Beside, ...]
    fronts: tuple[Plates | Spread, ...]
    middle: tuple[OnTable, ...]
    columns: Columns | None
    tray: Tray | None
    strip: tuple[str, ...]
    ending: Ending | None


@cache
def layout_of(rules: Rules) -> Layout:
    """The layout of a game; RulesError when it names a pile or field that the game does not have."""
    declared = getattr(rules.module, "LAYOUT", None)
    components = derived(rules) if declared is None else tuple(declared)
    _check(rules, components)
    each = {pile.name for pile in rules.piles if pile.per_seat}
    fronts = tuple(c for c in components if isinstance(c, Plates) or (isinstance(c, Spread) and c.pile in each))
    return Layout(
        seats=next((c for c in components if isinstance(c, Seats)), Seats()),
        hand=next((c for c in components if isinstance(c, Hand)), None),
        beside=tuple(c for c in components if isinstance(c, Beside)),
        fronts=fronts,
        middle=tuple(c for c in components if isinstance(c, OnTable) and c not in fronts),
        columns=next((c for c in components if isinstance(c, Columns)), None),
        tray=next((c for c in components if isinstance(c, Tray)), derived_tray(rules)),
        strip=tuple(name for c in components if isinstance(c, Strip) for name in c.names),
        ending=next((c for c in components if isinstance(c, Ending)), None),
    )


def derived(rules: Rules) -> tuple[Component, ...]:
    """A layout for a game that declares none: every pile finds a place, and public fields are told in small words."""
    components: list[Component] = []
    has_hand = False
    tray = derived_tray(rules)
    for pile in rules.piles:
        if pile.per_seat:
            held = pile.seen_by == OWNER or (tray is not None and tray.pile == pile.name)  # hands may lie open
            if held and not has_hand:
                has_hand = True
                components.append(Hand(pile.name))
            elif pile.seen_by in (OWNER, NOBODY):
                components.append(Beside(pile.name))
            else:
                components.append(Spread(pile.name))
        elif pile.seen_by == NOBODY or (pile.ordered and not pile.row):
            components.append(Deck(pile.name))
        else:
            components.append(Spread(pile.name))
    facts = tuple(name for name in rules.state_type.own if _one_a_seat(rules, name))
    strip = tuple(name for name in rules.state_type.own if rules.state_type.shapes[name] == 1)
    return (Seats(facts=facts), *components, Strip(strip))


def derived_tray(rules: Rules) -> Tray | None:
    """A tray for a game that declares none but has moves that cards of a pile spell."""
    spelled = (part.of for move in rules.moves for part in move.parts.values() if isinstance(part, Name))
    return next((Tray(pile) for pile in spelled if pile is not None), None)


def _one_a_seat(rules: Rules, field: str) -> bool:
    shape, seats = rules.state_type.shapes[field], rules.state_type.most_seats
    return shape != 1 and shape in (seats, (seats,))


def _check(rules: Rules, components: tuple[Component, ...]) -> None:
    piles: dict[str, Pile] = {pile.name: pile for pile in rules.piles}
    fields = rules.state_type.own
    for component in components:
        if not isinstance(component, Component):
            raise _wrong(rules, "has {component!r}, which is no component of a layout", component=component)
        for needs_pile in piles_of(component):
            if needs_pile not in piles:
                raise _wrong(
                    rules, "names the pile {name!r}; the piles: {known}", name=needs_pile, known=", ".join(piles)
                )
        if isinstance(component, (Hand, Beside, Plates, Tray)) and not piles[component.pile].per_seat:
            raise _wrong(
                rules,
                "has {component!r}, but {pile!r} is not a pile of which every seat has one",
                component=component,
                pile=component.pile,
            )
        if isinstance(component, (Stacks, Deck, Bubble, Dealt, Heap)) and piles[component.pile].per_seat:
            raise _wrong(
                rules, "has {component!r}, but every seat has a pile {pile!r}", component=component, pile=component.pile
            )
        if isinstance(component, Stacks) and piles[component.pile].seen_by != EVERYBODY:
            raise _wrong(
                rules, "has {component!r}, but not everybody sees {pile!r}", component=component, pile=component.pile
            )
        _check_moves(rules, component)
        for name in _fields_of(component):
            if name not in fields and not (isinstance(component, Strip) and name in piles):
                raise _wrong(
                    rules, "names the field {name!r}; the fields: {known}", name=name, known=", ".join(fields) or "–"
                )


def _check_moves(rules: Rules, component: Component) -> None:
    """RulesError when a component names a move or an option that the game does not have."""
    moves = {move.name: move for move in rules.moves}
    if isinstance(component, Tray):
        for name in component.moves:
            if name not in moves:
                raise _wrong(rules, "names the move {name!r}; the moves: {known}", name=name, known=", ".join(moves))
        if component.goal is not None and component.goal not in rules.declared_options:
            raise _wrong(rules, "names the option {name!r}, which the game does not have", name=component.goal)
    if isinstance(component, Seats) and component.tally and component.tally not in rules.declared_options:
        raise _wrong(rules, "has the tally {name!r}, but the game has no option of that name", name=component.tally)
    if isinstance(component, LastWord) and component.move not in moves:
        raise _wrong(rules, "names the move {name!r}; the moves: {known}", name=component.move, known=", ".join(moves))
    if isinstance(component, Tally) and not isinstance(rules.declared_options.get(component.limit), Range):
        raise _wrong(rules, "has the limit {name!r}, which is no option that is a Range", name=component.limit)
    if isinstance(component, Columns):
        part = moves[component.move].parts.get(component.part) if component.move in moves else None
        if not isinstance(part, Choice) or len(part.texts) != len(component.piles):
            raise _wrong(
                rules,
                "has {component!r}, but no such move has a Choice of {n} as that part",
                component=component,
                n=len(component.piles),
            )


def piles_of(component: Component) -> list[str]:
    """The piles that a component names."""
    if isinstance(component, Columns):
        return list(component.piles)
    if isinstance(component, Dealt):
        return [component.pile, component.ahead, *([component.spare[0]] if component.spare else [])]
    if isinstance(component, Heap):
        return [component.pile, component.under]
    pile = getattr(component, "pile", None)
    return [] if pile is None else [pile]


def _fields_of(component: Component) -> list[str]:
    if isinstance(component, Seats):
        named = (component.out, component.marker, component.tally, component.score, *component.facts)
        return [name for name in named if name is not None]
    if isinstance(component, Dealt):
        return [component.served]
    if isinstance(component, (Die, Tally)):
        return [component.field]
    if isinstance(component, Heap):
        return [component.player]
    if isinstance(component, Bubble):
        return [component.giver, component.receiver, component.eyes]
    return list(component.names) if isinstance(component, Strip) else []


def _wrong(rules: Rules, english: str, /, **values: object) -> RulesError:
    return RulesError("{file}: LAYOUT {what}", file=rules.path, what=Sentence(english, **values))
