"""What stands in a report, of made-up numbers: legends, titles, cards, lengths."""

from __future__ import annotations

import re
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from tefuda import lab
from tefuda.engine.rules import Rules, find
from tefuda.lab.records import notable
from tefuda.lab.report import Page, report
from tefuda.lab.study import Finished

TOYS = Path(__file__).parent / "toys.py"


def toys() -> Rules:
    return find(TOYS)


@cache
def _played() -> Finished:
    """Every game of `flip` takes 30 decisions, and is as good as any other."""
    settings = lab.settings_of(toys(), [2, 3], {"turns": [30]})
    plan = lab.Plan(games=400, kept=50, looked_at=0, clause_games=0, deals=0)
    return lab.run(lab.Study(toys(), settings, ("random",), plan, 1), threads=1)


def summary(levels: list[str], **measured: Any) -> dict[str, Any]:
    found = deepcopy(_played().summary)
    found["levels"] = levels
    for each in found["results"]:
        each["levels"] = {level: each["levels"]["random"] | measured for level in levels}
    return found


def page(levels: list[str], **measured: Any) -> str:
    return report(toys(), summary(levels, **measured))


def test_a_legend_names_the_levels_of_the_study_and_no_others() -> None:
    two = page(["random", "greedy"])
    assert "circles: random bots, triangles: bots that look one step ahead." in two and "squares" not in two
    assert "丸はでたらめに打つボット、三角は一手だけ読むボット。" in two and "四角" not in two
    assert "triangles: bots that search (search:100)." in page(["random", "search:100"])


def test_the_parts_of_a_plot_are_titled_in_words_of_both_languages() -> None:
    text = page(["random"])
    for ja, en in (("2人", "2 players"), ("3人", "3 players")):
        assert re.search(rf'<text lang="ja"[^>]*>{ja}</text><text lang="en"[^>]*>{en}</text>', text)
    assert "@" not in re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL)


def test_games_that_are_all_alike_are_no_plot_and_none_of_them_is_the_longest() -> None:
    text = page(["random"])
    assert "2 players: every game takes 30 decisions" in text and "3人：どの回も30決断で終わります" in text
    assert Page(toys(), summary(["random"]), {}, str).lengths() is None
    other = summary(["random"])
    other["results"][0]["lengths"] = [[30, 100], [31, 100]]
    told = Page(toys(), other, {}, str)
    assert told.lengths() is not None and [n for _, n in told.one_length()] == [30]
    study = _played().study
    seats, options = study.settings[0]
    assert set(notable(_played().data(seats, options, "random"))) == {"most_typical"}


def test_one_game_that_is_the_most_in_both_ways_is_shown_once() -> None:
    found = summary(["random"])
    game = {"n": [0, 10, 30], "stands": [[0.5, 0.6, 1.0], [0.5, 0.4, 0.0]]}
    found["results"][0]["curves"] = {"most_dramatic": game, "most_typical": dict(game)}
    found["results"][1]["curves"] = {"most_dramatic": game, "most_typical": game | {"n": [0, 12, 30]}}
    assert [told for *_, told in Page(toys(), found, {}, str).courses()] == ["course_plot_one", "course_plot"]
    assert "The most typical game." in report(toys(), found)


WORTHS = {"1": [0.1, 0.05, 0.15], "5": [0.3, 0.2, 0.4], "3": [-0.2, -0.3, -0.1]}


def test_cards_stand_at_the_axis_by_name_and_what_is_not_shown_is_said() -> None:
    text = page(["random"], dealt_card=WORTHS, dealt_group={"odd": [0.1, 0.0, 0.2]})
    plot = text[text.index('id="cards"') :]
    plot = plot[: plot.index("</figure>")]
    names = re.findall(r"text-anchor: end[^>]*>([^<]*)</text>", plot)
    assert names == ["5", "1", "3"]
    assert "<b>" not in plot and "Only 2 players are shown" in plot and "図は2人だけです" in plot
    assert "In none of them" not in text  # all are odd or even


def test_cards_in_no_group_are_named_as_missing(tmp_path: Path) -> None:
    file = tmp_path / "toys.py"
    source = TOYS.read_text(encoding="utf-8")
    assert '"even": ("2", "4")' in source
    file.write_text(source.replace('"even": ("2", "4")', '"even": ("2",)'), encoding="utf-8")
    found = summary(["random"], dealt_card=WORTHS, dealt_group={"odd": [0.1, 0.0, 0.2]})
    text = report(find(file), found)
    assert "In none of them, and therefore not in the table: 4." in text and "表にありません：4。" in text


def test_long_names_have_signs_that_cannot_be_read_the_other_way_round(tmp_path: Path) -> None:
    file = tmp_path / "toys.py"
    file.write_text(TOYS.read_text(encoding="utf-8"), encoding="utf-8")
    long = "[cards]\n5 = 'a card with quite a long name'\n"
    for lang in ("ja", "en"):
        file.with_suffix(f".words.{lang}.toml").write_text(long, encoding="utf-8")
    text = report(find(file), summary(["random"], dealt_card=WORTHS))
    assert "<b>(1)</b>" in text and ">(1)</text>" in text and "a card with quite a long name" in text
