"""Tables for friends: sitting down, starting, clocks, being away, taking back, talking; and that a restart changes
nothing of it."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tefuda.engine.commitment import verify
from tefuda.engine.game import IllegalMove, new
from tefuda.engine.reveal import revealed_since
from tefuda.engine.rules import OptionError, find, game_ids
from tefuda.tables import (
    AskError,
    BadNameError,
    BegunError,
    BotSeats,
    Clock,
    Lobby,
    LobbyError,
    Plan,
    Settings,
    Sitter,
    StaleError,
    Store,
    Tables,
    TalkError,
    UnknownTableError,
    UnseatedError,
    WaitingError,
    can_name_starter,
    clean_name,
    shown_names,
)
from tefuda.tables.bot_seats import BotTurn
from tefuda.tables.table import ABSENT_AFTER, GRACE

SHELF = {game: find(game) for game in game_ids()}
PEOPLE = [Sitter("Aki"), Sitter("Ben"), Sitter("Chie")]


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    house = Tables(Store(f"sqlite:///{tmp_path}/tables.sqlite3"), SHELF, stand_in=lambda rules: "random")
    yield house
    house.store.close()


@pytest.fixture
def lobby(tables: Tables) -> Lobby:
    return Lobby(tables)


def fresh(tables: Tables) -> Tables:
    """The same store, as a server that has just started knows it."""
    again = Tables(tables.store, tables.shelf, tables.stand_in)
    again.awake = 0
    return again


def all_of(tables: Tables, table_id: str) -> dict[str, Any]:
    """All that a process knows of a table."""
    with tables.at(table_id) as table:
        return {
            "views": [table.view(viewer) for viewer in (None, 0, 1, 2)],
            "proposal": table.proposal,
            "times": table.times,
            "stand_ins": table.stand_ins,
            "stood_in": table.stood_in,
            "notices": list(table.notices),
            "talk": list(table.talk),
            "undone": table.undone,
            "again": table.again,
            "settings": table.settings,
            "promised": table.promised,
            "starter": table.starter,
            "record": table.game.record(),
            "over": table.game.over,
            "due": table.due,
        }


def move(tables: Tables, table_id: str, n: int = 1) -> None:
    """So many moves, the first that may be made."""
    for _ in range(n):
        with tables.at(table_id) as table:
            seat, text = table.game.seat, table.game.moves()[0]
        tables.play(table_id, seat, text)


def told(tables: Tables, table_id: str) -> list[tuple[str, int, str]]:
    """What the table has said to everybody: what, of whom, what was asked. A server that starts again knows it."""
    with tables.at(table_id) as table, fresh(tables).at(table_id) as again:
        assert list(table.notices) == list(again.notices)
        return [(notice.what, notice.seat, notice.kind) for notice in table.notices]


# ------------------------------------------------------------------------------------------------ sitting down


def test_friends_sit_down_and_the_host_starts(tables: Tables, lobby: Lobby) -> None:
    table, host = lobby.open("leaves13", Plan(3, {"expert": True}), "Aki")
    assert table.seat_of(host) == 0 and table.is_host(host) and table.free == [1, 2]
    with pytest.raises(WaitingError), tables.at(table.id):
        pass
    _, ben = lobby.sit(table.id, None, 2, "Ben")
    _, chie = lobby.sit(table.id, None, None, "Chie")
    now = lobby.at(table.id)
    assert {n: sitter.name for n, sitter in now.sitters.items()} == {0: "Aki", 1: "Chie", 2: "Ben"}
    assert [now.seat_of(token) for token in (host, ben, chie, None, "x")] == [0, 2, 1, None, None]
    for token in (ben, None):
        with pytest.raises(LobbyError, match="host"):
            lobby.start(table.id, token)
    lobby.start(table.id, host)
    with pytest.raises(BegunError):
        lobby.at(table.id)
    with tables.at(table.id) as begun:
        assert begun.game.players == ["Aki", "Chie", "Ben"] and begun.game.options["expert"] is True
        assert [begun.seat_of(token) for token in (host, chie, ben)] == [0, 1, 2]
    assert all_of(fresh(tables), table.id) == all_of(tables, table.id)


def test_one_who_sits_down_elsewhere_leaves_the_seat_and_may_change_the_name(lobby: Lobby) -> None:
    table, _ = lobby.open("leaves13", Plan(4), "Aki")
    _, ben = lobby.sit(table.id, None, 1, "Ben")
    lobby.sit(table.id, ben, 3, "Benno")
    now = lobby.at(table.id)
    assert now.free == [1, 2] and now.sitters[3].name == "Benno" and now.seat_of(ben) == 3
    lobby.sit(table.id, ben, None, "B")
    assert lobby.at(table.id).sitters[3].name == "B"
    lobby.leave(table.id, ben)
    assert lobby.at(table.id).free == [1, 2, 3] and lobby.at(table.id).seat_of(ben) is None


@pytest.mark.parametrize(
    ("what", "why"),
    [
        (lambda lobby, id, host, ben: lobby.sit(id, ben, 0, "Ben"), "taken"),
        (lambda lobby, id, host, ben: lobby.sit(id, None, 7, "Dan"), "seat"),
        (lambda lobby, id, host, ben: lobby.sit(id, None, -1, "Dan"), "seat"),
        (lambda lobby, id, host, ben: lobby.seat_bot(id, ben, 2, "random"), "host"),
        (lambda lobby, id, host, ben: lobby.seat_bot(id, host, 1, "random"), "taken"),
        (lambda lobby, id, host, ben: lobby.leave(id, ben, 0), "host"),
        (lambda lobby, id, host, ben: lobby.leave(id, None), "nothing"),
        (lambda lobby, id, host, ben: lobby.leave(id, host, 2), "nothing"),
        (lambda lobby, id, host, ben: lobby.plan(id, ben, Plan(3), False), "host"),
        (lambda lobby, id, host, ben: lobby.plan(id, host, Plan(3, starter=3), False), "seat"),
        (lambda lobby, id, host, ben: lobby.start(id, host), "not full"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(lobby: Lobby, what: Any, why: str) -> None:
    table, host = lobby.open("leaves13", Plan(3), "Aki")
    _, ben = lobby.sit(table.id, None, 1, "Ben")
    before = lobby.at(table.id)
    with pytest.raises(LobbyError, match=why):
        what(lobby, table.id, host, ben)
    assert lobby.at(table.id) == before


def test_only_the_last_plan_is_kept_and_what_changes_nothing_is_not(tables: Tables, lobby: Lobby) -> None:
    table, host = lobby.open("leaves13", Plan(3), "Aki")
    assert lobby.plan(table.id, host, Plan(3), False).last == table.last
    assert lobby.plan(table.id, host, Plan(3), True).public
    assert lobby.plan(table.id, host, Plan(4), True).plan == Plan(4)
    now = lobby.plan(table.id, host, Plan(3, {"expert": True}), True)
    found = tables.store.table(table.id)
    assert found is not None
    assert [row.body for row in found[1] if row.kind == "plan"] == [{}, {}, {}, now.plan.as_json()]
    lobby.start(table.id, host, bot="random")
    with fresh(tables).at(table.id) as begun:
        assert begun.game.options["expert"] is True and len(begun.sitters) == 3


def test_there_is_an_end_of_what_happens_before_a_game(
    tables: Tables, lobby: Lobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, host = lobby.open("leaves13", Plan(3), "Aki")
    monkeypatch.setattr("tefuda.tables.lobby.MOST_EVENTS", lobby.sit(table.id, host, 0, "Aki B")[0].last)  # type: ignore[union-attr]
    with pytest.raises(LobbyError, match="events"):
        lobby.plan(table.id, host, Plan(4), True)
    with pytest.raises(LobbyError, match="events"):
        lobby.sit(table.id, None, None, "Ben")
    with pytest.raises(TalkError, match="full"):
        lobby.say(table.id, host, "hello", None)
    lobby.start(table.id, host, bot="random")


def test_a_full_table_takes_nobody_and_fewer_seats_than_people_cannot_be(lobby: Lobby) -> None:
    table, host = lobby.open("leaves13", Plan(4), "Aki")
    for n in range(3):
        lobby.sit(table.id, None, None, f"P{n}")
    with pytest.raises(LobbyError, match="full"):
        lobby.sit(table.id, None, None, "late")
    with pytest.raises(LobbyError, match="occupied"):
        lobby.plan(table.id, host, Plan(3), False)
    with pytest.raises(OptionError):
        lobby.plan(table.id, host, Plan(4, {"expert": 3}), False)
    with pytest.raises(OptionError):
        lobby.open("leaves13", Plan(9), "Aki")


def test_only_one_gets_a_seat_that_two_want_at_once(lobby: Lobby) -> None:
    table, _ = lobby.open("leaves13", Plan(6), "Aki")
    got: list[str] = []

    def want(name: str) -> None:
        try:
            lobby.sit(table.id, None, 1, name)
            got.append(name)
        except LobbyError as e:
            assert e.why == "taken"

    threads = [threading.Thread(target=want, args=(f"P{n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 1 and lobby.at(table.id).sitters[1].name == got[0]


def test_bots_fill_the_free_seats(tables: Tables, lobby: Lobby) -> None:
    table, host = lobby.open("tebineri_cookie", Plan(4), "Aki")
    lobby.seat_bot(table.id, host, 2, "greedy")
    lobby.seat_bot(table.id, host, 2, "random")  # another level in its place
    lobby.leave(table.id, host, 2)
    lobby.seat_bot(table.id, host, None, "random")
    lobby.start(table.id, host, bot="greedy")
    with tables.at(table.id) as begun:
        assert [sitter.bot for sitter in begun.sitters] == [None, "random", "greedy", "greedy"]
        assert begun.people == [0]


def test_a_table_may_begin_by_itself_when_it_is_full(tables: Tables, lobby: Lobby) -> None:
    table, host = lobby.open("leaves13", Plan(3, settings=Settings(when_full=True)), "Aki")
    lobby.sit(table.id, None, None, "Ben")
    waiting, chie = lobby.sit(table.id, None, None, "Chie")
    assert waiting is None
    with tables.at(table.id) as begun:
        assert begun.seat_of(chie) == 2 and begun.seat_of(host) == 0


def test_the_host_may_leave_the_seat_and_still_be_the_host(tables: Tables, lobby: Lobby) -> None:
    table, host = lobby.open("jukugo_draft", Plan(2), "Aki")
    lobby.leave(table.id, host)
    assert lobby.at(table.id).free == [0, 1]
    lobby.start(table.id, host, bot="random")
    with tables.at(table.id) as begun:
        assert begun.people == [] and begun.seat_of(host) is None


def test_no_two_at_a_table_are_shown_alike(lobby: Lobby) -> None:
    def seated(*names: str) -> list[list[str]]:
        """The names in each language after they have sat down; `bot:` is a bot."""
        table, host = lobby.open("jukugo_babanuki", Plan(6), names[0])
        for name in names[1:]:
            if name.startswith("bot:"):
                lobby.seat_bot(table.id, host, None, "random")
            else:
                lobby.sit(table.id, None, None, name)
        there = lobby.at(table.id).sitters
        players = [there[n].player for n in sorted(there)]
        shown = [shown_names(players, lang) for lang in ("ja", "en")]
        for names_there in shown:
            assert len({name.casefold() for name in names_there}) == len(names)
        return shown

    assert seated("Zoe", "Aki 3", "Aki", "Aki", "aki")[1] == ["Zoe", "Aki 3", "Aki", "Aki 4", "aki 5"]
    assert seated("Zoe", "Aki 3", "zoe", "ZOE 3") == [["Zoe", "Aki 3", "zoe 3", "ZOE 3 4"]] * 2
    assert seated("お客さん", "Guest")[0] == ["お客さん", "お客さん 2"]
    assert seated("お客さん", "Guest", "guest")[1] == ["Guest", "Guest 2", "guest 3"]
    assert seated("Zoe", "bot:", "Koeda", "小枝")[1] == ["Zoe", "Koeda", "Koeda 3", "小枝 4"]
    # letters that look alike: Cyrillic А, the kanji 力 and the katakana カ, l and I
    assert seated("Aki", "\u0410ki", "Zoe", "Z\u043ee")[0] == ["Aki", "\u0410ki 2", "Zoe", "Z\u043ee 4"]
    assert seated("力", "カ", "Il", "ll", "たけ", "だけ")[0] == ["力", "カ 2", "Il", "ll 4", "たけ", "だけ"]
    assert seated("Zoe", "bot:", "\u039aoeda")[1] == ["Zoe", "Koeda", "\u039aoeda 3"]
    for name in ("Y\u043eu", "Tefud\u0430", "b\u043et: random"):
        with pytest.raises(BadNameError):
            clean_name(name)
    assert seated("Koeda", "小枝", "bot:") == [["Koeda", "小枝", "文車"], ["Koeda", "小枝", "Fumi"]]
    assert seated("Zoe", *["bot:"] * 5)[1][1:3] == ["Koeda", "Fumi"]
    seated("x" * 40, "x" * 40, "x" * 40)


def test_a_token_that_could_be_guessed_holds_no_seat(lobby: Lobby) -> None:
    table, _ = lobby.open("leaves13", Plan(3), "Aki", token="1")
    for weak in ("1", "", "ab" * 15, "AB" * 16, "0" * 31 + "g"):
        _, token = lobby.sit(table.id, weak, None, "Ben")
        assert token != weak and len(token) == 32
        lobby.leave(table.id, token)


def test_public_tables_are_listed_and_private_ones_are_not(tables: Tables, lobby: Lobby) -> None:
    lobby.open("leaves13", Plan(3), "Aki")
    public, host = lobby.open("leaves13", Plan(3), "Ben", public=True)
    waiting, playing = lobby.listed(10)
    assert [(found.id, [s.name for s in found.names], found.seats) for found in waiting] == [(public.id, ["Ben"], 3)]
    assert playing == []
    lobby.start(public.id, host, bot="random")
    waiting, playing = lobby.listed(10)
    assert waiting == [] and [found.id for found in playing] == [public.id]


@pytest.mark.parametrize("game", game_ids())
@pytest.mark.parametrize("starter", [None, 1])
def test_whom_the_table_names_begins_and_the_record_is_verified(
    tables: Tables, lobby: Lobby, game: str, starter: int | None
) -> None:
    assert can_name_starter(SHELF[game])
    plan = Plan(3, settings=Settings(assist=True, call=None), starter=starter)
    table, host = lobby.open(game, plan, "Aki")
    lobby.start(table.id, host, bot="random")
    with tables.at(table.id) as begun:
        promised = begun.promised
        events = [text for who, text in begun.game.record()["events"] if who == "*"]
    if starter is not None:
        assert f"start {starter}" in events
    rng = random.Random(1)
    while True:
        with tables.at(table.id) as now:
            if now.game.over:
                break
            seat, text = now.game.seat, rng.choice(now.game.moves())
        tables.play(table.id, seat, text, person=seat == 0)
    with fresh(tables).at(table.id) as over:
        assert verify(over.record()) == promised


# ------------------------------------------------------------------------------------------------------- clocks


def seated(tables: Tables, game: str = "leaves13", **settings: Any) -> str:
    return tables.open(game, PEOPLE, settings=Settings(**{"call": None, **settings})).table.id


def on_turn(tables: Tables, table_id: str) -> int:
    with tables.at(table_id) as table:
        assert table.game.seat is not None
        return table.game.seat


def wind(monkeypatch: pytest.MonkeyPatch, tables: Tables) -> Callable[[float], None]:
    """Let time go on by so many seconds at once."""
    ahead = [0]
    real = time.time_ns

    def later(seconds: float) -> None:
        ahead[0] += int(seconds * 1e9)

    monkeypatch.setattr("tefuda.tables.store.time.time_ns", lambda: real() + ahead[0])
    tables.awake = 0
    return later


def test_when_the_clock_of_a_move_has_run_out_a_bot_plays_on(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    later = wind(monkeypatch, tables)
    table_id = seated(tables, clock=Clock("move", 30))
    with tables.at(table_id) as table:
        seat, number = on_turn(tables, table_id), table.number
        assert table.deadline == table.times.since + 30_000 == table.due
    with pytest.raises(StaleError):
        tables.run_out(table_id, number)
    later(31)
    with pytest.raises(StaleError):
        tables.run_out(table_id, number + 1)
    tables.run_out(table_id, number)
    for each in (tables, fresh(tables)):
        with each.at(table_id) as table:
            assert table.stand_ins == {seat: "random"} and table.bot_due and table.due == 0
    turn = tables.bot_turn(table_id)
    assert turn is not None and turn.seat == seat and turn.spec == "random"
    with tables.at(table_id) as table:
        text = table.game.moves()[0]
    tables.play(table_id, seat, text, number, person=False)
    move(tables, table_id)
    for each in (tables, fresh(tables)):
        with each.at(table_id) as table:
            assert table.stood_in == {number}, "the bot's move, and not those of the others"


def test_a_game_clock_counts_what_each_has_thought_and_gives_for_each_move(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = wind(monkeypatch, tables)
    table_id = seated(tables, clock=Clock("game", 100, increment=10))
    seat = on_turn(tables, table_id)
    later(40)
    move(tables, table_id)
    for each in (tables, fresh(tables)):
        with each.at(table_id) as table:
            left = table.time_left(seat, table.times.since)
            assert left is not None and 69_000 < left <= 70_000  # 100 - 40 + 10
            other = table.game.seat
            assert other is not None and table.time_left(other, table.times.since) == 100_000


def test_who_comes_back_has_a_little_time_and_the_bot_stops(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    later = wind(monkeypatch, tables)
    table_id = seated(tables, clock=Clock("game", 20))
    with tables.at(table_id) as table:
        seat, number = on_turn(tables, table_id), table.number
    later(21)
    tables.run_out(table_id, number)
    with pytest.raises(UnseatedError):
        tables.come_back(table_id, None)
    tables.come_back(table_id, seat)
    for each in (tables, fresh(tables)):
        with each.at(table_id) as table:
            assert table.stand_ins == {} and not table.bot_due
            left = table.time_left(seat, table.times.since)
            assert left == GRACE
    with pytest.raises(StaleError):  # what the bot chose meanwhile is not played
        tables.play(table_id, seat, "5x1", number, person=False)


def test_a_move_by_its_player_takes_the_seat_back(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    later = wind(monkeypatch, tables)
    table_id = seated(tables, clock=Clock("move", 5))
    with tables.at(table_id) as table:
        seat, number, text = on_turn(tables, table_id), table.number, table.game.moves()[0]
    later(6)
    tables.run_out(table_id, number)
    with pytest.raises(IllegalMove):
        tables.play(table_id, seat, "99x9")
    with tables.at(table_id) as table:
        assert seat in table.stand_ins
    tables.play(table_id, seat, text)
    for each in (tables, fresh(tables)):
        with each.at(table_id) as table:
            assert table.stand_ins == {} and table.game.events[number].who == seat and not table.stood_in
    assert told(tables, table_id) == [("stands in", seat, ""), ("back", seat, "")]


def test_a_server_that_was_away_gives_people_time(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    later = wind(monkeypatch, tables)
    table_id = seated(tables, clock=Clock("move", 5))
    later(3600)
    started = Tables(tables.store, SHELF)
    with started.at(table_id) as table:
        assert table.deadline == started.awake + GRACE


def first_move(turn: BotTurn) -> int:
    from tefuda.engine.game import Game

    game = object.__new__(Game)
    game.rules, game.state, game.players = turn.rules, turn.known, [""] * turn.seats
    game.t = turn.rules.tables(turn.options, turn.seats)
    return game.legal()[0]


def wait_until(holds: Callable[[], bool], seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it does not come to pass"
        time.sleep(0.005)


@pytest.mark.parametrize("restarted", [False, True])
def test_the_clock_runs_by_itself_and_the_bot_plays_on(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, restarted: bool
) -> None:
    monkeypatch.setattr("tefuda.tables.table.GRACE", 200)
    table_id = seated(tables, clock=Clock("move", 1))
    bots = BotSeats(Tables(tables.store, SHELF, lambda rules: "random") if restarted else tables, 0, choose=first_move,
                    warm=lambda rules: None)  # fmt: skip
    bots.start()
    try:
        wait_until(lambda: len(bots_events(tables, table_id)) > 5)
    finally:
        bots.close()
    kinds = bots_events(tables, table_id)
    assert "stand_in" in kinds and kinds.index("move") > kinds.index("stand_in")


def bots_events(tables: Tables, table_id: str) -> list[str]:
    found = tables.store.table(table_id)
    assert found is not None
    return [row.kind for row in found[1] if row.kind not in ("sit", "deal")]


def test_days_are_kept_by_the_store_and_not_by_a_timer(tables: Tables) -> None:
    table_id = seated(tables, clock=Clock("move", 3 * 24 * 3600))
    with tables.at(table_id) as table:
        assert table.settings.clock is not None and table.settings.clock.by_post
        due = table.due
    assert due is not None and tables.store.due(due - 1) == [] and tables.store.due(due) == [table_id]


# ---------------------------------------------------------------------------------------------------- being away


def test_the_others_may_ask_for_a_bot_in_somebodys_place(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    later = wind(monkeypatch, tables)
    table_id = seated(tables)
    away = on_turn(tables, table_id)
    one, two = ((away + 1) % 3, (away + 2) % 3)
    with pytest.raises(AskError, match="soon"):
        tables.call_absent(table_id, one, away)
    later(ABSENT_AFTER / 1000 + 1)
    with pytest.raises(AskError, match="here"):
        tables.call_absent(table_id, one, two)
    with pytest.raises(AskError, match="here"):
        tables.call_absent(table_id, away, away)
    tables.call_absent(table_id, one, away)
    for voter in (one, away):
        with pytest.raises(AskError, match="own"):
            tables.vote(table_id, voter, "absent", True)
    tables.vote(table_id, two, "absent", True)
    with fresh(tables).at(table_id) as table:
        assert table.stand_ins == {away: "random"} and table.proposal is None
    assert told(tables, table_id) == [("stands in", away, "")]


def test_a_server_that_has_just_started_calls_nobody_absent(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = wind(monkeypatch, tables)
    table_id = seated(tables)
    away = on_turn(tables, table_id)
    later(ABSENT_AFTER / 1000 + 1)
    started = Tables(tables.store, tables.shelf, tables.stand_in)
    with pytest.raises(AskError, match="soon"):
        started.call_absent(table_id, (away + 1) % 3, away)
    later(ABSENT_AFTER / 1000 + 1)
    started.call_absent(table_id, (away + 1) % 3, away)


def test_whoever_is_away_has_a_say_in_what_is_taken_back(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    later = wind(monkeypatch, tables)
    table_id = seated(tables, clock=Clock("move", 5))
    away, here, other = (on_turn(tables, table_id) + k for k in range(3))
    with tables.at(table_id) as table:
        number = table.number
    later(6)
    tables.run_out(table_id, number)
    move(tables, table_id, 2)  # the bot, and the next
    tables.ask_back(table_id, here % 3)
    tables.vote(table_id, other % 3, "undo", True)
    with tables.at(table_id) as table:
        assert table.proposal is not None and table.voters(table.proposal) == {away % 3, other % 3}
    tables.come_back(table_id, away % 3)
    tables.vote(table_id, away % 3, "undo", True)
    assert told(tables, table_id)[-1] == ("undone", here % 3, "")


def test_once_more_is_for_when_it_is_over_and_for_those_who_played(tables: Tables, lobby: Lobby) -> None:
    waiting, host = lobby.open("misohitomoji", Plan(3), "Aki")
    others = [lobby.sit(waiting.id, None, seat, name)[1] for seat, name in ((1, "Ben"), (2, "Chie"))]
    lobby.start(waiting.id, host)
    with pytest.raises(LobbyError, match="playing"):
        lobby.again(waiting.id, host)
    while not all_of(tables, waiting.id)["over"]:
        move(tables, waiting.id)
    following = lobby.again(waiting.id, host)
    lobby.plan(following, host, Plan(2), public=False)
    assert lobby.again(waiting.id, others[0]) == following
    assert lobby.again(waiting.id, others[1]) == following, "there is no room: it is the same table all the same"
    now = lobby.at(following)
    assert [now.seat_of(token) is not None for token in (host, *others)] == [True, True, False]


def test_whoever_plays_is_not_absent(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    later = wind(monkeypatch, tables)
    table_id = seated(tables)
    away = on_turn(tables, table_id)
    later(ABSENT_AFTER / 1000 + 1)
    tables.call_absent(table_id, (away + 1) % 3, away)
    move(tables, table_id)
    for each in (tables, fresh(tables)):
        with each.at(table_id) as table:
            assert table.proposal is None and table.stand_ins == {}
    with pytest.raises(AskError, match="none"):
        tables.vote(table_id, (away + 2) % 3, "absent", True)


# --------------------------------------------------------------------------------------------------- taking back


def test_all_must_agree_to_take_a_move_back_and_the_moment_still_grows(tables: Tables) -> None:
    table_id = seated(tables, "leaves13")
    seat = on_turn(tables, table_id)
    with tables.at(table_id) as table:
        before, number = table.game.record(), table.number
    move(tables, table_id)
    with tables.at(table_id) as table:
        moved = table.number
    tables.ask_back(table_id, seat)
    with pytest.raises(AskError, match="open"):
        tables.ask_back(table_id, seat)
    tables.vote(table_id, (seat + 1) % 3, "undo", True)
    with tables.at(table_id) as table:
        assert table.game.record() != before
    tables.vote(table_id, (seat + 2) % 3, "undo", True)
    for each in (tables, fresh(tables)):
        with each.at(table_id) as table:
            assert table.game.record() == before
            assert table.number > moved > number
    assert told(tables, table_id) == [("undone", seat, "")]
    with pytest.raises(StaleError):  # a page that shows the moment before, or the one taken back
        tables.play(table_id, seat, "pass", moved)
    move(tables, table_id, 4)
    assert all_of(fresh(tables), table_id) == all_of(tables, table_id)


def test_one_who_does_not_agree_is_enough(tables: Tables) -> None:
    table_id = seated(tables)
    seat = on_turn(tables, table_id)
    move(tables, table_id)
    with tables.at(table_id) as table:
        before = table.game.record()
    tables.ask_back(table_id, seat)
    tables.vote(table_id, (seat + 1) % 3, "undo", False)
    with fresh(tables).at(table_id) as table:
        assert table.game.record() == before and table.proposal is None
    assert told(tables, table_id) == [("refused", seat, "undo")]


def test_what_was_revealed_stays_seen(tables: Tables) -> None:
    table_id = seated(tables, "misohitomoji")
    seat = on_turn(tables, table_id)
    with pytest.raises(AskError, match="nothing"):
        tables.ask_back(table_id, seat)
    move(tables, table_id)  # and a card is drawn
    with pytest.raises(AskError, match="revealed"):
        tables.ask_back(table_id, seat)
    with pytest.raises(UnseatedError):
        tables.ask_back(table_id, None)


def test_a_move_made_meanwhile_ends_the_asking(tables: Tables) -> None:
    table_id = seated(tables)
    seat = on_turn(tables, table_id)
    move(tables, table_id)
    tables.ask_back(table_id, seat)
    move(tables, table_id)
    for each in (tables, fresh(tables)):
        with each.at(table_id) as table:
            assert table.proposal is None
    assert told(tables, table_id) == [("gone on", seat, "undo")]


def test_alone_with_bots_it_is_done_at_once(tables: Tables) -> None:
    bots = [Sitter("bot:random", "random")] * 2
    table_id = tables.open("leaves13", [Sitter("Aki"), *bots], settings=Settings(call=None)).table.id
    while on_turn(tables, table_id) != 0:
        move(tables, table_id)
    with tables.at(table_id) as table:
        before = table.game.record()
    move(tables, table_id)
    tables.ask_back(table_id, 0)
    with fresh(tables).at(table_id) as table:
        assert table.game.record() == before


def test_words_accepted_stay_when_a_move_is_taken_back(tables: Tables) -> None:
    game = new("jukugo_draft", players=[sitter.name for sitter in PEOPLE], seed=5)
    while True:  # until a decision that reveals nothing
        made, seat = len(game.events), game.seat
        game.play(game.moves()[0])
        if not revealed_since(game, made):
            break
    table_id = tables.put(game, PEOPLE, settings=Settings(call=None)).table.id
    tables.propose(table_id, 0, "花楽")
    for voter in (1, 2):
        tables.vote(table_id, voter, "花楽", True)
    tables.ask_back(table_id, seat)
    for voter in {0, 1, 2} - {seat}:
        tables.vote(table_id, voter, "undo", True)
    for each in (tables, fresh(tables)):
        with each.at(table_id) as table:
            assert table.game.record()["events"][-1] == ["*", "word 花楽"]
            assert len(table.game.events) == made + 1
    assert all_of(fresh(tables), table_id) == all_of(tables, table_id)


# ------------------------------------------------------------------------------------------------------- talking


def test_lines_and_phrases_are_kept_in_their_order(tables: Tables) -> None:
    table_id = seated(tables)
    tables.say(table_id, 1, "  こんにちは\u202e ")
    tables.say(table_id, 2, phrase="hello")
    for each in (tables, fresh(tables)):
        with each.at(table_id) as table:
            assert [(line.seat, line.text, line.phrase) for line in table.talk] == [
                (1, "こんにちは", None),
                (2, None, "hello"),
            ]


@pytest.mark.parametrize(
    ("talk", "text", "phrase", "why"),
    [
        ("off", "hi", None, "off"),
        ("off", None, "hello", "off"),
        ("phrases", "hi", None, "phrases"),
        ("free", "\u200b \u202e", None, "empty"),
        ("free", "x" * 201, None, "long"),
        ("free", None, "nonsense", "phrase"),
    ],
)
def test_what_may_not_be_said(tables: Tables, talk: Any, text: str | None, phrase: str | None, why: str) -> None:
    table_id = seated(tables, talk=talk)
    with pytest.raises(TalkError, match=why):
        tables.say(table_id, 0, text, phrase)
    with pytest.raises(UnseatedError):
        tables.say(table_id, None, text, phrase)


def test_those_who_wait_talk_too_and_it_is_still_there_when_they_play(tables: Tables, lobby: Lobby) -> None:
    table, host = lobby.open("leaves13", Plan(3), "Aki")
    lobby.say(table.id, host, "one more comes", None)
    assert [line.text for line in lobby.at(table.id).lines] == ["one more comes"]
    with pytest.raises(UnseatedError):
        lobby.say(table.id, None, "hi", None)
    lobby.start(table.id, host, bot="random")
    for each in (tables, fresh(tables)):
        with each.at(table.id) as begun:
            assert [line.text for line in begun.talk] == ["one more comes"]


# ------------------------------------------------------------------------------------------------------ watching


def test_those_who_watch_late_see_the_table_as_it_was(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    later = wind(monkeypatch, tables)
    table_id = seated(tables, watch="late", delay=10)
    move(tables, table_id, 2)
    with tables.at(table_id) as table:
        early = len(table.game.events)
    later(300)
    move(tables, table_id, 2)
    for each in (tables, fresh(tables)):
        with each.at(table_id) as table:
            start = table.times.stamps[0][0]
            at = table.times.since
            assert len(table.late(at).events) == start
            assert len(table.late(at + 301_000).events) == early
            assert len(table.late(at + 601_000).events) == len(table.game.events)


def test_open_hands_show_what_every_seat_knows(tables: Tables) -> None:
    table_id = seated(tables)
    with tables.at(table_id) as table:
        open_view = table.game.view(None, open_hands=True)
        hands = [table.view(seat)["piles"]["hand"][seat] for seat in range(3)]
        assert open_view["piles"]["hand"] == hands
        assert all(card is None for hand in table.view(None)["piles"]["hand"] for card in hand["cards"])


# ----------------------------------------------------------------------------------------------------- deleting


def test_who_may_delete_a_table(tables: Tables, lobby: Lobby) -> None:
    table, host = lobby.open("leaves13", Plan(3), "Aki")
    _, ben = lobby.sit(table.id, None, None, "Ben")
    with pytest.raises(UnseatedError):
        lobby.delete(table.id, ben)
    lobby.start(table.id, host, bot="random")
    for token in (host, ben, None):
        with pytest.raises(UnseatedError):
            lobby.delete(table.id, token)  # they play there
    bots, opener = lobby.open("leaves13", Plan(3), "Aki")
    lobby.leave(bots.id, opener)
    lobby.start(bots.id, opener, bot="random")
    for token in (host, None):
        with pytest.raises(UnseatedError):
            lobby.delete(bots.id, token)
    lobby.delete(bots.id, opener)  # bots alone play there
    with pytest.raises(UnknownTableError), tables.at(bots.id):
        pass
    mine = tables.open("leaves13", [Sitter("Aki"), *[Sitter("bot:random", "random")] * 2])
    lobby.delete(mine.table.id, mine.tokens[0])
    with pytest.raises(UnknownTableError), tables.at(mine.table.id):
        pass


def test_old_tables_are_deleted_with_all_that_is_kept_of_them(tables: Tables, lobby: Lobby) -> None:
    waiting, _ = lobby.open("leaves13", Plan(3), "Aki")
    playing = seated(tables)
    now = tables.store.table(playing)
    assert now is not None
    touched = now[0].touched
    assert tables.store.expire("waiting", touched - 1_000_000) == []
    assert tables.store.expire("waiting", touched + 1_000_000) == [waiting.id]
    assert tables.store.expire("over", touched + 1_000_000) == []
    with tables.at(playing):
        pass


def test_a_decision_that_is_chosen_twice_waits_once(tables: Tables) -> None:
    """A move that came too late is thought about again, perhaps while the next decision is thought about already."""
    bots = BotSeats(tables, 0.02, choose=first_move, warm=lambda rules: None)
    bots.start()
    problems: list[object] = []
    bots._loop.call_soon_threadsafe(bots._loop.set_exception_handler, lambda _, context: problems.append(context))
    try:
        table_id = tables.open("leaves13", [Sitter("bot:random", "random")] * 3).table.id
        for _ in range(20):
            bots._call(bots._later, table_id, 0.0)
            bots._call(bots._later, table_id, 0.0)
            time.sleep(0.01)
        wait_until(lambda: bots_events(tables, table_id).count("move") > 5)
    finally:
        bots.close()
    assert problems == []
