"""Read the logs that LoadGen writes: ``mlperf_log_detail.txt`` and ``mlperf_log_summary.txt``.

Detail lines are ``:::MLLOG {json}``. A published round of inference holds a million of them, most
of which no rule asks for: each line is checked to be JSON, but a value is only decoded when
somebody wants it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from mlcheck.tree import Tree, Unreadable

Mend = Callable[[bytes], bytes]

_MARKER = b":::MLLOG"
_LARGEST = 1e100  # nothing that is measured comes near; beyond lies the end of floats
_SHOWN = 120  # characters of a logged message that a finding shows


class _Metadata(msgspec.Struct, gc=False):
    is_error: bool = False


class _Line(msgspec.Struct, gc=False):
    key: str
    value: msgspec.Raw = msgspec.Raw(b"null")
    metadata: _Metadata = msgspec.field(default_factory=_Metadata)


_decode_line = msgspec.json.Decoder(_Line).decode


@dataclass(frozen=True, slots=True)
class LoggedError:
    """A line that LoadGen marked as an error."""

    line: int
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailLog:
    """A detail log. If a key comes several times, the first value counts.

    Attributes:
        size: bytes of the events.
        tail: the last bytes of the events, by which copies of one log are recognised.
        values: key -> (line, JSON text of the value).
        errors: lines with ``is_error``.
        broken: lines that carry the marker but no readable event, with the reason.
        mended: the first line that could be read only after its slips were mended; 0: none.
        stray: line of the first byte that is not UTF-8; 0: none.
        first_ms, last_ms: LoadGen's clock at the first and last line.
        places: key -> file of its value, if that is not ``path``.
        events: the file of the events, if values stand in another one; empty: it is ``path``.
        problem: why the file could not be read at all.
    """

    path: str
    size: int = 0
    tail: bytes = b""
    values: Mapping[str, tuple[int, bytes]] = field(default_factory=dict)
    errors: tuple[LoggedError, ...] = ()
    broken: tuple[LoggedError, ...] = ()
    mended: int = 0
    stray: int = 0
    first_ms: float = 0
    last_ms: float = 0
    problem: str | None = None
    events: str = ""
    places: Mapping[str, str] = field(default_factory=dict)

    @property
    def whole(self) -> bool:
        """False if the file could not be read, is torn, or holds no events."""
        return not (self.problem or self.broken or self.stray) and bool(self.values)

    @property
    def events_path(self) -> str:
        """The file of the events, in which lines of errors are counted."""
        return self.events or self.path

    def get(self, key: str) -> Any:
        """Return the value of a key; None: it is not logged, null, or no number can hold it."""
        found = self.values.get(key)
        try:
            return None if found is None else msgspec.json.decode(found[1])
        except (msgspec.DecodeError, RecursionError):  # such as 1e999
            return None

    def raw(self, key: str) -> str:
        """Return a value as logged; empty: it is not there."""
        found = self.values.get(key)
        return "" if found is None else found[1].decode("utf-8", "replace")

    def number(self, key: str) -> int | float | None:
        """Return a value that is a finite number; None: absent or something else."""
        value = self.get(key)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return None
        return value if abs(value) < _LARGEST else None

    def text(self, key: str) -> str | None:
        """Return a value that is a string; None: absent or something else."""
        value = self.get(key)
        return value if isinstance(value, str) else None

    def path_of(self, key: str) -> str:
        """Return the file that the line of a key is counted in."""
        return self.places.get(key, self.path)

    def line(self, key: str) -> int:
        """Return the line of a key; 0: it is not logged."""
        found = self.values.get(key)
        return 0 if found is None else found[0]


def read_detail(tree: Tree, path: str, mend: Mend | None = None) -> DetailLog:
    """Read a detail log. Never raises, whatever the bytes.

    Args:
        tree: where it lies.
        path: of the log.
        mend: turns a line that is no JSON into one that may be, where a suite takes such logs.
    """
    raw = tree.read(path)
    if isinstance(raw, Unreadable):
        return DetailLog(path=path, problem=raw.reason)
    values: dict[str, tuple[int, bytes]] = {}
    errors: list[LoggedError] = []
    broken: list[LoggedError] = []
    first_line = last_line = b""
    stray, mended = stray_line(raw), 0
    for number, text in enumerate(raw.split(b"\n"), 1):
        if not text.startswith(_MARKER):
            continue
        try:
            if stray:
                text.decode()  # values are decoded later, and must not fail then
            try:
                event = _decode_line(text[len(_MARKER) :])
            except msgspec.DecodeError:
                if mend is None:
                    raise
                text = mend(text)
                event = _decode_line(text[len(_MARKER) :])
                mended = mended or number
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as err:
            broken.append(LoggedError(number, str(err)[:_SHOWN]))
            continue
        if event.key not in values:
            values[event.key] = (number, bytes(event.value))
        first_line, last_line = first_line or text, text
        if event.metadata.is_error:
            errors.append(LoggedError(number, bytes(event.value).decode("utf-8", "replace")))
    return DetailLog(
        path=path,
        size=len(raw),
        tail=raw[-4096:],
        values=values,
        errors=tuple(errors),
        broken=tuple(broken),
        mended=mended,
        stray=stray,
        first_ms=_clock(first_line),
        last_ms=_clock(last_line),
    )


class _Clock(msgspec.Struct, gc=False):
    time_ms: float = 0


def _clock(line: bytes) -> float:
    """LoadGen's clock at an event, in milliseconds."""
    try:
        return msgspec.json.decode(line[len(_MARKER) :], type=_Clock).time_ms
    except msgspec.DecodeError:
        return 0


def stray_line(raw: bytes) -> int:
    """Return the line of the first byte that is not UTF-8; 0: there is none."""
    if raw.isascii():
        return 0
    try:
        raw.decode()
    except UnicodeDecodeError as err:
        return raw.count(b"\n", 0, err.start) + 1
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryLog:
    """The lines ``name : value`` of a summary, the first of each name."""

    path: str
    values: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    problem: str | None = None
    empty: bool = False  # it could be read and holds nothing


def read_summary(tree: Tree, path: str) -> SummaryLog:
    """Read a summary log. Never raises."""
    raw = tree.read(path, 4 << 20)
    if isinstance(raw, Unreadable):
        return SummaryLog(path=path, problem=raw.reason)
    values: dict[str, tuple[int, str]] = {}
    for number, text in enumerate(raw.decode("utf-8", "replace").split("\n"), 1):
        name, colon, value = text.partition(":")
        if colon:
            values.setdefault(name.strip(), (number, value.strip().rstrip("\0")))
    return SummaryLog(path=path, values=values, empty=not raw.strip())
