"""The pages of the drill: what is asked, what was right. The questions themselves are in `decks/karuta_drill.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tefuda import decks
from tefuda.decks.karuta import KIMARIJI
from tefuda.decks.karuta_drill import KINDS, Progress, Question
from tefuda.words import texts

LENGTHS = range(1, 7)


def start(lang: str, chosen: Mapping[str, Sequence[str]] | None) -> dict[str, Any]:
    """What the page shows on which one chooses; `chosen`: the form that came back, None at first."""
    say = texts(lang)
    form = {"kind": KINDS, "length": [str(n) for n in LENGTHS]} if chosen is None else chosen
    counts = {n: sum(len(kimariji) == n for kimariji in KIMARIJI) for n in LENGTHS}
    return {
        "kinds": [
            {"value": kind, "label": say(f"drill.kind.{kind}"), "checked": kind in form.get("kind", ())}
            for kind in KINDS
        ],
        "lengths": [
            {
                "value": str(n),
                "label": say("drill.length", n=n, cards=counts[n]),
                "checked": str(n) in form.get("length", ()),
            }
            for n in LENGTHS
        ],
        "cards": [{"value": k, "checked": k in form.get("card", ())} for k in KIMARIJI],
        "open": bool(form.get("card")),
    }


def card(deck: str, name: str, lang: str, helped: bool = False) -> dict[str, Any]:
    """A card as the templates draw it, with what it is in words."""
    face = decks.helped(deck, name) if helped else name
    label, words = decks.label(deck, face, lang), decks.describe(deck, face, lang)
    return {"name": name, "face": face, "label": label, "words": words, "handle": None}


def shown(deck: str, question: Question, lang: str) -> dict[str, Any]:
    """A question as the page asks it."""
    return {
        "kind": question.kind,
        "title": texts(lang)(f"drill.ask.{question.kind}", total=question.total),
        "cards": [card(deck, name, lang) for name in question.cards],
        "choices": question.choices,
    }


def verdict(deck: str, question: Question, answer: Sequence[str], lang: str) -> dict[str, Any]:
    """Whether an answer was right, and what was."""
    say, good = texts(lang), question.is_right(answer)
    right = say("game.plus").join(question.right) or say("drill.none")
    given = say("game.plus").join(answer) or say("drill.none")
    return {
        "good": good,
        "said": say("drill.right", right=given) if good else say("drill.wrong", right=right),
        "given": "" if good else say("drill.given", given=given),
        "cards": [card(deck, name, lang, helped=True) for name in question.cards],
    }


def fields(progress: Progress, question: Question) -> dict[str, str]:
    """What the form carries along: how far one is, and the question that it answers."""
    return {
        "stand": "1",
        **progress.to_fields(),
        "question.kind": question.kind,
        "question.item": question.item,
        "question.cards": " ".join(question.cards),
        "question.choices": " ".join(question.choices),
        "question.total": str(question.total),
    }
