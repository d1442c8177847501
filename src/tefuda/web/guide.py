"""A first game that explains itself: a sentence at each new thing, from the words of the game.

    [guide]
    start = "…"                 # before the viewer's first decision
    end = "…"                   # when the game is over

    [guide.turn]
    "play pass" = "…"           # on turn, when one of these kinds of move can be made and the viewer made none yet

    [guide.seen]
    pass = "…"                  # when a move (or chance: shuffle, start, roll, take) is seen for the first time

What is new follows from what the viewer sees, so nothing has to be remembered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tefuda.words import Words

Json = Any


def sentences(game: Words, view: Json, story: Sequence[Json], legal: set[str]) -> list[str]:
    """What a first game says now to a viewer. `legal`: the kinds of move the viewer may make."""
    guide: Mapping[str, Json] = game.table.get("guide", {})
    viewer = view["viewer"]
    own = [n for n, event in enumerate(story) if viewer is not None and event["who"] == viewer]
    found = []
    if not own and not view["over"]:
        found.append(guide.get("start"))
    since = own[-1] if own else 0
    for move, sentence in guide.get("seen", {}).items():
        first = next((n for n, event in enumerate(story) if event["move"] == move), None)
        if first is not None and first >= since:
            found.append(sentence)
    made = {story[n]["move"] for n in own}
    for moves, sentence in guide.get("turn", {}).items():
        group = set(moves.split())
        if group & legal and not group & made:
            found.append(sentence)
    if view["over"]:
        found.append(guide.get("end"))
    return [sentence for sentence in found if sentence]


def teaches(game: Words) -> bool:
    """Whether a game has a first game."""
    return bool(game.table.get("guide"))
