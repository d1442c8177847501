"""Pictures of the tables of all games for the documentation: phone and desktop, by day and by night.

    .venv/bin/python tools/take_pictures.py [GAME …]

writes docs/images/tables/GAME-desktop-day.jpg and so on, from games that are dealt and played the same every time.
"""

from __future__ import annotations

import random
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from machine import find_browser
from playwright.sync_api import Browser, Page, sync_playwright

from tefuda.engine.game import Game, new
from tefuda.engine.rules import game_ids
from tefuda.tables import Settings, Sitter
from tefuda.web.app import create_app

FOLDER = Path(__file__).parent.parent / "docs" / "images" / "tables"

LOOKS = [
    ("desktop-day", 1280, 800, "light", "ja"),
    ("desktop-night", 1280, 800, "dark", "en"),
    ("phone-day", 360, 740, "light", "ja"),
    ("phone-night", 360, 740, "dark", "ja"),
]

TOKEN = "0" * 32
PLAYERS = ["あおい", "bot:1", "bot:2", "bot:3"]

Wanted = Callable[[Game], bool]


def finds(game: Game) -> list[str]:
    """The moves of the seat on turn that a person would have to find."""
    return [game.notation.text(move) for move in game.legal() if game.notation.move_of(move).found]


MOMENTS: dict[str, Wanted] = {
    "jukugo_ten": lambda g: bool(finds(g)) and sum(g.state.wins[seat] for seat in range(4)) >= 3,
    "jukugo_draft": lambda g: g.state.phase == 0 and g.state.decisions > 30,
    "jukugo_dice": lambda g: g.state.phase == 0 and 12 < g.state.decisions < 40 and g.state.die in (3, 4),
    "jukugo_babanuki": lambda g: bool(finds(g)) and g.state.decisions > 4,
    "jukugo_narabe": lambda g: bool(finds(g)) and g.state.decisions > 12,
    "misohitomoji": lambda g: g.state.total > 15,
    "tebineri_cookie": lambda g: g.state.decisions > 40,
    "leaves13": lambda g: g.state.decisions > 9 and len(g.moves()) > 4,
}
"""At what moment of each game, on the turn of the first seat, the picture is taken."""


def game_at(name: str, wanted: Wanted) -> Game:
    """The first game, by seeds, that comes to such a moment on the turn of seat 0."""
    for seed in range(1000):
        game, rng = new(name, players=PLAYERS, seed=seed), random.Random(seed)
        while not game.over:
            if game.seat == 0 and wanted(game):
                return game
            found = finds(game)
            game.play(rng.choice(found if found and rng.random() < 0.8 else game.moves()))
    raise LookupError(f"{name} never comes to the moment of its picture")


def lay_a_claim(page: Page, game: Game) -> None:
    """Lay out what the seat on turn could claim, as a person would on the way to it."""
    if not page.locator("#tray .words").count():
        return
    found = finds(game)
    if hasattr(game.rules.module, "some_words") and found[0].startswith("="):
        hand = game.view(0)["piles"]["hand"][0]["cards"]
        new_card = next(e for e in reversed(game.story(0)) if e["move"] == "give")["cards"][0]["card"]
        keep = found[0][1:]
        words = game.rules.module.some_words(game.options, hand, {new_card, keep}, game.options["goal"])
    else:
        keep, words = "", found[:1]
    for word in words:
        for i, card in enumerate(word):
            page.locator(f'.hand button[aria-pressed="false"][value="{card}"]').first.click()
            if i > 1:
                page.locator("button[value=join]").click()
    if keep:
        page.locator(f'.words input[value="{keep}"]').first.check(force=True)


@contextmanager
def serving(folder: str) -> Iterator[tuple[str, object]]:
    """The pages, with bots that never move."""
    app = create_app(f"sqlite:///{folder}/tables.sqlite3", bot_pause=3600, warm=lambda rules: None)
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical"))
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{listening.getsockname()[1]}", app
    server.should_exit = True
    thread.join(10)


def take(browser: Browser, url: str, table: str, game: Game) -> None:
    """The four pictures of a table."""
    for look, width, height, scheme, lang in LOOKS:
        context = browser.new_context(
            base_url=url,
            viewport={"width": width, "height": height},
            color_scheme=scheme,  # type: ignore[arg-type]
            locale=lang,
            reduced_motion="reduce",
            device_scale_factor=1.5 if width < 600 else 1,
        )
        context.add_cookies([{"name": "seat", "value": TOKEN, "url": f"{url}/t"}])
        page = context.new_page()
        page.goto(f"/t/{table}")
        lay_a_claim(page, game)
        page.mouse.move(0, 0)
        page.evaluate("document.activeElement.blur()")
        page.screenshot(path=FOLDER / f"{game.rules.id}-{look}.jpg", type="jpeg", quality=80)
        context.close()


def main(games: list[str]) -> int:
    """Take the pictures; returns the exit code."""
    unknown = [name for name in games if name not in MOMENTS]
    if unknown:
        print(f"No picture is known of {', '.join(unknown)}; of {', '.join(MOMENTS)} there are.", file=sys.stderr)
        return 2
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(folder) as (url, app),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        for name in games:
            game = game_at(name, MOMENTS[name])
            sitters = [Sitter(PLAYERS[0]), *(Sitter(player, "random") for player in PLAYERS[1:])]
            tables = app.state.house.tables  # type: ignore[attr-defined]
            opened = tables.put(game, sitters, tokens={0: TOKEN}, settings=Settings(call=None))
            take(browser, url, opened.table.id, game)
            print(f"{name}: {len(LOOKS)} pictures")
        browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:] or [name for name in game_ids() if name in MOMENTS]))
