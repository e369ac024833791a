"""What time stamps of logs mean, wherever they were written and wherever they are read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mlcheck.engine import Job, verify
from mlcheck.power.clocks import Clock, clock_of, offsets, utc, utc_times, zone
from mlcheck.power.integrate import Window
from tests.power_folder import MEAN_W, add_power, as_round, rehash, shift_clock
from tests.trees import REPOSITORY

HOUR = 3_600_000.0
SCENARIO = "closed/Acme/results/acme-edge-1x/resnet50/Offline"
ZONES = ("UTC", "America/New_York", "Asia/Kolkata", "Pacific/Chatham", "Europe/Lisbon")
LOGS = (
    "run_1/mlperf_log_detail.txt",
    "ranging/mlperf_log_detail.txt",
    "run_1/spl.txt",
    "ranging/spl.txt",
    "power/ptd_logs.txt",
)


def span(begin: float, end: float) -> Window:
    return Window(begin_ms=begin, end_ms=end)


PHASE = span(1000 * HOUR, 1000 * HOUR + 700_000)
LOAD = span(PHASE.begin_ms + 10_000, PHASE.end_ms - 10_000)


def shown(begin_hours: float, end_hours: float | None = None) -> Window:
    """The load, as a clock shows it that is hours ahead of UTC at its beginning and its end."""
    later = begin_hours if end_hours is None else end_hours
    return span(LOAD.begin_ms + begin_hours * HOUR, LOAD.end_ms + later * HOUR)


def test_offsets_are_utc_and_what_is_stated() -> None:
    assert offsets(-19_800, local=False) == (0, 5.5 * HOUR)
    assert offsets(0, local=False) == offsets(None, local=False) == (0,)
    assert offsets(18_000, local=True) == (-5 * HOUR, -4 * HOUR, 0)


@pytest.mark.parametrize("hours", [0, -5, 5.5, 5.75, 1])
def test_a_clock_is_told_by_where_the_load_lies(hours: float) -> None:
    clock = clock_of(shown(hours), PHASE, offsets(-3600 * hours, local=False))
    assert clock == Clock(hours * HOUR, hours * HOUR)
    assert utc(shown(hours), clock) == LOAD


def test_an_hour_that_nothing_explains_is_no_clock() -> None:
    assert clock_of(shown(1), PHASE, offsets(0, local=False)) is None
    assert clock_of(shown(-1), PHASE, offsets(0, local=False)) is None
    assert clock_of(shown(0, 1), PHASE, offsets(0, local=False)) is None
    assert clock_of(shown(2, 1), PHASE, offsets(-3 * 3600, local=False)) is None


@pytest.mark.parametrize(("before", "after"), [(2, 1), (1, 2)])
def test_summer_time_that_ends_or_begins_during_the_load(before: int, after: int) -> None:
    clock = clock_of(shown(before, after), PHASE, offsets(-3600 * before, local=False))
    assert clock == Clock(before * HOUR, after * HOUR)
    assert clock.jumped
    assert utc(shown(before, after), clock) == LOAD


def test_samples_of_a_clock_that_jumps() -> None:
    seconds = [1000.0 * n for n in range(6)]
    autumn = [*seconds[:3], *(time - HOUR for time in seconds[3:])]
    spring = [*seconds[:3], *(time + HOUR for time in seconds[3:])]
    assert utc_times(autumn, 0, local=True) == utc_times(spring, 0, local=True) == seconds
    assert utc_times(autumn, 0, local=False) == autumn  # of a log in UTC it is an error
    assert utc_times([0, 1000, 1_801_000], 500, local=True) == [-500, 500, 1_800_500]


@pytest.mark.parametrize("value", [True, None, "0", 1e6, [], float("nan")])
def test_what_is_no_zone(value: object) -> None:
    assert zone(value) is None


def power_tree(tree: Path, round_: str, zone_s: int, minutes: float) -> Path:
    """A session whose clocks show local time that its documents state."""
    performance = tree / SCENARIO / "performance"
    add_power(tree, tree / SCENARIO)
    as_round(performance, round_)
    for name in LOGS:
        shift_clock(performance / name, minutes, "")
    for name in ("power/client.json", "power/server.json"):
        document = json.loads((performance / name).read_text()) | {"timezone": zone_s}
        (performance / name).write_text(json.dumps(document, indent=4))
    return performance


def judged(tree: Path, round_: str) -> tuple[set[str], float | None, int]:
    job = Job(root=str(tree), suite="inference", round=round_, select=("PWR",))
    report = verify(job, jobs=1)
    (power,) = (result.power for result in report.results if result.power)
    rules = {finding.rule for finding in report.findings if finding.severity == "error"}
    return rules, power.average_w, power.samples


@pytest.mark.parametrize(
    ("zone_s", "minutes"),
    [(0, 0), (18_000, -300), (18_000, -240), (-19_800, 330), (-20_700, 345)],
    ids=["UTC", "winter in New York", "summer in New York", "India", "Nepal"],
)
def test_local_logs_of_v1_0(tree: Path, zone_s: int, minutes: float) -> None:
    """v1.0 states the zone of winter, whatever the season (V187)."""
    rehash(power_tree(tree, "v1.0", zone_s, minutes))
    rules, average, samples = judged(tree, "v1.0")
    assert rules == set()
    assert average == pytest.approx(MEAN_W)
    assert samples == 672


def test_summer_time_ends_during_a_run_of_v1_0(tree: Path) -> None:
    performance = power_tree(tree, "v1.0", -3600, 120)
    for name in LOGS:
        if not name.startswith("ranging"):
            shift_clock(performance / name, -60, "07-30-2025 20:25:00.000")
    rehash(performance)
    rules, average, samples = judged(tree, "v1.0")
    assert rules == set()
    assert average == pytest.approx(MEAN_W)
    assert samples == 672


def test_an_hour_in_the_samples_that_nothing_explains(tree: Path) -> None:
    performance = power_tree(tree, "v5.1", 0, 0)
    shift_clock(performance / "run_1/spl.txt", -60, "07-30-2025 18:25:00.000")
    rehash(performance)
    assert "PWR170" in judged(tree, "v5.1")[0]


def test_verdicts_do_not_depend_on_the_zone_of_the_machine(tree: Path) -> None:
    """The same report under five zones, with logs in another local time still."""
    rehash(power_tree(tree, "v5.1", -12_600, 210))
    code = (
        "import sys; from mlcheck.engine import Job, verify; "
        "from mlcheck.output.json_report import json_report; "
        "print(json_report(verify(Job(root=sys.argv[1], suite='inference', round='v5.1'), jobs=1)))"
    )
    reports = {
        subprocess.run(
            [sys.executable, "-c", code, str(tree)],
            env={**os.environ, "TZ": name, "PYTHONPATH": str(REPOSITORY / "checker")},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for name in ZONES
    }
    assert len(reports) == 1
    assert '"average_w": 400' in reports.pop()
