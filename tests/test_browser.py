"""Whole games in a browser, by clicking and by keyboard, with the script and without; and what axe finds: nothing."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browsing import (
    ASSISTED,
    DESKTOP,
    PHONE,
    app_of,
    axe_finds_nothing_by_day_and_night,
    button_for,
    by_clicking,
    by_keyboard,
    go_to,
    inputs_for,
    moment,
    my_turn,
    nothing_is_cut_off,
    play,
    sit,
    start_game,
    wait_for_change,
)
from playwright.sync_api import Browser, Page, expect
from running_server import serving

from tefuda.engine.game import new
from tefuda.engine.record import from_record
from tefuda.engine.rules import game_ids
from tefuda.tables import Sitter

TOKENS = {0: "0" * 32, 1: "1" * 32}


BY_KEYBOARD = ("jukugo_dice", "jukugo_draft", "leaves13", "tebineri_cookie")


@pytest.mark.parametrize("game", [game for game in game_ids() if game not in BY_KEYBOARD])
def test_a_whole_game_by_clicking(open_page: Callable[..., Page], game: str) -> None:
    """The other games are played by keyboard; with friends all of them are."""
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


@pytest.mark.parametrize("game", BY_KEYBOARD)
def test_a_whole_game_by_keyboard(open_page: Callable[..., Page], game: str) -> None:
    page = open_page(lang="en")
    page.goto("/")
    if game in ASSISTED:
        start_game(page, game)
    else:
        go_to(page, page.locator(f'form[action="/games/{game}"] button').first)
        page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/t/[a-z]+-\d+$"))
    if my_turn(page) and page.locator(".hand :is(input, button.pick):enabled").count():
        page.locator("body").evaluate("() => document.activeElement.blur()")
        page.keyboard.press("ArrowRight")
        expect(page.locator(".hand :focus")).to_be_enabled()
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
            elif not field.is_checked():
                field.focus()  # wherever it lies on the page
                page.keyboard.press("Space")
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


SMALL = {"width": 320, "height": 640}

OUT_OF_SIGHT = """() => [...document.querySelectorAll('.hand :is(input, button.pick):enabled')].filter((one) => {
    const card = one.closest('li').getBoundingClientRect();
    const buttons = document.querySelector('.mine .acts').getBoundingClientRect();
    return card.left < 0 || card.right > innerWidth || card.top < 0 || card.bottom > buttons.top;
}).map((one) => one.value)"""
"""Cards of the hand that may be chosen and are not in view, or lie under the buttons."""


@pytest.mark.parametrize("game", ["jukugo_ten", "jukugo_narabe", "misohitomoji"])
def test_on_a_small_screen_the_cards_to_choose_from_are_in_view(open_page: Callable[..., Page], game: str) -> None:
    page, rng = open_page(SMALL), random.Random(6)
    page.goto(f"/games/{game}")
    page.locator('button[name="guide"]').click()  # a first game has an explanation as well
    page.locator("#guide-open + label").click()
    for _ in range(4):
        legal = my_turn(page)
        if not legal:
            break
        assert page.evaluate(OUT_OF_SIGHT) == []
        before = moment(page)
        by_clicking(page, rng.choice(legal))
        wait_for_change(page, before)


def test_on_a_phone_the_explanation_of_a_first_game_closes_to_a_line(open_page: Callable[..., Page]) -> None:
    page = open_page(PHONE)
    page.goto("/games/jukugo_draft")
    page.locator('button[name="guide"]').click()
    guide, lesson = page.locator(".guide"), page.locator(".guide .lesson")
    cut = "(lesson) => lesson.scrollWidth > lesson.clientWidth"
    expect(page.locator("#guide-open")).to_be_checked()
    assert not lesson.evaluate(cut)
    page.locator("#guide-open + label").click()
    expect(guide).to_have_css("position", "sticky")
    assert lesson.evaluate(cut)
    assert guide.evaluate("(guide) => guide.offsetHeight") < 60
    guide.click()
    assert not lesson.evaluate(cut)
    before = moment(page)
    by_clicking(page, my_turn(page)[0])
    wait_for_change(page, before)
    expect(page.locator("#guide-open")).to_be_checked()


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


@pytest.mark.parametrize(("viewport", "lang"), [(PHONE, "ja"), (DESKTOP, "en")])
def test_axe_finds_nothing_and_nothing_is_cut_off(open_page: Callable[..., Page], viewport: Any, lang: str) -> None:
    page = open_page(viewport, lang)
    for path in (
        "/",
        *(f"/games/{game}{more}" for game in game_ids() for more in ("", "/rules")),
        "/cards/leaves",
        "/cards/kanji",
        "/lab",
    ):
        page.goto(path)
        expect(page.locator("html")).to_have_attribute("lang", lang)
        axe_finds_nothing_by_day_and_night(page)
        nothing_is_cut_off(page)


@pytest.mark.parametrize("game", game_ids())
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_axe_finds_nothing_at_a_table(
    app: Any, url: str, open_page: Callable[..., Page], lang: str, game: str
) -> None:
    """Every game in both languages, in one of them on a phone and in the other on a desktop; in one of them at every
    moment, in the other, where only the words differ, at the last."""
    page = open_page(PHONE if (game_ids().index(game) + (lang == "en")) % 2 else DESKTOP, lang)
    moments = MOMENTS.get(game, (0, 5))
    for decisions in moments if lang == "ja" else moments[-1:]:
        path, turn = table_after(app, game, decisions)
        assert turn is not None
        for seat in (turn, (turn + 1) % 4) if decisions else (turn, None):
            page.context.clear_cookies()
            if seat is not None:
                sit(page, url, seat)
            page.goto(path)
            axe_finds_nothing_by_day_and_night(page)
            nothing_is_cut_off(page)
    path, turn = table_after(app, game, 10_000)
    assert turn is None
    sit(page, url, 0)
    for one in (path, f"{path}/result"):
        page.goto(one)
        axe_finds_nothing_by_day_and_night(page)
        nothing_is_cut_off(page)
