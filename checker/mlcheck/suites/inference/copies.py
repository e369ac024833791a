"""Find logs that are byte-identical under two systems, without reading every log twice."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mlcheck.suites.inference.entry import Entry, SystemView
from mlcheck.suites.inference.loadgen import DetailLog
from mlcheck.tree import Tree, Unreadable


@dataclass(frozen=True, slots=True, kw_only=True)
class LogTrace:
    """A log and what it may be recognised by: its size and a digest of its end."""

    path: str
    size: int
    tail_digest: bytes
    system: str
    result: str


def traces(system: SystemView) -> Iterator[LogTrace]:
    """Yield the performance and accuracy logs of a system."""
    for entry in system.entries:
        for log in _logs(entry):
            yield LogTrace(
                path=log.path,
                size=log.size,
                tail_digest=hashlib.sha256(log.tail).digest(),
                system=f"{system.division.name}/{system.submitter}/{system.name}",
                result=entry.id,
            )


def _logs(entry: Entry) -> list[DetailLog]:
    return [log for log in (entry.log, entry.accuracy_log) if log]


def find_copies(tree: Tree, logs: Iterable[LogTrace]) -> tuple[tuple[LogTrace, ...], ...]:
    """Group logs of equal bytes. Only logs of equal size and ending are read again."""
    alike: dict[tuple[int, bytes], list[LogTrace]] = {}
    for log in logs:
        alike.setdefault((log.size, log.tail_digest), []).append(log)
    groups: list[tuple[LogTrace, ...]] = []
    for candidates in alike.values():
        if len({log.system for log in candidates}) < 2:
            continue
        same: dict[bytes, list[LogTrace]] = {}
        for log in sorted(candidates, key=lambda log: log.path):
            raw = tree.read(log.path)
            if not isinstance(raw, Unreadable):
                same.setdefault(hashlib.sha256(raw).digest(), []).append(log)
        groups += [
            tuple(group) for group in same.values() if len({log.system for log in group}) > 1
        ]
    return tuple(sorted(groups, key=lambda group: group[0].path))
