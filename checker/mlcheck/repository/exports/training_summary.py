"""``summary.csv`` of training: a row per system, a column per benchmark, minutes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mlcheck.overlay import RulesetError
from mlcheck.repository.exports.facts import Published
from mlcheck.repository.exports.inference_summary import notes
from mlcheck.repository.exports.items import Item

Row = dict[str, Any]
BENCHMARKS = "*"


def column_names(facts: Published) -> list[str]:
    """Return the columns of the round, those of its benchmarks among them."""
    names: list[str] = []
    for name in facts.columns:
        names += facts.benchmarks if name == BENCHMARKS else [name]
    return names


def energy_names(facts: Published, items: Sequence[Item]) -> list[str]:
    """Return the columns of a summary with energy: beside each measured benchmark, its energy."""
    measured = {item.row["benchmark"]: _energy_name(facts, item) for item in with_energy(items)}
    names: list[str] = []
    for name in column_names(facts):
        if name not in facts.benchmarks:
            names.append(name)
        elif name in measured:
            names += [name, measured[name]]
    return names


def with_energy(items: Sequence[Item]) -> list[Item]:
    """Return the results whose energy was measured."""
    return [item for item in items if item.row["power_value"] is not None]


def _energy_name(facts: Published, item: Item) -> str:
    return f"{item.row['benchmark']} ({facts.unit(item.row['power_unit'])})"


def summary_rows(
    facts: Published, items: Sequence[Item], names: Sequence[str] | None = None
) -> list[Row]:
    """Return a row per system that has an accepted result.

    Args:
        facts: of the round.
        items: accepted results.
        names: of the columns. None: those of the official summary.

    Raises:
        RulesetError: a column is not known.
    """
    systems: dict[tuple[str, str, str, str], list[Item]] = {}
    for item in items:
        row = item.row
        key = (row["ingest"], row["division"], row["submitter"], row["system"])
        systems.setdefault(key, []).append(item)
    wanted = column_names(facts) if names is None else names
    rows = [_row(facts, mine, wanted) for mine in systems.values()]
    order = ("division", "availability", "submitter", "system", "number_of_nodes")
    return sorted(rows, key=lambda row: [str(row[name]) for name in order])


def _row(facts: Published, mine: Sequence[Item], names: Sequence[str]) -> Row:
    first = mine[0].row
    described = mine[0].description
    home = f"{(mine[0].repository or facts.repository).removesuffix('.git')}/blob"
    cells: Row = {
        "division": first["division"],
        "availability": first["availability_raw"],
        "submitter": first["submitter"],
        "system": first["system_name"],
        "number_of_nodes": first["nodes"],
        "host_processor_model_name": described.get("host_processor_model_name", ""),
        "host_processors_count": _product(first["host_cpus_per_node"], first["nodes"]),
        "accelerator_model_name": described.get("accelerator_model_name", ""),
        "accelerators_count": first["accelerators_total"],
        "framework": described.get("framework", ""),
        "notes": notes(described, ";"),
        "private_id": "",  # given by the chairs, no part of a submission
        "details_url": f"{home}/main/{first['submitter']}/systems/{first['system']}.json",
        "code_url": f"{home}/master/{first['submitter']}/benchmarks",
    }
    cells |= {item.row["benchmark"]: item.row["value"] for item in mine}
    cells |= {_energy_name(facts, item): item.row["power_value"] for item in with_energy(mine)}
    unknown = [name for name in facts.columns if name != BENCHMARKS and name not in cells]
    if unknown:
        raise RulesetError(f"rules/exports/{facts.suite}.yaml: no column {unknown[0]} can be made")
    return {name: cells.get(name) for name in names}


def _product(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one * other
