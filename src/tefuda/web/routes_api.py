"""The same tables for programs: JSON, under /api. What a seat gets here is exactly what its page is made of.

A program holds a seat with the token it got when it opened the table or sat down: `Authorization: Bearer TOKEN`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Request
from pydantic import BaseModel, ConfigDict, Field, StrictInt, model_validator
from starlette.responses import JSONResponse, Response

from tefuda.engine.game import MOST_NAME, IllegalMove
from tefuda.engine.rules import OptionError, Rules
from tefuda.tables import (
    GUEST,
    AskError,
    BadNameError,
    BegunError,
    Claim,
    Gathering,
    Line,
    Listed,
    LobbyError,
    Plan,
    Settings,
    StaleError,
    Table,
    TalkError,
    UnseatedError,
    WaitingError,
    clean_name,
)
from tefuda.web import lobby_page, routes_after, routes_table
from tefuda.web.house import API, House, give_seat, house_of, token_of, visit_of
from tefuda.web.routes_lobby import MOST_LISTED
from tefuda.web.routes_shelf import may_open, open_against_bots, told
from tefuda.web.sentences import SENTENCES, sentence

router = APIRouter(prefix=API, tags=["tables"])

Json = Any


class NewTable(BaseModel):
    """A table to open: you in seat 0, bots in the others; or, with `wait`, whoever sits down there."""

    model_config = ConfigDict(extra="forbid")

    game: str = Field(max_length=100, examples=["leaves13"])
    seats: StrictInt | None = Field(None, description="how many play; the fewest unless told")
    options: dict[Annotated[str, Field(max_length=100)], Any] = Field(
        default_factory=dict, examples=[{"expert": False}]
    )
    level: str | None = Field(None, max_length=100, description="of the bots, one of GET /api/games")
    name: str = Field("", max_length=10 * MOST_NAME, description="your name at the table")
    wait: bool = Field(False, description="wait for others to sit down; POST …/start begins")
    public: bool = Field(False, description="a waiting table is listed, for anybody to sit down")
    when_full: bool = Field(False, description="a waiting table begins when its last seat is taken")
    clock: Literal[tuple(lobby_page.CLOCKS)] = Field("none", description="how long people may think")  # type: ignore[valid-type]
    talk: Literal["free", "phrases", "off"] = "free"
    watch: Literal["now", "late", "end"] = Field("now", description="what those who only watch see")


class NewSitter(BaseModel):
    """Somebody who sits down at a waiting table."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field("", max_length=10 * MOST_NAME, description="your name at the table")
    seat: StrictInt | None = Field(None, ge=0, le=99, description="the first free one unless told")
    level: str | None = Field(None, max_length=100, description="a bot of this level sits down instead (host only)")


class Start(BaseModel):
    """How a waiting table begins."""

    model_config = ConfigDict(extra="forbid")

    fill: bool = Field(False, description="bots take the free seats")


class Saying(BaseModel):
    """A line at a table: a text of your own, or the key of a set phrase."""

    model_config = ConfigDict(extra="forbid")

    text: str | None = Field(None, max_length=1000)
    phrase: str | None = Field(None, max_length=40, examples=["hello"])


class Asking(BaseModel):
    """Something asked of the others: to take your last move back, or a bot in the place of the seat on turn."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["undo", "absent"]
    seat: StrictInt = Field(-1, ge=-1, le=99, description="who is absent")


class Answer(BaseModel):
    """An answer to what was asked: `about` is its kind, or the word that was proposed."""

    model_config = ConfigDict(extra="forbid")

    about: str = Field(max_length=100)
    accepts: bool


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
    """Open a table against bots, or one that waits for others. The answer holds the token of your seat; it is told this
    once."""
    house, visit = house_of(request), visit_of(request)
    rules = house.game(new.game)
    may_open(request, house)
    seats = rules.least_seats if new.seats is None else new.seats
    levels = [level.id for level in house.levels]
    level = levels[0] if new.level is None else new.level
    if level not in levels:
        return _error(422, sentence("level", visit.lang, right=", ".join(levels)))
    if new.wait:
        return _open_waiting(request, house, rules, seats, new)
    try:
        opened = open_against_bots(house, rules, seats, level, new.options, new.name, visit.lang)
    except BadNameError as e:
        return _error(422, sentence(f"name {e.why}", visit.lang))
    except OptionError as e:
        return _error(422, told(e, visit.lang))
    table = opened.table
    answer = {"table": table.id, "seat": 0, "token": opened.tokens[0], "url": f"/t/{table.id}"}
    response = JSONResponse(answer, 201)
    give_seat(request, response, table.id, opened.tokens[0])
    return response


def _open_waiting(request: Request, house: House, rules: Rules, seats: int, new: NewTable) -> Response:
    lang = visit_of(request).lang
    settings = Settings(clock=lobby_page.CLOCKS[new.clock], talk=new.talk, watch=new.watch, when_full=new.when_full)
    try:
        name = clean_name(new.name) if new.name.strip() else GUEST[lang != "ja"]
        waiting, token = house.lobby.open(rules.id, Plan(seats, new.options, settings), name, public=new.public)
    except BadNameError as e:
        return _error(422, sentence(f"name {e.why}", lang))
    except OptionError as e:
        return _error(422, told(e, lang))
    answer = {"table": waiting.id, "seat": 0, "token": token, "url": f"/t/{waiting.id}"}
    response = JSONResponse(answer, 201)
    give_seat(request, response, waiting.id, token)
    return response


@router.get("/tables")
def tables(request: Request) -> Json:
    """The tables that anybody may join (`waiting`) or watch (`playing`)."""
    waiting, playing = house_of(request).lobby.listed(MOST_LISTED)
    return {"waiting": [_listed(one) for one in waiting], "playing": [_listed(one) for one in playing]}


def _listed(one: Listed) -> Json:
    return {"table": one.id, "game": one.rules.id, "seats": one.seats, "names": [sitter.name for sitter in one.names]}


@router.get("/tables/{table_id}")
def look(request: Request, table_id: str) -> Response:
    """The table as you may see it: as a seat with its token, without one as a spectator. While it waits for players,
    who sits there (`waiting` is true)."""
    house = house_of(request)
    try:
        with house.tables.at(table_id) as table:
            return JSONResponse(seen(house, table, table.seat_of(token_of(request)), visit_of(request).lang))
    except WaitingError:
        return JSONResponse(waiting_seen(house.lobby.at(table_id), token_of(request)))


def waiting_seen(now: Gathering, token: str | None) -> dict[str, Json]:
    """What anybody may see of a waiting table."""
    seats = [now.sitters.get(seat) for seat in range(now.plan.seats)]
    return {
        "table": now.id,
        "last": now.last,
        "waiting": True,
        "game": now.rules.id,
        "rules": now.rules.version,
        "options": now.rules.options(now.plan.options, now.plan.seats),
        "players": [None if sitter is None else sitter.player for sitter in seats],
        "viewer": now.seat_of(token),
        "host": now.is_host(token),
        "settings": now.plan.settings.as_json(),
        "talk": [_line(line) for line in now.lines],
    }


def _line(line: Line) -> Json:
    return {"seat": line.seat, "text": line.text, "phrase": line.phrase}


@router.post("/tables/{table_id}/seats", status_code=201)
def sit(request: Request, table_id: str, new: Annotated[NewSitter, Body()]) -> Response:
    """Sit down at a waiting table, or (`level`, the host only) let a bot sit down. The answer holds the token of your
    seat; it is told this once. 422 when it cannot be, 409 when the game has begun."""
    house, lang, token = house_of(request), visit_of(request).lang, token_of(request)
    try:
        if new.level is not None:
            levels = [level.id for level in house.levels]
            if new.level not in levels:
                return _error(422, sentence("level", lang, right=", ".join(levels)))
            bot = str(house.level(new.level).bot_for(house.lobby.at(table_id).rules))
            house.lobby.seat_bot(table_id, token, new.seat, bot)
            seated = look(request, table_id)
            seated.status_code = 201
            return seated
        name = clean_name(new.name) if new.name.strip() else GUEST[lang != "ja"]
        _, held = house.lobby.sit(table_id, token, new.seat, name)
    except BegunError:
        return _error(409, sentence("begun", lang))
    except BadNameError as e:
        return _error(422, sentence(f"name {e.why}", lang))
    except LobbyError as e:
        return _error(403 if e.why == "host" else 422, sentence(f"lobby {e.why}", lang))
    response = JSONResponse({"table": table_id, "token": held, "url": f"/t/{table_id}"}, 201)
    give_seat(request, response, table_id, held)
    return response


@router.post("/tables/{table_id}/start")
def start(request: Request, table_id: str, how: Annotated[Start, Body()]) -> Response:
    """Begin the game of a waiting table; its host may. 422 while seats are free, unless bots take them."""
    house, lang = house_of(request), visit_of(request).lang
    try:
        rules = house.lobby.at(table_id).rules
        house.lobby.start(table_id, token_of(request), str(house.levels[0].bot_for(rules)) if how.fill else None)
    except BegunError:
        return _error(409, sentence("begun", lang))
    except LobbyError as e:
        return _error(403 if e.why == "host" else 422, sentence(f"lobby {e.why}", lang))
    return look(request, table_id)


@router.post("/tables/{table_id}/talk")
def say(request: Request, table_id: str, new: Annotated[Saying, Body()]) -> Response:
    """Say something to everybody at the table."""
    lang = visit_of(request).lang
    try:
        routes_table.speak(house_of(request), table_id, token_of(request), new.text, new.phrase)
    except TalkError as e:
        return _error(429 if e.why == "pace" else 422, sentence(f"talk {e.why}", lang))
    return look(request, table_id)


@router.post("/tables/{table_id}/asks")
def ask(request: Request, table_id: str, new: Annotated[Asking, Body()]) -> Response:
    """Ask the others to agree to something. 422 with the reason when it cannot be asked."""
    tables, token = house_of(request).tables, token_of(request)
    try:
        with tables.at(table_id) as table:
            seat = table.seat_of(token)
        if new.kind == "undo":
            tables.ask_back(table_id, seat)
        else:
            tables.call_absent(table_id, seat, new.seat)
    except AskError as e:
        return _error(422, sentence(f"{new.kind} {e.why}", visit_of(request).lang))
    return look(request, table_id)


@router.post("/tables/{table_id}/votes")
def vote(request: Request, table_id: str, new: Annotated[Answer, Body()]) -> Response:
    """Agree, or not, to what was asked."""
    tables, token = house_of(request).tables, token_of(request)
    try:
        with tables.at(table_id) as table:
            seat = table.seat_of(token)
        tables.vote(table_id, seat, new.about, new.accepts)
    except AskError as e:
        key = f"undo {e.why}" if f"undo {e.why}" in SENTENCES else f"word {e.why}"
        return _error(422, sentence(key, visit_of(request).lang, word=new.about))
    return look(request, table_id)


@router.post("/tables/{table_id}/back")
def come_back(request: Request, table_id: str) -> Response:
    """Play again yourself, where a bot stood in for you."""
    tables = house_of(request).tables
    with tables.at(table_id) as table:
        tables.come_back(table_id, table.seat_of(token_of(request)))
    return look(request, table_id)


def seen(house: House, table: Table, seat: int | None, lang: str) -> dict[str, Json]:
    """What a viewer may see of a table, as data: what the page is rendered from."""
    wrong = table.wrong_claim(seat)
    view, story = routes_table.seen_by(table, seat)
    return {
        "table": table.id,
        "last": table.last,
        **view,
        "story": story,
        "settings": table.settings.as_json(),
        "proposal": None if table.proposal is None else table.proposal.as_json(),
        "stand_ins": sorted(table.stand_ins),
        "deadline": table.deadline,
        "talk": [_line(line) for line in table.talk],
        "promised": table.promised,
        "again": None if seat is None else table.again,  # its name is what lets one sit down there
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
            with house.tables.at(table_id) as now:  # another process may have told of something since
                return JSONResponse(seen(house, now, seat, lang))
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
    """Server-sent events: `change` for every event of the table, in order, none left out; its data is the event's
    number, the same for every viewer (`last` of a view: the last event that it shows). The first tells where the table
    is; with `Last-Event-ID` all that came after that. A number told again: something besides has changed."""
    return await routes_table.stream(request, table_id)


def _error(status: int, message: str, legal: Sequence[str] | None = None, number: int | None = None) -> Response:
    answer: dict[str, Json] = {"error": message}
    if legal is not None:
        answer["legal"] = list(legal)
    if number is not None:
        answer["number"] = number
    return JSONResponse(answer, status)
