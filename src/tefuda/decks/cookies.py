"""Hand-made cookies, the people who cannot stand some of them, and the giver's ribbon.

Well baked or burnt is told by a sign, by cracks and by smoke, never by the colour alone.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from tefuda.decks.deck import Back, Card, FixedDeck, Words
from tefuda.decks.drawing import (
    AI,
    KAKI,
    KOKE,
    LINE,
    PAPER,
    PAPER_SHADE,
    SANS,
    SHU,
    SUMI,
    SUMI_PALE,
    Point,
    back,
    card,
    document,
    num,
    text,
)
from tefuda.decks.suits import SUITS, Suit

GOLDEN_INK = "#7A4A0E"


@dataclass(frozen=True)
class _Dough:
    """A cookie of one suit, formed by hand: not quite symmetrical. About 170 units, around 0,0."""

    outline: str
    crack: str
    middle: Point
    """Where the sugar pearls are centred."""
    spread: float
    """How far apart the pearls may lie in this shape."""


_DOUGH = {
    "S": _Dough(
        "M1-86C15-60 79-27 81 20C81 51 57 64 37 60C25 58 15 50 9 41C10 60 17 73 29 84"
        "C12 88-12 88-28 85C-16 74-10 60-9 42C-15 51-24 58-37 61C-57 63-81 51-80 21"
        "C-79-26-13-60 1-86Z",
        "M30-44L20-20L40-4L26 20L46 34L34 58",
        (0, 8),
        0.86,
    ),
    "H": _Dough(
        "M2 72C-20 54-80 18-83-26C-84-60-56-77-34-73C-16-70-4-58 0-44C5-58 18-71 36-73"
        "C58-75 82-58 81-26C79 16 22 52 2 72Z",
        "M40-74L30-46L46-30L28-6L44 10L30 38",
        (0, -14),
        0.92,
    ),
    "C": _Dough(
        "M0-82a38 38 0 0 1 27 65a37 37 0 1 1-17 58C11 60 17 74 29 84C12 88-12 88-29 84"
        "C-17 74-11 60-10 41a37 37 0 1 1-17-58A38 38 0 0 1 0-82Z",
        "M40-10L32 6L52 18L38 32L50 52M-4-78L6-58L-6-44",
        (0, 2),
        0.84,
    ),
    "D": _Dough(
        "M2-90C18-54 45-24 74 2C46 22 20 52-1 90C-19 52-44 24-73-1C-45-23-17-53 2-90Z",
        "M36-36L26-20L44-4L28 14L38 30",
        (0, 0),
        0.82,
    ),
}

# As many sugar pearls as the rank; even ones have burnt to black.
_PEARLS: dict[int, tuple[Point, ...]] = {
    1: ((0, 0),),
    2: ((-15, 0), (15, 0)),
    3: ((0, -17), (-17, 13), (17, 13)),
    4: ((-15, -15), (15, -15), (-15, 15), (15, 15)),
    5: ((-19, -17), (19, -17), (0, 0), (-19, 17), (19, 17)),
    6: ((-16, -24), (16, -24), (-16, 0), (16, 0), (-16, 24), (16, 24)),
    7: ((0, -26), (-23, -13), (23, -13), (0, 0), (-23, 13), (23, 13), (0, 26)),
    8: ((-16, -30), (16, -30), (-25, -10), (25, -10), (-25, 12), (25, 12), (-16, 31), (16, 31)),
    9: ((-23, -23), (0, -23), (23, -23), (-23, 0), (0, 0), (23, 0), (-23, 23), (0, 23), (23, 23)),
    10: (
        *((-12, -33), (12, -33), (-25, -12), (0, -12), (25, -12)),
        *((-25, 11), (0, 11), (25, 11), (-12, 33), (12, 33)),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Cookie:
    """A number card: odd is well baked and worth its rank, even is burnt and costs it."""

    suit: Suit
    rank: int

    @property
    def well_baked(self) -> bool:
        """Whether it is good to eat."""
        return self.rank % 2 == 1

    @property
    def value(self) -> str:
        """Its points, with a sign."""
        return f"{'+' if self.well_baked else '−'}{self.rank}"

    @property
    def ink(self) -> str:
        """The colour of the value."""
        return GOLDEN_INK if self.well_baked else SUMI

    def label(self, lang: str) -> str:
        """Its shape, how it was baked, and its points."""
        baked = Words("よく焼けた", "well baked") if self.well_baked else Words("焦げた", "burnt")
        return Words(
            f"{self.suit.words.ja}の形、{baked.ja} {self.value}",
            f"{self.suit.words.en.capitalize()} cookie, {baked.en}, {self.value}",
        ).say(lang)

    def describe(self, lang: str) -> str:
        """Why it is good or bad, and what it does to someone who cannot stand its shape."""
        suit = self.suit
        if self.well_baked:
            return Words(
                f"{suit.words.ja}の形のクッキー。奇数はよく焼けていて、{self.value}点。"
                f"ただし{suit.words.ja}が苦手な人には−{self.rank}点です。",
                f"A {suit.words.en}-shaped cookie. Odd is well baked: {self.value} points, but "
                f"−{self.rank} for somebody who cannot stand {suit.plural}.",
            ).say(lang)
        return Words(
            f"{suit.words.ja}の形のクッキー。偶数は焦げていて、だれが食べても{self.value}点です。",
            f"A {suit.words.en}-shaped cookie. Even is burnt: {self.value} points, whoever eats it.",
        ).say(lang)

    def draw(self, lang: str) -> str:
        """Value and suit in the corner, and the cookie."""
        body = text(
            16,
            80,
            self.value,
            82 if self.rank < 10 else 68,
            fill=self.ink,
            weight=700,
            anchor="start",
            spacing=-3,
        )
        body += self.suit.mark(38, 120, 0.46)
        if self.well_baked:
            body += self.art(140, 222, 1)
        else:  # lower and smaller, for the smoke
            body += self.art(140, 238, 0.94)
        return card(self.label(lang), body, seed=self.rank * 7 + ord(self.suit.letter), lang=lang)

    def art(self, x: float, y: float, scale: float, *, smoke: bool = True, small: bool = False) -> str:
        """The cookie alone, centred on x, y; a small one without what would only blur."""
        inside = self._baked(small) if self.well_baked else self._burnt(smoke, small)
        return f'<g transform="translate({num(x)} {num(y)}) scale({scale})">{inside}</g>'

    def _baked(self, small: bool) -> str:
        dough = _DOUGH[self.suit.letter]
        x, y = dough.middle
        drawn = _slab(dough, side="#8A5517", rim="#B97823", top="#E2AC55", top_scale=0.955)
        if small:
            return drawn
        drawn += (  # a line of icing, in dots
            f'<path d="{dough.outline}" transform="translate({num(x * 0.2)} {num(y * 0.2)}) '
            'scale(.79)" fill="none" stroke="#FFF8E6" stroke-width="8.5" stroke-linejoin="round" '
            'stroke-dasharray=".1 14.5" stroke-linecap="round"/>'
        )
        for px, py in self._pearls():
            drawn += (
                f'<circle cx="{num(px)}" cy="{num(py + 1.6)}" r="8.6" fill="#A86B1E" '
                f'opacity=".55"/><circle cx="{num(px)}" cy="{num(py)}" r="8.2" fill="#FFF8E6"/>'
            )
        return drawn

    def _burnt(self, smoke: bool, small: bool) -> str:
        dough = _DOUGH[self.suit.letter]
        drawn = ""
        if smoke and not small:
            drawn += (
                '<path d="M-22-92c-14-14 10-22-2-40c-7-11-2-18 4-24'
                'M16-98c14-12-8-22 4-38c6-9 4-15 0-22" fill="none" stroke="#8D8678" '
                'stroke-width="6.5" stroke-linecap="round"/>'
            )
        drawn += _slab(dough, side="#17100C", rim="#2A1D16", top="#4B3325", top_scale=0.94)
        if not small:
            drawn += "".join(f'<circle cx="{num(x)}" cy="{num(y)}" r="6.4" fill="#17100C"/>' for x, y in self._pearls())
        return drawn + (
            f'<path d="{dough.crack}" fill="none" stroke="{PAPER}" '
            f'stroke-width="{6 if small else 5}" stroke-linejoin="round" stroke-linecap="round"/>'
        )

    def _pearls(self) -> list[Point]:
        dough = _DOUGH[self.suit.letter]
        x, y = dough.middle
        return [(x + px * dough.spread, y + py * dough.spread) for px, py in _PEARLS[self.rank]]


def _slab(dough: _Dough, *, side: str, rim: str, top: str, top_scale: float) -> str:
    """A thick piece of dough seen from above: its side, its rim, its top."""
    x, y = dough.middle
    return (
        f'<path d="{dough.outline}" transform="translate(0 5)" fill="{side}" stroke="{side}" '
        'stroke-width="12" stroke-linejoin="round"/>'
        f'<path d="{dough.outline}" fill="{rim}" stroke="{rim}" stroke-width="12" '
        'stroke-linejoin="round"/>'
        f'<path d="{dough.outline}" transform="translate({num(x * 0.06)} {num(y * 0.06 - 1)}) '
        f'scale({top_scale})" fill="{top}"/>'
    )


@dataclass(frozen=True)
class Token:
    """A cookie as it lies on somebody's plate: the cookie, and its value on a slip."""

    cookie: Cookie

    def label(self, lang: str) -> str:
        """The same words as on the card: it is the same cookie."""
        return self.cookie.label(lang)

    def describe(self, lang: str) -> str:
        """What the cookie is; that it lies on a plate one sees."""
        return self.cookie.describe(lang)

    def draw(self, lang: str) -> str:
        """The cookie, and its value on a slip."""
        edge = "#B97823" if self.cookie.well_baked else SUMI
        body = self.cookie.art(60, 43, 0.43, small=True)
        body += f'<rect x="6" y="80" width="108" height="50" rx="8" fill="{PAPER}" stroke="{edge}" stroke-width="3"/>'
        body += text(60, 122, self.cookie.value, 48, weight=700, family=SANS, fill=self.cookie.ink)
        return document(self.label(lang), body, lang=lang, width=120, height=132)


@dataclass(frozen=True)
class Picture:
    """Someone who cannot stand one shape: J in a cap, Q with a ribbon, K with a crown."""

    suit: Suit
    court: str
    colour: str
    headgear: Callable[[str], str]

    def label(self, lang: str) -> str:
        """The shape that is not liked."""
        return Words(f"苦手は{self.suit.words.ja}", f"cannot stand {self.suit.plural}").say(lang)

    def describe(self, lang: str) -> str:
        """What that means for the one who holds it."""
        suit = self.suit
        return Words(
            f"{suit.words.ja}が苦手な人の札。この人の前では、{suit.words.ja}の形のクッキーは"
            "よく焼けていても、その数だけ引かれます。",
            f"Someone who cannot stand {suit.plural}: in front of this player every "
            f"{suit.words.en} cookie counts minus its number, however well baked.",
        ).say(lang)

    def draw(self, lang: str) -> str:
        """The face, the hands that say "no, thank you", and the cookie on a plate."""
        body = text(18, 62, self.court, 62, weight=700, anchor="start")
        body += self.suit.mark(38, 99, 0.40)
        if lang == "en":
            body += text(233, 36, "can’t stand", 23, fill=SUMI_PALE, anchor="end")
        else:
            body += text(218, 46, "苦", 26, fill=SUMI_PALE)
            body += text(218, 76, "手", 26, fill=SUMI_PALE)
        body += (
            '<g transform="translate(134 166)">'
            f'<path d="M-76 96C-72 58-40 46 0 46S72 58 76 96Z" fill="{self.colour}"/>'
            f'<g transform="rotate(-7 0 50)">{_HEAD}{self.headgear(self.colour)}</g>'
            f"{_palm(-1)}{_palm(1)}</g>"
            f'<ellipse cx="134" cy="324" rx="78" ry="11" fill="{PAPER_SHADE}" stroke="{LINE}" '
            'stroke-width="3"/>'
        )
        body += Cookie(self.suit, 1).art(134, 288, 0.38, small=True)
        seed = ord(self.court) + ord(self.suit.letter)
        return card(self.label(lang), body, seed=seed, lang=lang)


_SKIN, _SKIN_SHADE = "#EFD0A8", "#DDB388"

# Lids shut, brows up in the middle, the mouth pressed into a small wave.
_HEAD = (
    '<path d="M-64 0C-66-44-34-64 0-64C37-64 65-42 64 2C64 40 36 60 0 60C-37 60-62 42-64 0Z" '
    f'fill="{_SKIN}"/>'
    '<circle cx="-42" cy="16" r="10" fill="#DE9C74" opacity=".55"/>'
    '<circle cx="40" cy="16" r="10" fill="#DE9C74" opacity=".55"/>'
    f'<g fill="none" stroke="{SUMI}" stroke-linecap="round">'
    '<path d="M-46-4q10 9 21 1M44-4q-10 9-21 1" stroke-width="4.5"/>'
    '<path d="M-48-22q10-3 19-10M46-22q-10-3-19-10" stroke-width="3.6"/>'
    '<path d="M-13 30q4.5-7 9 0t9 0t9 0" stroke-width="4.2"/></g>'
)


def _palm(side: int) -> str:
    """A palm held up; side is -1 on the left and 1 on the right."""
    thumb = (
        f"M{-side * 13} 6C{-side * 24} 2 {-side * 25}-8 {-side * 19}-10C{-side * 14}-11 {-side * 13}-4 {-side * 10} 0Z"
    )
    return (
        f'<g transform="translate({side * 56} 86) rotate({side * 10})">'
        f'<path d="M-14 16C-18-2-14-20 0-21C14-20 18-2 14 16C8 24-8 24-14 16Z" fill="{_SKIN}"/>'
        f'<path d="{thumb}" fill="{_SKIN}"/>'
        f'<path d="M-5-18v12M5-18v12" stroke="{_SKIN_SHADE}" stroke-width="2.4" '
        'stroke-linecap="round"/></g>'
    )


def _cap(colour: str) -> str:
    visor = "#1A3A62"
    return (
        f'<path d="M-66-22C-62-80 58-84 66-20C24-42-26-42-66-22Z" fill="{colour}"/>'
        f'<path d="M-60-30C-84-30-100-20-104-10C-84-8-66-12-52-22Z" fill="{visor}"/>'
        f'<circle cy="-71" r="7" fill="{visor}"/>'
    )


def _hair_ribbon(colour: str) -> str:
    return (
        '<path d="M-66 12C-76-56-30-78 0-77C34-78 76-54 66 12C58-24 34-36 8-42C-22-36-56-22-66 12Z" '
        f'fill="{SUMI}"/>'
        '<path d="M34-60C46-82 66-84 66-68C66-56 48-54 34-60C22-80 4-86 4-70C6-58 22-54 34-60Z" '
        f'fill="{colour}"/><circle cx="34" cy="-61" r="6" fill="#E9A063"/>'
    )


def _crown(_colour: str) -> str:
    return (
        '<path d="M-46-42L-54-88L-26-70L0-98L26-70L54-88L46-42C20-56-20-56-46-42Z" '
        f'fill="#D9A93A"/><circle cy="-66" r="5.5" fill="{SHU}"/>'
        f'<circle cx="-30" cy="-60" r="4" fill="{PAPER}"/>'
        f'<circle cx="30" cy="-60" r="4" fill="{PAPER}"/>'
    )


class Ribbon:
    """The mark of the giver: a flat mizuhiki knot in vermilion, white and gold."""

    def label(self, lang: str) -> str:
        """Whose ribbon it is."""
        return Words("贈り主のリボン", "the giver’s ribbon").say(lang)

    def describe(self, lang: str) -> str:
        """Who has it, and how it wanders."""
        return Words(
            "贈り主のしるし。クッキーを食べた人が受け取り、次の贈り主になります。",
            "The mark of the giver. Whoever eats a cookie takes it and gives next.",
        ).say(lang)

    def draw(self, lang: str) -> str:
        """Four cords and their knot."""
        white, gold = "#E8DFC9", "#D9A93A"
        body = "".join(
            f'<path d="{self._cord(7 * place)}" fill="none" stroke="{colour}" stroke-width="5.4"/>'
            for place, colour in enumerate((SHU, white, SHU, gold))
        )
        body += (
            f'<rect x="112" y="158" width="27" height="32" rx="8" fill="{SHU}"/>'
            f'<path d="M119 160v28M125.5 160v28M132 160v28" stroke="{white}" stroke-width="2.6"/>'
        )
        giver, please = Words("贈り主", "giver"), Words("どうぞ", "please")
        body += text(125, 66, giver.say(lang), 44, weight=600, spacing=3 if lang == "en" else 5)
        body += text(125, 322, please.say(lang), 25, fill=SUMI_PALE, spacing=3 if lang == "en" else 6)
        return card(self.label(lang), body, seed=99, lang=lang)

    @staticmethod
    def _cord(inward: int) -> str:
        """One cord of the knot, so far inside the outermost: band, two loops, two ends."""
        o = inward
        band, top = 162 + o, num(170 + o * 0.4)
        end_x, end_y = o * 1.2, num(268 - o * 0.3)
        return (
            f"M0 {band}H98M152 {band}H250"
            f"M118 {top}C{84 + o} {96 + o} {30 + o} {104 + o} {34 + o} 146"
            f"C{38 + o} {186 - o} 86 {182 - o} 122 176"
            f"M132 {top}C{166 - o} {96 + o} {220 - o} {104 + o} {216 - o} 146"
            f"C{212 - o} {186 - o} 164 {182 - o} 128 176"
            f"M120 182C{num(108 - o * 0.9)} 216 {88 - o} 246 {num(76 - end_x)} {end_y}"
            f"M130 182C{num(142 + o * 0.9)} 216 {162 + o} 246 {num(174 + end_x)} {end_y}"
        )


def _back(title: str, lang: str) -> str:
    """Ichimatsu, the pattern of the checkerboard cookie, around the four suits."""
    brown, wide, high = "#6A3F1E", 32.3, 29.6
    squares = "".join(
        f'<rect x="{num(13 + column * wide)}" y="{num(13 + row * high)}" '
        f'width="{num(wide - 2)}" height="{num(high - 2)}" rx="4"/>'
        for row in range(11)
        for column in range(7)
        if (row + column) % 2
    )
    pattern = (
        f'<g fill="{brown}">{squares}</g>'
        f'<circle cx="125" cy="175" r="42" fill="#E6C184" stroke="{brown}" stroke-width="4"/>'
    )
    for place, letter in enumerate("SHCD"):
        angle = math.radians(45 + 90 * place)
        x, y = 125 + 17.5 * math.cos(angle), 175 + 17.5 * math.sin(angle)
        pattern += SUITS[letter].mark(x, y, 0.21, brown)
    return back(title, "#E0B978", pattern, clip="cookies-back", lang=lang)


def _motif() -> str:
    """Three good cookies and a burnt one."""
    return (
        Cookie(SUITS["H"], 3).art(188, 118, 0.58)
        + Cookie(SUITS["S"], 5).art(190, 228, 0.54)
        + Cookie(SUITS["C"], 8).art(112, 262, 0.46, smoke=False)
        + Cookie(SUITS["D"], 1).art(124, 142, 0.42)
    )


def _cards() -> dict[str, Card]:
    cards: dict[str, Card] = {}
    for letter, suit in SUITS.items():
        for rank in range(1, 11):
            cards[f"{letter}{rank}"] = Cookie(suit, rank)
    for letter, suit in SUITS.items():
        cards[f"{letter}J"] = Picture(suit, "J", AI, _cap)
        cards[f"{letter}Q"] = Picture(suit, "Q", KAKI, _hair_ribbon)
        cards[f"{letter}K"] = Picture(suit, "K", KOKE, _crown)
    cards["joker"] = Ribbon()
    cards["back"] = Back(
        Words("クッキーの札の裏", "back of a cookie card"),
        Words(
            "クッキーの札の裏。市松模様に、四つの印。",
            "The back of a cookie card: a checkerboard around the four suits.",
        ),
        _back,
    )
    for letter, suit in SUITS.items():
        for rank in range(1, 11):
            cards[f"t-{letter}{rank}"] = Token(Cookie(suit, rank))
    return cards


DECK = FixedDeck("cookies", _cards(), _motif)
