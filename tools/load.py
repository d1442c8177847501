"""How the server bears people: so many tables with a scripted player in every seat, each with an open event stream.

    .venv/bin/python tools/load.py [--tables 100] [--seats 4] [--seconds 60] [--every 3] [--pages] [--json]

starts a server of its own (one worker, SQLite in a temporary folder, as `tefuda serve` but without limits) in a process
of its own, on a core of its own where there are two, and plays from this process on the others. A table makes a move
every so many seconds, on the average; every seat looks whenever its stream has told of a change, by the API, or (with
--pages) by the page's own fragment, as a browser does. When a game is over the table is closed and another one opened.

What it tells: the time from a move's POST to its event on the last other page, moves a second, errors, events that a
stream left out or that never came, and the server's memory."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import random
import sys
import tempfile
import time
from collections.abc import Collection, Sequence
from typing import Any

import aiohttp
import own_server
from own_server import OwnServer
from scripted_players import Caller, RefusedError, ScriptedTable, sit_down

GAMES = ["leaves13", "tebineri_cookie", "misohitomoji"]
"""Games in which every move stands among a view's `moves`."""

SECONDS_TO_SETTLE = 5.0
"""Moves count from so long after everybody has sat down; and so long a stream may take to tell of the last event."""

AT_ONCE = 8
"""So many tables are being opened at a time."""

Json = Any


class Load:
    """A run: the tables, and what was measured."""

    def __init__(self, caller: Caller, server: OwnServer, asked: argparse.Namespace) -> None:
        self.caller, self.server, self.asked = caller, server, asked
        self.finished: list[ScriptedTable] = []
        self.moves: list[tuple[float, float]] = []
        """Of each move: when it was sent, and the seconds until its event had come to the last other seat."""
        self.events = self.lost = 0
        self._opening = asyncio.Semaphore(AT_ONCE)
        self._rng = random.Random(asked.seed)
        self._until = float("inf")

    def think(self) -> float:
        """Seconds between two moves at a table: half as long to half as long again as usual, all as likely."""
        return float(self.asked.every * self._rng.uniform(0.5, 1.5))

    async def open(self, n: int) -> ScriptedTable:
        """A table with everybody in their seats."""
        async with self._opening:
            game = self.asked.games[n % len(self.asked.games)]
            return await sit_down(
                self.caller, game, self.asked.seats, self.think, self._rng.getrandbits(32), self.asked.pages
            )

    async def keep_playing(self, n: int, table: ScriptedTable, streams: list[asyncio.Task[None]]) -> None:
        """Play at a table, and at another one when the game is over, until the run ends."""
        while True:
            table.begin()
            players = [asyncio.create_task(self._told(table.play(seat))) for seat in table.seats]
            await asyncio.wait(players, timeout=max(0, self._until - time.perf_counter()))
            for player in players:
                player.cancel()
            await asyncio.gather(*players, return_exceptions=True)
            await self._close(table, streams)
            if time.perf_counter() >= self._until:
                return
            try:
                table = await self.open(n)
            except (RefusedError, aiohttp.ClientError, TimeoutError) as e:
                self._error(e)
                return
            streams = await self.listen(table)

    async def listen(self, table: ScriptedTable) -> list[asyncio.Task[None]]:
        """The event streams of all seats, once each has told where the table is."""
        streams = [asyncio.create_task(self._told(table.listen(seat))) for seat in table.seats]
        while not all(seat.told is not None for seat in table.seats) and not any(stream.done() for stream in streams):
            await asyncio.sleep(0.01)
        return streams

    async def _told(self, doing: Any) -> None:
        try:
            await doing
        except (RefusedError, aiohttp.ClientError, TimeoutError) as e:
            self._error(e)

    def _error(self, error: Exception) -> None:
        self.caller.errors[str(error)[:120] or type(error).__name__] += 1

    async def _close(self, table: ScriptedTable, streams: Sequence[asyncio.Task[None]]) -> None:
        """Wait until the streams have told of the last move; what has not come then is lost."""
        last = max((sent.event for sent in table.sent), default=-1)
        until = time.perf_counter() + SECONDS_TO_SETTLE
        while time.perf_counter() < until and any((seat.told or 0) < last for seat in table.seats):
            await asyncio.sleep(0.02)
        for stream in streams:
            stream.cancel()
        await asyncio.gather(*streams, return_exceptions=True)
        for sent in table.sent:
            others = [seat for seat in table.seats if seat.number != sent.seat]
            self.events += len(table.seats)
            missing = [seat for seat in table.seats if sent.event not in seat.arrived]
            self.lost += len(missing)
            if not any(seat in missing for seat in others):
                self.moves.append((sent.at, max(seat.arrived[sent.event] for seat in others) - sent.at))

    async def run(self) -> dict[str, Json]:
        """Open all tables, play, and tell."""
        warm = [await self.open(n) for n in range(len(self.asked.games))]  # what the server loads once
        for table in warm:
            await table.look(table.seats[0])
        memory = [self.server.memory]
        tables = await asyncio.gather(*(self.open(n) for n in range(self.asked.tables)))
        memory.append(self.server.memory)
        streams = [await self.listen(table) for table in tables]
        memory.append(self.server.memory)
        begin = time.perf_counter() + SECONDS_TO_SETTLE
        self._until = begin + self.asked.seconds
        playing = asyncio.gather(
            *(self.keep_playing(n, table, held) for n, (table, held) in enumerate(zip(tables, streams, strict=True)))
        )
        await asyncio.sleep(begin - time.perf_counter())
        used, ours = self.server.busy, time.process_time()
        await asyncio.sleep(self._until - time.perf_counter())
        used, ours = self.server.busy - used, time.process_time() - ours
        memory.append(self.server.memory)
        await playing
        return self._result([m / 1000 for m in memory], used, ours, begin)

    def _result(self, memory: Sequence[float], used: float, ours: float, begin: float) -> dict[str, Json]:
        asked, taken = self.asked, sorted(seconds for at, seconds in self.moves if begin <= at < self._until)
        streams = asked.tables * asked.seats
        moves = max(1, len(taken))
        return {
            "tables": asked.tables,
            "streams": streams,
            "seconds": asked.seconds,
            "look": "page" if asked.pages else "api",
            "moves": len(taken),
            "moves_per_second": round(len(taken) / asked.seconds, 1),
            "milliseconds": {f"p{p}": round(1000 * _quantile(taken, p / 100), 1) for p in (50, 95, 99, 100)},
            "errors": dict(self.caller.errors),
            "events": self.events,
            "lost": self.lost,
            "server_busy": round(used / asked.seconds, 3),
            "server_milliseconds_per_move": round(1000 * used / moves, 1),
            "client_busy": round(ours / asked.seconds, 3),
            "kB": {
                "server": round(memory[0]),
                "a_table": round((memory[1] - memory[0]) / asked.tables, 1),
                "a_stream": round((memory[2] - memory[1]) / streams, 1),
                "all_per_stream_at_the_end": round((memory[3] - memory[0]) / streams, 1),
            },
        }


def _quantile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


async def measure(server: OwnServer, asked: argparse.Namespace) -> dict[str, Json]:
    """A run against a server."""
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=2)  # the server lets idle ones go after 5 s
    async with aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as http:
        return await Load(Caller(http, server.url), server, asked).run()


def parted() -> tuple[Collection[int], Collection[int]] | None:
    """The cores of the server (one) and of this process (the others); None where they cannot be parted."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    cores = sorted(os.sched_getaffinity(0))
    return (cores[:1], cores[1:]) if len(cores) > 1 else None


def run(asked: argparse.Namespace) -> dict[str, Json]:
    """Start a server, measure it, stop it."""
    cores = parted()
    with tempfile.TemporaryDirectory() as folder:
        server = own_server.start(f"sqlite:///{folder}/tables.sqlite3", asked.games, cores=cores and cores[0])
        if cores:
            os.sched_setaffinity(0, set(cores[1]))
        try:
            before = os.getloadavg()[0]
            result = asyncio.run(measure(server, asked))
        finally:
            server.kill()
            if cores:
                os.sched_setaffinity(0, {*cores[0], *cores[1]})
    place = {"server": list(cores[0]), "client": list(cores[1])} if cores else "not parted"
    return {
        **result,
        "games": asked.games,
        "cores": place,
        "machine": f"{platform.system()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "load_before_and_after": [round(before, 1), round(os.getloadavg()[0], 1)],
    }


def tell(result: dict[str, Json]) -> str:
    """The result, for people."""
    ms, kb, cores = result["milliseconds"], result["kB"], result["cores"]
    where = f"server on core {cores['server']}, client on {cores['client']}" if isinstance(cores, dict) else cores
    return "\n".join(
        [
            f"{result['tables']} tables, {result['streams']} event streams, {result['seconds']} s ({result['look']})",
            f"  machine          {result['machine']}; {where}; load {result['load_before_and_after']}",
            f"  moves            {result['moves']}, {result['moves_per_second']} a second",
            f"  POST to event    p50 {ms['p50']} ms, p95 {ms['p95']} ms, p99 {ms['p99']} ms, longest {ms['p100']} ms",
            f"  events           {result['events']} awaited, {result['lost']} lost",
            f"  errors           {result['errors'] or 'none'}",
            f"  server           {result['server_busy']:.0%} of a core,"
            f" {result['server_milliseconds_per_move']} ms a move",
            f"  client           {result['client_busy']:.0%} of a core",
            f"  memory           {kb['server']} kB; a table {kb['a_table']} kB, a stream {kb['a_stream']} kB;"
            f" at the end {kb['all_per_stream_at_the_end']} kB a stream in all",
        ]
    )


def asked_by(arguments: Sequence[str]) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description="How the server bears people.")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--every", type=float, default=3, help="seconds between a table's moves")
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--pages", action="store_true", help="look by the page's fragment, as a browser does")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Measure as asked; 1 when something was lost or went wrong."""
    asked = asked_by(arguments)
    result = run(asked)
    print(json.dumps(result) if asked.json else tell(result), flush=True)
    return 1 if result["errors"] or result["lost"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
