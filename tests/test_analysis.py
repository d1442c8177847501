"""Analysis: what a search finds at its root, decisions judged, turning points, the plot, and `tefuda analyse`."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from typer.testing import CliRunner, Result

import tefuda
from tefuda import bots, cli
from tefuda.bots import analysis, thinking
from tefuda.bots.analysis import Analysis, Judgement, TurningPoint
from tefuda.engine.game import Game, new
from tefuda.engine.plain import PlainState, to_record
from tefuda.engine.record import from_record, positions
from tefuda.engine.rules import Rules, find, game_ids
from tefuda.web import chances, pages

TESTS = Path(__file__).parent
SECRET_BIDS = TESTS / "secret_bids.py"
PEOPLE = TESTS / "records" / "jukugo_ten-people-3.fuda.json"
each_game = pytest.mark.parametrize("rules", [find(game) for game in [*game_ids(), SECRET_BIDS]], ids=lambda r: r.id)
FEW = bots.parse("search:12")


def finished(rules: Rules, seed: int, seats: int | None = None) -> Game:
    """A game played to its end at random."""
    game = new(rules, seats=seats or max(2, rules.least_seats), seed=seed)
    pick = np.random.default_rng(seed)
    while game.seat is not None:
        game.play_move(int(pick.choice(game.legal())))
    return game


def bids(seats: int, seed: int, *cards: str) -> Game:
    """A game of secret bids in which the first seats have bid these cards, and the others bid their first."""
    game = new(find(SECRET_BIDS), seats=seats, seed=seed)
    for card in cards:
        game.play(card)
    while game.seat is not None:
        game.play(game.moves()[0])
    return game


# ------------------------------------------------------------------------------------------ what a search found


@each_game
def test_a_search_tells_everybodys_chances(rules: Rules) -> None:
    for seats in range(rules.least_seats, rules.most_seats + 1):
        game = new(rules, seats=seats, seed=seats)
        if game.seat is None:
            continue
        decision = bots.consider(FEW, game.blind(game.seat), rules, game.options, seed=1)
        assert len(decision.chances) == seats
        assert sum(decision.chances) == pytest.approx(1)
        assert all(0 <= chance <= 1 for chance in decision.chances)
        assert sum(thought.visits for thought in decision.thoughts) == decision.iterations == 12
        for viewer in range(seats):
            reckoned = bots.reckon(FEW, game.blind(viewer), viewer, rules, game.options, seed=1)
            assert reckoned.iterations == 12
            assert sum(reckoned.chances) == pytest.approx(1)


def test_who_does_not_search_tells_no_chances() -> None:
    game = new("leaves13", seats=3, seed=1)
    known = game.blind(game.seat)
    for text in ("random", "greedy"):
        assert bots.consider(bots.parse(text), known, game.rules, game.options).chances == ()
        with pytest.raises(bots.BotError, match="search:1000"):
            bots.reckon(bots.parse(text), known, 0, game.rules, game.options)


def test_a_shared_first_place_counts_in_parts() -> None:
    rules = find(SECRET_BIDS)
    module = thinking.compiled(rules)
    facts = thinking.facts(rules, module, 3)
    room = thinking.room(rules, module, 3, facts.trees, 1)
    t = thinking.tables(rules, rules.options({}, 3), 3)
    module.clear_trees(facts, room)
    for given in ([7, 7, 2], [4, 4, 4], [1, 2, 3]):
        s = new(rules, seats=3, seed=1).state
        s.turn = 3
        for seat, bid in enumerate(given):
            s.bid[seat] = bid
        room.at[:] = range(facts.trees)
        module.give_back(to_record(s, rules.state_type)[0], t, facts, room)
    assert room.won.tolist() == pytest.approx([1 / 2 + 1 / 3, 1 / 2 + 1 / 3, 1 / 3 + 1])


def test_a_seat_reckons_by_what_it_knows_and_to_the_end() -> None:
    """Who laid the 9 is sure to win, whoever is on turn; the other does not know the number that was laid."""
    game = next(
        game for game in (new(find(SECRET_BIDS), seats=2, seed=seed) for seed in range(50)) if "9" in game.moves()
    )
    game.play("9")
    bot = bots.parse("search:300")
    seen = [bots.reckon(bot, game.blind(seat), seat, game.rules, game.options, seed=1).chances for seat in (0, 1)]
    assert seen == [(1, 0), (0, 1)]  # a private number is 0 to the others
    with pytest.raises(ValueError, match="over"):
        game.play(game.moves()[0])
        bots.reckon(bot, game.blind(0), 0, game.rules, game.options)


# -------------------------------------------------------------------------------------------------- a whole game


@each_game
def test_every_decision_is_judged(rules: Rules) -> None:
    game = next(g for g in (finished(rules, seed) for seed in range(3, 40)) if 3 < len(g.record()["events"]) < 700)
    calls: list[tuple[int, int]] = []
    found = analysis.analyse(game, FEW, progress=lambda done, total: calls.append((done, total)), most=1000)
    assert found is not None
    assert (found.game, found.rules, found.bot) == (rules.id, rules.version, "search:12")
    decided = [(n, event) for n, event in enumerate(game.events) if event.who != "*"]
    talk = {move.name for move in rules.moves if move.talk}
    thought = [(n, event) for n, event in decided if game.notation.move_of(event.move).name not in talk]
    assert [each.n for each in found.judged] == [n for n, _ in thought]
    assert (found.decisions, found.talk, found.left_out) == (len(decided), len(decided) - len(thought), 0)
    assert calls == [(i + 1, len(thought)) for i in range(len(thought))]
    then = {n: (position.moves(), position.seat) for n, position in positions(game)}
    for each, (n, event) in zip(found.judged, thought, strict=True):
        moves, seat = then[n]
        assert (each.seat, each.played) == (seat, game.event_text(event))
        assert each.number == [m for m, _ in decided].index(n) + 1
        assert {move.move for move in each.moves} == {
            text for text in moves if game.notation.move_of(game.notation.parse(text) or 0).name not in talk
        }
        assert sum(move.visits for move in each.moves) == each.iterations == 12
        assert sum(each.chances) == pytest.approx(1, abs=1e-5)
        assert all(margin > 0 for margin in each.margins)
        made = next(move for move in each.moves if move.move == each.played)
        if made.value is None:
            assert each.worse is None
        else:
            best = each.moves[0].value
            assert best is not None and each.worse == pytest.approx(max(0, best - made.value), abs=1e-4)
    assert game.result is not None
    first = game.result["ranks"].count(1)
    assert found.end == tuple((rank == 1) / first for rank in game.result["ranks"])
    assert Analysis.from_json(json.loads(json.dumps(found.to_json()))) == found


def test_the_same_analysis_again() -> None:
    game = finished(find("tebineri_cookie"), seed=5)
    assert analysis.analyse(game, FEW) == analysis.analyse(game, FEW)
    assert analysis.analyse(game, FEW) != analysis.analyse(game, FEW, seed=1)


def test_a_decision_is_judged_by_what_the_seats_know(monkeypatch: pytest.MonkeyPatch) -> None:
    """No search is given the state itself, but the information state of the seat that it is asked for."""
    game = finished(find("tebineri_cookie"), seed=5)
    given: list[tuple[int, bytes]] = []

    def consider(bot: bots.Bot, known: PlainState, *rest: Any) -> bots.Decision:
        given.append((int(known.turn), to_record(known, game.rules.state_type).tobytes()))
        return thinking.consider(bot, known, *rest)

    def reckon(bot: bots.Bot, known: PlainState, viewer: int, *rest: Any) -> bots.Reckoning:
        given.append((viewer, to_record(known, game.rules.state_type).tobytes()))
        return thinking.reckon(bot, known, viewer, *rest)

    monkeypatch.setattr(analysis, "consider", consider)
    monkeypatch.setattr(analysis, "reckon", reckon)
    analysis.analyse(game, FEW)
    seats, talk = len(game.players), {move.kind for move in game.rules.moves if move.talk}
    right = []
    for n, then in positions(game):
        if game.events[n].move >> 57 not in talk:
            assert then.seat is not None
            known = [to_record(then.blind(seat), game.rules.state_type).tobytes() for seat in range(seats)]
            right += [(then.seat, known[then.seat]), *enumerate(known)]
    assert given == right


def test_a_worse_move_is_judged_worse() -> None:
    low = next(bids(3, seed, "1") for seed in range(200) if {"1", "9"} <= set(dealt(seed)))
    found = analysis.analyse(low, bots.parse("search:1000"))
    assert found is not None
    first = found.judged[0]
    assert first.played == "1"
    assert first.worse is not None and first.margin is not None
    assert first.worse > 0.9 and 0 < first.margin < 0.5  # the 9 wins and the 1 loses, whoever holds what
    best = bids(3, 1, max(dealt(1)))
    found = analysis.analyse(best, bots.parse("search:1000"))
    assert found is not None
    assert (found.judged[0].worse, found.judged[0].margin) == (0, 0)


def dealt(seed: int) -> list[str]:
    """The cards of the first seat of three in secret bids."""
    return [text for text in new(find(SECRET_BIDS), seats=3, seed=seed).moves() if text != "hm"]


def test_what_only_people_may_do_is_not_judged() -> None:
    game = tefuda.load(PEOPLE)
    found = analysis.analyse(game, FEW, most=1000)
    assert found is not None
    wrong = [each for each in found.judged if each.played not in {move.move for move in each.moves}]
    assert wrong
    assert all(each.worse is None and each.margin is None for each in wrong)


def test_a_bot_of_few_words_judges_too() -> None:
    game = finished(find("jukugo_dice"), seed=2)
    found = analysis.analyse(game, bots.parse("search:5;vocabulary=0.2"), most=10, words=3)
    assert found is not None
    assert found.bot == "search:5;vocabulary=0.2"


def test_of_a_long_game_decisions_are_chosen_and_then_the_stretches_where_it_turned() -> None:
    game = finished(find("tebineri_cookie"), seed=7, seats=4)
    every = analysis.analyse(game, FEW, most=10_000)
    calls: list[tuple[int, int]] = []
    found = analysis.analyse(game, FEW, most=9, progress=lambda done, total: calls.append((done, total)))
    assert every is not None and found is not None
    thought = [each.n for each in every.judged]
    gap = -(-(len(thought) - 1) // 8)
    assert 9 < len(found.judged) <= 9 + 5 * (gap - 1)
    assert found.left_out == len(thought) - len(found.judged) > 0
    assert {thought[0], thought[-1]} <= {each.n for each in found.judged} <= set(thought)
    assert [done for done, _ in calls] == list(range(1, len(found.judged) + 1))
    assert calls[8] == (9, 9)
    assert calls[-1] == (len(found.judged), len(found.judged))
    places = [thought.index(each.n) for each in found.judged]
    assert max(b - a for a, b in itertools.pairwise(places)) <= gap
    after = {a: b for a, b in zip(places, [*places[1:], len(thought)], strict=True)}
    assert all(after[thought.index(point.n)] == thought.index(point.n) + 1 for point in found.turning_points)


def test_an_analysis_can_be_stopped() -> None:
    game = finished(find("leaves13"), seed=1)
    done: list[int] = []
    stopped = analysis.analyse(game, FEW, progress=lambda n, _: done.append(n), stop=lambda: len(done) >= 3)
    assert stopped is None
    assert done == [1, 2, 3]


def test_a_game_going_on_is_not_analysed() -> None:
    with pytest.raises(ValueError, match="hidden"):
        analysis.analyse(new("leaves13", seats=3, seed=1), FEW)


def test_what_does_not_search_cannot_judge() -> None:
    with pytest.raises(bots.BotError, match="search:1000"):
        analysis.analyse(finished(find(SECRET_BIDS), 1), bots.parse("random"))


def test_data_of_another_format_is_no_analysis() -> None:
    known = {"format": "tefuda-analysis/1"}
    for data in (None, [], {}, {"format": "tefuda-analysis/0"}, known, known | {"end": [], "judged": [3]}):
        with pytest.raises(ValueError, match="tefuda-analysis/1"):
            Analysis.from_json(data)


# ----------------------------------------------------------------------------------------------- turning points


def told(monkeypatch: pytest.MonkeyPatch, game: Game, shares: Sequence[Sequence[float]], margin: float) -> Analysis:
    """The analysis of a game whose decisions are found to leave the seats these chances."""
    rows = iter(shares)

    def judge(then: Game, event: Any, n: int, number: int, *_: Any) -> Judgement:
        row = tuple(next(rows))
        return Judgement(n, number, event.who, "", 1, (), None, None, row, (margin,) * len(row))

    monkeypatch.setattr(analysis, "_judge", judge)
    found = analysis.analyse(game, FEW)
    assert found is not None
    return found


def long_game() -> Game:
    """A game of three with some dozen decisions, won by seat 0."""
    rules = find("leaves13")
    return next(
        game
        for game in (finished(rules, seed, seats=3) for seed in range(100))
        if 12 < len(decided(game)) < 60 and game.result is not None and game.result["ranks"][0] == 1
    )


def decided(game: Game) -> list[int]:
    return [n for n, event in enumerate(game.events) if event.who != "*"]


def test_the_turning_points_are_the_largest_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    game = long_game()
    n = len(decided(game))
    changes = {2: 0.3, 4: -0.2, 5: 0.08, 7: -0.06, 8: 0.25, 10: 0.02}
    mine = [0.3]
    for i in range(n - 1):
        mine.append(mine[-1] + changes.get(i, 0))
    found = told(monkeypatch, game, [(p, 1 - p, 0) for p in mine], margin=0.001)
    at = {point.number - 1: point for point in found.turning_points}
    assert list(at) == [2, 4, 8, n - 1]  # the last decision won the game; of the small changes none is among three
    assert at[2].change == pytest.approx(0.3)
    assert (at[2].winner, at[4].winner) == (0, 1)
    assert at[2].before == pytest.approx((0.3, 0.7, 0)) and at[2].after == pytest.approx((0.6, 0.4, 0))
    assert at[n - 1].after == found.end == (1, 0, 0)
    for point in found.turning_points:
        later = [m for m in decided(game) if m > point.n]
        between = range(point.n + 1, later[0] if later else len(game.events))
        assert point.followed == tuple(between)
        assert all(game.events[m].who == "*" for m in between)


def test_three_may_turn_a_game_a_little(monkeypatch: pytest.MonkeyPatch) -> None:
    game = long_game()
    n = len(decided(game))
    changes = {2: 0.06, 4: 0.07, 5: 0.08, 7: 0.09, 8: 0.04}
    mine = [1 - sum(changes.values())]
    for i in range(n - 1):
        mine.append(mine[-1] + changes.get(i, 0))
    found = told(monkeypatch, game, [(p, 1 - p, 0) for p in mine], margin=0.001)
    assert [point.number - 1 for point in found.turning_points] == [4, 5, 7]


def test_what_may_be_chance_is_no_turning_point(monkeypatch: pytest.MonkeyPatch) -> None:
    game = long_game()
    n = len(decided(game))
    shares = [(0.9 + 0.1 * (i % 2), 0.1 - 0.1 * (i % 2), 0) for i in range(n)]
    assert told(monkeypatch, game, shares, margin=0.01).turning_points
    assert not told(monkeypatch, game, shares, margin=0.1).turning_points


# ------------------------------------------------------------------------------------------------------ the plot

NAMES = ["あなた", "Ichika & <b>", "けんた", "寿限無寿限無五劫の擦り切れ", "Fumi", "Ben"]


def drifting(seats: int, decisions: int, seed: int) -> Analysis:
    """An analysis with chances that drift at random."""
    pick = np.random.default_rng(seed)
    weights = np.exp(np.cumsum(pick.normal(0, 0.4, (decisions + 1, seats)), axis=0))
    rows = [tuple(row) for row in (weights / weights.sum(axis=1, keepdims=True)).tolist()]
    judged = tuple(
        Judgement(3 * i, i + 1, i % seats, f"m{i}", 9, (), None, None, rows[i], (0.021,) * seats)
        for i in range(decisions)
    )
    end = tuple(float(seat == 0) for seat in range(seats))
    places = sorted(pick.choice(decisions - 1, 5, replace=False).tolist())
    points = tuple(TurningPoint(3 * i, i + 1, i % seats, (3 * i + 1,), rows[i], rows[i + 1], 0.2) for i in places)
    return Analysis("leaves13", "1", "search:9", decisions, 0, judged, end, points)


@pytest.mark.parametrize("seats", range(1, 7))
def test_names_and_numbers_in_the_plot_cover_nothing(seats: int) -> None:
    labels = 0
    for seed in range(15):
        plot = chances.plot(drifting(seats, 6 + 20 * seed, seed), NAMES[:seats], str)
        assert plot is not None
        marks = [(mark.x * chances.WIDTH / 100, mark.y * chances.HEIGHT / 100) for mark in plot.marks]
        assert len(marks) == 5
        for i, (x, y) in enumerate(marks):
            assert 0 <= x <= chances.WIDTH and 0 <= y <= chances.HEIGHT
            assert all(np.hypot(x - a, y - b) >= 20 for a, b in marks[:i])
        boxes: list[tuple[float, float, float, float]] = []
        for i, line in enumerate(plot.lines):
            if line.label is None:
                continue
            labels += 1
            width = sum(13 if ord(c) > 255 else 7.5 for c in line.label.text)
            x, y = line.label.x * chances.WIDTH / 100, line.label.y * chances.HEIGHT / 100
            left, top, right, bottom = x - width / 2, y - 7, x + width / 2, y + 7
            assert left >= -1 and right <= chances.WIDTH + 1 and bottom <= chances.HEIGHT
            assert all(right < a or c < left or bottom < b or d < top for a, b, c, d in boxes)
            boxes.append((left, top, right, bottom))
            for j, other in enumerate(plot.lines):
                points = [tuple(map(float, place.split())) for place in re.split("[ML]", other.d)[1:]]
                beside = np.interp(np.arange(max(left, 0), right), *np.array(points).T * chances.WIDTH / chances.SCALE)
                assert not ((beside > top) & (beside < bottom)).any(), (i, j)
    assert labels >= 7 * seats  # of 15 each


def markup(found: Analysis, lang: str, mine: int | None = None) -> str:
    seats = len(found.end)
    return str(pages.render_chances(found, NAMES[:seats], lang, lambda n: f"<{n}>" if n % 3 == 0 else "", mine))


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_the_plot_tells_itself_in_words(lang: str) -> None:
    found = drifting(4, 40, 3)
    text = markup(found, lang, mine=0)
    root = ElementTree.fromstring(text)  # every tag is closed, every text escaped
    assert "style=" not in text and "<script" not in text
    assert "{" not in text and "chances." not in text
    plot = next(svg for svg in root.iter("svg") if svg.get("role") == "img")
    label = plot.get("aria-label") or ""
    for name, before, last in zip(NAMES, found.judged[0].chances, found.judged[-1].chances, strict=False):
        assert label.count(name) == 2
        assert re.search(rf"{round(100 * before)}\s?[%％]", label) and re.search(rf"{round(100 * last)}\s?[%％]", label)
    items = ["".join(item.itertext()) for item in root.iter("li")]
    for number, point in enumerate(found.turning_points, 1):
        told = next(item for item in items if item.startswith(f"{number}{NAMES[point.seat]}"))
        assert f"<{point.n}>" in told and str(point.number) in told
        change = [f"{round(100 * shares[point.winner])}" for shares in (point.before, point.after)]
        assert re.search(rf"{re.escape(NAMES[point.winner])} {change[0]}[%％] ?→ ?{change[1]}[%％]", told)
    classes = [path.get("class", "").split() for path in root.iter("path") if path.get("class", "").startswith("l ")]
    patterns = {each[2] for each in classes}
    assert len(patterns) == 4 and len(classes) == 8  # each line in the plot and beside its name
    assert sum("mine" in each for each in classes) == 2
    assert "±2" in text


def test_where_there_is_no_sentence_the_move_stands_as_it_is_written() -> None:
    found = drifting(3, 20, 1)
    text = str(pages.render_chances(found, NAMES[:3], "en", lambda n: ""))
    assert all(f" m{point.number - 1}</p>" in text for point in found.turning_points)


def test_a_game_without_turns_or_with_decisions_left_out_says_so() -> None:
    found = replace(drifting(3, 30, 1), turning_points=(), decisions=100)
    assert "No move changed the chances by much." in markup(found, "en")
    assert "30 of 100 were chosen" in markup(found, "en")
    assert "100手のうち30手" in markup(found, "ja")
    whole = markup(drifting(3, 30, 1), "en")
    assert "No move" not in whole and "chosen" not in whole


def test_a_game_in_which_nothing_was_decided_has_no_plot() -> None:
    assert markup(Analysis("leaves13", "1", "search:9", 0, 0, (), (1.0, 0.0), ()), "ja") == ""


# ---------------------------------------------------------------------------------------------- on the command line


def run(*arguments: object, lang: str = "en") -> Result:
    environment = {"LC_ALL": f"{lang}_XX.UTF-8", "COLUMNS": "200"}
    return CliRunner().invoke(cli.app, [str(argument) for argument in arguments], env=environment)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved game of cookies that was played to its end."""
    file = tmp_path_factory.mktemp("saved") / "game.fuda.json"
    finished(find("tebineri_cookie"), seed=5).save(file)
    return file


def test_analyse_shows_every_decision_and_the_turning_points(saved: Path) -> None:
    done = run("analyse", saved, "--bot", "search:100", "--best", 2)
    assert done.exit_code == 0, done.stderr
    game = tefuda.load(saved)
    found = analysis.analyse(game, bots.parse("search:100"))
    assert found is not None and found.turning_points
    lines = done.stdout.splitlines()
    for each in found.judged:
        line = next(line for line in lines if line.split()[:1] == [str(each.number)])
        assert each.played in line
        best = [
            f"{m.move} {m.visits / each.iterations:.0%} {m.value:.2f}" for m in each.moves[:3] if m.value is not None
        ]
        assert ", ".join(best[:2]) in line and (len(best) < 3 or best[2] not in line)
        assert [f"{100 * chance:.0f}" for chance in each.chances] == line.split()[-3:]
    turned = done.stdout.partition("Where the game turned:")[2].splitlines()
    assert [line.split()[0] for line in turned if " → " in line] == [str(p.number) for p in found.turning_points]
    japanese = run("analyse", saved, "--bot", "search:5", lang="ja").stdout
    assert "有力な手" in japanese and "decision" not in japanese


def test_analyse_gives_the_analysis_as_json(saved: Path) -> None:
    done = run("analyse", saved, "--bot", "search:10", "--json")
    assert done.exit_code == 0, done.stderr
    assert Analysis.from_json(json.loads(done.stdout)) == analysis.analyse(tefuda.load(saved), bots.parse("search:10"))


def test_analyse_says_when_decisions_were_left_out(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis.analyse, "__defaults__", (None, None, 20, 0, 0))
    done = run("analyse", saved, "--bot", "search:5")
    assert re.search(r"many decisions; \d+ of \d+ were chosen", done.stdout)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_analyse_says_what_it_cannot_judge(lang: str, saved: Path, tmp_path: Path) -> None:
    new("leaves13", seats=3, seed=1).save(tmp_path / "begun.fuda.json")
    for arguments, code, says in (
        ((tmp_path / "begun.fuda.json",), 1, {"en": "not over", "ja": "終わっていない"}[lang]),
        ((saved, "--bot", "random"), 2, "search:1000"),
        ((saved, "--bot", "serch:9"), 2, "search:1000"),
        ((saved, "--best", "0"), 2, "1"),
        ((tmp_path / "none.fuda.json",), 1, "none.fuda.json"),
    ):
        done = run("analyse", *arguments, lang=lang)
        assert done.exit_code == code
        assert done.stdout == ""
        assert says in done.stderr and "Traceback" not in done.stderr
        assert done.stderr.count("\n") == 1


def test_a_record_comes_back_position_by_position() -> None:
    game = tefuda.load(PEOPLE)
    seen = [(n, len(then.events), then.seat) for n, then in positions(game)]
    assert [n for n, _, _ in seen] == decided(game)
    assert all(n == length and game.events[n].who == seat for n, length, seat in seen)
    assert list(positions(from_record(new("leaves13", seats=3, seed=1).record()))) == []
