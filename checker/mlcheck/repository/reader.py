"""What counts in a store, as tables of DuckDB: the questions of all commands are asked here.

Views, by name: the normalised tables with the rows that count; ``submissions_history`` with every
submission there ever was; ``leaderboard`` with one row per result and what belongs to it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
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
    "power_trace",
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
    """A connection to what counts. Nothing can be changed through it.

    A view is made when a statement names it: to make one, DuckDB opens every file of its tables.
    """

    def __init__(self, connection: Any, views: Mapping[str, _View], uri: str) -> None:
        """Take a connection that has ``submissions``; see the functions that make one.

        Args:
            connection: of DuckDB.
            views: by name, those that may be made.
            uri: of the store, for messages.
        """
        self._connection = connection
        self._unmade = dict(views)
        self._uri = uri

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
            StoreError: the store is broken, or was made by an older mlcheck.
        """
        duckdb = need("duckdb")
        self._make_views(statement)
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

    def _make_views(self, statement: str) -> None:
        """Make the views that a statement may name."""
        for word in sorted({word.lower() for word in re.findall(r"\w+", statement)}):
            self._make_view(word)

    def _make_view(self, name: str) -> None:
        view = self._unmade.pop(name, None)
        if view is not None:
            for needed in view.needs:
                self._make_view(needed)
            with _explained(self._uri):
                self._connection.execute(f"CREATE VIEW {name} AS {view.statement}")


@contextmanager
def _explained(uri: str) -> Iterator[None]:
    """Say what is wrong with a store where DuckDB cannot make its views."""
    duckdb = need("duckdb")
    try:
        yield
    except duckdb.BinderException as err:
        raise StoreError(
            f"{uri} was made by an older mlcheck; ingest something to bring it up to date: "
            f"{_first_line(err)}"
        ) from err
    except duckdb.Error as err:
        raise StoreError(f"cannot read {uri}: {_first_line(err)}") from err


def of_store(store: Store, collection: str | None = None, ingest: str | None = None) -> Reader:
    """Return a reader of a store.

    Args:
        store: to read.
        collection: show this collection alone. None: all.
        ingest: show what this ingest brought, replaced or not. None: what counts now.

    Raises:
        StoreError: there is no store, it is broken, or it was made by an older mlcheck.
    """
    connection = _connection()
    raw: dict[str, _Raw] = {}
    for name in (SUBMISSIONS, *CHILDREN):
        raw[name] = _raw(connection, store, name)
    with _explained(store.uri):
        views = _views(connection, raw, _condition(collection, ingest))
        paths = [path for each in raw.values() for path in each.paths]
        connection.execute(f"SET allowed_paths = {_list(paths)}")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
    return Reader(connection, views, store.uri)


def of_tables(tables: Mapping[str, Any]) -> Reader:
    """Return a reader of Arrow tables with the columns of a store, such as those of one tree."""
    connection = _connection()
    raw = {}
    for name, table in tables.items():
        connection.register(f"far_{name}", table)
        raw[name] = _Raw(f"SELECT * FROM far_{name}", tuple(table.column_names))
    return Reader(connection, _views(connection, raw, "true"), "the tables")


@dataclass(frozen=True, slots=True)
class _View:
    """A view that is not made yet, and the views that it names."""

    statement: str
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Raw:
    """All rows of a table, whether they count or not.

    Attributes:
        statement: that selects them. ``columns``: their names.
        paths: of files, or patterns of them, that are opened for that.
    """

    statement: str
    columns: tuple[str, ...]
    paths: tuple[str, ...] = ()


def _connection() -> Any:
    connection = need("duckdb").connect(":memory:")
    connection.execute("SET python_enable_replacements = false")
    connection.execute("SET parquet_metadata_cache = true")  # views are bound again and again
    return connection


def _raw(connection: Any, store: Store, name: str) -> _Raw:
    """Return the rows of a table of a store."""
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
    columns = tuple(field["name"] for field in fields)
    return _Raw(" UNION ALL BY NAME ".join(lines), columns, (*files, *patterns))


def _views(connection: Any, raw: Mapping[str, _Raw], condition: str) -> dict[str, _View]:
    """Make the tables of submissions; return the views that everybody asks."""
    connection.execute(f"CREATE TABLE {HISTORY} AS {raw[SUBMISSIONS].statement}")
    connection.execute(f"CREATE TABLE {SUBMISSIONS} AS FROM {HISTORY} WHERE {condition}")
    views = {}
    for name in CHILDREN:
        views[f"raw_{name}"] = _View(raw[name].statement)
        mine = f"SELECT c.* FROM raw_{name} c SEMI JOIN {SUBMISSIONS} USING "
        counting = f"{mine}(suite, round, ingest, division, submitter)"
        if name in _PACKAGE:
            counting += f" UNION ALL {mine}(suite, round, ingest) WHERE c.submitter IS NULL"
        views[name] = _View(counting, (f"raw_{name}",))
    board = leaderboard_sql({name: raw[name].columns for name in JOINED})
    return views | {LEADERBOARD: _View(board, JOINED)}


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
