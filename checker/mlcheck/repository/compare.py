"""Systems side by side: what may be compared, by how much one is faster, why the rest is not."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mlcheck.repository.choices import Per
from mlcheck.repository.errors import AskError
from mlcheck.repository.filters import Filters, asked, has, same
from mlcheck.repository.reader import Reader
from mlcheck.repository.rounds import round_key

Row = dict[str, Any]
_NAMES = ("system", "system_name")
# What makes two results another measurement. Unit and metric always have to agree.
_REASONS = {
    "suite": "suite",
    "round": "round",
    "division": "division",
    "system_type": "type of system",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Contestant:
    """One of the systems that are compared, in one round."""

    label: str
    round: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One benchmark and scenario.

    Attributes:
        values: of each system, divided as asked for; None: it has none, or it is undefined.
        speedups: how many times better than the baseline each system is.
        unit: of the values.
    """

    benchmark: str
    scenario: str | None
    unit: str
    better: str
    values: tuple[float | None, ...]
    speedups: tuple[float | None, ...]
    rows: tuple[Row | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Systems side by side.

    Attributes:
        baseline: position of the system that the others are held against.
        means: geometric mean of the speed-ups over the benchmarks that all systems have.
        counted: how many benchmarks these are.
        refused: what was not compared, and why.
    """

    systems: tuple[Contestant, ...]
    baseline: int
    per: Per
    benchmarks: tuple[Compared, ...]
    means: tuple[float | None, ...]
    counted: int
    refused: tuple[str, ...]


def contestant(reader: Reader, filters: Filters, text: str) -> Contestant:
    """Return the system that a text names, in the newest round it is in.

    Args:
        reader: what is asked.
        filters: what results have to be; a round is taken from here.
        text: ``SUBMITTER/SYSTEM``, the name of a system, or a part of it that no other has.

    Raises:
        AskError: there is none, or there are several.
    """
    submitter, slash, name = text.rpartition("/")
    mine = [same(("submitter",), submitter)] if slash else []
    tries = ([same(_NAMES, text)], [*mine, same(_NAMES, name)], [*mine, has(_NAMES, name)])
    found = (asked(reader, filters, *conditions, required=False) for conditions in tries)
    rows = next((some for some in found if some), [])
    if not rows:
        raise AskError(f"no results of a system {text!r}; mlcheck results shows what there is")
    newest = max((row["round"] for row in rows), key=round_key)
    rows = [row for row in rows if row["round"] == newest]
    owners = sorted({(row["division"], row["submitter"], row["system"]) for row in rows})
    if len(owners) > 1:
        some = ", ".join(f"{who}/{system} ({division})" for division, who, system in owners[:4])
        raise AskError(f"{text!r} may be any of {some}: say which, or give --division or --suite")
    _, who, system = owners[0]
    return Contestant(label=f"{who}/{system}", round=newest, rows=tuple(rows))


def compare(
    systems: Sequence[Contestant], baseline: int, per: Per, *, across: bool = False
) -> Comparison:
    """Hold systems against each other.

    Args:
        systems: two or more.
        baseline: position of the one that is 1.
        per: what values are divided by.
        across: also compare results that have no ranking in common, if the metric is the same.

    Raises:
        AskError: nothing can be compared; the text says why.
    """
    refused: list[str] = []
    found: list[Compared] = []
    indexed = [_indexed(system, refused) for system in systems]
    for key in sorted({key for rows in indexed for key in rows}):
        rows = [rows.get(key) for rows in indexed]
        there = [row for row in rows if row is not None]
        if len(there) < 2:
            continue
        problem = _problem(there, across=across)
        if problem:
            refused.append(f"{key[0]} {key[1]}: {problem}".replace("  ", " "))
            continue
        found.append(_compared(rows, baseline, per))
    if not found:
        reasons = "; ".join(refused) or "they have no benchmark and scenario in common"
        raise AskError(f"nothing to compare: {reasons}{'' if across else _ASK}")
    _require_values(systems, found, per)
    complete = [each for each in found if all(s is not None for s in each.speedups)]
    return Comparison(
        systems=tuple(systems),
        baseline=baseline,
        per=per,
        benchmarks=tuple(found),
        means=tuple(
            _geometric([each.speedups[i] for each in complete]) for i in range(len(systems))
        ),
        counted=len(complete),
        refused=tuple(refused),
    )


def _require_values(systems: Sequence[Contestant], found: Sequence[Compared], per: Per) -> None:
    """Raise if no benchmark has two values to hold against each other.

    Raises:
        AskError: it has none; the text says which systems lack what.
    """
    if any(sum(value is not None for value in each.values) > 1 for each in found):
        return
    without = [
        system.label
        for position, system in enumerate(systems)
        if all(each.values[position] is None for each in found)
    ]
    raise AskError(
        f"nothing to compare per {per}: {', '.join(without) or 'some'} {_UNDEFINED[per]}"
    )


_UNDEFINED = {  # a value as it is always is there
    Per.ACCELERATOR: "state no number of accelerators, or have times, which are not divided",
    Per.NODE: "state no number of nodes, or have times, which are not divided",
    Per.WATT: "have no measured power",
}
_ASK = "; --across compares them nevertheless, where the metric is the same"


def _indexed(system: Contestant, refused: list[str]) -> dict[tuple[str, str], Row]:
    """Return the results of a system by benchmark and scenario."""
    rows: dict[tuple[str, str], Row] = {}
    for row in system.rows:
        key = (row["benchmark"] or row["benchmark_raw"], row["scenario"] or "")
        if row["value"] is None:
            continue
        if row["power_only"]:
            refused.append(f"{key[0]} {key[1]} of {system.label}: entered for its power alone")
        elif key in rows:
            refused.append(
                f"{key[0]} {key[1]} of {system.label}: {row['benchmark_raw']} is a second"
            )
        else:
            rows[key] = row
    return rows


def _problem(rows: Sequence[Row], *, across: bool) -> str | None:
    """Say why results may not be compared; None: they may."""
    for name in ("metric", "unit", "better"):
        if len({row[name] for row in rows}) > 1:
            return f"another {name}: {_all(rows, name)}"
    if across or len({row["comparability_key"] for row in rows}) == 1:
        return None
    reasons = [
        f"another {title}: {_all(rows, name)}"
        for name, title in _REASONS.items()
        if len({row[name] for row in rows}) > 1
    ]
    return ", ".join(reasons) or "the rules of the round rank them apart"


def _all(rows: Sequence[Row], name: str) -> str:
    return " and ".join(dict.fromkeys(str(row[name]) for row in rows))


def _compared(rows: Sequence[Row | None], baseline: int, per: Per) -> Compared:
    first = next(row for row in rows if row is not None)
    values = tuple(None if row is None else _divided(row, per) for row in rows)
    better = "higher" if per is Per.WATT else first["better"]
    base = values[baseline]
    return Compared(
        benchmark=first["benchmark"] or first["benchmark_raw"],
        scenario=first["scenario"],
        unit=unit_per(first["unit"], per),
        better=better,
        values=values,
        speedups=tuple(_speedup(value, base, better) for value in values),
        rows=tuple(rows),
    )


def unit_per(unit: str, per: Per) -> str:
    """Return the unit of a divided value."""
    if per is Per.WATT:
        return f"{unit.removesuffix('/s')}/J" if unit.endswith("/s") else "samples/J"
    return unit if per is Per.SYSTEM else f"{unit}/{per}"


def _divided(row: Mapping[str, Any], per: Per) -> float | None:
    """Return a value divided; None: a time cannot be, or the divisor is not stated."""
    value: float = row["value"]
    if per is Per.SYSTEM:
        return value
    if per is Per.WATT:
        efficiency: float | None = row["power_efficiency"]
        return efficiency
    count = row["accelerators_total"] if per is Per.ACCELERATOR else row["nodes"]
    return value / count if count and row["better"] == "higher" else None


def _speedup(value: float | None, base: float | None, better: str) -> float | None:
    if value is None or base is None or value <= 0 or base <= 0:
        return None
    return base / value if better == "lower" else value / base


def _geometric(values: Sequence[float | None]) -> float | None:
    logarithms = [math.log(value) for value in values if value]
    return math.exp(math.fsum(logarithms) / len(logarithms)) if logarithms else None
