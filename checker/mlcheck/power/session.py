"""Read what client and server of the MLPerf Power workflow say of a session.

``client.json`` and ``server.json`` hold the messages that they exchanged, the times of the phases,
and hashes; ``server.json`` also holds the messages to and from the meter's software (PTDaemon).
"""

from __future__ import annotations

import math
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mlcheck.documents import Document
from mlcheck.power import clocks

PHASES = ("ranging", "testing")
BEFORE, BEGIN, END, AFTER = range(4)  # times of a phase: set up, running, stopped, wound up
NAMES = (
    "version",
    "timezone",
    "modules",
    "sources",
    "messages",
    "uuid",
    "session_name",
    "results",
    "phases",
)
SERVER_NAMES = ("ptd_messages", "ptd_config")


@dataclass(frozen=True, slots=True)
class Problem:
    """A member of a document that is missing or means nothing.

    ``harmless``: the official tool gets by with it.
    """

    name: str
    expected: str
    actual: str | None
    harmless: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """A command and its reply."""

    command: str
    reply: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Analyzer:
    """One meter, as PTDaemon was started for it. ``number`` None: not stated as a number."""

    number: int | None
    channels: int
    command: tuple[str, ...]
    direct_current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """What one side recorded. Members that cannot be read are empty and listed in ``problems``.

    Attributes:
        zone_s: seconds west of UTC; None: not stated.
        uuids: "client" and "server" -> text.
        phases: "ranging" and "testing" -> times of its checkpoints in ms UTC.
        results: file below ``performance/`` -> SHA-1.
        sources: file of the workflow -> SHA-1; None: no such mapping.
        analyzers: the meters; ``listed``: they stand in a list, not alone.
    """

    document: Document
    problems: tuple[Problem, ...] = ()
    zone_s: float | None = None
    name: str = ""
    uuids: Mapping[str, str] = field(default_factory=dict)
    messages: tuple[Message, ...] = ()
    phases: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    results: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, Any] | None = None
    meter: tuple[Message, ...] = ()
    analyzers: tuple[Analyzer, ...] = ()
    listed: bool = False
    debug: Any = False

    @property
    def path(self) -> str:
        """The document."""
        return self.document.path

    def line_of(self, name: str) -> int:
        """Return the line of a member; 0: it is not there."""
        return self.document.line_of(name)

    def time(self, phase: str, checkpoint: int) -> float | None:
        """Return when a phase came to a checkpoint, in ms UTC; None: it is not recorded."""
        times = self.phases.get(phase, ())
        return times[checkpoint] if checkpoint < len(times) else None

    def replies(self, command: str) -> Iterator[Message]:
        """Yield the messages to the meter that begin with a command."""
        return (message for message in self.meter if message.command.startswith(command))


def read_session(document: Document, *, server: bool) -> Session:
    """Return what a document says. Never raises."""
    if document.problem:
        return Session(document=document)
    fields, problems = document.fields, list[Problem]()
    for name in (*NAMES, *(SERVER_NAMES if server else ())):
        if name not in fields:
            problems.append(Problem(name, "it is there", None))
    analyzers, listed = _analyzers(fields.get("ptd_config"), problems) if server else ((), False)
    return Session(
        document=document,
        zone_s=_zone(fields, problems, server=server),
        name=_text(fields, "session_name", problems),
        uuids=_uuids(fields, problems),
        messages=_messages(fields, "messages", problems),
        phases=_phases(fields, problems),
        results=_hashes(fields, problems),
        sources=_sources(fields, problems),
        meter=_messages(fields, "ptd_messages", problems) if server else (),
        analyzers=analyzers,
        listed=listed,
        debug=fields.get("debug", False),
        problems=tuple(problems),
    )


def _kind(value: Any) -> str:
    return f"{value!r}"[:60]


def _zone(fields: Mapping[str, Any], problems: list[Problem], *, server: bool) -> float | None:
    value = fields.get("timezone")
    zone_s = clocks.zone(value)
    if "timezone" in fields and zone_s is None:
        wanted = "seconds west of UTC, a number"
        problems.append(Problem("timezone", wanted, _kind(value), not server or _whole(value)))
    return zone_s


def _whole(value: Any) -> bool:
    """Tell whether Python makes a whole number of it."""
    try:
        int(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _text(fields: Mapping[str, Any], name: str, problems: list[Problem]) -> str:
    value = fields.get(name)
    if name in fields and (not isinstance(value, str) or not value):
        problems.append(Problem(name, "a text", _kind(value), harmless=True))
    return value if isinstance(value, str) else ""


def _uuids(fields: Mapping[str, Any], problems: list[Problem]) -> dict[str, str]:
    value = fields.get("uuid")
    found: dict[str, str] = {}
    for side in ("client", "server") if "uuid" in fields else ():
        text = value.get(side) if isinstance(value, dict) else None
        if as_uuid(text) is None:
            problems.append(Problem("uuid", f"a UUID of the {side}", _kind(text)))
        else:
            found[side] = str(text)
    return found


def as_uuid(text: Any) -> uuid.UUID | None:
    """Return a UUID, however it is written; None: it is none."""
    try:
        return uuid.UUID(text)
    except (TypeError, ValueError, AttributeError):
        return None


def _messages(fields: Mapping[str, Any], name: str, problems: list[Problem]) -> tuple[Message, ...]:
    value = fields.get(name)
    if name not in fields:
        return ()
    found: list[Message] = []
    wanted = "a list of cmd and reply, both texts"
    for item in value if isinstance(value, list) else (None,):
        if not isinstance(item, dict) or not {"cmd", "reply"} <= item.keys():
            problems.append(Problem(name, wanted, _kind(item)))
            return ()
        command, reply = item["cmd"], item["reply"]
        if not isinstance(command, str) or not isinstance(reply, str):
            # the official tool compares what is there
            problems.append(Problem(name, wanted, _kind(item), harmless=isinstance(command, str)))
        found.append(Message(_plain(command), _plain(reply)))
    return tuple(found)


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else repr(value)[:80]


def _phases(fields: Mapping[str, Any], problems: list[Problem]) -> dict[str, tuple[float, ...]]:
    value = fields.get("phases")
    found: dict[str, tuple[float, ...]] = {}
    for phase in PHASES if "phases" in fields else ():
        rows = value.get(phase) if isinstance(value, dict) else None
        times = [_seconds(row) for row in rows] if isinstance(rows, list) else [None]
        known = tuple(1000 * time for time in times if time is not None)
        if len(known) < len(times):
            wanted = f"{phase} as a list of pairs of seconds"
            problems.append(Problem("phases", wanted, _kind(rows)))
        else:
            found[phase] = known
    return found


def _seconds(row: Any) -> float | None:
    """Return the seconds since 1970 of a checkpoint, the first of its two clocks."""
    value = row[0] if isinstance(row, Sequence) and not isinstance(row, str) and row else None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if math.isfinite(value) and abs(value) < 1e12 else None


def _hashes(fields: Mapping[str, Any], problems: list[Problem]) -> dict[str, str]:
    value = fields.get("results")
    if "results" in fields and not isinstance(value, dict):
        problems.append(Problem("results", "file -> SHA-1", _kind(value)))
    pairs = value.items() if isinstance(value, dict) else ()
    return {name: hash_ for name, hash_ in pairs if isinstance(hash_, str)}


def _sources(fields: Mapping[str, Any], problems: list[Problem]) -> Mapping[str, Any] | None:
    value = fields.get("sources")
    if "sources" in fields and not isinstance(value, dict):
        problems.append(Problem("sources", "file -> SHA-1", _kind(value)))
    return value if isinstance(value, dict) else None


def _analyzers(value: Any, problems: list[Problem]) -> tuple[tuple[Analyzer, ...], bool]:
    """Return the meters that PTDaemon was started for, and whether they stand in a list."""
    if value is None:
        return (), False
    items = value if isinstance(value, list) else [value]
    if not items or not all(isinstance(item, dict) for item in items):
        problems.append(Problem("ptd_config", "device_type, command and channel", _kind(value)))
        return (), isinstance(value, list)
    return tuple(_analyzer(item) for item in items), isinstance(value, list)


def _analyzer(item: Mapping[str, Any]) -> Analyzer:
    number, channel, command = (item.get(name) for name in ("device_type", "channel", "command"))
    whole = isinstance(number, int) and not isinstance(number, bool)
    parts = command if isinstance(command, list) else ()
    return Analyzer(
        number=number if whole else None,
        channels=len(channel) if isinstance(channel, list) else 0,
        command=tuple(part for part in parts if isinstance(part, str)),
        direct_current=bool(item.get("dc_flag")),
    )
