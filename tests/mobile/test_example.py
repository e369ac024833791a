"""The example is made by its script, and is clean."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from mlcheck.engine import Job, verify
from tests.mobile import cases
from tests.trees import EXAMPLES


def content(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def test_the_script_makes_the_same_bytes(scratch: Path) -> None:
    subprocess.run(
        [sys.executable, EXAMPLES / "make_mobile.py", "--out", scratch],
        check=True,
        capture_output=True,
        env={**os.environ, "PYTHONHASHSEED": "1", "TZ": "Pacific/Chatham"},
    )
    assert content(scratch / cases.EXAMPLE.name) == content(cases.EXAMPLE)


def test_no_findings_in_two_shapes_of_tree() -> None:
    report = verify(Job(root=str(cases.EXAMPLE), suite="mobile", round="v5.0"), jobs=1)
    assert report.findings == ()
    assert {outcome.rule for outcome in report.outcomes} == {"MOB501"}
    assert len(report.results) == 13
    assert {result.primary.unit for result in report.results if result.primary} == {
        "ms",
        "samples/s",
    }
