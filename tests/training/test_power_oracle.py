"""Energy and power check of the official tools beside ours, on our own trees, in copies."""

from __future__ import annotations

import csv
import importlib.util
import warnings
from pathlib import Path

import pytest

from mlcheck.model import Official, Report, Result
from tests.training import cases
from tests.training.test_cases import verified
from tests.training.test_oracle import SAID, run

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("mlperf_logging") is None, reason="needs mlperf-logging"
)
CASES = cases.read()
CHECKED = (
    "OK-example",
    "PWR801-a-run-without-folder",
    "PWR801-a-switch-and-no-node",
    "PWR801-folder-empty",
    "PWR801-two-runs-without-folder",
    "PWR802-a-letter",
    "PWR802-all-runs-from-one",
    "PWR802-another-extension",
    "PWR802-one-run-from-one",
    "PWR803-a-node-missing",
    "PWR803-switches-missing-in-two",
    "PWR805-power-of-no-run",
    "PWR805-sum-beside-the-nodes",
    "PWR814-repeated-times-are-no-readings",
    "PWR821-above-one",
)
SUMMARISED = (
    "OK-example",
    "OK-power-metadata-that-is-text",
    "OK-power-noise-around-the-lines",
    "PWR802-all-runs-from-one",
    "PWR803-a-node-missing",
    "PWR803-switches-missing-in-two",
    "PWR806-no-switch",
    "PWR807-line-torn",
    "PWR808-twice",
    "PWR809-missing",
    "PWR811-another-time-zone",
    "PWR812-begins-late",
    "PWR812-ends-early",
    "PWR813-every-second-one-only",
    "PWR813-no-reading",
    "PWR814-repeated-times-are-no-readings",
    "PWR815-six-seconds",
    "PWR816-a-reading-at-the-end",
    "PWR816-a-reading-twice",
    "PWR817-before-the-start",
    "PWR818-one-meter-for-two-nodes",
    "PWR820-negative",
    "PWR820-zero",
    "PWR821-above-one",
    "PWR822-in-one-run",
    "PWR822-within-a-log",
    "PWR823-no-efficiency",
    "PWR824-idle-before-the-run",
    "PWR825-nothing",
    "PWR825-zero",
    "PWR826-measured",
    "PWR827-of-another-year",
)
DIES = (
    "PWR801-folder-empty",
    "PWR808-missing",
    "PWR819-null",
    "PWR819-text",
    "PWR821-percent-in-words",
)


WHOLE = ("OK-example", "PWR801-a-run-without-folder", "PWR803-switches-missing-in-two")
HOME = "Volt/results/volt-a2x8/retinanet"


def measured(report: Report) -> Result:
    (result,) = (each for each in report.results if each.power)
    return result


def refused(report: Report) -> bool:
    return any(
        finding.official is Official.ERROR
        for finding in report.findings
        if finding.path.startswith("Volt")
    )


def summarised_j(root: Path) -> float | None:
    """Return the energy that the official summary computes; None: it ends with an error."""
    from mlperf_logging.result_summarizer import result_summarizer

    try:
        with warnings.catch_warnings(action="ignore"):
            _, energy, _ = result_summarizer._compute_strong_score_standalone(
                "retinanet", "volt-a2x8", True, str(root / HOME), "training", "5.1.0"
            )
    except (AssertionError, TypeError, ValueError, ZeroDivisionError):
        return None
    return float(energy)


def failing(root: Path) -> int | None:
    """Return how many runs the official check of power refuses; None: it ends with an error."""
    from mlperf_logging.package_checker.power_checker import PowerChecker

    logs = sorted(str(path) for path in (root / HOME).glob("result_*.txt"))
    try:
        _, runs = PowerChecker("5.1.0").check_power(str(root / HOME / "power"), logs)
    except ValueError:
        return None
    return len(runs)


@pytest.mark.parametrize("name", CHECKED)
def test_the_check_of_power_agrees(name: str, scratch: Path) -> None:
    root = scratch / "tree"
    cases.build(CASES[name], root)
    report = verified(root)
    runs = failing(root)
    accepts = runs is not None and runs <= 1
    assert refused(report) is not accepts
    power = measured(report).power
    assert power is not None
    assert power.valid is accepts


@pytest.mark.parametrize("name", WHOLE)
def test_the_package_checker_agrees(name: str, scratch: Path) -> None:
    root = scratch / "tree"
    cases.build(CASES[name], root)
    report = verified(root)
    said = run("package_checker", root / "Volt")
    assert (SAID not in said) == refused(report), said[-3000:]


@pytest.mark.parametrize("name", SUMMARISED)
def test_the_summary_computes_the_same_energy(name: str, scratch: Path) -> None:
    root = scratch / "tree"
    cases.build(CASES[name], root)
    power = measured(verified(root)).power
    assert power is not None
    assert power.value == pytest.approx(summarised_j(root), rel=1e-12)


def test_the_summary_prints_it(scratch: Path) -> None:
    root = scratch / "tree"
    cases.build({}, root)
    power = measured(verified(root)).power
    run("result_summarizer", root / "Volt", "--csv", "scores.csv")
    with (root / "scores_detailed.csv").open(newline="") as handle:
        (row,) = csv.DictReader(handle)
    assert power is not None
    assert power.value == pytest.approx(float(row["retinanet:Energy"]), rel=1e-12)


@pytest.mark.parametrize("name", DIES)
def test_where_the_summary_dies_a_run_has_no_energy(name: str, scratch: Path) -> None:
    root = scratch / "tree"
    cases.build(CASES[name], root)
    report = verified(root)
    assert summarised_j(root) is None
    assert any(run.energy_j is None for run in measured(report).runs_detail)
    grave = {Official.ERROR, Official.SUBMISSION}
    assert grave & {finding.official for finding in report.findings}
