"""The tree as a whole: what rules about files, submitters and copies look at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mlcheck.copies import LogTrace, find_copies
from mlcheck.suites import tree_flaws
from mlcheck.suites.mobile import layout
from mlcheck.suites.mobile.entry import SystemView
from mlcheck.suites.mobile.facts import Facts
from mlcheck.suites.mobile.layout import ACCURACY, PERFORMANCE
from mlcheck.tree import Folder, Tree, join


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """What a system leaves behind for the comparison with all others.

    Attributes:
        logs: by the kind of the run.
        sessions: by what the result file is known, and where it lies; empty: there is none.
    """

    system: str
    results: tuple[str, ...]
    logs: tuple[tuple[str, LogTrace], ...]
    sessions: tuple[str, ...]
    record: tuple[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmitterView:
    """The folder of a submitter.

    Attributes:
        described: systems with a description; ``systems``: with results; ``measured``: with
            documents below ``measurements``.
        calibration: the writeup on quantisation and its size; None: there is none.
        code: whether there is a folder with code in it.
    """

    division: str
    name: str
    path: str
    described: tuple[str, ...]
    systems: tuple[str, ...]
    measured: tuple[str, ...]
    calibration: tuple[str, int] | None
    code: bool
    results: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """Everything below the root.

    Attributes:
        copies: kind of run -> groups of logs of equal bytes under several systems.
        sessions: groups of systems whose result files are of one session.
        results: path and id of each.
    """

    root: Folder
    folders: tuple[Folder, ...]
    divisions: tuple[Folder, ...]
    submitters: tuple[SubmitterView, ...]
    copies: tuple[tuple[str, tuple[LogTrace, ...]], ...]
    sessions: tuple[tuple[Trace, ...], ...]
    results: tuple[tuple[str, str], ...]

    def below(self, path: str) -> tuple[str, ...]:
        """Return the ids of the results that a path holds, or that hold it."""
        return tree_flaws.touching(self.results, path)


def trace(system: SystemView) -> Trace:
    """Return what a system leaves behind."""
    name = join(system.division.name, system.submitter, system.name)
    record = system.record
    kinds = [
        (kind, entry, run.detail)
        for entry in system.entries
        for kind, run in ((PERFORMANCE, entry.performance), (ACCURACY, entry.accuracy))
        if run and run.detail and run.detail.size
    ]
    return Trace(
        system=name,
        results=system.result_ids,
        logs=tuple(
            (kind, LogTrace.of(log, system=name, result=entry.id)) for kind, entry, log in kinds
        ),
        sessions=record.identities if record else (),
        record=(record.path, record.line_of("uuid")) if record else ("", 0),
    )


def package_of(
    tree: Tree,
    facts: Facts,
    submitter: str | None,
    results: tuple[tuple[str, str], ...],
    traces: Iterable[Trace],
) -> Package:
    """Return the tree as rules see it."""
    left = sorted(traces, key=lambda each: each.system)
    named = list(layout.submitters(tree, facts, submitter))
    views = tuple(_submitter(tree, facts, *name, results) for name in named)
    walked = [folder for view in views for folder in tree.walk(view.path)]
    divisions = (tree.folder(name) for name in facts.divisions) if submitter is None else ()
    return Package(
        root=(tree.folder("") if submitter is None else None) or Folder(""),
        folders=tuple(walked),
        divisions=tuple(folder for folder in divisions if folder),
        submitters=views,
        copies=tuple(_copies(tree, left)),
        sessions=tuple(_sessions(left)),
        results=results,
    )


def _submitter(
    tree: Tree, facts: Facts, division: str, name: str, results: tuple[tuple[str, str], ...]
) -> SubmitterView:
    path = join(division, name)
    folder, systems = tree.folder(path), tree.folder(join(path, facts.layout["systems"]))
    places = [
        place for place in layout.system_places(tree, facts, name) if place.division == division
    ]
    word = facts.layout["calibration"]
    writeups = [n for n in folder.files if n.lower().startswith(word)] if folder else []
    return SubmitterView(
        division=division,
        name=name,
        path=path,
        described=tuple(n.removesuffix(".json") for n in systems.files if n.endswith(".json"))
        if systems
        else (),
        systems=tuple(place.system for place in places),
        measured=layout.folders(tree, join(path, facts.layout["measurements"])),
        calibration=(join(path, writeups[0]), folder.files[writeups[0]])
        if folder and writeups
        else None,
        code=any(each.files for each in tree.walk(join(path, facts.layout["code"]))),
        results=tuple(id_ for where, id_ in results if where.startswith(f"{path}/")),
    )


def _copies(tree: Tree, traces: list[Trace]) -> Iterator[tuple[str, tuple[LogTrace, ...]]]:
    for kind in (PERFORMANCE, ACCURACY):
        logs = [log for each in traces for found, log in each.logs if found == kind]
        for group in find_copies(tree, logs):
            yield kind, group


def _sessions(traces: list[Trace]) -> Iterator[tuple[Trace, ...]]:
    groups: dict[str, list[Trace]] = {}
    for each in traces:
        for session in each.sessions:
            groups.setdefault(session, []).append(each)
    yield from dict.fromkeys(tuple(group) for group in groups.values() if len(group) > 1)
