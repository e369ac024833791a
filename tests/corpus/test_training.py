"""Published rounds of MLPerf Training: mlcheck says what the official tools said, or why not."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import pytest

from tests.corpus.conftest import Corpus, judged
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


@pytest.mark.parametrize("round_", ["training-v5.0", "training-v4.0"])
def test_power_is_as_the_official_tools_say(round_: str, acceptance: Path) -> None:
    script = acceptance / "compare_power.py"
    last = _last_line(script, round_, "--run", "--explained", str(PARITY))
    assert last.endswith("disagree 0, missing 0, extra 0")


@pytest.mark.parametrize("round_", ["v5.0", "v4.0"])
def test_energy_of_each_run(round_: str, acceptance: Path, corpus: Corpus) -> None:
    golden = acceptance.parent / "golden" / f"power-training-{round_}-runs.csv"
    with golden.open(newline="") as handle:
        rows = {row["path"]: row for row in csv.DictReader(handle)}
    root = corpus(f"training-power-{round_}")
    report = judged(root, "training", round_)
    runs = {run.path: run.energy_j for result in report.results for run in result.runs_detail}
    assert set(runs) == set(rows)
    for path, row in rows.items():
        if row["energy_j"]:
            assert runs[path] == pytest.approx(float(row["energy_j"]), rel=1e-12)


def test_timed_energy_where_the_measurement_covers_the_run(
    acceptance: Path, corpus: Corpus
) -> None:
    golden = acceptance.parent / "golden" / "power-training-v5.0-runs.csv"
    with golden.open(newline="") as handle:
        rows = {row["path"]: row for row in csv.DictReader(handle)}
    root = corpus("training-power-v5.0")
    report = judged(root, "training", "v5.0")
    for result in report.results:
        timed = result.extra["timed_energy_j"]
        for run, joules in zip(result.runs_detail, timed, strict=True):
            expected = float(rows[run.path]["energy_in_run_window_j"])  # to one decimal
            assert joules == pytest.approx(expected, abs=0.06)


def test_planted_faults_are_caught(acceptance: Path) -> None:
    last = _last_line(acceptance / "run_faults.py", "training")
    assert last.endswith("missed 0, crash 0, collateral 0, wrote 0")
