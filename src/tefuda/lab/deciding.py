"""Playing for the label of a box: at every number of players as many games as it takes to tell whether the game holds,
up to so many. Few games leave most conditions open, and a box that says now this, now that, by the seed, says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tefuda.engine.rules import Rules
from tefuda.lab.label import Label, label
from tefuda.lab.study import Finished, Plan, Study, levels_of, settings_of

MOST = 2_000
"""So many games are played at a number of players at most, unless told."""

FIRST = 500
"""So many to begin with; then four times as many, as long as something is undecided."""

LOOKED_AT = 25
"""Of how many of the first it is looked at how they go, position by position; that is slow, and is done of more only
where it is undecided by what it tells."""


def decide(rules: Rules, play: Callable[[Study], Finished], most: int = MOST, seed: int = 0) -> Label:
    """The label from games of the strongest bots, of which at least as many are played as `FIRST` (or `most`) at every
    number of players, and more (four times as many, and so on up to `most`) at those of which it is undecided whether
    the game holds, and at all where the age is. `play` runs a study. The same seed gives the same label."""
    results: dict[int, Mapping[str, Any]] = {}
    asking, games, looked_at = list(range(rules.least_seats, rules.most_seats + 1)), min(FIRST, most), LOOKED_AT
    while True:
        looked_at = min(looked_at, games)
        plan = Plan(thinking=games, kept=games, looked_at=looked_at, clause_games=0, deals=0)
        summary = play(Study(rules, settings_of(rules, asking), levels_of(rules)[-1:], plan, seed)).summary
        results |= {each["seats"]: each for each in summary["results"]}
        found = label(rules, {**summary, "results": [results[seats] for seats in sorted(results)]})
        open_by_itself = any(reason.open and reason.key != "label.age_seats_open" for reason in found.why_age)
        asking = list(found.seats if open_by_itself and len(found.ages) > 1 else found.undecided)
        if not asking or games >= most:
            return found
        games = min(most, 4 * games)
        if any(reason.key == "label.open_played_out" for seats in asking for reason in found.held[seats]):
            looked_at *= 4
