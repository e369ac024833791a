"""What the logs of a system leave behind, so that copies under another system are found."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.copies import LogTrace
from mlcheck.loadgen import DetailLog
from mlcheck.suites.inference.entry import Entry, SystemView


def traces(system: SystemView) -> Iterator[LogTrace]:
    """Yield the performance and accuracy logs of a system."""
    name = f"{system.division.name}/{system.submitter}/{system.name}"
    for entry in system.entries:
        for log in _logs(entry):
            yield LogTrace.of(log, system=name, result=entry.id)


def _logs(entry: Entry) -> list[DetailLog]:
    return [log for log in (entry.log, entry.accuracy_log) if log]
