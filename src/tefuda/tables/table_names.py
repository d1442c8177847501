"""Names for tables: short, and easy to say over the telephone."""

from __future__ import annotations

import re
import secrets

WORDS = (  # noqa: SIM905 - easier to read and to add to
    "asagao asahi ayame azuki chidori donguri fuji fukurou funabashi ginnan hamabe hanabi harusame hato hibari "
    "himawari hinata hotaru ichigo inaho iruka isobe izumi kaede kamome kareha kasumi kawasemi kazaguruma keyaki "
    "kinoko kisaragi kitsune kobato komorebi koyomi kuruma kusabue maguro manten matsuba mebae mikan minato "
    "momiji nagisa natsume nazuna nijiiro nokori ohisama otomo sakura sasabune satsuki sazanami suzume tampopo "
    "tanuki tombo tsubaki tsubame tsukimi umibe uguisu wakaba yamabiko yanagi yukidoke yuzu"
).split()

PATTERN = re.compile(r"[a-z]{2,16}-[0-9]{2,12}")
"""What every table's name looks like."""

DIGITS_OF_PRIVATE = 10
"""Of a table that only those find who have its link: with the word more than 10^11 names, and wrong ones are slowed."""


def new_table_name(digits: int = 4) -> str:
    """A name at random; it may be taken already."""
    low = 10 ** (digits - 1)
    return f"{secrets.choice(WORDS)}-{low + secrets.randbelow(9 * low)}"
