"""The frame of the command line: help in two languages, and errors in words instead of tracebacks."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from tefuda.cli.complaints import INTERRUPTED, told
from tefuda.cli.words import HELP_WORDS, language, of_environment, say, speak


def translate(formatter: Any) -> None:
    """Put the fixed words of a help page, which come from Typer, into the language spoken."""
    if language() == "ja":
        text = formatter.getvalue()
        for english, japanese in HELP_WORDS:
            text = text.replace(english, japanese)
        formatter.buffer[:] = [text]


def translate_texts(command: Any) -> None:
    """Put the help texts of a command and its parameters into the language spoken."""
    for thing in (command, *command.params):
        if getattr(thing, "help", None):
            thing.help = say(thing.help)


class Command(TyperCommand):
    """One subcommand."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help page in the language spoken."""
        translate_texts(self)
        super().format_help(ctx, formatter)
        translate(formatter)


class Commands(TyperGroup):
    """`tefuda` itself."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help page in the language spoken."""
        translate_texts(self)
        for command in self.commands.values():
            translate_texts(command)
        super().format_help(ctx, formatter)
        translate(formatter)

    def main(self, args: Sequence[str] | None = None, *more: Any, **extra: Any) -> Any:
        """Run a command line to its end and leave with its exit code."""
        given = list(sys.argv[1:] if args is None else args)
        speak(of_environment())
        extra["standalone_mode"] = False
        try:
            code = super().main(given, *more, **extra)
        except (KeyboardInterrupt, typer.Abort):
            code = INTERRUPTED
        except BrokenPipeError:  # whoever read our output has heard enough
            sys.stdout = None
            code = 0
        except Exception as error:
            if "--debug" in given:
                raise
            message, code = told(error)
            print(message, file=sys.stderr)
        sys.exit(code if isinstance(code, int) else 0)


def examples(*lines: str) -> str:
    """The end of a help page: commands to try."""
    return "\b\nExamples:\n" + "\n".join("  " + line for line in lines)
