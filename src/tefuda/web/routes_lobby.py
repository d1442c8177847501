"""Tables that wait for their players: the list of open ones, sitting down, settling what to play, and the start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import RedirectResponse, Response

from tefuda.engine.rules import OptionError
from tefuda.tables import GUEST, BadNameError, BegunError, LobbyError, Plan, Settings, clean_name
from tefuda.web import lobby_page, pages
from tefuda.web.house import form_of, give_seat, house_of, page, token_of, visit_of, wants_fragment
from tefuda.web.routes_shelf import level_ids, told
from tefuda.web.sentences import sentence

router = APIRouter(include_in_schema=False)

Form = Annotated[dict[str, list[str]], Depends(form_of)]

MOST_LISTED = 60


@router.get("/tables")
def tables(request: Request) -> Response:
    """The tables that anybody may join or watch."""
    waiting, playing = house_of(request).lobby.listed(MOST_LISTED)
    return page(request, pages.render_tables(visit_of(request), waiting, playing))


def show(request: Request, table_id: str, status: int = 200, refusal: str | None = None) -> Response:
    """A waiting table, as the one who asks may see it; the table itself when it has begun meanwhile."""
    house, visit, token = house_of(request), visit_of(request), token_of(request)
    try:
        now = house.lobby.at(table_id)
    except BegunError:
        return RedirectResponse(f"/t/{table_id}", 303)
    rendered = pages.render_lobby(
        replace(visit, path=f"/t/{table_id}"),
        now,
        now.seat_of(token),
        now.is_host(token),
        level_ids(house),
        f"{str(request.base_url).rstrip('/')}/t/{table_id}",
        refusal,
    )
    return page(request, rendered.main if wants_fragment(request) else rendered.page, status)


def _name(name: str, seat: int | None, lang: str) -> str:
    """The name somebody goes by; guests are told apart by their seats."""
    if name.strip():
        return clean_name(name)
    return GUEST[0 if lang == "ja" else 1] + ("" if not seat else f" {seat + 1}")


def _changed(request: Request, table_id: str, token: str | None = None) -> Response:
    """The answer after a change: the page again, with the seat in hand where there is a new one."""
    if wants_fragment(request) and token is None:
        return show(request, table_id)
    response = RedirectResponse(f"/t/{table_id}", 303)
    if token is not None:
        give_seat(request, response, table_id, token)
    return response


def _refused(request: Request, table_id: str, why: str) -> Response:
    return show(request, table_id, 422, sentence(f"lobby {why}", visit_of(request).lang))


def seat_in(form: Mapping[str, Sequence[str]], field: str = "seat") -> int | None:
    """The number of a seat that a field of a form holds; None when it holds none."""
    text = form.get(field, [""])[-1]
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else None


@router.post("/t/{word}/sit")
def sit(request: Request, word: str, form: Form) -> Response:
    """Sit down at a seat (`seat`), or elsewhere, or go by another name (`name`)."""
    house, lang, token = house_of(request), visit_of(request).lang, token_of(request)
    try:
        now = house.lobby.at(word)
        seat, before = seat_in(form), now.seat_of(token)
        name = form.get("name", [""])[-1]
        if not name.strip() and before is not None:
            name = now.sitters[before].name
        wanted = seat if seat is not None else before if before is not None else next(iter(now.free), None)
        _, held = house.lobby.sit(word, token, seat, _name(name, wanted, lang))
    except BegunError:
        return RedirectResponse(f"/t/{word}", 303)
    except BadNameError as e:
        return show(request, word, 422, sentence(f"name {e.why}", lang))
    except LobbyError as e:
        return _refused(request, word, e.why)
    return _changed(request, word, None if held == token else held)


@router.post("/t/{word}/leave")
def leave(request: Request, word: str, form: Form) -> Response:
    """Stand up; the host may free other seats (`seat`), too."""
    try:
        house_of(request).lobby.leave(word, token_of(request), seat_in(form))
    except BegunError:
        return RedirectResponse(f"/t/{word}", 303)
    except LobbyError as e:
        return _refused(request, word, e.why)
    return _changed(request, word)


@router.post("/t/{word}/bot")
def seat_bot(request: Request, word: str, form: Form) -> Response:
    """Let a bot of a level (`level`) sit down at a free seat, or at one that is told (`seat`). The button belongs to
    the form of settings, as those of `start` do."""
    refused = _settled(request, word, form) if "seats" in form else None
    if refused is not None:
        return refused
    house = house_of(request)
    level = house.level(form.get("level", [""])[-1])
    try:
        now = house.lobby.at(word)
        house.lobby.seat_bot(word, token_of(request), seat_in(form), str(level.bot_for(now.rules)))
    except BegunError:
        return RedirectResponse(f"/t/{word}", 303)
    except LobbyError as e:
        return _refused(request, word, e.why)
    return _changed(request, word)


@router.post("/t/{word}/plan")
def plan(request: Request, word: str, form: Form) -> Response:
    """Settle what is to be played: the form before a game, and what a table may be set to."""
    return _settled(request, word, form) or _changed(request, word)


def _settled(request: Request, word: str, form: Mapping[str, Sequence[str]]) -> Response | None:
    """Settle what a form says is to be played; the answer that it cannot be, None when it is."""
    house, lang = house_of(request), visit_of(request).lang
    try:
        now = house.lobby.at(word)
        setup = pages.setup_from_form(now.rules, {"seats": [str(now.plan.seats)], **form}, lang)
        if setup.refusal is not None:
            return show(request, word, 422, setup.refusal)
        wanted = Plan(
            setup.seats,
            setup.options,
            plan_settings(setup, now.plan.settings, form),
            seat_in(form, "starter"),
        )
        house.lobby.plan(word, token_of(request), wanted, form.get("public") == ["true"])
    except BegunError:
        return RedirectResponse(f"/t/{word}", 303)
    except LobbyError as e:
        return _refused(request, word, e.why)
    except OptionError as e:
        return show(request, word, 422, told(e, lang))
    return None


def plan_settings(setup: pages.Setup, before: Settings, form: Mapping[str, Sequence[str]]) -> Settings:
    """What a waiting table is set to, by the form of its page."""
    chosen = replace(before, assist=setup.settings.assist, call=setup.settings.call)
    return lobby_page.settings_from_form(form, chosen)


@router.post("/t/{word}/start")
def start(request: Request, word: str, form: Form) -> Response:
    """Begin the game; with `fill`, bots take the free seats. The buttons on the page belong to its form of settings, so
    that nothing chosen there is lost: what the form says is settled first."""
    house = house_of(request)
    refused = _settled(request, word, form) if "seats" in form else None
    if refused is not None:
        return refused
    try:
        now = house.lobby.at(word)
        bot = str(house.levels[0].bot_for(now.rules)) if form.get("fill") else None
        house.lobby.start(word, token_of(request), bot)
    except BegunError:
        return RedirectResponse(f"/t/{word}", 303)
    except LobbyError as e:
        return _refused(request, word, e.why)
    return RedirectResponse(f"/t/{word}", 303)
