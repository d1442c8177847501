"""Games of people: how long they took, what people thought of them. They stand in the report beside the bots, marked as
such, and the model of minutes is fitted to their times."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from tefuda.engine.record import from_record, positions
from tefuda.engine.rules import Rules
from tefuda.engine.sentence import WrongValueError
from tefuda.lab.intervals import mean
from tefuda.lab.measures import plain
from tefuda.lab.minutes import Minutes, first_guess, fit


@dataclass(frozen=True)
class Answer:
    """What one player said after a game: fun from 1 to 5, length from -2 (far too short) to 2 (far too long), a clause
    that was unclear, a free line. All may be left out."""

    fun: int | None = None
    length: int | None = None
    unclear: str | None = None
    line: str | None = None


@dataclass(frozen=True)
class PlayReport:
    """A finished game at a table: the game's id, how many sat, its options, how many minutes it took, the seconds of
    each decision of people, scores by seat, what players answered, and its record (`Game.record()`) if there is one:
    only then can it be told how many decisions, turns and choices it had."""

    game: str
    seats: int
    options: Mapping[str, Any]
    minutes: float
    seconds: tuple[float, ...] = ()
    scores: tuple[int, ...] = ()
    answers: tuple[Answer, ...] = ()
    record: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class People:
    """The games of people of one game, and the model of minutes as it fits them."""

    rules: Rules
    reports: tuple[PlayReport, ...]

    @cached_property
    def minutes(self) -> Minutes:
        """Fitted when there are enough games with records, else the first guess."""
        rows = [row for report in self.reports if (row := _row(report, self.rules)) is not None]
        return fit(pl.DataFrame(rows), self.rules) if rows else first_guess()

    def data(self, seats: int, options: Mapping[str, Any]) -> dict[str, Any] | None:
        """What people's games of a setting come to, as plain data; None when there is none."""
        mine = [each for each in self.reports if each.seats == seats and dict(each.options) == dict(options)]
        if not mine:
            return None
        answers = [answer for report in mine for answer in report.answers]
        seconds = [second for report in mine for second in report.seconds]
        fun = [answer.fun for answer in answers if answer.fun is not None]
        length = [answer.length for answer in answers if answer.length is not None]
        unclear = Counter(answer.unclear for answer in answers if answer.unclear)
        out: dict[str, Any] = {
            "games": len(mine),
            "minutes": mean(np.array([report.minutes for report in mine])),
            "seconds_a_decision": mean(np.array(seconds)) if seconds else None,
            "answers": len(answers),
            "fun": mean(np.array(fun)) if fun else None,
            "length": mean(np.array(length)) if length else None,
            "unclear": dict(unclear.most_common()),
            "lines": [answer.line for answer in answers if answer.line],
        }
        return {key: plain(value) for key, value in out.items()}


def people(rules: Rules, reports: Sequence[PlayReport]) -> People:
    """Those of the reports that are of this game."""
    return People(rules, tuple(report for report in reports if report.game == rules.id))


def _row(report: PlayReport, rules: Rules) -> dict[str, Any] | None:
    """A row as the lab writes of a game, from its record."""
    if report.record is None or report.minutes <= 0:
        return None
    game = from_record(dict(report.record), rules)
    row: dict[str, Any] = {"minutes": report.minutes, "decisions": 0, "turns": 0, "bits": 0.0}
    row |= {f"made_{move.name}": 0 for move in rules.moves}
    last: int | None = None
    for n, position in positions(game):
        event = game.events[n]
        assert event.who != "*"
        row["decisions"] += 1
        row["bits"] += 1000 * math.log2(max(1, len(position.legal())))
        row["turns"] += event.who != last
        row[f"made_{game.notation.move_of(event.move).name}"] += 1
        last = event.who
    return row


def from_json(text: str) -> tuple[PlayReport, ...]:
    """Play reports from JSON: a list of objects with the fields of `PlayReport`. ValueError says what is wrong."""
    try:
        found = json.loads(text)
        return tuple(
            PlayReport(
                game=str(each["game"]),
                seats=int(each["seats"]),
                options=dict(each["options"]),
                minutes=float(each["minutes"]),
                seconds=tuple(float(second) for second in each.get("seconds", ())),
                scores=tuple(int(score) for score in each.get("scores", ())),
                answers=tuple(Answer(**answer) for answer in each.get("answers", ())),
                record=each.get("record"),
            )
            for each in found
        )
    except KeyError as e:
        raise WrongValueError("a game of people lacks {entry}", entry=e) from e
    except (TypeError, AttributeError) as e:
        raise WrongValueError("it is not a list of games of people ({reason})", reason=e) from e
