"""What a table promises of its chance, and that a broken promise is found."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from tefuda.engine.chance import SecretChance
from tefuda.engine.commitment import (
    BrokenPromiseError,
    NamedStart,
    NoPromiseError,
    commitment,
    promise,
    starts_by_lot,
    verify,
)
from tefuda.engine.game import Game, new
from tefuda.engine.rules import find, game_ids

KEY, NONCE = bytes(range(32)), bytes(range(16))


def played(name: str, starter: int | None = None, key: bytes = KEY) -> dict[str, Any]:
    """The record of a game at a table, from its key."""
    rules = find(name)
    players = [f"P{seat}" for seat in range(max(3, rules.least_seats))]
    secret = SecretChance(key)
    game, rng = Game(rules, players, {}, secret if starter is None else NamedStart(secret, starter)), random.Random(2)
    while not game.over:
        game.play(rng.choice(game.moves()))
    record = game.record()
    record["result"]["notes"] = {"chance": promise(key, NONCE, starter)}
    return json.loads(json.dumps(record))


@pytest.mark.parametrize("name", game_ids())
def test_a_game_follows_from_its_key(name: str) -> None:
    assert verify(played(name)) == commitment(KEY, NONCE)


@pytest.mark.parametrize("name", game_ids())
def test_a_named_starter_starts_and_all_else_is_as_drawn(name: str) -> None:
    drawn = new(name, seats=3, seed=1)
    assert starts_by_lot(drawn)
    for seat in range(3):
        record = played(name, seat)
        assert ["*", f"start {seat}"] in record["events"]
        assert verify(record) == commitment(KEY, NONCE)
    others = [record["events"][0] for record in (played(name, 0), played(name, 2))]
    assert others[0] == others[1], "the cards lie as they would have"


def test_a_record_without_a_key_promises_nothing() -> None:
    record = played("leaves13")
    del record["result"]["notes"]
    with pytest.raises(NoPromiseError):
        verify(record)


def test_another_key_than_the_promised_is_found() -> None:
    record = played("leaves13")
    record["result"]["notes"]["chance"]["key"] = bytes(32).hex()
    with pytest.raises(BrokenPromiseError, match="promised before"):
        verify(record)


def test_chance_that_does_not_follow_from_the_key_is_found() -> None:
    record = played("leaves13", key=bytes(32))
    record["result"]["notes"]["chance"] = promise(KEY, NONCE)
    with pytest.raises(BrokenPromiseError) as found:
        verify(record)
    assert found.value.event == 0


@pytest.mark.parametrize("name", ["key", "nonce"])
@pytest.mark.parametrize("value", [None, "xyz", 5, "é", "00" * 8])
def test_a_note_that_cannot_be_read_is_told(name: str, value: Any) -> None:
    record = played("leaves13")
    record["result"]["notes"]["chance"][name] = value
    with pytest.raises(BrokenPromiseError, match=name):
        verify(record)


@pytest.mark.parametrize("cut", [15, 17, 0, 48])
def test_the_same_bytes_cut_elsewhere_are_no_other_promise(cut: int) -> None:
    both = NONCE + KEY
    record = played("leaves13", key=both[cut:] or bytes(32))
    record["result"]["notes"]["chance"] = promise(both[cut:], both[:cut])
    assert record["result"]["notes"]["chance"]["commitment"] == commitment(KEY, NONCE)
    with pytest.raises(BrokenPromiseError, match="length"):
        verify(record)


@pytest.mark.parametrize("starter", [9, True, -1, "0"])
def test_a_starter_who_was_not_there_is_told(starter: Any) -> None:
    record = played("leaves13")
    record["result"]["notes"]["chance"]["starter"] = starter
    with pytest.raises(BrokenPromiseError, match="starter"):
        verify(record)
