"""Read the log of a run: the marked lines among whatever else was printed.

Any bytes may stand around them, and a line may carry the marks of several ranks: what follows the
last marker counts, as in the official parser. What is wrong with a line is kept with its number.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from mlcheck.suites.training.log_lines import Event, Format, Problem
from mlcheck.tree import Tree, Unreadable

MOST_PROBLEMS = 20  # lines of one log; a log that is broken throughout is said to be so once


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """A log as far as rules look at it.

    Attributes:
        events: in the order of the file; keys that no rule of the round names are left out.
        lines: number of marked lines.
        problems: the first few; ``broken`` counts them all, and ``stumbling`` those over which the
            official parser stumbles.
        unreadable: why the file could not be read at all.
        fingerprint: of times and values without the seed; equal for copies. Empty: too short.
    """

    path: str
    events: tuple[Event, ...] = ()
    lines: int = 0
    problems: tuple[Problem, ...] = ()
    broken: int = 0
    stumbling: int = 0
    unreadable: str | None = None
    fingerprint: str = ""

    def all(self, key: str) -> Iterator[Event]:
        """Yield the lines of a key."""
        return (event for event in self.events if event.key == key)

    def first(self, key: str) -> Event | None:
        """Return the first line of a key."""
        return next(self.all(key), None)

    def last(self, key: str) -> Event | None:
        """Return the last line of a key."""
        return next((event for event in reversed(self.events) if event.key == key), None)


def read_log(tree: Tree, path: str, keys: frozenset[str], form: Format) -> Log:
    """Read a log. Never raises, whatever the bytes.

    Args:
        tree: the submission.
        path: of the log.
        keys: what rules of the round look at.
        form: how its lines are written.
    """
    raw = tree.read(path)
    if isinstance(raw, Unreadable):
        return Log(path=path, unreadable=raw.reason)
    events: list[Event] = []
    problems: list[Problem] = []
    lines = broken = stumbling = counted = 0
    number, skips = 1, form.skips()
    for begin, payload in _marked(raw, form.marker):
        lines += 1
        if skips(payload, keys):
            continue
        number += raw.count(b"\n", counted, begin)
        counted = begin
        read = form.event(number, payload)
        if isinstance(read, Problem):
            broken += 1
            stumbling += read.official
            if len(problems) < MOST_PROBLEMS:
                problems.append(read)
        event = read.event if isinstance(read, Problem) else read
        if event is not None and event.key in keys:
            events.append(event)
    return Log(
        path=path,
        events=tuple(events),
        lines=lines,
        problems=tuple(problems),
        broken=broken,
        stumbling=stumbling,
        fingerprint=_fingerprint(events),
    )


@functools.cache
def _pattern(marker: bytes) -> re.Pattern[bytes]:
    return re.compile(re.escape(marker) + rb"(.*)")


def _marked(raw: bytes, marker: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield where a marked line is, and what follows its last marker."""
    for found in _pattern(marker).finditer(raw):
        payload = found[1]
        if b"\r" in payload:
            parts = found[0].split(b"\r")
            yield from ((found.start(), p.rpartition(marker)[2]) for p in parts if marker in p)
        else:
            yield found.start(), payload.rpartition(marker)[2] if marker in payload else payload


def marked_lines(raw: bytes, marker: bytes) -> Iterator[tuple[int, bytes]]:
    r"""Yield line number and what follows the last marker of each marked line.

    Lines end with ``\n``, as editors count them; a lone ``\r``, with which progress bars begin
    anew, ends a line too, but does not count.
    """
    number, counted = 1, 0
    for begin, payload in _marked(raw, marker):
        number += raw.count(b"\n", counted, begin)
        counted = begin
        yield number, payload


def _fingerprint(events: list[Event]) -> str:
    """Return what two copies of a log share even if the seed of one was edited."""
    parts = [(e.key, e.time_ms, repr(e.value)) for e in events if e.key != "seed"]
    if len(parts) < FEWEST_EVENTS:
        return ""
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


FEWEST_EVENTS = 8  # below this two logs may be equal by chance
