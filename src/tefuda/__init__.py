"""Tefuda (手札): a workshop for home-made card games.

    >>> import tefuda
    >>> g = tefuda.new("leaves13", seats=4, seed=7)
    >>> g.seat in range(4)
    True

The names below are loaded when they are first used, so that `import tefuda` is light."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tefuda.engine.game import Game, IllegalMove, new
    from tefuda.engine.record import RecordError, from_record, from_text, load
    from tefuda.engine.rules import OptionError, RulesError, UnknownGameError
    from tefuda.engine.rules import game_ids as games

__version__ = "0.1.0"

_WHERE = {
    "Game": "game",
    "IllegalMove": "game",
    "new": "game",
    "RecordError": "record",
    "from_record": "record",
    "from_text": "record",
    "load": "record",
    "OptionError": "rules",
    "RulesError": "rules",
    "UnknownGameError": "rules",
}

__all__ = [
    "Game",
    "IllegalMove",
    "OptionError",
    "RecordError",
    "RulesError",
    "UnknownGameError",
    "from_record",
    "from_text",
    "games",
    "load",
    "new",
]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "games":
        return import_module("tefuda.engine.rules").game_ids
    if name in _WHERE:
        return getattr(import_module(f"tefuda.engine.{_WHERE[name]}"), name)
    raise AttributeError(f"module 'tefuda' has no attribute {name!r}")
