"""Where a mobile submission keeps its runs. Looks at names only.

Four shapes of tree are in use: a folder per task and scenario with ``log_performance`` and
``log_accuracy`` in it; these two with a folder per task in each; ``TASK-performance`` beside
``TASK-accuracy``, as the app exports them; and that of MLPerf Inference. A submitter with one
device may leave out the folder of the system. So each word of a path is looked at for what it can
mean.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mlcheck.suites.mobile.facts import Facts, plain
from mlcheck.tree import Folder, Tree, join

PERFORMANCE, ACCURACY = "performance", "accuracy"


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemPlace:
    """A system with results: the unit that is read and judged by one worker.

    Attributes:
        path: of its results; that of ``results`` if there is no folder of its own.
    """

    division: str
    submitter: str
    system: str
    path: str

    @property
    def home(self) -> str:
        """The folder of the submitter."""
        return join(self.division, self.submitter)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlace:
    """A folder with logs, and what its path says of it.

    Attributes:
        task: as written; empty: the path names none.
        scenario: as written; None: the path names none.
    """

    path: str
    kind: str
    task: str
    scenario: str | None


def submitters(tree: Tree, facts: Facts, only: str | None = None) -> Iterator[tuple[str, str]]:
    """Yield division and name of every submitter."""
    for division in facts.divisions:
        for name in folders(tree, division):
            if only in (None, name):
                yield division, name


def system_places(tree: Tree, facts: Facts, only: str | None = None) -> Iterator[SystemPlace]:
    """Yield every system that has a place for results."""
    for division, submitter in submitters(tree, facts, only):
        results = join(division, submitter, facts.layout["results"])
        if not tree.folder(results):
            continue
        if holds_runs_itself(tree, results, facts):
            name = _described(tree, join(division, submitter, facts.layout["systems"]))
            yield SystemPlace(
                division=division,
                submitter=submitter,
                system=name or submitter,
                path=results,
            )
            continue
        for system in folders(tree, results):
            yield SystemPlace(
                division=division,
                submitter=submitter,
                system=system,
                path=join(results, system),
            )


def holds_runs_itself(tree: Tree, results: str, facts: Facts) -> bool:
    """Tell whether ``results`` is the folder of a system: it has its result file or its tasks."""
    folder = tree.folder(results)
    if folder is None:
        return False
    if set(folder.files) & set(facts.layout["result_names"]):
        return True
    return any(_is_run_word(name, facts) for name in folder.folders)


def _is_run_word(name: str, facts: Facts) -> bool:
    kind, rest = kind_of(name, facts)
    return kind is not None or facts.benchmark_of(rest, None) is not None


def _described(tree: Tree, systems: str) -> str | None:
    """Return the one description of a submitter; None: there is none, or several."""
    folder = tree.folder(systems)
    names = [name for name in folder.files if name.endswith(".json")] if folder else []
    return names[0].removesuffix(".json") if len(names) == 1 else None


def run_places(tree: Tree, place: SystemPlace, facts: Facts) -> Iterator[RunPlace]:
    """Yield every folder of a system that holds logs, in order of path."""
    for folder in tree.walk(place.path):
        if holds_logs(folder, facts):
            yield run_place(folder.path, folder.path[len(place.path) :].strip("/"), facts)


def holds_logs(folder: Folder, facts: Facts) -> bool:
    """Tell whether a folder holds a log of LoadGen that is its own, not a part of one."""
    return bool({facts.files["detail"], facts.files["summary"]} & set(folder.files))


def run_place(path: str, below: str, facts: Facts) -> RunPlace:
    """Read what the path of a run says, word by word."""
    kind: str | None = None
    scenario: str | None = None
    task = ""
    for word in below.split("/") if below else ():
        found, rest = kind_of(word, facts)
        kind = found or kind
        if found and not rest:
            continue
        if facts.scenario_of(rest):
            scenario = scenario or rest
        elif not rest.startswith(facts.layout["run"]) and not task:
            task = rest
    return RunPlace(path=path, kind=kind or PERFORMANCE, task=task, scenario=scenario)


def kind_of(word: str, facts: Facts) -> tuple[str | None, str]:
    """Return what kind of run a word of a path names, and what is left of the word."""
    for kind in (PERFORMANCE, ACCURACY):
        for name in facts.layout[kind]:
            if plain(word) == plain(name):
                return kind, ""
            if word.endswith(f"-{name}"):
                return kind, word.removesuffix(f"-{name}")
    return None, word


def folders(tree: Tree, path: str) -> tuple[str, ...]:
    """Return the names of the folders in a folder; none if it is not there."""
    folder = tree.folder(path)
    return folder.folders if folder else ()


def is_log(name: str, stems: tuple[str, ...], facts: Facts) -> bool:
    """Tell whether a file is a log of that name, or a part of one that was split."""
    for stem in stems:
        if name == stem:
            return True
        if name.startswith(stem) and facts.part.match(name[len(stem) :]):
            return True
    return False
