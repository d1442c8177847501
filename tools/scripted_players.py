"""Players that follow a script, over the JSON API as any program would: a table with a person in every seat, each of
whom listens to the table's events, looks whenever something has changed, thinks, and makes a move at random."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import aiohttp

Json = Any

SECONDS_TO_ANSWER = 60.0


class RefusedError(Exception):
    """An answer that is no success: its status and what it says."""

    def __init__(self, status: int, told: Json) -> None:
        super().__init__(f"{status}: {told}")
        self.status, self.told = status, told


class Caller:
    """Calls the API of one server. `errors`: how often what went wrong, by status or by the kind of failure."""

    def __init__(self, http: aiohttp.ClientSession, url: str) -> None:
        self.http, self.url = http, url
        self.errors: Counter[str] = Counter()
        self.calls = 0

    async def ask(self, method: str, path: str, token: str | None = None, body: Json = None) -> Json:
        """The answer as data. RefusedError; aiohttp.ClientError or TimeoutError when there is none."""
        self.calls += 1
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        within = aiohttp.ClientTimeout(total=SECONDS_TO_ANSWER)
        async with self.http.request(method, self.url + path, json=body, headers=headers, timeout=within) as answer:
            told = await answer.json()
        if answer.status >= 400:
            raise RefusedError(answer.status, told)
        return told

    async def page(self, path: str, token: str) -> str:
        """The part of a table's page that changes, as a browser asks for it."""
        self.calls += 1
        headers = {"Cookie": f"seat={token}", "X-Fragment": "main"}
        async with self.http.get(self.url + path, headers=headers) as answer:
            text = await answer.text()
        if answer.status >= 400:
            raise RefusedError(answer.status, text[:200])
        return text


@dataclass
class Seat:
    """A seat that is held, and what its event stream has told: when each number came (`arrived`, by
    `time.perf_counter`), and the numbers that were left out (`lost`); `seen`: the last event that it has looked at."""

    number: int
    token: str
    arrived: dict[int, float] = field(default_factory=dict)
    told: int | None = None
    seen: int = -1
    lost: list[int] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def hear(self, number: int) -> None:
        """The stream has told a number."""
        if self.told is not None and number > self.told + 1:
            self.lost.extend(range(self.told + 1, number))
        self.arrived.setdefault(number, time.perf_counter())
        self.told = number if self.told is None else max(self.told, number)
        self.changed.set()


@dataclass(frozen=True)
class Sent:
    """A move that was answered with success: by which seat, when it was sent (by `time.perf_counter`), for which
    moment, as what event, and the move."""

    seat: int
    at: float
    moment: int
    event: int
    move: str


class ScriptedTable:
    """A table at which every seat is held by a script.

    `think`: seconds between two moves, from one to the next as planned: a late answer does not slow the table down.
    `pages`: look by the table's page, as a browser does."""

    def __init__(
        self, caller: Caller, name: str, seats: list[Seat], think: Callable[[], float], seed: int, pages: bool = False
    ) -> None:
        self.caller, self.name, self.seats, self.think, self.pages = caller, name, seats, think, pages
        self.sent: list[Sent] = []
        self.over = False
        self.last = -1
        self._rng = random.Random(seed)
        self.begin()

    def begin(self) -> None:
        """The thinking begins now."""
        self._next = time.perf_counter() + self.think() * self._rng.random()

    @property
    def path(self) -> str:
        """Where the API tells of it."""
        return f"/api/tables/{self.name}"

    async def listen(self, seat: Seat) -> None:
        """Hold the event stream of a seat open until it ends."""
        headers = {"Authorization": f"Bearer {seat.token}"}
        if seat.told is not None:
            headers["Last-Event-ID"] = str(seat.told)
        without = aiohttp.ClientTimeout(total=None)
        url = f"{self.caller.url}{self.path}/events"
        async with self.caller.http.get(url, headers=headers, timeout=without) as answer:
            if answer.status != 200:
                raise RefusedError(answer.status, await answer.text())
            async for line in answer.content:
                if line.startswith(b"data: "):
                    seat.hear(int(line[6:]))

    async def play(self, seat: Seat) -> None:
        """Look whenever there is something that the seat has not seen, as the page's script does, and move when it is
        the seat's turn, until the game is over."""
        while not self.over:
            await seat.changed.wait()
            seat.changed.clear()
            if seat.told is None or seat.told > seat.seen:
                await self.look(seat)

    async def look(self, seat: Seat) -> None:
        """Look, and move when it is the seat's turn."""
        if self.pages:
            page = await self.caller.page(f"/t/{self.name}/main", seat.token)
            seat.seen = int(page.partition('data-last="')[2].partition('"')[0])
            if "data-legal" not in page and f"/t/{self.name}/result" not in page:
                return
        view = await self.caller.ask("GET", self.path, seat.token)
        while view["seat"] == seat.number and view["moves"]:
            await asyncio.sleep(self._next - time.perf_counter())
            self._next += self.think()
            view = await self.move(seat, view)
        seat.seen = view["last"]
        if view["over"]:
            self.last, self.over = view["last"], True
            for other in self.seats:
                other.changed.set()

    async def move(self, seat: Seat, view: Mapping[str, Json]) -> Json:
        """Make any of the moves; the table after it. RefusedError, aiohttp.ClientError."""
        move, moment = self._rng.choice(view["moves"]), view["number"]
        at = time.perf_counter()
        answer = await self.caller.ask("POST", f"{self.path}/moves", seat.token, {"move": move, "number": moment})
        self.sent.append(Sent(seat.number, at, moment, answer["last"], move))
        return answer


async def sit_down(
    caller: Caller,
    game: str,
    seats: int,
    think: Callable[[], float],
    seed: int,
    pages: bool = False,
    fill: bool = False,
) -> ScriptedTable:
    """Open a table for friends, let the others sit down, and begin; with `fill`, a bot takes the last seat."""
    opened = await caller.ask("POST", "/api/tables", None, {"game": game, "seats": seats, "wait": True, "name": "P0"})
    name, tokens = opened["table"], [opened["token"]]
    for seat in range(1, seats - fill):
        sat = await caller.ask("POST", f"/api/tables/{name}/seats", None, {"name": f"P{seat}", "seat": seat})
        tokens.append(sat["token"])
    await caller.ask("POST", f"/api/tables/{name}/start", tokens[0], {"fill": fill})
    held = [Seat(number, token) for number, token in enumerate(tokens)]
    return ScriptedTable(caller, name, held, think, seed, pages)
