"""What several subcommands ask: arguments, and what is made of them."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tefuda.cli.complaints import Complaint
from tefuda.cli.words import LANGUAGES, say, speak

if TYPE_CHECKING:
    from tefuda.engine.rules import Rules

def speak_if_told(lang: str | None) -> str | None:
    """Change the language as soon as `--lang` is read, so that the rest of the help or of the errors is in it."""
    if lang is not None:
        if lang not in LANGUAGES:
            raise Complaint(say("There is no language {lang!r}; choose one of: {known}.", lang=lang, known="ja, en"))
        speak(lang)
    return lang


def print_version(wanted: bool) -> None:
    """Answer `--version`."""
    if wanted:
        import tefuda

        print(f"tefuda {tefuda.__version__}")
        raise typer.Exit


Lang = Annotated[
    str | None,
    typer.Option("--lang", metavar="ja|en", is_eager=True, callback=speak_if_told, help="The language spoken."),
]
AsJson = Annotated[bool, typer.Option("--json", help="JSON for programs instead of text for people.")]
GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's name, or a rules file.", show_default=False)]
Seats = Annotated[
    int | None, typer.Option(metavar="N", help="How many play; the fewest the game allows unless told.")
]
Seed = Annotated[int | None, typer.Option(metavar="S", help="A number; the same one deals the same cards again.")]
GameOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option", metavar="NAME=VALUE", help="An option of the game: JSON, @file.json or a word. Repeatable."
    ),
]


def rules_of(game: str) -> Rules:
    """The rules of a game by name, or of a rules file; a complaint that lists the games when there is no such."""
    from tefuda.engine.rules import UnknownGameError, find, game_ids

    try:
        return find(game)
    except UnknownGameError as e:
        if game.endswith(".py"):
            raise Complaint(say("There is no file {file!r}.", file=game)) from e
        known = ", ".join(game_ids())
        message = "There is no game {game!r}; the games: {known}, or give the path of a rules file."
        raise Complaint(say(message, game=game, known=known)) from e


def options_of(rules: Rules, given: list[str] | None, seats: int | None = None) -> dict[str, Any]:
    """The options of a game from `NAME=VALUE` texts, each checked against what the rules declare."""
    from tefuda.engine.rules import option_problem

    out: dict[str, Any] = {}
    for text in given or []:
        name, equals, value = text.partition("=")
        if not equals:
            raise Complaint(say("{text!r} is no option: write it as NAME=VALUE.", text=text))
        if name not in rules.declared_options:
            known = ", ".join(rules.declared_options) or say("none")
            raise Complaint(
                say("{game} has no option {name!r}; its options: {known}.", game=rules.id, name=name, known=known)
            )
        out[name] = option_value(value)
        if option_problem(rules.declared_options[name], out[name]):
            takes = option_range(rules.declared_options[name])
            raise Complaint(say("The option {name} takes {takes}, not {value!r}.", name=name, takes=takes, value=value))
    return rules.options(out, seats)


def option_value(text: str) -> Any:
    """An option's value: what a JSON file holds (`@file.json`), JSON, or else the bare word."""
    if text.startswith("@"):
        try:
            return json.loads(Path(text[1:]).read_text(encoding="utf-8"))
        except OSError as e:
            raise Complaint(say("The file {file!r} cannot be read: {why}.", file=text[1:], why=e.strerror or e)) from e
        except ValueError as e:
            raise Complaint(say("The file {file!r} does not hold JSON: {why}.", file=text[1:], why=e)) from e
    try:
        return json.loads(text)
    except ValueError:
        return text


def option_range(option: Any) -> str:
    """What an option takes, in words."""
    from tefuda.engine.declare import Choice, Data, Flag, Range

    if isinstance(option, Flag):
        return say("true or false")
    if isinstance(option, Choice):
        return say(" or ").join(option.texts)
    if isinstance(option, Range):
        whole = say("a whole number from {low} to {high}", low=option.low, high=option.high)
        return whole + say(" or ") + "null" if option.none else whole
    assert isinstance(option, Data)
    return "JSON"


def seats_of(rules: Rules, seats: int | None) -> int:
    """How many play: the fewest the game allows, unless told."""
    if seats is None:
        return int(rules.least_seats)
    if not rules.least_seats <= seats <= rules.most_seats:
        raise Complaint(
            say(
                "{game} is for {low} to {high} players, not {seats}.",
                game=rules.id, low=rules.least_seats, high=rules.most_seats, seats=seats,
            )
        )
    return seats


def print_json(data: Any) -> None:
    """One line of JSON on standard output. What JSON has no word for (an interval without end) is null."""
    print(json.dumps(finite(data), ensure_ascii=False, allow_nan=False))


def finite(data: Any) -> Any:
    """The data with None in place of infinity and of what is no number."""
    if isinstance(data, float) and not math.isfinite(data):
        return None
    if isinstance(data, dict):
        return {key: finite(value) for key, value in data.items()}
    return [finite(value) for value in data] if isinstance(data, list) else data
