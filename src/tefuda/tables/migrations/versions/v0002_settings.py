"""What a table is set to that is no rule of its game: assist, and how long silence lasts."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


SETTINGS = "of the table, not of its game"
KINDS = "sit, deal, move, propose, vote or word", "sit, deal or move"
BOT_DUE = "the next decision is a bot's, or silence decides", "the next decision is a bot's"


def upgrade() -> None:
    """Add it; tables that were there before have none."""
    column = sa.Column("settings", sa.JSON, nullable=False, server_default="{}", comment=SETTINGS)
    with op.batch_alter_table("tables") as batch:
        batch.add_column(column)
    _comment(*BOT_DUE, *KINDS)


def downgrade() -> None:
    """Drop it."""
    with op.batch_alter_table("tables") as batch:
        batch.drop_column("settings")
    _comment(*reversed(BOT_DUE), *reversed(KINDS))


def _comment(due: str, due_before: str, kinds: str, kinds_before: str) -> None:
    """Say what the columns hold (SQLite keeps no comments)."""
    if op.get_context().dialect.name == "sqlite":
        return
    op.alter_column(
        "tables", "bot_due", comment=due, existing_comment=due_before, existing_type=sa.Boolean, existing_nullable=False
    )
    op.alter_column(
        "events", "kind", comment=kinds, existing_comment=kinds_before, existing_type=sa.Text, existing_nullable=False
    )
