"""Where chance comes from when people play: the operating system, a seed, or a record being replayed.

A source lives beside the state, never in it. It answers `below` and keeps the answers as events, for the record.
It can be wound back to a point and then gives the same answers again, so that undoing a move never rolls again."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tefuda.engine.cards import ROLL, SHUFFLE, START, TAKE
from tefuda.engine.plain import PlainState
from tefuda.engine.sentence import ToldError


@dataclass(frozen=True)
class Answer:
    """A question of chance answered: the question, the pile it was about, and kinds (from the top) or one number.

    `moved` is how many cards had moved since the decision when it was answered."""

    question: int
    pile: int
    values: tuple[int, ...]
    moved: int = 0


M64 = (1 << 64) - 1


class Chance(ABC):
    """A source of chance. `answers` collects what was asked and what came of it."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []

    @abstractmethod
    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, each as likely."""

    @abstractmethod
    def mark(self) -> Any:
        """A point to wind back to."""

    @abstractmethod
    def rewind(self, mark: Any) -> None:
        """Wind back to a point; the same questions then get the same answers."""

    def ask(self, s: PlainState, question: int, pile: int) -> None:  # noqa: B027 - most sources need no telling
        """A question comes. A record being replayed looks its answer up."""

    def tell(self, s: PlainState, question: int, pile: int, answer: int) -> None:
        """Keep what came of it."""
        if question == SHUFFLE:
            values = pile_from_top(s, pile)
        else:
            values = (int(answer),)
        self.answers.append(Answer(question, pile, values, len(s.journal)))


def pile_from_top(s: PlainState, pile: int) -> tuple[int, ...]:
    """The kinds in a pile from its top down."""
    return tuple(s.card[pile, i] for i in range(s.size[pile] - 1, -1, -1))


class SeededChance(Chance):
    """The generator of compiled rules, number for number (compiled_chance.py)."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        x = (seed + 0x9E3779B97F4A7C15) & M64
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & M64
        x = (x ^ (x >> 27)) * 0x94D049BB133111EB & M64
        x ^= x >> 31
        self.x = x or 0x9E3779B97F4A7C15

    def below(self, n: int) -> int:
        x = self.x
        x ^= x << 13 & M64
        x ^= x >> 7
        x ^= x << 17 & M64
        self.x = x
        return (x >> 33) * int(n) >> 31

    def mark(self) -> int:
        return self.x

    def rewind(self, mark: Any) -> None:
        self.x = mark


class SecretChance(Chance):
    """Chance for real tables: 256 bits from the operating system, stretched by HMAC-SHA256 and a counter.

    Uniform exactly: numbers that would favour the low ones are thrown away."""

    def __init__(self, key: bytes | None = None) -> None:
        super().__init__()
        self.key = secrets.token_bytes(32) if key is None else key
        self.used = 0

    def below(self, n: int) -> int:
        limit = (1 << 64) - (1 << 64) % int(n)
        while True:
            block = hmac.new(self.key, self.used.to_bytes(8, "big"), hashlib.sha256).digest()
            self.used += 1
            number = int.from_bytes(block[:8], "big")
            if number < limit:
                return number % int(n)

    def mark(self) -> int:
        return self.used

    def rewind(self, mark: Any) -> None:
        self.used = mark


class WrongAnswerError(ToldError):
    """A record says something of chance that cannot be at that point."""


class ToldChance(Chance):
    """Chance as a record tells it.

    While `strict`, as a record is checked, an answer that is missing or cannot be raises WrongAnswerError. After
    `go_on_with` another source answers where the record stops, and from where play has left it: where moves were
    undone and others made, so that another question comes."""

    def __init__(self, told: Sequence[Answer]) -> None:
        super().__init__()
        self.told, self.next, self.numbers = list(told), 0, list[int]()
        self.strict, self.left = True, False
        self.then: Chance = SecretChance()
        self._then_start: Any = self.then.mark()

    def go_on_with(self, source: Chance) -> None:
        """The record has been checked; what comes after it is asked of this source."""
        self.strict = False
        self.then, self._then_start = source, source.mark()

    def ask(self, s: PlainState, question: int, pile: int) -> None:
        self.numbers = []
        if self.left or self.next >= len(self.told):
            if self.strict:
                raise WrongAnswerError("the record stops before what chance must say here")
            return
        try:
            self.numbers = numbers_of(self.told[self.next], s, question, pile)
        except WrongAnswerError:
            if self.strict:
                raise
            self.left = True
        else:
            self.next += 1

    def below(self, n: int) -> int:
        if self.numbers:
            number = self.numbers.pop(0)
            if self.strict or 0 <= number < n:
                return in_range(number, 0, int(n) - 1)
            self.left = True
        return self.then.below(n)

    def mark(self) -> Any:
        return self.next, self.left, None if self.strict else self.then.mark()

    def rewind(self, mark: Any) -> None:
        self.next, self.left, then = mark
        self.then.rewind(self._then_start if then is None else then)


def numbers_of(said: Answer, s: PlainState, question: int, pile: int) -> list[int]:
    """The numbers that make a question come out as said; WrongAnswerError when it cannot."""
    if said.question != question or (question == SHUFFLE and said.pile != pile):
        raise WrongAnswerError("chance is asked another question here")
    if question == SHUFFLE:
        return steps_of_shuffle(s, pile, said.values)
    number = said.values[0]
    if question == TAKE:
        places = [i for i in range(s.size[pile]) if s.card[pile, i] == number]
        if not places:
            raise WrongAnswerError("that card is not there to be taken")
        return places[:1]
    if question == START:
        return [in_range(number, 0, s.seats - 1)]
    return [number - 1 if question == ROLL else number]


def in_range(number: int, low: int, high: int) -> int:
    """The number, or WrongAnswerError when it is out of range."""
    if not low <= number <= high:
        raise WrongAnswerError("{number} is not from {low} to {high}", number=number, low=low, high=high)
    return number


def steps_of_shuffle(s: PlainState, pile: int, from_top: tuple[int, ...]) -> list[int]:
    """The numbers that make `shuffle` end in this order."""
    now = [s.card[pile, i] for i in range(s.size[pile])]
    goal = list(reversed(from_top))
    if sorted(now) != sorted(goal):
        raise WrongAnswerError("the shuffled pile has other cards")
    steps = []
    for i in range(len(now) - 1, 0, -1):
        j = max(k for k in range(i + 1) if now[k] == goal[i])
        now[i], now[j] = now[j], now[i]
        steps.append(j)
    return steps
