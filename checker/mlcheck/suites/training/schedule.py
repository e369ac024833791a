"""How often a benchmark evaluates its quality: the closed vocabulary of schedules, and what is due.

Source: training_rules.adoc, Quality measure, table of evaluation frequencies. A schedule counts as
the logs of its benchmark do: samples, tokens, or epochs and parts of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mlcheck.overlay import RulesetError

EASE = 0.05  # share of an interval: epochs are logged as rounded fractions of it


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """When evaluations are due at one batch size.

    Attributes:
        first: the latest point of the first one. ``gap``: the longest way to the next.
        listed: points at which one stands; after the last of them ``gap`` holds.
        late: by how much one may be late, as points are rounded to batches.
        unit: what is counted. ``steady``: every evaluation stands a multiple of ``gap`` after the
            first one, at whichever point that is.
    """

    first: float
    gap: float
    unit: str
    late: float = 0.0
    listed: tuple[float, ...] = ()
    steady: bool = False

    def latest(self, before: float | None) -> float:
        """Return the latest point of the evaluation after another; None: of the first one."""
        for point in self.listed:
            if before is None or point > before + self.late:
                return point
        return self.first if before is None else before + self.gap

    def fits(self, first: float, point: float) -> bool:
        """Tell whether an evaluation stands where the first one puts it."""
        if not self.steady:
            return True
        intervals = (point - first) / self.gap
        return abs(intervals - round(intervals)) * self.gap <= self.late


Schedule = Callable[[float], Due]


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """Checkpoints that are evaluated after the clock was stopped.

    Attributes:
        every: samples between two of them, rounded up to whole batches.
        steps: logs count steps, not samples.
        complete: share of the runs of which every checkpoint up to the first that meets the target
            is evaluated; of the others the last two are.
    """

    every: int
    steps: bool
    complete: float

    def interval(self, batch: float) -> float:
        """Return the way between two checkpoints, as logs count."""
        steps = math.ceil(self.every / batch)
        return steps if self.steps else steps * batch

    def gaps(self, points: Sequence[float], batch: float) -> tuple[float | None, bool]:
        """Return the checkpoint before the last if it is not there, and whether all others are."""
        way = self.interval(batch)
        there = {round(point / way) for point in points}
        last = max(there, default=0)
        missing = None if last <= 1 or last - 1 in there else (last - 1) * way
        return missing, set(range(1, last + 1)) <= there


def _samples(given: Mapping[str, Any]) -> Schedule:
    skipped = given["skipped"] or {"per_batch": 0, "plus": 0}

    def due(batch: float) -> Due:
        step = math.ceil(given["every"] / batch) * batch
        left_out = math.floor(skipped["per_batch"] * batch + skipped["plus"])
        return Due(first=step * (1 + left_out), gap=step, unit="samples")

    return due


def _samples_from(given: Mapping[str, Any]) -> Schedule:
    def due(batch: float) -> Due:
        return Due(first=given["start"] + batch, gap=given["every"], unit="samples", late=batch)

    return due


def _growing_samples(given: Mapping[str, Any]) -> Schedule:
    def due(batch: float) -> Due:
        wanted = given["share"] * (given["per_batch"] * batch + given["plus"])
        step = math.floor(wanted / given["multiple_of"]) * given["multiple_of"]
        return Due(first=step, gap=step, unit="samples", late=2 * batch)

    return due


def _tokens(given: Mapping[str, Any]) -> Schedule:
    def due(batch: float) -> Due:
        step = math.ceil(given["sequences"] / batch) * batch * given["length"]
        return Due(first=step, gap=step, unit="tokens", late=EASE * step)

    return due


def _epochs(given: Mapping[str, Any]) -> Schedule:
    every, steady = given["every"], given["steady"]
    return lambda _: Due(first=every, gap=every, unit="epochs", late=EASE * every, steady=steady)


def _listed_epochs(given: Mapping[str, Any]) -> Schedule:
    points, every = tuple(given["at"]), given["every"]  # late=1: counted from 0 or from 1
    return lambda _: Due(first=points[0], gap=every, unit="epochs", late=1, listed=points)


def _parts_of_epoch(given: Mapping[str, Any]) -> Schedule:
    step = 1 / given["parts"]
    return lambda _: Due(first=step, gap=step, unit="epochs", late=EASE * step)


def _steps_of_epoch(given: Mapping[str, Any]) -> Schedule:
    def due(batch: float) -> Due:
        steps = math.floor(given["samples"] / (batch * given["parts"]))
        step = max(steps, 1) * batch / given["samples"]
        return Due(first=step, gap=step, unit="epochs", late=EASE * step)

    return due


def _padded_epochs(given: Mapping[str, Any]) -> Schedule:
    def due(batch: float) -> Due:
        samples = math.ceil(given["samples"] / batch) * batch
        first, step = (
            math.ceil(given[name] * given["samples"] / samples) for name in ("start", "every")
        )
        return Due(first=first, gap=step, unit="epochs", late=EASE * step)

    return due


SCHEDULES: dict[str, Callable[[Mapping[str, Any]], Schedule]] = {
    "epochs": _epochs,
    "growing_samples": _growing_samples,
    "listed_epochs": _listed_epochs,
    "padded_epochs": _padded_epochs,
    "parts_of_epoch": _parts_of_epoch,
    "samples": _samples,
    "samples_from": _samples_from,
    "steps_of_epoch": _steps_of_epoch,
    "tokens": _tokens,
}
CHECKPOINTS = "checkpoints"


def schedule(given: Mapping[str, Any] | None) -> Schedule | Checkpoints | None:
    """Return the schedule that a rule file names; None: it names none.

    Raises:
        RulesetError: there is none of that name.
    """
    if given is None:
        return None
    ((name, parameters),) = given.items()
    if name == CHECKPOINTS:
        return Checkpoints(**parameters)
    if name not in SCHEDULES:
        raise RulesetError(f"no schedule {name}; known: {', '.join(sorted(SCHEDULES))}")
    return SCHEDULES[name](parameters)
