"""What stands before every request: nothing from other sites, nothing too large, not too much in too short a time, the
same headers on every answer.

It also answers when something unforeseen is raised, so that even then a person gets a page and not a traceback."""

from __future__ import annotations

import logging
from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tefuda.web.limits import Limits

log = logging.getLogger("tefuda.web")

UNCOUNTED = ("/static/", "/faces/")
"""Pictures and style sheets, of which a page asks for many at once, are cheap and kept by browsers."""

MOST_BYTES = 64 * 1024
"""The largest body that is read."""

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    # With "no-referrer" a browser would also hide the origin of our own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}

PRIVATE = "/api/"
"""Where every answer is for whoever asked, and for nobody between to keep: a hand is in it."""

Refuse = Callable[[Request, int, str], Response]
"""Makes the answer to a request that is refused: its status, and the key of the sentence."""


class Guard:
    """The middleware."""

    def __init__(self, app: ASGIApp, refuse: Refuse, limits: Limits) -> None:
        self.app, self.refuse, self.limits = app, refuse, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith(PRIVATE):
                    headers["Cache-Control"] = "private, no-store"
            await send(message)

        request = Request(scope)
        if scope["method"] not in ("GET", "HEAD", "OPTIONS") and not from_here(request.headers):
            await self.refuse(request, 403, "other site")(scope, receive, send_with_headers)
            return
        client = request.client.host if request.client else ""
        changes = scope["method"] not in ("GET", "HEAD", "OPTIONS")
        counts = not scope["path"].startswith(UNCOUNTED)
        if (counts and not self.limits.may(self.limits.requests, client)) or (
            changes and not self.limits.may(self.limits.changes, client)
        ):
            await self.refuse(request, 429, "pace")(scope, receive, send_with_headers)
            return
        if _declared_size(request.headers) > MOST_BYTES:
            await self.refuse(request, 413, "too large")(scope, receive, send_with_headers)
            return
        try:
            await self.app(scope, _limited(receive), send_with_headers)
        except ClientDisconnect:
            log.debug("%s %s: left before all was sent", scope["method"], scope["path"])
        except Exception:
            log.exception("%s %s", scope["method"], scope["path"])
            if started:
                raise
            await self.refuse(request, 500, "fault")(scope, receive, send_with_headers)


def from_here(headers: Headers) -> bool:
    """Whether a request that changes something comes from our own pages, or from a program.

    Browsers say where a form was sent from. A program says nothing of the kind; it brings no cookie of somebody else
    either."""
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc == headers.get("host", "")
    except ValueError:
        return False


def _declared_size(headers: Headers) -> int:
    size = headers.get("content-length", "0")
    return int(size) if size.isascii() and size.isdigit() else 0


def _limited(receive: Receive) -> Receive:
    """The body as it comes, as long as it is not too large: it may be without a declared size."""
    size = 0

    async def limited() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > MOST_BYTES:
            raise HTTPException(413, "too large")
        return message

    return limited
