"""Systems as rows of their table: what descriptions state, under one name each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from mlcheck.model import Report, Result, System
from mlcheck.normalize.names import Named, names

Row = dict[str, Any]
Digest = Callable[[str], str | None]  # path below the root -> SHA-256 of the file
_PARTS = {  # column -> member of a description
    "accelerator_raw": "accelerator_model_name",
    "host_cpu_raw": "host_processor_model_name",
}
_NOT_THERE = {"", "n/a", "na", "none", "-"}


def keys(item: Result | System, report: Report) -> Row:
    """Return the columns by which the rows of a submission are known in all tables."""
    ref = report.rulesets[0]
    return {
        "suite": ref.suite,
        "round": ref.round,
        "division": item.division,
        "submitter": item.submitter,
    }


def by_division(report: Report) -> Iterator[System]:
    """Yield each system once for every division it has results in, as keys of tables have one."""
    divisions: dict[tuple[str, str], set[str]] = {}
    for result in report.results:
        divisions.setdefault((result.submitter, result.system), set()).add(result.division)
    for system in report.systems:
        if system.division:
            yield system
            continue
        for division in sorted(divisions.get((system.submitter, system.name), {""})):
            yield replace(system, division=division)


def system_row(system: System, report: Report, digest: Digest) -> Row:
    """Return the row of one system in one division."""
    fields = system.description or {}
    nodes = count(fields.get("number_of_nodes"))
    per_node = count(fields.get("accelerators_per_node"))
    row = {
        **keys(system, report),
        "system": system.name,
        "system_name": _text(fields, "system_name"),
        "availability": availability(_text(fields, "status")),
        "availability_raw": _text(fields, "status"),
        "category": _text(fields, "system_type"),
        "nodes": nodes,
        **{column: _text(fields, name) for column, name in _PARTS.items()},
        "host_cpus_per_node": count(fields.get("host_processors_per_node")),
        "accelerators_per_node": per_node,
        "accelerators_total": None
        if nodes is None or per_node is None
        else _int32(nodes * per_node),
        "host_memory": _text(fields, "host_memory_capacity"),
        "accelerator_memory": _text(fields, "accelerator_memory_capacity"),
        "interconnect": named(fields.get("accelerator_interconnect")),
        "framework": _text(fields, "framework"),
        "operating_system": _text(fields, "operating_system"),
        "device": None,
        "soc_raw": None,
        "soc_id": None,
        "description_json": json.dumps(fields, ensure_ascii=True) if fields else None,
        "path": system.path,
        "sha256": digest(system.path) if system.description is not None else None,
    }
    stated = {column: value for column, value in system.stated.items() if value is not None}
    row |= stated
    written = {column: fields.get(name) for column, name in _PARTS.items()} | stated
    return row | {"availability": availability(row["availability_raw"])} | _named_parts(written)


def _named_parts(written: Row) -> Row:
    """Return the columns of parts by their names; what was written of them stands beside."""
    accelerator, accelerators = _canonical("accelerators", written["accelerator_raw"])
    host_cpu, host_cpus = _canonical("processors", written["host_cpu_raw"])
    soc, socs = _canonical("processors", written.get("soc_raw"))
    unknown = (*accelerators.unknown, *host_cpus.unknown, *socs.unknown)
    return {
        "accelerator": accelerator,
        "accelerators": list(accelerators.known),
        "host_cpu": host_cpu,
        "soc": soc,
        "unknown_names": list(dict.fromkeys(unknown)),  # of laptops, SoC and processor are one text
    }


def availability(status: str | None) -> str | None:
    """Return the category that a status names, however a suite spells it."""
    words = (status or "").strip().lower()
    if words.startswith("available"):
        return "available"
    return "rdi" if words.startswith("research") or "r&d" in words else words or None


def count(value: Any) -> int | None:
    """Return a count of a description; None: it is not a whole number that a column holds."""
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
        value = int(value) if len(value) < 12 else None
    if isinstance(value, int) and not isinstance(value, bool):
        return _int32(value)
    return None


def _int32(value: int) -> int | None:
    return value if 0 <= value < 2**31 else None


def named(value: Any) -> str | None:
    """Return a name with its white space tidied; None: it says that there is nothing."""
    text = " ".join(value.split()) if isinstance(value, str) else ""
    return None if text.lower() in _NOT_THERE else text


def _canonical(kind: str, value: Any) -> tuple[str | None, Named]:
    """Return the name of a part that tables show, and which of its names are known."""
    text = named(value)
    if text is None:
        return None, Named((), ())
    found = names(kind).named(text)
    return found.text(text), found


def _text(fields: Mapping[str, Any], name: str) -> str | None:
    value = fields.get(name)
    return value if isinstance(value, str) else None if value is None else json.dumps(value)
