"""`tefuda analyse`: what a search bot thought of every decision of a finished game, and where the game turned."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rich.table import Table
from rich.text import Text

import tefuda
from tefuda import bots
from tefuda.bots.analysis import Analysis, Judgement, analyse
from tefuda.cli import show
from tefuda.cli.complaints import FAILED, Complaint, bare, capital
from tefuda.cli.words import say
from tefuda.engine.game import Game


def judge(file: Path, rules: Path | None, bot_text: str) -> tuple[Game, Analysis]:
    """The game in a record, and its analysis; a complaint when it cannot be analysed."""
    game = tefuda.load(file, rules)
    if not game.over:
        raise Complaint(say("The game is not over; it can be analysed when it is."), FAILED)
    try:
        bot = bots.parse(bot_text)
        with show.console(errors=True).status(say("The bot is looking at the game …")) as status:

            def progress(done: int, total: int) -> None:
                status.update(say("The bot has looked at {done} of {total} decisions …", done=done, total=total))

            analysis = analyse(game, bot, progress)
    except bots.BotError as e:
        raise Complaint(capital(bare(e))) from e
    assert analysis is not None  # nobody stops it
    return game, analysis


def report(game: Game, analysis: Analysis, best: int) -> None:
    """Print an analysis: a line a decision with so many of the moves that were chosen most, then the turning points."""
    out = show.console()
    out.print(Text(f"{show.words_of(game).title()} ({analysis.game}, {analysis.rules}), {analysis.bot}", style="bold"))
    out.print(Text(", ".join(f"{seat} {show.seat_name(game, seat)}" for seat in range(len(game.players))), style="dim"))
    if analysis.left_out:
        n, every = len(analysis.judged), analysis.decisions
        out.print(say("There were many decisions; {n} of {every} were chosen to be looked at.", n=n, every=every))
    out.print(decisions_table(game, analysis, best))
    legend = say("best: how much of the search went into a move, and the mean place it led to (1 first, 0 last). "
                 "worse: how much less the move played was worth (95 % interval). %: each seat's chances of winning "
                 "before the decision, the mean of what all seats reckon from the cards they see.")  # fmt: skip
    out.print(Text("\n" + legend, style="dim"))
    if analysis.turning_points:
        out.print(Text("\n" + say("Where the game turned:"), style="bold"))
        out.print(turning_points_table(game, analysis))


def decisions_table(game: Game, analysis: Analysis, best: int) -> Table:
    """The decisions: number, who, the move played and how much worse it was, the best moves, everybody's chances."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("", justify="right", style="dim")
    for heading in (say("player"), say("played"), say("worse"), say("best")):
        table.add_column(heading, overflow="fold")
    for seat in range(len(game.players)):
        table.add_column(f"{seat} %", justify="right")
    for each in analysis.judged:
        moves = ", ".join(
            f"{move.move} {move.visits / each.iterations:.0%} {move.value:.2f}"
            for move in each.moves[:best]
            if move.value is not None
        )
        who, worse = show.seat_name(game, each.seat), worse_text(each)
        style = "bold" if any(point.n == each.n for point in analysis.turning_points) else ""
        cells = (str(each.number), Text(who), Text(each.played), worse, Text(moves))
        table.add_row(*cells, *percents(each.chances), style=style)
    return table


def worse_text(decision: Judgement) -> str:
    """How much worse the move played was than the best: nothing when it was the best, `?` when nobody knows."""
    if decision.worse is None:
        return "?"
    return "" if decision.played == decision.moves[0].move else f"{decision.worse:.2f} ±{decision.margin:.2f}"


def percents(shares: Sequence[float]) -> list[str]:
    """Shares in whole percent."""
    return [f"{100 * share:.0f}" for share in shares]


def turning_points_table(game: Game, analysis: Analysis) -> Table:
    """The turning points: what happened, with all hands open, and everybody's chances before and after."""
    told: dict[int, str] = {}
    for each in show.words_of(game).tell(game.story(None, open_hands=True), partial(show.seat_name, game)):
        told[each.n] = f"{told[each.n]}; {each.sentence}" if each.n in told else each.sentence
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(justify="right", style="dim")
    table.add_column()
    table.add_column(overflow="fold")
    table.add_column(justify="right")
    for point in analysis.turning_points:
        sentences = [told[n] for n in (point.n, *point.followed) if n in told]
        change = " / ".join(percents(point.before)) + " → " + " / ".join(percents(point.after))
        who = show.seat_name(game, point.seat)
        table.add_row(str(point.number), Text(who), Text("; ".join(sentences)), change)
    return table
