"""Studies and their reports: the same whatever the threads, broken off or not; every sentence in both languages."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tefuda import bots, lab
from tefuda.engine.rules import Rules, find
from tefuda.lab import brief, texts
from tefuda.lab.background import Job
from tefuda.lab.findings import findings, unknown
from tefuda.lab.label import label, svg
from tefuda.lab.minutes import first_guess
from tefuda.lab.people import Answer, PlayReport, from_json
from tefuda.lab.report import TABLE, report

TOYS = Path(__file__).parent / "toys.py"
PLAN = lab.Plan(games=600, greedy=50, thinking=60, kept=100, looked_at=10, clause_games=20, deals=8, budget=16)


def toys() -> Rules:
    return find(TOYS)


def study(plan: lab.Plan = PLAN, reports: tuple[PlayReport, ...] = (), **options: list[Any]) -> lab.Study:
    settings = lab.settings_of(toys(), [2], {"game": ["guess"], **options})
    return lab.Study(toys(), settings, ("random", "search:16"), plan, 1, reports)


@cache
def summary() -> dict[str, Any]:
    return lab.run(study(), threads=1).summary


def test_the_same_seed_gives_the_same_summary_with_one_two_and_four_threads() -> None:
    for threads in (2, 4):
        assert json.dumps(lab.run(study(), threads=threads).summary) == json.dumps(summary())
    other = lab.Study(toys(), study().settings, study().levels, PLAN, 2)
    assert json.dumps(lab.run(other).summary["results"]) != json.dumps(summary()["results"])


def test_a_study_that_was_broken_off_ends_the_same(tmp_path: Path) -> None:
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 30

    lab.prepare(study(), tmp_path, resume=False)
    with pytest.raises(lab.Cancelled):
        lab.run(study(), tmp_path, stop=stop)
    with pytest.raises(lab.FolderError):
        lab.prepare(study(), tmp_path, resume=False)
    with pytest.raises(lab.FolderError):
        lab.prepare(study(top=[False, True]), tmp_path, resume=True)
    lab.prepare(study(), tmp_path, resume=True)
    finished = lab.run(study(), tmp_path, resume=True)
    assert json.dumps(finished.summary) == json.dumps(summary())
    files = lab.write_all(finished, tmp_path)
    assert {file.name for file in files} >= {
        "report.html", "summary.json", "playtest.json", "games.parquet", "decisions.parquet", "dealt.parquet",
        "stands.parquet",
    }  # fmt: skip
    assert not (tmp_path / "parts").exists()
    assert json.loads((tmp_path / "summary.json").read_text(encoding="utf-8")) == summary()
    again = lab.run(study(), tmp_path, resume=True)  # all is there: nothing is played
    assert json.dumps(again.summary) == json.dumps(summary())


def test_progress_comes_to_its_end() -> None:
    told: list[lab.Progress] = []
    lab.run(study(), progress=told.append)
    assert [far.done for far in told] == sorted(far.done for far in told)
    assert told[-1].done == pytest.approx(1, abs=0.02)
    assert any(far.shares for far in told) and json.dumps(told[-1].data())


# --------------------------------------------------------------------------------------------------------- report


def keys(node: Any, path: str = "") -> set[str]:
    if isinstance(node, dict):
        return {key for name, each in node.items() for key in keys(each, f"{path}.{name}")}
    return {path}


def test_every_text_is_in_both_languages_with_the_same_places() -> None:
    assert keys(texts.table("ja")) == keys(texts.table("en"))

    def places(text: str) -> set[str]:
        return {re.sub(r":.*", "", place) for place in re.findall(r"\{([^}]*)\}", text)}

    for key in keys(texts.table("en")):
        assert places(texts.text("ja", key[1:])) == places(texts.text("en", key[1:])), key


def test_every_measure_has_a_definition() -> None:
    defined = set(texts.table("en")["measures"])
    (result,) = summary()["results"]
    measured = {name for level in result["levels"].values() for name in level}
    assert measured - {"games", "clauses_never", "lines_never", "clause_games"} <= defined
    assert set(result["skill"]) <= defined
    assert set(TABLE) <= defined


def page() -> str:
    return report(toys(), summary())


def test_the_report_needs_nothing_else_and_its_links_lead_somewhere() -> None:
    text = page()
    assert "<script" not in text and "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", text)
    anchors = re.findall(r' id="([^"]+)"', text)
    assert len(anchors) == len(set(anchors))
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(anchors)
    for lang in texts.LANGUAGES:
        for each in [*findings(toys(), summary()), *unknown(toys(), summary())]:
            sentence = each.sentence(lang)
            assert "{" not in sentence and sentence.endswith((".", "。"))


def test_a_study_in_brief_lies_beside_the_rules_file(tmp_path: Path) -> None:
    file = tmp_path / "toys.py"
    shutil.copy(Path(__file__).parent / "toys.py", file)
    rules = find(file)
    assert brief.brief(rules, "en") is None
    usual = lab.Study(rules, lab.settings_of(rules, [2]), ("random", "search:16"), replace(PLAN, deals=4), 1)
    brief.save(rules, lab.run(usual).summary, brief.file_of(rules))
    assert brief.file_of(rules) == tmp_path / "toys.playtest.json"
    for lang in ("ja", "en"):
        told = brief.brief(rules, lang)
        assert told is not None and told.level == "search:16" and told.seats == (2,)
        assert {len(values) for _, values in told.rows} == {1} and len(told.rows) > 5
    for broken in ("{", "[]", '{"game": "toys", "results": [{"seats": 2}]}', '{"game": "other", "results": [1]}'):
        brief.file_of(rules).write_text(broken, encoding="utf-8")
        assert brief.brief(rules, "en") is None


def test_the_same_report_comes_out_of_the_same_numbers() -> None:
    assert page() == page()


def test_findings_say_what_is_wrong_first() -> None:
    settings = lab.settings_of(toys(), [2], {"game": ["flip"], "fault": ["stuck"], "edge": [30]})
    plan = lab.Plan(games=800, kept=50, looked_at=0, deals=0)
    found = lab.run(lab.Study(toys(), settings, ("random",), plan)).summary
    sentences = [each.sentence("en") for each in findings(toys(), found)]
    assert "nothing was legal" in sentences[0]
    assert any("decides first has an advantage" in sentence for sentence in sentences)
    proposed = label(toys(), found)
    assert proposed.seats == () and "not settled" in proposed.players("en")


def test_a_label_tells_its_reasons_and_what_the_author_says() -> None:
    proposed = label(toys(), summary())
    assert proposed.age in (6, 8, 10, 12, 13)
    for lang in texts.LANGUAGES:
        reasons = proposed.reasons(lang)
        assert len(reasons) >= 5 and all("{" not in reason for reason in reasons)
        picture = svg(toys(), proposed, lang)
        assert picture.startswith("<svg") and all(line in picture for line in proposed.lines(lang))
    claims = [claim.sentence("en") for claim in proposed.claims]
    assert any("rating for luck is 5" in claim for claim in claims)


# --------------------------------------------------------------------------------------------------------- people


def played(minutes: float) -> PlayReport:
    from tefuda.engine.game import new

    game = new(TOYS, seats=2, seed=1, options={"game": "guess"})
    while not game.over:
        game.play_move(game.legal()[0])
    answers = (Answer(fun=4, length=1, unclear="TY-2", line="楽しい <3"), Answer(fun=5))
    return PlayReport("toys", 2, dict(game.options), minutes, (3.0, 5.0), (1, 2), answers, game.record())


def test_minutes_are_fitted_to_people() -> None:
    """Six decisions, two turns each of three in a row; two have two choices twice."""
    guess = first_guess()
    seconds = guess.game + 3 * guess.turn + 6 * guess.decision + 4 * guess.bit
    reports = tuple(played(factor * seconds / 60) for factor in (1, 2, 4, 2, 2))
    people = lab.people.people(toys(), reports)
    assert people.minutes.games == 5
    assert people.minutes.decision == pytest.approx(2 * guess.decision)
    assert lab.people.people(toys(), reports[:4]).minutes == guess
    data = people.data(2, dict(reports[0].options))
    assert data is not None
    assert (data["games"], data["answers"], data["fun"][0], data["unclear"]) == (5, 10, 4.5, {"TY-2": 5})
    assert people.data(3, dict(reports[0].options)) is None


def test_people_stand_in_the_report_marked_as_such() -> None:
    found = lab.run(study(reports=tuple(played(6) for _ in range(5)))).summary
    assert found["minutes"]["games"] == 5
    text = report(toys(), found)
    assert "Only what stands here is from people" in text and "楽しい &lt;3" in text
    assert any("games of people took 6.0" in each.sentence("en") for each in findings(toys(), found))


@pytest.mark.parametrize(("text", "what"), [("[{}]", "lacks 'game'"), ("[1]", "not a list"), ("no", "Expecting value")])
def test_what_is_no_game_of_people_is_refused(text: str, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        from_json(text)


def test_games_of_people_are_read() -> None:
    each = {"game": "toys", "seats": 2, "options": {}, "minutes": 5, "answers": [{"fun": 3}]}
    (read,) = from_json(json.dumps([each]))
    assert (read.minutes, read.answers) == (5.0, (Answer(fun=3),))


# ----------------------------------------------------------------------------------------------- in the background


def test_a_study_in_the_background_can_be_watched_and_stopped() -> None:
    told: list[lab.Progress] = []
    job = Job(study(), told=told.append)
    assert job.wait(300) and job.error is None and job.finished is not None
    assert job.progress is told[-1]
    assert json.dumps(job.finished.summary) == json.dumps(summary())
    assert job.html() == page()
    stopped = Job(study(lab.Plan(games=50_000_000, deals=0)))
    stopped.cancel()
    assert stopped.wait(300) and stopped.finished is None and stopped.error is None
    with pytest.raises(ValueError, match="not finished"):
        stopped.html()


def test_what_goes_wrong_in_the_background_is_told() -> None:
    settings = lab.settings_of(toys(), [2])
    job = Job(lab.Study(toys(), settings, ("greedy",), PLAN))
    assert job.wait(300) and isinstance(job.error, bots.BotError)
