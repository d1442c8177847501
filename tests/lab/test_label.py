"""The label of a box: it leaves out and proposes only what intervals carry, says what is undecided, and plays on until
it is decided."""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tefuda import lab
from tefuda.engine.rules import Rules, find
from tefuda.lab import texts
from tefuda.lab.deciding import decide
from tefuda.lab.findings import findings
from tefuda.lab.label import label, svg

TOYS = Path(__file__).parent / "toys.py"


def toys() -> Rules:
    return find(TOYS)


@cache
def _played() -> dict[str, Any]:
    settings = lab.settings_of(toys(), [2, 3], {"turns": [30]})
    plan = lab.Plan(games=400, kept=50, looked_at=0, clause_games=0, deals=0)
    return lab.run(lab.Study(toys(), settings, ("random",), plan, 1), threads=1).summary


def summary(seats: int | None = None, **measured: Any) -> dict[str, Any]:
    """Fair games of random players, in which some measures (with so many seats) are these instead."""
    found = deepcopy(_played())
    for each in found["results"]:
        n = each["seats"]
        each["looked_at"] = 7
        level = each["levels"]["random"]
        level["win_share_by_turn_order"] = [[1 / n, 1 / n - 0.03, 1 / n + 0.03]] * n
        level |= {"played_out": [0.2, 0.15, 0.25], "longest_wait_share": [0.1, 0.1, 0.1], "idle_seats": [0, 0, 0]}
        level |= {"choices_a_seat": [10, 9, 11], "hidden_share": [0.5, 0.49, 0.51], "bits_a_decision": [1, 0.9, 1.1]}
        level |= {"capped": [0.0, 0.0, 0.05], "interaction": [0.1, 0.05, 0.15]}
        if seats in (None, n):
            level |= measured
    return found


BEYOND = {
    "edge": ("win_share_by_turn_order", [[0.5, 0.4, 0.6], [0.2, 0.15, 0.26], [0.3, 0.2, 0.4]]),
    "played_out": ("played_out", [0.4, 0.36, 0.44]),
    "choices": ("choices_a_seat", [2, 1.5, 2.5]),
    "idle": ("idle_seats", [0.2, 0.1, 0.3]),
    "wait": ("longest_wait_share", [3.0, 2.9, 3.1]),
    "faults": ("capped", [0.1, 0.05, 0.15]),
}
ASTRIDE = {
    "edge": ("win_share_by_turn_order", [[0.4, 0.36, 0.44], [0.33, 0.3, 0.36], [0.27, 0.24, 0.32]]),
    "played_out": ("played_out", [0.396, 0.254, 0.538]),
    "choices": ("choices_a_seat", [2.9, 2.7, 3.1]),
    "idle": ("idle_seats", [0.06, 0.04, 0.08]),
    "wait": ("longest_wait_share", [0.7, 0.1, 1.3]),
    "faults": ("capped", [0.02, 0.005, 0.04]),
}


def test_what_lies_within_its_limits_is_proposed() -> None:
    found = label(toys(), summary())
    assert (found.seats, found.undecided, found.ages) == ((2, 3), (), (found.age,))
    assert found.players("ja") == "2〜3人" and found.more is None
    assert "no edge by turn order goes beyond 6 points" in " ".join(found.reasons("en"))


@pytest.mark.parametrize("what", BEYOND)
def test_a_number_of_players_is_left_out_where_an_interval_lies_beyond_its_limit(what: str) -> None:
    name, value = BEYOND[what]
    found = label(toys(), summary(3, **{name: value}))
    assert (found.seats, found.undecided) == ((2,), ())
    assert [reason.key for reason in found.held[3]] == [f"label.fails_{what}"]


@pytest.mark.parametrize("what", ASTRIDE)
def test_a_number_of_players_is_undecided_where_an_interval_reaches_to_both_sides(what: str) -> None:
    name, value = ASTRIDE[what]
    found = label(toys(), summary(3, **{name: value}))
    assert (found.seats, found.undecided) == ((2, 3), (3,))
    assert [reason.key for reason in found.held[3]] == [f"label.open_{what}"]
    assert found.players("ja") == "2〜3人（3人は未定）" and found.players("en") == "2–3 players (3: undecided)"
    told = {lang: found.reasons(lang) for lang in texts.LANGUAGES}
    assert any("まだわかりません" in each for each in told["ja"])
    assert any("games" in each and "cannot be told yet" in each for each in told["en"])
    assert "tefuda label toys.py --games 2000" in told["ja"][-1] and "--games 2000" in told["en"][-1]
    assert "3人は未定" in svg(toys(), found, "ja")
    assert found.data()["undecided"] == [3]
    keys = {each.key for each in findings(toys(), summary(3, **{name: value}))}
    assert "findings.seats_open" in keys and not keys & {"findings.seats_hold", "findings.seats_fail"}


def test_what_is_reckoned_of_some_games_is_said_to_be() -> None:
    games = {}
    for what, (name, value) in ASTRIDE.items():
        (reason,) = label(toys(), summary(3, **{name: value}) | {"plan": {"kept": 50, "looked_at": 7}}).held[3]
        games[what] = reason.values["games"]
    assert games == {"edge": "400", "faults": "400", "choices": "50", "idle": "50", "wait": "50", "played_out": "7"}


def test_the_edge_of_any_place_counts_not_only_the_widest() -> None:
    wide, narrow = [0.45, 0.32, 0.58], [0.41, 0.40, 0.42]
    found = label(toys(), summary(3, win_share_by_turn_order=[wide, narrow, [0.14, 0.1, 0.3]]))
    assert found.seats == (2,) and "41.0 %" in found.held[3][0].sentence("en")


def test_all_undecided_is_said_so() -> None:
    found = label(toys(), summary(played_out=[0.35, 0.3, 0.4]))
    assert found.undecided == found.seats == (2, 3)
    assert found.players("ja") == "2〜3人（まだ未定）" and found.players("en") == "2–3 players (undecided)"


def test_the_age_is_open_where_it_hangs_on_an_open_measure() -> None:
    found = label(toys(), summary(hidden_share=[0.7, 0.65, 0.75], bits_a_decision=[2.4, 2.2, 2.6]))
    assert (found.age, found.ages) == (10, (10,))
    found = label(toys(), summary(hidden_share=[0.59, 0.56, 0.62]))
    assert (found.age, found.ages) == (8, (8, 10))
    assert found.lines("ja")[2] == "8か10歳から" and found.lines("en")[2] == "8 or 10 and over"
    assert any("59.0 % (56.0–62.0)" in each and "8 or 10" in each for each in found.reasons("en"))
    assert found.more is not None


def test_the_age_is_open_where_it_hangs_on_which_numbers_of_players_hold() -> None:
    found = label(toys(), summary(3, played_out=[0.35, 0.3, 0.4], hidden_share=[0.8, 0.79, 0.81]))
    assert (found.seats, found.undecided, found.ages) == ((2, 3), (3,), (8, 10))
    assert any("hangs on which of the undecided numbers" in each for each in found.reasons("en"))
    found = label(toys(), summary(3, played_out=[0.35, 0.3, 0.4]))
    assert found.ages == (8,)


def test_the_best_number_is_named_where_it_is_clearly_ahead() -> None:
    assert label(toys(), summary()).best is None
    assert label(toys(), summary(3, played_out=[0.05, 0.0, 0.1])).best == 3
    assert label(toys(), summary(3, played_out=[0.18, 0.13, 0.23])).best is None
    open_but_ahead = summary(3, played_out=[0.05, 0.0, 0.1], choices_a_seat=[3, 2.9, 3.1], interaction=[0.3, 0.2, 0.4])
    assert label(toys(), open_but_ahead).undecided == (3,) and label(toys(), open_but_ahead).best is None


def test_more_is_played_where_it_is_undecided_and_the_same_seed_gives_the_same_label() -> None:
    asked: list[tuple[tuple[int, ...], int, int]] = []

    def play(study: lab.Study) -> lab.Finished:
        """Games of random players stand for those that search: with 3 players undecided until 400 are played."""
        games = study.plan.thinking
        asked.append((tuple(seats for seats, _ in study.settings), games, study.plan.looked_at))
        found = summary(3, played_out=[0.3, 0.2, 0.4] if games < 400 else [0.3, 0.28, 0.32])
        found["results"] = [each for each in found["results"] if each["seats"] in asked[-1][0]]
        return lab.Finished(study, None, found, {})  # type: ignore[arg-type]

    found = decide(toys(), play, most=8_000)
    assert asked == [((2, 3), 500, 25)] and not found.undecided
    asked.clear()
    found = decide(toys(), play, most=200)
    assert asked == [((2, 3), 200, 25)] and found.undecided == (3,)

    def never(study: lab.Study) -> lab.Finished:
        played = play(study)
        for each in played.summary["results"]:
            each["levels"]["random"]["played_out"] = [0.35, 0.3, 0.4] if each["seats"] == 3 else [0.1, 0.0, 0.2]
        return played

    def unfair(study: lab.Study) -> lab.Finished:
        played = play(study)
        for each in played.summary["results"]:
            if each["seats"] == 3:
                each["levels"]["random"] |= {ASTRIDE["edge"][0]: ASTRIDE["edge"][1], "played_out": [0.2, 0.1, 0.3]}
        return played

    asked.clear()
    assert decide(toys(), unfair, most=2_000).undecided == (3,)
    assert asked == [((2, 3), 500, 25), ((3,), 2_000, 25)]

    asked.clear()
    found = decide(toys(), never, most=3_000)
    assert asked == [((2, 3), 500, 25), ((3,), 2_000, 100), ((3,), 3_000, 400)] and found.undecided == (3,)
    assert json.dumps(found.data()) == json.dumps(decide(toys(), never, most=3_000).data())
