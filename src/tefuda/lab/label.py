"""What to write on the box: for how many players the game holds, how many minutes, and an age, with the reasons and the
author's own figures beside them."""

from __future__ import annotations

import html
import math
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, product
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


MORE = 2_000
"""So many games are advised at least where fewer leave something undecided."""


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
    open: bool = False
    """It does not say that something is so, but that so many games do not tell yet."""

    def sentence(self, lang: str) -> str:
        """In a language."""
        return text(lang, self.key, **{k: v(lang) if callable(v) else v for k, v in self.values.items()})


@dataclass(frozen=True)
class Label:
    """A proposal for the box. `seats`: the numbers of players of which it was not found that the game does not hold;
    `undecided`: of these, the ones of which it cannot be told yet; `best`: of these, with which it clearly comes out
    best; `minutes`: what eight games in ten take; `age`: on the author's scale, `ages`: all that the intervals leave
    open. `held`: by number of players, what it fails in, or what cannot be told yet (nothing: it holds). `more`: where
    something is undecided, the command that plays more."""

    seats: tuple[int, ...]
    undecided: tuple[int, ...]
    best: int | None
    minutes: tuple[float, float]
    age: int
    ages: tuple[int, ...]
    held: Mapping[int, Sequence[Reason]]
    why_age: Sequence[Reason]
    claims: Sequence[Reason]
    fitted: int
    more: str | None

    def players(self, lang: str) -> str:
        """The numbers of players in words, with those that are undecided."""
        mark = self.mark(lang)
        return self.proposed(lang) + (text(lang, "label.marked", mark=mark) if mark else "")

    def proposed(self, lang: str) -> str:
        """The same without what is undecided."""
        if not self.seats:
            return text(lang, "label.nobody")
        low, high = self.seats[0], self.seats[-1]
        if self.seats == tuple(range(low, high + 1)):
            span = texts.span(low, high, lang)
        else:
            span = texts.listed([str(n) for n in self.seats], lang)
        return text(lang, "label.players", span=span)

    def mark(self, lang: str) -> str:
        """Which numbers of players are undecided; empty where none is."""
        if self.undecided == self.seats:
            return text(lang, "label.all_open") if self.seats else ""
        return text(lang, "label.some_open", seats=_listed(self.undecided, lang)) if self.undecided else ""

    def years(self, lang: str) -> str:
        """The age in words: of several that are open, each."""
        return text(lang, "label.age", age=_either(self.ages, lang))

    def time(self, lang: str) -> str:
        """The minutes in words."""
        low, high = (_rounded(each) for each in self.minutes)
        return text(lang, "label.minutes", span=texts.span(low, high, lang))

    def lines(self, lang: str) -> list[str]:
        """What stands on the box."""
        return [self.players(lang), self.time(lang), self.years(lang)]

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
        out += [each.sentence(lang) for each in (*self.why_age, *self.claims)]
        return out + ([text(lang, "label.more", command=self.more)] if self.more is not None else [])

    def data(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "seats": list(self.seats),
            "undecided": list(self.undecided),
            "best": self.best,
            "minutes": [_rounded(each) for each in self.minutes],
            "age": self.age,
            "ages": list(self.ages),
            "lines": {lang: self.lines(lang) for lang in texts.LANGUAGES},
            "reasons": {lang: self.reasons(lang) for lang in texts.LANGUAGES},
        }


def _listed(numbers: Sequence[int], lang: str) -> str:
    return texts.listed([str(n) for n in numbers], lang)


def _either(ages: Sequence[int], lang: str) -> str:
    return text(lang, "label.or").join(map(str, ages))


def _rounded(minutes: float) -> int:
    """As a box says it: whole minutes up to ten, then fives."""
    return max(1, round(minutes)) if minutes < 10 else 5 * round(minutes / 5)


def label(rules: Rules, summary: Mapping[str, Any]) -> Label:
    """The proposal that follows from a study's summary: from the strongest players, with the options as they are
    unless told."""
    settings = [each for each in summary["results"] if dict(each["options"]) == rules.options(None, each["seats"])]
    settings = settings or list(summary["results"])
    strongest = {each["seats"]: each["levels"][summary["levels"][-1]] for each in settings}
    held = {
        each["seats"]: _judged(each["seats"], strongest[each["seats"]], {**summary["plan"], **each})
        for each in settings
    }
    seats = tuple(n for n, reasons in held.items() if all(each.open for each in reasons))
    undecided = tuple(n for n in seats if held[n])
    of_these = [strongest[n] for n in (seats or tuple(strongest))]
    decided = [n for n in seats if n not in undecided]
    spreads = [measured["minutes_spread"] for measured in of_these]
    minutes = min(spread[0][0] for spread in spreads), max(spread[2][0] for spread in spreads)
    age, ages, why = _age(rules, of_these)
    several = set(ages)
    for left in (those for n in range(len(undecided)) for those in combinations(undecided, n)):
        if decided or left:  # what becomes of the undecided may change the age
            several.update(_age(rules, [strongest[n] for n in (*decided, *left)])[1])
    if several > set(ages):
        ages = tuple(sorted(several))
        why.append(Reason("label.age_seats_open", {"age": lambda lang: _either(ages, lang)}, True))
    best = _best(seats or tuple(strongest), strongest)  # not one of which it is open whether it holds, beside others
    more = None
    if undecided or len(ages) > 1:
        games = max(MORE, 4 * max(strongest[n]["games"] for n in undecided or tuple(strongest)))
        more = f"tefuda label {rules.id if rules.builtin else rules.path.name} --games {games}"
    return Label(
        seats, undecided, None if decided and best in undecided else best, minutes, age, ages, held, why,
        _claims(rules, minutes, age, ages, settings, summary), int(summary["minutes"]["games"]), more,
    )  # fmt: skip


def _judged(seats: int, measured: Mapping[str, Any], plan: Mapping[str, Any]) -> list[Reason]:
    """In what a game with so many players fails: where a measure's whole interval lies beyond its limit. Where it fails
    in nothing, what cannot be told yet, because an interval reaches to both sides of a limit. Of how many games that
    is told: of all, of those whose decisions are `kept`, or of those `looked_at`."""
    limit, out = limits()["holds"], list[Reason]()
    games: dict[str, Any] = {"seats": seats, "games": f"{measured['games']:,}"}
    kept, looked_at = (games | {"games": f"{min(plan[n], measured['games']):,}"} for n in ("kept", "looked_at"))
    of: dict[str, Any]
    bad = max(measured["capped"], measured["stuck"], key=lambda share: float(share[0]))
    if bad[0] > 0:  # of what never happened in any game, nothing need be said
        of = {"share": said(texts.percent, bad), "limit": said(texts.percent, only(limit["faults"]), 0)}
        out += _beyond("faults", bad[1], bad[2], limit["faults"], games | of)
    if seats > 1:
        shares = measured["win_share_by_turn_order"]
        edges = [_edge(share, seats) for share in shares]
        for end, found in ((0, "fails"), (1, "open")):
            place = max(range(seats), key=lambda k: edges[k][end])
            if edges[place][end] > most_edge(seats):
                of = {
                    "place": place + 1, "share": said(texts.percent, shares[place]),
                    "even": said(texts.percent, only(1 / seats)), "limit": said(texts.size, only(most_edge(seats)), 0),
                }  # fmt: skip
                out.append(Reason(f"label.{found}_edge", games | of, found == "open"))
                break
    few = measured.get("choices_a_seat")
    if few is not None and known(few):
        of = {"n": said(texts.number, few), "limit": limit["choices"]}
        fewest, most = (None if each is None else -each for each in (few[2], few[1]))
        out += _beyond("choices", fewest, most, -limit["choices"], kept | of)
    idle = measured.get("idle_seats")
    if idle is not None and known(idle):
        of = {"share": said(texts.percent, idle), "limit": said(texts.percent, only(limit["idle"]), 0)}
        out += _beyond("idle", idle[1], idle[2], limit["idle"], kept | of)
    wait = waits(measured)
    if wait is not None:
        of = {"minutes": said(texts.number, wait), "limit": f"{limit['wait_minutes']:g}"}
        out += _beyond("wait", wait[1], wait[2], limit["wait_minutes"], kept | of)
    left = measured.get("played_out")
    if left is not None and known(left):
        of = {"share": said(texts.percent, left), "limit": said(texts.percent, only(limit["played_out"]), 0)}
        out += _beyond("played_out", left[1], left[2], limit["played_out"], looked_at | of)
    fails = [each for each in out if not each.open]
    return fails or out


def _beyond(
    what: str, low: float | None, high: float | None, limit: float, values: Mapping[str, Any]
) -> Iterator[Reason]:
    """That an interval lies beyond a limit, or that it reaches beyond it. Without ends (too few games) nothing is
    decided."""
    if low is not None and low > limit:
        yield Reason(f"label.fails_{what}", values)
    elif high is None or high > limit:
        yield Reason(f"label.open_{what}", values, True)


def _edge(share: Sequence[float], seats: int) -> tuple[float, float]:
    """How far from an even share a seat's is, at least and at most."""
    ends = sorted(abs(each - 1 / seats) for each in share[1:])
    return (0.0 if share[1] <= 1 / seats <= share[2] else ends[0]), ends[1]


def wait_minutes(measured: Mapping[str, Any]) -> float | None:
    """The longest wait of a game in minutes, on the mean."""
    part = measured.get("longest_wait_share")
    return float(part[0] * measured["minutes_a_game"][0]) if part is not None and known(part) else None


def waits(measured: Mapping[str, Any]) -> tuple[float, float | None, float | None] | None:
    """The same with its interval: the errors of the two it is made of, as shares of them, add up like the sides of a
    right angle. That is rather too wide: where games are longer the share is smaller."""
    wait, part, whole = wait_minutes(measured), measured.get("longest_wait_share"), measured["minutes_a_game"]
    if wait is None or part is None:
        return None
    if None in (*part, *whole):
        return wait, None, None
    if wait == 0:
        return 0.0, 0.0, 0.0
    half = wait * math.hypot(*((each[2] - each[1]) / 2 / each[0] for each in (part, whole)))
    return wait, wait - half, wait + half


def _best(seats: Sequence[int], strongest: Mapping[int, Mapping[str, Any]]) -> int | None:
    """The number of players that is most often clearly ahead of another (the intervals do not meet), less how often it
    is clearly behind, in fairness, waiting, choices, influence on the others, and how much is left when all is decided;
    None where two are alike in that."""
    if len(seats) < 2:
        return seats[0] if seats else None
    marks = {n: _marks(n, strongest[n]) for n in seats}
    ahead = {n: sum(_clearly(marks[n], marks[m]) - _clearly(marks[m], marks[n]) for m in seats) for n in seats}
    first = [n for n in seats if ahead[n] == max(ahead.values())]
    return first[0] if len(first) == 1 else None


def _marks(seats: int, measured: Mapping[str, Any]) -> list[tuple[float, float] | None]:
    """The ends of what is compared, the lower the better; None where it is not known."""
    edges = [_edge(share, seats) for share in measured["win_share_by_turn_order"]]
    edge = tuple(max((ends[k] for ends in edges), default=0.0) * seats for k in (0, 1))
    wait, choices, influence, left = (
        waits(measured), *(measured.get(name) for name in ("choices_a_seat", "interaction", "played_out"))
    )  # fmt: skip
    out: list[tuple[float, float] | None] = [(edge[0], edge[1])]
    for value, better in ((wait, 1), (choices, -1), (influence, -1), (left, 1)):
        ends = sorted(better * each for each in value[1:] if each is not None) if known(value) and value else []
        out.append((ends[0], ends[1]) if len(ends) == 2 else None)
    return out


def _clearly(mine: Sequence[tuple[float, float] | None], other: Sequence[tuple[float, float] | None]) -> int:
    """In how many respects one is clearly ahead of the other."""
    pairs = zip(mine, other, strict=True)
    return sum(a is not None and b is not None and a[1] < b[0] for a, b in pairs)


# ----------------------------------------------------------------------------------------------------------- the age


def _age(rules: Rules, measured: Sequence[Mapping[str, Any]]) -> tuple[int, tuple[int, ...], list[Reason]]:
    """The middle of what the length of the rules, the choices and what is hidden ask for, and never less than the
    kanji do; and every age that comes out when a measure lies elsewhere in its interval."""
    scale, why = limits()["age"], []
    asked: list[tuple[int, tuple[int, ...]]] = []
    length = rules_length(rules)
    if length:
        age = _on(scale["rules"], length)
        asked.append((age, (age,)))
        why.append(Reason("label.age_rules", {"n": length, "age": age}))
    bits = _mean([each["bits_a_decision"] for each in measured])
    asked.append(_all_on(scale["choices"], bits))
    doubled = [None if each is None else 2**each for each in bits]
    why.append(_why_age("choices", {"n": said(texts.number, doubled)}, asked[-1][1]))
    hidden = [each["hidden_share"] for each in measured if known(each.get("hidden_share"))]
    if hidden:
        share = _mean(hidden)
        asked.append(_all_on(scale["hidden"], share))
        why.append(_why_age("hidden", {"share": said(texts.percent, share)}, asked[-1][1]))
    grade, least = kanji_grade(rules), 0
    if grade is not None:
        least = _on(scale["kanji"], grade)
        why.append(Reason("label.age_kanji", {"grade": grade, "age": least}))
    ages = {max(least, _middle(each)) for each in product(*(those for _, those in asked))}
    return max(least, _middle([age for age, _ in asked])), tuple(sorted(ages)), why


def _middle(ages: Sequence[int]) -> int:
    return sorted(ages)[len(ages) // 2]


def _mean(values: Sequence[Sequence[float | None]]) -> list[float | None]:
    """The mean of measures, between the means of their ends."""
    columns = zip(*values, strict=True)
    return [float(np.mean(each)) if None not in each else None for each in columns]


def _why_age(what: str, values: Mapping[str, Any], ages: Sequence[int]) -> Reason:
    """What a measure asks for; or that it is open which."""
    several = len(ages) > 1
    key = f"label.age_{what}_open" if several else f"label.age_{what}"
    return Reason(key, {**values, "age": lambda lang: _either(ages, lang)}, several)


def _all_on(scale: Mapping[str, float], value: Sequence[float | None]) -> tuple[int, tuple[int, ...]]:
    """The age of a measure, and all ages of its interval."""
    low, high = (value[0] if each is None else each for each in value[1:])
    assert value[0] is not None and low is not None and high is not None
    first, last = _on(scale, low), _on(scale, high)
    return _on(scale, value[0]), tuple(age for age in AGES if first <= age <= last)


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
    ages: Sequence[int],
    settings: Sequence[Mapping[str, Any]],
    summary: Mapping[str, Any],
) -> list[Reason]:
    """What the author (or who rated the game) says, and whether the measures agree."""
    claims: Mapping[str, Any] = rules.info.get("claims", {})
    out = []

    def reckoned(lang: str) -> str:
        return texts.span(round(minutes[0]), round(minutes[1]), lang)

    for name, claim in claims.items():
        if name == "minutes" and isinstance(claim, int):
            verdict = "agrees" if minutes[0] * 0.8 <= claim <= minutes[1] * 1.2 else "differs"
            out.append(_claim("minutes", verdict, said=claim, measured=reckoned))
        elif name == "minutes":
            verdict = "agrees" if minutes[1] <= 10 else "differs"
            out.append(_claim("few_minutes", verdict, measured=reckoned))
        elif name == "age":
            verdict = "differs" if claim not in ages else "agrees" if len(ages) == 1 else "not_yet"
            out.append(_claim("age", verdict, said=claim, measured=lambda lang: _either(ages, lang)))
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
        elif (
            name == "interaction"
            and known(measured.get("interaction"))
            and known(measured.get("swing"))
            and measured["swing"][0] > 0
        ):
            found.append(min(1.0, measured["interaction"][0] / measured["swing"][0]))
    return 5 * float(np.mean(found)) if found else None


# -------------------------------------------------------------------------------------------------------- the picture


def svg(rules: Rules, proposed: Label, lang: str) -> str:
    """The label as it may be printed on a box: the title and three fields."""
    title = html.escape(words(rules, lang).title())
    fields = [
        (text(lang, "label.word_players"), proposed.proposed(lang), proposed.mark(lang)),
        (text(lang, "label.word_minutes"), proposed.time(lang), ""),
        (text(lang, "label.word_age"), proposed.years(lang), ""),
    ]
    parts = []
    for k, (word, value, mark) in enumerate(fields):
        x = 20 + 150 * k
        parts.append(
            f'<text x="{x + 65}" y="84" text-anchor="middle" font-size="12" fill="#665">{html.escape(word)}</text>'
            f'<text x="{x + 65}" y="112" text-anchor="middle" font-size="20" font-weight="700" fill="#221">'
            f"{html.escape(value)}</text>"
        )
        if mark:
            parts.append(
                f'<text x="{x + 65}" y="129" text-anchor="middle" font-size="10" fill="#665">{html.escape(mark)}</text>'
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
