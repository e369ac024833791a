"""The log of a meter's software: measurements, complaints, and what stands beside them."""

from __future__ import annotations

import pytest

from mlcheck.power.meter_log import Level, MeterLog, meter_log
from mlcheck.power.samples import time_ms
from mlcheck.tree import Unreadable

LOG = """\
Analyzer 1
07-30-2025 12:00:00.000: Uncertainty checking for YokogawaWT310E is activated
07-30-2025 12:00:10.000: Go command received
07-30-2025 12:00:10.000: Go with mark 'a_ranging'
07-30-2025 12:00:11.000: ERROR: Can't evaluate uncertainty of this sample!
07-30-2025 12:00:12.000: ERROR: Can't evaluate uncertainty of this sample!
07-30-2025 12:00:13.000: ERROR: Bad watts reading nan from WT310
07-30-2025 12:00:20.000: Completed test
07-30-2025 12:01:00.000: Go with mark 'a_testing'
07-30-2025 12:01:01.000: WARNING: Missed 1 samples
07-30-2025 12:01:02.000: WARNING: Missed 1 samples
07-30-2025 12:01:30.000: Completed test
ERROR: without a time
"""


def read(text: str) -> MeterLog:
    return meter_log("ptd_logs.txt", text.encode("utf-8", "surrogateescape"))


def at(clock: str) -> float:
    return time_ms(f"07-30-2025 {clock}.000")


def test_measurements_are_found_by_their_marks() -> None:
    log = read(LOG)
    ranging, testing = log.span("a_ranging"), log.span("a_testing")
    assert ranging is not None
    assert testing is not None
    assert (ranging.begin_ms, ranging.end_ms) == (at("12:00:10"), at("12:00:20"))
    assert (testing.begin_ms, testing.end_ms) == (at("12:01:00"), at("12:01:30"))
    assert log.span("b_ranging") is None
    assert [line.number for line in log.checking] == [2]


def test_equal_complaints_of_ranging_are_one_and_all_others_are_themselves() -> None:
    found = [(c.line, c.level, c.text, c.count) for c in read(LOG).complaints]
    assert found == [
        (5, Level.ERROR, "Can't evaluate uncertainty of this sample!", 2),
        (7, Level.ERROR, "Bad watts reading nan from WT310", 1),
        (10, Level.WARNING, "Missed 1 samples", 1),
        (11, Level.WARNING, "Missed 1 samples", 1),
        (13, Level.ERROR, "without a time", 1),
    ]
    assert read(LOG).complaints[-1].time is None


def test_of_a_line_with_both_the_warning_comes_first() -> None:
    (warning, error) = read("07-30-2025 12:00:00.000: ERROR: a WARNING: b\n").complaints
    assert (warning.level, warning.text) == (Level.WARNING, "b")
    assert (error.level, error.text) == (Level.ERROR, "a WARNING: b")


def test_a_word_twice_in_a_line_is_one_complaint() -> None:
    (only,) = read("07-30-2025 12:00:00.000: ERROR: a ERROR: b").complaints
    assert only.text == "a ERROR: b"


@pytest.mark.parametrize("ends", ["\r\n", "\r"])
def test_line_ends_of_other_machines(ends: str) -> None:
    assert read(LOG.replace("\n", ends)).complaints == read(LOG).complaints


@pytest.mark.parametrize("text", ["", "ERROR:", "WARNING: \n", "13-30-2025 12:00:00.000: quiet\n"])
def test_nothing_to_complain_of(text: str) -> None:
    assert read(text).complaints == ()


def test_a_measurement_without_an_end_is_none() -> None:
    assert read(LOG.replace("Completed test", "Aborted")).span("a_ranging") is None


def test_what_cannot_be_read_says_why() -> None:
    assert meter_log("p", Unreadable("permission denied")).problem == "permission denied"
    assert read("caf\udce9\n").not_text
    assert not read(LOG).not_text
