"""The best results of a section as bars."""

from __future__ import annotations

from mlcheck_report.charts.bars import ranking
from mlcheck_report.charts.drawing import Chart, Point, Texts
from mlcheck_report.frames.shape import Round, Section
from mlcheck_report.frames.sources import group, section_key, section_name, source, who


def ranking_chart(round_: Round, section: Section) -> Chart | None:
    """The best results of the section by its official metric."""
    rows = section.ranked
    if len(rows) < 2:
        return None
    points = [
        Point(
            row["value"],
            0,
            group(row),
            who(row),
            row["page"],
            (str(row["rank"]), row["submitter"], row["name"], row["hardware"] or "", row["text"]),
        )
        for row in rows
    ]
    unit = section.unit or ""
    return ranking(
        points,
        f"{unit}, {section.better} is better",
        Texts(
            section_key("ranking", section),
            f"Ranking: {section_name(section)}",
            source(round_),
            "The first 20 by the official metric; systems differ in size.",
            ("Rank", "Submitter", "System", "Accelerators", unit),
        ),
    )
