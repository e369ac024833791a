"""How the normalised tables lie in a store: the same columns, and whose ingest a row belongs to.

A store is a folder (or a prefix of an object storage) with one Delta table per table of
:mod:`mlcheck.normalize.schema`, partitioned by suite and round. Rows are only ever added. A row
counts if ``submissions`` has a row of the same ingest, division and submitter that no later one
replaced:

    SELECT r.* FROM results r JOIN submissions s USING (ingest, division, submitter)
    WHERE s.replaced_by IS NULL
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from mlcheck.normalize.schema import TABLES

_OWNED = [
    pa.field("suite", pa.string()),
    pa.field("round", pa.string()),
    pa.field("ingest", pa.string()),  # which ingest wrote the row
    pa.field("division", pa.string()),  # null: about the package as a whole
    pa.field("submitter", pa.string()),
]
_COMMITTED = [
    pa.field("collection", pa.string()),  # submissions of one collection replace each other
    pa.field("sequence", pa.int64()),  # counts the ingests of a store, in the order they appeared
    pa.field("ingested_at", pa.string()),  # UTC, such as 2025-09-09T15:04:05Z
    pa.field("tree", pa.string()),  # the folder it was read from
    pa.field("tree_sha256", pa.string()),
    pa.field("tree_part", pa.string()),  # the submitter it was read for; null: all of it
    pa.field("ruleset_sha256", pa.string()),
    pa.field("tool_version", pa.string()),
    pa.field("replaced_by", pa.string()),  # the ingest that took its place; null: it counts
]


def _stored(name: str, schema: pa.Schema) -> pa.Schema:
    owned = [*_OWNED, *(_COMMITTED if name == "submissions" else ())]
    known = {field.name for field in owned}
    # Columns that a later release adds are null in older rows, so that none is required here.
    own = [pa.field(field.name, field.type) for field in schema if field.name not in known]
    return pa.schema([*owned, *own])


STORED: dict[str, pa.Schema] = {name: _stored(name, schema) for name, schema in TABLES.items()}
CHILDREN = tuple(name for name in STORED if name != "submissions")


def owned(
    name: str, table: pa.Table, owners: list[tuple[str | None, str | None]], keys: Mapping[str, Any]
) -> pa.Table:
    """Return normalised rows as rows of the store.

    Args:
        name: of the table.
        table: n rows, columns as in the schema of the normalised tables.
        owners: division and submitter of each row.
        keys: columns that are the same for all rows, such as ``suite``, ``round``, ``ingest``.

    Raises:
        ValueError: a column that may not be null is.
    """
    for field in TABLES[name]:
        if not field.nullable and table[field.name].null_count:
            raise ValueError(f"{name}.{field.name} is null in a row")
    own = {column: table[column] for column in table.column_names}
    own["division"] = pa.array([division for division, _ in owners], pa.string())
    own["submitter"] = pa.array([submitter for _, submitter in owners], pa.string())
    columns = []
    for field in STORED[name]:
        if field.name in keys:
            columns.append(pa.array([keys[field.name]] * table.num_rows, field.type))
        elif field.name in own:
            columns.append(own[field.name].cast(field.type))
        else:  # what is known when the ingest is made visible
            columns.append(pa.nulls(table.num_rows, field.type))
    return pa.Table.from_arrays(columns, schema=STORED[name])


def with_columns(table: pa.Table, values: Mapping[str, Any]) -> pa.Table:
    """Return a table with these columns set to one value each."""
    for position, field in enumerate(table.schema):
        if field.name in values:
            column = pa.array([values[field.name]] * table.num_rows, field.type)
            table = table.set_column(position, field, column)
    return table
