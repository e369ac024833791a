"""Rankings as text: what is compared stands above, one line per result below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mlcheck.output.table import Column, counted, safe, text_table

Row = Mapping[str, Any]
_COLUMNS = (
    Column("rank", "rank", whole=True),
    Column("submitter", "submitter"),
    Column("name", "system"),
    Column("hardware", "hardware"),
    Column("value", "result", whole=True),
    Column("note", "note", whole=True),
)
NOTICE = "Made by mlcheck, which is independent of MLCommons. MLPerf is its trademark."


def ranking_lines(sections: Mapping[str, Sequence[Row]], limit: int | None) -> Iterator[str]:
    """Yield the lines of rankings, at most ``limit`` results of each."""
    total = sum(len(rows) for rows in sections.values())
    for rows in sections.values():
        yield _title(rows)
        shown = [_shown(row) for row in rows[:limit]]
        columns = [c for c in _COLUMNS if c.key != "note" or any(row["note"] for row in shown)]
        yield from text_table(shown, columns)
        if limit is not None and len(rows) > limit:
            yield f"… and {len(rows) - limit} more (--limit)"
        yield ""
    yield f"{counted(total, 'result')} in {counted(len(sections), 'ranking')}"
    yield NOTICE


def _title(rows: Sequence[Row]) -> str:
    first = rows[0]
    kind = f", {first['system_type']}" if first["system_type"] else ""
    benchmark = safe(first["benchmark"] or first["benchmark_raw"])
    scenario = f" {first['scenario']}" if first["scenario"] else ""
    unit = next((f", {row['unit']}, {row['better']} is better" for row in rows if row["unit"]), "")
    place = f"{first['suite']} {first['round']} {first['division']}{kind}"
    return f"{place}: {benchmark}{scenario}{unit}"


def _shown(row: Row) -> dict[str, Any]:
    return {
        "rank": row["rank"],
        "submitter": row["submitter"],
        "name": row["system_name"] or row["system"],
        "hardware": hardware(row),
        "value": row["value"],
        "note": ", ".join(_notes(row)),
    }


def hardware(row: Row) -> str:
    """Return what computes: a SoC, ``8 x NVIDIA B200``, or without accelerator the processor."""
    if row["soc"] is not None:
        return str(row["soc"])
    name, count = row["accelerator"] or row["accelerator_raw"], row["accelerators_total"]
    if row["accelerator"] is None:
        name, count = row["host_cpu"], None
    if not name:
        return ""
    return f"{count} x {name}" if count else str(name)


def _notes(row: Row) -> Iterator[str]:
    if row["verdict"] != "valid":
        yield "policy: invalid"
    if row["official_verdict"] != "valid":
        yield "official: invalid"
    if row["availability"] not in (None, "available"):
        yield str(row["availability"])
    if row["power_only"]:
        yield "for its power"
