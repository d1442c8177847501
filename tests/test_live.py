"""A table's event stream: every event reaches every stream, once and in order, whoever made it and however fast."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from running_server import serving
from test_friends import wait_until
from test_web import TABLE, TOKENS, app_of, listening, set_table

from tefuda.tables import Plan, Store, Tables
from tefuda.web.limits import Limits


@pytest.fixture
def app(tmp_path: Path) -> Any:
    return app_of(tmp_path)


def numbers(messages: Any, n: int) -> list[int]:
    return [int(next(messages)["id"]) for _ in range(n)]


def test_a_burst_of_events_reaches_every_stream_one_by_one(app: Any) -> None:
    tables: Tables = app.state.house.tables
    with serving(app) as url:
        set_table(tables)
        path = f"{url}/api/tables/{TABLE}/events"
        with listening(path) as one, listening(path) as another:
            first = tables.last_number(TABLE)
            assert numbers(one, 1) == numbers(another, 1) == [first]
            for n in range(60):
                tables.say(TABLE, n % 3, f"line {n}")
            with tables.at(TABLE) as table:
                turn, text = table.game.seat, table.game.moves()[0]
            tables.play(TABLE, turn, text)
            wanted = list(range(first + 1, first + 62))
            assert numbers(one, 61) == wanted
            assert numbers(another, 61) == wanted


def test_all_that_came_during_a_break_is_told(app: Any) -> None:
    tables: Tables = app.state.house.tables
    with serving(app) as url:
        set_table(tables)
        seen = tables.last_number(TABLE)
        for n in range(3):
            tables.say(TABLE, n, "while you were away")
        for path in (f"/t/{TABLE}/events", f"/api/tables/{TABLE}/events"):
            with listening(url + path, **{"last-event-id": str(seen)}) as messages:
                assert numbers(messages, 3) == [seen + 1, seen + 2, seen + 3]
            with listening(url + path, **{"last-event-id": "999999"}) as messages:  # of another table, perhaps
                assert numbers(messages, 1) == [seen + 3]


def test_every_event_of_another_process_is_told(app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tefuda.web.live.SECONDS_BETWEEN_LOOKS", 0.1)
    tables: Tables = app.state.house.tables
    with serving(app) as url:
        set_table(tables)
        other = Tables(Store(str(tables.store.url)), tables.shelf)
        with listening(f"{url}/t/{TABLE}/events") as messages:
            first = numbers(messages, 1)[0]
            for n in range(4):
                (other if n % 2 == 0 else tables).say(TABLE, n % 3, f"line {n}")
            assert numbers(messages, 4) == list(range(first + 1, first + 5))
        other.store.close()


def test_a_table_tells_on_from_waiting_to_playing_to_being_deleted(app: Any) -> None:
    house = app.state.house
    with serving(app) as url:
        waiting, token = house.lobby.open("leaves13", Plan(3), "Aki", token=TOKENS[0])
        path = f"/api/tables/{waiting.id}"
        with listening(f"{url}{path}/events") as messages:
            told = numbers(messages, 1)
            assert told == [waiting.last] == [httpx.get(url + path).json()["last"]]
            for name, held in (("Bo", TOKENS[1]), ("Chie", TOKENS[2])):
                house.lobby.sit(waiting.id, held, None, name)
            house.lobby.start(waiting.id, token)
            last = house.tables.last_number(waiting.id)
            while told[-1] < last:
                told += numbers(messages, 1)
            # Each once, but for one told again: it has begun.
            assert sorted(set(told)) == list(range(waiting.last, last + 1))
            assert httpx.get(url + path).json()["last"] == last
            assert not house.listeners._watched[waiting.id].gone
            house.tables.store.delete(waiting.id)
            house.lobby._tell(waiting.id)
            rest = [int(message["id"]) for message in messages]  # to the end of the stream
            assert set(rest) == {last}
        assert not house.listeners._watched


def test_of_many_streams_at_once_no_more_are_opened_than_may_be(tmp_path: Path) -> None:
    app = app_of(tmp_path, limits=Limits())
    app.state.house.limits.streams_of_client = 5
    set_table(app.state.house.tables)

    async def opened(url: str) -> list[int]:
        async with AsyncExitStack() as held:  # each stream stays open until all are answered
            http = httpx.AsyncClient(timeout=20, limits=httpx.Limits(max_connections=None))
            await held.enter_async_context(http)
            streams = [held.enter_async_context(http.stream("GET", url)) for _ in range(20)]
            return sorted(answer.status_code for answer in await asyncio.gather(*streams))

    with serving(app) as url:
        path = f"{url}/t/{TABLE}/events"
        assert asyncio.run(opened(path)) == [200] * 5 + [503] * 15
        wait_until(lambda: not app.state.house.listeners._streams)  # each place was given back
        assert asyncio.run(opened(path)) == [200] * 5 + [503] * 15
