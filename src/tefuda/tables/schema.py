"""The store's tables, as SQLAlchemy knows them. Changes come with a migration in `migrations/versions/`."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

metadata = MetaData()

tables = Table(
    "tables",
    metadata,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("rules", Text, nullable=False, comment="the version it is played by, from its beginning to its end"),
    Column("options", JSON, nullable=False),
    Column("key", LargeBinary, nullable=False, comment="256 bits, all of its chance; never leaves the server"),
    Column("opened", BigInteger, nullable=False, comment="milliseconds since 1970, UTC"),
    Column("settings", JSON, nullable=False, server_default="{}", comment="of the table, not of its game"),
    Column("bot_due", Boolean, nullable=False, index=True, comment="the next decision is a bot's, or silence decides"),
    Column("result", JSON(none_as_null=True), comment="null while the game runs"),
)

events = Table(
    "events",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False, comment="milliseconds since 1970, UTC"),
    Column("kind", Text, nullable=False, comment="sit, deal, move, propose, vote or word"),
    Column("seat", Integer, comment="whose; null when it is the table's"),
    Column("body", JSON, nullable=False),
)

seats = Table(
    "seats",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("digest", LargeBinary, nullable=False, comment="SHA-256 of the token that holds the seat"),
)
