"""Systems side by side: what differs in their descriptions, ratios against one of them.

The script of the page does the same for the systems that a reader chooses; a test holds the two
against each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mlcheck_report.frames.ranked import Record
from mlcheck_report.frames.shape import Round, Section
from mlcheck_report.frames.site import Shown, Site
from mlcheck_report.frames.systems import FACTS
from mlcheck_report.numbers import decimals, number

MOST = 6
_EXAMPLES = 3
_RATIO_PLACES = 3


@dataclass(frozen=True, slots=True)
class Fact:
    """One field of the descriptions; `differs`: not all systems say the same."""

    name: str
    values: tuple[str, ...]
    differs: bool


@dataclass(frozen=True, slots=True)
class Cell:
    """A result of one system; without one, `text` says so."""

    row: Record | None
    text: str
    ratio: float | None

    @property
    def ratio_text(self) -> str:
        """The ratio as written."""
        return "" if self.ratio is None else ratio_text(self.ratio)


@dataclass(frozen=True, slots=True)
class Task:
    """One comparability key in which at least one of the systems has a result."""

    section: Section
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Mean:
    """Geometric mean of the ratios of one system over the tasks it shares with the baseline."""

    text: str
    tasks: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """All that is compared; the first system is the baseline."""

    systems: tuple[Record, ...]
    facts: tuple[Fact, ...]
    tasks: tuple[Task, ...]
    means: tuple[Mean, ...]

    @property
    def shared(self) -> int:
        """In how many tasks at least two of the systems can be compared."""
        return sum(sum(cell.ratio is not None for cell in task.cells) > 1 for task in self.tasks)


def frame(site: Site) -> Iterator[Shown]:
    """Show for every round a comparison to start from."""
    for round_ in site.rounds:
        title = f"Compare systems, {round_.suite} {round_.round}"
        view = {"comparison": comparison(round_, examples(round_)), "most": MOST}
        yield Shown(path=f"{round_.folder}/compare.html", title=title, view=view, round=round_)


def examples(round_: Round) -> list[Record]:
    """Return the first system of several submitters, of the section that most are in."""
    section = max(round_.sections, key=lambda section: (_submitters(section), -section.number))
    of_submitter: dict[str, Record] = {}
    for row in section.ranked or section.rows:
        of_submitter.setdefault(row["submitter"], row)
    owners = [row["owner"] for row in list(of_submitter.values())[:_EXAMPLES]]
    systems = {(one["division"], one["submitter"], one["system"]): one for one in round_.systems}
    return [systems[owner] for owner in owners]


def _submitters(section: Section) -> int:
    return len({row["submitter"] for row in section.ranked})


def comparison(round_: Round, systems: Sequence[Record]) -> Comparison:
    """Compare systems; the first is the baseline."""
    tasks = [
        _task(section, systems)
        for section in round_.sections
        if any(_best(section, system) for system in systems)
    ]
    facts = [_fact(column, name, systems) for column, name in FACTS]
    return Comparison(
        tuple(systems),
        tuple(fact for fact in facts if any(fact.values)),
        tuple(tasks),
        tuple(_mean(tasks, place) for place in range(len(systems))),
    )


def _fact(column: str, name: str, systems: Sequence[Record]) -> Fact:
    values = tuple("" if one[column] is None else str(one[column]) for one in systems)
    return Fact(name, values, len(set(values)) > 1)


def _best(section: Section, system: Record) -> Record | None:
    """Return the first row of a system in a section: its best valid result, if it has one."""
    owner = (system["division"], system["submitter"], system["system"])
    return next((row for row in section.rows if row["owner"] == owner), None)


def _task(section: Section, systems: Sequence[Record]) -> Task:
    found = [_best(section, system) for system in systems]
    values = [_value(row) for row in found]
    places = decimals(value for value in values if value is not None)
    base = values[0]
    cells = []
    for row, value in zip(found, values, strict=True):
        text = number(value, places) if value is not None else _reason(row)
        cells.append(Cell(row, text, _ratio(value, base, section.better)))
    return Task(section, tuple(cells))


def _value(row: Record | None) -> float | None:
    return row["value"] if row and row["rank"] is not None else None


def _reason(row: Record | None) -> str:
    if row is None:
        return "no result"
    return "no value" if row["value"] is None else "not valid"


def _ratio(value: float | None, base: float | None, better: str | None) -> float | None:
    """Return how many times as good a value is as the baseline; above 1 is better."""
    if value is None or base is None or value <= 0 or base <= 0:
        return None
    return base / value if better == "lower" else value / base


def _mean(tasks: Sequence[Task], place: int) -> Mean:
    ratios = [task.cells[place].ratio for task in tasks]
    logs = [math.log(ratio) for ratio in ratios if ratio is not None]
    text = ratio_text(math.exp(sum(logs) / len(logs))) if logs else "none in common"
    return Mean(text, len(logs))


def ratio_text(ratio: float) -> str:
    """Write a ratio with its sign."""
    return f"{number(ratio, _RATIO_PLACES)}\N{MULTIPLICATION SIGN}"
