"""Reference convergence points: does a submission converge faster than the reference can?

Pure arithmetic over numbers; no file, no log, no rule file. Source: training_rules.adoc, Reference
Convergence Points, and its appendix of examples.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from mlcheck.suites.training import student_t
from mlcheck.suites.training.rcp_points import (
    Found,
    Limit,
    Method,
    Point,
    Reference,
    olympic_mean,
    point_of,
    pruned,
    select,
)


class Verdict(StrEnum):
    """What the check says."""

    PASS = "pass"
    SCALED = "scaled"  # accepted, but faster than the mean: the score is multiplied
    FAIL = "fail"
    MISSING = "missing"  # the submitter has to provide a point


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The verdict with the numbers it rests on. ``smallest``: the smallest accepted mean."""

    verdict: Verdict
    found: Found
    point: Point | None
    submission_mean: float
    smallest: float | None
    norm_factor: float

    @property
    def margin(self) -> float | None:
        """By how much the submission is above the limit; negative: below."""
        return None if self.smallest is None else self.submission_mean - self.smallest


def smallest_mean(point: Point, method: Method) -> float:
    """Return the smallest mean that the test accepts, before any slack.

    Student's test for two samples of equal deviation, one-sided: the difference of the means over
    ``s * sqrt(1/n + 1/m)`` with n + m - 2 degrees of freedom.
    """
    if point.deviation == 0:
        return point.mean
    mine = method.runs - 2  # as the official tool counts, however many are dropped
    degrees = point.kept + mine - 2
    if mine < 1 or degrees < 1:
        return point.mean
    unit = point.deviation * math.sqrt(1 / point.kept + 1 / mine)
    if method.limit is Limit.EXACT:
        return point.mean - student_t.quantile(1 - method.alpha, degrees) * unit
    return _halved(point.mean, unit, degrees, method)


def _halved(mean: float, unit: float, degrees: int, method: Method) -> float:
    low, high = 0.0, mean
    middle = (low + high) / 2
    while high - low > method.tolerance:
        if student_t.cdf((middle - mean) / unit, degrees) > method.alpha:
            high = middle
        else:
            low = middle
        if middle == (low + high) / 2:  # the tolerance is finer than a float
            break
        middle = (low + high) / 2
    return middle


def evaluate(
    batch: float, convergence: Sequence[float], references: Sequence[Reference], method: Method
) -> Outcome:
    """Hold a submission against the reference.

    Args:
        batch: global batch size.
        convergence: samples or epochs of each run; infinite for a run that did not converge.
        references: all points of the benchmark.
        method: how it is tested.

    Raises:
        ValueError: too few runs for a mean.
    """
    mean = olympic_mean(convergence, method.dropped)
    points = pruned([point_of(each, method) for each in references], method)
    selection = select(batch, points, method)
    point = selection.point
    if point is None:
        return Outcome(
            verdict=Verdict.MISSING,
            found=selection.found,
            point=None,
            submission_mean=mean,
            smallest=None,
            norm_factor=1.0,
        )
    smallest = smallest_mean(point, method) - method.slack
    factor = max(1.0, point.mean / mean) if mean > 0 else 1.0
    return Outcome(
        verdict=_verdict(selection.found, mean, smallest, point),
        found=selection.found,
        point=point,
        submission_mean=mean,
        smallest=smallest,
        norm_factor=factor,
    )


def _verdict(found: Found, mean: float, smallest: float, point: Point) -> Verdict:
    if mean < smallest or mean <= 0:
        return Verdict.MISSING if found is Found.SMALLER else Verdict.FAIL
    return Verdict.SCALED if mean < point.mean else Verdict.PASS
