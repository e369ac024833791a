"""What scripts filter, sort, compare and export: plain data, without repeating itself."""

from __future__ import annotations

from typing import Any

from mlcheck_report.frames.exported import EXPORT_VERSION, NOTICE
from mlcheck_report.frames.ranked import Record
from mlcheck_report.frames.shape import NONE, Round
from mlcheck_report.frames.systems import FACTS
from mlcheck_report.names import result_name

_SECTION = ("division", "label", "scenario", "variant", "metric", "unit", "better", "key")
_SYSTEM = (
    "submitter",
    "division",
    "system",
    "name",
    "availability",
    "nodes",
    "kinds",
    "mixed",
    "accelerators_total",
    "host_cpu",
    "hardware",
    "notes",
    "framework",
)
_RESULT = (
    "rank",
    "value",
    "margin",
    "quality_ok",
    "average_w",
    "energy_j",
    "efficiency",
    "verdict",
    "official_verdict",
    "inferred",
    "model",
    "id",
)


def script_data(round_: Round) -> dict[str, Any]:
    """Return the rows of a round in their order; facts of sections and systems stand once.

    Each row is a list: place in `sections`, place in `systems`, places in `rules`, then the values
    of `fields`, then the name of its page if that is not its id.
    """
    place = {one["page"]: number for number, one in enumerate(round_.systems)}
    rules = [rule.rule for rule in round_.rules]
    number_of = {rule: number for number, rule in enumerate(rules)}
    return {
        "schema_version": EXPORT_VERSION,
        "notice": NOTICE,
        "suite": round_.suite,
        "round": round_.round,
        "none": NONE,
        "facts": [name for _, name in FACTS],
        "sections": [
            {name: getattr(section, name) for name in _SECTION} | {"title": section.title}
            for section in round_.sections
        ],
        "systems": [_system(one) for one in round_.systems],
        "rules": rules,
        "fields": list(_RESULT),
        "rows": [
            [
                row["section"],
                place[row["system_page"]],
                [number_of[rule] for rule in row["rules"]],
                *(row[name] for name in _RESULT),
                *([] if result_name(row["id"]) == row["id"] else [result_name(row["id"])]),
            ]
            for row in round_.rows
        ],
    }


def _system(system: Record) -> dict[str, Any]:
    file = system["page"].rpartition("/")[2]
    facts = ["" if system[column] is None else str(system[column]) for column, _ in FACTS]
    own = {name: system[name] for name in _SYSTEM}
    types = [part.strip() for part in (system["category"] or NONE).split(",")]
    return own | {"key": system["key"], "page": file, "types": types, "facts": facts}
