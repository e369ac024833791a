"""What the time stamps of a power measurement mean: everything is compared in UTC.

client.json and server.json hold seconds since 1970 and their time zone (seconds west of UTC). Logs
hold what a clock showed, without a zone. The clock of a log is one that its host has: UTC, or the
stated zone. Which one is told by where its times lie, seen from the seconds since 1970; never by
the zone of the machine that reads it.

A host that keeps local time may change between standard and summer time during the run. Then its
clock jumps by an hour between two lines, and all that follows has another offset.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mlcheck.power.integrate import Window

MS_PER_HOUR = 3_600_000
_SLACK_MS = 120_000  # a jump of the clock hides the time between two readings
LARGEST_ZONE_S = 24 * 3600


@dataclass(frozen=True, slots=True)
class Clock:
    """How far a clock is ahead of UTC, in ms, at the beginning and at the end of a run."""

    offset_ms: float
    end_offset_ms: float

    @property
    def jumped(self) -> bool:
        """True if summer time began or ended in between."""
        return self.offset_ms != self.end_offset_ms


UTC_CLOCK = Clock(0, 0)


def offsets(zone_s: float | None, *, local: bool) -> tuple[float, ...]:
    """Return the offsets in ms that a log of a host may have, the likeliest first.

    Args:
        zone_s: the stated zone, seconds west of UTC; None: none is stated.
        local: the workflow of the round lets logs hold local time, and states the zone without
            summer time.
    """
    ahead = -1000 * (zone_s or 0)
    found = (ahead, ahead + MS_PER_HOUR, 0) if local else (0, ahead)
    return tuple(dict.fromkeys(found))


def clock_of(shown: Window, inside: Window, candidates: Iterable[float]) -> Clock | None:
    """Return the clock by which a span lies inside another one; None: by none.

    Args:
        shown: begin and end of a run, as the clock of a log showed them.
        inside: the span in UTC that the run has to lie in.
        candidates: offsets in ms, see :func:`offsets`.
    """
    tried = tuple(candidates)
    for offset in tried:
        if _within(shown.begin_ms - offset, inside) and _within(shown.end_ms - offset, inside):
            return Clock(offset, offset)
    for offset in tried:
        if offset == 0 or not _within(shown.begin_ms - offset, inside):
            continue  # UTC knows no summer time
        for later in (offset - MS_PER_HOUR, offset + MS_PER_HOUR):
            if _within(shown.end_ms - later, inside):
                return Clock(offset, later)
    return None


def utc(shown: Window, clock: Clock) -> Window:
    """Return a span in UTC."""
    return Window(
        begin_ms=shown.begin_ms - clock.offset_ms, end_ms=shown.end_ms - clock.end_offset_ms
    )


def utc_times(shown: Sequence[float], offset_ms: float, *, local: bool) -> list[float]:
    """Return times in UTC, in ms, given the offset of the first.

    ``local``: a jump of about an hour between two readings is the clock, not a gap.
    """
    if not local:
        return [time - offset_ms for time in shown]
    found: list[float] = []
    before = None
    for time in shown:
        if before is not None:
            step = time - before
            if abs(step - MS_PER_HOUR) <= _SLACK_MS:
                offset_ms += MS_PER_HOUR
            elif abs(step + MS_PER_HOUR) <= _SLACK_MS:
                offset_ms -= MS_PER_HOUR
        found.append(time - offset_ms)
        before = time
    return found


def zone(value: object) -> float | None:
    """Return a stated zone in seconds; None: it is no zone that there can be."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return value if abs(value) <= LARGEST_ZONE_S else None


def _within(time: float, span: Window) -> bool:
    return span.begin_ms < time < span.end_ms
