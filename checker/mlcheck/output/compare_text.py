"""Comparisons as text and as plain rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mlcheck.output.ranking import NOTICE, hardware
from mlcheck.output.table import Column, counted, number, safe, text_table
from mlcheck.repository.choices import Per
from mlcheck.repository.compare import Comparison

DERIVED = "Ratios, means and divided figures are derived and no official MLPerf metrics."
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def letter(position: int) -> str:
    """Return the letter that stands for a system in a table."""
    return _LETTERS[position] if position < len(_LETTERS) else str(position + 1)


def compare_lines(comparison: Comparison) -> Iterator[str]:
    """Yield a comparison as text."""
    for position, system in enumerate(comparison.systems):
        row = system.rows[0]
        base = ", baseline" if position == comparison.baseline else ""
        yield (
            f"{letter(position)}  {safe(system.label)}, {row['suite']} {system.round} "
            f"{row['division']}{base}"
        )
        about = ", ".join(part for part in (_nodes(row), safe(hardware(row))) if part)
        yield f"   {about}" if about else "   hardware is not stated"
    yield ""
    if comparison.per is not Per.SYSTEM:
        yield f"per {comparison.per}"
    yield from text_table(_rows(comparison), _columns(comparison))
    for line in comparison.refused:
        yield f"not compared: {safe(line)}"
    yield ""
    yield f"geometric mean over {counted(comparison.counted, 'benchmark')} that all have"
    yield DERIVED
    yield NOTICE


def _nodes(row: dict[str, Any]) -> str:
    return counted(row["nodes"], "node") if row["nodes"] else ""


def _columns(comparison: Comparison) -> list[Column]:
    places = range(len(comparison.systems))
    return [
        Column("benchmark", "benchmark"),
        Column("unit", "unit", whole=True),
        *(Column(f"value{i}", letter(i), whole=True, right=True) for i in places),
        *(
            Column(
                f"ratio{i}", f"{letter(i)}/{letter(comparison.baseline)}", whole=True, right=True
            )
            for i in places
            if i != comparison.baseline
        ),
    ]


def _rows(comparison: Comparison) -> list[dict[str, Any]]:
    rows = []
    for each in comparison.benchmarks:
        row: dict[str, Any] = {
            "benchmark": f"{each.benchmark} {each.scenario or ''}".strip(),
            "unit": each.unit,
        }
        for i, (value, speedup) in enumerate(zip(each.values, each.speedups, strict=True)):
            row[f"value{i}"] = "n/a" if value is None else number(value)
            row[f"ratio{i}"] = "n/a" if speedup is None else f"{speedup:.3f}"
        rows.append(row)
    mean: dict[str, Any] = {"benchmark": "geometric mean"}
    for i, value in enumerate(comparison.means):
        mean[f"ratio{i}"] = "n/a" if value is None else f"{value:.3f}"
    return [*rows, mean]


FIELDS = (
    "benchmark",
    "scenario",
    "system",
    "round",
    "value",
    "unit",
    "better",
    "times_better",
    "baseline",
    "result_id",
)


def compare_rows(comparison: Comparison) -> list[dict[str, Any]]:
    """Return a comparison as plain rows, one per benchmark and system."""
    baseline = comparison.systems[comparison.baseline].label
    rows = [
        {
            "benchmark": each.benchmark,
            "scenario": each.scenario,
            "system": comparison.systems[i].label,
            "round": comparison.systems[i].round,
            "value": each.values[i],
            "unit": each.unit,
            "better": each.better,
            "times_better": each.speedups[i],
            "baseline": baseline,
            "result_id": row["id"] if row else None,
        }
        for each in comparison.benchmarks
        for i, row in enumerate(each.rows)
    ]
    rows += [
        {
            "benchmark": "geometric mean",
            "system": system.label,
            "round": system.round,
            "times_better": comparison.means[i],
            "baseline": baseline,
        }
        for i, system in enumerate(comparison.systems)
    ]
    return rows
