"""Percentiles of latency."""

from __future__ import annotations

from mlcheck_report.charts.drawing import Chart, Point, Texts
from mlcheck_report.charts.strips import Strip, strips
from mlcheck_report.frames.shape import Round, Section
from mlcheck_report.frames.sources import section_key, section_name, source, who
from mlcheck_report.numbers import significant

_MOST_STRIPS = 20


def latency_chart(round_: Round, section: Section) -> Chart | None:
    """Percentiles of latency of the best results."""
    found = []
    for row in section.ranked[:_MOST_STRIPS]:
        metrics = [
            item
            for item in round_.evidence[row["id"]].metrics
            if item["name"].startswith("latency_p") and (item["value"] or 0) > 0
        ]
        if len(metrics) > 1:
            found.append((row, sorted(metrics, key=lambda item: _percentile(item["name"]))))
    if not found:
        return None
    unit = found[0][1][0]["unit"]
    drawn = [
        Strip(
            who(row),
            tuple(
                Point(
                    item["value"],
                    0,
                    f"{_percentile(item['name']):g} %",
                    f"{who(row)}: {_percentile(item['name']):g} % of queries within "
                    f"{significant(item['value'])} {unit}",
                    row["page"],
                    (
                        row["submitter"],
                        row["name"],
                        f"{_percentile(item['name']):g}",
                        significant(item["value"]),
                        str(row["runs"]),
                    ),
                )
                for item in items
                if item["unit"] == unit
            ),
        )
        for row, items in found
    ]
    return strips(
        drawn,
        f"latency in {unit}, logarithmic",
        Texts(
            section_key("latency", section),
            f"Latency percentiles: {section_name(section)}",
            source(round_),
            "How long the given share of queries took at most, in the order of the ranking. Where "
            "the metric is a rate, latency only has to stay under the limit of the benchmark.",
            ("Submitter", "System", "Percentile", f"Latency, {unit}", "Runs"),
        ),
    )


def _percentile(name: str) -> float:
    text = name.removeprefix("latency_p").replace("_", ".")
    try:
        return float(text)
    except ValueError:
        return 0.0
