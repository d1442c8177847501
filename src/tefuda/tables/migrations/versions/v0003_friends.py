"""Tables that wait for friends, clocks, what a table promised of its chance, analyses and play reports.

`due`, when something is to happen by itself, takes the place of `bot_due`, whether something is."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


BEFORE = "sit, deal, move, propose, vote or word"


def upgrade() -> None:
    """Add them; tables that were there before are private, and have promised nothing."""
    with op.batch_alter_table("tables") as batch:
        batch.add_column(sa.Column("nonce", sa.LargeBinary, comment="with the key it makes what the table promised"))
        batch.add_column(sa.Column("host", sa.LargeBinary, comment="SHA-256 of the token of whoever opened it"))
        batch.add_column(
            sa.Column("phase", sa.Text, nullable=False, server_default="playing", comment="waiting, playing or over")
        )
        batch.add_column(
            sa.Column("public", sa.Boolean, nullable=False, server_default=sa.false(), comment="told in the lobby")
        )
        batch.add_column(
            sa.Column(
                "due",
                sa.BigInteger,
                comment="when something is to happen by itself, in milliseconds since 1970; 0: now; null: never",
            )
        )
        batch.add_column(
            sa.Column("touched", sa.BigInteger, nullable=False, server_default="0", comment="when its last event was")
        )
    op.execute("UPDATE tables SET phase = 'over' WHERE result IS NOT NULL AND CAST(result AS TEXT) <> 'null'")
    op.execute("UPDATE tables SET due = 0 WHERE bot_due")
    op.execute("UPDATE tables SET touched = opened")
    op.drop_index("ix_tables_bot_due", "tables")
    with op.batch_alter_table("tables") as batch:
        batch.drop_column("bot_due")
    op.create_index("ix_tables_due", "tables", ["due"])
    op.create_index("ix_tables_phase", "tables", ["phase", "touched"])
    _comment("one of tefuda.tables.rows", BEFORE)
    op.create_table(
        "analyses",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("body", sa.JSON, nullable=False),
    )
    op.create_table(
        "reports",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False, comment="milliseconds since 1970, UTC"),
        sa.Column("body", sa.JSON, nullable=False, comment="what somebody felt of the game"),
    )


def downgrade() -> None:
    """Drop them; tables that have not begun are lost."""
    _comment(BEFORE, "one of tefuda.tables.rows")
    op.drop_table("reports")
    op.drop_table("analyses")
    op.execute("DELETE FROM tables WHERE phase = 'waiting'")
    op.drop_index("ix_tables_phase", "tables")
    op.drop_index("ix_tables_due", "tables")
    with op.batch_alter_table("tables") as batch:
        batch.add_column(sa.Column("bot_due", sa.Boolean, nullable=False, server_default=sa.false()))
    op.execute("UPDATE tables SET bot_due = (due IS NOT NULL)")
    with op.batch_alter_table("tables") as batch:
        for name in ("touched", "due", "public", "phase", "host", "nonce"):
            batch.drop_column(name)
    op.create_index("ix_tables_bot_due", "tables", ["bot_due"])


def _comment(kind: str, before: str) -> None:
    """Say what the kinds of events are (SQLite keeps no comments)."""
    if op.get_context().dialect.name != "sqlite":
        op.alter_column(
            "events", "kind", comment=kind, existing_comment=before, existing_type=sa.Text, existing_nullable=False
        )
