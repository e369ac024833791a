"""The cases hold against the official tool itself, where a checkout of it is at hand.

Where the tool dies of a file, it judges nobody; a case then says what it makes of that file alone.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import case_files
from tests.trees import ROUND, verified

TOOL = os.environ.get("MLCHECK_OFFICIAL", "")
POWER_TOOL = {
    "PWR104-edited",
    "PWR104-line-endings",
}  # found by the tool of the power working group, which is left out

pytestmark = pytest.mark.skipif(not TOOL, reason="MLCHECK_OFFICIAL does not name the official tool")


CASES = [name for name in case_files.names() if case_files.read(name).round == ROUND]


@pytest.mark.parametrize("name", sorted(set(CASES) - POWER_TOOL))
def test_official_tool_agrees(name: str, scratch: Path) -> None:
    case = case_files.read(name)
    case_files.build(name, scratch / "tree")
    table = scratch / "table.csv"
    run = _judge(scratch / "tree", table)
    if "Traceback" in run.stderr:
        assert any("/error " in line for line in case.lines), run.stderr
        return
    with table.open(encoding="utf-8") as lines:
        accepted = {row["Location"] for row in csv.DictReader(lines)}
    paths = [result.path for result in verified(scratch / "tree").results]
    refused = case_files.matching(case.official_invalid, case.at, paths)
    assert sorted(set(paths) - accepted) == refused
    faulty = any(f"/{weight} " in line for line in case.lines for weight in ("error", "submission"))
    assert run.returncode == faulty


def _judge(tree: Path, table: Path) -> subprocess.CompletedProcess[str]:
    script = Path(TOOL, "submission_checker.py").resolve()
    options = ["--input", str(tree), "--csv", str(table), "--version", ROUND, "--skip-power-check"]
    return subprocess.run(
        [sys.executable, script, *options],
        cwd=script.parent,
        capture_output=True,
        text=True,
        check=False,
    )
