"""The card faces: every card of every deck as an SVG document, and in words.

    >>> from tefuda import decks
    >>> decks.label("leaves", "3", "en")
    '3 (zelkova)'
    >>> decks.face("leaves", "3").startswith("<svg")
    True

A deck is a module that exposes a `DECK` (see `decks/deck.py`); it is made known here.
"""

from collections.abc import Mapping
from typing import Any

from tefuda.decks import cookies, kanji, karuta, leaves, plain
from tefuda.decks.deck import LANGUAGES, Card, Deck
from tefuda.decks.drawing import text

__all__ = ["DECKS", "describe", "emblem", "face", "helped", "in_play", "label", "motif", "names"]

_ALL: tuple[Deck, ...] = (leaves.DECK, cookies.DECK, karuta.DECK, kanji.DECK, plain.DECK)
DECKS: Mapping[str, Deck] = {deck.id: deck for deck in _ALL}


def face(deck: str, name: str, lang: str = "ja") -> str:
    """The face as an SVG document. KeyError, in words, for a deck or a name that does not exist."""
    return _card(deck, name, lang).draw(lang)


def names(deck: str) -> tuple[str, ...]:
    """The names of a deck's cards; for the plain deck, which takes any name, an ordinary pack."""
    return _deck(deck).names


def label(deck: str, name: str, lang: str = "ja") -> str:
    """The face in a few words: the alternative text, and the caption of the enlarged card."""
    return _card(deck, name, lang).label(lang)


def describe(deck: str, name: str, lang: str = "ja") -> str:
    """One or two sentences saying what the card is."""
    return _card(deck, name, lang).describe(lang)


def in_play(deck: str, name: str, options: Mapping[str, Any]) -> str:
    """The name of the card that stands for `name` in a game with these options."""
    return _deck(deck).in_play(name, options)


def helped(deck: str, name: str) -> str:
    """The name of the same card with what helps to read it; the name itself where there is no such card."""
    with_help = _deck(deck).help + name
    return with_help if with_help in _deck(deck).names else name


def emblem(deck: str, name: str) -> str:
    """A small sign of what a card counts, an SVG fragment for a view box of 100 x 100; empty where there is none."""
    return _deck(deck).emblem(name)


def motif(deck: str, sign: str = "") -> str:
    """The picture on the lid of a box, an SVG fragment for a view box of 250 x 350: the deck's, or a sign (one to three
    characters) written large."""
    if not sign:
        return _deck(deck).motif()
    size = 172 / max(1, 0.7 * len(sign))
    return text(146, 188 + size * 0.3, sign, size, fill="#FBF3DF", weight=600, lang="ja")


def _deck(deck: str) -> Deck:
    if deck not in DECKS:
        raise KeyError(f"no deck {deck!r}; there are {' '.join(DECKS)}")
    return DECKS[deck]


def _card(deck: str, name: str, lang: str) -> Card:
    if lang not in LANGUAGES:
        raise KeyError(f"no language {lang!r}; there are {' '.join(LANGUAGES)}")
    return _deck(deck).card(name)
