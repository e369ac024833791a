"""Lines over rounds: each series begins at 1 in its first round, a logarithmic axis upwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mlcheck_report.charts.drawing import Chart, Line, Point, Texts, group_names, marks, path, rows
from mlcheck_report.charts.scales import categories, logarithmic

WIDTH, HEIGHT = 760, 360
LEFT, RIGHT, TOP, BOTTOM = 76, 18, 14, 48


def series(
    lines: Mapping[str, Sequence[Point]], rounds: Sequence[str], y_title: str, texts: Texts
) -> Chart:
    """Draw one line per name; the `x` of a point is the place of its round in `rounds`."""
    points = [point for line in lines.values() for point in line]
    x = categories(rounds, LEFT, WIDTH - RIGHT)
    y = logarithmic([point.y for point in points], HEIGHT - BOTTOM, TOP)
    names = group_names(point.group for point in points)
    place = {name: number for number, name in enumerate(names)}
    return Chart(
        texts=texts,
        rows=rows(points),
        width=WIDTH,
        height=HEIGHT,
        box=(LEFT, TOP, WIDTH - RIGHT, HEIGHT - BOTTOM),
        x_title="round",
        y_title=y_title,
        x_ticks=x.ticks,
        y_ticks=y.ticks,
        marks=marks(points, names, x, y),
        lines=tuple(
            Line(
                path((x.at(p.x), y.at(p.y)) for p in line),
                "series",
                place.get(line[0].group, len(names) - 1),
                name,
            )
            for name, line in lines.items()
            if len(line) > 1
        ),
        groups=names,
    )
