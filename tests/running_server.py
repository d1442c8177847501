"""A server of our own for the length of a test, on a port of this machine."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI

from tefuda.web.limits import Limits

UNHURRIED: dict[str, Any] = {"look_back": lambda game, stop: None, "limits": Limits(off=True)}
"""A server that thinks about no game that is over, and takes as much as comes."""


@contextmanager
def serving(app: FastAPI, port: int = 0) -> Iterator[str]:
    """Serve an application in a thread; gives its address, without a slash at the end. Port 0 takes a free one."""
    listening = socket.create_server(("127.0.0.1", port))
    server = uvicorn.Server(
        uvicorn.Config(app, log_level="error", access_log=False, server_header=False, timeout_graceful_shutdown=2)
    )
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    while not server.started:
        if not thread.is_alive():
            raise RuntimeError("the server did not start")
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
