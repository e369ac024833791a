"""What a line of a log holds, in the two ways in which lines have been written.

From v0.7 on what follows the marker is one JSON object:

    :::MLLOG {"key": "run_start", "time_ms": 1560881740000, "value": null, "metadata": {…}}

Before, time and key stood in front of it, and the time was in seconds:

    :::MLL 1560881740.000 run_start: {"value": null, "metadata": {…}}
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec


class Syntax(StrEnum):
    """How a line is written."""

    OBJECT = "object"  # one JSON object holds all
    KEYED = "keyed"  # time and key, then a JSON object with value and metadata


class Kind(StrEnum):
    """What is wrong with a line."""

    TORN = "torn"  # what follows the marker cannot be read
    SHAPE = "shape"  # it can, but is not what the format asks for


class Event(NamedTuple):
    """One line: what was logged, when, and where."""

    line: int
    time_ms: float
    key: str
    value: Any
    metadata: dict[str, Any] | None  # None: null, or not an object


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that is not as the format asks for.

    Attributes:
        official: the official parser stumbles over it too.
        event: what the line says all the same; None: nothing that a rule could look at.
    """

    line: int
    kind: Kind
    message: str
    official: bool = True
    event: Event | None = None


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


class _KeyedHead(msgspec.Struct):
    value: msgspec.Raw


class _KeyedPayload(msgspec.Struct):
    value: Any
    metadata: dict[str, Any] | None = None


_head = msgspec.json.Decoder(_Head).decode
_whole = msgspec.json.Decoder(_Payload).decode
_keyed_head = msgspec.json.Decoder(_KeyedHead).decode
_keyed_whole = msgspec.json.Decoder(_KeyedPayload).decode
_METADATA = b"{n"  # how an object and null begin
FAR_MS = 1e18  # no clock comes near; what is larger is no time
_KEYED = re.compile(rb" ([\d.]+) ([A-Za-z0-9_]+) ?:\s+(.+)")
_SECONDS = "e3"  # written behind a number of seconds it gives milliseconds, without rounding


@dataclass(frozen=True, slots=True)
class Format:
    """How logs of a round are written: by what mark a line is known, and what follows it."""

    marker: bytes
    syntax: Syntax

    def skips(self) -> Callable[[bytes, frozenset[str]], bool]:
        """Return what tells, at little cost, that a line is in order and its key not asked for.

        It is called with what follows the marker and with the keys that rules look at, for every
        line of a log: most lines end there.
        """
        return _skips_keyed if self.syntax is Syntax.KEYED else _skips_object

    def event(self, number: int, payload: bytes) -> Event | Problem:
        """Read what follows the marker of a line, of which this is the number. Never raises."""
        if self.syntax is Syntax.KEYED:
            return _keyed(number, payload)
        try:
            read = _whole(payload)
        except (msgspec.DecodeError, RecursionError):
            return carefully(number, payload)
        if not -FAR_MS < read.time_ms < FAR_MS:
            return Problem(number, Kind.SHAPE, "time_ms is not a finite number")
        return Event(number, read.time_ms, read.key, read.value, read.metadata)


def _skips_object(payload: bytes, keys: frozenset[str]) -> bool:
    try:
        head = _head(payload)
    except (msgspec.DecodeError, RecursionError):
        return False  # read again by `event`, with care
    return (
        head.key not in keys
        and -FAR_MS < head.time_ms < FAR_MS
        and memoryview(head.metadata)[0] in _METADATA
    )


def _skips_keyed(payload: bytes, keys: frozenset[str]) -> bool:
    found = _KEYED.match(payload)
    if found is None or found[2].decode() in keys or _seconds(found[1]) is None:
        return False
    try:
        _keyed_head(found[3])
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def carefully(number: int, payload: bytes, *, any_metadata: bool = False) -> Event | Problem:
    """Read an object that the fast reader refuses, or say what is wrong with it.

    ``any_metadata``: whatever stands there instead of an object counts as none.
    """
    document = _document(number, payload)
    if isinstance(document, Problem):
        return document
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


def _keyed(number: int, payload: bytes) -> Event | Problem:
    found = _KEYED.match(payload)
    if found is None:
        return Problem(number, Kind.TORN, "no time, key and colon follow the marker")
    key, time_ms = found[2].decode(), _seconds(found[1])
    if time_ms is None:
        return Problem(number, Kind.TORN, f"{found[1][:30].decode()} is no time in seconds")
    try:
        read = _keyed_whole(found[3])
    except (msgspec.DecodeError, RecursionError):
        document = _document(number, found[3])
        if isinstance(document, Problem):
            return document
        metadata = document.get("metadata")
        told = None if "value" in document else "the field value is missing"
        if not isinstance(metadata, dict | None):
            told, metadata = f"metadata is a {_type(metadata)}, not an object", None
        event = Event(number, time_ms, key, document.get("value"), metadata)
        # The official tool of the time stumbles only where one of its rules asks for the field.
        return Problem(number, Kind.SHAPE, told, official=False, event=event) if told else event
    return Event(number, time_ms, key, read.value, read.metadata)


def _document(number: int, payload: bytes) -> dict[str, Any] | Problem:
    """Read the JSON object of a line, or say why there is none."""
    try:
        document = json.loads(payload.decode("latin-1").strip())
    except json.JSONDecodeError as err:
        told = f"{err.msg.lower()} at column {err.colno} of the JSON"
        return Problem(number, Kind.TORN, told)
    except (ValueError, RecursionError) as err:  # a number of 5000 digits, 100,000 brackets
        return Problem(number, Kind.TORN, str(err)[:60])
    if not isinstance(document, dict):
        return Problem(number, Kind.SHAPE, f"a {_type(document)} instead of an object")
    return document


def _time(value: Any) -> float | None:
    """Return a time stamp; texts of digits are read as the official parser reads them."""
    try:
        time_ms = float(value) if isinstance(value, int | float | str) else math.nan
    except (ValueError, OverflowError):
        return None
    return time_ms if -FAR_MS < time_ms < FAR_MS else None


def _seconds(digits: bytes) -> float | None:
    """Return digits of seconds in milliseconds; None: they are no number, such as 1.2.3."""
    return _time(digits.decode() + _SECONDS)


def _type(value: Any) -> str:
    names = {dict: "object", list: "list", str: "text", bool: "boolean", type(None): "null"}
    return names.get(type(value), "number")
