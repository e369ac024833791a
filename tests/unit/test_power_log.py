"""Samples of a power meter."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mlcheck.power.samples import SampleLog, sample_log, shown, time_ms
from tests.power_folder import sample
from tests.trees import holding

NOON = datetime(2025, 7, 30, 12, tzinfo=UTC)
NOON_MS = NOON.timestamp() * 1000


def samples(root: Path, *lines: str) -> SampleLog:
    return sample_log("file", holding(root, "".join(lines)).read("file"))


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [
        ("07-30-2025 12:00:00.250", 250),
        ("07-30-2025 12:00:00.250125", 250.125),
        ("07-30-2025 12:00:00.5", 500),
        ("7-30-2025 12:00:00.25", 250),
    ],
)
def test_time_stamps(text: str, milliseconds: float) -> None:
    assert time_ms(text) == NOON_MS + milliseconds


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2025-07-30 12:00:00.250",
        "30-07-2025 12:00:00.250",
        "07-30-2025 25:00:00.250",
        "07-30-2025 23:60:00.250",
        "07-30-2025 23:59:60.250",
        "07-30-2025 12:00:00",
        "07-30-2025 12:00:00,250",
        "07-30-2025T12:00:00.250+02:00",
        "07-30-2025 12:00:00+0200",
    ],
)
def test_what_is_no_time_stamp(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        time_ms(text)


def test_times_are_shown_as_logged() -> None:
    assert shown(NOON_MS + 250) == "07-30-2025 12:00:00.250"
    assert shown(1e30) == f"{1e30:.0f} ms"


def test_watts_over_time(scratch: Path) -> None:
    read = samples(scratch, "# meter\n", sample(NOON, 90.5), "\n", sample(NOON, 91))
    assert (read.times_ms, read.watts) == ((NOON_MS, NOON_MS), (90.5, 91.0))
    assert (read.torn_line, read.unreal_line, read.stray_line) == (0, 0, 1)


def test_all_that_a_meter_with_one_channel_reads(scratch: Path) -> None:
    (reading,) = samples(scratch, sample(NOON, 90.5)).readings
    assert (reading.line, reading.watts, reading.mark) == (1, 90.5, "run")
    assert (reading.volts, reading.amps, reading.power_factor) == (230.1, 1.0, 0.99)
    assert (reading.channel_watts, reading.largest_amps) == ((), 1.0)


def test_all_that_a_meter_with_channels_reads(scratch: Path) -> None:
    channels = "".join(f",Ch{n},Watts,{n}0.0,Volts,230.0,Amps,{n}.5,PF,0.9" for n in (1, 2, 3))
    (reading,) = samples(scratch, sample(NOON, 60).replace("\n", f"{channels}\r\n")).readings
    assert reading.channel_watts == (10.0, 20.0, 30.0)
    assert reading.channel_amps == (1.5, 2.5, 3.5)
    assert reading.largest_amps == 3.5


@pytest.mark.parametrize("rest", ["", ",Volts", ",Volts,many,Amps,1.5", ",Amps,1.5,Volts,,PF,1"])
def test_what_is_not_read_is_not_a_number(scratch: Path, rest: str) -> None:
    (reading,) = samples(scratch, f"Time,07-30-2025 12:00:00.000,Watts,1.0{rest}\n").readings
    assert math.isnan(reading.volts)
    assert reading.mark == ""


@pytest.mark.parametrize(
    "line",
    [
        "Time\n",
        "Time,07-30-2025 12:00:0",
        "Time,07-30-2025 12:00:00.000,Watts\n",
        "Time,07-30-2025 12:00:00.000,Watts,many,Volts\n",
        "Time,noon,Watts,1.0\n",
    ],
)
def test_the_first_torn_line_is_named(scratch: Path, line: str) -> None:
    read = samples(scratch, sample(NOON, 1), line, sample(NOON, 2))
    assert (read.torn_line, read.unreal_line) == (2, 0)


@pytest.mark.parametrize("watts", ["nan", "inf", "-inf", "1e999"])
def test_the_first_reading_that_is_no_number_is_named(scratch: Path, watts: str) -> None:
    line = f"Time,07-30-2025 12:00:00.000,Watts,{watts},Volts\n"
    read = samples(scratch, sample(NOON, 1), line, sample(NOON, 2))
    assert (read.torn_line, read.unreal_line) == (0, 2)


def test_samples_of_a_clock_that_is_ahead(scratch: Path) -> None:
    read = samples(scratch, sample(NOON + timedelta(hours=2), 1))
    assert list(read.samples(7_200_000).times_ms) == [NOON_MS]
