"""How strong a bot shall be, for people: three levels with names."""

from __future__ import annotations

from dataclasses import dataclass

from tefuda.bots.spec import Bot, parse


@dataclass(frozen=True)
class Level:
    """A strength people choose: its `id`, its name in each language, and the bot."""

    id: str
    title: dict[str, str]
    bot: Bot


LEVELS: tuple[Level, ...] = (
    Level("easy", {"ja": "はじめて", "en": "Easy"}, parse("search:25")),
    Level("normal", {"ja": "ふつう", "en": "Normal"}, parse("search:400")),
    Level("strong", {"ja": "つよい", "en": "Strong"}, parse("search:10000")),
)
"""From weak to strong. All of them search, so they play every game, whether its rules have an `estimate` or not."""
