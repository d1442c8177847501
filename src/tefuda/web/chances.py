"""The plot of winning chances under a result: from an analysis to what the template `chances.html` draws.

The plot is as wide as its room, and all places in it are in percent. Where its marks and labels go is worked out for
the narrowest phone: on a wider screen all lies further apart."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tefuda.bots.analysis import Analysis, TurningPoint

WIDTH, HEIGHT = 240, 240
"""The plot on the narrowest phone, in CSS pixels; its height is the same everywhere (`.plot` in the style sheet)."""

SCALE = 1000
"""The lines are drawn in a box of so many units a side, which is stretched to the plot."""

GRID = (0, 25, 50, 75, 100)

MARK = 24
"""Two marks are so many pixels apart, from centre to centre."""

LABEL_HEIGHT, LABEL_MOST = 15, 90
"""A name beside a line: how high, and how wide at most, in pixels; a longer one is cut."""

WIDE, NARROW = 13, 7.5
"""How wide a character of a name is at most, in pixels: a full-width one, and any other."""

MOST_SENTENCES = 3
"""A turning point is told by its decision and what chance did then, in at most so many sentences."""

STEP = 4
"""Names are tried every so many pixels."""

LEAST_ROOM = 2
"""So many pixels are between a name and any line of others."""

Path = list[tuple[float, float]]
Box = tuple[float, float, float, float]
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Label:
    """A name beside a line; the place of its middle in percent of the plot."""

    text: str
    x: float
    y: float


@dataclass(frozen=True)
class Line:
    """A seat's line: `d` is its SVG path, `colour` that of the seat's cushion, `dash` the number of its pattern, `mine`
    whether it is the viewer's own. `label` is None where there is no room for it."""

    name: str
    colour: str
    dash: int
    mine: bool
    d: str
    label: Label | None


@dataclass(frozen=True)
class Mark:
    """The number of a turning point in the plot, in percent; `to` is where on the line it belongs, when it had to be
    put above or below."""

    number: int
    x: float
    y: float
    to: float


@dataclass(frozen=True)
class Turn:
    """A turning point in words: its number in the plot, the decision's number in the game, who decided, what happened,
    and the chances in percent, before and after, of the seat that gained most and of the one that lost most."""

    number: int
    move: int
    who: str
    sentences: Sequence[str]
    changes: Sequence[tuple[str, int, int]]


@dataclass(frozen=True)
class Plot:
    """All that the template draws. `start` and `last`: names with their chances in percent, before the first decision
    judged and before the last; `margin`: the widest 95 % margin of all chances shown, in percent; `judged` of
    `decisions` stand in the plot, and `left_out` were too many."""

    lines: Sequence[Line]
    marks: Sequence[Mark]
    turns: Sequence[Turn]
    grid: Sequence[int]
    start: Sequence[tuple[str, int]]
    last: Sequence[tuple[str, int]]
    decisions: int
    judged: int
    left_out: int
    margin: int


def plot(analysis: Analysis, names: Sequence[str], tell: Callable[[int], str], mine: int | None = None) -> Plot | None:
    """The plot of an analysis; None when nothing was decided in the game.

    `names` by seat. `tell(n)` gives the sentence of event n without who did it, empty when there is none: then the
    move stands there as it is written. `mine`: the viewer's seat."""
    if not analysis.judged:
        return None
    paths = [_path(analysis, seat) for seat in range(len(names))]
    marks = _marks(analysis)
    labels = _labels(paths, names, marks)
    lines = [
        Line(names[seat], "abcdef"[seat % 6], seat % 6 + 1, seat == mine, _drawn(paths[seat]), labels[seat])
        for seat in range(len(names))
    ]
    first, last = analysis.judged[0], analysis.judged[-1]
    return Plot(
        lines=lines,
        marks=marks,
        turns=turns(analysis, names, tell),
        grid=GRID,
        start=[(name, _percent(p)) for name, p in zip(names, first.chances, strict=True)],
        last=[(name, _percent(p)) for name, p in zip(names, last.chances, strict=True)],
        decisions=analysis.decisions,
        judged=len(analysis.judged),
        left_out=analysis.left_out,
        margin=max(1, round(100 * max(max(each.margins) for each in analysis.judged))),
    )


def _percent(share: float) -> int:
    return round(100 * share)


def _path(analysis: Analysis, seat: int) -> Path:
    """A seat's chances in pixels: from left to right after so many decisions, 100 % at the top."""
    points = [(each.number - 1, each.chances[seat]) for each in analysis.judged]
    points.append((analysis.decisions, analysis.end[seat]))
    return [(WIDTH * number / analysis.decisions, HEIGHT * (1 - share)) for number, share in points]


def _drawn(path: Path) -> str:
    places = [f"{round(SCALE * x / WIDTH)} {round(SCALE * y / HEIGHT)}" for x, y in path]
    return "M" + "L".join(places)


def turns(analysis: Analysis, names: Sequence[str], tell: Callable[[int], str]) -> list[Turn]:
    """The turning points in words; `names` and `tell` as for `plot`."""
    played = {each.n: each.played for each in analysis.judged}
    return [_turn(i, point, names, tell, played[point.n]) for i, point in enumerate(analysis.turning_points, 1)]


def _turn(number: int, point: TurningPoint, names: Sequence[str], tell: Callable[[int], str], played: str) -> Turn:
    followed = [told for told in map(tell, point.followed) if told]
    sentences = [tell(point.n) or played, *followed]
    rise = [after - before for before, after in zip(point.before, point.after, strict=True)]
    shown = (rise.index(max(rise)), rise.index(min(rise)))
    changes = [(names[seat], _percent(point.before[seat]), _percent(point.after[seat])) for seat in shown]
    return Turn(number, point.number, names[point.seat], sentences[:MOST_SENTENCES], changes)


# ------------------------------------------------------------------------------------------- where marks and names go


def _marks(analysis: Analysis) -> list[Mark]:
    """The numbers of the turning points, each where the line of the seat that gained most has come to; or above or
    below, where another number is there already."""
    placed: list[tuple[float, float]] = []
    marks = []
    after = {each.n: later.number - 1 for each, later in zip(analysis.judged, analysis.judged[1:], strict=False)}
    for number, point in enumerate(analysis.turning_points, 1):
        x = WIDTH * after.get(point.n, analysis.decisions) / analysis.decisions
        there = HEIGHT * (1 - point.after[point.winner])
        tries = [there + sign * MARK * k for k in range(2 * len(analysis.turning_points)) for sign in (-1, 1)]
        y = next(y for y in tries if 0 <= y <= HEIGHT and _is_free(x, y, placed))
        placed.append((x, y))
        marks.append(Mark(number, _rounded(x / WIDTH), _rounded(y / HEIGHT), _rounded(there / HEIGHT)))
    return marks


def _is_free(x: float, y: float, placed: Sequence[tuple[float, float]]) -> bool:
    return all((x - a) ** 2 + (y - b) ** 2 >= (MARK - 1) ** 2 for a, b in placed)


def _rounded(share: float) -> float:
    """As a percentage, written short."""
    return round(100 * share, 1)


def _labels(paths: Sequence[Path], names: Sequence[str], marks: Sequence[Mark]) -> list[Label | None]:
    """A name beside each line, where there is room for it."""
    columns = np.union1d(np.arange(WIDTH + 1.0), [x for x, _ in paths[0]])
    heights = np.array([np.interp(columns, [x for x, _ in path], [y for _, y in path]) for path in paths])
    taken = [_box(WIDTH * mark.x / 100, HEIGHT * mark.y / 100, MARK, MARK) for mark in marks]
    labels: list[Label | None] = []
    for seat, name in enumerate(names):
        text, width = _cut(name)
        place = _place_beside(seat, width, columns, heights, taken)
        if place is None:
            labels.append(None)
        else:
            taken.append(_box(*place, width, LABEL_HEIGHT))
            labels.append(Label(text, _rounded(place[0] / WIDTH), _rounded(place[1] / HEIGHT)))
    return labels


def _place_beside(
    seat: int, width: float, columns: Numbers, heights: Numbers, taken: Sequence[Box]
) -> tuple[float, float] | None:
    """The middle of a name above or below its line, the other lines as far away as may be and nothing of what is
    `taken` covered; None when there is no room. `heights`: of each line at each of the `columns`, in pixels."""
    best, place = 0.0, None
    for x in np.arange(width / 2, WIDTH - width / 2, STEP):
        first, end = np.searchsorted(columns, (x - width / 2 - 2, x + width / 2 + 2))
        beside = heights[:, first:end]
        highest, lowest = beside.min(axis=1), beside.max(axis=1)
        own = np.interp(x, columns, heights[seat])
        for y in (highest[seat] - 3 - LABEL_HEIGHT / 2, lowest[seat] + 3 + LABEL_HEIGHT / 2):
            box = _box(x, y, width, LABEL_HEIGHT)
            if box[1] < -LABEL_HEIGHT or box[3] > HEIGHT or any(_overlap(box, other) for other in taken):
                continue
            rooms = np.delete(np.maximum(box[1] - lowest, highest - box[3]), seat)
            room = min(rooms.min(initial=HEIGHT), 2 * LABEL_HEIGHT)
            worth = room - (abs(y - own) - LABEL_HEIGHT / 2) / 2  # near its own line, too
            if room >= LEAST_ROOM and (place is None or worth > best):
                best, place = worth, (float(x), float(y))
    return place


def _box(x: float, y: float, width: float, height: float) -> Box:
    """Left, top, right and bottom of what has its middle there."""
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _cut(name: str) -> tuple[str, float]:
    """A name no wider than a label may be, and how wide it is."""
    width, text = 0.0, ""
    for c in name:
        width += WIDE if unicodedata.east_asian_width(c) in "FWA" else NARROW
        if width > LABEL_MOST:
            return text.rstrip() + "…", LABEL_MOST
        text += c
    return text, width
