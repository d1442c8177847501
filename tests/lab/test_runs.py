"""The lab's games: the same rows however many threads play them, and records that come out the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tefuda import bots, lab, load
from tefuda.engine.game import new
from tefuda.engine.rules import OptionError, find, game_ids
from tefuda.lab.playing import BATCH
from tefuda.lab.playing import play as play_cell
from tefuda.lab.store import Data, Store

SECRET_BIDS = Path(__file__).parent.parent / "secret_bids.py"


def play(game: str | Path, seats: int, games: int, lineup: str, **more: object) -> lab.Results:
    rules = find(game)
    return lab.play_games(rules, seats, games, bots.parse_seats(lineup, seats, rules), **more)  # type: ignore[arg-type]


def frames(data: Data) -> Iterator[pl.DataFrame]:
    for frame in (data.games, data.decisions, data.dealt):
        if frame is not None:
            yield frame.collect()


def games_of(results: lab.Results) -> pl.DataFrame:
    return results.rows.games.collect()


def same(a: lab.Results, b: lab.Results) -> bool:
    return all(one.equals(other) for one, other in zip(frames(a.rows), frames(b.rows), strict=True))


def records(results: lab.Results, games: int) -> Iterator[object]:
    for game in range(games):
        yield lab.replay(results.rows, game)


# -------------------------------------------------------------------------------------------------------- games


@pytest.mark.parametrize("lineup", ["random", "search:20,greedy,random"])
def test_threads_change_nothing(lineup: str) -> None:
    games = 2500 if lineup == "random" else 40
    one, two, four = (play("tebineri_cookie", 3, games, lineup, seed=5, threads=n, keep=games // 2) for n in (1, 2, 4))
    assert same(one, two)
    assert same(one, four)
    assert not same(one, play("tebineri_cookie", 3, games, lineup, seed=6, keep=games // 2))


def test_a_game_depends_on_the_seed_and_its_number_alone() -> None:
    few = games_of(play("leaves13", 4, 10, "random", seed=3))
    many = games_of(play("leaves13", 4, 5000, "random", seed=3, keep=4))
    assert_frame_equal(few.drop("repeats"), many[:10].drop("repeats"))
    assert many["seed"].n_unique() == many["bot_seed"].n_unique() == 5000


def test_rotated_games_have_the_same_deal_and_other_dice() -> None:
    rows = games_of(play("leaves13", 3, 9, "random", rotate=True))
    assert rows["deal"].to_list() == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert [part["seed"].n_unique() for part in rows.partition_by("deal")] == [1, 1, 1]
    assert rows["seed"].n_unique() == 3
    assert rows["bot_seed"].n_unique() == 9


@pytest.mark.parametrize("game", game_ids())
def test_records_are_the_very_games_that_were_counted(game: str, tmp_path: Path) -> None:
    rules = find(game)
    for seats in (rules.least_seats, rules.most_seats):
        lineup = ",".join(["search:8", "greedy", "random", "random", "greedy", "random"][:seats])
        results = play(game, seats, 6, lineup, seed=seats, keep=5, rotate=True)
        files = lab.save_records(results.rows, {str(n): n for n in range(5)}, tmp_path / str(seats))
        rows = results.rows.games.collect()
        for number in range(5):
            again = load(files[str(number)])
            assert again.over
            row = rows.row(number, named=True)
            assert again.result == {
                "ranks": [row[f"rank_{seat}"] for seat in range(seats)],
                "scores": [row[f"score_{seat}"] for seat in range(seats)],
                "capped": False,
            }
            moves = [event.move for event in again.events if event.who != "*"]
            assert moves == results.rows.moves_of(number)
            assert again.players == [f"bot:{bot}" for bot in results.cell.bots_of(number)]
            assert results.cell.bots_of(number)[number % seats] == bots.parse("search:8")


def test_what_is_written_of_a_decision_is_what_the_rules_say() -> None:
    """Against the plain rules: turns, rounds, legal moves, forced ones, kinds of moves, what is hidden, hands."""
    results = play("tebineri_cookie", 3, 4, "random", keep=4)
    games, decisions, dealt = (frame.rows_by_key("game", named=True) for frame in frames(results.rows))
    for number in range(4):
        (row,) = games[number]
        game = new("tebineri_cookie", seats=3, seed=row["seed"])
        held = {(each["seat"], each["card"]): each["n"] for each in dealt[number]}
        for seat in range(3):
            for kind in range(1, 53):
                weak = game.rules.state_type.pile_number("weak", seat)
                mine = game.state.count[seat, kind] + game.state.count[weak, kind]
                assert held.get((seat, kind), 0) == mine
        movers, forced, kinds = [], 0, dict.fromkeys((move.name for move in game.rules.moves), 0)
        for n, step in enumerate(sorted(decisions[number], key=lambda each: each["n"])):
            legal = game.legal()
            assert (step["n"], step["seat"], step["legal"]) == (n, game.seat, len(legal))
            view = game.view(game.seat)["piles"]
            piles = [pile for each in view.values() for pile in (each if isinstance(each, list) else [each])]
            assert step["hidden"] == sum(pile["size"] - len([c for c in pile["cards"] if c]) for pile in piles)
            movers.append(game.seat)
            forced += len(legal) == 1
            move = results.rows.moves_of(number)[n]
            kinds[game.notation.move_of(move).name] += 1
            game.play_move(move)
        turns = [seat for k, seat in enumerate(movers) if k == 0 or movers[k - 1] != seat]
        assert (row["start"], row["decisions"]) == (movers[0], len(movers))
        assert (row["turns"], row["rounds"]) == (len(turns), turns.count(movers[0]))
        assert row["forced"] == forced
        assert {name: row[f"made_{name}"] for name in kinds} == kinds


def test_long_games_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"expert": True, "target": 30}
    whole = play("leaves13", 3, 3, "random", options=options, keep=2)
    monkeypatch.setattr("tefuda.lab.playing.BOOK", 16)
    results = play("leaves13", 3, 3, "random", options=options, keep=2)
    assert same(whole, results)
    assert len(list(records(results, 2))) == 2


def test_a_book_that_is_full_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = play("leaves13", 3, 50, "random", keep=50)
    monkeypatch.setattr("tefuda.lab.playing.BOOK", 200)
    assert same(whole, play("leaves13", 3, 50, "random", keep=50))


def test_a_record_that_comes_out_differently_is_an_error() -> None:
    results = play("leaves13", 3, 2, "random", keep=2)
    assert len(list(records(results, 2))) == 2
    (file,) = results.rows.folder.glob("games-*")
    right = pl.read_parquet(file)
    right.with_columns(rank_0=3 - pl.col("rank_0")).write_parquet(file)
    with pytest.raises(lab.ReplayError, match="game 0 of seed 0 was counted as"):
        lab.replay(results.rows, 0)
    right.with_columns(pl.col("seed").reverse()).write_parquet(file)
    with pytest.raises(lab.ReplayError, match=r"is not legal|was counted as"):
        list(records(results, 2))


def test_private_numbers_and_talk_are_played_too() -> None:
    results = play(SECRET_BIDS, 3, 399, "search:40,random,random", rotate=True, keep=5)
    assert results.intervals("win_share_by_bot")[0].low > 1 / 3
    assert len(list(records(results, 5))) == 5


def test_options_are_played() -> None:
    short = play("leaves13", 3, 50, "random")
    long = play("leaves13", 3, 50, "random", options={"expert": True})
    assert long.measured["decisions_a_game"].low > short.measured["decisions_a_game"].high
    with pytest.raises(OptionError, match="target"):
        play("leaves13", 3, 50, "random", options={"target": 4})


@pytest.mark.parametrize(
    ("seats", "lineup", "error", "what"),
    [
        (7, "random", OptionError, "3 to 6 players"),
        (3, "search:0.1s", bots.BotError, "counts iterations"),
        (3, "random;vocabulary=all", bots.BotError, "no setting 'vocabulary'"),
    ],
)
def test_what_the_lab_cannot_play_is_refused(seats: int, lineup: str, error: type[Exception], what: str) -> None:
    with pytest.raises(error, match=what):
        lab.play_games(find("leaves13"), seats, 5, [bots.parse(lineup)] * seats)


def test_progress_counts_up_to_the_end() -> None:
    told: list[int] = []
    play("leaves13", 3, 2500, "random", progress=told.append, keep=2)
    assert told == sorted(told)
    assert told[-1] == 2500


def test_a_fault_in_the_caller_stops_the_run() -> None:
    def stop(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play("leaves13", 3, 3000, "random", progress=stop)


def test_it_stops_when_the_shares_are_exact_enough() -> None:
    results = play("leaves13", 3, 1_000_000, "random", until=0.02)
    shares = results.intervals("win_share_by_turn_order")
    assert max(share.half for share in shares) <= 0.02
    fewer = play("leaves13", 3, results.games - BATCH, "random")
    assert max(share.half for share in fewer.intervals("win_share_by_turn_order")) > 0.02


# ------------------------------------------------------------------------------------------------------ on disk


def test_what_was_broken_off_goes_on_to_the_same_rows(tmp_path: Path) -> None:
    cell = lab.cell(find("leaves13"), 3, [bots.parse("random")] * 3, seed=4)
    whole = Store(tmp_path / "whole")
    list(whole.write(cell, play_cell(cell, 0, 4000, kept=600)))
    broken = Store(tmp_path / "broken")
    writing = broken.write(cell, play_cell(cell, 0, 4000, kept=600))
    next(writing)
    next(writing)
    writing.close()
    done = broken.done(cell)
    assert 0 < done < 4000
    list(broken.write(cell, play_cell(cell, done, 4000, kept=600)))
    for one, other in zip(frames(whole.data(cell)), frames(broken.data(cell)), strict=True):
        assert_frame_equal(one, other)


def test_merged_rows_can_be_split_again(tmp_path: Path) -> None:
    rules = find("leaves13")
    cells = [lab.cell(rules, seats, [bots.parse("random")] * seats) for seats in (3, 4)]
    store = Store(tmp_path)
    before = []
    for cell in cells:
        list(store.write(cell, play_cell(cell, 0, 300, kept=50)))
        before.append(list(frames(store.data(cell))))
    store.merge(cells)
    assert not store.parts.exists()
    merged = pl.read_parquet(tmp_path / "games.parquet")
    assert merged["seats"].to_list() == [3] * 300 + [4] * 300
    assert json.loads(merged["options"][0])["expert"] is False
    assert merged.filter(pl.col("seats") == 3)["rank_3"].null_count() == 300
    again = Store(tmp_path)
    again.split(cells)
    assert [again.done(cell) for cell in cells] == [300, 300]
    for cell, old in zip(cells, before, strict=True):
        for one, other in zip(old, frames(again.data(cell)), strict=True):
            assert_frame_equal(one, other)


# ------------------------------------------------------------------------------------------------------ strength


@pytest.mark.parametrize(
    ("game", "games", "lineup"),
    [
        ("leaves13", 150, "greedy,random,random"),
        ("leaves13", 60, "search:200,random,random"),
        ("leaves13", 60, "search:300,greedy,greedy"),
        ("tebineri_cookie", 800, "greedy,random,random"),
        ("tebineri_cookie", 500, "search:400,random,random"),
        ("tebineri_cookie", 150, "search:400,greedy,greedy"),
    ],
)
def test_who_thinks_more_wins_more(game: str, games: int, lineup: str) -> None:
    results = play(game, 3, games, lineup, seed=1, rotate=True)
    assert results.intervals("win_share_by_bot")[0].low > 1 / 3
    assert results.intervals("place_by_bot")[0].low > 0.5
