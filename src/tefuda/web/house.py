"""What a running server is made of, and what every answer needs: the language, the seat, the page as a response."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote, urlencode, urlsplit

from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.responses import JSONResponse, Response

from tefuda.bots import Level
from tefuda.engine.rules import Rules
from tefuda.tables import BotSeats, Lobby, Tables, UnknownTableError
from tefuda.web import pages
from tefuda.web.after_page import Played
from tefuda.web.analyst import Analyst
from tefuda.web.laboratory import Laboratory
from tefuda.web.limits import Limits
from tefuda.web.live import Listeners
from tefuda.web.sentences import sentence

LANGUAGES = ("ja", "en")
LANGUAGE_COOKIE = "lang"
SEAT_COOKIE = "seat"
A_YEAR = 365 * 24 * 3600

MOST_FIELDS = 200
MOST_TEXT = 20_000
"""Characters in one field of a form: a deck or a list of words of one's own fits."""

API = "/api"

NAMES_OF_THIS_MACHINE = ("127.0.0.1", "::1", "localhost")


@dataclass
class House:
    """A running server. `shelf`: the games by name, in the order the gallery shows them; `levels` of its bots, the
    usual one first."""

    shelf: Mapping[str, Rules]
    levels: Sequence[Level]
    tables: Tables
    lobby: Lobby
    bots: BotSeats
    listeners: Listeners
    analyst: Analyst
    limits: Limits = field(default_factory=Limits)
    laboratory: Laboratory | None = None
    lab_here_only: bool = False
    """Whether the lab is for requests from this machine only (see `laboratory_for`)."""
    played: dict[str, Played] = field(default_factory=dict)
    """Finished games that were looked at, by the names of their tables: they do not change any more."""

    def level(self, level_id: str | None) -> Level:
        """The level of that name, the usual one when there is none."""
        return next((level for level in self.levels if level.id == level_id), self.levels[0])

    def game(self, game: str) -> Rules:
        """The rules of a game on the shelf; Refusal 404 when it is not there."""
        if game not in self.shelf:
            raise Refusal(404, "no game")
        return self.shelf[game]


class Refusal(Exception):
    """A request that is refused, with the key of the sentence that says why."""

    def __init__(self, status: int, key: str, **parts: str) -> None:
        super().__init__(key)
        self.status, self.key, self.parts = status, key, parts


def house_of(request: Request) -> House:
    """The house a request came to."""
    house = request.app.state.house
    assert isinstance(house, House)
    return house


# ------------------------------------------------------------------------------------------- who is asking


def laboratory_for(request: Request) -> Laboratory | None:
    """The lab, where it is open to whoever asks."""
    house = house_of(request)
    return house.laboratory if not house.lab_here_only or _from_this_machine(request) else None


def _from_this_machine(request: Request) -> bool:
    """Whether a request comes from this machine to a name of this machine. Strangers' requests come from here, too,
    where a web server passes them on: then the name is another, or a header says for whom."""
    passed_on = any(name.startswith("x-forwarded") or name in ("forwarded", "via") for name in request.headers)
    try:
        name = urlsplit(f"//{request.headers.get('host', '')}").hostname
    except ValueError:
        return False
    here = request.client is not None and request.client.host in NAMES_OF_THIS_MACHINE
    return here and not passed_on and name in NAMES_OF_THIS_MACHINE


def visit_of(request: Request) -> pages.Visit:
    """Who looks: the language that was chosen on a page, else the browser's, else Japanese."""
    chosen = (request.query_params.get("lang"), request.cookies.get(LANGUAGE_COOKIE))
    lang = next((said for said in chosen if said in LANGUAGES), None)
    if lang is None:
        lang = _browsers_language(request.headers.get("accept-language", ""))
    return pages.Visit(lang, _path_of(request), laboratory_for(request) is not None, _query_of(request))


def _path_of(request: Request) -> str:
    """The path of the page asked for, as a link may name it: with two slashes at its beginning (or what a browser reads
    as such: a backslash, a tab between) it would lead to another site."""
    return "/" + quote(request.scope["path"].lstrip("/"))


def _query_of(request: Request) -> str:
    """What the address asks for besides a language: the same page in another language asks for it, too."""
    asked = [(name, value) for name, value in request.query_params.multi_items() if name != "lang"]
    return urlencode(asked) + "&" if asked else ""


def _browsers_language(accepted: str) -> str:
    best, chosen = 0.0, LANGUAGES[0]
    for piece in accepted.split(","):
        name, _, quality = piece.strip().partition(";q=")
        language = name.split("-")[0].lower()
        try:
            weight = float(quality or 1)
        except ValueError:
            weight = 0.0
        if language in LANGUAGES and weight > best:
            best, chosen = weight, language
    return chosen


def token_of(request: Request) -> str | None:
    """What the request holds a seat with: the browser's cookie of this table, or a program's `Authorization`."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return token.strip()
    return request.cookies.get(SEAT_COOKIE)


def wants_fragment(request: Request) -> bool:
    """Whether the page's script asks, which puts the answer into the page it has."""
    return request.headers.get("x-fragment") == "main"


def give_seat(request: Request, response: Response, table_id: str, token: str) -> None:
    """Let the browser hold a seat: a cookie that goes to this table only, to its pages and to its API."""
    for path in (f"/t/{table_id}", f"{API}/tables/{table_id}"):
        _set_cookie(request, response, SEAT_COOKIE, token, path)


async def form_of(request: Request) -> dict[str, list[str]]:
    """The fields of a posted form: name -> all values. Refusal when one is too long."""
    form: FormData = await request.form(max_files=0, max_fields=MOST_FIELDS)
    fields: dict[str, list[str]] = {}
    for name, value in form.multi_items():
        if not isinstance(value, str) or len(value) > MOST_TEXT or len(name) > MOST_TEXT:
            raise Refusal(422, "long field")
        fields.setdefault(name, []).append(value)
    return fields


async def known_table(request: Request) -> None:
    """Whoever has tried too many names of tables that are none is told to wait, at right names just as at wrong ones:
    else the answer would still tell which are right. Whoever holds a seat goes on.

    Nothing is waited for between finding out whether there is such a table and counting: of many tries at once each
    knows of the others. UnknownTableError, Refusal 429."""
    house, client = house_of(request), request.client.host if request.client else ""
    name = request.path_params.get("word") or request.path_params.get("table_id")
    if name is None or house.limits.off:
        return
    try:
        await run_in_threadpool(house.tables.last_number, name)
    except UnknownTableError:
        if not house.limits.may(house.limits.guesses, client):
            raise Refusal(429, "pace") from None
        raise
    if not house.limits.guesses.has(client) and not await run_in_threadpool(
        house.tables.is_of_table, name, token_of(request)
    ):
        raise Refusal(429, "pace")


# ------------------------------------------------------------------------------------------------- answers


def page(request: Request, text: str, status: int = 200) -> Response:
    """A page for one viewer: never kept by anybody between, asked for again each time but not sent again unchanged.

    `?lang=` on any page chooses the language from then on."""
    body = text.encode()
    headers = {"Cache-Control": "private, no-cache", "Vary": "Cookie, Accept-Language, X-Fragment"}
    response = Response(body, status, headers, "text/html; charset=utf-8")
    if status == 200:
        headers["ETag"] = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
        if same_tag(request, headers["ETag"]):
            response = Response(status_code=304, headers=headers)
        else:
            response.headers["ETag"] = headers["ETag"]
    chosen = request.query_params.get("lang")
    if chosen in LANGUAGES and chosen != request.cookies.get(LANGUAGE_COOKIE):
        _set_cookie(request, response, LANGUAGE_COOKIE, chosen, "/")
    return response


def _set_cookie(request: Request, response: Response, name: str, value: str, path: str) -> None:
    secure = request.url.scheme == "https"
    response.set_cookie(name, value, max_age=A_YEAR, path=path, secure=secure, httponly=True, samesite="lax")


def same_tag(request: Request, tag: str) -> bool:
    """Whether the browser has this very answer already."""
    known = request.headers.get("if-none-match", "")
    return tag in (one.strip().removeprefix("W/") for one in known.split(","))


def refuse(request: Request, status: int, key: str, **parts: str) -> Response:
    """Say what is wrong: a page for people, JSON for programs."""
    visit = visit_of(request)
    message = sentence(key, visit.lang, **parts)
    headers = {"Retry-After": "5"} if status == 503 else {}
    if request.url.path.startswith(API + "/"):
        return JSONResponse({"error": message}, status, headers)
    response = page(request, pages.render_error(visit, status, message), status)
    response.headers.update(headers)
    return response
