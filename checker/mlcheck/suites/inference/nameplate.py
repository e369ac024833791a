"""The power that a system is built for: what its power supplies can deliver.

A tree of names that the submitter chooses, whose leaves list power supplies and say how many of
them are needed; those beyond are spares and do not count. Or one number in the description.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mlcheck.documents import Document
from mlcheck.suites.inference.entry import SystemView
from mlcheck.suites.inference.facts import Facts

LARGEST = 1e12  # watts; nothing on Earth comes near


@dataclass(frozen=True, slots=True)
class NameplateFault:
    """A part of the tree that has no meaning: where it stands, and what it has to be.

    ``official``: the official tool cannot sum it either.
    """

    names: tuple[str, ...]
    expected: str
    actual: str
    official: bool


@dataclass(frozen=True, slots=True)
class Nameplate:
    """The sum of the needed power supplies, and what could not be summed."""

    watts: float
    faults: tuple[NameplateFault, ...]


def design_power_watts(system: SystemView, facts: Facts) -> float | None:
    """Return the power that a system is built for; None: unknown, or the round does not ask."""
    rules = facts.power.get("nameplate")
    if rules is None:
        return None
    fields = system.description.fields if system.description else {}
    if rules["field"] in fields:
        return watts(fields[rules["field"]])
    document = system.nameplate
    if document is None or document.problem:
        return None
    found = read_nameplate(document, rules)
    return None if found.faults else found.watts


def watts(value: Any) -> float | None:
    """Return a number of watts above zero; descriptions hold numbers as text, too."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) and 0 < number < LARGEST else None


def read_nameplate(document: Document, rules: Mapping[str, Any]) -> Nameplate:
    """Sum the needed power supplies of all leaves. Names of members are of any case."""
    faults: list[NameplateFault] = []
    leaves = list(_leaves(document.fields, (), rules))
    total = math.fsum(_leaf(leaf, names, rules, faults) for names, leaf in leaves)
    if not leaves:
        wanted = f"{rules['supplies']} and {rules['needed']} of every component"
        faults.append(NameplateFault((), wanted, "none of them", official=False))
    return Nameplate(total, tuple(faults))


def _leaves(
    value: Any, names: tuple[str, ...], rules: Mapping[str, Any]
) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any]]]:
    """Yield the components that list power supplies. Depth is bounded by the reader of YAML."""
    if isinstance(value, list):
        for item in value:
            yield from _leaves(item, names, rules)
    elif isinstance(value, dict):
        if {rules["supplies"].lower(), rules["needed"].lower()} <= _folded(value).keys():
            yield names, value
            return
        for name, inner in value.items():
            yield from _leaves(inner, (*names, str(name)), rules)


def _folded(value: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(name).lower(): inner for name, inner in value.items()}


def _leaf(
    leaf: Mapping[str, Any],
    names: tuple[str, ...],
    rules: Mapping[str, Any],
    faults: list[NameplateFault],
) -> float:
    members = _folded(leaf)
    needed, supplies = members[rules["needed"].lower()], members[rules["supplies"].lower()]
    if not isinstance(supplies, list):
        kind = type(supplies).__name__
        wanted = f"{rules['supplies']} as a list"
        faults.append(NameplateFault(names, wanted, kind, official=True))
        return 0
    whole = isinstance(needed, int) and not isinstance(needed, bool)
    if not whole or not 0 < needed <= len(supplies):
        wanted = f"{rules['needed']} from 1 to {len(supplies)}"
        dies = not isinstance(needed, int) and needed is not None  # as the end of a list
        faults.append(NameplateFault(names, wanted, str(needed)[:40], official=dies))
        return 0
    capacities = []
    for supply in supplies:
        stated = supply.get(rules["watts"]) if isinstance(supply, dict) else supply
        plain = isinstance(supply, dict) and not isinstance(stated, str)
        number = watts(stated) if plain else None
        if number is None:
            wanted = f"{rules['watts']} as a number of watts"
            # it takes one without capacity for 0 W
            dies = not isinstance(supply, dict) or not isinstance(stated, (int, float))
            dies = dies and not (isinstance(supply, dict) and rules["watts"] not in supply)
            faults.append(NameplateFault(names, wanted, str(stated)[:40], official=dies))
        else:
            capacities.append(number)
    return math.fsum(sorted(capacities, reverse=True)[:needed])
