"""Result against size: does twice as many accelerators give twice as much?"""

from __future__ import annotations

from mlcheck_report.charts.drawing import Chart, Point, Texts
from mlcheck_report.charts.scatter import Measure, Slope, scatter
from mlcheck_report.frames.ranked import Record
from mlcheck_report.frames.shape import Round, Section
from mlcheck_report.frames.sources import group, section_key, section_name, source, who

FEWEST = 3  # points below which there is nothing to compare


def scaling_chart(round_: Round, section: Section) -> Chart | None:
    """Result against number of accelerators: does twice as many give twice as much?"""
    rows = [row for row in section.ranked if _counted(row) and row["value"] > 0]
    if len(rows) < FEWEST or len({row["accelerators_total"] for row in rows}) < 2:
        return None
    time = section.better == "lower"
    if time and section.unit != "minutes":
        return None  # a latency does not scale with the number of accelerators
    work = [_work(row, time=time) for row in rows]
    best = min(work) if time else max(work)
    points = [
        Point(
            row["accelerators_total"],
            row["value"],
            group(row),
            f"{who(row)}, {row['accelerators_total']} accelerators, {row['text']} {section.unit}",
            row["page"],
            (
                row["submitter"],
                row["name"],
                row["hardware"] or "",
                str(row["accelerators_total"]),
                row["text"],
                f"{100 * (best / w if time else w / best):.0f}",
            ),
        )
        for row, w in zip(rows, work, strict=True)
    ]
    unit = section.unit or ""
    line = Slope(best, -1 if time else 1, "as efficient as the best")
    formula = f"least accelerator-{unit}" if time else f"most {unit} per accelerator"
    return scatter(
        points,
        Measure("accelerators in total, logarithmic", log=True),
        Measure(f"{unit}, logarithmic", log=True),
        Texts(
            section_key("scaling", section),
            f"Scaling: {section_name(section)}",
            source(round_),
            f"Dashed: perfect scaling from the result with the {formula}. Efficiency is the part "
            "of that line a result reaches: derived, not an official MLPerf® metric. Systems with "
            "several kinds of accelerators are left out.",
            ("Submitter", "System", "Accelerators", "Number", unit, "Efficiency, % (derived)"),
        ),
        (line,),
    )


def _counted(row: Record) -> bool:
    return (row["accelerators_total"] or 0) > 0 and not row["mixed"]


def _work(row: Record, *, time: bool) -> float:
    count = float(row["accelerators_total"])
    value = float(row["value"])
    return value * count if time else value / count
