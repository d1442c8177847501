"""The rules files of `examples/`: short, and playable everywhere without a line of other code."""

from __future__ import annotations

import html
import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

import tefuda
from tefuda import bots, lab
from tefuda.cli import app
from tefuda.engine.rules import find
from tefuda.web.app import create_app

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))


def test_there_is_an_example() -> None:
    assert EXAMPLES


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda file: file.stem)
class TestExample:
    def test_is_short(self, example: Path) -> None:
        assert len(example.read_text(encoding="utf-8").splitlines()) <= 100

    def test_passes_the_doctor(self, example: Path) -> None:
        result = CliRunner().invoke(app, ["check", str(example), "--games", "4"], env={"LC_ALL": "C"})
        assert result.exit_code == 0, result.output
        assert "All in order." in result.stdout

    def test_is_played_in_the_terminal(self, example: Path) -> None:
        arguments = ["play", str(example), "--bots", "search:20", "--seed", "2"]
        result = CliRunner().invoke(app, arguments, input="1\n" * 400, env={"LC_ALL": "C"})
        assert result.exit_code == 0, result.output
        assert result.stdout.splitlines()[-1 - find(example).least_seats].split() == ["place", "player", "points"]

    def test_is_played_in_the_lab_where_search_beats_random(self, example: Path) -> None:
        rules = find(example)
        n = rules.least_seats
        lineup = bots.parse_seats(",".join(["search:100"] + ["random"] * (n - 1)), n, rules)
        searching = lab.play_games(rules, n, 200, lineup, seed=1, rotate=True).intervals("win_share_by_bot")[0]
        assert searching.low > 1 / n

    def test_is_played_on_the_page_by_its_form(self, example: Path, tmp_path: Path) -> None:
        random = bots.Level("random", {"ja": "でたらめ", "en": "Random"}, bots.parse("random"))
        url = f"sqlite:///{tmp_path}/tables.sqlite3"
        served = create_app(url, [example], bot_pause=0, levels=[random])
        rules = find(example)
        with TestClient(served, follow_redirects=False, headers={"accept-language": "en"}) as client:
            assert rules.info["title"]["en"] in client.get("/").text
            table = client.post(f"/games/{rules.id}").headers["location"]
            while True:
                seen = client.get(f"/api/tables{table.removeprefix('/t')}").json()
                if seen["over"]:
                    break
                if seen["thinking"]:
                    time.sleep(0.01)
                    continue
                answer = client.post(table, data=first_choice(client.get(table).text))
                assert answer.status_code == 303, answer.text
            assert client.get(f"{table}/result").status_code == 200
            assert tefuda.from_record(client.get(f"{table}/record").json(), example).over


def first_choice(page: str) -> dict[str, Any]:
    """What the form of a table's page posts when its first legal move is chosen."""
    legal = re.search(r'data-legal="(.*?)"', page)
    at = re.search(r'name="at" value="(\d+)"', page)
    assert legal and at
    choice = json.loads(html.unescape(legal[1]))[0]
    parts = {f"part.{name}": str(value) for name, value in choice["parts"].items()}
    return {"at": at[1], "move": choice["move"], **choice["picks"], **parts}
