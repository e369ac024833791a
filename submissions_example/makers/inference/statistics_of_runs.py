"""Latency distributions and LoadGen's early stopping, as numbers a log can show."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

LABELS = ("50.00", "90.00", "95.00", "97.00", "99.00", "99.90")
CONFIDENCE = 0.99  # of LoadGen's early stopping

# Minimum, the percentiles of LABELS and maximum as multiples of the mean.
STREAM = (0.955, 0.997, 1.012, 1.018, 1.027, 1.043, 1.062, 2.6)
SERVER = (0.62, 0.96, 1.22, 1.33, 1.41, 1.58, 1.93, 2.35)
LONG_ANSWERS = (0.02, 0.89, 1.78, 2.17, 2.47, 3.05, 3.5, 3.7)
FIRST_TOKEN = (0.07, 0.95, 1.5, 1.7, 1.83, 2.13, 2.8, 3.9)
TOKEN = (0.4, 1.01, 1.09, 1.12, 1.15, 1.22, 1.6, 5.2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """A latency distribution in ns, with the figures LoadGen logs."""

    low: int
    high: int
    mean: int
    at: dict[str, int]  # by LABELS


def spread(rng: random.Random, mean: float, shape: Sequence[float]) -> Spread:
    """Return a distribution of the given shape, a little different each time.

    Args:
        rng: varies the steps between the figures, never their order.
        mean: in ns.
        shape: minimum, percentiles and maximum as multiples of the mean, ascending.
    """
    points = [shape[0] * mean * rng.uniform(0.99, 1.01)]
    for before, after in pairwise(shape):
        points.append(points[-1] + (after - before) * mean * rng.uniform(0.93, 1.07))
    low, *percentiles, high = (int(point) for point in points)
    at = dict(zip(LABELS, percentiles, strict=True))
    return Spread(low=low, high=high, mean=int(mean), at=at)


def steady(rng: random.Random, duration_ns: float) -> Spread:
    """Return Offline's distribution: answers come in steadily until the end."""
    shares = {label: float(label) / 100 for label in LABELS}
    return Spread(
        low=int(duration_ns * rng.uniform(0.0002, 0.0006)),
        high=int(duration_ns),
        mean=int(duration_ns * rng.uniform(0.4990, 0.4999)),
        at={label: int(duration_ns * p * rng.uniform(0.9994, 1)) for label, p in shares.items()},
    )


def between(lower: int, upper: int, share: float) -> int:
    """Return the value that lies ``share`` of the way from lower to upper."""
    return lower + int((upper - lower) * share)


def over_limit(latency: Spread, limit_ns: int, count: int) -> int:
    """Return how many of ``count`` queries took longer than the limit, as the percentiles say."""
    p99, p999 = latency.at["99.00"], latency.at["99.90"]
    if p999 > limit_ns:
        share = 0.01 * 0.1 ** ((limit_ns - p99) / (p999 - p99))
    else:
        share = 0.001 * max(0, latency.high - limit_ns) / (latency.high - p999)
    return int(share * count)


def _at_most(slow: int, count: int, chance: float) -> float:
    """Return the probability of at most ``slow`` slow queries among ``count``."""
    log_term = (
        math.lgamma(count + 1)
        - math.lgamma(slow + 1)
        - math.lgamma(count - slow + 1)
        + slow * math.log(chance)
        + (count - slow) * math.log(1 - chance)
    )
    term = total = math.exp(log_term)
    for k in range(slow, 0, -1):
        term *= k / (count - k + 1) * (1 - chance) / chance
        total += term
        if term < total * 1e-16:
            break
    return total


@cache
def tolerable(count: int, percentile: float) -> int:
    """Return how many slow queries early stopping tolerates among ``count``.

    The largest number with which it is still certain enough that the percentile holds.
    Source: LoadGen, ``early_stopping.cc``.
    """
    low, high = 0, int(count * (1 - percentile)) + 1
    while high - low > 1:
        middle = (low + high) // 2
        if _at_most(middle, count, 1 - percentile) < 1 - CONFIDENCE:
            low = middle
        else:
            high = middle
    return low


@cache
def needed(percentile: float) -> int:
    """Return the number of queries from which on early stopping can drop one."""
    count = 2
    while _at_most(1, count, 1 - percentile) >= 1 - CONFIDENCE:
        count += 1
    return count
