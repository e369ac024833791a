"""What changed since a former build: results that came, went, or differ in a cell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mlcheck_report.frames.exports import exported
from mlcheck_report.frames.site import Shown, Site
from mlcheck_report.names import result_name

PAGE = "changes.html"
FOLLOWS = frozenset({"rank", "per_accelerator_derived"})  # cells that change with others

Result = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell before and after."""

    result: Result
    page: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Changes:
    """All differences. `cells`: by column, what follows from other cells last."""

    came: tuple[tuple[Result, str], ...]
    went: tuple[Result, ...]
    cells: Mapping[str, tuple[Cell, ...]]

    @property
    def results(self) -> int:
        """How many results differ in at least one cell."""
        return len({cell.result["id"] for cells in self.cells.values() for cell in cells})


def frame(site: Site) -> Iterator[Shown]:
    """Show the changes, if there is a former build to compare with."""
    found = changes(site)
    if found is not None:
        yield Shown(path=PAGE, title="Changes since the former build", view=found)


def gone(site: Site) -> Iterator[Shown]:
    """Keep the address of every result that is there no more, and say so."""
    if site.former is None:
        return
    there = {row["page"] for round_ in site.rounds for row in round_.rows}
    went = {_name(result): result for result in _went(site)}
    for page in sorted(site.former.pages - there):
        result = went.get(page)
        if result is not None:
            yield Shown(path=page, title=f"{result['id']}: no longer published", view=result)


def changes(site: Site) -> Changes | None:
    """Compare the results with those of the former build; None: there is none."""
    if site.former is None:
        return None
    before = site.former.results
    cells: defaultdict[str, list[Cell]] = defaultdict(list)
    came = []
    for row in (row for round_ in site.rounds for row in round_.rows):
        now = exported(row)
        then = before.get(row["id"])
        if then is None:
            came.append((now, row["page"]))
            continue
        for column, value in now.items():
            if column in then and then[column] != value:
                cells[column].append(Cell(now, row["page"], then[column], value))
    order = sorted(cells, key=lambda column: (column in FOLLOWS, column))
    return Changes(
        tuple(came), tuple(_went(site)), {column: tuple(cells[column]) for column in order}
    )


def _went(site: Site) -> list[Result]:
    assert site.former is not None
    there = {row["id"] for round_ in site.rounds for row in round_.rows}
    return [result for id_, result in site.former.results.items() if id_ not in there]


def _name(result: Result) -> str:
    return f"{result.get('suite')}-{result.get('round')}/results/{result_name(result['id'])}.html"
