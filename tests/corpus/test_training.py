"""Published rounds of MLPerf Training: mlcheck says what the official tools said, or why not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.trees import REPOSITORY

pytestmark = pytest.mark.corpus
PARITY = REPOSITORY / "rules/training/parity.csv"
MLCHECK = f"{sys.executable} -m mlcheck"


def _last_line(script: Path, *options: str) -> str:
    done = subprocess.run(
        [sys.executable, script, *options, "--mlcheck", MLCHECK],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout.strip().splitlines()[-1]


@pytest.mark.parametrize("round_", ["v5.1-mini", "v5.1", "v4.1"])
def test_every_difference_is_explained(round_: str, acceptance: Path) -> None:
    script = acceptance / "compare_training.py"
    last = _last_line(script, round_, "--run", "--explained", str(PARITY))
    assert last.endswith("disagree 0, missing 0, extra 0")


def test_planted_faults_are_caught(acceptance: Path) -> None:
    last = _last_line(acceptance / "run_faults.py", "training")
    assert last.endswith("missed 0, crash 0, collateral 0, wrote 0")
