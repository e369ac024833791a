"""Power over time: means of readings that lie close together, what they span, and the window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mlcheck_report.charts.drawing import Chart, Line, Texts, path
from mlcheck_report.charts.scales import linear
from mlcheck_report.numbers import significant

WIDTH, HEIGHT = 760, 300
LEFT, RIGHT, TOP, BOTTOM = 76, 18, 14, 48


@dataclass(frozen=True, slots=True)
class Reading:
    """Readings close together: seconds from the beginning of the window, and watts."""

    second: float
    mean_w: float
    least_w: float
    most_w: float


def trace(readings: Sequence[Reading], seconds: float | None, texts: Texts) -> Chart:
    """Draw at least one reading; `seconds` is the length of the window, None: not known."""
    ends = [0.0] if seconds is None else [0.0, seconds]
    x = linear([*(one.second for one in readings), *ends], LEFT, WIDTH - RIGHT)
    watts = [w for one in readings for w in (one.least_w, one.most_w)]
    y = linear(watts, HEIGHT - BOTTOM, TOP, zero=True)
    spans = (
        Line(path((x.at(one.second), y.at(w)) for w in (one.least_w, one.most_w)), "range")
        for one in readings
        if one.most_w > one.least_w
    )
    edges = (
        Line(
            path(((x.at(end), TOP), (x.at(end), HEIGHT - BOTTOM))),
            "ideal",
            label=f"{name} of the window",
        )
        for end, name in zip(ends, ("beginning", "end"), strict=False)
    )
    mean = Line(path((x.at(one.second), y.at(one.mean_w)) for one in readings), "series", 0, "mean")
    return Chart(
        texts=texts,
        rows=tuple(
            (None, (f"{one.second:.1f}", *map(significant, (one.mean_w, one.least_w, one.most_w))))
            for one in readings
        ),
        width=WIDTH,
        height=HEIGHT,
        box=(LEFT, TOP, WIDTH - RIGHT, HEIGHT - BOTTOM),
        x_title="seconds from the beginning of the window",
        y_title="power in W",
        x_ticks=x.ticks,
        y_ticks=y.ticks,
        lines=(*spans, mean, *edges),
    )
