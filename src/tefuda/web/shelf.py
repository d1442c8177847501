"""What stands on the shelf: the games found, told apart, and looked over as far as pages need them, so that what is
wrong is told when the server starts and not when somebody opens a page."""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tefuda.engine.game import new
from tefuda.engine.rules import Rules, RulesError, describe, find, where
from tefuda.web import pages
from tefuda.web.routes_shelf import rules_text
from tefuda.words import LANGUAGES, words, words_file


def shelf_of(games: Sequence[str | Path | Rules]) -> dict[str, Rules]:
    """The games by their ids, in the order given; a file that is given twice stands there once. UnknownGameError;
    RulesError when two have one id, or when a page of one could not be drawn."""
    shelf: dict[str, Rules] = {}
    for game in games:
        rules = game if isinstance(game, Rules) else find(game)
        other = shelf.setdefault(rules.id, rules)
        if other.path.resolve() != rules.path.resolve():
            raise RulesError(
                "{file} and {other} have one id, {id!r}: INFO['id'] of one of them must be another",
                file=other.path,
                other=rules.path,
                id=rules.id,
            )
    for rules in shelf.values():
        look_over(rules)
    return shelf


@cache
def look_over(rules: Rules) -> None:
    """RulesError when the words or the rules page of a game cannot be read or filled in, or when its box, its form, or
    the table as it is dealt cannot be drawn, in either language."""
    for lang in LANGUAGES:
        _look_over_words(rules, lang)
        rules_text(rules, lang)
    try:
        _draw(rules)
    except RulesError:
        raise
    except Exception as e:
        raise RulesError("{where}: {reason}", where=where(e, rules.path), reason=describe(e)) from e


def _look_over_words(rules: Rules, lang: str) -> None:
    """RulesError when a sentence would spoil a page at the moment that it is told."""
    for place, text in _texts("", words(rules, lang).table):
        try:
            list(string.Formatter().parse(text))
        except ValueError as e:
            raise RulesError(
                "{file}: {where}: {text!r} has a brace too many or too few",
                file=words_file(rules, lang),
                where=place,
                text=text,
            ) from e


def _texts(place: str, entry: Any) -> Iterator[tuple[str, str]]:
    """The texts of a table of words, each with where it stands (`moves.pay.log`)."""
    if isinstance(entry, Mapping):
        for key, inner in entry.items():
            yield from _texts(f"{place}.{key}" if place else key, inner)
    elif isinstance(entry, str):
        yield place, entry


def _draw(rules: Rules) -> None:
    game = new(rules, players=[f"bot:{seat}" for seat in range(rules.least_seats)], seed=0)
    seen = [(game.view(seat, person=True), game.story(seat)) for seat in (game.seat, None)]
    for lang in LANGUAGES:
        visit = pages.Visit(lang)
        pages.render_gallery(visit, [rules])
        pages.render_setup(visit, rules, [])
        for view, story in seen:
            pages.render_table(visit, rules, view, story, pages.Table("a"))
