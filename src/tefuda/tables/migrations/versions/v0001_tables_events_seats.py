"""The first schema: tables, their events, and what holds their seats."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "tables",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column(
            "rules",
            sa.Text,
            nullable=False,
            comment="the version it is played by, from its beginning to its end",
        ),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column(
            "key", sa.LargeBinary, nullable=False, comment="256 bits, all of its chance; never leaves the server"
        ),
        sa.Column("opened", sa.BigInteger, nullable=False, comment="milliseconds since 1970, UTC"),
        sa.Column("bot_due", sa.Boolean, nullable=False, index=True, comment="the next decision is a bot's"),
        sa.Column("result", sa.JSON, comment="null while the game runs"),
    )
    op.create_table(
        "events",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False, comment="milliseconds since 1970, UTC"),
        sa.Column("kind", sa.Text, nullable=False, comment="sit, deal or move"),
        sa.Column("seat", sa.Integer, comment="whose; null when it is the table's"),
        sa.Column("body", sa.JSON, nullable=False),
    )
    op.create_table(
        "seats",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("digest", sa.LargeBinary, nullable=False, comment="SHA-256 of the token that holds the seat"),
    )


def downgrade() -> None:
    """Drop them, and all games with them."""
    op.drop_table("seats")
    op.drop_table("events")
    op.drop_table("tables")
