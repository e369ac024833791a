"""Find logs that are byte-identical under two systems, without reading every log twice."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mlcheck.suites.inference.entry import Entry, SystemView
from mlcheck.suites.inference.loadgen import DetailLog
from mlcheck.tree import Tree, Unreadable


@dataclass(frozen=True, slots=True, kw_only=True)
class LogTrace:
    """A log and what a copy of it may be recognised by: its size and a checksum of its end."""

    path: str
    size: int
    tail_checksum: int
    system: str
    result: str


def traces(system: SystemView) -> Iterator[LogTrace]:
    """Yield the performance and accuracy logs of a system."""
    for entry in system.entries:
        for log in _logs(entry):
            yield LogTrace(
                path=log.events_path,
                size=log.size,
                tail_checksum=zlib.crc32(log.tail),
                system=f"{system.division.name}/{system.submitter}/{system.name}",
                result=entry.id,
            )


def _logs(entry: Entry) -> list[DetailLog]:
    return [log for log in (entry.log, entry.accuracy_log) if log]


def find_copies(tree: Tree, logs: Iterable[LogTrace]) -> tuple[tuple[LogTrace, ...], ...]:
    """Group logs of equal bytes. Only logs of equal size and ending are read again."""
    alike: dict[tuple[int, int], list[LogTrace]] = {}
    for log in logs:
        alike.setdefault((log.size, log.tail_checksum), []).append(log)
    groups: list[tuple[LogTrace, ...]] = []
    for candidates in alike.values():
        if len({log.system for log in candidates}) < 2:
            continue
        groups += [
            group for group in _equal(tree, candidates) if len({t.system for t in group}) > 1
        ]
    return tuple(sorted(groups, key=lambda group: group[0].path))


def _equal(tree: Tree, candidates: list[LogTrace]) -> list[tuple[LogTrace, ...]]:
    """Group candidates by their bytes."""
    groups: list[tuple[bytes, list[LogTrace]]] = []
    for log in sorted(candidates, key=lambda log: log.path):
        raw = tree.read(log.path)
        if isinstance(raw, Unreadable):
            continue
        for known, group in groups:
            if known == raw:
                group.append(log)
                break
        else:
            groups.append((raw, [log]))
    return [tuple(group) for _, group in groups]
