"""A study in brief: a few measures of the players that play best, by number of players. It lies beside a game's rules
file (`playtest.json` beside rules.py, `mygame.playtest.json` beside mygame.py), and the page that gathers what people
felt of a game shows it next to theirs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tefuda.engine.rules import Rules
from tefuda.lab.texts import known, number, percent, points, size, text

NAME = "playtest.json"

Form = Callable[[Any, str], str]


def _minutes(value: Any, lang: str) -> str:
    low, middle, high = (each[0] for each in value)
    return text(lang, "findings.minutes", middle=f"{middle:.0f}", low=f"{low:.0f}", high=f"{high:.0f}")


def _whole(value: Any, lang: str) -> str:
    return percent(value, lang, 0)


SHOWN: Mapping[str, Form] = {
    "minutes_spread": _minutes,
    "decisions_a_game": number,
    "edge_of_the_first": points,
    "legal_moves_a_decision": number,
    "forced_share": _whole,
    "longest_wait": number,
    "settled_at": _whole,
    "interaction": size,
    "skill_share": _whole,
    "deal_share": _whole,
}
"""The measures, with how they are told."""


@dataclass(frozen=True)
class Brief:
    """What is told: the version of the rules that was played, by whom (`search:100`), how many games at each number of
    players, and of every measure its name and what it came to at each."""

    rules: str
    level: str
    seats: tuple[int, ...]
    games: tuple[int, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


def shortened(rules: Rules, summary: Mapping[str, Any]) -> dict[str, Any]:
    """Of a study's summary what stands in the file: the usual options at every number of players."""
    results: list[dict[str, Any]] = []
    for each in summary["results"]:
        if each["seats"] in [one["seats"] for one in results] or each["options"] != rules.options({}, each["seats"]):
            continue
        measured = {**each["levels"][summary["levels"][-1]], **each["skill"]}
        kept = {name: measured[name] for name in SHOWN if name in measured}
        results.append({"seats": each["seats"], "games": measured["games"], "measures": kept})
    return {"game": rules.id, "rules": summary["rules"], "level": summary["levels"][-1], "results": results}


def file_of(rules: Rules) -> Path:
    """Where the file of a game lies, if there is one."""
    return rules.path.with_name(NAME if rules.builtin else f"{rules.path.stem}.{NAME}")


def save(rules: Rules, summary: Mapping[str, Any], file: Path) -> Path:
    """Write a study in brief; the file."""
    file.write_text(json.dumps(shortened(rules, summary), separators=(",", ":")) + "\n", encoding="utf-8")
    return file


def brief(rules: Rules, lang: str) -> Brief | None:
    """What is known of a game from its file; None when there is none, or it holds nothing of this game."""
    try:
        found = json.loads(file_of(rules).read_text(encoding="utf-8"))
        results = [each for each in found["results"] if isinstance(each["seats"], int)]
        if found["game"] != rules.id or not results:
            return None
        rows = []
        for name, form in SHOWN.items():
            values = [each["measures"].get(name) for each in results]
            if any(_there(value) for value in values):
                cells = tuple(form(value, lang) if _there(value) else "–" for value in values)
                rows.append((text(lang, f"measures.{name}.name"), cells))
        seats, games = (tuple(int(each[key]) for each in results) for key in ("seats", "games"))
        return Brief(str(found["rules"]), str(found["level"]), seats, games, tuple(rows))
    except (OSError, ValueError, TypeError, LookupError, AttributeError):
        return None


def _there(value: Any) -> bool:
    """Whether a measure is there: an interval, or a list of them."""
    if not isinstance(value, list):
        return False
    return all(known(each) for each in value) if isinstance(value[0], list) else known(value)
