"""What the script of a page filters, sorts and exports: plain data, without repeating itself."""

from __future__ import annotations

from typing import Any

from mlcheck_report.frames import Record
from mlcheck_report.page import NONE, Page

_SECTION = ("division", "label", "scenario", "variant", "metric", "unit", "better")
_SYSTEM = (
    "submitter",
    "system",
    "name",
    "types",
    "availability",
    "nodes",
    "accelerator",
    "accelerators_total",
    "host_cpu",
    "hardware",
    "framework",
)
_RESULT = (
    "rank",
    "value",
    "value_raw",
    "per",
    "margin",
    "quality_ok",
    "average_w",
    "efficiency",
    "verdict",
    "official_verdict",
    "inferred",
    "rules",
    "id",
    "anchor",
    "path",
    "comparability_key",
)


def script_data(page: Page) -> dict[str, Any]:
    """Return the rows of a page in its order; facts of sections and systems stand once.

    Each row is a list: place in `sections`, place in `systems`, then the values of `fields`.
    """
    systems: dict[tuple[Any, ...], int] = {}
    described: list[Record] = []
    rows = []
    for section in page.sections:
        for row in section.rows:
            key = (row["division"], row["submitter"], row["system"])
            if key not in systems:
                systems[key] = len(described)
                described.append({name: row[name] for name in _SYSTEM})
            rows.append([section.number, systems[key], *(row[name] for name in _RESULT)])
    return {
        "suite": page.suite,
        "round": page.round,
        "none": NONE,
        "sections": [
            {name: getattr(section, name) for name in _SECTION} for section in page.sections
        ],
        "systems": described,
        "fields": list(_RESULT),
        "rows": rows,
    }
