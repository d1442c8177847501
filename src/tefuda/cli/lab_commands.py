"""The subcommands of the lab: `lab`, `compare` and `label`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tefuda.cli.arguments import (
    AsJson,
    GameName,
    option_range,
    option_value,
    print_json,
    rules_of,
    seats_of,
)
from tefuda.cli.complaints import FAILED, Complaint, bare, capital
from tefuda.cli.frame import Command, examples
from tefuda.cli.words import say

if TYPE_CHECKING:
    from tefuda.engine.rules import Rules
    from tefuda.lab import Plan, Study

SeatCounts = Annotated[
    str | None,
    typer.Option(
        "--seats", metavar="N", help="How many play: 4, 2-5, 2,4 or all; the fewest the game allows unless told."
    ),
]
LabSeed = Annotated[int, typer.Option("--seed", metavar="S", help="A number; the same one plays the same games again.")]
SeveralOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=VALUES",
        help="An option of the game; several values with commas between are all tried. Repeatable.",
    ),
]
Threads = Annotated[
    int | None, typer.Option("--threads", metavar="T", min=1, help="How many threads play; one a core unless told.")
]
Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="DIR", help="Study it at every level of play; the report goes into this folder."),
]
Reports = Annotated[
    Path | None,
    typer.Option("--people", metavar="FILE", help="Games of people (JSON), to stand in the report beside the bots."),
]


def add_to(app: typer.Typer) -> None:
    """Make the subcommands known."""
    app.command(
        cls=Command,
        epilog=examples(
            "tefuda lab leaves13 --seats 4 --games 200000",
            "tefuda lab leaves13 --bots search:1000,random,random --rotate",
            "tefuda lab misohitomoji --seats 2-5 --option limit=21,31,41 --out report",
            "tefuda lab mygame.py --until 0.01",
        ),
    )(lab)
    app.command(
        cls=Command,
        epilog=examples(
            "tefuda compare misohitomoji reverse=turn reverse=once",
            "tefuda compare leaves13 expert=false expert=true --seats 4 --bots search:100",
        ),
    )(compare)
    app.command(
        cls=Command,
        epilog=examples("tefuda label leaves13", "tefuda label mygame.py --games 8000 --out label.svg"),
    )(label)


def lab(
    game: GameName,
    seats: SeatCounts = None,
    games: Annotated[
        int,
        typer.Option(
            metavar="M", min=1, max=100_000_000,
            help="How many games. With --out: by random players, others play fewer.",
        ),
    ] = 1000,
    bots: Annotated[
        list[str] | None,
        typer.Option(
            "--bots", metavar="BOTS",
            help="One bot for all seats, or one for each with commas between. With --out repeatable: levels of play.",
        ),
    ] = None,
    seed: LabSeed = 0,
    option: SeveralOptions = None,
    decisions: Annotated[
        int | None,
        typer.Option(metavar="M", min=1, help="With --out: of how many games at each level every decision is kept."),
    ] = None,
    until: Annotated[
        float | None,
        typer.Option(metavar="X", min=0, help="Stop as soon as the win shares are known to X to each side (0.01)."),
    ] = None,
    out: Out = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what is in the folder of --out.")] = False,
    people: Reports = None,
    records: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write records of the first games into this folder.")
    ] = None,
    keep: Annotated[int, typer.Option(metavar="K", min=1, help="How many records.")] = 10,
    rotate: Annotated[
        bool, typer.Option("--rotate", help="Play each deal once with every bot in every seat.")
    ] = False,
    threads: Threads = None,
    as_json: AsJson = False,
) -> None:
    """Play many games between bots and tell what came of them, with 95 % intervals."""
    found = rules_of(game)
    settings = settings_of(found, seats, option)
    if out is None:
        if resume:
            raise Complaint(say("--resume goes on with what is in a folder: name it with --out."))
        if people is not None:
            raise Complaint(say("--people stands in a report: name its folder with --out."))
        if decisions is not None:
            raise Complaint(say("--decisions are kept in a folder: name it with --out."))
        if len(bots or []) > 1:
            raise Complaint(say("Several --bots are levels of play, for a report: name its folder with --out."))
        text = bots[0] if bots else "random"
        for n, options in settings:
            one_line_up(found, n, options, text, games, seed, until, records, keep, rotate, threads, as_json)
        return
    if records is not None or rotate:
        raise Complaint(say("--records and --rotate do not go with --out, whose report has its own."))
    from dataclasses import replace

    from tefuda import lab as library

    plan = library.Plan.of(games)
    if decisions is not None:
        plan = replace(plan, kept=decisions)
    study = study_of(found, settings, bots, plan, seed, until, people)
    into_folder(study, out, resume, threads, as_json)


def compare(
    game: GameName,
    variants: Annotated[
        list[str],
        typer.Argument(
            metavar="VARIANT…", show_default=False,
            help="Two variants or more: options as NAME=VALUE, several joined by + (expert=true+target=30).",
        ),
    ],
    seats: SeatCounts = None,
    games: Annotated[int, typer.Option(metavar="M", min=2, help="How many games of each variant.")] = 2000,
    bots: Annotated[
        str, typer.Option(metavar="BOTS", help="One bot for all seats, or one for each with commas between.")
    ] = "random",
    seed: LabSeed = 0,
    threads: Threads = None,
    as_json: AsJson = False,
) -> None:
    """Play variants of a game on the same deals and tell, in sentences, what differs."""
    from tefuda.cli import show_lab
    from tefuda.lab import compare as comparing

    found = rules_of(game)
    if len(variants) < 2:
        example = other_value(found)
        if example is None:
            raise Complaint(say("Two variants are compared, and {game} has no options.", game=found.id))
        raise Complaint(say("Two variants are compared: name a second one, as in {example}.", example=example))
    for n in seat_counts(found, seats):
        chosen = [variant_of(found, text, n) for text in variants]
        line_up = line_up_of(bots, n, found)
        with show_lab.progress(games * len(variants)) as progress:
            result = comparing.compare(found, n, variants, chosen, line_up, games, seed, threads, progress)
        if as_json:
            print_json(result.data())
        else:
            show_lab.comparison(result)


def label(
    game: GameName,
    games: Annotated[
        int,
        typer.Option(
            metavar="M", min=100, help="The most games at each number of players; fewer where fewer decide it."
        ),
    ] = 2000,
    seed: LabSeed = 0,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write it as a picture (SVG) into this file.")
    ] = None,
    threads: Threads = None,
    as_json: AsJson = False,
) -> None:
    """Propose what to write on the box: players, minutes and age, with the reasons."""
    from tefuda.cli import show_lab
    from tefuda.cli.words import language
    from tefuda.lab import label as labels
    from tefuda.lab.deciding import decide

    found = rules_of(game)
    proposed = decide(found, lambda study: run_with_progress(study, None, False, threads), games, seed)
    if out is not None:
        out.write_text(labels.svg(found, proposed, language()), encoding="utf-8")
    if as_json:
        print_json(proposed.data())
    else:
        show_lab.label(found, proposed)
        if out is not None:
            show_lab.console().print(say("The label is in {file}.", file=out), soft_wrap=True)


# ------------------------------------------------------------------------------------------------- what is asked for


def seat_counts(rules: Rules, text: str | None) -> list[int]:
    """The numbers of players that a text names: `4`, `2-5`, `2,4`, `all`; the fewest of the game when there is none."""
    if text is None:
        return [rules.least_seats]
    if text == "all":
        return list(range(rules.least_seats, rules.most_seats + 1))
    out: list[int] = []
    for piece in text.split(","):
        low, dash, high = piece.strip().partition("-")
        if not low.isdecimal() or (dash and not high.isdecimal()):
            raise Complaint(say("--seats is a number or a range, as 4, 2-5, 2,4 or all, not {text!r}.", text=text))
        out += range(int(low), int(high if dash else low) + 1)
    for n in out:
        seats_of(rules, n)
    if not out:
        raise Complaint(say("--seats is a number or a range, as 4, 2-5, 2,4 or all, not {text!r}.", text=text))
    return list(dict.fromkeys(out))


def settings_of(
    rules: Rules, seats: str | None, given: list[str] | None
) -> tuple[tuple[int, Mapping[str, Any]], ...]:
    """Every seat count with every choice of options."""
    from tefuda.lab import settings_of as settings

    values = dict(values_of(rules, text) for text in given or [])
    return settings(rules, seat_counts(rules, seats), values)


def values_of(rules: Rules, text: str) -> tuple[str, list[Any]]:
    """An option and the values it is to take, from NAME=VALUE or NAME=VALUE,VALUE."""
    from tefuda.engine.rules import option_problem

    name, equals, value = text.partition("=")
    if not equals:
        raise Complaint(say("{text!r} is no option: write it as NAME=VALUE.", text=text))
    if name not in rules.declared_options:
        known = ", ".join(rules.declared_options) or say("none")
        message = "{game} has no option {name!r}; its options: {known}."
        raise Complaint(say(message, game=rules.id, name=name, known=known))
    declared = rules.declared_options[name]
    whole = option_value(value)
    if not option_problem(declared, whole) and not (isinstance(whole, str) and "," in whole):
        return name, [whole]
    several = [option_value(piece) for piece in value.split(",")]
    for piece, each in zip(value.split(","), several, strict=True):
        if option_problem(declared, each):
            takes = option_range(declared)
            raise Complaint(say("The option {name} takes {takes}, not {value!r}.", name=name, takes=takes, value=piece))
    return name, several


def variant_of(rules: Rules, text: str, seats: int) -> dict[str, Any]:
    """The options of a variant, written NAME=VALUE+NAME=VALUE."""
    out: dict[str, Any] = {}
    for piece in text.split("+"):
        name, values = values_of(rules, piece)
        if len(values) > 1:
            raise Complaint(say("{text!r} names several values; a variant has one of each option.", text=piece))
        out[name] = values[0]
    return rules.options(out, seats)


def other_value(rules: Rules) -> str | None:
    """An option of the game with a value that is not the usual one, as it is written; None when there is none."""
    from tefuda.engine.declare import Choice, Flag, Range

    for name, option in rules.declared_options.items():
        values: list[Any] = []
        if isinstance(option, Flag):
            values = ["false" if option.default else "true"]
        elif isinstance(option, Choice):
            values = [each for each in option.texts if each != option.default]
        elif isinstance(option, Range):
            values = [each for each in range(option.low, option.high + 1) if each != option.default]
        if values:
            return f"{name}={values[0]}"
    return None


def line_up_of(text: str, seats: int, rules: Rules) -> list[Any]:
    """A bot for every seat; a complaint when the text names none, or one that searches by the clock."""
    from tefuda.bots import BotError, parse_seats
    from tefuda.lab import cell

    try:
        bots = parse_seats(text, seats, rules)
        cell(rules, seats, bots)
    except BotError as e:
        raise Complaint(capital(bare(e))) from e
    return bots


def study_of(
    rules: Rules,
    settings: tuple[tuple[int, Mapping[str, Any]], ...],
    bots: list[str] | None,
    plan: Plan,
    seed: int,
    until: float | None,
    people: Path | None,
) -> Study:
    """What is to be studied."""
    from dataclasses import replace

    from tefuda import lab as library

    levels = tuple(bots) if bots else library.levels_of(rules)
    for level in levels:
        for seats, _ in settings:
            line_up_of(level, seats, rules)
    reports = play_reports(people) if people is not None else ()
    return library.Study(rules, settings, levels, replace(plan, until=until), seed, reports)


def play_reports(file: Path) -> tuple[Any, ...]:
    """The games of people in a JSON file."""
    from tefuda.lab.people import from_json

    try:
        return from_json(file.read_text(encoding="utf-8"))
    except OSError as e:
        raise Complaint(say("The file {file!r} cannot be read: {why}.", file=str(file), why=e.strerror or e)) from e
    except ValueError as e:
        raise Complaint(say("The file {file!r} holds no games of people: {why}.", file=str(file), why=e)) from e


# ------------------------------------------------------------------------------------------------------ doing it


def one_line_up(
    rules: Rules, seats: int, options: Mapping[str, Any], bots: str, games: int, seed: int, until: float | None,
    records: Path | None, keep: int, rotate: bool, threads: int | None, as_json: bool,
) -> None:  # fmt: skip
    """Play one setting with one line-up, and print what came of it."""
    from tefuda import lab as library
    from tefuda.cli import show_lab

    line_up = line_up_of(bots, seats, rules)
    with show_lab.progress(games) as progress:
        results = library.play_games(
            rules, seats, games, line_up, options, seed, threads=threads, keep=keep if records else 0, rotate=rotate,
            until=until, progress=progress,
        )  # fmt: skip
    try:
        first = {str(n): n for n in range(min(keep, results.games))}
        written = list(library.save_records(results.rows, first, records).values()) if records else []
    except library.ReplayError as e:
        raise Complaint(capital(bare(e)), FAILED) from e
    if as_json:
        print_json(results.data() | {"records": [str(path) for path in written]})
    else:
        show_lab.results(results)
        if written:
            told = say("{n} records are in {folder}.", n=len(written), folder=records)
            show_lab.console().print(told, soft_wrap=True)


def into_folder(study: Study, folder: Path, resume: bool, threads: int | None, as_json: bool) -> None:
    """Run a study and write all that comes of it into a folder."""
    from tefuda import lab as library
    from tefuda.cli import show_lab
    from tefuda.cli.words import language

    try:
        library.prepare(study, folder, resume)
    except library.FolderError as e:
        if e.why == "holds":
            message = "The folder {folder} holds a study already; --resume goes on with it."
        elif e.why == "none":
            message = "The folder {folder} holds no study that could be gone on with."
        else:
            message = "The study in {folder} was asked otherwise; go on with the same game, settings and seed."
        raise Complaint(say(message, folder=folder)) from e
    finished = run_with_progress(study, folder, resume, threads)
    files = library.write_all(finished, folder, language())
    if as_json:
        print_json({"files": [str(file) for file in files]} | finished.summary)
    else:
        show_lab.study(finished, folder / "report.html")


def run_with_progress(study: Study, folder: Path | None, resume: bool, threads: int | None) -> Any:
    """Run a study with a bar that says what is being done and how long it will take."""
    from tefuda import lab as library
    from tefuda.cli import show_lab

    with show_lab.study_progress() as progress:
        try:
            return library.run(study, folder, threads=threads, resume=resume, progress=progress)
        except library.ReplayError as e:
            raise Complaint(capital(bare(e)), FAILED) from e
