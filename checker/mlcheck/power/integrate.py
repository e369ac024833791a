"""From samples of power to energy: the one integrator of all suites.

Two methods, which differ in what a reading means:

* **rectangle**: a reading is the mean since the previous reading, as power meters report it. It
  counts from the previous reading to its own time; an interval that a window cuts counts for the
  part inside. A step between two readings is exact if the meter averages.
* **trapezoid**: a reading is the power at that instant, and power runs straight from one to the
  next. At the ends of a window it is interpolated. A ramp is exact.

Both integrate from the first usable reading to the last, cut to the window. Nothing is invented
outside of them: what of a window they leave out shows in :attr:`Quality.coverage`.

A reading that is not finite, or whose time lies before an earlier one, is not usable: the interval
then reaches to the next usable one. Of readings with the same time, the first counts. Zero and
negative readings are usable. All are counted in :class:`Quality`. Sums are exact to the last bit
(``math.fsum``), so that the order of addition does not show.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

MS_PER_S = 1000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A span of time in milliseconds UTC since 1970."""

    begin_ms: float
    end_ms: float

    @property
    def duration_ms(self) -> float:
        """Length; negative if the end lies before the beginning."""
        return self.end_ms - self.begin_ms


@dataclass(frozen=True, slots=True)
class Samples:
    """Readings of a power meter in file order: n times in ms UTC since 1970, n readings in watts.

    ``since_ms``: when the interval of the first reading began; None: unknown, so that by the
    rectangle rule the first reading has no length.

    Raises:
        ValueError: as many times as readings are needed.
    """

    times_ms: Sequence[float]
    watts: Sequence[float]
    since_ms: float | None = None

    def __post_init__(self) -> None:  # noqa: D105 - the class says it
        if len(self.times_ms) != len(self.watts):
            raise ValueError(f"{len(self.times_ms)} times for {len(self.watts)} readings")


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """What is remarkable of the samples inside a window; counts, and lengths in milliseconds.

    ``samples`` lie strictly inside, ``usable`` ones of them enter the energy. ``duplicates`` have
    the time of an earlier sample, ``backward`` ones lie before one. ``gaps`` are the spans between
    usable readings, or to the ends of the window, that are longer than allowed. ``coverage`` is the
    share of the window outside gaps, 0 to 1.
    """

    samples: int
    usable: int
    zero: int
    negative: int
    not_finite: int
    duplicates: int
    backward: int
    gaps: tuple[Window, ...]
    longest_ms: float
    coverage: float


def rectangle_j(samples: Samples, window: Window | None = None) -> float:
    """Return joules: each reading times the time since the previous usable one."""
    times, watts = _usable(samples)
    if not times:
        return 0.0
    since = times[0] if samples.since_ms is None else min(samples.since_ms, times[0])
    low, high = (window.begin_ms, window.end_ms) if window else (-math.inf, math.inf)
    parts: list[float] = []
    for time, reading in zip(times, watts, strict=True):
        inside = min(time, high) - max(since, low)
        if inside > 0:
            parts.append(reading * inside)
        since = time
    return math.fsum(parts) / MS_PER_S


def trapezoid_j(samples: Samples, window: Window | None = None) -> float:
    """Return joules: the area under straight lines from each usable reading to the next."""
    times, watts = _usable(samples)
    low, high = (window.begin_ms, window.end_ms) if window else (-math.inf, math.inf)
    parts: list[float] = []
    for at in range(1, len(times)):
        left, right = times[at - 1], times[at]
        begin, end = max(left, low), min(right, high)
        if end > begin:
            slope = (watts[at] - watts[at - 1]) / (right - left)
            middle = watts[at - 1] + slope * ((begin + end) / 2 - left)
            parts.append(middle * (end - begin))
    return math.fsum(parts) / MS_PER_S


def mean_w(samples: Samples, window: Window, *, positive: bool) -> float | None:
    """Return the plain mean of the finite readings strictly inside a window, as power checkers do.

    ``positive``: zero and negative readings are left out. None: there is no reading.
    """
    readings = [
        watts
        for time, watts in zip(samples.times_ms, samples.watts, strict=True)
        if window.begin_ms < time < window.end_ms
        and math.isfinite(watts)
        and (watts > 0 or not positive)
    ]
    return math.fsum(readings) / len(readings) if readings else None


def quality(samples: Samples, window: Window, *, gap_ms: float) -> Quality:
    """Count what is remarkable inside a window.

    Args:
        samples: readings, which may begin before the window and end after it.
        window: the measured span; a window without length has coverage 0.
        gap_ms: usable readings that lie further apart than this leave a gap.
    """
    counts = dict.fromkeys(("zero", "negative", "not_finite", "duplicates", "backward"), 0)
    inside = usable = 0
    latest = -math.inf
    for time, watts in zip(samples.times_ms, samples.watts, strict=True):
        within = window.begin_ms < time < window.end_ms
        flaws = list(_flaws(time, watts, latest))
        if math.isfinite(time):
            latest = max(latest, time)
        if within:
            inside += 1
            usable += not {"not_finite", "duplicates", "backward"} & set(flaws)
            for flaw in flaws:
                counts[flaw] += 1
    gaps, longest = _gaps(_usable(samples)[0], window, gap_ms)
    lost = math.fsum(gap.duration_ms for gap in gaps)
    length = window.duration_ms
    return Quality(
        samples=inside,
        usable=usable,
        **counts,
        gaps=gaps,
        longest_ms=longest,
        coverage=max(0.0, 1 - lost / length) if length > 0 else 0.0,
    )


def _flaws(time: float, watts: float, latest: float) -> Iterator[str]:
    if time == latest:
        yield "duplicates"
    elif time < latest:
        yield "backward"
    if not (math.isfinite(watts) and math.isfinite(time)):
        yield "not_finite"
    elif watts <= 0:
        yield "negative" if watts < 0 else "zero"


def _usable(samples: Samples) -> tuple[list[float], list[float]]:
    """Return times that rise, with their finite readings."""
    times: list[float] = []
    watts: list[float] = []
    latest = -math.inf
    for time, reading in zip(samples.times_ms, samples.watts, strict=True):
        if not math.isfinite(time):
            continue
        if time > latest and math.isfinite(reading):
            times.append(time)
            watts.append(reading)
        latest = max(latest, time)
    return times, watts


def _gaps(
    times: Sequence[float], window: Window, gap_ms: float
) -> tuple[tuple[Window, ...], float]:
    """Return the gaps inside a window, cut to it, and the longest span without a reading."""
    if window.duration_ms <= 0:
        return (), 0.0
    edges = [window.begin_ms, *(t for t in times if window.begin_ms < t < window.end_ms)]
    edges.append(window.end_ms)
    before = max((t for t in times if t <= window.begin_ms), default=None)
    after = min((t for t in times if t >= window.end_ms), default=None)
    gaps: list[Window] = []
    longest = 0.0
    for at in range(1, len(edges)):
        begin, end = edges[at - 1], edges[at]
        # a reading just outside covers the end of the window as well as one inside
        left = before if at == 1 and before is not None else begin
        right = after if at == len(edges) - 1 and after is not None else end
        longest = max(longest, right - left)
        if right - left > gap_ms:
            gaps.append(Window(begin_ms=begin, end_ms=end))
    return tuple(gaps), longest
