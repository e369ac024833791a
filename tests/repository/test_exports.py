"""Exports are what the field's own tools write and read."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mlcheck.normalize.schema import TABLES
from mlcheck.overlay import RulesetError
from mlcheck.repository.exports import inference_summary, training_summary
from mlcheck.repository.exports.facts import published
from mlcheck.repository.exports.items import Item, _accuracy, items
from mlcheck.repository.exports.summary_json import summary_documents
from mlcheck.repository.filters import Filters
from mlcheck.repository.reader import of_store
from mlcheck.repository.store import Store
from mlcheck.ruleset import rounds
from mlcheck.suites.registry import SUITES
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
    for suite in SUITES:
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


def test_what_was_entered_for_its_power_has_no_speed(measured: str) -> None:
    facts, found = items(of_store(Store(measured)), Filters())
    item = next(item for item in found if item.row["power_value"] is not None)
    alone = replace(item, row={**item.row, "power_only": True})
    (document,) = summary_documents(facts, [alone], None)
    assert document["Power_Result"] == item.row["power_value"]
    assert "Performance_Result" not in document
    (line,) = inference_summary.summary_rows(facts, [alone])
    assert line["Result"] == item.row["power_value"]


def test_accuracy_has_what_a_round_names_first_and_then_the_rest() -> None:
    facts = published("inference", "v5.1")
    named = facts.quality["llama2-70b-99"]
    quality = {name: {"value_raw": f"{len(name)}"} for name in ("ANOTHER", *reversed(named))}
    texts = [f"{name}: {len(name)}" for name in (*named, "ANOTHER")]
    assert _accuracy(quality, {"benchmark": "llama2-70b-99"}, facts) == "  ".join(texts)


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


def test_formats_that_are_not_of_a_suite_or_view_are_refused(examples: str) -> None:
    refused = run("export", "--format", "summary-json", *TRAINING, "--store", examples)
    assert (refused.exit_code, "use summary-csv" in refused.stderr) == (USAGE, True)
    words = ("--format", "summary-csv", "--view", "systems", *INFERENCE, "--store", examples)
    refused = run("export", *words)
    assert (refused.exit_code, "summary-csv has no views" in refused.stderr) == (USAGE, True)


def test_summary_of_mobile_is_a_row_per_device(devices: str) -> None:
    """Every accepted result and accuracy stands in it, its unit above it."""
    found = rows(exported(devices, "--format", "summary-csv"))
    everything = json.loads(exported(devices, "--format", "json"))
    quality = json.loads(exported(devices, "--format", "json", "--view", "quality"))
    assert [(row["division"], row["submitter"], row["system"]) for row in found] == sorted(
        {(row["division"], row["submitter"], row["system"]) for row in everything}
    )
    accuracy = {each["result_id"]: each for each in quality}
    shown = 0
    for row in everything:
        (device,) = (
            r for r in found if (r["submitter"], r["system"]) == (row["submitter"], row["system"])
        )
        title = f"{row['benchmark']} {row['scenario']}"
        assert float(device[f"{title} ({row['unit']})"]) == row["value"]
        mine = accuracy[row["id"]]
        (other,) = (n for n in device if n.startswith(f"{title} {mine['name']}"))
        assert float(device[other]) == mine["value"]
        shown += 2
    numbers = [cell for r in found for name, cell in r.items() if " " in name and cell]
    assert len(numbers) == shown
    acme = next(row for row in found if row["system"] == "acme-p1")
    assert (acme["device"], acme["soc"], acme["soc_id"]) == (
        "Acme Phone 1", "Invented Mobile Chip M1", "IM1000",
    )  # fmt: skip
    assert acme["details_url"] == (
        "https://github.com/mlcommons/mobile_results_v5.0/tree/main/closed/Acme/results/acme-p1"
    )
    titles = [name for name in acme if " " in name]
    assert titles[:2] == [
        "image_classification_v2 SingleStream (ms)",
        "image_classification_v2 SingleStream Top-1 (%)",
    ]
    tasks = [
        title.partition(" ")[0] for title in titles if title.endswith((" (ms)", " (samples/s)"))
    ]
    order = published("mobile", "v5.0").benchmarks
    assert tasks == sorted(tasks, key=order.index)
    assert "object_detection SingleStream mAP" in titles  # a unit that the name says already


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
    assert list(found) == ["closed", "closed - power", "open"]
    head = found["closed"][0]
    assert "llama2_70b_lora (minutes)" in head
    assert not any("(J)" in title for title in head)


def test_the_spreadsheet_of_training_has_sheets_of_energy(examples: str, scratch: Path) -> None:
    """Systems with a measurement, each with its times and the energy beside."""
    found = sheets(workbook(examples, scratch, *TRAINING))
    assert [name for name in found if name.endswith(" - power")] == ["closed - power"]
    head, _, line = found["closed - power"]
    cells = dict(zip(head, line, strict=True))
    everything = json.loads(exported(examples, "--format", "json", *TRAINING))
    (measured,) = (row for row in everything if row["power_value"] is not None)
    assert cells["submitter"] == measured["submitter"]
    assert cells["retinanet (minutes)"] == pytest.approx(measured["value"])
    assert cells["retinanet (J)"] == pytest.approx(measured["power_value"])
    at = head.index("retinanet (minutes)")
    assert head[at + 1] == "retinanet (J)"
    assert "llama2_70b_lora (minutes)" not in head


def test_the_spreadsheet_of_mobile(devices: str, scratch: Path) -> None:
    found = sheets(workbook(devices, scratch))
    table = rows(exported(devices, "--format", "summary-csv"))
    divisions = sorted({row["division"] for row in table})
    assert sorted(found) == sorted(d + kind for d in divisions for kind in ("", " - accuracy"))
    for division in divisions:
        mine = [row for row in table if row["division"] == division]
        for name in (division, f"{division} - accuracy"):
            head, group, *lines = found[name]
            assert group[0] in ("available", "availability is not stated")
            assert len(lines) == len(mine)
            for line, row in zip(lines, mine, strict=True):
                cells = dict(zip(head, line, strict=True))
                assert {k for k, v in cells.items() if v is not None} == {
                    k for k in cells if row[k]
                }
                for column, cell in cells.items():
                    if isinstance(cell, float):
                        assert cell == pytest.approx(float(row[column]), rel=1e-15)
                    elif cell is not None:
                        assert str(cell) == row[column]
        assert set(found[division][0]) | set(found[f"{division} - accuracy"][0]) == set(table[0])


def test_any_view_as_a_spreadsheet(examples: str, scratch: Path) -> None:
    (sheet,) = sheets(workbook(examples, scratch, "--view", "systems")).values()
    table = json.loads(exported(examples, "--format", "json", "--view", "systems"))
    assert sheet[0] == list(table[0])
    assert len(sheet) == 1 + len(table)


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
    from mlcheck.ruleset import load
    from tests.repository.conftest import judged

    answer = run(
        "export", "--format", "parquet", "-o", scratch / "t", *INFERENCE, "--store", examples
    )
    assert answer.exit_code == PASS
    for name, table in tables_of(judged(EXAMPLES / "inference-v5.1")).items():
        back = pq.read_table(scratch / "t" / f"{name}.parquet")
        assert back.schema.equals(TABLES[name])
        assert sorted(map(str, back.to_pylist())) == sorted(map(str, table.to_pylist()))
    made_by = json.loads(back.schema.metadata[b"made_by"])
    assert made_by["inference v5.1"]["ruleset_sha256"] == load("inference", "v5.1").sha256
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
    facts = replace(published("inference", "v5.1"), columns=("Organization", "Shoe size"))
    items: list[Item] = []
    with pytest.raises(RulesetError, match="no column Shoe size can be made"):
        inference_summary.summary_rows(facts, items)
