"""Read the log of a power meter: when it began and ended, its readings, efficiency, estimate.

Meters write ``:::MLLOG`` lines like those of a run, but with less care: the metadata may be a text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from mlcheck.suites.training.log_lines import FAR_MS, Problem, carefully
from mlcheck.suites.training.mllog import MOST_PROBLEMS, marked_lines
from mlcheck.tree import Tree, Unreadable

LARGEST = 1e15  # no meter shows more, in whatever unit; below it no sum overflows


class Mark(NamedTuple):
    """A line that says when something was."""

    line: int
    time_ms: float


class Stated(NamedTuple):
    """A line that states a value: an efficiency, or the power of a switch.

    ``kind``: what the metadata says was measured, such as AC; None: nothing.
    """

    line: int
    time_ms: float
    value: Any
    kind: str | None


class Odd(NamedTuple):
    """A reading that is no finite number."""

    line: int
    value: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerLog:
    """What one meter wrote during one run, in the order of the file.

    Attributes:
        index: the number in the name; None: there is none.
        times_ms, watts, lines: of the readings: ms UTC since 1970, W, and where they stand.
        odd: readings that are no numbers. ``broken``: lines that cannot be read at all.
    """

    path: str
    index: int | None
    starts: tuple[Mark, ...] = ()
    stops: tuple[Mark, ...] = ()
    times_ms: tuple[float, ...] = ()
    watts: tuple[float, ...] = ()
    lines: tuple[int, ...] = ()
    odd: tuple[Odd, ...] = ()
    efficiencies: tuple[Stated, ...] = ()
    estimates: tuple[Stated, ...] = ()
    marked: int = 0
    problems: tuple[Problem, ...] = ()
    broken: int = 0
    unreadable: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """How a round marks and names the lines of a meter, and the field that tells AC from DC."""

    marker: bytes
    start: str
    stop: str
    reading: str
    efficiency: str
    estimate: str
    kind: str


class _Line(msgspec.Struct):
    key: str
    time_ms: int | float
    value: Any
    metadata: msgspec.Raw


@dataclass(slots=True)
class _Draft:
    """A log while it is read."""

    keys: Keys
    starts: list[Mark] = field(default_factory=list)
    stops: list[Mark] = field(default_factory=list)
    times_ms: list[float] = field(default_factory=list)
    watts: list[float] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    odd: list[Odd] = field(default_factory=list)
    efficiencies: list[Stated] = field(default_factory=list)
    estimates: list[Stated] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    marked: int = 0
    broken: int = 0

    def take(self, line: int, key: str, time_ms: float, value: Any, metadata: Any) -> None:
        """Keep what a line says."""
        keys = self.keys
        if key == keys.reading:
            watts = shown(value)
            if watts is None:
                self.odd.append(Odd(line, value))
            else:
                self.times_ms.append(time_ms)
                self.watts.append(watts)
                self.lines.append(line)
        elif key == keys.start:
            self.starts.append(Mark(line, time_ms))
        elif key == keys.stop:
            self.stops.append(Mark(line, time_ms))
        elif key in (keys.efficiency, keys.estimate):
            stated = Stated(line, time_ms, value, _kind(metadata, keys.kind))
            (self.efficiencies if key == keys.efficiency else self.estimates).append(stated)

    def struggle(self, line: int, payload: bytes) -> None:
        """Read a line that the fast reader refuses, or keep what is wrong with it."""
        read = carefully(line, payload, any_metadata=True)
        if isinstance(read, Problem):
            self.broken += 1
            if len(self.problems) < MOST_PROBLEMS:
                self.problems.append(read)
        else:
            self.take(line, read.key, read.time_ms, read.value, read.metadata)


_decode = msgspec.json.Decoder(_Line).decode


def shown(value: Any) -> float | None:
    """Return a number that a meter can show; None: it is none. JSON tells true from 1."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if -LARGEST < value < LARGEST else None


def _kind(metadata: Any, name: str) -> str | None:
    """Return what was measured, by the metadata of a line; they may be anything."""
    if isinstance(metadata, msgspec.Raw):
        try:
            metadata = msgspec.json.decode(metadata)
        except (msgspec.DecodeError, RecursionError):
            return None
    kind = metadata.get(name) if isinstance(metadata, dict) else None
    return kind if isinstance(kind, str) else None


def read_power_log(tree: Tree, path: str, index: int | None, keys: Keys) -> PowerLog:
    """Read the log of a meter. Never raises, whatever the bytes."""
    raw = tree.read(path)
    if isinstance(raw, Unreadable):
        return PowerLog(path=path, index=index, unreadable=raw.reason)
    draft = _Draft(keys)
    for number, payload in marked_lines(raw, keys.marker):
        draft.marked += 1
        try:
            read = _decode(payload)
        except (msgspec.DecodeError, RecursionError):
            draft.struggle(number, payload)
            continue
        if -FAR_MS < read.time_ms < FAR_MS:
            draft.take(number, read.key, read.time_ms, read.value, read.metadata)
        else:
            draft.struggle(number, payload)
    return PowerLog(
        path=path,
        index=index,
        starts=tuple(draft.starts),
        stops=tuple(draft.stops),
        times_ms=tuple(draft.times_ms),
        watts=tuple(draft.watts),
        lines=tuple(draft.lines),
        odd=tuple(draft.odd),
        efficiencies=tuple(draft.efficiencies),
        estimates=tuple(draft.estimates),
        marked=draft.marked,
        problems=tuple(draft.problems),
        broken=draft.broken,
    )
