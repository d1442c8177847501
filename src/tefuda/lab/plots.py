"""The pictures of a report: SVG that serves both languages. What their axes are is told below them; the few words in
them stand there in each language, and the page's style shows one."""

from __future__ import annotations

import html
import io
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib

matplotlib.use("svg")

from matplotlib.figure import Figure

INK, PAPER = "#2b2a26", "#ffffff"
SHADES = ("#b07d2b", "#3b7a57", "#2f4b7c")
"""The levels of play, from the weakest: they differ in lightness, too, and have marks of their own."""

MARKS = ("o", "^", "s", "D", "v")
DASHES = ("-", "--", ":", "-.", (0, (5, 1, 1, 1)), (0, (1, 3)))

STYLE: Any = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.edgecolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "grid.color": "#dddddd",
    "axes.axisbelow": True,
}

PANEL = (2.3, 2.2)
"""Inches of one panel."""


Words = Mapping[str, str]
"""A few words by language."""


def _stand_ins(labels: Sequence[Words]) -> list[str]:
    """For each of the words something as wide as the widest of them, for which `svg` puts them in."""
    return [f"@{k}@".ljust(max(map(_width, label.values())), "x") for k, label in enumerate(labels)]


def _width(words: str) -> int:
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in words)


def _panels(n: int, titles: Sequence[str], share_y: bool = True, wide: float = 1.0) -> tuple[Figure, list[Any]]:
    columns = min(n, 4)
    rows = -(-n // columns)
    figure = Figure(figsize=(PANEL[0] * columns * wide, PANEL[1] * rows), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, sharey=share_y)
    flat = [axis for row in axes for axis in row]
    for axis in flat[n:]:
        axis.set_axis_off()
    for axis, title in zip(flat, titles, strict=False):
        axis.set_title(title, fontsize=9, parse_math=False)
    return figure, flat[:n]


def svg(figure: Figure, name: str, labels: Sequence[Words] = ()) -> str:
    """The picture as SVG to stand in a page; `name` keeps its inner names apart from those of others, `labels` are put
    in for their stand-ins."""
    out = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": name}):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r"(\d+\.\d\d)\d+", r"\1", text)  # a hundredth of a point is fine enough
    for used in set(re.findall(r'id="([^"]+)"', text)):
        text = text.replace(f'id="{used}"', f'id="{name}-{used}"')
        text = text.replace(f'"#{used}"', f'"#{name}-{used}"').replace(f"url(#{used})", f"url(#{name}-{used})")
    text = re.sub(r"<!--.*?-->", "", text)
    text = re.sub(r"<text([^>]*)>@(\d+)@x*</text>", lambda found: _in_each(found[1], labels[int(found[2])]), text)
    return re.sub(r"\n\s*", "\n", text).replace("<svg ", '<svg aria-hidden="true" ', 1)


def _in_each(attributes: str, label: Words) -> str:
    """A text of a picture in each language; once, where it is the same in all."""
    if len(set(label.values())) == 1:
        return f"<text{attributes}>{html.escape(next(iter(label.values())), quote=False)}</text>"
    told = (f'<text lang="{lang}"{attributes}>{html.escape(each, quote=False)}</text>' for lang, each in label.items())
    return "".join(told)


def _ends(values: Sequence[Sequence[float | None]]) -> tuple[list[float], list[list[float]]]:
    middle = [float(value[0] or 0.0) for value in values]
    low = [m - value[1] if value[1] is not None else 0.0 for m, value in zip(middle, values, strict=True)]
    high = [value[2] - m if value[2] is not None else 0.0 for m, value in zip(middle, values, strict=True)]
    return middle, [[max(0.0, each) for each in low], [max(0.0, each) for each in high]]


def shares(titles: Sequence[Words], levels: Sequence[Sequence[Sequence[Sequence[float]]]]) -> str:
    """Win shares by turn order: for each setting (a panel) and level a list of intervals."""
    with matplotlib.rc_context(STYLE):
        figure, axes = _panels(len(titles), _stand_ins(titles))
        for axis, of_levels in zip(axes, levels, strict=True):
            n = len(of_levels[0])
            axis.axhline(100 / n, color=INK, linestyle="--", linewidth=0.8)
            for k, values in enumerate(of_levels):
                middle, ends = _ends([[100 * x for x in value] for value in values])
                at = [place + 1 + 0.16 * (k - (len(of_levels) - 1) / 2) for place in range(n)]
                look = {"fmt": MARKS[k % 5], "color": SHADES[min(k, 2)], "markersize": 4, "linewidth": 1}
                axis.errorbar(at, middle, yerr=ends, **look)
            axis.set_xticks(range(1, n + 1))
            axis.set_ylim(bottom=0)
            axis.yaxis.set_major_formatter(lambda value, _: f"{value:.0f}%")
        return svg(figure, "shares", titles)


def lengths(titles: Sequence[Words], histograms: Sequence[Sequence[Sequence[float]]]) -> str:
    """How many decisions games have: for each setting a list of (decisions, games)."""
    with matplotlib.rc_context(STYLE):
        figure, axes = _panels(len(titles), _stand_ins(titles), share_y=False)
        for axis, bars in zip(axes, histograms, strict=True):
            total = sum(n for _, n in bars) or 1
            width = bars[1][0] - bars[0][0] if len(bars) > 1 else 1
            axis.bar([at for at, _ in bars], [100 * n / total for _, n in bars], width=width, color=SHADES[2])
            axis.yaxis.set_major_formatter(lambda value, _: f"{value:.0f}%")
        return svg(figure, "lengths", titles)


def courses(name: str, games: Sequence[Mapping[str, Any]]) -> str:
    """How the seats stood during some games: `n` and by seat `stands`. `name`: of this picture, once in a page."""
    with matplotlib.rc_context(STYLE):
        figure, axes = _panels(len(games), [""] * len(games), wide=1.5)
        for axis, game in zip(axes, games, strict=True):
            for seat, stands in enumerate(game["stands"]):
                axis.plot(game["n"], stands, color=INK, linestyle=DASHES[seat % 6], linewidth=1.3)
            axis.set_ylim(-0.03, 1.03)
        return svg(figure, name)


def luck(titles: Sequence[Words], parts: Sequence[Sequence[float]]) -> str:
    """What places depend on: for each setting the shares of players, deal and rest."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(max(2.4, 1.1 * len(titles) + 1), 2.4), layout="constrained")
        axis = figure.subplots()
        bottom = [0.0] * len(titles)
        for k, colour in enumerate((SHADES[2], "#8fa8c8", "#e3e0d8")):
            heights = [100 * each[k] for each in parts]
            axis.bar(range(len(titles)), heights, bottom=bottom, color=colour, edgecolor=INK, linewidth=0.5, width=0.6)
            bottom = [a + b for a, b in zip(bottom, heights, strict=True)]
        axis.set_xticks(range(len(titles)), _stand_ins(titles), parse_math=False)
        axis.yaxis.set_major_formatter(lambda value, _: f"{value:.0f}%")
        return svg(figure, "luck", titles)


def ladder(titles: Sequence[Words], steps: Sequence[Mapping[str, Sequence[float]]]) -> str:
    """What thinking twice as long does, for each setting by the others' budget."""
    with matplotlib.rc_context(STYLE):
        figure, axes = _panels(len(titles), _stand_ins(titles))
        for axis, of in zip(axes, steps, strict=True):
            middle, ends = _ends(list(of.values()))
            axis.axhline(0.5, color=INK, linestyle="--", linewidth=0.8)
            axis.errorbar(range(len(of)), middle, yerr=ends, fmt="s-", color=SHADES[2], markersize=4, linewidth=1)
            axis.set_xticks(range(len(of)), list(of))
            axis.set_xlim(-0.5, len(of) - 0.5)
        return svg(figure, "ladder", titles)


def worths(names: Sequence[Words], values: Sequence[Sequence[float]]) -> str:
    """What being dealt each card is worth."""
    with matplotlib.rc_context({**STYLE, "axes.grid.axis": "x"}):
        figure = Figure(figsize=(5.5, 0.19 * len(names) + 0.6), layout="constrained")
        axis = figure.subplots()
        middle, ends = _ends(values)
        axis.axvline(0, color=INK, linewidth=0.8)
        axis.errorbar(middle, range(len(names), 0, -1), xerr=ends, fmt="o", color=SHADES[2], markersize=3, linewidth=1)
        axis.set_yticks(range(len(names), 0, -1), _stand_ins(names), parse_math=False)
        axis.set_ylim(0.3, len(names) + 0.7)
        return svg(figure, "worths", names)
