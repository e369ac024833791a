"""How numbers are written: few digits, and the same number of decimals below each other."""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import median

DIGITS = 4  # significant digits of a typical value
FEWEST = 3  # significant digits that even the smallest value keeps
MINUS = "\N{MINUS SIGN}"
NOT_A_NUMBER = "not a number"
SPACE = "\N{NO-BREAK SPACE}"


def decimals(values: Iterable[float]) -> int:
    """Return how many decimals give the median of the values `DIGITS` significant digits."""
    sizes = [abs(value) for value in values if value and math.isfinite(value)]
    return _decimals(median(sizes), DIGITS) if sizes else 0


def number(value: float, places: int) -> str:
    """Write a number with `places` decimals, or with more where it would lose its digits."""
    if not math.isfinite(value):
        return str(value)
    if value:
        places = max(places, _decimals(value, FEWEST))
    return f"{value:,.{places}f}".replace("-", MINUS)


def exact(value: float | None, digits: int) -> str:
    """Write a number so that it can be held against another: no grouping, no padding."""
    return NOT_A_NUMBER if value is None else f"{value:.{digits}g}"


def significant(value: float | None) -> str:
    """Write a number that stands alone. None: what was logged is not a number."""
    return NOT_A_NUMBER if value is None else number(value, decimals([value]))


def percent(value: float) -> str:
    """Write a signed percentage: `+0.31 %`."""
    places = 2 if abs(value) < 10 else 0
    return f"{value:+,.{places}f}{SPACE}%".replace("-", MINUS)


def _decimals(value: float, digits: int) -> int:
    return min(max(digits - 1 - math.floor(math.log10(abs(value))), 0), 12)
