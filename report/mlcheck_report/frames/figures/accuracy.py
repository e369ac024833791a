"""Accuracy against performance."""

from __future__ import annotations

from mlcheck_report.charts.drawing import Chart, Point, Texts
from mlcheck_report.charts.scatter import Measure, scatter
from mlcheck_report.frames.ranked import CEILINGS, Record
from mlcheck_report.frames.shape import Round, Section
from mlcheck_report.frames.sources import group, section_key, section_name, source, who
from mlcheck_report.numbers import exact

FEWEST = 3  # different accuracies below which there is nothing to compare


def accuracy_chart(round_: Round, section: Section) -> Chart | None:
    """Accuracy against performance: what a faster or smaller model costs."""
    found = [
        (row, item)
        for row in section.ranked
        if (item := _first_quality(round_, row)) and row["value"] > 0
    ]
    name = _most_frequent([item["name"] for _, item in found])
    found = [(row, item) for row, item in found if item["name"] == name]
    if len({item["value"] for _, item in found}) < FEWEST:
        return None
    unit = section.unit or ""
    lower = all(item["op"] in CEILINGS for _, item in found)
    points = [
        Point(
            row["value"],
            item["value"],
            row["model"] or group(row),
            f"{who(row)}{', ' + row['model'] if row['model'] else ''}: {row['text']} {unit}, "
            f"{name} {exact(item['value'], 6)}",
            row["page"],
            (
                row["submitter"],
                row["name"],
                row["model"] or row["label"],
                row["text"],
                exact(item["value"], 6),
                "" if item["target"] is None else f"{item['op']} {exact(item['target'], 6)}",
            ),
        )
        for row, item in found
    ]
    return scatter(
        points,
        Measure(f"{unit}, logarithmic ({section.better} is better)", log=True),
        Measure(f"{name}, {'lower' if lower else 'higher'} is better", log=False),
        Texts(
            section_key("accuracy", section),
            f"Accuracy against performance: {section_name(section)}",
            source(round_),
            "Accuracy is not the primary metric. In closed all results meet the target; in open "
            "the model may differ, which the table says.",
            ("Submitter", "System", "Model", unit, name, "Target"),
        ),
    )


def _first_quality(round_: Round, row: Record) -> Record | None:
    """Return the first finite quality value of a result: that of the benchmark's main measure."""
    items = round_.evidence[row["id"]].quality
    return next((item for item in items if item["value"] is not None), None)


def _most_frequent(names: list[str]) -> str:
    return max(sorted(set(names)), key=names.count, default="")
