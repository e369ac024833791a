"""Results as tables: nothing is lost, and every number can be found where it was logged."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from mlcheck import __version__
from mlcheck.model import Report
from mlcheck.normalize.schema import SCHEMA_VERSION, TABLES
from mlcheck.normalize.system_rows import count, named
from mlcheck.normalize.write import tables_of, write_tables
from mlcheck.ruleset import load
from tests import case_files
from tests.command_line import NOTHING, PASS, USAGE, run
from tests.edits import Place, SetJson
from tests.trees import ROUND, digest, verified

Rows = list[dict[str, Any]]
LOG = "closed/Acme/results/acme-edge-1x/resnet50/Offline/performance/run_1/mlperf_log_detail.txt"


def rows(report: Report) -> dict[str, Rows]:
    return {name: table.to_pylist() for name, table in tables_of(report).items()}


@pytest.fixture(params=["inference-v5.1", "inference-v5.1-broken", "OK-power-measured"])
def report(request: pytest.FixtureRequest, scratch: Path) -> Report:
    case_files.build(request.param, scratch / "tree")
    return verified(scratch / "tree")


def test_rows_are_conserved(report: Report) -> None:
    tables = rows(report)
    assert [row["id"] for row in tables["results"]] == [result.id for result in report.results]
    assert len(tables["systems"]) == len(report.systems)
    assert len(tables["findings"]) == len(report.findings)
    assert len(tables["metrics"]) == sum(len(result.metrics) for result in report.results)
    assert len(tables["quality"]) == sum(len(result.quality) for result in report.results)
    assert len(tables["power"]) == sum(result.power is not None for result in report.results)
    assert sum(row["results"] for row in tables["submissions"]) == len(report.results)
    assert sum(row["valid"] for row in tables["submissions"]) == sum(
        result.verdict == "valid" for result in report.results
    )


def test_keys_lead_somewhere(report: Report) -> None:
    tables = rows(report)
    results = {row["id"]: row for row in tables["results"]}
    for name in ("metrics", "quality", "power", "provenance"):
        assert {row["result_id"] for row in tables[name]} <= set(results)
    systems = {(row["division"], row["submitter"], row["system"]) for row in tables["systems"]}
    for row in results.values():
        assert (row["division"], row["submitter"], row["system"]) in systems
    for row in tables["findings"]:
        assert set(row["results"]) <= set(results)


def test_a_raw_value_stands_in_the_line_that_provenance_names(report: Report) -> None:
    tables = rows(report)
    raw = {
        (row["result_id"], f"{kind}:{row['name']}"): row["value_raw"]
        for table, kind in (("metrics", "metric"), ("quality", "quality"))
        for row in tables[table]
    }
    seen = set()
    for row in tables["provenance"]:
        content = Path(report.root, row["path"]).read_bytes()
        assert row["sha256"] == hashlib.sha256(content).hexdigest()
        if row["field"] == "power":
            continue
        line = content.decode().split("\n")[row["line"] - 1]
        key = (row["result_id"], row["field"])
        assert raw[key] in line
        seen.add(key)
    assert seen == set(raw)


def test_parquet_gives_back_what_was_written(report: Report, scratch: Path) -> None:
    written = dict(write_tables(report, scratch / "out"))
    tables = tables_of(report)
    assert {path.name for path in written} == {f"{name}.parquet" for name in TABLES}
    for path, count_of_rows in written.items():
        table = pq.read_table(path)
        assert table.equals(tables[path.stem])
        assert table.schema.equals(TABLES[path.stem])
        assert table.num_rows == count_of_rows


def test_each_file_says_what_it_was_made_by(example: Path, scratch: Path) -> None:
    for path, _ in write_tables(verified(example), scratch / "out"):
        assert pq.read_schema(path).metadata == {
            b"schema_version": SCHEMA_VERSION.encode(),
            b"suite": b"inference",
            b"round": ROUND.encode(),
            b"ruleset_sha256": load("inference", ROUND).sha256.encode(),
            b"tool_version": __version__.encode(),
        }


@pytest.mark.parametrize(
    "logged", ["18446744073709551615", "5310.123456789012345678", "5.0e3", "5000.000"]
)
def test_values_keep_the_text_that_was_logged(tree: Path, logged: str) -> None:
    log = tree / LOG
    old = '"result_samples_per_second", "value": '
    head, _, tail = log.read_text().partition(old)
    log.write_text(f"{head}{old}{logged}{tail[tail.index(',') :]}")
    (row,) = (
        row
        for row in rows(verified(tree))["metrics"]
        if row["value_raw"] == logged and row["role"] == "primary"
    )
    assert row["value"] == float(logged)


def test_verdicts_of_both_are_there(broken_example: Path) -> None:
    report = verified(broken_example)
    for row, result in zip(rows(report)["results"], report.results, strict=True):
        assert (row["verdict"], row["official_verdict"]) == (
            result.verdict,
            result.official_verdict,
        )


def test_a_description_is_kept_as_it_was_submitted(tree: Path) -> None:
    members = {"accelerators_per_node": " 4 ", "number_of_nodes": 2, "hw_notes": "Ω \x07"}
    SetJson(path="systems/acme-edge-1x.json", members=members).apply(Place(tree, "closed/Acme"))
    (row,) = (row for row in rows(verified(tree))["systems"] if row["system"] == "acme-edge-1x")
    assert (row["nodes"], row["accelerators_per_node"], row["accelerators_total"]) == (2, 4, 8)
    assert json.loads(row["description_json"])["hw_notes"] == "Ω \x07"
    assert row["sha256"] == hashlib.sha256((tree / row["path"]).read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("value", "expected"),
    [(8, 8), ("8", 8), (" 08 ", 8), (0, 0), (True, None), (1.5, None), ("one", None), (-1, None),
     (2**31, None), ("9" * 30, None), ("²", None), (None, None), ([8], None)],
)  # fmt: skip
def test_counts(value: object, expected: int | None) -> None:
    assert count(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [("  Acme \t P16 ", "Acme P16"), ("N/A", None), ("-", None), ("", None), (8, None)],
)
def test_names(value: object, expected: str | None) -> None:
    assert named(value) == expected


def test_the_command_writes_all_tables(example: Path, scratch: Path) -> None:
    before = digest(example)
    made = run("normalize", example, "--out", scratch / "new/folder")
    assert made.exit_code == PASS
    assert len(made.stdout.splitlines()) == len(TABLES)
    assert {path.stem for path in (scratch / "new/folder").iterdir()} == set(TABLES)
    assert digest(example) == before


def test_invalid_results_are_written_too(broken_example: Path, scratch: Path) -> None:
    assert run("normalize", broken_example, "--out", scratch).exit_code == PASS
    assert pq.read_table(scratch / "results.parquet").num_rows == 6


def test_the_submission_is_not_written_to(tree: Path, scratch: Path) -> None:
    (scratch / "link").symlink_to(tree)
    before = digest(tree)
    for out in (tree, tree / "tables", scratch / "link/tables"):
        made = run("normalize", tree, "--out", out)
        assert (made.exit_code, made.stdout) == (USAGE, "")
    assert digest(tree) == before


def test_nothing_to_write(scratch: Path, example: Path) -> None:
    (scratch / "tree/closed").mkdir(parents=True)
    assert run("normalize", scratch / "tree", "--out", scratch / "out").exit_code == NOTHING
    assert not (scratch / "out").exists()
    assert run("normalize", example).exit_code == USAGE


def test_a_folder_that_cannot_be_written(example: Path, scratch: Path) -> None:
    (scratch / "file").touch()
    assert run("normalize", example, "--out", scratch / "file").exit_code == USAGE


def test_names_that_are_no_text(tree: Path) -> None:
    results = os.fsencode(tree / "closed/Acme/results")
    os.rename(os.path.join(results, b"acme-edge-1x"), os.path.join(results, b"caf\xe9"))
    assert len(rows(verified(tree))["results"]) == 11
