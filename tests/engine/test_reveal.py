"""What may be taken back: nothing that somebody has seen for the first time since."""

from __future__ import annotations

import random

import pytest

from tefuda.engine.game import Game, new
from tefuda.engine.reveal import revealed_since
from tefuda.engine.rules import game_ids


def last_decision(game: Game) -> int:
    return max(n for n, event in enumerate(game.events) if event.who != "*")


def test_own_cards_played_may_be_taken_back_and_so_may_what_others_did_not_answer() -> None:
    game = new("leaves13", seats=3, seed=4)
    while "pass" in game.moves() or not game.moves()[0][0].isdigit():
        game.play(game.moves()[0])
    first = len(game.events)
    game.play(game.moves()[0])
    assert not revealed_since(game, first)


def test_another_players_cards_shown_since_stay_seen() -> None:
    game = new("leaves13", seats=3, seed=4)
    first = len(game.events)
    game.play(game.moves()[0])
    game.play(next(move for move in game.moves() if "x" in move))
    assert revealed_since(game, first)


def test_a_card_drawn_is_revealed_to_its_drawer() -> None:
    game = new("misohitomoji", seats=3, seed=4)  # after a play a card is drawn
    n = len(game.events)
    game.play(game.moves()[0])
    assert revealed_since(game, n)


def test_a_die_is_revealed() -> None:
    game = new("jukugo_dice", seats=2, seed=1)
    rng = random.Random(1)
    while not game.over:
        n = len(game.events)
        game.play(rng.choice(game.moves()))
        if any(event.who == "*" for event in game.events[n:]):
            assert revealed_since(game, n)
            return
    raise AssertionError("no die was thrown")


def test_a_card_looked_at_is_revealed_and_a_card_offered_is_not() -> None:
    game = new("tebineri_cookie", seats=4, seed=2)
    n = len(game.events)
    game.play(game.moves()[0])  # the giver lays an own card down
    assert not revealed_since(game, n)
    told = []
    rng = random.Random(3)
    while not game.over and len(told) < 40:
        n = len(game.events)
        before = game.view(game.seat)
        seat = game.seat
        game.play(rng.choice(game.moves()))
        told.append((revealed_since(game, n), before["piles"], game.view(seat)["piles"]))
    assert {revealed for revealed, _, _ in told} == {True, False}


@pytest.mark.parametrize("name", game_ids())
def test_what_is_not_revealed_is_in_nobodys_view(name: str) -> None:
    """Where a decision may be taken back, its maker has seen nothing new."""
    rng, tried = random.Random(5), 0
    game = new(name, seats=3, seed=6)
    for _ in range(60):
        if game.over:
            break
        seat, n = game.seat, len(game.events)
        before = cards_seen(game, seat)
        game.play(rng.choice(game.moves()))
        if not revealed_since(game, n):
            tried += 1
            assert cards_seen(game, seat) <= before
    with pytest.raises(ValueError, match="no decision"):
        revealed_since(game, 0)
    assert tried or name in ("misohitomoji", "jukugo_babanuki"), "in these every decision draws or shows"


def cards_seen(game: Game, seat: int | None) -> int:
    """How many cards a viewer knows, wherever they are."""
    piles = game.view(seat)["piles"].values()
    flat = [pile for found in piles for pile in (found if isinstance(found, list) else [found])]
    return sum(card is not None for pile in flat for card in pile["cards"])


def test_the_game_itself_is_not_changed() -> None:
    game = new("jukugo_draft", seats=3, seed=8)
    for _ in range(9):
        game.play(game.moves()[0])
    before = game.record()
    revealed_since(game, last_decision(game))
    assert game.record() == before
