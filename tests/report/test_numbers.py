"""Digits."""

from __future__ import annotations

import math

import pytest

from mlcheck_report import numbers


@pytest.mark.parametrize(
    ("values", "places"),
    [
        ([], 0),
        ([0.0, math.nan], 0),
        ([12345.6], 0),
        ([12.3456], 2),
        ([0.012345], 5),
        ([1, 10, 1e6], 2),
    ],
)
def test_decimals_follow_the_median(values: list[float], places: int) -> None:
    assert numbers.decimals(values) == places


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (1234567.891, 0, "1,234,568"),
        (1.5, 0, "1.50"),  # never less than three digits
        (0.0001234, 1, "0.000123"),
        (0.0, 2, "0.00"),
        (-12.5, 1, "\N{MINUS SIGN}12.5"),
        (math.inf, 1, "inf"),
    ],
)
def test_number(value: float, places: int, text: str) -> None:
    assert numbers.number(value, places) == text


def test_percent_has_a_sign() -> None:
    assert numbers.percent(0.3141) == "+0.31\N{NO-BREAK SPACE}%"
    assert numbers.percent(-25.4) == "\N{MINUS SIGN}25\N{NO-BREAK SPACE}%"


def test_what_is_no_number() -> None:
    assert numbers.significant(None) == numbers.exact(None, 6) == "not a number"


def test_exact_does_not_pad() -> None:
    assert numbers.exact(43.98688799999999, 10) == "43.986888"
