"""What a table is set to that is no rule of its game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

Json = Any

A_DAY = 24 * 3600

ClockKind = Literal["move", "game"]
Talk = Literal["free", "phrases", "off"]
Watch = Literal["now", "late", "end"]


@dataclass(frozen=True)
class Clock:
    """How long people may think.

    `kind` "move": `seconds` for each decision (days of them, when people play by post); "game": `seconds` for the
    whole game, and `increment` more with each decision."""

    kind: ClockKind
    seconds: int
    increment: int = 0

    @property
    def by_post(self) -> bool:
        """Whether a decision may take days."""
        return self.kind == "move" and self.seconds >= A_DAY


@dataclass(frozen=True)
class Settings:
    """What a table is set to.

    `assist`: it shows people what they else must find. `call`: how many seconds a person's silence lasts before it is
    the answer, where a move of the game is meant by silence; None: it never is. `guide`: a first game, in which the
    table explains each new thing. `clock`: how long people may think; None: as long as they like. `talk`: what people
    may say to each other. `watch`: what those who only watch see: what everybody may know, "now"; all hands, `delay`
    minutes "late"; or nothing before the "end". `when_full`: the game begins when the last seat is taken."""

    assist: bool = False
    call: float | None = 4.0
    guide: bool = False
    clock: Clock | None = None
    talk: Talk = "free"
    watch: Watch = "now"
    delay: int = 10
    when_full: bool = False

    def as_json(self) -> dict[str, Json]:
        """As the store keeps it."""
        return asdict(self)

    @classmethod
    def from_json(cls, kept: Mapping[str, Json]) -> Settings:
        """From what the store kept; what an older server did not know is as usual."""
        clock = kept.get("clock")
        return cls(**{**kept, "clock": None if clock is None else Clock(**clock)})
