"""Histories as text and as plain rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mlcheck.output.ranking import NOTICE, hardware
from mlcheck.output.table import Column, number, safe, text_table
from mlcheck.repository.history import Best, Line

CAVEAT = "Rounds differ in rules and models: numbers of two rounds are no official comparison."
_COLUMNS = (
    Column("round", "round", whole=True),
    Column("results", "n", whole=True),
    Column("who", "best by"),
    Column("hardware", "hardware"),
    Column("value", "result", whole=True),
    Column("per_accelerator", "per acc.", whole=True),
    Column("ratio", "better", whole=True, right=True),
)


def history_lines(lines: Sequence[Line], what: str) -> Iterator[str]:
    """Yield a history as text."""
    yield what
    yield ""
    for line in lines:
        kind = f", {line.system_type}" if line.system_type else ""
        scenario = f" {line.scenario}" if line.scenario else ""
        yield (
            f"{line.suite} {line.division}{kind}: {safe(line.benchmark)}{scenario}, {line.unit}, "
            f"{line.better} is better"
        )
        shown = [_shown(best) for best in line.rounds]
        columns = [c for c in _COLUMNS if any(row[c.key] is not None for row in shown)]
        yield from text_table(shown, columns)
        yield ""
    yield CAVEAT
    yield "Figures per accelerator are derived and no official MLPerf metrics."
    yield NOTICE


def _shown(best: Best) -> dict[str, Any]:
    return {
        "round": best.round,
        "results": best.results,
        "who": f"{best.row['submitter']}: {best.row['system_name'] or best.row['system']}",
        "hardware": hardware(best.row),
        "value": best.row["value"],
        "per_accelerator": best.per_accelerator,
        "ratio": f"{number(round(best.ratio, 3))} x" if best.ratio else None,
    }


def history_rows(lines: Sequence[Line]) -> list[dict[str, Any]]:
    """Return a history as plain rows, one per benchmark and round."""
    return [
        {
            "suite": line.suite,
            "division": line.division,
            "system_type": line.system_type,
            "benchmark": line.benchmark,
            "scenario": line.scenario,
            "round": best.round,
            "results": best.results,
            "submitter": best.row["submitter"],
            "system": best.row["system"],
            "system_name": best.row["system_name"],
            "accelerator": best.row["accelerator"],
            "soc": best.row["soc"],
            "accelerators_total": best.row["accelerators_total"],
            "metric": line.metric,
            "value": best.row["value"],
            "unit": line.unit,
            "better": line.better,
            "value_per_accelerator": best.per_accelerator,
            "unit_per_accelerator": f"{line.unit}/accelerator" if best.per_accelerator else None,
            "times_better": best.ratio,
            "result_id": best.row["id"],
        }
        for line in lines
        for best in line.rounds
    ]
