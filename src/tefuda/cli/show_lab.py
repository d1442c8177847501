"""What the lab's subcommands show."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from tefuda.cli.show import console
from tefuda.cli.words import language, say
from tefuda.lab.intervals import Interval
from tefuda.words import words

if TYPE_CHECKING:
    from tefuda.engine.rules import Rules
    from tefuda.lab import Finished, Results
    from tefuda.lab import Progress as Far
    from tefuda.lab.compare import Comparison
    from tefuda.lab.label import Label

__all__ = ["amount", "comparison", "console", "label", "percent", "progress", "results", "study", "study_progress"]


@contextmanager
def progress(games: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on standard error (nothing when nobody watches); call what it gives with the games done."""
    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=console(errors=True), transient=True, disable=not console(errors=True).is_terminal,
    ) as bar:  # fmt: skip
        task = bar.add_task(say("compiling the rules"), total=games)
        yield lambda done: bar.update(task, completed=done, description=say("games played"))


@contextmanager
def study_progress() -> Iterator[Callable[[Far], None]]:
    """The same for a study, with what is being done."""
    doing = {
        "playing": say("games played"), "positions": say("positions looked at"), "clauses": say("clauses looked at"),
    }  # fmt: skip
    with Progress(
        TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.fields[left]}"),
        console=console(errors=True), transient=True, disable=not console(errors=True).is_terminal,
    ) as bar:  # fmt: skip
        task = bar.add_task(say("compiling the rules"), total=1.0, left="")

        def tell(far: Far) -> None:
            values = {"seats": far.seats, "level": far.level, "n": far.games, "what": doing[far.what]}
            what, left = say("{seats} players, {level}: {n} {what}", **values), ""
            if far.seconds_left is not None:
                left = say("{minutes} min left", minutes=math.ceil(far.seconds_left / 60))
            bar.update(task, completed=far.done, description=what, left=left)

        yield tell


def percent(interval: Interval) -> str:
    """A share with its interval."""
    return f"{interval.value:.1%}  ({interval.low:.1%} {_to()} {interval.high:.1%})"


def amount(interval: Interval) -> str:
    """A mean with its interval."""
    if not math.isfinite(interval.low):
        return f"{interval.value:.2f}"
    return f"{interval.value:.2f}  ({interval.low:.2f} {_to()} {interval.high:.2f})"


def _to() -> str:
    """What stands between the ends of an interval."""
    return "〜" if language() == "ja" else "–"


def place_from_one(place: Interval, seats: int) -> Interval:
    """A mean place as people count: 1 for the first to the number of seats for the last, from 1 for the first and 0
    for the last."""
    first, worst = (min(max(value, 0.0), 1.0) for value in (place.high, place.low))
    known = math.isfinite(place.low)
    low, high = (seats - first * (seats - 1), seats - worst * (seats - 1)) if known else (place.low, place.high)
    return Interval(seats - place.value * (seats - 1), low, high)


def options_text(options: Any) -> str:
    """Options in short."""
    return ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in options.items())


def results(found: Results) -> None:
    """Print what came of many games."""
    out = console()
    played = found.cell
    title = words(played.rules, language()).title()
    out.print(Text(f"{title} ({played.rules.id}, {played.rules.version})", style="bold"))
    options = options_text(played.options)
    n, seats, seed = found.games, played.seats, played.seed
    facts = say("{games} games, {seats} seats, seed {seed}", games=n, seats=seats, seed=seed)
    out.print(Text(f"{facts}; {options}" if options else facts, style="dim"))
    out.print(Text(say("Shares of first places (shared ones in parts), with 95 % intervals:"), style="dim"))
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    bots = [str(bot) for bot in played.bots]
    for seat, interval in enumerate(found.intervals("win_share_by_seat")):
        table.add_row(say("seat {seat}", seat=seat), "" if played.rotate else bots[seat], percent(interval))
    table.add_row()
    for n, interval in enumerate(found.intervals("win_share_by_turn_order"), 1):
        table.add_row(say("decides first") if n == 1 else say("decides as number {n}", n=n), "", percent(interval))
    if played.rotate or len(set(bots)) > 1:
        table.add_row()
        shares, places = found.intervals("win_share_by_bot"), found.intervals("place_by_bot")
        for bot, won, place in zip(bots, shares, places, strict=True):
            mean = say("mean place {place} of {seats}", place=amount(place_from_one(place, seats)), seats=seats)
            table.add_row(say("bot"), bot, percent(won), mean)
    table.add_row()
    measured = found.measured
    for text, name in (
        (say("decisions a game"), "decisions_a_game"),
        (say("turns a game"), "turns_a_game"),
        (say("minutes at a table (reckoned)"), "minutes_a_game"),
        (say("legal moves a decision"), "legal_moves_a_decision"),
    ):
        table.add_row(text, "", amount(measured[name]))
    table.add_row(say("decisions without a choice"), "", percent(measured["forced_share"]))
    table.add_row(say("games ended by a cap"), "", str(round(measured["capped"].value * found.games)))
    if measured["stuck"].value > 0:
        table.add_row(say("games that got stuck: nothing was legal"), "", percent(measured["stuck"]))
    out.print(table)
    speed = say("{seconds:.2f} s on {threads} threads", seconds=found.seconds, threads=found.threads)
    decisions = measured["decisions_a_game"].value * found.games
    rate = say("{n:,.0f} decisions a second", n=decisions / max(found.seconds, 1e-9))
    out.print(Text(f"{speed}: {rate}", style="dim"))


def study(finished: Finished, report: Path) -> None:
    """Print the findings of a study, and where its report is."""
    from tefuda.lab.findings import findings, unknown
    out = console()
    rules = finished.study.rules
    out.print(Text(words(rules, language()).title(), style="bold"))
    for finding in findings(rules, finished.summary):
        out.print(Text("・" if language() == "ja" else "- ").append(finding.sentence(language())))
    out.print(Text(say("What this does not tell:"), style="dim"))
    for gap in unknown(rules, finished.summary):
        out.print(Text("・" if language() == "ja" else "- ").append(gap.sentence(language())), style="dim")
    out.print(say("The report is in {file}.", file=report), soft_wrap=True)


def comparison(found: Comparison) -> None:
    """Print what differs between variants."""
    out = console()
    title = words(found.rules, language()).title()
    facts = say("{games} deals, {seats} seats, seed {seed}", games=found.deals, seats=found.seats, seed=found.seed)
    out.print(Text(f"{title}: {facts}", style="bold"))
    for sentence in found.sentences(language()):
        out.print(Text("・" if language() == "ja" else "- ").append(sentence))


def label(rules: Rules, proposed: Label) -> None:
    """Print the label and its reasons."""
    out = console()
    out.print(Text(words(rules, language()).title(), style="bold"))
    for line in proposed.lines(language()):
        out.print(Text(line, style="bold"))
    for reason in proposed.reasons(language()):
        out.print(Text("・" if language() == "ja" else "- ").append(reason))
