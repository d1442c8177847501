"""The example bots of `examples/bots/` sit down at a table and play a whole game over the API."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from running_server import serving
from test_web import app_of

BOTS = Path(__file__).parent.parent / "examples" / "bots"

COMMANDS = {"random_bot.py": [sys.executable], "random_bot.mjs": ["node"]}


def test_every_bot_is_known_and_short() -> None:
    assert {file.name for file in BOTS.iterdir()} == set(COMMANDS)
    for file in BOTS.iterdir():
        lines = file.read_text(encoding="utf-8").splitlines()
        assert len(lines) <= 50


@pytest.mark.parametrize("bot", COMMANDS)
def test_a_bot_sits_down_and_plays_a_whole_game(bot: str, tmp_path: Path) -> None:
    if shutil.which(COMMANDS[bot][0]) is None:
        pytest.skip(f"{COMMANDS[bot][0]} is not installed here")
    rng = random.Random(3)
    with serving(app_of(tmp_path)) as url, httpx.Client(base_url=url, timeout=30) as http:
        new = {"game": "leaves13", "seats": 3, "wait": True, "when_full": True, "name": "Host"}
        made = http.post("/api/tables", json=new).json()
        path, mine = f"/api/tables/{made['table']}", {"authorization": f"Bearer {made['token']}"}
        http.cookies.clear()
        bots = [
            subprocess.Popen([*COMMANDS[bot], BOTS / bot, url, made["table"]], stdout=subprocess.PIPE, text=True)
            for _ in range(2)
        ]
        try:
            with http.stream("GET", f"{path}/events") as stream:
                for line in stream.iter_lines():
                    if not line.startswith("data:"):
                        continue
                    seen = http.get(path, headers=mine).json()
                    if seen.get("over"):
                        break
                    if seen.get("moves"):
                        move = {"move": rng.choice(seen["moves"]), "number": seen["number"]}
                        assert http.post(f"{path}/moves", json=move, headers=mine).status_code in (200, 409)
            told = [process.communicate(timeout=60)[0] for process in bots]
        finally:
            for process in bots:
                process.kill()
                process.wait()
    assert [process.returncode for process in bots] == [0, 0]
    assert [json.loads(text) for text in told] == [seen["result"]] * 2
    names = {name.split()[0] for name in seen["players"]}  # the second of one name is told by its seat, too
    assert names == {"Host", "Python" if bot.endswith(".py") else "JavaScript"}
    assert {who for who, _ in seen["log"] if who != "*"} == {0, 1, 2}
