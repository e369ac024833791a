"""The cases about power hold against the check of the power working group, where it is at hand.

That check judges a folder ``performance``: it knows neither the lists of files, nor the metric, nor
the documents of the meter, which the inference package looks at itself.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mlcheck.model import Official
from tests import case_files
from tests.trees import ROUND, verified

TOOL = os.environ.get("MLCHECK_OFFICIAL_POWER", "")
LEFT_OUT = {"PWR101", "PWR102", "PWR105", "INF301"}  # what the inference package looks at itself

pytestmark = pytest.mark.skipif(
    not TOOL, reason="MLCHECK_OFFICIAL_POWER does not name the check of the power working group"
)


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in case_files.names()
        if name.startswith(("PWR", "OK-power")) and case_files.read(name).round == ROUND
    ],
)
def test_official_check_agrees(name: str, scratch: Path) -> None:
    root = scratch / "tree"
    case_files.build(name, root)
    report = verified(root)
    refusals = {
        result: finding.rule
        for finding in report.findings
        if finding.official is Official.ERROR
        for result in finding.results
    }
    for result in report.results:
        if result.power is None:
            continue
        performance = root / result.path / "performance"
        if not all((performance / "power" / f"{s}.json").exists() for s in ("client", "server")):
            continue  # it dies
        check = [sys.executable, str(Path(TOOL).resolve()), str(performance)]
        run = subprocess.run(check, capture_output=True, text=True, check=False)
        if run.returncode == 0:
            assert refusals.get(result.id) in {None, *LEFT_OUT}, run.stderr
        else:
            assert result.id in refusals, run.stderr
