"""``summary.csv`` of the inference checkers: a row per result, and one of its power."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from mlcheck.overlay import RulesetError
from mlcheck.repository.exports.facts import Published
from mlcheck.repository.exports.items import Item

Row = dict[str, Any]


def summary_rows(facts: Published, items: list[Item]) -> list[Row]:
    """Return the rows of the official summary, without the round's own mistakes.

    Raises:
        RulesetError: a column or a unit is not known.
    """
    unknown = [name for name in facts.columns if name not in _CELLS]
    if unknown:
        raise RulesetError(f"rules/exports/{facts.suite}.yaml: no column {unknown[0]} can be made")
    return [row for item in items for row in _rows(facts, item)]


def _rows(facts: Published, item: Item) -> Iterator[Row]:
    measured = item.row["power_value"] is not None
    cells = {name: _CELLS[name](item, facts) for name in facts.columns}
    if not (measured and item.row["power_only"]):
        yield cells
    if measured and facts.power == "row":
        unit = facts.unit(item.row["power_unit"])
        yield {**cells, "Result": item.row["power_value"], "Units": unit}


def notes(description: Mapping[str, Any], between: str) -> str:
    """Return the notes on hardware and software as one text."""
    stated = (description.get(name) for name in ("hw_notes", "sw_notes"))
    return between.join(str(text) for text in stated if text)


def _described(name: str) -> Callable[[Item, Published], Any]:
    return lambda item, _: item.description.get(name, "")


def _of_row(name: str) -> Callable[[Item, Published], Any]:
    return lambda item, _: item.row[name]


def _unit(item: Item, facts: Published) -> str:
    return facts.unit(item.row["unit"]) if item.row["unit"] else ""


def _types(item: Item, _: Published) -> str:
    return (item.row["weight_data_types"] or "").replace('"', "'")


# What stands in each column; the result was accepted, so that it is compliant and without errors.
_CELLS: dict[str, Callable[[Item, Published], Any]] = {
    "Organization": _of_row("submitter"),
    "Availability": lambda item, _: (item.row["availability_raw"] or "").lower(),
    "Division": _of_row("division"),
    "SystemType": lambda item, _: item.description.get("system_type") or item.row["system_type"],
    "SystemName": _of_row("system_name"),
    "Platform": _of_row("system"),
    "Model": _of_row("benchmark_raw"),
    "MlperfModel": _of_row("benchmark"),
    "Scenario": _of_row("scenario"),
    "Result": _of_row("value"),
    "Accuracy": lambda item, _: item.accuracy,
    "number_of_nodes": _described("number_of_nodes"),
    "host_processor_model_name": _described("host_processor_model_name"),
    "host_processors_per_node": _described("host_processors_per_node"),
    "host_processor_core_count": _described("host_processor_core_count"),
    "accelerator_model_name": _described("accelerator_model_name"),
    "accelerators_per_node": _described("accelerators_per_node"),
    "total_accelerators": _of_row("accelerators_total"),
    "Location": _of_row("path"),
    "framework": _described("framework"),
    "operating_system": _described("operating_system"),
    "notes": lambda item, _: notes(item.description, ". "),
    "compliance": lambda _, __: 1,
    "compilance": lambda _, __: 1,
    "errors": lambda _, __: 0,
    "version": _of_row("round"),
    "inferred": lambda item, _: int(item.row["inferred"]),
    "infered": lambda item, _: int(item.row["inferred"]),
    "power": lambda item, _: item.row["power_value"] or 0,
    "has_power": lambda item, _: item.row["power_value"] is not None,
    "Units": _unit,
    "weight_data_types": _types,
    "design_power_watts": lambda item, _: item.row.get("design_power_watts") or "",
    "PrivateID": lambda _, __: "",  # given by the chairs, no part of a submission
}
