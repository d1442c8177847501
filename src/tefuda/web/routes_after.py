"""What comes after a game: how it ended, step by step with every hand open, what the bot thought of it, what people
felt, and the designer's page that gathers that."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import RedirectResponse, Response

from tefuda.engine.record import to_text
from tefuda.tables import (
    FormerRulesError,
    ReportRow,
    Table,
    TableSpoiltError,
    UnknownTableError,
    UnseatedError,
    WaitingError,
    milliseconds,
)
from tefuda.web import after_page, pages
from tefuda.web.house import House, Refusal, form_of, house_of, page, token_of, visit_of
from tefuda.web.routes_shelf import rules_text

router = APIRouter(include_in_schema=False)

Form = Annotated[dict[str, list[str]], Depends(form_of)]

MOST_GAMES = 200
"""So many games, the latest, a designer's page tells of."""

MOST_REMEMBERED = 2000
"""So many games, of all designer's pages, are at hand: each was played again to know of it."""


def _over(table: Table) -> None:
    if not table.game.over:
        raise Refusal(409, "over only")


@router.get("/t/{word}/result")
def result(request: Request, word: str) -> Response:
    """How it ended."""
    house, visit = house_of(request), visit_of(request)
    with house.tables.at(word) as table:
        if not table.game.over:
            return RedirectResponse(f"/t/{word}", 303)
        seat = table.seat_of(token_of(request))
        analysis = house.analyst.analysis(table)
        game = after_page.played(table, house.tables.store.reports(table_id=word))
        known = after_page.clauses(rules_text(table.rules, visit.lang) or "")
        text = pages.render_result(
            visit,
            table.rules,
            table.view(seat),
            table.story(seat),
            pages.Table(
                table.id,
                settings=table.settings,
                people=table.people,
                stood_in=table.stood_in,
                again=table.again,
            ),
            pages.After(
                game=game,
                clauses=known,
                sent=None if seat is None else game.reports.get(seat),
                open_view=table.game.view(None, open_hands=True),
                open_story=table.game.story(None, open_hands=True),
                analysis=analysis,
                pending=analysis is None and house.analyst.pending(word),
                promise=table.record()["result"].get("notes", {}).get("chance"),
                deletable=seat is not None,
                url=f"{str(request.base_url).rstrip('/')}/t/{word}/result",
            ),
        )
        return page(request, text)


@router.get("/t/{word}/replay")
def replay(request: Request, word: str, n: str = "") -> Response:
    """Step by step, with every hand open; `n`: after how many decisions."""
    with house_of(request).tables.at(word) as table:
        _over(table)
        game = table.past(len(table.game.events))
    here = pages.Replayed(f"/t/{word}/replay", f"/t/{word}/result", word)
    return page(request, pages.render_replay_of(visit_of(request), game, n, here))


@router.post("/t/{word}/report")
def report(request: Request, word: str, form: Form) -> Response:
    """Keep what somebody who played felt."""
    house = house_of(request)
    with house.tables.at(word) as table:
        _over(table)
        seat = table.seat_of(token_of(request))
        if seat is None:
            raise UnseatedError(word)
        known = [clause for clause, _ in after_page.clauses(rules_text(table.rules, "ja") or "")]
        body = after_page.report_from_form(form, known)
        house.tables.store.keep_report(ReportRow(word, seat, milliseconds(), body))
    return RedirectResponse(f"/t/{word}/result#report", 303)


@router.get("/t/{word}/record")
def record(request: Request, word: str) -> Response:
    """The whole game as a file, when it is over."""
    with house_of(request).tables.at(word) as table:
        if not table.game.over:
            raise Refusal(409, "still hidden")
        text = to_text(table.record())
    return Response(
        text,
        media_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="{word}.fuda.json"', "Cache-Control": "no-cache"},
    )


@router.post("/t/{word}/delete")
def delete(request: Request, word: str) -> Response:
    """Delete a table and all that is kept of it."""
    try:
        house_of(request).lobby.delete(word, token_of(request))
    except UnseatedError as e:
        raise Refusal(403, "not yours") from e
    house_of(request).played.pop(word, None)
    return RedirectResponse("/", 303)


@router.get("/games/{game}/players")
def players(request: Request, game: str) -> Response:
    """What people felt of a game: for its designer."""
    from tefuda.lab.brief import brief  # the lab is not waited for before it is needed

    house, visit = house_of(request), visit_of(request)
    rules = house.game(game)
    text = rules_text(rules, visit.lang) or ""
    found = finished(house, game)
    told = after_page.felt(found, after_page.clauses(text), visit.lang)
    return page(request, pages.render_players(visit, rules, told, brief(rules, visit.lang)))


def finished(house: House, game: str) -> list[after_page.Played]:
    """The latest games that people played to the end, with what they felt."""
    found, reports = [], house.tables.store.reports(game=game)
    for name in house.tables.store.played(game, MOST_GAMES):
        played = _played(house, name)
        if played is not None and played.people:
            own = {report.seat: report.body for report in reports if report.table_id == name}
            found.append(replace(played, reports=own))
    return found


def _played(house: House, name: str) -> after_page.Played | None:
    if name not in house.played:
        if len(house.played) >= MOST_REMEMBERED:
            house.played.clear()
        try:
            with house.tables.at(name) as table:
                house.played[name] = after_page.played(table)
        except (UnknownTableError, WaitingError, FormerRulesError, TableSpoiltError):
            return None
    return house.played.get(name)
