"""A study of a game: several seat counts and options, each at several levels of play, all measures of them, and what
the measures say. This is what `tefuda lab` and the page of the lab run."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl

from tefuda.bots import Bot, has_estimate, parse
from tefuda.engine.rules import Rules
from tefuda.lab import course, measures
from tefuda.lab.cell import Cell, cell
from tefuda.lab.clauses import clauses
from tefuda.lab.intervals import Interval
from tefuda.lab.measures.course import courses
from tefuda.lab.measures.length import histogram
from tefuda.lab.minutes import Minutes, first_guess
from tefuda.lab.people import People, PlayReport, people
from tefuda.lab.playing import Table, play
from tefuda.lab.records import notable, save_records
from tefuda.lab.skill import Trials, skill, trials
from tefuda.lab.store import KINDS, Data, Store
from tefuda.lab.watched import Watched

BUDGET = 100
"""Iterations of the search that plays well, unless told."""

SUMMARY = "summary.json"


class Cancelled(Exception):
    """A study was stopped from outside."""


@dataclass(frozen=True)
class Plan:
    """How much is played of each setting: `games` by random players, `greedy` by players that look one step ahead and
    `thinking` by players that search; of `kept` of these every decision is kept; `looked_at` of them are looked at
    position by position; `clause_games` are played again to see which clauses come up; `deals` are each played by all
    in all seats, to tell luck from skill (0: not at all), by searches of `budget` iterations. `until`: stop earlier, as
    soon as the interval of the share of who decides first reaches no further than this to each side."""

    games: int = 10_000
    greedy: int = 1_000
    thinking: int = 300
    kept: int = 2_000
    looked_at: int = 60
    clause_games: int = 100
    deals: int = 60
    budget: int = BUDGET
    until: float | None = None

    @staticmethod
    def of(games: int) -> Plan:
        """A plan around so many random games."""
        usual = Plan()
        part = games / usual.games
        return replace(
            usual,
            games=games,
            greedy=max(20, round(usual.greedy * min(part, 10))),
            thinking=max(20, round(usual.thinking * min(part, 10))),
            kept=max(20, min(games, round(usual.kept * min(part, 10)))),
            looked_at=max(5, round(usual.looked_at * min(part, 5))),
            clause_games=max(20, round(usual.clause_games * min(part, 5))),
            deals=max(10, round(usual.deals * min(part, 5))),
        )


@dataclass(frozen=True)
class Progress:
    """How far a study is: the share that is done, about how many seconds are left (None at the very start), what is
    being done, and in the setting being played the games so far and the win shares by turn order."""

    done: float
    seconds_left: float | None
    what: str
    seats: int
    options: Mapping[str, Any]
    level: str
    games: int = 0
    shares: tuple[Interval, ...] = ()

    def data(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self) | {"shares": [share.data() for share in self.shares]}


@dataclass(frozen=True)
class Study:
    """What to study. `settings`: seat counts with options, all options filled in. `levels`: a bot for every seat, as
    text, from the weakest to the strongest; or several with commas between. `reports`: games of people, if there are
    any."""

    rules: Rules
    settings: tuple[tuple[int, Mapping[str, Any]], ...]
    levels: tuple[str, ...]
    plan: Plan = field(default_factory=Plan)
    seed: int = 0
    reports: tuple[PlayReport, ...] = ()

    def cells(self) -> Iterator[Cell]:
        """What is played to see how the game goes, setting by setting."""
        for seats, options in self.settings:
            yield from (self.cell(seats, options, level) for level in self.levels)

    def cell(self, seats: int, options: Mapping[str, Any], level: str) -> Cell:
        """One of them."""
        return cell(self.rules, seats, _bots(level, seats), options, self.seed)

    def trials(self, seats: int, options: Mapping[str, Any]) -> Trials | None:
        """What is played to tell luck from skill; None when nothing is (or there is nobody to play against)."""
        if self.plan.deals == 0 or seats < 2:
            return None
        return trials(self.rules, seats, options, self.seed, self.plan.budget)

    def games(self, one: Cell) -> int:
        """How many games of a cell are to be played."""
        if one.rotate:
            return self.plan.deals * one.seats
        kinds = {bot.kind for bot in one.bots}
        if "search" in kinds:
            return self.plan.thinking
        return self.plan.greedy if "greedy" in kinds else self.plan.games

    def settings_data(self) -> dict[str, Any]:
        """What was asked, for a study that is taken up again: all but how many games."""
        plan = asdict(self.plan)
        for more in ("games", "greedy", "thinking", "until"):
            del plan[more]
        return {
            "game": self.rules.id,
            "rules": self.rules.version,
            "settings": [[seats, dict(options)] for seats, options in self.settings],
            "levels": list(self.levels),
            "seed": self.seed,
            "plan": plan,
        }


def _bots(level: str, seats: int) -> list[Bot]:
    bots = [parse(text) for text in level.split(",")]
    return bots * seats if len(bots) == 1 else bots


def levels_of(rules: Rules, budget: int = BUDGET) -> tuple[str, ...]:
    """The levels of play that a game has, from the weakest to the strongest."""
    return ("random", *(("greedy",) if has_estimate(rules) else ()), f"search:{budget}")


def settings_of(
    rules: Rules, seats: Sequence[int], options: Mapping[str, Sequence[Any]] | None = None
) -> tuple[tuple[int, Mapping[str, Any]], ...]:
    """Every seat count with every choice of options (each with the values it is to take); OptionError where the game
    does not take them."""
    options = options or {}
    out = []
    for n in seats:
        rules.check_seats(n)
        for values in product(*options.values()):
            out.append((n, rules.options(dict(zip(options, values, strict=True)), n)))
    return tuple(out)


# -------------------------------------------------------------------------------------------------------- running


@dataclass(frozen=True)
class Finished:
    """A study that was run: its summary (plain data) and where its rows are."""

    study: Study
    store: Store
    summary: dict[str, Any]
    records: Mapping[str, Mapping[str, Path]]

    def data(self, seats: int, options: Mapping[str, Any], level: str) -> Data:
        """The rows of one setting at one level (before they are merged)."""
        return self.store.data(self.study.cell(seats, options, level))


class _Clock:
    """How much of a study is done, by what it costs."""

    def __init__(self, study: Study, tell: Callable[[Progress], None] | None) -> None:
        self.tell, self.start = tell, time.monotonic()
        self.all = sum(study.games(each) * _cost(each) for each in study.cells())
        self.all += len(study.settings) * study.plan.looked_at * 30 * study.plan.budget
        for seats, options in study.settings:
            played = study.trials(seats, options)
            self.all += sum(study.games(each) * _cost(each) for each in played.cells()) if played else 0
        self.done = 0.0

    def __call__(self, cost: float, what: str, one: Cell, games: int = 0, shares: tuple[Interval, ...] = ()) -> None:
        self.done += cost
        if self.tell is not None:
            part = min(1.0, self.done / self.all)
            gone = time.monotonic() - self.start
            left = gone * (1 - part) / part if part > 0 else None
            self.tell(Progress(part, left, what, one.seats, one.options, one.level, games, shares))


def _cost(one: Cell) -> float:
    """What a game costs, in some unit."""
    return sum(1.0 if bot.kind == "random" else 40.0 if bot.kind == "greedy" else 4.0 * (bot.iterations or 0)
               for bot in one.bots) / one.seats  # fmt: skip


def run(
    study: Study,
    folder: Path | None = None,
    *,
    threads: int | None = None,
    resume: bool = False,
    progress: Callable[[Progress], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Finished:
    """Run a study: play, measure, and write down what came of it (in `folder`, else in a temporary one).

    `progress` is told, in the calling thread, how far it is. `stop` is asked often; when it says yes, Cancelled is
    raised, and with a folder what was played stays there, to be taken up again with `resume`. The summary is the same
    however many `threads` play, and whether or not it was broken off."""
    store = Store(folder)
    if folder is not None and resume:
        store.split([*study.cells(), *_trial_cells(study)])
    clock = _Clock(study, progress)
    runner = _Runner(study, store, clock, threads, stop or (lambda: False))
    settings = [runner.setting(seats, options) for seats, options in study.settings]
    summary: dict[str, Any] = {**study.settings_data(), "minutes": runner.minutes.data(), "results": settings}
    records = runner.records(folder / "records") if folder is not None else {}
    return Finished(study, store, summary, records)


def _trial_cells(study: Study) -> Iterator[Cell]:
    for seats, options in study.settings:
        played = study.trials(seats, options)
        if played:
            yield from played.cells()


class _Runner:
    def __init__(
        self, study: Study, store: Store, clock: _Clock, threads: int | None, stop: Callable[[], bool]
    ) -> None:
        self.study, self.store, self.clock, self.threads, self.stop = study, store, clock, threads, stop
        self.people: People | None = people(study.rules, study.reports) if study.reports else None
        self.minutes: Minutes = self.people.minutes if self.people else first_guess()

    def setting(self, seats: int, options: Mapping[str, Any]) -> dict[str, Any]:
        """Everything about one seat count with its options."""
        study, plan = self.study, self.study.plan
        levels: dict[str, Any] = {}
        for level in study.levels:
            one = study.cell(seats, options, level)
            self.play(one, study.games(one), plan.kept)
            data = self.store.data(one)
            if level == study.levels[-1] and seats > 1 and plan.looked_at:
                self.look(data)
            levels[level] = measures.plain(self.measure(data))
        played = study.trials(seats, options)
        found: Mapping[str, Any] = {}
        if played:
            for each in played.cells():
                self.play(each, study.games(each), 0)
            found = skill({each.id: self.store.data(each) for each in played.cells()}, played)
        strongest = self.store.data(study.cell(seats, options, study.levels[-1]))
        return {
            "seats": seats,
            "options": dict(options),
            "levels": levels,
            "kept": plan.kept,
            "looked_at": min(plan.looked_at, strongest.count) if seats > 1 else 0,
            "lengths": [[middle, n] for middle, n in histogram(strongest)],
            "curves": measures.plain(curves(strongest)),
            "skill": measures.plain(found),
            "people": self.people.data(seats, options) if self.people else None,
        }

    def measure(self, data: Data) -> dict[str, Any]:
        """All measures of the games of a cell."""
        out: dict[str, Any] = {"games": data.count}
        out |= measures.fairness(data) | measures.length(data, self.minutes) | measures.choices(data)
        out |= measures.faults(data) | measures.course(data) | measures.cards(data) | measures.talk(data)
        if self.study.plan.clause_games:
            self.clock(0, "clauses", data.cell, data.count)
            out |= clauses(data, self.study.plan.clause_games)
        return out

    def play(self, one: Cell, games: int, kept: int) -> None:
        """Play what is missing of a cell's games."""
        first = self.store.done(one)
        self.clock(min(first, games) * _cost(one), "playing", one, first)
        if first >= games:
            return
        until = None if one.rotate else self.study.plan.until
        batches = play(one, first, games, self.threads, kept, Table(one))
        done = first
        watched = Watched(one)
        if until is not None and first:
            watched.add(self.store.data(one).games.collect())
            if watched.narrow(until):
                return
        for end in self.store.write(one, watched.each(batches)):
            self.clock((end - done) * _cost(one), "playing", one, end, watched.shares())
            done = end
            if self.stop():
                raise Cancelled
            if until is not None and watched.narrow(until):
                break

    def look(self, data: Data) -> None:
        """Look at how the seats stand in a sample of games."""
        if data.stands is not None:
            return
        plan = self.study.plan
        frames = []
        for frame in course.stands(data, min(plan.looked_at, data.count), threads=self.threads):
            frames.append(frame)
            self.clock(30 * plan.budget, "positions", data.cell, len(frames))
            if self.stop():
                raise Cancelled
        self.store.write_stands(data.cell, pl.concat(frames))

    def records(self, folder: Path) -> dict[str, dict[str, Path]]:
        """Records of the notable games of every setting, at the strongest level."""
        out = {}
        for n, (seats, options) in enumerate(self.study.settings):
            data = self.store.data(self.study.cell(seats, options, self.study.levels[-1]))
            several = sum(other == seats for other, _ in self.study.settings) > 1
            here = folder / str(n) if several else folder
            out[str(n)] = save_records(data, notable(data), here)
        return out


def curves(data: Data) -> dict[str, Any]:
    """How the seats stood in the games worth a look that were looked at: `n` (decisions) and by seat `stands`."""
    if data.stands is None:
        return {}
    looked_at = {each.game: each for each in courses(data)}
    out = {}
    for word, game in notable(data).items():
        if game in looked_at:
            each = looked_at[game]
            stands = [[round(float(x), 3) for x in seat] for seat in each.stands.T]
            out[word] = {"n": [*each.n.tolist(), each.decisions], "stands": stands}
    return out


class FolderError(Exception):
    """A folder cannot take a study's results. `why`: it `holds` a study already; it holds `none` to go on with; what
    is in it was asked `otherwise`."""

    def __init__(self, why: str, folder: Path) -> None:
        super().__init__(f"{folder}: {why}")
        self.why = why


ASKED = "asked.json"
"""What was asked of the study whose results are in a folder."""


def prepare(study: Study, folder: Path, resume: bool) -> None:
    """See that a folder is there for a study's results. FolderError when it holds others, or (to resume) none."""
    folder.mkdir(parents=True, exist_ok=True)
    asked = folder / ASKED
    if not resume and (asked.exists() or (folder / SUMMARY).exists()):
        raise FolderError("holds", folder)
    if resume:
        if not asked.exists():
            raise FolderError("none", folder)
        if json.loads(asked.read_text(encoding="utf-8")) != study.settings_data():
            raise FolderError("otherwise", folder)
    asked.write_text(json.dumps(study.settings_data(), ensure_ascii=False) + "\n", encoding="utf-8")


def write_all(finished: Finished, folder: Path, lang: str = "ja") -> list[Path]:
    """Write the summary, the report (which opens in `lang`) and the rows of a study into its folder; the files."""
    from tefuda.lab import brief
    from tefuda.lab.report import report

    study = finished.study
    summary = save_summary(finished.summary, folder)
    short = brief.save(study.rules, finished.summary, folder / brief.NAME)
    finished.store.merge([*study.cells(), *_trial_cells(study)])
    page = folder / "report.html"

    def link(file: Path) -> str:
        return file.relative_to(folder).as_posix()

    page.write_text(report(study.rules, finished.summary, finished.records, link, lang=lang), encoding="utf-8")
    rows = [file for kind in KINDS if (file := folder / f"{kind}.parquet").is_file()]
    records = [file for files in finished.records.values() for file in files.values()]
    return [page, summary, short, *rows, *records]


def save_summary(summary: Mapping[str, Any], folder: Path) -> Path:
    """Write the summary into a folder; the file."""
    file = folder / SUMMARY
    file.write_text(json.dumps(summary, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
    return file
