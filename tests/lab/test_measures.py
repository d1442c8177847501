"""The measures, on small games whose true values are known by hand."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from tefuda import bots, lab
from tefuda.engine.rules import Rules, find
from tefuda.lab import measures, store
from tefuda.lab.clauses import clauses, probes
from tefuda.lab.course import stands
from tefuda.lab.intervals import Interval
from tefuda.lab.measures.talk import information
from tefuda.lab.minutes import first_guess
from tefuda.lab.playing import play
from tefuda.lab.records import notable
from tefuda.lab.skill import bootstrap, places_by_deal, skill, split, trials
from tefuda.lab.store import Data, Store

TOYS = Path(__file__).parent / "toys.py"


def toys() -> Rules:
    return find(TOYS)


def data(name: str, games: int, level: str = "random", kept: int = 0, seats: int = 2, **options: Any) -> Data:
    return _data(name, games, level, kept, seats, tuple(options.items()))


@cache
def _data(name: str, games: int, level: str, kept: int, seats: int, options: tuple[tuple[str, Any], ...]) -> Data:
    rules, store = toys(), Store()
    cell = lab.cell(rules, seats, bots.parse_seats(level, seats, rules), {"game": name, **dict(options)}, seed=1)
    list(store.write(cell, play(cell, 0, games, kept=kept)))
    return store.data(cell)


def looked_at(found: Data, games: int, iterations: int = 60) -> dict[str, Any]:
    frame = pl.concat(list(stands(found, games, iterations)))
    frame.write_parquet(found.folder / "stands-0-0.parquet")
    return measures.course(found)


# ---------------------------------------------------------------------------------------------------- slice by slice


def test_measures_come_out_the_same_however_few_games_are_looked_at_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    found = data("guess", 120, kept=90, seats=3)

    def measured() -> list[Any]:
        of_kept = (measures.choices, measures.cards, measures.talk, measures.faults)
        return [measures.plain(each(found)) for each in of_kept]

    whole = measured()
    monkeypatch.setattr(store, "SLICE_DECISIONS", 20)
    slices = list(found.slices())
    assert len(slices) > 10 and sum(each.count for each in slices) == found.kept == 90
    assert measured() == whole


# ------------------------------------------------------------------------------------------------------- fairness


def test_a_fair_game_is_found_fair() -> None:
    found = measures.fairness(data("flip", 4000, seats=3))
    shares: Any = found["win_share_by_turn_order"]
    assert all(share.holds(1 / 3) for share in shares)
    assert found["evenness_by_turn_order"] > 0.05  # type: ignore[operator]
    assert found["games_needed"] == 4398


def test_a_known_edge_is_found() -> None:
    found = measures.fairness(data("flip", 4000, edge=10))
    first, second = found["win_share_by_turn_order"]  # type: ignore[misc]
    assert first.holds(0.6) and second.holds(0.4)
    assert found["edge_of_the_first"].holds(0.1)  # type: ignore[attr-defined]
    assert found["evenness_by_turn_order"] < 1e-6  # type: ignore[operator]
    assert found["evenness_by_seat"] > 0.01  # type: ignore[operator]


def test_scores_margins_and_shared_places() -> None:
    found: Any = measures.fairness(data("guess", 2000))
    assert found["shared_first_places"].value == 0
    assert found["margin"].holds(2)  # of two of the cards 1 to 5 the higher is 2 above the lower, on the mean
    assert found["score_by_place"][0].holds(4) and found["score_by_place"][1].holds(2)
    shared: Any = measures.fairness(data("guess", 2000, top=True))
    # Both right (1/5 · 1/5), or both wrong (4/5 · 4/5).
    assert shared["shared_first_places"].holds(0.68)


# --------------------------------------------------------------------------------------------------------- length


def test_length_is_what_the_rules_say() -> None:
    found: Any = measures.length(data("flip", 500, turns=7), first_guess())
    assert found["decisions_a_game"] == Interval(7, 7, 7)
    assert found["turns_a_game"].value == 7 and found["rounds_a_game"].value == 4
    guess = first_guess()
    seconds = guess.game + 7 * (guess.turn + guess.decision + guess.bit)  # of two moves one is a bit
    assert found["minutes_a_game"].value == pytest.approx(seconds / 60)
    assert [each.value for each in found["decisions_spread"]] == [7, 7, 7]


def test_choices_are_counted() -> None:
    found: Any = measures.choices(data("flip", 300, kept=100, seats=3, turns=7))
    assert found["legal_moves_a_decision"].value == 2
    assert found["forced_share"].value == 0 and found["bits_a_decision"].value == 1
    assert found["choices_a_seat"].value == pytest.approx(7 / 3)
    assert found["longest_wait"].value == 2 and found["longest_wait_share"].value == pytest.approx(2 / 7)
    assert found["moves_a_game"]["wait"].holds(3.5)
    assert found["games_with_move"]["wait"].holds(1 - 1 / 128)
    forced: Any = measures.choices(data("flip", 50, kept=50, idle=True))
    assert forced["forced_share"].value == 1 and forced["idle_seats"].value == 1
    assert forced["games_with_move"]["hop"].value == 0


def test_hidden_cards_are_those_a_seat_does_not_know() -> None:
    """Who lays knows one card of five; who speaks has laid it; who believes knows its own hand or what it laid."""
    found: Any = measures.choices(data("guess", 50, kept=50))
    assert found["hidden_share"].value == pytest.approx(4 / 5)


# --------------------------------------------------------------------------------------------------------- faults


def test_dead_ends_caps_and_loops_are_found() -> None:
    stuck: Any = measures.faults(data("flip", 2000, kept=200, fault="stuck"))
    assert stuck["stuck"].holds(0.25) and stuck["capped"].value == 0
    endless: Any = measures.faults(data("flip", 2000, kept=400, fault="endless"))
    assert endless["capped"].holds(0.25) and endless["stuck"].value == 0
    assert endless["positions_that_come_back"].holds(0.25)
    fine: Any = measures.faults(data("flip", 2000, kept=200))
    assert (fine["capped"].value, fine["stuck"].value, fine["positions_that_come_back"].value) == (0, 0, 0)


# ---------------------------------------------------------------------------------------------------------- cards


def test_a_card_is_worth_what_it_wins() -> None:
    found: Any = measures.cards(data("guess", 3000, kept=3000))
    for card in range(1, 6):  # it beats card - 1 of the four others
        assert found["dealt_card"][str(card)].holds((card - 1) / 4 - 0.5)
        assert found["played_card"][str(card)].holds(2 / 5)
        assert found["winners_played_card"][str(card)].value == pytest.approx(found["dealt_card"][str(card)].value)
    assert found["dealt_group"]["odd"].holds(0) and found["dealt_group"]["even"].holds(0)
    # Two of five: without an odd card only the pair 2, 4; with an odd one all others.
    assert found["played_group"]["odd"].holds(0.9) and found["played_group"]["even"].holds(0.7)


def test_the_last_card_is_that_of_the_last_decision() -> None:
    assert measures.cards(data("guess", 300, kept=300))["last_card"] == {}  # the last decision is to believe


# ----------------------------------------------------------------------------------------------------------- talk


def test_random_talk_lies_as_often_as_chance_and_gives_nothing_away() -> None:
    found: Any = measures.talk(data("guess", 2000, kept=2000))
    assert found["lies"].holds(0.5)
    assert found["claims_a_game"].value == 2
    assert found["claim_gives_away"].low == 0
    assert found["card_bits"] == pytest.approx(np.log2(5), abs=0.01)
    for truth in ("answers_to_lies", "answers_to_truths"):
        assert found[truth]["doubt"].holds(0.5) and found[truth]["believe"].holds(0.5)


def test_a_claim_that_tells_all_gives_all_away() -> None:
    assert information(np.diag([1000.0, 1000.0])) == pytest.approx(1, abs=0.01)
    assert information(np.full((2, 2), 1000.0)) == pytest.approx(0, abs=0.01)


# --------------------------------------------------------------------------------------------------------- course


def test_a_game_that_chance_settles_last_is_open_to_the_end() -> None:
    found = looked_at(data("flip", 80, kept=80, turns=6), 80)
    assert found["played_out"].value < 0.2 and found["settled_at"].value > 0.7
    assert found["comeback"].holds(0.5) and found["leader_wins"].holds(0.5)
    # The last decision but one is followed by the toss: that one of the five moves both by a half.
    assert found["interaction"].value == pytest.approx((0.25 / 5) ** 0.5, abs=0.02)
    assert found["swing"].value == pytest.approx(found["interaction"].value, rel=1e-5)
    assert found["drama"].value < 0.15


def test_a_game_that_chance_settles_first_is_settled_at_once() -> None:
    found = looked_at(data("flip", 30, kept=30, turns=6, early=True), 30)
    assert found["settled_at"].value == 0 and found["played_out"].value == 1
    assert found["lead_changes"].value == 0 and found["comeback"].value == 0 and found["leader_wins"].value == 1
    assert found["swing"].value == 0 and found["interaction"].value == 0


def test_a_mistake_moves_the_other_as_much_as_oneself() -> None:
    """Random players of nim give wins away, and of two one's loss is the other's gain."""
    found = looked_at(data("nim", 40, kept=40, sticks=9), 40, 200)
    assert found["swing"].low > 0.1
    assert found["interaction"].value == pytest.approx(found["swing"].value, rel=1e-5)


def test_notable_games_are_what_they_are_called() -> None:
    found = data("nim", 40, kept=40, sticks=9)
    looked_at(found, 40, 50)
    words = notable(found)
    lengths = dict(found.games.select("game", "decisions").collect().iter_rows())
    assert lengths[words["longest"]] == max(lengths.values())
    assert lengths[words["shortest"]] == min(lengths.values())
    assert abs(lengths[words["most_typical"]] - np.median(list(lengths.values()))) <= 1


# ---------------------------------------------------------------------------------------------------------- skill


def luck_of(name: str, deals: int, budget: int, seats: int = 2, **options: Any) -> dict[str, Any]:
    rules, store = toys(), Store()
    played = trials(rules, seats, rules.options({"game": name, **options}), 1, budget)
    for cell in played.cells():
        list(store.write(cell, play(cell, 0, deals * seats)))
    return skill({cell.id: store.data(cell) for cell in played.cells()}, played)


def test_a_coin_has_no_skill() -> None:
    found = luck_of("flip", 60, 8, seats=3)
    assert found["skill_share"].value < 0.05
    assert found["novice_place"].holds(0.5) and found["seer_place"].holds(0.5)
    assert all(step.holds(0.5) for step in found["ladder"].values())


def test_nim_has_no_luck() -> None:
    found = luck_of("nim", 25, 400)
    assert found["skill_share"].value > 0.9
    assert found["deal_share"].value < 0.1
    assert found["novice_place"].high < 0.2
    assert found["seer_place"].holds(0.5)  # there is nothing to see
    assert found["relative_skill"].value > 0.9


def test_seeing_the_card_to_be_guessed_is_worth_what_it_must_be() -> None:
    found = luck_of("guess", 80, 200, top=True)
    assert found["seer_place"].holds(1 - 1 / 8)  # the other guesses one in four
    assert found["novice_place"].holds(0.475)  # one in five against one in four
    assert found["relative_skill"].value < 0.25


def test_the_split_of_the_variance_finds_what_was_put_in() -> None:
    random = np.random.default_rng(1)
    deals, seats = 4000, 3
    bot = np.array([0.2, 0.0, -0.2])
    rotation, k = np.meshgrid(np.arange(seats), np.arange(seats), indexing="ij")
    deal = random.normal(0, 0.1, (deals, seats))
    places = 0.5 + bot + deal[:, (k + rotation) % seats] + random.normal(0, 0.15, (deals, seats, seats))
    total = np.mean(bot**2) + 0.01 + 0.0225
    assert split(places) == pytest.approx((np.mean(bot**2) / total, 0.01 / total, 0.0225 / total), abs=0.02)


def test_bootstrap_holds_the_truth_as_often_as_it_says() -> None:
    random = np.random.default_rng(2)
    held = sum(bootstrap(random.normal(3, 1, 60), np.mean).holds(3) for _ in range(200))
    assert held / 200 == pytest.approx(0.94, abs=0.05)


def test_places_by_deal_are_of_the_bots() -> None:
    rules, store = toys(), Store()
    cell = lab.cell(rules, 2, bots.parse_seats("search:400,random", 2, rules), {"game": "nim"}, rotate=True)
    list(store.write(cell, play(cell, 0, 21)))
    places = places_by_deal(store.data(cell))
    assert places.shape == (10, 2, 2)
    assert places[:, :, 0].mean() > 0.9
    assert places.sum(axis=2) == pytest.approx(1)


# -------------------------------------------------------------------------------------------------------- clauses


def test_clauses_are_found_where_they_stand() -> None:
    source = toys().source.splitlines()
    found = {probe.clause: source[probe.line - 1].strip() for probe in probes(toys())}
    assert found["TY-2"].startswith("return")
    assert found["TY-3"].startswith("s.bad = 0")
    assert found["TY-1"].startswith("if s.seats == 2")


def test_a_clause_comes_up_as_often_as_it_must() -> None:
    found: Mapping[str, Any] = clauses(data("flip", 400, kept=400, fault="stuck"), 400)
    assert found["clauses"]["TY-2"].holds(0.25)
    assert found["clauses"]["TY-3"].value == 0 and found["clauses_never"] == ["TY-3"]
    assert any("s.bad = 0" in line for line in found["lines_never"])
    assert found["clause_games"] == 400


def test_lines_that_never_run_are_told() -> None:
    found: Mapping[str, Any] = clauses(data("nim", 40, kept=40, sticks=9), 40)
    assert any("add(moves, WAIT)" in line for line in found["lines_never"])
    assert not any("s.left -= what" in line for line in found["lines_never"])
