"""Whether something was revealed since a decision: if so it cannot be taken back any more.

A player's own cards, shown by the decision itself, are the player's to show; everything else that anybody has seen for
the first time since, and every answer of chance, stays seen."""

from __future__ import annotations

from collections import Counter

from tefuda.engine.declare import SPECTATOR
from tefuda.engine.game import Game
from tefuda.engine.plain import PlainState
from tefuda.engine.record import from_record
from tefuda.engine.view import viewer_bit

Known = Counter[tuple[int, int]]
"""How many cards there are, by pile and kind."""


def revealed_since(game: Game, n: int) -> bool:
    """Whether, since the decision that is event number `n` of a game, chance has spoken or a card was revealed.

    IndexError when there is no such event, ValueError when it is no decision."""
    later = game.events[n:]
    mover = later[0].who
    if mover == "*":
        raise ValueError(f"event {n} is no decision")
    if any(event.who == "*" and event.entry is None for event in later):
        return True
    record = game.record()
    record.pop("result", None)
    past = from_record({**record, "events": record["events"][:n]}, game.rules)
    viewers = [*range(len(game.players)), SPECTATOR]
    for i, event in enumerate(later):
        if event.entry is not None:
            past.accept(event.entry)
            continue
        before = {viewer: known(past.state, viewer) for viewer in viewers}
        everything = known(past.state, None)
        past.play_move(event.move)
        for viewer in viewers:
            expected = moved(before[viewer], everything, past.events[-1].cards)
            news = known(past.state, viewer) - expected
            if news and (i > 0 or viewer == mover or news - known(past.state, mover)):
                return True
    return False


def known(s: PlainState, viewer: int | None) -> Known:
    """The cards that a viewer (a seat, or SPECTATOR) knows, by pile and kind; all cards for None."""
    bit = 0 if viewer is None else viewer_bit(None if viewer == SPECTATOR else viewer)
    found: Known = Counter()
    for pile in range(len(s.size)):
        for i in range(s.size[pile]):
            if viewer is None or (s.always[pile] | s.seen[pile, i]) & bit:
                found[pile, s.card[pile, i]] += 1
    return found


def moved(before: Known, everything: Known, cards: list[tuple[int, int, int, int]]) -> Known:
    """What is known after cards moved (kind, from, to, marks), as far as it was known before. Of alike cards, some of
    them unknown, it is taken to be an unknown one that went."""
    now, there = before.copy(), everything.copy()
    for kind, source, goal, _ in cards:
        if now[source, kind] == there[source, kind] > 0:
            now[source, kind] -= 1
            now[goal, kind] += 1
        there[source, kind] -= 1
        there[goal, kind] += 1
    return now
