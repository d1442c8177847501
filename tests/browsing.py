"""How tests look at pages and play games in a browser: opening pages, clicking, the keyboard, and axe."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, expect
from running_server import UNHURRIED

from tefuda.bots import Level, parse
from tefuda.engine.game import Game
from tefuda.tables.table import BotTurn
from tefuda.web.app import create_app

PHONE, DESKTOP = {"width": 360, "height": 740}, {"width": 1280, "height": 800}
WIDTHS = (320, 412, 600, 768, 1024, 1600)

RANDOM = Level("random", {"ja": "でたらめ", "en": "Random"}, parse("random"))


def any_move(turn: BotTurn) -> int:
    """A bot that needs no compiling: any move its information state allows."""
    game = object.__new__(Game)
    game.rules, game.state, game.players = turn.rules, turn.known, [""] * turn.seats
    game.t = turn.rules.tables(turn.options, turn.seats)
    return random.choice(game.legal())


def app_of(database: str) -> Any:
    """A server whose bots answer at once."""
    return create_app(database, bot_pause=0, levels=[RANDOM], choose=any_move, warm=lambda rules: None, **UNHURRIED)


@contextmanager
def opening_pages(browser: Browser, url: str, forgiven: str = "$^") -> Iterator[Callable[..., Page]]:
    """Opens pages, each in a browser of its own, without cookies; what they complain of, or ask of others, is a
    failure, but for complaints in which the pattern `forgiven` is found."""
    contexts = []
    complaints: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        refused = re.search(r"status of (409|422)", message.text)  # a refusal is no fault
        if message.type in ("error", "warning") and not refused and not re.search(forgiven, message.text):
            complaints.append(message.text)

    def watch(request: Request) -> None:
        if not request.url.startswith(url + "/"):
            complaints.append(f"asks elsewhere: {request.url}")

    def start(viewport: Any = DESKTOP, lang: str = "ja", scheme: Any = "light", **settings: Any) -> Page:
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
        page.locator(".startbar .btn.main").click()
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


# --------------------------------------------------------------------------------------------- nothing in the way


OF_COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
"""The rules of axe that look at colours: all that can differ between day and night."""


def axe_finds_nothing(page: Page, rules: Any = None) -> None:
    found = Axe().run(page, options=rules)
    assert found.violations_count == 0, found.generate_report()


COLOURS_HAVE_CHANGED = """new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() =>
  Promise.all(document.getAnimations()
    .filter((one) => one instanceof CSSTransition).map((one) => one.finished.catch(() => {})))
).then(() => true)"""


def axe_finds_nothing_by_day_and_night(page: Page) -> None:
    """Axe finds nothing in either theme."""
    for scheme, rules in (("dark", OF_COLOURS), ("light", None)):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.evaluate(COLOURS_HAVE_CHANGED)
        axe_finds_nothing(page, rules)


BREADTH = """new Promise((done) => {
  const measure = () => done(document.documentElement.scrollWidth);
  requestAnimationFrame(() => requestAnimationFrame(measure));
})"""
"""How wide a page is, as soon as it has been laid out for its window."""


def nothing_is_cut_off(page: Page) -> None:
    """At every width the page is as wide as the window and no wider."""
    size = page.viewport_size
    assert size is not None
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": size["height"]})
        wide = page.evaluate(BREADTH)
        assert wide <= width, f"{page.url} is {wide} px wide in a window of {width}"
    page.set_viewport_size(size)


def sit(page: Page, url: str, seat: int) -> None:
    page.context.add_cookies([{"name": "seat", "value": f"{seat}" * 32, "url": f"{url}/t"}])
