"""Performance against measured power, and per watt."""

from __future__ import annotations

from mlcheck_report.charts.drawing import Chart, Point, Texts
from mlcheck_report.charts.scatter import Measure, Slope, scatter
from mlcheck_report.charts.strips import Strip, strips
from mlcheck_report.frames.ranked import Record
from mlcheck_report.frames.shape import Round, Section
from mlcheck_report.frames.sources import group, section_key, section_name, source, who
from mlcheck_report.numbers import significant


def power_chart(round_: Round, section: Section) -> Chart | None:
    """Performance against measured power, with lines of equal efficiency."""
    rows = [row for row in section.ranked if row["per_watt"] and row["value"] > 0]
    if len(rows) < 2:
        return None
    unit = section.unit or ""
    points = [
        Point(
            row["average_w"],
            row["value"],
            group(row),
            f"{who(row)}: {row['text']} {unit} at {significant(row['average_w'])} W",
            row["page"],
            (
                row["submitter"],
                row["name"],
                row["hardware"] or "",
                row["text"],
                significant(row["average_w"]),
                significant(row["per_watt"]),
            ),
        )
        for row in rows
    ]
    best = max(row["per_watt"] for row in rows)
    lines = [
        Slope(best * share, 1, f"{significant(best * share)} {unit} per W")
        for share in (1, 0.5, 0.25)
    ]
    return scatter(
        points,
        Measure("average system power in W, logarithmic", log=True),
        Measure(f"{unit}, logarithmic", log=True),
        Texts(
            section_key("power", section),
            f"Performance against power: {section_name(section)}",
            source(round_),
            "Dashed: equal efficiency, from the best down to a half and a quarter of it. Only "
            "power measured by the MLPerf® power method; derived, not an official metric.",
            ("Submitter", "System", "Accelerators", unit, "W", f"{unit} per W (derived)"),
        ),
        lines,
    )


def efficiency_chart(round_: Round, section: Section) -> Chart | None:
    """Performance per watt by accelerator."""
    rows = [row for row in section.ranked if row["per_watt"]]
    kinds = sorted({group(row) for row in rows}, key=str.casefold)
    if len(rows) < 2 or len(kinds) < 2:
        return None
    unit = section.unit or ""
    drawn = [
        Strip(
            kind,
            tuple(
                Point(
                    row["per_watt"],
                    0,
                    "result",
                    f"{who(row)}: {significant(row['per_watt'])} {unit} per W",
                    row["page"],
                    (
                        kind,
                        row["submitter"],
                        row["name"],
                        row["hardware"] or "",
                        significant(row["per_watt"]),
                        _watts_each(row),
                    ),
                )
                for row in rows
                if group(row) == kind
            ),
        )
        for kind in kinds
    ]
    return strips(
        drawn,
        f"{unit} per W, logarithmic (higher is better)",
        Texts(
            section_key("efficiency", section),
            f"Efficiency by accelerator: {section_name(section)}",
            source(round_),
            "Result divided by the average power of the whole system, by what computes in it. Only "
            "power measured by the MLPerf® power method; derived, not an official metric.",
            (
                "Accelerator",
                "Submitter",
                "System",
                "Accelerators",
                f"{unit} per W (derived)",
                "W per accelerator (derived)",
            ),
        ),
    )


def _watts_each(row: Record) -> str:
    count = row["accelerators_total"]
    return significant(row["average_w"] / count) if count and not row["mixed"] else ""
