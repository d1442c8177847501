"""The maker's doctor: what is wrong with a rules file, found by playing it in every way there is.

    >>> from tefuda.check import check
    >>> report = check("leaves13", games=2)
    >>> report.ok
    True

Each check ends in a sentence; a failed one comes with a record that shows it, where there is one. The same seed finds
the same faults."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from tefuda.check.compile_errors import compile_error
from tefuda.check.examination import CHECKS, Examination, Fault, Skipped
from tefuda.check.hidden import Several
from tefuda.engine.record import save
from tefuda.engine.rules import CompiledRulesError, Rules, RulesError, find
from tefuda.engine.sentence import Sentence, ToldError

Verdict = Literal["passed", "failed", "skipped"]


@dataclass(frozen=True)
class Finding:
    """What one check came to: its name (English, as a key; a person is shown `Sentence(name)`), its verdict, a
    sentence, how long it took in seconds, and the file of the record that shows a fault. `waits`: it was skipped
    because another check failed."""

    name: str
    verdict: Verdict
    sentence: Sentence
    seconds: float
    record: Path | None = None
    waits: bool = False

    def data(self) -> dict[str, Any]:
        """The finding as plain data, in English."""
        return {
            "name": self.name,
            "verdict": self.verdict,
            "sentence": str(self.sentence),
            "seconds": round(self.seconds, 3),
            "record": None if self.record is None else str(self.record),
        }


@dataclass
class Report:
    """All findings about one target. `game` is its name once the file could be read."""

    target: str
    game: str | None = None
    findings: list[Finding] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether nothing failed."""
        return all(finding.verdict != "failed" for finding in self.findings)

    def data(self) -> dict[str, Any]:
        """The report as plain data."""
        findings = [finding.data() for finding in self.findings]
        return {"target": self.target, "game": self.game, "ok": self.ok, "findings": findings}


def check(
    target: str | Path | Rules,
    seed: int = 1,
    games: int = 50,
    folder: Path | None = None,
    tell: Callable[[Finding], None] | None = None,
) -> Report:
    """Look over the rules of a game by its name, or a rules file by its path.

    `games`: how many random games are fuzzed for each number of seats and each value of an option (the slower checks
    play a few of them). `folder`: where the records of faults are saved; a temporary folder unless told. `tell`
    is called with each finding as it comes. UnknownGameError when there is no such game or file; what is wrong with
    a file that is there is a finding."""
    report = Report(str(target.path if isinstance(target, Rules) else target))
    for finding in _findings(report, target, seed, games, folder):
        report.findings.append(finding)
        if tell is not None:
            tell(finding)
    return report


def _findings(
    report: Report, target: str | Path | Rules, seed: int, games: int, folder: Path | None
) -> Iterator[Finding]:
    start = time.monotonic()
    try:
        rules = target if isinstance(target, Rules) else find(target)
    except RulesError as e:
        yield Finding("rules", "failed", e.sentence, time.monotonic() - start)
        return
    report.game = rules.id
    what = Sentence(
        "{file} is read: {moves} {moves:kind|kinds} of moves, {options} {options:option|options}",
        file=rules.path.name,
        moves=len(rules.moves),
        options=len(rules.declared_options),
    )
    yield Finding("rules", "passed", what, time.monotonic() - start)
    examination = Examination(rules, seed, games)
    for name, needs, function in CHECKS:
        start = time.monotonic()
        verdict: Verdict = "passed"
        record, shows = None, None
        missing = [other.name for other in report.findings if other.name in needs and other.verdict != "passed"]
        try:
            if missing:
                names = Several([Sentence(other) for other in missing])
                one = len(missing) == 1
                raise Skipped(
                    "waits until {names} is in order" if one else "waits until {names} are in order", names=names
                )
            sentence = function(examination)
        except Skipped as e:
            verdict, sentence = "skipped", e.sentence
        except Fault as e:
            verdict, sentence, shows = "failed", e.sentence, e.game
        except CompiledRulesError as e:
            assert e.__cause__ is not None
            verdict, sentence = "failed", compile_error(e.__cause__, e.rules)
        except RulesError as e:
            verdict, sentence, shows = "failed", _with_its_move(e), e.game
        except ToldError as e:
            verdict, sentence = "failed", e.sentence
        if shows is not None:
            folder = folder or Path(tempfile.mkdtemp(prefix="tefuda-check-"))
            folder.mkdir(parents=True, exist_ok=True)
            record = folder / f"{rules.id}-{re.sub(r'[^a-z]+', '-', name)}.fuda.json"
            try:
                save(shows, record)
            except RulesError:  # rules that cannot say whether it is over, or what it scores
                record = None
        yield Finding(name, verdict, sentence, time.monotonic() - start, record, bool(missing))


def _with_its_move(error: RulesError) -> Sentence:
    """What rules did wrong, and the move that was being made."""
    if error.move is None:
        return error.sentence
    return Sentence("{reason} (while {move} was made)", reason=error, move=error.game.notation.text(error.move))


__all__ = ["Finding", "Report", "Verdict", "check"]
