"""Points on two axes: accuracy against performance, performance against accelerators or power."""

from __future__ import annotations

import math
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
)
from mlcheck_report.charts.scales import Axis, linear, logarithmic

WIDTH, HEIGHT = 760, 380
LEFT, RIGHT, TOP, BOTTOM = 76, 18, 14, 48


@dataclass(frozen=True, slots=True)
class Measure:
    """One axis: what it shows, with its unit, and whether it is logarithmic."""

    title: str
    log: bool

    def axis(self, values: Sequence[float], begin: float, end: float) -> Axis:
        """Return the axis for these values."""
        return (logarithmic if self.log else linear)(values, begin, end)


@dataclass(frozen=True, slots=True)
class Slope:
    """A straight line of a log-log drawing, y = factor * x ** power; power 0: level, inside."""

    factor: float
    power: int
    label: str


def scatter(
    points: Sequence[Point],
    x: Measure,
    y: Measure,
    texts: Texts,
    slopes: Sequence[Slope] = (),
) -> Chart:
    """Draw at least one point; values of logarithmic axes are positive."""
    y_axis = y.axis([point.y for point in points], HEIGHT - BOTTOM, TOP)
    left = left_of(y_axis.ticks, LEFT)
    x_axis = x.axis([point.x for point in points], left, WIDTH - RIGHT)
    names = group_names(point.group for point in points)
    lines = [_line(slope, x_axis, y_axis, left) for slope in slopes]
    return Chart(
        texts=texts,
        rows=rows(points),
        width=WIDTH,
        height=HEIGHT,
        box=(left, TOP, WIDTH - RIGHT, HEIGHT - BOTTOM),
        x_title=x.title,
        y_title=y.title,
        x_ticks=x_axis.ticks,
        y_ticks=y_axis.ticks,
        marks=marks(points, names, x_axis, y_axis),
        lines=tuple(line for line in lines if line),
        groups=names,
    )


def _line(slope: Slope, x: Axis, y: Axis, left: int) -> Line | None:
    """Return the part of the line that lies inside the drawing."""
    low, high = math.log10(x.low), math.log10(x.high)
    if slope.power == 0:
        return Line(
            path((at, y.at(slope.factor)) for at in (left, WIDTH - RIGHT)),
            "ideal",
            label=slope.label,
        )
    bounds = sorted((math.log10(v / slope.factor) / slope.power) for v in (y.low, y.high))
    first, last = max(low, bounds[0]), min(high, bounds[1])
    if first >= last:
        return None
    ends = [(10**at, slope.factor * (10**at) ** slope.power) for at in (first, last)]
    return Line(path((x.at(a), y.at(b)) for a, b in ends), "ideal", label=slope.label)
