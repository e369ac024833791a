"""Rows of a store as normalised tables again, as ``mlcheck normalize`` writes them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mlcheck.normalize.schema import SCHEMA_VERSION, TABLES
from mlcheck.repository.errors import AskError
from mlcheck.repository.filters import Filters
from mlcheck.repository.reader import Reader

_KEYS = ("suite", "round", "division", "submitter")
_MAKERS = ("ruleset_sha256", "tool_version")


def write_parquet(reader: Reader, filters: Filters, folder: Path) -> Iterator[tuple[Path, int]]:
    """Write one file per table; yield each with its number of rows.

    Every result is written, valid or not. Of the filters, suite, round, division and submitter
    count; findings about a package as a whole come with any of its submissions.

    Raises:
        AskError: nothing passes.
        OSError: the folder cannot be written to.
    """
    given = {key: getattr(filters, key) for key in _KEYS if getattr(filters, key) is not None}
    where = " AND ".join(f"(lower({key}) = lower(?) OR {key} IS NULL)" for key in given) or "true"
    values = list(given.values())
    submissions = reader.rows(f"SELECT * FROM submissions WHERE {where}", values)
    if not submissions:
        raise AskError("no submissions pass these filters")
    metadata = _metadata(submissions)
    folder.mkdir(parents=True, exist_ok=True)
    for name, schema in TABLES.items():
        names = ", ".join(f'"{field.name}"' for field in schema)
        order = f"path, {names}" if "path" in schema.names else names  # no two rows are equal
        rows = reader.rows(f"SELECT {names} FROM {name} WHERE {where} ORDER BY {order}", values)
        table = pa.Table.from_pylist(rows, schema=schema.with_metadata(metadata))
        path = folder / f"{name}.parquet"
        pq.write_table(table, path, compression="zstd")
        yield path, table.num_rows


def _metadata(submissions: list[dict[str, Any]]) -> dict[str, str]:
    """Return what the files say of their making: of all rows, and in ``made_by`` round by round."""
    rounds: dict[str, list[dict[str, Any]]] = {}
    for row in submissions:
        rounds.setdefault(f"{row['suite']} {row['round']}", []).append(row)
    return {
        "schema_version": SCHEMA_VERSION,
        **{column: _all_of(column, submissions) for column in ("suite", "round", *_MAKERS)},
        "made_by": json.dumps(
            {name: {key: _all_of(key, rows) for key in _MAKERS} for name, rows in rounds.items()},
            sort_keys=True,
        ),
    }


def _all_of(column: str, rows: Iterable[Mapping[str, Any]]) -> str:
    return ",".join(sorted({row[column] for row in rows}))
