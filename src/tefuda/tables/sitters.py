"""Who sits at a table: a person with a nickname, or a bot with a level."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import unicodedata
from dataclasses import dataclass

from tefuda.engine.game import BOT, MOST_NAME

TOKEN_BYTES = 16

BLANKS = "\u115f\u1160\u2800\U0001d159"
"""Characters that count as letters or symbols and show nothing: fillers of Hangul (NFKC makes two of four), Braille
without dots, a note without a head."""


class BadNameError(ValueError):
    """A nickname that cannot be taken. `why`: `empty`, `long` or `bot` (names kept for programs)."""

    def __init__(self, why: str) -> None:
        super().__init__(
            {
                "empty": "a name has at least one visible character",
                "long": f"a name has at most {MOST_NAME} characters",
                "bot": f"names that begin {BOT!r} are kept for programs",
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
    direction of the text around it; empty when nothing of it can be seen."""
    text = unicodedata.normalize("NFKC", text)
    # Cc controls, Cf formats (bidi marks, zero-width), Cs/Co/Cn no characters, Z* separators other than a space
    shown = "".join(c if unicodedata.category(c)[0] not in "CZ" and c not in BLANKS else " " for c in text)
    line = " ".join(shown.split())
    return line if any(unicodedata.category(c)[0] in "LNPS" for c in line) else ""


def clean_name(text: str) -> str:
    """A nickname as it may be shown (see `visible`). BadNameError when nothing is left, or too much."""
    name = visible(text)
    if not name:
        raise BadNameError("empty")
    if len(name) > MOST_NAME:
        raise BadNameError("long")
    if name.casefold().startswith(BOT):
        raise BadNameError("bot")
    return name


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
