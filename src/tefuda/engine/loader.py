"""One rules file, two lives: plain (as it is written) and compiled (every function by numba).

Compiled modules are written to a cache folder under a digest of every source they depend on. numba keys its own
on-disk cache on that file, so an entry can neither go stale nor be taken for another game's."""

from __future__ import annotations

import ast
import atexit
import hashlib
import importlib.util
import itertools
import linecache
import os
import shutil
import sys
import tempfile
import threading
import types
import uuid
from collections import namedtuple
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
LAYER = "from tefuda.engine.cards import *"
"""A module of the decks that says this is written for rules files: its functions are compiled with theirs."""

CHANCE_NAMES = ("below", "ask", "tell", "moved")
"""What cards.py defines for plain play; its compiled copy calls those of compiled_chance.py instead."""

RESERVED = frozenset({*CHANCE_NAMES, "seed_chance", "redeal", "begin", "over", "step", "find_legal", "T", "put"})
"""Names that the layers above a game's rules call; a rules file may not define them."""

NOT_COMPILED = frozenset({"tables", "check_options", "names", "cards", "claim", "explain", "some_words", "told_words"})
"""Functions of a rules file that only Python calls: they may use strings, dicts and libraries."""

NAMED_APART = "named apart"
"""Code compiled before `_name_apart` was there is not taken from the cache."""

_lock = threading.RLock()


def cache_folder() -> Path:
    """Where compiled rules are kept; TEFUDA_CACHE names another folder."""
    given = os.environ.get("TEFUDA_CACHE")
    if given:
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "tefuda"


def digest(*sources: str) -> str:
    """A short name for these texts."""
    return hashlib.sha256("\0".join(sources).encode()).hexdigest()[:16]


def option_tuple(fields: Sequence[str], module: types.ModuleType) -> Any:
    """The type of a game's tables `t`, kept in the module so that numba's cache finds it again by name."""
    made: Any = namedtuple("T", list(fields), module=module.__name__)  # type: ignore[misc]
    module.T = made  # type: ignore[attr-defined]
    return made


# ------------------------------------------------------------------------------------------------------ plain


def plain(source: str, path: Path) -> types.ModuleType:
    """The rules as an ordinary module, with the defaults for what they leave out. Errors show the file's lines."""
    name = f"tefuda_rules_{path.stem}_{digest(str(path), source)}"
    with _lock:
        if name in sys.modules:
            return sys.modules[name]
        module = types.ModuleType(name)
        module.__file__ = str(path)
        linecache.cache[str(path)] = (len(source), None, source.splitlines(True), str(path))
        exec(compile(source, str(path), "exec"), vars(module))
        sys.modules[name] = module
        for layer in ("defaults", "step"):
            _lay_over(module, layer, keep=layer == "defaults")
        return module


def _lay_over(module: types.ModuleType, layer: str, keep: bool) -> None:
    """Run one of the engine's own files in a game's namespace; `keep`: what the game has already stays."""
    file = HERE / f"{layer}.py"
    given = dict(vars(module))
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), vars(module))
    vars(module)["__doc__"] = given["__doc__"]
    if keep:
        vars(module).update(given)


# --------------------------------------------------------------------------------------------------- compiled


def compiled(
    source: str, fields: Sequence[str], kernels: Sequence[Path] = (), check_bounds: bool | None = None
) -> types.ModuleType:
    """The rules with every function compiled, and kernel files over them; `fields` are those of the tables `t`.

    Functions compile when they are first called; `check_bounds` (or TEFUDA_BOUNDS=1) makes them refuse an index
    out of range."""
    import numba
    import numpy as np

    _name_apart()
    if check_bounds is None:
        check_bounds = bool(os.environ.get("TEFUDA_BOUNDS"))
    options = {"nogil": True, "boundscheck": check_bounds, "cache": True, "error_model": "python"}
    texts = [NAMED_APART, numba.__version__, np.__version__, sys.version, repr(options), repr(tuple(fields))]

    def layer(name: str, text: str, given: Mapping[str, Any]) -> types.ModuleType:
        texts.append(text)
        return _jit_module(name, texts, given, options, fields)

    with _lock:
        texts.append((HERE / "declare.py").read_text(encoding="utf-8"))
        module = layer("chance", (HERE / "compiled_chance.py").read_text(encoding="utf-8"), {})
        module = layer("cards", (HERE / "cards.py").read_text(encoding="utf-8"), _public(module))
        defaults = (HERE / "defaults.py").read_text(encoding="utf-8")
        lines = source + "\n\n" + _missing(defaults, source)
        imported = imported_texts(source)
        texts += imported.values()
        for name, text in imported.items():
            if LAYER in text.splitlines():
                module = layer(name.rpartition(".")[2], text, _public(module))
        module = layer("rules", lines, _public(module))
        for file in (HERE / "step.py", *kernels):
            module = layer(file.stem, file.read_text(encoding="utf-8"), _public(module))
    return module


def imported_texts(source: str) -> dict[str, str]:
    """The modules of this house that a rules file imports, and they in turn, other than the engine's, with their
    texts: compiled code holds their values, so when they change it must be compiled anew."""
    found: dict[str, str] = {}
    waiting = [source]
    while waiting:
        for name in sorted(_imported_names(waiting.pop())):
            if name in found or not name.startswith("tefuda.") or name.startswith("tefuda.engine"):
                continue
            try:
                spec = importlib.util.find_spec(name)
            except ModuleNotFoundError:  # the name of something in a module, not of a module
                continue
            if spec is not None and spec.origin is not None and spec.origin.endswith(".py"):
                found[name] = Path(spec.origin).read_text(encoding="utf-8")
                waiting.append(found[name])
    return {name: found[name] for name in sorted(found)}


def _imported_names(source: str) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def _missing(defaults: str, source: str) -> str:
    """Those definitions of `defaults` that the source lacks."""

    def names(tree: ast.Module) -> dict[str, ast.stmt]:
        found: dict[str, ast.stmt] = {}
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                found[node.name] = node
            elif isinstance(node, ast.Assign):
                found.update({t.id: node for t in node.targets if isinstance(t, ast.Name)})
        return found

    has = names(ast.parse(source))
    return "\n\n".join(ast.unparse(node) for name, node in names(ast.parse(defaults)).items() if name not in has)


def _public(module: types.ModuleType) -> dict[str, Any]:
    return {k: v for k, v in vars(module).items() if not k.startswith("__")}


@cache
def _name_apart() -> None:
    """Let this process give its compiled functions names that no other process gives.

    numba names a function in machine code by its module, its own number and the numbers of its record types, and
    counts both from 1 in every process. So what two processes compiled for two games (`move` for the states of either)
    may be of one name; when a third takes both from the cache, it calls the one for the other and writes past the
    end of a state."""
    from numba.core.bytecode import FunctionIdentity

    FunctionIdentity._unique_ids = itertools.count(uuid.uuid4().int >> 66)


def _keep_apart(function: Any) -> None:
    """Give each compiled version of a function a file of a name of its own.

    numba numbers these files by an index, which two processes may read at once before either has written: both then
    take the same number for different versions, and one is later given the other's code."""
    file = function._cache._cache_file
    stem = file._index_name.removesuffix(".nbi")
    file._data_name = lambda _number: f"{stem}.{uuid.uuid4().hex}.nbc"


@cache
def _temporary_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="tefuda-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all: other processes may be about to read it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        out.write(text)
    os.replace(temporary, path)


def _jit_module(
    name: str, sources: Sequence[str], given: Mapping[str, Any], options: dict[str, Any], fields: Sequence[str]
) -> types.ModuleType:
    """Run sources[-1] as a module of its own, its functions compiled and calling those in `given`."""
    from numba import njit

    name = f"tefuda_jit_{name}_{digest(*sources)}"
    if name in sys.modules:
        return sys.modules[name]
    path = cache_folder() / f"{name}.py"
    if not path.exists():
        try:
            _write(path, sources[-1])
        except OSError:  # nowhere to keep it: compiled for this process alone
            path = _temporary_folder() / path.name
            _write(path, sources[-1])
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    module.__dict__.update(given)
    sys.modules[name] = module  # numba imports it by name on a cache hit
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    own: dict[str, Any] = {}
    for key, f in list(vars(module).items()):
        if isinstance(f, types.FunctionType) and f.__module__ == name and key not in NOT_COMPILED:
            own[key] = njit(**options)(f)
            _keep_apart(own[key])
    vars(module).update(own)
    for key, f in list(vars(module).items()):  # the plain functions that a star import brought give way
        if isinstance(f, types.FunctionType) and f.__module__ != name and key in given and key not in NOT_COMPILED:
            setattr(module, key, given[key])
    if name.startswith("tefuda_jit_cards"):
        vars(module).update({key: given[key] for key in CHANCE_NAMES})
    if "T" not in vars(module):
        option_tuple(fields, module)
    return module
