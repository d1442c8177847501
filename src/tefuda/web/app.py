"""The server: tables, bots and pages put together, and what answers when something goes wrong."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import FrameType

import uvicorn
from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import JSONResponse, Response

import tefuda
from tefuda.bots import LEVELS, Level
from tefuda.engine.rules import Rules, RulesError, game_ids
from tefuda.tables import (
    BotSeats,
    FormerRulesError,
    Lobby,
    Store,
    StoreError,
    Tables,
    TableSpoiltError,
    UnknownTableError,
    UnseatedError,
    WaitingError,
    milliseconds,
)
from tefuda.tables.bot_seats import PAUSE, Choose
from tefuda.web import routes_after, routes_api, routes_drill, routes_lab, routes_lobby, routes_shelf, routes_table
from tefuda.web.analyst import Analyst, Look, look_back
from tefuda.web.guard import Guard
from tefuda.web.house import API, NAMES_OF_THIS_MACHINE, House, Refusal, known_table, refuse
from tefuda.web.laboratory import Laboratory
from tefuda.web.limits import Limits
from tefuda.web.live import Listeners
from tefuda.web.shelf import shelf_of

log = logging.getLogger("tefuda.web")

HOST, PORT = "127.0.0.1", 8000

SECONDS_TO_STOP = 3


def create_app(
    database_url: str | None = None,
    games: Sequence[str | Path | Rules] | None = None,
    *,
    bot_pause: float = PAUSE,
    bot_workers: int | None = None,
    levels: Sequence[Level] | None = None,
    choose: Choose | None = None,
    warm: Callable[[Rules], object] | None = None,
    look_back: Look = look_back,
    limits: Limits | None = None,
    keep_days: float | None = None,
    lab: bool | None = True,
) -> FastAPI:
    """The server as an ASGI application.

    `database_url`: SQLAlchemy's; a SQLite file in the user's data folder unless told. `games`: what stands on the
    shelf, in this order, by name, as a rules file or as Rules; all games of our own unless told.
    `bot_pause`: seconds before a bot plays; `bot_workers`: how many choose at a time; `levels` of the bots, the usual
    one first. `choose`, `warm` and `look_back` (at games that are over) replace the bots, for tests. `limits`: how much
    it takes in a while. `keep_days`: after so many days without an event tables are deleted with all that is kept of
    them; None: never. `lab`: studies may be asked for, which take all its cores; None: from this machine only. Raises
    UnknownGameError, RulesError, ValueError (the URL) and StoreError."""
    shelf = shelf_of(game_ids() if games is None else games)
    store = Store(database_url)
    ranks = _usual_first(LEVELS) if levels is None else levels
    tables = Tables(store, shelf, stand_in=lambda rules: str(ranks[0].bot_for(rules)))
    bots = BotSeats(tables, bot_pause, bot_workers, choose, warm)
    listeners = Listeners(tables)
    analyst = Analyst(tables, look_back)
    house = House(shelf, ranks, tables, Lobby(tables), bots, listeners, analyst, limits or Limits())
    house.laboratory = None if lab is False else Laboratory()
    house.lab_here_only = lab is None

    @asynccontextmanager
    async def running(_: FastAPI) -> AsyncIterator[None]:
        listeners.start()
        bots.prepared.append(lambda _: listeners.all_changed())
        bots.troubled.append(listeners.troubled)
        bots.start()
        sweeping = asyncio.create_task(_sweep(house, keep_days))
        yield
        sweeping.cancel()
        listeners.close()
        analyst.close()
        if house.laboratory is not None:
            house.laboratory.close()
        bots.close()
        store.close()

    app = FastAPI(
        title="Tefuda",
        version=tefuda.__version__,
        description=routes_api.__doc__ or "",
        lifespan=running,
        openapi_url=f"{API}/openapi.json",
        # Their pages load scripts from other servers.
        docs_url=None,
        redoc_url=None,
    )
    app.state.house = house
    for router in (  # a request is tried with one after the other: first what is asked for with every move
        routes_table.router,
        routes_api.router,
        routes_lobby.router,
        routes_shelf.router,
        routes_drill.router,
        routes_after.router,
        routes_lab.router,
    ):
        _answer_head(app, router)
        app.include_router(router, dependencies=[Depends(known_table)])
    app.mount("/static", routes_shelf.Static(directory=routes_shelf.STATIC))
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.add_middleware(Guard, refuse=refuse, limits=house.limits)
    _answer_errors(app)
    return app


SECONDS_BETWEEN_SWEEPS = 3600.0
DAYS_OF_WAITING = 7
"""So long a table waits for its players."""


async def _sweep(house: House, keep_days: float | None) -> None:
    """Delete what nobody needs any more, from time to time."""
    while True:
        with suppress(StoreError):
            await run_in_threadpool(sweep, house, keep_days)
        await asyncio.sleep(SECONDS_BETWEEN_SWEEPS)


def sweep(house: House, keep_days: float | None) -> list[str]:
    """Delete tables that have waited for players too long, and, after `keep_days`, all that nobody has touched since;
    their names."""
    store, now, day = house.tables.store, milliseconds(), 24 * 3_600_000
    gone = store.expire("waiting", now - DAYS_OF_WAITING * day)
    if keep_days is not None:
        before = now - int(keep_days * day)
        gone += store.expire("over", before) + store.expire("playing", before)
    for table_id in gone:
        house.tables.forget(table_id)
    return gone


def _answer_head(app: FastAPI, router: APIRouter) -> None:
    """HEAD is answered like GET; the server leaves the body out. A stream of events would never end."""
    for route in router.routes:
        if isinstance(route, APIRoute) and "GET" in (route.methods or ()) and not route.path.endswith("/events"):
            app.add_api_route(
                route.path,
                route.endpoint,
                methods=["HEAD"],
                dependencies=[Depends(known_table)],
                include_in_schema=False,
            )


def _usual_first(levels: Sequence[Level]) -> list[Level]:
    usual = [level for level in levels if level.id == "normal"]
    return [*usual, *(level for level in levels if level not in usual)]


PROBLEMS: Mapping[type[Exception], tuple[int, str]] = {
    UnknownTableError: (404, "no table"),
    UnseatedError: (403, "spectator"),
    WaitingError: (409, "waiting"),
    FormerRulesError: (410, "former rules"),
    TableSpoiltError: (500, "spoilt table"),
    RulesError: (500, "wrong rules"),
    StoreError: (503, "store"),
}
"""What is answered to what is raised."""

MOST_PROBLEMS, MOST_FIELD_NAME = 5, 40
"""What is told of a body that is wrong: so many problems, so many characters of a field's name."""

STATUSES = {429: "pace", 400: "bad request", 404: "not found", 405: "no method", 413: "too large", 422: "bad request"}


def _answer_errors(app: FastAPI) -> None:
    def problem(request: Request, error: Exception) -> Response:
        status, key = next(answer for kind, answer in PROBLEMS.items() if isinstance(error, kind))
        if status == 503:
            log.warning("the store: %s", error)
        elif isinstance(error, RulesError):
            log.error("a rules file is wrong: %s", error)
        parts = {"game": error.game, "version": error.version[:24]} if isinstance(error, FormerRulesError) else {}
        return refuse(request, status, key, **parts)

    for kind in PROBLEMS:
        app.add_exception_handler(kind, problem)

    def refusal(request: Request, error: Exception) -> Response:
        assert isinstance(error, Refusal)
        return refuse(request, error.status, error.key, **error.parts)

    app.add_exception_handler(Refusal, refusal)

    def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        response = refuse(request, error.status_code, STATUSES.get(error.status_code, "bad request"))
        response.headers.update(error.headers or {})
        return response

    app.add_exception_handler(HTTPException, http)

    def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        if not request.url.path.startswith(API + "/"):
            return refuse(request, 422, "bad request")
        wrong = [f"{_place(e['loc'][1:]) or 'body'}: {e['msg']}" for e in error.errors()[:MOST_PROBLEMS]]
        return JSONResponse({"error": "; ".join(wrong)}, 422)

    app.add_exception_handler(RequestValidationError, invalid)


def _place(path: Sequence[str | int]) -> str:
    """Where in a body something is wrong; what was sent may have names of any length."""
    return ".".join(str(part)[:MOST_FIELD_NAME] for part in path)


def serve(
    host: str = HOST,
    port: int = PORT,
    open_browser: bool = False,
    database_url: str | None = None,
    rules_files: Sequence[str | Path] = (),
    keep_days: float | None = None,
    limits: Limits | None = None,
    lab: bool | None = None,
) -> None:
    """Serve until Ctrl-C: a maker's rules files, and behind them the games of our own. Port 0 takes a free one.
    `keep_days` and `limits` as in `create_app`; `lab` unless told only for this machine, where it listens on no other
    address.

    OSError when the port is taken; else as `create_app`."""
    if lab is None and host not in NAMES_OF_THIS_MACHINE:
        lab = False
    app = create_app(database_url, [*rules_files, *game_ids()], keep_days=keep_days, limits=limits, lab=lab)
    listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    near = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # of "everywhere", where a browser here goes
    url = f"http://{f'[{near}]' if ':' in near else near}:{listening.getsockname()[1]}/"
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=SECONDS_TO_STOP,
    )
    print(f"手札 Tefuda: {url}", flush=True)
    if open_browser:  # the socket listens already, so the browser waits until the server answers
        threading.Timer(0.3, webbrowser.open, [url]).start()
    with suppress(KeyboardInterrupt):
        _Server(config, app.state.house.listeners).run([listening])


class _Server(uvicorn.Server):
    """When told to stop it first lets go the browsers that listen: it waits until every answer is complete."""

    def __init__(self, config: uvicorn.Config, listeners: Listeners) -> None:
        super().__init__(config)
        self.listeners = listeners

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.listeners.close()
        super().handle_exit(sig, frame)
