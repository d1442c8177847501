"""Friends' tables in browsers: whole games through a link while pages sleep and the server is killed; without script
and by keyboard; what is typed stays; what voices tell; what axe finds on every page of theirs: nothing."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import own_server
import pytest
from browsing import (
    ASSISTED,
    DESKTOP,
    PHONE,
    axe_finds_nothing,
    axe_finds_nothing_by_day_and_night,
    button_for,
    by_clicking,
    by_keyboard,
    go_to,
    inputs_for,
    moment,
    my_turn,
    nothing_is_cut_off,
    opening_pages,
    wait_for_change,
)
from own_server import OwnServer
from playwright.sync_api import Browser, Page, expect

from tefuda.engine.game import new
from tefuda.engine.record import from_record
from tefuda.engine.rules import game_ids
from tefuda.tables import Clock, Plan, ReportRow, Settings, Sitter, clean_name, milliseconds

TOKENS = [f"{seat:x}" * 32 for seat in range(4)]

CUT = "net::ERR_"
"""What a browser complains of when it has no connection."""

# ------------------------------------------------------------------------ whole games, whatever happens meanwhile


class Killable:
    """A server in a process of its own that can be killed and started again at the same address."""

    def __init__(self, database: str) -> None:
        self.database = database
        self.server: OwnServer = own_server.start(database, game_ids())
        self.url = self.server.url

    def start_again(self) -> None:
        self.server.kill()
        self.server = own_server.start(self.database, game_ids(), int(self.url.rsplit(":", 1)[1]))


@pytest.fixture(scope="module")
def killable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killable]:
    made = Killable(f"sqlite:///{tmp_path_factory.mktemp('friends')}/tables.sqlite3")
    yield made
    made.server.kill()


DRAWN = 6
"""So many moves are made on pages, by clicking. Then both browsers close their pages, which draw every move of
everybody, and send what is left; at the end they look again."""

STATE = """() => {
  const main = document.getElementById("main");
  if (main.dataset.page !== "table" || main.querySelector("[aria-busy]")) return "waits";
  return main.querySelector(".ending") ? "over" : document.querySelector("#move[data-legal]") ? "mine" : "waits";
}"""


def table_url(page: Page) -> str:
    expect(page).to_have_url(re.compile(r"/t/[a-z]+-\d+$"))
    return page.url


def open_for_friends(page: Page, game: str) -> str:
    """The host opens a table in the game's box; the link that invites."""
    page.goto(f"/games/{game}")
    if page.locator('input[name="call"]').count():
        page.locator('label:has(input[name="call"][value="none"])').click()
    if game in ASSISTED:
        page.locator('label:has(input[name="assist"])').click()
    page.locator("#name").fill("Aki")
    page.locator('button[name="friends"]').click()
    table_url(page)
    return page.locator("#link").input_value()


def sit_down(page: Page, link: str, name: str) -> None:
    page.goto(link)
    page.locator("#name").fill(name)
    page.locator('.chair button[form="sit"]').first.click()
    expect(page.locator(".chair button[form=leave]")).to_be_visible()


def is_as_new(page: Page, other: Page) -> None:
    """A page comes to show the moment that another shows, and no error."""
    at = "at => Number(document.getElementById('main').dataset.at) >= at"
    page.wait_for_function(at, arg=moment(other), timeout=15_000)
    expect(page.locator("#trouble")).to_be_hidden(timeout=15_000)


class Party:
    """Two people at one table, each with a browser of their own, who make any move they may."""

    def __init__(self, host: Page, guest: Page) -> None:
        self.people = (host, guest)
        self.made = {host: 0, guest: 0}
        self.rng = random.Random(1)
        self.latest = time.monotonic()

    def on_turn(self) -> Page | None:
        """Whose turn it is, as soon as it is one of theirs; None when both see that the game is over."""
        while True:
            states = {page: page.evaluate(STATE) for page in self.people}
            if set(states.values()) == {"over"}:
                return None
            mine = next((page for page, state in states.items() if state == "mine"), None)
            if mine is not None:
                return mine
            self.hurries()
            time.sleep(0.03)

    def hurries(self) -> None:
        assert time.monotonic() < self.latest + 30, "nobody goes on"

    def move(self, page: Page) -> None:
        before = moment(page)
        by_clicking(page, self.rng.choice(my_turn(page)))
        wait_for_change(page, before)
        self.made[page] += 1
        self.latest = time.monotonic()

    def play_on_undrawn(self) -> None:
        """Both browsers send moves, as programs, until the game is over."""
        path = self.people[0].url.replace("/t/", "/api/tables/")
        for page in self.people:
            page.goto("about:blank")
        while True:
            self.hurries()
            for page in self.people:
                table = page.request.get(path).json()
                if table["over"]:
                    return
                if table["seat"] != table["viewer"]:
                    continue
                for move in self.rng.sample(table["moves"], len(table["moves"])):
                    answer = page.request.post(f"{path}/moves", data={"move": move, "number": table["number"]})
                    if answer.ok:  # a word must be claimed by laying it
                        self.made[page] += 1
                        self.latest = time.monotonic()
                        break


@pytest.mark.parametrize("game", game_ids())
def test_a_whole_game_through_a_link_while_pages_sleep_and_the_server_is_killed(
    killable: Killable, browser: Browser, game: str, record_property: Callable[[str, object], None]
) -> None:
    with opening_pages(browser, killable.url, forgiven=CUT) as open_page:
        host, guest = open_page(DESKTOP), open_page(PHONE, "en")
        sit_down(guest, open_for_friends(host, game), "ボブ")
        expect(host.locator(".chairs").first).to_contain_text("ボブ")
        host.locator('button[name="fill"]').click()
        for page in (host, guest):
            expect(page.locator('main[data-page="table"]')).to_be_visible()
        url, party, began = host.url, Party(host, guest), None
        while sum(party.made.values()) < DRAWN and (page := party.on_turn()) is not None:
            party.move(page)
            if began is not None:
                for each in party.people:
                    is_as_new(each, page)
                record_property("seconds from the start of the server to the next move", time.monotonic() - began)
                began = None
            match sum(party.made.values()):
                case 1:
                    guest.reload()
                case 2:
                    guest.context.set_offline(True)
                    time.sleep(0.3)
                    if host.evaluate(STATE) == "mine":
                        party.move(host)
                    guest.context.set_offline(False)
                    is_as_new(guest, host)
                case 4:
                    killable.start_again()
                    began = time.monotonic()
        party.play_on_undrawn()
        for page in party.people:
            page.goto(url)
            expect(page.locator("#trouble")).to_be_hidden()
            expect(page.locator("#refusal")).to_have_count(0)
            page.locator('a[href$="/result"]').click()
            expect(page.locator(".banzuke")).to_be_visible()
        record = host.request.get(f"{url}/record").json()
        assert from_record(record).over
        for page, name in ((host, "Aki"), (guest, "ボブ")):
            seat = record["players"].index(name)
            assert sum(who == seat for who, _ in record["events"]) == party.made[page], "a move was lost"
        assert sum(party.made.values()) > 4


# ------------------------------------------------------------------------------------- tables that stand still


def waiting(app: Any, game: str = "leaves13", people: int = 3, seats: int = 3, **settings: Any) -> str:
    """The name of a table that waits, at which people sit who hold the first of TOKENS."""
    lobby = app.state.house.lobby
    now, _ = lobby.open(game, Plan(seats, settings=Settings(call=None, **settings)), "Aki", token=TOKENS[0])
    for seat, name in list(enumerate(("Aki", "ボブ", "Chie", "だいすけ")))[1:people]:
        lobby.sit(now.id, TOKENS[seat], seat, name)
    return str(now.id)


def begun(app: Any, game: str = "leaves13", **settings: Any) -> str:
    """The name of a table at which three people play."""
    name = waiting(app, game, **settings)
    app.state.house.lobby.start(name, TOKENS[0])
    return name


def turn_of(app: Any, name: str) -> int:
    with app.state.house.tables.at(name) as table:
        seat = table.game.seat
    assert seat is not None
    return int(seat)


def play_one(app: Any, name: str) -> int:
    """Whoever is on turn moves; the seat."""
    tables, seat = app.state.house.tables, turn_of(app, name)
    with tables.at(name) as table:
        text = table.game.moves()[0]
    tables.play(name, seat, text)
    return seat


def sits(page: Page, url: str, name: str, seat: int | None) -> Page:
    """The page of a table, for whoever sits there at a seat, or for a stranger."""
    if seat is not None:
        page.context.add_cookies([{"name": "seat", "value": TOKENS[seat], "url": f"{url}/t/{name}"}])
    page.goto(f"/t/{name}")
    return page


def finished(app: Any) -> str:
    """The name of a table whose game is over and of which somebody has said what they felt."""
    tables = app.state.house.tables
    running = new("leaves13", seed=5, players=["Aki", "ボブ", "Chie"])
    while not running.over:
        running.play(running.moves()[0])
    people = [Sitter(name) for name in ("Aki", "ボブ", "Chie")]
    name = tables.put(running, people, tokens=dict(enumerate(TOKENS[:3]))).table.id
    felt = {"fun": 4, "length": 1, "unclear": "LE-1", "free": "たのしかった", "named": True}
    tables.store.keep_report(ReportRow(name, 0, milliseconds(), felt))
    return str(name)


def every_page(app: Any) -> list[tuple[str, str, int | None]]:
    """Every page that friends see: a table's name, what follows it in the address, and the seat of whoever looks."""
    tables, lobby = app.state.house.tables, app.state.house.lobby
    open_one = waiting(app, "tebineri_cookie", 2, 4, clock=Clock("move", 60))
    lobby.plan(open_one, TOKENS[0], lobby.at(open_one).plan, True)
    lobby.say(open_one, TOKENS[1], "Hello, よろしく", None)
    playing = begun(app, clock=Clock("move", 600))
    voting = play_one(app, playing)
    tables.say(playing, voting, "A line that is so long that it does not fit beside the name of whoever says it")
    tables.ask_back(playing, voting)
    away = begun(app, talk="phrases")
    absent = turn_of(app, away)
    with tables.at(away) as table:
        tables._stand_in(table, absent, [])
    over, late = finished(app), begun(app, watch="late")
    return [
        (open_one, "", 0),
        (open_one, "", 1),
        (open_one, "", None),
        (playing, "", voting),
        (playing, "", (voting + 1) % 3),
        (playing, "", None),
        (away, "", absent),
        (late, "", None),
        (playing, "/key", 0),
        (playing, "/key", None),
        (over, "/replay?n=4", 0),
        (over, "/result", 0),
    ]


@pytest.mark.parametrize(("viewport", "lang"), [(PHONE, "ja"), (DESKTOP, "en")])
def test_axe_finds_nothing_on_any_page_and_nothing_is_cut_off(
    app: Any, url: str, open_page: Callable[..., Page], viewport: Any, lang: str
) -> None:
    page = open_page(viewport, lang)
    shown = [(f"/t/{name}{more}", name, seat) for name, more, seat in every_page(app)]
    for path, name, seat in [*shown, ("/tables", "", None), ("/games/leaves13/players", "", None)]:
        page.context.clear_cookies()
        if seat is not None:
            sits(page, url, name, seat)
        page.goto(path)
        for box in page.locator("main details").all():
            box.locator("summary").click()
        look_over = axe_finds_nothing_by_day_and_night if viewport is PHONE else axe_finds_nothing
        look_over(page)
        nothing_is_cut_off(page)


# ------------------------------------------------------------------------------- without script, and by keyboard


def move_by_forms(page: Page, rng: random.Random) -> None:
    wish = rng.choice(my_turn(page))
    for field in inputs_for(page, wish):
        field.check(force=True)
    button_for(page, wish).click()


def test_friends_meet_talk_take_back_and_play_without_script(open_page: Callable[..., Page], app: Any) -> None:
    host, guest = (open_page(lang="en", java_script_enabled=False) for _ in range(2))
    host.goto("/games/leaves13")
    host.locator('button[name="friends"]').click()
    link = host.locator("#link").input_value()
    sit_down(guest, link, "ボブ")
    guest.locator("#say-text").fill("I am here")
    guest.locator(".say button").click()
    host.goto(link)
    expect(host.locator(".chat")).to_contain_text("I am here")
    host.locator('button[name="fill"]').click()
    people = dict.fromkeys((host, guest), 0)
    rng, taken_back = random.Random(2), False
    while sum(people.values()) < DRAWN:
        for page in people:
            page.goto(link)
        page = next((page for page in people if page.locator("form[data-legal]").count()), None)
        if page is None:
            if host.locator(".ending").count():
                break
            continue
        if not taken_back:
            move_by_forms(page, rng)
            page.locator("details.around summary").click()
            page.locator('form[action$="/undo"] button').click()
            taken_back = page.locator(".vote").count() > 0
            if taken_back:
                other = guest if page is host else host
                other.goto(link)
                other.locator('.vote button[value="yes"]').click()
                expect(other.locator(".vote")).to_have_count(0)
                page.goto(link)
            continue
        move_by_forms(page, rng)
        people[page] += 1
    assert taken_back
    host.goto(link)
    Party(host, guest).play_on_undrawn()
    host.goto(link)
    host.locator('a[href$="/result"]').click()
    host.locator('input[name="fun"][value="5"]').check(force=True)
    host.locator("#free").fill("Good")
    host.locator("#report button").click()
    expect(host.locator("#free")).to_have_value("Good")


def press(page: Page, selector: str) -> None:
    """Go there with the keyboard, and press Enter."""
    go_to(page, page.locator(selector).first)
    page.keyboard.press("Enter")


def test_friends_meet_talk_take_back_and_play_by_keyboard(open_page: Callable[..., Page]) -> None:
    host, guest = open_page(), open_page(PHONE)
    host.goto("/games/leaves13")
    press(host, 'button[name="friends"]')
    guest.goto(table_url(host))
    go_to(guest, guest.locator("#name"))
    guest.keyboard.type("Bob")
    press(guest, ".chair button[form=sit]")
    expect(host.locator(".chairs").first).to_contain_text("Bob")
    press(host, 'button[name="fill"]')
    for page in (host, guest):
        expect(page.locator('main[data-page="table"]')).to_be_visible()
    party = Party(host, guest)
    for made in range(6):
        page = party.on_turn()
        if page is None:
            break
        before = moment(page)
        by_keyboard(page, party.rng.choice(my_turn(page)))
        wait_for_change(page, before)
        other = guest if page is host else host
        if made == 0:
            go_to(page, page.locator("#say-text"))
            page.keyboard.type("hi")
            page.keyboard.press("Enter")
            expect(other.locator(".chat")).to_contain_text("hi")
            press(page, "details.around summary")
            press(page, 'form[action$="/undo"] button')
            expect(page.locator(".vote, #refusal")).to_be_visible()
            if page.locator(".vote").count():
                press(other, '.vote button[value="no"]')
                expect(page.locator(".vote")).to_have_count(0)


# ---------------------------------------------------------------------------------------- what stays, what is told


def test_what_is_typed_stays_while_others_move_and_talk(app: Any, url: str, open_page: Callable[..., Page]) -> None:
    name = begun(app)
    waits = (turn_of(app, name) + 1) % 3
    page = sits(open_page(), url, name, waits)
    page.locator("#say-text").press_sequentially("not sen")
    before = moment(page)
    play_one(app, name)
    wait_for_change(page, before)
    page.keyboard.type("t yet")
    expect(page.locator("#say-text")).to_have_value("not sent yet")
    expect(page.locator("#say-text")).to_be_focused()
    app.state.house.tables.say(name, (waits + 1) % 3, "I talk")
    expect(page.locator(".chat")).to_contain_text("I talk")
    expect(page.locator("#say-text")).to_have_value("not sent yet")
    page.locator(".say button").click()
    expect(page.locator(".chat .own")).to_contain_text("not sent yet")
    expect(page.locator("#say-text")).to_have_value("")


def test_a_line_that_was_not_taken_is_there_to_be_sent_again(
    app: Any, url: str, open_page: Callable[..., Page]
) -> None:
    name = begun(app, talk="free")
    page = sits(open_page(), url, name, 0)
    page.locator("#say-text").fill("\u200b\u200b")
    page.locator(".say button").click()
    expect(page.locator("#refusal")).to_be_visible()
    expect(page.locator("#say-text")).to_have_value("\u200b\u200b")


def test_what_the_host_has_not_settled_yet_stays(app: Any, url: str, open_page: Callable[..., Page]) -> None:
    name = waiting(app, "leaves13", 2, 4)
    page = sits(open_page(), url, name, 0)
    plan = page.locator("form#plan")
    plan.locator('label:has(input[name="seats"][value="5"])').click()
    plan.locator('label:has(input[name="option.expert"])').click()
    plan.locator('input[name="option.target"]').fill("44")
    plan.locator('select[name="clock"]').select_option("move60")
    plan.locator('label:has(input[name="public"])').click()
    app.state.house.lobby.sit(name, TOKENS[2], 2, "Chie")
    expect(page.locator(".chairs").first).to_contain_text("Chie")
    expect(plan.locator('input[name="seats"][value="5"]')).to_be_checked()
    expect(plan.locator('input[name="option.expert"]')).to_be_checked()
    expect(plan.locator('input[name="public"]')).to_be_checked()
    expect(plan.locator('input[name="option.target"]')).to_have_value("44")
    expect(plan.locator('select[name="clock"]')).to_have_value("move60")
    plan.locator('.acts button[type="submit"]').click()
    expect(page.locator(".chair")).to_have_count(5)
    now = app.state.house.lobby.at(name)
    assert (now.plan.seats, now.plan.options["target"], now.public) == (5, 44, True)
    expect(plan.locator('input[name="seats"][value="5"]')).to_be_checked()
    plan.locator('input[name="option.target"]').fill("45")
    page.locator('button[name="fill"]').click()
    expect(page.locator('main[data-page="table"]')).to_be_visible()
    with app.state.house.tables.at(name) as table:
        assert table.game.options["target"] == 45, "what was chosen counts when the game begins"
    page.goto("/tables")
    expect(page.locator(f'.own-tables a[href="/t/{name}"]')).to_be_visible()


def test_a_voice_tells_moves_and_talk_once(app: Any, url: str, open_page: Callable[..., Page]) -> None:
    name = begun(app)
    first = turn_of(app, name)
    page = sits(open_page(lang="en"), url, name, (first + 1) % 3)
    page.evaluate(
        """() => { globalThis.voiced = [];
        new MutationObserver(() => voiced.push(document.getElementById("said").textContent))
          .observe(document.getElementById("said"), { childList: true, characterData: true, subtree: true }); }"""
    )
    before = moment(page)
    play_one(app, name)
    wait_for_change(page, before)
    page.wait_for_function("() => voiced.length === 1")
    who = ("Aki", "ボブ", "Chie")[first]
    heard = page.evaluate("voiced[0]")
    assert heard.startswith(f"{who} ") and "/" in heard
    app.state.house.tables.say(name, first, "Well, well")
    page.wait_for_function("() => voiced.length === 2")
    assert page.evaluate("voiced[1]") == f"{who} Well, well"
    live = page.locator('[aria-live]:not([aria-live="off"]), [role="status"], [role="log"]:not([aria-live="off"])')
    assert live.evaluate_all("found => found.map((one) => one.id)") == ["said"], "nothing else tells it again"


# ------------------------------------------------------------------------------------------------------- cheats


POISON = '<img src=x onerror="document.title=1">\u202e\u2066evil\u200b' + "W" * 300


def test_poisoned_names_and_talk_are_only_text(app: Any, url: str, open_page: Callable[..., Page]) -> None:
    name = waiting(app, "leaves13", 1, 3)
    lobby = app.state.house.lobby
    lobby.sit(name, TOKENS[1], 1, clean_name(POISON[:40]))
    lobby.sit(name, TOKENS[2], 2, "W" * 40)
    lobby.say(name, TOKENS[1], POISON[:200], None)
    page = sits(open_page(PHONE), url, name, 0)
    nothing_is_cut_off(page)
    page.locator(".startbar .btn.main").click()
    expect(page.locator('main[data-page="table"]')).to_be_visible()
    nothing_is_cut_off(page)
    for text in (page.inner_text("main"), page.title()):
        assert not set(text) & set("\u202e\u2066\u200b")
    assert page.locator('main img[src="x"]').count() == 0


def test_two_tabs_of_a_browser_hold_one_seat_and_another_browser_cannot_take_it(
    app: Any, url: str, open_page: Callable[..., Page]
) -> None:
    name = waiting(app, "leaves13", 1, 3)
    page = open_page()
    sit_down(page, f"{url}/t/{name}", "Bob")
    other = page.context.new_page()
    other.goto(f"/t/{name}")
    other.locator(".chair button[form=sit]").first.click()
    expect(other.locator(".chair button[form=leave]")).to_have_count(1)
    assert sorted(sitter.name for sitter in app.state.house.lobby.at(name).sitters.values()) == ["Aki", "Bob"]
    thief = open_page()
    thief.context.add_cookies([{"name": "seat", "value": "0" * 31 + "1", "url": f"{url}/t/{name}"}])
    thief.goto(f"/t/{name}")
    expect(thief.locator(".chair button[form=leave], form#plan")).to_have_count(0)


def test_it_can_be_installed(open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.goto("/")
    found = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert found["errors"] == []
    size_of = """async (src) => { const icon = new Image(); icon.src = src; await icon.decode();
                 return `${icon.naturalWidth}x${icon.naturalHeight}`; }"""
    for icon in json.loads(found["data"])["icons"]:
        assert page.request.get(f"/static/{icon['src']}").headers["content-type"] == icon["type"]
        if icon["sizes"] != "any":
            assert page.evaluate(size_of, f"/static/{icon['src']}") == icon["sizes"]


def test_a_replay_goes_step_by_step_where_it_stands(app: Any, open_page: Callable[..., Page]) -> None:
    page = open_page(PHONE, "ja")
    page.goto(f"/t/{finished(app)}/replay?n=4")
    step = page.locator(".steps .at")
    expect(step).to_contain_text(re.compile("^4"))
    page.evaluate("window.untouched = true; scrollTo(0, 240)")
    page.locator("[data-step-key=next]").click()
    expect(step).to_contain_text(re.compile("^5"))
    expect(page.locator(".told [aria-current]")).to_have_attribute("href", re.compile(r"\?n=5$"))
    expect(page.locator("[data-step-key=next]")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")  # at once: two steps all the same
    expect(step).to_contain_text(re.compile("^3"))
    assert page.url.endswith("?n=3") and page.evaluate("untouched && scrollY > 120")
    page.locator(".told .now a").focus()
    page.keyboard.press("ArrowRight")
    expect(step).to_contain_text(re.compile("^4"))
    expect(page.locator(".told .now a")).to_be_focused()
    page.locator('.lang a[lang="en"]').click()
    expect(step).to_contain_text("Move 4 of 44")
    assert page.evaluate("document.documentElement.lang") == "en"
