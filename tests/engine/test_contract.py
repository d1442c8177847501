"""A rules file is looked over when it is read: slips that Python would let pass are told with their line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tefuda.engine.contract import COLOURS
from tefuda.engine.declare import EVERYBODY, Pile
from tefuda.engine.rules import Rules, RulesError
from tefuda.web.pages import COLOURS as CLASSES

WHIST = (Path(__file__).parent.parent.parent / "examples" / "german_whist.py").read_text(encoding="utf-8")

SLIPS = [
    ("def advance(", "def advanse(", r"line \d+: nothing calls the function 'advanse'; is 'advance' meant"),
    ("def is_over(", "def isover(", r"line \d+: nothing calls the function 'isover'; is 'is_over' meant"),
    ("    points[1] = s.tricks[1]", "    return points", r"line \d+: what 'scores' returns"),
    ("t.trumps and", 't.trumps == "yes" and', r"line \d+: t\.trumps is a number and never 'yes'"),
    ("if s.led == NO_CARD:", 'if "" == s.led:', r"line \d+: s\.led is a number"),
    (
        "number_piles(PILES, most_seats=2)",
        "number_piles(PILES, most_seats=4)",
        "numbered for 4 seats.*for 2",
    ),
    ('"id": "german_whist"', '"id": "ホイスト"', "small letters"),
    ('"deck": "plain"', '"deck": "plain", "auther": "me"', r"INFO has 'auther'.*author"),
    ('"deck": "plain"', '"deck": "plain", "lid": {"colour": "pink"}', "'pink'; there are green"),
    ('"deck": "plain"', '"deck": "plain", "card_groups": {"aces": ("SZ",)}', "'SZ' in 'aces'"),
    ("Flag(True)", "Range(7, 0, 5)", "'trumps' takes a whole number from 0 to 5, but is 7"),
    ("cards=52,", "cards=51,", "52 cards of 52 kinds.*room for 51 of 52"),
    ('for suit in "SHDC"', 'for suit in "SSDC"', "two kinds of cards are called 'S2'"),
    ("[suit + rank ", '[suit + " " + rank ', "a space"),
    ("def legal(s, moves, t):\n", "def legal(s, moves, t):\n    follow＝1\n", r"line \d+: the character ＝"),
    ("def legal(s, moves, t):\n", "def legal(s, moves, t):\n    follow\u3000= 1\n", r"line \d+: a full-width space"),
    ("def legal(s, moves, t):\n", "def legal(s, moves, t):\n    x = (1\n", r"line \d+: the bracket \( is never closed"),
    ("PLAY = 1\n", "PLAY = plya\n", r"line \d+: the name plya is not defined"),
]


@pytest.mark.parametrize(("old", "new", "said"), SLIPS)
def test_a_slip_is_told_in_both_languages(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in WHIST
    with pytest.raises(RulesError, match=said) as found:
        Rules(tmp_path / "whist.py", WHIST.replace(old, new))
    assert "whist.py" in found.value.say("ja") and found.value.say("ja") != str(found.value)


def test_a_row_is_ordered() -> None:
    """Its places are what is seen and chosen: told sorted, it would be another row."""
    assert Pile("row", seen_by=EVERYBODY, row=True).ordered


def test_the_page_has_every_colour_of_a_lid() -> None:
    assert set(CLASSES) == set(COLOURS)
