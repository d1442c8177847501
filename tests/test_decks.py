"""The card faces: all of them draw, are safe in any page, and are told in both languages."""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import pytest

from tefuda import decks
from tefuda.decks import cookies, kanji_decks, leaves, plain
from tefuda.decks.drawing import PAPER, SHU, SUMI, SUMI_PALE

SVG = "{http://www.w3.org/2000/svg}"
WRITTEN_NAMES = [
    "森",
    "大将",
    "もう一枚引く",
    "Draw 2",
    "ジョーカー",
    "<&\">'",
    "-3",
    "MMMMMMMMMMMM",
    "\u0301",
    "一二三四五六七八九十百千",
]
WRITING = {"karuta", "kanji"}
"""Decks whose cards are Japanese writing: what stands on them is told as it is, in English too."""
ALL = [(deck, name) for deck in decks.DECKS for name in decks.names(deck)]
ALL_AND_WRITTEN = [*ALL, *(("plain", name) for name in WRITTEN_NAMES)]


def texts(svg: str) -> list[str]:
    """What is written on a face, without its title."""
    return ["".join(element.itertext()) for element in ET.fromstring(svg).iter(f"{SVG}text")]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours as WCAG defines it."""

    def luminance(colour: str) -> float:
        channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def attributes(root: ET.Element) -> Iterator[tuple[str, str]]:
    for element in root.iter():
        yield from element.items()


def test_the_decks_have_the_cards_of_their_games() -> None:
    assert decks.names("leaves") == (*map(str, range(1, 14)), "back")
    numbers = [f"{suit}{rank}" for suit in "SHCD" for rank in range(1, 11)]
    pictures = [f"{suit}{court}" for suit in "SHCD" for court in "JQK"]
    expected = {*numbers, *pictures, "joker", "back", *(f"t-{number}" for number in numbers)}
    assert set(decks.names("cookies")) == expected
    assert len(decks.names("cookies")) == len(expected)
    assert len(decks.names("plain")) == 54


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize(("deck", "name"), ALL_AND_WRITTEN)
def test_a_face_is_a_safe_svg_document(deck: str, name: str, lang: str) -> None:
    svg = decks.face(deck, name, lang)
    root = ET.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    assert root.get("{http://www.w3.org/XML/1998/namespace}lang") == lang
    assert root.findtext(f"{SVG}title") == decks.label(deck, name, lang)

    drawn = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert drawn <= {"svg", "title", "defs", "clipPath", "g", "path", "rect", "circle", "ellipse", "text"}
    ids = {value for attribute, value in attributes(root) if attribute == "id"}
    for attribute, value in attributes(root):
        assert attribute != "style"
        assert not attribute.startswith("on")
        assert "href" not in attribute
        assert "nan" not in value and "inf" not in value
        if "url(" in value:
            assert value.removeprefix("url(#").removesuffix(")") in ids


def test_faces_are_the_same_in_every_process() -> None:
    def digest(hash_seed: str) -> str:
        program = (
            "import hashlib; from tefuda import decks; print(hashlib.sha256(''.join("
            "decks.face(deck, name) for deck in decks.DECKS for name in decks.names(deck)).encode()"
            " + decks.face('plain', '森').encode()).hexdigest())"
        )
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    assert digest("1") == digest("2")


@pytest.mark.parametrize("deck", decks.DECKS)
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_no_two_cards_of_a_deck_look_alike(deck: str, lang: str) -> None:
    names = decks.names(deck)
    bodies = {re.sub("<title>.*?</title>", "", decks.face(deck, name, lang)) for name in names}
    assert len(bodies) == len(names)


@pytest.mark.parametrize(("deck", "name"), ALL)
def test_a_card_is_told_in_both_languages(deck: str, name: str) -> None:
    for tell in (decks.label, decks.describe):
        japanese, english = tell(deck, name, "ja"), tell(deck, name, "en")
        assert re.search(r"[぀-ヿ一-鿿]", japanese)
        assert re.search(r"[A-Za-z]", english)
        assert deck in WRITING or not re.search(r"[぀-ヿ一-鿿]", english)


@pytest.mark.parametrize(("deck", "name"), [(deck, name) for deck, name in ALL if deck not in WRITING])
def test_an_english_face_carries_no_japanese(deck: str, name: str) -> None:
    assert not re.search(r"[぀-ヿ一-鿿]", decks.face(deck, name, "en"))


@pytest.mark.parametrize(
    ("deck", "name", "japanese", "english"),
    [
        ("leaves", "3", "3（欅）", "3 (zelkova)"),
        ("cookies", "H7", "ハートの形、よく焼けた +7", "Heart cookie, well baked, +7"),
        ("cookies", "S4", "スペードの形、焦げた −4", "Spade cookie, burnt, −4"),
        ("cookies", "t-D10", "ダイヤの形、焦げた −10", "Diamond cookie, burnt, −10"),
        ("cookies", "HQ", "苦手はハート", "cannot stand hearts"),
        ("karuta", "うか", "はけしかれとはいのらぬものを", "Torifuda “はけしかれとはいのらぬものを”"),
        ("kanji", "花", "花（1点）", "花 (1 point)"),
        ("kanji", "鶴-9", "鶴（9点）", "鶴 (9 points)"),
        ("kanji", "々", "々（ジョーカー）", "々 (joker)"),
        ("plain", "S5", "スペードの5", "5 of spades"),
        ("plain", "HQ", "ハートのクイーン", "Queen of hearts"),
        ("plain", "Draw 2", "Draw 2", "Draw 2"),
    ],
)
def test_labels(deck: str, name: str, japanese: str, english: str) -> None:
    assert decks.label(deck, name) == japanese
    assert decks.label(deck, name, "en") == english


def test_the_62_leaves_and_their_seeds() -> None:
    assert [leaf.copies for leaf in leaves.LEAVES] == [2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2]
    for leaf in leaves.LEAVES:
        seeds = ET.fromstring(decks.face("leaves", str(leaf.rank))).findall(f"{SVG}ellipse")
        assert len(seeds) == leaf.copies
        assert f"62枚の葉のうち{leaf.copies}枚" in decks.describe("leaves", str(leaf.rank))
        assert f"deck of 62 has {leaf.copies} of them" in decks.describe("leaves", str(leaf.rank), "en")


def test_a_cookie_tells_its_value_by_a_sign() -> None:
    for rank in range(1, 11):
        value = f"+{rank}" if rank % 2 else f"−{rank}"
        for name in (f"C{rank}", f"t-C{rank}"):
            assert texts(decks.face("cookies", name)) == [value]


def test_words_on_a_face_follow_the_language() -> None:
    assert "".join(texts(decks.face("leaves", "7"))) == "7銀杏"
    assert texts(decks.face("leaves", "13", "en")) == ["13", "Japanese", "maple"]
    assert texts(decks.face("cookies", "DK")) == ["K", "苦", "手"]
    assert texts(decks.face("cookies", "DK", "en")) == ["K", "can’t stand"]
    assert texts(decks.face("cookies", "joker")) == ["贈り主", "どうぞ"]
    assert texts(decks.face("cookies", "joker", "en")) == ["giver", "please"]


@pytest.mark.parametrize("name", WRITTEN_NAMES)
def test_a_plain_card_carries_its_name_in_the_corner_and_in_the_middle(name: str) -> None:
    corner, *middle = texts(decks.face("plain", name))
    assert corner == name
    assert "".join(middle) == name.replace(" ", "")


def test_a_long_name_is_set_smaller_and_stays_on_the_card() -> None:
    def sizes(name: str) -> list[float]:
        root = ET.fromstring(decks.face("plain", name))
        return [float(element.get("font-size", "nan")) for element in root.iter(f"{SVG}text")]

    assert sizes("森")[1] > sizes("森林")[1] > sizes("一二三四五六七八九十百千")[1] > 20
    corner, line = sizes("ああああぁぁぁぁぁぁぁぁ")[:2]  # small kana begin no line, and stand in no column
    assert 12 * corner <= 250 - 2 * 17
    assert 9 * line <= 192


@pytest.mark.parametrize(("one", "same"), [("SA", "S1"), ("HJ", "H11"), ("CQ", "C12"), ("DK", "D13")])
def test_a_court_card_may_be_named_by_number(one: str, same: str) -> None:
    assert decks.face("plain", one) == decks.face("plain", same)


@pytest.mark.parametrize("name", ["S0", "S14", "S05", "X5", "s5", "SAA"])
def test_what_is_not_quite_a_playing_card_is_a_word(name: str) -> None:
    assert texts(decks.face("plain", name))[0] == name
    assert decks.label("plain", name) == name


@pytest.mark.parametrize(
    ("deck", "name", "lang", "hint"),
    [
        ("leafs", "1", "ja", "leaves cookies karuta kanji plain"),
        ("leaves", "14", "ja", "1 2 3 4 5 6 7 8 9 10 11 12 13 back"),
        ("leaves", "joker", "ja", "1 2 3 4 5 6 7 8 9 10 11 12 13 back"),
        ("cookies", "S11", "ja", "S1 S2"),
        ("cookies", "t-SJ", "ja", "S1 S2"),
        ("kanji", "鶴", "ja", "any kanji with its value"),
        ("kanji", "花-0", "ja", "any kanji with its value"),
        ("kanji", "花-1-X2", "ja", "any kanji with its value"),
        ("kanji", "あ-1", "ja", "any kanji with its value"),
        ("kanji", "花花", "ja", "any kanji with its value"),
        ("plain", "", "ja", "1 to 12 printable characters"),
        ("plain", "thirteen char", "ja", "1 to 12 printable characters"),
        ("plain", " 5", "ja", "no space at either end"),
        ("plain", "a\x07", "ja", "1 to 12 printable characters"),
        ("leaves", "1", "fr", "ja en"),
    ],
)
def test_what_does_not_exist_is_refused_with_what_does(deck: str, name: str, lang: str, hint: str) -> None:
    for ask in (decks.face, decks.label, decks.describe):
        with pytest.raises(KeyError, match=hint):
            ask(deck, name, lang)


def test_an_unknown_deck_has_no_names_and_no_motif() -> None:
    for ask in (decks.names, decks.motif):
        with pytest.raises(KeyError, match="no deck 'tarot'; there are leaves cookies karuta kanji plain"):
            ask("tarot")


@pytest.mark.parametrize("deck", decks.DECKS)
def test_a_motif_is_a_fragment_for_an_svg(deck: str) -> None:
    root = ET.fromstring(f"<svg>{decks.motif(deck)}</svg>")
    assert len(list(root.iter("path"))) + len(list(root.iter("rect"))) >= 3
    assert {attribute for attribute, _ in attributes(root)}.isdisjoint({"id", "style", "href"})


def test_ids_of_different_backs_do_not_collide() -> None:
    ids = [re.findall(r' id="([^"]+)"', decks.face(deck, "back")) for deck in decks.DECKS]
    assert all(len(of_deck) == 1 for of_deck in ids)
    assert len({of_deck[0] for of_deck in ids}) == len(ids)


@pytest.mark.parametrize("ink", [SUMI, SUMI_PALE, SHU, cookies.GOLDEN_INK, *(leaf.ink for leaf in leaves.LEAVES)])
def test_inks_are_readable_on_paper(ink: str) -> None:
    assert contrast(ink, PAPER) >= 4.5


def test_suits_differ_by_shape_and_the_red_ones_carry_a_line() -> None:
    def pip(name: str) -> list[dict[str, str]]:
        return [dict(path.items()) for path in ET.fromstring(decks.face("plain", name)).iter(f"{SVG}path")]

    # the fibres, the corner mark, the pip, and for red suits the line inside it
    assert [len(pip(f"{suit}5")) for suit in "SHCD"] == [3, 4, 3, 4]
    assert len({pip(f"{suit}5")[1]["d"] for suit in "SHCD"}) == 4
    assert plain.DECK.names[:13] == tuple(f"S{rank}" for rank in (*"A23456789", "10", *"JQK"))


# ------------------------------------------------------------------------------------------------- kanji cards


@pytest.mark.parametrize("value", range(1, 10))
def test_a_kanji_card_tells_its_value_by_number_colour_and_shape(value: int) -> None:
    root = ET.fromstring(decks.face("kanji", f"鶴-{value}"))
    assert texts(decks.face("kanji", f"鶴-{value}")) == ["鶴", str(value)]
    shapes = [path.get("d", "") for path in root.iter(f"{SVG}path") if path.get("stroke-linejoin")]
    assert len(shapes) == 1
    if value > 2:
        assert len(re.findall("[ML]", shapes[0])) == value  # as many corners as points
    others = [decks.face("kanji", f"鶴-{other}") for other in range(1, 10) if other != value]
    fills = {rect.get("fill", "") for rect in root.iter(f"{SVG}rect")} - {PAPER, "none"}
    (fill,) = fills
    assert not any(fill in other for other in others)


def test_the_cards_of_the_usual_deck_have_its_suits_and_ranks() -> None:
    deck = kanji_decks.built_in()["reconstruction"]
    assert decks.names("kanji") == (*(each.kanji for each in deck.cards), "々", "back")
    assert texts(decks.face("kanji", "徒")) == ["A", "徒", "4"]
    assert decks.describe("kanji", "徒") == "小学四年で習う漢字「徒」、4点。クローバーのA。"
    assert decks.describe("kanji", "徒", "en") == "A kanji of school year 4, 徒: 4 points. The A of clubs."
    assert decks.describe("kanji", "鶴-3") == "漢字「鶴」、3点。"


def test_a_card_in_play_is_that_of_the_deck_the_options_say() -> None:
    own = {"cards": [[kanji, 9] for kanji in [each.kanji for each in kanji_decks.built_in()["dense"].cards][:31]]}
    assert decks.in_play("kanji", "花", {}) == decks.in_play("kanji", "花", {"deck": "reconstruction"}) == "花"
    assert decks.in_play("kanji", "花", {"deck": "dense"}) == "花-1-D5"
    assert decks.in_play("kanji", "常", {"deck": own}) == "常-9"  # 31 cards have no four suits
    assert decks.in_play("kanji", "々", {"deck": own}) == "々"
    assert texts(decks.face("kanji", "花-1-D5")) == ["5", "花", "1"]
    for deck, name in (("leaves", "7"), ("plain", "森"), ("karuta", "うか")):
        assert decks.in_play(deck, name, {"deck": "dense"}) == name
