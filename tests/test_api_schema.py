"""The API is what its own description says: requests made from it, right and wrong, never meet a fault of the server,
and are refused in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from test_web import RANDOM, app_of

from tefuda.web import routes_api

REQUESTS = 30
"""To each operation of the API, right ones and as many wrong ones."""

MOST_TOLD = 3000
"""Characters of what is said when something is refused: a sentence, not what was sent."""

GAMES = ["leaves13", "misohitomoji", "jukugo_ten"]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A running server."""
    app = app_of(tmp_path_factory.mktemp("schema"), games=GAMES)
    with TestClient(app, follow_redirects=False, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture(scope="module")
def held(served: TestClient) -> list[tuple[str, str | None]]:
    """Tables in each state that a table may be in, with the token of a seat: one that waits, one with bots, one with
    people only, one that is over, one that somebody only watches, and one that is not there."""
    new: dict[str, Any] = {"seats": 2, "wait": True}
    made = [
        served.post("/api/tables", json={"game": "misohitomoji", **new}).json(),
        served.post("/api/tables", json={"game": "jukugo_ten", "level": RANDOM.id}).json(),
        served.post("/api/tables", json={"game": "jukugo_ten", **new, "watch": "end"}).json(),
        served.post("/api/tables", json={"game": "misohitomoji", "level": RANDOM.id}).json(),
    ]
    served.post(f"/api/tables/{made[2]['table']}/seats", json={})
    served.post(f"/api/tables/{made[2]['table']}/start", json={}, headers=bearer(made[2]["token"]))
    mine, path = bearer(made[3]["token"]), f"/api/tables/{made[3]['table']}"
    while not (seen := served.get(path, headers=mine).json())["over"]:
        if seen["moves"]:
            served.post(f"{path}/moves", json={"move": seen["moves"][0], "number": seen["number"]}, headers=mine)
    served.cookies.clear()
    return [*((one["table"], one["token"]) for one in made), (made[2]["table"], None), ("momiji-1", "0" * 32)]


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


_only_described = FastAPI()
_only_described.include_router(routes_api.router)
DESCRIPTION = schemathesis.openapi.from_dict(_only_described.openapi())

OPERATIONS = [
    (path, method.upper())
    for path, methods in DESCRIPTION.raw_schema["paths"].items()
    for method in methods
    if not path.endswith("/events")  # a stream never ends
]

RUNS = [
    (path, method, mode)
    for path, method in OPERATIONS
    for mode in GenerationMode
    if mode is GenerationMode.POSITIVE or "requestBody" in DESCRIPTION.raw_schema["paths"][path][method.lower()]
]
"""What goes against the description is sent in bodies."""


def test_what_is_described_is_what_is_served(served: TestClient) -> None:
    assert served.get("/api/openapi.json").json()["paths"] == DESCRIPTION.raw_schema["paths"]
    assert len(OPERATIONS) > 12


@pytest.mark.parametrize(("path", "method", "mode"), RUNS, ids=lambda part: getattr(part, "value", part))
def test_no_request_meets_a_fault(
    path: str, method: str, mode: GenerationMode, served: TestClient, held: list[tuple[str, str | None]]
) -> None:
    """By the description (positive), and against it (negative): to tables in every state."""
    operation = DESCRIPTION[path][method]

    @seed(13)
    @settings(
        max_examples=REQUESTS,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode), which=st.integers(0, len(held)))
    def send(case: schemathesis.Case, which: int) -> None:
        asked = case.as_transport_kwargs(base_url="http://testserver")
        if which < len(held) and "{table_id}" in path:
            name, token = held[which]
            asked["url"] = "http://testserver" + path.replace("{table_id}", name)
            asked["headers"] = {**asked["headers"], **({} if token is None else bearer(token))}
        body = {"json": asked["json"]} if "json" in asked else {"content": asked.get("data", b"")}
        answer = served.request(method, asked["url"], params=asked["params"], headers=asked["headers"], **body)
        statuses.add(answer.status_code)
        assert answer.status_code < 500, answer.text
        if answer.status_code >= 400:
            told = answer.json()
            assert isinstance(told["error"], str) and 0 < len(told["error"]) < MOST_TOLD, told

    statuses: set[int] = set()
    send()
    served.cookies.clear()
    assert statuses
    if mode is GenerationMode.NEGATIVE:
        assert statuses & {404, 405, 422}
