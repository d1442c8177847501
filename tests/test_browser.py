"""Whole games in a browser, by clicking and by keyboard, with the script and without; and what axe finds: nothing."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, expect
from running_server import serving
from test_web import UNHURRIED

from tefuda.bots import Level, parse
from tefuda.engine.game import Game, new
from tefuda.engine.record import from_record
from tefuda.engine.rules import game_ids
from tefuda.tables import Sitter
from tefuda.tables.table import BotTurn
from tefuda.web.app import create_app

PHONE, DESKTOP = {"width": 360, "height": 740}, {"width": 1280, "height": 800}
WIDTHS = (320, 360, 412, 600, 768, 1024, 1280, 1600)

RANDOM = Level("random", {"ja": "でたらめ", "en": "Random"}, parse("random"))
TOKENS = {0: "0" * 32, 1: "1" * 32}


def any_move(turn: BotTurn) -> int:
    """A bot that needs no compiling: any move its information state allows."""
    game = object.__new__(Game)
    game.rules, game.state, game.players = turn.rules, turn.known, [""] * turn.seats
    game.t = turn.rules.tables(turn.options, turn.seats)
    return random.choice(game.legal())


def app_of(database: str) -> Any:
    """A server whose bots answer at once."""
    return create_app(database, bot_pause=0, levels=[RANDOM], choose=any_move, warm=lambda rules: None, **UNHURRIED)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return app_of(f"sqlite:///{tmp_path_factory.mktemp('tables')}/tables.sqlite3")


@pytest.fixture(scope="module")
def url(app: Any) -> Iterator[str]:
    with serving(app) as address:
        yield address


@pytest.fixture
def open_page(browser: Browser, url: str) -> Iterator[Callable[..., Page]]:
    """Opens a page in a browser of its own, without cookies; what it complains of, or asks of others, is a failure."""
    contexts = []
    complaints: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        refused = re.search(r"status of (409|422)", message.text)  # a refusal is no fault
        if message.type in ("error", "warning") and not refused:
            complaints.append(message.text)

    def watch(request: Request) -> None:
        if not request.url.startswith(url + "/"):
            complaints.append(f"asks elsewhere: {request.url}")

    def start(viewport: Any = DESKTOP, lang: str = "ja", scheme: str = "light", **settings: Any) -> Page:
        settings = {"reduced_motion": "reduce", "base_url": url, **settings}
        context = browser.new_context(viewport=viewport, locale=lang, color_scheme=scheme, **settings)
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", listen)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", watch)
        return page

    yield start
    for context in contexts:
        context.close()
    assert complaints == []


# ------------------------------------------------------------------------------------------------ playing a game


ASSISTED = frozenset({"jukugo_narabe"})
"""Games played with assist: what the page offers to try may be refused without it."""


def start_game(page: Page, game: str) -> None:
    """One click on the shelf; with assist on the page that sets the game up."""
    page.goto(f"/games/{game}" if game in ASSISTED else "/")
    if game in ASSISTED:
        page.locator('input[name="assist"]').check(force=True)
        page.locator(".startbar button").click()
    else:
        page.locator(f'form[action="/games/{game}"] button').first.click()
    expect(page).to_have_url(re.compile(r"/t/[a-z]+-\d+$"))


def my_turn(page: Page) -> list[dict[str, Any]]:
    """What the page says I may do, as soon as it is my turn; nothing when the game is over."""
    main = page.locator("#main")
    page.locator("form[data-legal], .ending").first.wait_for()
    if main.locator(".ending").count():
        return []
    legal: list[dict[str, Any]] = json.loads(page.locator("form[data-legal]").get_attribute("data-legal") or "[]")
    assert legal
    return legal


def inputs_for(page: Page, wish: dict[str, Any]) -> list[Locator]:
    """The cards, seats and answers that a move is made of."""
    found = []
    for name, cards in wish["picks"].items():
        for card in sorted(set(cards)):
            layable = page.locator(f'.hand button.pick[value="{card}"]')
            if layable.count():  # where words are laid, a card laid alone is picked
                found.append(layable.first)
                continue
            alike = page.locator(f'input[name="{name}"][value="{card}"]')
            found += [alike.nth(i) for i in range(cards.count(card))]
    found += [page.locator(f'input[name="{name}"][value="{value}"]') for name, value in wish["parts"].items()]
    return found


def button_for(page: Page, wish: dict[str, Any]) -> Locator:
    return page.locator(f'#move button[name="move"][value="{wish["move"]}"]')


def moment(page: Page) -> int:
    return int(page.locator("#main").get_attribute("data-at") or 0)


def wait_for_change(page: Page, before: int) -> None:
    page.wait_for_function("before => document.getElementById('main').dataset.at !== String(before)", arg=before)


def play(page: Page, make_move: Callable[[Page, dict[str, Any]], None], rng: random.Random, most: int = 400) -> int:
    """Any legal move until the game is over, or so many of one's own; how many they were."""
    for made in range(most):
        legal = my_turn(page)
        if not legal:
            return made
        before = moment(page)
        make_move(page, rng.choice(legal))
        wait_for_change(page, before)
    return most


def is_chosen(field: Locator) -> bool:
    """Whether a card, seat or answer is chosen already."""
    pressed = field.get_attribute("aria-pressed")
    return field.is_checked() if pressed is None else pressed == "true"


def by_clicking(page: Page, wish: dict[str, Any]) -> None:
    for field in inputs_for(page, wish):
        if field.get_attribute("aria-pressed"):
            field.scroll_into_view_if_needed()
            field.click(position={"x": 14, "y": 24})
        elif not field.is_checked():
            click(field)
    button_for(page, wish).click()


def click(field: Locator) -> None:
    """Click where a person would: on the card itself, at its left edge, which the next card never covers."""
    label = field.locator("xpath=ancestor::label[1]")
    label.scroll_into_view_if_needed()
    label.click(position={"x": 14, "y": 24})
    expect(field).to_be_checked()


def by_keyboard(page: Page, wish: dict[str, Any]) -> None:
    for field in inputs_for(page, wish):
        if not is_chosen(field):
            go_to(page, field)
            if not is_chosen(field):  # the arrow keys choose on their way
                page.keyboard.press("Space")
            assert is_chosen(field)
    go_to(page, button_for(page, wish))
    page.keyboard.press("Enter")


def go_to(page: Page, target: Locator) -> None:
    """Move the focus there with Tab, and inside a group with the arrow keys."""
    there = "(element) => element === document.activeElement"
    same_group = (
        "(element) => document.activeElement.name === element.name && document.activeElement.form === element.form"
    )
    for _ in range(150):
        if target.evaluate(there):
            return
        near = target.evaluate(same_group) and target.get_attribute("type") == "radio"
        page.keyboard.press("ArrowRight" if near else "Tab")
    raise AssertionError("the keyboard does not reach it")


@pytest.mark.parametrize("game", game_ids())
def test_a_whole_game_by_clicking(open_page: Callable[..., Page], game: str) -> None:
    page = open_page(PHONE)
    start_game(page, game)
    assert play(page, by_clicking, random.Random(1)) > 0
    page.locator('a[href$="/result"]').click()
    expect(page).to_have_url(re.compile(r"/result$"))
    table = page.url.removesuffix("/result")
    record = page.request.get(f"{table}/record").json()
    assert from_record(record).over
    page.locator('form[action$="/again"] button').first.click()
    expect(page).to_have_url(re.compile(r"/t/[a-z]+-\d+$"))
    assert page.url != table
    assert my_turn(page)


@pytest.mark.parametrize("game", game_ids())
def test_a_whole_game_by_keyboard(open_page: Callable[..., Page], game: str) -> None:
    page = open_page(lang="en")
    page.goto("/")
    if game in ASSISTED:
        start_game(page, game)
    else:
        go_to(page, page.locator(f'form[action="/games/{game}"] button').first)
        page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/t/[a-z]+-\d+$"))
    assert play(page, by_keyboard, random.Random(2)) > 0


@pytest.mark.parametrize("game", game_ids())
def test_cards_glide_and_do_not_get_in_the_way(open_page: Callable[..., Page], game: str) -> None:
    page = open_page(reduced_motion="no-preference")
    start_game(page, game)
    assert play(page, by_clicking, random.Random(4), 4) > 0


@pytest.mark.parametrize("game", game_ids())
def test_without_script_it_plays_too(open_page: Callable[..., Page], game: str) -> None:
    page = open_page(java_script_enabled=False)
    rng = random.Random(3)
    start_game(page, game)
    for _ in range(8):
        while not page.locator("form[data-legal], .ending").count():
            page.reload()
        legal = my_turn(page)
        if not legal:
            break
        before, wish = moment(page), rng.choice(legal)
        for field in inputs_for(page, wish):
            if field.get_attribute("aria-pressed"):
                field.click()
            else:
                field.check(force=True)
        button_for(page, wish).click()
        assert moment(page) > before


# -------------------------------------------------------------------------------------------- what happens between


def test_a_move_of_another_appears_by_itself(app: Any, open_page: Callable[..., Page]) -> None:
    tables = app.state.house.tables
    opened = tables.open("leaves13", [Sitter("Aki"), Sitter("ボブ"), Sitter("Chie")], tokens=TOKENS)
    page = open_page()
    page.goto(f"/t/{opened.table.id}")
    for _ in range(3):
        before = moment(page)
        with tables.at(opened.table.id) as table:
            seat, text = table.game.seat, table.game.moves()[0]
        tables.play(opened.table.id, seat, text)
        wait_for_change(page, before)


def test_of_two_changes_while_cards_begin_to_glide_the_later_is_shown(app: Any, open_page: Callable[..., Page]) -> None:
    tables = app.state.house.tables
    opened = tables.open("leaves13", [Sitter("Aki"), Sitter("ボブ"), Sitter("Chie")], tokens=TOKENS)
    page = open_page(reduced_motion="no-preference")
    page.route("**/events", lambda route: route.fulfill(status=204))  # it hears of nothing
    page.goto(f"/t/{opened.table.id}")
    changes = []
    for _ in range(2):
        with tables.at(opened.table.id) as table:
            seat, text = table.game.seat, table.game.moves()[0]
        tables.play(opened.table.id, seat, text)
        changes.append(page.request.get(f"{page.url}/main", headers={"X-Fragment": "main"}).text())
    page.evaluate("changes => { for (const change of changes) swap(tableIn(change)); }", changes)
    page.wait_for_function("document.getElementById('main').getAnimations({ subtree: true }).length === 0")
    with tables.at(opened.table.id) as table:
        expect(page.locator("#main")).to_have_attribute("data-at", str(table.number))


def test_a_reload_goes_on_where_the_game_was(open_page: Callable[..., Page]) -> None:
    page = open_page()
    start_game(page, "tebineri_cookie")
    for _ in range(3):
        legal = my_turn(page)
        page.reload()
        assert my_turn(page) == legal
        before = moment(page)
        by_clicking(page, legal[0])
        wait_for_change(page, before)


def test_a_page_goes_on_by_itself_when_its_server_starts_again(browser: Browser, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/tables.sqlite3"
    with serving(app_of(database)) as url:
        page = browser.new_page()
        page.goto(url)
        page.locator('form[action="/games/tebineri_cookie"] button').first.click()
        play(page, by_clicking, random.Random(5), 2)
        before = moment(page)
    expect(page.locator("#trouble")).to_be_visible(timeout=15_000)
    with serving(app_of(database), int(url.rsplit(":", 1)[1])):
        expect(page.locator("#trouble")).to_be_hidden(timeout=15_000)
        play(page, by_clicking, random.Random(5), 2)
        assert moment(page) > before
    page.close()


def test_two_windows_cannot_both_play_a_turn(open_page: Callable[..., Page]) -> None:
    page = open_page()
    start_game(page, "leaves13")
    legal = my_turn(page)
    other = page.context.new_page()
    other.route("**/events", lambda route: route.abort())  # it hears of nothing
    other.goto(page.url)
    before = moment(page)
    by_clicking(page, legal[0])
    wait_for_change(page, before)
    if my_turn(other):
        by_clicking(other, legal[-1])
    expect(other.locator("#refusal")).to_be_visible()
    wait_for_change(other, before)


def test_a_refusal_says_what_would_be_right_and_keeps_the_choice(open_page: Callable[..., Page]) -> None:
    page = open_page(lang="en", java_script_enabled=False)
    start_game(page, "leaves13")
    while not page.locator("form[data-legal]").count():
        page.reload()
    page.locator('#move button[value="play"], #move button[value="pass"]').first.click()
    expect(page.locator("#refusal")).to_be_visible()


# --------------------------------------------------------------------------------------------- nothing in the way


def axe_finds_nothing(page: Page) -> None:
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def nothing_is_cut_off(page: Page) -> None:
    """At every width the page is as wide as the window and no wider."""
    size = page.viewport_size
    assert size is not None
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": size["height"]})
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{page.url} is {wide} px wide in a window of {width}"
    page.set_viewport_size(size)


MOMENTS = {
    "leaves13": (0, 9),
    "tebineri_cookie": (0, 1, 2, 15),
    "jukugo_ten": (0, 1, 30),
    "jukugo_draft": (0, 4, 40),
    "jukugo_dice": (0, 1, 30),
    "jukugo_babanuki": (0, 7),
    "jukugo_narabe": (0, 1, 20),
}
"""After how many decisions a table is looked at."""


def table_after(app: Any, game: str, decisions: int) -> tuple[str, int | None]:
    """A table with people only, so that it stands still; its address and the seat whose turn it is."""
    seats = 4
    sitters = [Sitter(name) for name in ("Aki", "ボブ", "Chie", "だいすけ")[:seats]]
    running = new(game, seed=11, players=[sitter.player for sitter in sitters])
    rng = random.Random(decisions)
    for _ in range(decisions):
        if not running.over:
            running.play(rng.choice(running.moves()))
    tokens = {seat: f"{seat}" * 32 for seat in range(seats)}
    opened = app.state.house.tables.put(running, sitters, tokens=tokens)
    return f"/t/{opened.table.id}", running.seat


def sit(page: Page, url: str, seat: int) -> None:
    page.context.add_cookies([{"name": "seat", "value": f"{seat}" * 32, "url": f"{url}/t"}])


LOOKS = [
    (PHONE, "ja", "light"),
    (PHONE, "en", "dark"),
    (DESKTOP, "ja", "dark"),
    (DESKTOP, "en", "light"),
]
LOOK_NAMES = [f"{'phone' if viewport is PHONE else 'desktop'}-{lang}" for viewport, lang, _ in LOOKS]


@pytest.mark.parametrize(
    ("viewport", "lang", "scheme"), LOOKS, ids=["phone-ja", "phone-en", "desktop-ja", "desktop-en"]
)
def test_axe_finds_nothing_and_nothing_is_cut_off(
    app: Any, url: str, open_page: Callable[..., Page], viewport: Any, lang: str, scheme: str
) -> None:
    page = open_page(viewport, lang, scheme)
    for path in (
        "/",
        *(f"/games/{game}{more}" for game in game_ids() for more in ("", "/rules")),
        "/cards/leaves",
        "/cards/kanji",
    ):
        page.goto(path)
        expect(page.locator("html")).to_have_attribute("lang", lang)
        axe_finds_nothing(page)
        if viewport is PHONE:  # once a language: it is seen at every width
            nothing_is_cut_off(page)


@pytest.mark.parametrize("game", game_ids())
@pytest.mark.parametrize(
    ("viewport", "lang", "scheme"), LOOKS, ids=["phone-ja", "phone-en", "desktop-ja", "desktop-en"]
)
def test_axe_finds_nothing_at_a_table(
    app: Any, url: str, open_page: Callable[..., Page], viewport: Any, lang: str, scheme: str, game: str
) -> None:
    page = open_page(viewport, lang, scheme)
    for decisions in MOMENTS.get(game, (0, 5)):
        path, turn = table_after(app, game, decisions)
        assert turn is not None
        for seat in (turn, (turn + 1) % 4) if decisions else (turn, None):
            page.context.clear_cookies()
            if seat is not None:
                sit(page, url, seat)
            page.goto(path)
            axe_finds_nothing(page)
            if viewport is PHONE:
                nothing_is_cut_off(page)
    path, turn = table_after(app, game, 10_000)
    assert turn is None
    sit(page, url, 0)
    for one in (path, f"{path}/result"):
        page.goto(one)
        axe_finds_nothing(page)
        if viewport is PHONE:
            nothing_is_cut_off(page)
