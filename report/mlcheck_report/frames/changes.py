"""What changed since a former build: results that came, went, or differ in a cell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mlcheck_report.former import Result
from mlcheck_report.frames.exported import exported
from mlcheck_report.frames.rounds import folder_of
from mlcheck_report.frames.site import Shown, Site
from mlcheck_report.names import result_name
from mlcheck_report.tables import ReportError

PAGE = "changes.html"
FOLLOWS = frozenset(
    {"rank", "per_accelerator_derived", "per_node_derived", "per_watt_derived"}
)  # cells that change with others


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
    for result in retired(site):
        title = f"{result['id']}: no longer in the tables"
        yield Shown(path=_page(result), title=title, view=result)


def retired(site: Site) -> list[Result]:
    """Return the results that a former build had, or knew to be retired, and this one has not."""
    if site.former is None:
        return []
    return _absent(site, {**site.former.retired, **site.former.results})


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
        tuple(came),
        tuple(_absent(site, before)),
        {column: tuple(cells[column]) for column in order},
    )


def _absent(site: Site, results: Mapping[str, Result]) -> list[Result]:
    rows = [row for round_ in site.rounds for row in round_.rows]
    ids, pages = {row["id"] for row in rows}, {row["page"] for row in rows}
    gone = [result for id_, result in sorted(results.items()) if id_ not in ids]
    return [result for result in gone if _page(result) not in pages]


def _page(result: Result) -> str:
    try:
        folder = folder_of(result["suite"], result["round"])
    except ValueError as err:
        raise ReportError(f"former site: {err}") from err
    return f"{folder}/results/{result_name(result['id'])}.html"
