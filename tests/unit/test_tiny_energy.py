"""Energy files of MLPerf Tiny: both runners, and what may be wrong with them."""

from __future__ import annotations

from typing import Any

import pytest

from mlcheck.documents import Text
from mlcheck.power.tiny import TinyEnergy, energy_flaws, published, supply_mv, tiny_energy
from mlcheck.resources import rules_root
from mlcheck.ruleset import read_yaml

FACTS: dict[str, Any] = read_yaml(rules_root() / "tiny" / "energy.yaml")["energy"]
EEMBC = "".join(
    f"""\
007{n}.000 ulp-ml: Energy data for window {2 * n} at time {100 * n} for 12.00 sec.:
007{n}.001 ulp-ml:   Energy       :    {60000 + 60 * n}.000 uJ
007{n}.001 ulp-ml:   Power        :     {5000 + 5 * n}.000 uW
007{n}.001 ulp-ml:   Energy/Inf.  :       {60 + n * 0.06:.3f} uJ/inf.
"""
    for n in range(5)
)
EEMBC += "00776.088 ulp-ml: Median energy cost is 60.120 uJ/inf.\n"
EEMBC += 5 * (
    "00776.088 ulp-ml:   # Inferences :         1000\n"
    "00776.088 ulp-ml:   Runtime      :       12.000 sec.\n"
)
EEMBC += "00776.088 ulp-ml: Median throughput is 83.333 inf./sec.\n"
TRIAL = """\
Energy data for trial {n}
  Elapsed time  : 10.5
  Inferences    : 2100
  Power         : 33.0000 mW.
  Total Energy  : 346500.000 uJ
  Energy/Inf    : 165.000 uJ/inf
"""
PYTHON = "".join(TRIAL.format(n=n) for n in range(5)) + "Median energy cost is 165.0000 uJ/inf.\n"
WORDS = """\
Energy data for trial 0
  Elapsed time  : 1200.0
  Inferences    : 1
  Power         : 0.5000 mW.
  Total Energy  : 600000.000 uJ
  Energy/Inf    : 600000.000 uJ/inf
Median energy cost is 600000.0000 uJ/inf.
Accuracy: 46 True positives, 4 False negatives, 3 False positives
Average duty cycle: 0.021792
Estimated throughput: 1430.8 inf./sec.
"""


def read(text: str) -> TinyEnergy:
    return tiny_energy(Text(path="energy/results.txt", lines=tuple(text.split("\n"))))


def flaws(text: str, *, streaming: bool = False, **more: Any) -> list[str]:
    return [flaw.message for flaw in energy_flaws(read(text), FACTS, streaming=streaming, **more)]


def test_what_the_runner_of_eembc_writes() -> None:
    energy = read(EEMBC)
    assert published(energy, streaming=False) == (60.12, "uJ/inf.")
    assert energy.throughput == 83.333
    assert len(energy.windows) == 5
    first = energy.windows[0]
    assert (first.line, first.seconds, first.inferences) == (1, 12, 1000)
    assert (first.watts, first.energy_uj, first.per_inference_uj) == (0.005, 60000, 60)
    assert flaws(EEMBC) == []


def test_what_the_python_runner_writes() -> None:
    assert published(read(PYTHON), streaming=False) == (165, "uJ/inf.")
    assert read(PYTHON).windows[4].watts == pytest.approx(0.033)
    assert flaws(PYTHON) == []


def test_power_of_streaming_wake_words() -> None:
    energy = read(WORDS)
    assert published(energy, streaming=True) == (0.5, "mW")
    assert (energy.words, energy.throughput) == ((46, 4, 3), 1430.8)
    assert flaws(WORDS, streaming=True) == []


@pytest.mark.parametrize("text", ["", "nothing\n", EEMBC.replace("Median energy", "Energy")])
def test_a_file_without_a_median_is_a_flaw(text: str) -> None:
    assert flaws(text) == ["file states no median energy"]
    assert flaws("", streaming=True) == ["file states no power"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("165.0000 uJ/inf.", "150.0000 uJ/inf.", "median energy is not that of the windows"),
        ("33.0000 mW", "30.0000 mW", "energy is not power times time"),
        ("2100", "2000", "energy is not that of one inference times their number"),
    ],
)
def test_numbers_that_do_not_fit_together(old: str, new: str, message: str) -> None:
    assert set(flaws(PYTHON.replace(old, new))) == {message}


def test_short_and_few_windows() -> None:
    short = PYTHON.replace(": 10.5", ": 5.25").replace("33.0000", "66.0000")
    assert flaws(short) == 5 * ["energy was measured for too short a time"]
    few = PYTHON.replace(TRIAL.format(n=4), "")
    assert flaws(few) == ["energy was measured too seldom"]


def test_energy_and_performance_are_of_one_speed() -> None:
    assert flaws(PYTHON, throughput=200.0) == []
    assert flaws(PYTHON, throughput=400.0) == [
        "energy was measured at another speed than performance"
    ]


def test_supply_voltages() -> None:
    log = Text(path="log.txt", lines=("x emon: m-voltage-mv[3000]", "x emon: m-voltage-mv[1800]"))
    assert supply_mv(log) == (3000, 1800)
    assert flaws(PYTHON, voltages=(3000, 3000)) == []
    assert flaws(PYTHON, voltages=(3000, 1800)) == ["supply voltage changed between the windows"]
