"""The two lives of a rules file: the cache of compiled rules is never stale and never mixes games."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tefuda.engine import loader
from tefuda.engine.compiled_chance import CHANCE
from tefuda.engine.plain import to_record
from tefuda.engine.rules import Rules

SMALL = (Path(__file__).parent / "handing_on.py").read_text(encoding="utf-8")
PROBE = "def probe(s, t):\n    return over(s, t)\n"


@pytest.fixture
def kernel(tmp_path):
    file = tmp_path / "probe_kernel.py"
    file.write_text(PROBE, encoding="utf-8")
    return file


def rules_with(tmp_path, end, name="small"):
    return Rules(tmp_path / f"{name}.py", SMALL.replace("return s.left == 0", f"return s.left == {end}"))


def is_over(rules, kernel, left):
    s = to_record(rules.undealt(3, {}), rules.state_type)
    s[0]["left"] = left
    m = rules.compiled(kernel)
    return bool(m.probe(s[0], rules.compiled_tables(m, {}, 3)))


def test_a_changed_file_is_compiled_anew(tmp_path, kernel):
    assert is_over(rules_with(tmp_path, 3), kernel, 3)
    assert not is_over(rules_with(tmp_path, 4), kernel, 3)
    assert is_over(rules_with(tmp_path, 4), kernel, 4)


def test_two_games_of_one_name_do_not_mix(tmp_path, kernel):
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    assert is_over(rules_with(one, 5), kernel, 5)
    assert not is_over(rules_with(two, 6), kernel, 5)
    assert is_over(rules_with(one, 5), kernel, 5)


def test_a_changed_kernel_is_compiled_anew(tmp_path, kernel):
    rules = rules_with(tmp_path, 0)
    assert is_over(rules, kernel, 0)
    kernel.write_text(PROBE.replace("return over", "return not over"), encoding="utf-8")
    assert not is_over(rules, kernel, 0)


def test_compiled_files_are_named_by_everything_they_depend_on(tmp_path, monkeypatch):
    monkeypatch.setenv("TEFUDA_CACHE", str(tmp_path / "cache"))
    source = SMALL + "\nNEW = 1\n"
    plain = loader.compiled(source, ())
    checked = loader.compiled(source, (), check_bounds=True)
    other_tables = loader.compiled(source, ("x",))
    other_rules = loader.compiled(source + "\nX = 1\n", ())
    names = {module.__name__ for module in (plain, checked, other_tables, other_rules)}
    assert len(names) == 4
    assert loader.compiled(source, ()) is plain
    assert {file.stem for file in (tmp_path / "cache").glob("*.py")} >= names


def test_a_deck_that_changes_is_seen(tmp_path, monkeypatch):
    """Compiled rules hold the values of what they import: the text of an imported module of ours counts too."""
    source = SMALL.replace("import *\n", "import *\nfrom tefuda.decks.suits import SUITS\n", 1)
    before = loader.compiled(source, ()).__name__
    texts = loader.imported_texts

    def changed(source):
        return {name: text + "# changed" for name, text in texts(source).items()}

    assert any("SUITS" in text for text in texts(source).values())
    monkeypatch.setattr(loader, "imported_texts", changed)
    assert loader.compiled(source, ()).__name__ != before


def test_without_a_folder_to_write_to_it_compiles_all_the_same(tmp_path, monkeypatch, kernel):
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    monkeypatch.setenv("TEFUDA_CACHE", str(blocked / "folder"))
    assert is_over(rules_with(tmp_path, 11), kernel, 11)


def test_two_processes_that_compile_at_once_do_not_mix_their_versions(tmp_path, monkeypatch):
    monkeypatch.setenv("TEFUDA_CACHE", str(tmp_path / "cache"))
    file = loader.compiled(SMALL + "\nAT_ONCE = 1\n", ()).move._cache._cache_file
    file.save("one version", "its code")
    first = file._load_index()["one version"]
    with monkeypatch.context() as other_process:
        other_process.setattr(file, "_load_index", dict)  # it had read the index before the first was in it
        file.save("another version", "other code")
    assert file._load_data(first) == "its code"
    assert file.load("another version") == "other code"


def test_what_two_processes_compile_has_two_names(tmp_path):
    """Of one name, it would be mixed up by a third process that takes both from the cache: states of different games,
    which numba numbers alike, go into functions of the same modules."""
    code = """
import numpy as np
from tefuda.engine import loader
from tefuda.engine.compiled_chance import CHANCE
module = loader.compiled("", ())
module.seed_chance(np.zeros(1, CHANCE)[0], np.uint64(1))
(compiled,) = module.seed_chance.overloads.values()
print(compiled.fndesc.mangled_name)
"""
    names = []
    for process in ("one", "two"):
        environment = os.environ | {"TEFUDA_CACHE": str(tmp_path / process)}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
        names.append(done.stdout)
    assert all("seed_chance" in name for name in names)
    assert len(set(names)) == 2


def test_compiled_code_checks_bounds_when_told(tmp_path):
    kernel = tmp_path / "reaching_kernel.py"
    kernel.write_text("def reach(s, i):\n    return s.size[i]\n", encoding="utf-8")
    rules = rules_with(tmp_path, 0)
    s = to_record(rules.undealt(3, {}), rules.state_type)
    m = rules.compiled(kernel, check_bounds=True)
    assert m.reach(s[0], 4) == 9
    with pytest.raises(IndexError):
        m.reach(s[0], 5)


def test_the_cache_folder_can_be_named(monkeypatch, tmp_path):
    monkeypatch.setenv("TEFUDA_CACHE", str(tmp_path))
    assert loader.cache_folder() == tmp_path
    monkeypatch.delenv("TEFUDA_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", os.fspath(tmp_path / "x"))
    assert loader.cache_folder() == tmp_path / "x" / "tefuda"


def test_the_same_seed_deals_the_same_compiled_and_plain(tmp_path):
    rules = rules_with(tmp_path, 0)
    m = rules.compiled()
    from tefuda.engine.game import new

    for seed in range(20):
        s, chance = to_record(rules.undealt(3, {}), rules.state_type), np.zeros(1, CHANCE)
        m.seed_chance(chance[0], seed)
        m.begin(s[0], rules.compiled_tables(m, {}, 3), chance[0])
        assert to_record(new(rules, seed=seed).state, rules.state_type).tobytes() == s.tobytes()


@pytest.mark.parametrize("lines", [
    "def twice(n):\n    return twice(n - 1)\n",
    "def twice(n):\n    return other(n)\n\n\ndef other(n):\n    return twice(n - 1)\n",
])
def test_a_function_that_calls_itself_is_refused_with_its_line(tmp_path, lines):
    """Compiled and read back from numba's cache it would crash the process."""
    from tefuda.engine.rules import RulesError, find

    file = tmp_path / "circle.py"
    source = (Path(__file__).parents[2] / "examples" / "german_whist.py").read_text(encoding="utf-8")
    file.write_text(source + "\n\n" + lines, encoding="utf-8")
    line = len(source.splitlines()) + 3
    with pytest.raises(RulesError, match=f"line {line}: 'twice' calls itself"):
        find(file)
