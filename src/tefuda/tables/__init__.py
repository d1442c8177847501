"""People and bots at a table: who sits where, whose move is taken, and the store that keeps it all. Knows no HTTP.

A table is its list of events in the store; whatever a process holds in memory can be lost at any time."""

from tefuda.tables.bot_seats import BotSeats
from tefuda.tables.lobby import BegunError, Gathering, Listed, Lobby, LobbyError, Plan, can_name_starter, may_delete
from tefuda.tables.settings import Clock, Settings
from tefuda.tables.sitters import GUEST, BadNameError, Sitter, called, clean_name, shown_names
from tefuda.tables.store import ReportRow, Store, StoreError, default_database, milliseconds
from tefuda.tables.table import (
    AskError,
    BotTurn,
    Claim,
    FormerRulesError,
    Proposal,
    Silence,
    StaleError,
    Table,
    TableSpoiltError,
    UnknownTableError,
    UnseatedError,
    WaitingError,
    WrongClaim,
    WrongClaimError,
)
from tefuda.tables.tables import Opened, Shelf, Tables
from tefuda.tables.talk import PHRASES, Line, Notice, TalkError

__all__ = [
    "GUEST",
    "PHRASES",
    "AskError",
    "BadNameError",
    "BegunError",
    "BotSeats",
    "BotTurn",
    "Claim",
    "Clock",
    "FormerRulesError",
    "Gathering",
    "Line",
    "Listed",
    "Lobby",
    "LobbyError",
    "Notice",
    "Opened",
    "Plan",
    "Proposal",
    "ReportRow",
    "Settings",
    "Shelf",
    "Silence",
    "Sitter",
    "StaleError",
    "Store",
    "StoreError",
    "Table",
    "TableSpoiltError",
    "Tables",
    "TalkError",
    "UnknownTableError",
    "UnseatedError",
    "WaitingError",
    "WrongClaim",
    "WrongClaimError",
    "called",
    "can_name_starter",
    "clean_name",
    "default_database",
    "may_delete",
    "milliseconds",
    "shown_names",
]
