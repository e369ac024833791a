"""What is refused, and what the refusal says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mlcheck.normalize.schema import TABLES
from mlcheck_report import ReportError, render
from mlcheck_report.tables import OPTIONAL, read

Rows = dict[str, list[dict[str, Any]]]
Write = Callable[..., Path]


@pytest.mark.parametrize("name", [name for name in TABLES if name not in OPTIONAL])
def test_missing_table_is_named(rows: Rows, write: Write, name: str) -> None:
    folder = write(rows)
    (folder / f"{name}.parquet").unlink()
    with pytest.raises(ReportError, match=rf"{name}\.parquet is missing"):
        read(folder)


@pytest.mark.parametrize("name", sorted(OPTIONAL))
def test_tables_of_earlier_versions_lack_some(rows: Rows, write: Write, name: str) -> None:
    folder = write(rows)
    (folder / f"{name}.parquet").unlink()
    assert len(read(folder).frames[name]) == 0


def test_several_folders_are_read_as_one(rows: Rows, write: Write, tmp_path: Path) -> None:
    first = write(rows).rename(tmp_path / "first")
    for name in ("results", "submissions", "systems", "findings", "outcomes", "offers"):
        for row in rows[name]:
            row["round"] = "v6.0"
    for name in ("metrics", "quality", "power", "provenance"):
        for row in rows[name]:
            row["result_id"] = f"{row['result_id']}0"
    for row in rows["results"]:
        row["id"] = f"{row['id']}0"
    second = write(rows, tool_version="7")
    tables = read(first, second)
    assert tables.rounds() == [("inference", "v5.1"), ("inference", "v6.0")]
    assert tables.metadata["inference", "v6.0"]["tool_version"] == "7"
    assert read(tmp_path).rounds() == tables.rounds()
    assert len(tables.of("inference", "v6.0")["metrics"]) == len(rows["metrics"])


@pytest.mark.parametrize(
    ("stated", "shown"),
    [
        ('{"inference v5.1": {"ruleset_sha256": "b2"}}', "b2"),
        ('{"inference v5.0": {"ruleset_sha256": "b2"}}', "a1,b2"),
        ('["inference v5.1"]', "a1,b2"),
        ('{"inference v5.1": "b2"}', "a1,b2"),
        ("{", "a1,b2"),
        ("[" * 100_000, "a1,b2"),
    ],
)
def test_export_of_a_store_says_of_each_round_how_it_was_made(
    rows: Rows, write: Write, stated: str, shown: str
) -> None:
    tables = read(write(rows, ruleset_sha256="a1,b2", made_by=stated))
    assert tables.metadata["inference", "v5.1"]["ruleset_sha256"] == shown
    assert tables.metadata["inference", "v5.1"]["tool_version"] == "1.2.3"


def test_same_round_from_two_folders(rows: Rows, write: Write, tmp_path: Path) -> None:
    first = write(rows).rename(tmp_path / "first")
    with pytest.raises(ReportError, match="there are two rows with the same suite, round"):
        read(first, write(rows))


def test_file_that_is_no_parquet(rows: Rows, write: Write) -> None:
    folder = write(rows)
    (folder / "power.parquet").write_bytes(b"")
    with pytest.raises(ReportError, match=r"power\.parquet cannot be read as Parquet"):
        read(folder)


def test_other_schema_version(rows: Rows, write: Write) -> None:
    with pytest.raises(ReportError, match=r"schema_version 9\.0, this report reads 1\."):
        read(write(rows, schema_version="9.0"))


@pytest.mark.parametrize("name", ["results", "submissions"])
def test_empty_table(rows: Rows, write: Write, name: str) -> None:
    rows[name] = []
    with pytest.raises(ReportError, match=rf"{name}\.parquet is empty"):
        read(write(rows))


def test_lost_column(rows: Rows, write: Write) -> None:
    folder = write(rows)
    path = folder / "metrics.parquet"
    pq.write_table(pq.read_table(path).drop_columns(["unit", "better"]), path)
    with pytest.raises(ReportError, match=r"metrics\.parquet lacks the columns unit, better"):
        read(folder)


def test_column_of_another_type(rows: Rows, write: Write) -> None:
    folder = write(rows)
    path = folder / "metrics.parquet"
    table = pq.read_table(path)
    words = pa.array(["many"] * table.num_rows)
    table = table.set_column(table.column_names.index("value"), "value", words)
    pq.write_table(table, path)
    with pytest.raises(ReportError, match=r"metrics\.parquet breaks the schema"):
        read(folder)


def test_missing_value(rows: Rows, write: Write) -> None:
    folder = write(rows)
    path = folder / "results.parquet"
    table = pq.read_table(path)
    nothing = pa.nulls(table.num_rows, pa.string())
    table = table.set_column(table.column_names.index("submitter"), "submitter", nothing)
    pq.write_table(table, path)
    with pytest.raises(ReportError, match=r"results\.parquet has rows without submitter"):
        read(folder)


def test_same_id_twice(rows: Rows, write: Write) -> None:
    rows["results"].append(rows["results"][0])
    with pytest.raises(ReportError, match="two rows with the same id"):
        read(write(rows))


def test_round_that_makes_no_file_name(rows: Rows, write: Write, tmp_path: Path) -> None:
    for row in rows["results"]:
        row["round"] = "../v5"
    with pytest.raises(ReportError, match="do not make a file name"):
        render(write(rows), out=tmp_path / "out")
    assert not (tmp_path / "out").exists()
