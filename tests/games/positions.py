"""Games set up by hand: from the text of a deck, or with cards laid straight where a test wants them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import tefuda
from tefuda.engine.cards import move
from tefuda.engine.chance import ToldChance
from tefuda.engine.game import Event, Game
from tefuda.engine.rules import find

Place = tuple[str, int] | str
"""A pile by its name, with the seat where every seat has one."""


def dealt(game: str, seats: int, chance: Sequence[str], **options: Any) -> Game:
    """A game newly dealt as these events of chance say, such as `"deck ..."` and `"start 1"`."""
    rules = find(game)
    record = {
        "format": "tefuda-record/1",
        "game": game,
        "rules": rules.version,
        "options": rules.options(options),
        "players": [f"Player {seat}" for seat in range(seats)],
        "events": [["*", text] for text in chance],
    }
    return tefuda.from_record(record)


def laid(game: str, seats: int, piles: Mapping[Place, str], fields: Mapping[str, Any], **options: Any) -> Game:
    """A game at a made-up moment: cards by name in these piles, the others where they start, and these fields."""
    out = tefuda.new(game, seats=seats, seed=1, options=options)
    rules = out.rules
    out.state = s = rules.undealt(seats, out.options)
    for place, cards in piles.items():
        name, seat = place if isinstance(place, tuple) else (place, 0)
        for card in cards.split():
            kind = out.notation.kind_of[card]
            move(s, kind, s.home[kind], rules.state_type.pile_number(name, seat))
    for name, value in fields.items():
        if isinstance(value, int):
            setattr(s, name, value)
        else:
            for i, number in enumerate(value):
                getattr(s, name)[i] = number
    return out


def cards_in(game: Game, name: str, seat: int = 0) -> Counter[str]:
    """The true cards of a pile, by name."""
    s, number = game.state, game.rules.state_type.pile_number(name, seat)
    return Counter(game.notation.cards[s.card[number, i]] for i in range(s.size[number]))


def field(game: Game, name: str) -> list[int]:
    """A field of the state that has one number a seat."""
    return list(getattr(game.state, name))[: len(game.players)]


def from_start(game: Game) -> Game:
    """The same game before its first decision, with the same chance to come."""
    answers = [event.answer for event in game.events if event.answer is not None]
    return Game(game.rules, game.players, game.options, ToldChance(answers))


def decisions(game: Game) -> list[Event]:
    """What was decided in a game, and the words the table accepted, in order."""
    return [event for event in game.events if event.answer is None]


def repeat(game: Game, event: Event) -> None:
    """Let what happened in one game happen in another."""
    if event.entry is None:
        game.play_move(event.move)
    else:
        game.accept(event.entry)
