"""Read from client.log and server.log whether their clocks were held against a time server."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mlcheck.tree import Unreadable

_OFFSET = re.compile(r"NTP:\s*offset = (-?\d+(?:\.\d+)?) s")
_WITH = re.compile(r"Synchronizing with (?:the server and with )?(\S+)")


@dataclass(frozen=True, slots=True)
class Synchronisation:
    """The offsets from a time server that a host logged, in ms, each with its line.

    ``server``: name of the time server, as far as it is logged. ``lines``: 0 if the log is empty.
    """

    path: str
    server: str = ""
    offsets: tuple[tuple[int, float], ...] = ()
    lines: int = 0
    problem: str | None = None


def synchronisation(path: str, raw: bytes | Unreadable) -> Synchronisation:
    """Return what a log says of the clock of its host. Never raises."""
    if isinstance(raw, Unreadable):
        return Synchronisation(path, problem=raw.reason)
    server, offsets = "", list[tuple[int, float]]()
    lines = raw.decode("utf-8", "replace").splitlines()
    for number, line in enumerate(lines, 1):
        if "NTP" not in line and "Synchronizing" not in line:
            continue
        found = _OFFSET.search(line[:500])
        if found:
            offsets.append((number, 1000 * float(found[1])))
        named = _WITH.search(line[:500])
        if named and not server:
            server = named[1].rstrip(".")
    return Synchronisation(path, server, tuple(offsets), len(lines) if raw.strip() else 0)
