"""A study that runs in the background, for a page: how far it is, how to stop it, and the report when it is done."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from tefuda.engine.sentence import WrongValueError
from tefuda.lab.report import report
from tefuda.lab.study import Cancelled, Finished, Progress, Study, run


class Job:
    """A study on its way, in a thread of its own.

    `progress`: how far it is (None until something was played). `finished`: what came of it, None before. `error`: what
    went wrong, None when nothing did; a study that was cancelled has neither."""

    def __init__(
        self,
        study: Study,
        folder: Path | None = None,
        threads: int | None = None,
        told: Callable[[Progress], None] | None = None,
    ) -> None:
        """Start it. `folder`: where rows and records go, else a temporary one. `told` is called in the job's thread
        whenever there is progress."""
        self.study, self.folder = study, folder
        self.progress: Progress | None = None
        self.finished: Finished | None = None
        self.error: Exception | None = None
        self._told, self._threads = told, threads
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="tefuda-lab", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self.finished = run(
                self.study, self.folder, threads=self._threads, progress=self._tell, stop=self._stop.is_set
            )
        except Cancelled:
            pass
        except Exception as e:  # told to who asked, in another thread
            self.error = e

    def _tell(self, far: Progress) -> None:
        self.progress = far
        if self._told is not None:
            self._told(far)

    @property
    def running(self) -> bool:
        """Whether it goes on still."""
        return self._thread.is_alive()

    def cancel(self) -> None:
        """Stop it soon; `wait` until it has."""
        self._stop.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it is over, or so long; whether it is."""
        self._thread.join(seconds)
        return not self.running

    def html(self, link: Callable[[Path], str] | None = None, lang: str = "ja", back: str | None = None) -> str:
        """The report as a page (see report.py); `link` says where the record in a file is found. ValueError while there
        is none."""
        if self.finished is None:
            raise WrongValueError("the study is not finished")
        return report(self.study.rules, self.finished.summary, self.finished.records, link, lang=lang, back=back)
