"""A submission of a round that has neither seeds nor reference convergence points."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mlcheck.model import Verdict
from mlcheck.ruleset import load
from mlcheck.suites.training.facts import facts_of
from mlcheck.suites.training.log_lines import Event
from mlcheck.suites.training.recognise import round_of
from mlcheck.tree import Tree
from tests.training import cases
from tests.training.forms import form_of, written
from tests.training.test_cases import found, verified
from tests.training.test_oracle import SAID, run
from tests.training.test_rounds import events
from tests.training.test_rounds import found as breached

BENCHMARK, SYSTEM = "transformer", "acme-a1x8"
BEGUN = {"v0.6": 1_560_000_000_000, "v0.7": 1_590_000_000_000}  # June 2019, May 2020


def build(root: Path, round_: str, runs: int = 10, benchmark: str = BENCHMARK) -> Path:
    """Write a submission of one system and one benchmark; return the folder of its logs."""
    cases.build({}, root)
    for path in root.iterdir():
        if path.name != "Acme":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name in ("results", "benchmarks"):
        shutil.rmtree(root / "Acme" / name)
    code = root / "Acme" / "benchmarks" / benchmark / "implementations" / SYSTEM
    code.mkdir(parents=True)
    (code / "README.md").write_text("How to run it.\n")
    logs = root / "Acme" / "results" / SYSTEM / benchmark
    logs.mkdir(parents=True)
    for path in (root / "Acme" / "systems").iterdir():
        if path.stem != SYSTEM:
            path.unlink()
    for number in range(runs):
        lines = []
        for event in events(round_, "closed", benchmark):
            value = "Acme" if event.key == "submission_org" else event.value
            step = 20_000 + number  # ms between two lines
            time = BEGUN[round_] + number * 10**7 + event.line * step
            told = event.metadata or {}
            if "timestamp" in told:
                told = {**told, "timestamp": told["timestamp"] * step}
            line = Event(event.line, time, event.key, value, told)
            lines.append(written(line, form_of(round_)))
        (logs / f"result_{number}.txt").write_text("".join(lines))
    return logs


@pytest.mark.parametrize(
    ("round_", "benchmark"), [("v0.6", "resnet"), ("v0.6", "minigo"), ("v0.7", BENCHMARK)]
)
def test_the_round_is_found_and_scored_as_it_is(round_: str, benchmark: str, scratch: Path) -> None:
    runs = facts_of(load("training", round_)).benchmarks[benchmark].runs
    build(scratch / "tree", round_, runs, benchmark)
    told = round_of(Tree(str(scratch / "tree")))
    assert (told.round, told.sure) == (round_, True)
    report = verified(scratch / "tree", round_)
    assert found(report) == {}
    (result,) = report.results
    assert result.primary is not None
    assert [metric.name for metric in result.metrics] == ["time_to_train"]


@pytest.mark.parametrize(("runs", "accepted"), [(10, True), (9, False)])
def test_the_package_checker_agrees(runs: int, accepted: bool, scratch: Path) -> None:
    pytest.importorskip("mlperf_logging")
    build(scratch / "tree", "v0.7", runs)
    assert (found(verified(scratch / "tree", "v0.7")) == {}) == accepted
    assert (SAID in run("package_checker", scratch / "tree" / "Acme", ruleset="0.7.0")) == accepted


@pytest.mark.parametrize(("round_", "counted"), [("v0.6", True), ("v0.7", False)])
def test_times_of_logs_that_do_not_comply(round_: str, counted: bool, scratch: Path) -> None:
    """In v0.6 the tool took times from a table of its own, whatever else a log held."""
    logs = build(scratch / "tree", round_)
    for path in logs.iterdir():
        lines = path.read_text().splitlines(keepends=True)
        path.write_text("".join(line for line in lines if "max_sequence_length" not in line))
    (result,) = verified(scratch / "tree", round_).results
    assert (result.verdict, result.official_verdict) == (Verdict.INVALID, Verdict.INVALID)
    assert (result.primary is not None) is counted


@pytest.mark.parametrize(
    ("round_", "refused"), [("v0.6", 0), ("v0.7", 0), ("v1.1", 0), ("v2.0", 1)]
)
def test_a_division_that_is_logged_late(round_: str, refused: int) -> None:
    """From v2.0 on the limit of the initialisation depends on the division, known by then."""
    benchmark = "resnet"
    lines = list(events(round_, "closed", benchmark))
    late = [e for e in lines if e.key != "submission_division"]
    late += [e for e in lines if e.key == "submission_division"]
    told = [key for key, _ in breached(round_, "closed", benchmark, late)]
    assert told == ["init_stop"] * refused
