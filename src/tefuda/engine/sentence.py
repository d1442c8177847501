"""What a person is told, in English and in Japanese.

The English stands in the code, where the sentence is made, with `{places}` for what differs; its Japanese stands in
`sentences.ja.toml` under the English. What is put in a place may itself be a sentence, or an error that has one: it
is told in the same language.

    >>> whole = Sentence("options of {game}: {reason}", game="leaves13", reason=Sentence("the game is over"))
    >>> str(whole)
    'options of leaves13: the game is over'
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

JAPANESE = Path(__file__).parent.parent / "sentences.ja.toml"
MINUS = "−"


class _Places(string.Formatter):
    """`str.format`, and `{n:one|many}`. What is not given stays as it is written: a slip in a words file is seen on
    the page, and the game goes on."""

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        return kwargs.get(str(key), f"{{{key}}}")

    def format_field(self, value: Any, format_spec: str) -> str:
        if "|" in format_spec:
            one, many = format_spec.split("|")
            return one if value == 1 else many
        return str(super().format_field(value, format_spec))


class _GamePlaces(_Places):
    """What a game tells: its numbers have a proper minus sign."""

    def format_field(self, value: Any, format_spec: str) -> str:
        shown = super().format_field(value, format_spec)
        return shown.replace("-", MINUS) if isinstance(value, int) and "|" not in format_spec else shown


def fill(sentence: str, **values: Any) -> str:
    """A sentence that a game tells, with its values filled in."""
    return _GamePlaces().vformat(sentence, (), values)


@cache
def _japanese() -> dict[str, str]:
    return tomllib.loads(JAPANESE.read_text(encoding="utf-8"))


class Sentence:
    """A sentence in English with `{places}`, and what is put there; without values, just that text."""

    def __init__(self, english: str, /, **values: object) -> None:
        self.english, self.values = english, values

    def say(self, lang: str) -> str:
        """The sentence in a language, Japanese (`ja`) or English."""
        text = _japanese().get(self.english, self.english) if lang == "ja" else self.english
        if not self.values:
            return text
        values = {place: _said(value, lang) for place, value in self.values.items()}
        return _Places().vformat(text, (), values)

    def __str__(self) -> str:
        return self.say("en")

    def __repr__(self) -> str:
        return f"Sentence({self.english!r})"


def _said(value: object, lang: str) -> object:
    say = getattr(value, "say", None)
    if say is not None:
        return say(lang)
    return str(value) if isinstance(value, Exception | Path) else value


class ToldError(Exception):
    """Something that is wrong, in words for a person: `str(error)` in English, `say(lang)` in either language."""

    def __init__(self, english: str, /, **values: object) -> None:
        self.sentence = Sentence(english, **values)
        super().__init__(str(self.sentence))

    def say(self, lang: str) -> str:
        """What is wrong, in Japanese (`ja`) or English."""
        return self.sentence.say(lang)


class WrongValueError(ToldError, ValueError):
    """A value that cannot be, in words for a person."""


def words_of(error: BaseException, lang: str) -> str:
    """What an error says, in that language where it knows it."""
    say = getattr(error, "say", None)
    return str(error) if say is None else str(say(lang))
