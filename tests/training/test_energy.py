"""Energy of loads whose energy is known, by the formulas of training power."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlcheck.power.integrate import Window
from mlcheck.ruleset import load
from mlcheck.suites.training.energy import (
    official_node_j,
    official_switch_j,
    span,
    timed_node_j,
    timed_switch_j,
)
from mlcheck.suites.training.facts import facts_of
from mlcheck.suites.training.layout import SystemPlace
from mlcheck.suites.training.parse import read_system
from mlcheck.suites.training.power_facts import PowerFacts
from mlcheck.suites.training.power_files import official_index
from mlcheck.suites.training.power_log import PowerLog, read_power_log
from mlcheck.suites.training.power_score import power_of
from mlcheck.suites.training.score import score
from mlcheck.tree import Tree
from tests.trees import EXAMPLES, scratch_folder

BEGIN_MS = 1_756_000_000_000


def _facts(round_: str) -> PowerFacts:
    facts = facts_of(load("training", round_)).power
    assert facts is not None
    return facts


FACTS, FIRST = _facts("v5.1"), _facts("v4.0")


def line(time_ms: float, key: str, value: object, **metadata: object) -> str:
    fields = {"key": key, "time_ms": time_ms, "value": value, "metadata": metadata}
    return f":::MLLOG {json.dumps(fields)}\n"


def made(
    watts: list[float], *, lead_ms: int = 1000, step_ms: int = 1000, efficiency: float | None = None
) -> list[str]:
    """Return the lines of a meter that starts ``lead_ms`` before the run."""
    start = BEGIN_MS - lead_ms
    lines = [line(start, "power_measurement_start", None)]
    if efficiency is not None:
        lines.append(line(start, "conversion_eff", efficiency, measurement_type="AC"))
    at = start
    for each in watts:
        at += step_ms
        lines.append(line(at, "power_reading", each, host="node_0"))
    return [*lines, line(at + 1, "power_measurement_stop", None)]


def read(folder: Path, lines: list[str]) -> PowerLog:
    (folder / "node_0.txt").write_text("".join(lines))
    return read_power_log(Tree(str(folder)), "node_0.txt", 0, FACTS.keys)


@given(
    power=st.floats(1, 1e5), seconds=st.integers(60, 300), efficiency=st.floats(0.5, 1),
    lead=st.integers(1, 5),
)  # fmt: skip
def test_constant_power(power: float, seconds: int, efficiency: float, lead: int) -> None:
    with scratch_folder() as folder:
        log = read(
            folder, made([power] * (seconds + lead + 2), lead_ms=lead * 1000, efficiency=efficiency)
        )
    run = Window(begin_ms=BEGIN_MS, end_ms=BEGIN_MS + seconds * 1000)
    joules = efficiency * power * seconds
    assert timed_node_j(log, run) == pytest.approx(joules, rel=1e-12)
    measured_ms = (seconds + lead + 2) * 1000
    scaled = pytest.approx(joules * measured_ms / (measured_ms + 1), rel=1e-12)
    assert official_node_j(log, run, FACTS) == scaled
    assert official_node_j(log, run, FIRST) == scaled


@given(seed=st.integers(0, 2**32), watts=st.lists(st.floats(0, 1e5), min_size=1, max_size=60))
def test_the_order_of_lines_does_not_matter(seed: int, watts: list[float]) -> None:
    lines = made(watts, efficiency=0.9)
    shuffled = random.Random(seed).sample(lines, len(lines))
    with scratch_folder() as folder:
        log, mixed = read(folder, lines), read(folder, shuffled)
    run = Window(begin_ms=BEGIN_MS, end_ms=BEGIN_MS + 30_000)
    assert official_node_j(mixed, run, FACTS) == official_node_j(log, run, FACTS)
    assert timed_node_j(mixed, run) == timed_node_j(log, run)


def test_idle_time_before_the_run_lowers_the_scaled_energy_alone(scratch: Path) -> None:
    log = read(scratch, made([100.0] * 60 + [1000.0] * 60, lead_ms=60_000))
    run = Window(begin_ms=BEGIN_MS, end_ms=BEGIN_MS + 60_000)
    assert official_node_j(log, run, FACTS) == pytest.approx(550 * 60, rel=1e-4)
    assert timed_node_j(log, run) == pytest.approx(1000 * 60)


def test_without_a_stop_the_last_reading_ends_it(scratch: Path) -> None:
    log = read(scratch, made([500.0] * 70)[:-1])
    run = Window(begin_ms=BEGIN_MS, end_ms=BEGIN_MS + 60_000)
    assert official_node_j(log, run, FACTS) == pytest.approx(500 * 60)


def test_a_stop_of_the_time_of_the_start(scratch: Path) -> None:
    lines = made([500.0] * 70)
    lines[-1] = line(BEGIN_MS - 1000, "power_measurement_stop", None)
    log = read(scratch, lines)
    run = Window(begin_ms=BEGIN_MS, end_ms=BEGIN_MS + 60_000)
    assert official_node_j(log, run, FACTS) is None  # the tool divides by zero
    assert official_node_j(log, run, FIRST) == pytest.approx(500 * 60)  # that of v4.0 did not
    window = span(log, FIRST)
    assert window is not None
    assert window.duration_ms == 70_000


@pytest.mark.parametrize(
    "lines", [[], ["nothing\n"], [line(1, "power_reading", 5)], made([])[1:]], ids=range(4)
)
def test_without_a_start_there_is_no_energy(lines: list[str], scratch: Path) -> None:
    log = read(scratch, lines)
    run = Window(begin_ms=BEGIN_MS, end_ms=BEGIN_MS + 60_000)
    assert official_node_j(log, run, FACTS) is None


def test_switches(scratch: Path) -> None:
    run = Window(begin_ms=BEGIN_MS, end_ms=BEGIN_MS + 60_000)
    estimated = [
        line(1, "conversion_eff", 0.5),
        line(2, "interconnect_power_est", 700),
        line(3, "interconnect_power_est", 9000),
        line(4, "conversion_eff", 0.1),
    ]
    log = read(scratch, estimated)
    assert official_switch_j(log, run) == timed_switch_j(log, run) == 0.5 * 700 * 60
    readings = read(scratch, made([650.0] * 70))
    assert official_switch_j(readings, run) == 0
    assert timed_switch_j(readings, run) == pytest.approx(650 * 60)


@pytest.mark.parametrize("watts", [[1e308] * 70, [1e308, -1e308] * 35, [1e15]])
def test_what_no_meter_shows_is_no_reading(watts: list[float], scratch: Path) -> None:
    log = read(scratch, made(watts))
    run = Window(begin_ms=BEGIN_MS, end_ms=BEGIN_MS + 60_000)
    assert len(log.odd) == len(watts)
    assert official_node_j(log, run, FACTS) is None
    assert timed_node_j(log, run) is None


def test_a_measurement_of_next_to_no_length(scratch: Path) -> None:
    lines = [line(0, "power_measurement_start", None), line(0, "power_reading", 1e14)]
    log = read(scratch, [*lines, line(5e-324, "power_measurement_stop", None)])
    run = Window(begin_ms=0, end_ms=1e17)
    assert official_node_j(log, run, FACTS) == 0
    later = [line(-1e17, "power_reading", 1e14), line(1e-300, "power_reading", 1e14)]
    log = read(scratch, [lines[0], *later, line(2e-300, "power_measurement_stop", None)])
    assert official_node_j(log, run, FACTS) is not None


HOSTILE = [
    b':::MLLOG {"key": "power_reading", "time_ms": 1e400, "value": 1, "metadata": {}}',
    b':::MLLOG {"key": "power_reading", "time_ms": "x", "value": 1, "metadata": {}}',
    b":::MLLOG " + b"[" * 100_000,
    b':::MLLOG {"key": 7, "time_ms": 1, "value": 1, "metadata": {}}',
    b':::MLLOG {"key": "power_reading"}',
    b":::MLLOG \xff\xfe",
    b':::MLLOG {"key": "power_reading", "time_ms": 1, "value": '
    + b"9" * 5000
    + b', "metadata": 1}',
]


@pytest.mark.parametrize("raw", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_lines(raw: bytes, scratch: Path) -> None:
    (scratch / "node_0.txt").write_bytes(raw)
    log = read_power_log(Tree(str(scratch)), "node_0.txt", 0, FACTS.keys)
    assert log.broken + len(log.odd) == 1
    assert log.times_ms == ()


@pytest.mark.parametrize(
    ("name", "index"),
    [("node_0.txt", 0), ("node_12.txt", 12), ("node_a.txt", None), ("node", None), ("sw_1.csv", 1)],
)
def test_the_number_that_the_official_check_reads(name: str, index: int | None) -> None:
    assert official_index(name) == index


@pytest.mark.parametrize("round_", ["v4.0", "v4.1", "v5.0", "v5.1", "v6.0", "v6.1"])
def test_rounds_with_power(round_: str) -> None:
    assert _facts(round_).unit == "J"


@pytest.mark.parametrize("round_", ["v3.1", "v2.0", "v0.7"])
def test_rounds_without_power(round_: str) -> None:
    ruleset = load("training", round_)
    assert facts_of(ruleset).power is None
    off = {rule: weight for rule, weight in ruleset.weights.items() if rule.startswith("PWR")}
    assert {str(weight.severity) for weight in off.values()} == {"off"}
    assert len(off) == 27


def test_energy_is_scaled_as_the_time_is() -> None:
    facts = facts_of(load("training", "v5.1"))
    place = SystemPlace(submitter="Volt", system="volt-a2x8")
    (entry,) = read_system(Tree(str(EXAMPLES / "training-v5.1")), place, facts).entries
    scored = score(entry, facts)
    assert scored is not None
    plain = power_of(entry, scored, facts.power)
    scaled = power_of(
        entry, replace(scored, factor=1.25, minutes=scored.minutes * 1.25), facts.power
    )
    assert plain is not None
    assert scaled is not None
    assert plain.value is not None
    assert scaled.value == pytest.approx(1.25 * plain.value, rel=1e-12)
    assert scaled.average_w == pytest.approx(plain.average_w, rel=1e-12)
