"""What people read of the lab, in Japanese and English: `texts.ja.toml` and `texts.en.toml` beside this file, under the
same keys."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tefuda.engine.sentence import fill

HERE = Path(__file__).parent
LANGUAGES = ("ja", "en")

Measured = Sequence[float | None]
"""A value with its interval, as plain data: [value, low, high]."""


@cache
def table(lang: str) -> dict[str, Any]:
    """All texts of a language."""
    return tomllib.loads((HERE / f"texts.{lang}.toml").read_text(encoding="utf-8"))


def text(lang: str, key: str, **values: Any) -> str:
    """The text of a key (`findings.edge`), filled in. KeyError when there is none."""
    node: Any = table(lang)
    for step in key.split("."):
        node = node[step]
    if not isinstance(node, str):
        raise KeyError(key)
    return fill(node, **values)


def has(key: str) -> bool:
    """Whether there is a text of a key."""
    node: Any = table("en")
    for step in key.split("."):
        if not isinstance(node, Mapping) or step not in node:
            return False
        node = node[step]
    return True


def percent(value: Measured, lang: str, digits: int = 1) -> str:
    """A share with its interval: 31.2 % (29.0–33.4)."""
    mean, low, high = (None if each is None else 100 * each for each in value)
    return _with_interval(mean, low, high, digits, "%" if lang == "ja" else " %", lang)


def points(value: Measured, lang: str, digits: int = 1) -> str:
    """A difference of shares, in points, signed."""
    mean, low, high = (None if each is None else 100 * each for each in value)
    return _with_interval(mean, low, high, digits, "ポイント" if lang == "ja" else " points", lang, signed=True)


def number(value: Measured, lang: str, digits: int = 1) -> str:
    """A mean with its interval."""
    mean, low, high = value
    return _with_interval(mean, low, high, digits, "", lang)


def size(value: Measured, lang: str, digits: int = 1) -> str:
    """A number of points without a sign: how big something is."""
    mean, low, high = (None if each is None else 100 * each for each in value)
    return _with_interval(mean, low, high, digits, "ポイント" if lang == "ja" else " points", lang)


def signed(value: float, lang: str, digits: int = 1) -> str:
    """A difference, with its sign."""
    return _with_interval(value, None, None, digits, "", lang, signed=True)


Say = Callable[[str], str]
"""A text that is told when the language is known."""


def said(form: Callable[..., str], value: Measured, *more: Any) -> Say:
    """A measured value in one of the forms above."""
    return lambda lang: form(value, lang, *more)


def only(value: float) -> Measured:
    """A value that is told without an interval."""
    return [value, None, None]


def _with_interval(
    mean: float | None, low: float | None, high: float | None, digits: int, unit: str, lang: str, signed: bool = False
) -> str:
    if mean is None:
        return text(lang, "report.not_measured")
    form = f"{'+' if signed else ''}.{digits}f"
    out = _minus(format(mean, form)) + unit
    if low is None or high is None:
        return out
    dash = "〜" if lang == "ja" else " to " if signed or low < 0 else "–"
    ends = f"{_minus(format(low, form))}{dash}{_minus(format(high, form))}"
    return f"{out}（{ends}）" if lang == "ja" else f"{out} ({ends})"


def _minus(digits: str) -> str:
    return digits.replace("-", "−")


def span(low: int, high: int, lang: str) -> str:
    """From one number to another: 5〜7 or 5–7; of two alike, one."""
    return str(low) if low == high else f"{low}〜{high}" if lang == "ja" else f"{low}–{high}"


def listed(items: Sequence[str], lang: str) -> str:
    """Items in a row: 3、4、5 or 3, 4 and 5."""
    if len(items) < 2:
        return "".join(items)
    if lang == "ja":
        return "、".join(items)
    return ", ".join(items[:-1]) + " and " + items[-1]


def known(value: Any) -> bool:
    """Whether a measured value is there."""
    return isinstance(value, Sequence) and len(value) == 3 and value[0] is not None and math.isfinite(value[0])
