"""The official tools beside mlcheck, on our own trees, in copies: they write into the tree."""

from __future__ import annotations

import csv
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from mlcheck.model import Official
from tests.training import cases
from tests.training.test_cases import verified

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("mlperf_logging") is None, reason="needs mlperf-logging"
)
CASES = cases.read()
SAID = "PACKAGE CHECKER FOUND NO ERRORS"
# Cases in which the official tool ends with an error of its own, or does not look at the tree.
SAMPLE = (
    "OK-example",
    "OK-noise-and-stray-bytes",
    "OK-rank-before-the-marker",
    "TRN103-cooling-missing",
    "TRN104-status-in-small-letters",
    "TRN202-one-log-missing",
    "TRN203-numbered-from-one",
    "TRN302-one-line",
    "TRN304-no-batch-size-anywhere",
    "TRN305-two-values",
    "TRN306-by-two-ranks",
    "TRN307-another-optimizer",
    "TRN310-too-long",
    "TRN312-target-missed-in-two",
    "TRN401-aborted-in-all",
    "TRN402-reached-after-the-stop",
    "TRN404-stops-before-it-starts",
    "TRN601-missing",
    "TRN602-a-fraction",
    "TRN602-a-word",
    "TRN603-another-source-line",
    "TRN603-by-two-ranks",
    "TRN603-same-place",
    "TRN702-batch-size-beyond-all-points",
)


def run(module: str, folder: Path, *options: str, ruleset: str = "5.1.0") -> str:
    command = [sys.executable, "-W", "ignore", "-m", f"mlperf_logging.{module}", str(folder)]
    done = subprocess.run(
        [*command, "training", ruleset, *options],
        cwd=folder.parent,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("name", SAMPLE)
def test_the_package_checker_agrees(name: str, scratch: Path) -> None:
    root = scratch / "tree"
    cases.build(CASES[name], root)
    report = verified(root)
    refused = any(
        finding.official in (Official.ERROR, Official.SUBMISSION)
        for finding in report.findings
        if finding.path.startswith("Acme")
    )
    said = run("package_checker", root / "Acme")
    assert (SAID not in said) == refused, said[-3000:]


def test_the_summarizer_prints_the_same_scores(scratch: Path) -> None:
    root = scratch / "tree"
    cases.build({}, root)
    report = verified(root)
    run("result_summarizer", root / "Acme", "--csv", "scores.csv")
    with (root / "scores.csv").open(newline="") as handle:
        (row,) = csv.DictReader(handle)
    for result in report.results:
        if result.submitter == "Acme":
            assert result.primary is not None
            assert float(row[result.benchmark or ""]) == pytest.approx(
                result.primary.value, rel=1e-9
            )
