"""Kills the server at random moments while people and bots play, again and again, and sees that nothing is lost.

    .venv/bin/python tools/soak.py [--kills 200] [--tables 8] [--seed 1] [--json]

Scripted players (three people and a bot at each table) keep a list of their own of every move, and every table, that
was answered with success. After each kill -9 the store is opened while no server runs: every table must be there and be
rebuilt, and every answered move must stand in it at its moment. A move whose answer never came is sent once more after
the start: it is taken now (200), or it had been taken (409, and then it must be in the store). Any other refusal is
a fault. At last the server is left alone, and every game must come to its end."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import aiohttp
import own_server
from own_server import OwnServer
from scripted_players import Caller, RefusedError, ScriptedTable, Seat, sit_down

from tefuda.engine.rules import find
from tefuda.tables import Store, Tables

GAMES = ["leaves13", "tebineri_cookie", "misohitomoji"]

SEATS = 4

SECONDS_OF_LIFE = (0.05, 2.0)
"""A server that answers lives so long, all as likely."""

SECONDS_TO_THINK = 0.1

SECONDS_TO_FINISH = 240.0
"""So long all games may take to come to their end, when the server is left alone."""

SECONDS_TO_TELL = 60.0
"""So long after the end of a game its streams may take to tell of all of it: the server may just be starting."""

SECONDS_TO_TRY_AGAIN = 0.05

Json = Any


@dataclass
class Kept:
    """What must be in the store: the moves of each table that were answered with success (moment, seat, move)."""

    moves: dict[str, list[tuple[int, int, str]]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)
    finished: int = 0

    @property
    def count(self) -> int:
        """How many moves."""
        return sum(len(moves) for moves in self.moves.values())

    def fault(self, told: str) -> None:
        """Something that must not be."""
        self.faults.append(told)
        print(f"FAULT: {told}", file=sys.stderr, flush=True)

    def check(self, database: str) -> None:
        """Look into the store, while no server runs."""
        store = Store(database)
        tables = Tables(store, {game: find(game) for game in GAMES})
        try:
            for name, moves in self.moves.items():
                with tables.at(name) as table:
                    for moment, seat, move in moves:
                        event = table.game.events[moment] if moment < len(table.game.events) else None
                        if event is None or event.who != seat or table.game.event_text(event) != move:
                            self.fault(f"{name}: {move} of seat {seat} at {moment} was answered and is not there")
        finally:
            store.close()


class Survivor(ScriptedTable):
    """A table whose players go on when the server has been away."""

    kept: Kept

    async def move(self, seat: Seat, view: Mapping[str, Json]) -> Json:
        """Make any of the moves; when no answer comes, the same again until there is one."""
        move, moment, tries, answer = self._rng.choice(view["moves"]), view["number"], 0, None
        while True:
            tries += 1
            try:
                body = {"move": move, "number": moment}
                answer = await self.caller.ask("POST", f"{self.path}/moves", seat.token, body)
                self.kept.answers["200" if tries == 1 else "200 when sent again"] += 1
            except (aiohttp.ClientError, TimeoutError):
                self.kept.answers["no answer"] += 1
                await asyncio.sleep(SECONDS_TO_TRY_AGAIN)
                continue
            except RefusedError as e:
                self.kept.answers[f"{e.status} when sent again" if tries > 1 else str(e.status)] += 1
                if e.status != 409 or tries == 1 or not e.told.get("error") or "number" not in e.told:
                    raise  # no refusal that a player would understand
            self.kept.moves[self.name].append((moment, seat.number, move))
            return answer or await self.caller.ask("GET", self.path, seat.token)

    async def through(self, doing: Callable[[], Awaitable[None]], done: Callable[[], bool]) -> None:
        """Do again what the server's death has cut short, until it is done."""
        while not done():
            try:
                await doing()
            except (aiohttp.ClientError, TimeoutError):
                pass
            except RefusedError as e:
                self.kept.fault(f"{self.name}: {e}")
            for seat in self.seats:
                seat.seen = -1
                seat.changed.set()  # look again
            await asyncio.sleep(SECONDS_TO_TRY_AGAIN)

    def told(self, seat: Seat) -> bool:
        """Whether the stream of a seat has told of the whole game."""
        return self.over and (seat.told or 0) >= self.last

    async def to_the_end(self) -> None:
        """Play until the game is over; each stream then must tell every number of it."""
        streams = [
            asyncio.create_task(self.through(partial(self.listen, seat), partial(self.told, seat)))
            for seat in self.seats
        ]
        await asyncio.gather(*(self.through(partial(self.play, seat), lambda: self.over) for seat in self.seats))
        until = time.perf_counter() + SECONDS_TO_TELL
        while time.perf_counter() < until and not all(self.told(seat) for seat in self.seats):
            await asyncio.sleep(0.02)
        for stream in streams:
            stream.cancel()
        await asyncio.gather(*streams, return_exceptions=True)
        for seat in self.seats:
            if seat.lost or not self.told(seat):
                self.kept.fault(f"{self.name}: seat {seat.number} was not told of {seat.lost}, nor after {seat.told}")


def think() -> float:
    """Seconds between two moves at a table."""
    return SECONDS_TO_THINK


class Soak:
    """A run."""

    def __init__(self, asked: argparse.Namespace, database: str) -> None:
        self.asked, self.database, self.kept = asked, database, Kept()
        self.rng = random.Random(asked.seed)
        self.port = own_server.free_port()
        self.killing = True

    def start(self) -> OwnServer:
        """The server, at the same address every time."""
        return own_server.start(self.database, GAMES, self.port)

    async def keep_playing(self, n: int, caller: Caller) -> None:
        """One game after the other at a table, as long as the server is being killed."""
        while self.killing:
            game = GAMES[n % len(GAMES)]
            try:
                sat = await sit_down(caller, game, SEATS, think, self.rng.getrandbits(32), fill=True)
            except (aiohttp.ClientError, TimeoutError):
                await asyncio.sleep(SECONDS_TO_TRY_AGAIN)
                continue
            table = Survivor(caller, sat.name, sat.seats, think, self.rng.getrandbits(32))
            table.kept = self.kept
            self.kept.moves[table.name] = []
            await table.to_the_end()
            self.kept.finished += 1
            n += 1

    async def run(self) -> dict[str, Json]:
        """Play and kill."""
        server, began, kills = self.start(), time.monotonic(), 0
        connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=2)
        async with aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as http:
            caller = Caller(http, server.url)
            playing = [asyncio.create_task(self.keep_playing(n, caller)) for n in range(self.asked.tables)]
            try:
                while kills < self.asked.kills and not any(task.done() for task in playing):
                    before = self.kept.count
                    await asyncio.sleep(self.rng.uniform(*SECONDS_OF_LIFE))
                    while self.kept.count == before and not any(task.done() for task in playing):
                        await asyncio.sleep(0.01)  # one that nobody has reached yet would prove nothing
                    await asyncio.to_thread(server.kill)
                    kills += 1
                    await asyncio.to_thread(self.kept.check, self.database)
                    server = await asyncio.to_thread(self.start)
                    if kills % 10 == 0:
                        print(f"{kills} kills, {self.kept.count} moves kept", file=sys.stderr, flush=True)
                self.killing = False
                done, stuck = await asyncio.wait(playing, timeout=SECONDS_TO_FINISH)
                for task in stuck:
                    self.kept.fault("a table has not come to its end")
                    task.cancel()
                for task in done:
                    if task.exception() is not None:
                        self.kept.fault(repr(task.exception()))
            finally:
                for task in playing:
                    task.cancel()
                await asyncio.gather(*playing, return_exceptions=True)
                server.kill()
        self.kept.check(self.database)
        return {
            "kills": kills,
            "tables": len(self.kept.moves),
            "finished": self.kept.finished,
            "moves": self.kept.count,
            "answers": dict(self.kept.answers),
            "faults": self.kept.faults,
            "seconds": round(time.monotonic() - began),
            "load": round(os.getloadavg()[0], 1),
        }


def run(asked: argparse.Namespace) -> dict[str, Json]:
    """Soak as asked, in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(Soak(asked, f"sqlite:///{folder}/tables.sqlite3").run())


def asked_by(arguments: Sequence[str]) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description="Kill the server while people play, and see that nothing is lost.")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Soak; 1 when something was lost."""
    asked = asked_by(arguments)
    result = run(asked)
    if asked.json:
        print(json.dumps(result))
    else:
        faults = result["faults"]
        print(f"{result['kills']} kills in {result['seconds']} s; {result['finished']} games came to their end.")
        print(f"{result['moves']} moves at {result['tables']} tables were answered with success:", end=" ")
        print(f"{len(faults)} faults, the first: {faults[0]}" if faults else "all are in the store.")
        print(f"Answers to moves: {result['answers']}. Load of the machine: {result['load']}.")
    return 1 if result["faults"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
