"""A rules file, loaded and checked: what it declares, its options, its tables, its two lives."""

from __future__ import annotations

import reprlib
import traceback
import types
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.engine import contract, loader
from tefuda.engine.contract import WrongRulesError, option_problem
from tefuda.engine.declare import (
    EVERYBODY,
    NO_LIMIT,
    OWNER,
    Choice,
    Data,
    Flag,
    Kind,
    Move,
    Pile,
    Range,
    StateType,
)
from tefuda.engine.notation import Notation
from tefuda.engine.plain import PlainState, ReadOnlyTable
from tefuda.engine.plainer import of_python
from tefuda.engine.sentence import Sentence, ToldError

MOST_VERSION = 20
"""Characters in the version of a game's rules."""

GAMES = Path(__file__).parent.parent / "games"


class RulesError(ToldError):
    """A rules file is wrong, or did something wrong; the message names the file and line. `game`: the game in which it
    did, up to there, and `move` (a number) what was being done."""

    game: Any = None
    move: int | None = None


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
            raise RulesError("{where}: {reason}", where=line_of(path, e.lineno), reason=of_python(e) or e.msg) from e
        except (Exception, SystemExit) as e:
            raise RulesError("{where}: {reason}", where=where(e, path), reason=describe(e)) from e
        m = self.module
        try:
            contract.look_over(m, self.source)
        except WrongRulesError as e:
            raise self._wrong(e) from e
        m.INFO.setdefault("rules", "1")
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
        if not self.builtin:
            self._check_cards()

    def _check_cards(self) -> None:
        """The cards that are there unless options say otherwise are looked over at once."""
        try:
            self.kinds({name: option.default for name, option in self.declared_options.items()})
        except RulesError:
            raise
        except Exception as e:
            raise RulesError("{where}: {reason}", where=where(e, self.path), reason=describe(e)) from e

    def __repr__(self) -> str:
        return f"Rules({self.id!r}, version {self.version!r})"

    def _wrong(self, error: WrongRulesError) -> RulesError:
        where = self.path if error.line is None else line_of(self.path, error.line)
        return RulesError("{where}: {reason}", where=where, reason=error)

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
        cards, room = sum(kind.copies for kind in found), self.state_type
        try:
            if len(found) > room.most_kinds or cards > room.most_cards:
                raise WrongRulesError(
                    "there are {cards} cards of {kinds} kinds, but the State has room for {most} of {most_kinds}",
                    cards=cards,
                    kinds=len(found),
                    most=room.most_cards,
                    most_kinds=room.most_kinds,
                )
            contract.check_kinds(found, {} if hasattr(m, "cards") else self.info.get("card_groups", {}))
        except WrongRulesError as e:
            raise self._wrong(e) from e
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
    known = of_python(error)
    if known is not None:
        return known
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


__all__: Sequence[str] = [
    "OptionError",
    "Rules",
    "RulesError",
    "UnknownGameError",
    "find",
    "game_ids",
    "option_problem",
]
