"""How often quality is evaluated: each schedule by numbers worked out by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mlcheck.overlay import RulesetError
from mlcheck.resources import schema
from mlcheck.ruleset import load
from mlcheck.suites.training.checks_schedule import ELSEWHERE, LATE, LEFT_OUT
from mlcheck.suites.training.facts import facts_of
from mlcheck.suites.training.schedule import CHECKPOINTS, SCHEDULES, Checkpoints, schedule
from tests.training import cases
from tests.training.test_cases import verified


@pytest.mark.parametrize(
    ("round_", "benchmark", "batch", "first", "gap"),
    [
        ("v5.1", "llama31_8b", 32, 12288, 12288),
        ("v5.1", "llama31_8b", 1000, 13000, 13000),  # 13 batches
        ("v5.1", "llama2_70b_lora", 8, 384 * 4, 384),  # floor(0.125 * 8 + 2) left out
        ("v5.1", "dlrm_dcnv2", 160000, 0.0499620, 0.0499620),  # 1310 steps of 4,195,197,692
        ("v5.1", "rgat", 1024, 0.05, 0.05),
        ("v5.1", "retinanet", 256, 1, 1),
        ("v4.1", "bert", 3072, 175000, 175000),  # 0.05 * (230.23 * 3072 + 3e6) = 185,363
        ("v4.1", "gpt3", 1536, 50331648, 50331648),
        ("v4.1", "gpt3", 5000, 51200000, 51200000),  # 5 batches of 5000 sequences
        ("v4.0", "resnet", 3200, 4, 4),
        ("v4.0", "unet3d", 56, 1000, 20),  # 168 samples in an epoch
        ("v4.0", "unet3d", 80, 700, 14),  # 240 samples in a padded one
        ("v1.1", "ssd", 1024, 5, 5),
        ("v1.0", "ssd", 1024, 40, 5),
        ("v0.7", "bert", 512, 3000512, 500000),
    ],
)
def test_what_is_due(round_: str, benchmark: str, batch: int, first: float, gap: float) -> None:
    given = facts_of(load("training", round_)).benchmarks[benchmark].evaluation
    assert given is not None
    assert not isinstance(given, Checkpoints)
    due = given(batch)
    assert (due.first, due.gap) == pytest.approx((first, gap), rel=1e-5)


def test_listed_epochs_count_from_0_or_from_1() -> None:
    given = facts_of(load("training", "v1.0")).benchmarks["ssd"].evaluation
    assert given is not None
    assert not isinstance(given, Checkpoints)
    due = given(1024)
    assert [due.latest(before) for before in (None, 40, 41, 50, 80)] == [40, 50, 50, 55, 85]


@pytest.mark.parametrize(
    ("points", "missing", "whole"),
    [
        ([], None, True),
        ([512000], None, True),
        ([512000, 1024000], None, True),
        ([1024000, 512000], None, True),
        ([1024000, 1536000], None, False),
        ([512000, 1536000], 1024000, False),
        ([1536000], 1024000, False),
    ],
)
def test_checkpoints(points: list[float], missing: float | None, whole: bool) -> None:
    asked = Checkpoints(every=512000, steps=False, complete=0.1)
    assert asked.gaps(points, 256) == (missing, whole)
    assert asked.interval(1000) == 512000
    assert asked.interval(1024) == 512000
    assert asked.interval(1536) == 334 * 1536
    assert Checkpoints(every=512000, steps=True, complete=0.1).interval(1536) == 334


def test_the_schema_knows_just_the_vocabulary() -> None:
    listed = set(schema("training-rules")["$defs"]["evaluation"]["properties"])
    assert listed == {*SCHEDULES, CHECKPOINTS}
    with pytest.raises(RulesetError, match="no schedule whenever"):
        schedule({"whenever": {}})


def _recounted(root: Path, epochs: list[float]) -> None:
    """Let every log of RetinaNet evaluate at these epochs; the last one meets the target."""
    for path in (root / cases.HOME / "retinanet").glob("*.txt"):
        lines = path.read_text().splitlines(keepends=True)
        kept: list[str] = []
        for line in lines:
            if '"key": "eval_accuracy"' in line:
                if kept and "{EVALUATIONS}" in kept:
                    kept.remove("{EVALUATIONS}")
                last = line
                kept.append("{EVALUATIONS}")
            elif '"key": "eval_st' not in line:
                kept.append(line)
        evaluations = "".join(
            cases.changed(last, {"metadata.epoch_num": at, "value": 0.3}) for at in epochs[:-1]
        ) + cases.changed(last, {"metadata.epoch_num": epochs[-1]})
        path.write_text("".join(evaluations if each == "{EVALUATIONS}" else each for each in kept))


@pytest.mark.parametrize(
    ("epochs", "told"),
    [
        ([1, 2, 3, 4, 5, 6], set()),
        ([0.5, 1.5, 2.5], set()),
        ([1, 2, 4, 5], {LEFT_OUT}),
        ([2, 3, 4], {LEFT_OUT}),
        ([1, 2.3, 3.3, 4], {LATE}),
    ],
)
def test_epochs_between_evaluations(epochs: list[float], told: set[str], scratch: Path) -> None:
    root = scratch / "tree"
    cases.build({}, root)
    _recounted(root, epochs)
    found = {f.message for f in verified(root).findings if f.rule == "TRN407"}
    assert found == told


def test_v103_resnet_evaluates_every_four_epochs_from_any_of_them() -> None:
    """From v1.0 on at the frequency of the reference, before at least as often."""
    due = _resnet("v4.0")
    assert all(due.fits(3, point) for point in (3, 7, 11, 11.05))
    assert not any(due.fits(3, point) for point in (5, 9, 9.5))
    assert due.latest(None) == 4
    assert all(_resnet("v0.7").fits(3, point) for point in (5, 7, 9))
    assert ELSEWHERE not in (LATE, LEFT_OUT)


def _resnet(round_: str) -> Any:
    given = facts_of(load("training", round_)).benchmarks["resnet"].evaluation
    assert given is not None
    return given(3200)  # type: ignore[operator]  # no checkpoints
