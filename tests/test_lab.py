"""The lab: the same games however many threads play them, records that come out the same, and honest intervals."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest, ttest_1samp

from tefuda import bots, lab, load
from tefuda.engine.game import new
from tefuda.engine.rules import OptionError, find, game_ids
from tefuda.lab import measures

SECRET_BIDS = Path(__file__).parent / "secret_bids.py"


def play(game: str | Path, seats: int, games: int, lineup: str, **more: object) -> lab.Results:
    rules = find(game)
    return lab.play_games(rules, seats, games, bots.parse_seats(lineup, seats, rules), **more)  # type: ignore[arg-type]


def same(a: lab.Results, b: lab.Results) -> bool:
    rows = ("seeds", "first", "decisions", "legal", "capped", "ranks", "scores")
    return all(np.array_equal(getattr(a, row), getattr(b, row)) for row in rows) and all(
        np.array_equal(x, y) for x, y in zip(a.histories, b.histories, strict=True)
    )


# -------------------------------------------------------------------------------------------------------- games


@pytest.mark.parametrize("lineup", ["random", "search:20,greedy,random"])
def test_threads_change_nothing(lineup: str) -> None:
    games = 2500 if lineup == "random" else 40
    one, two, four = (play("tebineri_cookie", 3, games, lineup, seed=5, threads=n, keep=3) for n in (1, 2, 4))
    assert same(one, two)
    assert same(one, four)
    assert not same(one, play("tebineri_cookie", 3, games, lineup, seed=6, keep=3))


def test_a_game_depends_on_the_seed_and_its_number_alone() -> None:
    few = play("leaves13", 4, 10, "random", seed=3)
    many = play("leaves13", 4, 1500, "random", seed=3, keep=4)
    assert np.array_equal(few.scores, many.scores[:10])
    assert len(np.unique(many.seeds)) == 1500


@pytest.mark.parametrize("game", game_ids())
def test_records_are_the_very_games_that_were_counted(game: str, tmp_path: Path) -> None:
    rules = find(game)
    for seats in range(rules.least_seats, rules.most_seats + 1):
        lineup = ",".join(["search:8", "greedy", "random", "random", "greedy", "random"][:seats])
        results = play(game, seats, 6, lineup, seed=seats, keep=5, rotate=True)
        files = lab.save_records(results, tmp_path / str(seats))
        assert len(files) == 5
        for number, path in enumerate(files):
            again = load(path)
            assert again.over
            assert again.result == {
                "ranks": results.ranks[number].tolist(),
                "scores": results.scores[number].tolist(),
                "capped": False,
            }
            assert [event.move for event in again.events if event.who != "*"] == results.histories[number].tolist()
            assert again.players == [f"bot:{bot}" for bot in results.bots_of(number)]
            assert results.bots_of(number)[number % seats] == bots.parse("search:8")


def test_records_of_long_games_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tefuda.lab.run.HISTORY", 16)
    results = play("leaves13", 3, 3, "random", options={"expert": True, "target": 30}, keep=2)
    assert min(results.decisions) > 16
    assert [len(game.events) > 16 for game in lab.records(results)] == [True, True]


def test_a_record_that_comes_out_differently_is_an_error() -> None:
    results = play("leaves13", 3, 2, "random", keep=2)
    assert len(list(lab.records(results))) == 2
    wrong = dataclasses.replace(results, ranks=3 - results.ranks)
    with pytest.raises(lab.ReplayError, match="game 0 of seed 0 was counted as"):
        lab.replay(wrong, 0)
    other = dataclasses.replace(results, histories=results.histories[::-1])
    with pytest.raises(lab.ReplayError, match="is not legal"):
        list(lab.records(other))


def test_a_game_is_dealt_again_by_its_seed() -> None:
    results = play("leaves13", 4, 3, "random", seed=9, keep=3)
    game = new("leaves13", seats=4, seed=int(results.seeds[2]))
    for move in results.histories[2].tolist():
        game.play_move(move)
    assert game.result is not None
    assert game.result["scores"] == results.scores[2].tolist()


def test_private_numbers_and_talk_are_played_too() -> None:
    results = play(SECRET_BIDS, 3, 400, "search:40,random,random", rotate=True, keep=5)
    assert results.by_bot()[0].low > 1 / 3
    assert len(list(lab.records(results))) == 5


def test_options_are_played() -> None:
    short = play("leaves13", 3, 50, "random")
    long = play("leaves13", 3, 50, "random", options={"expert": True})
    assert long.decisions_a_game().low > short.decisions_a_game().high
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
    assert results.by_bot()[0].low > 1 / 3
    assert results.places_by_bot()[0].low > 0.5


# ------------------------------------------------------------------------------------------------------ measures


def test_shares_sum_to_one() -> None:
    results = play("leaves13", 4, 500, "random", seed=2)
    for shares in (results.by_seat(), results.by_turn_order(), results.by_bot()):
        assert sum(share.value for share in shares) == pytest.approx(1)
        assert all(share.low < share.value < share.high for share in shares)


def test_shares_count_what_they_say() -> None:
    ranks = np.array([[1, 2, 3], [1, 1, 3], [1, 1, 1], [3, 2, 1]])
    results = dataclasses.replace(
        play("leaves13", 3, 4, "random"), rotate=True, ranks=ranks, first=np.array([0, 1, 2, 2], np.int8)
    )
    thirds = 1 / 3
    by_seat = [1 + 0.5 + thirds, 0.5 + thirds, thirds + 1]
    assert [share.value * 4 for share in results.by_seat()] == pytest.approx(by_seat)
    by_turn = [1 + 0.5 + thirds + 1, thirds, 0.5 + thirds]
    assert [share.value * 4 for share in results.by_turn_order()] == pytest.approx(by_turn)
    by_bot = [1 + 0.5 + thirds, thirds, 0.5 + thirds + 1]  # bot 0 sat in the seats 0, 1, 2, 0
    assert [share.value * 4 for share in results.by_bot()] == pytest.approx(by_bot)
    places = [(1 + 0.75 + 0.5 + 0) / 4, (0.5 + 0 + 0.5 + 0.5) / 4, (0 + 0.75 + 0.5 + 1) / 4]
    assert [place.value for place in results.places_by_bot()] == pytest.approx(places)


@pytest.mark.parametrize(("wins", "games"), [(0, 10), (3, 10), (10, 10), (940, 1000), (1, 200000)])
def test_shares_have_wilsons_interval(wins: int, games: int) -> None:
    known = binomtest(wins, games).proportion_ci(method="wilson")
    share = measures.share(wins, games)
    assert (share.value, share.low, share.high) == pytest.approx((wins / games, known.low, known.high), abs=1e-12)


def test_a_shared_first_place_is_a_part_of_a_win() -> None:
    share = measures.share(2.5, 10)
    assert share.value == 0.25
    assert measures.share(2, 10).low < share.low < share.value < share.high < measures.share(3, 10).high


def test_means_have_the_normal_interval() -> None:
    values = np.random.default_rng(1).poisson(80, 5000)
    known = ttest_1samp(values, 0).confidence_interval()
    mean = measures.mean(values)
    assert (mean.value, mean.low, mean.high) == pytest.approx((values.mean(), known.low, known.high), rel=1e-4)


def test_the_interval_of_a_ratio_holds_the_truth_as_often_as_it_says() -> None:
    random = np.random.default_rng(2)
    held = 0
    for _ in range(2000):
        counts = random.poisson(20, 200) + 1
        amounts = random.poisson(counts * random.gamma(20, 0.3, 200))  # 6 a count, games differ
        ratio = measures.ratio(amounts, counts)
        held += ratio.low <= 6 <= ratio.high
    assert held / 2000 == pytest.approx(0.95, abs=0.02)


def test_legal_moves_are_those_of_all_decisions() -> None:
    results = play("leaves13", 3, 30, "random", keep=30)
    counted = 0
    for number, game in enumerate(lab.records(results)):
        again = new(game.rules, seats=3, seed=int(results.seeds[number]))
        for move in results.histories[number].tolist():
            counted += len(again.moves())
            again.play_move(move)
    assert results.moves_a_decision().value == pytest.approx(counted / results.decisions.sum())
    assert results.data()["legal_moves_a_decision"][0] == results.moves_a_decision().value
