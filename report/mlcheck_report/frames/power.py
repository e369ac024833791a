"""Measured power of all suites: from what to what it ranges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from mlcheck_report.charts.drawing import Chart, Point, Texts
from mlcheck_report.charts.strips import Strip, strips
from mlcheck_report.frames.measured import Measurement, measurement
from mlcheck_report.frames.ranked import Record
from mlcheck_report.frames.shape import Round
from mlcheck_report.frames.site import Shown, Site
from mlcheck_report.numbers import significant


@dataclass(frozen=True, slots=True)
class Range:
    """The power of one type of system of a suite, in watts."""

    name: str
    rows: tuple[Record, ...]

    @property
    def figures(self) -> tuple[float, float, float]:
        """Least, median and most."""
        values = [row["average_w"] for row in self.rows]
        return min(values), median(values), max(values)


def frame(site: Site) -> Iterator[Shown]:
    """Show the ranges of power, if anything was measured."""
    found = ranges(site)
    if found:
        view = {"ranges": found, "chart": chart(found), "rounds": measurements(site)}
        yield Shown(path="power.html", title="Measured power", view=view)


def measurements(site: Site) -> list[tuple[Round, list[Measurement]]]:
    """Return by round how the power of each result was measured, where that is known."""
    found = [
        (round_, [one for row in round_.rows if (one := measurement(round_, row))])
        for round_ in site.rounds
    ]
    return [(round_, rows) for round_, rows in found if rows]


def ranges(site: Site) -> list[Range]:
    """Return suites and types of systems with a measurement, the least power first."""
    groups: defaultdict[str, list[Record]] = defaultdict(list)
    for round_ in site.rounds:
        for row in round_.rows:
            if (row["average_w"] or 0) > 0:
                kind = row["category"] or ""
                name = " ".join(filter(None, (round_.suite.capitalize(), round_.round, kind)))
                groups[name].append(row)
    found = [Range(name, tuple(rows)) for name, rows in groups.items()]
    return sorted(found, key=lambda one: (one.figures[1], one.name))


def chart(found: list[Range]) -> Chart:
    """Draw the ranges on one logarithmic axis."""
    drawn = [
        Strip(
            one.name,
            tuple(
                Point(
                    row["average_w"],
                    0,
                    "result",
                    f"{row['submitter']}: {row['name']}, {row['label']} {row['scenario'] or ''}, "
                    f"{significant(row['average_w'])} W",
                    row["page"],
                    (
                        one.name,
                        row["submitter"],
                        row["name"],
                        " ".join(filter(None, (row["label"], row["scenario"]))),
                        significant(row["average_w"]),
                    ),
                )
                for row in one.rows
            ),
        )
        for one in found
    ]
    return strips(
        drawn,
        "average system power in W, logarithmic",
        Texts(
            "power-range",
            "Measured power by suite and type of system",
            "MLPerf® submissions with a power measurement, as normalised by mlcheck; not verified "
            "by MLCommons.",
            "One mark is one result. What is measured differs: the system at the wall for servers "
            "and edge devices, a node for training, the board for tiny devices.",
            ("Suite and type", "Submitter", "System", "Benchmark", "Average power, W"),
        ),
    )
