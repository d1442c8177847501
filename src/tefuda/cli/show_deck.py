"""Decks on the command line: which deck is meant, and what is printed of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.columns import Columns
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from tefuda.cli.complaints import FAILED, Complaint
from tefuda.cli.show import console
from tefuda.cli.words import language, say
from tefuda.decks import deck_search, kanji_decks, karuta
from tefuda.decks import lexicon as lexicons
from tefuda.decks.deck import DeckError
from tefuda.decks.deck_check import KanjiReport, KimarijiReport, Share, check_kanji, check_kimariji, kimariji_deck
from tefuda.decks.kanji_decks import JOKER, SUITS, KanjiCard, KanjiDeck

HUNDRED = "full"
"""The name of the deck of all the hundred poems."""

MARKS = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}
COLOURS = {1: "blue", 2: "magenta", 3: "yellow", 4: "green", 5: "red"}
"""The colours of the grades, as near as a terminal has them."""

Json = Any
Found = KanjiDeck | tuple[str, ...]
"""A kanji deck, or the kimariji of grabbing cards."""


# ----------------------------------------------------------------------------------------------- which deck is meant


def deck_of(name: str) -> Found:
    """The deck of a name or a file; a complaint when there is none, or it cannot be one."""
    if name in kanji_decks.built_in():
        return kanji_decks.deck(name)
    if name == HUNDRED:
        return kimariji_deck(name)
    try:
        data = json.loads(Path(name).read_text(encoding="utf-8"))
    except FileNotFoundError as e:
        known = ", ".join([*kanji_decks.built_in(), HUNDRED])
        message = "There is no deck {name!r}; the decks: {known}, or give the path of a deck file."
        raise Complaint(say(message, name=name, known=known)) from e
    except OSError as e:
        raise Complaint(say("The file {file!r} cannot be read: {why}.", file=name, why=e.strerror or e)) from e
    except ValueError as e:
        raise Complaint(say("The file {file!r} does not hold JSON: {why}.", file=name, why=e), FAILED) from e
    try:
        return kimariji_deck(data) if isinstance(data, list) else kanji_decks.deck(data)
    except DeckError as e:
        raise refused(e, FAILED) from e


def refused(error: DeckError, *code: int) -> Complaint:
    """The reason why a deck cannot be, as a sentence."""
    return Complaint(say("This deck cannot be: {why}.", why=error.words.say(language())), *code)


def known_lexicon(name: str) -> str:
    """The name of a lexicon; a complaint when there is none of this name."""
    if name not in lexicons.NAMES:
        known = ", ".join(lexicons.NAMES)
        raise Complaint(say("There is no list of words {name!r}; the lists: {known}.", name=name, known=known))
    return name


def look_over(deck: Found, lexicon: str) -> KanjiReport | KimarijiReport:
    """What a deck can do."""
    name = known_lexicon(lexicon)
    return check_kanji(deck, name) if isinstance(deck, KanjiDeck) else check_kimariji(deck)


# ------------------------------------------------------------------------------------------------------------ listing


def deck_data(deck: Found, lexicon: str) -> dict[str, Json]:
    """A deck as JSON. Kanji decks: cards (kanji, value, suit, rank), jokers, words (word, reading, gloss, common)."""
    if not isinstance(deck, KanjiDeck):
        return {"cards": [[name, karuta.POEM_OF[name].number] for name in deck]}
    listed = lexicons.words(known_lexicon(lexicon))
    return {
        "cards": [[card.kanji, card.value, card.suit, card.rank] for card in deck.cards],
        "jokers": deck.jokers,
        "words": [
            [word, listed[word].reading, listed[word].gloss, listed[word].common]
            for word in kanji_decks.spellable(deck, lexicon)
        ],
    }


def listing(deck: Found, lexicon: str) -> None:
    """Print a deck and its words."""
    out = console()
    if not isinstance(deck, KanjiDeck):
        table = plain_table(say("kimariji"), say("poem"), say("author"), say("on the card"))
        for name in deck:
            poem = karuta.POEM_OF[name]
            table.add_row(Text(name, style="bold"), str(poem.number), poem.author.say(language()), poem.on_card)
        out.print(table)
        return
    listed = lexicons.words(known_lexicon(lexicon))
    words = kanji_decks.spellable(deck, lexicon)
    heading(deck)
    out.print(cards_table(deck.cards))
    out.print()
    table = plain_table(say("word"), say("reading"), say("meaning"))
    for word in words:
        found = listed[word]
        table.add_row(Text(word, style="bold" if found.common else ""), found.reading, found.gloss)
    out.print(table)
    n, common = len(words), sum(listed[word].common for word in words)
    out.print(say("{n} words of the list {lexicon}, {common} of them common.", n=n, lexicon=lexicon, common=common))
    acknowledge()


def plain_table(*headings: str) -> Table:
    """A table without lines."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for each in headings:
        table.add_column(each, overflow="fold")
    return table


def heading(deck: KanjiDeck) -> None:
    """Print what deck it is: the built-in ones are reconstructions, and are called so."""
    n, jokers = len(deck.cards), deck.jokers
    size = say("{n} kanji, {jokers} jokers {joker}", n=n, jokers=jokers, joker=JOKER)
    if deck.name is None:
        console().print(Text(size, style="bold"))
        return
    console().print(Text(f"{deck.name}: {size}", style="bold"))
    message = "A reconstruction: which kanji the published deck has is not public."
    console().print(Text(say(message), style="dim"))


def cards_table(cards: Sequence[KanjiCard]) -> Table | Columns:
    """The cards, suit by suit, or (without suits) one after the other, each with its value."""
    if cards[0].suit is None:
        return Columns([card_text(card) for card in cards], padding=(0, 1))
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim")
    table.add_column("")
    length = len(cards) // len(SUITS)
    for rank in range(1, length + 1):
        table.add_column(str(rank))
    for i, suit in enumerate(SUITS):
        table.add_row(MARKS[suit], *[card_text(card) for card in cards[i * length : (i + 1) * length]])
    return table


def card_text(card: KanjiCard) -> Text:
    """A kanji in the colour of its grade, and its value."""
    return Text.assemble((card.kanji, f"bold {COLOURS.get(card.value, '')}".strip()), (str(card.value), "dim"))


def acknowledge() -> None:
    """Print where the words come from."""
    console().print(Text(f"\n{lexicons.ACKNOWLEDGEMENT[language()]}\n{lexicons.ACKNOWLEDGEMENT_URL}", style="dim"))


# ------------------------------------------------------------------------------------------------------------ reports


def report(found: KanjiReport | KimarijiReport) -> None:
    """Print what a deck can do."""
    if isinstance(found, KanjiReport):
        kanji_report(found)
    else:
        kimariji_report(found)


def kanji_report(found: KanjiReport) -> None:
    """Print what a kanji deck can do."""
    out = console()
    heading(found.deck)
    out.print(cards_table(found.deck.cards))
    two, three, four = found.lengths().values()
    n, jokers = len(found.words), found.with_joker()
    message = (
        "{n} words of the list {lexicon}: {two} of two cards, {three} of three, {four} of four; {jokers} with {joker}"
    )
    out.print(
        "\n" + say(message, n=n, lexicon=found.lexicon, two=two, three=three, four=four, jokers=jokers, joker=JOKER)
    )
    if found.dead:
        out.print(Text(say("Dead kanji, in no word at all: {dead}", dead=" ".join(found.dead)), style="bold red"))
    else:
        out.print(say("No kanji is dead: each is in a word."))
    if not found.pairs:
        out.print(say("The cards stand in no suits: their number is no multiple of four."))
    elif found.apart:
        apart = " ".join(found.apart)
        message = "Of {pairs} pairs of neighbours these make no word: {apart}"
        out.print(say(message, pairs=found.pairs, apart=apart))
    else:
        out.print(say("All {pairs} pairs of neighbours make a word.", pairs=found.pairs))
    hands = plain_table(say("cards in the hand"), say("holds a word"), say("holds a common word"))
    for size, held in found.hands.items():
        hands.add_row(str(size), share_text(held), share_text(found.common_hands[size]))
    out.print()
    out.print(hands)
    out.print()
    partners = plain_table(say("kanji"), say("makes words of two with"))
    for one, others in sorted(found.partners.items(), key=lambda item: len(item[1])):
        partners.add_row(Text(one, style="bold"), Text.assemble((f"{len(others):2}  ", "dim"), others))
    out.print(partners)


def kimariji_report(found: KimarijiReport) -> None:
    """Print what a deck of grabbing cards can do."""
    out = console()
    out.print(Text(say("{n} grabbing cards", n=len(found.cards)), style="bold"))
    table = plain_table(say("length of the kimariji"), say("cards"))
    for length, n in found.lengths().items():
        table.add_row(str(length), str(n))
    out.print(table)
    if found.repeated():
        out.print(say("More than once: {cards}", cards=" ".join(found.repeated())))
    out.print(say("{n} dubs: {dubs}", n=len(found.families), dubs=" ".join(each.name for each in found.families)))
    hands = plain_table(say("cards in the hand"), say("holds a dub"))
    for size, held in found.hands.items():
        hands.add_row(str(size), share_text(held))
    out.print()
    out.print(hands)


def share_text(found: Share) -> str:
    """A share, with its interval where it was not counted."""
    if found.low == found.high:
        return f"{found.value:.2%}"
    return f"{found.value:.2%}  ({found.low:.2%} – {found.high:.2%})"


# ------------------------------------------------------------------------------------------------------------- making


@dataclass(frozen=True)
class Asked:
    """The deck that is asked for, as the command line says it."""

    grades: str
    size: int
    wanted: str
    mix: str | None
    jokers: int
    lexicon: str
    seed: int


def make(asked: Asked, out: Path) -> KanjiReport:
    """Search a deck, arrange it, write it to a file that is not there yet."""
    if out.exists():
        raise Complaint(say("The file {file!r} is there already; name another with --out.", file=str(out)))
    least, most = kanji_decks.FEWEST_KANJI, kanji_decks.MOST_KANJI
    if not least <= asked.size <= most:
        raise Complaint(say("A deck has {least} to {most} kanji.", least=least, most=most))
    if not 0 <= asked.jokers <= kanji_decks.MOST_JOKERS:
        raise Complaint(say("A deck has 0 to {most} jokers.", most=kanji_decks.MOST_JOKERS))
    words = lexicons.words(known_lexicon(asked.lexicon))
    grade_of = lexicons.grades()
    grades = grades_of(asked.grades)
    nameless = [one for one in asked.wanted if one not in grade_of]
    if nameless:
        message = "These are no kanji of the grades 1 to 5, of which the list of words is made: {kanji}"
        raise Complaint(say(message, kanji=" ".join(nameless)))
    pool = {one: grade for one, grade in grade_of.items() if grade in grades or one in asked.wanted}
    mix = None if asked.mix is None else mix_of(asked.mix, grades)
    steps, swaps = deck_search.STEPS, deck_search.SWAPS * deck_search.ATTEMPTS
    try:
        with progress(say("searching kanji"), steps) as told:
            kanji = deck_search.search(
                pool, asked.size, asked.wanted, words, asked.seed, mix, steps=steps, progress=told
            )
    except DeckError as e:
        raise refused(e) from e
    kanji.sort(key=lambda one: (grade_of[one], one))
    with progress(say("arranging them"), swaps) as told:
        kanji = deck_search.arrange(kanji, words, asked.seed, deck_search.SWAPS, told)
    option = {"cards": [[one, grade_of[one]] for one in kanji], "jokers": asked.jokers}
    out.write_text(deck_text(option), encoding="utf-8")
    return check_kanji(kanji_decks.deck(option), asked.lexicon)


def deck_text(option: Mapping[str, Json]) -> str:
    """A deck file: JSON, a quarter of the cards a line where there are four suits."""
    cards = option["cards"]
    length = len(cards) // len(SUITS) if len(cards) % len(SUITS) == 0 else len(cards)
    lines = [
        ", ".join(json.dumps(card, ensure_ascii=False) for card in cards[i : i + length])
        for i in range(0, len(cards), length)
    ]
    return '{\n  "cards": [\n    ' + ",\n    ".join(lines) + f'\n  ],\n  "jokers": {option["jokers"]}\n}}\n'


def grades_of(text: str) -> range:
    """The grades of `1-3` or `2`."""
    found = re.fullmatch(r"([1-5])(?:-([1-5]))?", text)
    if not found or int(found[2] or found[1]) < int(found[1]):
        raise Complaint(say("The grades are written like 1-3, from 1 to 5, not {text!r}.", text=text))
    return range(int(found[1]), int(found[2] or found[1]) + 1)


def mix_of(text: str, grades: range) -> dict[int, int]:
    """How many kanji of each grade, from `14,13,11,8,6`."""
    numbers = text.split(",")
    if len(numbers) != len(grades) or not all(number.strip().isdecimal() for number in numbers):
        message = "--mix takes a number for each of the {n} grades, with commas between, not {text!r}."
        raise Complaint(say(message, n=len(grades), text=text))
    return {grade: int(number) for grade, number in zip(grades, numbers, strict=True)}


@contextmanager
def progress(what: str, steps: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on standard error (nothing when nobody watches); call what it gives with the steps done."""
    with Progress(
        TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(),
        console=console(errors=True), transient=True, disable=not console(errors=True).is_terminal,
    ) as bar:  # fmt: skip
        task = bar.add_task(what, total=steps)
        yield lambda done: bar.update(task, completed=done)


def written(file: Path) -> None:
    """Print where the deck was written, and how to play with it."""
    out = console()
    out.print()
    message = "The deck is in {file}. Play with it: tefuda play jukugo_ten --option deck=@{file}"
    out.print(say(message, file=file), soft_wrap=True)
