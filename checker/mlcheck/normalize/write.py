"""Write the normalised tables as Parquet files."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from mlcheck import __version__
from mlcheck.model import Report
from mlcheck.normalize.schema import SCHEMA_VERSION, TABLES
from mlcheck.normalize.tables import rows_of
from mlcheck.tree import Tree, Unreadable


def tables_of(report: Report) -> dict[str, pa.Table]:
    """Return the tables of a report, with what they were made by in their metadata."""
    tree = Tree(report.root)

    @functools.cache
    def digest(path: str) -> str | None:
        raw = tree.read(path)
        return None if isinstance(raw, Unreadable) else hashlib.sha256(raw).hexdigest()

    rows = rows_of(report, digest)
    metadata = _metadata(report)
    return {
        name: pa.Table.from_pylist(rows[name], schema=schema.with_metadata(metadata))
        for name, schema in TABLES.items()
    }


def write_tables(report: Report, folder: Path) -> Iterator[tuple[Path, int]]:
    """Write one file per table; yield each with its number of rows.

    Raises:
        OSError: the folder cannot be written to.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables_of(report).items():
        path = folder / f"{name}.parquet"
        pq.write_table(table, path, compression="zstd")
        yield path, table.num_rows


def _metadata(report: Report) -> dict[str, str]:
    ref = report.rulesets[0]
    return {
        "schema_version": SCHEMA_VERSION,
        "suite": ref.suite,
        "round": ref.round,
        "ruleset_sha256": ref.sha256,
        "tool_version": __version__,
    }
