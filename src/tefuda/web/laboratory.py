"""Studies that people ask for on the page of the lab: one runs at a time, beside everything else, and can be watched
and stopped. The lab itself (`tefuda.lab`) is imported when the first study begins: the pages do not wait for it."""

from __future__ import annotations

import logging
import secrets
import shutil
import tempfile
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tefuda.engine.game import Game
from tefuda.engine.record import load
from tefuda.engine.rules import Rules
from tefuda.web.after_page import Played
from tefuda.words import LANGUAGES

if TYPE_CHECKING:
    from tefuda.lab import Interval, PlayReport, Progress

log = logging.getLogger("tefuda.web")

MOST_KEPT = 20
"""Studies that are kept, the latest; their folders are deleted when the server stops."""

SECONDS_BETWEEN_LOOKS = 0.1
"""So often a study that runs is looked at: was it stopped?"""

LEVELS = ("random", "greedy", "search")
GAMES = (1_000, 10_000, 100_000)
"""How many random games may be asked for; players that think play fewer, as the lab sees fit."""

Json = Any


@dataclass
class Run:
    """A study: what was asked, and how far it is. `report`: by the language it opens in. `failed`: why it
    came to nothing, in words."""

    id: str
    rules: Rules
    seats: Sequence[int]
    levels: Sequence[str]
    options: Mapping[str, Json]
    games: int
    people: Sequence[Played] = ()
    progress: Progress | None = None
    report: Mapping[str, str] | None = None
    records: Mapping[str, Mapping[str, Path]] = field(default_factory=dict)
    failed: str | None = None
    stopped: threading.Event = field(default_factory=threading.Event, repr=False)

    @property
    def over(self) -> bool:
        """Whether nothing more will come of it."""
        return self.report is not None or self.failed is not None or self.stopped.is_set()

    @property
    def shares(self) -> Sequence[Interval]:
        """The win shares by turn order in the setting being played."""
        return () if self.progress is None else self.progress.shares


class BusyError(Exception):
    """Too many studies wait already."""


class Laboratory:
    """The studies of a server."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="lab")
        self._lock = threading.Lock()
        self._runs: dict[str, Run] = {}
        self._folder: Path | None = None

    def close(self) -> None:
        """Stop, and delete what was kept."""
        with self._lock:
            for run in self._runs.values():
                run.stopped.set()
        self._pool.shutdown(wait=True, cancel_futures=True)
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def begin(
        self,
        rules: Rules,
        seats: Sequence[int],
        levels: Sequence[str],
        options: Mapping[str, Json],
        games: int,
        people: Sequence[Played] = (),
    ) -> Run:
        """Ask for a study. OptionError when the game does not take the options, BusyError when too many wait."""
        for n in seats:
            rules.check_seats(n)
            rules.options(options, n)
        run = Run(secrets.token_hex(4), rules, tuple(seats), tuple(levels), dict(options), games, people)
        with self._lock:
            if sum(not other.over for other in self._runs.values()) >= 3:
                raise BusyError
            if self._folder is None:
                self._folder = Path(tempfile.mkdtemp(prefix="tefuda-lab-"))
            self._runs[run.id] = run
            for old in [other for other in self._runs.values() if other.over][: max(0, len(self._runs) - MOST_KEPT)]:
                shutil.rmtree(self._folder / old.id, ignore_errors=True)
                del self._runs[old.id]
        self._pool.submit(self._work, run, self._folder / run.id)
        return run

    def run(self, run_id: str) -> Run | None:
        """A study by its name; None when there is none (any more)."""
        with self._lock:
            return self._runs.get(run_id)

    def latest(self) -> list[Run]:
        """The studies, the latest first."""
        with self._lock:
            return list(self._runs.values())[::-1]

    def stop(self, run_id: str) -> None:
        """Stop a study; nothing is kept of it."""
        run = self.run(run_id)
        if run is not None:
            run.stopped.set()

    def game(self, run: Run, setting: str, why: str) -> Game | None:
        """A game of a study that is worth a look; None when there is none."""
        path = run.records.get(setting, {}).get(why)
        return None if path is None else load(path, run.rules)

    def _work(self, run: Run, folder: Path) -> None:
        if run.stopped.is_set():
            return
        from tefuda import lab
        from tefuda.lab.background import Job

        def tell(progress: Progress) -> None:
            run.progress = progress

        try:
            plan = lab.Plan.of(run.games)
            levels = [f"search:{plan.budget}" if level == "search" else level for level in run.levels]
            study = lab.Study(
                run.rules,
                lab.settings_of(run.rules, run.seats, {name: [value] for name, value in run.options.items()}),
                tuple(levels),
                plan,
                reports=tuple(map(_as_report(run.rules), run.people)),
            )
            folder.mkdir()
            job = Job(study, folder, told=tell)
            while not job.wait(SECONDS_BETWEEN_LOOKS):
                if run.stopped.is_set():
                    job.cancel()
            if job.error is not None:
                raise job.error
            if job.finished is None:
                log.info("a study of %s was stopped", run.rules.id)
                return
            run.records = job.finished.records
            links = {
                path: f"/lab/{run.id}/games/{setting}/{why}"
                for setting, games in run.records.items()
                for why, path in games.items()
            }
            back = f"/lab/{run.id}"
            run.report = {lang: job.html(links.__getitem__, lang, back) for lang in LANGUAGES}
        except Exception as e:
            log.exception("a study of %s came to nothing", run.rules.id)
            run.failed = type(e).__name__


def _as_report(rules: Rules) -> Any:
    """Games that people played, as the lab takes them."""
    from tefuda.lab import Answer, PlayReport

    def as_report(game: Played) -> PlayReport:
        answers = [
            Answer(body.get("fun"), body.get("length"), body.get("unclear"), body.get("free") or None)
            for body in game.reports.values()
        ]
        return PlayReport(
            rules.id,
            len(game.names),
            game.options,
            game.minutes,
            tuple(game.seconds),
            tuple(game.scores),
            tuple(answers),
            game.record,
        )

    return as_report
