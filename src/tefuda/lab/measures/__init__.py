"""What the rows of games tell. Every measure has a name, under which the texts of the lab hold what it is, how it is
reckoned and where that comes from; its value is an interval, a list or a table of intervals, or a number that is no
estimate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tefuda.lab.intervals import Interval
from tefuda.lab.measures.cards import cards
from tefuda.lab.measures.choices import choices
from tefuda.lab.measures.course import course
from tefuda.lab.measures.fairness import fairness
from tefuda.lab.measures.faults import faults
from tefuda.lab.measures.length import length
from tefuda.lab.measures.talk import talk

__all__ = ["Value", "cards", "choices", "course", "fairness", "faults", "length", "plain", "talk"]

Value = Interval | float | int | str | None | Sequence[Any] | Mapping[str, Any]
"""What a measure comes to."""

DIGITS = 5
"""Digits that are told of a number: fewer than floating point has, for sums may be added up in another order."""


def plain(value: Value) -> Any:
    """A value for JSON: an interval is [value, low, high]; what is no number, or has no end, is None."""
    if isinstance(value, Interval):
        return [plain(number) for number in value.data()]
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(each) for each in value]
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") if value - value == 0 else None
    return value
