"""One step of a set-up: say what is done in a sentence, do it quietly, show the end of its output if it fails."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TextIO

SECONDS_BETWEEN_SIGNS_OF_LIFE = 20


class StepFailed(Exception):
    """A step's command ended with an error. What it printed last has been shown already."""


def say(sentence: str) -> None:
    """Tell the person at the terminal something, at once even when the output goes to a file."""
    print(sentence, flush=True)


def step(sentence: str, command: Sequence[str | Path], environment: Mapping[str, str] | None = None) -> None:
    """Run `command` under the announcement `sentence`; now and then show that it still moves."""
    say(sentence)
    started = time.monotonic()
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, env=environment
        )
        try:
            while True:
                try:
                    process.wait(SECONDS_BETWEEN_SIGNS_OF_LIFE)
                    break
                except subprocess.TimeoutExpired:
                    latest = (_lines(output) or [""])[-1]
                    say(f"  … {time.monotonic() - started:.0f} s: {latest[:100]}")
        except BaseException:
            process.terminate()
            process.wait()
            raise
        if process.returncode != 0:
            say(f"  This did not work (exit code {process.returncode}): {' '.join(map(str, command))}")
            for line in _lines(output)[-25:]:
                say(f"  | {line}")
            raise StepFailed(sentence)
    say(f"  done in {time.monotonic() - started:.0f} s")


def _lines(output: TextIO) -> list[str]:
    output.seek(0)
    return [line.strip() for line in output.read().splitlines() if line.strip()]
