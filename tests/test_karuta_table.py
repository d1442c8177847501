"""The table of 三十一文字 as pages and the server have it: the total and its poem, the cards thrown, the duty, what is
declared, and that kimariji are told only with help."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from games.positions import laid
from test_web import TABLE, TOKENS, app_of, seat

from tefuda.decks.karuta import POEM_OF
from tefuda.engine.game import Game
from tefuda.engine.record import from_record
from tefuda.engine.rules import find
from tefuda.tables import Sitter
from tefuda.web.components import scene
from tefuda.web.layouts import layout_of

PEOPLE = [Sitter("Aki"), Sitter("Ben")]


def at(total: int = 0, direction: int = 1, duty: int = 0, player: int = -1, **more: Any) -> Game:
    """A moment of a game of three; more: cards just played and before, options."""
    piles = {("hand", 0): "む よのなかは", ("hand", 1): "うか うら", ("hand", 2): "しの つき"}
    thrown = {name: more.pop(name, "") for name in ("just", "played")}
    fields = {"turn": 0, "total": total, "direction": direction, "duty": duty, "player": player, "loser": -1}
    return laid("misohitomoji", 3, {**piles, **thrown}, fields, **more)


def shown(game: Game, viewer: int | None = 0, lang: str = "en", **more: Any) -> Any:
    return scene(game.rules, game.view(viewer, person=True, assist=False), game.story(viewer), lang, {}, **more)


def tally(game: Game) -> Any:
    return next(pile for pile in shown(game).middle if pile.kind == "tally").more


# ------------------------------------------------------------------------------------------------- what is shown


@pytest.mark.parametrize(("total", "written"), [(-5, 0), (0, 0), (1, 1), (24, 24), (30, 30)])
def test_the_total_writes_the_first_tanka(total: int, written: int) -> None:
    more = tally(at(total))
    assert [len(line) for line in more["lines"]] == [5, 7, 5, 7, 7]
    letters = [letter for line in more["lines"] for letter in line]
    assert "".join(letter for letter, _ in letters) == "やくもたついづもやへがきつまごみにやへがきつくるそのやへがきを"
    assert [how for _, how in letters] == ["written"] * written + ["yet"] * (30 - written) + ["last"]
    assert more["now"] == str(total).replace("-", "−")
    assert more["left"] == f"{31 - total} left"
    assert more["near"] == (total >= 24)


def test_the_ring_waits_at_the_limit_and_fills_when_it_is_reached() -> None:
    letters = [how for line in tally(at(3, limit=12))["lines"] for _, how in line]
    assert letters == ["written"] * 3 + ["yet"] * 8 + ["last"]
    game = at(30)
    game.play("む")
    assert tally(game)["lines"][-1][-1] == ("を", "over")


def test_a_limit_beyond_the_poem_has_no_poem() -> None:
    more = tally(at(40, limit=45))
    assert more["lines"] == [] and more["left"] == "5 left" and more["goal"] == "45 loses"


def test_cards_are_thrown_on_those_before_and_the_total_is_said() -> None:
    heap = next(pile for pile in shown(at(7, just="さ", played="ほ せ め", player=2)).middle if pile.kind == "heap")
    assert [pick.card.name for pick in heap.picks] == ["せ", "め", "さ"]
    assert all(pick.input is None for pick in heap.picks)
    game = at(7)
    game.play("む")
    heap = next(pile for pile in shown(game, viewer=1).middle if pile.kind == "heap")
    assert (heap.more["who"], heap.more["says"]) == ("Player 1", "“8”")
    game.play("うら+うか")
    heap = next(pile for pile in shown(game, viewer=1).middle if pile.kind == "heap")
    assert heap.more["says"] == "“Dub, 8”" and [pick.card.name for pick in heap.picks] == ["む", "うら", "うか"]


@pytest.mark.parametrize(("lang", "ways"), [("ja", ("順回り", "逆回り")), ("en", ("clockwise", "the other way round"))])
def test_the_direction_is_told(lang: str, ways: tuple[str, str]) -> None:
    assert shown(at(direction=1), lang=lang).turning == (1, ways[0])
    assert shown(at(direction=-1), lang=lang).turning == (-1, ways[1])


def test_the_duty_is_told_play_by_play() -> None:
    assert shown(at()).duty is None
    first, second = shown(at(duty=2)).duty, shown(at(duty=1)).duty
    assert (first.most, first.made, first.label) == (2, 0, "two plays: the first")
    assert (second.most, second.made, second.label) == (2, 1, "two plays: the second")


def test_games_without_these_have_none_of_them() -> None:
    game = Game(find("leaves13"), ["A", "B", "C"], {}, at().chance)
    there = shown(game)
    assert there.turning is None and there.duty is None and there.declaring is None
    assert layout_of(find("leaves13")).seats.direction is None


# ------------------------------------------------------------------------------------------- only with help on


@pytest.mark.parametrize("assist", [False, True])
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_kimariji_and_lengths_are_told_only_with_help(assist: bool, lang: str) -> None:
    scenes = shown(at(), lang=lang, assist=assist)
    told = [pick.card.label for pick in scenes.hand.picks] + [" ".join(card[1:]) for card in scenes.cards]
    for kimariji in ("む", "よのなかは"):
        poem = POEM_OF[kimariji]
        assert any(poem.on_card in text for text in told)
        assert any(poem.upper in text for text in told) == assist
        assert any(f"{kimariji}・" in text or f"({kimariji}," in text for text in told) == assist
    assert {pick.card.face for pick in scenes.hand.picks} == (
        {"help-む", "help-よのなかは"} if assist else {"む", "よのなかは"}
    )


# --------------------------------------------------------------------------------------------------- declaring


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(app_of(tmp_path), follow_redirects=False) as made:
        yield made


DECK = ["む", "す", "め", "ふ", "さ", "ほ", "うか", "うら"]
OPTIONS = {"deck": DECK, "limit": 10, "hand": 3, "reverse": "turn", "floor": None, "declare": True}


def set_table(client: TestClient, declare: bool = True, deck: Sequence[str] = DECK) -> Any:
    """Aki and Ben; Aki starts. Unless told, Aki holds む す め and Ben ふ さ ほ."""
    record = {
        "format": "tefuda-record/1",
        "game": "misohitomoji",
        "rules": "1",
        "options": {**OPTIONS, "declare": declare},
        "players": [sitter.name for sitter in PEOPLE],
        "events": [["*", "deck " + " ".join(deck)], ["*", "start 0"]],
    }
    tables = client.app.state.house.tables  # type: ignore[attr-defined]
    tables.put(from_record(record), PEOPLE, table_id=TABLE, tokens={0: TOKENS[0], 1: TOKENS[1]})
    return tables


def post(client: TestClient, n: int, at_: int, **fields: Any) -> Any:
    data = {"at": str(at_), "move": "play", **fields}
    return client.post(f"/t/{TABLE}?lang=en", data=data, headers={**seat(n), "x-fragment": "main"})


def text_of(answer: Any) -> str:
    return html.unescape(re.sub(r"<[^>]*>", " ", answer.text))


def test_a_total_must_be_written_and_a_wrong_one_is_told(client: TestClient, tmp_path: Path) -> None:
    set_table(client)
    page = client.get(f"/t/{TABLE}?lang=en", headers=seat(0)).text
    assert re.search(r'<input class="input number" type="number" name="said" value=""', page)
    assert 'name="said"' not in client.get(f"/t/{TABLE}?lang=en", headers=seat(1)).text
    for nothing in ("", "one", "12345"):
        refused = post(client, 0, 2, **{"lay.0": "む", "said": nothing})
        assert refused.status_code == 422 and "Write the new total" in refused.text
    assert post(client, 0, 2, **{"lay.0": "む", "said": "1"}).status_code == 200
    told = post(client, 1, 3, **{"lay.0": "ふ", "said": "-3"})
    assert told.status_code == 200 and "Said −3; it is 2" in text_of(told)
    assert "Said −3; it is 2" in text_of(client.get(f"/t/{TABLE}?lang=en", headers=seat(0)))
    with TestClient(app_of(tmp_path), follow_redirects=False) as restarted:
        assert "Said −3; it is 2" in text_of(restarted.get(f"/t/{TABLE}?lang=en", headers=seat(0)))
        with restarted.app.state.house.tables.at(TABLE) as table:  # type: ignore[attr-defined]
            assert table.game.said == {0: 1, 1: -3} and table.game.misdeclared == [0, 1]


def test_wrong_totals_are_counted_in_the_result(client: TestClient) -> None:
    tables = set_table(client)
    n = 0
    while True:
        with tables.at(TABLE) as table:
            if table.game.over:
                break
            on_turn, number, card = table.game.seat, table.number, table.game.moves()[0]
        said = 99 if n in (0, 2) else None
        if said is None:
            with tables.at(TABLE) as table:
                ahead = from_record(table.game.record())
            ahead.play(card)
            said = ahead.state.total
        tables.play(TABLE, on_turn, card, number, said)
        n += 1
    page = text_of(client.get(f"/t/{TABLE}/result?lang=en", headers=seat(0)))
    assert page.count("2 wrong totals") == 1
    record = client.get(f"/t/{TABLE}/record", headers=seat(0)).json()
    assert record["result"]["notes"]["misdeclared"] == [2, 0]
    assert from_record(record).record() == record


def test_programs_may_declare_and_need_not(client: TestClient) -> None:
    set_table(client)
    moves = f"/api/tables/{TABLE}/moves"
    assert client.post(moves, json={"move": "む", "said": 7}, headers=seat(0)).status_code == 200
    answer = client.post(moves, json={"move": "ふ"}, headers=seat(1))
    assert answer.status_code == 200
    assert [event["said"] for event in answer.json()["story"] if event["who"] != "*"] == [7, None]
    assert client.post(moves, json={"move": "す", "said": "9"}, headers=seat(0)).status_code == 422


def test_where_nothing_is_declared_nothing_is_asked_nor_kept(client: TestClient) -> None:
    tables = set_table(client, declare=False)
    assert 'name="said"' not in client.get(f"/t/{TABLE}?lang=en", headers=seat(0)).text
    assert post(client, 0, 2, **{"lay.0": "む", "said": "9"}).status_code == 200
    with tables.at(TABLE) as table:
        assert table.game.said == {}


def test_a_dub_is_laid_and_declared(client: TestClient) -> None:
    """Aki: うか うら す."""
    tables = set_table(client, deck=["うか", "うら", "す", "ふ", "さ", "ほ", "む", "め"])
    refused = post(client, 0, 2, **{"lay.0": ["うか", "す"], "move": "claim", "said": "0"})
    assert refused.status_code == 422 and 'value="0"' in refused.text
    assert post(client, 0, 2, **{"lay.0": ["うか", "うら"], "move": "claim", "said": "0"}).status_code == 200
    with tables.at(TABLE) as table:
        assert table.game.log(None)[-1] == [0, "うら+うか"] and table.game.said == {0: 0}


# --------------------------------------------------------------------------------------------------- other pages


def test_playing_one_card_is_the_main_thing_to_do() -> None:
    """A dub is claimed too, but the button for it stands behind."""
    assert [(action.move, action.main) for action in shown(at()).actions] == [("play", True), ("claim", False)]


def test_the_picture_book_has_every_card_once_with_all_there_is_to_it(client: TestClient) -> None:
    page = client.get("/cards/karuta").text
    assert page.count("data-zoom") == 101
    assert POEM_OF["つき"].upper in page and "help-" in page


def test_before_a_game_one_reads_what_help_does_here(client: TestClient) -> None:
    assert "dubs are pointed out" in client.get("/games/misohitomoji?lang=en").text
    assert "0 to 0" not in client.get("/games/misohitomoji?lang=en").text
