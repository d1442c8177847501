"""A drill for those who do not know the hundred poems yet: which kimariji? which cards make a dub? what is the total?

Nothing here knows pages. How far somebody is is a `Progress`, a short text that whoever asks keeps and hands back;
what was answered wrongly comes back soon, what was answered rightly later and later (after Leitner's boxes).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from tefuda.decks.karuta import FAMILIES, KIMARIJI, MINUS, POEM_OF, POEMS, REVERSE

KINDS = ("kimariji", "dub", "total")
"""What can be asked."""

CHOICES = 5
"""Kimariji to choose from."""

SPREAD = 6
"""Cards on the table when a dub is asked for, at least; a family that is larger lies there with one more."""

INCOMPLETE = 0.3
"""The share of questions for a dub in which a card is missing, so that there is none."""

HIGHEST_TOTAL = 26
"""The highest total to which a card is added: 4 more stay below thirty-one."""

WAITS = {1: 3, 2: 10, 3: 40, 4: 150}
"""By box, how many other questions are asked before the same comes again. A wrong answer puts it into box 1, a right
one into the next."""
LAST_BOX = max(WAITS)
LEARNT = 3
"""From this box on an item was answered rightly twice in a row."""

_FAMILY_OF = {family.name: family for family in FAMILIES}


# ---------------------------------------------------------------------------------------------------- questions


@dataclass(frozen=True)
class Question:
    """What is asked: the cards shown, the kimariji to choose from (only for "kimariji"), and the total so far (only
    for "total"). `item` is what it drills: a card, or a family of cards by its name."""

    kind: str
    item: str
    cards: tuple[str, ...]
    choices: tuple[str, ...] = ()
    total: int = 0

    @property
    def right(self) -> tuple[str, ...]:
        """The right answer: a kimariji, the new total, or the cards of a dub (none when there is no dub; the largest
        when there are several)."""
        if self.kind == "kimariji":
            return self.cards
        if self.kind == "total":
            return (str(new_total(self.total, self.cards[0])),)
        return max(dubs_among(self.cards), key=len, default=())

    def is_right(self, answer: Sequence[str]) -> bool:
        """Whether an answer is right. Of several dubs any will do."""
        if self.kind == "dub":
            found = dubs_among(self.cards)
            return sorted(answer) in [sorted(dub) for dub in found] if found else not answer
        return [one.strip() for one in answer] == list(self.right)


def new_total(total: int, kimariji: str) -> int:
    """The total after a card is played alone."""
    length = POEM_OF[kimariji].length
    return {MINUS: total - MINUS, REVERSE: total}.get(length, total + length)


def dubs_among(cards: Iterable[str]) -> list[tuple[str, ...]]:
    """The dubs that some cards hold."""
    there = set(cards)
    found = [tuple(family.name.split("+")) for family in FAMILIES]
    return [dub for dub in found if there.issuperset(dub)]


def question(kind: str, item: str, cards: Sequence[str], random: Random) -> Question:
    """A question about an item; `cards` are those being drilled, from which others are taken where some are needed."""
    if kind == "kimariji":
        return Question(kind, item, (item,), choices=_choices(item, random))
    if kind == "total":
        return Question(kind, item, (item,), total=random.randint(0, HIGHEST_TOTAL))
    members = _FAMILY_OF[item].name.split("+")
    if random.random() < INCOMPLETE:
        members.remove(random.choice(members))
        members = _without_dubs(members)
    shown = _filled_up(members, item, cards, random)
    return Question(kind, item, tuple(sorted(shown, key=KIMARIJI.index)))


def _choices(item: str, random: Random) -> tuple[str, ...]:
    """The right kimariji among others that are easily mistaken for it: those that begin alike come first."""
    others = [kimariji for kimariji in KIMARIJI if kimariji != item]
    random.shuffle(others)
    others.sort(key=lambda kimariji: -_alike(kimariji, item))
    found = [item, *others[: CHOICES - 1]]
    random.shuffle(found)
    return tuple(found)


def _alike(one: str, other: str) -> int:
    """With how many letters both begin, at most two: after that any will do."""
    n = 0
    while n < min(len(one), len(other), 2) and one[n] == other[n]:
        n += 1
    return n


def _without_dubs(cards: list[str]) -> list[str]:
    """Some of these cards, among which there is no dub."""
    left = list(cards)
    for dub in (dub for _ in cards for dub in dubs_among(left)[:1]):
        left.remove(dub[0])
    return left


def _filled_up(members: Sequence[str], item: str, cards: Sequence[str], random: Random) -> list[str]:
    """The cards of a question for a dub, with others that make no further dub: from those being drilled, else any."""
    shown = list(members)
    missing = set(_FAMILY_OF[item].name.split("+")) - set(members)
    wanted = max(SPREAD, len(members) + 1)
    dubs = len(dubs_among(shown))
    pools = [list(cards), list(KIMARIJI)]
    for pool in pools:
        random.shuffle(pool)
        for kimariji in pool:
            if len(shown) == wanted:
                break
            if kimariji in shown or kimariji in missing or len(dubs_among([*shown, kimariji])) > dubs:
                continue
            shown.append(kimariji)
    return shown


# ----------------------------------------------------------------------------------------------------- progress


def items(kind: str, cards: Sequence[str]) -> tuple[str, ...]:
    """What can be asked of these cards: each card, or each dub of which all cards are there."""
    return tuple("+".join(dub) for dub in dubs_among(cards)) if kind == "dub" else tuple(cards)


@dataclass(frozen=True)
class Standing:
    """How well an item is known: its box (0: never asked), and how many questions come before it is due again."""

    box: int = 0
    wait: int = 0


@dataclass(frozen=True)
class Progress:
    """Which cards are drilled, what is asked of them, how each item stands, and how many answers were right."""

    cards: tuple[str, ...]
    kinds: tuple[str, ...]
    asked: int = 0
    right: int = 0
    standings: Mapping[tuple[str, str], Standing] = field(default_factory=dict)

    @property
    def known(self) -> int:
        """How many items were answered rightly the last two times or oftener."""
        return sum(standing.box >= LEARNT for standing in self.standings.values())

    @property
    def all_items(self) -> list[tuple[str, str]]:
        """Every kind with every item it can be asked of."""
        return [(kind, item) for kind in self.kinds for item in items(kind, self.cards)]

    def next(self, random: Random) -> tuple[str, str]:
        """What to ask now: what is due and not learnt yet, the worst first; then something new, of each kind as often;
        then what else is due, or due soonest."""
        stand = {key: self.standings.get(key, Standing()) for key in self.all_items}
        due = [key for key, standing in stand.items() if 0 < standing.box < LEARNT and not standing.wait]
        new = [key for key, standing in stand.items() if not standing.box]
        if due:
            worst = min(stand[key].box for key in due)
            return random.choice([key for key in due if stand[key].box == worst])
        if new:
            kind = random.choice([kind for kind in self.kinds if any(one == kind for one, _ in new)])
            return random.choice([key for key in new if key[0] == kind])
        soonest = min(standing.wait for standing in stand.values())
        return random.choice([key for key, standing in stand.items() if standing.wait == soonest])

    def ask(self, random: Random) -> Question:
        """The next question."""
        kind, item = self.next(random)
        return question(kind, item, self.cards, random)

    def after(self, asked: Question, was_right: bool) -> Progress:
        """The progress after an answer."""
        standings = {key: replace(standing, wait=max(0, standing.wait - 1)) for key, standing in self.standings.items()}
        before = self.standings.get((asked.kind, asked.item), Standing()).box
        box = min(max(before, 1) + 1, LAST_BOX) if was_right else 1
        standings[asked.kind, asked.item] = Standing(box, WAITS[box])
        return replace(self, asked=self.asked + 1, right=self.right + was_right, standings=standings)

    # ------------------------------------------------------------------------------------------------ as text

    def to_fields(self) -> dict[str, str]:
        """The progress as short texts: the cards as the bits of a number, each item as its box and how long it
        waits."""
        bits = sum(1 << (POEM_OF[kimariji].number - 1) for kimariji in self.cards)
        out = {"cards": f"{bits:x}", "kinds": " ".join(self.kinds), "asked": str(self.asked), "right": str(self.right)}
        for kind in self.kinds:
            stand = (self.standings.get((kind, item), Standing()) for item in items(kind, self.cards))
            out[f"stand.{kind}"] = "".join(f"{s.box}{s.wait:02x}" for s in stand)
        return out

    @staticmethod
    def from_fields(fields: Mapping[str, str]) -> Progress:
        """The progress that `to_fields` wrote. ValueError when these fields are no such thing."""
        bits = int(fields.get("cards", ""), 16)
        if not 0 < bits < 1 << len(POEMS):
            raise ValueError("no cards")
        cards = tuple(poem.kimariji for poem in POEMS if bits >> (poem.number - 1) & 1)
        kinds = tuple(fields.get("kinds", "").split())
        if not kinds or not set(kinds) <= set(KINDS):
            raise ValueError("nothing to ask")
        asked, right = int(fields.get("asked", "")), int(fields.get("right", ""))
        standings = {}
        for kind in kinds:
            text, all_items = fields.get(f"stand.{kind}", ""), items(kind, cards)
            if len(text) != 3 * len(all_items):
                raise ValueError("the standings do not fit the cards")
            for n, item in enumerate(all_items):
                box, wait = int(text[3 * n]), int(text[3 * n + 1 : 3 * n + 3], 16)
                if box > LAST_BOX or wait > WAITS[LAST_BOX]:
                    raise ValueError("no such box")
                if box:
                    standings[kind, item] = Standing(box, wait)
        return Progress(cards, kinds, asked, right, standings)


def begin(cards: Iterable[str], kinds: Iterable[str]) -> Progress:
    """A drill of these cards (by kimariji; what is none is left out). ValueError when nothing can be asked of them."""
    wanted = set(cards)
    progress = Progress(tuple(k for k in KIMARIJI if k in wanted), tuple(kind for kind in KINDS if kind in set(kinds)))
    if not progress.all_items:
        raise ValueError("nothing to ask")
    return replace(progress, kinds=tuple(kind for kind in progress.kinds if items(kind, progress.cards)))
