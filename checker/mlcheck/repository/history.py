"""How a system, a submitter or a kind of accelerator did over the rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mlcheck.repository.choices import Kind
from mlcheck.repository.errors import AskError
from mlcheck.repository.filters import Condition, Filters, asked, has, of_accelerator, same
from mlcheck.repository.reader import Reader
from mlcheck.repository.rounds import round_key

Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """The best result of one round.

    Attributes:
        results: how many there were.
        row: the best of them, as a row of the leaderboard.
        per_accelerator: the best rate of one accelerator; None: it is undefined.
        ratio: how many times better than in the round before; None: there is none to compare with.
    """

    round: str
    results: int
    row: Row
    per_accelerator: float | None
    ratio: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One benchmark over the rounds, oldest first. The unit is the same in all of them."""

    suite: str
    division: str
    system_type: str | None
    benchmark: str
    scenario: str | None
    metric: str
    unit: str
    better: str
    rounds: tuple[Best, ...]


def of_whom(
    reader: Reader, filters: Filters, text: str, kind: Kind | None
) -> tuple[Kind, list[Row]]:
    """Return what a text names, and its rows of the leaderboard.

    A submitter or a system is named as it is written, an accelerator by name or family, a device
    also by its SoC; a part of a system's name will do if nothing is named so.

    Raises:
        AskError: it names nothing that there is.
    """
    names = ("system", "system_name")
    tries: list[tuple[Kind, Callable[[], Condition]]] = [
        (Kind.SUBMITTER, lambda: same(("submitter",), text)),
        (Kind.SYSTEM, lambda: same(names, text)),
        (Kind.ACCELERATOR, lambda: of_accelerator(text)),  # reads tables of names: not before
        (Kind.SYSTEM, lambda: has(names, text)),
    ]
    for each, condition in tries:
        if kind in (None, each):
            found = asked(reader, filters, condition(), required=False)
            if found:
                return each, found
    raise AskError(
        f"no results of {text!r}: give a submitter, a system, or an accelerator or SoC as mlcheck "
        "results shows them, or a family such as H100"
    )


def history(rows: Iterable[Row]) -> list[Line]:
    """Return the best result of each round, benchmark by benchmark.

    Rows without a value and those measured for their power alone are left out.
    """
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        if row["value"] is None or row["power_only"]:
            continue
        key = (
            row["suite"],
            row["division"],
            row["system_type"],
            row["benchmark"] or row["benchmark_raw"],
            row["scenario"],
            row["metric"],
            row["unit"],
            row["better"],
        )
        groups.setdefault(key, []).append(row)
    ordered = sorted(groups, key=lambda key: tuple(str(part or "") for part in key))
    return [_line(key, groups[key]) for key in ordered]


def _line(key: Sequence[Any], rows: list[Row]) -> Line:
    by_round: dict[str, list[Row]] = {}
    for row in rows:
        by_round.setdefault(row["round"], []).append(row)
    suite, division, system_type, benchmark, scenario, metric, unit, better = key
    return Line(
        suite=suite,
        division=division,
        system_type=system_type,
        benchmark=benchmark,
        scenario=scenario,
        metric=metric,
        unit=unit,
        better=better,
        rounds=tuple(_bests(by_round, better)),
    )


def _bests(by_round: dict[str, list[Row]], better: str) -> Iterator[Best]:
    before: float | None = None
    for round_ in sorted(by_round, key=round_key):
        rows = by_round[round_]
        ordered = sorted(rows, key=lambda row: (row["submitter"], row["system"], row["path"]))
        pick = min if better == "lower" else max
        best = pick(ordered, key=lambda row: row["value"])
        yield Best(
            round=round_,
            results=len(rows),
            row=best,
            per_accelerator=_per_accelerator(rows) if better == "higher" else None,
            ratio=_ratio(best["value"], before, better),
        )
        before = best["value"]


def _per_accelerator(rows: list[Row]) -> float | None:
    rates = [row["value"] / row["accelerators_total"] for row in rows if row["accelerators_total"]]
    return max(rates, default=None)


def _ratio(value: float, before: float | None, better: str) -> float | None:
    if before is None or before <= 0 or value <= 0:
        return None
    return before / value if better == "lower" else value / before
