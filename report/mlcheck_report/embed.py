"""What the script of a page filters, sorts and exports: plain data, without repeating itself."""

from __future__ import annotations

from typing import Any

from mlcheck_report.frames import Record
from mlcheck_report.page import NONE, Page
from mlcheck_report.sources import Sources

_SECTION = ("division", "label", "scenario", "variant", "metric", "unit", "better", "key")
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
    "per",
    "margin",
    "quality_ok",
    "average_w",
    "energy_j",
    "efficiency",
    "verdict",
    "official_verdict",
    "inferred",
    "id",
)


def script_data(page: Page, sources: Sources) -> dict[str, Any]:
    """Return the rows of a page in its order; facts of sections and systems stand once.

    Each row is a list: place in `sections`, place in `systems`, places in `rules`, then the values
    of `fields`.
    """
    systems: dict[tuple[Any, ...], int] = {}
    described: list[Record] = []
    rules = [rule.rule for rule in page.rules]
    rows = []
    for section in page.sections:
        for row in section.rows:
            key = (row["division"], row["submitter"], row["system"])
            if key not in systems:
                systems[key] = len(described)
                facts = {name: row[name] for name in _SYSTEM}
                described.append(facts | {"base": sources.base(row)})
            found = [rules.index(rule) for rule in row["rules"]]
            rows.append([section.number, systems[key], found, *(row[name] for name in _RESULT)])
    return {
        "suite": page.suite,
        "round": page.round,
        "none": NONE,
        "base": sources.common,
        "sections": [
            {name: getattr(section, name) for name in _SECTION} for section in page.sections
        ],
        "systems": described,
        "rules": rules,
        "fields": list(_RESULT),
        "rows": rows,
    }
