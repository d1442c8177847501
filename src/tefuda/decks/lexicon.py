"""The words of the 熟語 games: which are accepted, how they are read and what they mean.

A lexicon has a name and a version (`standard/1`); a released version never changes. The lists lie beside this file;
`make lexicon` builds the next one (tools/build_lexicon.py, which says where the words come from).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

DATA = Path(__file__).parent / "lexicon_data"

NAMES = ("standard/1", "common/1", "none")
"""The lexicons there are: all accepted words, those with a priority tag of JMdict, and no word at all."""

ACKNOWLEDGEMENT = {
    "ja": (
        "熟語の表は、電子辞書研究開発グループ（EDRDG）の辞書ファイル JMdict と KANJIDIC2 を、その利用条件"
        "（CC BY-SA 3.0）に従って使い、SudachiDict で確かめて作りました。"
    ),
    "en": (
        "The list of words is made from the JMdict and KANJIDIC2 dictionary files, the property of the Electronic "
        "Dictionary Research and Development Group (EDRDG), used in conformance with its licence (CC BY-SA 3.0), and "
        "checked with SudachiDict."
    ),
}
"""What must stand on every page that shows a word, in Japanese and English."""

ACKNOWLEDGEMENT_URL = "https://www.edrdg.org/edrdg/licence.html"


@dataclass(frozen=True, slots=True)
class Word:
    """An accepted word: how it is read, what it means in English, and whether it has a priority tag of JMdict."""

    reading: str
    gloss: str
    common: bool


@cache
def words(name: str) -> Mapping[str, Word]:
    """The words of a lexicon, by how they are written. ValueError, in words, when there is no such lexicon."""
    if name not in NAMES:
        raise ValueError(f"there is no lexicon {name!r}; there are {', '.join(NAMES)}")
    if name == "none":
        return MappingProxyType({})
    kind, version = name.split("/")
    if kind == "common":
        return MappingProxyType({word: found for word, found in words(f"standard/{version}").items() if found.common})
    text = (DATA / f"standard-{version}.tsv").read_text(encoding="utf-8")
    found = {}
    for line in text.splitlines():
        word, reading, gloss, common = line.split("\t")
        found[word] = Word(reading, gloss, common == "1")
    return MappingProxyType(found)


@cache
def grades() -> Mapping[str, int]:
    """The kanji taught in the first five years of school, each with its year, by the table before 2020."""
    lines = (DATA / "grades.txt").read_text(encoding="utf-8").splitlines()
    return MappingProxyType({kanji: grade for grade, line in enumerate(lines, 1) for kanji in line})
