"""Who sits at a table, a person with a nickname or a bot with a level; and what they are called there, so that nobody
is taken for another, for a bot, or for the table itself."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, count

from confusable_homoglyphs.confusables import confusables_data

from tefuda.engine.game import BOT, MOST_NAME
from tefuda.words import LANGUAGES, texts

TOKEN_BYTES = 16

IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""What shows nothing, by Unicode's Default_Ignorable_Code_Point: joiners, fillers, variation selectors, tags."""

BLANKS = "\u2800\U0001d159"
"""Characters that count as symbols and show nothing all the same: Braille without dots, a note without a head."""

MOST_MARKS = 3
"""So many combining marks may stand on one character: enough for any language, too few to cover other lines."""

GUEST = ("お客さん", "Guest")
"""Who plays without giving a name, in Japanese and in English."""

_GUEST = re.compile(rf"({'|'.join(GUEST)})( \d+)?")


class BadNameError(ValueError):
    """A nickname that cannot be taken. `why`: `empty`, `long`, `bot` (names kept for programs) or `house` (what the
    table itself is called)."""

    def __init__(self, why: str) -> None:
        super().__init__(
            {
                "empty": "a name has at least one visible character",
                "long": f"a name has at most {MOST_NAME} characters",
                "bot": f"names that begin {BOT!r} are kept for programs",
                "house": "that is what the table itself is called, or whoever reads",
            }[why]
        )
        self.why = why


@dataclass(frozen=True)
class Sitter:
    """Somebody in a seat. `bot`: the spec of the bot that plays there (as `bots.parse` reads it); None for a person."""

    name: str
    bot: str | None = None

    @property
    def player(self) -> str:
        """The name as a record writes it: a bot's begins `bot:`."""
        return self.name if self.bot is None else f"{BOT}{self.bot}"[:MOST_NAME]


def visible(text: str) -> str:
    """A line of text as it may be shown: in Unicode form NFKC, single spaces, nothing invisible or that turns the
    direction of the text around it, few marks on one character; empty when nothing of it can be seen."""
    text = unicodedata.normalize("NFKC", IGNORABLE.sub("", text))
    # Cc controls, Cf other formats, Cs/Co/Cn no characters, Z* separators other than a space
    shown = "".join(c if unicodedata.category(c)[0] not in "CZ" and c not in BLANKS else " " for c in text)
    line = _with_few_marks(" ".join(shown.split()))
    return line if any(unicodedata.category(c)[0] in "LNPS" for c in line) else ""


def _with_few_marks(text: str) -> str:
    kept, marks = [], 0
    for c in text:
        marks = marks + 1 if unicodedata.category(c)[0] == "M" else 0
        if marks <= MOST_MARKS:
            kept.append(c)
    return "".join(kept)


def clean_name(text: str) -> str:
    """A nickname as it may be shown (see `visible`). BadNameError when nothing is left, or too much."""
    name = visible(text)
    if not name:
        raise BadNameError("empty")
    if len(name) > MOST_NAME:
        raise BadNameError("long")
    if any(look.startswith(BOT) for look in looks(name)):
        raise BadNameError("bot")
    if not _of_the_house().isdisjoint(_letters(look) for look in looks(name)):
        raise BadNameError("house")
    return name


def _letters(name: str) -> str:
    """The letters and figures of a name: others may be set around it for show."""
    return "".join(c for c in name if c.isalnum())


@cache
def _of_the_house() -> set[str]:
    """What the lines of the table itself and those of the reader are headed with, in any language."""
    told = [texts(lang)(f"table.{key}") for lang in LANGUAGES for key in ("everyone", "you")]
    return {_letters(look) for name in (*told, "卓", "Tefuda", "手札") for look in looks(name)}


def looks(name: str) -> set[str]:
    """What a name is compared by: its letters whatever their case, and each letter as one of those it looks like
    (Unicode's confusables: a Cyrillic а is an a, the kanji 力 is a katakana カ). Two names that share a look may be
    taken for each other."""
    return {name.casefold(), "".join(map(_look, name)).casefold()}


def _look(letter: str) -> str:
    """One letter for all that look like it: the one that Unicode compares the others with, or the first of two."""
    alike: list[str] = [other["c"] for other in confusables_data.get(letter, ()) if len(other["c"]) == 1]
    if len(alike) != 1:
        return letter  # none, or it is the one the others are compared with
    return alike[0] if len(confusables_data[alike[0]]) > 1 else min(letter, alike[0])


# ------------------------------------------------------------------------------------- what they are called


def called(name: str, lang: str) -> str:
    """A player's name for a reader: who gave none is a guest in the reader's language."""
    found = _GUEST.fullmatch(name)
    return name if found is None else GUEST[lang == "en"] + (found[2] or "")


def shown_names(players: Sequence[str], lang: str) -> list[str]:
    """The players of a table, named as in its record, for a reader: people as they are called, bots under names of our
    own that nobody else there goes by."""
    people = {look for name in players if not name.startswith(BOT) for look in looks(called(name, lang))}
    ours = texts(lang).list("bots.names")
    endless = chain(ours, (f"{name} {n}" for n in count(2) for name in ours))
    free = (name for name in endless if people.isdisjoint(looks(name)))
    return [next(free) if name.startswith(BOT) else called(name, lang) for name in players]


def told_apart(name: str, seat: int, others: Sequence[Sitter]) -> str:
    """The name of somebody who sits down at a seat: with the number of the seat, or the next that is free, where it
    would be shown as another's is, in whatever language."""
    players = [sitter.player for sitter in others]
    taken = {look for lang in LANGUAGES for shown in shown_names(players, lang) for look in looks(shown)}
    tries = chain([name], (f"{name[: MOST_NAME - 4]} {n}" for n in count(seat + 1)))
    return next(one for one in tries if all(taken.isdisjoint(looks(called(one, lang))) for lang in LANGUAGES))


# ------------------------------------------------------------------------------------- what holds a seat


def new_token() -> str:
    """What holds a seat: 128 bits from the operating system."""
    return secrets.token_hex(TOKEN_BYTES)


def is_token(text: str) -> bool:
    """Whether a text may hold a seat: nobody sits down with one that could be guessed."""
    return len(text) == 2 * TOKEN_BYTES and set(text) <= set("0123456789abcdef")


def digest(token: str) -> bytes:
    """What the store keeps of a token. It is long and random, so no salt and no slow hash are needed."""
    return hashlib.sha256(token.encode()).digest()


def is_held(token: str | None, kept: bytes | None) -> bool:
    """Whether a token is the one of which a digest was kept (None: of none), compared in constant time."""
    return token is not None and kept is not None and hmac.compare_digest(digest(token), kept)


def seat_of(token: str | None, digests: dict[int, bytes]) -> int | None:
    """The seat a token holds, or None. All are compared, each in constant time."""
    if token is None:
        return None
    given = digest(token)
    found = None
    for seat, kept in digests.items():
        if hmac.compare_digest(given, kept):
            found = seat
    return found
