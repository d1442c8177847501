"""The drill of a deck: choose what to be asked, then question after question. What somebody knows is in the page's own
form and nowhere else: no account, no cookie."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from tefuda.decks import karuta_drill
from tefuda.decks.karuta import KIMARIJI
from tefuda.decks.karuta_drill import Progress, Question
from tefuda.web import pages
from tefuda.web.house import Refusal, form_of, page, visit_of

router = APIRouter(include_in_schema=False)

Form = Annotated[dict[str, list[str]], Depends(form_of)]


@router.get("/drill/{deck}")
def choose(request: Request, deck: str) -> Response:
    """Choose which cards, and what is asked of them."""
    _known(deck)
    return page(request, pages.render_drill_start(visit_of(request), deck))


@router.post("/drill/{deck}")
def drill(request: Request, deck: str, form: Form) -> Response:
    """Begin, or answer a question; the next one is on the page that comes."""
    _known(deck)
    visit = visit_of(request)
    if "stand" not in form:
        try:
            progress = karuta_drill.begin(_chosen_cards(form), form.get("kind", []))
        except ValueError:
            return page(request, pages.render_drill_start(visit, deck, chosen=form, nothing=True), 422)
        return page(request, pages.render_drill(visit, deck, progress, progress.ask(random.Random())))
    try:
        progress = Progress.from_fields({key: values[-1] for key, values in form.items()})
        asked = _asked(form, progress)
    except ValueError as e:
        raise Refusal(422, "bad request") from e
    answer = form.get("answer", [])
    after = progress.after(asked, asked.is_right(answer))
    return page(request, pages.render_drill(visit, deck, after, after.ask(random.Random()), answered=(asked, answer)))


def _known(deck: str) -> None:
    if deck not in pages.DRILLED:
        raise Refusal(404, "not found")


def _chosen_cards(form: Mapping[str, Sequence[str]]) -> list[str]:
    """The cards of the lengths chosen, and those chosen one by one."""
    lengths = set(form.get("length", []))
    return [kimariji for kimariji in KIMARIJI if str(len(kimariji)) in lengths] + list(form.get("card", []))


def _asked(form: Mapping[str, Sequence[str]], progress: Progress) -> Question:
    """The question that a form answers. ValueError when it is none of this drill."""

    def field(name: str) -> str:
        return form.get(f"question.{name}", [""])[-1]

    cards, choices = field("cards").split(), field("choices").split()
    if (field("kind"), field("item")) not in progress.all_items or not set(cards) | set(choices) <= set(KIMARIJI):
        raise ValueError("no such question")
    if not cards:
        raise ValueError("a question without cards")
    return Question(field("kind"), field("item"), tuple(cards), tuple(choices), int(field("total")))
