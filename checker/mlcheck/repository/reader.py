"""What counts in a store, as tables of DuckDB: the questions of all commands are asked here.

Views, by name: the normalised tables with the rows that count; ``submissions_history`` with every
submission there ever was; ``leaderboard`` with one row per result and what belongs to it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from mlcheck.repository.errors import AskError, StoreError
from mlcheck.repository.extras import need
from mlcheck.repository.leaderboard import JOINED, leaderboard_sql
from mlcheck.repository.store import SUBMISSIONS, Store

Row = dict[str, Any]
CHILDREN = (
    "systems",
    "results",
    "metrics",
    "quality",
    "power",
    "findings",
    "outcomes",
    "offers",
    "provenance",
)
HISTORY = "submissions_history"
LEADERBOARD = "leaderboard"
_TYPES = {
    "string": "VARCHAR",
    "integer": "INTEGER",
    "long": "BIGINT",
    "short": "SMALLINT",
    "double": "DOUBLE",
    "float": "FLOAT",
    "boolean": "BOOLEAN",
    "date": "DATE",
    "timestamp": "TIMESTAMPTZ",
}
_PACKAGE = {
    "findings",
    "outcomes",
    "offers",
}  # may be about the package as a whole, and so nobody's


class Reader:
    """A connection to what counts. Nothing can be changed through it."""

    def __init__(self, connection: Any) -> None:
        """Take a connection that has the views; see the functions that make one."""
        self._connection = connection

    def rows(self, statement: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """Return the rows of a statement of our own."""
        columns, rows = self.answer(statement, parameters)
        return [dict(zip(columns, row, strict=True)) for row in rows]

    def answer(
        self, statement: str, parameters: Sequence[Any] = ()
    ) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Return columns and rows of a statement.

        Raises:
            AskError: DuckDB refuses it; the text says why.
        """
        duckdb = need("duckdb")
        try:
            answer = self._connection.execute(statement, list(parameters))
            return [column[0] for column in answer.description], answer.fetchall()
        except duckdb.Error as err:
            raise AskError(f"SQL: {str(err).strip()}") from err

    def selected(self, statement: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Return the answer to a statement that somebody typed.

        Raises:
            AskError: it is not one statement that only reads, or DuckDB refuses it.
        """
        duckdb = need("duckdb")
        try:
            kinds = [each.type for each in self._connection.extract_statements(statement)]
        except duckdb.Error as err:
            raise AskError(f"SQL: {str(err).strip()}") from err
        reading = (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN)
        if len(kinds) != 1 or kinds[0] not in reading:
            raise AskError("SQL: give one SELECT; a store is changed by mlcheck ingest alone")
        return self.answer(statement)

    def columns(self, view: str) -> list[tuple[str, str]]:
        """Return names and types of the columns of a view."""
        _, rows = self.answer(f"DESCRIBE {view}")
        return [(row[0], row[1]) for row in rows]


def of_store(store: Store, collection: str | None = None, ingest: str | None = None) -> Reader:
    """Return a reader of a store.

    Args:
        store: to read.
        collection: show this collection alone. None: all.
        ingest: show what this ingest brought, replaced or not. None: what counts now.

    Raises:
        StoreError: there is no store, it is broken, or it was made by an older mlcheck.
    """
    connection, duckdb = _connection(), need("duckdb")
    paths: list[str] = []
    try:
        for name in (SUBMISSIONS, *CHILDREN):
            paths += _register(connection, store, name)
        _views(connection, _condition(collection, ingest))
        connection.execute(f"SET allowed_paths = {_list(paths)}")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
    except duckdb.BinderException as err:
        raise StoreError(
            f"{store.uri} was made by an older mlcheck; ingest something to bring it up to date: "
            f"{_first_line(err)}"
        ) from err
    except duckdb.Error as err:
        raise StoreError(f"cannot read {store.uri}: {_first_line(err)}") from err
    return Reader(connection)


def of_tables(tables: Mapping[str, Any]) -> Reader:
    """Return a reader of Arrow tables with the columns of a store, such as those of one tree."""
    connection = _connection()
    for name, table in tables.items():
        connection.register(f"raw_{name}", table)
    _views(connection, "true")
    return Reader(connection)


def _connection() -> Any:
    connection = need("duckdb").connect(":memory:")
    connection.execute("SET python_enable_replacements = false")
    connection.execute("SET parquet_metadata_cache = true")  # views are bound again and again
    return connection


def _register(connection: Any, store: Store, name: str) -> list[str]:
    """Make ``raw_NAME``: all rows of a table. Return what it may open for that."""
    table = store.table(name)
    fields = json.loads(table.schema().to_json())["fields"]
    empty = ", ".join(f"NULL::{_type(f['type'])} AS {_name(f['name'])}" for f in fields)
    files = store.files(name) if store.local else []
    patterns = [_unglobbed(file) for file in files]
    lines = [f"SELECT {empty} WHERE false"]
    if files:
        options = "hive_partitioning = true, hive_types_autocast = false, union_by_name = true"
        lines.insert(0, f"SELECT * FROM read_parquet({_list(patterns)}, {options})")
    elif table.file_uris():
        connection.register(f"far_{name}", table.to_pyarrow_dataset())
        lines.insert(0, f"SELECT * FROM far_{name}")
    connection.execute(f"CREATE VIEW raw_{name} AS {' UNION ALL BY NAME '.join(lines)}")
    return [*files, *patterns]


def _views(connection: Any, condition: str) -> None:
    """Make the views that everybody asks."""
    connection.execute(f"CREATE VIEW {HISTORY} AS SELECT * FROM raw_{SUBMISSIONS}")
    connection.execute(f"CREATE TABLE {SUBMISSIONS} AS FROM {HISTORY} WHERE {condition}")
    for name in CHILDREN:
        mine = f"SELECT c.* FROM raw_{name} c SEMI JOIN {SUBMISSIONS} USING "
        view = f"{mine}(suite, round, ingest, division, submitter)"
        if name in _PACKAGE:
            view += f" UNION ALL {mine}(suite, round, ingest) WHERE c.submitter IS NULL"
        connection.execute(f"CREATE VIEW {name} AS {view}")
    columns = {
        name: [row[0] for row in connection.execute(f"DESCRIBE {name}").fetchall()]
        for name in JOINED
    }
    connection.execute(f"CREATE VIEW {LEADERBOARD} AS {leaderboard_sql(columns)}")


def _condition(collection: str | None, ingest: str | None) -> str:
    parts = ["replaced_by IS NULL" if ingest is None else f"ingest = {_text(ingest)}"]
    if collection is not None:
        parts.append(f"collection = {_text(collection)}")
    return " AND ".join(parts)


def _type(kind: Any) -> str:
    if isinstance(kind, dict):
        return f"{_type(kind['elementType'])}[]"
    return _TYPES[kind]


def _name(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _list(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(_text, texts))}]::VARCHAR[]"


def _first_line(err: BaseException) -> str:
    return (str(err).strip().splitlines() or [type(err).__name__])[0]


def _unglobbed(path: str) -> str:
    """Escape what DuckDB would take for a pattern."""
    return re.sub(r"[*?\[]", r"[\g<0>]", path)
