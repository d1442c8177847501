"""A table's promise about its chance: everything that chance will say is settled before the first decision.

All chance of a table follows from a key of 256 bits. The table shows SHA-256(nonce + key) before play, and nonce and
key when the game is over; then anybody can deal the game again from the key and see that nothing was changed."""

from __future__ import annotations

import hashlib
from typing import Any

from tefuda.engine.cards import START
from tefuda.engine.chance import Chance, SecretChance
from tefuda.engine.game import Game
from tefuda.engine.plain import PlainState
from tefuda.engine.record import from_record, to_record
from tefuda.engine.rules import Rules
from tefuda.engine.sentence import ToldError

Json = Any

KEY_BYTES, NONCE_BYTES = 32, 16
"""Both are checked: cut elsewhere, the same bytes would be another key with the same promise."""


class BrokenPromiseError(ToldError):
    """A record does not follow from its key, or its key is not the one that was promised.

    `why`: "promise" (the key is another than was promised), "starter" (the one noted is no seat), "chance" (it said
    something else than follows from the key; `event` is the first that differs), "key" or "nonce" (no number of as many
    digits as it must have)."""

    def __init__(self, why: str, english: str, event: int | None = None) -> None:
        super().__init__(english)
        self.why, self.event = why, event


class NoPromiseError(Exception):
    """A record holds no key: it comes from no table, or the game was not played to its end."""


def commitment(key: bytes, nonce: bytes) -> str:
    """What is shown before play, in hexadecimal."""
    return hashlib.sha256(nonce + key).hexdigest()


class NamedStart(Chance):
    """A source of chance, but the first starter drawn by lot is the seat that a table named. The lot is drawn all the
    same, so that everything else comes as it would have."""

    def __init__(self, then: Chance, seat: int) -> None:
        super().__init__()
        self.then, self.seat = then, seat
        self._named, self._asked = False, False

    def ask(self, s: PlainState, question: int, pile: int) -> None:
        self._asked = question == START and not self._named

    def below(self, n: int) -> int:
        drawn = self.then.below(n)
        if not self._asked:
            return drawn
        self._named, self._asked = True, False
        return self.seat

    def mark(self) -> Any:
        return self.then.mark(), self._named

    def rewind(self, mark: Any) -> None:
        then, self._named = mark
        self.then.rewind(then)


def starts_by_lot(game: Game) -> bool:
    """Whether the starter was drawn by lot as this game was dealt: then a table may name one."""
    deal = next((n for n, event in enumerate(game.events) if event.who != "*"), len(game.events))
    return any(event.answer is not None and event.answer.question == START for event in game.events[:deal])


def promise(key: bytes, nonce: bytes, starter: int | None = None) -> dict[str, Json]:
    """The note in a table's record from which `verify` deals the game again."""
    told: dict[str, Json] = {"commitment": commitment(key, nonce), "nonce": nonce.hex(), "key": key.hex()}
    return told if starter is None else told | {"starter": starter}


def note_of(record: dict[str, Json]) -> dict[str, Json]:
    """What a record notes of the chance of its table (see `promise`). NoPromiseError."""
    result = record.get("result") or {}
    notes = result.get("notes") if isinstance(result, dict) else None
    told = notes.get("chance") if isinstance(notes, dict) else None
    if not isinstance(told, dict):
        raise NoPromiseError("the record holds no key of its chance")
    return told


def verify(record: dict[str, Json], rules: Rules | None = None) -> str:
    """Deal a record's game again from its key; the commitment, when all is as it was promised. A starter whom the table
    named (`note_of(record).get("starter")`) is no chance, and not among what was promised.

    RecordError when it is no valid record, NoPromiseError when it has no key, BrokenPromiseError when it does not
    follow from the key."""
    game = from_record(record, rules)
    told = note_of(record)
    key, nonce = _bytes(told, "key", KEY_BYTES), _bytes(told, "nonce", NONCE_BYTES)
    promised = commitment(key, nonce)
    if promised != told.get("commitment"):
        raise BrokenPromiseError("promise", "the key is not the one that was promised before play")
    chance: Chance = SecretChance(key)
    starter = told.get("starter")
    if starter is not None:
        if type(starter) is not int or not 0 <= starter < len(game.players):
            raise BrokenPromiseError("starter", "the starter noted is no seat of the game")
        chance = NamedStart(chance, starter)
    again = Game(game.rules, game.players, game.options, chance)
    for event in game.events:
        if event.entry is not None:
            again.accept(event.entry)
        elif event.who != "*":
            if event.move not in again.legal(person=True):
                break
            again.play_move(event.move)
    wanted, found = to_record(game)["events"], to_record(again)["events"]
    differs = next((n for n, (a, b) in enumerate(zip(wanted, found, strict=False)) if a != b), None)
    if differs is None and len(wanted) != len(found):
        differs = min(len(wanted), len(found))
    if differs is not None:
        raise BrokenPromiseError("chance", "chance said something else than follows from the key", differs)
    return promised


def _bytes(told: dict[str, Json], name: str, length: int) -> bytes:
    try:
        found = bytes.fromhex(told.get(name))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        found = b""
    if len(found) != length:
        raise BrokenPromiseError(name, "the key or the nonce noted is no hexadecimal number of the length it must have")
    return found
