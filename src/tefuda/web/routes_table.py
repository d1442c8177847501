"""A table's pages: look, move, see how it ended; with a script by fragments, without one by whole pages."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from tefuda.engine.declare import Name
from tefuda.engine.game import IllegalMove
from tefuda.engine.rules import OptionError, Rules
from tefuda.engine.sentence import fill
from tefuda.tables import (
    AskError,
    Claim,
    LobbyError,
    StaleError,
    Table,
    TalkError,
    UnseatedError,
    WaitingError,
    WrongClaim,
    WrongClaimError,
    may_delete,
    milliseconds,
)
from tefuda.web import pages, routes_lobby, routes_shelf
from tefuda.web.choosing import claim_from_form, laid_anew, tray_of, with_laid
from tefuda.web.house import (
    House,
    Refusal,
    form_of,
    give_seat,
    house_of,
    page,
    token_of,
    visit_of,
    wants_fragment,
)
from tefuda.web.layouts import layout_of
from tefuda.web.live import Listeners
from tefuda.web.sentences import SENTENCES, sentence
from tefuda.words import words as words_of

Json = Any

router = APIRouter(include_in_schema=False)

Form = Annotated[dict[str, list[str]], Depends(form_of)]

SECONDS_BETWEEN_PINGS = 15
MILLISECONDS_TO_RECONNECT = 2000

MOST_DIGITS = 4
"""Of a number that is declared."""

LONG_CLAIM = 40
"""Characters of a claim or a word that a sentence repeats."""


def show(
    request: Request,
    table: Table,
    status: int = 200,
    refusal: str | None = None,
    chosen: Mapping[str, Sequence[str]] | None = None,
    around: bool = False,
) -> Response:
    """The table as the one who asks may see it: the page, or the part of it that changes when the script asks.
    `around`: what was refused was asked in the box of what is around the table, and is told there, too."""
    house, visit = house_of(request), visit_of(request)
    seat = table.seat_of(token_of(request))
    view, story = seen_by(table, seat)
    shown = pages.Table(
        table.id,
        stand_ins=list(table.stand_ins),
        stood_in=table.stood_in,
        deadline=table.deadline,
        now=milliseconds(),
        lines=list(table.talk),
        notices=list(table.notices),
        promised=table.promised,
        again=table.again,
        last=table.last,
        late=table.settings.delay if looks_late(table, seat) else None,
        late_opened=table.opened_late(milliseconds()),
        thinking=table.bot_due,
        preparing=table.bot_due and house.bots.preparing(table.rules),
        settings=table.settings,
        silence=table.silence.seconds if table.silence and table.game.seat == seat else None,
        proposal=table.proposal,
        people=table.people,
        deletable=may_delete(table, token_of(request)),
        wrong=told_wrong(table.rules, table.wrong_claim(seat), visit.lang),
        refusal=refusal or trouble(house, table, visit.lang),
        chosen=chosen or {},
        around=around,
    )
    # A fragment stands in the page of the table, whatever address it was asked for by.
    rendered = pages.render_table(replace(visit, path=shown.url), table.rules, view, story, shown)
    return page(request, rendered.main if wants_fragment(request) else rendered.page, status)


def looks_late(table: Table, seat: int | None) -> bool:
    """Whether a viewer sees the table as it was some minutes ago, with all hands open when the game is that old."""
    return seat is None and table.settings.watch == "late" and not table.game.over


def seen_by(table: Table, seat: int | None) -> tuple[Json, list[Json]]:
    """What a viewer sees of a table, and the story of it. Refusal when it is closed to those who only watch."""
    if looks_late(table, seat):
        now = milliseconds()
        late, opened = table.late(now), table.opened_late(now)
        return {**late.view(None, open_hands=opened), "number": table.number}, late.story(None, open_hands=opened)
    if seat is None and table.settings.watch == "end" and not table.game.over:
        raise Refusal(403, "watch end")
    return table.view(seat), table.story(seat)


def trouble(house: House, table: Table, lang: str) -> str | None:
    """What keeps the table from going on by itself, in words."""
    if table.bot_due and table.id in house.bots.at_a_loss:
        return sentence("bot at a loss", lang)
    if table.bot_due and table.id in house.bots.without_store:
        return sentence("bot without store", lang)
    return None


def refused_move(table: Table, seat: int, legal: Sequence[str], lang: str) -> str:
    """Why a move of a seat was not taken, in words; `legal`: what may be played instead."""
    if table.game.over:
        return sentence("game over", lang)
    if table.game.seat != seat:
        return sentence("not your turn", lang)
    return sentence("illegal", lang, legal=", ".join(legal))


def refused_try(table: Table, seat: int, text: str, error: IllegalMove, lang: str) -> str:
    """Why a move that was chosen on the page was not taken, in words: it may have been one that a person must find."""
    number = table.game.notation.parse(text)
    if table.game.seat == seat and number is not None and table.game.notation.move_of(number).found:
        values = {name: str(value) for name, value in table.game.notation.data(number).items()}
        return sentence("claim none", lang, laid=next(iter(values.values()), text)[:LONG_CLAIM])
    return refused_move(table, seat, error.legal, lang)


@router.get("/t/{word}")
def look(request: Request, word: str) -> Response:
    """The table, or its waiting players."""
    try:
        with house_of(request).tables.at(word) as table:
            return show(request, table)
    except WaitingError:
        return routes_lobby.show(request, word)


@router.get("/t/{word}/main")
def look_again(request: Request, word: str) -> Response:
    """The part of the table's page that changes; by a link, the page."""
    if not wants_fragment(request):
        return RedirectResponse(f"/t/{word}", 303)
    return look(request, word)


@router.post("/t/{word}")
def move(request: Request, word: str, form: Form) -> Response:
    """Take a move: with a script the fragment is the answer, without one the table's page is."""
    try:
        with house_of(request).tables.at(word) as table:
            return _take(request, table, form)
    except StaleError:
        with house_of(request).tables.at(word) as table:
            return show(request, table, 409, sentence("stale", visit_of(request).lang))


def _take(request: Request, table: Table, form: Mapping[str, Sequence[str]]) -> Response:
    lang = visit_of(request).lang
    seat = table.seat_of(token_of(request))
    if seat is None:
        return show(request, table, 403, sentence("spectator", lang))
    if form.get("at") != [str(table.number)]:
        raise StaleError(table.id)
    if table.game.seat != seat:
        return show(request, table, 422, refused_move(table, seat, [], lang), form)
    said = said_in(form)
    if table.game.declares is not None and said is None and form.get("move"):
        return show(request, table, 422, sentence("said nothing", lang), form)
    if form.get("move") == ["claim"] and layout_of(table.rules).tray is not None:
        return _take_claim(request, table, seat, form, said)
    view = table.view(seat)
    tray = tray_of(table.rules, view)
    if tray is not None:
        laid = None if form.get("move") else laid_anew(table.rules, view, tray, form)
        if laid is not None:  # without a script; whoever lays cards is about to say something
            house_of(request).bots.hold(table.id, table.number)
            return show(request, table, chosen=laid)
        form = with_laid(form, tray)
    choosing = pages.move_from_form(table.rules, view, form, lang)
    if choosing.move is None:
        return show(request, table, 422, choosing.refusal, choosing.chosen)
    try:
        house_of(request).tables.play(table.id, seat, choosing.move, table.number, said)
    except IllegalMove as e:
        return show(request, table, 422, refused_try(table, seat, choosing.move, e, lang), choosing.chosen)
    return _taken(request, table.id)


def _taken(request: Request, table_id: str) -> Response:
    """The answer after a move: the table as it is now (another process may have told of something since)."""
    if not wants_fragment(request):
        return RedirectResponse(f"/t/{table_id}", 303)
    with house_of(request).tables.at(table_id) as table:
        return show(request, table)


def said_in(form: Mapping[str, Sequence[str]]) -> int | None:
    """The number that somebody declares with a move; None when it is none."""
    text = form.get("said", [""])[-1].strip().replace("−", "-").replace("－", "-")
    digits = text.removeprefix("-")
    return int(text) if digits.isdecimal() and len(digits) <= MOST_DIGITS else None


def _take_claim(
    request: Request, table: Table, seat: int, form: Mapping[str, Sequence[str]], said: int | None
) -> Response:
    """Cards laid to be claimed. That they spell nothing is told to the one who laid them alone."""
    lang = visit_of(request).lang
    pile = tray_pile(table)
    laid, keep = claim_from_form(table.rules, table.view(seat), form)
    try:
        house_of(request).tables.play(table.id, seat, Claim(pile, laid, keep), table.number, said)
    except IllegalMove as e:
        return show(request, table, 422, refused_claim(table, seat, laid, e, lang), form)
    return _taken(request, table.id)


def tray_pile(table: Table) -> str:
    """The pile whose cards people lay at this table; Refusal where none are laid."""
    tray = layout_of(table.rules).tray
    if tray is None:
        raise Refusal(422, "bad request")
    return tray.pile


def _any_order(table: Table) -> bool:
    """Whether what is laid at this table is no word, but cards that go together."""
    parts = [part for move in table.rules.moves for part in move.parts.values()]
    return any(isinstance(part, Name) and part.any_order for part in parts)


def told_wrong(rules: Rules, wrong: WrongClaim | None, lang: str) -> str | None:
    """What was wrong with a claim, in the words of the game; None when nothing was."""
    if wrong is None:
        return None
    told = words_of(rules, lang).get("claim", wrong.why) or sentence("claim wrong", lang)
    laid, about = (" ".join(groups)[:LONG_CLAIM] for groups in (wrong.laid, wrong.about))
    return fill(told, laid=laid, about=about)


def refused_claim(table: Table, seat: int, laid: Sequence[Sequence[str]], error: IllegalMove, lang: str) -> str:
    """Why a claim was not taken, in words."""
    if isinstance(error, WrongClaimError):
        return told_wrong(table.rules, error.wrong, lang) or ""
    if error.why == "none" and _any_order(table):  # a card's name may be what a player is to know
        return sentence("claim none together", lang)
    if error.why:
        return sentence(f"claim {error.why}", lang, laid=" ".join("".join(cards) for cards in laid)[:LONG_CLAIM])
    return refused_move(table, seat, error.legal, lang)


@router.post("/t/{word}/hold")
def hold(request: Request, word: str, form: Form) -> Response:
    """Whoever is on turn is about to say something: silence is no answer for a while."""
    house = house_of(request)
    with house.tables.at(word) as table:
        seat = table.seat_of(token_of(request))
        if seat is None:
            raise UnseatedError(table.id)
        if table.game.seat == seat and form.get("at") == [str(table.number)]:
            house.bots.hold(table.id, table.number)
        return show(request, table) if wants_fragment(request) else RedirectResponse(f"/t/{word}", 303)


@router.post("/t/{word}/guide")
def stop_guide(request: Request, word: str) -> Response:
    """No more explanations at this table."""
    house = house_of(request)
    with house.tables.at(word) as table:
        house.tables.stop_guide(word, table.seat_of(token_of(request)))
        return show(request, table) if wants_fragment(request) else RedirectResponse(f"/t/{word}", 303)


@router.post("/t/{word}/words")
def propose(request: Request, word: str, form: Form) -> Response:
    """Propose a word (`word`)."""
    said = form.get("word", [""])[-1].strip()
    return _asked(request, word, "word", lambda house, seat: house.tables.propose(word, seat, said), said)


@router.post("/t/{word}/undo")
def take_back(request: Request, word: str) -> Response:
    """Ask to take the own last move back."""
    return _asked(request, word, "undo", lambda house, seat: house.tables.ask_back(word, seat), around=True)


@router.post("/t/{word}/absent")
def absent(request: Request, word: str, form: Form) -> Response:
    """Ask for a bot in the place of the one whose turn it is (`seat`)."""
    away = routes_lobby.seat_in(form)

    def ask(house: House, seat: int | None) -> object:
        return house.tables.call_absent(word, seat, -1 if away is None else away)

    return _asked(request, word, "absent", ask, around=True)


@router.post("/t/{word}/vote")
def vote(request: Request, word: str, form: Form) -> Response:
    """Answer (`accepts`: yes or no) on what was asked (`about`: the word, or the kind of what else)."""
    about, accepts = form.get("about", [""])[-1], form.get("accepts") == ["yes"]
    kind = about if about in ("undo", "absent") else "word"
    return _asked(request, word, kind, lambda house, seat: house.tables.vote(word, seat, about, accepts), about)


def _asked(
    request: Request,
    word: str,
    kind: str,
    ask: Callable[[House, int | None], object],
    about: str = "",
    around: bool = False,
) -> Response:
    """The table after something was asked of the others, or why it cannot be."""
    house, lang = house_of(request), visit_of(request).lang
    with house.tables.at(word) as table:
        try:
            ask(house, table.seat_of(token_of(request)))
        except AskError as e:
            told = kind if f"{kind} {e.why}" in SENTENCES else "undo"
            refusal = sentence(f"{told} {e.why}", lang, word=about[:LONG_CLAIM])
            return show(request, table, 422, refusal, around=around)
    return _shown_again(request, word)


def _shown_again(request: Request, word: str) -> Response:
    """The table, as a fragment or by its address."""
    return look(request, word) if wants_fragment(request) else RedirectResponse(f"/t/{word}", 303)


@router.post("/t/{word}/back")
def come_back(request: Request, word: str) -> Response:
    """Play again oneself."""
    house = house_of(request)
    with house.tables.at(word) as table:
        house.tables.come_back(word, table.seat_of(token_of(request)))
    return _shown_again(request, word)


def speak(house: House, table_id: str, token: str | None, text: str | None, phrase: str | None) -> None:
    """Say something at a table, be it waiting or playing. UnseatedError, TalkError."""
    try:
        with house.tables.at(table_id) as table:
            house.limits.talk(table_id, table.seat_of(token))
            house.tables.say(table_id, table.seat_of(token), text, phrase)
    except WaitingError:
        house.limits.talk(table_id, house.lobby.at(table_id).seat_of(token))
        house.lobby.say(table_id, token, text, phrase)


@router.post("/t/{word}/say")
def say(request: Request, word: str, form: Form) -> Response:
    """Say something: `text`, or the key of a set `phrase`."""
    house, lang = house_of(request), visit_of(request).lang
    text, phrase = (form[key][-1] if form.get(key) else None for key in ("text", "phrase"))
    try:
        speak(house, word, token_of(request), text, phrase)
    except (UnseatedError, TalkError) as e:
        spectator = isinstance(e, UnseatedError)
        status, why = (403, "spectator") if spectator else (422, str(e))
        refusal = sentence(f"talk {why}", lang)
        try:
            with house.tables.at(word) as table:
                return show(request, table, status, refusal)
        except WaitingError:
            return routes_lobby.show(request, word, status, refusal)
    return _shown_again(request, word)


@router.get("/t/{word}/key")
def key(request: Request, word: str) -> Response:
    """The link by which the own seat is held at another device; for others a field for its key. What is behind the
    `#` of a link is not sent to any server, so it stands in no log."""
    house, token = house_of(request), token_of(request)
    link = None
    if token is not None and _holds(house, word, token):
        link = f"{str(request.base_url).rstrip('/')}/t/{word}/key#{token}"
    response = page(request, pages.render_key(visit_of(request), word, link))
    response.headers["Cache-Control"] = "no-store"
    return response


@router.post("/t/{word}/key")
def take_seat(request: Request, word: str, form: Form) -> Response:
    """Hold the seat of a key (`token`) at this device, too."""
    house, visit = house_of(request), visit_of(request)
    token = form.get("token", [""])[-1].strip().rpartition("#")[2]
    if not _holds(house, word, token):
        return page(request, pages.render_key(visit, word, None, sentence("no key", visit.lang)), 422)
    response = RedirectResponse(f"/t/{word}", 303)
    give_seat(request, response, word, token)
    return response


def _holds(house: House, word: str, token: str) -> bool:
    """Whether a token holds a seat at a table, or is its host's."""
    try:
        with house.tables.at(word) as table:
            return table.seat_of(token) is not None
    except WaitingError:
        now = house.lobby.at(word)
        return now.seat_of(token) is not None or now.is_host(token)


@router.post("/t/{word}/again")
def again(request: Request, word: str) -> Response:
    """Another game with the same people and bots, seats and options; for a second click the same one."""
    house, token = house_of(request), token_of(request)
    routes_shelf.may_open(request, house)
    with house.tables.at(word) as table:
        game = house.game(table.rules.id).id
    try:
        name = house.lobby.again(word, token)
    except LobbyError:  # it is not over yet
        return RedirectResponse(f"/t/{word}", 303)
    except OptionError:  # its options were those of former rules
        return RedirectResponse(f"/games/{game}", 303)
    response = RedirectResponse(f"/t/{name}", 303)
    give_seat(request, response, name, token or "")
    return response


@router.post("/t/{word}/hurry")
def hurry(request: Request, word: str) -> Response:
    """No pauses between the bots' moves until a person's turn."""
    house = house_of(request)
    with house.tables.at(word) as table:
        hurried(house, table, token_of(request))
        return show(request, table) if wants_fragment(request) else RedirectResponse(f"/t/{word}", 303)


def hurried(house: House, table: Table, token: str | None) -> int:
    """Let the bots at a table hurry, for whoever holds one of its seats; that seat. UnseatedError for a spectator."""
    seat = table.seat_of(token)
    if seat is None:
        raise UnseatedError(table.id)
    house.bots.hurry(table.id)
    return seat


class _Stream(EventSourceResponse):
    """A stream that gives its place back however it ends, even before its first message."""

    def __init__(self, listeners: Listeners, client: str, told: AsyncIterator[ServerSentEvent], **more: Any) -> None:
        super().__init__(told, **more)
        self.listeners, self.client = listeners, client

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.listeners.give_place(self.client)


@router.get("/t/{word}/events")
async def events(request: Request, word: str) -> Response:
    """Server-sent events: `change`, whenever there is something new to see. Its data is the number of an event of the
    table, the same for every viewer."""
    return await stream(request, word)


async def stream(request: Request, table_id: str) -> Response:
    """The server-sent events of a table."""
    house = house_of(request)
    await run_in_threadpool(house.tables.last_number, table_id)
    known = request.headers.get("last-event-id", "")
    seen = int(known) if known.isascii() and known.isdigit() and len(known) < 10 else None

    async def messages() -> AsyncIterator[ServerSentEvent]:
        async for number in house.listeners.changes(table_id, seen):
            yield ServerSentEvent(str(number), event="change", id=str(number), retry=MILLISECONDS_TO_RECONNECT)

    client, limits = request.client.host if request.client else "", house.limits
    most = (math.inf, math.inf) if limits.off else (limits.streams_of_client, limits.streams_of_all)
    if not house.listeners.take_place(client, *most):
        raise Refusal(503, "crowded")
    return _Stream(
        house.listeners,
        client,
        messages(),
        ping=SECONDS_BETWEEN_PINGS,
        ping_message_factory=lambda: ServerSentEvent(comment="still here"),
        headers={"Cache-Control": "no-store"},
    )
