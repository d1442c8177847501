"""The pages: from what one viewer may see to HTML. Nothing here knows HTTP, the store, a `Game` or a state.

What the server calls:

    render_gallery(visit, boxes)                           -> str    the shelf; boxes: Rules of the games shown
    render_setup(visit, rules, levels, refusal, chosen)    -> str    choose seats, options, level and name
    render_table(visit, rules, view, story, table)         -> Rendered(page, main)   a game going on, or just over
    render_result(visit, rules, view, story, table)        -> str    how it ended
    render_rules(visit, rules, markdown)                   -> str    the rules text of a game (None: there is none)
    render_cards(visit, deck, names)                       -> str    the picture book of a deck
    render_error(visit, status, message)                   -> str    something went wrong, in words
    move_from_form(rules, view, form, lang)                -> Choosing(move, refusal, chosen)
    setup_from_form(rules, form, lang)                     -> Setup(seats, level, options, name, refusal, chosen)

`view` is `game.view(viewer, person=True)`, `story` is `game.story(viewer)`: redacted by the engine; whatever a page
shows is in them. Players whose name begins `bot:` are shown under names of our own in the language of the page.

Addresses (class `Table` and the templates; the server serves these):

    GET  /                       the shelf                 GET  /games/{game}           choose seats and options
    POST /games/{game}           start against bots: fields `name`, `seats`, `level`, `option.NAME` (all may be missing)
    GET  /games/{game}/rules     the rules page            GET  /cards/{deck}           the picture book
    GET  /faces/{deck}/{name}.svg?lang=                    GET  /static/{file}
    GET  /t/{word}               the table                 POST /t/{word}               a move
    GET  /t/{word}/main          the fragment `main`       GET  /t/{word}/events        server-sent events
    GET  /t/{word}/result        the result                POST /t/{word}/again         another game, same settings
    GET  /t/{word}/record        the record, when the game is over

`?lang=ja|en` on any GET page sets the language (a cookie keeps it). Moves: the form posts `at` (the number of events
the player saw, `len(view["log"])`), `move` (the name of the kind of move), `pile.NAME` (a card's name, repeated) and
`part.NAME`. The script posts the same form with the header `X-Fragment: main` and expects the fragment `main` as the
answer, after a refusal too (status 422 or 409); without the header: 303 to the table, or the whole page with the
refusal. The server-sent event `change` (any data) makes the page fetch `/t/{word}/main` (same header; 204 or the same
fragment is fine) and swap it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tefuda.engine.rules import Rules

Json = Any


@dataclass(frozen=True)
class Visit:
    """Who looks, as far as every page needs it: the language ("ja" or "en") and the path of this page."""

    lang: str = "ja"
    path: str = "/"


@dataclass(frozen=True)
class Table:
    """What the page of a table says besides the game.

    `word`: the table's name in its address. `thinking`: a bot is choosing. `preparing`: the rules are still being
    compiled, the first move of a bot takes longer. `refusal`: why the last choice was not taken, with `chosen`, the
    fields of the form it came from."""

    word: str
    thinking: bool = False
    preparing: bool = False
    refusal: str | None = None
    chosen: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """The address of the table."""
        return f"/t/{self.word}"


@dataclass(frozen=True)
class Rendered:
    """A page, and the part of it that changes while a game goes on (`<main>`)."""

    page: str
    main: str


@dataclass(frozen=True)
class Choosing:
    """What a posted form asks for: a move as text, or why it is none. `chosen`: to show the same choice again."""

    move: str | None
    refusal: str | None
    chosen: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Setup:
    """What the form before a game asks for; `refusal` says what is wrong with it."""

    seats: int
    level: str
    options: Mapping[str, Json]
    name: str
    refusal: str | None
    chosen: Mapping[str, Sequence[str]]


def render_gallery(visit: Visit, boxes: Sequence[Rules]) -> str:
    """The shelf of boxes."""
    raise NotImplementedError


def render_setup(
    visit: Visit,
    rules: Rules,
    levels: Sequence[str],
    refusal: str | None = None,
    chosen: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """Choose seats, options and the bots' level. `levels`: their names, the usual one first."""
    raise NotImplementedError


def render_table(visit: Visit, rules: Rules, view: Json, story: Sequence[Json], table: Table) -> Rendered:
    """A game going on, for one viewer."""
    raise NotImplementedError


def render_result(visit: Visit, rules: Rules, view: Json, story: Sequence[Json], table: Table) -> str:
    """How a game ended."""
    raise NotImplementedError


def render_rules(visit: Visit, rules: Rules, markdown: str | None) -> str:
    """The rules text; `{{7}}` or `{{5 5 8}}` in it are drawn as cards."""
    raise NotImplementedError


def render_cards(visit: Visit, deck: str, names: Sequence[str]) -> str:
    """All cards of a deck."""
    raise NotImplementedError


def render_error(visit: Visit, status: int, message: str) -> str:
    """Something went wrong; `message` says what, in words a person reads."""
    raise NotImplementedError


def move_from_form(rules: Rules, view: Json, form: Mapping[str, Sequence[str]], lang: str = "ja") -> Choosing:
    """The move that posted fields (name -> all values) ask for."""
    raise NotImplementedError


def setup_from_form(rules: Rules, form: Mapping[str, Sequence[str]], lang: str = "ja") -> Setup:
    """What the form before a game asks for."""
    raise NotImplementedError
