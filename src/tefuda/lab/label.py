"""What to write on the box: for how many players the game holds, how many minutes, and an age, with the reasons and the
author's own figures beside them."""

from __future__ import annotations

import html
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.decks import lexicon
from tefuda.engine.rules import Rules
from tefuda.lab import texts
from tefuda.lab.texts import known, only, said, text
from tefuda.words import words

FILE = Path(__file__).parent / "label.toml"

AGES = (6, 8, 10, 12, 13)

OFF = 1.0
"""A measure agrees with an author's rating (of 5) when it is no further off than this."""

MUCH = 0.6
"""An author who says that luck weighs much is borne out when at least so much of the results is not the players'."""


@cache
def limits() -> dict[str, Any]:
    """The judgements of label.toml."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def most_edge(seats: int) -> float:
    """How big an edge by turn order may be, as a share of games."""
    holds = limits()["holds"]
    return float(min(holds["edge"], holds["edge_of_even"] / seats))


@dataclass(frozen=True)
class Reason:
    """A sentence of the lab's texts with its values, which may differ by language."""

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def sentence(self, lang: str) -> str:
        """In a language."""
        return text(lang, self.key, **{k: v(lang) if callable(v) else v for k, v in self.values.items()})


@dataclass(frozen=True)
class Label:
    """A proposal for the box. `seats`: the numbers of players with which the game holds; `best`: of these, with which
    it comes out best; `minutes`: what eight games in ten take; `age`: on the author's scale. `held`: by number of
    players, what it fails in (nothing: it holds)."""

    seats: tuple[int, ...]
    best: int | None
    minutes: tuple[float, float]
    age: int
    held: Mapping[int, Sequence[Reason]]
    why_age: Sequence[Reason]
    claims: Sequence[Reason]
    fitted: int

    def players(self, lang: str) -> str:
        """The numbers of players in words."""
        if not self.seats:
            return text(lang, "label.nobody")
        low, high = self.seats[0], self.seats[-1]
        if self.seats == tuple(range(low, high + 1)):
            span = str(low) if low == high else f"{low}〜{high}" if lang == "ja" else f"{low}–{high}"
        else:
            span = texts.listed([str(n) for n in self.seats], lang)
        return text(lang, "label.players", span=span)

    def time(self, lang: str) -> str:
        """The minutes in words."""
        low, high = (_rounded(each) for each in self.minutes)
        span = str(low) if low == high else f"{low}〜{high}" if lang == "ja" else f"{low}–{high}"
        return text(lang, "label.minutes", span=span)

    def lines(self, lang: str) -> list[str]:
        """What stands on the box."""
        return [self.players(lang), self.time(lang), text(lang, "label.age", age=self.age)]

    def reasons(self, lang: str) -> list[str]:
        """Why."""
        out = []
        for seats, fails in self.held.items():
            if not fails:
                out.append(text(lang, "label.holds", seats=seats, edge=texts.size(only(most_edge(seats)), lang, 0)))
            out += [each.sentence(lang) for each in fails]
        if self.best is not None and len(self.held) > 1:
            out.append(text(lang, "label.best", seats=self.best))
        out.append(text(lang, "label.minutes_fitted" if self.fitted else "label.minutes_guessed", games=self.fitted))
        return out + [each.sentence(lang) for each in (*self.why_age, *self.claims)]

    def data(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "seats": list(self.seats),
            "best": self.best,
            "minutes": [_rounded(each) for each in self.minutes],
            "age": self.age,
            "lines": {lang: self.lines(lang) for lang in texts.LANGUAGES},
            "reasons": {lang: self.reasons(lang) for lang in texts.LANGUAGES},
        }


def _rounded(minutes: float) -> int:
    """As a box says it: whole minutes up to ten, then fives."""
    return max(1, round(minutes)) if minutes < 10 else 5 * round(minutes / 5)


def label(rules: Rules, summary: Mapping[str, Any]) -> Label:
    """The proposal that follows from a study's summary: from the strongest players, with the options as they are
    unless told."""
    settings = [each for each in summary["results"] if dict(each["options"]) == rules.options(None, each["seats"])]
    settings = settings or list(summary["results"])
    strongest = {each["seats"]: each["levels"][summary["levels"][-1]] for each in settings}
    held = {seats: _fails(seats, measured, summary) for seats, measured in strongest.items()}
    seats = tuple(n for n, fails in held.items() if not fails)
    of_these = [strongest[n] for n in (seats or tuple(strongest))]
    spreads = [measured["minutes_spread"] for measured in of_these]
    minutes = min(spread[0][0] for spread in spreads), max(spread[2][0] for spread in spreads)
    age, why = _age(rules, of_these)
    return Label(
        seats, _best(seats or tuple(strongest), strongest), minutes, age, held, why,
        _claims(rules, minutes, age, settings, summary), int(summary["minutes"]["games"]),
    )  # fmt: skip


def _fails(seats: int, measured: Mapping[str, Any], summary: Mapping[str, Any]) -> list[Reason]:
    """In what a game with so many players fails."""
    limit, out = limits()["holds"], []
    bad = max(measured["capped"][0], measured["stuck"][0])
    if bad > limit["faults"]:
        out.append(Reason("label.fails_faults", {"seats": seats, "share": said(texts.percent, only(bad))}))
    if seats > 1:
        shares = measured["win_share_by_turn_order"]
        place = max(range(seats), key=lambda k: abs(shares[k][0] - 1 / seats))
        edge = shares[place]
        off = min(abs(each - 1 / seats) for each in edge[1:]) if not edge[1] <= 1 / seats <= edge[2] else 0.0
        if off > most_edge(seats):
            out.append(
                Reason("label.fails_edge", {
                    "seats": seats, "place": place + 1, "share": said(texts.percent, edge),
                    "even": said(texts.percent, only(1 / seats)),
                })
            )  # fmt: skip
    few = measured.get("choices_a_seat")
    if few is not None and known(few) and few[0] < limit["choices"]:
        out.append(Reason("label.fails_choices", {"seats": seats, "n": said(texts.number, few)}))
    idle = measured.get("idle_seats")
    if idle is not None and known(idle) and idle[0] > limit["idle"]:
        out.append(Reason("label.fails_idle", {"seats": seats, "share": said(texts.percent, idle)}))
    wait = wait_minutes(measured)
    if wait is not None and wait > limit["wait_minutes"]:
        out.append(Reason("label.fails_wait", {"seats": seats, "minutes": f"{wait:.1f}"}))
    left = measured.get("played_out")
    if left is not None and known(left) and left[0] > limit["played_out"]:
        out.append(Reason("label.fails_played_out", {"seats": seats, "share": said(texts.percent, left)}))
    return out


def wait_minutes(measured: Mapping[str, Any]) -> float | None:
    """The longest wait of a game in minutes, on the mean."""
    part = measured.get("longest_wait_share")
    return float(part[0] * measured["minutes_a_game"][0]) if part is not None and known(part) else None


def _best(seats: Sequence[int], strongest: Mapping[int, Mapping[str, Any]]) -> int | None:
    """The number of players with the best mean rank in fairness, waiting, choices, influence on the others, and how
    much is left when all is decided."""
    if len(seats) < 2:
        return seats[0] if seats else None
    marks = []
    for n in seats:
        measured = strongest[n]
        edge = max((abs(each[0] - 1 / n) * n for each in measured["win_share_by_turn_order"]), default=0.0)
        marks.append([
            edge, wait_minutes(measured) or 0.0, -_value(measured, "choices_a_seat"), -_value(measured, "interaction"),
            _value(measured, "played_out"),
        ])  # fmt: skip
    ranks = np.argsort(np.argsort(np.array(marks), axis=0, kind="stable"), axis=0).mean(axis=1)
    return seats[int(np.argmin(ranks))]


def _value(measured: Mapping[str, Any], name: str) -> float:
    return float(measured[name][0]) if known(measured.get(name)) else 0.0


# ----------------------------------------------------------------------------------------------------------- the age


def _age(rules: Rules, measured: Sequence[Mapping[str, Any]]) -> tuple[int, list[Reason]]:
    """The middle of what the length of the rules, the choices and what is hidden ask for, and never less than the
    kanji do."""
    scale, asked, why = limits()["age"], [], []
    length = rules_length(rules)
    if length:
        asked.append(_on(scale["rules"], length))
        why.append(Reason("label.age_rules", {"n": length, "age": asked[-1]}))
    bits = float(np.mean([each["bits_a_decision"][0] for each in measured]))
    asked.append(_on(scale["choices"], bits))
    why.append(Reason("label.age_choices", {"n": f"{2**bits:.1f}", "age": asked[-1]}))
    hidden = [each["hidden_share"][0] for each in measured if known(each.get("hidden_share"))]
    if hidden:
        asked.append(_on(scale["hidden"], float(np.mean(hidden))))
        share = only(float(np.mean(hidden)))
        why.append(Reason("label.age_hidden", {"share": said(texts.percent, share, 0), "age": asked[-1]}))
    age = sorted(asked)[len(asked) // 2]
    grade = kanji_grade(rules)
    if grade is not None:
        least = _on(scale["kanji"], grade)
        why.append(Reason("label.age_kanji", {"grade": grade, "age": least}))
        age = max(age, least)
    return age, why


def _on(scale: Mapping[str, float], value: float) -> int:
    return next((int(age) for age, most in scale.items() if value <= most), AGES[-1])


def rules_length(rules: Rules) -> int | None:
    """Characters of the rules page in Japanese, without marks and spaces; half of the letters of the English one where
    there is only that; None where there is none."""
    for lang, weight in (("ja", 1.0), ("en", 0.5)):
        page = rules.path.with_suffix(f".{lang}.md")
        if page.is_file():
            return int(weight * len(re.sub(r"[\s|#*`\-:{}]", "", page.read_text(encoding="utf-8"))))
    return None


def kanji_grade(rules: Rules) -> int | None:
    """The school grade that nine in ten of the kanji on the cards do not go beyond; None without kanji."""
    grades = lexicon.grades()
    found = sorted(grades[kind.name] for kind in rules.kinds(rules.options(None)) if kind.name in grades)
    return found[int(0.9 * (len(found) - 1))] if found else None


# ------------------------------------------------------------------------------------------- the author's own figures


def _claims(
    rules: Rules,
    minutes: tuple[float, float],
    age: int,
    settings: Sequence[Mapping[str, Any]],
    summary: Mapping[str, Any],
) -> list[Reason]:
    """What the author (or who rated the game) says, and whether the measures agree."""
    claims: Mapping[str, Any] = rules.info.get("claims", {})
    out = []
    for name, claim in claims.items():
        if name == "minutes" and isinstance(claim, int):
            verdict = "agrees" if minutes[0] * 0.8 <= claim <= minutes[1] * 1.2 else "differs"
            measured = f"{minutes[0]:.0f}–{minutes[1]:.0f}"
            out.append(_claim("minutes", verdict, said=claim, measured=measured))
        elif name == "minutes":
            verdict = "agrees" if minutes[1] <= 10 else "differs"
            out.append(_claim("few_minutes", verdict, measured=f"{minutes[0]:.0f}–{minutes[1]:.0f}"))
        elif name == "age":
            out.append(_claim("age", "agrees" if claim == age else "differs", said=claim, measured=age))
        else:
            measured_value = rating(name, settings, summary, age)
            if measured_value is None:
                continue
            if claim == "much":
                verdict = "agrees" if measured_value / 5 >= MUCH else "differs"
                out.append(_claim("much_luck", verdict, measured=f"{20 * measured_value:.0f}"))
            else:
                verdict = "agrees" if abs(measured_value - claim) <= OFF else "differs"
                out.append(_claim(name, verdict, said=claim, measured=f"{measured_value:.1f}"))
    return out


def _claim(name: str, verdict: str, **values: Any) -> Reason:
    return Reason(f"label.claim_{name}", {**values, "verdict": lambda lang: text(lang, f"label.{verdict}")})


def rating(name: str, settings: Sequence[Mapping[str, Any]], summary: Mapping[str, Any], age: int) -> float | None:
    """A measure on a scale from 0 to 5, mean over the numbers of players: `luck` is the share of the results that is
    not the players'; `strategy` the relative skill of Borm and van der Genugten; `interaction` how much a move swings
    the others' places, beside the mover's own; `complexity` where the proposed age lies between 6 and 13."""
    if name == "complexity":
        return 5 * (age - AGES[0]) / (AGES[-1] - AGES[0])
    found = []
    for each in settings:
        measured = each["levels"][summary["levels"][-1]]
        if name == "luck" and known(each["skill"].get("skill_share")):
            found.append(1 - each["skill"]["skill_share"][0])
        elif name == "strategy" and known(each["skill"].get("relative_skill")):
            found.append(each["skill"]["relative_skill"][0])
        elif name == "interaction" and known(measured.get("interaction")) and measured["swing"][0] > 0:
            found.append(min(1.0, measured["interaction"][0] / measured["swing"][0]))
    return 5 * float(np.mean(found)) if found else None


# -------------------------------------------------------------------------------------------------------- the picture


def svg(rules: Rules, proposed: Label, lang: str) -> str:
    """The label as it may be printed on a box: the title and three fields."""
    title = html.escape(words(rules, lang).title())
    fields = [
        (text(lang, "label.word_players"), proposed.players(lang)),
        (text(lang, "label.word_minutes"), proposed.time(lang)),
        (text(lang, "label.word_age"), text(lang, "label.age", age=proposed.age)),
    ]
    parts = []
    for k, (word, value) in enumerate(fields):
        x = 20 + 150 * k
        parts.append(
            f'<text x="{x + 65}" y="84" text-anchor="middle" font-size="12" fill="#665">{html.escape(word)}</text>'
            f'<text x="{x + 65}" y="112" text-anchor="middle" font-size="20" font-weight="700" fill="#221">'
            f"{html.escape(value)}</text>"
        )
        if k:
            parts.append(f'<path d="M{x - 10} 66v56" stroke="#b8ab93"/>')
    family = "'Hiragino Mincho ProN','Noto Serif CJK JP','Yu Mincho',serif"
    named = html.escape(f"{words(rules, lang).title()}: {', '.join(proposed.lines(lang))}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 470 140" width="470" role="img" lang="{lang}" '
        f'aria-label="{named}" font-family="{family}">'
        '<rect x="1" y="1" width="468" height="138" rx="10" fill="#fbf6ea" stroke="#7a6a4a"/>'
        f'<text x="235" y="42" text-anchor="middle" font-size="24" font-weight="700" fill="#221">{title}</text>'
        f'<path d="M20 56h430" stroke="#7a6a4a"/>{"".join(parts)}</svg>'
    )
