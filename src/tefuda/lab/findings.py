"""What a study found, in sentences, the most important first; and what it does not tell."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tefuda.engine.declare import Choice, Flag, Range
from tefuda.engine.rules import Rules
from tefuda.lab import texts
from tefuda.lab.intervals import Z, not_by_chance
from tefuda.lab.label import label, limits, wait_minutes
from tefuda.lab.texts import Say, known, number, only, percent, said, size, text
from tefuda.words import words

Measured = Mapping[str, Any]
MANY = 0.05
"""Shares of games below this are not worth a sentence."""

FORCED = 0.4
"""More decisions than this without a choice are worth a sentence."""


@dataclass(frozen=True)
class Finding:
    """A sentence of the lab's texts with its values (a function of the language where they differ by it); `weight`: how
    much it matters to a designer; `link`: the measure it rests on, under which the report has its plot and definition.
    """

    key: str
    weight: float
    link: str
    values: Mapping[str, str | int | float | Say] = field(default_factory=dict)

    def sentence(self, lang: str) -> str:
        """In a language."""
        values = {name: value(lang) if callable(value) else value for name, value in self.values.items()}
        return text(lang, self.key, **values)


@dataclass(frozen=True)
class Setting:
    """One seat count with its options, and what was measured at every level of play."""

    rules: Rules
    data: Mapping[str, Any]
    varied: tuple[str, ...]
    levels: tuple[str, ...]

    @property
    def seats(self) -> int:
        """How many play."""
        return int(self.data["seats"])

    @property
    def strongest(self) -> Measured:
        """What was measured of the players that play best."""
        found: Measured = self.data["levels"][self.levels[-1]]
        return found

    @property
    def best_known(self) -> str:
        """The level of which most games were played, of those that think: where small effects are looked for."""
        return max(self.levels[1:] or self.levels, key=lambda level: self.data["levels"][level]["games"])

    def name(self, lang: str) -> str:
        """What sets it apart: 4 players, limit 41."""
        out = text(lang, "report.players", n=self.seats)
        for option in self.varied:
            shown = option_value(self.rules, option, self.data["options"][option], lang)
            out += text(lang, "report.with_option", option=words(self.rules, lang).option(option), value=shown)
        return out


def option_value(rules: Rules, option: str, value: Any, lang: str) -> str:
    """A value of an option, as people read it."""
    declared = rules.declared_options[option]
    if isinstance(declared, Flag):
        return text(lang, "report.yes" if value else "report.no")
    if isinstance(declared, Choice):
        return words(rules, lang).option_choice(option, value)
    return text(lang, "report.no_limit") if value is None and isinstance(declared, Range) else str(value)


def settings(rules: Rules, summary: Mapping[str, Any]) -> list[Setting]:
    """The settings of a study."""
    results = summary["results"]
    names = [name for name in rules.declared_options if len({str(each["options"][name]) for each in results}) > 1]
    return [Setting(rules, each, tuple(names), tuple(summary["levels"])) for each in results]


def findings(rules: Rules, summary: Mapping[str, Any]) -> list[Finding]:
    """All that is worth a sentence, the weightiest first."""
    found = settings(rules, summary)
    several = [each for each in found if each.seats > 1]
    out: list[Finding] = []
    for group in (_faults, _fair, _levels, _luck, _length, _choices, _course, _cards, _clauses, _talk, _people):
        out += group(rules, several or found)
    out += _boxes(rules, summary)
    return sorted(out, key=lambda each: -each.weight)


def _names(those: Sequence[Setting]) -> Say:
    return lambda lang: texts.listed([each.name(lang) for each in those], lang)


def _each(those: Sequence[Setting], what: Callable[[Setting, str], str]) -> Say:
    """Of every setting its name and a value."""
    return lambda lang: text(lang, "report.semicolon").join(
        text(lang, "report.of_setting", setting=each.name(lang), value=what(each, lang)) for each in those
    )


# --------------------------------------------------------------------------------------------------------- one by one


def _faults(rules: Rules, found: Sequence[Setting]) -> Iterator[Finding]:
    for name, weight in (("stuck", 1000.0), ("capped", 900.0)):
        bad = [
            (each, level) for each in found for level in each.levels if each.data["levels"][level][name][0] > 0
        ]
        if bad:
            worst, level = max(bad, key=lambda one: one[0].data["levels"][one[1]][name][0])
            value = worst.data["levels"][level][name]
            yield Finding(
                f"findings.{name}", weight if value[0] > 0.001 else 30.0, name,
                {"setting": worst.name, "level": level_name(level), "share": said(percent, value, 2)},
            )  # fmt: skip
    back = [each for each in found if _value(each.strongest, "positions_that_come_back") > MANY]
    if back:
        share = _each(back, lambda each, lang: percent(each.strongest["positions_that_come_back"], lang))
        yield Finding("findings.loops", 40.0, "positions_that_come_back", {"each": share})


def level_name(level: str) -> Say:
    """A level of play in words."""
    kind = level.split(":")[0].split(";")[0]
    if "," in level:
        return lambda _: level
    return lambda lang: text(lang, f"levels.{kind}", bot=level)


def _fair(rules: Rules, found: Sequence[Setting]) -> Iterator[Finding]:
    """Who decides when, by players that think: by the strongest of whom something is known, at every level."""
    levels = found[0].levels[1:] or found[0].levels
    tests = [each.data["levels"][level]["evenness_by_turn_order"] for each in found for level in levels]
    uneven = not_by_chance(tests)
    even = []
    for n, each in enumerate(found):
        differing = [level for k, level in enumerate(levels) if uneven[n * len(levels) + k]]
        if not differing:
            even.append(each)
            continue
        shares = each.data["levels"][differing[-1]]["win_share_by_turn_order"]
        place = _furthest(shares)
        edge = shares[place][0] - 1 / each.seats
        yield Finding(
            "findings.edge_up" if edge > 0 else "findings.edge_down", 60 + 200 * abs(edge), "win_share_by_turn_order",
            {
                "setting": each.name, "level": level_name(differing[-1]), "place": _ordinal(place + 1),
                "share": said(percent, shares[place]),
                "even": said(percent, only(1 / each.seats)),
                "all": _row([share[0] for share in shares]),
            },
        )  # fmt: skip
    if even:
        seen = max(
            min(_half(each.data["levels"][level]["win_share_by_turn_order"][0]) for level in levels) for each in even
        )
        yield Finding(
            "findings.even", 58.0, "win_share_by_turn_order",
            {"settings": _names(even), "seen": said(size, only(seen))},
        )  # fmt: skip


def _furthest(shares: Sequence[Sequence[float]]) -> int:
    """The place in the turn order whose share is furthest from even; of two, the one above."""
    edges = [share[0] - 1 / len(shares) for share in shares]
    return max(range(len(shares)), key=lambda place: (round(abs(edges[place]), 4), edges[place]))


def _ordinal(n: int) -> Say:
    return lambda lang: text(lang, f"ordinals.{n}")


def _row(shares: Sequence[float]) -> Say:
    return lambda lang: text(lang, "report.comma").join(percent(only(share), lang, 0) for share in shares)


def _half(value: Sequence[float]) -> float:
    return (value[2] - value[1]) / 2


def _levels(rules: Rules, found: Sequence[Setting]) -> Iterator[Finding]:
    """An edge of the first that changes with how well is played."""
    for each in found:
        if len(each.levels) < 2:
            continue
        weak = each.data["levels"][each.levels[0]]["win_share_by_turn_order"][0]
        strong = each.strongest["win_share_by_turn_order"][0]
        if abs(weak[0] - strong[0]) > 1.4 * math.hypot(_half(weak), _half(strong)):
            yield Finding(
                "findings.turns_with_skill", 45 + 100 * abs(weak[0] - strong[0]), "win_share_by_turn_order",
                {
                    "setting": each.name,
                    "weak_level": level_name(each.levels[0]), "strong_level": level_name(each.levels[-1]),
                    "weak": said(percent, weak), "strong": said(percent, strong),
                },
            )  # fmt: skip


def _luck(rules: Rules, found: Sequence[Setting]) -> Iterator[Finding]:
    told = [each for each in found if known(each.data["skill"].get("skill_share"))]
    if not told:
        return

    def parts(each: Setting, lang: str) -> str:
        of = each.data["skill"]
        return text(
            lang, "findings.luck_parts", skill=percent(of["skill_share"], lang, 0),
            deal=percent(of["deal_share"], lang, 0), rest=percent(of["rest_share"], lang, 0),
        )  # fmt: skip

    yield Finding("findings.luck", 57.0, "skill_share", {"each": _each(told, parts)})

    def novice(each: Setting, lang: str) -> str:
        return number(_place_from_one(each.data["skill"]["novice_place"], each.seats), lang)

    middle = ", ".join(f"{(n + 1) / 2:g}" for n in dict.fromkeys(each.seats for each in told))
    yield Finding("findings.novice", 40.0, "novice_place", {"each": _each(told, novice), "middle": middle})

    def seer(each: Setting, lang: str) -> str:
        return number(_place_from_one(each.data["skill"]["seer_place"], each.seats), lang)

    gains = [each.data["skill"]["seer_place"] for each in told]
    key = "findings.seer" if any(_above_even(gains)) else "findings.seer_nothing"
    yield Finding(key, 35.0, "seer_place", {"each": _each(told, seer), "middle": middle})
    yield from _ladder([each for each in told if each.data["skill"]["ladder"]])


def _ladder(told: Sequence[Setting]) -> Iterator[Finding]:
    """What the last doubling of thought does, where those who search are the strongest that were studied: one that
    looks a step ahead has no twice as much."""
    if not told or not told[0].levels[-1].startswith("search"):
        return
    less = list(told[0].data["skill"]["ladder"])[-1]
    rises = _above_even([each.data["skill"]["ladder"][less] for each in told])
    rising = [each for each, sure in zip(told, rises, strict=True) if sure]
    values = {"less": less, "more": str(2 * int(less))}
    if rising:
        yield Finding("findings.ladder_rises", 30.0, "ladder", {"settings": _names(rising), **values})
    else:
        yield Finding("findings.ladder_flat", 34.0, "ladder", {"settings": _names(told), **values})


def _above_even(places: Sequence[Sequence[float]]) -> list[bool]:
    """Which of several mean places (0 last, 1 first) lie above the even one, by more than chance where so many are
    tested."""
    gains = [[value - 0.5 if value is not None else None for value in place] for place in places]
    sure = not_by_chance([1.0 if None in gain else _p(gain) for gain in gains])
    return [good and place[0] > 0.5 for good, place in zip(sure, places, strict=True)]


def _place_from_one(place: Sequence[float | None], seats: int) -> list[float | None]:
    """A mean place from 0 (last) to 1 (first) as people count: 1 is the first."""
    ends = [None if each is None else seats - each * (seats - 1) for each in place]
    return [ends[0], ends[2], ends[1]]


def _length(rules: Rules, found: Sequence[Setting]) -> Iterator[Finding]:
    def minutes(each: Setting, lang: str) -> str:
        low, middle, high = (value[0] for value in each.strongest["minutes_spread"])
        return text(lang, "findings.minutes", middle=f"{middle:.0f}", low=f"{low:.0f}", high=f"{high:.0f}")

    yield Finding("findings.length", 56.0, "minutes_a_game", {"each": _each(found, minutes)})
    if len({each.seats for each in found}) > 1:
        by_seats = {each.seats: each.strongest["minutes_a_game"][0] for each in found}
        low, high = min(by_seats), max(by_seats)
        if by_seats[high] > 1.8 * by_seats[low]:
            yield Finding(
                "findings.grows", 38.0, "minutes_a_game",
                {"low": low, "high": high, "times": f"{by_seats[high] / by_seats[low]:.1f}"},
            )  # fmt: skip


def _choices(rules: Rules, found: Sequence[Setting]) -> Iterator[Finding]:
    forced = [each for each in found if _value(each.strongest, "forced_share") > FORCED]
    if forced:
        share = _each(forced, lambda each, lang: percent(each.strongest["forced_share"], lang, 0))
        yield Finding("findings.forced", 50.0, "forced_share", {"each": share})
    else:
        legal = _each(found, lambda each, lang: number(each.strongest["legal_moves_a_decision"], lang))
        yield Finding("findings.choices", 25.0, "legal_moves_a_decision", {"each": legal})
    idle = [each for each in found if _value(each.strongest, "idle_seats") > 0.01]
    if idle:
        share = _each(idle, lambda each, lang: percent(each.strongest["idle_seats"], lang))
        yield Finding("findings.idle", 54.0, "idle_seats", {"each": share})
    slow = [each for each in found if (wait_minutes(each.strongest) or 0.0) > limits()["holds"]["wait_minutes"] / 2]
    if slow:

        def minutes(each: Setting, lang: str) -> str:
            return text(lang, "findings.wait_minutes", n=f"{wait_minutes(each.strongest):.1f}")

        yield Finding("findings.wait", 48.0, "longest_wait", {"each": _each(slow, minutes)})


def _course(rules: Rules, found: Sequence[Setting]) -> Iterator[Finding]:
    told = [each for each in found if known(each.strongest.get("settled_at"))]
    if not told:
        return
    settled = _each(told, lambda each, lang: percent(each.strongest["settled_at"], lang, 0))
    yield Finding("findings.settled", 47.0, "settled_at", {"each": settled})
    left = [each for each in told if each.strongest["played_out"][0] > 0.2]
    if left:
        share = _each(left, lambda each, lang: percent(each.strongest["played_out"], lang, 0))
        yield Finding("findings.played_out", 52.0, "played_out", {"each": share})
    back = [each for each in told if known(each.strongest.get("comeback"))]
    if back:
        share = _each(back, lambda each, lang: percent(each.strongest["comeback"], lang, 0))

        def even(lang: str) -> str:
            return ", ".join(percent(only(1 / n), lang, 0) for n in dict.fromkeys(each.seats for each in back))

        yield Finding("findings.comeback", 32.0, "comeback", {"each": share, "even": even})
    moved = [each for each in told if known(each.strongest.get("interaction"))]
    if moved:

        def effect(each: Setting, lang: str) -> str:
            of = each.strongest
            return text(
                lang, "findings.effect", others=size(of["interaction"], lang),
                own=size(of["swing"], lang),
            )  # fmt: skip

        yield Finding("findings.interaction", 33.0, "interaction", {"each": _each(moved, effect)})
    tied = [each for each in found if MANY < _value(each.strongest, "shared_first_places") < 1]
    if tied:
        share = _each(tied, lambda each, lang: percent(each.strongest["shared_first_places"], lang, 0))
        yield Finding("findings.tied", 36.0, "shared_first_places", {"each": share})


@dataclass(frozen=True)
class _Worth:
    """The card (or group) that it matters most to be dealt: how many places it is worth on the mean, and of how many of
    all cards anything is sure."""

    card: str
    places: float
    clear: int
    all: int


def _most_telling(each: Setting, level: str, kind: str) -> _Worth | None:
    dealt = each.data["levels"][level].get(f"dealt_{kind}") or {}
    worth = {name: value for name, value in dealt.items() if known(value) and value[1] is not None}
    sure = not_by_chance([_p(value) for value in worth.values()])
    real = [name for name, good in zip(worth, sure, strict=True) if good]
    if len(worth) < 2 or not real:
        return None
    best = max(real, key=lambda name: abs(worth[name][0]))
    return _Worth(best, worth[best][0] * (each.seats - 1), len(real), len(worth))


def _worths(rules: Rules, kind: str, best: Sequence[tuple[Setting, _Worth]]) -> Say:
    of = {id(each): one for each, one in best}

    def worth(each: Setting, lang: str) -> str:
        one = of[id(each)]
        return text(
            lang, "findings.dealt_places", card=card_name(rules, kind, one.card, lang),
            places=texts.signed(one.places, lang, 2), n=one.clear, all=one.all,
        )  # fmt: skip

    return _each([each for each, _ in best], worth)


def _cards(rules: Rules, found: Sequence[Setting]) -> Iterator[Finding]:
    for kind, weight in (("group", 46.0), ("card", 42.0)):
        level = found[0].best_known
        best = [(each, one) for each in found if (one := _most_telling(each, level, kind)) is not None]
        if best:
            most = max(abs(one.places) for _, one in best)
            yield Finding(
                f"findings.dealt_{kind}", weight + 10 * most, f"dealt_{kind}",
                {"level": level_name(level), "each": _worths(rules, kind, best)},
            )  # fmt: skip
    forms: tuple[tuple[str, str, float, Callable[[float, str], str]], ...] = (
        ("findings.last", "last_group", 44.0, lambda value, lang: percent(only(value), lang, 0)),
        ("findings.swing", "swing_by_group", 43.0, lambda value, lang: size(only(value), lang)),
    )
    for key, measure, weight, form in forms:
        told = [each for each in found if each.strongest.get(measure)]
        if told:
            yield Finding(key, weight, measure, {"each": _each(_ends(told), _by_group(rules, measure, form))})


def _by_group(
    rules: Rules, measure: str, form: Callable[[float, str], str]
) -> Callable[[Setting, str], str]:
    """A measure by group of cards, the biggest first."""

    def told(each: Setting, lang: str) -> str:
        values = sorted(each.strongest[measure].items(), key=lambda item: -item[1][0])
        return text(lang, "report.comma").join(
            f"{card_name(rules, 'group', name, lang)} {form(value[0], lang)}" for name, value in values
        )

    return told


def _ends(those: Sequence[Setting]) -> Sequence[Setting]:
    """The first and the last."""
    return those if len(those) < 2 else (those[0], those[-1])


def _p(value: Sequence[float]) -> float:
    """How probable such a value is when there is nothing, from its interval."""
    error = _half(value) / Z
    return math.erfc(abs(value[0]) / error / math.sqrt(2)) if error > 0 else 0.0 if value[0] else 1.0


def card_name(rules: Rules, kind: str, name: str, lang: str) -> str:
    """A card, or a group of cards, as people read it."""
    said = words(rules, lang)
    return said.card(name) if kind == "card" else said.get("card_groups", name) or name.replace("_", " ")


def _clauses(rules: Rules, found: Sequence[Setting]) -> Iterator[Finding]:
    """Clauses that never came up, in no setting and at no level; and rare ones."""
    every = [each.data["levels"][level] for each in found for level in each.levels]
    every = [each for each in every if "clauses" in each]
    if not every:
        return
    games = sum(each["clause_games"] for each in every)
    most: dict[str, float] = {}
    for each in every:
        for clause, share in each["clauses"].items():
            most[clause] = max(most.get(clause, 0.0), share[0])
    never = [clause for clause, share in most.items() if share == 0]
    if never:
        named = {"clauses": lambda lang: texts.listed(never, lang), "n": len(never), "games": games}
        yield Finding("findings.never", 41.0, "clauses", named)
    elif most:
        yield Finding("findings.all_clauses", 20.0, "clauses", {"n": len(most), "games": games})
    unused = [
        move.name
        for move in rules.moves
        if move.kind not in _peoples(rules) and all(each["games_with_move"][move.name][0] == 0 for each in every)
    ]
    if unused:

        def names(lang: str) -> str:
            return texts.listed([words(rules, lang).label(name) for name in unused], lang)

        yield Finding("findings.unused", 53.0, "games_with_move", {"moves": names})


def _peoples(rules: Rules) -> frozenset[Any]:
    """The kinds of moves that only people make: `also_people` of the rules file names them, and `legal` does not."""
    module = rules.module
    names = frozenset(module.also_people.__code__.co_names) - frozenset(module.legal.__code__.co_names)
    return frozenset(getattr(module, name, None) for name in names)


def _talk(rules: Rules, found: Sequence[Setting]) -> Iterator[Finding]:
    told = [each for each in found if known(each.strongest.get("lies"))]
    if told:
        lies = _each(told, lambda each, lang: percent(each.strongest["lies"], lang, 0))
        yield Finding("findings.talk", 26.0, "lies", {"each": lies})


def _people(rules: Rules, found: Sequence[Setting]) -> Iterator[Finding]:
    for each in found:
        real = each.data.get("people")
        if not real:
            continue
        reckoned = each.strongest["minutes_a_game"]
        yield Finding(
            "findings.people", 59.0, "people",
            {
                "setting": each.name, "n": real["games"], "minutes": said(number, real["minutes"]),
                "reckoned": said(number, only(reckoned[0])),
            },
        )  # fmt: skip
        if real["fun"]:
            yield Finding(
                "findings.fun", 59.5, "people",
                {"setting": each.name, "n": real["answers"], "fun": said(number, real["fun"])},
            )  # fmt: skip


def _boxes(rules: Rules, summary: Mapping[str, Any]) -> Iterator[Finding]:
    proposed = label(rules, summary)
    if len(proposed.held) > 1:
        failing = [seats for seats in proposed.held if seats not in proposed.seats]
        if not proposed.seats:
            yield Finding("findings.seats_none", 55.0, "label")
        elif failing:
            yield Finding(
                "findings.seats_fail", 55.0, "label",
                {"holds": proposed.players, "fails": lambda lang: texts.listed([str(n) for n in failing], lang)},
            )  # fmt: skip
        elif proposed.undecided:
            yield Finding(
                "findings.seats_open", 55.0, "label",
                {
                    "holds": proposed.players,
                    "open": lambda lang: texts.listed([str(n) for n in proposed.undecided], lang),
                },
            )  # fmt: skip
        else:
            yield Finding("findings.seats_hold", 49.0, "label", {"holds": proposed.players})
        if proposed.best is not None:
            yield Finding("findings.best", 48.5, "label", {"seats": proposed.best})
    for claim in proposed.claims:
        yield Finding(claim.key, 39.0, "label", claim.values)


def _value(measured: Measured, name: str) -> float:
    found = measured.get(name)
    return float(found[0]) if found is not None and known(found) else 0.0


# --------------------------------------------------------------------------------------------------- what is not told


def unknown(rules: Rules, summary: Mapping[str, Any]) -> list[Finding]:
    """What the study does not tell, and why."""
    found = settings(rules, summary)
    out = [Finding("unknown.fun", 0, "people")]
    if summary["minutes"]["games"] == 0:
        out.append(Finding("unknown.minutes", 0, "minutes_a_game"))
    strongest = summary["levels"][-1]
    least = min(each.strongest["games"] for each in found)
    widest = max((_half(each.strongest["win_share_by_turn_order"][0]) for each in found), default=0.0)
    out.append(
        Finding(
            "unknown.small", 0, "games_needed",
            {
                "games": least, "level": level_name(strongest),
                "edge": said(size, only(1.43 * widest)),
                "needed": max(each.strongest["games_needed"] or 0 for each in found),
            },
        )
    )  # fmt: skip
    out.append(Finding("unknown.stronger", 0, "ladder", {"level": level_name(strongest)}))
    if hasattr(rules.module, "vocabulary"):
        out.append(Finding("unknown.words", 0, "ladder"))
    if any(move.talk for move in rules.moves):
        out.append(Finding("unknown.talk", 0, "lies"))
    varied = {name for each in found for name in each.varied}
    fixed = [
        name
        for name, option in rules.declared_options.items()
        if name not in varied and isinstance(option, Flag | Choice | Range)
    ]
    if fixed:

        def names(lang: str) -> str:
            return texts.listed([words(rules, lang).option(name) for name in fixed], lang)

        out.append(Finding("unknown.options", 0, "label", {"options": names}))
    if not any(known(each.data["skill"].get("skill_share")) for each in found):
        out.append(Finding("unknown.skill", 0, "skill_share"))
    return out
