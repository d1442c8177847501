"""What people say to each other at a table: lines of their own, or set phrases that need no translating. And what the
table says among them: what became of what somebody asked, and who is away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from tefuda.tables.settings import Talk
from tefuda.tables.sitters import visible

Json = Any

PHRASES = ("hello", "moment", "ready", "nice", "thanks", "sorry", "laugh", "again", "bye")
"""The set phrases, by key; what they say stands in the interface's texts."""

MOST_SAID = 200
"""Characters in a line."""

MOST_KEPT = 100
"""So many lines a process keeps at hand for each table; the store keeps all."""


class TalkError(Exception):
    """Something cannot be said here; `why`: "off" (nobody talks at this table), "phrases" (only set phrases are),
    "phrase" (there is no such phrase), "empty", "long", "spectator", "pace" (too much in too short a time) or
    "full" (too much before the game)."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True)
class Line:
    """What somebody said: the seat, the text or the key of a phrase, and the number of its event in the store."""

    number: int
    seat: int
    text: str | None
    phrase: str | None


@dataclass(frozen=True)
class Notice:
    """What the table says to everybody; `number` as of a `Line`.

    `what`, and whom it is about: "undone" (`seat` was given its last decision back), "refused" or "gone on" (not, or
    not in time, agreed to what `seat` asked: of the `kind` of a proposal, with its `word` or the `other` seat),
    "stands in" (a bot plays for `seat` from now on), "back" (its player is there again)."""

    number: int
    what: Literal["undone", "refused", "gone on", "stands in", "back"]
    seat: int
    kind: str = ""
    word: str = ""
    other: int = 0


def checked(allowed: Talk, text: str | None, phrase: str | None) -> dict[str, Json]:
    """What is to be kept of a line, where it may be said. TalkError."""
    if allowed == "off":
        raise TalkError("off")
    if phrase is not None:
        if phrase not in PHRASES:
            raise TalkError("phrase")
        return {"phrase": phrase}
    if allowed != "free":
        raise TalkError("phrases")
    said = visible(text or "")
    if not said:
        raise TalkError("empty")
    if len(said) > MOST_SAID:
        raise TalkError("long")
    return {"text": said}


def line_of(number: int, seat: int | None, body: dict[str, Json]) -> Line:
    """A line as the store kept it."""
    assert seat is not None
    return Line(number, seat, body.get("text"), body.get("phrase"))
