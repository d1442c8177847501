"""Thirteen leaves, from the first green of spring to the last red of autumn.

The numeral in the upper left corner alone tells the card, because that is what a fan shows. Below
it lies one seed for every copy of that leaf in the deck.
"""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass

from tefuda.decks import leaf_shapes
from tefuda.decks.deck import Back, Card, FixedDeck, Words
from tefuda.decks.drawing import HEIGHT, PAPER, WIDTH, back, card, num, text
from tefuda.decks.leaf_shapes import Shape


@dataclass(frozen=True)
class Leaf:
    """The leaf of one rank: its tree, its colours, and how it lies on the card."""

    rank: int
    copies: int
    tree: Words
    shape: Callable[[], Shape]
    colour: str
    ink: str
    """The numeral's colour: the leaf's, made dark enough to read on paper."""
    turn: int
    size: float = 0.93
    x: float = 146

    def label(self, lang: str) -> str:
        """The rank and the tree."""
        return Words(f"{self.rank}（{self.tree.ja}）", f"{self.rank} ({self.tree.en})").say(lang)

    def describe(self, lang: str) -> str:
        """The tree, the rank, and how many there are."""
        article = "an" if self.tree.en[0] in "aeiou" else "a"
        return Words(
            f"{self.tree.ja}の葉、数は{self.rank}。"
            f"{DECK_SIZE}枚の葉のうち{self.copies}枚あり、左の種の数がその枚数です。",
            f"The leaf of {article} {self.tree.en}, rank {self.rank}. "
            f"The deck of {DECK_SIZE} has {self.copies} of them: one seed is drawn for each.",
        ).say(lang)

    def draw(self, lang: str) -> str:
        """Numeral, seeds, the name of the tree, and the leaf."""
        one_digit = self.rank < 10
        body = text(
            18 if one_digit else 12,
            92,
            str(self.rank),
            104 if one_digit else 88,
            fill=self.ink,
            weight=700,
            anchor="start",
            spacing=0 if one_digit else -4,
        )
        body += "".join(self._seed(124 + 21.5 * i) for i in range(self.copies))
        body += self._name(lang)
        body += self.art(self.x, 218, self.size)
        return card(self.label(lang), body, seed=self.rank, lang=lang)

    def art(
        self,
        x: float,
        y: float,
        scale: float,
        *,
        turn: int | None = None,
        colour: str | None = None,
        vein: str = PAPER,
        vein_width: float = 2.6,
    ) -> str:
        """The leaf alone, centred on x, y."""
        shape = self.shape()
        fill = colour or self.colour
        angle = self.turn if turn is None else turn
        return (
            f'<g transform="translate({num(x)} {num(y)}) rotate({angle}) scale({scale})">'
            f'<path d="{shape.stem}" fill="none" stroke="{fill}" stroke-width="5.5" '
            'stroke-linecap="round"/>'
            f'<path d="{shape.outline}" fill="{fill}" stroke="{fill}" stroke-width="2" '
            'stroke-linejoin="round"/>'
            f'<path d="{shape.veins}" fill="none" stroke="{vein}" stroke-width="{vein_width}" '
            'stroke-linecap="round"/></g>'
        )

    def _seed(self, y: float) -> str:
        return (
            f'<ellipse cx="36" cy="{num(y)}" rx="5.4" ry="7.6" transform="rotate(24 36 {num(y)})" fill="{self.ink}"/>'
        )

    def _name(self, lang: str) -> str:
        """The name of the tree, like the label of a pressed leaf: downwards, or in short lines."""
        if lang == "en":
            return "".join(
                text(233, 37 + 25 * i, word, 24, fill=self.ink, anchor="end")
                for i, word in enumerate(self.tree.en.split())
            )
        return "".join(text(221, 44 + 29 * i, character, 27, fill=self.ink) for i, character in enumerate(self.tree.ja))


# The two widest leaves are drawn a little smaller and further left.
LEAVES = (
    Leaf(1, 2, Words("柳", "willow"), leaf_shapes.willow, "#86A83F", "#4E6A1C", 24),
    Leaf(2, 3, Words("桜", "cherry"), leaf_shapes.cherry, "#6C983C", "#44671F", -14),
    Leaf(3, 4, Words("欅", "zelkova"), leaf_shapes.zelkova, "#587F38", "#3F6125", 18),
    Leaf(4, 5, Words("柏", "oak"), leaf_shapes.oak, "#71802F", "#55611D", -10),
    Leaf(5, 6, Words("萩", "bush clover"), leaf_shapes.bush_clover, "#938B2C", "#665F14", 8),
    Leaf(6, 7, Words("桂", "katsura"), leaf_shapes.katsura, "#B5982A", "#735C0F", -12),
    Leaf(7, 8, Words("銀杏", "ginkgo"), leaf_shapes.ginkgo, "#DCA71D", "#80590A", 10, 0.9, 141),
    Leaf(8, 7, Words("白樺", "white birch"), leaf_shapes.birch, "#DA9128", "#8A5309", -16),
    Leaf(9, 6, Words("鈴懸", "plane tree"), leaf_shapes.plane, "#D2782B", "#8F4A12", 8, 0.9, 141),
    Leaf(10, 5, Words("櫨", "wax tree"), leaf_shapes.wax_tree, "#C65C2A", "#94401A", -14),
    Leaf(11, 4, Words("蔦", "ivy"), leaf_shapes.ivy, "#B7432A", "#98341F", 12),
    Leaf(12, 3, Words("楓", "maple"), leaf_shapes.maple, "#A12C2B", "#8E2425", -8),
    Leaf(13, 2, Words("紅葉", "Japanese maple"), leaf_shapes.japanese_maple, "#7D1B2B", "#751726", 10),
)
DECK_SIZE = sum(leaf.copies for leaf in LEAVES)
_OAK, _GINKGO, _MAPLE = LEAVES[3], LEAVES[6], LEAVES[12]


def _back(title: str, lang: str) -> str:
    """Asanoha, the hemp-leaf lattice, around a ginkgo leaf."""
    field, line = "#47521F", "#A7AE7C"
    middle_x, middle_y = WIDTH / 2, HEIGHT / 2
    side = 32.6
    across = side * math.sqrt(3)
    path = []
    for row in range(1, 8):
        for column in range(-1 if row % 2 else 0, 5):
            x = middle_x + (column - 2) * across + (across / 2 if row % 2 else 0)
            y = middle_y + (row - 4) * side * 1.5
            corners = [
                (
                    x + side * math.cos(math.radians(60 * k + 30)),
                    y + side * math.sin(math.radians(60 * k + 30)),
                )
                for k in range(7)
            ]
            star = f"{num(x)} {num(y)}"
            for (x1, y1), (x2, y2) in itertools.pairwise(corners):
                first, second = f"{num(x1)} {num(y1)}", f"{num(x2)} {num(y2)}"
                heart = f"{num((x + x1 + x2) / 3)} {num((y + y1 + y2) / 3)}"
                path.append(f"M{first}L{star}L{heart}L{first}L{second}L{heart}")
    pattern = (
        f'<path d="{"".join(path)}" fill="none" stroke="{line}" stroke-width="1.5" opacity=".55"/>'
        f'<circle cx="125" cy="175" r="44" fill="{field}" stroke="{line}" stroke-width="1.5"/>'
        + _GINKGO.art(125, 176, 0.3, turn=0, colour="#E4DFB9", vein=field, vein_width=4)
    )
    return back(title, field, pattern, clip="leaves-back", lang=lang)


def _motif() -> str:
    """A maple, a ginkgo and an oak leaf, pale on the lid."""
    vein = "#5c6b2e"
    return (
        _MAPLE.art(128, 206, 0.86, turn=22, colour="#d9dcae", vein=vein, vein_width=3)
        + _GINKGO.art(66, 262, 0.52, turn=-30, colour="#b9bf80", vein=vein, vein_width=4)
        + _OAK.art(196, 92, 0.42, turn=40, colour="#a7ae68", vein=vein, vein_width=4)
    )


_CARDS: dict[str, Card] = {str(leaf.rank): leaf for leaf in LEAVES}
_CARDS["back"] = Back(
    Words("葉の札の裏", "back of a leaf card"),
    Words(
        "葉の札の裏。麻の葉の模様に、銀杏の葉が一枚。",
        "The back of a leaf card: a lattice of hemp leaves around one ginkgo leaf.",
    ),
    _back,
)
DECK = FixedDeck("leaves", _CARDS, _motif)
