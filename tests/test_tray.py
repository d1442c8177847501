"""Cards laid in the tray and claimed: with the script and without, what a refused claim tells, and to whom."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, Page, expect
from running_server import UNHURRIED, serving

from tefuda.engine.game import Game, new
from tefuda.engine.rules import find
from tefuda.tables import Settings, Sitter, Tables
from tefuda.web import pages
from tefuda.web.app import create_app
from tefuda.web.choosing import claimed_by, laid_anew, laid_in, tray_of, tries
from tefuda.web.components import scene
from tefuda.web.layouts import layout_of
from tefuda.web.pages import Table, Visit
from tefuda.words import LANGUAGES

TABLE = "momiji-204"
TOKENS = {n: str(n) * 32 for n in range(3)}
PEOPLE = ["Aki", "Ben", "Chie"]
WORD_GAMES = ("jukugo_ten", "jukugo_draft", "jukugo_dice", "jukugo_babanuki")


def played_until(name: str, wanted: Callable[[Game], bool], players: Sequence[str] = PEOPLE) -> Game:
    """A game of people at a moment that a test needs, the same each time."""
    for seed in range(100):
        game, rng = new(name, players=players, seed=seed), random.Random(seed)
        for _ in range(150):
            if game.over or wanted(game):
                break
            game.play(rng.choice(game.moves()))
        if not game.over and wanted(game):
            return game
    raise AssertionError("no such moment")


def can_claim(game: Game) -> bool:
    """Whether the seat on turn holds a word that it may claim."""
    return any(game.notation.move_of(move).found for move in game.legal())


def drawn(game: Game, viewer: int | None, assist: bool, lang: str = "ja", **table: Any) -> str:
    view = game.view(viewer, person=viewer is not None, assist=assist)
    settings = Settings(assist=assist)
    shown = pages.render_table(
        Visit(lang, f"/t/{TABLE}"), game.rules, view, game.story(viewer), Table(TABLE, settings=settings, **table)
    )
    return shown.page


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    app = create_app(f"sqlite:///{tmp_path}/tables.sqlite3", bot_pause=0, warm=lambda rules: None, **UNHURRIED)
    with TestClient(app, follow_redirects=False) as made:
        yield made


@pytest.fixture
def tables(client: TestClient) -> Tables:
    found: Tables = client.app.state.house.tables  # type: ignore[attr-defined]
    return found


def seat(n: int) -> dict[str, str]:
    return {"cookie": f"seat={TOKENS[n]}"}


def put(tables: Tables, game: Game, **settings: Any) -> None:
    tables.put(
        game, [Sitter(name) for name in game.players], table_id=TABLE, tokens=TOKENS, settings=Settings(**settings)
    )


def page_of(client: TestClient, viewer: int) -> str:
    return client.get(f"/t/{TABLE}", headers=seat(viewer)).text


def post(client: TestClient, viewer: int, **form: Any) -> Any:
    at = re.search(r'name="at" value="(\d+)"', page_of(client, viewer))
    assert at
    return client.post(f"/t/{TABLE}", headers=seat(viewer), data={"at": at[1], **form})


def laid_on(page: str) -> dict[str, list[str]]:
    """What the tray of a page holds, word by word."""
    found: dict[str, list[str]] = {}
    for name, card in re.findall(r'<input type="hidden" name="(lay\.\d+)" value="([^"]+)">', page):
        found.setdefault(name, []).append(card)
    return found


def word_and_no_word(game: Game) -> tuple[str, str]:
    """A word that the hand on turn spells, and two of its cards that spell none."""
    words = {game.notation.text(move) for move in game.legal() if game.notation.move_of(move).found}
    word = next(word for word in sorted(words) if len(word) == 2)
    hand = game.view(game.seat)["piles"]["hand"][game.seat]["cards"]
    accepted = set(game.notation.names["words"])
    none = next(a + b for a in hand for b in hand if a != b and a + b not in accepted)
    return word, none


# ------------------------------------------------------------------------------------------------- what is laid


def test_a_card_joins_a_word_of_one_and_else_begins_another() -> None:
    game = played_until("jukugo_ten", can_claim)
    view = game.view(game.seat, person=True, assist=False)
    tray = tray_of(game.rules, view)
    assert tray is not None
    form: Any = {}
    for button, value, wanted in [
        ("put", "徒", [["徒"]]),
        ("put", "花", [["徒", "花"]]),
        ("put", "器", [["徒", "花"], ["器"]]),
        ("put", "用", [["徒", "花"], ["器", "用"]]),
        ("tray", "join", [["徒", "花", "器", "用"]]),
        ("put", "人", [["徒", "花", "器", "用"], ["人"]]),
        ("pull", "花", [["徒", "器", "用"], ["人"]]),
        ("tray", "back", [["徒", "器", "用"]]),
        ("tray", "join", [["徒", "器", "用"]]),
        ("spell", "器用", [["徒"], ["器", "用"]]),
        ("tray", "back", [["徒"], ["器"]]),
        ("pull", "徒", [["器"]]),
        ("tray", "back", []),
        ("tray", "back", []),
    ]:
        form = laid_anew(game.rules, view, tray, {**form, button: [value]})
        assert form is not None
        assert laid_in(form) == wanted, (button, value)
    assert laid_anew(game.rules, view, tray, {"move": ["pass"]}) is None


def test_where_one_word_is_laid_every_card_joins_it() -> None:
    game = played_until("jukugo_draft", can_claim)
    view = game.view(game.seat, person=True, assist=False)
    tray = tray_of(game.rules, view)
    assert tray is not None
    form: Any = {}
    for card in "徒花器":
        form = laid_anew(game.rules, view, tray, {**form, "put": [card]})
    assert laid_in(form) == [["徒", "花", "器"]]
    assert laid_in(laid_anew(game.rules, view, tray, {**form, "spell": ["花器"]}) or {}) == [["花", "器"]]


# ------------------------------------------------------------------------------------------------- without a script


@pytest.mark.parametrize("name", ["jukugo_draft", "jukugo_babanuki"])
def test_without_a_script_cards_are_laid_claimed_and_stand(client: TestClient, tables: Tables, name: str) -> None:
    game = played_until(name, lambda g: can_claim(g) and len(word_and_no_word(g)) == 2)
    put(tables, game)
    turn = game.seat
    assert turn is not None
    word, _ = word_and_no_word(game)
    form: dict[str, Any] = {}
    for card in word:
        answer = post(client, turn, put=card, **form)
        assert answer.status_code == 200
        form = laid_on(answer.text)
    assert form == {"lay.0": list(word)}
    assert laid_on(post(client, turn, tray="back", **form).text) == {"lay.0": [word[0]]}
    answer = post(client, turn, move="claim", **form)
    assert answer.status_code == 303
    page = page_of(client, turn)
    assert word in page
    meaning = find(name).module.explain(game.options, word)
    assert meaning["reading"] in page


def test_a_claim_that_is_no_word_costs_nothing_and_only_its_maker_hears(client: TestClient, tables: Tables) -> None:
    game = played_until("jukugo_draft", lambda g: can_claim(g) and g.state.decisions > 8)
    put(tables, game)
    turn = game.seat
    assert turn is not None
    _, none = word_and_no_word(game)
    others = [viewer for viewer in range(3) if viewer != turn]
    before = {viewer: page_of(client, viewer) for viewer in range(3)}
    record = game.record()
    answer = post(client, turn, move="claim", **{"lay.0": list(none)})
    assert answer.status_code == 422
    assert f"「{none}」は、この卓では成り立ちません" in answer.text
    assert laid_on(answer.text) == {"lay.0": list(none)}, "the cards stay laid"
    with tables.at(TABLE) as table:
        assert table.game.record() == record
        assert table.number == len(record["events"])
    assert {viewer: page_of(client, viewer) for viewer in others} == {viewer: before[viewer] for viewer in others}
    assert page_of(client, turn) == before[turn], "nothing is kept of it"


def test_a_false_call_is_the_answer_and_everybody_hears(client: TestClient, tables: Tables) -> None:
    game = played_until("jukugo_ten", can_claim)
    put(tables, game)
    turn = game.seat
    assert turn is not None
    hand = game.view(turn)["piles"]["hand"][turn]["cards"]
    missing = post(client, turn, move="claim", **{"lay.0": hand[:2]})
    assert missing.status_code == 422, "which card is kept must be said"
    assert laid_on(missing.text) == {"lay.0": hand[:2]}
    answer = post(client, turn, move="claim", keep=hand[0], **{"lay.0": hand[:1]})
    assert answer.status_code == 303
    for viewer in range(3):
        page = page_of(client, viewer)
        assert "チョンボ" in page
        assert ("この卓の熟語の表にありません" in page) == (viewer == turn), "why is for the caller alone"
        assert all(f'alt="{card}（' in page or f'aria-label="{card}（' in page for card in hand)


def test_one_card_laid_alone_is_picked(client: TestClient, tables: Tables) -> None:
    """Where cards are also played alone, the tray and the pick are one."""
    game = new("misohitomoji", players=PEOPLE, seed=3)
    put(tables, game)
    turn = game.seat
    assert turn is not None
    card = game.view(turn)["piles"]["hand"][turn]["cards"][0]
    laid = laid_on(post(client, turn, put=card).text)
    assert laid == {"lay.0": [card]}
    assert post(client, turn, move="play", **laid).status_code == 303
    with tables.at(TABLE) as table:
        assert table.game.record()["events"][-1] == [turn, card] or [turn, card] in table.game.record()["events"]


def test_any_card_may_be_tried_on_any_column(client: TestClient, tables: Tables) -> None:
    game = played_until("jukugo_narabe", lambda g: can_claim(g))
    turn = game.seat
    assert turn is not None
    view = game.view(turn, person=True, assist=False)
    hand = view["piles"]["hand"][turn]["cards"]
    tried = tries(game.rules, view)
    assert tried == [f"{card}@{column}" for card in dict.fromkeys(hand) for column in "1234"]
    assert tries(game.rules, game.view(turn, person=True, assist=True)) == [], "with assist those that go are told"
    put(tables, game)
    wrong = next(move for move in tried if move not in game.moves())
    refused = post(client, turn, move="play", **{"pile.hand": wrong[0], "part.column": wrong[2]})
    assert refused.status_code == 422
    assert "成り立ちません" in refused.text
    right = next(move for move in game.moves() if "@" in move)
    assert post(client, turn, move="play", **{"pile.hand": right[0], "part.column": right[2]}).status_code == 303


# ------------------------------------------------------------------------------------------------- what is not told


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", [*WORD_GAMES, "jukugo_narabe"])
def test_without_assist_a_page_depends_on_no_word(name: str, lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same hand at a table where no word counts gives the same page, but for what was made before."""
    game = played_until(name, can_claim)
    page = drawn(game, game.seat, assist=False, lang=lang)
    legal = game.legal
    monkeypatch.setattr(
        game,
        "legal",
        lambda *args, **kwargs: [m for m in legal(*args, **kwargs) if not game.notation.move_of(m).found],
    )
    assert drawn(game, game.seat, assist=False, lang=lang) == page
    assert 'class="pick can' not in page or layout_of(game.rules).columns


@pytest.mark.parametrize("name", WORD_GAMES)
def test_with_assist_the_words_are_told_and_their_cards_marked(name: str) -> None:
    game = played_until(name, can_claim)
    view = game.view(game.seat, person=True, assist=True)
    shown = scene(game.rules, view, game.story(game.seat), "ja", {})
    assert shown.tray is not None and shown.hand is not None
    assert shown.tray.found
    assert all(word in game.notation.names["words"] and list(word) == list(cards) for word, cards in shown.tray.found)
    marked = {pick.card.name for pick in shown.hand.picks if pick.lay and pick.lay.marked}
    assert marked == {card for _, cards in shown.tray.found for card in cards}
    without = scene(game.rules, game.view(game.seat, person=True, assist=False), game.story(game.seat), "ja", {})
    assert without.tray is not None and without.hand is not None
    assert without.tray.found == []
    assert not any(pick.lay and pick.lay.marked for pick in without.hand.picks)


@pytest.mark.parametrize("name", WORD_GAMES)
def test_the_tray_lies_there_only_for_whoever_may_claim(name: str) -> None:
    game = played_until(name, can_claim)
    for viewer in (0, 1, 2, None):
        view = game.view(viewer, person=viewer is not None, assist=False)
        assert (tray_of(game.rules, view) is not None) == (viewer == game.seat)
    claims = claimed_by(game.rules, layout_of(game.rules).tray)  # type: ignore[arg-type]
    found = [move.name for move in game.rules.moves if move.found]
    assert claims[: len(found)] == found


def test_whoever_is_barred_has_nothing_to_lay() -> None:
    game = played_until("jukugo_ten", lambda g: bool(g.state.answering))
    turn = game.seat
    assert turn is not None
    game.state.barred[turn] = 1
    assert tray_of(game.rules, game.view(turn, person=True, assist=False)) is None


# ------------------------------------------------------------------------------------------------- words that are told


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", [*WORD_GAMES, "jukugo_narabe"])
def test_the_log_tells_how_a_word_is_read_and_what_it_means(name: str, lang: str) -> None:
    game = played_until(name, lambda g: any(e.who != "*" and g.notation.move_of(e.move).found for e in g.events))
    shown = scene(game.rules, game.view(0, person=True), game.story(0), lang, {})
    made = [event["n"] for event in game.story(0) if event["move"] in ("win", "word", "show", "play")]
    assert set(shown.meanings) == set(made)
    for words in shown.meanings.values():
        assert words
        for word in words:
            assert word.word in game.notation.names["words"]
            assert word.reading and word.gloss
    page = drawn(game, 0, assist=False, lang=lang)
    assert "EDRDG" in page, "the notice of the list of words"
    assert "https://www.edrdg.org/edrdg/licence.html" in page


def test_the_words_of_a_win_are_worth_the_goal_with_the_new_card_and_the_one_kept() -> None:
    game = played_until("jukugo_ten", lambda g: sum(g.state.wins[seat] for seat in range(3)) == 2)
    story = game.story(0)
    shown = scene(game.rules, game.view(0), story, "ja", {})
    value = dict(zip(game.notation.cards, list(game.t.value), strict=True))
    for n, words in shown.meanings.items():
        together = "".join(word.word for word in words)
        given = next(event for event in reversed(story[:n]) if event["move"] == "give")
        assert sum(value[card] for card in together) >= 10
        assert given["cards"][0]["card"] in together
        assert story[n]["parts"]["keep"] in together


def test_a_word_is_proposed_and_voted_on(client: TestClient, tables: Tables) -> None:
    game = new("jukugo_draft", players=PEOPLE, seed=5)
    put(tables, game)
    accepted = set(game.notation.names["words"])
    word = next(a + b for a in "徒花器用" for b in "徒花器用" if a != b and a + b not in accepted)
    assert 'name="word"' in page_of(client, 0)
    url = f"/t/{TABLE}/words"
    assert client.post(url, headers=seat(0), data={"word": word}).status_code == 303
    assert 'name="accepts"' not in page_of(client, 0), "the own word is for the others"
    for viewer in (1, 2):
        assert 'name="accepts"' in page_of(client, viewer)
        answer = {"about": word, "accepts": "yes"}
        assert client.post(f"/t/{TABLE}/vote", headers=seat(viewer), data=answer).status_code == 303
    page = page_of(client, 0)
    assert 'name="accepts"' not in page and word in page
    with tables.at(TABLE) as table:
        assert word in table.game.notation.names["words"]


def test_alone_there_is_nobody_to_accept_a_word() -> None:
    game = new("jukugo_draft", players=["Aki", "bot:x"], seed=5)
    assert 'id="propose"' in drawn(game, 0, assist=False, people=(0, 1))
    assert 'id="propose"' not in drawn(game, 0, assist=False, people=(0,))


def test_silence_is_told_with_what_it_means(client: TestClient, tables: Tables) -> None:
    game = played_until("jukugo_ten", can_claim)
    put(tables, game, call=15.0)
    turn = game.seat
    assert turn is not None
    assert "15秒黙っていると「見送る」" in page_of(client, turn)
    assert "黙っていると" not in page_of(client, (turn + 1) % 3)


# ------------------------------------------------------------------------------------------------- with the script


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Tables]]:
    folder = tmp_path_factory.mktemp("tables")
    app = create_app(f"sqlite:///{folder}/tables.sqlite3", bot_pause=3600, warm=lambda rules: None, **UNHURRIED)
    with serving(app) as url:
        yield url, app.state.house.tables


@pytest.fixture
def sit(browser: Browser, served: tuple[str, Tables]) -> Iterator[Callable[..., Page]]:
    """Opens the page of a table, where the game stands, for the seat on turn; a complaint of the page is a failure."""
    url, tables = served
    contexts, complaints = [], []

    def start(game: Game, *, phone: bool = False, **settings: Any) -> Page:
        people = [Sitter(name) for name in game.players]
        opened = tables.put(game, people, tokens=TOKENS, settings=Settings(**{"call": None, **settings}))
        size: Any = {"width": 360, "height": 740} if phone else {"width": 1280, "height": 800}
        context = browser.new_context(base_url=url, locale="ja", viewport=size, reduced_motion="reduce")
        context.set_default_timeout(10_000)
        context.add_cookies([{"name": "seat", "value": TOKENS[game.seat or 0], "url": f"{url}/t"}])
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"/t/{opened.table.id}")
        return page

    yield start
    for context in contexts:
        context.close()
    assert complaints == []


def letters(word: str) -> list[re.Pattern[str]]:
    """The squares of a word; each has its card's value in the corner."""
    return [re.compile(f"^{letter}") for letter in word]


def hand_card(page: Page, name: str) -> Any:
    return page.locator(f'.hand button.pick[value="{name}"]').first


def test_tapping_lays_and_the_claim_stands(sit: Callable[..., Page]) -> None:
    game = played_until("jukugo_draft", can_claim)
    word, none = word_and_no_word(game)
    page = sit(game)
    claim = page.locator("button[value=claim]")
    expect(claim).to_be_disabled()
    for card in none:
        hand_card(page, card).click()
    expect(page.locator(".word li")).to_have_text(letters(none))
    expect(hand_card(page, none[1])).to_have_attribute("aria-pressed", "true")
    expect(hand_card(page, none[1]).locator(".seal")).to_have_text("2")
    claim.click()
    expect(page.locator("#refusal")).to_contain_text(none)
    expect(page.locator(".word li")).to_have_text(letters(none))
    for card in none:
        hand_card(page, card).click()
    expect(page.locator(".word li")).to_have_count(0)
    for card in word:
        hand_card(page, card).click()
    claim.click()
    expect(page.locator(".log li").first).to_contain_text(word)


def test_a_win_is_called_by_keyboard_alone(sit: Callable[..., Page]) -> None:
    game = played_until("jukugo_ten", can_claim)
    turn = game.seat
    assert turn is not None
    win = next(move for move in game.moves() if move.startswith("="))
    hand = game.view(turn)["piles"]["hand"][turn]["cards"]
    given = next(event for event in reversed(game.story(turn)) if event["move"] == "give")["cards"][0]["card"]
    words = game.rules.module.some_words(game.options, hand, {given, win[1]}, 10)
    page = sit(game, phone=True)
    for word in words:
        for i, card in enumerate(word):
            hand_card(page, card).focus()
            page.keyboard.press(" ")
            if i > 1:  # a third card begins another word: join it to the one before
                page.locator("button[value=join]").focus()
                page.keyboard.press("Enter")
    expect(page.locator("ol.word")).to_have_count(len(words))
    page.locator(f'.words input[value="{win[1]}"]').first.focus()
    page.keyboard.press(" ")
    page.keyboard.press("Enter")
    expect(page.locator(".log li").filter(has_text=f"{win[1]}を得点カードに").first).to_be_visible()


def test_backspace_takes_the_last_card_back_and_assist_lays_a_word(sit: Callable[..., Page]) -> None:
    game = played_until("jukugo_draft", can_claim)
    page = sit(game, assist=True)
    word = page.locator(".found button").first
    text = word.inner_text()
    word.click()
    expect(page.locator(".word li")).to_have_text(letters(text))
    hand_card(page, text[0]).focus()
    page.keyboard.press("Backspace")
    expect(page.locator(".word li")).to_have_text(letters(text[:-1]))
    page.keyboard.press("Enter")  # one card is no word, and nobody passes by a slip
    expect(page.locator(".word li")).to_have_text(letters(text[:-1]))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_notice_stands_on_every_page_that_may_show_a_word(lang: str) -> None:
    game = new("jukugo_babanuki", players=PEOPLE, seed=1)
    while not game.over:
        game.play(game.moves()[0])
    visit, table = Visit(lang, "/"), Table(TABLE)
    view, story = game.view(0, person=True), game.story(0)
    for page in (
        pages.render_table(visit, game.rules, view, story, table).page,
        pages.render_result(visit, game.rules, view, story, table),
        pages.render_rules(visit, game.rules, "「{{花 々}}」"),
    ):
        assert "EDRDG" in page
    assert "EDRDG" not in pages.render_rules(visit, find("leaves13"), "")
