"""Plays every game at every seat count and writes the reports into docs/playtests: `make playtests`.

    python tools/playtests.py [--again] [GAME …]

For each game a page `GAME.html`, its numbers `GAME.json`, and records of the most dramatic and the most typical game;
and a few of the numbers beside its rules file, for the page of what people felt of it.
`--again` makes the pages anew from the numbers that are there, and plays nothing. README.md and README.ja.md tell what
was learned from them all: every figure in them comes from these numbers, and the questions they answer, with how much
is played of each game, stand in playtests.toml.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tefuda import lab
from tefuda.engine.rules import Rules, find, game_ids
from tefuda.lab import brief
from tefuda.lab.findings import findings
from tefuda.lab.label import label
from tefuda.lab.report import report
from tefuda.words import words

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "docs" / "playtests"
ROWS = ROOT / "build" / "playtests"
"""Where rows are until a game's report is written: what was broken off goes on from there."""

PLANS = Path(__file__).with_name("playtests.toml")
SHOWN = ("most_dramatic", "most_typical")
SEED = 1


def plan_of(game: str) -> lab.Plan:
    """How much is played of a game."""
    plans = tomllib.loads(PLANS.read_text(encoding="utf-8"))
    return lab.Plan(**{**plans["usual"], **plans.get(game, {})})


def play(rules: Rules) -> tuple[dict[str, Any], dict[str, dict[str, Path]]]:
    """Study a game at every seat count; its summary, and records of games to look at."""
    plan = plan_of(rules.id)
    settings = lab.settings_of(rules, range(rules.least_seats, rules.most_seats + 1))
    study = lab.Study(rules, settings, lab.levels_of(rules, plan.budget), plan, SEED)
    begun, told = time.monotonic(), -1

    def tell(far: lab.Progress) -> None:
        nonlocal told
        if int(20 * far.done) > told:
            told = int(20 * far.done)
            print(f"{rules.id}: {far.done:.0%} after {time.monotonic() - begun:.0f} s", flush=True)

    folder = ROWS / rules.id
    resume = (folder / lab.ASKED).is_file()
    try:
        lab.prepare(study, folder, resume)
    except lab.FolderError:  # it was begun by another plan
        shutil.rmtree(folder)
        resume = False
        lab.prepare(study, folder, resume)
    finished = lab.run(study, folder, resume=resume, progress=tell)
    records = OUT / "records"
    records.mkdir(parents=True, exist_ok=True)
    kept: dict[str, dict[str, Path]] = {}
    for setting, files in finished.records.items():
        kept[setting] = {}
        for word in SHOWN:
            if word in files:
                kept[setting][word] = files[word].rename(records / files[word].name)
    shutil.rmtree(folder)
    return finished.summary, kept


def records_of(rules: Rules, summary: Mapping[str, Any]) -> dict[str, dict[str, Path]]:
    """The records that are there, by setting and why."""
    out: dict[str, dict[str, Path]] = {}
    for n, each in enumerate(summary["results"]):
        files = {word: OUT / "records" / f"{rules.id}-{each['seats']}-{word}.fuda.json" for word in SHOWN}
        out[str(n)] = {word: file for word, file in files.items() if file.is_file()}
    return out


# ------------------------------------------------------------------------------------------------ what was learned

PAGES = {"ja": "README.ja.md", "en": "README.md"}

MOST = 6
"""So many findings of each game stand on the page."""

FRAME: dict[str, dict[str, Any]] = {
    "ja": {
        "title": "試遊でわかったこと",
        "intro": (
            "八つのゲームをボット同士で、遊べる人数すべてで遊びました（`make playtests`）。どの数字も報告から取られ、"
            "（　）は95%区間です。ものさしの定義とわからないことは、それぞれの報告にあります。報告の見かた："
            "[docs/lab.ja.md](../lab.ja.md)"
        ),
        "other": "[English](README.md)",
        "table": ("ゲーム", "箱の表示の案", "いちばんよい人数", "作者の表示"),
        "questions": "問いと答え",
        "seats": "何人で遊ぶとよいか",
        "games": "ゲームごとに",
        "report": "報告",
        "numbers": "数字",
        "not_told": "この報告は、この問いに答えていません。",
        "none": "–",
    },
    "en": {
        "title": "What playtests have shown",
        "intro": (
            "All eight games, played by bots at every number of players (`make playtests`). Every figure is taken from "
            "the reports; in brackets stand 95 % intervals. The reports define the measures and say what they "
            "do not tell. How to read them: [docs/lab.md](../lab.md)"
        ),
        "other": "[日本語](README.ja.md)",
        "table": ("game", "proposed for the box", "best number", "the author says"),
        "questions": "Questions and answers",
        "seats": "With how many is each game best?",
        "games": "Game by game",
        "report": "report",
        "numbers": "numbers",
        "not_told": "The report does not answer this.",
        "none": "–",
    },
}


def learned(summaries: Mapping[str, Mapping[str, Any]], lang: str) -> str:
    """The page of what was learned, in Markdown."""
    say = FRAME[lang]
    found = {game: findings(find(game), summary) for game, summary in summaries.items()}
    lines = [f"# {say['title']}", "", say["other"], "", say["intro"], "", f"## {say['questions']}", ""]
    for question in tomllib.loads(PLANS.read_text(encoding="utf-8"))["question"]:
        if question["game"] in summaries:
            answers = [
                each.sentence(lang)
                for each in found[question["game"]]
                if each.key.split(".")[1] in question["findings"]
            ]
            lines += [f"**{question[lang]}** {' '.join(answers) or say['not_told']}", ""]
    lines += [f"## {say['seats']}", "", "| " + " | ".join(say["table"]) + " |", "|---|---|---|---|"]
    for game, summary in summaries.items():
        rules = find(game)
        proposed = label(rules, summary)
        claims = words(rules, lang).get("box", "time") or say["none"]
        needs = words(rules, lang).get("box", "needs") or ""
        title = f"[{words(rules, lang).title()}]({game}.html)"
        best = str(proposed.best) if proposed.best is not None else say["none"]
        lines.append(f"| {title} | {', '.join(proposed.lines(lang))} | {best} | {claims} {needs} |")
    lines += ["", f"## {say['games']}", ""]
    for game in summaries:
        links = f"[{say['report']}]({game}.html), [{say['numbers']}]({game}.json)"
        lines += [f"### {words(find(game), lang).title()} ({links})", ""]
        lines += [f"- {each.sentence(lang)}" for each in found[game][:MOST]]
        lines.append("")
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Play and write; the exit code."""
    parser = argparse.ArgumentParser(description="Play every game and write the reports into docs/playtests.")
    parser.add_argument("games", nargs="*", metavar="GAME", help="these games only")
    parser.add_argument("--again", action="store_true", help="make the pages anew from the numbers that are there")
    asked = parser.parse_args(arguments)
    OUT.mkdir(parents=True, exist_ok=True)
    for game in asked.games or game_ids():
        rules = find(game)
        numbers = OUT / f"{game}.json"
        if asked.again:
            summary = json.loads(numbers.read_text(encoding="utf-8"))
            records = records_of(rules, summary)
        else:
            summary, records = play(rules)
            text = json.dumps(summary, ensure_ascii=False, separators=(",", ":"))
            numbers.write_text(text + "\n", encoding="utf-8")
        brief.save(rules, summary, brief.file_of(rules))
        page = report(rules, summary, records, lambda file: f"records/{file.name}", logs=False)
        (OUT / f"{game}.html").write_text(page, encoding="utf-8")
        print(f"{game}: written", flush=True)
    there = {game: OUT / f"{game}.json" for game in game_ids()}
    summaries = {game: json.loads(file.read_text(encoding="utf-8")) for game, file in there.items() if file.is_file()}
    for lang, name in PAGES.items():
        (OUT / name).write_text(learned(summaries, lang), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
