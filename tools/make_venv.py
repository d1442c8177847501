"""Makes the virtual environment .venv and installs Tefuda in it, or finds that this was done already.

    python tools/make_venv.py [test] [bench]

The names are the extras of pyproject.toml to install besides. What was installed is remembered in a stamp, a file in
.venv with the digest of all that the installation depends on; while it agrees, there is nothing to do.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

from steps import StepFailed, say, step

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
VENV_PYTHON = VENV / "bin" / "python"


def main(extras: list[str]) -> int:
    """Bring .venv up to date; returns the exit code."""
    try:
        if python_version(VENV_PYTHON) is None:
            make_venv()
        refuse_another_python()
        install(extras)
    except StepFailed:
        return 1
    return 0


def python_version(python: str | Path) -> str | None:
    """Such as 3.11.7; None where `python` does not start."""
    question = "import platform; print(platform.python_version())"
    try:
        answer = subprocess.run([python, "-c", question], capture_output=True, text=True)
    except OSError:
        return None
    return answer.stdout.strip() if answer.returncode == 0 else None


def make_venv() -> None:
    """Make .venv with the first way that works here."""
    python = sys.executable
    if VENV.exists():
        say("The Python of .venv does not start (any more): making .venv anew.")
        shutil.rmtree(VENV)
    ways: list[tuple[str, object, list[str | Path]]] = [
        # Debian and Ubuntu ship `venv` without the `ensurepip` that it needs, in a package of its own.
        ("venv", importlib.util.find_spec("ensurepip"), [python, "-m", "venv", VENV]),
        ("virtualenv", importlib.util.find_spec("virtualenv"), [python, "-m", "virtualenv", "-p", python, VENV]),
        ("virtualenv", shutil.which("virtualenv"), ["virtualenv", "-p", python, VENV]),
        ("uv", shutil.which("uv"), ["uv", "venv", "--seed", "--python", python, VENV]),
    ]
    for what, there_is, command in ways:
        if not there_is:
            continue
        try:
            step(f"Making a virtual environment in .venv, with Python {python_version(python)} and {what}.", command)
            return
        except StepFailed:
            shutil.rmtree(VENV, ignore_errors=True)
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    say(f"{python} cannot make a virtual environment: it has neither `venv` (complete) nor `virtualenv`.")
    say(f"On Debian or Ubuntu:  sudo apt-get install python{version}-venv")
    say("Elsewhere:            install virtualenv, or name another Python: make play PYTHON=/path/to/python3")
    raise StepFailed("make .venv")


def refuse_another_python() -> None:
    """Whoever asks for a Python that .venv was not made with is told so, rather than ignored."""
    wanted = os.environ.get("PYTHON")
    if wanted and python_version(wanted) != python_version(VENV_PYTHON):
        say(f".venv was made with Python {python_version(VENV_PYTHON)}, and {wanted} is {python_version(wanted)}.")
        say("To change over, remove the folder .venv and call make again.")
        raise StepFailed("use another Python")


def install(extras: list[str]) -> None:
    """Install the package, editable, with `extras`, unless the stamps say that this was done."""
    digest = hashlib.sha256()
    for part in ((ROOT / "pyproject.toml").read_bytes(), str(ROOT).encode(), str(python_version(VENV_PYTHON)).encode()):
        digest.update(len(part).to_bytes(8, "big") + part)
    stamps = [VENV / f"installed-{name}" for name in ["tefuda", *extras]]
    if all(stamp.exists() and stamp.read_text() == digest.hexdigest() for stamp in stamps):
        return
    package = f"{ROOT}[{','.join(extras)}]" if extras else str(ROOT)
    besides = f" and what is needed to {' and '.join(extras)} it" if extras else ""
    quietly = ["--disable-pip-version-check", "--no-input", "--progress-bar", "off"]
    step(
        f"Installing Tefuda, the packages it stands on{besides} into .venv. The first time takes a minute or three.",
        [VENV_PYTHON, "-m", "pip", "install", *quietly, "--editable", package],
    )
    for stamp in stamps:
        stamp.write_text(digest.hexdigest())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
