"""A PostgreSQL server for the length of a test run: its own files, its own socket, no port, nobody else's data."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def private_postgres(binaries: Path) -> Iterator[str]:
    """Start a server with the programs in the folder `binaries`; gives the SQLAlchemy URL of its empty database."""
    # Not pytest's tmp_path: only its owner may enter that, and a socket's whole path may have 107 bytes at most.
    folder = Path(tempfile.mkdtemp(prefix="tefuda-postgres-"))
    data, log = folder / "data", folder / "log"
    identity: dict[str, Any] = {}
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root
        user = pwd.getpwnam("postgres")
        os.chown(folder, user.pw_uid, user.pw_gid)
        identity = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}

    def run(program: str, *arguments: str | Path) -> None:
        command = [binaries / program, *arguments]
        # To a file, not a pipe: the server inherits it, and a pipe would stay open as long as the server runs.
        with tempfile.TemporaryFile("w+") as output:
            ended = subprocess.run(
                command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output, **identity
            )
            if ended.returncode != 0:
                output.seek(0)
                said = output.read() + (log.read_text() if log.exists() else "")
                raise RuntimeError(f"{program} of the tests' PostgreSQL server failed:\n{said}")

    # The data die with the test run, so nothing waits for the disk.
    settings = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off -c full_page_writes=off"
    try:
        run("initdb", "-D", data, "-U", "tefuda", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
        run("pg_ctl", "start", "-w", "-t", "60", "-D", data, "-l", log, "-o", settings)
        try:
            run("createdb", "-h", folder, "-U", "tefuda", "tefuda")
            yield f"postgresql+psycopg://tefuda@/tefuda?host={folder}"
        finally:
            run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", data)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
