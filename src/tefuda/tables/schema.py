"""The store's tables, as SQLAlchemy knows them. Changes come with a migration in `migrations/versions/`."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    false,
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
    Column("result", JSON(none_as_null=True), comment="null while the game runs"),
    Column("nonce", LargeBinary, comment="with the key it makes what the table promised"),
    Column("host", LargeBinary, comment="SHA-256 of the token of whoever opened it"),
    Column("phase", Text, nullable=False, server_default="playing", comment="waiting, playing or over"),
    Column("public", Boolean, nullable=False, server_default=false(), comment="told in the lobby"),
    Column(
        "due",
        BigInteger,
        index=True,
        comment="when something is to happen by itself, in milliseconds since 1970; 0: now; null: never",
    ),
    Column("touched", BigInteger, nullable=False, server_default="0", comment="when its last event was"),
    Index("ix_tables_phase", "phase", "touched"),
)

events = Table(
    "events",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False, comment="milliseconds since 1970, UTC"),
    Column("kind", Text, nullable=False, comment="one of tefuda.tables.rows"),
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

analyses = Table(
    "analyses",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("body", JSON, nullable=False),
)

reports = Table(
    "reports",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False, comment="milliseconds since 1970, UTC"),
    Column("body", JSON, nullable=False, comment="what somebody felt of the game"),
)
