"""Samples of a power meter."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from mlcheck.suites.inference.power_log import PowerSamples, samples_of, timestamp
from tests.power_folder import sample
from tests.trees import holding

NOON = datetime(2025, 7, 30, 12)


def samples(root: Path, *lines: str) -> PowerSamples:
    return samples_of("file", holding(root, "".join(lines)).read("file"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("07-30-2025 12:00:00.250", NOON.replace(microsecond=250_000)),
        ("07-30-2025 12:00:00.250125", NOON.replace(microsecond=250_125)),
        ("07-30-2025 12:00:00.5", NOON.replace(microsecond=500_000)),
        ("7-30-2025 12:00:00.25", NOON.replace(microsecond=250_000)),
    ],
)
def test_time_stamps(text: str, expected: datetime) -> None:
    assert timestamp(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2025-07-30 12:00:00.250",
        "30-07-2025 12:00:00.250",
        "07-30-2025 25:00:00.250",
        "07-30-2025 12:00:00",
        "07-30-2025T12:00:00.250+02:00",
        "07-30-2025 12:00:00+0200",
    ],
)
def test_what_is_no_time_stamp(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        timestamp(text)


def test_watts_over_time(scratch: Path) -> None:
    read = samples(scratch, "# meter\n", sample(NOON, 90.5), "\n", sample(NOON, 91))
    assert (read.times, read.watts, read.bad_line) == ((NOON, NOON), (90.5, 91.0), 0)


@pytest.mark.parametrize(
    "line",
    [
        "Time\n",
        "Time,07-30-2025 12:00:0",
        "Time,07-30-2025 12:00:00.000,Watts\n",
        "Time,07-30-2025 12:00:00.000,Watts,many,Volts\n",
        "Time,noon,Watts,1.0\n",
        "Time,07-30-2025 12:00:00.000,Watts,nan,Volts\n",
        "Time,07-30-2025 12:00:00.000,Watts,inf,Volts\n",
    ],
)
def test_the_first_torn_line_is_named(scratch: Path, line: str) -> None:
    read = samples(scratch, sample(NOON, 1), line, sample(NOON, 2))
    assert read.bad_line == 2


def test_a_window_is_open(scratch: Path) -> None:
    second = timedelta(seconds=1)
    watts = {-1: 1.0, 0: 2.0, 1: 3.0, 2: 0.0, 3: -4.0, 4: 5.0, 5: 6.0, 6: 7.0}
    read = samples(scratch, *(sample(NOON + at * second, value) for at, value in watts.items()))
    assert read.between(NOON, NOON + 5 * second, positive=True) == [3.0, 5.0]
    assert read.between(NOON, NOON + 5 * second, positive=False) == [3.0, 0.0, -4.0, 5.0]


def test_samples_that_are_not_there_say_why(scratch: Path) -> None:
    assert (
        samples_of("other", holding(scratch, b"").read("other")).problem
        == "no such file or directory"
    )
