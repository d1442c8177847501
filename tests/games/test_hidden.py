"""Hidden information, by histories: two games whose visible log, written by the tests from the clauses called
"Visible", is the same for a viewer must give that viewer the same bytes. And the proof that this test bites."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from fastapi.testclient import TestClient
from games.positions import decisions, from_start, repeat
from test_web import TABLE, TOKENS, app_of, everything, people

import tefuda
from tefuda.check import hidden
from tefuda.check.examination import page_of
from tefuda.engine import cards, game, rules
from tefuda.engine import view as views
from tefuda.engine.declare import OWNER
from tefuda.engine.record import to_text

RECORDS = Path(__file__).parent.parent / "records"

HIDDEN_HANDS = [name for name in tefuda.games() if any(pile.seen_by == OWNER for pile in rules.find(name).piles)]
"""The games in which what another seat may do is no open matter."""

Record = dict[str, Any]
Viewer = int | None


def visible_of(name: str) -> ModuleType:
    return importlib.import_module(f"games.{name}_visible")


def records_of(name: str) -> list[Record]:
    found = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(RECORDS.glob("*.fuda.json"))]
    return [record for record in found if record["game"] == name]


def broken_off(record: Record, random: Random) -> Record:
    """The record up to some decision, or whole. (Chance stays with the decision that caused it.)"""
    stops = [n for n, (who, _) in enumerate(record["events"]) if who != "*"]
    stop = random.choice([*stops[1:], len(record["events"])])
    if stop == len(record["events"]):
        return record
    return {key: value for key, value in record.items() if key != "result"} | {"events": record["events"][:stop]}


def pairs(name: str, per_viewer: int) -> Iterator[tuple[Record, Record, Viewer]]:
    """Pairs of histories that look the same to a viewer."""
    visible = visible_of(name)
    for n, whole in enumerate(records_of(name)):
        for viewer in [*range(len(whole["players"])), None]:
            random = Random(f"{name} {n} {viewer}")
            for _ in range(per_viewer):
                record = broken_off(whole, random)
                other = visible.other_history(record, viewer, random)
                assert visible.visible(record, viewer) == visible.visible(other, viewer)
                yield record, other, viewer


def look_the_same(record: Record, other: Record, viewer: Viewer, random: Random, moments: int) -> None:
    """Require that two histories give a viewer the same, at some moments, at their end, undone and loaded again."""
    ends = [tefuda.from_record(one) for one in (record, other)]
    games = [from_start(one) for one in ends]
    made = [decisions(one) for one in ends]
    assert len(made[0]) == len(made[1])
    looks = {0, len(made[0]), *(random.randrange(len(made[0]) + 1) for _ in range(moments))}
    for n in range(len(made[0]) + 1):
        if n in looks:
            assert hidden.difference(*games, viewer) is None
        if n < len(made[0]):
            for one, events in zip(games, made, strict=True):
                repeat(one, events[n])
    for lang in ("ja", "en"):
        assert page_of(games[0], viewer, lang) == page_of(games[1], viewer, lang)
    assert hidden.difference(*ends, viewer) is None
    for one in ends:
        one.undo()
    assert hidden.difference(*ends, viewer) is None


@pytest.mark.parametrize("name", tefuda.games())
def test_histories_that_look_the_same_are_the_same(name):
    random = Random(name)
    different = 0
    for record, other, viewer in pairs(name, 2):
        different += record["events"] != other["events"]
        look_the_same(record, other, viewer, random, moments=3)
    assert different >= 50


@pytest.mark.parametrize("name", tefuda.games())
def test_histories_that_look_the_same_leave_the_server_the_same(tmp_path, name, monkeypatch):
    """Pages, JSON, headers and refusals, byte by byte, as HTTP carries them."""
    monkeypatch.setattr("tefuda.tables.tables.secrets.token_bytes", bytes)  # else they promise other keys
    for n, (record, other, viewer) in enumerate(Random(name).sample(list(pairs(name, 1)), 6)):
        answers = []
        for which, one in enumerate((record, other)):
            folder = tmp_path / f"{n}-{which}"
            folder.mkdir()
            sitters = people(len(one["players"]))
            app = app_of(folder)
            game = tefuda.from_record({**one, "players": [sitter.name for sitter in sitters]})
            app.state.house.tables.put(game, sitters, table_id=TABLE, tokens=TOKENS)
            with TestClient(app, follow_redirects=False) as client:
                told = everything(client, viewer)
            # when a game is over its result page opens all hands (the picture of the final table)
            answers.append([one for one in told if not (game.over and one[0].endswith("/result"))])
        assert answers[0] == answers[1]


@pytest.mark.parametrize("name", tefuda.games())
def test_nothing_tells_of_the_generator(name):
    """The same record loaded twice goes on with other random numbers: nobody can tell, bots not either."""
    for record in records_of(name)[:4]:
        one, two = (tefuda.from_text(to_text(record)) for _ in range(2))
        assert one.chance is not two.chance
        for viewer in hidden.viewers(one):
            assert hidden.difference(one, two, viewer) is None


# ---------------------------------------------------------------------------------------------- planted faults
# Each is one way to let hidden information out. With it the histories above must differ for somebody.


def caught(name: str) -> bool:
    random = Random(name)
    try:
        for record, other, viewer in pairs(name, 1):
            look_the_same(record, other, viewer, random, moments=3)
    except AssertionError:
        return True
    return False


def changed_rules(monkeypatch: pytest.MonkeyPatch, name: str, *changes: tuple[str, str]) -> None:
    """Let a game's rules file be read with some of its text changed."""
    source = rules.find(name).source
    for old, new in changes:
        assert source.count(old) >= 1, old
        source = source.replace(old, new)
    changed = rules.Rules(rules.find(name).path, source)
    monkeypatch.setattr(rules, "_builtin", lambda game, version: changed)


def test_caught_a_field_that_counts_hidden_cards(monkeypatch):
    changed_rules(
        monkeypatch,
        "leaves13",
        ("    over=1, ", "    best=1, over=1, "),
        ("    if t.leader == WINNER", "    s.best = count(s, HAND + 1, 7)\n    if t.leader == WINNER"),
    )
    assert caught("leaves13")


def test_caught_a_card_that_is_not_declared_hidden(monkeypatch):
    changed_rules(monkeypatch, "tebineri_cookie", ('Card("hand", hidden=True)', 'Card("hand")'))
    assert caught("tebineri_cookie")


def test_caught_a_look_that_everybody_gets(monkeypatch):
    changed_rules(monkeypatch, "tebineri_cookie", ("show_to(s, OFFER, s.turn)", "show(s, OFFER)"))
    assert caught("tebineri_cookie")


def test_caught_hands_face_up(monkeypatch):
    face_up = 'Pile("weak", seen_by=EVERYBODY, each=True)'
    changed_rules(monkeypatch, "tebineri_cookie", ('Pile("weak", seen_by=OWNER)', face_up))
    assert caught("tebineri_cookie")


@pytest.mark.parametrize("name", tefuda.games())
def test_caught_the_order_of_a_hidden_pile(monkeypatch, name):
    def see_pile(s, number, pile, bit, names):
        cards = [names[s.card[number, i]] for i in range(s.size[number])]
        return {"size": len(cards), "cards": cards if pile.ordered else sorted(cards)}

    monkeypatch.setattr(views, "see_pile", see_pile)
    assert caught(name)


def test_caught_hands_in_the_order_they_were_dealt(monkeypatch):
    def see_pile(s, number, pile, bit, names):
        places = range(s.size[number])
        known = [i for i in places if s.always[number] & bit or s.seen[number, i] & bit]
        return {"size": len(places), "cards": [names[s.card[number, i]] for i in known]}

    monkeypatch.setattr(views, "see_pile", see_pile)
    assert caught("leaves13")


def test_caught_an_alike_card_told_apart(monkeypatch):
    def move(s, kind, a, b):  # the lowest goes, with its own mark alone
        place = min(i for i in range(s.size[a]) if s.card[a, i] == kind)
        for i in range(place, s.size[a] - 1):
            s.card[a, i], s.seen[a, i] = s.card[a, i + 1], s.seen[a, i + 1]
        s.size[a] -= 1
        s.count[a, kind] -= 1
        cards.put(s, kind, b, s.always[a] | s.always[b])
        cards.moved(s, kind, a, b, s.always[a] | s.always[b])

    monkeypatch.setattr(rules.find("leaves13").module, "move", move)
    assert caught("leaves13")


def test_caught_marks_that_outlive_a_shuffle(monkeypatch):
    """Cards of the row keep their marks into the next deal and are drawn on by another seat."""
    module = rules.find("leaves13").module
    shuffle, gather = module.shuffle, module.gather

    def keeping(function):
        def marks_kept(s, *rest):
            marked = {(p, i) for p in range(len(s.size)) for i in range(s.size[p]) if s.seen[p, i] == cards.EVERYBODY}
            function(s, *rest)
            for n, _ in enumerate(sorted(marked)):
                if n < s.size[module.DECK]:
                    s.seen[module.DECK, n] = cards.EVERYBODY

        return marks_kept

    monkeypatch.setattr(module, "shuffle", keeping(shuffle))
    monkeypatch.setattr(module, "gather", keeping(gather))
    assert caught("leaves13")


def test_caught_the_generator_in_the_state(monkeypatch):
    module = rules.find("leaves13").module
    shuffle = module.shuffle

    def leaving_a_number(s, pile, chance):
        shuffle(s, pile, chance)
        s.minus[5] = s.card[pile, 5]  # a number of the generator where no seat sits

    monkeypatch.setattr(module, "shuffle", leaving_a_number)
    assert caught("leaves13")


def test_caught_a_log_that_hides_nothing(monkeypatch):
    whole = game.Game.event_text
    monkeypatch.setattr(game.Game, "event_text", lambda self, event, viewer="all": whole(self, event))
    assert caught("leaves13")
    assert caught("tebineri_cookie")


def test_caught_a_story_that_names_every_card(monkeypatch):
    tell = game.Game._tell

    def all_told(self, n, event, *rest):
        out = tell(self, n, event, *rest)
        for shown, moved in zip(out["cards"], event.cards, strict=True):
            shown["card"] = self.notation.cards[moved[0]]
        return out

    monkeypatch.setattr(game.Game, "_tell", all_told)
    assert caught("leaves13")
    assert caught("tebineri_cookie")


@pytest.mark.parametrize("name", HIDDEN_HANDS)
def test_caught_the_moves_of_another_seat(monkeypatch, name):
    view = game.Game.view
    monkeypatch.setattr(game.Game, "view", lambda self, *a, **k: {**view(self, *a, **k), "moves": self.moves()})
    assert caught(name)


@pytest.mark.parametrize("name", HIDDEN_HANDS)
def test_caught_a_refusal_that_names_the_moves_of_another_seat(monkeypatch, name):
    play = game.Game.play
    monkeypatch.setattr(game.Game, "play", lambda self, text, seat=None: play(self, text))
    assert caught(name)


@pytest.mark.parametrize("name", tefuda.games())
def test_caught_a_bot_that_is_given_the_true_state(monkeypatch, name):
    monkeypatch.setattr(game.Game, "blind", lambda self, seat: self.state)
    assert caught(name)


@pytest.mark.parametrize("name", tefuda.games())
def test_caught_a_hidden_card_on_the_page(monkeypatch, name):
    """A page that is given more than the view of its viewer."""
    from tefuda.web import pages

    view, render = game.Game.view, pages.render_table
    looked_at: list[game.Game] = []

    def watched(self, *rest, **more):
        looked_at.append(self)
        return view(self, *rest, **more)

    def leaking(*rest):
        s = looked_at[-1].state
        drawn = render(*rest)
        lowest = [s.card[pile, 0] for pile in range(len(s.size))]
        return pages.Rendered(drawn.main, lambda: f"{drawn.page}<!-- {lowest} -->")

    monkeypatch.setattr(game.Game, "view", watched)
    monkeypatch.setattr(pages, "render_table", leaking)
    assert caught(name)
