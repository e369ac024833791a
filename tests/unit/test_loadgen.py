"""Logs of LoadGen: what is kept, where it stood, and what is torn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mlcheck.loadgen import DetailLog, SummaryLog, read_detail, read_summary
from tests.trees import holding


def event(key: str, value: Any, *, error: bool = False, time_ms: float = 0.5) -> str:
    """Return a line of a detail log."""
    metadata = {"is_error": error, "is_warning": False, "file": "x.cc", "line_no": 1}
    return ":::MLLOG " + json.dumps(
        {"key": key, "value": value, "time_ms": time_ms, "metadata": metadata}
    )


def detail(root: Path, *lines: str | bytes, end: bytes = b"\n") -> DetailLog:
    raw = end.join(line if isinstance(line, bytes) else line.encode() for line in lines)
    return read_detail(holding(root, raw + end), "file")


def test_values_keep_their_line_and_their_text(scratch: Path) -> None:
    log = detail(scratch, "", "started", event("a", 1.50), event("b", "text"))
    assert (log.get("a"), log.raw("a"), log.line("a")) == (1.5, "1.5", 3)
    assert (log.get("b"), log.text("b"), log.line("b")) == ("text", "text", 4)
    assert (log.get("c"), log.raw("c"), log.line("c")) == (None, "", 0)


def test_the_first_of_several_values_counts(scratch: Path) -> None:
    log = detail(scratch, event("a", 1), event("a", 2))
    assert (log.get("a"), log.line("a")) == (1, 1)


def test_line_ends_of_windows(scratch: Path) -> None:
    log = detail(scratch, event("a", 1), event("b", 2), end=b"\r\n")
    assert (log.get("b"), log.line("b"), log.broken) == (2, 2, ())


def test_seeds_stay_exact(scratch: Path) -> None:
    seed = 2**64 - 1
    log = detail(scratch, event("a", seed))
    assert log.number("a") == seed
    assert isinstance(log.number("a"), int)
    assert log.raw("a") == str(seed)


@pytest.mark.parametrize("value", [True, False, "1", None, [1], {"a": 1}])
def test_what_is_no_number(scratch: Path, value: object) -> None:
    assert detail(scratch, event("a", value)).number("a") is None


@pytest.mark.parametrize("value", [True, 1, 1.5, None, ["a"]])
def test_what_is_no_text(scratch: Path, value: object) -> None:
    assert detail(scratch, event("a", value)).text("a") is None


@pytest.mark.parametrize(
    "value",
    [
        b"1e999",
        b"[-1e999]",
        b'"caf\xe9"',
        b"9" * 400,
        b"00",
        b"NaN",
        b"Infinity",
        b'"\\ud800"',
    ],
)
def test_values_that_are_none_do_not_raise(scratch: Path, value: bytes) -> None:
    log = detail(scratch, event("a", 0).encode().replace(b'"value": 0', b'"value": ' + value))
    log.get("a")
    log.raw("a")
    log.text("a")
    number = log.number("a")
    assert number is None or abs(number) < 10**400


def test_errors_are_kept_with_their_line(scratch: Path) -> None:
    log = detail(scratch, event("a", 1), event("error_runtime", "Ran out", error=True))
    assert [(error.line, error.message) for error in log.errors] == [(2, '"Ran out"')]


@pytest.mark.parametrize(
    "line",
    [
        ":::MLLOG",
        ":::MLLOG {",
        ':::MLLOG {"key": "a", "val',
        ":::MLLOG []",
        ':::MLLOG {"value": 1}',
        ':::MLLOG {"key": 1, "value": 1}',
        ':::MLLOG {"key": "a", "value": 1} rest',
        ':::MLLOG {"key": "a", "value": 1, "metadata": {"is_error": "no"}}',
        ":::MLLOG " + "[" * 100_000,
        b':::MLLOG {"key": "\xff", "value": 1}',
    ],
    ids=range(10),
)
def test_a_torn_line_is_named(scratch: Path, line: str | bytes) -> None:
    log = detail(scratch, event("a", 1), line, event("b", 2))
    assert [error.line for error in log.broken] == [2]
    assert (log.get("a"), log.get("b"), log.line("b")) == (1, 2, 3)
    assert len(log.broken[0].message) <= 120


def test_lines_without_the_marker_are_passed_over(scratch: Path) -> None:
    log = detail(scratch, "INFO torn {", " :::MLLOG {", event("a", 1))
    assert not log.broken
    assert log.line("a") == 3


def test_stray_bytes_are_named_by_line(scratch: Path) -> None:
    log = detail(scratch, event("a", 1), b"caf\xe9", event("b", 2))
    assert log.stray == 2
    assert log.get("b") == 2


def test_other_alphabets_are_no_stray_bytes(scratch: Path) -> None:
    log = detail(scratch, ':::MLLOG {"key": "a", "value": "Ω"}')
    assert (log.stray, log.text("a")) == (0, "Ω")


def test_clock_at_the_first_and_the_last_event(scratch: Path) -> None:
    log = detail(scratch, "x", event("a", 1, time_ms=2.5), event("b", 1, time_ms=99.0), "y")
    assert (log.first_ms, log.last_ms) == (2.5, 99.0)


@pytest.mark.parametrize("raw", [b"", b"\n", b"\0" * 100, b"\xff\xfe"])
def test_a_log_without_events_is_empty(scratch: Path, raw: bytes) -> None:
    log = read_detail(holding(scratch, raw), "file")
    assert (dict(log.values), log.errors, log.problem, log.first_ms) == ({}, (), None, 0)


def test_a_log_that_is_not_there_says_why(scratch: Path) -> None:
    assert read_detail(holding(scratch, b""), "other").problem == "no such file or directory"
    assert read_summary(holding(scratch, b""), "other").problem == "no such file or directory"


def summary(root: Path, text: str) -> SummaryLog:
    return read_summary(holding(root, text), "file")


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("Scenario : SingleStream", "Scenario", "SingleStream"),
        ("90.0th percentile latency (ns) : 627963", "90.0th percentile latency (ns)", "627963"),
        ("target_latency (ns): 0", "target_latency (ns)", "0"),
        ("  Min duration satisfied : Yes\r", "Min duration satisfied", "Yes"),
        (" * Early stopping 90.0th percentile estimate: 6", None, "6"),
        ("SUT name : a : b", "SUT name", "a : b"),
        ("Samples per second: 1.20983e+06", "Samples per second", "1.20983e+06"),
    ],
)
def test_summary_lines(scratch: Path, line: str, name: str | None, value: str) -> None:
    values = summary(scratch, f"=====\n{line}\n").values
    assert values[name or "* Early stopping 90.0th percentile estimate"] == (2, value)


def test_the_first_line_of_a_name_counts(scratch: Path) -> None:
    assert summary(scratch, "a : 1\na : 2\n").values == {"a": (1, "1")}
