"""People and bots at a table: who sits where, whose move is taken, and the store that keeps it all. Knows no HTTP.

A table is its list of events in the store; whatever a process holds in memory can be lost at any time."""

from tefuda.tables.bot_seats import BotSeats
from tefuda.tables.sitters import BadNameError, Sitter, clean_name
from tefuda.tables.store import Store, StoreError, default_database
from tefuda.tables.table import (
    Claim,
    FormerRulesError,
    Opened,
    Proposal,
    Settings,
    Shelf,
    Silence,
    StaleError,
    Table,
    Tables,
    TableSpoiltError,
    UnknownTableError,
    UnseatedError,
    WordError,
    WrongClaim,
    WrongClaimError,
)

__all__ = [
    "BadNameError",
    "BotSeats",
    "Claim",
    "FormerRulesError",
    "Opened",
    "Proposal",
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
    "UnknownTableError",
    "UnseatedError",
    "WordError",
    "WrongClaim",
    "WrongClaimError",
    "clean_name",
    "default_database",
]
