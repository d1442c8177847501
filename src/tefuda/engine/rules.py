"""A rules file, loaded and checked: what it declares, its options, its tables, its two lives."""

from __future__ import annotations

import ast
import reprlib
import traceback
import types
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.engine import loader
from tefuda.engine.declare import (
    EVERYBODY,
    MOST_SEATS,
    NO_LIMIT,
    OWNER,
    Card,
    Choice,
    Data,
    Flag,
    Kind,
    Move,
    Number,
    Pile,
    Range,
    StateType,
)
from tefuda.engine.notation import Notation
from tefuda.engine.plain import PlainState, ReadOnlyTable
from tefuda.engine.sentence import Sentence, ToldError

MOST_VERSION = 20
"""Characters in the version of a game's rules."""

GAMES = Path(__file__).parent.parent / "games"

LID = {"sign", "colour", "band"}
"""What a rules file may say of the lid of its box."""

CLAIMS = {"minutes", "age", "complexity", "strategy", "luck", "interaction"}
"""What a rules file may say of the game that the lab measures, too."""

NEEDED = ("INFO", "PILES", "CARDS", "State", "MOVES", "deal", "legal", "apply", "is_over", "scores")
"""What every rules file must define (CARDS may be a function `cards(options)`)."""


class RulesError(ToldError):
    """A rules file is wrong, or did something wrong; the message names the file and line."""


class CompiledRulesError(RulesError):
    """Rules that cannot be compiled, or that went wrong when compiled: there is no line of the maker's file, which
    `tefuda check` finds. The cause is what the compiler or the compiled code said; `rules` are whose."""

    def __init__(self, rules: Rules, cause: Exception) -> None:
        said = describe(cause)
        first = next((line for line in str(said).splitlines() if line.strip()), type(cause).__name__)
        reason = said if first == str(said) else first
        super().__init__("{file}: {reason} (`tefuda check` finds the line)", file=rules.path, reason=reason)
        self.rules = rules


class OptionError(ToldError, ValueError):
    """An option is unknown or has a value it cannot take; the message says what it takes."""


class UnknownGameError(ToldError, LookupError):
    """No game has that name."""


class Rules:
    """One version of one game's rules.

    `path` is the rules file, `builtin` whether it is one of our own. `id` and `version` name it in records; a
    maker's own file has as its version the digest of its text.
    """

    def __init__(self, path: Path, source: str | None = None) -> None:
        self.path = path
        self.source = path.read_text(encoding="utf-8") if source is None else source
        self.builtin = GAMES in path.parents
        try:
            self.module: types.ModuleType = loader.plain(self.source, path)
        except SyntaxError as e:
            raise RulesError("{where}: {reason}", where=line_of(path, e.lineno), reason=e.msg) from e
        except (Exception, SystemExit) as e:
            raise RulesError("{where}: {reason}", where=where(e, path), reason=describe(e)) from e
        self._check_contract()
        m = self.module
        self.info: dict[str, Any] = m.INFO
        self.id: str = m.INFO["id"]
        self.version: str = m.INFO["rules"] if self.builtin else "sha256:" + loader.digest(self.source)
        self.declared_options: dict[str, Flag | Range | Choice | Data] = m.INFO.get("options", {})
        growing = [(name, o.grows) for name, o in self.declared_options.items() if isinstance(o, Data) and o.grows]
        self.growing: tuple[str, str] | None = growing[0] if growing else None
        self.declares: tuple[str, str] | None = m.INFO.get("declares")
        self.least_seats, self.most_seats = m.INFO["seats"]
        self.state_type: StateType = m.State
        self.piles: tuple[Pile, ...] = m.State.piles
        self.moves: tuple[Move, ...] = tuple(m.MOVES)
        self.cap: int = m.CAP
        self.most_moves: int = m.MOST_MOVES

    def __repr__(self) -> str:
        return f"Rules({self.id!r}, version {self.version!r})"

    # ------------------------------------------------------------------------------------------- the contract

    def _wrong(self, english: str, /, **values: object) -> RulesError:
        return RulesError("{where}: {reason}", where=self.path, reason=Sentence(english, **values))

    def _check_contract(self) -> None:
        m = self.module
        has = set(vars(m)) | ({"CARDS"} if hasattr(m, "cards") else set())
        for name in NEEDED:
            if name not in has:
                raise self._wrong(
                    "{name} is missing; a rules file defines {needed}", name=name, needed=", ".join(NEEDED)
                )
        functions = {node.name: node for node in ast.parse(self.source).body if isinstance(node, ast.FunctionDef)}
        for name, node in functions.items():
            if name in loader.RESERVED:
                taken = Sentence("the engine has a function {name!r} already; choose another name", name=name)
                raise RulesError("{where}: {reason}", where=line_of(self.path, node.lineno), reason=taken)
            if name not in loader.NOT_COMPILED and name in _called(name, functions):
                turned = Sentence(
                    "{name!r} calls itself, at once or through others, as compiled rules cannot: write a loop",
                    name=name,
                )
                raise RulesError("{where}: {reason}", where=line_of(self.path, node.lineno), reason=turned)
        info = m.INFO
        for key in ("id", "title", "seats"):
            if key not in info:
                raise self._wrong("INFO lacks {key!r}", key=key)
        for key in ("title", "author"):
            if not _is_text(info.get(key, "-")):
                raise self._wrong(
                    "INFO[{key!r}] is a text, or a text for each language: {form}", key=key, form="{'ja': …, 'en': …}"
                )
        if not (isinstance(info["id"], str) and info["id"].isidentifier()):
            raise self._wrong("INFO['id'] is a word of letters, digits and _, not {id!r}", id=info["id"])
        lid = info.get("lid", {})
        if not isinstance(lid, dict) or not set(lid) <= LID or not all(map(_is_text, lid.values())):
            form = "{'sign': '十', 'colour': 'red', 'band': …}"
            raise self._wrong("INFO['lid'] is {form} or some of it, not {lid!r}", form=form, lid=lid)
        claims = info.get("claims", {})
        if not isinstance(claims, dict) or not set(claims) <= CLAIMS:
            some = ", ".join(sorted(CLAIMS))
            raise self._wrong("INFO['claims'] is a dict with some of {some}, not {claims!r}", some=some, claims=claims)
        groups = info.get("card_groups", {})
        if not isinstance(groups, dict) or not all(isinstance(each, tuple | list) for each in groups.values()):
            form = "{'aces': ('SA', 'HA')}"
            raise self._wrong("INFO['card_groups'] is {form}: cards by group, not {groups!r}", form=form, groups=groups)
        seats = info["seats"]
        if not (isinstance(seats, tuple) and len(seats) == 2 and all(type(n) is int for n in seats)):
            raise self._wrong("INFO['seats'] is the fewest and the most players, as (2, 4), not {seats!r}", seats=seats)
        low, high = seats
        if not 1 <= low <= high <= MOST_SEATS:
            raise self._wrong(
                "INFO['seats'] is {low} to {high}; it must lie in 1 to {most}", low=low, high=high, most=MOST_SEATS
            )
        if high > m.State.most_seats:
            room = m.State.most_seats
            raise self._wrong("INFO['seats'] allows {high} seats, but the State is for {room}", high=high, room=room)
        info.setdefault("rules", "1")
        kinds = [move.kind for move in m.MOVES]
        if len(set(kinds)) != len(kinds):
            raise self._wrong("two MOVES have the same number")
        self._check_parts()
        for name, option in info.get("options", {}).items():
            if not isinstance(option, (Flag, Range, Choice, Data)):
                raise self._wrong("the option {name!r} must be a Flag, Range, Choice or Data", name=name)
        declares = info.get("declares")
        if declares is not None:
            option, field = declares
            if not isinstance(info["options"].get(option), Flag) or field not in m.State.open_numbers:
                raise self._wrong(
                    "INFO['declares'] is a Flag and a field of one number, by name, not {declares!r}", declares=declares
                )

    def _check_parts(self) -> None:
        piles = [pile.name for pile in self.module.State.piles]
        for move in self.module.MOVES:
            for name, part in move.parts.items():
                if isinstance(part, Card) and part.of not in piles:
                    raise self._wrong(
                        "{name} of the move {move!r} is a card of {pile!r}; the piles are {piles}",
                        name=name,
                        move=move.name,
                        pile=part.of,
                        piles=", ".join(piles),
                    )
                if isinstance(part, Number) and part.of is not None and part.of not in move.parts:
                    raise self._wrong(
                        "{name} of the move {move!r} counts {part!r}, which is no part of it",
                        name=name,
                        move=move.name,
                        part=part.of,
                    )

    # ---------------------------------------------------------------------------------------------- options

    def options(self, given: Mapping[str, Any] | None = None, seats: int | None = None) -> dict[str, Any]:
        """Every option with its value, defaults filled in; OptionError when one is unknown or out of range."""
        given = dict(given or {})
        for name in given:
            if name not in self.declared_options:
                raise self._unknown(name)
        out = {}
        for name, option in self.declared_options.items():
            value = given.get(name, option.default)
            problem = option_problem(option, value)
            if problem:
                raise OptionError(
                    "the option {name!r} of {game} {takes}, not {value}",
                    name=name,
                    game=self.id,
                    takes=problem,
                    value=reprlib.repr(value),
                )
            out[name] = value
        check = getattr(self.module, "check_options", None)
        if check is not None:
            try:
                check(out, seats)
            except ValueError as e:
                raise OptionError("options of {game}: {reason}", game=self.id, reason=e) from e
        return out

    def _unknown(self, name: str) -> OptionError:
        shown = reprlib.repr(name)
        if not self.declared_options:
            return OptionError("{game} has no option {name}; it has no options", game=self.id, name=shown)
        known = ", ".join(self.declared_options)
        return OptionError("{game} has no option {name}; its options: {known}", game=self.id, name=shown, known=known)

    def check_seats(self, seats: int) -> None:
        """ValueError when the game is not for so many."""
        if isinstance(seats, bool) or not isinstance(seats, int) or not self.least_seats <= seats <= self.most_seats:
            raise OptionError(
                "{game} is for {least} to {most} players, not {seats}",
                game=self.id,
                least=self.least_seats,
                most=self.most_seats,
                seats=seats,
            )

    # ----------------------------------------------------------------------------------------------- tables

    def kinds(self, options: Mapping[str, Any]) -> list[Kind]:
        """The kinds of cards with these options; kind 1 comes first."""
        m = self.module
        found: list[Kind] = list(m.cards(options)) if hasattr(m, "cards") else list(m.CARDS)
        if len(found) > self.state_type.most_kinds or sum(k.copies for k in found) > self.state_type.most_cards:
            raise self._wrong("there are more cards or kinds than the State has room for")
        return found

    def notation(self, options: Mapping[str, Any]) -> Notation:
        """How moves are written with these options."""
        names = self.module.names(options) if hasattr(self.module, "names") else {}
        return Notation(self.moves, ["", *(kind.name for kind in self.kinds(options))], names)

    def _table_values(self, options: Mapping[str, Any], seats: int) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for name, option in self.declared_options.items():
            if isinstance(option, Choice):
                values[name] = option.texts.index(options[name])
            elif not isinstance(option, Data):
                values[name] = NO_LIMIT if options[name] is None else int(options[name])
        if hasattr(self.module, "tables"):
            values.update(self.module.tables(options, seats))
        return values

    def tables(self, options: Mapping[str, Any], seats: int) -> Any:
        """The tables `t` for plain play: options as numbers, and arrays that refuse a wrong index."""
        values = self._table_values(options, seats)
        made = vars(self.module).get("T")
        if made is None or made._fields != tuple(values):
            made = loader.option_tuple(tuple(values), self.module)
        return made(**{k: ReadOnlyTable(k, v) if isinstance(v, np.ndarray) else v for k, v in values.items()})

    def compiled_tables(self, module: types.ModuleType, options: Mapping[str, Any], seats: int) -> Any:
        """The tables `t` for compiled play."""
        return module.T(**self._table_values(options, seats))

    def compiled(self, *kernels: Path, check_bounds: bool | None = None) -> types.ModuleType:
        """The rules compiled, with kernels laid over them (functions that call them)."""
        options = {name: option.default for name, option in self.declared_options.items()}
        fields = tuple(self._table_values(options, self.least_seats))
        return loader.compiled(self.source, fields, kernels, check_bounds)

    # ------------------------------------------------------------------------------------------------ states

    def undealt(self, seats: int, options: Mapping[str, Any]) -> PlainState:
        """The table before the deal: every card in the pile it starts in."""
        s = PlainState(self.state_type)
        s.seats = seats
        for kind, declared in enumerate(self.kinds(options), 1):
            s.home[kind] = declared.home
            for _ in range(declared.copies):
                s.card[declared.home, s.size[declared.home]] = kind
                s.size[declared.home] += 1
            s.count[declared.home, kind] = declared.copies
        number = 0
        for pile in self.piles:
            for seat in range(self.state_type.most_seats if pile.per_seat else 1):
                if pile.seen_by == OWNER:
                    s.always[number] = 1 << seat
                elif pile.seen_by == EVERYBODY:
                    s.always[number] = EVERYBODY
                number += 1
        return s

    def pile_label(self, number: int) -> tuple[str, int | None]:
        """A pile's name, and its seat where every seat has one."""
        n = 0
        for pile in self.piles:
            size = self.state_type.most_seats if pile.per_seat else 1
            if number < n + size:
                return pile.name, number - n if pile.per_seat else None
            n += size
        raise KeyError(number)


def _is_text(value: Any) -> bool:
    texts = list(value.values()) if isinstance(value, dict) else [value]
    return bool(texts) and all(isinstance(text, str) and text.strip() for text in texts)


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


@contextmanager
def compiled_told_of(rules: Rules) -> Iterator[None]:
    """What goes wrong in compiled rules of a maker is a CompiledRulesError. In the games that come with Tefuda it is
    our own fault and stays what it is."""
    try:
        yield
    except (RulesError, OptionError, MemoryError):
        raise
    except Exception as e:
        if rules.builtin:
            raise
        raise CompiledRulesError(rules, e) from e


def line_of(path: Path, line: int | None) -> Sentence:
    """A line of a file."""
    return Sentence("{file}, line {line}", file=path, line=line)


def where(error: BaseException, path: Path) -> Sentence | Path:
    """The file and line of the rules file where an error arose."""
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == str(path)]
    return line_of(path, lines[-1]) if lines else path


def describe(error: BaseException) -> Sentence | str:
    """An error in words: its own, where it was made to be read."""
    if isinstance(error, ToldError):
        return error.sentence
    if isinstance(error, ValueError | IndexError):
        return Sentence(str(error))
    return f"{type(error).__name__}: {error}"


# ---------------------------------------------------------------------------------------------------- finding


def game_ids() -> list[str]:
    """The games that come with Tefuda."""
    return sorted(folder.name for folder in GAMES.iterdir() if (folder / "rules.py").is_file())


@cache
def _builtin(game: str, version: str | None) -> Rules:
    current = Rules(GAMES / game / "rules.py")
    if version is None or version == current.version:
        return current
    old = GAMES / game / f"rules_v{version}.py"
    if version.isalnum() and len(version) <= MOST_VERSION and old.is_file():
        return Rules(old)
    raise UnknownGameError(
        "{game}: rules version {version!r} is not here; the newest is {newest!r}",
        game=game,
        version=version,
        newest=current.version,
    )


def find(game: str | Path, version: str | None = None) -> Rules:
    """The rules of a game by its name, or of a rules file by its path.

    UnknownGameError when there is no such game; RulesError when the file is wrong."""
    if isinstance(game, str) and game in game_ids():
        return _builtin(game, version)
    path = Path(game)
    try:
        there = path.is_file()
    except (OSError, ValueError):  # no name that a file could have
        there = False
    if there:
        try:
            source = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as e:
            raise RulesError("{file} cannot be read: {reason}", file=path, reason=e) from e
        return of_file(path.resolve(), source)
    if path.suffix == ".py":
        raise UnknownGameError("there is no file {file!r}", file=str(path))
    known = ", ".join(game_ids())
    raise UnknownGameError(
        "there is no game {game!r}; the games: {known}, or the path of a rules file", game=str(game), known=known
    )


@cache
def of_file(path: Path, source: str) -> Rules:
    """The rules in a text, said to stand in a file."""
    return Rules(path, source)


__all__: Sequence[str] = ["OptionError", "Rules", "RulesError", "UnknownGameError", "find", "game_ids"]
