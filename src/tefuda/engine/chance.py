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

from tefuda.engine.cards import PICK, ROLL, SHUFFLE, START, TAKE
from tefuda.engine.plain import PlainState


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


class WrongAnswerError(Exception):
    """A record says something of chance that cannot be at that point."""


class ToldChance(Chance):
    """Chance as a record tells it, and from where it stops another source."""

    def __init__(self, told: Sequence[Answer], then: Chance | None = None) -> None:
        super().__init__()
        self.told, self.next, self.then = list(told), 0, then
        self.numbers: list[int] = []

    def ask(self, s: PlainState, question: int, pile: int) -> None:
        self.numbers = []
        if self.next >= len(self.told):
            if self.then is None:
                raise WrongAnswerError("the record stops before what chance must say here")
            return
        said = self.told[self.next]
        answer = said.values
        if said.question != question or (question == SHUFFLE and said.pile != pile):
            raise WrongAnswerError("chance is asked another question here")
        if question == SHUFFLE:
            self.numbers = steps_of_shuffle(s, pile, answer)
        elif question == START:
            self.numbers = [in_range(answer[0], 0, s.seats - 1)]
        elif question == ROLL:
            self.numbers = [answer[0] - 1]
        elif question == PICK:
            self.numbers = [answer[0]]
        elif question == TAKE:
            places = [i for i in range(s.size[pile]) if s.card[pile, i] == answer[0]]
            if not places:
                raise WrongAnswerError("that card is not there to be taken")
            self.numbers = [places[0]]
        self.next += 1

    def below(self, n: int) -> int:
        if self.numbers:
            return in_range(self.numbers.pop(0), 0, int(n) - 1)
        if self.then is None:
            raise WrongAnswerError("the record stops before what chance must say here")
        return self.then.below(n)

    def mark(self) -> Any:
        return self.next, self.then.mark() if self.then else None

    def rewind(self, mark: Any) -> None:
        self.next = mark[0]
        if self.then:
            self.then.rewind(mark[1])


def in_range(number: int, low: int, high: int) -> int:
    """The number, or WrongAnswerError when it is out of range."""
    if not low <= number <= high:
        raise WrongAnswerError(f"{number} is not from {low} to {high}")
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
