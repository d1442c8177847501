"""The server: who may do what, what is said when something is wrong, and that nothing hidden leaves it."""

from __future__ import annotations

import asyncio
import html
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient
from games.positions import decisions, from_start, repeat
from running_server import UNHURRIED, serving

from tefuda.bots import Level, parse
from tefuda.engine.declare import EVERYBODY, number_piles
from tefuda.engine.game import Game, IllegalMove, new
from tefuda.engine.record import RecordError, from_record
from tefuda.engine.rules import GAMES, RulesError, find, game_ids
from tefuda.tables import Lobby, Sitter, Store, Tables
from tefuda.tables.table import BotTurn
from tefuda.web.app import create_app
from tefuda.web.guard import HEADERS, MOST_BYTES
from tefuda.web.sentences import SENTENCES
from tefuda.web.shelf import shelf_of

RANDOM = Level("random", {"ja": "でたらめ", "en": "Random"}, parse("random"))


TABLE = "momiji-204"
TOKENS = {seat: f"{seat:x}" * 32 for seat in range(6)}


def any_move(turn: BotTurn) -> int:
    """A bot that needs no compiling: any move its information state allows."""
    game = object.__new__(Game)
    game.rules, game.state, game.players = turn.rules, turn.known, [""] * turn.seats
    game.t = turn.rules.tables(turn.options, turn.seats)
    return random.choice(game.legal())


def app_of(folder: Path, **settings: Any) -> Any:
    """A server with its store in a folder, whose bots answer at once."""
    bots = {"bot_pause": 0, "levels": [RANDOM], "choose": any_move, "warm": lambda rules: None}
    given = {**bots, **UNHURRIED, **settings}
    return create_app(f"sqlite:///{folder}/tables.sqlite3", **given)


@pytest.fixture
def app(tmp_path: Path) -> Any:
    return app_of(tmp_path)


@pytest.fixture
def client(app: Any) -> Iterator[TestClient]:
    """A browser without cookies of its own; tests hand it the token of a seat."""
    with TestClient(app, follow_redirects=False) as made:
        yield made


@pytest.fixture
def tables(client: TestClient) -> Tables:
    """The tables of that server."""
    found: Tables = client.app.state.house.tables  # type: ignore[attr-defined]
    return found


def seat(n: int) -> dict[str, str]:
    """What the holder of a seat sends."""
    return {"cookie": f"seat={TOKENS[n]}"}


def people(n: int) -> list[Sitter]:
    return [Sitter(name) for name in ("Aki", "ボブ", "Chie", "Dan", "Emi", "Fumi")[:n]]


def set_table(tables: Tables, game: str = "leaves13", **settings: Any) -> str:
    """A table of three people, whose tokens are known."""
    tables.put(
        new(game, seed=7, players=[p.name for p in people(3)], **settings),
        people(3),
        table_id=TABLE,
        tokens={n: TOKENS[n] for n in range(3)},
    )
    return TABLE


def set_finished_table(tables: Tables) -> str:
    """The same, with its game played to the end."""
    set_table(tables)
    while True:
        with tables.at(TABLE) as table:
            if table.game.over:
                return TABLE
            turn, text = table.game.seat, table.game.moves()[0]
        tables.play(TABLE, turn, text)


def at(client: TestClient, viewer: int | None = None) -> Any:
    """The table as data."""
    return client.get(f"/api/tables/{TABLE}", headers={} if viewer is None else seat(viewer)).json()


def wait_for_turn(client: TestClient, table: str, **request: Any) -> Any:
    """The table, as soon as no bot's decision is due."""
    for _ in range(2000):
        seen = client.get(f"/api/tables/{table}", **request).json()
        if not seen["thinking"]:
            return seen
        time.sleep(0.005)
    raise AssertionError("the bots do not play")


# -------------------------------------------------------------------------------------------------- one click


@pytest.mark.parametrize("game", game_ids())
def test_one_click_starts_a_game_that_is_played_to_its_end_and_again(client: TestClient, game: str) -> None:
    client.headers["accept-language"] = "en"
    started = client.post(f"/games/{game}")
    assert started.status_code == 303
    url = started.headers["location"]
    table = url.removeprefix("/t/")
    rng = random.Random(1)
    while True:
        seen = wait_for_turn(client, table)
        assert client.get(url).status_code == 200
        if seen["over"]:
            break
        assert (seen["viewer"], seen["seat"]) == (0, 0)
        move = {"move": rng.choice(seen["moves"]), "number": seen["number"]}
        assert client.post(f"/api/tables/{table}/moves", json=move).status_code == 200
    result = client.get(f"{url}/result")
    assert result.status_code == 200
    assert from_record(client.get(f"{url}/record").json()).result == seen["result"]
    another = client.post(f"{url}/again")
    assert another.status_code == 303
    assert another.headers["location"] != url
    now = wait_for_turn(client, another.headers["location"].removeprefix("/t/"))
    rotated = [seen["players"][-1], *seen["players"][:-1]]
    assert (now["viewer"], now["options"], now["players"]) == (1, seen["options"], rotated)


def test_seats_options_level_and_name_can_be_chosen(client: TestClient) -> None:
    form = {"name": " あき\u202e ", "seats": "5", "level": "random", "option.expert": "true", "option.target": "30"}
    started = client.post("/games/leaves13", data=form)
    seen = client.get(f"/api/tables/{started.headers['location'].removeprefix('/t/')}").json()
    assert seen["players"] == ["あき", *["bot:random"] * 4]
    assert seen["options"]["expert"] is True
    assert seen["options"]["target"] == 30


@pytest.mark.parametrize(
    "form",
    [
        {"name": "x" * 41},
        {"name": "bot:strong"},
        {"name": "\u202e\u200b"},
        {"seats": "99"},
        {"seats": "three"},
        {"seats": "003" + 5000 * "9"},
        {"option.target": "1000000"},
        {"option.leader": "nobody"},
    ],
)
def test_a_setup_that_cannot_be_is_shown_again_with_the_reason(client: TestClient, form: dict[str, str]) -> None:
    refused = client.post("/games/leaves13", data=form)
    assert refused.status_code == 422
    assert 'role="alert"' in refused.text
    assert "set-cookie" not in refused.headers


@pytest.mark.parametrize("deck", ["[" * 10_000, '{"a":' * 3_000, "[" * 900 + "]" * 900, '["\\ud800"]', "9" * 5000])
def test_a_deck_that_is_none_is_told_in_words(client: TestClient, deck: str) -> None:
    refused = client.post("/games/jukugo_ten", data={"own.deck": deck})
    assert refused.status_code == 422
    assert 'role="alert"' in refused.text


# -------------------------------------------------------------------------------------------- who holds a seat


def test_the_cookie_of_a_seat_goes_to_its_table_only_and_to_no_script(client: TestClient) -> None:
    started = client.post("/games/leaves13")
    table = started.headers["location"].removeprefix("/t/")
    cookies = started.headers.get_list("set-cookie")
    assert len(cookies) == 2
    for cookie, path in zip(cookies, (f"/t/{table}", f"/api/tables/{table}"), strict=True):
        parts = cookie.lower().split("; ")
        assert parts[0].startswith("seat=")
        assert len(parts[0]) == len("seat=") + 32
        assert {"httponly", "samesite=lax", f"path={path}"} <= set(parts)
    token = cookies[0].split(";")[0].removeprefix("seat=")
    for url in (f"/t/{table}", f"/api/tables/{table}", "/"):
        answer = client.get(url)
        assert token not in answer.text
        assert "set-cookie" not in answer.headers


def test_over_https_the_cookie_is_secure(app: Any) -> None:
    with TestClient(app, base_url="https://tefuda.example", follow_redirects=False) as client:
        started = client.post("/games/leaves13")
    assert all("; secure" in cookie.lower() for cookie in started.headers.get_list("set-cookie"))


def test_without_a_seat_one_watches(client: TestClient, tables: Tables) -> None:
    set_table(tables)
    turn = at(client)["seat"]
    moves = at(client, turn)["moves"]
    for headers in ({}, {"cookie": "seat=" + "f" * 32}, {"cookie": "seat="}, {"authorization": "Bearer x"}):
        seen = client.get(f"/api/tables/{TABLE}", headers=headers).json()
        assert (seen["viewer"], seen["moves"]) == (None, [])
        assert all(pile["cards"] == [] for pile in seen["piles"]["hand"])
        refused = client.post(f"/api/tables/{TABLE}/moves", json={"move": moves[0]}, headers=headers)
        assert refused.status_code == 403
        assert "legal" not in refused.json()
        page = client.post(f"/t/{TABLE}", data={"at": "2", "move": "play"}, headers=headers)
        assert page.status_code == 403
        assert client.post(f"/t/{TABLE}/again", headers=headers).status_code == 403
    assert at(client)["number"] == 2


def test_a_seat_cannot_play_for_another(client: TestClient, tables: Tables) -> None:
    set_table(tables)
    turn = at(client)["seat"]
    other = (turn + 1) % 3
    before = at(client, turn)
    move = {"move": before["moves"][0], "number": before["number"]}
    refused = client.post(f"/api/tables/{TABLE}/moves", json=move, headers=seat(other))
    assert refused.status_code == 422
    assert refused.json()["legal"] == []
    assert at(client, turn) == before
    assert client.post(f"/t/{TABLE}", data={"at": "2", "move": "pass"}, headers=seat(other)).status_code == 422
    assert client.post(f"/api/tables/{TABLE}/moves", json=move, headers=seat(turn)).status_code == 200


def test_a_program_holds_its_seat_with_its_token(client: TestClient) -> None:
    opened = client.post("/api/tables", json={"game": "leaves13", "seats": 4, "name": "Prog"})
    assert opened.status_code == 201
    made = opened.json()
    client.cookies.clear()
    bearer = {"authorization": f"Bearer {made['token']}"}
    seen = wait_for_turn(client, made["table"], headers=bearer)
    assert (seen["viewer"], seen["players"][0]) == (0, "Prog")
    move = {"move": seen["moves"][0], "number": seen["number"]}
    assert client.post(f"/api/tables/{made['table']}/moves", json=move, headers=bearer).status_code == 200


def test_bots_hurry_for_whoever_sits_there(tmp_path: Path) -> None:
    sitters = [Sitter("Aki"), Sitter("bot:random", "random"), Sitter("bot:random", "random")]
    app = app_of(tmp_path, bot_pause=60.0)
    game = next(
        found
        for found in (new("leaves13", seed=seed, players=[s.player for s in sitters]) for seed in range(50))
        if found.seat != 0
    )
    with TestClient(app, follow_redirects=False) as client:
        app.state.house.tables.put(game, sitters, table_id=TABLE, tokens=TOKENS)
        for url in (f"/t/{TABLE}/hurry", f"/api/tables/{TABLE}/hurry"):
            assert client.post(url).status_code == 403
        time.sleep(0.2)
        assert at(client)["thinking"]
        assert client.post(f"/t/{TABLE}/hurry", headers=seat(0)).status_code == 303
        wait_for_turn(client, TABLE)
        assert client.post(f"/api/tables/{TABLE}/hurry", headers=seat(0)).json()["viewer"] == 0
        assert client.post(f"/t/{TABLE}/hurry", headers=seat(0) | {"x-fragment": "main"}).status_code == 200


# --------------------------------------------------------------------------------------------- refused moves


def test_a_refused_move_changes_nothing_and_says_what_is_legal(client: TestClient, tables: Tables) -> None:
    set_table(tables)
    turn = at(client)["seat"]
    before = at(client, turn)
    refused = client.post(
        f"/api/tables/{TABLE}/moves",
        json={"move": "99x1", "number": before["number"]},
        headers=seat(turn) | {"accept-language": "en"},
    )
    assert refused.status_code == 422
    assert refused.json()["legal"] == before["moves"]
    assert before["moves"][0] in refused.json()["error"]
    form = {"at": str(before["number"]), "move": "play", "pile.hand": ["13", "1"]}
    for headers, is_page in ((seat(turn), True), (seat(turn) | {"x-fragment": "main"}, False)):
        page = client.post(f"/t/{TABLE}", data=form, headers=headers)
        assert page.status_code == 422
        assert 'role="alert"' in page.text
        assert page.text.lstrip().lower().startswith("<!doctype") is is_page
    assert at(client, turn) == before


def test_a_double_click_is_one_move(client: TestClient, tables: Tables) -> None:
    set_table(tables)
    turn = at(client)["seat"]
    before = at(client, turn)
    move = {"move": before["moves"][0], "number": before["number"]}
    answers = [client.post(f"/api/tables/{TABLE}/moves", json=move, headers=seat(turn)) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 409]
    assert answers[1].json()["number"] == before["number"] + 1
    for headers in (seat(turn), seat(turn) | {"x-fragment": "main"}):
        stale = client.post(f"/t/{TABLE}", data={"at": str(before["number"]), "move": "pass"}, headers=headers)
        assert stale.status_code == 409
        assert SENTENCES["stale"][0] in stale.text
    assert at(client)["number"] == before["number"] + 1


def test_of_two_at_once_one_is_taken(client: TestClient, tables: Tables) -> None:
    set_table(tables)
    turn = at(client)["seat"]
    before = at(client, turn)
    start = threading.Barrier(6)
    statuses: list[int] = []

    def click(text: str) -> None:
        start.wait()
        move = {"move": text, "number": before["number"]}
        statuses.append(client.post(f"/api/tables/{TABLE}/moves", json=move, headers=seat(turn)).status_code)

    threads = [threading.Thread(target=click, args=(text,)) for text in (before["moves"] * 6)[:6]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200, 409, 409, 409, 409, 409]


def test_the_record_stays_here_until_the_game_is_over(client: TestClient, tables: Tables) -> None:
    set_table(tables)
    for url in (f"/t/{TABLE}/record", f"/api/tables/{TABLE}/record"):
        refused = client.get(url, headers=seat(0))
        assert refused.status_code == 409
        assert "deck 1" not in refused.text
    assert client.get(f"/t/{TABLE}/result").headers["location"] == f"/t/{TABLE}"


# ---------------------------------------------------------------------------------------- nothing from elsewhere


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site", "origin": "http://testserver"},
    ],
)
def test_nothing_is_taken_from_another_site(client: TestClient, tables: Tables, headers: dict[str, str]) -> None:
    set_table(tables)
    turn = at(client)["seat"]
    before = at(client, turn)
    urls = (f"/t/{TABLE}", f"/t/{TABLE}/again", f"/api/tables/{TABLE}/moves", "/games/leaves13", "/api/tables")
    for url in urls:
        answer = client.post(url, headers=seat(turn) | headers, data={"at": "2", "move": "pass"})
        assert answer.status_code == 403, url
        assert "set-cookie" not in answer.headers
    assert at(client, turn) == before


def test_our_own_pages_are_taken(client: TestClient) -> None:
    for headers in ({"origin": "http://testserver"}, {"sec-fetch-site": "same-origin"}, {"sec-fetch-site": "none"}):
        assert client.post("/games/leaves13", headers=headers).status_code == 303


def test_what_is_too_large_is_refused(client: TestClient, tables: Tables) -> None:
    set_table(tables)
    body = b"x=" + b"y" * MOST_BYTES
    form = {"content-type": "application/x-www-form-urlencoded"}
    answer = client.post(f"/t/{TABLE}", content=body, headers=form)
    assert answer.status_code == 413
    assert SENTENCES["too large"][0] in answer.text

    def pieces() -> Iterator[bytes]:  # of no declared size
        for i in range(0, len(body), 10_000):
            yield body[i : i + 10_000]

    for url in (f"/t/{TABLE}", f"/api/tables/{TABLE}/moves"):
        assert client.post(url, content=pieces(), headers=form).status_code == 413
    for fields in ({"move": "x" * 20001}, {"x" * 20001: "y"}):
        answer = client.post(f"/t/{TABLE}", data={"at": "2", **fields}, headers=seat(0))
        assert answer.status_code == 422
        assert SENTENCES["long field"][0] in answer.text
    many = "&".join(f"a{i}=b" for i in range(1000))
    assert client.post(f"/t/{TABLE}", content=many, headers=form).status_code == 400
    long = client.post(f"/api/tables/{TABLE}/moves", json={"move": "x" * 1001}, headers=seat(0))
    assert long.status_code == 422
    assert "1000" in long.json()["error"]


ADDRESSES = (
    "/",
    "/games/leaves13",
    "/games/leaves13/rules",
    "/cards/leaves",
    "/faces/leaves/7.svg",
    f"/t/{TABLE}",
    f"/t/{TABLE}/main",
    f"/api/tables/{TABLE}",
    "/api/games",
    "/nothing/here",
    "/static/nothing.css",
)


@pytest.mark.parametrize("url", ADDRESSES)
def test_every_answer_is_strict_about_what_may_be_loaded(client: TestClient, tables: Tables, url: str) -> None:
    set_table(tables)
    answer = client.get(url)
    for name, value in HEADERS.items():
        if name == "Content-Security-Policy" and url.startswith("/faces"):
            assert "default-src 'none'" in answer.headers[name]
        else:
            assert answer.headers[name] == value
    assert "unsafe" not in HEADERS["Content-Security-Policy"]
    assert "server" not in answer.headers
    if answer.headers.get("content-type", "").startswith("text/html"):
        text = answer.text.lower()
        for inline in (" style=", "<style", " onclick=", "javascript:", "//cdn", "https://fonts"):
            assert inline not in text
        for script in text.split("<script")[1:]:
            assert ' src="/static/' in script.split(">")[0]


def test_nobody_between_keeps_what_a_program_sees(client: TestClient, tables: Tables) -> None:
    set_table(tables)
    for url in (f"/api/tables/{TABLE}", "/api/tables", "/api/games", "/api/nothing", f"/api/tables/{TABLE}/record"):
        assert client.get(url, headers=seat(0)).headers["cache-control"] == "private, no-store"


@pytest.mark.parametrize("path", ["//evil.example/", "/%5Cevil.example/", "/%09/evil.example/", "///evil.example"])
def test_no_link_leads_to_another_site(app: Any, path: str) -> None:
    with serving(app) as url:
        text = httpx.get(url + path).text
    links = re.findall(r'href="([^"]*lang=[^"]*)"', text)
    assert len(links) == 2
    for link in links:
        assert re.match(r"/[\w%]", html.unescape(link))


# ----------------------------------------------------------------------------------------- answers for people


@pytest.mark.parametrize(
    ("method", "url", "status", "key"),
    [
        ("GET", "/nothing", 404, "not found"),
        ("GET", "/t/momiji-999", 404, "no table"),
        ("GET", "/t/..%2f..%2fetc", 404, "not found"),
        ("GET", "/t/%00", 404, "no table"),
        ("GET", "/t/momiji-999/events", 404, "no table"),
        ("POST", "/t/momiji-999", 404, "no table"),
        ("GET", "/games/chess", 404, "no game"),
        ("POST", "/games/chess", 404, "no game"),
        ("GET", "/games/chess/rules", 404, "no game"),
        ("GET", "/cards/tarot", 404, "no card"),
        ("GET", "/faces/leaves/99.svg", 404, "no card"),
        ("GET", "/faces/tarot/1.svg", 404, "no card"),
        ("GET", f"/faces/plain/{'x' * 41}.svg", 404, "no card"),
        ("DELETE", "/", 405, "no method"),
        ("GET", "/t/momiji-999/again", 405, "no method"),
    ],
)
def test_errors_are_pages_for_people(client: TestClient, method: str, url: str, status: int, key: str) -> None:
    for index, lang in enumerate(("ja", "en")):
        answer = client.request(method, url, headers={"accept-language": lang})
        assert answer.status_code == status
        assert SENTENCES[key][index] in answer.text
        assert f'lang="{lang}"' in answer.text
        assert "Traceback" not in answer.text


@pytest.mark.parametrize(
    ("method", "url", "body", "status"),
    [
        ("GET", "/api/nothing", None, 404),
        ("GET", "/api/tables/momiji-999", None, 404),
        ("POST", "/api/tables", {"game": "chess"}, 404),
        ("POST", "/api/tables", {"game": "leaves13", "seats": 99}, 422),
        ("POST", "/api/tables", {"game": "leaves13", "options": {"target": 0}}, 422),
        ("POST", "/api/tables", {"game": "leaves13", "options": {"nonsense": 0}}, 422),
        ("POST", "/api/tables", {"game": "leaves13", "colour": "red"}, 422),
        ("POST", "/api/tables", {"game": "leaves13", "name": "bot:x"}, 422),
        ("POST", "/api/tables", [], 422),
        ("POST", f"/api/tables/{TABLE}/moves", {}, 422),
        ("DELETE", "/api/games", None, 405),
    ],
)
def test_errors_are_json_for_programs(client: TestClient, method: str, url: str, body: Any, status: int) -> None:
    answer = client.request(method, url, json=body)
    assert answer.status_code == status
    assert len(answer.json()["error"]) > 5


def test_what_nobody_foresaw_is_a_page_too(
    client: TestClient, tables: Tables, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    set_table(tables)

    def broken(*_: Any) -> None:
        raise RuntimeError("the deck is 7 7 3")

    monkeypatch.setattr(tables, "at", broken)
    for url in (f"/t/{TABLE}", f"/api/tables/{TABLE}"):
        answer = client.get(url)
        assert answer.status_code == 500
        assert SENTENCES["fault"][0] in answer.text
        assert "7 7 3" not in answer.text
        assert answer.headers["Content-Security-Policy"] == HEADERS["Content-Security-Policy"]
    assert "RuntimeError" in caplog.text


def test_a_busy_store_is_told_of_and_recovered_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tefuda.tables.store.SECONDS_TO_WAIT", 0.1)
    app = app_of(tmp_path)
    with TestClient(app, follow_redirects=False) as client:
        set_table(app.state.house.tables)
        turn = at(client)["seat"]
        before = at(client, turn)
        locker = sqlite3.connect(tmp_path / "tables.sqlite3", isolation_level=None)
        locker.execute("BEGIN IMMEDIATE")
        move = {"move": before["moves"][0], "number": before["number"]}
        busy = client.post(f"/api/tables/{TABLE}/moves", json=move, headers=seat(turn))
        assert busy.status_code == 503
        assert busy.headers["retry-after"] == "5"
        assert busy.json() == {"error": SENTENCES["store"][0]}
        page = client.post("/games/leaves13")
        assert page.status_code == 503
        assert SENTENCES["store"][0] in page.text
        locker.execute("ROLLBACK")
        locker.close()
        assert at(client, turn) == before
        assert client.post(f"/api/tables/{TABLE}/moves", json=move, headers=seat(turn)).status_code == 200


def test_a_bots_move_that_waits_for_the_store_is_told_of_at_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tefuda.tables.store.SECONDS_TO_WAIT", 0.1)
    monkeypatch.setattr("tefuda.tables.bot_seats.SECONDS_UNTIL_STORE", 0.1)
    go_on, told = threading.Event(), threading.Event()

    def when_told(turn: BotTurn) -> int:
        assert go_on.wait(10)
        return any_move(turn)

    app = app_of(tmp_path, choose=when_told)
    with TestClient(app, follow_redirects=False) as client:
        house = app.state.house
        house.bots.troubled.append(lambda table_id: told.set())
        bot = Sitter("bot:random", "random")
        name = house.tables.open("leaves13", [bot, bot, bot]).table.id
        locker = sqlite3.connect(tmp_path / "tables.sqlite3", isolation_level=None)
        locker.execute("BEGIN IMMEDIATE")
        go_on.set()
        assert told.wait(10)
        for lang in (0, 1):
            page = client.get(f"/t/{name}", headers={"accept-language": ("ja", "en")[lang]})
            assert SENTENCES["bot without store"][lang] in html.unescape(page.text)
        assert client.get(f"/api/tables/{name}").json()["trouble"] == SENTENCES["bot without store"][0]
        locker.execute("ROLLBACK")
        locker.close()
        wait_for_turn(client, name)
        assert client.get(f"/api/tables/{name}").json()["trouble"] is None
        assert not house.bots.without_store


def test_a_table_of_former_rules_says_so(client: TestClient, tables: Tables) -> None:
    rules = find(Path(__file__).parent.parent / "src/tefuda/games/leaves13/rules.py")
    changed = type(rules)(Path("/elsewhere/leaves13.py"), rules.source)
    tables.put(new(changed, seed=1), [Sitter(f"Player {i}") for i in (1, 2, 3)], table_id=TABLE, tokens=TOKENS)
    tables._memory.clear()
    answer = client.get(f"/t/{TABLE}")
    assert answer.status_code == 410
    assert SENTENCES["former rules"][0].format(game="leaves13", version=changed.version[:24]) in answer.text


# ------------------------------------------------------------------------------------------------- languages


def test_the_language_is_the_chosen_one_else_the_browsers_else_japanese(client: TestClient) -> None:
    def lang(url: str = "/", accept: str | None = None) -> str:
        text = client.get(url, headers={} if accept is None else {"accept-language": accept}).text
        return text.split('<html lang="')[1][:2]

    assert lang() == "ja"
    assert lang(accept="en-GB,en;q=0.9,ja;q=0.3") == "en"
    assert lang(accept="fr, ja;q=0.8, en;q=0.4") == "ja"
    assert lang(accept="de;q=x, ;;, en;q=") == "en"
    assert lang("/?lang=xx", accept="en") == "en"
    chosen = client.get("/?lang=en")
    assert "httponly" in chosen.headers["set-cookie"].lower()
    assert lang(accept="ja") == "en"
    assert lang("/games/leaves13", accept="ja") == "en"
    assert "set-cookie" not in client.get("/?lang=en").headers
    assert lang("/?lang=ja", accept="en") == "ja"
    assert lang(accept="en") == "ja"


# ------------------------------------------------------------------------------------------- what is kept where


def test_pages_are_asked_for_again_and_not_sent_twice(client: TestClient, tables: Tables) -> None:
    set_table(tables)
    turn = at(client)["seat"]
    page = client.get(f"/t/{TABLE}", headers=seat(turn))
    assert page.headers["cache-control"] == "private, no-cache"
    tag = page.headers["etag"]
    same = client.get(f"/t/{TABLE}", headers=seat(turn) | {"if-none-match": f'"x", W/{tag}'})
    assert (same.status_code, same.content) == (304, b"")
    assert client.get(f"/t/{TABLE}", headers={"if-none-match": tag}).status_code == 200  # the spectator's is another
    assert client.get(f"/t/{TABLE}", headers=seat(turn) | {"x-fragment": "main", "if-none-match": tag}).text != ""


def test_faces_and_static_files_are_kept_for_ever_when_their_digest_is_asked_for(client: TestClient) -> None:
    face = client.get("/faces/leaves/7.svg")
    assert face.headers["content-type"] == "image/svg+xml"
    assert face.headers["cache-control"] == "public, no-cache"
    assert client.get("/faces/leaves/7.svg", headers={"if-none-match": face.headers["etag"]}).status_code == 304
    assert "immutable" in client.get("/faces/leaves/7.svg?v=1234").headers["cache-control"]
    style = client.get("/static/tefuda.css")
    assert style.headers["cache-control"] == "public, no-cache"
    assert client.get("/static/tefuda.css", headers={"if-none-match": style.headers["etag"]}).status_code == 304
    assert "immutable" in client.get("/static/tefuda.css?v=1").headers["cache-control"]
    assert client.get("/static/../app.py").status_code == 404
    assert client.get("/static/%2e%2e/app.py").status_code == 404
    assert client.get("/", headers={"accept-encoding": "gzip"}).headers["content-encoding"] == "gzip"


def test_the_api_describes_itself_and_its_games(client: TestClient) -> None:
    described = client.get("/api/openapi.json").json()
    assert set(described["paths"]) == {
        "/api/games",
        "/api/tables",
        "/api/tables/{table_id}",
        *(
            f"/api/tables/{{table_id}}/{what}"
            for what in ["seats", "start", "talk", "asks", "votes", "back", "moves", "hurry", "record", "events"]
        ),
    }
    games = {game["id"]: game for game in client.get("/api/games").json()["games"]}
    assert set(games) == set(game_ids())
    assert games["leaves13"]["options"]["target"] == {
        "kind": "range",
        "default": 20,
        "low": 5,
        "high": 100,
        "none": False,
    }
    assert client.get("/docs").status_code == 404


def test_a_makers_own_rules_stand_on_the_shelf(tmp_path: Path) -> None:
    source = find("leaves13").source.replace('"id": "leaves13"', '"id": "my_leaves"')
    source = source.replace("13枚の葉", "わたしの葉").replace("13 Leaves", "My Leaves")
    (tmp_path / "my_leaves.py").write_text(source, encoding="utf-8")
    (tmp_path / "my_leaves.en.md").write_text("# My Leaves\n\nLike the others, but mine.\n", encoding="utf-8")
    with TestClient(app_of(tmp_path, games=["leaves13", tmp_path / "my_leaves.py"])) as client:
        assert "わたしの葉" in client.get("/").text
        assert "but mine" in client.get("/games/my_leaves/rules?lang=en").text
        started = client.post("/games/my_leaves")
        assert started.url.path.startswith("/t/")
        assert wait_for_turn(client, started.url.path.removeprefix("/t/"))["game"] == "my_leaves"


def own_game(folder: Path, name: str = "my_draft", more: str = "", **words: str) -> Path:
    """A rules file of a maker, with words files beside it."""
    source = (GAMES / "jukugo_draft" / "rules.py").read_text(encoding="utf-8").replace('"jukugo_draft"', f'"{name}"')
    file = folder / f"{name}.py"
    file.write_text(source + more, encoding="utf-8")
    for lang, text in words.items():
        (folder / f"{name}.words.{lang}.toml").write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("more", "words", "where", "reason"),
    [
        ("", {"ja": "[piles]\nhand = 手札\n"}, "my_draft.words.ja.toml", "cannot be read"),
        ("", {"en": "[piles\n"}, "my_draft.words.en.toml", "cannot be read"),
        ("", {"en": '[moves.pass]\nlog = "passes {word"\n'}, "my_draft.words.en.toml", "moves.pass.log"),
        ('\nLAYOUT = (Hand("hands"),)\n', {}, "my_draft.py", "the pile 'hands'"),
        ("\nLAYOUT = (Tray('hand', when=lambda view: view['none']),)\n", {}, "my_draft.py, line", "KeyError: 'none'"),
    ],
)
def test_a_game_whose_pages_cannot_be_drawn_is_refused_at_the_start(
    tmp_path: Path, more: str, words: dict[str, str], where: str, reason: str
) -> None:
    file = own_game(tmp_path, more=more, **words)
    with pytest.raises(RulesError) as caught:
        create_app(f"sqlite:///{tmp_path}/tables.sqlite3", [file, "leaves13"])
    assert where in str(caught.value) and reason in str(caught.value)
    assert not (tmp_path / "tables.sqlite3").exists()


def test_a_rules_page_that_is_no_text_is_refused_at_the_start(tmp_path: Path) -> None:
    file = own_game(tmp_path)
    file.with_suffix(".en.md").write_bytes("# 夜店".encode("shift_jis"))
    with pytest.raises(RulesError, match=r"my_draft\.en\.md cannot be read"):
        shelf_of([file])


def test_of_two_games_with_one_id_none_vanishes(tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    mine, copy = own_game(tmp_path), own_game(tmp_path / "copy")
    assert list(shelf_of([mine, str(mine), "leaves13"])) == ["my_draft", "leaves13"]
    for games in ([mine, copy], [own_game(tmp_path, "leaves13"), "leaves13"]):
        with pytest.raises(RulesError) as caught:
            shelf_of(games)
        told = caught.value.say("ja")
        assert all(str(find(game).path) in told for game in games) and "どちらも" in told
        assert ("'my_draft'" if mine in games else "'leaves13'") in told


def test_a_makers_own_games_come_first(tmp_path: Path) -> None:
    games = [own_game(tmp_path, "second"), own_game(tmp_path, "first"), *game_ids()]
    with TestClient(app_of(tmp_path, games=games)) as client:
        shown = re.findall(r'<h2><a href="/games/(\w+)"', client.get("/").text)
        assert shown[:2] == ["second", "first"] and sorted(shown[2:]) == game_ids()


# ------------------------------------------------------------------------------------------------- live changes


@contextmanager
def listening(url: str, **headers: str) -> Iterator[Iterator[dict[str, str]]]:
    """The messages of a stream of server-sent events."""
    with httpx.Client(timeout=20) as http, http.stream("GET", url, headers=headers) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert "content-encoding" not in answer.headers

        def messages() -> Iterator[dict[str, str]]:
            one: dict[str, str] = {}
            for line in answer.iter_lines():
                if not line and one:
                    yield one
                    one = {}
                elif line and not line.startswith(":"):
                    key, _, value = line.partition(": ")
                    one[key] = value

        yield messages()


def test_browsers_are_told_of_every_change(app: Any) -> None:
    tables: Tables = app.state.house.tables
    with serving(app) as url:
        set_table(tables)
        for path in (f"/t/{TABLE}/events", f"/api/tables/{TABLE}/events"):
            with listening(url + path) as messages, listening(url + path, cookie=f"seat={TOKENS[0]}") as own:
                number = tables.last_number(TABLE)
                assert next(messages) == {"event": "change", "id": str(number), "data": str(number), "retry": "2000"}
                assert next(own)["id"] == str(number)
                with tables.at(TABLE) as table:
                    turn, text = table.game.seat, table.game.moves()[0]
                tables.play(TABLE, turn, text)
                assert next(messages) == next(own)
                assert tables.last_number(TABLE) == number + 1


def test_after_a_break_only_what_is_new_is_told(app: Any) -> None:
    tables: Tables = app.state.house.tables
    with serving(app) as url:
        set_table(tables)
        number = tables.last_number(TABLE)
        with listening(f"{url}/t/{TABLE}/events", **{"last-event-id": str(number - 1)}) as messages:
            assert next(messages)["id"] == str(number)
        with listening(f"{url}/t/{TABLE}/events", **{"last-event-id": str(number)}) as messages:
            with tables.at(TABLE) as table:
                turn, text = table.game.seat, table.game.moves()[0]
            tables.play(TABLE, turn, text)
            assert next(messages)["id"] == str(number + 1)


def test_what_another_process_adds_is_noticed(app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tefuda.web.live.SECONDS_BETWEEN_LOOKS", 0.1)
    tables: Tables = app.state.house.tables
    with serving(app) as url:
        set_table(tables)
        with listening(f"{url}/t/{TABLE}/events") as messages:
            before = next(messages)
            other = Tables(Store(str(tables.store.url)), tables.shelf)
            with other.at(TABLE) as table:
                turn, text = table.game.seat, table.game.moves()[0]
            other.play(TABLE, turn, text)
            other.store.close()
            assert int(next(messages)["id"]) == int(before["id"]) + 1


def test_pages_are_told_when_the_bots_are_prepared(tmp_path: Path) -> None:
    go_on = threading.Event()
    app = app_of(tmp_path, warm=lambda rules: go_on.wait(10), choose=lambda turn: time.sleep(1))
    with serving(app) as url:
        made = httpx.post(f"{url}/api/tables", json={"game": "leaves13"}).json()
        seen = httpx.get(f"{url}/api/tables/{made['table']}").json()
        assert seen["preparing"] is seen["thinking"]
        with listening(f"{url}/t/{made['table']}/events") as messages:
            first = next(messages)
            go_on.set()
            assert next(messages)["id"] == first["id"]
        assert not httpx.get(f"{url}/api/tables/{made['table']}").json()["preparing"]


# ----------------------------------------------------------------------------------------- a server that is killed

SERVE = "import sys; from tefuda.web.app import serve; serve(port=0, database_url=sys.argv[1])"


@contextmanager
def server_process(database: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The server as people start it, in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, database],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUTF8": "1"},
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        url = line.split()[-1].rstrip("/")
        for _ in range(200):
            try:
                httpx.get(f"{url}/api/games")
                break
            except httpx.TransportError:
                time.sleep(0.05)
        yield url, process
    finally:
        process.kill()
        process.wait()


def test_a_killed_server_loses_no_accepted_move(tmp_path: Path) -> None:
    """Kill -9 in the middle of games, again and again: what was answered is there, and the bots go on."""
    database = f"sqlite:///{tmp_path}/tables.sqlite3"
    rng = random.Random(9)
    accepted: list[str] = []
    table = token = ""
    number = 0
    for life in range(3):
        with server_process(database) as (url, process), httpx.Client(base_url=url, timeout=30) as http:
            if not table:
                made = http.post("/api/tables", json={"game": "tebineri_cookie", "level": "easy"}).json()
                table, token = made["table"], made["token"]
            bearer = {"authorization": f"Bearer {token}"}
            threading.Timer(1.5 + rng.random(), process.send_signal, [signal.SIGKILL]).start()
            try:
                while True:
                    seen = http.get(f"/api/tables/{table}", headers=bearer).json()
                    assert seen["number"] >= number, f"life {life} lost something"
                    own = [text for who, text in seen["log"] if who == 0]
                    assert own[: len(accepted)] == accepted
                    number = seen["number"]
                    if seen["moves"]:
                        text = rng.choice(seen["moves"])
                        move = {"move": text, "number": number}
                        sent = http.post(f"/api/tables/{table}/moves", json=move, headers=bearer)
                        if sent.status_code == 200:
                            accepted = [*own, text]
                    elif seen["over"]:
                        break
                    time.sleep(0.01)
            except httpx.TransportError:
                pass
            process.wait(10)
    with server_process(database) as (url, _), httpx.Client(base_url=url, timeout=30) as http:
        seen = http.get(f"/api/tables/{table}", headers={"authorization": f"Bearer {token}"}).json()
        own = [text for who, text in seen["log"] if who == 0]
        assert own[: len(accepted)] == accepted
        assert seen["number"] >= number
        if seen["thinking"]:  # a bot's decision was due when the server died
            for _ in range(400):
                now = http.get(f"/api/tables/{table}").json()
                if now["number"] > seen["number"]:
                    break
                time.sleep(0.05)
            assert now["number"] > seen["number"]


def test_ctrl_c_ends_the_server_in_good_order(tmp_path: Path) -> None:
    with server_process(f"sqlite:///{tmp_path}/tables.sqlite3") as (url, process):
        made = httpx.post(f"{url}/api/tables", json={"game": "leaves13"}, timeout=20).json()
        with listening(f"{url}/t/{made['table']}/events") as messages:
            next(messages)
            process.send_signal(signal.SIGINT)
            for _ in messages:  # to the end of the stream, which is complete
                pass
        assert process.wait(60) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""


# ------------------------------------------------------------------------------------------- nothing hidden leaves


def twins(game: str, seats: int, decisions: int, viewer: int | None, rng: random.Random) -> tuple[Any, Any] | None:
    """Two games that a viewer cannot tell apart and that hide other cards; None when none was found."""
    one = new(game, seats=seats, seed=rng.randrange(1 << 30), players=[p.name for p in people(seats)])
    for _ in range(decisions):
        if not one.over:
            one.play(rng.choice(one.moves()))
    record = one.record()
    record.pop("result", None)
    log = one.log(viewer)
    for _ in range(300):
        events = [list(event) for event in record["events"]]
        at = rng.choice([i for i, event in enumerate(events) if event[0] == "*" and " " in event[1]])
        name, *cards = events[at][1].split(" ")
        if len(cards) < 2:
            continue
        a, b = rng.sample(range(len(cards)), 2)
        if cards[a] == cards[b]:
            continue
        cards[a], cards[b] = cards[b], cards[a]
        events[at][1] = " ".join([name, *cards])
        try:
            two = from_record({**record, "events": events})
        except RecordError:
            continue
        if two.log(viewer) == log and _same_sight(one, two, viewer):
            return one, two
    return None


def _same_sight(one: Game, two: Game, viewer: int | None) -> bool:
    """Whether a viewer, who sees hands and what lies face up, saw the same cards all along."""
    first, second = from_start(one), from_start(two)
    for done, alike in zip(decisions(one), decisions(two), strict=True):
        if first.view(viewer)["piles"] != second.view(viewer)["piles"]:
            return False
        repeat(first, done)
        repeat(second, alike)
    return bool(one.view(viewer)["piles"] == two.view(viewer)["piles"]) and _laid_open(one) == _laid_open(two)


def _laid_open(game: Game) -> list[tuple[int, int, int]]:
    """What everybody saw go from where to a place where it lies face up, between two decisions too: a hand that is
    laid open and gathered in at once."""
    face_up: set[int] = set()
    piles, seats = game.rules.piles, game.rules.state_type.most_seats
    for pile, number in zip(piles, number_piles(piles, seats), strict=True):
        if pile.seen_by == EVERYBODY:
            face_up |= set(range(number, number + (seats if pile.per_seat else 1)))
    return [(kind, a, b) for event in game.events for kind, a, b, _ in event.cards if b in face_up]


@pytest.mark.parametrize("game", game_ids())
def test_what_leaves_the_server_is_the_same_whatever_is_hidden(
    tmp_path: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything that HTTP carries to a viewer, byte by byte: pages, JSON, headers, refusals."""
    monkeypatch.setattr("tefuda.tables.tables.secrets.token_bytes", bytes)  # else they promise other keys
    rng = random.Random(3)
    compared = 0
    for i in range(14):
        seats = rng.choice([3, 4])
        viewer = rng.choice([None, *range(seats)])
        found = twins(game, seats, rng.choice([0, 1, 5, 20, 40]), viewer, rng)
        if found is None:
            continue
        compared += 1
        answers = []
        for name, twin in zip("ab", found, strict=True):
            folder = tmp_path / f"{i}{name}"
            folder.mkdir()
            app = app_of(folder)
            app.state.house.tables.put(twin, people(seats), table_id=TABLE, tokens=TOKENS)
            with TestClient(app, follow_redirects=False) as client:
                answers.append(everything(client, viewer))
        for first, second in zip(*answers, strict=True):
            assert first == second
    assert compared >= 6


def everything(client: TestClient, viewer: int | None) -> list[tuple[str, int, list[tuple[str, str]], bytes]]:
    """All that a viewer can get from a table without changing it."""
    headers = {} if viewer is None else seat(viewer)
    out = []
    for lang in ("ja", "en"):
        headers = headers | {"accept-language": lang}
        fragment = headers | {"x-fragment": "main"}
        nonsense = {"at": "0", "move": "nonsense"}
        for answer in (
            client.get(f"/t/{TABLE}", headers=headers),
            client.get(f"/t/{TABLE}/main", headers=fragment),
            client.get(f"/t/{TABLE}/result", headers=headers),
            client.get(f"/api/tables/{TABLE}", headers=headers),
            client.post(f"/t/{TABLE}", data=nonsense, headers=headers),
            client.post(f"/t/{TABLE}", data=nonsense, headers=fragment),
            client.post(f"/api/tables/{TABLE}/moves", json={"move": "nonsense"}, headers=headers),
            client.post(f"/api/tables/{TABLE}/moves", json={"move": "x", "number": 1}, headers=headers),
        ):
            out.append((str(answer.url), answer.status_code, sorted(answer.headers.items()), answer.content))
    return out


def test_the_key_of_a_table_is_in_nothing_that_leaves_or_is_logged(
    client: TestClient, tables: Tables, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    set_table(tables)
    with tables.at(TABLE) as table:
        key = table.secret.key
    told = b"".join(content for viewer in (None, 0, 1, 2) for *_, content in everything(client, viewer))
    for secret in (key.hex(), repr(key), json.dumps(list(key)), TOKENS[1]):
        assert secret.encode() not in told
        assert secret not in caplog.text
    with pytest.raises(IllegalMove) as refused, tables.at(TABLE) as table:
        table.game.play("nonsense")
    assert key.hex() not in str(refused.value)


def test_an_origin_that_is_no_address_is_another_site(tmp_path: Path) -> None:
    with TestClient(app_of(tmp_path)) as client:
        answer = client.post("/games/leaves13", headers={"origin": "http://["})
        assert answer.status_code == 403
        assert "content-security-policy" in answer.headers


@pytest.mark.parametrize("wrong", [{"level": "zzz"}, {"seats": "4"}, {"seats": True}, {"seats": 4.0}])
def test_the_api_takes_no_guess_for_a_wish(tmp_path: Path, wrong: dict[str, object]) -> None:
    with TestClient(app_of(tmp_path)) as client:
        answer = client.post("/api/tables", json={"game": "leaves13", **wrong})
        assert answer.status_code == 422
        assert re.search("ボットの強さ|seats", answer.json()["error"])


def test_the_number_of_a_move_is_a_number(client: TestClient, tables: Tables) -> None:
    set_table(tables)
    turn = at(client)["seat"]
    seen = at(client, turn)
    body = {"move": seen["moves"][0], "number": str(seen["number"])}
    assert client.post(f"/api/tables/{TABLE}/moves", json=body, headers=seat(turn)).status_code == 422
    assert at(client)["number"] == seen["number"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"options": {"target": "9" * 5000}},
        {"options": {"9" * 5000: 1}},
        {"9" * 5000: 1},
        {f"x{i}": 1 for i in range(999)},
    ],
)
def test_what_was_sent_comes_back_in_few_words(client: TestClient, wrong: dict[str, object]) -> None:
    answer = client.post("/api/tables", json={"game": "leaves13", **wrong})
    assert answer.status_code == 422
    assert 5 < len(answer.json()["error"]) < 400


def test_who_leaves_while_sending_leaves_no_traceback(app: Any, caplog: pytest.LogCaptureFixture) -> None:
    incoming = [{"type": "http.request", "body": b"name=A", "more_body": True}, {"type": "http.disconnect"}]
    answered = []

    async def receive() -> Any:
        return incoming.pop(0)

    async def send(message: Any) -> None:
        answered.append(message)

    headers = [(b"content-type", b"application/x-www-form-urlencoded"), (b"content-length", b"999")]
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/games/leaves13",
        "raw_path": b"/games/leaves13",
        "query_string": b"",
        "headers": headers,
    }
    asyncio.run(app(scope, receive, send))
    assert not incoming
    assert not answered
    assert not caplog.records


def test_a_double_click_on_another_game_opens_one(client: TestClient, tables: Tables) -> None:
    set_finished_table(tables)
    first, second = (client.post(f"/t/{TABLE}/again", headers=seat(0)) for _ in range(2))
    assert first.headers["location"] == second.headers["location"] != f"/t/{TABLE}"
    assert first.headers["set-cookie"] == second.headers["set-cookie"]
    other = client.post(f"/t/{TABLE}/again", headers=seat(1))
    assert other.headers["set-cookie"] != first.headers["set-cookie"]


def test_while_people_play_nobody_asks_for_another_game(client: TestClient, tables: Tables) -> None:
    set_table(tables)
    answer = client.post(f"/t/{TABLE}/again", headers=seat(0))
    assert (answer.status_code, answer.headers["location"]) == (303, f"/t/{TABLE}")
    assert "set-cookie" not in answer.headers
    assert at(client, 1)["again"] is None


def test_a_click_on_another_game_after_a_restart_opens_the_same(tmp_path: Path) -> None:
    places = []
    for _ in range(2):
        app = app_of(tmp_path)
        with TestClient(app, follow_redirects=False) as client:
            if not places:
                set_finished_table(app.state.house.tables)
            places.append(client.post(f"/t/{TABLE}/again", headers=seat(1)).headers["location"])
            waiting = app.state.house.lobby.at(places[-1].removeprefix("/t/"))
            assert waiting.seat_of(TOKENS[1]) == 2, "one seat further"
    assert places[0] == places[1] != f"/t/{TABLE}"


def test_another_game_is_a_new_one_when_that_is_over(tmp_path: Path) -> None:
    tables = Tables(Store(f"sqlite:///{tmp_path}/tables.sqlite3"), {"leaves13": find("leaves13")})
    bots = [Sitter("bot:random", "random")] * 2
    tables.open("leaves13", [Sitter("Aki"), *bots], table_id=TABLE, tokens={0: TOKENS[0]})
    lobby = Lobby(tables)
    first, same = (lobby.again(TABLE, TOKENS[0]) for _ in range(2))
    assert first == same
    while True:
        with tables.at(first) as table:
            assert table.seat_of(TOKENS[0]) == 1, "one seat further"
            if table.game.over:
                break
            turn, text = table.game.seat, table.game.moves()[0]
        tables.play(first, turn, text)
    assert lobby.again(TABLE, TOKENS[0]) not in (first, TABLE)


def test_people_who_ask_for_another_game_meet_there_and_it_begins_when_all_have(
    client: TestClient, tables: Tables
) -> None:
    set_finished_table(tables)
    lobby = client.app.state.house.lobby  # type: ignore[attr-defined]
    names = {n: client.post(f"/t/{TABLE}/again", headers=seat(n)).headers["location"] for n in (2, 0)}
    name = names[0].removeprefix("/t/")
    assert names == {0: f"/t/{name}", 2: f"/t/{name}"}
    waiting = lobby.at(name)
    assert {n: sitter.name for n, sitter in waiting.sitters.items()} == {0: "Chie", 1: "Aki"}
    assert client.post(f"/t/{TABLE}/again", headers=seat(1)).headers["location"] == f"/t/{name}"
    with tables.at(name) as table:
        assert [sitter.name for sitter in table.sitters] == ["Chie", "Aki", "ボブ"]
        assert {n: table.seat_of(TOKENS[n]) for n in range(3)} == {0: 1, 1: 2, 2: 0}


def test_head_is_get_without_a_body(client: TestClient, tables: Tables) -> None:
    set_table(tables)
    for url in ("/", "/games/leaves13", f"/t/{TABLE}", "/faces/leaves/1.svg"):
        got, head = client.get(url), client.head(url)
        assert (head.status_code, head.headers) == (got.status_code, got.headers)
        assert not head.content
    for url in ("/api/games", "/api/tables", f"/api/tables/{TABLE}"):
        assert client.head(url).status_code == 200
        assert not client.head(url).content
    assert client.head(f"/t/{TABLE}/events").status_code == 405
    assert client.head(f"/api/tables/{TABLE}/moves").status_code == 405
    assert all("head" not in methods for methods in client.get("/api/openapi.json").json()["paths"].values())
