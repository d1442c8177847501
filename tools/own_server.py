"""A Tefuda server in a process of its own, for programs that measure it, or kill it.

    python tools/own_server.py DATABASE-URL PORT CORES GAME …

serves these games until it is killed, on the cores named (as 0,1; - for all), with no limits, and with bots that play
at random, so that nothing is compiled meanwhile."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from tefuda.engine.game import Game
from tefuda.tables import BotTurn

HOST = "127.0.0.1"

SECONDS_TO_START = 120


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.create_server((HOST, 0)) as listening:
        return int(listening.getsockname()[1])


@dataclass
class OwnServer:
    """The server at `url`, as the process it is."""

    url: str
    process: subprocess.Popen[bytes]

    @property
    def memory(self) -> int:
        """Its resident memory, in bytes; 0 where the system does not tell."""
        status = Path(f"/proc/{self.process.pid}/status")
        if not status.exists():
            return 0
        line = next((line for line in status.read_text().splitlines() if line.startswith("VmRSS:")), "VmRSS: 0")
        return 1024 * int(line.split()[1])

    @property
    def busy(self) -> float:
        """The seconds that its threads have been running in all; 0 where the system does not tell."""
        stat = Path(f"/proc/{self.process.pid}/stat")
        if not stat.exists():
            return 0.0
        fields = stat.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """As a power failure ends it: kill -9."""
        self.process.kill()
        self.process.wait()


def start(database: str, games: Sequence[str], port: int = 0, cores: Collection[int] | None = None) -> OwnServer:
    """Start a server and wait until it answers. RuntimeError when it does not."""
    port = port or free_port()
    named = "-" if cores is None else ",".join(map(str, sorted(cores)))
    process = subprocess.Popen([sys.executable, __file__, database, str(port), named, *games])
    until = time.monotonic() + SECONDS_TO_START
    while process.poll() is None and time.monotonic() < until:
        try:
            socket.create_connection((HOST, port), 1).close()
            return OwnServer(f"http://{HOST}:{port}", process)
        except OSError:
            time.sleep(0.02)
    process.kill()
    raise RuntimeError("the server did not start")


def any_move(turn: BotTurn) -> int:
    """A bot that plays at random, as its seat's rules allow, without anything compiled."""
    game = object.__new__(Game)  # no game is dealt: it is at the moment that is told
    game.rules, game.state, game.players = turn.rules, turn.known, [""] * turn.seats
    game.t = turn.rules.tables(turn.options, turn.seats)
    return random.choice(game.legal())


def main(database: str, port: str, cores: str, *games: str) -> None:
    """Serve, in this process."""
    if cores != "-":
        os.sched_setaffinity(0, {int(core) for core in cores.split(",")})

    from tefuda.bots import Level, parse
    from tefuda.web.app import create_app
    from tefuda.web.limits import Limits

    app = create_app(
        database,
        list(games),
        bot_pause=0,
        levels=[Level("random", {"ja": "でたらめ", "en": "Random"}, parse("random"))],
        choose=any_move,
        warm=lambda rules: None,
        look_back=lambda game, stop: None,
        limits=Limits(off=True),
    )
    listening = socket.create_server((HOST, int(port)), backlog=2048)
    uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False)).run([listening])


if __name__ == "__main__":
    main(*sys.argv[1:])
