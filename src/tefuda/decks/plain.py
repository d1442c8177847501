"""The deck of a new game that has no pictures of its own: any name becomes a card.

A name like S5 or HQ is an ordinary playing card. Any other is written on the card, large in the
middle and small in the corner that a fan shows.
"""

import itertools
import math
import re
import unicodedata
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tefuda.decks.deck import Back, Card, Words
from tefuda.decks.drawing import AI, HEIGHT, LINE, PAPER, SHU, SUMI, Point, back, card, num, smooth, text
from tefuda.decks.suits import SUITS, Suit

LONGEST_NAME = 12

_RANKS = ("A", *(str(number) for number in range(2, 11)), "J", "Q", "K")
_COURTS = {
    "A": Words("エース", "ace"),
    "J": Words("ジャック", "jack"),
    "Q": Words("クイーン", "queen"),
    "K": Words("キング", "king"),
}
_SUITED = re.compile(r"([SHCD])(A|1[0-3]|[1-9]|J|Q|K)")


@dataclass(frozen=True)
class PlayingCard:
    """A card of an ordinary pack."""

    suit: Suit
    rank: str

    def label(self, lang: str) -> str:
        """Suit and rank."""
        rank = _COURTS.get(self.rank, Words(self.rank, self.rank))
        return Words(f"{self.suit.words.ja}の{rank.ja}", f"{rank.en.capitalize()} of {self.suit.plural}").say(lang)

    def describe(self, lang: str) -> str:
        """That it belongs to an ordinary pack."""
        return Words(
            f"ふつうのトランプの一枚、{self.label('ja')}。",
            f"A card of an ordinary pack: {self.label('en')[0].lower()}{self.label('en')[1:]}.",
        ).say(lang)

    def draw(self, lang: str) -> str:
        """Rank and suit in the corner, and one large pip or crest."""
        two_digits = self.rank == "10"
        body = text(
            14,
            88,
            self.rank,
            84 if two_digits else 94,
            fill=self.suit.ink,
            weight=700,
            anchor="start",
            spacing=-5 if two_digits else 0,
        )
        body += self.suit.mark(44, 142, 0.56)  # clear of the tails of J and Q
        if self.rank in _COURTS:
            body += self._crest(150, 236)
        else:
            body += self._pip(150, 236, 1.32)
        return card(self.label(lang), body, seed=zlib.crc32(self.label("en").encode()), lang=lang)

    def _pip(self, x: float, y: float, scale: float) -> str:
        """A large pip. Red suits carry a line inside, so that more than colour parts the two."""
        drawn = self.suit.mark(x, y, scale)
        if self.suit.ink == SHU:
            drawn += (
                f'<path d="{self.suit.path}" transform="translate({num(x)} {num(y - scale)}) '
                f'scale({num(scale * 0.76)})" fill="none" stroke="{PAPER}" stroke-width="3"/>'
            )
        return drawn

    def _crest(self, x: float, y: float) -> str:
        """A crest as on a formal coat: a ring for A, and a field of its own shape for J Q K."""
        ink = self.suit.ink
        if self.rank == "A":
            return (
                f'<circle cx="{num(x)}" cy="{num(y)}" r="82" fill="none" stroke="{ink}" '
                f'stroke-width="3"/><circle cx="{num(x)}" cy="{num(y)}" r="76" fill="none" '
                f'stroke="{ink}" stroke-width="1.2"/>{self._pip(x, y, 1.0)}'
            )
        path = {"J": _round_field, "Q": _petalled_field, "K": _cut_field}[self.rank]
        return (
            f'<g transform="translate({num(x)} {num(y)})">'
            f'<path d="{path(82)}" fill="none" stroke="{ink}" stroke-width="3"/>'
            f'<path d="{path(73)}" fill="{ink}"/></g>{self.suit.mark(x, y, 0.84, PAPER)}'
        )


def _round_field(radius: float) -> str:
    return f"M{num(-radius)} 0a{num(radius)} {num(radius)} 0 1 0 {num(2 * radius)} 0" + (
        f"a{num(radius)} {num(radius)} 0 1 0 {num(-2 * radius)} 0Z"
    )


def _petalled_field(radius: float) -> str:
    """Eight petals around a round field."""
    petals, inner = 8, radius * 0.82
    bulge = inner * math.sin(math.pi / petals) * 1.02
    points = [
        (
            inner * math.sin(2 * math.pi * (k - 0.5) / petals),
            -inner * math.cos(2 * math.pi * (k - 0.5) / petals),
        )
        for k in range(petals)
    ]
    path = f"M{num(points[0][0])} {num(points[0][1])}"
    for x, y in [*points[1:], points[0]]:
        path += f"A{num(bulge)} {num(bulge)} 0 0 1 {num(x)} {num(y)}"
    return path + "Z"


def _cut_field(radius: float) -> str:
    """A square with its corners cut."""
    side, cut = radius * 0.94, radius * 0.6
    corners = [
        (cut, -side), (side, -cut), (side, cut), (cut, side),
        (-cut, side), (-side, cut), (-side, -cut), (-cut, -side),
    ]  # fmt: skip
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in corners) + "Z"


@dataclass(frozen=True)
class WordCard:
    """A card that carries its name, whatever it is."""

    name: str

    def label(self, lang: str) -> str:
        """The name: it is the same in every language."""
        return self.name

    def describe(self, lang: str) -> str:
        """That the name is all there is."""
        return Words(f"「{self.name}」と書かれた札。", f"A card that says “{self.name}”.").say(lang)

    def draw(self, lang: str) -> str:
        """The name in the corner and in the middle."""
        width = _width(self.name)
        # Large enough for a fan while it is short, never wider than the card.
        corner = min(54, max(26, 108 / width), 214 / width)
        body = text(17, 20 + corner * 0.82, self.name, corner, weight=600, anchor="start")
        body += self._slip(corner + 38)
        body += _set_large(self.name, corner + 52)
        return card(self.label(lang), body, seed=zlib.crc32(self.name.encode()), lang=lang)

    @staticmethod
    def _slip(top: float) -> str:
        """The two frames of a title slip, as on the cover of a bound book."""
        bottom = HEIGHT - 17
        return (
            f'<rect x="17" y="{num(top)}" width="216" height="{num(bottom - top)}" fill="none" '
            f'stroke="{SUMI}" stroke-width="2.4"/>'
            f'<rect x="22" y="{num(top + 5)}" width="206" height="{num(bottom - top - 10)}" '
            f'fill="none" stroke="{SUMI}" stroke-width=".9"/>'
        )


class Joker:
    """The joker: a ring drawn in one stroke."""

    def label(self, lang: str) -> str:
        """Its name."""
        return Words("ジョーカー", "Joker").say(lang)

    def describe(self, lang: str) -> str:
        """What it usually is."""
        return Words(
            "ジョーカー。何の札になるかは、ゲームの規則が決めます。",
            "A joker. What it stands for is for the rules of the game to say.",
        ).say(lang)

    def draw(self, lang: str) -> str:
        """The word, and the ring."""
        body = text(17, 56, self.label(lang), 38, weight=600, anchor="start")
        body += f'<path d="{self._ring(132, 224, 80)}" fill="{SHU}"/>'
        return card(self.label(lang), body, seed=54, lang=lang)

    @staticmethod
    def _ring(x: float, y: float, radius: float) -> str:
        """A stroke that begins at the upper right, swells, and dries out before it closes."""
        outer: list[Point] = []
        inner: list[Point] = []
        for step in range(25):
            t = step / 24
            angle = math.radians(-58 - 332 * t)
            half = 2 + 11 * math.sin(math.pi * (0.12 + 0.88 * t) ** 0.8)
            centre = radius - 5 * t  # it ends a little inside its beginning
            for edge, reach in ((outer, centre + half), (inner, centre - half)):
                edge.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
        return smooth([*outer, *reversed(inner)])


# ------------------------------------------------------------------ setting a name


_BOX_WIDTH, _BOX_BOTTOM, _LARGEST = 192, 320, 150
_NO_LINE_BEGINS_WITH = frozenset("ー、。，．！？」』）ぁぃぅぇぉっゃゅょァィゥェォッャュョ・々")
_NARROW = frozenset("iljtfrI.,:;'|!()[] ’")
_BROAD = frozenset("mwMW@%—")


def _width(words: str) -> float:
    """About how wide the words are, in units of their size. No font is at hand to ask."""
    total = 0.0
    for character in words:
        if unicodedata.combining(character):
            continue
        if unicodedata.east_asian_width(character) in "WFA":
            total += 1.02
        elif character in _NARROW:
            total += 0.40
        elif character in _BROAD:
            total += 0.98
        elif character.isupper():
            total += 0.76
        else:
            total += 0.60
    return max(total, 0.4)  # a lone accent has a width, too


def _stands_in_columns(name: str) -> bool:
    """Whether the name can be written downwards sign by sign: kanji and full-sized kana only."""
    return len(name) > 1 and all(
        unicodedata.name(character, "").startswith(("CJK UNIFIED", "HIRAGANA", "KATAKANA LETTER"))
        and "SMALL" not in unicodedata.name(character)
        for character in name
    )


def _set_large(name: str, top: float) -> str:
    """The name as large as the room below `top` allows."""
    if _stands_in_columns(name):
        return _set_columns(name, top)
    return _set_lines(name, top)


def _set_columns(name: str, top: float) -> str:
    """Downwards, the first column on the right, as a title slip is written."""
    room = _BOX_BOTTOM - top

    def size(columns: int) -> float:
        rows = math.ceil(len(name) / columns)
        return min(_LARGEST, room / (rows * 1.04), _BOX_WIDTH / (columns * 1.14))

    # One column reads best as long as it is not much smaller than the best of several.
    best = max(range(1, 5), key=size)
    columns = 1 if size(1) > 0.62 * size(best) else best
    em, rows = size(columns), math.ceil(len(name) / columns)
    drawn = ""
    for column in range(columns):
        x = 125 + ((columns - 1) / 2 - column) * em * 1.14
        signs = name[column * rows : (column + 1) * rows]
        start = top + (room - rows * em * 1.04) / 2
        for row, sign in enumerate(signs):
            drawn += text(x, start + (row + 0.5) * em * 1.04 + em * 0.37, sign, em, weight=600)
    return drawn


def _set_lines(name: str, top: float) -> str:
    """In as many lines as make it clearly larger."""
    room = _BOX_BOTTOM - top

    def size(lines: tuple[str, ...]) -> float:
        widest = max(_width(line) for line in lines)
        return min(_LARGEST, _BOX_WIDTH / widest, room / (len(lines) * 1.16))

    # Each line more must earn a third of size, or a word would be cut up for nothing.
    lines = max(_broken(name), key=lambda lines: size(lines) * 0.75 ** (len(lines) - 1))
    em = size(lines)
    start = top + (room - len(lines) * em * 1.16) / 2
    return "".join(
        text(125, start + (row + 0.5) * em * 1.16 + em * 0.36, line, em, weight=600) for row, line in enumerate(lines)
    )


def _broken(name: str) -> Iterator[tuple[str, ...]]:
    """Every way to break the name into one to four lines: at spaces, and between wide signs."""

    def wide(character: str) -> bool:
        return unicodedata.east_asian_width(character) in "WF"

    places = [
        place
        for place in range(1, len(name))
        if name[place - 1] == " "
        or (
            (wide(name[place - 1]) or wide(name[place]))
            and name[place] not in _NO_LINE_BEGINS_WITH
            and name[place] != " "
        )
    ]
    for count in range(4):
        for breaks in itertools.combinations(places, count):
            edges = (0, *breaks, len(name))
            yield tuple(name[start:end].strip() for start, end in itertools.pairwise(edges))


# ------------------------------------------------------------------ the deck


def _back(title: str, lang: str) -> str:
    """Seigaiha, the waves of the blue sea, around a small fan of cards."""
    pale, radius = "#A9BBD2", 27
    path = ""
    for row in range(27):
        y = 6 + row * radius / 2
        for column in range(-1, 6):
            x = 125 + (column - 2) * 2 * radius + (radius if row % 2 else 0)
            path += "".join(_arc(x, y, share * radius, radius) for share in (1, 0.68, 0.36))
    pattern = (
        f'<path d="{path}" fill="none" stroke="{pale}" stroke-width="2"/>'
        f'<circle cx="125" cy="175" r="44" fill="{AI}" stroke="{pale}" stroke-width="3"/>{_fan(125, 192, 0.27, AI)}'
    )
    return back(title, AI, pattern, clip="plain-back", lang=lang)


def _arc(x: float, y: float, ring: float, wave: float) -> str:
    """The part of a ring that the two waves in front of it leave to be seen.

    They lie one radius to either side and half a radius lower.
    """
    hidden = (ring + wave**2 / 4 / ring) / (wave * math.sqrt(5))
    angle = math.atan(0.5) + math.asin(hidden)
    dx, dy = ring * math.sin(angle), ring * math.cos(angle)
    return f"M{num(x - dx)} {num(y - dy)}a{num(ring)} {num(ring)} 0 0 1 {num(2 * dx)} 0"


def _fan(x: float, y: float, scale: float, line: str) -> str:
    """Three cards held in a hand, turning around x, y; the right one bears a vermilion dot."""
    cards = "".join(
        f'<g transform="rotate({turn})"><rect x="-48" y="-150" width="96" height="134" rx="7" '
        f'fill="{PAPER}" stroke="{line}" stroke-width="7"/>{mark}</g>'
        for turn, mark in (
            (-26, ""),
            (0, ""),
            (26, f'<circle cy="-83" r="21" fill="{SHU}"/>'),
        )
    )
    return f'<g transform="translate({num(x)} {num(y)}) scale({scale})">{cards}</g>'


class PlainDeck:
    """Every name there can be; the names it lists are those of an ordinary pack."""

    id = "plain"
    help = ""

    def __init__(self) -> None:
        self._pictures: dict[str, Card] = {
            "joker": Joker(),
            "back": Back(
                Words("札の裏", "back of a card"),
                Words(
                    "札の裏。青海波の模様に、開いた三枚の札。",
                    "The back of a card: waves of the sea around three fanned cards.",
                ),
                _back,
            ),
        }

    @property
    def names(self) -> tuple[str, ...]:
        """The names of an ordinary pack."""
        pack = (letter + rank for letter in SUITS for rank in _RANKS)
        return (*pack, *self._pictures)

    def card(self, name: str) -> Card:
        """The card of this name; KeyError in words when it cannot be written on a card."""
        if name in self._pictures:
            return self._pictures[name]
        if suited := _SUITED.fullmatch(name):
            letter, rank = suited.groups()
            return PlayingCard(SUITS[letter], _RANKS[int(rank) - 1] if rank.isdigit() else rank)
        if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable() or name != name.strip():
            raise KeyError(
                f"{name!r} cannot be a card of the deck {self.id!r}; a name has 1 to "
                f"{LONGEST_NAME} printable characters and no space at either end"
            )
        return WordCard(name)

    def in_play(self, name: str, options: Mapping[str, Any]) -> str:
        """The name itself: it is all there is on a card."""
        return name

    def emblem(self, name: str) -> str:
        """None: the name is all there is."""
        return ""

    def motif(self) -> str:
        """A hand of three cards."""
        return _fan(134, 276, 0.85, LINE)


DECK = PlainDeck()
