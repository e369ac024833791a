"""A summary of a mobile round: a row per device, columns per task; no official tool writes one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mlcheck.overlay import RulesetError
from mlcheck.repository.exports.facts import Published
from mlcheck.repository.exports.items import Item

Row = dict[str, Any]
TASKS = "*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A table, its columns told apart.

    Attributes:
        before: names of the columns before those of tasks. ``after``: of those behind them.
        results: names of the columns of results.
        accuracies: of their accuracy, in the same order; empty: none is stated.
    """

    before: tuple[str, ...]
    results: tuple[str, ...]
    accuracies: tuple[str, ...]
    after: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """All columns in order, the accuracy of a task after its result."""
        tasks = (name for pair in zip(self.results, self.accuracies, strict=True) for name in pair)
        return (*self.before, *(name for name in tasks if name), *self.after)


def summary(facts: Published, items: Sequence[Item], repository: str | None) -> Summary:
    """Return the summary of accepted results.

    Args:
        facts: of the round.
        items: accepted results.
        repository: where links lead; None: where the tree came from, else where rounds lie.

    Raises:
        RulesetError: a column or a unit is not known.
    """
    split = facts.columns.index(TASKS)
    ordered = sorted(items, key=lambda item: _place(facts, item))
    titles = {_result_title(facts, item): "" for item in ordered}
    titles |= {_result_title(facts, i): _accuracy_title(facts, i) for i in ordered if i.quality}
    return Summary(
        before=facts.columns[:split],
        results=tuple(titles),
        accuracies=tuple(titles.values()),
        after=facts.columns[split + 1 :],
        rows=tuple(_rows(facts, items, repository)),
    )


def _place(facts: Published, item: Item) -> tuple[int, int, str]:
    task, scenario = item.row["benchmark"], item.row["scenario"]
    known, order = facts.benchmarks, facts.scenarios
    return (
        known.index(task) if task in known else len(known),
        order.index(scenario) if scenario in order else len(order),
        _task(item),
    )


def _task(item: Item) -> str:
    return f"{item.row['benchmark'] or item.row['benchmark_raw']} {item.row['scenario']}"


def _result_title(facts: Published, item: Item) -> str:
    return f"{_task(item)} ({facts.unit(item.row['unit'])})"


def _accuracy_title(facts: Published, item: Item) -> str:
    name = next(iter(item.quality))
    unit = facts.accuracy_units.get(item.row["benchmark"] or "", "")
    shown = f" ({unit})" if unit and unit != name else ""
    return f"{_task(item)} {name}{shown}"


def _rows(facts: Published, items: Sequence[Item], repository: str | None) -> Iterator[Row]:
    systems: dict[tuple[str, ...], list[Item]] = {}
    for item in items:
        system = tuple(item.row[name] for name in ("division", "submitter", "system", "ingest"))
        systems.setdefault(system, []).append(item)
    for _, mine in sorted(systems.items()):
        cells = _cells(facts, mine[0], repository)
        unknown = [name for name in facts.columns if name != TASKS and name not in cells]
        if unknown:
            raise RulesetError(
                f"rules/exports/{facts.suite}.yaml: no column {unknown[0]} can be made"
            )
        for item in mine:
            cells[_result_title(facts, item)] = item.row["value"]
            if item.quality:
                cells[_accuracy_title(facts, item)] = next(iter(item.quality.values()))
        yield cells


def _cells(facts: Published, item: Item, repository: str | None) -> Row:
    row = item.row
    home = f"{(repository or item.repository or facts.repository).removesuffix('.git')}/tree/main"
    place = f"{home}/{row['division']}/{row['submitter']}"
    return {
        "division": row["division"],
        "submitter": row["submitter"],
        "system": row["system"],
        "availability": row["availability"],
        "device": row["device"] or row["system_name"],
        "soc": row["soc"],
        "soc_id": row["soc_id"],
        "accelerator": row["accelerator"],
        "memory": row["host_memory"],
        "operating_system": row["operating_system"],
        "software": row["framework"],
        "details_url": f"{place}/results/{row['system']}",
        "code_url": f"{place}/code",
    }
