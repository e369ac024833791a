"""Find logs that are byte-identical under two systems, without reading every log twice."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass

from mlcheck.loadgen import DetailLog
from mlcheck.tree import Tree, Unreadable


@dataclass(frozen=True, slots=True, kw_only=True)
class LogTrace:
    """A log and what a copy of it may be recognised by: its size and a checksum of its end."""

    path: str
    size: int
    tail_checksum: int
    system: str
    result: str

    @classmethod
    def of(cls, log: DetailLog, *, system: str, result: str) -> LogTrace:
        """Return what a log leaves behind."""
        return cls(
            path=log.events_path,
            size=log.size,
            tail_checksum=zlib.crc32(log.tail),
            system=system,
            result=result,
        )


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
