"""Every form of the app's record gives the same facts; odd values give none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mlcheck.ruleset import load
from mlcheck.suites.mobile import layout
from mlcheck.suites.mobile.bare_paths import mend_paths
from mlcheck.suites.mobile.description import read_description
from mlcheck.suites.mobile.facts import Facts, facts_of
from mlcheck.suites.mobile.result_file import fraction_of, printed_number, read_result_file
from mlcheck.suites.mobile.values import moment, number, whole
from tests.trees import holding

FLAT: list[dict[str, Any]] = [
    {
        "benchmark_id": "OD_uint8",
        "configuration": {"runtime": ""},
        "score": "1139.7375",
        "accuracy": "N/A",
        "min_duration": "60000.0",
        "duration": "59777.47",
        "min_samples": "1024",
        "num_samples": "71038",
        "mode": "performance_lite_mode",
        "datetime": "2022-03-04T13:05:40.648",
    },
    {
        "benchmark_id": "OD_uint8",
        "configuration": {"runtime": ""},
        "score": "Infinity",
        "accuracy": "0.2745 mAP",
        "min_duration": "60000.0",
        "duration": "0.0",
        "min_samples": "1024",
        "num_samples": "0",
        "mode": "accuracy_mode",
        "datetime": "2022-03-04T13:05:40.649",
    },
]
LISTED = [
    {
        "meta": {"uuid": "u-1"},
        "results": [
            {
                "benchmark_id": "OD_uint8",
                "loadgen_scenario": "SingleStream",
                "backend_settings": {
                    "accelerator_code": "x",
                    "configuration": "SDK",
                    "model_path": "m",
                },
                "backend_info": {
                    "filename": "libqtibackend.so",
                    "vendor_name": "V",
                    "backend_name": "b",
                    "accelerator_name": "HTP",
                },
                "performance_run": {
                    "throughput": 1139.7375,
                    "accuracy": None,
                    "measured_duration_ms": 59777.47,
                    "measured_samples": 71038,
                    "start_datetime": "2022-08-17T06:25:17.890355Z",
                    "loadgen_validity": True,
                },
                "accuracy_run": {
                    "throughput": None,
                    "accuracy": {"value": 0.2745, "string": "0.2745 mAP"},
                    "measured_duration_ms": 0.0,
                    "measured_samples": 0,
                    "start_datetime": "2022-08-17T06:26:20Z",
                    "loadgen_validity": False,
                },
                "min_duration_ms": 60000.0,
                "min_samples": 1024,
            }
        ],
        "environment_info": {
            "manufacturer": "M",
            "model": "D",
            "os_name": "android",
            "os_version": "1",
        },
        "build_info": {
            "version": "2.0.0",
            "build_number": "1",
            "official_release_flag": False,
            "dev_test_flag": False,
            "backend_list": [],
            "git_branch": "",
            "git_commit": "",
            "git_dirty_flag": False,
        },
    }
]


@pytest.fixture
def facts() -> Facts:
    return facts_of(load("mobile", "v5.0"))


@pytest.mark.parametrize("document", [FLAT, LISTED], ids=["flat", "listed"])
def test_older_forms_say_the_same(document: Any, scratch: Path) -> None:
    read = read_result_file(holding(scratch, json.dumps(document, indent=1)), "file")
    assert (read.problem, read.misshapen) == (None, ())
    (task,) = read.tasks
    run, accuracy = task.performance, task.accuracy
    assert run is not None
    assert accuracy is not None
    assert (task.task, task.min_duration_s, task.min_samples) == ("OD_uint8", 60, 1024)
    assert (run.throughput, run.duration_s, run.samples) == (1139.7375, 59.77747, 71038)
    assert accuracy.fraction == 0.2745
    assert accuracy.printed == "0.2745 mAP"


def test_what_only_the_later_form_says(scratch: Path) -> None:
    read = read_result_file(holding(scratch, json.dumps(LISTED)), "file")
    run = read.tasks[0].performance
    assert run is not None
    assert run.valid is True
    assert read.tasks[0].backend.library == "libqtibackend"
    assert read.environment["model"] == "D"
    assert read.uuid == "u-1"


def test_lines_of_tasks_and_runs(scratch: Path) -> None:
    text = json.dumps(LISTED, indent=1)
    read = read_result_file(holding(scratch, text), "file")
    lines = text.splitlines()
    (task,) = read.tasks
    assert task.accuracy is not None
    assert '"benchmark_id"' in lines[task.line - 1]
    assert '"accuracy_run"' in lines[task.accuracy.line - 1]


@pytest.mark.parametrize(
    ("printed", "fraction"),
    [
        ("75.32%", 0.7532),
        ("0.2745 mAP", 0.2745),
        ("0.5453 mIoU", 0.5453),
        ("94.4000", 0.944),
        ("33.39 dB", 0.3339),
        ("N/A", None),
        ("1.2.3%", None),
        ("", None),
        (None, None),
    ],
)
def test_printed_accuracies(printed: str | None, fraction: float | None) -> None:
    assert fraction_of(printed) == (None if fraction is None else pytest.approx(fraction))


def test_decimals_of_a_printed_accuracy() -> None:
    assert printed_number("82.14%") == (82.14, 2)
    assert printed_number("94") == (94.0, 0)
    assert printed_number("none") is None


def test_paths_of_windows_are_mended() -> None:
    line = rb'{"file": "C:\Users\Thomas\v1.0\loadgen", "n": "a\\b \"c\" \u00e9"}'
    mended = json.loads(mend_paths(line))
    assert mended["file"].startswith("C:\\Users\\Thomas\\v1.0")
    assert mended["n"] == 'a\\b "c" é'


def test_values_that_say_nothing() -> None:
    assert number("1e999") is None
    assert number("NaN") is None
    assert number(True) is None
    assert whole(2.5) is None
    assert whole("24576") == 24576
    assert moment("yesterday") is None
    assert moment(5) is None


def test_stray_commas_are_left_out_but_not_in_texts(scratch: Path, facts: Facts) -> None:
    text = '{"system": {"DRAM": "a,}", "System": "Phone",},\n}'
    read = read_description(holding(scratch, text), "file", facts)
    assert read.mended
    assert read.fields == {"system": {"DRAM": "a,}", "System": "Phone"}}
    assert read.stated["device"] == "Phone"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("deeplabV3+/SingleStream/log_performance", ("performance", "deeplabV3+", "SingleStream")),
        ("log_accuracy/IC_tpu_uint8", ("accuracy", "IC_tpu_uint8", None)),
        ("super_resolution-accuracy", ("accuracy", "super_resolution", None)),
        ("Mobile-BERT/Offline/performance/run_1", ("performance", "Mobile-BERT", "Offline")),
        ("EDSR/single stream", ("performance", "EDSR", "single stream")),
        ("EDSR/SingleStream/accuracy", ("accuracy", "EDSR", "SingleStream")),
        ("", ("performance", "", None)),
    ],
)
def test_what_a_path_says(path: str, expected: tuple[str, str, str | None], facts: Facts) -> None:
    place = layout.run_place(path, path, facts)
    assert (place.kind, place.task, place.scenario) == expected


@pytest.mark.parametrize(
    ("name", "is_trace"),
    [
        ("mlperf_log_trace.json", True),
        ("mlperf_log_trace.json_aa", True),
        ("mlperf_log_trace.jsonab", True),
        ("mlperf_log_trace_ac", True),
        ("mlperf_log_trace_1.json", True),
        ("mlperf_log_trace.json.orig", False),
        ("mlperf_log_tracer", False),
        ("mlperf_log_detail.txt", False),
    ],
)
def test_parts_of_a_trace(name: str, is_trace: bool, facts: Facts) -> None:
    assert layout.is_log(name, tuple(facts.files["trace"]), facts) is is_trace
