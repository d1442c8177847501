"""The outlines of thirteen leaves.

Each function gives one leaf as three SVG paths: outline, veins, stem. The tip points up, the
centre is near 0,0, the size about 170 x 220 units. In a profile `width(t)`, t runs from 0 at the
base to 1 at the tip.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tefuda.decks.drawing import Point, num, smooth

Profile = Callable[[float], float]


class Shape(NamedTuple):
    """One leaf, as three SVG paths."""

    outline: str
    veins: str
    stem: str


class _Lobe(NamedTuple):
    turn: float
    length: float
    width: float
    teeth: int
    depth: float
    belly: float


class _Placed:
    """Turns points of a leaflet and moves them to where the leaflet is joined."""

    def __init__(self, at: Point, turn: float) -> None:
        self._at = at
        self._cos, self._sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))

    def __call__(self, x: float, y: float) -> str:
        return f"{num(self._at[0] + x * self._cos - y * self._sin)} {num(self._at[1] + x * self._sin + y * self._cos)}"


def _mirrored(start: Point, *curves: tuple[Point, Point, Point]) -> str:
    """A leaf from the curves of its right half, base to tip."""
    chain = [start, *(point for curve in curves for point in curve)]
    chain += [(-x, y) for x, y in reversed(chain[:-1])]
    path = [f"M{num(start[0])} {num(start[1])}"]
    for i in range(1, len(chain), 3):
        path.append("C" + " ".join(f"{num(x)} {num(y)}" for x, y in chain[i : i + 3]))
    return "".join(path) + "Z"


def _toothed(
    width: Profile,
    base: float,
    tip: float,
    teeth: int,
    depth: float,
    *,
    at: Point = (0, 0),
    turn: float = 0,
) -> str:
    """A leaf with a saw-toothed edge, from y = base up to y = tip; turned and moved."""
    place = _Placed(at, turn)
    step = (base - tip) / teeth

    def height(t: float) -> float:
        return base + (tip - base) * t

    def side(sign: int) -> list[tuple[Point, Point, Point]]:
        """Each tooth of one side as bulge, point and notch. The last ends in the tip."""
        edge: list[tuple[Point, Point, Point]] = []
        for i in range(teeth):
            start, end = i / teeth, (i + 1) / teeth
            middle = (start + end) / 2
            size = depth * min(1, 3 * end, 3.2 * (1 - start))
            bulge = (sign * (width(middle) + size * 0.9), height(middle) + step * 0.05)
            point = (sign * (width(end) + size * 0.55), height(end) - step * 0.16)
            notch = (sign * max(0, width(end) - size * 0.45), height(end) + step * 0.10)
            if i == teeth - 1:
                point = notch = (0, tip)
            edge.append((bulge, point, notch))
        return edge

    path = [f"M{place(0, base)}"]
    for bulge, point, notch in side(1):
        path.append(f"Q{place(*bulge)} {place(*point)}")
        if notch != point:
            path.append(f"L{place(*notch)}")
    left = side(-1)
    starts: list[Point] = [(0, base), *(notch for _, _, notch in left)]
    for (bulge, point, notch), start in reversed(list(zip(left, starts, strict=False))):
        if notch != point:
            path.append(f"L{place(*point)}")
        path.append(f"Q{place(*bulge)} {place(*start)}")
    return "".join(path) + "Z"


def _feathered(
    base: float,
    tip: float,
    pairs: int,
    reach: Profile,
    rise: float,
    first: float = 0.16,
    last: float = 0.86,
) -> str:
    """A midrib, and pairs of side veins that rise from it."""
    path = [f"M0 {num(base)}L0 {num(tip)}"]
    for i in range(pairs):
        t = first + (last - first) * i / (pairs - 1)
        y, x = base + (tip - base) * t, reach(t)
        path.append(
            f"M{num(-x)} {num(y - rise)}Q{num(-x * 0.4)} {num(y - rise * 0.25)} 0 {num(y)}"
            f"Q{num(x * 0.4)} {num(y - rise * 0.25)} {num(x)} {num(y - rise)}"
        )
    return "".join(path)


def _lobed(lobes: Sequence[_Lobe], centre: Point, rib: float = 0.8) -> tuple[str, str]:
    """A hand of toothed lobes around one point, and a rib in each."""
    outline, veins = "", ""
    for lobe in lobes:

        def width(t: float, lobe: _Lobe = lobe) -> float:
            return float(lobe.width * math.sin(math.pi * (t * 0.97 + 0.03) ** lobe.belly) ** 0.9)

        outline += _toothed(width, 0, -lobe.length, lobe.teeth, lobe.depth, at=centre, turn=lobe.turn)
        x, y = math.sin(math.radians(lobe.turn)), -math.cos(math.radians(lobe.turn))
        end = lobe.length * rib
        veins += (
            f"M{num(centre[0] + x * 6)} {num(centre[1] + y * 6)}L{num(centre[0] + x * end)} {num(centre[1] + y * end)}"
        )
    return outline, veins


def willow() -> Shape:
    """A narrow leaf."""
    return Shape(
        _mirrored((0, 92), ((20, 62), (30, 10), (24, -30)), ((20, -66), (9, -98), (0, -122))),
        _feathered(92, -108, 7, lambda t: 15 * math.sin(math.pi * min(1, t + 0.08)), 20),
        "M0 88C-2 104 -6 116 -14 124",
    )


def cherry() -> Shape:
    """An oval leaf with fine teeth."""

    def width(t: float) -> float:
        return float(62 * math.sin(math.pi * t**0.82) ** 0.8 * (1 - 0.12 * t))

    return Shape(
        _toothed(width, 78, -112, 13, 7),
        _feathered(78, -92, 6, lambda t: width(t + 0.12) * 0.66 if t < 0.85 else 8, 24),
        "M0 76C1 96 -2 110 -10 124",
    )


def zelkova() -> Shape:
    """A pointed leaf with coarse teeth."""

    def width(t: float) -> float:
        return float(48 * math.sin(math.pi * t**0.72) ** 0.92)

    return Shape(
        _toothed(width, 82, -118, 8, 13),
        _feathered(82, -98, 7, lambda t: width(min(0.98, t + 0.1)) * 0.8, 20),
        "M0 80C0 96 3 108 10 120",
    )


def oak() -> Shape:
    """A leaf that widens to the tip, its edge in waves."""

    def width(t: float) -> float:
        wave = 1 + 0.17 * math.cos(2 * math.pi * 4.5 * t + 0.6)
        return float(66 * math.sin(math.pi * t**1.35) ** 0.75 * wave)

    right = [(width(i / 32), 88 - 196 * i / 32) for i in range(1, 32)]
    left = [(-x, y) for x, y in reversed(right)]
    return Shape(
        smooth([(0, 92), *right, (0, -112), *left]),
        _feathered(90, -96, 5, lambda t: 46 * math.sin(math.pi * (t * 0.75 + 0.12) ** 1.2), 26, 0.2, 0.84),
        "M0 88L-3 122",
    )


def bush_clover() -> Shape:
    """Three round leaflets."""

    def leaflet(at: Point, turn: float, length: float) -> tuple[str, str]:
        place, wide = _Placed(at, turn), length * 0.36

        def p(x: float, y: float) -> str:
            return place(wide * x, -length * y)

        outline = (
            f"M{p(0, 0)}C{p(0.9, 0.04)} {p(1.35, 0.62)} {p(0.42, 0.93)}"
            f"Q{p(0.15, 0.985)} {p(0, 0.95)}Q{p(-0.15, 0.985)} {p(-0.42, 0.93)}"
            f"C{p(-1.35, 0.62)} {p(-0.9, 0.04)} {p(0, 0)}Z"
        )
        veins = f"M{p(0, 0.06)}L{p(0, 0.84)}"
        for t in (0.28, 0.46, 0.64):
            for sign in (1, -1):
                veins += f"M{p(0, t)}L{p(sign * 0.62, t + 0.16)}"
        return outline, veins

    leaflets = (
        leaflet((0, 6), 0, 116), leaflet((-4, 24), -72, 90), leaflet((4, 24), 72, 90)
    )  # fmt: skip
    return Shape(
        "".join(outline for outline, _ in leaflets),
        "".join(veins for _, veins in leaflets),
        "M0 6L0 30C0 70 -4 96 -14 118M-6 24L6 24",
    )


def katsura() -> Shape:
    """A heart-shaped leaf with a softly scalloped edge."""

    def width(t: float) -> float:
        scallop = (1 + 0.022 * math.cos(40 * t)) * (1 if t < 0.97 else 0.6)
        round_ = math.sin(math.pi * (t * 0.86 + 0.14)) ** 0.72
        return float(80 * round_ * (1 - 0.1 * t) * scallop)

    right = [(width(i / 40), 74 - 176 * i / 40) for i in range(2, 40)]
    left = [(-x, y) for x, y in reversed(right)]
    veins = "M0 58L0 -88"
    for s in (1, -1):
        veins += (
            f"M0 56C{20 * s} 40 {46 * s} 20 {56 * s} -14M0 56C{26 * s} 54 {50 * s} 52 {66 * s} 36"
            f"M0 20C{14 * s} 4 {28 * s} -18 {34 * s} -44M0 -16C{8 * s} -30 {16 * s} -44 {18 * s} -62"
        )
    return Shape(
        smooth([(0, 56), (20, 72), (44, 80), *right, (0, -108), *left, (-44, 80), (-20, 72)]),
        veins,
        "M0 56C0 84 4 104 12 122",
    )


def ginkgo() -> Shape:
    """A fan with a deep cleft."""
    outline = _mirrored(
        (0, 58),
        ((14, 40), (62, 34), (99, 2)),
        ((108, -8), (100, -18), (96, -24)),
        ((98, -36), (88, -44), (82, -50)),
        ((80, -64), (64, -72), (56, -75)),
        ((50, -87), (34, -88), (26, -86)),
        ((12, -88), (5, -72), (0, -22)),
    )
    veins = ""
    for angle in (-55, -43, -31, -19, 19, 31, 43, 55):
        x, y = math.sin(math.radians(angle)), -math.cos(math.radians(angle))
        veins += (
            f"M{num(x * 18.7)} {num(54 + y * 23.8)}"
            f"Q{num(x * 52)} {num(54 + y * 58.24)} {num(x * 104)} {num(54 + y * 101.92)}"
        )
    return Shape(outline, veins, "M0 54C-1 84 4 104 14 126")


def birch() -> Shape:
    """A leaf broad at the base, with a long tip."""

    def width(t: float) -> float:
        return float(72 * t**0.30 * (1 - t) ** 0.92 * 1.32)

    return Shape(
        _toothed(width, 66, -116, 11, 10),
        _feathered(66, -94, 6, lambda t: width(min(0.97, t + 0.14)) * 0.74, 30, 0.06, 0.78),
        "M0 64C0 88 -4 106 -12 122",
    )


def plane() -> Shape:
    """Five broad lobes."""
    outline, veins = _lobed(
        (
            _Lobe(-96, 82, 27, 4, 8, 0.72),
            _Lobe(-48, 124, 38, 5, 10, 0.72),
            _Lobe(0, 152, 44, 5, 11, 0.76),
            _Lobe(48, 124, 38, 5, 10, 0.72),
            _Lobe(96, 82, 27, 4, 8, 0.72),
        ),
        (0, 52),
    )
    outline += smooth([(0, 58), (34, 50), (52, 10), (40, -30), (0, -50), (-40, -30), (-52, 10), (-34, 50)])
    return Shape(outline, veins, "M0 54C0 84 -4 104 -12 124")


def wax_tree() -> Shape:
    """Nine leaflets, feather-like."""

    def leaflet(at: Point, turn: float, length: float) -> tuple[str, str]:
        p, wide = _Placed(at, turn), 20
        return (
            f"M{p(0, 0)}C{p(wide, -length * 0.12)} {p(wide * 1.05, -length * 0.55)} {p(0, -length)}"
            f"C{p(-wide * 1.05, -length * 0.55)} {p(-wide, -length * 0.12)} {p(0, 0)}Z",
            f"M{p(0, -length * 0.1)}L{p(0, -length * 0.8)}",
        )

    outline, veins = "", "M0 96L0 -60"
    for y, turn, length in ((74, 72, 66), (38, 65, 80), (2, 58, 80), (-34, 51, 70)):
        for sign in (-1, 1):
            edge, rib = leaflet((sign * 2, y), sign * turn, length)
            outline, veins = outline + edge, veins + rib
    edge, rib = leaflet((0, -48), 0, 74)
    return Shape(outline + edge, veins + rib, "M0 -50L0 92C0 106 3 116 8 126")


def ivy() -> Shape:
    """Three pointed lobes with smooth edges."""
    veins = "M0 56L0 -94"
    for s in (1, -1):
        veins += (
            f"M0 54C{24 * s} 40 {56 * s} 22 {82 * s} 0M0 10L{22 * s} -22M0 -24L{14 * s} -50M{36 * s} 32L{50 * s} 44"
        )
    return Shape(
        _mirrored(
            (0, 56),
            ((10, 74), (30, 80), (48, 66)),
            ((68, 58), (90, 34), (102, -14)),
            ((82, -8), (54, -6), (36, -16)),
            ((46, -50), (22, -92), (0, -116)),
        ),
        veins,
        "M0 54C0 84 5 104 14 124",
    )


def maple() -> Shape:
    """Five lobes, narrower than the plane's."""
    outline, veins = _lobed(
        (
            _Lobe(-104, 84, 19, 4, 7, 0.8),
            _Lobe(-54, 128, 27, 4, 10, 0.8),
            _Lobe(0, 158, 31, 5, 11, 0.8),
            _Lobe(54, 128, 27, 4, 10, 0.8),
            _Lobe(104, 84, 19, 4, 7, 0.8),
        ),
        (0, 50),
    )
    outline += smooth([(0, 60), (26, 52), (40, 26), (28, -2), (0, -16), (-28, -2), (-40, 26), (-26, 52)])
    return Shape(outline, veins, "M0 52C0 84 -3 106 -10 126")


def japanese_maple() -> Shape:
    """Seven slender lobes."""
    outline, veins = _lobed(
        (
            _Lobe(-128, 66, 9, 6, 4, 0.8),
            _Lobe(-86, 106, 12.5, 8, 4, 0.8),
            _Lobe(-43, 134, 15, 9, 5, 0.8),
            _Lobe(0, 150, 16, 10, 5, 0.8),
            _Lobe(43, 134, 15, 9, 5, 0.8),
            _Lobe(86, 106, 12.5, 8, 4, 0.8),
            _Lobe(128, 66, 9, 6, 4, 0.8),
        ),
        (0, 34),
        rib=0.78,
    )
    outline += smooth([(0, 46), (18, 42), (24, 24), (16, 6), (0, 0), (-16, 6), (-24, 24), (-18, 42)])
    return Shape(outline, veins, "M0 36C1 72 6 100 16 128")
