"""Read the log of a run: the ``:::MLLOG`` lines among whatever else was printed.

Any bytes may stand around them, and a line may carry the marks of several ranks: what follows the
last marker counts, as in the official parser. What is wrong with a line is kept with its number.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from mlcheck.tree import Tree, Unreadable

MARKER = b":::MLLOG "
MOST_PROBLEMS = 20  # lines of one log; a log that is broken throughout is said to be so once


class Kind(StrEnum):
    """What is wrong with a line."""

    TORN = "torn"  # what follows the marker is not JSON
    SHAPE = "shape"  # JSON, but not the object that the format asks for


class Event(NamedTuple):
    """One line: what was logged, when, and where."""

    line: int
    time_ms: float
    key: str
    value: Any
    metadata: dict[str, Any] | None  # None: null, or not an object


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that is not as the format asks for."""

    line: int
    kind: Kind
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """A log as far as rules look at it.

    Attributes:
        events: in the order of the file; keys that no rule of the round names are left out.
        lines: number of marked lines.
        problems: the first few; ``broken`` counts them all.
        unreadable: why the file could not be read at all.
        fingerprint: of times and values without the seed; equal for copies. Empty: too short.
    """

    path: str
    events: tuple[Event, ...] = ()
    lines: int = 0
    problems: tuple[Problem, ...] = ()
    broken: int = 0
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


class _Head(msgspec.Struct):
    """A line whose value nobody asked for: that it is JSON is seen, but nothing is built of it."""

    key: str
    time_ms: int | float
    value: msgspec.Raw
    metadata: msgspec.Raw


class _Payload(msgspec.Struct):
    key: str
    time_ms: int | float
    value: Any
    metadata: dict[str, Any] | None


_head = msgspec.json.Decoder(_Head).decode
_whole = msgspec.json.Decoder(_Payload).decode
_LINE = re.compile(MARKER + rb"(.*)")
_METADATA = b"{n"  # how an object and null begin


def read_log(tree: Tree, path: str, keys: frozenset[str]) -> Log:
    """Read a log. Never raises, whatever the bytes.

    Args:
        tree: the submission.
        path: of the log.
        keys: what rules of the round look at.
    """
    raw = tree.read(path)
    if isinstance(raw, Unreadable):
        return Log(path=path, unreadable=raw.reason)
    events: list[Event] = []
    problems: list[Problem] = []
    lines = broken = counted = 0
    number = 1
    for begin, payload in _marked(raw):
        lines += 1
        try:
            head = _head(payload)
            if head.key not in keys and _fine(head):
                continue
        except (msgspec.DecodeError, RecursionError):
            pass  # read again below, with care
        number += raw.count(b"\n", counted, begin)
        counted = begin
        event = _event(number, payload)
        if isinstance(event, Problem):
            broken += 1
            if len(problems) < MOST_PROBLEMS:
                problems.append(event)
        elif event.key in keys:
            events.append(event)
    return Log(
        path=path,
        events=tuple(events),
        lines=lines,
        problems=tuple(problems),
        broken=broken,
        fingerprint=_fingerprint(events),
    )


def _marked(raw: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield where a marked line is, and what follows its last marker."""
    for found in _LINE.finditer(raw):
        payload = found[1]
        if b"\r" in payload:
            parts = found[0].split(b"\r")
            yield from ((found.start(), p.rpartition(MARKER)[2]) for p in parts if MARKER in p)
        else:
            yield found.start(), payload.rpartition(MARKER)[2] if MARKER in payload else payload


def marked_lines(raw: bytes) -> Iterator[tuple[int, bytes]]:
    r"""Yield line number and what follows the last marker of each marked line.

    Lines end with ``\n``, as editors count them; a lone ``\r``, with which progress bars begin
    anew, ends a line too, but does not count.
    """
    number, counted = 1, 0
    for begin, payload in _marked(raw):
        number += raw.count(b"\n", counted, begin)
        counted = begin
        yield number, payload


def _fine(head: _Head) -> bool:
    return -FAR_MS < head.time_ms < FAR_MS and memoryview(head.metadata)[0] in _METADATA


def _event(number: int, payload: bytes) -> Event | Problem:
    try:
        read = _whole(payload)
    except (msgspec.DecodeError, RecursionError):
        return carefully(number, payload)
    if not -FAR_MS < read.time_ms < FAR_MS:
        return Problem(number, Kind.SHAPE, "time_ms is not a finite number")
    return Event(number, read.time_ms, read.key, read.value, read.metadata)


def carefully(number: int, payload: bytes, *, any_metadata: bool = False) -> Event | Problem:
    """Read a line that the fast reader refuses, or say what is wrong with it.

    ``any_metadata``: whatever stands there instead of an object counts as none.
    """
    try:
        document = json.loads(payload.decode("latin-1").strip())
    except json.JSONDecodeError as err:
        return Problem(number, Kind.TORN, f"{err.msg.lower()} at column {err.colno} of the JSON")
    except (ValueError, RecursionError) as err:  # a number of 5000 digits, 100,000 brackets
        return Problem(number, Kind.TORN, str(err)[:60])
    if not isinstance(document, dict):
        return Problem(number, Kind.SHAPE, f"a {_type(document)} instead of an object")
    for name in ("key", "time_ms", "value", "metadata"):
        if name not in document:
            return Problem(number, Kind.SHAPE, f"the field {name} is missing")
    key, metadata = document["key"], document["metadata"]
    time_ms = _time(document["time_ms"])
    if not isinstance(key, str):
        return Problem(number, Kind.SHAPE, f"key is a {_type(key)}, not a text")
    if time_ms is None:
        return Problem(number, Kind.SHAPE, "time_ms is not a finite number")
    if not isinstance(metadata, dict | None):
        if not any_metadata:
            return Problem(number, Kind.SHAPE, f"metadata is a {_type(metadata)}, not an object")
        metadata = None
    return Event(number, time_ms, key, document["value"], metadata)


def _time(value: Any) -> float | None:
    """Return a time stamp; texts of digits are read as the official parser reads them."""
    try:
        time_ms = float(value) if isinstance(value, int | float | str) else math.nan
    except (ValueError, OverflowError):
        return None
    return time_ms if -FAR_MS < time_ms < FAR_MS else None


def _type(value: Any) -> str:
    names = {dict: "object", list: "list", str: "text", bool: "boolean", type(None): "null"}
    return names.get(type(value), "number")


def _fingerprint(events: list[Event]) -> str:
    """Return what two copies of a log share even if the seed of one was edited."""
    parts = [(e.key, e.time_ms, repr(e.value)) for e in events if e.key != "seed"]
    if len(parts) < FEWEST_EVENTS:
        return ""
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


FAR_MS = 1e18  # no clock comes near; what is larger is no time
FEWEST_EVENTS = 8  # below this two logs may be equal by chance
