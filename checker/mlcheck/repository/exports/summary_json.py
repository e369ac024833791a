"""``summary_results.json`` of the inference results repositories: performance and power joined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mlcheck.repository.exports.facts import Published
from mlcheck.repository.exports.inference_summary import notes
from mlcheck.repository.exports.items import Item

Row = dict[str, Any]


def summary_documents(facts: Published, items: Sequence[Item], repository: str | None) -> list[Row]:
    """Return one document per result, in the order of the published file.

    Args:
        facts: of the round.
        items: accepted results.
        repository: where links lead; None: where the tree came from, else where rounds lie.
    """
    ids = public_ids(facts, items)
    documents = [
        _document(facts, item, ids[unique_id(item)], repository or item.repository)
        for item in items
    ]
    return sorted(documents, key=lambda row: (row["ID"], row["UsedModel"], row["Scenario"]))


def unique_id(item: Item) -> str:
    """Return what a line of the published tables is told apart by."""
    row = item.row
    parts = [_suite(item), row["division"], row["submitter"], row["system"]]
    if row["division"] == "open":
        parts.append(row["benchmark_raw"])
    return "/".join(parts)


def public_ids(facts: Published, items: Sequence[Item]) -> dict[str, str]:
    """Return the numbers that results are cited by, such as ``5.1-0001``.

    They count the lines by division, availability and submitter, as the tool of the chairs does for
    a whole round: of a part of one, the numbers are others.
    """
    lines = sorted(
        {(i.row["division"], _availability(i), i.row["submitter"], unique_id(i)) for i in items}
    )
    edition = facts.round.removeprefix("v")
    unique = dict.fromkeys(line[-1] for line in lines)
    return {line: f"{edition}-{number:04}" for number, line in enumerate(unique, 1)}


def _document(facts: Published, item: Item, id_: str, repository: str | None) -> Row:
    row, described = item.row, item.description
    home = f"{(repository or facts.repository).removesuffix('.git')}/tree/main"
    submission = f"{home}/{row['division']}/{row['submitter']}"
    accelerators = _count(described.get("accelerators_per_node", ""))
    document = {
        "ID": id_,
        "Submitter": row["submitter"],
        "Availability": _availability(item),
        "Category": row["division"],
        "Suite": _suite(item),
        "System": row["system_name"],
        "Platform": row["system"],
        "UsedModel": row["benchmark_raw"],
        "Model": row["benchmark"],
        "Scenario": row["scenario"],
        "Accuracy": item.accuracy,
        "Nodes": _count(described.get("number_of_nodes", "")),
        "Processor": described.get("host_processor_model_name", ""),
        "host_processors_per_node": _count(described.get("host_processors_per_node", "")),
        "host_processor_core_count": str(described.get("host_processor_core_count", "")),
        "Accelerator": accelerator(item),
        "a#": accelerators or "",
        "Location": row["path"],
        "Software": described.get("framework", ""),
        "operating_system": described.get("operating_system", ""),
        "Notes": notes(described, ". "),
        "compliance": 1,
        "errors": 0,
        "version": facts.round,
        "inferred": int(row["inferred"]),
        "has_power": row["power_value"] is not None,
        "weight_data_types": (row["weight_data_types"] or "").replace('"', "'"),
        "p#": _count(described.get("host_processors_per_node", "")),
        "Details": f"{submission}/results/{row['system']}",
        "Code": f"{submission}/code",
        "Unique ID (e.g. for Audit)": unique_id(item),
        "ColorKey": f"{_availability(item)}{row['submitter']}",
    }
    if row["power_value"] is not None:
        document["Power_Result"] = row["power_value"]
        document["Power_Units"] = facts.unit(row["power_unit"])
    if not row["power_only"] or row["power_value"] is None:
        document["Performance_Result"] = row["value"]
        document["Performance_Units"] = facts.unit(row["unit"]) if row["unit"] else ""
    return document


def accelerator(item: Item) -> str:
    """Return the accelerator as it was written; empty where it says that there is none."""
    if item.row["accelerator"] is None:
        return ""
    return str(item.description.get("accelerator_model_name", ""))


def _suite(item: Item) -> str:
    return str(item.description.get("system_type") or item.row["system_type"] or "")


def _availability(item: Item) -> str:
    return str(item.row["availability_raw"] or "").lower()


def _count(value: Any) -> Any:
    """Return a count as a number where it is one."""
    text = str(value).strip()
    return int(text) if text.isascii() and text.isdigit() else value
