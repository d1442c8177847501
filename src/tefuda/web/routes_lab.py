"""The page of the lab: choose a game, seats, bots and options, let it run, watch the bars settle, read the report, and
open its games."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import RedirectResponse, Response

from tefuda.bots import has_estimate
from tefuda.engine.rules import OptionError, Rules
from tefuda.web import pages
from tefuda.web.house import Refusal, form_of, house_of, laboratory_for, page, visit_of, wants_fragment
from tefuda.web.laboratory import GAMES, LEVELS, BusyError, Laboratory, Run
from tefuda.web.routes_after import finished
from tefuda.web.routes_shelf import told
from tefuda.web.sentences import sentence

router = APIRouter(include_in_schema=False)

Form = Annotated[dict[str, list[str]], Depends(form_of)]

REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'"
"""A report stands alone: its styles and pictures are inside it, and it has no script."""


def _lab(request: Request) -> Laboratory:
    lab = laboratory_for(request)
    if lab is None:
        raise Refusal(404, "no lab")
    return lab


@router.get("/lab")
def choose(request: Request, game: str = "") -> Response:
    """Choose what to study."""
    house = house_of(request)
    lab = _lab(request)
    rules = house.game(game) if game else next(iter(house.shelf.values()))
    shelf = list(house.shelf.values())
    return page(request, pages.render_lab(visit_of(request), shelf, rules, lab.latest(), _levels(rules)))


def _levels(rules: Rules) -> list[str]:
    return [level for level in LEVELS if level != "greedy" or has_estimate(rules)]


@router.post("/lab")
def begin(request: Request, form: Form) -> Response:
    """Let a study run."""
    house, visit = house_of(request), visit_of(request)
    lab = _lab(request)
    rules = house.game(form.get("game", [""])[-1])
    counts = range(rules.least_seats, rules.most_seats + 1)
    seats = [n for n in counts if str(n) in form.get("seats", [])]
    levels = [level for level in _levels(rules) if level in form.get("level", [])]
    games = next((n for n in GAMES if form.get("games") == [str(n)]), GAMES[0])
    setup = pages.setup_from_form(rules, {**form, "seats": [str(seats[0] if seats else rules.least_seats)]}, visit.lang)
    refusal = setup.refusal
    if refusal is None and not (seats and levels):
        refusal = sentence("lab nothing", visit.lang)
    if refusal is None:
        changed = {
            name: value
            for name, value in setup.options.items()
            if value != rules.declared_options[name].default
        }
        try:
            run = lab.begin(rules, seats, levels, changed, games, finished(house, rules.id))
            return RedirectResponse(f"/lab/{run.id}", 303)
        except OptionError as e:
            refusal = told(e, visit.lang)
        except BusyError:
            refusal = sentence("lab busy", visit.lang)
    text = pages.render_lab(visit, list(house.shelf.values()), rules, lab.latest(), _levels(rules), refusal, form)
    return page(request, text, 422)


def _run(request: Request, run_id: str) -> Run:
    run = _lab(request).run(run_id)
    if run is None:
        raise Refusal(404, "no study")
    return run


@router.get("/lab/{run_id}")
def watch(request: Request, run_id: str) -> Response:
    """How far a study is."""
    rendered = pages.render_lab_run(visit_of(request), _run(request, run_id))
    return page(request, rendered.main if wants_fragment(request) else rendered.page)


@router.post("/lab/{run_id}/stop")
def stop(request: Request, run_id: str) -> Response:
    """Stop a study."""
    _lab(request).stop(_run(request, run_id).id)
    return RedirectResponse(f"/lab/{run_id}", 303)


@router.get("/lab/{run_id}/report")
def report(request: Request, run_id: str) -> Response:
    """The report of a study."""
    run = _run(request, run_id)
    if run.report is None:
        return RedirectResponse(f"/lab/{run_id}", 303)
    response = page(request, run.report[visit_of(request).lang])
    response.headers["Content-Security-Policy"] = REPORT_POLICY
    return response


@router.get("/lab/{run_id}/games/{setting}/{why}")
def game(request: Request, run_id: str, setting: str, why: str, n: str = "0") -> Response:
    """A game of a study, step by step."""
    run = _run(request, run_id)
    found = _lab(request).game(run, setting, why)
    if found is None:
        raise Refusal(404, "no study")
    here = pages.Replayed(f"/lab/{run_id}/games/{setting}/{why}", f"/lab/{run_id}/report", run_id)
    return page(request, pages.render_replay_of(visit_of(request), found, n, here))
