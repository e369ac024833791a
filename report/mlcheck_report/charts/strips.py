"""One line per name along a common axis: percentiles of latency, ranges of power."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mlcheck_report.charts.drawing import (
    Chart,
    Line,
    Point,
    Texts,
    group_names,
    left_of,
    marks,
    path,
    rows,
    shortened,
)
from mlcheck_report.charts.scales import categories, logarithmic

WIDTH = 760
LEFT, RIGHT, TOP, BOTTOM = 76, 24, 8, 44
STEP = 24
_NAME = 42


@dataclass(frozen=True, slots=True)
class Strip:
    """A line of the drawing; the `x` of its points is positive."""

    name: str
    points: tuple[Point, ...]


def strips(found: Sequence[Strip], x_title: str, texts: Texts) -> Chart:
    """Draw the strips below each other on a logarithmic axis, each with the range it spans."""
    height = TOP + STEP * len(found) + BOTTOM
    y = categories([shortened(strip.name, _NAME) for strip in found], TOP, height - BOTTOM)
    left = left_of(y.ticks, LEFT)
    x = logarithmic([p.x for strip in found for p in strip.points], left, WIDTH - RIGHT)
    placed = [
        Point(p.x, place, p.group, p.label, p.href, p.cells)
        for place, strip in enumerate(found)
        for p in strip.points
    ]
    names = group_names(point.group for point in placed)
    ranges = [
        Line(path((x.at(value), y.at(place)) for value in _ends(strip)), "range")
        for place, strip in enumerate(found)
    ]
    return Chart(
        texts=texts,
        rows=rows(placed),
        width=WIDTH,
        height=height,
        box=(left, TOP, WIDTH - RIGHT, height - BOTTOM),
        x_title=x_title,
        y_title="",
        x_ticks=x.ticks,
        y_ticks=y.ticks,
        marks=marks(placed, names, x, y),
        lines=tuple(ranges),
        groups=names if len(names) > 1 else (),
        kind="strips",
    )


def _ends(strip: Strip) -> tuple[float, float]:
    values = [point.x for point in strip.points]
    return min(values), max(values)
