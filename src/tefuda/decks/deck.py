"""What a deck is: names, and for each name a card that can draw itself and tell itself.

A new deck is one more module with a `DECK` of this shape, and one more line in `decks/__init__.py`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

LANGUAGES = ("ja", "en")


@dataclass(frozen=True)
class Words:
    """The same words in every language a page can speak."""

    ja: str
    en: str

    def say(self, lang: str) -> str:
        """The words in this language."""
        return self.en if lang == "en" else self.ja


class DeckError(ValueError):
    """A deck, or a word of the table's own, that cannot be: the reason in English, and in `words` in both languages."""

    def __init__(self, en: str, ja: str) -> None:
        super().__init__(en)
        self.words = Words(ja, en)

    def say(self, lang: str) -> str:
        """The reason in a language."""
        return self.words.say(lang)


class Card(Protocol):
    """One face of a deck."""

    def label(self, lang: str) -> str:
        """The face in a few words: the alternative text, and the caption of the enlarged card."""

    def describe(self, lang: str) -> str:
        """One or two sentences saying what the card is."""

    def draw(self, lang: str) -> str:
        """The face as an SVG document."""


class Deck(Protocol):
    """The faces of one deck, by the names the notation uses."""

    @property
    def id(self) -> str:
        """The name of the deck."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its cards, in the order in which they would be shown."""

    @property
    def help(self) -> str:
        """Put before a card's name, the name of the same card with what a player must else know by heart; "" when
        its faces leave nothing to know."""

    def card(self, name: str) -> Card:
        """The card of this name; KeyError in words when there is none."""

    def in_play(self, name: str, options: Mapping[str, Any]) -> str:
        """The name of the card that stands for `name` in a game with these options: what a card looks like may
        depend on the deck that the options choose."""

    def emblem(self, name: str) -> str:
        """A small sign of what a card counts, to stand beside its bare name: an SVG fragment for a view box of
        100 x 100, empty where the deck has none."""

    def motif(self) -> str:
        """The picture on the lid of the box, an SVG fragment for a view box of 250 x 350."""


@dataclass(frozen=True)
class FixedDeck:
    """A deck whose cards are all known beforehand."""

    id: str
    cards: Mapping[str, Card]
    draw_motif: Callable[[], str]
    help: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its cards."""
        return tuple(self.cards)

    def card(self, name: str) -> Card:
        """The card of this name; KeyError in words when there is none."""
        if name not in self.cards:
            raise KeyError(f"no card {name!r} in the deck {self.id!r}; it has {' '.join(self.cards)}")
        return self.cards[name]

    def in_play(self, name: str, options: Mapping[str, Any]) -> str:
        """The name itself: these cards are the same in every game."""
        return name

    def emblem(self, name: str) -> str:
        """None: the name of such a card tells it."""
        return ""

    def motif(self) -> str:
        """The picture on the lid of the box."""
        return self.draw_motif()


@dataclass(frozen=True)
class Back:
    """The back that all cards of a deck share."""

    words: Words
    described: Words
    picture: Callable[[str, str], str]
    """Draws the back, given its title and the language of the title."""

    def label(self, lang: str) -> str:
        """The back in a few words."""
        return self.words.say(lang)

    def describe(self, lang: str) -> str:
        """What is drawn on it."""
        return self.described.say(lang)

    def draw(self, lang: str) -> str:
        """The back as an SVG document."""
        return self.picture(self.words.say(lang), lang)
