"""The page of the lab: what is asked, that it can be watched, read and stopped, and who may not ask."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from test_web import app_of

from tefuda import lab
from tefuda.lab import Cancelled, Finished, Progress
from tefuda.lab.intervals import share


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(app_of(tmp_path), follow_redirects=False, headers={"accept-language": "en"}) as made:
        yield made


def until_over(client: TestClient, url: str) -> str:
    for _ in range(600):
        text = client.get(url).text
        if "data-watch=\"\"" in text:
            return text
        time.sleep(0.05)
    raise AssertionError("the study does not end")


FORM = {"game": "leaves13", "seats": ["3", "4"], "level": ["random"], "games": "1000", "option.target": "20"}


def test_a_study_is_watched_read_and_its_games_opened(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lab is a real one; only less is played than the page asks for."""
    monkeypatch.setattr(lab.Plan, "of", lambda games: lab.Plan(40, 4, 40, 2, 20, 0, 4))
    asked = client.post("/lab", data={**FORM, "seats": ["3"]})
    assert asked.status_code == 303
    url = asked.headers["location"]
    done = until_over(client, url)
    assert f'href="{url}/report"' in done
    report = client.get(f"{url}/report")
    assert report.status_code == 200 and "script" not in report.headers["content-security-policy"]
    games = re.findall(rf'href="({url}/games/0/[a-z_]+)"', report.text)
    assert games
    assert client.get(f"{games[0]}?n=3").status_code == 200
    assert client.get(f"{url}/games/0/nonsense").status_code == 404
    assert "13 Leaves" in client.get("/lab").text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seats": []}, "Choose at least one"),
        ({"level": []}, "Choose at least one"),
        ({"option.target": "4"}, "5"),
    ],
)
def test_what_cannot_be_studied_is_told(client: TestClient, change: dict[str, Any], said: str) -> None:
    refused = client.post("/lab", data={**FORM, **change})
    assert refused.status_code == 422 and said in refused.text


def test_a_study_shows_how_far_it_is_and_can_be_stopped(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(study: Any, folder: Path, *, threads: Any, progress: Any, stop: Any) -> Finished:
        shares = (share(400, 1000), share(300, 1000), share(300, 1000))
        progress(Progress(0.25, 75.0, "playing", 3, {}, "random", 1000, shares))
        for _ in range(600):
            if stop():
                raise Cancelled
            time.sleep(0.02)
        raise AssertionError("it was not stopped")

    monkeypatch.setattr("tefuda.lab.background.run", slow)
    urls = [client.post("/lab", data=FORM).headers["location"] for _ in range(3)]
    assert client.post("/lab", data=FORM).status_code == 422, "others wait already"
    while "40.0 %" not in (shown := client.get(urls[0]).text):
        time.sleep(0.02)
    assert "25 %" in shown and "about 75 s left" in shown
    for url in urls:
        assert client.post(f"{url}/stop").status_code == 303
        assert "It was stopped" in until_over(client, url)


def test_what_comes_to_nothing_is_told_without_its_traceback(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> Finished:
        raise RuntimeError("a secret of the server")

    monkeypatch.setattr("tefuda.lab.background.run", broken)
    url = client.post("/lab", data=FORM).headers["location"]
    shown = until_over(client, url)
    assert "RuntimeError" in shown and "a secret" not in shown


def test_where_the_lab_is_closed_there_is_none(tmp_path: Path) -> None:
    with TestClient(app_of(tmp_path, lab=False), follow_redirects=False) as client:
        assert client.get("/lab").status_code == 404
        assert client.post("/lab", data=FORM).status_code == 404
        assert 'href="/lab"' not in client.get("/").text


def test_a_study_that_is_gone_is_told(client: TestClient) -> None:
    assert client.get("/lab/nothing").status_code == 404


@pytest.mark.parametrize(
    ("client", "headers", "there"),
    [
        ("127.0.0.1", {"host": "127.0.0.1:8000"}, True),
        ("127.0.0.1", {"host": "localhost"}, True),
        ("::1", {"host": "[::1]:8000"}, True),
        ("127.0.0.1", {"host": "tefuda.example"}, False),
        ("127.0.0.1", {"host": "localhost.example"}, False),
        ("127.0.0.1", {"host": "[::1"}, False),
        ("127.0.0.1", {"host": "localhost", "x-forwarded-for": "127.0.0.1"}, False),
        ("127.0.0.1", {"host": "localhost", "forwarded": "for=203.0.113.5"}, False),
        ("203.0.113.5", {"host": "localhost"}, False),
    ],
)
def test_unless_told_the_lab_is_for_whoever_sits_at_this_machine(
    tmp_path: Path, client: str, headers: dict[str, str], there: bool
) -> None:
    with TestClient(app_of(tmp_path, lab=None), follow_redirects=False, client=(client, 5000)) as browser:
        for path in ("/lab", "/lab/nothing/report"):
            answer = browser.get(path, headers={"accept-language": "en", **headers})
            assert ("The lab is not open" in answer.text) is not there
        assert browser.post("/lab", data={"game": "leaves13"}, headers=headers).status_code == (422 if there else 404)
        assert ('href="/lab' in browser.get("/", headers=headers).text) is there
