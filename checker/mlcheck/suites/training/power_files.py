"""The folder ``power`` of a result: its logs, and how the official check counts them."""

from __future__ import annotations

import fnmatch
import os.path
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mlcheck.power.integrate import Window
from mlcheck.suites.training.energy import RunEnergy, run_energy
from mlcheck.suites.training.power_facts import Meters, PowerFacts
from mlcheck.suites.training.power_log import Keys, PowerLog, read_power_log
from mlcheck.tree import Folder, Tree, join


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPower:
    """What was measured during one run.

    Attributes:
        log: path of the log of the run.
        timed: from run_start to run_stop; None: the log does not say.
        path: of the folder. ``there``: it exists.
        names: of everything in it.
    """

    log: str
    timed: Window | None
    path: str
    there: bool
    nodes: tuple[PowerLog, ...]
    switches: tuple[PowerLog, ...]
    names: tuple[str, ...]
    energy: RunEnergy

    @property
    def others(self) -> tuple[str, ...]:
        """Return the names of what is no log of a meter."""
        known = {log.path.rpartition("/")[2] for log in (*self.nodes, *self.switches)}
        return tuple(name for name in self.names if name not in known)


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerFolder:
    """All that was measured of a result.

    Attributes:
        runs: one for each log of the result, in their order.
        others: what lies in the folder and belongs to no run.
    """

    path: str
    runs: tuple[RunPower, ...]
    others: tuple[str, ...]


def read_power(
    tree: Tree, path: str, logs: Mapping[str, Window | None], facts: PowerFacts | None
) -> PowerFolder | None:
    """Return what was measured; None: the round measures no power, or there is no such folder.

    Args:
        tree: the submission.
        path: of the folder ``power``.
        logs: path of the log of each run, and its timed part.
        facts: of the round.
    """
    folder = tree.folder(path)
    if facts is None or folder is None:
        return None
    runs = tuple(_read_run(tree, path, log, timed, facts) for log, timed in logs.items())
    known = {run.path.rpartition("/")[2] for run in runs}
    return PowerFolder(path=path, runs=runs, others=tuple(sorted(_names(folder) - known)))


def _read_run(tree: Tree, path: str, log: str, timed: Window | None, facts: PowerFacts) -> RunPower:
    here = join(path, os.path.splitext(log.rpartition("/")[2])[0])
    folder = tree.folder(here)
    files = folder.files if folder else {}
    nodes = _logs(tree, here, files, facts.nodes, facts.keys)
    switches = _logs(tree, here, files, facts.switches, facts.keys)
    return RunPower(
        log=log,
        timed=timed,
        path=here,
        there=folder is not None,
        nodes=nodes,
        switches=switches,
        names=tuple(sorted(_names(folder))) if folder else (),
        energy=run_energy(nodes, switches, timed, facts),
    )


def _names(folder: Folder) -> set[str]:
    return {*folder.files, *folder.folders, *folder.links, *folder.special}


def _logs(
    tree: Tree, path: str, files: Iterable[str], meters: Meters, keys: Keys
) -> tuple[PowerLog, ...]:
    names = fnmatch.filter(files, meters.files)
    numbered = sorted((_index(name), name) for name in names)
    return tuple(
        read_power_log(tree, join(path, name), None if index < 0 else index, keys)
        for index, name in numbered
    )


def _index(name: str) -> int:
    """Return the number in a name; -1: there is none."""
    found = re.fullmatch(r"[^_]*_(\d{1,9})\.[^.]*", name, re.ASCII)
    return int(found[1]) if found else -1


def official_index(name: str) -> int | None:
    """Return the number that the official check reads from a name; None: it fails to."""
    try:
        return int(os.path.splitext(name)[0].split("_")[-1])
    except ValueError:
        return None


def official_failures(folder: PowerFolder, facts: PowerFacts) -> frozenset[str] | None:
    """Return the runs, as their folders are named, that the official check refuses.

    None: it ends with an error of its own. It counts names that begin like those of meters. Runs
    without a folder have no count, and later ones then take the place of earlier ones.
    """
    failed: set[str] = set()
    results = sorted(folder.runs, key=lambda run: run.log)
    names = [run.path.rpartition("/")[2] for run in results]
    there = [run for run in results if run.there]
    failed.update(run.path.rpartition("/")[2] for run in results if not run.there)
    if not there:
        return None
    for meters in (facts.nodes, facts.switches):
        counts = []
        for run in there:
            counted = [name for name in run.names if name.startswith(meters.prefix)]
            indices = [official_index(name) for name in counted]
            if None in indices:
                return None
            if any(not 0 <= index < len(indices) for index in indices if index is not None):
                failed.add(run.path.rpartition("/")[2])
            counts.append(len(counted))
        usual = most_common(counts)
        failed.update(name for name, count in zip(names, counts, strict=False) if count != usual)
    return frozenset(failed)


def most_common(counts: Iterable[int]) -> int:
    """Return the count that occurs most often, of several the first; 0: there is none."""
    found = Counter(counts).most_common(1)
    return found[0][0] if found else 0
