"""How strong a bot shall be, for people: three levels with names."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tefuda.bots.spec import VOCABULARY, Bot, parse
from tefuda.engine.rules import Rules


@dataclass(frozen=True)
class Level:
    """A strength people choose: its `id`, its name in each language, the bot, and which words it knows in a game where
    finding words is the game: one that overlooks none is no opponent."""

    id: str
    title: dict[str, str]
    bot: Bot
    vocabulary: str = "all"

    def bot_for(self, rules: Rules) -> Bot:
        """The bot of this level in a game."""
        if not hasattr(rules.module, VOCABULARY):
            return self.bot
        return replace(self.bot, settings=((VOCABULARY, self.vocabulary),))


LEVELS: tuple[Level, ...] = (
    Level("easy", {"ja": "はじめて", "en": "Easy"}, parse("search:25"), "0.15"),
    Level("normal", {"ja": "ふつう", "en": "Normal"}, parse("search:400"), "0.4"),
    Level("strong", {"ja": "つよい", "en": "Strong"}, parse("search:10000"), "common"),
)
"""From weak to strong. All of them search, so they play every game, whether its rules have an `estimate` or not."""
