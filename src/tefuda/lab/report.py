"""The report: one page that needs nothing else, no script either, in Japanese and English, to be read on a screen or
printed."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from tefuda.engine.declare import Choice, Flag, Range
from tefuda.engine.record import load
from tefuda.engine.rules import Rules
from tefuda.lab import plots, texts
from tefuda.lab.findings import Setting, card_name, findings, level_name, settings, unknown
from tefuda.lab.label import Label, label, svg
from tefuda.lab.records import NOTABLE
from tefuda.lab.study import BUDGET
from tefuda.lab.texts import Say, known, said, text
from tefuda.words import words

HERE = Path(__file__).parent

LONGEST_NAME = 16
"""A card whose name has more letters has a sign in the plot."""

MOST_CARDS = 24
"""So many cards stand in a plot or a table: those with the clearest effect."""

SHARES = frozenset({
    "win_share_by_turn_order", "win_share_by_seat", "win_share_by_bot", "shared_first_places", "forced_share",
    "hidden_share", "idle_seats", "longest_wait_share", "capped", "stuck", "positions_that_come_back", "settled_at",
    "played_out", "comeback", "leader_wins", "lies", "skill_share", "deal_share", "rest_share", "relative_skill",
})  # fmt: skip
"""Measures that are told in per cent."""

TABLE = (
    "win_share_by_turn_order", "win_share_by_seat", "evenness_by_turn_order", "games_needed", "win_share_by_bot",
    "place_by_bot", "score_by_place", "margin", "score_spread", "shared_first_places", "decisions_a_game",
    "decisions_spread", "turns_a_game", "rounds_a_game", "minutes_a_game", "minutes_spread", "legal_moves_a_decision",
    "bits_a_decision", "forced_share", "hidden_share", "choices_a_seat", "idle_seats", "longest_wait",
    "longest_wait_share", "capped", "stuck", "positions_that_come_back", "lead_changes", "drama", "settled_at",
    "played_out", "comeback", "leader_wins", "swing", "interaction", "lies", "claims_a_game", "claim_gives_away",
    "card_bits",
)  # fmt: skip
"""The measures that stand in the table of all numbers, in this order."""

OF_SKILL = (
    "skill_share", "deal_share", "rest_share", "relative_skill", "novice_place", "seer_place", "deals",
)  # fmt: skip

SECTION = {
    "win_share_by_turn_order": "fairness", "minutes_a_game": "length", "settled_at": "course", "played_out": "course",
    "comeback": "course", "interaction": "course", "skill_share": "luck", "novice_place": "luck", "seer_place": "luck",
    "ladder": "luck", "dealt_card": "cards", "dealt_group": "cards", "last_group": "cards", "swing_by_group": "cards",
    "clauses": "clauses", "games_with_move": "moves", "lies": "talk", "people": "people", "label": "label",
}  # fmt: skip
"""Where a finding's plot is; else it is in the table of all numbers."""


def both(say: Say) -> Markup:
    """A text in both languages; which is seen, the page's style decides."""
    return Markup("").join(
        Markup('<span lang="{}">{}</span>').format(lang, Markup(html.escape(say(lang), quote=False)))
        for lang in texts.LANGUAGES
    )


def shown(name: str, value: Any, lang: str) -> str:
    """A measured value as it stands in a table."""
    if value is None:
        return "–"
    if isinstance(value, Mapping):
        return text(lang, "report.comma").join(f"{key} {shown(name, each, lang)}" for key, each in value.items())
    if isinstance(value, Sequence) and value and isinstance(value[0], Sequence):
        return " / ".join(shown(name, each, lang) for each in value)
    if isinstance(value, Sequence):
        return texts.percent(value, lang) if name in SHARES else texts.number(value, lang, 2)
    if isinstance(value, float):
        return f"{value:.2g}" if value < 0.01 else f"{value:.3f}"
    return f"{value:,}"


class Page:
    """What the template of a report asks for."""

    def __init__(
        self,
        rules: Rules,
        summary: Mapping[str, Any],
        records: Mapping[str, Mapping[str, Path]],
        link: Callable[[Path], str],
    ) -> None:
        self.rules, self.summary, self.records, self.link = rules, summary, records, link
        self.settings = settings(rules, summary)
        self.label: Label = label(rules, summary)
        self.findings = findings(rules, summary)
        self.unknown = unknown(rules, summary)
        self.levels: Sequence[str] = summary["levels"]
        self.sections: set[str] = {"fairness", "length", "clauses", "moves", "label"}

    # -------------------------------------------------------------------------------------------- words

    def t(self, key: str, **values: Any) -> Markup:
        """A text of the lab in both languages."""

        def told(lang: str) -> str:
            return text(lang, f"report.{key}", **{k: v(lang) if callable(v) else v for k, v in values.items()})

        return both(told)

    def title(self) -> Markup:
        """The heading."""
        return self.t("title", game=lambda lang: words(self.rules, lang).title())

    def author(self) -> Markup | None:
        """Who made the game."""
        if words(self.rules, "ja").author() is None:
            return None
        return self.t("author", author=lambda lang: words(self.rules, lang).author() or "")

    def said(self, each: Any) -> Markup:
        """A sentence (of a finding or a reason)."""
        return both(each.sentence)

    def target(self, link: str) -> str:
        """Where the plot or number of a finding is."""
        section = SECTION.get(link)
        return section if section in self.sections else f"row-{link}" if link in TABLE else f"define-{link}"

    def name(self, each: Setting) -> Markup:
        """A setting."""
        return both(each.name)

    def level(self, level: str) -> Markup:
        """A level of play."""
        return both(level_name(level))

    def level_name(self, level: str) -> Say:
        """The same, for a sentence."""
        return level_name(level)

    def measure(self, name: str, key: str = "name") -> Markup:
        """The name, definition or source of a measure."""
        return both(lambda lang: text(lang, f"measures.{name}.{key}"))

    def defined(self) -> list[str]:
        """All measures."""
        return list(texts.table("en")["measures"])

    def source(self, name: str) -> str:
        """Where a definition comes from; the same in both languages where it is a paper."""
        return text("en", f"measures.{name}.source")

    def label_svg(self, lang: str) -> Markup:
        """The picture of the label."""
        return Markup(svg(self.rules, self.label, lang))

    def reasons(self) -> list[Markup]:
        """The reasons of the label."""
        told = {lang: self.label.reasons(lang) for lang in texts.LANGUAGES}
        rows = zip(*told.values(), strict=True)
        return [both(dict(zip(texts.LANGUAGES, row, strict=True)).__getitem__) for row in rows]

    def tries(self) -> list[str]:
        """Commands that show what each option would change, with the seats the game holds best with."""
        seats = self.label.best or self.settings[0].seats
        game = self.rules.id if self.rules.builtin else self.rules.path.name
        out = []
        for name, option in self.rules.declared_options.items():
            now = option.default
            if isinstance(option, Flag):
                others: list[Any] = [not now]
            elif isinstance(option, Choice):
                others = [each for each in option.texts if each != now]
            elif isinstance(option, Range):
                middle = now if isinstance(now, int) else (option.low + option.high) // 2
                near = max(1, middle // 4)
                others = [each for each in (middle - near, middle + near) if option.low <= each <= option.high]
                others = others if now is not None else [option.low]
            else:
                continue
            variants = " ".join(f"{name}={json.dumps(each).strip(chr(34))}" for each in (now, *others))
            out.append(f"tefuda compare {game} {variants} --seats {seats} --bots search:{BUDGET}")
        return out

    # -------------------------------------------------------------------------------------------- plots

    def plot_titles(self) -> list[plots.Words]:
        """Settings in short."""
        out: list[plots.Words] = []
        for each in self.settings:
            varied = "".join(f", {name}={each.data['options'][name]}" for name in each.varied)
            out.append({lang: text(lang, "report.players", n=each.seats) + varied for lang in texts.LANGUAGES})
        return out

    def marks(self) -> Say:
        """What the marks of the plot of fairness are: of each level that was studied."""
        named = [(str(k % len(plots.MARKS)), level_name(level)) for k, level in enumerate(self.levels)]
        return lambda lang: text(lang, "report.comma").join(
            text(lang, "report.marked", mark=text(lang, f"report.marks.{mark}"), level=level(lang))
            for mark, level in named
        )

    def fairness(self) -> Markup | None:
        """Win shares by turn order."""
        titled = zip(self.plot_titles(), self.settings, strict=True)
        several = [(title, each) for title, each in titled if each.seats > 1]
        if not several:
            return None
        levels = [
            [each.data["levels"][level]["win_share_by_turn_order"] for level in self.levels] for _, each in several
        ]
        return Markup(plots.shares([title for title, _ in several], levels))

    def lengths(self) -> Markup | None:
        """How long games are, in the settings where they are not all alike; None where there is no such setting."""
        titled = zip(self.plot_titles(), self.settings, strict=True)
        told = [(title, each.data["lengths"]) for title, each in titled if len(each.data["lengths"]) > 1]
        return Markup(plots.lengths(*map(list, zip(*told, strict=True)))) if told else None

    def one_length(self) -> list[tuple[Setting, int]]:
        """The settings in which every game takes as many decisions, and how many."""
        return [(each, round(each.data["lengths"][0][0])) for each in self.settings if len(each.data["lengths"]) == 1]

    def courses(self) -> list[tuple[Setting, Markup, str]]:
        """Of the settings whose games were looked at, the most dramatic (where one is) and the most typical, and the
        text that tells which."""
        out: list[tuple[Setting, Markup, str]] = []
        for each in self.settings:
            curves = each.data.get("curves") or {}
            games = [curves[word] for word in ("most_dramatic", "most_typical") if word in curves]
            games = games[-1:] if games and games[0] == games[-1] else games
            if games:
                told = "course_plot" if len(games) > 1 else "course_plot_one"
                out.append((each, Markup(plots.courses(f"courses{len(out)}", games)), told))
        return out

    def luck(self) -> tuple[Markup, Markup] | None:
        """What places depend on, and what thinking twice as long does."""
        told = [
            (title, each.data["skill"]) for title, each in zip(self.plot_titles(), self.settings, strict=True)
            if known(each.data["skill"].get("skill_share"))
        ]  # fmt: skip
        if not told:
            return None
        titles = [title for title, _ in told]
        parts = [[of[name][0] for name in ("skill_share", "deal_share", "rest_share")] for _, of in told]
        return Markup(plots.luck(titles, parts)), Markup(plots.ladder(titles, [of["ladder"] for _, of in told]))

    def worths(self) -> tuple[Setting, Markup, list[tuple[str, Markup]]] | None:
        """What being dealt the cards is worth, in the first setting; and where names are too long for the picture, the
        cards by the signs that stand for them."""
        with_cards = [each for each in self.settings if each.strongest.get("dealt_card") and each.seats > 1]
        if not with_cards:
            return None
        each = with_cards[0]
        measured = each.data["levels"][each.best_known]
        worth = {name: v for name, v in measured["dealt_card"].items() if known(v) and v[1] is not None}
        names = sorted(worth, key=lambda name: -abs(worth[name][0]) / max(1e-9, worth[name][2] - worth[name][1]))
        names = sorted(names[:MOST_CARDS], key=lambda name: -worth[name][0])
        if not names:
            return None
        shown = [{lang: card_name(self.rules, "card", name, lang) for lang in texts.LANGUAGES} for name in names]
        signs = []
        if any(len(said) > LONGEST_NAME for each_name in shown for said in each_name.values()):
            signs = [(f"({k})", self.card("card", name)) for k, name in enumerate(names, 1)]
            shown = [dict.fromkeys(texts.LANGUAGES, sign) for sign, _ in signs]
        return each, Markup(plots.worths(shown, [worth[name] for name in names])), signs

    def ungrouped(self) -> Say | None:
        """The cards that are in none of the groups, of which the table therefore tells nothing; None where there are
        none."""
        groups: Mapping[str, Sequence[str]] = self.rules.info.get("card_groups", {})
        grouped = {name for members in groups.values() for name in members}
        kinds = dict.fromkeys(kind.name for each in self.settings for kind in self.rules.kinds(each.data["options"]))
        left = [name for name in kinds if name not in grouped]
        if not groups or not left:
            return None

        def told(lang: str) -> str:
            if len(left) > MOST_CARDS:
                return text(lang, "report.kinds_of_cards", n=len(left))
            return texts.listed([card_name(self.rules, "card", name, lang) for name in left], lang)

        return told

    # -------------------------------------------------------------------------------------------- tables

    def value(self, form: Callable[..., str], value: Any, *more: Any) -> Markup:
        """A measured value in one of the forms of the texts, or a dash."""
        return both(said(form, value, *more)) if known(value) else Markup("–")

    def cell(self, name: str, value: Any) -> Markup:
        """A measure's value as it stands in a table."""
        return both(lambda lang: shown(name, value, lang))

    def card(self, kind: str, name: str) -> Markup:
        """A card, or a group of them."""
        return both(lambda lang: card_name(self.rules, kind, name, lang))

    def _move(self, name: str) -> Say:
        return lambda lang: words(self.rules, lang).label(name)

    def groups(self) -> list[tuple[Setting, list[tuple[Markup, list[Markup]]]]]:
        """By setting the groups of cards: dealt, played, last, swing."""
        out = []
        for each in self.settings:
            of = each.strongest
            if not of.get("dealt_group"):
                continue
            rows = []
            for name in of["dealt_group"]:
                cells = []
                for column in ("dealt_group", "played_group", "last_group", "swing_by_group"):
                    share = column in ("played_group", "last_group")
                    value = (of.get(column) or {}).get(name)
                    cells.append(self.value(texts.percent, value) if share else self.value(texts.number, value, 3))
                rows.append((self.card("group", name), cells))
            out.append((each, rows))
        return out

    def rows(self) -> list[tuple[str, list[list[Markup]]]]:
        """The table of all numbers: by measure, for each setting a cell for each level."""
        out = []
        for name in TABLE:
            values = [[each.data["levels"][level].get(name) for level in self.levels] for each in self.settings]
            if any(value is not None for cells in values for value in cells):
                cells = [[self.cell(name, value) for value in of] for of in values]
                out.append((name, cells))
        return out

    def skill_rows(self) -> list[tuple[str, list[Markup]]]:
        """The same of luck and skill, which has one value a setting."""
        out = []
        for name in OF_SKILL:
            values = [each.data["skill"].get(name) for each in self.settings]
            if any(value is not None for value in values):
                out.append((name, [self.cell(name, value) for value in values]))
        return out

    def clauses(self) -> list[tuple[str, list[Markup]]]:
        """By clause, for each setting the share of games in which it comes up, between the strongest."""
        told = [each.strongest.get("clauses") or {} for each in self.settings]
        return [
            (clause, [self.value(texts.percent, of.get(clause), 0) for of in told])
            for clause in dict.fromkeys(clause for of in told for clause in of)
        ]

    def lines_never(self) -> list[str]:
        """Lines of play that ran in no setting."""
        told = [set(each.strongest["lines_never"]) for each in self.settings if "lines_never" in each.strongest]
        return sorted(set.intersection(*told), key=lambda line: int(line.split(":")[0])) if told else []

    def moves(self) -> list[tuple[Markup, list[Markup]]]:
        """By kind of move how often it is made, and in which share of games."""
        out = []
        for move in self.rules.moves:
            cells = []
            for each in self.settings:
                often = each.strongest["moves_a_game"][move.name]
                share = each.strongest["games_with_move"][move.name]
                cells.append(self.value(texts.number, often) + " · " + self.value(texts.percent, share, 0))
            out.append((both(self._move(move.name)), cells))
        return out

    def answers(self) -> list[tuple[Setting, str, Markup]]:
        """What is done after lies and after the truth."""
        out = []
        for each in self.settings:
            for key in ("answers_to_lies", "answers_to_truths"):
                of = each.strongest.get(key)
                if of:
                    told = [both(self._move(name)) + " " + self.value(texts.percent, of[name], 0) for name in of]
                    out.append((each, key, Markup(", ").join(told)))
        return out

    def people(self) -> list[tuple[Setting, Mapping[str, Any]]]:
        """The games of people by setting."""
        return [(each, each.data["people"]) for each in self.settings if each.data.get("people")]

    def number(self, value: Any) -> Markup:
        """A mean, or a dash."""
        return self.value(texts.number, value)

    def games(self) -> list[tuple[Setting, list[dict[str, Any]]]]:
        """The games worth a look, by setting: why, the way to the record, how it ended and what happened."""
        out = []
        for number, files in self.records.items():
            each = self.settings[int(number)]
            told = []
            for word in NOTABLE:
                if word in files:
                    told.append(self._game(word, files[word]))
            out.append((each, told))
        return out

    def _game(self, word: str, file: Path) -> dict[str, Any]:
        game = load(file, self.rules)
        result = game.result or {"ranks": [], "scores": []}

        def ended(lang: str) -> str:
            seats = range(len(game.players))
            ranks, scores = result["ranks"], result["scores"]
            return text(lang, "report.comma").join(
                text(lang, "report.result", name=seat_name(lang, seat), place=ranks[seat], score=scores[seat])
                for seat in sorted(seats, key=lambda seat: (ranks[seat], seat))
            )

        def seat_name(lang: str, seat: int) -> str:
            return text(lang, "report.bot_seat", seat=seat)

        def log(lang: str) -> list[str]:
            told = words(self.rules, lang).tell(game.story(None, open_hands=True), lambda seat: seat_name(lang, seat))
            colon = "：" if lang == "ja" else ": "
            names = ["" if each.seat is None else seat_name(lang, each.seat) + colon for each in told]
            return [name + each.sentence for name, each in zip(names, told, strict=True)]

        logs = {lang: log(lang) for lang in texts.LANGUAGES}
        return {"why": self.t(word), "link": self.link(file), "ended": both(ended), "log": logs}


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(HERE), autoescape=select_autoescape(default=True), undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip


def report(
    rules: Rules,
    summary: Mapping[str, Any],
    records: Mapping[str, Mapping[str, Path]] | None = None,
    link: Callable[[Path], str] | None = None,
    logs: bool = True,
    lang: str = "ja",
    back: str | None = None,
) -> str:
    """The report of a study as a page (HTML). `records`: files of the games worth a look, by the number of the setting
    and why; `link`: where each is found from the page (in `records/` beside it, unless told); `logs`: what happened in
    them is told, too; `lang`: which language is seen first; `back`:
    an address from which the reader came."""
    page = Page(rules, summary, records or {}, link or (lambda file: f"records/{file.name}"))
    template = _environment().get_template("report.html")
    return template.render(page=page, summary=summary, logs=logs, languages=texts.LANGUAGES, first=lang, back=back)
