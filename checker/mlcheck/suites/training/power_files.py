"""The folder ``power`` of a result: its logs, and how the official check counts them."""

from __future__ import annotations

import fnmatch
import os.path
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mlcheck.suites.training.power_log import Keys, PowerLog, read_power_log
from mlcheck.tree import Folder, Tree, join


@dataclass(frozen=True, slots=True, kw_only=True)
class Meters:
    """How the logs of one kind of meter are named.

    Attributes:
        files: glob of the logs. ``prefix``: how a name begins that the official check counts.
    """

    what: str
    files: str
    prefix: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerFacts:
    """What a round says of power.

    Attributes:
        kinds: what may be measured: AC, DC.
        interval_ms: longest time from one reading to the next. ``gap_ms``: above it they are not
            evenly spread. ``readings``: least number.
        deviation: by which the energy of the whole measurement, scaled, may differ from that of
            the timed part.
        latest_stop: the official summary lets a measurement end with its last reading, if this is
            later than the stop.
    """

    nodes: Meters
    switches: Meters
    keys: Keys
    kinds: tuple[str, ...]
    interval_ms: float
    gap_ms: float
    readings: int
    deviation: float
    unit: str
    latest_stop: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPower:
    """What was measured during one run.

    Attributes:
        log: path of the log of the run.
        path: of the folder. ``there``: it exists.
        names: of everything in it.
    """

    log: str
    path: str
    there: bool
    nodes: tuple[PowerLog, ...]
    switches: tuple[PowerLog, ...]
    names: tuple[str, ...]

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


def power_facts(given: Mapping[str, Any] | None) -> PowerFacts | None:
    """Return the facts of a rule file; None: the round measures no power."""
    if given is None:
        return None
    return PowerFacts(
        nodes=Meters(what="node", **given["nodes"]),
        switches=Meters(what="switch", **given["switches"]),
        keys=Keys(**given["keys"]),
        kinds=tuple(given["kinds"]),
        interval_ms=given["interval_ms"],
        gap_ms=given["gap_ms"],
        readings=given["readings"],
        deviation=given["deviation"],
        unit=given["unit"],
        latest_stop=given["official_stop"] == "latest",
    )


def read_power(
    tree: Tree, path: str, logs: Iterable[str], facts: PowerFacts | None
) -> PowerFolder | None:
    """Return what was measured; None: the round measures no power, or there is no such folder.

    Args:
        tree: the submission.
        path: of the folder ``power``.
        logs: paths of the logs of the runs.
        facts: of the round.
    """
    folder = tree.folder(path)
    if facts is None or folder is None:
        return None
    runs = tuple(_read_run(tree, path, log, facts) for log in logs)
    known = {run.path.rpartition("/")[2] for run in runs}
    return PowerFolder(path=path, runs=runs, others=tuple(sorted(_names(folder) - known)))


def _read_run(tree: Tree, path: str, log: str, facts: PowerFacts) -> RunPower:
    here = join(path, os.path.splitext(log.rpartition("/")[2])[0])
    folder = tree.folder(here)
    files = folder.files if folder else {}
    return RunPower(
        log=log,
        path=here,
        there=folder is not None,
        nodes=_logs(tree, here, files, facts.nodes, facts.keys),
        switches=_logs(tree, here, files, facts.switches, facts.keys),
        names=tuple(sorted(_names(folder))) if folder else (),
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
