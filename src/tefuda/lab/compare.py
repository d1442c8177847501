"""Variants of a game side by side: the same deals, the bots moved around the table, and what differs, each with its
interval and a sentence."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.special import ndtri
from scipy.stats import chi2

from tefuda.bots import Bot
from tefuda.engine.rules import Rules
from tefuda.lab import texts
from tefuda.lab.cell import Cell, cell
from tefuda.lab.intervals import POWER, SURE, UNKNOWN, Interval, Z, not_by_chance
from tefuda.lab.measures import plain
from tefuda.lab.measures.outcomes import tied, turned, win
from tefuda.lab.minutes import first_guess
from tefuda.lab.playing import play
from tefuda.lab.store import Data, Store
from tefuda.lab.texts import text

Array = npt.NDArray[Any]

SHARES = frozenset({"forced", "first", "tied", "capped"})
"""Measures that are shares; the others are amounts."""

MEASURES = ("first", "decisions", "minutes", "legal", "forced", "margin", "tied", "capped")

FOUND = float(ndtri(1 - SURE / 2 / len(MEASURES)) + ndtri(POWER))
"""A difference of so many standard errors is found four times in five, also where it is the only one: all measures are
tested together, each as strictly as if it were the first by Holm's method."""


@dataclass(frozen=True)
class Difference:
    """What a measure is with the first variant, with another, and how they differ, over the same deals; how probable
    that is when there is no difference; whether it is put down to chance (of all measures together, one false alarm in
    twenty comparisons); and how big a difference would have been found four times in five."""

    measure: str
    before: float
    after: float
    difference: Interval
    p: float
    real: bool
    findable: float

    def data(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "measure": self.measure,
            "before": plain(self.before),
            "after": plain(self.after),
            "difference": plain(self.difference),
            "p": plain(self.p),
            "real": self.real,
            "findable": plain(self.findable),
        }


@dataclass(frozen=True)
class Comparison:
    """Variants (as they were written) of a game, each against the first."""

    rules: Rules
    seats: int
    variants: tuple[str, ...]
    cells: tuple[Cell, ...]
    deals: int
    seed: int
    differences: tuple[tuple[Difference, ...], ...]

    def sentences(self, lang: str) -> list[str]:
        """What differs, and what does not."""
        out = []
        for variant, differences in zip(self.variants[1:], self.differences, strict=True):
            real = [each for each in differences if each.real]
            for each in real:
                out.append(_sentence(self.variants[0], variant, each, lang))
            same = [each for each in differences if not each.real and not math.isnan(each.findable)]
            if same:
                names = [_findable(each, lang) for each in same]
                names_text = texts.listed(names, lang)
                out.append(text(lang, "compare.same", variant=variant, first=self.variants[0], names=names_text))
            if not real and not same:
                first, games = self.variants[0], f"{self.deals * (self.seats if self.cells[0].rotate else 1):,}"
                out.append(text(lang, "compare.equal", variant=variant, first=first, games=games, seats=self.seats))
        return out

    def data(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "game": self.rules.id,
            "seats": self.seats,
            "deals": self.deals,
            "seed": self.seed,
            "bots": [str(bot) for bot in self.cells[0].bots],
            "variants": [
                {"variant": name, "options": dict(each.options)}
                for name, each in zip(self.variants, self.cells, strict=True)
            ],
            "differences": [
                {"variant": name, "measures": [each.data() for each in found]}
                for name, found in zip(self.variants[1:], self.differences, strict=True)
            ],
            "sentences": {lang: self.sentences(lang) for lang in texts.LANGUAGES},
        }


def _findable(each: Difference, lang: str) -> str:
    return text(lang, "compare.found_from", what=text(lang, f"compare.names.{each.measure}"), least=_size(each, lang))


def _size(each: Difference, lang: str) -> str:
    """How big a difference would have been found; one that would be told as nothing is less than the least that is."""
    least = 0.001 if each.measure in SHARES else 0.01
    value = texts.only(max(each.findable, least))
    told = texts.size(value, lang) if each.measure in SHARES else texts.number(value, lang, 2)
    if each.measure == "minutes":
        told = text(lang, "compare.in_minutes", n=told)
    return told if each.findable >= least else text(lang, "compare.less_than", n=told)


def _sentence(first: str, variant: str, each: Difference, lang: str) -> str:
    word = "more" if each.difference.value > 0 else "less"
    values = {"first": first, "variant": variant}
    if each.measure in SHARES:
        values |= {
            "before": texts.percent(texts.only(each.before), lang),
            "after": texts.percent(texts.only(each.after), lang),
            "difference": texts.points(each.difference.data(), lang),
        }
        return text(lang, f"compare.share_{each.measure}", **values)
    if each.before:
        change = abs(each.difference.value / each.before)
        half = each.difference.half / abs(each.before)
        told = {"percent": f"{100 * change:.0f}", "half": f"{max(1, round(100 * half))}"}
        values["change"] = text(lang, "compare.change", **told)
    else:
        values["change"] = texts.number(each.difference.data(), lang)
    return text(lang, f"compare.{each.measure}_{word}", **values)


def compare(
    rules: Rules,
    seats: int,
    names: Sequence[str],
    variants: Sequence[Mapping[str, Any]],
    bots: Sequence[Bot],
    games: int,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Comparison:
    """Play so many games of each variant (all options filled in or left to their defaults), game number i of each from
    the same seed, and compare all others with the first. Where the bots differ, each deal is played once with every
    bot in every seat."""
    rotate = len({str(bot) for bot in bots}) > 1
    cells = tuple(cell(rules, seats, bots, options, seed, rotate) for options in variants)
    store = Store()
    tables: list[Array] = []
    done = 0
    for one in cells:
        if not store.done(one):
            for end in store.write(one, play(one, 0, games, threads)):
                if progress is not None:
                    progress(done + end)
        done += games
        tables.append(by_deal(store.data(one)))
    found = tuple(differences(tables[0], other, seats) for other in tables[1:])
    return Comparison(rules, seats, tuple(names), cells, len(tables[0]), seed, found)


def by_deal(data: Data) -> Array:
    """Of each deal, the means of the measures over its games: a column for each, then the win shares by turn order."""
    cell_, seats = data.cell, data.cell.seats
    ordered = pl.concat_list([pl.col(f"score_{seat}") for seat in range(seats)]).list.sort(descending=True)
    shares = turned([win(seat, seats) for seat in range(seats)], pl.col("start"))
    margin = ordered.list.get(0) - ordered.list.get(1) if seats > 1 else pl.lit(0)
    columns = {
        "first": shares[0],
        "decisions": pl.col("decisions"),
        "minutes": first_guess().expression(cell_.rules),
        "legal": pl.col("legal") / pl.col("decisions"),
        "forced": pl.col("forced") / pl.col("decisions"),
        "margin": margin,
        "tied": tied(),
        "capped": pl.col("capped"),
    } | {f"share{k}": share for k, share in enumerate(shares)}
    rows = data.games.select("deal", *(each.cast(pl.Float64).alias(name) for name, each in columns.items()))
    return rows.group_by("deal").mean().sort("deal").drop("deal").collect().to_numpy()


def differences(before: Array, after: Array, seats: int) -> tuple[Difference, ...]:
    """What differs between two tables of the same deals (see `by_deal`)."""
    out = []
    for k, name in enumerate(MEASURES):
        if name == "first":
            p = _fairness(before[:, len(MEASURES) :], after[:, len(MEASURES) :])
        else:
            p = None
        out.append(_difference(name, before[:, k], after[:, k], p))
    real = not_by_chance([each.p for each in out])
    return tuple(
        Difference(each.measure, each.before, each.after, each.difference, each.p, sure, each.findable)
        for each, sure in zip(out, real, strict=True)
    )


def _difference(name: str, before: Array, after: Array, p: float | None) -> Difference:
    rest = after - before
    n, mean = len(rest), float(rest.mean())
    error = float(rest.std(ddof=1) / math.sqrt(n)) if n > 1 else math.nan
    interval = Interval(mean, mean - Z * error, mean + Z * error) if n > 1 else UNKNOWN
    if p is None:
        if n < 2 or error == 0:
            p = 1.0 if n < 2 or mean == 0 else 0.0
        else:
            p = math.erfc(abs(mean) / error / math.sqrt(2))
    findable = FOUND * error if error > 0 else math.nan
    return Difference(name, float(before.mean()), float(after.mean()), interval, p, False, findable)


def _fairness(before: Array, after: Array) -> float:
    """Whether the win shares by turn order differ: Wald's χ² test on the differences of the deals."""
    rest = (after - before)[:, :-1]
    n, k = rest.shape
    if k == 0 or n < 3:
        return 1.0
    mean = rest.mean(axis=0)
    covariance = np.atleast_2d(np.cov(rest, rowvar=False)) / n
    if not np.any(covariance):
        return 1.0 if not np.any(mean) else 0.0
    return float(chi2.sf(mean @ np.linalg.pinv(covariance) @ mean, np.linalg.matrix_rank(covariance)))

