"""A single log, a run folder, a scenario folder, standard input."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import FINDINGS, NOTHING, PASS, USAGE, run
from tests.trees import EXAMPLES, digest

GOOD = EXAMPLES / "inference-v5.1/closed/Acme/results/acme-edge-1x/resnet50"
BAD = EXAMPLES / "inference-v5.1-broken/closed/Acme/results/acme-edge-1x/resnet50"
TRAINING = sorted((EXAMPLES / "training-v5.1").glob("*/results/*/*/result_0.txt"))
DETAIL = "performance/run_1/mlperf_log_detail.txt"


@pytest.mark.parametrize("scenario", ["Offline", "SingleStream", "MultiStream"])
@pytest.mark.parametrize("part", ["", "performance/run_1", "accuracy", DETAIL])
def test_what_is_in_order(scenario: str, part: str) -> None:
    before = digest(GOOD)
    made = run("verify", GOOD / scenario / part)
    assert made.exit_code == PASS, made.output
    assert "rules, need more than a run" in made.stdout
    assert digest(GOOD) == before


@pytest.mark.parametrize(
    ("path", "rule", "place"),
    [
        ("Offline", "INF308", "Offline/performance/run_1/mlperf_log_detail.txt:47"),
        ("Offline/performance/run_1", "INF308", "run_1/mlperf_log_detail.txt:47"),
        (f"SingleStream/{DETAIL}", "INF311", "mlperf_log_detail.txt:42"),
        ("MultiStream", "INF504", "MultiStream/accuracy/accuracy.txt:1"),
    ],
)
def test_what_is_not(path: str, rule: str, place: str) -> None:
    made = run("verify", BAD / path)
    assert made.exit_code == FINDINGS
    assert f"error {rule}" in made.stdout
    assert f"{BAD}/" in made.stdout
    assert place in made.stdout
    assert "closed/submitter" not in made.stdout


@pytest.mark.parametrize("log", TRAINING, ids=lambda path: str(path.parent.name))
def test_a_log_of_training(log: Path, scratch: Path) -> None:
    assert run("verify", log).exit_code == PASS
    broken = scratch / "any.log"
    lines = log.read_text().splitlines(keepends=True)
    broken.write_text("".join(line for line in lines if '"run_start"' not in line))
    made = run("verify", broken)
    assert made.exit_code == FINDINGS
    assert str(broken) in made.stdout


def from_input(raw: bytes, *options: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "mlcheck", "verify", "-", *options]
    return subprocess.run(command, input=raw, capture_output=True, check=False)


def test_standard_input() -> None:
    raw = (BAD / "Offline" / DETAIL).read_bytes()
    made = from_input(raw, "--benchmark", "resnet50")
    assert made.returncode == FINDINGS
    assert b"(standard input):47" in made.stdout
    told = from_input(raw)
    assert told.returncode == NOTHING
    assert b"give --benchmark" in told.stderr
    assert from_input(b"").returncode == NOTHING
    assert from_input(b"\xff" * 1000, "--benchmark", "../../x").returncode == NOTHING
    assert from_input(TRAINING[0].read_bytes()).returncode == PASS
    assert from_input(raw, "--benchmark", "../x").returncode == NOTHING


def test_what_is_no_run(scratch: Path) -> None:
    (scratch / "mlperf_log_detail.txt").write_text("nothing")
    assert run("verify", scratch).exit_code == NOTHING
    assert run("verify", scratch / "mlperf_log_detail.txt").exit_code == USAGE
    for number in range(300):
        (scratch / str(number)).touch()
    made = run("verify", scratch)
    assert made.exit_code == NOTHING
    assert "more than 200 files" in made.stderr
