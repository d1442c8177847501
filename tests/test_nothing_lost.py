"""Nothing that was answered is lost, whatever becomes of the server: killed under load, its disk full."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import load
import pytest
import scripted_players
import soak
import sqlalchemy as sa
from fastapi.testclient import TestClient
from test_web import TABLE, app_of, at, seat, set_table, wait_for_turn

from tefuda.tables import Sitter
from tefuda.web.sentences import SENTENCES


def test_under_load_every_event_reaches_every_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("load.SECONDS_TO_SETTLE", 1.0)
    result = load.run(load.asked_by(["--tables", "3", "--seconds", "3", "--every", "0.3"]))
    assert result["errors"] == {}
    assert (result["lost"], result["moves"] > 9, result["events"] >= 4 * result["moves"]) == (0, True, True)
    assert 0 < result["milliseconds"]["p50"] <= result["milliseconds"]["p95"] <= result["milliseconds"]["p100"]
    assert result["kB"]["server"] > 0


def test_a_stream_that_leaves_something_out_is_noticed() -> None:
    heard = scripted_players.Seat(0, "")
    for number in (4, 5, 5, 8):
        heard.hear(number)
    assert (heard.lost, heard.told) == ([6, 7], 8)


def test_a_server_killed_under_load_loses_nothing_and_every_game_comes_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("soak.SECONDS_TO_THINK", 0.02)
    database = f"sqlite:///{tmp_path}/tables.sqlite3"
    run = soak.Soak(soak.asked_by(["--kills", "3", "--tables", "2"]), database)
    result = asyncio.run(run.run())
    assert result["faults"] == []
    assert result["kills"] == 3
    assert result["finished"] == result["tables"] >= 2
    assert result["answers"]["200"] > 3
    # The check notices when something is missing: one that cannot fail would prove nothing.
    with sqlite3.connect(tmp_path / "tables.sqlite3") as spoilt:
        name = next(name for name, moves in run.kept.moves.items() if moves)
        spoilt.execute("DELETE FROM events WHERE table_id = ? AND kind = 'move'", [name])
        spoilt.execute("UPDATE tables SET result = NULL WHERE id = ?", [name])
    run.kept.check(database)
    assert len(run.kept.faults) == len(run.kept.moves[name])


def test_on_a_full_disk_people_are_told_so_and_play_goes_on_once_there_is_room(tmp_path: Path) -> None:
    app = app_of(tmp_path)
    full: list[bool] = []

    with TestClient(app, follow_redirects=False, headers={"accept-language": "en"}) as client:
        engine = app.state.house.tables.store.engine

        @sa.event.listens_for(engine, "checkout")
        def _fill(connection: Any, *_: Any) -> None:
            # Not less than there is: SQLite makes it the number of pages that are in use.
            connection.execute(f"PRAGMA max_page_count = {1 if full else 1 << 30}")

        set_table(app.state.house.tables)
        full.append(True)
        while True:  # what is free on the last pages is used up first
            turn = at(client)["seat"]
            before = at(client, turn)
            move = {"move": before["moves"][0], "number": before["number"]}
            answer = client.post(f"/api/tables/{TABLE}/moves", json=move, headers=seat(turn))
            if answer.status_code != 200:
                break
            assert not answer.json()["over"], "the disk is not full"
            # Larger than any page has room for.
            client.post(f"/t/{TABLE}/say", data={"text": "x" * 150}, headers=seat(turn))
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
        assert answer.json() == {"error": SENTENCES["store"][1]}
        page = client.post(f"/t/{TABLE}/say", data={"text": "is anybody there?" * 8}, headers=seat(turn))
        assert page.status_code == 503
        assert SENTENCES["store"][1] in page.text
        assert client.post("/api/tables", json={"game": "leaves13"}).status_code == 503
        now = at(client, turn)
        assert (now["number"], now["moves"], now["last"]) == (before["number"], before["moves"], before["last"])
        full.clear()
        assert client.post(f"/api/tables/{TABLE}/moves", json=move, headers=seat(turn)).status_code == 200
        assert at(client)["number"] > before["number"]


def test_bots_wait_for_room_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tefuda.tables.bot_seats.SECONDS_UNTIL_STORE", 0.1)
    full: list[bool] = []
    app = app_of(tmp_path, bot_pause=0.01)
    with TestClient(app, follow_redirects=False) as client:
        house = app.state.house

        @sa.event.listens_for(house.tables.store.engine, "checkout")
        def _fill(connection: Any, *_: Any) -> None:
            connection.execute(f"PRAGMA max_page_count = {1 if full else 1 << 30}")

        bot = Sitter("bot:random", "random")
        name = house.tables.open("tebineri_cookie", [bot] * 4).table.id
        full.append(True)
        for _ in range(2000):
            seen = client.get(f"/api/tables/{name}").json()
            if seen["trouble"] or seen["over"]:
                break
        assert seen["trouble"] == SENTENCES["bot without store"][0]
        full.clear()
        assert wait_for_turn(client, name)["over"]
