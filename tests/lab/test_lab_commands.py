"""The lab's subcommands: what they print, what they refuse, in both languages."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner, Result

from tefuda import cli

TOYS = Path(__file__).parent / "toys.py"


def run(*arguments: object, lang: str = "en") -> Result:
    environment = {"LC_ALL": f"{lang}_XX.UTF-8", "COLUMNS": "200"}
    return CliRunner().invoke(cli.app, [str(a) for a in arguments], env=environment, prog_name="tefuda")


def fine(*arguments: object, lang: str = "en") -> str:
    result = run(*arguments, lang=lang)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return result.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["lab", TOYS, "--seats", "2-x"], "2-5, 2,4 or all"),
        (["lab", TOYS, "--seats", "2-5"], "2 to 3 players, not 4"),
        (["lab", TOYS, "--option", "turns=4,99"], "from 2 to 40, not '99'"),
        (["lab", TOYS, "--option", "turns"], "NAME=VALUE"),
        (["lab", TOYS, "--option", "tuns=3"], "no option 'tuns'"),
        (["lab", TOYS, "--resume"], "--out"),
        (["lab", TOYS, "--people", "x.json"], "--out"),
        (["lab", TOYS, "--bots", "random", "--bots", "search:5"], "--out"),
        (["lab", TOYS, "--out", "there", "--rotate"], "--rotate"),
        (["lab", TOYS, "--out", "there", "--people", "nothere.json"], "nothere.json"),
        (["lab", TOYS, "--out", "there", "--bots", "search:1s"], "search:1000"),
        (["compare", TOYS, "turns=4"], "second one, as in game=nim"),
        (["compare", TOYS, "turns=4", "turns=4,5"], "several values"),
        (["label", "nothere.py"], "nothere.py"),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(
    arguments: list[object], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for lang in ("en", "ja"):
        result = run(*arguments, lang=lang)
        assert (result.exit_code, result.stdout) == (2, ""), result.output
        assert result.stderr.count("\n") == 1
    assert says in run(*arguments).stderr
    assert not list(tmp_path.iterdir())


def test_several_settings_are_played_one_after_the_other() -> None:
    lines = fine("lab", TOYS, "--seats", "2,3", "--option", "turns=4,6", "--games", 20, "--json").splitlines()
    data = [json.loads(line) for line in lines]
    assert [(each["seats"], each["options"]["turns"]) for each in data] == [(2, 4), (2, 6), (3, 4), (3, 6)]
    assert [each["decisions_a_game"][0] for each in data] == [4, 6, 4, 6]


def test_the_ends_of_an_interval_stand_apart_as_the_language_has_it() -> None:
    asked = ("lab", TOYS, "--games", 20)
    assert "〜" in fine(*asked, lang="ja") and "–" not in fine(*asked, lang="ja")
    assert "–" in fine(*asked) and "〜" not in fine(*asked)


def test_a_game_without_options_has_no_variants(tmp_path: Path) -> None:
    file = tmp_path / "plain.py"
    source = TOYS.read_text(encoding="utf-8")
    start, end = source.index('    "options": {'), source.index('    "card_groups"')
    file.write_text(source[:start] + source[end:], encoding="utf-8")
    result = run("compare", file, "turns=4")
    assert result.exit_code == 2 and "has no options" in result.stderr


def test_a_report_is_written_into_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "report"
    asked = ["lab", TOYS, "--games", 200, "--bots", "random", "--option", "game=guess", "--out", folder]
    text = fine(*asked)
    assert "no advantage by turn order was found" in text and "What this does not tell:" in text
    assert str(folder / "report.html") in text and (folder / "report.html").is_file()
    assert json.loads((folder / "summary.json").read_text(encoding="utf-8"))["seed"] == 0
    again = run(*asked)
    assert again.exit_code == 2 and "--resume" in again.stderr
    assert "わからないこと" in fine(*asked, "--resume", lang="ja")
    other = run(*asked[:-4], "--out", folder, "--resume")
    assert other.exit_code == 2 and "otherwise" in other.stderr
    data = json.loads(fine(*asked, "--resume", "--json"))
    assert str(folder / "games.parquet") in data["files"]
    fine(*asked[:-1], tmp_path / "kept", "--decisions", 60)
    kept = pl.scan_parquet(tmp_path / "kept" / "decisions.parquet").select(pl.col("game").n_unique()).collect().item()
    assert kept == 60


def test_variants_are_compared_in_sentences() -> None:
    asked = ["compare", TOYS, "turns=4", "turns=6+idle=true", "--games", 200]
    assert "50 % (±1) more decisions" in fine(*asked)
    assert "50%（±1）" in fine(*asked, lang="ja")
    data = json.loads(fine(*asked, "--json"))
    assert data["differences"][0]["measures"][1]["difference"] == [2, 2, 2]


def test_a_label_is_proposed_with_reasons(tmp_path: Path) -> None:
    file = tmp_path / "label.svg"
    text = fine("label", TOYS, "--games", 100, "--out", file)
    assert "and over" in text and "The minutes are reckoned" in text
    assert file.read_text(encoding="utf-8").startswith("<svg")
    assert json.loads(fine("label", TOYS, "--games", 100, "--json"))["age"] in (6, 8, 10, 12, 13)
