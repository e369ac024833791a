"""Reference convergence points: what the reference needed to converge, and which point counts.

Pure arithmetic over numbers; no file, no log, no rule file. Source: training_rules.adoc, Reference
Convergence Points. A *point* is what the reference needed to converge, in samples or epochs, in at
least 2N runs at one batch size.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Spread(StrEnum):
    """Over which runs of the reference the standard deviation is taken."""

    ALL = "all"
    TRIMMED = "trimmed"  # without those that the mean leaves out


class Pruning(StrEnum):
    """Which points are left out because others allow faster convergence."""

    HULL = "hull"  # all that lie above a line between any two others
    GREEDY = "greedy"  # in one pass that does not come back to points it has passed


class Limit(StrEnum):
    """How the smallest accepted mean is found."""

    EXACT = "exact"  # solved for
    HALVING = "halving"  # by halving an interval until it is shorter than a tolerance


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """How points are evaluated.

    Attributes:
        runs: N, runs of a submission. ``dropped``: fastest and slowest left out, each.
        alpha: probability of refusing a submission that is as fast as the reference.
        slack: by how much the mean may lie below the limit, in samples or epochs.
        tolerance: of halving.
    """

    runs: int
    dropped: int
    alpha: float
    spread: Spread
    slack: float
    limit: Limit
    tolerance: float
    pruning: Pruning


@dataclass(frozen=True, slots=True)
class Reference:
    """What was measured at one batch size."""

    batch: int
    convergence: tuple[float, ...]
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """Mean and deviation at a batch size, measured or interpolated.

    ``kept`` is the number of values behind the mean, as the test counts them.
    """

    batch: float
    mean: float
    deviation: float
    kept: int
    names: tuple[str, ...]


class Found(StrEnum):
    """How a point for a batch size was had."""

    EXACT = "exact"
    INTERPOLATED = "interpolated"
    SMALLER = "smaller"  # than every point: the one with the smallest batch size stands in
    NONE = "none"  # larger than every point, or there are none


@dataclass(frozen=True, slots=True)
class Selection:
    """The point that a submission is held against."""

    found: Found
    point: Point | None


def olympic_mean(values: Sequence[float], dropped: int) -> float:
    """Return the mean without the smallest and the largest values.

    Raises:
        ValueError: nothing would be left.
    """
    kept = sorted(values)[dropped : len(values) - dropped]
    if not kept:
        raise ValueError(f"{len(values)} values, {dropped} dropped at each end")
    return sum(kept) / len(kept)


def deviation(values: Sequence[float]) -> float:
    """Return the standard deviation of a population."""
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))


def point_of(reference: Reference, method: Method) -> Point:
    """Return mean and deviation of what was measured at one batch size."""
    values = sorted(reference.convergence)
    kept = values[method.dropped : len(values) - method.dropped]
    return Point(
        batch=reference.batch,
        mean=olympic_mean(values, method.dropped),
        deviation=deviation(kept if method.spread is Spread.TRIMMED else values),
        kept=len(kept),
        names=(reference.name,),
    )


def interpolated(batch: float, low: Point, high: Point, method: Method) -> Point:
    """Return the point between two points, linear in batch size."""
    share = (batch - low.batch) / (high.batch - low.batch)
    return Point(
        batch=batch,
        mean=low.mean + share * (high.mean - low.mean),
        deviation=low.deviation + share * (high.deviation - low.deviation),
        kept=2 * method.runs,
        names=(*low.names, *high.names),
    )


def pruned(points: Sequence[Point], method: Method) -> tuple[Point, ...]:
    """Return the points that no combination of others beats, by batch size.

    Below the batch size of the fastest point nothing is kept. Of the others each that is slower
    than the line between its neighbours goes, one after the other. Whether the point before it is
    looked at once more is a matter of the method.
    """
    if not points:
        return ()
    ordered = sorted(points, key=lambda point: point.batch)
    fastest = min(ordered, key=lambda point: point.mean)
    kept = [point for point in ordered if point.batch >= fastest.batch]
    at = 1
    while at < len(kept) - 1:
        low, here, high = kept[at - 1 : at + 2]
        if low.batch < high.batch:
            line = interpolated(here.batch, low, high, method).mean
        else:  # three measurements at one batch size: the line is upright
            line = high.mean
        if here.mean > line:
            del kept[at]
            at = max(at - 1, 1) if method.pruning is Pruning.HULL else at
        else:
            at += 1
    batches = {point.batch for point in kept}
    return tuple(point for point in ordered if point.batch in batches)


def select(batch: float, points: Sequence[Point], method: Method) -> Selection:
    """Return the point for a batch size, from pruned points."""
    exact = next((point for point in points if point.batch == batch), None)
    if exact:
        return Selection(Found.EXACT, exact)
    below = [point for point in points if point.batch < batch]
    above = [point for point in points if point.batch > batch]
    if below and above:
        low = _first_at(below, max(point.batch for point in below))
        high = _first_at(above, min(point.batch for point in above))
        return Selection(Found.INTERPOLATED, interpolated(batch, low, high, method))
    if above:
        smallest = _first_at(above, min(point.batch for point in above))
        return Selection(Found.SMALLER, smallest)
    return Selection(Found.NONE, None)


def _first_at(points: Sequence[Point], batch: float) -> Point:
    return next(point for point in points if point.batch == batch)
