"""Bots: random, greedy (one step ahead) and search, the same for every game.

    >>> from tefuda import bots, new
    >>> game = new("leaves13", seats=3, seed=1)
    >>> bot = bots.parse("search:100")
    >>> move = bots.choose(bot, game.blind(game.seat), game.rules, game.options, seed=1)
    >>> move in game.legal()
    True

`tefuda.bots.analysis` judges a whole game by them.

A bot is given its seat's information state, the options and a generator of its own; never the game's state or
chance."""

from tefuda.bots.levels import LEVELS, Level
from tefuda.bots.spec import SETTINGS, Bot, BotError, has_estimate, parse, parse_seats
from tefuda.bots.thinking import Decision, Reckoning, Thought, choose, consider, is_warm, reckon, warm

__all__ = [
    "LEVELS",
    "SETTINGS",
    "Bot",
    "BotError",
    "Decision",
    "Level",
    "Reckoning",
    "Thought",
    "choose",
    "consider",
    "has_estimate",
    "is_warm",
    "parse",
    "parse_seats",
    "reckon",
    "warm",
]
