"""The numbers that are published: which of two records counts, in which unit, from which place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mlcheck.engine import Job, verify
from mlcheck.model import Report, Result
from mlcheck.normalize.tables import rows_of
from tests.mobile import cases

ACME = "closed/Acme/results/acme-p1"
BOLT = "closed/Bolt/results/bolt-b2"
RECORD = f"{ACME}/result.json"


def report_of(root: Path, *edits: dict[str, Any]) -> Report:
    cases.build({"edits": list(edits)}, root)
    return verify(Job(root=str(root), suite="mobile", round="v5.0"), jobs=1)


def result(report: Report, benchmark: str, system: str = "acme-p1") -> Result:
    return next(r for r in report.results if (r.system, r.benchmark) == (system, benchmark))


def value(found: Result, name: str) -> tuple[float, str, str]:
    metric = next(metric for metric in found.metrics if metric.name == name)
    return metric.value, metric.unit, metric.role


def test_a_single_stream_publishes_its_latency_in_ms(scratch: Path) -> None:
    found = result(report_of(scratch / "t"), "object_detection")
    assert value(found, "latency_p90") == (0.702118, "ms", "primary")
    rate, unit, role = value(found, "throughput")
    assert rate == pytest.approx(1e9 / 702_118)
    assert (unit, role) == ("samples/s", "secondary")
    assert found.primary
    assert found.primary.better == "lower"


def test_offline_publishes_the_rate_of_the_app(scratch: Path) -> None:
    edit = {"file": RECORD, "set": {"results.5.performance_run.throughput.value": 1015.5}}
    found = result(report_of(scratch / "t", edit), "image_classification_offline_v2")
    assert value(found, "throughput") == (1015.5, "samples/s", "primary")
    assert found.primary
    assert found.primary.source.path == RECORD


def test_without_the_app_the_rate_of_loadgen_counts(scratch: Path) -> None:
    report = report_of(scratch / "t", {"file": RECORD, "delete": True})
    found = result(report, "image_classification_offline_v2")
    assert value(found, "throughput") == (1010.92, "samples/s", "primary")
    rate, _, role = value(result(report, "object_detection"), "throughput")
    assert rate == pytest.approx(1e9 / 702_118)
    assert role == "secondary"


def test_latency_is_that_of_the_log_not_of_the_app(scratch: Path) -> None:
    edit = {"file": RECORD, "set": {"results.1.performance_run.loadgen.latency90": 0.5}}
    found = result(report_of(scratch / "t", edit), "object_detection")
    assert value(found, "latency_p90")[0] == 0.702118


def test_a_torn_log_leaves_the_latency_of_the_summary_and_then_of_the_app(scratch: Path) -> None:
    folder = f"{ACME}/object_detection-performance"
    torn = {"file": f"{folder}/mlperf_log_detail.txt", "write": ""}
    found = result(report_of(scratch / "a", torn), "object_detection")
    assert found.primary
    assert (found.primary.value, found.primary.source.line) == (0.702118, 7)
    gone = {"file": folder, "delete": True}
    found = result(report_of(scratch / "b", gone), "object_detection")
    assert value(found, "latency_p90")[0] == pytest.approx(0.702118)


def test_accuracy_is_shown_in_its_unit_with_its_target(scratch: Path) -> None:
    report = report_of(scratch / "t")
    shown: dict[str | None, Any] = {
        r.benchmark: (q.name, q.value, q.target, q.ok)
        for r in report.results
        if r.system == "acme-p1"
        for q in r.quality
    }
    assert shown["object_detection"] == ("mAP", 0.2741, 0.95 * 0.285, True)
    assert shown["super_resolution"] == ("PSNR", pytest.approx(33.51), 33, True)
    assert shown["image_classification_v2"] == ("Top-1", pytest.approx(81.88), None, None)


def test_accuracies_that_a_script_printed(scratch: Path) -> None:
    text = "#######object_detection###### \n... main.cc:420] Accuracy: 0.2743 mAP\n"
    report = report_of(
        scratch / "t",
        {"file": RECORD, "delete": True},
        {"file": f"{ACME}/accuracy_results.txt", "write": text},
        {"file": f"{BOLT}/result.json", "delete": True},
        {
            "file": f"{BOLT}/mobileBERT/SingleStream/log_accuracy/accuracy.txt",
            "write": 'Evaluating...\n{"exact_match": 81.7, "f1": 89.17}\n',
        },
    )
    (quality,) = result(report, "object_detection").quality
    assert (quality.value, quality.source.line) == (0.2743, 2)
    (quality,) = result(report, "natural_language_processing", "bolt-b2").quality
    assert quality.value == pytest.approx(89.17)
    assert quality.source.line == 2
    assert result(report, "super_resolution").quality == ()


def test_parts_of_a_device_have_one_name_each(scratch: Path) -> None:
    """Also where the suite says under which names a description states them."""
    written = {
        "system.Processor Name": "Qualcomm Snapdragon 8 Elite Mobile Platform",
        "system.Accelerator type": "Qualcomm Hexagon(TM) NPU",
    }
    edit = {"file": "closed/Acme/systems/acme-p1.json", "set": written}
    rows = rows_of(report_of(scratch / "t", edit), lambda _: None)["systems"]
    known = next(row for row in rows if row["system"] == "acme-p1")
    assert (known["soc"], known["soc_raw"]) == (
        "Qualcomm Snapdragon 8 Elite",
        written["system.Processor Name"],
    )
    assert (known["accelerator"], known["accelerator_raw"]) == (
        "Qualcomm Hexagon NPU",
        "Qualcomm Hexagon(TM) NPU",
    )
    assert known["accelerators"] == ["Qualcomm Hexagon NPU"]
    assert known["unknown_names"] == []
    other = next(row for row in rows if row["system"] == "bolt-b2")
    assert other["unknown_names"] == [other["accelerator_raw"], other["soc_raw"]]
    assert (other["accelerator"], other["accelerators"]) == (other["accelerator_raw"], [])


def test_tables_name_device_and_software_path(scratch: Path) -> None:
    edit = {"file": "closed/Acme/systems/acme-p1.json", "set": {"notes.Status": "SOC R&D"}}
    rows = rows_of(report_of(scratch / "t", edit), lambda _: None)
    system = next(row for row in rows["systems"] if row["system"] == "acme-p1")
    named = ("device", "soc", "soc_id", "framework", "operating_system", "availability")
    assert [system[name] for name in named] == [
        "Acme Phone 1",
        "Invented Mobile Chip M1",
        "IM1000",
        "InventedSDK 1.0",
        "Android 15",
        "rdi",
    ]
    row = next(row for row in rows["results"] if row["system"] == "acme-p1")
    path = ("backend", "runtime", "delegate", "runs_on")
    assert [row[name] for name in path] == ["libtflitebackend", "TFLite", "NNAPI", "NPU"]
