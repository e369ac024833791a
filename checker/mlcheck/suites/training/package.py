"""The tree as a whole: what rules about files, submitters and copies look at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mlcheck.suites import tree_flaws
from mlcheck.suites.training.entry import SystemView
from mlcheck.suites.training.facts import Facts
from mlcheck.suites.training.layout import folders
from mlcheck.tree import Folder, Tree, join


@dataclass(frozen=True, slots=True)
class Trace:
    """What a log leaves behind for the comparison with all other logs."""

    path: str
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmitterView:
    """The folder of a submitter.

    Attributes:
        code: benchmarks with code, as their folders are named.
        benchmarks: folder of a benchmark -> ids of its results.
        described: systems with a description; ``systems``: with results.
    """

    name: str
    folders: tuple[str, ...]
    code: tuple[str, ...]
    benchmarks: dict[str, tuple[str, ...]]
    described: tuple[str, ...]
    systems: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """Everything below the root."""

    folders: tuple[Folder, ...]
    submitters: tuple[SubmitterView, ...]
    others: tuple[str, ...]  # folders of the root that are no submitter
    copies: tuple[tuple[str, str], ...]  # log, and the log it is a copy of
    results: tuple[tuple[str, str], ...]  # path and id

    def below(self, path: str) -> tuple[str, ...]:
        """Return the ids of the results that a path holds, or that hold it."""
        return tree_flaws.touching(self.results, path)


def traces(system: SystemView) -> Iterator[Trace]:
    """Yield what each log of a system leaves behind."""
    for entry in system.entries:
        for run in entry.runs:
            if run.log.fingerprint:
                yield Trace(run.path, run.log.fingerprint)


def package_of(
    tree: Tree,
    facts: Facts,
    names: Iterable[str],
    results: tuple[tuple[str, str], ...],
    logs: Iterable[Trace],
    *,
    whole: bool,
) -> Package:
    """Return the tree as rules see it."""
    submitters = tuple(_submitter(tree, facts, name, results) for name in names)
    known = {submitter.name for submitter in submitters}
    walked = [folder for name in sorted(known) for folder in tree.walk(name)]
    root = tree.folder("")
    here = [root] if root and whole else []
    ignored = set(facts.files["root_ignored"])
    others = [n for n in folders(tree, "") if n not in known | ignored] if whole else []
    return Package(
        folders=(*here, *walked),
        submitters=submitters,
        others=tuple(others),
        copies=tuple(_copies(logs)),
        results=results,
    )


def _submitter(
    tree: Tree, facts: Facts, name: str, results: tuple[tuple[str, str], ...]
) -> SubmitterView:
    benchmarks: dict[str, tuple[str, ...]] = {}
    for path, id_ in results:
        submitter, _, _, benchmark = path.split("/", 3)
        if submitter == name:
            benchmarks[benchmark] = (*benchmarks.get(benchmark, ()), id_)
    systems = tree.folder(join(name, facts.layout["systems"])) or Folder("")
    return SubmitterView(
        name=name,
        folders=folders(tree, name),
        code=_with_code(tree, join(name, facts.layout["code"])),
        benchmarks=benchmarks,
        described=tuple(n.removesuffix(".json") for n in systems.files if n.endswith(".json")),
        systems=folders(tree, join(name, facts.layout["results"])),
    )


def _with_code(tree: Tree, path: str) -> tuple[str, ...]:
    """Return the folders of code below which a file lies."""
    return tuple(
        name
        for name in folders(tree, path)
        if any(folder.files for folder in tree.walk(join(path, name)))
    )


def _copies(logs: Iterable[Trace]) -> Iterator[tuple[str, str]]:
    first: dict[str, str] = {}
    for trace in sorted(logs, key=lambda trace: trace.path):
        known = first.setdefault(trace.fingerprint, trace.path)
        if known.rpartition("/")[0] != trace.path.rpartition("/")[0]:
            yield trace.path, known  # copies inside one result are TRN606
