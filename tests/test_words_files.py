"""Slips in the words of a game are found with their file, in both languages; our own games have none."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tefuda.check.words_files import WordsError, look_over
from tefuda.engine.rules import RulesError, find, game_ids
from tefuda.words import Words

GAME = Path(__file__).parent.parent / "examples" / "german_whist.py"


@pytest.fixture
def words_file(tmp_path: Path) -> Path:
    shutil.copy(GAME, tmp_path / "mine.py")
    return tmp_path / "mine.words.en.toml"


@pytest.mark.parametrize("game", game_ids())
def test_the_words_of_our_games_are_in_order(game: str) -> None:
    assert look_over(find(game)) == 2


SLIPS = {
    '[sounds]\nplay = "x"': "no section 'sounds'",
    'piles = "x"': r"piles is a section: write it as \[piles\]",
    '[piles]\nhnad = "x"': "'hnad'.*hand, played, stock",
    "[piles]\nhand = 5": "piles.hand is a text, not 5",
    '[fields]\ntrick = "x"': "'trick'.*trump",
    '[changed]\n"trmup 1" = "x"': "'trmup 1'.*trump",
    '[moves.lead]\nlog = "x"': "'lead'.*play",
    '[moves.play]\nlgo = "x"': "'lgo'",
    '[moves.play]\n"log after lead" = "x"': "'log after lead'",
    '[moves.play]\nlog = "{crad}"': r"moves.play.log puts in \{crad\}.*\{card\}",
    '[moves.play]\nlog = "{card"': "a brace too",
    '[events]\nshufle = "x"': "'shufle'.*shuffle",
    '[events]\nshuffle = "{card}"': r"\{card\}.*\{pile\}",
    '[moved]\n"trick>away" = "x"': "'trick>away'.*trick",
    '[moved]\n"trick>played" = "{m}"': r"\{m\}",
    '[box]\ntiem = "x"': "'tiem'.*time",
    '[score]\nnotes = "x"': "'notes'.*note",
    '[changed]\n"trump 9 9" = "x"': "'trump 9 9'",
    '[cards]\nSZ = "x"': "'SZ'.*S2",
    '[moves.play]\nexact = "{led}"': r"\{led\}.*\{card\}",
    '[moves.play]\nlabel = "{card}"': "moves.play.label puts in",
    '[choices.card]\nS2 = "x"': "choices.card",
    '[options.trump]\nlabel = "x"': "'trump'.*trumps",
}


@pytest.mark.parametrize("text", SLIPS)
def test_a_slip_is_told_with_its_file(words_file: Path, text: str) -> None:
    words_file.write_text(text, encoding="utf-8")
    with pytest.raises(WordsError, match=SLIPS[text]) as found:
        look_over(find(words_file.with_name("mine.py")))
    assert all(str(words_file) in found.value.say(lang) for lang in ("en", "ja"))
    assert found.value.say("ja") != found.value.say("en")


def test_what_the_page_understands_is_in_order(words_file: Path) -> None:
    words_file.write_text(
        'hidden = "a card"\n[cards]\nS2 = "the two"\n[piles]\nhand = "hand"\n"trick empty" = "none"\n'
        '[moves.play]\nlog = "{card} {trump}"\n"log after play" = "{card} {led}"\n'
        '[events]\nstart = "{seat}"\n[moved]\n"play trick>played" = "{cards} {n:card|cards}"\n'
        '[changed]\ntrump = "{n}"\n"trump 1" = "x"\n'
        '[options.trumps]\nlabel = "x"\ntrue = "y"\n[end]\nlast = "{name}"\n',
        encoding="utf-8",
    )
    assert look_over(find(words_file.with_name("mine.py"))) == 1


@pytest.mark.parametrize("text", [b"[moves\n", b'hidden = "\xff"'])
def test_a_file_that_cannot_be_read_is_named(words_file: Path, text: bytes) -> None:
    words_file.write_bytes(text)
    with pytest.raises(RulesError, match=r"mine\.words\.en\.toml cannot be read"):
        Words(find(words_file.with_name("mine.py")), "en")
