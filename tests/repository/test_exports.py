"""Exports are what the field's own tools write and read."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from mlcheck.normalize.schema import TABLES
from mlcheck.overlay import RulesetError
from mlcheck.repository.exports import inference_summary, training_summary
from mlcheck.repository.exports.facts import published
from mlcheck.repository.exports.items import Item
from mlcheck.repository.store import Store
from mlcheck.ruleset import rounds
from tests import case_files
from tests.command_line import PASS, USAGE, run
from tests.edits import Place, SetJson
from tests.repository.conftest import keep
from tests.trees import EXAMPLES

INFERENCE = ("--suite", "inference")
TRAINING = ("--suite", "training")


def exported(store: str, *words: str) -> str:
    answer = run("export", *words, "--store", store)
    assert answer.exit_code == PASS, answer.stderr
    return answer.stdout


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_every_round_says_what_its_tool_writes() -> None:
    for suite in ("inference", "training"):
        cells = inference_summary._CELLS if suite == "inference" else None
        for round_ in rounds(suite):
            if (suite, round_) == ("inference", "v0.5"):
                continue  # its checker writes none
            facts = published(suite, round_)
            if cells:
                assert set(facts.columns) <= set(cells)
            assert facts.benchmarks


def test_all_units_of_all_rounds_have_an_official_name() -> None:
    from mlcheck.ruleset import load

    for round_ in rounds("inference"):
        if round_ == "v0.5":
            continue
        facts = published("inference", round_)
        document = load("inference", round_).document
        units = {kind["unit"] for kind in document["metrics"].values()}
        primary = {scenario["metric"] for scenario in document["scenarios"].values()}
        primary |= {
            m for b in document["benchmarks"].values() for m in b.get("metrics", {}).values()
        }
        wanted = {document["metrics"][name]["unit"] for name in primary}
        assert wanted <= units
        for unit in (*wanted, "W", document["power"]["energy_unit"]):
            assert facts.unit(unit)
    with pytest.raises(RulesetError, match="no name for the unit furlongs"):
        facts.unit("furlongs")


def test_summary_of_inference(examples: str) -> None:
    found = rows(exported(examples, "--format", "summary-csv", *INFERENCE))
    assert len(found) == 11
    (row,) = (r for r in found if r["Location"].endswith("acme-edge-1x/resnet50/Offline"))
    assert row == {
        "Organization": "Acme", "Availability": "available", "Division": "closed",
        "SystemType": "edge", "SystemName": "Acme Brook E1 (1x Pebble P16, AcmeRT)",
        "Platform": "acme-edge-1x", "Model": "resnet50", "MlperfModel": "resnet",
        "Scenario": "Offline", "Result": "5299.91", "Accuracy": "acc: 76.108",
        "number_of_nodes": "1", "host_processor_model_name": "Acme Reed R8",
        "host_processors_per_node": "1",
        "host_processor_core_count": row["host_processor_core_count"],
        "accelerator_model_name": "Acme Pebble P16", "accelerators_per_node": "1",
        "Location": "closed/Acme/results/acme-edge-1x/resnet50/Offline",
        "framework": "AcmeRT 3.2", "operating_system": row["operating_system"],
        "notes": row["notes"],
        "compliance": "1", "errors": "0", "version": "v5.1", "inferred": row["inferred"],
        "has_power": "False", "Units": "Samples/s", "weight_data_types": row["weight_data_types"],
    }  # fmt: skip


def test_refused_results_are_in_no_official_summary(scratch: Path) -> None:
    store = Store(str(scratch / "store"))
    keep(store, EXAMPLES / "inference-v5.1-broken")
    answer = run("export", "--format", "summary-csv", "--store", store.uri)
    assert answer.exit_code == USAGE


@pytest.fixture
def measured(scratch: Path) -> str:
    """Return a store with a result that has measured power."""
    case_files.build("OK-power-measured", scratch / "tree")
    store = Store(str(scratch / "store"))
    keep(store, scratch / "tree")
    return store.uri


def test_power_is_a_row_of_its_own_and_joined_in_json(measured: str) -> None:
    found = rows(exported(measured, "--format", "summary-csv"))
    power = [row for row in found if row["Units"] in ("Watts", "millijoules")]
    assert power
    documents = json.loads(exported(measured, "--format", "summary-json"))
    with_power = [row for row in documents if row["has_power"]]
    assert len(with_power) == len(power)
    assert len(documents) == len(found) - len(power)
    for row in power:
        (mine,) = (d for d in with_power if d["Location"] == row["Location"])
        assert (mine["Power_Result"], mine["Power_Units"]) == (float(row["Result"]), row["Units"])
        (speed,) = (r for r in found if r["Location"] == row["Location"] and r is not row)
        assert mine["Performance_Result"] == float(speed["Result"])
        assert speed["has_power"] == row["has_power"] == "True"


def test_public_numbers_count_lines_by_division_availability_and_submitter(examples: str) -> None:
    documents = json.loads(exported(examples, "--format", "summary-json", *INFERENCE))
    lines = {row["ID"]: row["Unique ID (e.g. for Audit)"] for row in documents}
    assert lines == {
        "5.1-0001": "datacenter/closed/Acme/acme-dc-8x",
        "5.1-0002": "edge/closed/Acme/acme-edge-1x",
        "5.1-0003": "edge/open/Borealis/borealis-mini/tinynet-v1",
    }
    assert [row["ID"] for row in documents] == sorted(row["ID"] for row in documents)
    home = "https://github.com/mlcommons/inference_results_v5.1/tree/main/closed/Acme"
    assert documents[0]["Details"] == f"{home}/results/acme-dc-8x"
    assert documents[0]["Code"] == f"{home}/code"
    other = exported(
        examples,
        "--format",
        "summary-json",
        *INFERENCE,
        "--repository",
        "https://example.org/r.git",
    )
    assert json.loads(other)[0]["Code"] == "https://example.org/r/tree/main/closed/Acme/code"


def test_summary_of_training(examples: str) -> None:
    found = rows(exported(examples, "--format", "summary-csv", *TRAINING))
    facts = published("training", "v5.1")
    assert list(found[0]) == training_summary.column_names(facts)
    values = [row[name] for row in found for name in facts.benchmarks if row[name]]
    everything = json.loads(exported(examples, "--format", "json", *TRAINING))
    assert sorted(map(float, values)) == sorted(row["value"] for row in everything)


def test_a_suite_without_summary_and_a_round_without(examples: str) -> None:
    refused = run("export", "--format", "summary-json", *TRAINING, "--store", examples)
    assert (refused.exit_code, "use summary-csv" in refused.stderr) == (USAGE, True)


def sheets(content: bytes) -> dict[str, list[list[Any]]]:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.load_workbook(io.BytesIO(content))
    return {s.title: [list(row) for row in s.iter_rows(values_only=True)] for s in book.worksheets}


def workbook(store: str, scratch: Path, *words: str) -> bytes:
    pytest.importorskip("xlsxwriter")
    file = scratch / "out.xlsx"
    answer = run("export", "--format", "xlsx", "-o", file, *words, "--store", store)
    assert answer.exit_code == PASS, answer.stderr
    return file.read_bytes()


def test_the_spreadsheet_of_inference(examples: str, scratch: Path) -> None:
    content = workbook(examples, scratch, *INFERENCE)
    found = sheets(content)
    assert list(found) == ["datacenter - closed", "edge - closed", "edge - open"]
    edge = found["edge - closed"]
    index = edge[3].index("Code") + 1
    assert edge[3][:3] == ["ID", "Unique ID (e.g. for Audit)", "ColorKey"]
    models, scenarios, units = (edge[line][index:] for line in range(3))
    assert list(zip(models, scenarios, units, edge[4][index:], strict=True)) == [
        ("resnet", "SingleStream", "Latency (ms)", pytest.approx(0.628022, rel=1e-6)),
        ("resnet", "MultiStream", "Latency (ms)", pytest.approx(2.17432, rel=1e-5)),
        ("resnet", "Offline", "Samples/s", 5299.91),
    ]
    assert "UsedModel" in found["edge - open"][3]
    assert workbook(examples, scratch, *INFERENCE) == content


def test_the_spreadsheet_has_sheets_of_power(measured: str, scratch: Path) -> None:
    assert any(name.endswith(" - power") for name in sheets(workbook(measured, scratch)))


def test_the_spreadsheet_of_training(examples: str, scratch: Path) -> None:
    found = sheets(workbook(examples, scratch, *TRAINING))
    assert set(found) <= {"closed", "open"}
    head = found["closed"][0]
    assert "llama2_70b_lora (minutes)" in head


def test_no_formula_and_no_link_gets_into_a_spreadsheet(tree: Path, scratch: Path) -> None:
    members = {"system_name": "=1+1", "framework": "http://example.org", "hw_notes": "x" * 40_000}
    SetJson(path="systems/acme-edge-1x.json", members=members).apply(Place(tree, "closed/Acme"))
    store = Store(str(scratch / "store"))
    keep(store, tree)
    content = workbook(store.uri, scratch)
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        for name in parts.namelist():
            if name.startswith("xl/worksheets/"):
                assert b"<f>" not in parts.read(name)
                assert b"hyperlink" not in parts.read(name)
    cells = [cell for sheet in sheets(content).values() for row in sheet for cell in row]
    assert "=1+1" in cells


@pytest.mark.parametrize("view", ["leaderboard", "submissions", "submissions_history", *TABLES])
def test_any_view_as_csv_and_json(view: str, examples: str) -> None:
    words = ("--view", view, *INFERENCE, "--accepted-by", "any")
    if view in ("power", "power_trace", "findings", "outcomes"):  # the clean examples have none
        answer = run("export", "--format", "csv", *words, "--store", examples)
        assert answer.exit_code == USAGE
        return
    as_json = json.loads(exported(examples, "--format", "json", *words))
    as_csv = rows(exported(examples, "--format", "csv", *words))
    assert len(as_json) == len(as_csv) > 0
    assert list(as_json[0]) == list(as_csv[0])
    assert {row["suite"] for row in as_csv} == {"inference"}


def test_tables_come_out_as_they_went_in(examples: str, scratch: Path) -> None:
    import pyarrow.parquet as pq

    from mlcheck.normalize.write import tables_of
    from tests.repository.conftest import judged

    answer = run(
        "export", "--format", "parquet", "-o", scratch / "t", *INFERENCE, "--store", examples
    )
    assert answer.exit_code == PASS
    for name, table in tables_of(judged(EXAMPLES / "inference-v5.1")).items():
        back = pq.read_table(scratch / "t" / f"{name}.parquet")
        assert back.schema.equals(TABLES[name])
        assert sorted(map(str, back.to_pylist())) == sorted(map(str, table.to_pylist()))
    assert run("report", scratch / "t", "-o", scratch / "site").exit_code == PASS
    assert run("export", "--format", "parquet", "--store", examples).exit_code == USAGE


def test_pages_are_made_of_a_folder_and_of_an_uri(examples: str, scratch: Path) -> None:
    uri = Path(examples).resolve().as_uri()
    assert run("report", examples, "-o", scratch / "a").exit_code == PASS
    assert run("report", uri, "-o", scratch / "b").exit_code == PASS
    files = (scratch / "a" / "files.txt").read_text().split()
    assert (scratch / "b" / "files.txt").read_text().split() == files
    for name in files:
        assert (scratch / "a" / name).read_bytes() == (scratch / "b" / name).read_bytes()


def test_a_store_that_is_not_there_is_a_mistake_of_the_caller(scratch: Path) -> None:
    for place in ((scratch / "none").as_uri(), "nowhere://bucket/store", str(scratch / "none")):
        answer = run("report", place, "-o", scratch / "site")
        assert answer.exit_code == USAGE, place
        assert not (scratch / "site").exists()


def test_a_column_nobody_can_make_is_an_error_of_the_file() -> None:
    from dataclasses import replace

    facts = replace(published("inference", "v5.1"), columns=("Organization", "Shoe size"))
    items: list[Item] = []
    with pytest.raises(RulesetError, match="no column Shoe size can be made"):
        inference_summary.summary_rows(facts, items)
