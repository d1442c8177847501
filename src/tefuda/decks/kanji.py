"""Kanji cards: one kanji each, worth as many points as the shape below it has corners; and 々, the joker.

A colour, a shape with so many corners and a lattice of that shape tell the value, besides the number itself.

Decks of kanji are data, so any kanji may become a card, and what it counts depends on the deck that plays. Its name
says it all: `花` is the card of the usual deck, `花-3` counts 3, and `花-3-C2` is the two of clubs besides.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tefuda.decks import kanji_decks, lexicon
from tefuda.decks.deck import Back, Card, Words
from tefuda.decks.drawing import CORNER, HEIGHT, PAPER, SANS, SHU, SUMI, WIDTH, back, card, num, text
from tefuda.decks.suits import SUITS

USUAL = "reconstruction"
"""The deck whose cards are named by their kanji alone."""

_NAME = re.compile(r"(.)-([1-9])(?:-([SHCD])([1-9][0-9]?))?")
_COURTS = {1: "A", 11: "J", 12: "Q", 13: "K"}
_YEARS = "一二三四五六"
_BAND = 262
"""Where the coloured band begins."""


@dataclass(frozen=True)
class _Colour:
    """The colour of a value, and what is drawn on it."""

    fill: str
    ink: str


_COLOURS = {
    1: _Colour("#2C5C8F", PAPER),
    2: _Colour("#C2557A", PAPER),
    3: _Colour("#DDAA22", SUMI),
    4: _Colour("#4A7436", PAPER),
    5: _Colour("#774827", PAPER),
    6: _Colour("#6A4C8C", PAPER),
    7: _Colour("#24706E", PAPER),
    8: _Colour("#A03A3A", PAPER),
    9: _Colour("#4F4B45", PAPER),
}


def shape(value: int, x: float, y: float, radius: float) -> str:
    """The path of the shape with as many corners as points: a ring for one, a lens for two, then polygons."""
    if value == 1:
        return (
            f"M{num(x - radius)} {num(y)}a{num(radius)} {num(radius)} 0 1 0 {num(2 * radius)} 0"
            f"a{num(radius)} {num(radius)} 0 1 0 {num(-2 * radius)} 0Z"
        )
    if value == 2:
        half = radius * 1.28
        return (
            f"M{num(x - half)} {num(y)}Q{num(x)} {num(y - 2 * radius)} {num(x + half)} {num(y)}"
            f"Q{num(x)} {num(y + 2 * radius)} {num(x - half)} {num(y)}Z"
        )
    # As large as the ring to the eye, and its weight in the middle.
    reach, lower = {3: (1.34, 0.2), 4: (1.22, 0.0), 5: (1.12, 0.06)}.get(value, (1.06, 0.0))
    first = -90 if value % 2 else -90 + 180 / value
    corners = (math.radians(first + 360 * i / value) for i in range(value))
    return "M" + "L".join(
        f"{num(x + reach * radius * math.cos(a))} {num(y + radius * (lower + reach * math.sin(a)))}" for a in corners
    ) + "Z"  # fmt: skip


def emblem(value: int) -> str:
    """The shape with the value in it, an SVG fragment for a view box of 100 x 100."""
    colour = _COLOURS[value]
    return f'<path d="{shape(value, 50, 50, 33)}" fill="{colour.fill}"/>' + text(
        50, 74 if value == 3 else 68, str(value), 50, fill=colour.ink, weight=700, family=SANS
    )


def _band(fill: str, pattern: str) -> str:
    """The lower end of a card, filled and patterned."""
    bottom = HEIGHT - CORNER
    return (
        f'<defs><clipPath id="kanji-band"><path d="M0 {_BAND}H{WIDTH}V{bottom}a{CORNER} {CORNER} 0 0 1-{CORNER} '
        f'{CORNER}H{CORNER}a{CORNER} {CORNER} 0 0 1-{CORNER}-{CORNER}Z"/></clipPath></defs>'
        f'<g clip-path="url(#kanji-band)"><rect y="{_BAND}" width="{WIDTH}" height="{HEIGHT - _BAND}" fill="{fill}"/>'
        f"{pattern}</g>"
    )


def _lattice(value: int) -> str:
    """The band's pattern: the shape, small, in rows that stand between one another."""
    step = 27.0
    return "".join(
        shape(value, 4 + column * step + (step / 2 if row % 2 else 0), 268 + row * step * 0.82, 5.6)
        for row in range(5)
        for column in range(11)
    )


@dataclass(frozen=True)
class KanjiFace:
    """A kanji and what it counts, with its suit and rank where its deck has them."""

    data: kanji_decks.KanjiCard

    def label(self, lang: str) -> str:
        """The kanji and its points."""
        kanji, value = self.data.kanji, self.data.value
        return Words(f"{kanji}（{value}点）", f"{kanji} ({value} {_points(value)})").say(lang)

    def describe(self, lang: str) -> str:
        """In which year of school it is taught, what it counts, and its suit and rank."""
        kanji, value, year = self.data.kanji, self.data.value, lexicon.grades().get(self.data.kanji)
        taught = Words("漢字", "The kanji")
        if year is not None:
            taught = Words(f"小学{_YEARS[year - 1]}年で習う漢字", f"A kanji of school year {year},")
        said = Words(f"{taught.ja}「{kanji}」、{value}点。", f"{taught.en} {kanji}: {value} {_points(value)}.")
        if self.data.suit is not None:
            suit, rank = SUITS[self.data.suit], self._rank
            said = Words(f"{said.ja}{suit.words.ja}の{rank}。", f"{said.en} The {rank} of {suit.plural}.")
        return said.say(lang)

    @property
    def _rank(self) -> str:
        assert self.data.rank is not None
        return _COURTS.get(self.data.rank, str(self.data.rank))

    def draw(self, lang: str) -> str:
        """The kanji over the band of its value."""
        value, colour = self.data.value, _COLOURS[self.data.value]
        body = ""
        if self.data.suit is not None:
            suit = SUITS[self.data.suit]
            body += suit.mark(29, 34, 0.30)
            body += text(50, 45, self._rank, 31, fill=suit.ink, anchor="start", weight=600, family=SANS)
        body += text(125, 231, self.data.kanji, 194, weight=600, lang="ja")
        body += _band(colour.fill, f'<path d="{_lattice(value)}" fill="{colour.ink}" opacity=".26"/>')
        body += (
            f'<path d="{shape(value, 125, 306, 31)}" fill="{PAPER}" stroke="{colour.fill}" stroke-width="5" '
            'stroke-linejoin="round"/>'
        )
        body += text(125, 327 if value == 3 else 322, str(value), 46, weight=700, family=SANS)
        return card(self.label(lang), body, seed=ord(self.data.kanji) % 997, lang=lang)


def _points(value: int) -> str:
    return "point" if value == 1 else "points"


class Joker:
    """々, the mark that repeats the kanji before it."""

    def label(self, lang: str) -> str:
        """The mark, and that it is the joker."""
        return Words("々（ジョーカー）", "々 (joker)").say(lang)

    def describe(self, lang: str) -> str:
        """What it does in a word."""
        return Words(
            "前の字をくり返すしるし「々」。「人々」のように使い、語のはじめには来ません。",
            "The mark 々 repeats the kanji before it, as in 人々. It never begins a word.",
        ).say(lang)

    def draw(self, lang: str) -> str:
        """The mark over a band of slanted lines, with an empty ring: what it counts is for the game to say."""
        lines = "".join(f"M{22 * i - 90} 352l92-92" for i in range(16))
        body = text(22, 45, "JOKER", 25, anchor="start", weight=600, family=SANS, spacing=1)
        body += text(125, 226, kanji_decks.JOKER, 180, weight=600, lang="ja")
        body += _band(SUMI, f'<path d="{lines}" stroke="{PAPER}" stroke-width="3" opacity=".2"/>')
        body += (
            f'<circle cx="125" cy="306" r="32" fill="{PAPER}"/>'
            f'<circle cx="125" cy="306" r="20" fill="none" stroke="{SUMI}" stroke-width="4.2"/>'
        )
        return card(self.label(lang), body, seed=54, lang=lang)


def _back(title: str, lang: str) -> str:
    """Manuscript paper with the fishtail in its middle, where it is folded."""
    side, rows = 33, 9
    path = ""
    for column in range(6):
        x = 125 - side * 3 - 4 + column * (side + 1.8)
        path += f"M{num(x)} 28h{side}v{side * rows}h-{side}Z"
        path += "".join(f"M{num(x)} {28 + row * side}h{side}" for row in range(1, rows))
    pattern = (
        f'<path d="{path}" fill="none" stroke="{SHU}" stroke-width="1.6" opacity=".62"/>'
        f'<path d="M104 143h42v66l-21-17-21 17Z" fill="{SHU}"/><path d="M104 137h42" stroke="{SHU}" stroke-width="3"/>'
        f'<rect x="12.8" y="12.8" width="224.4" height="324.4" rx="5" fill="none" stroke="{SHU}" stroke-width="2.4"/>'
    )
    return back(title, "#F8EFDF", pattern, clip="kanji-back", lang=lang)


class KanjiFaces:
    """The card of every kanji; the names it lists are those of the usual deck."""

    id = "kanji"
    help = ""

    def __init__(self) -> None:
        self._others: dict[str, Card] = {
            kanji_decks.JOKER: Joker(),
            "back": Back(
                Words("漢字の札の裏", "back of a kanji card"),
                Words("漢字の札の裏。原稿用紙。", "The back of a kanji card: manuscript paper."),
                _back,
            ),
        }

    @property
    def names(self) -> tuple[str, ...]:
        """The cards of the usual deck."""
        return (*(each.kanji for each in kanji_decks.built_in()[USUAL].cards), *self._others)

    def in_play(self, name: str, options: Mapping[str, Any]) -> str:
        """The card of a kanji in the deck that a game's options say."""
        deck = kanji_decks.deck(options.get("deck", USUAL))
        found = next((each for each in deck.cards if each.kanji == name), None)
        if found is None or deck.name == USUAL:
            return name
        suited = "" if found.suit is None else f"-{found.suit}{found.rank}"
        return f"{name}-{found.value}{suited}"

    def card(self, name: str) -> Card:
        """The card of this name; KeyError in words when there is none."""
        if name in self._others:
            return self._others[name]
        if said := _NAME.fullmatch(name):
            kanji, value, suit, rank = said.groups()
            if kanji_decks.is_kanji(kanji):
                return KanjiFace(kanji_decks.KanjiCard(kanji, int(value), suit, int(rank) if rank else None))
        usual = next((each for each in kanji_decks.built_in()[USUAL].cards if each.kanji == name), None)
        if usual is not None:
            return KanjiFace(usual)
        if name in lexicon.grades():
            return KanjiFace(kanji_decks.KanjiCard(name, lexicon.grades()[name]))
        raise KeyError(
            f"no card {name!r} in the deck {self.id!r}; a name is a kanji taught in the first five years of school, "
            f"{kanji_decks.JOKER}, back, or any kanji with its value, and perhaps its suit and rank: 鶴-3, 鶴-3-C2"
        )

    def emblem(self, name: str) -> str:
        """The shape of the card's value with the number in it; none for the joker."""
        card = self.card(name)
        return emblem(card.data.value) if isinstance(card, KanjiFace) else ""

    def motif(self) -> str:
        """Three kanji in a row of manuscript squares."""
        squares = "".join(
            f'<path d="M112 {112 + 66 * row}h66v66h-66Z" fill="none" stroke="{PAPER}" stroke-width="3" opacity=".6"/>'
            + text(145, 162 + 66 * row, kanji, 52, fill=PAPER, weight=600)
            for row, kanji in enumerate("漢字札")
        )
        return f'<path d="M106 106h78v210h-78Z" fill="none" stroke="{PAPER}" stroke-width="3"/>{squares}'


DECK = KanjiFaces()
