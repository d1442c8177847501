"""What a compiler has to say about a rules file, in words and with the maker's own line."""

from __future__ import annotations

import re

from tefuda.engine.rules import Rules

_LINE = re.compile(r"tefuda_jit_rules_\w+\.py(?:\", line | \()(\d+)")
_QUOTED = re.compile(r"[\"'](\w+)[\"']")
_NOISE = ("Failed in nopython", "During:", "raised from", "There are", "For Numba", "File ", "- Res", "- of which", "^")

_PLAINER = (
    (r"NameError: name '(\w+)' is not defined", r"the name \1 is not defined"),
    (r"Untyped global name '(\w+)'.*", r"\1 is something that compiled rules cannot use; give it to them by `tables`"),
    (r"Unknown attribute '(\w+)' of type T\(.*", r"there is no option and no table \1"),
    (r"Unknown attribute '(\w+)' of type Record.*", r"the state has no field \1"),
    (r"Cannot cast .*Literal\[str\].*", r"a field of the state holds whole numbers, not a text"),
    (r"Cannot infer the type of variable '(\w+)'.*list\(undefined\).*", r"\1 = []: an empty list has no type yet"),
    (r".*Optional(?:Type)?\(.*", r"a variable is None in one case and a number in another; use NO_CARD or NOBODY"),
    (r"Cannot unify (.*?) and (.*?) for '(\w+?)(?:\.\d+)?'.*", r"\3 is of one type here (\1) and another there (\2)"),
)


def compile_error(error: BaseException, rules: Rules) -> str:
    """Why rules cannot be compiled: the file, the line where it can be told, and the gist.

    `error` is whatever compiling or first calling them raised (numba's errors, mostly)."""
    text = str(error)
    gist = _gist(text, error)
    line = _LINE.search(text)
    number = int(line[1]) if line else _line_of_a_name(gist, rules.source)
    lines = rules.source.splitlines()
    if number is None or number > len(lines):
        return f"{rules.path}: {gist}"
    return f"{rules.path}, line {number}: {gist}: {lines[number - 1].strip()}"


def _gist(text: str, error: BaseException) -> str:
    if isinstance(error, KeyError):
        return f"the state has no field {error.args[0]!r}"
    said = [line.strip() for line in text.splitlines()]
    said = [line for line in said if line and not line.startswith(_NOISE)]
    for line in said:
        for pattern, plainer in _PLAINER:
            found = re.fullmatch(pattern, line)
            if found:
                return found.expand(plainer)
    return f"{said[0]} (in compiled rules)" if said else type(error).__name__


def _line_of_a_name(gist: str, source: str) -> int | None:
    """The first line with a name that the gist speaks of: numba does not always say where it was."""
    for name in [*_QUOTED.findall(gist), *re.findall(r"the name (\w+) is not|no option and no table (\w+)", gist)]:
        word = name if isinstance(name, str) else "".join(name)
        for number, line in enumerate(source.splitlines(), 1):
            if re.search(rf"\b{re.escape(word)}\b", line):
                return number
    return None
