"""The playtests of the games that come with Tefuda: what the docs say of them is what their numbers say."""

from __future__ import annotations

import playtests
import pytest

from tefuda.engine.rules import find, game_ids
from tefuda.lab import brief


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_what_was_learned_is_what_the_numbers_say(lang: str) -> None:
    """After a change to findings or texts: `make playtests ARGS=--again`."""
    summaries = {game: playtests.read_json(playtests.OUT / f"{game}.json") for game in game_ids()}
    options = {game: playtests.read_json(playtests.OUT / f"{game}-options.json") for game in game_ids()}
    page = (playtests.OUT / playtests.PAGES[lang]).read_text(encoding="utf-8")
    assert page == playtests.learned(summaries, options, lang)


@pytest.mark.parametrize("game", game_ids())
def test_every_number_of_players_was_played_and_the_designers_page_knows(game: str) -> None:
    rules, summary = find(game), playtests.read_json(playtests.OUT / f"{game}.json")
    every = list(range(rules.least_seats, rules.most_seats + 1))
    assert [each["seats"] for each in summary["results"]] == every
    assert summary["rules"] == rules.version
    told = brief.brief(rules, "en")
    assert told is not None and list(told.seats) == every and told.rules == rules.version
    assert brief.shortened(rules, summary) == playtests.read_json(brief.file_of(rules))
