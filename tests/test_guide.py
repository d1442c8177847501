"""A first game explains itself: at each new thing a sentence, and not again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from running_server import UNHURRIED
from starlette.testclient import TestClient

from tefuda.engine.game import Game, new
from tefuda.engine.rules import find, game_ids
from tefuda.web.app import create_app
from tefuda.web.choosing import wishes
from tefuda.web.guide import sentences, teaches
from tefuda.words import words


def said(game: Game, viewer: int = 0, lang: str = "ja") -> list[str]:
    view = game.view(viewer, person=True)
    legal = {wish.move for wish in wishes(game.rules, view)}
    return sentences(words(game.rules, lang), view, game.story(viewer), legal)


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("game", game_ids())
def test_every_game_has_a_first_game_in_both_languages(game: str, lang: str) -> None:
    assert teaches(words(find(game), lang))


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("game", game_ids())
def test_a_guide_speaks_of_moves_that_there_are(game: str, lang: str) -> None:
    rules = find(game)
    guide = words(rules, lang).table["guide"]
    moves = {move.name for move in rules.moves}
    assert set(guide) <= {"start", "end", "turn", "seen"}
    assert {name for group in guide["turn"] for name in group.split()} <= moves
    assert set(guide.get("seen", {})) <= moves | {"shuffle", "start", "roll", "take", "pick", "accept"}
    assert guide["start"] and guide["end"]


def test_a_sentence_comes_at_each_new_thing_and_goes_when_it_is_done() -> None:
    rules = find("leaves13")
    guide = words(rules, "ja").table["guide"]
    game = next(g for g in (new(rules, seats=3, seed=seed) for seed in range(20)) if g.seat == 0)
    assert said(game) == [guide["start"], guide["turn"]["play"]]
    assert said(game, viewer=1) == [guide["start"]]  # it is not seat 1's turn
    game.play(game.moves()[0])
    assert said(game) == [guide["seen"]["play"]]
    while game.seat != 0:
        game.play(next((move for move in game.moves() if move.startswith("-")), game.moves()[0]))
    assert said(game) == [guide["seen"]["play"], guide["seen"]["pass"]]
    game.play(game.moves()[0])
    assert said(game) == []
    while not game.over:
        game.play(game.moves()[0])
    assert guide["end"] in said(game)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    """A server with bots that are never due."""
    app = create_app(f"sqlite:///{tmp_path}/tables.sqlite3", bot_pause=60.0, warm=lambda rules: None, **UNHURRIED)
    with TestClient(app) as client:
        yield client


def test_it_is_one_click_away_and_stopped_with_one(client: TestClient) -> None:
    shelf = client.get("/").text
    assert shelf.count('name="guide" value="1"') == len(game_ids())
    table = client.post("/games/jukugo_draft", data={"guide": "1"})
    text = words(find("jukugo_draft"), "ja").table["guide"]["start"]
    assert text in table.text
    found = re.search(r"/t/([\w-]+)", str(table.url))
    assert found
    shown = client.get(f"/api/tables/{found[1]}").json()
    assert {name: shown["settings"][name] for name in ("assist", "call", "guide", "clock")} == {
        "assist": True,
        "call": None,
        "guide": True,
        "clock": None,
    }
    page = client.post(f"/t/{found[1]}/guide").text
    assert text not in page
    assert client.get(f"/api/tables/{found[1]}").json()["settings"]["guide"] is False
    assert TestClient(client.app).post(f"/t/{found[1]}/guide").status_code == 403
