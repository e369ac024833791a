"""Ranking bars: the best results of a section, longest first, or shortest for times."""

from __future__ import annotations

from collections.abc import Sequence

from mlcheck_report.charts.drawing import Bar, Chart, Point, Texts, left_of, rows, shortened
from mlcheck_report.charts.scales import categories, linear

WIDTH = 760
LEFT, RIGHT, TOP, BOTTOM = 76, 90, 6, 40
STEP = 24
MOST = 20  # bars; the table twin has all
_NAME = 42


def ranking(points: Sequence[Point], x_title: str, texts: Texts) -> Chart:
    """Draw the first `MOST` points as bars of length `x`, in their order."""
    shown = points[:MOST]
    height = TOP + STEP * len(shown) + BOTTOM
    y = categories([shortened(point.label, _NAME) for point in shown], TOP, height - BOTTOM)
    left = left_of(y.ticks, LEFT)
    x = linear([point.x for point in shown], left, WIDTH - RIGHT, zero=True)
    return Chart(
        texts=texts,
        rows=rows(points),
        width=WIDTH,
        height=height,
        box=(left, TOP, WIDTH - RIGHT, height - BOTTOM),
        x_title=x_title,
        y_title="",
        x_ticks=x.ticks,
        y_ticks=y.ticks,
        bars=tuple(
            Bar(
                y=round(tick.at - STEP * 0.36, 1),
                width=max(round(x.at(point.x) - left, 1), 0.5),
                text=point.cells[-1],
                label=point.label,
                href=point.href,
            )
            for point, tick in zip(shown, y.ticks, strict=True)
        ),
        kind="bars",
    )
