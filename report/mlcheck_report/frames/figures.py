"""Which charts a section has. Each function returns None where there is too little to see."""

from __future__ import annotations

from collections.abc import Callable

from mlcheck_report.charts.bars import ranking
from mlcheck_report.charts.drawing import Chart, Point, Texts
from mlcheck_report.charts.scatter import Measure, Slope, scatter
from mlcheck_report.charts.strips import Strip, strips
from mlcheck_report.frames.energy import energy_chart
from mlcheck_report.frames.ranked import Record
from mlcheck_report.frames.shape import Round, Section
from mlcheck_report.frames.sources import section_key, section_name, source
from mlcheck_report.numbers import exact, significant

FEWEST = 3  # points below which there is nothing to compare
_MOST_STRIPS = 20


def _who(row: Record) -> str:
    return f"{row['submitter']}: {row['name']}"


def _group(row: Record) -> str:
    """Return the accelerator; a mix is a kind of its own, never one of its parts."""
    kinds = row["kinds"] or ["CPU only"]
    return kinds[0] if len(kinds) == 1 else " + ".join(kinds)


def ranking_chart(round_: Round, section: Section) -> Chart | None:
    """The best results of the section by its official metric."""
    rows = section.ranked
    if len(rows) < 2:
        return None
    points = [
        Point(
            row["value"],
            0,
            _group(row),
            _who(row),
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
            _group(row),
            f"{_who(row)}, {row['accelerators_total']} accelerators, {row['text']} {section.unit}",
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
    lower = all(item["op"] == "<=" for _, item in found)
    points = [
        Point(
            row["value"],
            item["value"],
            row["model"] or _group(row),
            f"{_who(row)}{', ' + row['model'] if row['model'] else ''}: {row['text']} {unit}, "
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
            _group(row),
            f"{_who(row)}: {row['text']} {unit} at {significant(row['average_w'])} W",
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
    kinds = sorted({_group(row) for row in rows}, key=str.casefold)
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
                    f"{_who(row)}: {significant(row['per_watt'])} {unit} per W",
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
                if _group(row) == kind
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
            _who(row),
            tuple(
                Point(
                    item["value"],
                    0,
                    f"{_percentile(item['name']):g} %",
                    f"{_who(row)}: {_percentile(item['name']):g} % of queries within "
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


OF_SECTION: tuple[Callable[[Round, Section], Chart | None], ...] = (
    ranking_chart,
    scaling_chart,
    power_chart,
    energy_chart,
    efficiency_chart,
    accuracy_chart,
    latency_chart,
)
