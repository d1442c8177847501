"""What a compiler has to say about a rules file, in words and with the maker's own line."""

from __future__ import annotations

import re

from tefuda.engine.plainer import plainer
from tefuda.engine.rules import Rules, line_of
from tefuda.engine.sentence import Sentence

_LINE = re.compile(r"tefuda_jit_rules_\w+\.py(?:\", line | \()(\d+)")
_QUOTED = re.compile(r"[\"'](\w+)[\"']")
_NOISE = ("Failed in nopython", "During:", "raised from", "There are", "For Numba", "File ", "- Res", "- of which", "^")

PLAINER = (
    (r"NameError: name '(?P<name>\w+)' is not defined", "the name {name} is not defined"),
    (
        r"Untyped global name '(?P<name>\w+)'.*",
        "{name} is something that compiled rules cannot use; give it to them by `tables`",
    ),
    (r"Unknown attribute '(?P<name>\w+)' of type T\(.*", "there is no option and no table {name}"),
    (r"Unknown attribute '(?P<name>\w+)' of type Record.*", "the state has no field {name}"),
    (r"Use of unsupported opcode \(IMPORT_NAME\).*", "an import stands in a function; import at the top of the file"),
    (
        r"Use of unsupported opcode \(STORE_GLOBAL\).*",
        "a function changes a name of the file (global); put it into a field of the state",
    ),
    (r"Use of unsupported opcode \((?P<opcode>\w+)\).*", "compiled rules cannot do this ({opcode})"),
    (r"Invalid use of BoundFunction\(list\.append for .*", "a list holds things of one kind only"),
    (r"Cannot cast none to .*", "a field of the state holds whole numbers, not None; use NO_CARD or NOBODY"),
    (r"Cannot cast .*Literal\[str\].*", "a field of the state holds whole numbers, not a text"),
    (
        r"Cannot infer the type of variable '(?P<name>\w+)'.*list\(undefined\).*",
        "{name} = []: an empty list has no type yet",
    ),
    (
        r".*Optional(?:Type)?\(.*|expected \w+, got None",
        "a variable is None in one case and a number in another; use NO_CARD or NOBODY",
    ),
    (
        r"Cannot unify (?P<one>.*?) and (?P<two>.*?) for '(?P<name>\w+?)(?:\.\d+)?'.*",
        "{name} is of one type here ({one}) and another there ({two})",
    ),
)
"""How the compiler begins to say something, and what it comes to; the groups are its places."""


def compile_error(error: BaseException, rules: Rules) -> Sentence:
    """Why rules cannot be compiled: the file, the line where it can be told, and the gist.

    `error` is whatever compiling or first calling them raised (numba's errors, mostly)."""
    text = str(error)
    gist = _gist(text, error)
    line = _LINE.search(text)
    number = int(line[1]) if line else _line_of_a_name(str(gist), rules.source)
    lines = rules.source.splitlines()
    if number is None or number > len(lines):
        return Sentence("{where}: {reason}", where=rules.path, reason=gist)
    code = lines[number - 1].strip()
    return Sentence("{where}: {reason}: {code}", where=line_of(rules.path, number), reason=gist, code=code)


def _gist(text: str, error: BaseException) -> Sentence | str:
    if isinstance(error, KeyError):
        return Sentence("the state has no field {name!r}", name=error.args[0])
    said = [line.strip() for line in text.splitlines()]
    said = [line for line in said if line and not line.startswith(_NOISE)]
    for line in said:
        known = plainer(line, PLAINER)
        if known is not None:
            return known
    if not said:
        return type(error).__name__
    return Sentence("{said} (in compiled rules)", said=Sentence(said[0]))  # the engine's own are known in Japanese


def _line_of_a_name(gist: str, source: str) -> int | None:
    """The first line with a name that the gist speaks of: numba does not always say where it was."""
    for name in [*_QUOTED.findall(gist), *re.findall(r"the name (\w+) is not|no option and no table (\w+)", gist)]:
        word = name if isinstance(name, str) else "".join(name)
        for number, line in enumerate(source.splitlines(), 1):
            if re.search(rf"\b{re.escape(word)}\b", line):
                return number
    return None
