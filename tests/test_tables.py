"""Tables and their store: what was accepted is there after anything, and what was refused has changed nothing."""

from __future__ import annotations

import random
import sqlite3
import stat
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tefuda.bots import consider, parse
from tefuda.engine.chance import SecretChance, SeededChance
from tefuda.engine.game import Game, IllegalMove, new
from tefuda.engine.plain import SlipError, fields
from tefuda.engine.record import from_record
from tefuda.engine.rules import OptionError, Rules, UnknownGameError, find, game_ids, of_file
from tefuda.tables import (
    BadNameError,
    BotSeats,
    FormerRulesError,
    Settings,
    Sitter,
    StaleError,
    Store,
    StoreError,
    Tables,
    TableSpoiltError,
    UnknownTableError,
    UnseatedError,
    clean_name,
)
from tefuda.tables.schema import events, metadata, seats
from tefuda.tables.schema import tables as table_rows
from tefuda.tables.store import TakenError
from tefuda.tables.table import BotTurn
from tefuda.tables.table_names import PATTERN, new_table_name

SHELF = {game: find(game) for game in game_ids()}

PEOPLE = [Sitter("Aki"), Sitter("ボブ"), Sitter("Chie")]
WITH_BOTS = [Sitter("Aki"), Sitter("bot:random", "random"), Sitter("bot:random", "random")]


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty database, of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/tables.sqlite3"
        return
    url = request.getfixturevalue("postgres_url")
    _empty(url)
    yield url
    _empty(url)


def _empty(url: str) -> None:
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.execute(sa.text("DROP SCHEMA public CASCADE"))
        connection.execute(sa.text("CREATE SCHEMA public"))
    engine.dispose()


@pytest.fixture
def tables(database: str) -> Iterator[Tables]:
    """Tables with that database."""
    house = Tables(Store(database), SHELF)
    yield house
    house.store.close()


def again(tables: Tables) -> Tables:
    """The same store, as a server that has just started knows it: with nothing in memory."""
    return Tables(tables.store, SHELF)


def moment(tables: Tables, table_id: str) -> dict[str, Any]:
    """All that anybody may see of a table."""
    with tables.at(table_id) as table:
        viewers = [None, *range(len(table.sitters))]
        return {
            "views": [table.view(viewer) for viewer in viewers],
            "stories": [table.story(viewer) for viewer in viewers],
            "number": table.number,
            "last": table.last,
            "drawn": table.secret.used,
            "record": table.game.record(),
        }


def test_a_table_that_two_look_at_in_a_new_server_is_one_table(tmp_path: Path) -> None:
    """Else one of them could be shown it as it was before the other's move."""
    tables = Tables(Store(f"sqlite:///{tmp_path}/tables.sqlite3"), SHELF)
    table_id = tables.open("leaves13", PEOPLE).table.id
    started = again(tables)
    both, found = threading.Barrier(2, timeout=10), []
    read = started.store.table

    def read_together(name: str) -> Any:
        both.wait()
        return read(name)

    started.store.table = read_together  # type: ignore[method-assign]

    def look() -> None:
        with started.at(table_id) as table:
            found.append(table)

    threads = [threading.Thread(target=look) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 2 and found[0] is found[1]
    tables.store.close()


def play_some(tables: Tables, table_id: str, rng: random.Random, decisions: int = 10_000) -> int:
    """Random moves until the game is over, or so many; how many there were."""
    for made in range(decisions):
        with tables.at(table_id) as table:
            seat = table.game.seat
            if seat is None:
                return made
            text = rng.choice(table.game.moves(person=True))
        tables.play(table_id, seat, text)
    return decisions


# --------------------------------------------------------------------------------------------- a table is its events


def test_the_name_of_an_unknown_option_is_not_repeated_whole(tables: Tables) -> None:
    with pytest.raises(OptionError, match="has no option") as told:
        tables.open("leaves13", PEOPLE, {"x" * 1000: True})
    assert "expert" in str(told.value)
    assert len(str(told.value)) < 200


@pytest.mark.parametrize("game", game_ids())
def test_a_table_is_rebuilt_from_its_events_at_every_moment(tables: Tables, game: str) -> None:
    rng = random.Random(1)
    table_id = tables.open(game, PEOPLE, settings=Settings(assist=True, call=None)).table.id
    for _ in range(12):
        before = moment(tables, table_id)
        assert moment(again(tables), table_id) == before
        play_some(tables, table_id, rng, 3)
    play_some(tables, table_id, rng)
    after = moment(again(tables), table_id)
    assert after["views"][0]["over"]
    assert from_record(after["record"]).result == after["views"][0]["result"]


def test_chance_goes_on_after_a_restart_as_it_would_have_gone_on(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Expert mode deals again and again; with and without restarts the same key deals the same."""
    monkeypatch.setattr("tefuda.tables.tables.new_secret", lambda: SecretChance(bytes(32)))
    options = {"expert": True, "target": 15}
    opened = tables.open("leaves13", PEOPLE, options)
    key = opened.table.secret.key
    twin = Game(SHELF["leaves13"], [sitter.name for sitter in PEOPLE], options, SecretChance(key))
    rng = random.Random(2)
    current = tables
    while not twin.over:
        text = rng.choice(twin.moves())
        current = again(tables) if rng.random() < 0.1 else current
        seat = twin.seat
        twin.play(text)
        assert len(twin.events) == current.play(opened.table.id, seat, text).number
    with again(tables).at(opened.table.id) as table:
        assert table.game.record() == twin.record()
    assert sum(event.who == "*" for event in twin.events) > 2  # it did deal again


def test_a_move_and_the_chance_it_caused_are_one_row(tables: Tables) -> None:
    options = {"expert": True, "target": 5}
    table_id = tables.open("leaves13", PEOPLE, options).table.id
    play_some(tables, table_id, random.Random(3))
    found = tables.store.table(table_id)
    assert found is not None
    _, rows, _ = found
    assert [row.number for row in rows] == list(range(len(rows)))
    assert [row.kind for row in rows[:4]] == ["sit", "sit", "sit", "deal"]
    assert {row.kind for row in rows[4:]} == {"move"}
    assert rows[3].body["chance"][0].startswith("deck ")
    with tables.at(table_id) as table:
        told = [event.who == "*" for event in table.game.events]
    assert sum(len(row.body["chance"]) for row in rows[3:]) == sum(told)


def test_a_running_game_can_be_set_on_a_table(tables: Tables) -> None:
    game = new("tebineri_cookie", seed=5, players=[sitter.player for sitter in WITH_BOTS])
    for _ in range(7):
        game.play(game.moves()[0])
    opened = tables.put(game, WITH_BOTS, table_id="momiji-204", tokens={0: "a token"})
    assert opened.table.id == "momiji-204"
    with again(tables).at("momiji-204") as table:
        assert table.game.record() == game.record()
        assert table.seat_of("a token") == 0
    with pytest.raises(TakenError):
        tables.put(game, WITH_BOTS, table_id="momiji-204")


def test_a_table_can_be_dealt_from_a_seed(tables: Tables) -> None:
    opened = tables.open("leaves13", PEOPLE, chance=SeededChance(7))
    assert opened.table.game.record() == new("leaves13", seed=7, players=[s.name for s in PEOPLE]).record()
    play_some(tables, opened.table.id, random.Random(1), 5)
    assert moment(again(tables), opened.table.id)["views"] == moment(tables, opened.table.id)["views"]


def test_what_cannot_be_opened(tables: Tables) -> None:
    with pytest.raises(UnknownGameError, match="leaves13"):
        tables.open("chess", PEOPLE)
    with pytest.raises(OptionError, match="3 to 6 players, not 2"):
        tables.open("leaves13", PEOPLE[:2])
    with pytest.raises(OptionError, match="expert"):
        tables.open("leaves13", PEOPLE, {"expert": 1})
    for name in ("momiji-9999", "", "../x", "MOMIJI-204", "momiji-204\0", "a' or 1"):
        with pytest.raises(UnknownTableError), tables.at(name):
            pass


def test_games_not_at_hand_are_rebuilt(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tefuda.tables.tables.MOST_IN_MEMORY", 2)
    ids = [tables.open("leaves13", PEOPLE).table.id for _ in range(4)]
    for table_id in ids:
        assert play_some(tables, table_id, random.Random(0), 5) == 5
    assert len(tables._memory) == 2


# ------------------------------------------------------------------------------------------------- refused moves


def test_refused_moves_change_nothing_and_name_what_is_legal(tables: Tables) -> None:
    table_id = tables.open("leaves13", PEOPLE).table.id
    with tables.at(table_id) as table:
        seat, legal, number = table.game.seat, table.game.moves(), table.number
    assert seat is not None
    before = moment(tables, table_id)
    with pytest.raises(IllegalMove) as refused:
        tables.play(table_id, seat, "99x9", number)
    assert refused.value.legal == legal
    with pytest.raises(IllegalMove) as other:
        tables.play(table_id, (seat + 1) % 3, legal[0], number)
    assert other.value.legal == []
    with pytest.raises(UnseatedError):
        tables.play(table_id, None, legal[0], number)
    with pytest.raises(StaleError):
        tables.play(table_id, seat, legal[0], number - 1)
    assert moment(tables, table_id) == before
    assert moment(again(tables), table_id) == before


def test_the_same_move_twice_is_one_move(tables: Tables) -> None:
    table_id = tables.open("leaves13", PEOPLE).table.id
    with tables.at(table_id) as table:
        seat, text, number = table.game.seat, table.game.moves()[0], table.number
    tables.play(table_id, seat, text, number)
    with pytest.raises(StaleError):
        tables.play(table_id, seat, text, number)
    assert moment(tables, table_id)["number"] == number + 1


@pytest.mark.parametrize("shared", [True, False], ids=["one process", "several processes"])
def test_of_racing_moves_one_wins(tables: Tables, shared: bool) -> None:
    """Eight threads play whatever they see, all at once, as often as it takes: every decision is taken once."""
    table_id = tables.open("tebineri_cookie", PEOPLE).table.id
    houses = [tables] * 8 if shared else [again(tables) for _ in range(8)]
    won: list[tuple[int, str]] = []
    lost: list[int] = []
    start = threading.Barrier(8)

    def player(house: Tables, rng: random.Random) -> None:
        start.wait()
        for _ in range(15):
            with house.at(table_id) as table:
                seat, number = table.game.seat, table.number
                if seat is None:
                    return
                text = rng.choice(table.game.moves())
            try:
                house.play(table_id, seat, text, number)
                won.append((number, text))
            except StaleError:
                lost.append(number)

    threads = [threading.Thread(target=player, args=(house, random.Random(i))) for i, house in enumerate(houses)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) + len(lost) <= 120
    assert lost  # they did race
    numbers = [number for number, _ in won]
    assert len(set(numbers)) == len(numbers)
    record = moment(again(tables), table_id)["record"]
    assert [event[1] for event in record["events"] if event[0] != "*"] == [text for _, text in sorted(won)]
    for house in houses:
        assert moment(house, table_id)["record"] == record


# ------------------------------------------------------------------------------------------------ seats and names


def test_a_seat_is_held_by_its_token_alone(tables: Tables) -> None:
    opened = tables.open("leaves13", PEOPLE)
    other = tables.open("leaves13", PEOPLE)
    assert set(opened.tokens) == {0, 1, 2}
    assert len({*opened.tokens.values(), *other.tokens.values()}) == 6
    assert all(len(token) == 32 for token in opened.tokens.values())
    with again(tables).at(opened.table.id) as table:
        assert [table.seat_of(opened.tokens[seat]) for seat in range(3)] == [0, 1, 2]
        for forged in (None, "", "x", "0" * 32, other.tokens[0], opened.tokens[0].upper(), opened.tokens[0] + " "):
            assert table.seat_of(forged) is None
    with_bots = tables.open("leaves13", WITH_BOTS)
    assert set(with_bots.tokens) == {0}


def test_the_store_knows_no_token(tables: Tables) -> None:
    opened = tables.open("leaves13", PEOPLE)
    with tables.store.engine.connect() as connection:
        text = ""
        for one in (table_rows, events, seats):
            text += repr(connection.execute(sa.select(one)).all())
    for token in opened.tokens.values():
        assert token not in text
        assert repr(bytes.fromhex(token)) not in text


def test_names() -> None:
    assert clean_name("  あき \t ") == "あき"
    assert clean_name("Jose\u0301") == "José"
    assert clean_name("ａｂｃ　ｄ") == "abc d"
    assert clean_name("a\u202eb\u200bc\x00d\u2066e") == "abc de"
    assert clean_name("a\u2800\u3164b") == "a b"
    for nothing in "\u034f\u180b\u180f\ufe00\ufe0f\U000e0100\U000e01ef\U000e0041\u17b4\u2065\u00ad":
        assert clean_name(f"A{nothing}ki{nothing}") == "Aki"
    assert clean_name("ก็้" + "a" + 40 * "\u0316") == "ก็้" + "a" + 3 * "\u0316"
    assert clean_name("x" * 40) == "x" * 40
    for text, why in [
        ("", "empty"),
        ("\u200b\u202e \n", "empty"),
        ("\u0301", "empty"),
        ("\u3164\u115f\uffa0", "empty"),
        ("\u2800", "empty"),
        ("x" * 41, "long"),
        ("㌀" * 40, "long"),
        ("bot:search", "bot"),
        ("ＢＯＴ：x", "bot"),
        ("b\u200bot:", "bot"),
        ("Table", "house"),
        ("– TABLE –", "house"),
        ("Tab\u034f\u0316le:", "house"),
        ("卓", "house"),
        ("【場】", "house"),
        ("You", "house"),
        ("あなた", "house"),
    ]:
        with pytest.raises(BadNameError) as refused:
            clean_name(text)
        assert refused.value.why == why


def test_table_names_read_well_and_hardly_repeat() -> None:
    names = {new_table_name() for _ in range(200)}
    assert len(names) > 190
    assert all(PATTERN.fullmatch(name) for name in names)


# ----------------------------------------------------------------------------------------------------------- bots


def first_move(turn: BotTurn) -> int:
    """A bot that takes the first move its information state allows."""
    return _legal(turn)[0]


def _legal(turn: BotTurn) -> list[int]:
    game = object.__new__(Game)
    game.rules, game.state, game.notation = turn.rules, turn.known, turn.notation
    game.t = turn.rules.tables(turn.options, turn.seats)
    game.players = [""] * turn.seats
    return game.legal()


@pytest.fixture
def seated(tables: Tables) -> Iterator[Callable[..., BotSeats]]:
    """Makes bots that play at the tables; they stop with the test."""
    running: list[BotSeats] = []

    def start(**settings: Any) -> BotSeats:
        given = {"pause": 0, "choose": first_move, "warm": lambda rules: None, **settings}
        bots = BotSeats(tables, **given)
        bots.start()
        running.append(bots)
        return bots

    yield start
    for bots in running:
        if not bots._loop.is_closed():
            bots.close()


def wait_for_person(tables: Tables, table_id: str, seconds: float = 20) -> None:
    """Until a person's decision is due, or the game is over."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with tables.at(table_id) as table:
            if not table.bot_due:
                return
        time.sleep(0.005)
    raise AssertionError("the bots do not play")


@pytest.mark.parametrize("game", game_ids())
def test_bots_play_when_it_is_their_turn(tables: Tables, seated: Callable[..., BotSeats], game: str) -> None:
    seated()
    table_id = tables.open(game, WITH_BOTS, settings=Settings(assist=True, call=None)).table.id
    rng = random.Random(4)
    while True:
        wait_for_person(tables, table_id)
        with tables.at(table_id) as table:
            if table.game.over:
                break
            text = rng.choice(table.game.moves())  # with wrong calls a game could go on to its cap
        tables.play(table_id, 0, text)
    assert tables.store.due(0) == []


def test_after_a_restart_the_bots_go_on(tables: Tables, seated: Callable[..., BotSeats]) -> None:
    ids = [tables.open("leaves13", WITH_BOTS).table.id for _ in range(6)]
    waiting = tables.store.due(0)
    bots_only = tables.open("leaves13", [Sitter("bot:random", "random")] * 3).table.id
    assert set(waiting) <= set(ids)
    seated()
    for table_id in [*ids, bots_only]:
        wait_for_person(tables, table_id)
    with tables.at(bots_only) as table:
        assert table.game.over


def test_what_would_be_written_where_nobody_finds_it_is_refused(tmp_path: Path) -> None:
    """The file was deleted while the server runs: SQLite would go on writing to it, and a move would be lost."""
    path = tmp_path / "tables.sqlite3"
    path.write_bytes(b"")
    path.chmod(0o644)
    tables = Tables(Store(f"sqlite:///{path}"), SHELF)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    table_id = tables.open("leaves13", [Sitter("Aki"), Sitter("Ben"), Sitter("Chie")]).table.id
    with tables.at(table_id) as table:
        seat, move = table.game.seat, table.game.moves()[0]
    path.unlink()
    with pytest.raises(StoreError, match="is gone"):
        tables.play(table_id, seat, move)
    assert not path.exists()
    tables.store.close()


@pytest.mark.parametrize("url", ["", "sqlite+foo:///x.db", "postgresql://127.0.0.1:abc/x", "mysql://x/y"])
def test_a_url_that_is_none_is_told_in_a_sentence(url: str) -> None:
    with pytest.raises(ValueError, match=r"database URL|can be SQLite or PostgreSQL|name a file"):
        Store(url)


def test_bots_take_up_what_another_process_left(
    tables: Tables, seated: Callable[..., BotSeats], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that shares the store died while a bot was due: this one has not heard of the table, but looks."""
    monkeypatch.setattr("tefuda.tables.bot_seats.SECONDS_BETWEEN_LOOKS", 0.05)
    seated()
    other = Tables(tables.store, SHELF)  # nobody hears what happens there
    table_id = other.open("leaves13", [Sitter("bot:random", "random")] * 3).table.id
    wait_for_person(tables, table_id)
    with tables.at(table_id) as table:
        assert table.game.over


def test_a_bot_with_one_move_thinks_as_long_as_any_other() -> None:
    """How long it takes would tell that its hand left it no choice."""
    game = new("leaves13", seats=3, seed=1)
    while len(game.legal()) > 1:
        game.play_move(game.legal()[-1])
    assert game.seat is not None
    bot = parse("search:50")
    thought = consider(bot, game.blind(game.seat), game.rules, game.options, seed=1)
    assert thought.iterations == 50


def test_stopping_drops_a_choice_under_way(tables: Tables, seated: Callable[..., BotSeats]) -> None:
    choosing, go_on = threading.Event(), threading.Event()

    def slow(turn: BotTurn) -> int:
        choosing.set()
        go_on.wait(10)
        return first_move(turn)

    table_id = tables.open("leaves13", [Sitter("bot:random", "random")] * 3).table.id
    bots = seated(choose=slow)
    assert choosing.wait(10)
    before = moment(tables, table_id)["number"]
    threading.Thread(target=lambda: bots._stopped.wait(10) and go_on.set()).start()
    bots.close()
    assert moment(tables, table_id)["number"] == before
    assert tables.store.due(0) == [table_id]


def test_a_bot_is_handed_nothing_but_what_its_seat_knows(tables: Tables, seated: Callable[..., BotSeats]) -> None:
    """Two deals that look alike to seat 1 hand its bot the same bytes, and no chance with them."""
    handed: list[BotTurn] = []
    done = threading.Event()

    def watch(turn: BotTurn) -> int:
        handed.append(turn)
        if len({id(turn.notation) for turn in handed}) == 2:  # one may be asked twice
            done.set()
        raise RuntimeError("that is all")

    seated(choose=watch)
    names = ["Aki", "bot:random", "Chie"]
    sitters = [Sitter("Aki"), Sitter("bot:random", "random"), Sitter("Chie")]
    record = next(
        game.record()
        for game in (new("tebineri_cookie", seed=seed, players=names) for seed in range(100))
        if game.seat == 1
    )
    deck = record["events"][0][1].split()
    deck[5:17], deck[29:41] = deck[29:41], deck[5:17]  # seat 0 and seat 2 change hands
    swapped = {**record, "events": [["*", " ".join(deck)], *record["events"][1:]]}
    tables.put(from_record(record), sitters)
    tables.put(from_record(swapped), sitters)
    assert done.wait(10)
    one = handed[0]
    two = next(turn for turn in handed if turn.notation is not one.notation)
    assert (one.seat, one.spec, one.number) == (1, "random", two.number)
    for name in fields(one.known):
        assert repr(_plain(getattr(one.known, name))) == repr(_plain(getattr(two.known, name))), name
    assert vars(one).keys() == {"seat", "spec", "number", "rules", "notation", "options", "seats", "known", "words"}


def _plain(value: Any) -> Any:
    if hasattr(value, "rows"):
        return [list(row) for row in value.rows]
    return list(value) if hasattr(value, "values") else value


def test_bots_pause_so_that_people_can_follow_and_hurry_when_asked(
    tables: Tables, seated: Callable[..., BotSeats]
) -> None:
    bots = seated(pause=30.0)
    table_id = tables.open("leaves13", [Sitter("bot:random", "random")] * 3).table.id
    before = moment(tables, table_id)["number"]
    time.sleep(0.3)
    assert moment(tables, table_id)["number"] == before
    bots.hurry(table_id)
    wait_for_person(tables, table_id)
    with tables.at(table_id) as table:
        assert table.game.over


def test_a_bot_that_cannot_choose_is_told_of_and_tries_again(
    tables: Tables, seated: Callable[..., BotSeats], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("tefuda.tables.bot_seats.SECONDS_UNTIL_BROKEN", 0.05)
    failures = iter(range(3))

    def clumsy(turn: BotTurn) -> int:
        if next(failures, None) is not None:
            assert bots.at_a_loss <= {table_id}
            raise SlipError("card[99]: the places are 0 to 61")
        return first_move(turn)

    table_id = tables.open("leaves13", [Sitter("bot:random", "random")] * 3, table_id="hotaru-11").table.id
    bots = seated(choose=clumsy)
    wait_for_person(tables, table_id)
    assert not bots.at_a_loss
    assert caplog.text.count("the bot cannot choose") == 3


def test_preparing_is_told_until_it_is_done(tables: Tables, seated: Callable[..., BotSeats]) -> None:
    go_on, told = threading.Event(), threading.Event()

    def warm(rules: Rules) -> None:
        go_on.wait(10)
        if rules.id == "leaves13":
            raise RuntimeError("cannot be compiled")  # the page does not wait for ever for what never comes

    bots = seated(warm=warm)
    bots.prepared.append(lambda rules: told.set() if not any(map(bots.preparing, SHELF.values())) else None)
    assert all(bots.preparing(rules) for rules in SHELF.values())
    go_on.set()
    assert told.wait(10)
    assert not any(bots.preparing(rules) for rules in SHELF.values())


def test_a_bots_move_is_not_lost_when_the_store_is_busy(
    tables: Tables, seated: Callable[..., BotSeats], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tefuda.tables.bot_seats.SECONDS_UNTIL_STORE", 0.05)
    append, failures = tables.store.append, iter(range(3))

    def failing(*arguments: Any) -> None:
        if next(failures, None) is not None:
            raise StoreError("database is locked")
        append(*arguments)

    monkeypatch.setattr(tables.store, "append", failing)
    seated()
    table_id = tables.open("leaves13", [Sitter("bot:random", "random")] * 3).table.id
    wait_for_person(tables, table_id)
    assert next(failures, None) is None


# ---------------------------------------------------------------------------------------------- rules and versions


def maker_rules(tmp_path: Path, change: str = "") -> Rules:
    """A maker's own file: 13 Leaves under another name."""
    source = SHELF["leaves13"].source.replace('"id": "leaves13"', '"id": "my_leaves"') + change
    return of_file(tmp_path / "my_leaves.py", source)


def test_a_table_is_played_by_the_rules_it_began_with(tables: Tables, tmp_path: Path) -> None:
    rules = maker_rules(tmp_path)
    house = Tables(tables.store, {**SHELF, rules.id: rules})
    table_id = house.open("my_leaves", PEOPLE).table.id
    play_some(house, table_id, random.Random(0), 3)
    assert moment(Tables(tables.store, {rules.id: rules}), table_id)["number"] == moment(house, table_id)["number"]
    changed = maker_rules(tmp_path, "\n# changed\n")
    for shelf in ({rules.id: changed}, SHELF):
        with pytest.raises(FormerRulesError), Tables(tables.store, shelf).at(table_id):
            pass


def test_rules_that_break_spoil_no_table_in_memory(tables: Tables, tmp_path: Path) -> None:
    source = SHELF["leaves13"].source.replace('"id": "leaves13"', '"id": "my_leaves"')
    broken = source.replace("    kind, rank, n, _ = parts(choice)\n", "    s.minus[99] = 1\n", 1)
    rules = of_file(tmp_path / "broken.py", broken)
    house = Tables(tables.store, {rules.id: rules})
    table_id = house.open("my_leaves", PEOPLE).table.id
    before = moment(house, table_id)
    with house.at(table_id) as table:
        seat, text = table.game.seat, table.game.moves()[0]
    with pytest.raises(TableSpoiltError) as told:
        house.play(table_id, seat, text)
    assert "minus" not in str(told.value)  # what rules say of the state may be hidden
    assert moment(house, table_id) == before


def test_a_spoilt_store_is_refused_not_guessed(tables: Tables) -> None:
    table_id = tables.open("leaves13", PEOPLE).table.id
    play_some(tables, table_id, random.Random(0), 4)
    with tables.store.engine.begin() as connection:
        connection.execute(
            sa.update(events)
            .where(events.c.table_id == table_id, events.c.number == 5)
            .values(body={"move": "99x9", "chance": [], "drawn": 0})
        )
    with pytest.raises(TableSpoiltError), again(tables).at(table_id):
        pass


# --------------------------------------------------------------------------------------------------------- the store


def test_the_schema_is_what_the_migrations_make(tables: Tables) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    with tables.store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_opening_a_store_again_keeps_what_is_there(tables: Tables, database: str) -> None:
    table_id = tables.open("leaves13", PEOPLE).table.id
    other = Store(database)
    assert other.last_number(table_id) == tables.last_number(table_id)
    other.close()


def test_servers_that_start_together_migrate_once(database: str) -> None:
    stores: list[Store] = []
    threads = [threading.Thread(target=lambda: stores.append(Store(database))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(stores) == 4
    for store in stores:
        assert store.due(0) == []
        store.close()


def test_a_server_that_starts_waits_for_another_that_migrates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tefuda.tables.store.SECONDS_TO_WAIT", 0.05)
    path = tmp_path / "tables.sqlite3"
    Store(f"sqlite:///{path}").close()
    locker = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    locker.execute("BEGIN IMMEDIATE")
    threading.Timer(0.5, locker.execute, ["ROLLBACK"]).start()
    store = Store(f"sqlite:///{path}")
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar() == 50
    store.close()
    locker.close()


def test_sqlite_is_set_for_nothing_to_be_lost(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "in" / "tables.sqlite3"
    store = Store(f"sqlite:///{path}")
    with store.engine.connect() as connection:
        for pragma, value in (("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)):
            assert connection.exec_driver_sql(f"PRAGMA {pragma}").scalar() == value
    store.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_default_database_is_in_the_users_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("TEFUDA_DATA", raising=False)
    Store().close()
    assert (tmp_path / "tefuda" / "tables.sqlite3").is_file()
    monkeypatch.setenv("TEFUDA_DATA", str(tmp_path / "here"))
    Store().close()
    assert (tmp_path / "here" / "tables.sqlite3").is_file()


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("nonsense", "is no database URL"),
        ("sqlite://", "name a file"),
        ("sqlite:///:memory:", "name a file"),
        ("mysql://host/name", "SQLite or PostgreSQL, not mysql"),
    ],
)
def test_urls_that_make_no_sense(url: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Store(url)


@pytest.mark.parametrize(
    "url", ["mysqlx://aki:s3cret@host/db", "aki:s3@cret@host", "x://host/db?password=s3cret", "y" * 1000]
)
def test_a_url_is_told_without_its_password(url: str) -> None:
    with pytest.raises(ValueError, match="is no database URL") as told:
        Store(url)
    assert "cret" not in str(told.value)
    assert len(str(told.value)) < 200


def test_a_store_that_cannot_be_reached(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be written"):
        Store(f"sqlite:///{tmp_path}/file/tables.sqlite3")
    with pytest.raises(StoreError):
        Store(f"postgresql://nobody@/nothing?host={tmp_path}")


def test_a_full_disk_loses_nothing_and_is_recovered_from(tmp_path: Path) -> None:
    tables = Tables(Store(f"sqlite:///{tmp_path}/tables.sqlite3"), SHELF)
    chance = SeededChance(1)  # a game that is longer than the disk is large
    table_id = tables.open("tebineri_cookie", PEOPLE, chance=chance).table.id
    rng = random.Random(5)
    limit: list[int] = []

    @sa.event.listens_for(tables.store.engine, "checkout")
    def _fill(connection: Any, *_: Any) -> None:
        pages = limit[0] if limit else 1 << 30
        connection.execute(f"PRAGMA max_page_count = {pages}")

    with tables.store.engine.connect() as connection:
        limit.append(int(connection.exec_driver_sql("PRAGMA page_count").scalar_one()))
    kept = moment(tables, table_id)
    with pytest.raises(StoreError, match="full"):
        while not kept["views"][0]["over"]:
            play_some(tables, table_id, rng, 1)
            kept = moment(tables, table_id)
    assert moment(again(tables), table_id) == kept
    limit.clear()
    assert play_some(tables, table_id, rng, 1) == 1
    tables.store.close()


def test_a_locked_database_is_said_to_be_busy_and_recovers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tefuda.tables.store.SECONDS_TO_WAIT", 0.2)
    tables = Tables(Store(f"sqlite:///{tmp_path}/tables.sqlite3"), SHELF)
    table_id = tables.open("leaves13", PEOPLE).table.id
    before = moment(tables, table_id)
    locker = sqlite3.connect(tmp_path / "tables.sqlite3", isolation_level=None)
    locker.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="locked"):
        play_some(tables, table_id, random.Random(1), 1)
    assert moment(tables, table_id) == before  # reading goes on
    locker.execute("ROLLBACK")
    locker.close()
    assert play_some(tables, table_id, random.Random(1), 1) == 1
    assert moment(again(tables), table_id)["number"] == before["number"] + 1
    tables.store.close()
