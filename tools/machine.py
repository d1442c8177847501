"""What the tests need of the machine besides Python: a browser that runs, Japanese fonts, a PostgreSQL server.

    .venv/bin/python tools/machine.py

installs what is missing, where that is possible without asking anybody: with apt-get, as root or by a sudo that wants
no password. Elsewhere it says what to install, and the tests that need it are skipped with the reason, unless
TEFUDA_REQUIRE_BROWSER=1 or TEFUDA_REQUIRE_POSTGRES=1 says that a missing one is a failure (`make` does in CI).
TEFUDA_NO_APT=1 leaves the system's packages alone.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from playwright.sync_api import sync_playwright
from steps import StepFailed, say, step

NO_BROWSER = (
    "No Chromium that runs was found. Install one (Debian: apt-get install chromium; elsewhere: "
    "python -m playwright install chromium), or name one in TEFUDA_BROWSER."
)
NO_PLAYWRIGHT = "Playwright does not start. What it says: python -m playwright --version. Often libatomic1 is missing."
NO_POSTGRES = "No PostgreSQL server was found. Install one (Debian and Ubuntu: apt-get install postgresql)."
NO_FONT = "No Japanese font was found: pictures of pages will show empty boxes. Debian and Ubuntu: fonts-noto-cjk."


def main() -> int:
    """Install what is missing; returns the exit code."""
    if required("BROWSER") or required("POSTGRES") or not os.environ.get("TEFUDA_NO_APT"):
        install_missing()
    missing = 0
    for found, name, sentence in [
        (playwright_starts(), "BROWSER", NO_PLAYWRIGHT),
        (find_browser(), "BROWSER", NO_BROWSER),
        (find_postgres(), "POSTGRES", NO_POSTGRES),
        (has_japanese_font(), "BROWSER", NO_FONT),
    ]:
        if not found:
            say(sentence if required(name) else f"{sentence} Tests that need it are skipped.")
            missing += required(name)
    if missing:
        return 1
    say(f"Browser: {find_browser() or 'none'}. PostgreSQL: {find_postgres() or 'none'}.")
    return 0


def required(what: str) -> bool:
    """Whether a missing BROWSER or POSTGRES is a failure here, rather than a reason to skip a test."""
    return os.environ.get(f"TEFUDA_REQUIRE_{what}") == "1"


@cache
def find_browser() -> Path | None:
    """A Chromium that starts: the system's, else the one that Playwright downloaded, else None."""
    return next((browser for browser in _possible_browsers() if _starts(browser)), None)


def _possible_browsers() -> Iterator[Path]:
    named = os.environ.get("TEFUDA_BROWSER")
    if named:
        yield Path(named)
        return
    for name in ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]:
        if path := shutil.which(name):
            yield Path(path)
    if playwright_starts():
        with sync_playwright() as playwright:
            downloaded = playwright.chromium.executable_path
        yield Path(downloaded)


def _starts(browser: Path) -> bool:
    # Ubuntu's `chromium-browser` is a stand-in that only says how to install the real one: so run it, and read.
    try:
        answer = subprocess.run(
            [browser, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0 and answer.stdout.startswith(("Chromium ", "Google Chrome "))


def playwright_starts() -> bool:
    """Whether Playwright's driver runs: it is a program of its own, and a bare system lacks a library it needs."""
    return subprocess.run([sys.executable, "-m", "playwright", "--version"], capture_output=True).returncode == 0


def find_postgres() -> Path | None:
    """The folder with `initdb` and `pg_ctl` of the newest PostgreSQL server here, or None."""
    packaged = sorted(
        (folder for folder in Path("/usr/lib/postgresql").glob("*/bin") if (folder / "initdb").exists()),
        key=lambda folder: float(folder.parent.name),
    )
    if packaged:
        return packaged[-1]
    on_the_path = shutil.which("initdb")
    return Path(on_the_path).resolve().parent if on_the_path else None


def has_japanese_font() -> bool:
    """Whether something on this machine can draw 手札. (macOS always can.)"""
    if platform.system() == "Darwin":
        return True
    if shutil.which("fc-list"):
        return bool(subprocess.run(["fc-list", ":lang=ja"], capture_output=True).stdout.strip())
    return any(Path("/usr/share/fonts").rglob("Noto*CJK*"))


def install_missing() -> None:
    """Install what is missing with apt-get, the browser with Playwright where apt-get has none that runs."""
    ubuntu = "ubuntu" in _distribution()
    packages = []
    if not playwright_starts():
        packages.append("libatomic1")
    if find_browser() is None and not ubuntu:  # on Ubuntu `chromium` is a snap, which a container cannot run
        packages.append("chromium")
    if not has_japanese_font():
        packages.append("fonts-noto-cjk")
    if find_postgres() is None:
        packages.append("postgresql")
    if packages:
        install_packages(packages)
    find_browser.cache_clear()
    if find_browser() is None:
        install_playwright_browser()
        find_browser.cache_clear()


def install_packages(packages: list[str]) -> None:
    """Install Debian packages, where that can be done without asking anybody."""
    as_root = _command_to_be_root()
    if not shutil.which("apt-get") or as_root is None:
        say(f"Not installed here, for want of apt-get or of the right to use it: {', '.join(packages)}.")
        return
    # Another installation may be under way, so wait for its lock.
    apt_get = [*as_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-o", "DPkg::Lock::Timeout=600"]
    for seconds in [5, 20, 60, 0]:
        try:
            step("Reading the list of the system's packages.", [*apt_get, "update"])
            break
        except StepFailed:
            time.sleep(seconds)
    for package in packages:  # one by one, so that what can be had is had
        try:
            step(
                f"Installing the system's package {package}.",
                [*apt_get, "install", "--yes", "--no-install-recommends", package],
            )
        except StepFailed:
            say(f"{package} could not be installed.")


def install_playwright_browser() -> None:
    """Let Playwright download its own Chromium (about 180 MB, into its cache in the home folder)."""
    playwright = [sys.executable, "-m", "playwright", "install"]
    if shutil.which("apt-get") and _command_to_be_root() is not None:
        playwright.append("--with-deps")
    try:
        step("Downloading Playwright's Chromium.", [*playwright, "chromium"])
    except StepFailed:
        say("Playwright's Chromium could not be installed.")


@cache
def _command_to_be_root() -> list[str] | None:
    """What to put before a command that needs root; None where we may not."""
    if os.environ.get("TEFUDA_NO_APT"):
        return None
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode == 0:
        return ["sudo", "-n"]
    return None


def _distribution() -> str:
    release = Path("/etc/os-release")
    return release.read_text().lower() if release.exists() else ""


if __name__ == "__main__":
    sys.exit(main())
