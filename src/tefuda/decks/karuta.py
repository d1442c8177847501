"""The hundred poems of Ogura Hyakunin Isshu and their grabbing cards (取り札, torifuda).

A grabbing card bears the lower half of its poem, in kana of the old spelling and without voicing marks. A card is
named by its kimariji (決まり字): the shortest beginning of its poem, as it is read aloud, that no other of the hundred
has. `help-` before the name is the same card with that written on it.

The poems are in the public domain. `hyakunin_isshu.tsv` has each in our choice of the readings in use; where others
are common, its last column says so (`ours / the other`): none of them changes a kimariji.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tefuda.decks.deck import Back, Card, FixedDeck, Words
from tefuda.decks.drawing import AI, HEIGHT, KOKE, PAPER, SANS, SERIF, SHU, SUMI, WIDTH, document, fibres, num, text

DATA = Path(__file__).with_name("hyakunin_isshu.tsv")

HELP = "help-"
"""Before a card's name: the same card with its kimariji on it."""

MINUS, REVERSE = 5, 6
"""The lengths of kimariji that make a minus card (マイナスカード) and a reverse card (リバースカード)."""

MOST_TOGETHER = 7
"""The largest hand: no more cards than these are ever played together."""

MIDORI, MIDORI_DARK, GROUND, BAND = "#2F5B3C", "#24482F", "#F7F0DD", "#E9E3C8"

_VOICELESS = str.maketrans(
    "がぎぐげござじずぜぞだぢづでどばびぶべぼぱぴぷぺぽ", "かきくけこさしすせそたちつてとはひふへほはひふへほ"
)


# ------------------------------------------------------------------------------------------------------ the poems


@dataclass(frozen=True)
class Poem:
    """One of the hundred. `upper` and `lower` are its halves as they are written, `*_reading` as they are read aloud,
    `lower_kana` in the old spelling; spaces part the lines of 5-7-5 and 7-7."""

    number: int
    author: Words
    upper: str
    lower: str
    upper_reading: str
    lower_reading: str
    lower_kana: str
    variant: tuple[str, str] | None
    """What is read otherwise by others: ours, and the other."""

    @property
    def on_card(self) -> str:
        """What stands on its grabbing card."""
        return self.lower_kana.replace(" ", "").translate(_VOICELESS)

    @cached_property
    def kimariji(self) -> str:
        """The shortest beginning of its reading that no other poem has."""
        said = self.upper_reading.replace(" ", "")
        others = [poem.upper_reading.replace(" ", "") for poem in POEMS if poem.number != self.number]
        return next(said[:n] for n in range(1, len(said)) if not any(other.startswith(said[:n]) for other in others))

    @property
    def length(self) -> int:
        """How many letters the kimariji has, 1 to 6."""
        return len(self.kimariji)


def _poems() -> Iterator[Poem]:
    _, *rows = DATA.read_text(encoding="utf-8").splitlines()
    for row in rows:
        number, ja, en, upper, lower, upper_reading, lower_reading, kana, *variant = row.split("\t")
        ours, _, other = "".join(variant).partition(" / ")
        yield Poem(
            int(number),
            Words(ja, en),
            upper,
            lower,
            upper_reading,
            lower_reading,
            kana,
            (ours, other) if other else None,
        )


POEMS: tuple[Poem, ...] = tuple(_poems())
"""The hundred, number 1 first."""

KIMARIJI: tuple[str, ...] = tuple(poem.kimariji for poem in POEMS)
POEM_OF: dict[str, Poem] = dict(zip(KIMARIJI, POEMS, strict=True))
"""Each poem by its kimariji."""


# ------------------------------------------------------------------------------------------------------ the dubs


@dataclass(frozen=True)
class Family:
    """Poems that make a dub (ダブ): all of the hundred whose kimariji begins with some text, two or more of them."""

    beginning: str
    """The longest text with which they all begin."""
    numbers: tuple[int, ...]
    """The numbers of the poems, in rising order."""

    @property
    def name(self) -> str:
        """The dub in the notation: the kimariji, by the numbers of the poems."""
        return "+".join(KIMARIJI[number - 1] for number in self.numbers)


def _families() -> Iterator[Family]:
    longest: dict[tuple[int, ...], str] = {}
    for kimariji in KIMARIJI:
        for n in range(1, len(kimariji)):
            beginning = kimariji[:n]
            members = tuple(number for number, other in enumerate(KIMARIJI, 1) if other.startswith(beginning))
            if 2 <= len(members) <= MOST_TOGETHER:
                longest[members] = max(longest.get(members, ""), beginning, key=len)
    for members, beginning in sorted(longest.items()):
        yield Family(beginning, members)


FAMILIES: tuple[Family, ...] = tuple(_families())
"""Every dub that a hand can hold."""


# ------------------------------------------------------------------------------------------------------ the cards


@dataclass(frozen=True)
class GrabbingCard:
    """A torifuda: the lower half in three columns, on paper folded over a green edge."""

    poem: Poem

    def label(self, lang: str) -> str:
        """What stands on it."""
        return Words(self.poem.on_card, f"Torifuda “{self.poem.on_card}”").say(lang)

    def describe(self, lang: str) -> str:
        """What kind of card it is; nothing that a player of the game must know by heart."""
        return Words(
            "取り札。歌の下の句が、濁点なしのかなで書かれています。",
            "A grabbing card (torifuda): the lower half of a poem, in kana without voicing marks.",
        ).say(lang)

    def draw(self, lang: str) -> str:
        """The card as it is used in karuta."""
        return _paper(self.label(lang), fibres(self.poem.number + 100) + _columns(self.poem.on_card, _WHOLE), lang)


@dataclass(frozen=True)
class HelpedCard:
    """The same card with its kimariji, and what that does in the game, on a band below."""

    poem: Poem

    @property
    def counts(self) -> Words:
        """What it does to the total, as short as can be."""
        if self.poem.length == REVERSE:
            return Words("リバース", "reverse")
        number = f"−{MINUS}" if self.poem.length == MINUS else str(self.poem.length)
        return Words(number, number)

    def label(self, lang: str) -> str:
        """What stands on it, with the kimariji."""
        poem, counts = self.poem, self.counts
        return Words(
            f"{poem.on_card}（{poem.kimariji}・{counts.ja}）",
            f"Torifuda “{poem.on_card}” ({poem.kimariji}, {counts.en})",
        ).say(lang)

    def describe(self, lang: str) -> str:
        """The poem in full, who made it, and the kimariji."""
        poem, n = self.poem, self.poem.length
        kind = {
            MINUS: Words("マイナスカードです", ": a minus card"),
            REVERSE: Words("リバースカードです", ": a reverse card"),
        }.get(n, Words("", ""))
        japanese = f"第{poem.number}首、{poem.author.ja}。「{poem.upper} {poem.lower}」決まり字は「{poem.kimariji}」、"
        english = f"No. {poem.number}, {poem.author.en}: {poem.upper} {poem.lower}. Its kimariji is {poem.kimariji}, "
        return Words(
            f"{japanese}{n}文字{'の' if kind.ja else 'です'}{kind.ja}。",
            f"{english}{n} {'letter' if n == 1 else 'letters'}{kind.en}.",
        ).say(lang)

    def draw(self, lang: str) -> str:
        """The text, smaller, above the band."""
        poem, n = self.poem, self.poem.length
        body = fibres(poem.number + 100) + _columns(poem.on_card, _ABOVE_BAND)
        body += f'<path d="M15 274H235V335H15Z" fill="{BAND}"/>'
        body += f'<path d="M15 274H235" stroke="{MIDORI}" stroke-width="1.5"/>'
        body += f'<circle cx="47" cy="304.5" r="25" fill="{ {MINUS: AI, REVERSE: KOKE}.get(n, SHU) }"/>'
        if n == REVERSE:  # an arrow that turns back
            body += (
                '<path d="M60 318v-6a13 13 0 0 0-13-13H35M43 289l-10 10 10 10" fill="none" '
                f'stroke="{PAPER}" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"/>'
            )
        else:
            body += text(47, 318, self.counts.ja, 34 if n == MINUS else 40, fill=PAPER, weight=700, family=SANS)
        size = {4: 33.0, 5: 27.0, 6: 23.5}.get(n, 38.0)
        body += text(156 if n > 3 else 152, 304.5 + size * 0.36, poem.kimariji, size, weight=600, family=SANS)
        return _paper(self.label(lang), body, lang)


@dataclass(frozen=True)
class _Setting:
    """How the three columns of a card are set: where the first stands, and how far apart columns and letters are."""

    right: float
    between: float
    top: float
    pitch: float
    size: float


_WHOLE = _Setting(197, 71, 22, 61, 58)
_ABOVE_BAND = _Setting(194, 69, 20, 50, 48)
_ROWS = 5


def _columns(words: str, setting: _Setting) -> str:
    """Three columns from the right, five letters each; what is left over goes into the last, set closer."""
    drawn = ""
    for i, column in enumerate((words[:_ROWS], words[_ROWS : 2 * _ROWS], words[2 * _ROWS :])):
        n = len(column)
        pitch = setting.pitch if n <= _ROWS else setting.pitch * (_ROWS - 0.06) / n
        size = setting.size if n <= _ROWS else setting.size * _ROWS / n * 1.03
        x = num(setting.right - i * setting.between)
        across = " ".join([x] * n)
        down = " ".join(num(setting.top + pitch * (j + 0.5) + size * 0.37) for j in range(n))
        drawn += (
            f'<text x="{across}" y="{down}" font-family="{SERIF}" font-size="{num(size)}" font-weight="600" '
            f'fill="{SUMI}" text-anchor="middle">{column}</text>'
        )
    return drawn


def _paper(title: str, body: str, lang: str) -> str:
    """The green edge, and the paper folded over it with mitred corners."""
    return document(
        title,
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="11" fill="{MIDORI}"/>'
        f'<rect x="15" y="15" width="220" height="320" rx="1.5" fill="{GROUND}"/>'
        f'<path d="M0 0L15 15M{WIDTH} 0L235 15M0 {HEIGHT}L15 335M{WIDTH} {HEIGHT}L235 335" '
        f'stroke="{MIDORI_DARK}" stroke-width="1"/>'
        '<rect x="15" y="15" width="220" height="320" rx="1.5" fill="none" stroke="#1F3F2A" stroke-width="1.4" '
        f'opacity=".55"/>{body}',
        lang=lang,
    )


def _back(title: str, lang: str) -> str:
    """Plain green with flecks of cut gold leaf (砂子), denser at two corners."""
    chance = random.Random(31)
    flecks = ""
    for _ in range(120):
        lower = chance.random() < 0.5
        x = chance.gauss(40, 46) if lower else chance.gauss(214, 42)
        y = chance.gauss(300, 48) if lower else chance.gauss(46, 44)
        side, angle = chance.uniform(2, 6.5), chance.randint(0, 89)
        if 8 < x < 242 and 8 < y < 342:
            flecks += (
                f'<rect x="{num(x)}" y="{num(y)}" width="{num(side)}" height="{num(side)}" '
                f'transform="rotate({angle} {num(x)} {num(y)})"/>'
            )
    return document(
        title,
        '<defs><clipPath id="karuta-back"><rect x="5" y="5" width="240" height="340" rx="7"/></clipPath></defs>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="11" fill="{MIDORI}"/>'
        f'<g clip-path="url(#karuta-back)"><g fill="#C9AE62" opacity=".75">{flecks}</g></g>'
        f'<rect x="5" y="5" width="240" height="340" rx="7" fill="none" stroke="{MIDORI_DARK}" stroke-width="1.5"/>',
        lang=lang,
    )


def _motif() -> str:
    """Five slips of 5-7-5-7-7 letters, the thirty-first in a ring of vermilion."""
    pale = "#fbf3df"
    drawn, n = "", 0
    for column, letters in enumerate((5, 7, 5, 7, 7)):
        x = 208 - column * 26
        drawn += f'<rect x="{x - 11.5}" y="116" width="23" height="184" rx="2" fill="{pale}" opacity=".16"/>'
        for row in range(letters):
            n += 1
            y = 130 + row * 26
            if n < 31:
                drawn += f'<circle cx="{x}" cy="{y}" r="8" fill="{pale}" opacity=".94"/>'
            else:
                drawn += f'<circle cx="{x}" cy="{y}" r="8" fill="none" stroke="#f0886d" stroke-width="4"/>'
    return drawn


def _cards() -> dict[str, Card]:
    cards: dict[str, Card] = {poem.kimariji: GrabbingCard(poem) for poem in POEMS}
    cards["back"] = Back(
        Words("取り札の裏", "back of a torifuda"),
        Words(
            "取り札の裏。緑の地に、金の砂子を散らしています。",
            "The back of a grabbing card: green, with flecks of gold leaf.",
        ),
        _back,
    )
    cards |= {HELP + poem.kimariji: HelpedCard(poem) for poem in POEMS}
    return cards


DECK = FixedDeck("karuta", _cards(), _motif, HELP)
