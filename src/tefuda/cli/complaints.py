"""What the command line says when something is wrong: a sentence or two, and an exit code. No traceback."""

from __future__ import annotations

import re

from tefuda.cli.words import TYPER_SAYS, language, say
from tefuda.engine.sentence import words_of

FAILED = 1
"""The exit code when a check failed, or a file is not what it should be."""

USAGE = 2
"""The exit code when the command was given something it does not take."""

INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it."""


class Complaint(Exception):
    """Something a person should know and can put right. `code` is the exit code."""

    def __init__(self, message: str, code: int = USAGE) -> None:
        super().__init__(message)
        self.code = code


def told(error: Exception) -> tuple[str, int]:
    """An error in words, with the exit code that goes with it."""
    if isinstance(error, Complaint):
        return str(error), error.code
    usage = getattr(error, "format_message", None)  # Typer's own errors, whichever Click they come from
    if usage is not None:
        return plainer(usage()), getattr(error, "exit_code", USAGE)
    import tefuda

    if isinstance(error, tefuda.UnknownGameError | tefuda.OptionError):
        return capital(bare(error)), USAGE
    if isinstance(error, tefuda.RecordError):
        return say("The record is refused: {reason}.", reason=bare(error)), FAILED
    if isinstance(error, tefuda.RulesError):
        return wrong_rules(error), FAILED
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return say("The system refuses: {reason}.", reason=where + (error.strerror or str(error))), FAILED
    what = f"{type(error).__name__}: {bare(error)}"
    return say("Something went wrong inside Tefuda ({what}). `tefuda --debug …` shows where.", what=what), FAILED


def wrong_rules(error: Exception) -> str:
    """What is wrong with rules, with the maker's line where it can be told, and how to learn more."""
    from tefuda.engine.rules import CompiledRulesError

    if not isinstance(error, CompiledRulesError):
        return say("The rules file is wrong: {reason}.", reason=bare(error))
    from tefuda.check.compile_errors import compile_error

    assert error.__cause__ is not None
    reason = compile_error(error.__cause__, error.rules).say(language()).rstrip(".:。：")
    file = error.rules.path
    return say("The rules file is wrong: {reason}. `tefuda check {file}` tells more.", reason=reason, file=file)


def bare(error: Exception) -> str:
    """The message of an error in the language spoken, to be put into a sentence."""
    return words_of(error, language()).rstrip(".。")


def capital(sentence: str) -> str:
    """The sentence with a capital first letter and a full stop."""
    return sentence[:1].upper() + sentence[1:].rstrip(".。") + ("。" if language() == "ja" else ".")


def plainer(message: str) -> str:
    """What Typer says of a wrong command line, in plain words of the language spoken."""
    for pattern, english, japanese in TYPER_SAYS:
        found = re.fullmatch(pattern, message, re.DOTALL)
        if found:
            return (japanese if language() == "ja" else english).format(*found.groups())
    return message
