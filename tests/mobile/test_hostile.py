"""Whatever lies in place of a file gives findings, never a bug of ours, and is never written to."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mlcheck.engine import Job, verify
from mlcheck.judge import INTERNAL_ERROR
from mlcheck.model import Report
from mlcheck.normalize.tables import rows_of
from mlcheck.output.json_report import json_report
from mlcheck.ruleset import load
from mlcheck.suites.mobile.description import read_description
from mlcheck.suites.mobile.facts import facts_of
from mlcheck.suites.mobile.result_file import read_result_file
from mlcheck.tree import Tree
from tests.mobile import cases
from tests.trees import copy_tree, digest, holding, scratch_folder

RECORD = "closed/Acme/results/acme-p1/result.json"
DESCRIPTION = "closed/Acme/systems/acme-p1.json"
LOG = "closed/Acme/results/acme-p1/object_detection-performance/mlperf_log_detail.txt"
FLAT = {
    "benchmark_id": "object_detection",
    "score": "9",
    "mode": "performance_lite_mode",
    "accuracy": "0.27 mAP",
    "duration": "60000.0",
    "num_samples": "1024",
    "min_duration": "60000",
    "min_samples": "1024",
    "datetime": "2022-03-04T13:05:40.646",
    "configuration": {"runtime": ""},
}
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from([1e308, -1e308, 10**400, "Infinity", "NaN", "N/A", "\ud800", "\x1b[31m", ""])
    | st.text(max_size=20)
)
JSON = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=20,
)
FEW = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


def judged(root: Path) -> Report:
    """Return the report of a tree; it is no bug of ours, and every output takes it."""
    report = verify(Job(root=str(root), suite="mobile", round="v5.0"), jobs=1)
    assert [finding for finding in report.findings if finding.rule == INTERNAL_ERROR] == []
    json.loads(json_report(report))
    rows_of(report, lambda _: None)
    return report


def with_content(path: str, raw: bytes) -> Report:
    """Return the report of the example with other bytes in place of a file."""
    with scratch_folder() as folder:
        root = copy_tree(cases.EXAMPLE, folder / "tree")
        (root / path).write_bytes(raw)
        before = digest(root)
        report = judged(root)
        assert digest(root) == before
        return report


def encoded(document: Any) -> bytes:
    return json.dumps(document).encode("utf-8", "surrogatepass")


@given(JSON)
@FEW
def test_any_json_in_place_of_a_result_file(document: Any) -> None:
    assert with_content(RECORD, encoded(document)).findings


@given(JSON)
@FEW
def test_any_json_in_place_of_a_description(document: Any) -> None:
    assert with_content(DESCRIPTION, encoded(document)).findings


@given(st.binary(max_size=200))
@FEW
def test_any_bytes_in_place_of_a_result_file(raw: bytes) -> None:
    assert with_content(RECORD, raw).findings


@given(st.binary(max_size=200))
@FEW
def test_any_bytes_in_place_of_a_log(raw: bytes) -> None:
    assert with_content(LOG, raw).findings
    events = b":::MLLOG " + raw + b"\n" + (cases.EXAMPLE / LOG).read_bytes()
    with_content(LOG, events)


@given(st.integers(0, 400), JSON)
@FEW
def test_any_value_in_place_of_a_member(place: int, value: Any) -> None:
    document = json.loads((cases.EXAMPLE / RECORD).read_text())
    holders = list(members(document))
    holder, name = holders[place % len(holders)]
    holder[name] = value
    with_content(RECORD, encoded(document))


def members(value: Any) -> Any:
    """Yield every place of a document as its holder and its name or number."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for name, inner in list(pairs):
        yield value, name
        if isinstance(inner, (dict, list)):
            yield from members(inner)


@given(st.sampled_from(sorted(FLAT)), JSON)
@FEW
def test_any_value_in_a_flat_entry(name: str, value: Any) -> None:
    with_content(RECORD, encoded([{**FLAT, name: value}, value]))


@given(st.integers(0, 60), JSON)
@FEW
def test_any_value_of_a_logged_key(place: int, value: Any) -> None:
    lines = (cases.EXAMPLE / LOG).read_text().splitlines()
    event = json.loads(lines[place % len(lines)].removeprefix(cases.MARKER))
    event["value"] = value
    lines[place % len(lines)] = cases.MARKER + json.dumps(event)
    with_content(LOG, "\n".join(lines).encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize(
    "raw",
    [b"[" * 100_000, b'{"results": [' + b"9" * 5000 + b"]}", b"\xff\xfe", b"", b"null", b"[]"],
    ids=["deep", "long-number", "utf-16", "empty", "null", "no-entries"],
)
def test_odd_result_files(raw: bytes) -> None:
    assert "MOB202" in {finding.rule for finding in with_content(RECORD, raw).findings}


@given(JSON)
@FEW
def test_the_reader_never_raises(document: Any) -> None:
    with scratch_folder() as folder:
        read = read_result_file(holding(folder, encoded({"results": [document]})), "file")
        assert read.path == "file"


def test_no_files_at_all(scratch: Path) -> None:
    (scratch / "closed/Acme/results/acme-p1").mkdir(parents=True)
    rules = {finding.rule for finding in judged(scratch).findings}
    assert {"MOB101", "MOB114"} <= rules


def test_hostile_names(scratch: Path) -> None:
    root = copy_tree(cases.EXAMPLE, scratch / "tree")
    results = root / "closed/Acme/results"
    (results / "acme-p1").rename(results / "<script>\x1b[2J'\"&")
    (results / "<script>\x1b[2J'\"&/object_detection-performance").rename(
        results / "<script>\x1b[2J'\"&/--\u202e-performance"
    )
    judged(root)


@pytest.mark.parametrize("form", ["document", "flat", "one line", "hidden names"])
def test_a_hundred_thousand_records(form: str) -> None:
    """Time and memory of a result file do not grow with the square of its records."""
    run = '"performance_run": {}' if form != "hidden names" else '"performance\\u005frun": {}'
    one = f'{{"benchmark_id": "%d", {run if form != "flat" else "0: 0"}}}'.replace("0: 0", '"x": 0')
    between = ",\n" if form != "one line" else ","
    records = between.join(one % number for number in range(50_000))
    text = f"[{records}]" if form == "flat" else f'{{"results": [{records}]}}'
    with scratch_folder() as scratch:
        (scratch / "result.json").write_text(text)
        started = time.process_time()
        read = read_result_file(Tree(str(scratch)), "result.json")
        assert time.process_time() - started < 10
    assert read.problem is None
    assert len(read.tasks) == 500
    assert "50,000 records, of which 500 are read" in {each.message for each in read.misshapen}


def test_a_description_with_a_hundred_thousand_names() -> None:
    names = ", ".join(f'"{number}": 1' for number in range(100_000))
    with scratch_folder() as scratch:
        (scratch / "a.json").write_text(f'{{{names}, "7": 2}}')
        started = time.process_time()
        read = read_description(Tree(str(scratch)), "a.json", facts_of(load("mobile", "v5.0")))
        assert time.process_time() - started < 10
    assert read.twice == ("7",)


def test_lines_of_runs() -> None:
    entry = '{{\n"benchmark_id": "{}",\n"performance_run":\n{{}},\n"accuracy_run": {{}}\n}}'
    text = '{"results": [' + ",".join(entry.format(name) for name in "abc") + "]}"
    with scratch_folder() as scratch:
        (scratch / "result.json").write_text(text)
        read = read_result_file(Tree(str(scratch)), "result.json")
    lines = text.split("\n")
    for number, task in enumerate(read.tasks):
        assert task.performance
        assert task.accuracy
        assert [task.line, task.performance.line, task.accuracy.line] == [
            2 + 5 * number, 3 + 5 * number, 5 + 5 * number
        ]  # fmt: skip
        assert "accuracy_run" in lines[task.accuracy.line - 1]
