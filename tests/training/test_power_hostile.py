"""Whatever lies where meters write: findings, and never an error of ours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mlcheck.model import Verdict
from tests.training import cases
from tests.training.test_cases import verified
from tests.training.test_hostile import ODD, quiet

POWER = "Volt/results/volt-a2x8/retinanet/power"
NODE = f"{POWER}/result_0/node_0.txt"
KEYS = ("power_measurement_start", "power_measurement_stop", "conversion_eff", "power_reading")
FIELDS = ("value", "time_ms", "metadata", "key", "metadata.measurement_type")


@pytest.mark.parametrize("key", KEYS)
def test_odd_values(key: str, scratch: Path) -> None:
    for number, odd in enumerate(ODD):
        root = scratch / str(number)
        cases.build({}, root)
        for at, field in enumerate(FIELDS):
            log = f"{POWER}/result_{at}/node_0.txt"
            with_odd: dict[str, Any] = {"log": log, "key": key, "first": True, "set": {field: odd}}
            cases.apply(with_odd, root)
        quiet(root)


@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
def test_odd_estimates(odd: Any, scratch: Path) -> None:
    root = scratch / "tree"
    cases.build({}, root)
    log = f"{POWER}/*/sw_0.txt"
    cases.apply({"log": log, "key": "interconnect_power_est", "set": {"value": odd}}, root)
    quiet(root)


def _file_for_folder(root: Path) -> None:
    cases.apply({"file": POWER, "delete": True}, root)
    (root / POWER).write_text("no folder\n")


def _folder_for_file(root: Path) -> None:
    (root / NODE).unlink()
    (root / NODE).mkdir()


def _link_out(root: Path) -> None:
    (root / NODE).unlink()
    (root / NODE).symlink_to("/etc/hostname")


def _link_to_itself(root: Path) -> None:
    (root / POWER / "result_0" / "node_2.txt").symlink_to("node_2.txt")


def _folder_out(root: Path) -> None:
    cases.apply({"file": f"{POWER}/result_0", "delete": True}, root)
    (root / POWER / "result_0").symlink_to("/etc")


def _names(root: Path) -> None:
    for name in (
        "node_-1.txt",
        "node_99999999999999999999.txt",
        "node_٣.txt",
        "node_.txt",
        "sw.txt",
    ):
        (root / POWER / "result_0" / name).write_text("x\n")


def _bytes(root: Path) -> None:
    (root / NODE).write_bytes(b"\xff\xfe\x00:::MLLOG {\x00}\r:::MLLOG \r\n" * 1000)


@pytest.mark.parametrize(
    "harm",
    [
        _file_for_folder,
        _folder_for_file,
        _link_out,
        _link_to_itself,
        _folder_out,
        _names,
        _bytes,
    ],
)
def test_odd_places(harm: Callable[[Path], None], scratch: Path) -> None:
    root = scratch / "tree"
    cases.build({}, root)
    harm(root)
    quiet(root)


def test_power_of_a_benchmark_that_the_round_does_not_know(scratch: Path) -> None:
    root = scratch / "tree"
    cases.build({}, root)
    home = root / "Volt/results/volt-a2x8"
    (home / "retinanet").rename(home / "retina")
    quiet(root)
    (result,) = (each for each in verified(root).results if each.submitter == "Volt")
    assert result.power is not None
    assert result.verdict is Verdict.INVALID
