"""Time to train against the number of accelerators, both logarithmic: does twice as many halve it?

Positions are computed here, in whole units of the drawing; the template only prints them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mlcheck_report.frames import Record

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 14, 40
FEWEST = 3  # results, on at least two sizes of system; below that there is no line to see
_STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Mark:
    """A result in the drawing."""

    x: float
    y: float
    row: Record


@dataclass(frozen=True, slots=True)
class Tick:
    """A value of an axis and where it is."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Scaling:
    """All that is drawn.

    Attributes:
        ideal: from where to where a line of perfect scaling runs, through the result whose product
            of time and accelerators is smallest.
    """

    marks: tuple[Mark, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    ideal: tuple[float, float, float, float]
    unit: str


def scaling(rows: Iterable[Record], better: str | None, unit: str | None) -> Scaling | None:
    """Return the drawing of a section; None: it ranks no times, or has too few sizes."""
    if better != "lower" or unit != "minutes":
        return None
    shown = [
        row
        for row in rows
        if row["rank"] is not None and (row["accelerators_total"] or 0) > 0 and row["value"] > 0
    ]
    sizes = [float(row["accelerators_total"]) for row in shown]
    if len(shown) < FEWEST or len(set(sizes)) < 2:
        return None
    times = [float(row["value"]) for row in shown]
    x, y = Axis(sizes, LEFT, WIDTH - RIGHT), Axis(times, HEIGHT - BOTTOM, TOP)
    work = min(size * time for size, time in zip(sizes, times, strict=True))
    return Scaling(
        marks=tuple(
            Mark(x.at(size), y.at(time), row)
            for size, time, row in zip(sizes, times, shown, strict=True)
        ),
        x_ticks=tuple(x.ticks()),
        y_ticks=tuple(y.ticks()),
        ideal=_ideal(work, x, y),
        unit=unit,
    )


class Axis:
    """A logarithmic axis, a little longer than its values."""

    def __init__(self, values: Sequence[float], begin: float, end: float) -> None:
        """Span values, all above 0, from one place of the drawing to another."""
        low, high = math.log10(min(values)), math.log10(max(values))
        room = max((high - low) * 0.06, 0.05)
        self.low, self.high = low - room, high + room
        self.begin, self.end = begin, end

    def at(self, value: float) -> float:
        """Return where a value is."""
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return round(self.begin + share * (self.end - self.begin), 1)

    def ticks(self) -> Iterable[Tick]:
        """Yield round values inside."""
        for power in range(math.floor(self.low), math.ceil(self.high) + 1):
            for step in _STEPS:
                value = step * 10.0**power
                if self.low <= math.log10(value) <= self.high:
                    yield Tick(self.at(value), f"{value:,.10g}")


def _ideal(work: float, x: Axis, y: Axis) -> tuple[float, float, float, float]:
    """Return both ends of the line time = work / accelerators inside the drawing."""
    product = math.log10(work)
    left, right = max(x.low, product - y.high), min(x.high, product - y.low)
    ends = [10**left, 10**right]
    (x1, y1), (x2, y2) = [(x.at(size), y.at(work / size)) for size in ends]
    return x1, y1, x2, y2
