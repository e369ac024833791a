"""The drawing of times against accelerators."""

from __future__ import annotations

from typing import Any

import pytest

from mlcheck_report.scaling import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, scaling


def row(accelerators: int | None, minutes: float, rank: int | None = 1) -> dict[str, Any]:
    return {"accelerators_total": accelerators, "value": minutes, "rank": rank}


def test_perfect_scaling_lies_on_the_line() -> None:
    drawn = scaling([row(8, 64.0), row(16, 32.0), row(64, 8.0)], "lower", "minutes")
    assert drawn is not None
    x1, y1, x2, y2 = drawn.ideal
    for mark in drawn.marks:
        share = (mark.x - x1) / (x2 - x1)
        assert mark.y == pytest.approx(y1 + share * (y2 - y1), abs=0.3)


def test_everything_is_inside() -> None:
    rows = [row(8, 64.0), row(8, 900.0), row(5120, 1.5)]
    drawn = scaling(rows, "lower", "minutes")
    assert drawn is not None
    ends = [drawn.ideal[:2], drawn.ideal[2:]]
    for x, y in [*((mark.x, mark.y) for mark in drawn.marks), *ends]:
        assert LEFT <= x <= WIDTH - RIGHT
        assert TOP <= y <= HEIGHT - BOTTOM
    assert [tick.text for tick in drawn.x_ticks][:3] == ["10", "20", "50"]


@pytest.mark.parametrize(
    ("rows", "better", "unit"),
    [
        ([row(8, 1.0), row(16, 2.0)], "lower", "minutes"),
        ([row(8, 1.0), row(8, 2.0), row(8, 3.0)], "lower", "minutes"),
        ([row(8, 1.0), row(16, 2.0), row(32, 3.0, None)], "lower", "minutes"),
        ([row(8, 1.0), row(16, 2.0), row(None, 3.0)], "lower", "minutes"),
        ([row(8, 1.0), row(16, 2.0), row(32, 3.0)], "higher", "samples/s"),
        ([row(8, 1.0), row(16, 2.0), row(32, 3.0)], "lower", "ms"),
    ],
)
def test_no_drawing(rows: list[dict[str, Any]], better: str, unit: str) -> None:
    assert scaling(rows, better, unit) is None
