"""What many tests stand on: a browser, and a PostgreSQL server. Each is started once per pytest worker, when asked for.

Where one is missing, the tests that ask for it are skipped with the reason; with TEFUDA_REQUIRE_BROWSER=1 or
TEFUDA_REQUIRE_POSTGRES=1 (as `make test` sets in CI) they fail with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import machine
import pytest
from browsing import app_of, opening_pages
from playwright.sync_api import Browser, Page, sync_playwright
from private_postgres import private_postgres
from running_server import serving


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests with a browser last: beside Playwright's running event loop, `asyncio.run` refuses to start."""
    items.sort(key=lambda item: "browser" in getattr(item, "fixturenames", ()))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A running Chromium; a test opens its own context or page in it."""
    path = machine.find_browser()
    if path is None:
        _do_without("BROWSER", machine.NO_BROWSER)
    if not machine.playwright_starts():
        _do_without("BROWSER", machine.NO_PLAYWRIGHT)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=path,
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ],
        )
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server of a test module's own, whose bots answer at once."""
    return app_of(f"sqlite:///{tmp_path_factory.mktemp('tables')}/tables.sqlite3")


@pytest.fixture(scope="module")
def url(app: Any) -> Iterator[str]:
    """Where it listens."""
    with serving(app) as address:
        yield address


@pytest.fixture
def open_page(browser: Browser, url: str) -> Iterator[Callable[..., Page]]:
    """Opens a page in a browser of its own (see `opening_pages`)."""
    with opening_pages(browser, url) as start:
        yield start


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The SQLAlchemy URL of an empty database on a PostgreSQL server of our own."""
    binaries = machine.find_postgres()
    if binaries is None:
        _do_without("POSTGRES", machine.NO_POSTGRES)
    with private_postgres(binaries) as url:
        yield url


def _do_without(what: str, reason: str) -> NoReturn:
    if machine.required(what):
        pytest.fail(reason)
    pytest.skip(reason)
