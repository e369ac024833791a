"""A session of the power workflow of each round is clean in its round, and dated in others."""

from __future__ import annotations

from pathlib import Path

import pytest

from mlcheck.engine import Job, verify
from mlcheck.model import Report
from mlcheck.ruleset import load, rounds
from tests.power_folder import MEAN_W, add_power, as_round

SCENARIO = "closed/Acme/results/acme-edge-1x/resnet50/SingleStream"
MEASURED = [
    name for name in rounds("inference") if "workflow" in load("inference", name).document["power"]
]
DATED = {"PWR111", "PWR130", "PWR157"}  # sources, PTDaemon, date of the session


def judged(tree: Path, round_: str) -> Report:
    job = Job(root=str(tree), suite="inference", round=round_, select=("PWR",))
    return verify(job, jobs=1)


def rules(report: Report) -> set[str]:
    return {finding.rule for finding in report.findings}


def test_power_is_measured_from_v1_0_on() -> None:
    assert MEASURED[0] == "v1.0"
    assert set(rounds("inference")) - set(MEASURED) == {"v0.5", "v0.7"}


@pytest.mark.parametrize("round_", MEASURED)
def test_a_session_of_the_round_is_clean(tree: Path, round_: str) -> None:
    add_power(tree, tree / SCENARIO)
    as_round(tree / SCENARIO / "performance", round_)
    report = judged(tree, round_)
    assert rules(report) - {"PWR157", "PWR105", "PWR106"} == set()
    (result,) = (result for result in report.results if result.power)
    assert result.power is not None
    assert result.power.valid
    if round_ >= "v1.1":  # the log of v5.1 has no rate that v1.x divides by
        assert result.power.average_w == pytest.approx(MEAN_W)


@pytest.mark.parametrize(("made", "judge"), [("v2.1", "v3.0"), ("v4.1", "v5.0"), ("v5.0", "v4.1")])
def test_a_session_of_another_round_is_dated(tree: Path, made: str, judge: str) -> None:
    """PTDaemon 1.9.2 was accepted until v2.1 (V235): each round keeps its own list."""
    add_power(tree, tree / SCENARIO)
    as_round(tree / SCENARIO / "performance", made)
    found = rules(judged(tree, judge))
    assert "PWR130" in found
    assert found <= DATED


def test_a_list_of_meters_came_with_v5_1(tree: Path) -> None:
    add_power(tree, tree / SCENARIO)
    as_round(tree / SCENARIO / "performance", "v5.1")
    findings = judged(tree, "v5.0").findings
    assert {(f.rule, f.official.value) for f in findings if f.rule == "PWR134"} == {
        ("PWR134", "error")
    }
