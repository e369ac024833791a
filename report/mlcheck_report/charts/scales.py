"""Axes: from values to places in the drawing, and the ticks that a reader expects."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mlcheck_report.numbers import MINUS

_LOG_STEPS = {2: (1, 2, 5), 4: (1, 3)}  # by the decades that an axis spans at most
_LINEAR_STEPS = (1, 2, 2.5, 5, 10)
_TICKS = 6
_FEWEST = 3  # ticks of a logarithmic axis
_APART = 1e-5  # of the larger value
_ROOM = 0.06  # of the span, at both ends


@dataclass(frozen=True, slots=True)
class Tick:
    """A value of an axis and where it is."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis: `at` gives the place of a value; `low` and `high` are the values at its ends."""

    at: Callable[[float], float]
    ticks: tuple[Tick, ...]
    low: float
    high: float


def logarithmic(values: Sequence[float], begin: float, end: float) -> Axis:
    """Return a logarithmic axis, a little longer than its positive values."""
    low, high = math.log10(min(values)), math.log10(max(values))
    room = max((high - low) * _ROOM, 0.05)
    low, high = low - room, high + room

    def at(value: float) -> float:
        return round(begin + (math.log10(value) - low) / (high - low) * (end - begin), 1)

    decades = range(math.floor(low), math.ceil(high) + 1)
    steps = next((s for most, s in _LOG_STEPS.items() if high - low <= most), (1,))
    values_ = [step * 10.0**power for power in decades for step in steps]
    ticks = [Tick(at(v), short(v)) for v in values_ if low <= math.log10(v) <= high]
    if len(ticks) < _FEWEST:  # less than a decade: steps of a linear axis, at their places
        ticks = [Tick(at(v), short(v)) for v in _round_values(10**low, 10**high) if v > 0]
    every = max(-(-len(ticks) // (2 * _TICKS)), 1)
    return Axis(at, tuple(ticks[::every]), 10**low, 10**high)


def linear(values: Sequence[float], begin: float, end: float, *, zero: bool = False) -> Axis:
    """Return a linear axis, a little longer than its values; `zero`: it begins at nought."""
    low, high = min(values), max(values)
    size = max(abs(low), abs(high))
    apart = high - low > size * _APART  # else ticks between them would read the same
    room = (high - low if apart else size) * _ROOM or 1.0
    low, high = (min(low, 0.0), high + room) if zero else (low - room, high + room)

    def at(value: float) -> float:
        return round(begin + (value - low) / (high - low) * (end - begin), 1)

    ticks = tuple(Tick(at(value), short(value)) for value in _round_values(low, high))
    return Axis(at, ticks, low, high)


def categories(names: Sequence[str], begin: float, end: float) -> Axis:
    """Return an axis of names; the value of a name is its index."""
    step = (end - begin) / max(len(names), 1)

    def at(value: float) -> float:
        return round(begin + (value + 0.5) * step, 1)

    ticks = tuple(Tick(at(place), name) for place, name in enumerate(names))
    return Axis(at, ticks, 0, max(len(names) - 1, 0))


def short(value: float) -> str:
    """Write a tick."""
    if value and not 1e-4 <= abs(value) < 1e7:
        mantissa, exponent = f"{value:.6e}".split("e")
        return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}".replace("-", MINUS)
    return f"{round(value, 10):,.10g}".replace("-", MINUS)


def _round_values(low: float, high: float) -> list[float]:
    step = _step((high - low) / _TICKS)
    return [n * step for n in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _step(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(rough))
    return next(step * power for step in _LINEAR_STEPS if step * power >= rough * 0.999)
