"""What is wrong with the words of a game: files that cannot be read, names the rules file does not have, sentences
that put in what is not there. Such slips do no harm in play: they are seen on the page, or the words are not."""

from __future__ import annotations

import string
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from tefuda.engine.declare import Choice
from tefuda.engine.rules import Rules
from tefuda.engine.sentence import ToldError
from tefuda.words import LANGUAGES, read, words_file

FREE = frozenset({"asks", "cards", "claim", "duty", "end", "guide"})
"""Sections whose keys are not names of the rules file, or may be of cards that only some options bring."""

SENTENCES = frozenset({"label", "choose", "exact", "log", "turn", "said"})
"""What a move may be told in; each also behind another move (`log after offer`)."""

CHANCE = {
    "shuffle": {"pile"},
    "start": {"seat", "number"},
    "roll": {"number"},
    "take": {"card"},
    "pick": {"number"},
    "accept": {"entry"},
}
"""What chance does or the table adds, and what its sentence may name."""

MOVED = {"n", "card", "cards", "seat", "giver"}


class WordsError(ToldError):
    """A slip in a file of words."""


def look_over(rules: Rules) -> int:
    """How many files of words a game has, all in order; WordsError for the first slip, RulesError for a file that
    is no TOML."""
    files = 0
    for lang in LANGUAGES:
        path = words_file(rules, lang)
        if path.is_file():
            files += 1
            _look_over(rules, path, read(path))
    return files


def _look_over(rules: Rules, path: Path, table: Mapping[str, Any]) -> None:
    names = _names(rules)
    for section, entries in table.items():
        if section == "hidden":
            _check_text(path, section, entries, None)
            continue
        if section not in names and section not in FREE:
            known = ", ".join(sorted({"hidden", *names, *FREE}))
            unknown = "{file}: there is no section {name!r}; there are {known}"
            raise WordsError(unknown, file=path, name=section, known=known)
        if not isinstance(entries, Mapping):
            raise WordsError("{file}: {name} is a section: write it as [{name}]", file=path, name=section)
        for key, entry in entries.items():
            if section in names and not _speaks_of(section, key) <= names[section]:
                raise _unknown(path, section, key, names[section])
            for where, text in _texts(f"{section}.{key}", entry):
                _check_text(path, where, text, _allowed(rules, section, key, where.rpartition(".")[2]))
        if section == "moves":
            _check_sentences(path, entries, names["moves"])
        if section == "choices":
            _check_choices(rules, path, entries)
        if section == "options":
            _check_options(rules, path, entries)


def _names(rules: Rules) -> dict[str, set[str]]:
    """The names that the keys of a section may speak of."""
    piles, fields = {pile.name for pile in rules.piles}, set(rules.state_type.own)
    parts = {name for move in rules.moves for name in move.parts}
    named = {
        "box": {"idea", "time", "needs", "credit"},
        "setup": {"starter_help", "assist_help"},
        "tally": {"goal", "left"},
        "declare": {"label"},
        "score": {"each", "note"},
        "card_groups": set(rules.info.get("card_groups", ())),
        "piles": piles,
        "moved": piles,
        "fields": fields,
        "signs": fields,
        "changed": fields,
        "turning": {"1", "-1"},
        "parts": parts,
        "choices": parts,
        "moves": {move.name for move in rules.moves},
        "events": set(CHANCE),
        "options": set(rules.declared_options),
    }
    if not hasattr(rules.module, "cards"):
        named["cards"] = {kind.name for kind in rules.kinds({})}
    return named


def _speaks_of(section: str, key: str) -> set[str]:
    """The names in a key: `row empty`, `draw deck>bank`, `direction -1`."""
    if section == "piles":
        return {key.removesuffix(" empty")}
    if section == "moved":
        return set(key.split(" ")[-1].split(">"))
    if section == "changed":
        field, _, n = key.partition(" ")
        return {field} if not n or n.removeprefix("-").isdecimal() else {key}
    return {key.split(" ")[0]} if section == "score" else {key}


def _unknown(path: Path, section: str, name: str, known: Collection[str]) -> WordsError:
    return WordsError(
        "{file}: [{section}] has {name!r}, which the rules file does not know; there are {known}",
        file=path,
        section=section,
        name=name,
        known=", ".join(sorted(known)) or "–",
    )


def _texts(where: str, entry: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(entry, Mapping):
        for key, inner in entry.items():
            yield from _texts(f"{where}.{key}", inner)
    elif isinstance(entry, list):
        for inner in entry:
            yield from _texts(where, inner)
    else:
        yield where, entry


def _allowed(rules: Rules, section: str, key: str, what: str) -> Collection[str] | None:
    """The places that a sentence may have; None where that differs from page to page."""
    if section == "moves":
        if what.startswith("exact"):
            return {name for move in rules.moves if move.name == key for name in move.parts}
        if what.startswith(("log", "said")):
            parts = {name for move in rules.moves for name in move.parts}
            return parts | {*rules.state_type.open_numbers, "moved"}
        return set()
    if section == "events":
        return CHANCE[key]
    if section == "moved":
        return MOVED
    return {"n"} if section == "changed" else None


def _check_text(path: Path, where: str, text: Any, allowed: Collection[str] | None) -> None:
    if not isinstance(text, str):
        raise WordsError("{file}: {where} is a text, not {value!r}", file=path, where=where, value=text)
    try:
        named = [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]
    except ValueError as e:
        raise WordsError(
            "{file}: {where}: {text!r} has a brace too many or too few", file=path, where=where, text=text
        ) from e
    for name in named:
        if allowed is not None and name not in allowed:
            raise WordsError(
                "{file}: {where} puts in {place}, which there is not; there is {known}",
                file=path,
                where=where,
                place="{" + name + "}",
                known=", ".join("{" + each + "}" for each in sorted(allowed)) or "–",
            )


def _check_sentences(path: Path, entries: Mapping[str, Any], moves: Collection[str]) -> None:
    for move, sentences in entries.items():
        for key in sentences if isinstance(sentences, Mapping) else ():
            what, after, before = key.partition(" after ")
            if what not in SENTENCES or (after and before not in moves):
                raise WordsError(
                    "{file}: [moves.{move}] has {name!r}; a move is told by {known}, or by one of these after another "
                    "move, as {form!r}",
                    file=path,
                    move=move,
                    name=key,
                    known=", ".join(sorted(SENTENCES)),
                    form=f"log after {min(moves)}",
                )


def _check_choices(rules: Rules, path: Path, entries: Mapping[str, Any]) -> None:
    for name, texts in entries.items():
        declared = [move.parts[name] for move in rules.moves if name in move.parts]
        known = {text for part in declared if isinstance(part, Choice) for text in part.texts}
        for text in texts if isinstance(texts, Mapping) else ():
            if text not in known:
                raise _unknown(path, f"choices.{name}", text, known)


def _check_options(rules: Rules, path: Path, entries: Mapping[str, Any]) -> None:
    for name, texts in entries.items():
        option = rules.declared_options[name]
        if isinstance(option, Choice):
            known = {"label", "help", *option.texts}
            for text in texts if isinstance(texts, Mapping) else ():
                if text not in known:
                    raise _unknown(path, f"options.{name}", text, known)


__all__ = ["WordsError", "look_over"]
