"""What Python says of a slip in a maker's file, in plainer words and in both languages."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tefuda.engine.sentence import Sentence

PYTHON = (
    (r"SyntaxError: expected ':'", "a colon (:) is missing at the end of the line"),
    (
        r"SyntaxError: invalid non-printable character U\+3000",
        "a full-width space stands here; Python takes plain ones",
    ),
    (
        r"SyntaxError: invalid character '(?P<sign>.)' .*",
        "the character {sign} does not belong here; Python takes those of an English keyboard",
    ),
    (r"SyntaxError: '(?P<sign>.)' was never closed", "the bracket {sign} is never closed"),
    (r"SyntaxError: unmatched '(?P<sign>.)'", "the bracket {sign} closes nothing"),
    (r"SyntaxError: unterminated .*", "a text does not end: a quotation mark is missing"),
    (r"SyntaxError: invalid syntax\. Maybe you meant '=='.*", "a comparison is written ==, not ="),
    (r"SyntaxError: invalid syntax\. Perhaps you forgot a comma\?", "Python cannot read this; a comma may be missing"),
    (r"SyntaxError: invalid syntax.*", "Python cannot read this"),
    (r"SyntaxError: 'return' outside function", "a `return` stands outside of a function"),
    (r"IndentationError: expected an indented block.*", "what belongs to the line before must be indented"),
    (r"(?:IndentationError|TabError): .*", "the indentation does not fit that of the lines before"),
    (r"(?:NameError|UnboundLocalError): name '(?P<name>\w+)' is not defined.*", "the name {name} is not defined"),
    (
        r"UnboundLocalError: cannot access local variable '(?P<name>\w+)'.*",
        "the variable {name} is used before anything is put into it",
    ),
    (r"AttributeError: 'T' object has no attribute '(?P<name>\w+)'.*", "there is no option and no table {name}"),
    (
        r"AttributeError: '(?P<kind>\w+)' object has no attribute '(?P<name>\w+)'.*",
        "something of the kind {kind} stands where one with {name} is wanted",
    ),
    (
        r"TypeError: (?P<name>\w+)\(\) missing \d+ required positional arguments?: (?P<missing>.*)",
        "{name}(…) is called without {missing}",
    ),
    (
        r"TypeError: (?P<name>\w+)\(\) takes (?P<takes>.*) positional arguments? but (?P<given>\d+) (?:was|were) given",
        "{name}(…) takes {takes} values and is given {given}",
    ),
    (
        r"TypeError: (?P<name>\w+)\(\) got an unexpected keyword argument '(?P<word>\w+)'.*",
        "{name}(…) takes no {word}=",
    ),
    (
        r"TypeError: '(?P<kind>\w+)' object is not iterable",
        "one {kind} stands where several things are gone through",
    ),
    (
        r"ValueError: too many values to unpack \(expected (?P<n>\d+).*",
        "there are more values than the {n} names they are given to",
    ),
    (
        r"ValueError: not enough values to unpack \(expected (?P<n>\d+), got (?P<given>\d+).*",
        "there are {given} values for {n} names",
    ),
    (r"IndexError: (?:list|tuple|string) index out of range", "there is no such place in it"),
    (r"ZeroDivisionError: .*", "nothing can be divided by 0"),
)
"""How Python begins to say something, and what it comes to; the groups are its places."""

TOML = (
    (r"Invalid value", "this is no value; a text stands in quotation marks"),
    (r"Cannot (?:overwrite a value|declare .* twice)", "this name stands there twice"),
    (r"Invalid statement", "a line is a name, = and a text; a name of other letters stands in quotation marks"),
    (r"Expected '=' after a key.*", "a = is missing behind a name"),
    (r"Expected '\]' at the end of a table declaration", "a section is written [name], with both brackets"),
    (r"Unterminated string|Illegal character '\\n'", "a text does not end: a quotation mark is missing"),
    (r"Expected newline or end of document after a statement", "something stands behind the end of a text"),
)
"""The same of files of words."""


def plainer(message: str, table: Sequence[tuple[str, str]]) -> Sentence | None:
    """What a message comes to by a table of patterns; None where none knows it."""
    for pattern, english in table:
        found = re.fullmatch(pattern, message, re.DOTALL)
        if found:
            return Sentence(english, **found.groupdict())
    return None


def of_python(error: BaseException) -> Sentence | None:
    """What an error of Python's own comes to; None where it is none of those makers meet."""
    said = error.msg if isinstance(error, SyntaxError) else str(error)
    return plainer(f"{type(error).__name__}: {said}", PYTHON)


def of_toml(message: str) -> Sentence | None:
    """What a parser of TOML says, with the line; None where it is not known."""
    found = re.fullmatch(r"(?P<said>.*) \(at line (?P<line>\d+), column \d+\)", message, re.DOTALL)
    if found is None:
        return None
    reason = plainer(found["said"], TOML)
    return None if reason is None else Sentence("line {line}: {reason}", line=found["line"], reason=reason)


__all__ = ["of_python", "of_toml", "plainer"]
