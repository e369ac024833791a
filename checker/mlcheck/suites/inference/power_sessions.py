"""Which results of a package rest on one power session."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mlcheck.suites.inference.entry import Entry, SystemView


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionTrace:
    """A power session and the result that rests on it."""

    session: str
    path: str
    system: str
    result: str


def session_of(entry: Entry) -> str | None:
    """Return what tells a session from all others; None: not recorded."""
    client = entry.power.client if entry.power else None
    if client is None or not client.name or not client.uuids:
        return None
    return " ".join((client.name, *(text for _, text in sorted(client.uuids.items()))))


def session_traces(system: SystemView) -> Iterator[SessionTrace]:
    """Yield the power sessions of a system."""
    for entry in system.entries:
        session = session_of(entry)
        if session and entry.power and entry.power.client:
            yield SessionTrace(
                session=session,
                path=entry.power.client.path,
                system=f"{system.division.name}/{system.submitter}/{system.name}",
                result=entry.id,
            )


def shared(traces: Iterable[SessionTrace]) -> tuple[tuple[SessionTrace, ...], ...]:
    """Group the traces of sessions that several systems share."""
    groups: dict[str, list[SessionTrace]] = {}
    for trace in sorted(traces, key=lambda trace: trace.path):
        groups.setdefault(trace.session, []).append(trace)
    return tuple(tuple(group) for group in groups.values() if len({t.system for t in group}) > 1)
