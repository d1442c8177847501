"""The four suits of ordinary cards: their marks, inks and words."""

from dataclasses import dataclass

from tefuda.decks.deck import Words
from tefuda.decks.drawing import SHU, SUMI, num


@dataclass(frozen=True)
class Suit:
    """One suit. Its mark is about 100 x 100 units around 0,0."""

    letter: str
    words: Words
    plural: str
    ink: str
    path: str

    def mark(self, x: float, y: float, scale: float, fill: str | None = None) -> str:
        """The mark, centred on x, y: a path, so that no emoji font can ever take it over."""
        return (
            f'<path d="{self.path}" transform="translate({num(x)} {num(y)}) scale({scale})" fill="{fill or self.ink}"/>'
        )


SUITS = {
    suit.letter: suit
    for suit in (
        Suit(
            "S",
            Words("スペード", "spade"),
            "spades",
            SUMI,
            "M0-50C9-34 48-14 48 14C48 32 34 40 22 37C14 36 9 31 6 26C7 38 11 46 18 50"
            "H-18C-11 46-7 38-6 26C-9 31-14 36-22 37C-34 40-48 32-48 14C-48-14-9-34 0-50Z",
        ),
        Suit(
            "H",
            Words("ハート", "heart"),
            "hearts",
            SHU,
            "M0 46C-14 34-50 10-50-18C-50-38-34-48-22-46C-11-45-3-37 0-27"
            "C3-37 11-45 22-46C34-48 50-38 50-18C50 10 14 34 0 46Z",
        ),
        Suit(
            "C",
            Words("クローバー", "club"),
            "clubs",
            SUMI,
            "M0-50a22 22 0 0 1 16 38a22 22 0 1 1-9 38C8 38 11 46 18 50"
            "H-18C-11 46-8 38-7 26a22 22 0 1 1-9-38A22 22 0 0 1 0-50Z",
        ),
        Suit(
            "D",
            Words("ダイヤ", "diamond"),
            "diamonds",
            SHU,
            "M0-52C10-32 26-14 42 0C26 14 10 32 0 52C-10 32-26 14-42 0C-26-14-10-32 0-52Z",
        ),
    )
}
