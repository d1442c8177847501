"""What word games ask of a table: claims, silence, words of the table's own; and nothing tells a hand."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tefuda.engine.game import Game, IllegalMove, Judged, new
from tefuda.engine.record import from_record
from tefuda.engine.rules import find
from tefuda.tables import (
    AskError,
    BotSeats,
    Claim,
    Settings,
    Sitter,
    StaleError,
    Store,
    Tables,
    UnseatedError,
    WrongClaim,
    WrongClaimError,
)

KANJI = "花月人楽給水文本国行先歩中立場車徒器用格一二三四五六七八九十"
DECK = {"cards": [[kanji, 4 if kanji in "徒器" else 2 if kanji == "用" else 1] for kanji in KANJI], "jokers": 2}
OPTIONS = {"lexicon": "none", "deck": DECK, "words": ["徒花", "器用", "人々"]}

PEOPLE = [Sitter("Aki"), Sitter("Beni"), Sitter("Chie")]


def ten_with(hands: str, turned: str, seats: int = 2, names: list[str] | None = None) -> Game:
    """熟語テン at the point where seat 0, the dealer, gives itself the card that was turned: hands of three each."""
    rest = "".join(kanji for kanji in KANJI if kanji not in hands + turned) + "々々"
    deck = " ".join(hands + turned + rest)
    players = names or [f"P{seat}" for seat in range(seats)]
    game = new("jukugo_ten", seed=1, options=OPTIONS, players=players)
    events = [["*", f"deck {deck}"], ["*", "start 0"], [0, ">0"]]
    return from_record({**game.record(), "events": events})


@pytest.fixture
def game() -> Game:
    """Seat 0 holds 徒花器 and was given 用: a call."""
    return ten_with("徒花器一二三", "用")


# ------------------------------------------------------------------------------------------------------- claims


def test_a_true_claim_is_a_win_and_a_wrong_one_a_false_call(game: Game) -> None:
    assert game.claim("hand", [["徒", "花"], ["器", "用"]], "徒") == "=徒"
    assert game.claim("hand", [["器", "用"], ["徒", "花"]], "花") == "=花"
    for laid, keep, why, about in (
        ([["徒", "花"]], "徒", "new", ()),
        ([["器", "用"]], "器", "points", ()),
        ([["花", "徒"], ["器", "用"]], "徒", "none", ("花徒",)),  # no word in this order
        ([["徒", "花", "器", "用"]], "徒", "none", ("徒花器用",)),
    ):
        assert game.judge("hand", laid, keep) == Judged("false", why, about)


@pytest.mark.parametrize(
    ("laid", "keep", "why"),
    [
        ([], None, "nothing"),
        ([[]], "徒", "nothing"),
        ([["徒", "花"], ["徒", "用"]], "徒", "absent"),
        ([["一", "花"]], "花", "absent"),
        ([["no card"]], None, "absent"),
        ([["徒", "花"], ["器", "用"]], None, "keep"),
        ([["徒", "花"], ["器"]], "用", "keep"),
    ],
)
def test_a_claim_that_cannot_be_laid_costs_nothing(
    game: Game, laid: list[list[str]], keep: str | None, why: str
) -> None:
    before = game.record()
    with pytest.raises(IllegalMove) as refused:
        game.claim("hand", laid, keep)
    assert refused.value.why == why
    assert game.record() == before


def test_a_word_is_claimed_as_the_move_it_spells() -> None:
    game = new("jukugo_draft", seed=3, players=["Aki", "Beni"])
    while not game.moves()[0][1:]:
        game.play(game.moves()[0])
    word = next((move for move in game.moves() if move != "done"), None)
    assert word is not None
    assert game.claim("hand", [list(word)]) == word
    with pytest.raises(IllegalMove) as refused:
        game.claim("hand", [list(word), list(word)])
    assert refused.value.why in ("none", "absent")


def test_with_assist_off_nothing_lists_what_a_person_must_find(game: Game) -> None:
    assert "=徒" in game.moves()
    assert game.moves(person=True, assist=False) == ["pass", "false"]
    assert game.view(0, person=True, assist=False)["moves"] == ["pass", "false"]
    with pytest.raises(IllegalMove) as refused:
        game.play("=一")
    assert refused.value.legal == ["pass", "false"]
    assert "徒" not in str(refused.value).split("legal:")[1]


def test_assist_leaves_nothing_to_overlook() -> None:
    for seed in range(20):
        game = new("jukugo_babanuki", seed=seed, players=["Aki", "Beni"])
        if game.moves() != ["pass"]:
            break
    assert "pass" not in game.moves(person=True)
    assert game.moves(person=True, assist=False) == ["pass"]
    with pytest.raises(IllegalMove):
        game.play("pass", assist=True)
    game.play("pass")


# ----------------------------------------------------------------------------------------- words of the table's own


def test_an_accepted_word_counts_at_once_and_outlives_an_undo(game: Game) -> None:
    game.undo()
    game.play(">0")
    assert "=一" not in game.moves()
    game.accept("用花")
    assert game.events[-1].who == "*"
    assert game.record()["events"][-1] == ["*", "word 用花"]
    assert game.claim("hand", [["用", "花"]], "用") == "false"  # a word now, but worth 3
    game.undo()
    assert game.record()["events"][-1] == ["*", "word 用花"]
    assert "用花" in game.notation.names["words"]
    game.play(">0")
    assert from_record(game.record()).record() == game.record()
    assert game.options["words"] == OPTIONS["words"]  # the record's options are those it began with


@pytest.mark.parametrize("word", ["徒花", "々人", "花", "花月人楽給", "亜花", "", "花花", "人々"])
def test_what_cannot_be_a_word_here_is_refused_and_changes_nothing(game: Game, word: str) -> None:
    before = game.record()
    with pytest.raises(IllegalMove):
        game.accept(word)
    assert game.record() == before


@pytest.mark.parametrize(
    ("events", "at"),
    [
        (lambda e: [["*", "word 用花"], *e], 0),  # before the deal
        (lambda e: [e[0], ["*", "word 用花"], *e[1:]], 1),  # between chance
        (lambda e: [*e[:2], ["*", "word 徒花"], *e[2:]], 2),  # a word already
        (lambda e: [*e[:2], ["*", "word 用花"], ["*", "word 用花"], *e[2:]], 3),
        (lambda e: [*e[:2], ["*", "word 用花"], ["*", "start 0"], *e[2:]], 3),
    ],
)
def test_a_record_with_a_word_where_none_can_stand_is_refused(
    game: Game, events: Callable[[list[object]], list[object]], at: int
) -> None:
    from tefuda import RecordError

    record = game.record()
    with pytest.raises(RecordError) as refused:
        from_record({**record, "events": events(record["events"])})
    assert refused.value.event == at


def test_a_game_without_words_takes_none() -> None:
    with pytest.raises(IllegalMove):
        new("leaves13", seed=1).accept("花月")


# ------------------------------------------------------------------------------------------------------ at a table


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    """Tables in a store of their own."""
    games = {name: find(name) for name in ("jukugo_ten", "jukugo_draft", "leaves13")}
    store = Store(f"sqlite:///{tmp_path}/tables.sqlite3")
    yield Tables(store, games)
    store.close()


@pytest.fixture
def bot_seats(tables: Tables) -> Iterator[Callable[..., BotSeats]]:
    """Somebody who plays for bots, and for people who say nothing."""
    started: list[BotSeats] = []

    def start() -> BotSeats:
        bots = BotSeats(tables, pause=0.01, warm=lambda rules: None)
        bots.start()
        started.append(bots)
        return bots

    yield start
    for bots in started:
        bots.close()


def events_of(tables: Tables, table_id: str) -> list[list[object]]:
    with tables.at(table_id) as table:
        return list(table.game.record()["events"])


def wait_for(what: Callable[[], bool], seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def test_every_other_person_must_accept_a_word(tables: Tables) -> None:
    table_id = tables.open("jukugo_draft", [*PEOPLE, Sitter("bot:random", "random")]).table.id
    tables.propose(table_id, 0, "花楽")
    before = events_of(tables, table_id)
    with pytest.raises(AskError, match="open"):
        tables.propose(table_id, 1, "楽花")
    with pytest.raises(AskError, match="own"):
        tables.vote(table_id, 0, "花楽", True)
    with pytest.raises(AskError, match="none"):
        tables.vote(table_id, 1, "月花", True)
    tables.vote(table_id, 1, "花楽", True)
    assert events_of(tables, table_id) == before
    fresh = Tables(tables.store, tables.shelf)  # another process: the vote goes on from the store
    fresh.vote(table_id, 2, "花楽", True)
    for each in (fresh, tables):
        assert events_of(each, table_id) == [*before, ["*", "word 花楽"]]
        with each.at(table_id) as table:
            assert table.proposal is None
    with pytest.raises(AskError, match="counts already"):
        tables.propose(table_id, 1, "花楽")


def test_the_first_who_refuses_ends_the_vote(tables: Tables) -> None:
    table_id = tables.open("jukugo_draft", PEOPLE).table.id
    before = events_of(tables, table_id)
    tables.propose(table_id, 0, "花楽")
    tables.vote(table_id, 2, "花楽", False)
    assert events_of(Tables(tables.store, tables.shelf), table_id) == before
    tables.propose(table_id, 1, "花楽")


def test_who_may_not_propose(tables: Tables) -> None:
    alone = tables.open("jukugo_draft", [Sitter("Aki"), Sitter("bot:random", "random")]).table.id
    with pytest.raises(AskError, match="alone"):
        tables.propose(alone, 0, "花楽")
    table_id = tables.open("leaves13", PEOPLE).table.id
    with pytest.raises(AskError, match="game"):
        tables.propose(table_id, 0, "花楽")
    words = tables.open("jukugo_draft", PEOPLE).table.id
    with pytest.raises(UnseatedError):
        tables.propose(words, None, "花楽")
    with pytest.raises(UnseatedError):
        tables.vote(words, None, "花楽", True)
    with pytest.raises(AskError, match="花"):
        tables.propose(words, 0, "花")


def seated_ten(tables: Tables, settings: Settings, other: Sitter) -> str:
    """A table of 熟語テン where seat 0, a person, holds a call and is due."""
    game = ten_with("徒花器一二三", "用", names=["Aki", other.player])
    return tables.put(game, [Sitter("Aki"), other], settings=settings).table.id


def test_at_a_table_a_win_must_be_laid(tables: Tables) -> None:
    table_id = seated_ten(tables, Settings(call=None), Sitter("Beni"))
    with pytest.raises(IllegalMove) as refused:
        tables.play(table_id, 0, "=徒")  # trying for nothing
    assert refused.value.why == "claim"
    with pytest.raises(IllegalMove):
        tables.play(table_id, 1, Claim("hand", [["徒", "花"]], "徒"))
    tables.play(table_id, 0, Claim("hand", [["徒", "花"], ["器", "用"]], "徒"))
    assert events_of(tables, table_id)[3] == [0, "=徒"]


def test_a_wrong_claim_at_a_table_bars(tables: Tables) -> None:
    table_id = seated_ten(tables, Settings(call=None), Sitter("Beni"))
    tables.play(table_id, 0, Claim("hand", [["徒", "器"]], "徒"))
    assert events_of(tables, table_id)[3] == [0, "false"]
    with tables.at(table_id) as table:
        assert table.view(1)["state"]["barred"][0] == 1


def test_why_a_claim_was_wrong_is_told_to_its_maker_alone_until_the_next_decision(tables: Tables) -> None:
    table_id = seated_ten(tables, Settings(call=None), Sitter("Beni"))
    tables.play(table_id, 0, Claim("hand", [["徒", "花"], ["用", "器"]], "徒"))
    told = WrongClaim(3, ["徒花", "用器"], "none", ["用器"])
    for fresh in (tables, Tables(tables.store, tables.shelf)):  # also another process, from the store
        with fresh.at(table_id) as table:
            assert table.wrong_claim(0) is not None
            assert table.wrong_claim(0).as_json() == told.as_json()  # type: ignore[union-attr]
            assert table.wrong_claim(1) is None and table.wrong_claim(None) is None
            assert "用器" not in repr((table.view(1), table.story(1), table.view(None), table.story(None)))
    with tables.at(table_id) as table:
        tables.play(table_id, table.game.seat, table.game.moves()[0])
        while table.game.seat != 0:
            tables.play(table_id, table.game.seat, table.game.moves()[0])
        tables.play(table_id, 0, table.game.moves()[0])
        assert table.wrong_claim(0) is None


def test_a_table_with_assist_keeps_people_from_a_wrong_claim(tables: Tables) -> None:
    table_id = seated_ten(tables, Settings(call=None, assist=True), Sitter("Beni"))
    before = events_of(tables, table_id)
    with pytest.raises(WrongClaimError) as refused:
        tables.play(table_id, 0, Claim("hand", [["器", "用"]], "器"))
    assert refused.value.wrong.why == "points"
    assert events_of(tables, table_id) == before


def test_silence_passes_after_its_time_and_not_before(
    tables: Tables, bot_seats: Callable[..., BotSeats]
) -> None:
    bot_seats()
    table_id = seated_ten(tables, Settings(call=0.4), Sitter("Beni"))
    began = time.monotonic()
    wait_for(lambda: len(events_of(tables, table_id)) > 3)
    assert time.monotonic() - began >= 0.4
    assert events_of(tables, table_id)[3] == [0, "pass"]


def test_silence_lasts_as_long_whatever_the_hand(tables: Tables) -> None:
    full = seated_ten(tables, Settings(), Sitter("Beni"))
    empty = tables.put(ten_with("一二三徒花器", "四"), [Sitter("Aki"), Sitter("Beni")], settings=Settings()).table.id
    told = []
    for table_id in (full, empty):
        silence = tables.silence(table_id)
        assert silence is not None
        told.append((silence.seat, silence.text, silence.seconds, silence.number))
    assert told[0] == told[1]


def test_silence_can_be_held_once_and_a_move_ends_it(tables: Tables, bot_seats: Callable[..., BotSeats]) -> None:
    bots = bot_seats()
    table_id = seated_ten(tables, Settings(call=0.3), Sitter("Beni"))
    with tables.at(table_id) as table:
        number = table.number
    wait_for(lambda: table_id in bots._waiting)
    bots.hold(table_id, number)
    time.sleep(0.6)
    assert len(events_of(tables, table_id)) == 3
    tables.play(table_id, 0, Claim("hand", [["徒", "花"], ["器", "用"]], "徒"), number)
    assert events_of(tables, table_id)[3] == [0, "=徒"]
    with pytest.raises(StaleError):
        tables.play(table_id, 0, "pass", number)


def test_without_a_call_time_nobody_is_hurried(tables: Tables) -> None:
    assert tables.silence(seated_ten(tables, Settings(call=None), Sitter("Beni"))) is None
    assert tables.store.due(0) == []
    seated_ten(tables, Settings(), Sitter("Beni"))
    assert len(tables.store.due(0)) == 1


def test_a_bot_goes_on_at_once_when_a_person_has_answered(
    tables: Tables, bot_seats: Callable[..., BotSeats]
) -> None:
    bot_seats()
    table_id = seated_ten(tables, Settings(call=30.0), Sitter("bot:random", "random"))
    wait_for(lambda: len(events_of(tables, table_id)) == 3)
    tables.play(table_id, 0, "pass")
    tables.play(table_id, 0, ">1")
    wait_for(lambda: len(events_of(tables, table_id)) > 5)
    assert events_of(tables, table_id)[5][0] == 1
