"""Where an inference submission keeps its systems and results. Looks at names only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mlcheck.suites.inference.facts import Facts
from mlcheck.tree import Folder, Tree, join


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemPlace:
    """A folder below ``results``: the unit that is read and judged by one worker."""

    division: str
    submitter: str
    system: str

    @property
    def submitter_path(self) -> str:
        """``DIVISION/SUBMITTER``."""
        return join(self.division, self.submitter)


def divisions(tree: Tree, facts: Facts) -> tuple[str, ...]:
    """Return the division folders that are there."""
    root = tree.folder("")
    return tuple(name for name in root.folders if name in facts.divisions) if root else ()


def submitters(tree: Tree, facts: Facts, only: str | None = None) -> Iterator[tuple[str, str]]:
    """Yield (division, submitter) for every folder of a submitter."""
    for division in divisions(tree, facts):
        for name in _folders(tree.folder(division)):
            if only is None or name == only:
                yield division, name


def system_places(tree: Tree, facts: Facts, only: str | None = None) -> Iterator[SystemPlace]:
    """Yield every system folder that holds results."""
    for division, submitter in submitters(tree, facts, only):
        results = tree.folder(join(division, submitter, facts.layout["results"]))
        for system in _folders(results):
            yield SystemPlace(division=division, submitter=submitter, system=system)


def scenario_folders(tree: Tree, results_path: str) -> Iterator[tuple[str, str]]:
    """Yield (benchmark, scenario) folder names below ``results/SYSTEM``."""
    for benchmark in _folders(tree.folder(results_path)):
        for scenario in _folders(tree.folder(join(results_path, benchmark))):
            yield benchmark, scenario


def _folders(folder: Folder | None) -> tuple[str, ...]:
    return folder.folders if folder else ()
