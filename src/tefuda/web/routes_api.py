"""The same tables for programs: JSON, under /api. What a seat gets here is exactly what its page is made of.

A program holds a seat with the token it got when it opened the table: `Authorization: Bearer TOKEN`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Body, Request
from pydantic import BaseModel, ConfigDict, Field, StrictInt, model_validator
from starlette.responses import JSONResponse, Response

from tefuda.engine.game import MOST_NAME, IllegalMove
from tefuda.engine.rules import OptionError, Rules
from tefuda.tables import BadNameError, Claim, StaleError, Table, UnseatedError
from tefuda.web import routes_after, routes_table
from tefuda.web.house import API, House, give_seat, house_of, token_of, visit_of
from tefuda.web.routes_shelf import open_against_bots
from tefuda.web.sentences import sentence

router = APIRouter(prefix=API, tags=["tables"])

Json = Any


class NewTable(BaseModel):
    """A table to open: you in seat 0, bots in the others."""

    model_config = ConfigDict(extra="forbid")

    game: str = Field(max_length=100, examples=["leaves13"])
    seats: StrictInt | None = Field(None, description="how many play; the fewest unless told")
    options: dict[Annotated[str, Field(max_length=100)], Any] = Field(
        default_factory=dict, examples=[{"expert": False}]
    )
    level: str | None = Field(None, max_length=100, description="of the bots, one of GET /api/games")
    name: str = Field("", max_length=10 * MOST_NAME, description="your name at the table")


class NewMove(BaseModel):
    """A move, as the game's notation writes it."""

    model_config = ConfigDict(extra="forbid")

    move: str | None = Field(None, max_length=1000, examples=["5x2"])
    laid: list[list[str]] | None = Field(
        None, max_length=20, description="instead of `move`: cards of the own hand laid word by word, as a claim"
    )
    keep: str | None = Field(None, max_length=40, description="which of the cards laid is kept, where one is")
    said: StrictInt | None = Field(
        None, ge=-9999, le=9999, description="what you declare with it, in a game where that is an option"
    )
    number: StrictInt | None = Field(
        None, description="`number` of the table when you looked; if it has gone on since, the answer is 409"
    )

    @model_validator(mode="after")
    def one_of_two(self) -> NewMove:
        """Either a move or a claim."""
        if (self.move is None) == (self.laid is None):
            raise ValueError("give either `move` or `laid`")
        return self


@router.get("/games")
def games(request: Request) -> Json:
    """The games that can be played here, with their options, and the levels of the bots."""
    house = house_of(request)
    return {
        "games": [_game(rules) for rules in house.shelf.values()],
        "levels": [{"id": level.id, "title": level.title, "bot": str(level.bot)} for level in house.levels],
    }


def _game(rules: Rules) -> Json:
    options = {
        name: {"kind": type(option).__name__.lower(), "default": option.default, **_range(vars(option))}
        for name, option in rules.declared_options.items()
    }
    return {
        "id": rules.id,
        "rules": rules.version,
        "title": rules.info["title"],
        "author": rules.info.get("author"),
        "seats": [rules.least_seats, rules.most_seats],
        "options": options,
    }


def _range(option: dict[str, Json]) -> dict[str, Json]:
    return {key: value for key, value in option.items() if key in ("low", "high", "none", "texts")}


@router.post("/tables", status_code=201)
def open_table(request: Request, new: Annotated[NewTable, Body()]) -> Response:
    """Open a table against bots. The answer holds the token of your seat; it is told this once."""
    house, visit = house_of(request), visit_of(request)
    rules = house.game(new.game)
    seats = rules.least_seats if new.seats is None else new.seats
    levels = [level.id for level in house.levels]
    level = levels[0] if new.level is None else new.level
    if level not in levels:
        return _error(422, sentence("level", visit.lang, right=", ".join(levels)))
    try:
        opened = open_against_bots(house, rules, seats, level, new.options, new.name, visit.lang)
    except BadNameError as e:
        return _error(422, sentence(f"name {e.why}", visit.lang))
    except OptionError as e:
        return _error(422, str(e))
    table = opened.table
    answer = {"table": table.id, "seat": 0, "token": opened.tokens[0], "url": f"/t/{table.id}"}
    response = JSONResponse(answer, 201)
    give_seat(request, response, table.id, opened.tokens[0])
    return response


@router.get("/tables/{table_id}")
def look(request: Request, table_id: str) -> Response:
    """The table as you may see it: as a seat with its token, without one as a spectator."""
    house = house_of(request)
    with house.tables.at(table_id) as table:
        return JSONResponse(seen(house, table, table.seat_of(token_of(request)), visit_of(request).lang))


def seen(house: House, table: Table, seat: int | None, lang: str) -> dict[str, Json]:
    """What a viewer may see of a table, as data: what the page is rendered from."""
    wrong = table.wrong_claim(seat)
    view, story = routes_table.seen_by(table, seat)
    return {
        "table": table.id,
        **view,
        "story": story,
        "settings": table.settings.as_json(),
        "proposal": None if table.proposal is None else table.proposal.as_json(),
        "wrong": None if wrong is None else wrong.as_json(),
        "thinking": table.bot_due,
        "preparing": table.bot_due and house.bots.preparing(table.rules),
        "trouble": routes_table.trouble(house, table, lang),
    }


@router.post("/tables/{table_id}/moves")
def move(request: Request, table_id: str, new: Annotated[NewMove, Body()]) -> Response:
    """Make a move. 409 when the table has gone on since `number`, 422 with what is `legal` when it may not be made,
    403 without a seat; then nothing has changed."""
    house, lang = house_of(request), visit_of(request).lang
    try:
        with house.tables.at(table_id) as table:
            seat = table.seat_of(token_of(request))
            if seat is None:
                raise UnseatedError(table_id)
            asked: str | Claim = new.move or ""
            if new.laid is not None:
                asked = Claim(routes_table.tray_pile(table), new.laid, new.keep)
            try:
                house.tables.play(table_id, seat, asked, new.number, new.said)
            except IllegalMove as e:
                reason = routes_table.refused_claim(table, seat, new.laid or [], e, lang)
                return _error(422, reason, legal=e.legal, number=table.number)
            return JSONResponse(seen(house, table, seat, lang))
    except StaleError:
        with house.tables.at(table_id) as table:
            return _error(409, sentence("stale", lang), number=table.number)


@router.post("/tables/{table_id}/hurry")
def hurry(request: Request, table_id: str) -> Response:
    """Let the bots play without pauses until a person's turn: programs need none. 403 without a seat."""
    house = house_of(request)
    with house.tables.at(table_id) as table:
        seat = routes_table.hurried(house, table, token_of(request))
        return JSONResponse(seen(house, table, seat, visit_of(request).lang))


@router.get("/tables/{table_id}/record")
def record(request: Request, table_id: str) -> Response:
    """The whole game as a record (`tefuda-record/1`), when it is over; 409 before."""
    return routes_after.record(request, table_id)


@router.get("/tables/{table_id}/events")
async def events(request: Request, table_id: str) -> Response:
    """Server-sent events: `change`, whenever there is something new to see. Its data is the number of the table's
    last event, the same for every viewer."""
    return await routes_table.stream(request, table_id)


def _error(status: int, message: str, legal: Sequence[str] | None = None, number: int | None = None) -> Response:
    answer: dict[str, Json] = {"error": message}
    if legal is not None:
        answer["legal"] = list(legal)
    if number is not None:
        answer["number"] = number
    return JSONResponse(answer, status)
