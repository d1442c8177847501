"""Whether what a viewer gets depends on anything the viewer may not know: two states, or two games, that look alike to
a viewer must give it the same bytes."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from tefuda.engine import view as views
from tefuda.engine.cards import SHUFFLE, redeal
from tefuda.engine.chance import Answer, SeededChance, ToldChance, WrongAnswerError
from tefuda.engine.game import Game, IllegalMove
from tefuda.engine.plain import copy_state, to_record
from tefuda.engine.rules import RulesError

Viewer = int | None

NO_MOVE = "\N{REPLACEMENT CHARACTER}"
"""A text that is a move in no game: to see what the refusal says."""


def viewers(game: Game) -> list[Viewer]:
    """Everybody who may look: each seat, and a spectator."""
    return [*range(len(game.players)), None]


def told(game: Game, viewer: Viewer) -> dict[str, str]:
    """Everything a viewer gets of a game as it stands, by what it is, as text to compare: the view for programs and
    for people, the story, the refusal of a wrong move, and for a seat its information state (all that a bot gets)."""
    out = {
        "view": _text(game.view(viewer)),
        "view of a person": _text(game.view(viewer, person=True)),
        "story": _text(game.story(viewer)),
    }
    if viewer is not None:
        out["refusal"] = _refusal(game, viewer)
        out["information state"] = to_record(game.blind(viewer), game.rules.state_type).tobytes().hex()
    return out


def _text(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False)


def _refusal(game: Game, seat: int) -> str:
    try:
        game.play(NO_MOVE, seat=seat)
    except IllegalMove as e:
        return f"{e} {e.legal}"
    raise AssertionError("a move that reads as none was accepted")


def difference(game: Game, other: Game, viewer: Viewer) -> str | None:
    """What a viewer gets of one game that it does not get of the other, in words; None when all is the same."""
    one, two = told(game, viewer), told(other, viewer)
    for what in one:
        if one[what] != two[what]:
            at = next((i for i, (a, b) in enumerate(zip(one[what], two[what], strict=False)) if a != b), 0)
            excerpt = slice(max(0, at - 40), at + 40)
            return f"the {what} of {name_of(viewer)}: {one[what][excerpt]!r} or {two[what][excerpt]!r}"
    return None


def name_of(viewer: Viewer) -> str:
    """A viewer in words."""
    return "a spectator" if viewer is None else f"seat {viewer}"


# ------------------------------------------------------------------------------------------------------- swaps


def swapped(game: Game, viewer: Viewer, random: Random, swaps: int = 12) -> Game:
    """The same game with cards exchanged among the places that a viewer cannot see, each for one with the same back."""
    other = copy.copy(game)
    other.state = s = copy_state(game.state, game.rules.state_type)
    bit = views.viewer_bit(viewer)
    unseen = [
        (pile, i)
        for pile in range(len(s.size))
        if not s.always[pile] & bit
        for i in range(s.size[pile])
        if not s.seen[pile, i] & bit
    ]
    for _ in range(swaps if unseen else 0):
        (p, i), (q, j) = random.choice(unseen), random.choice(unseen)
        a, b = s.card[p, i], s.card[q, j]
        if s.home[a] == s.home[b]:
            s.card[p, i], s.card[q, j] = b, a
            for pile, gone, come in ((p, a, b), (q, b, a)):
                s.count[pile, gone] -= 1
                s.count[pile, come] += 1
    return other


def redealt(game: Game, seat: int, seed: int) -> Game:
    """The same game with everything that a seat does not know dealt anew by the engine."""
    other = copy.copy(game)
    other.state = copy_state(game.state, game.rules.state_type)
    redeal(other.state, seat, SeededChance(seed))
    return other


# --------------------------------------------------------------------------------------------------- histories


def other_history(game: Game, viewer: Viewer, random: Random) -> Iterator[tuple[Game, Game]]:
    """Play a game again beside one with two cards of a shuffled pile exchanged, for as long as the cards that a
    viewer sees and the log it reads are the same in both; each such moment is yielded."""
    answers = [event.answer for event in game.events if event.answer is not None]
    exchanged = _exchanged(answers, random)
    if exchanged is None:
        return
    one = Game(game.rules, game.players, game.options, ToldChance(answers))
    try:
        two = Game(game.rules, game.players, game.options, ToldChance(exchanged))
        seen = 0
        moves = [event.move for event in game.events if event.who != "*"]
        for made in [None, *moves]:
            if made is not None:
                theirs = _same_to_see(two, made, one.seat == viewer)
                if theirs is None:
                    return
                one.play_move(made)
                two.play_move(theirs)
            if not _looks_alike(one, two, viewer, seen):
                return
            seen = len(one.events)
            yield one, two
    except (WrongAnswerError, RulesError):  # the other deal does not go this way
        return


def other_deals(game: Game, viewer: Viewer, random: Random) -> Iterator[tuple[Game, Game]]:
    """A deal beside others that look alike to a viewer: each card of a shuffled pile is exchanged once with another,
    so that none is left out by chance."""
    answers = [event.answer for event in game.events if event.answer is not None]
    for n, answer in enumerate(answers):
        if answer.question != SHUFFLE:
            continue
        for place, kind in enumerate(answer.values):
            others = [k for k, other in enumerate(answer.values) if other != kind]
            if not others:
                continue
            values = list(answer.values)
            k = random.choice(others)
            values[place], values[k] = values[k], values[place]
            told = [*answers[:n], Answer(answer.question, answer.pile, tuple(values)), *answers[n + 1 :]]
            try:
                other = Game(game.rules, game.players, game.options, ToldChance(told))
            except WrongAnswerError:  # the cards decide what chance is asked next
                continue
            if _looks_alike(game, other, viewer, 0):
                yield game, other


def _exchanged(answers: Sequence[Answer], random: Random) -> list[Answer] | None:
    shuffles = [n for n, answer in enumerate(answers) if answer.question == SHUFFLE and len(set(answer.values)) > 1]
    if not shuffles:
        return None
    out = list(answers)
    n = random.choice(shuffles)
    values = list(out[n].values)
    while values == list(out[n].values):
        i, j = random.randrange(len(values)), random.randrange(len(values))
        values[i], values[j] = values[j], values[i]
    out[n] = Answer(out[n].question, out[n].pile, tuple(values))
    return out


def _same_to_see(other: Game, move: int, own: bool) -> int | None:
    """A legal move of the other game that reads like this one to those who did not make it (`own`: to its maker)."""
    legal = other.legal(person=True)
    if move in legal or own:
        return move if move in legal else None
    text = other.notation.text(move, reveal=False)
    return next((m for m in legal if other.notation.text(m, reveal=False) == text), None)


def _looks_alike(one: Game, two: Game, viewer: Viewer, since: int) -> bool:
    cards = one.notation.cards
    return (
        len(one.events) == len(two.events)
        and all(
            one.event_text(a, viewer) == two.event_text(b, viewer)
            and [(move[1:3], _kind_seen(move, viewer)) for move in a.cards]
            == [(move[1:3], _kind_seen(move, viewer)) for move in b.cards]
            for a, b in zip(one.events[since:], two.events[since:], strict=True)
        )
        and views.see_piles(one.state, one.rules, viewer, cards) == views.see_piles(two.state, two.rules, viewer, cards)
    )


def _kind_seen(move: tuple[int, int, int, int], viewer: Viewer) -> int | None:
    kind, _, _, mark = move
    return kind if mark & views.viewer_bit(viewer) else None
