"""Logs of meters that break a rule, gathered to one finding per result at the worst of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mlcheck.power.integrate import Window
from mlcheck.rules import Flaw
from mlcheck.suites.training.entry import Entry
from mlcheck.suites.training.power_log import PowerLog

WHOLE_SECOND_MS = 1000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A log of a node that is not as it ought to be.

    ``by``: how far it is off, to show the worst log.
    """

    log: PowerLog
    line: int
    by: float
    expected: str
    actual: str


def one_flaw(
    seen: Iterable[Seen], entry: Entry, message: str, hint: str, *, of: str = "node"
) -> Iterator[Flaw]:
    """Yield one flaw for all logs of a result, at the worst of them."""
    found = list(seen)
    if not found:
        return
    worst = max(found, key=lambda each: each.by)
    count = len(nodes(entry) if of == "node" else switches(entry))
    more = f"; {len(found)} of {count} logs are so" if len(found) > 1 else ""
    yield Flaw(
        path=worst.log.path,
        line=worst.line,
        message=message,
        expected=worst.expected,
        actual=worst.actual + more,
        hint=hint,
    )


def nodes(entry: Entry) -> list[tuple[PowerLog, Window | None]]:
    """Return the logs of nodes that could be read, each with the timed part of its run."""
    measured = entry.power.runs if entry.power else ()
    return [(log, run.timed) for run in measured for log in run.nodes if _readable(log)]


def switches(entry: Entry) -> list[tuple[PowerLog, Window | None]]:
    """Return the logs of switches that could be read, each with the timed part of its run."""
    measured = entry.power.runs if entry.power else ()
    return [(log, run.timed) for run in measured for log in run.switches if _readable(log)]


def _readable(log: PowerLog) -> bool:
    return log.unreadable is None and log.marked > 0


def stamp_ms(log: PowerLog) -> float:
    """Return how coarse the clock of a log is: a second, if all its times are whole seconds."""
    return WHOLE_SECOND_MS if not any(time % WHOLE_SECOND_MS for time in log.times_ms) else 0.0


def apart(log: PowerLog, run: Window) -> bool:
    """Whether a log holds readings, and none of them lies in a run."""
    return bool(log.times_ms) and (
        max(log.times_ms) < run.begin_ms or min(log.times_ms) > run.end_ms
    )
