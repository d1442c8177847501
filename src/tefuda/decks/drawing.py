"""The paper, ink and type that all card faces share, as SVG text.

Rules of the house
- One format: 250 x 350 units with corners of 11, good from 40 pixels wide to print.
- Text is text: mincho for what a card *is*, sans for what helps to read it. Fonts are the visitor's.
- Nothing is told by colour alone.
- No style attribute, no script, no outside reference: safe under a strict content security policy,
  inline or in an `<img>`.
"""

import math
import random
from collections.abc import Sequence
from xml.sax.saxutils import escape as _escape

Point = tuple[float, float]

WIDTH, HEIGHT, CORNER = 250, 350, 11

SERIF = "'Hiragino Mincho ProN','Yu Mincho','Noto Serif CJK JP','Noto Serif JP',serif"
SANS = "'Hiragino Sans','Yu Gothic UI','Yu Gothic','Noto Sans CJK JP','Noto Sans JP',sans-serif"

PAPER, PAPER_SHADE, LINE = "#FBF7EC", "#F1E9D6", "#CFC4AB"
SUMI, SUMI_PALE = "#24211D", "#6B6355"
AI, SHU, KOKE, KAKI = "#234A7A", "#B83A26", "#56652B", "#C2632B"


def num(value: float) -> str:
    """A coordinate: one decimal is finer than any printer shows, and keeps the files small."""
    return f"{value:.1f}".removesuffix(".0")


def text(
    x: float,
    y: float,
    words: str,
    size: float,
    *,
    fill: str = SUMI,
    weight: int = 400,
    anchor: str = "middle",
    family: str = SERIF,
    spacing: float = 0,
    lang: str = "",
) -> str:
    """A line of text with its baseline at y. `lang`: its language, where that is not the card's."""
    letter_spacing = f' letter-spacing="{num(spacing)}"' if spacing else ""
    language = f' xml:lang="{lang}"' if lang else ""
    return (
        f'<text x="{num(x)}" y="{num(y)}" font-family="{family}" font-size="{num(size)}" '
        f'font-weight="{weight}" fill="{fill}" text-anchor="{anchor}"{letter_spacing}{language}>'
        f"{_escape(words)}</text>"
    )


def smooth(points: Sequence[Point]) -> str:
    """A closed curve through the points (Catmull-Rom, written as Bezier curves)."""
    count = len(points)
    path = [f"M{num(points[0][0])} {num(points[0][1])}"]
    for i in range(count):
        before, start = points[i - 1], points[i]
        end, after = points[(i + 1) % count], points[(i + 2) % count]
        path.append(
            f"C{num(start[0] + (end[0] - before[0]) / 6)} {num(start[1] + (end[1] - before[1]) / 6)}"
            f" {num(end[0] - (after[0] - start[0]) / 6)} {num(end[1] - (after[1] - start[1]) / 6)}"
            f" {num(end[0])} {num(end[1])}"
        )
    return "".join(path) + "Z"


def fibres(seed: int) -> str:
    """A few washi fibres, short and pale: a hand should feel them before an eye sees them."""
    chance = random.Random(seed)
    path = []
    for _ in range(9):
        x, y = chance.uniform(15, 235), chance.uniform(15, 335)
        angle, length = chance.uniform(0, 6.28), chance.uniform(8, 22)
        bend_x, bend_y = chance.uniform(-6, 6), chance.uniform(-6, 6)
        dx, dy = length * math.cos(angle), length * math.sin(angle)
        path.append(f"M{num(x)} {num(y)}q{num(dx / 2 + bend_x)} {num(dy / 2 + bend_y)} {num(dx)} {num(dy)}")
    return f'<path d="{"".join(path)}" fill="none" stroke="#B9AB8B" stroke-width=".8" opacity=".38"/>'


_EDGE = (
    f'<rect x=".75" y=".75" width="{WIDTH - 1.5}" height="{HEIGHT - 1.5}" rx="{CORNER - 0.75}" '
    f'fill="none" stroke="{LINE}" stroke-width="1.5"/>'
)


def document(title: str, body: str, *, lang: str = "ja", width: int = WIDTH, height: int = HEIGHT) -> str:
    """A whole SVG document with its title; the language helps a browser to choose glyphs."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" xml:lang="{lang}">'
        f"<title>{_escape(title)}</title>{body}</svg>\n"
    )


def card(title: str, body: str, *, seed: int, lang: str = "ja") -> str:
    """A face on washi paper."""
    paper = f'<rect width="{WIDTH}" height="{HEIGHT}" rx="{CORNER}" fill="{PAPER}"/>'
    return document(title, f"{paper}{fibres(seed)}{body}{_EDGE}", lang=lang)


def back(title: str, field: str, pattern: str, *, clip: str, lang: str = "ja") -> str:
    """A back: paper edge, coloured field, pattern cut to the field.

    `clip` is the id of the cut; each deck has its own, as several backs may lie in one page.
    """
    window = '<rect x="12" y="12" width="226" height="326" rx="5"'
    return document(
        title,
        f'<defs><clipPath id="{clip}">{window}/></clipPath></defs>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="{CORNER}" fill="{PAPER}"/>'
        f'{window} fill="{field}"/><g clip-path="url(#{clip})">{pattern}</g>{_EDGE}',
        lang=lang,
    )
