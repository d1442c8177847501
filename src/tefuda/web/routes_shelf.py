"""The pages that are the same for everybody: the shelf, the rules, the cards; and setting up a game against bots or
with friends."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from tefuda import decks
from tefuda.decks.deck import DeckError
from tefuda.engine.rules import OptionError, Rules, RulesError
from tefuda.tables import GUEST, BadNameError, Opened, Plan, Settings, Sitter, clean_name
from tefuda.web import pages
from tefuda.web.house import (
    A_YEAR,
    LANGUAGES,
    House,
    Refusal,
    form_of,
    give_seat,
    house_of,
    page,
    same_tag,
    visit_of,
)
from tefuda.web.sentences import sentence

router = APIRouter(include_in_schema=False)

Form = Annotated[dict[str, list[str]], Depends(form_of)]

FOR_EVER = f"public, max-age={A_YEAR}, immutable"
ASK_AGAIN = "public, no-cache"

MOST_CARD_NAME = 40


@router.get("/")
def gallery(request: Request) -> Response:
    """The shelf of boxes."""
    house = house_of(request)
    return page(request, pages.render_gallery(visit_of(request), list(house.shelf.values())))


@router.get("/games")
def games() -> Response:
    """Another name of the shelf."""
    return RedirectResponse("/", 301)


@router.get("/games/{game}")
def setup(request: Request, game: str) -> Response:
    """Choose seats, options, level and name."""
    house = house_of(request)
    return page(request, pages.render_setup(visit_of(request), house.game(game), level_ids(house)))


@router.post("/games/{game}")
def start(request: Request, game: str, form: Form) -> Response:
    """Open a table with the person who asks in its first seat and bots in the others."""
    house, visit = house_of(request), visit_of(request)
    rules = house.game(game)
    may_open(request, house)
    setup = pages.setup_from_form(rules, form, visit.lang)
    refusal = setup.refusal
    if refusal is None:
        try:
            if form.get("friends"):
                return _call_friends(request, house, rules, setup)
            opened = open_against_bots(
                house, rules, setup.seats, setup.level, setup.options, setup.name, visit.lang, setup.settings
            )
            return sit_down(request, opened)
        except BadNameError as e:
            refusal = sentence(f"name {e.why}", visit.lang)
        except OptionError as e:
            refusal = told(e, visit.lang)
    return page(request, pages.render_setup(visit, rules, level_ids(house), refusal, setup.chosen), 422)


def _call_friends(request: Request, house: House, rules: Rules, setup: pages.Setup) -> Response:
    """To a table that waits for friends, with its first seat in hand."""
    name, lang = setup.name, visit_of(request).lang
    plan = Plan(setup.seats, setup.options, setup.settings)
    shown = clean_name(name) if name.strip() else GUEST[LANGUAGES.index(lang)]
    waiting, token = house.lobby.open(rules.id, plan, shown)
    response = RedirectResponse(f"/t/{waiting.id}", 303)
    give_seat(request, response, waiting.id, token)
    return response


def may_open(request: Request, house: House) -> None:
    """Refusal when a client opens too many tables."""
    if not house.limits.may(house.limits.tables, request.client.host if request.client else ""):
        raise Refusal(429, "pace")


def told(error: OptionError, lang: str) -> str:
    """Why options cannot be, in the language of the page. What a deck says is told without the game's name."""
    return (error.__cause__ if isinstance(error.__cause__, DeckError) else error).say(lang)


def open_against_bots(
    house: House,
    rules: Rules,
    seats: int,
    level: str,
    options: Mapping[str, object],
    name: str,
    lang: str,
    settings: Settings | None = None,
) -> Opened:
    """A new table: a person in seat 0, bots of a level in the others. OptionError, BadNameError."""
    rules.check_seats(seats)
    guest = GUEST[LANGUAGES.index(lang)]
    bot = str(house.level(level).bot_for(rules))
    person = Sitter(clean_name(name) if name.strip() else guest)
    sitters = [person, *[Sitter(f"bot:{bot}", bot)] * (seats - 1)]
    return house.tables.open(rules.id, sitters, options, settings=settings)


def sit_down(request: Request, opened: Opened) -> Response:
    """To the new table, with its first seat in hand."""
    response = RedirectResponse(f"/t/{opened.table.id}", 303)
    give_seat(request, response, opened.table.id, opened.tokens[0])
    return response


def level_ids(house: House) -> Sequence[str]:
    """The names of the levels of the bots, the usual one first."""
    return [level.id for level in house.levels]


@router.get("/games/{game}/rules")
def rules_page(request: Request, game: str) -> Response:
    """The rules of a game, in words."""
    visit = visit_of(request)
    rules = house_of(request).game(game)
    return page(request, pages.render_rules(visit, rules, rules_text(rules, visit.lang)))


def rules_text(rules: Rules, lang: str) -> str | None:
    """The text beside a rules file (`rules.ja.md`, for `my_game.py` `my_game.ja.md`), in the language if there is
    one. RulesError when it cannot be read."""
    for one in (lang, *LANGUAGES):
        path = rules.path.with_suffix(f".{one}.md")
        if path.is_file():
            try:
                return path.read_text(encoding="utf-8")
            except (OSError, ValueError) as e:
                raise RulesError("{file} cannot be read: {reason}", file=path, reason=e) from e
    return None


@router.get("/cards/{deck}")
def cards(request: Request, deck: str) -> Response:
    """The picture book of a deck."""
    if deck not in decks.DECKS:
        raise Refusal(404, "no card")
    return page(request, pages.render_cards(visit_of(request), deck, decks.names(deck)))


@router.get("/faces/{deck}/{name}.svg")
def face(request: Request, deck: str, name: str) -> Response:
    """A card's face. Kept for ever when asked for with its digest (`?v=`)."""
    lang = request.query_params.get("lang")
    try:
        if len(name) > MOST_CARD_NAME:
            raise KeyError(name)
        body, tag = _face(deck, name, lang if lang in LANGUAGES else LANGUAGES[0])
    except KeyError as e:
        raise Refusal(404, "no card") from e
    headers = {"Cache-Control": FOR_EVER if "v" in request.query_params else ASK_AGAIN, "ETag": tag}
    if same_tag(request, tag):
        return Response(status_code=304, headers=headers)
    # Opened by itself a picture is a document too, and must not be able to do more than be seen.
    headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    return Response(body, 200, headers, "image/svg+xml")


@lru_cache(maxsize=1024)
def _face(deck: str, name: str, lang: str) -> tuple[bytes, str]:
    body = decks.face(deck, name, lang).encode()
    return body, f'"{hashlib.sha256(body).hexdigest()[:32]}"'


class Static(StaticFiles):
    """Style sheets, scripts and pictures; kept for ever when asked for with their digest (`?v=`)."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = FOR_EVER if b"v=" in scope["query_string"] else ASK_AGAIN
        return response


STATIC = Path(__file__).parent / "static"
