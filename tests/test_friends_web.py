"""Friends' tables through the server: the pages and the API of waiting tables, talk, asking, limits; and that nothing
of it tells what is hidden."""

from __future__ import annotations

import logging
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient
from test_web import TABLE, TOKENS, app_of, people, seat, set_table, twins

from tefuda.bots.analysis import Analysis, Judgement, TurningPoint, analyse
from tefuda.bots.spec import parse
from tefuda.engine.commitment import verify
from tefuda.engine.game import Game, new
from tefuda.engine.rules import game_ids
from tefuda.tables import PHRASES, Settings, Sitter, Tables
from tefuda.web import after_page, lobby_page, routes_table
from tefuda.web import app as app_module
from tefuda.web.app import sweep
from tefuda.web.choosing import namer
from tefuda.web.limits import Buckets, Limits, Pace
from tefuda.words import texts


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(app_of(tmp_path), follow_redirects=False) as made:
        yield made


@pytest.fixture
def tables(client: TestClient) -> Tables:
    found: Tables = client.app.state.house.tables  # type: ignore[attr-defined]
    return found


class Person:
    """Somebody with a browser of their own."""

    def __init__(self, client: TestClient, url: str = "") -> None:
        self.app, self.url = client.app, url
        self.browser = TestClient(client.app, follow_redirects=False, headers={"accept-language": "en"})

    def get(self, path: str = "", **more: Any) -> httpx.Response:
        return self.browser.get(self.url + path, **more)

    def post(self, path: str, **form: Any) -> httpx.Response:
        return self.browser.post(self.url + path, data=form)

    def data(self) -> Any:
        """The table as a program gets it."""
        return self.browser.get(self.url.replace("/t/", "/api/tables/")).json()

    def page(self) -> str:
        answer = self.get()
        assert answer.status_code == 200
        return answer.text


def opened(client: TestClient, game: str = "leaves13", **form: Any) -> tuple[Person, str]:
    """Somebody opens a table for friends; the person and its address."""
    host = Person(client)
    answer = host.post(f"/games/{game}", friends="1", name="Aki", **{"seats": "3", **form})
    assert answer.status_code == 303
    host.url = answer.headers["location"]
    return host, host.url


# --------------------------------------------------------------------------------------------- before the game


def test_friends_meet_through_a_link_and_play(client: TestClient) -> None:
    host, url = opened(client)
    assert f'value="http://testserver{url}"' in host.page() and "<svg" in host.page()
    ben, chie = Person(client, url), Person(client, url)
    assert "Sit here" in ben.page()
    assert ben.post("/sit", seat="2", name="Ben").status_code == 303
    assert chie.post("/sit", name="Chie").status_code == 303
    for person in (host, ben, chie):
        assert all(name in person.page() for name in ("Aki", "Ben", "Chie"))
    assert host.post("/start").headers["location"] == url
    views = [person.data() for person in (host, chie, ben)]
    assert [view["viewer"] for view in views] == [0, 1, 2]
    assert views[0]["players"] == ["Aki", "Chie", "Ben"]
    assert ben.post("/sit", seat="0").status_code == 303, "too late: to the table"


def test_an_address_that_is_too_long_for_a_picture_goes_without(client: TestClient) -> None:
    host, _ = opened(client)
    assert 'class="qr"' in host.page()
    for path in ("", "/key"):
        answer = host.get(path, headers={"host": "x" * 3000})
        assert answer.status_code == 200 and 'class="qr"' not in answer.text


def test_guests_are_told_apart(client: TestClient) -> None:
    host, url = opened(client)
    for n in (1, 2):
        Person(client, url).post("/sit", seat=str(n))
    assert "Guest 2" in host.page() and "Guest 3" in host.page()


def test_nobody_goes_by_the_name_of_the_table(client: TestClient) -> None:
    _, url = opened(client)
    for name in ("Table", "卓", "場:"):
        refused = Person(client, url).post("/sit", seat="1", name=name)
        assert refused.status_code == 422 and "what the table itself" in refused.text
    sheet = client.get("/static/friends.css").text
    assert re.search(r"\.chat \.all \{[^}]*border-left[^}]*background", sheet), "its lines are seen to be its own"


def test_long_names_that_begin_alike_are_told_in_full() -> None:
    names = ["Maximilian Alexander", "Maximilian Alexandra", "Wolfgang Amadeus Theophilus"]
    called = namer({"players": names, "viewer": None}, "en")
    assert [called(n) for n in range(3)] == [*names[:2], "Wolfgang Amadeu…"]


def test_few_marks_stand_on_a_character_in_talk_and_remarks(client: TestClient) -> None:
    host, _ = opened(client)
    host.post("/say", text="a" + 190 * "\u0316" + "b")
    assert host.data()["talk"][-1]["text"] == "a" + 3 * "\u0316" + "b"
    remark = after_page.report_from_form({"free": ["a" + 900 * "\u0316"]}, [])["free"]
    assert remark == "a" + 3 * "\u0316"


def test_nobody_goes_by_the_name_of_another(client: TestClient) -> None:
    host, url = opened(client)
    other = Person(client, url)
    for _ in range(2):
        other.post("/sit", seat="1", name="AKI")
    assert host.data()["players"] == ["Aki", "AKI 2", None]


@pytest.mark.parametrize(
    ("path", "form", "said"),
    [
        ("/sit", {"seat": "0"}, "Somebody sits there"),
        ("/sit", {"seat": "9"}, "no such seat"),
        ("/sit", {"seat": "1", "name": "bot:x"}, "kept for bots"),
        ("/leave", {"seat": "0"}, "Only whoever opened"),
        ("/leave", {}, "Nobody sits"),
        ("/bot", {"level": "random"}, "Only whoever opened"),
        ("/plan", {"seats": "4"}, "Only whoever opened"),
        ("/start", {}, "Only whoever opened"),
        ("/say", {"text": "hi"}, "Only those in the seats"),
    ],
)
def test_a_stranger_is_told_what_cannot_be(client: TestClient, path: str, form: dict[str, str], said: str) -> None:
    host, url = opened(client)
    before = host.page()
    refused = Person(client, url).post(path, **form)
    assert refused.status_code in (403, 422) and said in refused.text
    assert host.page() == before


def test_the_host_settles_what_is_played(client: TestClient) -> None:
    host, url = opened(client)
    plan = {"seats": "4", "option.expert": "true", "option.target": "33", "clock": "game10", "talk": "phrases"}
    plan |= {"watch": "end", "starter": "0", "public": "true"}
    assert host.post("/plan", **plan).status_code == 303
    ben = Person(client, url)
    assert "33" in ben.page() and "10 min + 10 s a move" in ben.page()
    assert url.removeprefix("/t/") in Person(client).get("/tables").text
    assert host.post("/plan", **plan | {"option.target": "4"}).status_code == 422
    host.post("/bot", level="random")
    ben.post("/sit", name="Ben")
    assert host.post("/plan", **plan | {"seats": "3"}).status_code == 303
    assert host.post("/plan", seats="2").status_code == 422
    host.post("/start", fill="1")
    view = host.data()
    assert view["options"]["target"] == 33 and view["settings"]["clock"]["seconds"] == 600
    assert ["*", "start 0"] in view["log"]
    watcher = Person(client, url).get()
    assert watcher.status_code == 403 and "closed to watchers" in watcher.text


def test_what_is_chosen_is_settled_when_the_game_begins(client: TestClient) -> None:
    host, url = opened(client)
    page = host.page()
    for what in (f'formaction="{url}/start" name="fill"', f'formaction="{url}/bot"'):
        assert re.search(f'form="plan" {what}', page), "the button sends the settings"
    host.post("/bot", level="random", seats="4", talk="phrases")
    assert "phrases" in Person(client, url).page() and "bot:random" in host.data()["players"]
    assert host.post("/bot", level="random", seats="3", **{"option.target": "4"}).status_code == 422
    refused = host.post("/start", fill="1", seats="3", **{"option.target": "4"})
    assert refused.status_code == 422 and "is a whole number" in refused.text and host.data()["waiting"]
    assert host.post("/start", seats="3", clock="move30").status_code == 422, "a seat is free"
    assert host.data()["waiting"] and "30 s a move" in Person(client, url).page(), "but it is settled"
    assert host.post("/start", fill="1", seats="4", clock="move60", **{"option.target": "33"}).status_code == 303
    begun = host.data()
    assert begun["options"]["target"] == 33 and begun["settings"]["clock"]["seconds"] == 60
    assert len(begun["players"]) == 4


def test_who_watches_late_sees_no_hand_before_the_game_is_that_old(
    client: TestClient, tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, url = opened(client)
    host.post("/plan", seats="3", watch="late", clock="day1")
    host.post("/start", fill="1")
    stranger = Person(client, url)

    def hands() -> list[str]:
        return [card for hand in stranger.data()["piles"]["hand"] for card in hand["cards"] if card]

    assert hands() == [] and "once the game is 10 minutes old" in stranger.page()
    with tables.at(url.removeprefix("/t/")) as table:
        old = table.times.stamps[0][1] + 60_000 * table.settings.delay
    monkeypatch.setattr(routes_table, "milliseconds", lambda: old)
    assert len(hands()) > 10 and "with all hands open" in stranger.page()


def test_the_key_of_a_seat_works_at_another_device_and_stands_in_no_address(client: TestClient) -> None:
    host, url = opened(client)
    key = re.search(r'id="link" readonly value="http://testserver(/t/[^#"]+)#([0-9a-f]{32})"', host.get("/key").text)
    assert key and key[1] == f"{url}/key"
    phone = Person(client, url)
    assert "0" * 32 not in phone.get("/key").text and 'name="token"' in phone.get("/key").text
    assert phone.post("/key", token="f" * 32).status_code == 422
    assert phone.post("/key", token=f"http://testserver{key[1]}#{key[2]}").status_code == 303
    assert ">You<" in phone.page()
    host.post("/start", fill="1")
    assert phone.data()["viewer"] == 0


def test_talk_in_both_languages(client: TestClient) -> None:
    host, url = opened(client)
    host.post("/say", text="<b>hi</b>")
    ben = Person(client, url)
    ben.post("/sit", name="Ben")
    for phrase in PHRASES[:3]:
        assert ben.post("/say", phrase=phrase).status_code == 303
    assert "&lt;b&gt;hi" in ben.page() and "<b>hi" not in ben.page()
    for lang in ("ja", "en"):
        shown = ben.get("?lang=" + lang).text
        assert all(texts(lang)(f"phrases.{phrase}") in shown for phrase in PHRASES[:3])
    host.post("/start", fill="1")
    assert "&lt;b&gt;hi" in ben.page()
    assert ben.post("/say", text="at the table").status_code == 303 and "at the table" in host.page()
    assert Person(client, url).post("/say", text="x").status_code == 403


# ------------------------------------------------------------------------------------------------ asking the others


def test_to_take_back_is_asked_and_answered_on_the_page(client: TestClient, tables: Tables) -> None:
    set_table(tables)
    game = new("leaves13", seed=7, players=[p.name for p in people(3)])
    mover = game.seat
    assert mover is not None
    move = {"move": game.moves()[0]}
    client.headers["accept-language"] = "en"
    none = client.post(f"/t/{TABLE}/undo", headers=seat(mover))
    assert none.status_code == 422 and none.text.count("nothing to take back") == 2, "where it was pressed, too"
    asks = "Take my last move back"
    assert asks not in client.get(f"/t/{TABLE}", headers=seat(mover)).text, "who has not moved has nothing to take back"
    assert client.post(f"/api/tables/{TABLE}/moves", json=move, headers=seat(mover)).status_code == 200
    assert client.post(f"/t/{TABLE}/undo").status_code == 403
    assert client.post(f"/t/{TABLE}/undo", headers=seat(mover)).status_code == 303
    for other in {0, 1, 2} - {mover}:
        assert "would like to take the last move back" in client.get(f"/t/{TABLE}", headers=seat(other)).text
        answer = client.post(f"/t/{TABLE}/vote", headers=seat(other), data={"about": "undo", "accepts": "yes"})
        assert answer.status_code == 303
    with tables.at(TABLE) as table:
        assert table.game.record() == game.record()
    told = client.get(f"/t/{TABLE}", headers=seat(mover)).text
    assert "took the last move back" in told and asks not in told
    late = client.post(f"/t/{TABLE}/vote", headers=seat(0), data={"about": "undo", "accepts": "yes"})
    assert late.status_code == 422 and "settled already" in late.text


def test_the_list_of_tables_tells_what_a_stranger_needs(client: TestClient) -> None:
    host, url = opened(client)
    host.post("/plan", seats="3", clock="day1", talk="off", watch="end", public="true", **{"option.target": "33"})
    stranger = Person(client)
    listed = stranger.get("/tables").text
    assert all(said in listed for said in ("33", "1 day a move", "none", "nothing before the end", f'href="{url}"'))
    assert 'data-watch="/tables"' in listed
    Person(client, url).post("/sit", name="Ben")
    assert "nothing before the end" in Person(client, url).page(), "a guest is told the same"
    host.post("/bot", level="random")
    full = Person(client, url).page()
    assert "Every seat is taken" in full and 'name="name"' not in full
    host.post("/start", fill="1")
    listed = stranger.get("/tables").text
    assert "nothing before the end" in listed and url not in listed, "what cannot be seen is no link"


@pytest.mark.parametrize("talk", ["free", "off"])
def test_what_is_refused_is_told_to_all(client: TestClient, tables: Tables, talk: Any) -> None:
    game = new("leaves13", seed=7, players=[p.name for p in people(3)])
    tables.put(game, people(3), table_id=TABLE, tokens={n: TOKENS[n] for n in range(3)}, settings=Settings(talk=talk))
    with tables.at(TABLE) as table:
        mover = table.game.seat
        tables.play(TABLE, mover, table.game.moves()[0])
    client.headers["accept-language"] = "en"
    assert client.post(f"/t/{TABLE}/undo", headers=seat(mover or 0)).status_code == 303
    client.post(f"/t/{TABLE}/vote", headers=seat(((mover or 0) + 1) % 3), data={"about": "undo", "accepts": "no"})
    for headers in ({}, *(seat(n) for n in range(3))):
        assert "asked to take a move back: not everybody agreed" in client.get(f"/t/{TABLE}", headers=headers).text
    assert "待ったは、通りませんでした" in client.get(f"/t/{TABLE}?lang=ja").text


def test_what_a_stand_in_played_is_marked(client: TestClient, tables: Tables) -> None:
    set_table(tables)
    client.headers["accept-language"] = "en"
    with tables.at(TABLE) as table:
        away = table.game.seat or 0
        tables._stand_in(table, away, [])
        tables.play(TABLE, away, table.game.moves()[0], person=False)
    page = client.get(f"/t/{TABLE}", headers=seat(away)).text
    assert page.count(">by a bot</i>") == 1 and "A bot plays for you." in page and "from now on" in page


def test_days_are_not_told_shorter_than_they_are() -> None:
    day, left = 24 * 3600, lobby_page.time_left
    assert [left(3 * day - 5, lang) for lang in ("ja", "en")] == ["3日", "3 days"]
    assert left(day + 5 * 3600, "en") == "1 day 5 h" and left(day - 1, "en") == "23:59:59" and left(61, "en") == "1:01"


def test_a_page_of_a_moment_taken_back_moves_nothing(client: TestClient, tables: Tables) -> None:
    tables.put(
        new("leaves13", seed=7, players=["Aki", "bot:random", "bot:random"]),
        [Sitter("Aki"), *[Sitter("bot:random", "random")] * 2],
        table_id=TABLE,
        tokens={0: TOKENS[0]},
    )
    old = None
    for _ in range(200):
        now = client.get(f"/api/tables/{TABLE}", headers=seat(0)).json()
        if now["seat"] == 0:
            old = now
            break
    assert old is not None and old["moves"]
    move = {"move": old["moves"][0], "number": old["number"]}
    with tables.at(TABLE) as table:
        tables.play(TABLE, 0, old["moves"][0])
        tables.ask_back(TABLE, 0)
        assert table.number > old["number"]
    assert client.post(f"/api/tables/{TABLE}/moves", json=move, headers=seat(0)).status_code == 409


# -------------------------------------------------------------------------------------------------- after the game


def finished(tables: Tables, game: str = "leaves13") -> Game:
    played, rng = new(game, seed=7, players=[p.name for p in people(3)]), random.Random(1)
    while not played.over:
        played.play(rng.choice(played.moves()))
    tables.put(played, people(3), table_id=TABLE, tokens={n: TOKENS[n] for n in range(3)})
    return played


def test_before_the_end_nothing_of_what_comes_after_is_told(client: TestClient, tables: Tables) -> None:
    set_table(tables)
    for path in ("replay", "replay?n=0", "record"):
        assert client.get(f"/t/{TABLE}/{path}", headers=seat(0)).status_code == 409
    assert client.get(f"/t/{TABLE}/result", headers=seat(0)).status_code == 303
    assert client.post(f"/t/{TABLE}/report", headers=seat(0), data={"fun": "3"}).status_code == 409
    with tables.at(TABLE) as table:
        key = table.secret.key.hex()
    for viewer in (None, 0, 1):
        headers = {} if viewer is None else seat(viewer)
        for path in (f"/t/{TABLE}", f"/api/tables/{TABLE}"):
            assert key not in client.get(path, headers=headers).text


@pytest.mark.parametrize("game", game_ids())
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_a_game_is_stepped_through_with_every_hand_open(
    client: TestClient, tables: Tables, game: str, lang: str
) -> None:
    played = finished(tables, game)
    decisions = sum(event.who != "*" for event in played.events)
    first = client.get(f"/t/{TABLE}/replay?n=0&lang={lang}").text
    start = new(game, seed=7, players=[p.name for p in people(3)])
    shown = set(re.findall(r'data-card="([^"]+)"', first.partition("card-words")[0]))
    for hand in start.view(None, open_hands=True)["piles"].get("hand", []):
        assert {card.replace("+", "+") for card in hand["cards"] if card} <= {c.replace("&#43;", "+") for c in shown}
    for n in (0, decisions // 2, decisions - 1, decisions, decisions + 50):
        assert client.get(f"/t/{TABLE}/replay?n={n}&lang={lang}").status_code == 200
    assert f"?n={decisions}" in first


def test_the_record_of_a_table_verifies(client: TestClient, tables: Tables) -> None:
    opened_ = tables.open("leaves13", people(3), table_id=TABLE, tokens=TOKENS)
    promised = client.get(f"/api/tables/{TABLE}").json()["promised"]
    while True:
        with tables.at(TABLE) as table:
            if table.game.over:
                break
            turn, text = table.game.seat, table.game.moves()[0]
        tables.play(TABLE, turn, text)
    assert verify(client.get(f"/t/{TABLE}/record").json()) == promised
    result = client.get(f"/t/{TABLE}/result").text
    assert promised in result and opened_.table.secret.key.hex() in result


def test_what_people_felt_is_gathered_for_the_designer(client: TestClient, tables: Tables) -> None:
    finished(tables)
    client.headers["accept-language"] = "en"
    assert client.post(f"/t/{TABLE}/report", data={"fun": "3"}).status_code == 403
    form = {"fun": "4", "length": "1", "unclear": "LV-5", "free": "Nice <i>leaves</i>\u202e", "named": "true"}
    assert client.post(f"/t/{TABLE}/report", headers=seat(0), data=form).status_code == 303
    other = {"free": "secretly mine", "fun": "99"}
    assert client.post(f"/t/{TABLE}/report", headers=seat(1), data=other).status_code == 303
    page = client.get("/games/leaves13/players").text
    assert "Nice &lt;i&gt;leaves" in page and "Aki" in page
    assert "secretly mine" in page and "ボブ" not in page, "people are named only if they say so"
    assert "LV-5" in page and "4.0 / 5 (n = 1)" in page
    assert "Figures of bots" in page and "decisions a game" in page and "3 players" in page, "bots' figures beside them"
    own = client.get(f"/t/{TABLE}/result", headers=seat(0)).text
    assert "Thank you" in own
    blog = re.search(r'id="blog-text" readonly>(.*?)</textarea>', own, re.S)
    assert blog and "Aki" in blog[1] and "ボブ" not in blog[1] and "Nice" in blog[1]
    picture = re.search(r"data:image/svg\+xml;base64,[A-Za-z0-9+/=]+", own)
    assert picture


def test_who_played_learns_of_another_game_and_who_watched_is_offered_none(client: TestClient, tables: Tables) -> None:
    finished(tables)
    client.headers["accept-language"] = "en"
    page = client.get(f"/t/{TABLE}/result", headers=seat(1)).text
    assert "Play again" in page and f'data-watch="/t/{TABLE}/result"' in page
    assert client.post(f"/t/{TABLE}/again", headers=seat(0)).status_code == 303
    page = client.get(f"/t/{TABLE}/result", headers=seat(1)).text
    assert "To the next game" in page and "a table for another game" in page
    watcher = client.get(f"/t/{TABLE}/result").text
    assert "Play again" not in watcher and "To the next game" not in watcher
    of = {who: client.get(f"/api/tables/{TABLE}", headers=who and seat(1)).json()["again"] for who in (None, "seat 1")}
    assert of[None] is None and of["seat 1"], "its name lets one sit down there: strangers are not told"


def test_a_blog_tells_guests_apart_and_turning_points_with_their_chances(client: TestClient, tables: Tables) -> None:
    game = finished(tables, "tebineri_cookie")
    client.headers["accept-language"] = "en"
    n, event = next((n, event) for n, event in enumerate(game.events) if event.who != "*")
    even = (0.5, 0.25, 0.25)
    judged = Judgement(n, 1, event.who, game.event_text(event), 2, (), None, None, even, (0.1, 0.1, 0.1))
    point = TurningPoint(n, 1, event.who, (), even, even[::-1], 0.25)
    found = Analysis("tebineri_cookie", game.rules.version, "search:2", 40, 0, (judged,), even, (point,))
    tables.store.keep_analysis(TABLE, found.to_json())
    page = client.get(f"/t/{TABLE}/result", headers=seat(0)).text
    told = re.search(r'id="blog-text" readonly>(.*?)</textarea>', page, re.S)
    assert told and "Guest 2" in told[1] and "Guest 3" in told[1]
    assert "(Move 1, " in told[1] and "25% → 50%" in told[1]
    assert not any(person.name in told[1] for person in people(3)[1:]), "nor does a sentence name them"


def test_clauses_are_found_in_a_rules_text() -> None:
    text = "# Game\n\nDeal. (LV-2)\n\nOne **plays** `5x2`. (LV-5, LV-6)\n\n| a | (JK-10) |\n"
    found = after_page.clauses(text)
    assert [clause for clause, _ in found] == ["JK-10", "LV-2", "LV-5", "LV-6"]
    assert dict(found)["LV-5"] == "One plays 5x2."
    text = "- When it is over, all is shown. Then more. (JB-6)\n\nSpades, hearts.\n(JB-7)\n\n" + "long " * 40 + "(JB-8)"
    told = dict(after_page.clauses(text))
    assert told["JB-6"] == "When it is over, all is shown." and told["JB-7"] == "Spades, hearts."
    assert told["JB-8"].endswith("long…"), "cut between words"


def test_a_game_is_looked_back_at_once(tmp_path: Path) -> None:
    looked: list[Game] = []

    def look(game: Game, stop: Any) -> Analysis | None:
        looked.append(game)
        return analyse(game, parse("search:2"), most=2)

    app = app_of(tmp_path, look_back=look)
    with TestClient(app, follow_redirects=False) as client:
        finished(app.state.house.tables)
        assert "looking back" in client.get(f"/t/{TABLE}/result?lang=en").text
        app.state.house.analyst._pool.submit(lambda: None).result(60)
        for _ in range(2):
            assert "plot" in client.get(f"/t/{TABLE}/result").text
    assert len(looked) == 1


def test_old_tables_are_swept_away(client: TestClient, tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    house = client.app.state.house  # type: ignore[attr-defined]
    finished(tables)
    _, url = opened(client)
    assert sweep(house, keep_days=1) == []
    real = app_module.milliseconds()
    monkeypatch.setattr(app_module, "milliseconds", lambda: real + 8 * 24 * 3_600_000)
    assert set(sweep(house, keep_days=None)) == {url.removeprefix("/t/")}
    assert sweep(house, keep_days=7.5) == [TABLE]
    assert client.get(f"/t/{TABLE}").status_code == 404


def test_a_finished_table_is_deleted_by_one_who_played(client: TestClient, tables: Tables) -> None:
    finished(tables)
    assert client.post(f"/t/{TABLE}/delete").status_code == 403
    assert client.post(f"/t/{TABLE}/delete", headers=seat(1)).status_code == 303
    assert client.get(f"/t/{TABLE}").status_code == 404


# --------------------------------------------------------------------------------------------------------- for programs


def test_a_table_of_bots_alone_is_deleted_by_whoever_opened_it(client: TestClient) -> None:
    host, url = opened(client)
    host.post("/leave")
    assert host.post("/start", fill="1").status_code == 303
    assert f'action="{url}/delete"' in host.page() and f'action="{url}/delete"' not in Person(client, url).page()
    assert Person(client, url).post("/delete").status_code == 403
    assert host.post("/delete").headers["location"] == "/"
    assert host.get().status_code == 404


def test_a_program_opens_waits_and_plays(client: TestClient) -> None:
    new_table = {"game": "leaves13", "seats": 3, "wait": True, "name": "P", "clock": "move60"}
    made = client.post("/api/tables", json=new_table)
    assert made.status_code == 201
    table, token = made.json()["table"], made.json()["token"]
    client.cookies.clear()
    mine = {"authorization": f"Bearer {token}"}
    waiting = client.get(f"/api/tables/{table}", headers=mine).json()
    assert waiting["waiting"] and waiting["host"] and waiting["players"] == ["P", None, None]
    other = client.post(f"/api/tables/{table}/seats", json={"name": "Q"})
    assert other.status_code == 201
    client.cookies.clear()
    theirs = {"authorization": f"Bearer {other.json()['token']}"}
    assert client.post(f"/api/tables/{table}/seats", json={"level": "random"}, headers=theirs).status_code == 403
    assert client.post(f"/api/tables/{table}/seats", json={"level": "nobody"}, headers=mine).status_code == 422
    assert client.post(f"/api/tables/{table}/start", json={}, headers=mine).status_code == 422
    assert client.post(f"/api/tables/{table}/talk", json={"text": "hello"}, headers=theirs).status_code == 200
    assert client.post(f"/api/tables/{table}/seats", json={"level": "random"}, headers=mine).status_code == 201
    started = client.post(f"/api/tables/{table}/start", json={}, headers=mine).json()
    assert started["viewer"] == 0 and (started["deadline"] is not None or started["seat"] == 2)
    assert client.post(f"/api/tables/{table}/start", json={}, headers=mine).status_code == 409
    assert client.post(f"/api/tables/{table}/seats", json={}, headers=mine).status_code == 409
    assert started["talk"] == [{"seat": 1, "text": "hello", "phrase": None}]
    refused = client.post(f"/api/tables/{table}/asks", json={"kind": "undo"}, headers=mine)
    assert refused.status_code == 422 and "error" in refused.json()


def test_public_tables_are_listed_for_programs(client: TestClient) -> None:
    made = client.post("/api/tables", json={"game": "leaves13", "seats": 3, "wait": True, "public": True, "name": "P"})
    client.post("/api/tables", json={"game": "leaves13", "seats": 3, "wait": True, "name": "private"})
    listed = client.get("/api/tables").json()
    assert listed == {
        "waiting": [{"table": made.json()["table"], "game": "leaves13", "seats": 3, "names": ["P"]}],
        "playing": [],
    }


# ---------------------------------------------------------------------------------------------------------- limits


def test_a_flood_is_slowed_and_told_so(tmp_path: Path) -> None:
    with TestClient(app_of(tmp_path, limits=Limits()), follow_redirects=False) as client:
        answers = [client.post("/t/nobody-11/say", data={"text": "x"}) for _ in range(140)]
        assert {answer.status_code for answer in answers} == {404, 429}
        assert answers[-1].status_code == 429
        assert client.get("/static/icon.svg").status_code == 200, "pictures are not counted"


def test_who_guesses_names_of_tables_is_slowed(tmp_path: Path) -> None:
    with TestClient(app_of(tmp_path, limits=Limits()), follow_redirects=False) as client:
        answers = [client.get(f"/t/momiji-{n:010}").status_code for n in range(60)]
    assert answers[:30] == [404] * 30 and answers[-1] == 429


def test_who_guesses_names_of_tables_does_not_learn_which_are_right(tmp_path: Path) -> None:
    app = app_of(tmp_path, limits=Limits())
    app.state.house.limits.guesses = Buckets(Pace(3, 0))
    with TestClient(app, follow_redirects=False) as client:
        host, url = opened(client)
        set_table(app.state.house.tables)
        right = [url, f"/t/{TABLE}", f"/t/{TABLE}/events", f"/api/tables/{TABLE}", f"/t/{TABLE}/key"]
        assert client.get(f"/t/{TABLE}").status_code == 200
        assert [client.get(f"/t/momiji-{n:010}").status_code for n in range(5)] == [404, 404, 404, 429, 429]
        assert [client.get(path).status_code for path in right] == [429] * 5
        assert client.head(f"/t/{TABLE}").status_code == client.post(f"/t/{TABLE}/say").status_code == 429
        assert client.get(f"/t/{TABLE}", headers=seat(1)).status_code == 200, "who plays goes on"
        assert host.get().status_code == 200
        assert client.get("/tables").status_code == 200


def test_who_opens_too_many_tables_is_slowed(tmp_path: Path) -> None:
    with TestClient(app_of(tmp_path, limits=Limits()), follow_redirects=False) as client:
        answers = [client.post("/games/leaves13", data={"friends": "1", "seats": "3"}).status_code for _ in range(35)]
    assert answers[:30] == [303] * 30 and answers[-1] == 429


def test_a_seat_says_only_so_much(tmp_path: Path) -> None:
    app = app_of(tmp_path, limits=Limits())
    with TestClient(app, follow_redirects=False) as client:
        set_table(app.state.house.tables)
        answers = [client.post(f"/t/{TABLE}/say", data={"text": "x"}, headers=seat(0)) for _ in range(12)]
        assert answers[0].status_code == 303 and answers[-1].status_code == 422
        assert client.post(f"/t/{TABLE}/say", data={"text": "y"}, headers=seat(1)).status_code == 303


# ----------------------------------------------------------------------------------------------- nothing is told


@pytest.mark.parametrize("game", game_ids())
@pytest.mark.parametrize("viewer", [0, None])
def test_nothing_of_friends_tables_tells_what_is_hidden(
    tmp_path: Path, game: str, viewer: int | None, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two tables that look alike to a viewer, with other cards in hands and in the deck: whatever is asked, said and
    refused, all that the viewer gets is the same, and so is the log of the server."""
    caplog.set_level(logging.DEBUG, "tefuda")
    monkeypatch.setattr("tefuda.tables.store.time.time_ns", lambda: 1_800_000_000_000_000_000)
    monkeypatch.setattr("tefuda.tables.tables.secrets.token_bytes", bytes)
    rng = random.Random(5)
    pair = next(found for _ in range(20) if (found := twins(game, 3, rng.choice([1, 5, 12]), viewer, rng)))
    found = []
    for name, twin in zip("ab", pair, strict=True):
        caplog.clear()
        (tmp_path / name).mkdir()
        app = app_of(tmp_path / name)
        with TestClient(app, follow_redirects=False, headers={"accept-language": "en"}) as client:
            tokens = {n: TOKENS[n] for n in range(3)}
            app.state.house.tables.put(
                twin, people(3), table_id=TABLE, tokens=tokens, settings=Settings(call=None, talk="free")
            )
            headers = {} if viewer is None else seat(viewer)
            told: list[Any] = []
            for method, path, form in ASKED:
                for answer in (
                    client.request(method, f"/t/{TABLE}{path}", headers=headers, data=form),
                    client.get(f"/api/tables/{TABLE}", headers=headers),
                ):
                    told.append((path, answer.status_code, sorted(answer.headers.items()), answer.text))
        found.append((told, [record.getMessage() for record in caplog.records if TABLE in record.getMessage()]))
    for one, two in zip(found[0][0], found[1][0], strict=True):
        assert one == two
    assert found[0][1] == found[1][1]


ASKED: list[tuple[str, str, dict[str, str]]] = [
    ("GET", "", {}),
    ("POST", "/undo", {}),
    ("POST", "/absent", {"seat": "1"}),
    ("POST", "/absent", {"seat": "2"}),
    ("POST", "/vote", {"about": "undo", "accepts": "no"}),
    ("POST", "/say", {"text": "hello"}),
    ("POST", "/say", {"phrase": "nice"}),
    ("POST", "/back", {}),
    ("POST", "/hurry", {}),
    ("GET", "/replay", {}),
    ("GET", "/replay?n=0", {}),
    ("GET", "/record", {}),
    ("GET", "/result", {}),
    ("POST", "/report", {"fun": "3"}),
    ("POST", "/sit", {"seat": "1"}),
    ("POST", "/start", {}),
    ("POST", "/delete", {}),
    ("GET", "", {}),
]


def test_the_panel_of_talk_is_not_there_where_nobody_talks(client: TestClient, tables: Tables) -> None:
    game = new("leaves13", seed=7, players=[p.name for p in people(3)])
    tables.put(game, people(3), table_id=TABLE, tokens=TOKENS, settings=Settings(talk="off"))
    assert 'class="talk"' not in client.get(f"/t/{TABLE}", headers=seat(0)).text
    assert client.post(f"/t/{TABLE}/say", data={"text": "x"}, headers=seat(0)).status_code == 422
