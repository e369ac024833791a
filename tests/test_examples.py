"""The example submissions are made by their script, and are as clean and broken as they say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.trees import EXAMPLES, verified

NAMES = ("inference-v5.1", "inference-v5.1-broken", "inference-v5.1-power")


def content(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def test_the_script_makes_the_same_bytes(scratch: Path) -> None:
    subprocess.run(
        [sys.executable, EXAMPLES / "make_inference.py", "--out", scratch],
        check=True,
        capture_output=True,
        env={**os.environ, "PYTHONHASHSEED": "1", "TZ": "Pacific/Chatham"},
    )
    for name in NAMES:
        made, kept = content(scratch / name), content(EXAMPLES / name)
        assert sorted(made) == sorted(kept)
        assert [path for path in made if made[path] != kept[path]] == []


def test_the_script_of_training_makes_the_same_bytes(scratch: Path) -> None:
    subprocess.run(
        [sys.executable, EXAMPLES / "make_training.py", "--out", scratch],
        check=True,
        capture_output=True,
        env={**os.environ, "PYTHONHASHSEED": "1", "TZ": "Pacific/Chatham"},
    )
    assert content(scratch / "training-v5.1") == content(EXAMPLES / "training-v5.1")


@pytest.mark.parametrize("name", NAMES)
def test_there_are_no_empty_folders(name: str) -> None:
    assert all(folders or files for _, folders, files in os.walk(EXAMPLES / name))


def test_the_clean_one_has_no_findings(example: Path) -> None:
    report = verified(example)
    assert report.findings == ()
    assert not any(outcome.outcome == "skipped" for outcome in report.outcomes)


def test_power_is_measured_without_findings() -> None:
    report = verified(EXAMPLES / "inference-v5.1-power")
    assert report.findings == ()
    assert not any(outcome.outcome == "skipped" for outcome in report.outcomes)
    measured = {result.path: result.power for result in report.results if result.power}
    units = {path.rpartition("/")[2]: power.unit for path, power in measured.items()}
    assert units == {"SingleStream": "mJ/query", "Offline": "W"}
    assert all(power.valid and power.value for power in measured.values())


def test_every_planted_fault_is_found_and_nothing_else(broken_example: Path) -> None:
    readme = (broken_example / "README.md").read_text(encoding="utf-8")
    planted = set(re.findall(r"^\| .* \| `(.*)` \|$", readme, re.MULTILINE))
    assert len(planted) == 13
    found = {finding.path for finding in verified(broken_example).findings}
    assert planted <= found
    beside = {path for path in found if not any(path.startswith(place) for place in planted)}
    (log,) = beside  # the log of the test whose verification failed shows it too
    assert log.endswith("resnet50/MultiStream/TEST04/performance/run_1/mlperf_log_detail.txt")
