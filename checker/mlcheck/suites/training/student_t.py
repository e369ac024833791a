"""Student's t distribution for whole degrees of freedom, as finite sums.

Enough for a one-sided test, and no reason to load a statistics package in every run.
Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
"""

from __future__ import annotations

import functools
import math

_HALVINGS = 200  # a float has fewer bits; the loop ends earlier


def cdf(t: float, degrees: int) -> float:
    """Return the probability of a value below ``t``.

    Raises:
        ValueError: there is less than one degree of freedom.
    """
    if degrees < 1:
        raise ValueError(f"{degrees} degrees of freedom")
    theta = math.atan(t / math.sqrt(degrees))
    sine, cosine = math.sin(theta), math.cos(theta)
    if degrees % 2:
        inside = theta + sine * _series(cosine, degrees, cosine, 1)
        return 0.5 + inside / math.pi
    return 0.5 + sine * _series(cosine, degrees, 1.0, 0) / 2


def _series(cosine: float, degrees: int, term: float, begin: int) -> float:
    """Sum the terms whose ratio is (k / (k + 1)) cos^2, k = 1, 3 and so on or 2, 4 and so on."""
    if degrees == 1:
        return 0.0
    total, k = term, begin + 1
    while k <= degrees - 3:
        term *= cosine * cosine * k / (k + 1)
        total += term
        k += 2
    return total


@functools.cache
def quantile(probability: float, degrees: int) -> float:
    """Return the value that is exceeded with the probability ``1 - probability``.

    Raises:
        ValueError: the probability is not between 0 and 1.
    """
    if not 0 < probability < 1:
        raise ValueError(f"no quantile for {probability}")
    low, high = -1.0, 1.0
    while cdf(low, degrees) > probability:
        low *= 2
    while cdf(high, degrees) < probability:
        high *= 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if cdf(middle, degrees) < probability else (low, middle)
    return (low + high) / 2
