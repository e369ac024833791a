"""Where a training submission keeps its systems and results. Looks at names only."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterator
from dataclasses import dataclass

from mlcheck.suites.training.facts import Facts
from mlcheck.tree import Folder, Tree, join


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemPlace:
    """A folder below ``results``: the unit that is read and judged by one worker."""

    submitter: str
    system: str


def submitters(tree: Tree, facts: Facts, only: str | None = None) -> Iterator[str]:
    """Yield every folder of the root that holds results or systems."""
    for name in folders(tree, ""):
        inside = set(folders(tree, name))
        if inside & {facts.layout["results"], facts.layout["systems"]} and only in (None, name):
            yield name


def system_places(tree: Tree, facts: Facts, only: str | None = None) -> Iterator[SystemPlace]:
    """Yield every system folder."""
    for submitter in submitters(tree, facts, only):
        for system in folders(tree, join(submitter, facts.layout["results"])):
            yield SystemPlace(submitter=submitter, system=system)


def log_names(folder: Folder, facts: Facts) -> tuple[str, ...]:
    """Return the logs of a result, in the order of their numbers."""
    names = fnmatch.filter(folder.files, facts.layout["official_log"])
    return tuple(sorted(names, key=_natural))


def _natural(name: str) -> list[tuple[int, int, str]]:
    parts = re.findall(r"(\d+)|(\D+)", name)
    return [(0, int(digits), "") if digits else (1, 0, text) for digits, text in parts]


def folders(tree: Tree, path: str) -> tuple[str, ...]:
    """Return the names of the folders in a folder; none if it is not there."""
    folder = tree.folder(path)
    return folder.folders if folder else ()
