"""How a player stood at the end, in the words of the game."""

from __future__ import annotations

from typing import Any

from tefuda.engine.rules import Rules
from tefuda.engine.sentence import fill
from tefuda.web.layouts import layout_of
from tefuda.words import texts, words

Json = Any


def score_told(rules: Rules, lang: str, view: Json, seat: int, opened: Json | None = None) -> str:
    """A seat's score as the game speaks of it; an option that is on may have a sentence of its own.

    `opened`: the same view with every hand open. Where others have the same score, what decides between them is told
    from it."""
    game, say, scores = words(rules, lang), texts(lang), view["result"]["scores"]
    keys = [f"each {name}" for name, value in view["options"].items() if value is True] + ["each"]
    sentence = next((found for key in keys if (found := game.get("score", key))), None)
    told = fill(sentence or say.get("result.score") or "", score=scores[seat], lost=-scores[seat])
    ending = layout_of(rules).ending
    if opened is None or ending is None or ending.tie is None or scores.count(scores[seat]) == 1:
        return told
    return say("result.tie", score=told, decides=say("result.score", score=ending.tie(opened, seat)))
