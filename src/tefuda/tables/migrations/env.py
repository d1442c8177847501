"""Run by Alembic: brings the store's schema up to date over the connection it is handed (store.py)."""

from alembic import context

from tefuda.tables.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite cannot change a column in place
)
with context.begin_transaction():
    context.run_migrations()
