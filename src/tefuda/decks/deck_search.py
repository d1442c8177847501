"""Searching for a kanji deck that makes many words, and for an order in which neighbours make words.

Both by simulated annealing: a step changes a little at random; a change for the better stays, one for the worse stays
with a chance that shrinks as the search cools. The same seed finds the same deck.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from tefuda.decks.deck import DeckError
from tefuda.decks.kanji_decks import SUITS

STEPS = 300_000
"""How many changes a search tries; a few seconds."""

SWAPS = 1_000_000
"""How many swaps an attempt at an arrangement tries."""

ATTEMPTS = 4
"""How often an arrangement is tried, unless it turns out perfect sooner."""

PARTNERS = 8
"""So many words every kanji should be in."""

LACK = 1.5
"""What a word that a kanji lacks counts against the deck, in words."""

HOTTEST, COLDEST = 3.0, 0.1
"""The temperature at the first step and at the last, in words."""

TOLD_EVERY = 2000
"""Steps between two calls of `progress`."""

Matrix = npt.NDArray[np.int64]
Progress = Callable[[int], None]


def untold(_steps: int) -> None:
    """The progress of nobody's interest."""


def temperatures(steps: int, progress: Progress) -> Iterator[float]:
    """The temperature of each step, from hot to cold; tells how many steps are done from time to time."""
    for step in range(steps):
        if step % TOLD_EVERY == 0:
            progress(step)
        yield float(HOTTEST * (COLDEST / HOTTEST) ** (step / steps))
    progress(steps)


def words_of_pairs(kanji: Sequence[str], words: Iterable[str]) -> Matrix:
    """How many two-kanji words every two kanji make: 0, 1 or 2 (人中, 中人)."""
    place = {one: i for i, one in enumerate(kanji)}
    pairs = np.zeros((len(kanji), len(kanji)), np.int64)
    for word in words:
        if len(word) == 2 and word[0] in place and word[1] in place:
            pairs[place[word[0]], place[word[1]]] += 1
            pairs[place[word[1]], place[word[0]]] += 1
    return pairs


def search(
    pool: Mapping[str, int],
    size: int,
    wanted: str,
    words: Iterable[str],
    seed: int = 0,
    mix: Mapping[int, int] | None = None,
    steps: int = STEPS,
    progress: Progress = untold,
) -> list[str]:
    """`size` kanji of the pool (each with its value), with all the `wanted` ones, that make many two-kanji words with
    each other, each kanji at least `PARTNERS` where that can be. `mix` says how many of each value there are to be,
    `size` in all. DeckError when it cannot be: too many wanted, too few in the pool.
    """
    rng = random.Random(seed)
    kanji = sorted(pool)
    rng.shuffle(kanji)
    kanji.sort(key=lambda one: one not in wanted)
    chosen = _first_choice(kanji, pool, size, wanted, mix)
    # The places of the kanji, those in the deck first, the wanted ones before all.
    order = np.array(sorted(range(len(kanji)), key=lambda i: (kanji[i] not in chosen, i)))
    # A kanji changes places with one of its own value where a mix is told; so places keep their value.
    value = [0 if mix is None else pool[kanji[i]] for i in order]
    outside: dict[int, list[int]] = {}
    for place in range(size, len(kanji)):
        outside.setdefault(value[place], []).append(place)
    changeable = [place for place in range(len(set(wanted)), size) if value[place] in outside]
    if not changeable:
        return [kanji[i] for i in order[:size]]
    pairs = words_of_pairs(kanji, words)
    inside = pairs[:, order[:size]].sum(axis=1)  # of every kanji: its words with those in the deck
    worth = _worth(inside[order[:size]])
    best, best_worth = order[:size].copy(), worth
    for temperature in temperatures(steps, progress):
        out = rng.choice(changeable)
        new = rng.choice(outside[value[out]])
        changed = inside + pairs[order[new]] - pairs[order[out]]
        order[out], order[new] = order[new], order[out]
        change = _worth(changed[order[:size]]) - worth
        if change >= 0 or rng.random() < math.exp(change / temperature):
            inside, worth = changed, worth + change
            if worth > best_worth:
                best, best_worth = order[:size].copy(), worth
        else:
            order[out], order[new] = order[new], order[out]
    return [kanji[i] for i in best]


def _first_choice(
    kanji: Sequence[str], pool: Mapping[str, int], size: int, wanted: str, mix: Mapping[int, int] | None
) -> set[str]:
    """A deck to begin with: the first kanji that fit."""
    fixed = set(wanted)
    if len(fixed) > size:
        raise DeckError(
            f"{len(fixed)} kanji are wanted in a deck of {size}",
            f"{size} 字の山に {len(fixed)} 字を入れることはできません",
        )
    if mix is None:
        chosen = set(kanji[:size])
        if len(chosen) < size:
            raise DeckError(
                f"there are only {len(kanji)} kanji for a deck of {size}",
                f"{size} 字の山には漢字が足りません（{len(kanji)} 字）",
            )
        return chosen
    chosen = set()
    for value, n in mix.items():
        there = [one for one in kanji if pool[one] == value]
        asked = sum(one in fixed for one in there)
        if not asked <= n <= len(there):
            raise DeckError(
                f"of grade {value} a deck can have {asked} to {len(there)} kanji here, not {n}",
                f"ここでは {value} 年生の漢字は {asked}〜{len(there)} 字です（{n} 字にはできません）",
            )
        chosen |= set(there[:n])
    if len(chosen) != size or not fixed <= chosen:
        raise DeckError(
            f"the numbers of each grade make {len(chosen)} kanji, not {size}, or leave out kanji that are wanted",
            f"学年ごとの数の合計が {size} 字ではないか（{len(chosen)} 字）、入れたい漢字の学年がありません",
        )
    return chosen


def _worth(inside: Matrix) -> float:
    """How good a deck is, from the number of words of each of its kanji: the words, less what kanji lack."""
    return float(inside.sum()) / 2 - LACK * float(np.maximum(PARTNERS - inside, 0).sum())


def neighbours(n: int) -> list[tuple[int, int]]:
    """The places that lie beside each other when `n` cards stand in four suits, one below the other: along a suit from
    rank to rank, and from suit to suit at the same rank. None when there are no four suits of one length."""
    length, rest = divmod(n, len(SUITS))
    if rest:
        return []
    along = [(i, i + 1) for i in range(n - 1) if (i + 1) % length]
    return along + [(i, i + length) for i in range(n - length)]


def arrange(
    kanji: Sequence[str], words: Iterable[str], seed: int = 0, steps: int = SWAPS, progress: Progress = untold
) -> list[str]:
    """The kanji in an order in which as many neighbours as can be found make a two-kanji word, either way round: the
    best of some attempts of `steps` steps. Kanji that cannot stand in four suits keep their order."""
    pairs = neighbours(len(kanji))
    fits = (words_of_pairs(kanji, words) > 0).tolist()
    rng = random.Random(seed)
    best, fewest = list(range(len(kanji))), len(pairs)
    for attempt in range(ATTEMPTS if pairs else 0):
        order, lacking = _arrangement(fits, pairs, rng, steps, partial(_further, progress, attempt * steps))
        if lacking < fewest:
            best, fewest = order, lacking
        if not fewest:
            break
    progress(ATTEMPTS * steps)
    return [kanji[i] for i in best]


def _further(progress: Progress, before: int, steps: int) -> None:
    progress(before + steps)


def _arrangement(
    fits: Sequence[Sequence[bool]], pairs: Sequence[tuple[int, int]], rng: random.Random, steps: int, progress: Progress
) -> tuple[list[int], int]:
    """One attempt: the order found, and how many neighbours in it make no word."""
    beside: list[list[int]] = [[] for _ in fits]
    for one, other in pairs:
        beside[one].append(other)
        beside[other].append(one)
    order = list(range(len(fits)))
    rng.shuffle(order)
    lacking = sum(not fits[order[one]][order[other]] for one, other in pairs)
    best, fewest = list(order), lacking

    def making(place: int) -> int:
        return sum(fits[order[place]][order[other]] for other in beside[place])

    for temperature in temperatures(steps, progress):
        one, other = rng.randrange(len(order)), rng.randrange(len(order))
        if one == other:
            continue
        before = making(one) + making(other)
        order[one], order[other] = order[other], order[one]
        change = making(one) + making(other) - before
        if change >= 0 or rng.random() < math.exp(change / temperature):
            lacking -= change
            if lacking < fewest:
                best, fewest = list(order), lacking
                if not fewest:
                    break
        else:
            order[one], order[other] = order[other], order[one]
    return best, fewest
