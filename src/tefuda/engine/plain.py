"""The state of a game as a page, a record or a test plays it: ordinary Python that refuses every slip.

Compiled rules write past the end of an array or wrap a number around in silence. Here a wrong field, a number out
of its field's range, a negative or too large index and a row set to another row raise at once, at the line of the
rules file that did it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from tefuda.engine.declare import Field, StateType
from tefuda.engine.sentence import ToldError, WrongValueError

LOW, HIGH = int(np.iinfo(Field).min), int(np.iinfo(Field).max)

Journal = list[tuple[int, int, int, int]]
"""Cards that moved: kind, from pile, to pile, the viewers (bits) who know which card it was."""


ENGINES = frozenset({"size", "always", "home", "count", "card", "seen", "capped", "decisions"})
"""Fields that rules have no need to name: there are functions for what they hold."""


class SlipError(ToldError):
    """Rules did something that compiled rules would do wrongly in silence."""


class Cells:
    """A row of whole numbers with a fixed length."""

    __slots__ = ("high", "low", "name", "values")

    def __init__(self, name: str, values: list[int], low: int = LOW, high: int = HIGH) -> None:
        self.name, self.values, self.low, self.high = name, values, low, high

    def _place(self, i: Any) -> int:
        if not -1 < i < len(self.values):
            raise SlipError(
                "{name}[{i!s}]: the places are 0 to {last!s}", name=self.name, i=i, last=len(self.values) - 1
            )
        return int(i)

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[int]:
        return iter(self.values)

    def __getitem__(self, i: Any) -> int:
        return self.values[self._place(i)]

    def __setitem__(self, i: Any, value: Any) -> None:
        value = whole(self.name, value, self.low, self.high)
        if isinstance(i, slice):
            if i != slice(None):
                whole_row = "{name}: only the whole row can be set at once, as {name}[:] = {value!s}"
                raise SlipError(whole_row, name=self.name, value=value)
            self.values[:] = [value] * len(self.values)
        else:
            self.values[self._place(i)] = value


class Grid:
    """Rows of whole numbers."""

    __slots__ = ("name", "rows")

    def __init__(self, name: str, rows: list[Cells]) -> None:
        self.name, self.rows = name, rows

    def __len__(self) -> int:
        return len(self.rows)

    def _row(self, i: Any) -> Cells:
        if not -1 < i < len(self.rows):
            raise SlipError("{name}[{i!s}]: the rows are 0 to {last!s}", name=self.name, i=i, last=len(self.rows) - 1)
        return self.rows[int(i)]

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple):
            return self._row(key[0])[key[1]]
        return self._row(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, tuple):
            self._row(key[0])[key[1]] = value
        elif isinstance(key, slice):
            for row in self.rows:
                row[key] = value
        elif isinstance(value, Cells):
            raise SlipError("{name}[{key!s}]: set a row number by number, not to another row", name=self.name, key=key)
        else:
            self._row(key)[:] = value


def whole(name: str, value: Any, low: int, high: int) -> int:
    """The value as an int, or SlipError when it is no whole number in the field's range."""
    if value is None or isinstance(value, (Cells, Grid, str, float, list, tuple, dict)) or int(value) != value:
        raise SlipError("{name} = {value!r}: a field holds whole numbers", name=name, value=value)
    if not low <= value <= high:
        raise SlipError(
            "{name} = {value!s}: it holds numbers from {low!s} to {high!s}", name=name, value=value, low=low, high=high
        )
    return int(value)


def _zeros(name: str, shape: int | tuple[int, ...]) -> int | Cells | Grid:
    """A field as it starts: a number where its shape is 1, else a row, or rows."""
    match (shape,) if isinstance(shape, int) else shape:
        case (1,) if shape == 1:
            return 0
        case (n,):
            return Cells(name, [0] * n)
        case (rows, n):
            return Grid(name, [Cells(f"{name}[{i}]", [0] * n) for i in range(rows)])
    raise WrongValueError(
        "{name} = {shape!r}: a field is a number (1), a row (6) or rows (4, 2)", name=name, shape=shape
    )


class PlainState:
    """A state with the fields of a StateType, all 0."""

    journal: Journal

    def __init__(self, type_: StateType) -> None:
        own = vars(self)
        own["journal"] = []
        for name, shape in type_.shapes.items():
            own[name] = _zeros(name, shape)

    def __getattr__(self, name: str) -> Any:
        raise _no_field(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        old = vars(self).get(name)
        if old is None or name == "journal":
            raise _no_field(self, name)
        if not isinstance(old, int):
            raise SlipError("{name} is a row: write {name}[...] = {value!r}", name=name, value=value)
        vars(self)[name] = whole(name, value, LOW, HIGH)


def fields(s: PlainState) -> list[str]:
    """The names of a state's fields."""
    return [name for name in vars(s) if name != "journal"]


def _no_field(s: PlainState, name: str) -> SlipError:
    own = [field for field in fields(s) if field not in ENGINES]
    near = difflib.get_close_matches(name, own, 1)
    if near:
        return SlipError("the state has no field {name!r}; is {near!r} meant?", name=name, near=near[0])
    return SlipError("the state has no field {name!r}; it has {fields}", name=name, fields=", ".join(own))


def to_record(s: PlainState, type_: StateType) -> npt.NDArray[Any]:
    """The state as an array of one record, for compiled rules."""
    out = np.zeros(1, type_.dtype)
    for name in type_.shapes:
        value = vars(s)[name]
        if isinstance(value, Cells):
            out[0][name][:] = value.values
        elif isinstance(value, Grid):
            out[0][name][:] = [row.values for row in value.rows]
        else:
            out[0][name] = value
    return out


def from_record(record: npt.NDArray[Any], type_: StateType) -> PlainState:
    """A plain state with the numbers of an array of one record."""
    s = PlainState(type_)
    for name, held in vars(s).items():
        if name == "journal":
            continue
        value = record[0][name]
        if isinstance(held, Cells):
            held.values[:] = [int(x) for x in value]
        elif isinstance(held, Grid):
            for row, numbers in zip(held.rows, value, strict=True):
                row.values[:] = [int(x) for x in numbers]
        else:
            vars(s)[name] = int(value)
    return s


def copy_state(s: PlainState, type_: StateType) -> PlainState:
    """Another state with the same numbers."""
    other = object.__new__(PlainState)
    own = vars(other)
    own["journal"] = []
    for name in type_.shapes:
        value = vars(s)[name]
        if isinstance(value, Cells):
            own[name] = Cells(name, value.values.copy())
        elif isinstance(value, Grid):
            own[name] = Grid(name, [Cells(row.name, row.values.copy()) for row in value.rows])
        else:
            own[name] = value
    return other


class ReadOnlyTable:
    """An array of the tables `t` that refuses a negative or too large index, and to be written to."""

    __slots__ = ("array", "name")

    def __init__(self, name: str, array: npt.NDArray[Any]) -> None:
        self.name, self.array = name, array

    def __len__(self) -> int:
        return len(self.array)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self.array)))

    def __getitem__(self, key: Any) -> Any:
        keys = key if isinstance(key, tuple) else (key,)
        for i, n in zip(keys, self.array.shape, strict=False):
            if not -1 < i < n:
                raise SlipError("t.{name}[{key!s}]: the places are 0 to {last!s}", name=self.name, key=key, last=n - 1)
        value = self.array[key]
        return ReadOnlyTable(f"{self.name}[{key}]", value) if isinstance(value, np.ndarray) else value.item()
