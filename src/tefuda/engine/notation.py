"""Moves as text: from the MOVES of a rules file follow the notation, its parser and what a log hides."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from tefuda.engine.cards import parts
from tefuda.engine.declare import Card, Choice, Move, Name, Number, Part, Seat

HIDDEN = "?"
PART_BITS = 19
FIRST_SHIFT = 38

Value = int | str | None
"""A part of a move as data: a card's or word's name, a seat, a number; None when hidden."""


class Notation:
    """The moves of one game with its cards and words, as text and back."""

    def __init__(self, moves: Sequence[Move], cards: Sequence[str], names: Mapping[str, Sequence[str]]) -> None:
        self.moves = {move.kind: move for move in moves}
        self.cards = list(cards)
        self.kind_of = {name: kind for kind, name in enumerate(cards) if name}
        self.names = {key: list(texts) for key, texts in names.items()}
        self.number_of = {key: {text: i for i, text in enumerate(texts)} for key, texts in self.names.items()}
        self._patterns = [(move, re.compile(self._pattern(move))) for move in moves]

    def _pattern(self, move: Move) -> str:
        out = ""
        for piece in re.split(r"(\{\w+\})", move.text):
            if piece.startswith("{"):
                name = piece[1:-1]
                out += f"(?P<{name}>{self._part_pattern(move.parts[name])})"
            else:
                out += re.escape(piece)
        return out

    def _part_pattern(self, part: Part) -> str:
        if isinstance(part, Card):
            return "|".join(re.escape(name) for name in sorted(self.kind_of, key=len, reverse=True)) or "(?!)"
        if isinstance(part, Choice):
            return "|".join(re.escape(text) for text in sorted(part.texts, key=len, reverse=True))
        if isinstance(part, Name):
            return ".+"
        return "0|[1-9][0-9]{0,5}"

    def move_of(self, move: int) -> Move:
        """The declaration of a move."""
        return self.moves[parts(move)[0]]

    def value(self, part: Part, number: int) -> Value:
        """A part of a move as data."""
        if isinstance(part, Card):
            return self.cards[number]
        if isinstance(part, Choice):
            return part.texts[number]
        if isinstance(part, Name):
            return self.names[part.list][number]
        return number

    def data(self, move: int, reveal: bool = True) -> dict[str, Value]:
        """The parts of a move by name; hidden ones are None unless `reveal`."""
        declared = self.move_of(move)
        numbers = parts(move)[1:]
        return {
            name: None if hidden(part) and not reveal else self.value(part, number)
            for (name, part), number in zip(declared.parts.items(), numbers, strict=False)
        }

    def text(self, move: int, reveal: bool = True) -> str:
        """The move as text; hidden parts are `?` unless `reveal`."""
        values = {name: HIDDEN if v is None else str(v) for name, v in self.data(move, reveal).items()}
        return re.sub(r"\{(\w+)\}", lambda m: values[m[1]], self.move_of(move).text)

    def parse(self, text: str) -> int | None:
        """The move of a text, or None when no move reads so."""
        for declared, pattern in self._patterns:
            found = pattern.fullmatch(text)
            if not found:
                continue
            numbers = [self._number(part, found[name]) for name, part in declared.parts.items()]
            if all(number is not None and number < 1 << PART_BITS for number in numbers):
                return pack(declared.kind, [number for number in numbers if number is not None])
        return None

    def cards_of(self, text: str) -> list[str]:
        """A typed word as cards: at each place the longest name that fits; a `+` between is allowed. What is no card
        stays as it is."""
        found: list[str] = []
        text = text.replace("+", "").replace("＋", "")
        while text:
            fitting = max((name for name in self.kind_of if text.startswith(name)), key=len, default=text)
            found.append(fitting)
            text = text[len(fitting) :]
        return found

    def spelled(self, cards: Sequence[str]) -> int | None:
        """The move whose only part these cards spell, or None."""
        for declared in self.moves.values():
            parts_ = list(declared.parts.values())
            if len(parts_) == 1 and isinstance(parts_[0], Name) and parts_[0].of is not None:
                number = self._spelled_name(parts_[0], cards)
                if number is not None:
                    return pack(declared.kind, [number])
        return None

    def _spelled_name(self, part: Name, cards: Sequence[str]) -> int | None:
        if not part.any_order:
            return self.number_of[part.list].get(part.join.join(cards))
        laid = sorted(cards)
        for number, text in enumerate(self.names[part.list]):
            if len(text) == len(part.join.join(cards)) and sorted(text.split(part.join)) == laid:
                return number
        return None

    def _number(self, part: Part, text: str) -> int | None:
        if isinstance(part, Card):
            return self.kind_of.get(text)
        if isinstance(part, Choice):
            return part.texts.index(text)
        if isinstance(part, Name):
            return self.number_of[part.list].get(text)
        return int(text)


def hidden(part: Part) -> bool:
    """Whether only the mover knows this part."""
    return isinstance(part, (Card, Name)) and part.hidden


def pack(kind: int, numbers: Sequence[int]) -> int:
    """A move as one number, as `add` of cards.py writes it."""
    move = kind << 57
    for i, number in enumerate(numbers):
        move |= number << (FIRST_SHIFT - PART_BITS * i)
    return move


def open_bits(moves: Sequence[Move]) -> list[int]:
    """For each kind of move (0-63) the bits of it that everybody may see: the keys of a search tree."""
    bits = [(1 << 63) - 1] * 64
    for move in moves:
        for i, part in enumerate(move.parts.values()):
            if hidden(part):
                bits[move.kind] &= ~(((1 << PART_BITS) - 1) << (FIRST_SHIFT - PART_BITS * i))
    return bits


__all__ = ["HIDDEN", "Notation", "Number", "Seat", "hidden", "open_bits", "pack"]
