"""What findings may be said of which numbers: each of made-up summaries, which are fast."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from tefuda import lab
from tefuda.engine.rules import Rules, find
from tefuda.lab import texts
from tefuda.lab.findings import findings

TOYS = Path(__file__).parent / "toys.py"


def toys() -> Rules:
    return find(TOYS)


@cache
def _played() -> dict[str, Any]:
    settings = lab.settings_of(toys(), [2, 3], {"turns": [30]})
    plan = lab.Plan(games=400, kept=50, looked_at=0, clause_games=0, deals=0)
    return lab.run(lab.Study(toys(), settings, ("random",), plan, 1), threads=1).summary


def with_skill(strongest: str, ladders: list[list[float]], seer: list[list[float]]) -> dict[str, Any]:
    """Games with what was found of luck and skill, by number of players."""
    found = deepcopy(_played())
    found["levels"] = ["random", strongest]
    for each, last, sees in zip(found["results"], ladders, seer, strict=True):
        each["levels"][strongest] = each["levels"]["random"]
        each["skill"] = {
            "skill_share": [0.2, 0.1, 0.3], "deal_share": [0.1, 0.0, 0.2], "rest_share": [0.7, 0.6, 0.8],
            "novice_place": [0.3, 0.2, 0.4], "seer_place": sees, "ladder": {"25": [0.7, 0.6, 0.8], "50": last},
        }  # fmt: skip
    return found


def told(summary: dict[str, Any]) -> dict[str, str]:
    return {each.key: each.sentence("en") for each in findings(toys(), summary)}


NOTHING = [0.5, 0.4, 0.6]
CLEARLY = [0.6, 0.54, 0.66]
BARELY = [0.55, 0.501, 0.599]
"""Beyond even by its own interval, and not where two are tested."""


def test_thinking_twice_as_long_is_told_of_bots_that_search_only() -> None:
    found = told(with_skill("search:100", [NOTHING, CLEARLY], [NOTHING, NOTHING]))
    assert (
        "bots that search 100 iterations still come out higher than others that search 50"
        in (found["findings.ladder_rises"])
    )
    assert found["findings.ladder_rises"].startswith("3 players:")
    for strongest in ("greedy", "random;1"):
        found = told(with_skill(strongest, [NOTHING, CLEARLY], [NOTHING, NOTHING]))
        assert not {"findings.ladder_rises", "findings.ladder_flat"} & set(found)


def test_one_of_several_that_is_barely_beyond_even_is_chance() -> None:
    found = told(with_skill("search:100", [NOTHING, BARELY], [NOTHING, BARELY]))
    assert "findings.ladder_rises" not in found and "findings.seer" not in found
    assert "no gain was found in searching 100 iterations rather than 50" in found["findings.ladder_flat"]
    found = told(with_skill("search:100", [NOTHING, [0.3, 0.2, 0.4]], [NOTHING, CLEARLY]))
    assert "findings.ladder_rises" not in found and "findings.seer" in found


def test_what_follows_lies_is_not_said_to_be_seeing_through_them() -> None:
    told = {lang: texts.text(lang, "measures.answers_to_truths.definition") for lang in texts.LANGUAGES}
    assert "need not mean" in told["en"] and "見破られているとは限りません" in told["ja"]
