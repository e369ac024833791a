"""A single log, a run folder, a scenario folder, standard input."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mlcheck.cli.single import is_single
from tests.command_line import FINDINGS, NOTHING, PASS, USAGE, run
from tests.trees import EXAMPLES, digest

GOOD = EXAMPLES / "inference-v5.1/closed/Acme/results/acme-edge-1x/resnet50"
BAD = EXAMPLES / "inference-v5.1-broken/closed/Acme/results/acme-edge-1x/resnet50"
TRAINING = sorted((EXAMPLES / "training-v5.1").glob("*/results/*/*/result_0.txt"))
DETAIL = "performance/run_1/mlperf_log_detail.txt"
PHONE = EXAMPLES / "mobile-v5.0/closed/Acme/results/acme-p1"
POWER = EXAMPLES / "inference-v5.1-power/closed/Acme/results/acme-dc-8x/retinanet/Offline"


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


@pytest.mark.parametrize(
    ("part", "results"),
    [
        ("", 7),
        ("result.json", 7),
        ("object_detection-performance", 1),
        ("object_detection-accuracy", 1),
        ("object_detection-performance/mlperf_log_detail.txt", 1),
        ("object_detection-accuracy/mlperf_log_detail.txt", 1),
    ],
)
def test_runs_of_the_app(part: str, results: int) -> None:
    made = run("verify", PHONE / part)
    assert made.exit_code == PASS, made.output
    assert f": mobile v5.0, {results} result" in made.stdout
    assert "rules, need more than a run" in made.stdout


def broken_phone(scratch: Path) -> Path:
    phone = scratch / "session"
    shutil.copytree(PHONE, phone)
    log = phone / "object_detection-performance/mlperf_log_detail.txt"
    log.write_text(re.sub(r"(qsl_rng_seed\", \"value\": )\d+", r"\g<1>1", log.read_text()))
    record = phone / "result.json"
    record.write_text(record.read_text().replace('"dev_test_flag": false', '"dev_test_flag": true'))
    return phone


@pytest.mark.parametrize(
    ("part", "rule", "place"),
    [
        ("", "MOB318", "/object_detection-performance/mlperf_log_detail.txt:"),
        ("", "MOB211", "/result.json:"),
        ("result.json", "MOB211", "/result.json:"),
        ("object_detection-performance", "MOB318", "performance/mlperf_log_detail.txt:"),
    ],
)
def test_runs_of_the_app_that_are_wrong(scratch: Path, part: str, rule: str, place: str) -> None:
    phone = broken_phone(scratch)
    made = run("verify", phone / part)
    assert f" {rule} " in made.stdout
    assert re.search(rf"^  {phone}{'/' if part else ''}{part}\S*:\d+$", made.stdout, re.MULTILINE)
    assert place in made.stdout
    assert "closed/submitter" not in made.stdout


@pytest.mark.parametrize("task", ["object_detection", "image_segmentation_v2"])
def test_runs_of_the_app_in_folders_of_their_scenario(scratch: Path, task: str) -> None:
    above = scratch / task / "SingleStream"
    for kind in ("performance", "accuracy"):
        shutil.copytree(PHONE / f"{task}-{kind}", above / f"log_{kind}")
        assert run("verify", above / f"log_{kind}").exit_code == PASS
    made = run("verify", above)
    assert made.exit_code == PASS, made.output
    assert ": mobile v5.0, 1 result" in made.stdout


def test_a_log_of_the_app_from_a_pipe() -> None:
    raw = (PHONE / "object_detection-performance/mlperf_log_detail.txt").read_bytes()
    made = from_input(raw, "--benchmark", "object_detection")
    assert made.returncode == PASS
    assert b": mobile v5.0" in made.stdout
    told = from_input(raw, "--suite", "mobile")
    assert told.returncode == NOTHING
    assert b"no run of mobile" in told.stderr
    assert from_input(raw, "--suite", "phones").returncode == USAGE
    record = from_input((PHONE / "result.json").read_bytes())
    assert record.returncode == PASS
    assert b"round v5.0, that of the version of its app" in record.stderr


def test_a_folder_of_training_runs() -> None:
    made = run("verify", TRAINING[0].parent)
    assert made.exit_code == PASS, made.output
    assert ": training v5.1, 1 result" in made.stdout


def test_power_of_a_scenario(scratch: Path) -> None:
    made = run("verify", POWER)
    assert made.exit_code == PASS, made.output
    copy = scratch / "retinanet/Offline"
    shutil.copytree(POWER, copy)
    samples = copy / "performance/run_1/spl.txt"
    samples.write_text(samples.read_text().replace("Watts,", "Watts,1", 1))
    made = run("verify", copy)
    assert made.exit_code == FINDINGS
    assert " PWR104 " in made.stdout
    made = run("verify", copy / "performance/run_1")
    assert " PWR" not in made.stdout


def test_a_whole_submission_is_no_run(scratch: Path) -> None:
    for name in ("closed", "performance"):
        (scratch / name).mkdir()
    assert not is_single(str(scratch))
