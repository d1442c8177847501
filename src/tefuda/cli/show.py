"""What the command line shows: tables for people (plain text when nobody watches), data for `--json`."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group, RenderableType
from rich.markdown import Markdown
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from tefuda.cli.words import language, say
from tefuda.engine.declare import NOBODY, Choice, Data, Flag, Pile, Range
from tefuda.engine.game import Game
from tefuda.engine.record import positions
from tefuda.engine.rules import Rules
from tefuda.engine.sentence import Sentence
from tefuda.web.standings import score_told
from tefuda.words import Words, words

if TYPE_CHECKING:
    from tefuda.check import Finding, Report

Json = Any

WIDTH_WITHOUT_A_TERMINAL = 100


def console(errors: bool = False) -> Console:
    """Where to print: standard output, or (`errors`) standard error."""
    out = Console(stderr=errors, highlight=False)
    if not out.is_terminal and shutil.get_terminal_size((0, 0)).columns == 0:
        out.width = WIDTH_WITHOUT_A_TERMINAL
    return out


# ------------------------------------------------------------------------------------------------------- games


def game_data(rules: Rules) -> dict[str, Json]:
    """A game as JSON: what its INFO says."""
    return {
        "id": rules.id,
        "rules": rules.version,
        "title": rules.info["title"],
        "author": rules.info.get("author"),
        "seats": [rules.least_seats, rules.most_seats],
        "options": {name: option_data(option) for name, option in rules.declared_options.items()},
    }


def option_data(option: Flag | Range | Choice | Data) -> dict[str, Json]:
    """An option as JSON: its default and what else it takes."""
    if isinstance(option, Range):
        return {"default": option.default, "low": option.low, "high": option.high, "null": option.none}
    if isinstance(option, Choice):
        return {"default": option.default, "values": list(option.texts)}
    if isinstance(option, Flag):
        return {"default": option.default, "values": [False, True]}
    return {"default": option.default}


def option_words(name: str, option: Flag | Range | Choice | Data) -> str:
    """An option in short: `target=20 (5–100)`."""
    default = "null" if option.default is None else str(option.default)
    if isinstance(option, Flag):
        return f"{name}={default.lower()}"
    if isinstance(option, Range):
        return f"{name}={default} ({option.low}–{option.high})"
    if isinstance(option, Choice):
        return f"{name}={default} ({' | '.join(option.texts)})"
    return name


def games_table(games: Sequence[Rules]) -> Table:
    """The games as a table."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in (say("name"), say("title"), say("author"), say("players"), say("options and their defaults")):
        table.add_column(heading, overflow="fold")
    for rules in games:
        table.add_row(
            Text(rules.id, style="bold"),
            words(rules, language()).title(),
            words(rules, language()).author() or "",
            f"{rules.least_seats}–{rules.most_seats}",
            Text("\n".join(option_words(*item) for item in rules.declared_options.items())),
        )
    return table


def rules_page(markdown: str) -> None:
    """Print a rules page. Its inline cards (`{{7 7}}`) are set as code; what stands before a `-` in the name of a face
    is only how it is drawn."""
    out = console()
    cards = re.sub(r"\{\{(.+?)\}\}", lambda m: f"`{' '.join(face.split('-')[-1] for face in m[1].split())}`", markdown)
    out.print(Markdown(cards) if out.is_terminal else Text(cards), soft_wrap=not out.is_terminal)


# -------------------------------------------------------------------------------------------------------- records


def seat_name(game: Game, seat: int) -> str:
    """A player's name as it is shown; a bot is told by its seat, for several may be of one kind."""
    if not game.is_person(seat):
        return say("Bot {seat}", seat=seat)
    name = game.players[seat]
    return f"{name} ({seat})" if game.players.count(name) > 1 else name


def words_of(game: Game) -> Words:
    """The words of a game in the language spoken."""
    return words(game.rules, language())


def decisions(game: Game) -> Iterator[dict[str, Json]]:
    """Each decision of a game with what might have been done instead. `n` counts the events of the record from 0.

    What a seat may do is, for a seat whose name begins `bot:`, what a program may, else what a person may."""
    for n, then in positions(game):
        seat = game.events[n].who
        assert seat != "*"
        legal = [then.notation.text(move) for move in then.legal(person=then.is_person(seat))]
        yield {"n": n, "seat": seat, "legal": legal, "played": game.event_text(game.events[n])}


def replayed(game: Game, viewer: int | None, everything: bool) -> None:
    """Print a record that was played again: all of it, or what a viewer saw and sees at its end."""
    out = console()
    out.print(Text(f"{words_of(game).title()} ({game.rules.id}, {game.rules.version})", style="bold"))
    out.print(Text(", ".join(f"{seat} {name}" for seat, name in enumerate(game.players)), style="dim"))
    out.print(Text(", ".join(f"{name}={json.dumps(value)}" for name, value in game.options.items()), style="dim"))
    log = game.record()["events"] if everything else game.log(viewer)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(justify="right", style="dim")
    table.add_column()
    table.add_column(overflow="fold")
    for n, (who, text) in enumerate(log):
        table.add_row(str(n), Text(say("chance") if who == "*" else seat_name(game, who)), Text(text))
    out.print(table)
    if not everything:
        out.print(table_of(game, viewer))
    if game.over:
        out.print(result_table(game))
    else:
        assert game.seat is not None
        out.print(say("The game is not over; next decides {name}.", name=seat_name(game, game.seat)))


# ------------------------------------------------------------------------------------------------------ the table


def cards_text(pile: dict[str, Json]) -> str:
    """The cards of a pile: those the viewer knows, and how many others."""
    known = [card or "?" for card in pile["cards"]]
    hidden = pile["size"] - len(known)
    if hidden and known:
        return f"{' '.join(known)} + {hidden} ?"
    if hidden:
        return say("{n} face down", n=hidden)
    return " ".join(known) or "–"


def table_of(game: Game, viewer: int | None) -> RenderableType:
    """The table as a viewer sees it: a line a seat, the piles all share, the game's own numbers."""
    view = game.view(viewer)
    own = [pile for pile in game.rules.piles if pile.per_seat]
    shared = [pile for pile in game.rules.piles if not pile.per_seat]
    parts = (shared_piles(game, view, shared), seats_table(game, view, own), numbers(game, view))
    return Panel(
        Group(*[part for part in parts if part is not None]),
        title=words_of(game).title(),
        border_style="dim",
    )


def shared_piles(game: Game, view: dict[str, Json], piles: Sequence[Pile]) -> Table | None:
    """The piles of all, but for empty ones."""
    grid = Table.grid(padding=(0, 2))
    for pile in piles:
        cards = view["piles"][pile.name]
        if cards["size"]:
            grid.add_row(Text(words_of(game).pile(pile.name), style="dim"), Text(cards_text(cards), style="bold"))
    return grid if grid.row_count else None


def seats_table(game: Game, view: dict[str, Json], piles: Sequence[Pile]) -> Table:
    """A line a seat: whose turn it is, its number (as moves write it), the name, its piles, and the numbers of which
    every seat has one."""
    n = len(game.players)
    each = [name for name, value in fields(game, view).items() if isinstance(value, list) and len(value) == n]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for heading in ("", "", ""):
        table.add_column(heading)
    for heading in [words_of(game).pile(pile.name) for pile in piles] + [words_of(game).field(name) for name in each]:
        table.add_column(heading, overflow="fold")
    for seat in range(n):
        cells = [Text(cards_text(view["piles"][pile.name][seat])) for pile in piles]
        cells += [Text(number(view["state"][name][seat])) for name in each]
        mark = "▶" if view["seat"] == seat else ""
        style = "bold" if seat == view["viewer"] else ""
        table.add_row(mark, str(seat), Text(seat_name(game, seat)), *cells, style=style)
    return table


def numbers(game: Game, view: dict[str, Json]) -> Text | None:
    """The game's own numbers that are not one a seat."""
    seats = len(view["players"])
    rest = {k: v for k, v in fields(game, view).items() if not (isinstance(v, list) and len(v) == seats)}
    said = "   ".join(f"{words_of(game).field(name)} {number(value)}" for name, value in rest.items())
    return Text("\n" + said, style="dim") if said else None


def number(value: Json) -> str:
    """A number of the state: `?` when the viewer does not know it, a dash for nobody."""
    return "?" if value is None else "–" if value == NOBODY else str(value)


def fields(game: Game, view: dict[str, Json]) -> dict[str, Json]:
    """The fields of the state: all but those that the game's words hide (`phase = ""`), or that a game of our own has
    no words for."""
    own: dict[str, Json] = view["state"]
    hidden = (None, "") if game.rules.builtin else ("",)
    return {name: value for name, value in own.items() if words_of(game).get("fields", name) not in hidden}


def result_table(game: Game) -> Table:
    """How a game ended: places and points."""
    result, view = game.result, game.view(None, open_hands=True)
    assert result is not None
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(say("place"), justify="right")
    table.add_column(say("player"))
    table.add_column(say("points"), justify="right")
    for seat in sorted(range(len(game.players)), key=lambda seat: (result["ranks"][seat], seat)):
        style = "bold" if result["ranks"][seat] == 1 else ""
        points = score_told(game.rules, language(), view, seat, view)
        table.add_row(str(result["ranks"][seat]), Text(seat_name(game, seat)), points, style=style)
    if result["capped"]:
        table.caption = say("Ended by the cap on decisions.")
    return table




# ----------------------------------------------------------------------------------------------------- the doctor


def finding(found: Finding) -> None:
    """Print what one check came to; those that wait for others are told of at the end."""
    if found.waits:
        return
    marks = {"passed": ("✓", "green"), "failed": ("✗", "red"), "skipped": ("–", "dim")}
    mark, style = marks[found.verdict]
    out = console()
    verdict = {"passed": say("passed"), "failed": say("failed"), "skipped": say("skipped")}[found.verdict]
    name, sentence = Sentence(found.name).say(language()), found.sentence.say(language())
    line = Text.assemble((f"{mark} {verdict}  ", style), (name, "bold"), f"  {sentence}")
    out.print(line, soft_wrap=True)
    if found.record is not None:
        out.print(Text("  " + say("A record that shows it: {file}", file=found.record)), soft_wrap=True)


def verdict(report: Report) -> None:
    """Print what it all came to."""
    failed = [Sentence(found.name).say(language()) for found in report.findings if found.verdict == "failed"]
    if failed:
        names = ("、" if language() == "ja" else ", ").join(failed)
        waiting = sum(found.waits for found in report.findings)
        if waiting:
            told = say("{n} more checks wait until that is mended.", n=waiting)
            console().print(Text(told, style="dim"), soft_wrap=True)
        console().print(Text(say("Not in order: {names}.", names=names), style="bold red"), soft_wrap=True)
    else:
        console().print(Text(say("All in order."), style="bold green"))
