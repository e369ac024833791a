"""A submission of a round that has neither seeds nor reference convergence points."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mlcheck.suites.training.log_lines import Event
from mlcheck.suites.training.recognise import round_of
from mlcheck.tree import Tree
from tests.training import cases
from tests.training.forms import written
from tests.training.test_cases import found, verified
from tests.training.test_oracle import SAID, run
from tests.training.test_rounds import events

ROUND, BENCHMARK, SYSTEM = "v0.7", "transformer", "acme-a1x8"
BEGUN = 1_590_000_000_000  # May 2020


def build(root: Path, runs: int = 10) -> Path:
    """Write a submission of one system and one benchmark; return the folder of its logs."""
    cases.build({}, root)
    for path in root.iterdir():
        if path.name != "Acme":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name in ("results", "benchmarks"):
        shutil.rmtree(root / "Acme" / name)
    code = root / "Acme" / "benchmarks" / BENCHMARK / "implementations" / SYSTEM
    code.mkdir(parents=True)
    (code / "README.md").write_text("How to run it.\n")
    logs = root / "Acme" / "results" / SYSTEM / BENCHMARK
    logs.mkdir(parents=True)
    for path in (root / "Acme" / "systems").iterdir():
        if path.stem != SYSTEM:
            path.unlink()
    for number in range(runs):
        lines = []
        for event in events(ROUND, "closed", BENCHMARK):
            value = "Acme" if event.key == "submission_org" else event.value
            time = BEGUN + number * 10**7 + event.line * (50_000 + number)
            lines.append(written(Event(event.line, time, event.key, value, event.metadata)))
        (logs / f"result_{number}.txt").write_text("".join(lines))
    return logs


def test_the_round_is_found_and_scored_as_it_is(scratch: Path) -> None:
    build(scratch / "tree")
    told = round_of(Tree(str(scratch / "tree")))
    assert (told.round, told.sure) == (ROUND, True)
    report = verified(scratch / "tree", ROUND)
    assert found(report) == {}
    (result,) = report.results
    assert result.primary is not None
    assert [metric.name for metric in result.metrics] == ["time_to_train"]


@pytest.mark.parametrize(("runs", "accepted"), [(10, True), (9, False)])
def test_the_package_checker_agrees(runs: int, accepted: bool, scratch: Path) -> None:
    pytest.importorskip("mlperf_logging")
    build(scratch / "tree", runs)
    assert (found(verified(scratch / "tree", ROUND)) == {}) == accepted
    assert (SAID in run("package_checker", scratch / "tree" / "Acme", ruleset="0.7.0")) == accepted
