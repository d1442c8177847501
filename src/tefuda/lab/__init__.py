"""The lab: many games between bots, and what they tell.

`study.run` plays and measures; `report` makes a page of it. `play_games` is the plain beginning of that: one setting,
one line-up."""

from tefuda.lab.cell import Cell, cell
from tefuda.lab.intervals import Interval
from tefuda.lab.people import Answer, PlayReport
from tefuda.lab.records import ReplayError, replay, save_records
from tefuda.lab.results import Results, play_games
from tefuda.lab.study import (
    ASKED,
    Cancelled,
    Finished,
    FolderError,
    Plan,
    Progress,
    Study,
    levels_of,
    prepare,
    run,
    settings_of,
    write_all,
)

__all__ = [
    "ASKED",
    "Answer",
    "Cancelled",
    "Cell",
    "Finished",
    "FolderError",
    "Interval",
    "Plan",
    "PlayReport",
    "Progress",
    "ReplayError",
    "Results",
    "Study",
    "cell",
    "levels_of",
    "play_games",
    "prepare",
    "replay",
    "run",
    "save_records",
    "settings_of",
    "write_all",
]
