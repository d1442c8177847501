"""The lab: many games between bots, and what they tell."""

from tefuda.lab.measures import Interval
from tefuda.lab.records import ReplayError, records, replay, save_records
from tefuda.lab.results import Results
from tefuda.lab.run import play_games

__all__ = ["Interval", "ReplayError", "Results", "play_games", "records", "replay", "save_records"]
