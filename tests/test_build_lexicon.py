"""The rule by which the builder accepts a word (JK-4), tried on entries made up for it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import build_lexicon
import pytest
from build_lexicon import Entry, Sense, Spelling, accept, apply_hand_kept, entries, grades, shortened, spellable

NOUN = "noun (common) (futsuumeishi)"
ARCHAIC, RUDE = "archaism", "vulgar expression or word"


def entry(word: str, *senses: Sense, tags: tuple[str, ...] = (), readings: tuple[str, ...] = ("よみ",)) -> Entry:
    return Entry({word: Spelling(set(tags), 0)}, [(reading, set()) for reading in readings], list(senses))


def sense(gloss: str = "meaning", pos: str = NOUN, misc: tuple[str, ...] = (), only: tuple[str, ...] = ()) -> Sense:
    return Sense(set(only), {pos}, set(misc), [gloss])


def gloss_of(given: Entry, word: str, nouns: tuple[str, ...] = ()) -> str | None:
    found = accept(given, word, {noun: {"ヨミ"} for noun in nouns})
    return found[0].gloss if found else None


def test_two_kanji_in_the_other_dictionary() -> None:
    assert gloss_of(entry("人花", sense()), "人花", ("人花",)) == "meaning"
    assert gloss_of(entry("人花", sense()), "人花") is None


def test_two_kanji_with_a_priority_tag() -> None:
    assert gloss_of(entry("人花", sense(), tags=("news2",)), "人花") == "meaning"


def test_a_priority_tag_does_not_save_what_is_wholly_archaic() -> None:
    old, new = sense("old", misc=(ARCHAIC,)), sense("new")
    assert gloss_of(entry("人花", old, tags=("news2",)), "人花") is None
    assert gloss_of(entry("人花", old, new, tags=("news2",)), "人花") == "new"
    assert gloss_of(entry("人花", old), "人花", ("人花",)) == "old"


@pytest.mark.parametrize(("pos", "accepted"), [(NOUN, True), ("transitive verb", False), ("adverb (fukushi)", True)])
def test_two_kanji_are_noun_like(pos: str, accepted: bool) -> None:
    assert (gloss_of(entry("人花", sense(pos=pos)), "人花", ("人花",)) is not None) == accepted


def test_what_is_rude_is_no_word() -> None:
    assert gloss_of(entry("人花", sense(misc=(RUDE,))), "人花", ("人花",)) is None
    assert gloss_of(entry("人花", sense("bad", misc=(RUDE,)), sense("good")), "人花", ("人花",)) == "good"
    assert gloss_of(entry("人花月", sense(misc=(RUDE,))), "人花月") is None


def test_three_and_four_kanji_need_no_other_dictionary_but_must_not_be_archaic() -> None:
    assert gloss_of(entry("人花月", sense(pos="expressions (phrases, clauses, etc.)")), "人花月") == "meaning"
    assert gloss_of(entry("人花月水", sense(misc=(ARCHAIC,))), "人花月水", ("人花月水",)) is None


def test_a_sense_of_other_spellings_does_not_count() -> None:
    assert gloss_of(entry("人花", sense("theirs", only=("人華",)), sense("ours")), "人花", ("人花",)) == "ours"


def test_a_reading_of_other_spellings_does_not_count() -> None:
    given = entry("人花", sense())
    given.readings = [("ほか", {"人華"}), ("よみ", {"人花"})]
    found = accept(given, "人花", {"人花": {"ヨミ"}})
    assert found is not None
    assert found[0].reading == "よみ"


def test_likelier_entries_come_first() -> None:
    nouns = {"人花": {"ヨミ"}}
    ordered = [
        entry("人花", sense(), tags=("ichi1", "news1", "nf01")),
        entry("人花", sense(), tags=("news1", "nf02")),
        entry("人花", sense(), tags=("news2", "nf30")),
        entry("人花", sense()),
        entry("人花", sense(), readings=("ほか",)),
        entry("人花", sense(misc=(ARCHAIC,))),
    ]
    likeness = [accept(given, "人花", nouns)[1] for given in ordered]  # type: ignore[index]
    assert likeness == sorted(likeness)
    assert len(set(likeness)) == len(likeness)


def test_a_long_gloss_is_shortened() -> None:
    assert shortened("a  short\none") == "a short one"
    assert len(shortened("long " * 40)) <= build_lexicon.MOST_GLOSS
    assert shortened("long " * 40).endswith("long…")


@pytest.fixture
def sources() -> sqlite3.Connection:
    """A JMdict and Kanjidic2 of a few rows, with the tables of the real one that the builder reads."""
    db = sqlite3.connect(":memory:")
    db.executescript(f"""
        CREATE TABLE character (literal, grade); CREATE TABLE Kanji (ID, idseq, text); CREATE TABLE KJI (kid, text);
        CREATE TABLE KJP (kid, text); CREATE TABLE Kana (ID, idseq, text, nokanji); CREATE TABLE KNR (kid, text);
        CREATE TABLE KNI (kid, text); CREATE TABLE Sense (ID, idseq); CREATE TABLE stagk (sid, text);
        CREATE TABLE pos (sid, text); CREATE TABLE misc (sid, text); CREATE TABLE SenseGloss (sid, lang, text);
        INSERT INTO character VALUES ('人', '1'), ('花', '1'), ('潟', '4'), ('徒', '4'), ('机', '6'), ('龍', '');
        INSERT INTO Kanji VALUES (1, 9, '人花'), (2, 9, '花人'), (3, 9, '人々'), (4, 9, '人人'), (5, 9, '々人'),
            (6, 9, '人潟'), (7, 9, '人机'), (8, 9, '人');
        INSERT INTO KJI VALUES (2, 'word containing irregular kanji usage');
        INSERT INTO KJP VALUES (1, 'ichi1');
        INSERT INTO Kana VALUES (1, 9, 'ふるい', 0), (2, 9, 'よみ', 0), (3, 9, 'よむ', 1);
        INSERT INTO KNI VALUES (1, 'out-dated or obsolete kana usage');
        INSERT INTO Sense VALUES (1, 9), (2, 9);
        INSERT INTO pos VALUES (1, '{NOUN}');
        INSERT INTO SenseGloss VALUES (1, 'eng', 'first'), (2, 'eng', 'second');
    """)
    return db


def test_grades_are_those_before_2020(sources: sqlite3.Connection) -> None:
    assert grades(sources) == {"人": 1, "花": 1, "徒": 4}


def test_only_what_cards_can_spell_is_looked_at(sources: sqlite3.Connection) -> None:
    assert spellable(sources, grades(sources)) == {"人花", "花人", "人々"}


def test_entries_are_read_with_what_belongs_to_them(sources: sqlite3.Connection) -> None:
    (found,) = entries(sources, {"人花", "花人", "人々"})
    assert found.spellings == {"人花": Spelling({"ichi1"}, 0), "人々": Spelling(set(), 2)}
    assert found.readings == [("よみ", set())]
    assert [(each.pos, each.glosses) for each in found.senses] == [({NOUN}, ["first"]), ({NOUN}, ["second"])]


def test_hand_kept_lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(build_lexicon, "HERE", tmp_path)
    kept = {
        "removed.tsv": "# a remark\n人花\tobscure\n人水\tnot there\n",
        "added.tsv": "花人\tはなびと\tperson of flowers\twell known\n",
        "corrected.tsv": "人月\tにんげつ\tman-month\tplainer\n",
    }
    (tmp_path / "lexicon").mkdir()
    for name, text in kept.items():
        (tmp_path / "lexicon" / name).write_text(text, encoding="utf-8")
    found = {word: build_lexicon.Word(word, "よみ", "gloss", True) for word in ("人花", "人月")}
    apply_hand_kept(found)
    assert found == {
        "人月": build_lexicon.Word("人月", "にんげつ", "man-month", True),
        "花人": build_lexicon.Word("花人", "はなびと", "person of flowers", False),
    }
    assert capsys.readouterr().out == "removed.tsv: 人水 (not there) is not in the list anyway\n"
