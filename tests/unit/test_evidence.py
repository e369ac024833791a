"""Two prints of one number."""

from __future__ import annotations

import pytest

from mlcheck.suites.inference.checks_evidence import same_as_printed


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("VALID", "VALID"),
        ("628022", "628022"),
        ("22407.71", "22407.7"),
        ("22407.66", "22407.7"),
        ("6980", "6980.0"),
        ("1.20983e+06", "1209832.4"),
        ("1.5", "1.50000"),
        ("0", "0.0"),
        ("18209322760996052031", "18209322760996052031"),
    ],
)
def test_same(one: str, other: str) -> None:
    assert same_as_printed(one, other)
    assert same_as_printed(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("VALID", "INVALID"),
        ("628022", "628023"),
        ("22407.71", "22407.8"),
        ("24407.71", "22407.7"),
        ("6980", "6981.0"),
        ("1.20983e+06", "1209841"),
        ("14771362308971278857", "14771362308971278858"),
        ("nan", "inf"),
        ("inf", "1e999999"),
        ("", "0"),
        ("1.2e+06", "1240000.5"),
    ],
)
def test_not_the_same(one: str, other: str) -> None:
    assert not same_as_printed(one, other)
    assert not same_as_printed(other, one)
