"""Whether what a viewer gets depends on anything the viewer may not know: two states, or two games, that look alike to
a viewer must give it the same bytes."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from tefuda.engine import view as views
from tefuda.engine.cards import SHUFFLE, redeal
from tefuda.engine.chance import Answer, SeededChance, ToldChance, WrongAnswerError
from tefuda.engine.game import Game, IllegalMove
from tefuda.engine.plain import PlainState, copy_state, to_record
from tefuda.engine.rules import RulesError
from tefuda.engine.sentence import Sentence

Viewer = int | None

NO_MOVE = "\N{REPLACEMENT CHARACTER}"
"""A text that is a move in no game: to see what the refusal says."""


def viewers(game: Game) -> list[Viewer]:
    """Everybody who may look: each seat, and a spectator."""
    return [*range(len(game.players)), None]


def told(game: Game, viewer: Viewer) -> dict[str, Any]:
    """Everything a viewer gets of a game as it stands, by what it is, as plain data: the view for programs and for
    people, the story, the refusal of a wrong move, and for a seat its information state (all that a bot gets)."""
    out: dict[str, Any] = {
        "view": game.view(viewer),
        "view of a person": game.view(viewer, person=True),
        "story": game.story(viewer),
    }
    if viewer is not None:
        out["refusal"] = _refusal(game, viewer)
        blind = to_record(game.blind(viewer), game.rules.state_type)[0]
        out["information state"] = {name: blind[name].tobytes().hex(" ", 2) for name in game.rules.state_type.shapes}
    return out


def _text(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False)


def _refusal(game: Game, seat: int) -> str:
    try:
        game.play(NO_MOVE, seat=seat)
    except IllegalMove as e:
        return f"{e} {e.legal}"
    raise AssertionError("a move that reads as none was accepted")


def difference(game: Game, other: Game, viewer: Viewer) -> Sentence | None:
    """What a viewer gets of one game that it does not get of the other; None when all is the same."""
    one, two = told(game, viewer), told(other, viewer)
    for what in one:
        if _text(one[what]) != _text(two[what]):
            path, a, b = _first_difference(one[what], two[what])
            return Sentence(
                "in the {what} of {viewer}, {place} {differs}",
                what=Sentence(what),
                viewer=name_of(viewer),
                place=_place(what, path),
                differs=_both(a, b),
            )
    return None


Path = tuple[str | int, ...]


def _first_difference(one: Any, two: Any, path: Path = ()) -> tuple[Path, Any, Any]:
    """Where two pieces of plain data first differ: the way there, and what is there in either. Lists of texts (moves,
    cards) and lists of different lengths are told whole."""
    if isinstance(one, dict) and isinstance(two, dict) and one.keys() == two.keys():
        steps: list[tuple[str | int, Any, Any]] = [(key, one[key], two[key]) for key in one]
    elif isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        if any(isinstance(part, str) for part in one + two) and path[:1] != ("log",):
            return path, one, two
        steps = [(i, a, b) for i, (a, b) in enumerate(zip(one, two, strict=True))]
    else:
        return path, one, two
    for key, a, b in steps:
        if _text(a) != _text(b):
            return _first_difference(a, b, (*path, key))
    return path, one, two


def _place(what: str, path: Path) -> Sentence:
    """A place in what a viewer gets, in words a maker knows from the rules file."""
    if not path:
        return Sentence("the text" if what == "refusal" else "the number of events")
    if what == "information state":
        return Sentence("the field {name!r}", name=path[0])
    head, rest = path[0], path[1:]
    if what == "story":
        if not rest:
            return Sentence("event {n}", n=head)
        return Sentence("{part} of event {n}", part=_steps(rest), n=head)
    if head == "state":
        return Sentence("the field {name!r}", name=_steps(rest))
    if head == "piles":
        if rest[-1] == "size":
            return Sentence("the size of the pile {pile}", pile=_steps(rest[:-1]))
        if rest[-1] == "cards":
            return Sentence("the cards of the pile {pile}", pile=_steps(rest[:-1]))
        return Sentence("the content of the pile {pile}", pile=_steps(rest))
    if head == "moves":
        return Sentence("the list of legal moves")
    if head == "log":
        return Sentence("event {n} of the log", n=rest[0]) if rest else Sentence("the log")
    return Sentence("the entry {name!r}", name=_steps(path))


def _steps(path: Path) -> str:
    """A way into data as it is written in a program: scores[0]."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")


MOST_TOLD = 300
"""Letters of a value in a sentence; what is longer is cut between words."""


def _both(one: Any, two: Any) -> Sentence:
    if isinstance(one, list) and isinstance(two, list):
        here = [_words(x) for x in one if x not in two]
        there = [_words(x) for x in two if x not in one]
        if here and there:
            english = "has {here} only in one, {there} only in the other"
            return Sentence(english, here=Several(here), there=Several(there))
        if here:
            return Sentence("has {here} only in one", here=Several(here))
        if there:
            return Sentence("has {there} only in the other", there=Several(there))
    return Sentence("is {one} in one and {two} in the other", one=_words(one), two=_words(two))


def _words(value: Any) -> Sentence | str:
    if value is None:
        return Sentence("nothing")
    text = repr(value) if isinstance(value, str) else _text(value)
    return text if len(text) <= MOST_TOLD else text[:MOST_TOLD].rsplit(" ", 1)[0] + " …"


@dataclass(frozen=True)
class Several:
    """One and another and a third, to be put into a sentence."""

    parts: Sequence[Sentence | str]

    def say(self, lang: str) -> str:
        """All of them, in Japanese (`ja`) or English."""
        return (
            Sentence(" and ").say(lang).join(part if isinstance(part, str) else part.say(lang) for part in self.parts)
        )


def name_of(viewer: Viewer) -> Sentence:
    """A viewer in words."""
    return Sentence("a spectator") if viewer is None else Sentence("seat {seat}", seat=viewer)


# ------------------------------------------------------------------------------------------------------- swaps


def swapped(game: Game, viewer: Viewer, random: Random, swaps: int = 12) -> Game:
    """The same game with cards exchanged among the places that a viewer cannot see, each for one with the same back."""
    other = _copied(game)
    unseen = _unseen(other.state, viewer)
    for _ in range(swaps if unseen else 0):
        a, b = random.choice(unseen), random.choice(unseen)
        if _can_be_exchanged(other.state, a, b, alike=True):
            _exchange(other.state, a, b)
    return other


def each_exchanged(game: Game, viewer: Viewer, random: Random) -> Iterator[Game]:
    """The same game again and again (one object), each time with the card of another place that the viewer cannot see
    exchanged for an unseen one of the same back and another kind, until every place had its turn."""
    other = _copied(game)
    unseen = _unseen(other.state, viewer)
    for place in unseen:
        partners = [far for far in unseen if _can_be_exchanged(other.state, place, far)]
        if partners:
            far = random.choice(partners)
            _exchange(other.state, place, far)
            yield other
            _exchange(other.state, place, far)


def _copied(game: Game) -> Game:
    other = copy.copy(game)
    other.state = copy_state(game.state, game.rules.state_type)
    return other


Place = tuple[int, int]
"""A pile and a place in it."""


def _unseen(s: PlainState, viewer: Viewer) -> list[Place]:
    bit = views.viewer_bit(viewer)
    return [
        (pile, i)
        for pile in range(len(s.size))
        if not s.always[pile] & bit
        for i in range(s.size[pile])
        if not s.seen[pile, i] & bit
    ]


def _can_be_exchanged(s: PlainState, a: Place, b: Place, alike: bool = False) -> bool:
    """Whether two cards have the same back and (unless `alike` will do) are of different kinds."""
    return bool(s.home[s.card[a]] == s.home[s.card[b]] and (alike or s.card[a] != s.card[b]))


def _exchange(s: PlainState, a: Place, b: Place) -> None:
    one, two = s.card[a], s.card[b]
    s.card[a], s.card[b] = two, one
    for (pile, _), gone, come in ((a, one, two), (b, two, one)):
        s.count[pile, gone] -= 1
        s.count[pile, come] += 1


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


ALIKE_EACH = 2
"""For every place of a shuffled pile and every viewer, so many other deals that look alike to the viewer are sought."""

MOST_TRIED = 10
"""So many exchanges of one place are tried: a card in the viewer's own hand can never be exchanged unseen."""


def other_deals(game: Game, random: Random) -> Iterator[tuple[Game, list[Viewer]]]:
    """Other deals, and the viewers to whom they look like this one: the card of each place in a shuffled pile is
    exchanged for others, until every viewer who cannot see it has deals to compare. So none is left out by chance."""
    answers = [event.answer for event in game.events if event.answer is not None]
    for n, answer in enumerate(answers):
        if answer.question != SHUFFLE:
            continue
        for place, kind in enumerate(answer.values):
            others = [k for k, other in enumerate(answer.values) if other != kind]
            wanted = dict.fromkeys(viewers(game), ALIKE_EACH)
            for k in random.sample(others, min(MOST_TRIED, len(others))):
                other = _dealt_otherwise(game, answers, n, (place, k))
                alike = [v for v in wanted if other is not None and _looks_alike(game, other, v, 0)]
                if other is not None and alike:
                    yield other, alike
                for viewer in alike:
                    wanted[viewer] -= 1
                # A card that one seat holds is never unseen by that seat: the others suffice.
                if sum(left > 0 for left in wanted.values()) <= 1:
                    break


def _dealt_otherwise(game: Game, answers: Sequence[Answer], n: int, places: tuple[int, int]) -> Game | None:
    """The same deal with two cards of shuffle `n` exchanged; None when chance is then asked otherwise."""
    values = list(answers[n].values)
    i, k = places
    values[i], values[k] = values[k], values[i]
    told = [*answers[:n], Answer(answers[n].question, answers[n].pile, tuple(values)), *answers[n + 1 :]]
    try:
        return Game(game.rules, game.players, game.options, ToldChance(told))
    except WrongAnswerError:
        return None


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
    cards, bit = one.notation.cards, views.viewer_bit(viewer)
    return (
        len(one.events) == len(two.events)
        and all(
            one.event_text(a, viewer) == two.event_text(b, viewer)
            and [(move[1:3], _kind_seen(move, viewer)) for move in a.cards]
            == [(move[1:3], _kind_seen(move, viewer)) for move in b.cards]
            for a, b in zip(one.events[since:], two.events[since:], strict=True)
        )
        and views.see_piles(one.state, one.rules, bit, cards) == views.see_piles(two.state, two.rules, bit, cards)
    )


def _kind_seen(move: tuple[int, int, int, int], viewer: Viewer) -> int | None:
    kind, _, _, mark = move
    return kind if mark & views.viewer_bit(viewer) else None
