"""Whatever a log, a description or a folder holds: findings, and never an error of ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mlcheck.judge import INTERNAL_ERROR
from mlcheck.output.json_report import json_report
from tests.training import cases
from tests.training.test_cases import verified
from tests.trees import digest

ODD: list[Any] = [
    None, True, "", "§", "../../../etc/passwd", "__import__('os').system('x')", -1, 0, 1e-300,
    1e300, 10**400, float("nan"), float("inf"), [], [1, "a", None], {}, {"FID": "x"}, [[[[]]]],
]  # fmt: skip
KEYS = (
    "submission_benchmark", "submission_division", "submission_org", "submission_platform", "seed",
    "global_batch_size", "train_samples", "opt_base_learning_rate", "init_start", "run_start",
    "run_stop", "eval_accuracy", "eval_start", "block_start", "gradient_accumulation_steps",
)  # fmt: skip
FIELDS = ("value", "time_ms", "metadata", "key", "metadata.samples_count", "metadata.status",
          "metadata.lineno", "metadata.epoch_num")  # fmt: skip


def quiet(root: Path) -> None:
    before = digest(root)
    report = verified(root)
    broken = [f for f in report.findings if f.rule == INTERNAL_ERROR]
    assert [f"{f.message} {f.actual}" for f in broken] == []
    json.loads(json_report(report))
    assert digest(root) == before


@pytest.mark.parametrize("key", KEYS)
def test_odd_values_in_one_log_each(key: str, scratch: Path) -> None:
    for number, odd in enumerate(ODD):
        root = scratch / str(number)
        cases.build({}, root)
        for at, field in enumerate(FIELDS):
            path = root / cases.HOME / "llama2_70b_lora" / f"result_{at}.txt"
            lines = path.read_text().splitlines(keepends=True)
            changed = [
                _with(line, field, odd) if f'"key": "{key}"' in line else line for line in lines
            ]
            path.write_text("".join(changed))
        quiet(root)


@pytest.mark.parametrize("text", ["9" * 5000, "[" * 900 + "]" * 900, '"' + "x" * 10**6 + '"'])
@pytest.mark.parametrize("key", ["eval_accuracy", "global_batch_size", "seed"])
def test_long_values(key: str, text: str, scratch: Path) -> None:
    root = scratch / "tree"
    cases.build({}, root)
    path = root / cases.HOME / "retinanet/result_0.txt"
    more = f'{{"key": "{key}", "value": {text}, "metadata": {{}}, "time_ms": 1}}'
    path.write_text(f"{path.read_text()}{cases.MARKER}{more}\n")
    quiet(root)


def _with(line: str, field: str, value: Any) -> str:
    head, _, payload = line.partition(cases.MARKER)
    event = json.loads(payload)
    holder = event["metadata"] if field.startswith("metadata.") else event
    holder[field.removeprefix("metadata.")] = value
    return f"{head}{cases.MARKER}{json.dumps(event)}\n"


@pytest.mark.parametrize("odd", [0, 1e-300, 5e-324, 0.5, 1e300, 10**400, -3, "8", [8], None])
@pytest.mark.parametrize("benchmark", ["llama2_70b_lora", "llama31_405b", "flux1"])
def test_odd_batch_sizes_in_all_logs(odd: Any, benchmark: str, scratch: Path) -> None:
    root = scratch / "tree"
    cases.build({}, root)
    for path in sorted((root / cases.HOME / "llama2_70b_lora").glob("*.txt")):
        lines = path.read_text().splitlines(keepends=True)
        for at, line in enumerate(lines):
            if '"key": "global_batch_size"' in line:
                lines[at] = _with(line, "value", odd)
            elif '"key": "submission_benchmark"' in line:
                lines[at] = _with(line, "value", benchmark)
        path.write_text("".join(lines))
    quiet(root)


_NAMES = (
    "submitter",
    "division",
    "status",
    "number_of_nodes",
    "accelerators_per_node",
    "framework",
)


@pytest.mark.parametrize("odd", [repr(odd) for odd in ODD])
def test_odd_descriptions(odd: str, scratch: Path) -> None:
    root = scratch / "tree"
    cases.build({}, root)
    path = root / "Acme/systems/acme-a1x8.json"
    value = next(each for each in ODD if repr(each) == odd)
    path.write_text(json.dumps({**json.loads(path.read_text()), **dict.fromkeys(_NAMES, value)}))
    quiet(root)


@pytest.mark.parametrize(
    "text", ["", "null", "[]", "{", "\x00", "[" * 10_000, '{"a": 1' + "0" * 5000]
)
def test_odd_documents(text: str, scratch: Path) -> None:
    root = scratch / "tree"
    cases.build({}, root)
    (root / "Acme/systems/acme-a1x8.json").write_text(text)
    (root / cases.HOME / "retinanet/scaling.json").write_text(text)
    (root / cases.HOME / "retinanet/package_checker_params").write_text(text)
    quiet(root)


@given(raw=st.binary(max_size=400))
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_bytes_as_a_log(raw: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    root = tmp_path_factory.mktemp("tree") / "tree"
    cases.build({}, root)
    (root / cases.HOME / "retinanet/result_0.txt").write_bytes(cases.MARKER.encode() + raw)
    quiet(root)


def test_folders_without_anything(scratch: Path) -> None:
    root = scratch / "tree"
    cases.build({}, root)
    for path in (root / cases.HOME).glob("*/*.txt"):
        path.unlink()
    quiet(root)
    (root / cases.HOME / "retinanet/result_0.txt").mkdir()
    quiet(root)
