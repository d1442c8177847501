"""The drill over HTTP: begin, answer, what is wrong is told, and nothing is kept but in the page."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, expect
from running_server import serving
from test_web import app_of

from tefuda.decks.karuta import POEM_OF
from tefuda.decks.karuta_drill import Question


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    return TestClient(app_of(tmp_path))


class _Fields(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.hidden: dict[str, str] = {}
        self.offered: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "input" and found.get("type") == "hidden":
            self.hidden[found["name"] or ""] = found["value"] or ""
        elif tag == "input" and found.get("name") == "answer":
            self.offered.append(found.get("value") or "")


def read(page: str) -> tuple[dict[str, str], Question, list[str]]:
    """The hidden fields of a page, the question it asks, and what may be chosen."""
    parser = _Fields()
    parser.feed(page)
    hidden = parser.hidden
    values = {key.removeprefix("question."): value for key, value in hidden.items() if key.startswith("question.")}
    asked = Question(
        values["kind"],
        values["item"],
        tuple(values["cards"].split()),
        tuple(values["choices"].split()),
        int(values["total"]),
    )
    return hidden, asked, parser.offered


def begin(client: TestClient, lang: str = "en", **form: object) -> str:
    answer = client.post(f"/drill/karuta?lang={lang}", data=form)
    assert answer.status_code == 200
    return answer.text


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("kind", ["kimariji", "total", "dub"])
def test_right_and_wrong_answers_are_told(client: TestClient, lang: str, kind: str) -> None:
    text = begin(client, lang, kind=[kind], length=["1", "2", "3", "4", "5", "6"])
    for n in range(15):
        hidden, asked, offered = read(text)
        assert asked.kind == kind
        if asked.kind != "total":
            assert set(asked.right) <= set(offered)
        wrong = n % 3 == 0
        given = [choice for choice in offered[:1] if choice not in asked.right] if wrong else list(asked.right)
        if asked.kind == "total":
            given = ["77"] if wrong else list(asked.right)
        answer = client.post(f"/drill/karuta?lang={lang}", data={**hidden, "answer": given})
        assert answer.status_code == 200
        text = answer.text
        verdict = re.search(r'class="verdict paper (\w+)"', text)
        assert verdict is not None and verdict[1] == ("good" if asked.is_right(given) else "bad")
        if len(asked.cards) == 1:
            assert POEM_OF[asked.cards[0]].upper in re.sub("<[^>]*>", "", text)
        assert read(text)[0]["asked"] == str(n + 1)
    assert not set(client.cookies) - {"lang"}


def test_a_question_alone_does_not_tell_its_answer(client: TestClient) -> None:
    text = begin(client, kind=["total"], card=["ちぎりき"])
    page = re.sub(r'(src|value|name|data-card)="[^"]*"', "", text)
    assert "ちぎりき" not in page and POEM_OF["ちぎりき"].on_card in page


def test_only_the_cards_that_were_chosen_are_asked(client: TestClient) -> None:
    text = begin(client, kind=["kimariji"], length=["5"], card=["む"])
    seen = set()
    for _ in range(12):
        hidden, asked, _ = read(text)
        seen.add(asked.item)
        text = client.post("/drill/karuta", data={**hidden, "answer": list(asked.right)}).text
    assert seen == {"む", "よのなかは", "よのなかよ"}


def test_of_nothing_nothing_is_asked_and_the_choice_stays(client: TestClient) -> None:
    answer = client.post("/drill/karuta?lang=en", data={"kind": ["dub"], "length": ["1"]})
    assert answer.status_code == 422 and "Nothing can be asked" in answer.text
    checked = re.findall(r'name="(\w+)" value="(\w+)" checked', answer.text)
    assert checked == [("kind", "dub"), ("length", "1")]


@pytest.mark.parametrize(
    "changed",
    [
        {"cards": "zz"},
        {"kinds": ""},
        {"stand.kimariji": "1"},
        {"question.kind": "tea"},
        {"question.item": "ん"},
        {"question.cards": "ん"},
        {"question.cards": ""},
        {"question.total": "x"},
    ],
)
def test_what_is_no_drill_is_refused(client: TestClient, changed: dict[str, str]) -> None:
    hidden, _, _ = read(begin(client, kind=["kimariji"], length=["1"]))
    assert client.post("/drill/karuta", data={**hidden, **changed, "answer": "む"}).status_code == 422


def test_other_decks_have_no_drill(client: TestClient) -> None:
    assert client.get("/drill/leaves").status_code == 404
    assert client.post("/drill/leaves", data={}).status_code == 404
    assert client.get("/drill/karuta").status_code == 200


def test_the_rules_page_and_the_setup_lead_there(client: TestClient) -> None:
    for address in ("/games/misohitomoji", "/games/misohitomoji/rules"):
        assert 'href="/drill/karuta"' in client.get(address).text
    assert "/drill/" not in client.get("/games/leaves13").text


@pytest.mark.parametrize("width", [360, 1280])
def test_the_drill_goes_by_keyboard_alone(browser: Browser, tmp_path: Path, width: int) -> None:
    with serving(app_of(tmp_path)) as url:
        context = browser.new_context(viewport={"width": width, "height": 740}, locale="ja")
        page = context.new_page()
        for kind, keys in (("kimariji", ["Space"]), ("total", ["7"]), ("dub", ["Space"])):
            page.goto(f"{url}/drill/karuta")
            for box in page.locator("input[name=kind]").all():
                box.set_checked(box.get_attribute("value") == kind)
            page.locator("button[type=submit]").press("Enter")
            for n in (1, 2):
                expect(page.locator(f"input[type=hidden][name=asked][value='{n - 1}']")).to_have_count(1)
                expect(page.locator("input[name=answer]").first).to_be_focused()
                for key in [*keys, "Enter"]:
                    page.keyboard.press(key)
                expect(page.locator(f"input[type=hidden][name=asked][value='{n}']")).to_have_count(1)
                assert page.locator(".verdict").count() == 1
            assert Axe().run(page).response["violations"] == []
            assert page.evaluate("document.documentElement.scrollWidth") == width
        context.close()
