"""What a predicate is: a condition on one line of a log, and what a walk through it has seen."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from mlcheck.suites.training.log_lines import Event

WHOLE_WITHIN = 0.00001  # a float this near to a whole number counts as one; Source: mlp_compliance
MS_PER_MINUTE = 60_000.0
BATCH = "global_batch_size"


class About(StrEnum):
    """What a predicate is about, and so which rule reports that it does not hold."""

    VALUE = "value"
    METADATA = "metadata"
    ORDER = "order"
    SEQUENCE = "sequence"
    LIMIT = "limit"
    SCHEDULE = "schedule"


@dataclass(slots=True)
class State:
    """What a walk through a log has seen so far.

    Attributes:
        latest: the last line of each key. ``place``: how many lines were seen when it came.
        times: of all lines of a key, in ms, in the order of the log.
    """

    division: str = ""
    latest: dict[str, Event] = field(default_factory=dict)
    place: dict[str, int] = field(default_factory=dict)
    times: dict[str, list[float]] = field(default_factory=dict)
    lines: int = 0

    def note(self, event: Event) -> None:
        """Remember a line, after it was judged."""
        key = event.key
        self.lines += 1
        self.place[key] = self.lines
        self.latest[key] = event
        if key in self.times:
            self.times[key].append(event.time_ms)
        else:
            self.times[key] = [event.time_ms]

    def number(self, key: str) -> float | None:
        """Return the latest value of a key if it is a number."""
        event = self.latest.get(key)
        return number(event.value) if event else None

    def counted(self, key: str, name: str) -> float | None:
        """Return a number of the metadata of the latest line of a key."""
        event = self.latest.get(key)
        return number(metadata_of(event).get(name)) if event else None

    def later(self, key: str, other: str) -> bool:
        """Tell whether the latest line of a key stands behind that of another one."""
        return self.place.get(key, 0) > self.place.get(other, 0)

    @property
    def batch(self) -> float | None:
        """Return the global batch size if it is one: at least one sample."""
        value = self.number(BATCH)
        return value if value is not None and value >= 1 else None


@dataclass(frozen=True, slots=True)
class Predicate:
    """A condition on one line.

    Attributes:
        holds: the line and what went before -> whether it is as asked for. A value of a wrong
            type does not hold.
        expected: what is asked for, in words.
        official: the same as the official tool computes it; None: no different.
    """

    name: str
    about: About
    holds: Callable[[Event, State], bool]
    expected: Callable[[State], str]
    official: Callable[[Event, State], bool] | None = None
    bounds: Mapping[str, float] | None = None  # of a range


def number(value: Any) -> float | None:
    """Return a value as a number; None: it is none, or none that can be compared."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return value if math.isfinite(value) else None
    except OverflowError:  # an integer beyond what a float can hold
        return None


def measured(value: Any) -> float | None:
    """Return a quality as a number; in the first rounds some logs hold it as a text of digits."""
    if not isinstance(value, str):
        return number(value)
    try:
        return number(float(value))
    except ValueError:
        return None


def same(value: Any, wanted: Any) -> bool:
    """Compare a logged value: numbers by value, everything else by type too."""
    if isinstance(wanted, bool) or isinstance(value, bool):
        return value is wanted
    return bool(value == wanted)


def within(value: Any, bounds: Mapping[str, float]) -> bool:
    """Tell whether a number lies within bounds."""
    known = number(value)
    return known is not None and all(_BOUNDS[name](known, x) for name, x in bounds.items())


_BOUNDS: dict[str, Callable[[float, float], bool]] = {
    "at_least": lambda value, bound: value >= bound,
    "above": lambda value, bound: value > bound,
    "at_most": lambda value, bound: value <= bound,
    "below": lambda value, bound: value < bound,
}
SIGNS = {"at_least": ">=", "above": ">", "at_most": "<=", "below": "<"}


def bounds_text(bounds: Mapping[str, float]) -> str:
    """Return bounds in words, such as ``> 0 and <= 3.3``."""
    return " and ".join(f"{SIGNS[name]} {bound:g}" for name, bound in bounds.items())


def whole(value: Any) -> bool:
    """Tell whether a value is a whole number, or as near to one as makes no difference."""
    known = number(value)  # None for what a division made infinite
    return known is not None and abs(round(known) - known) < WHOLE_WITHIN


def metadata_of(event: Event) -> Mapping[str, Any]:
    """Return the metadata of a line; empty if it has none."""
    return event.metadata or {}


def fields_of(value: Any) -> Mapping[str, Any]:
    """Return a value that is an object; empty if it is none."""
    return value if isinstance(value, dict) else {}


def simple(
    name: str, about: About, expected: str, holds: Callable[[Event, State], bool]
) -> Predicate:
    """Return a predicate that asks for the same whatever went before."""
    return Predicate(name, about, holds, lambda _: expected)
