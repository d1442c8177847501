"""What a rules file must say, and what it may not: looked over once, when it is loaded.

Much of it is what Python itself would let pass: a function whose name is spelt wrongly and that nothing calls, an
option compared with a text though rules see it as a number, points that are returned and not written."""

from __future__ import annotations

import ast
import difflib
import re
import types
from collections.abc import Mapping, Sequence
from typing import Any

from tefuda.engine import loader
from tefuda.engine.declare import MOST_SEATS, Card, Choice, Data, Flag, Kind, Number, Range
from tefuda.engine.sentence import Sentence, ToldError

NEEDED = ("INFO", "PILES", "CARDS", "State", "MOVES", "deal", "legal", "apply", "is_over", "scores")
"""What every rules file must define (CARDS may be a function `cards(options)`)."""

NOTHING_COMES_BACK = frozenset({"deal", "legal", "apply", "advance", "also_people", "at_cap", "scores", "ranks"})
"""Functions that write what they find into what they are given; what they return is not looked at."""

HOOKS = NOTHING_COMES_BACK | {"is_over", "estimate", "truth", "vocabulary", "common", *loader.NOT_COMPILED}
"""The functions of a rules file that others call."""

INFO = frozenset(
    {"id", "title", "author", "seats", "deck", "rules", "options", "lid", "claims", "card_groups", "declares"}
)
"""What a rules file may say of the game as a whole."""

LID = {"sign", "colour", "band"}
"""What a rules file may say of the lid of its box."""

COLOURS = ("green", "gold", "blue", "red", "orange", "black", "purple", "teal")
"""The colours of lids."""

CLAIMS = {"minutes", "age", "complexity", "strategy", "luck", "interaction"}
"""What a rules file may say of the game that the lab measures, too."""


class WrongRulesError(ToldError):
    """A rules file says what it may not. `line`: where, if that is one line of it."""

    def __init__(self, english: str, /, line: int | None = None, **values: object) -> None:
        super().__init__(english, **values)
        self.line = line


def look_over(m: types.ModuleType, source: str) -> None:
    """Look over a rules file, loaded as the module `m` from this text. WrongRulesError for the first fault."""
    tree = ast.parse(source)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    _check_names(m, tree, functions)
    for name, node in functions.items():
        _check_function(name, node, functions)
    _check_piles(m, tree)
    _check_info(m.INFO)
    _check_seats(m)
    _check_moves(m)
    _check_options(m)


def check_kinds(kinds: Sequence[Kind], groups: Mapping[str, Sequence[str]]) -> None:
    """Look over the kinds of cards that a rules file names. WrongRulesError for the first fault."""
    names: set[str] = set()
    for kind in kinds:
        if not kind.name or any(c.isspace() for c in kind.name):
            raise WrongRulesError("the card {name!r} has a name with a space in it, or none", name=kind.name)
        if kind.name in names:
            alike = "two kinds of cards are called {name!r}; cards of one kind are its copies"
            raise WrongRulesError(alike, name=kind.name)
        names.add(kind.name)
    for group, cards in groups.items():
        for name in cards:
            if name not in names:
                raise WrongRulesError(
                    "INFO['card_groups'] has {name!r} in {group!r}, which is no card", name=name, group=group
                )


def _check_names(m: types.ModuleType, tree: ast.Module, functions: Mapping[str, ast.FunctionDef]) -> None:
    has = set(vars(m)) | ({"CARDS"} if hasattr(m, "cards") else set())
    named = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
    idle = [name for name in functions if name not in HOOKS and name not in named]
    for name in NEEDED:
        if name in has:
            continue
        meant = difflib.get_close_matches(name, idle, 1, 0.7)
        if meant:
            raise _misspelt(meant[0], name, functions)
        raise WrongRulesError("{name} is missing; a rules file defines {needed}", name=name, needed=", ".join(NEEDED))
    for name in idle:
        meant = difflib.get_close_matches(name, HOOKS - set(functions), 1, 0.85)
        if meant:
            raise _misspelt(name, meant[0], functions)


def _misspelt(name: str, meant: str, functions: Mapping[str, ast.FunctionDef]) -> WrongRulesError:
    return WrongRulesError(
        "nothing calls the function {name!r}; is {meant!r} meant?", line=functions[name].lineno, name=name, meant=meant
    )


def _check_function(name: str, node: ast.FunctionDef, functions: Mapping[str, ast.FunctionDef]) -> None:
    if name in loader.RESERVED:
        raise WrongRulesError(
            "the engine has a function {name!r} already; choose another name", line=node.lineno, name=name
        )
    if name in loader.NOT_COMPILED:
        return
    if name in _called(name, functions):
        raise WrongRulesError(
            "{name!r} calls itself, at once or through others, as compiled rules cannot: write a loop",
            line=node.lineno,
            name=name,
        )
    for inner in ast.walk(node):
        if name in NOTHING_COMES_BACK and isinstance(inner, ast.Return) and _returns_something(inner):
            raise WrongRulesError(
                "what {name!r} returns is not looked at: it writes into what it is given",
                line=inner.lineno,
                name=name,
            )
        if isinstance(inner, ast.Compare):
            _check_comparison(inner)


def _returns_something(node: ast.Return) -> bool:
    return node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None)


def _check_comparison(node: ast.Compare) -> None:
    """Rules see an option or a field as a number: it never equals a text."""
    sides = [node.left, *node.comparators]
    text = next((each.value for each in sides if isinstance(each, ast.Constant) and isinstance(each.value, str)), None)
    number = next((ast.unparse(each) for each in sides if _is_of_table_or_state(each)), None)
    if text is not None and number is not None:
        raise WrongRulesError(
            "{number} is a number and never {text!r}: of an option's words it is which one, from 0",
            line=node.lineno,
            number=number,
            text=text,
        )


def _is_of_table_or_state(node: ast.expr) -> bool:
    while isinstance(node, ast.Subscript):
        node = node.value
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("s", "t")


def _called(name: str, functions: Mapping[str, ast.FunctionDef]) -> set[str]:
    """The functions of a rules file that a function calls, at once or through others.

    (numba crashes when a function that calls itself comes from its cache: its issue 6061.)"""
    found: set[str] = set()
    open_ = [name]
    while open_:
        for node in ast.walk(functions[open_.pop()]):
            if isinstance(node, ast.Name) and node.id in functions and node.id not in found:
                found.add(node.id)
                open_.append(node.id)
    return found


def _check_piles(m: types.ModuleType, tree: ast.Module) -> None:
    """The piles must be numbered for as many seats as the state is for, or every number behind a hand is wrong."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "number_piles"):
            continue
        for given in [*node.args[1:2], *(word.value for word in node.keywords if word.arg == "most_seats")]:
            seats = given.value if isinstance(given, ast.Constant) else getattr(m, ast.unparse(given), None)
            if isinstance(seats, int) and seats != m.State.most_seats:
                raise WrongRulesError(
                    "the piles are numbered for {seats} seats, but the State is for {room}",
                    line=node.lineno,
                    seats=seats,
                    room=m.State.most_seats,
                )


def _check_info(info: Mapping[str, Any]) -> None:
    for key in ("id", "title", "seats"):
        if key not in info:
            raise WrongRulesError("INFO lacks {key!r}", key=key)
    for key in info:
        if key not in INFO:
            known = ", ".join(sorted(INFO))
            raise WrongRulesError("INFO has {key!r}, which says nothing; it may have {known}", key=key, known=known)
    for key in ("title", "author"):
        if not _is_text(info.get(key, "-")):
            raise WrongRulesError(
                "INFO[{key!r}] is a text, or a text for each language: {form}", key=key, form="{'ja': …, 'en': …}"
            )
    if not (isinstance(info["id"], str) and re.fullmatch("[a-z][a-z0-9_]*", info["id"])):
        raise WrongRulesError("INFO['id'] is a word of small letters, digits and _, not {id!r}", id=info["id"])
    lid = info.get("lid", {})
    if not isinstance(lid, dict) or not set(lid) <= LID or not all(map(_is_text, lid.values())):
        form = "{'sign': '十', 'colour': 'red', 'band': …}"
        raise WrongRulesError("INFO['lid'] is {form} or some of it, not {lid!r}", form=form, lid=lid)
    if lid.get("colour", COLOURS[0]) not in COLOURS:
        known = ", ".join(COLOURS)
        raise WrongRulesError(
            "INFO['lid'] has the colour {colour!r}; there are {known}", colour=lid["colour"], known=known
        )
    claims = info.get("claims", {})
    if not isinstance(claims, dict) or not set(claims) <= CLAIMS:
        some = ", ".join(sorted(CLAIMS))
        raise WrongRulesError("INFO['claims'] is a dict with some of {some}, not {claims!r}", some=some, claims=claims)
    groups = info.get("card_groups", {})
    if not isinstance(groups, dict) or not all(isinstance(each, tuple | list) for each in groups.values()):
        form = "{'aces': ('SA', 'HA')}"
        raise WrongRulesError("INFO['card_groups'] is {form}: cards by group, not {groups!r}", form=form, groups=groups)


def _is_text(value: Any) -> bool:
    texts = list(value.values()) if isinstance(value, dict) else [value]
    return bool(texts) and all(isinstance(text, str) and text.strip() for text in texts)


def _check_seats(m: types.ModuleType) -> None:
    seats = m.INFO["seats"]
    if not (isinstance(seats, tuple) and len(seats) == 2 and all(type(n) is int for n in seats)):
        raise WrongRulesError("INFO['seats'] is the fewest and the most players, as (2, 4), not {seats!r}", seats=seats)
    low, high = seats
    if not 1 <= low <= high <= MOST_SEATS:
        raise WrongRulesError(
            "INFO['seats'] is {low} to {high}; it must lie in 1 to {most}", low=low, high=high, most=MOST_SEATS
        )
    if high > m.State.most_seats:
        room = m.State.most_seats
        raise WrongRulesError("INFO['seats'] allows {high} seats, but the State is for {room}", high=high, room=room)


def _check_moves(m: types.ModuleType) -> None:
    kinds = [move.kind for move in m.MOVES]
    if len(set(kinds)) != len(kinds):
        raise WrongRulesError("two MOVES have the same number")
    piles = [pile.name for pile in m.State.piles]
    for move in m.MOVES:
        for name, part in move.parts.items():
            if isinstance(part, Card) and part.of not in piles:
                raise WrongRulesError(
                    "{name} of the move {move!r} is a card of {pile!r}; the piles are {piles}",
                    name=name,
                    move=move.name,
                    pile=part.of,
                    piles=", ".join(piles),
                )
            if isinstance(part, Number) and part.of is not None and part.of not in move.parts:
                raise WrongRulesError(
                    "{name} of the move {move!r} counts {part!r}, which is no part of it",
                    name=name,
                    move=move.name,
                    part=part.of,
                )


def _check_options(m: types.ModuleType) -> None:
    for name, option in m.INFO.get("options", {}).items():
        if not isinstance(option, (Flag, Range, Choice, Data)):
            raise WrongRulesError("the option {name!r} must be a Flag, Range, Choice or Data", name=name)
        takes = option_problem(option, option.default)
        if takes:
            raise WrongRulesError(
                "the option {name!r} {takes}, but is {default!r} unless told",
                name=name,
                takes=takes,
                default=option.default,
            )
    declares = m.INFO.get("declares")
    if declares is not None:
        option, field = declares
        if not isinstance(m.INFO["options"].get(option), Flag) or field not in m.State.open_numbers:
            raise WrongRulesError(
                "INFO['declares'] is a Flag and a field of one number, by name, not {declares!r}", declares=declares
            )


def option_problem(option: Flag | Range | Choice | Data, value: Any) -> Sentence | None:
    """What an option takes, when it does not take this value."""
    if isinstance(option, Flag):
        return None if isinstance(value, bool) else Sentence("takes true or false")
    if isinstance(option, Choice):
        if value in option.texts:
            return None
        *others, last = map(repr, option.texts)
        one_of = Sentence("{others} or {last}", others=", ".join(others), last=last) if others else last
        return Sentence("takes {values}", values=one_of)
    if isinstance(option, Range):
        if value is None and option.none:
            return None
        good = isinstance(value, int) and not isinstance(value, bool) and option.low <= value <= option.high
        if good:
            return None
        if option.none:
            return Sentence("takes a whole number from {low} to {high}, or null", low=option.low, high=option.high)
        return Sentence("takes a whole number from {low} to {high}", low=option.low, high=option.high)
    return None


__all__ = ["COLOURS", "WrongRulesError", "check_kinds", "look_over", "option_problem"]
