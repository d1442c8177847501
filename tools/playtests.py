"""Plays every game at every seat count and writes the reports into docs/playtests: `make playtests`.

    python tools/playtests.py [--again] [--options] [GAME …]

For each game a page `GAME.html`, its numbers `GAME.json`, what its options change `GAME-options.json`, and records of
the most dramatic and the most typical game; and a few of the numbers beside its rules file, for the page of what people
felt of it. README.md and README.ja.md tell what was learned from them all: every figure in them comes from these
numbers, and the questions they answer, with how much is played of each game, stand in playtests.toml.

`--again` makes the pages anew from the numbers that are there, and plays nothing; `--options` plays only the options.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tefuda import lab
from tefuda.bots import parse
from tefuda.engine.rules import Rules, find, game_ids
from tefuda.lab import brief, texts
from tefuda.lab.compare import compare
from tefuda.lab.findings import findings, level_name, option_value
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
    plans = plans_of_all()
    return lab.Plan(**{**plans["usual"], **plans.get(game, {})})


def plans_of_all() -> dict[str, Any]:
    """What playtests.toml says."""
    return tomllib.loads(PLANS.read_text(encoding="utf-8"))


def play(rules: Rules) -> dict[str, Any]:
    """Study a game at every seat count, and put records of games to look at beside the report; its summary."""
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
    for files in finished.records.values():
        for word in SHOWN:
            if word in files:
                files[word].rename(records / files[word].name)
    shutil.rmtree(folder)
    return finished.summary


def play_options(rules: Rules) -> dict[str, Any]:
    """Play every option that is to be tried against the usual rules, by the strongest bots of the study: by variant
    what differs in words (or that nothing does), and all numbers."""
    plan = dict(plans_of_all()["options"][rules.id])
    seats, games = plan.pop("seats"), plan.pop("games")
    level = lab.levels_of(rules, plan_of(rules.id).budget)[-1]
    variants = [(option, value) for option, values in plan.items() for value in values]
    played = compare(
        rules, seats, ["", *(f"{option}={value}" for option, value in variants)],
        [{}, *({option: value} for option, value in variants)], [parse(level)] * seats, games, SEED,
    )  # fmt: skip
    told = []
    for n, (option, value) in enumerate(variants):
        sentences = {}
        for lang in texts.LANGUAGES:
            name = f"{words(rules, lang).option(option)}: {option_value(rules, option, value, lang)}"
            one = replace(
                played, variants=(FRAME[lang]["usual"], FRAME[lang]["quoted"].format(name)),
                cells=(played.cells[0], played.cells[n + 1]), differences=(played.differences[n],),
            )  # fmt: skip
            real = sum(each.real for each in played.differences[n])
            sentences[lang] = one.sentences(lang)[: real or 1]
        told.append({"option": option, "value": value, "sentences": sentences})
    data = played.data()
    del data["sentences"]
    return {**data, "level": level, "told": told}


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
        "options": "設定を変えると（{seats}人、{level}どうし、同じ札でそれぞれ{deals}局）：",
        "notes": "考えられるわけ：{}",
        "usual": "いつもの規則",
        "quoted": "「{}」",
        "none": "–",
        "comma": "、",
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
        "options": "What the options change ({seats} players, {level}, {deals} games of each on the same deals):",
        "notes": "What may be behind it: {}",
        "usual": "the usual rules",
        "quoted": "“{}”",
        "none": "–",
        "comma": ", ",
    },
}


def learned(summaries: Mapping[str, Mapping[str, Any]], options: Mapping[str, Mapping[str, Any]], lang: str) -> str:
    """The page of what was learned, in Markdown."""
    say, plans = FRAME[lang], plans_of_all()
    found = {game: findings(find(game), summary) for game, summary in summaries.items()}
    lines = [f"# {say['title']}", "", say["other"], "", say["intro"], "", f"## {say['questions']}", ""]
    for question in plans["question"]:
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
        lines.append(f"| {title} | {say['comma'].join(proposed.lines(lang))} | {best} | {claims} {needs} |")
    lines += ["", f"## {say['games']}", ""]
    for game in summaries:
        links = f"[{say['report']}]({game}.html), [{say['numbers']}]({game}.json)"
        lines += [f"### {words(find(game), lang).title()}", "", links, ""]
        lines += [f"- {each.sentence(lang)}" for each in found[game][:MOST]]
        lines.append("")
        for note in plans["note"]:
            if note["game"] == game:
                lines += [say["notes"].format(note[lang]), ""]
        if game in options:
            seats, deals, level = (options[game][key] for key in ("seats", "deals", "level"))
            lines += [say["options"].format(seats=seats, deals=deals, level=level_name(level)(lang)), ""]
            lines += [f"- {' '.join(each['sentences'][lang])}" for each in options[game]["told"]]
            lines.append("")
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Play and write; the exit code."""
    parser = argparse.ArgumentParser(description="Play every game and write the reports into docs/playtests.")
    parser.add_argument("games", nargs="*", metavar="GAME", help="these games only")
    parser.add_argument("--again", action="store_true", help="make the pages anew from the numbers that are there")
    parser.add_argument("--options", action="store_true", help="play only the options")
    asked = parser.parse_args(arguments)
    OUT.mkdir(parents=True, exist_ok=True)
    for game in asked.games or game_ids():
        rules = find(game)
        if not (asked.again or asked.options):
            write_json(play(rules), OUT / f"{game}.json")
        if not asked.again:
            write_json(play_options(rules), OUT / f"{game}-options.json")
        summary = read_json(OUT / f"{game}.json")
        brief.save(rules, summary, brief.file_of(rules))
        page = report(rules, summary, records_of(rules, summary), lambda file: f"records/{file.name}", logs=False)
        (OUT / f"{game}.html").write_text(page, encoding="utf-8")
        print(f"{game}: written", flush=True)
    summaries = {game: read_json(file) for game in game_ids() if (file := OUT / f"{game}.json").is_file()}
    options = {game: read_json(file) for game in game_ids() if (file := OUT / f"{game}-options.json").is_file()}
    for lang, name in PAGES.items():
        (OUT / name).write_text(learned(summaries, options, lang), encoding="utf-8")
    return 0


def read_json(file: Path) -> Any:
    """What a file of numbers holds."""
    return json.loads(file.read_text(encoding="utf-8"))


def write_json(data: Any, file: Path) -> None:
    """Write a file of numbers."""
    file.write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
