"""What can be searched for: benchmarks, submitters, systems and accelerators of all rounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mlcheck_report.frames.history import accelerator_page, accelerators
from mlcheck_report.frames.rows import submitter_page
from mlcheck_report.frames.site import Shown, Site


@dataclass(frozen=True, slots=True)
class Entry:
    """A thing that has a page. `where`: of what round, or what else tells it apart."""

    kind: str
    name: str
    where: str
    page: str


def frame(site: Site) -> Iterator[Shown]:
    """Show all of them on one page: it is an index without script."""
    groups: dict[str, list[Entry]] = {}
    for entry in sorted(entries(site), key=lambda e: (e.kind, e.name.casefold(), e.where, e.page)):
        groups.setdefault(entry.kind, []).append(entry)
    yield Shown(path="search.html", title="Search", view={"groups": groups})


def entries(site: Site) -> Iterator[Entry]:
    """Yield everything that has a page, save single results."""
    for name in accelerators(site):
        yield Entry("Accelerators", name, "", accelerator_page(name))
    for round_ in site.rounds:
        where = f"{round_.suite} {round_.round}"
        for board in round_.boards:
            yield Entry("Benchmarks", board.name, where, board.page)
        for name in {one["submitter"] for one in round_.systems}:
            yield Entry("Submitters", name, where, submitter_page(round_.folder, name))
        for system in round_.systems:
            more = ", ".join(filter(None, (system["submitter"], system["division"], where)))
            yield Entry("Systems", system["name"], more, system["page"])
