"""Read and judge the energy files of MLPerf Tiny: ``<benchmark>/energy/results.txt``.

Two runners write it. EEMBC's has windows with power in microwatts, the Python runner has trials
with power in milliwatts. Both end in the median energy of an
inference. Of streaming wake words power is published instead. The functions are pure and take the
facts of a round, so that the suite of MLPerf Tiny can use them as they are.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mlcheck.documents import Text
from mlcheck.rules import Flaw

_STAMP = re.compile(r"^\d+\.\d+ [\w-]+: ")  # what EEMBC's runner puts before a line
_NUMBER = r"(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"
_WINDOW = re.compile(rf"Energy data for (?:window|trial) (\d+)(?: at time \S+ for {_NUMBER} sec)?")
_VALUE = re.compile(rf"^\s*([#\w/. ]+?)\s*:\s*{_NUMBER}\s*([\w/.]*)")
_MEDIAN = re.compile(rf"^Median energy cost is {_NUMBER} uJ/inf")
_THROUGHPUT = re.compile(rf"^(?:Median throughput is|Estimated throughput:) {_NUMBER} inf")
_WORDS = re.compile(
    r"^Accuracy: (\d+) True positives, (\d+) False negatives, (\d+) False positives"
)
_VOLTAGE = re.compile(r"m-voltage-mv\[(\d+)\]")
W_PER = {"W": 1.0, "mW": 1e-3, "uW": 1e-6}
UJ_PER_J = 1e6


@dataclass(frozen=True, slots=True)
class EnergyWindow:
    """One repetition: how long, how often, how much. None: not logged.

    Units: seconds, watts, microjoules, microjoules per inference.
    """

    line: int
    seconds: float | None
    inferences: float | None
    watts: float | None
    energy_uj: float | None
    per_inference_uj: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TinyEnergy:
    """An energy file. None and 0: it does not say.

    Attributes:
        median_uj: energy of an inference, of the last such line, and ``median_line``.
        watts: power of the last window.
        throughput: inferences per second.
        words: true positives, false negatives and false positives of wake words.
    """

    path: str
    windows: tuple[EnergyWindow, ...] = ()
    median_uj: float | None = None
    median_line: int = 0
    throughput: float | None = None
    words: tuple[int, int, int] | None = None
    problem: str | None = None

    @property
    def watts(self) -> float | None:
        """Power of the last window, in watts."""
        return self.windows[-1].watts if self.windows else None


def tiny_energy(text: Text) -> TinyEnergy:
    """Return what an energy file says. Never raises."""
    windows: list[tuple[int, dict[str, float]]] = []
    median: tuple[int, float] | None = None
    throughput: float | None = None
    words: tuple[int, int, int] | None = None
    for number, raw in text.numbered():
        line = _STAMP.sub("", raw.rstrip("\r"))[:300]
        if found := _WINDOW.search(line):
            seconds = {"seconds": float(found[2])} if found[2] else {}
            windows.append((number, seconds))
        elif found := _MEDIAN.search(line):
            median = number, float(found[1])
        elif found := _THROUGHPUT.search(line):
            throughput = float(found[1])
        elif found := _WORDS.search(line):
            words = int(found[1][:9]), int(found[2][:9]), int(found[3][:9])
        elif windows and median is None and (found := _VALUE.search(line)):
            _put(windows[-1][1], found[1], float(found[2]), found[3])
    counts = _inferences(text)
    return TinyEnergy(
        path=text.path,
        windows=tuple(
            _window(number, values, counts.get(at)) for at, (number, values) in enumerate(windows)
        ),
        median_uj=median[1] if median else None,
        median_line=median[0] if median else 0,
        throughput=throughput,
        words=words,
        problem=text.problem,
    )


def _put(values: dict[str, float], name: str, value: float, unit: str) -> None:
    """Keep a line ``name : value unit`` of a window in the units of :class:`EnergyWindow`."""
    key = name.strip().lower().rstrip(".")
    if key == "elapsed time":
        values["seconds"] = value
    elif key == "inferences":
        values["inferences"] = value
    elif key == "power" and unit.rstrip(".") in W_PER:
        values["watts"] = value * W_PER[unit.rstrip(".")]
    elif key in ("energy", "total energy"):
        values["energy_uj"] = value
    elif key == "energy/inf":
        values["per_inference_uj"] = value


def _inferences(text: Text) -> dict[int, float]:
    """EEMBC's runner states the inferences of each window further below, in the same order."""
    lines = (_STAMP.sub("", line) for line in text.lines)
    found = (re.match(rf"\s*# Inferences\s*:\s*{_NUMBER}", line) for line in lines)
    return {at: float(match[1]) for at, match in enumerate(filter(None, found))}


def _window(line: int, values: Mapping[str, float], inferences: float | None) -> EnergyWindow:
    return EnergyWindow(
        line,
        values.get("seconds"),
        values.get("inferences", inferences),
        values.get("watts"),
        values.get("energy_uj"),
        values.get("per_inference_uj"),
    )


def supply_mv(log: Text) -> tuple[int, ...]:
    """Return the supply voltages that the energy monitor logged, in millivolts."""
    found = (_VOLTAGE.search(line) for line in log.lines)
    return tuple(int(match[1][:9]) for match in found if match)


def published(energy: TinyEnergy, *, streaming: bool) -> tuple[float, str] | None:
    """Return what is published, with its unit; None: the file does not say."""
    if streaming:
        return None if energy.watts is None else (energy.watts / W_PER["mW"], "mW")
    return None if energy.median_uj is None else (energy.median_uj, "uJ/inf.")


def energy_flaws(
    energy: TinyEnergy,
    facts: Mapping[str, Any],
    *,
    streaming: bool,
    throughput: float | None = None,
    voltages: Sequence[int] = (),
) -> Iterator[Flaw]:
    """Yield what is wrong with an energy file.

    Args:
        energy: the file.
        facts: ``energy`` of the rule file of the suite.
        streaming: whether power is published instead of energy.
        throughput: inferences per second of the performance run; None: not compared.
        voltages: what :func:`supply_mv` found.
    """
    if energy.problem or published(energy, streaming=streaming) is None:
        yield Flaw(
            path=energy.path,
            message="file states no power" if streaming else "file states no median energy",
            expected="Power : N mW" if streaming else "Median energy cost is N uJ/inf.",
            actual=energy.problem,
            hint="copy results.txt anew from the runner",
        )
        return
    yield from _windows(energy, facts, streaming=streaming)
    yield from _sums(energy, facts)
    yield from _median(energy, facts)
    yield from _speed(energy, facts, throughput)
    if len(set(voltages)) > 1:
        yield Flaw(
            path=energy.path,
            message="supply voltage changed between the windows",
            expected="one voltage",
            actual=", ".join(f"{mv} mV" for mv in sorted(set(voltages)))[:80],
            hint="measure again at one voltage",
        )


def _windows(energy: TinyEnergy, facts: Mapping[str, Any], *, streaming: bool) -> Iterator[Flaw]:
    wanted = facts["streaming_windows" if streaming else "windows"]
    if len(energy.windows) < wanted:
        yield Flaw(
            path=energy.path,
            message="energy was measured too seldom",
            expected=f">= {wanted} windows",
            actual=str(len(energy.windows)),
            hint="measure again with all repetitions",
        )
    for window in energy.windows:
        if window.seconds is not None and window.seconds < facts["window_s"]:
            yield Flaw(
                path=energy.path,
                line=window.line,
                message="energy was measured for too short a time",
                expected=f">= {facts['window_s']:g} s",
                actual=f"{window.seconds:.6g} s",
                hint="raise the number of inferences, and measure again",
            )


def _sums(energy: TinyEnergy, facts: Mapping[str, Any]) -> Iterator[Flaw]:
    """Energy is power times time, and inferences times the energy of one."""
    for window in energy.windows:
        product = None
        if window.watts is not None and window.seconds is not None:
            product = window.watts * window.seconds * UJ_PER_J
        says = "energy is not power times time"
        yield from _unequal(energy, window, says, product, facts)
        each, count = window.per_inference_uj, window.inferences
        whole = None if each is None or count is None else each * count
        says = "energy is not that of one inference times their number"
        yield from _unequal(energy, window, says, whole, facts)


def _unequal(
    energy: TinyEnergy,
    window: EnergyWindow,
    message: str,
    computed: float | None,
    facts: Mapping[str, Any],
) -> Iterator[Flaw]:
    stated = window.energy_uj
    if computed is None or stated is None:
        return
    if abs(computed - stated) > facts["tolerance"] * abs(stated):
        yield Flaw(
            path=energy.path,
            line=window.line,
            message=message,
            expected=f"{computed:.6g} uJ",
            actual=f"{stated:.6g} uJ",
            hint="copy results.txt anew from the runner",
        )


def _median(energy: TinyEnergy, facts: Mapping[str, Any]) -> Iterator[Flaw]:
    each = [w.per_inference_uj for w in energy.windows if w.per_inference_uj is not None]
    if energy.median_uj is None or not each:
        return
    median = statistics.median(each)
    if abs(median - energy.median_uj) > facts["tolerance"] * abs(median):
        yield Flaw(
            path=energy.path,
            line=energy.median_line,
            message="median energy is not that of the windows",
            expected=f"{median:.6g} uJ/inf.",
            actual=f"{energy.median_uj:.6g} uJ/inf.",
            hint="copy results.txt anew from the runner",
        )


def _speed(
    energy: TinyEnergy, facts: Mapping[str, Any], throughput: float | None
) -> Iterator[Flaw]:
    ours = energy.throughput
    if ours is None:
        rates = [
            window.inferences / window.seconds
            for window in energy.windows
            if window.inferences and window.seconds
        ]
        ours = statistics.median(rates) if rates else None
    if throughput and ours and abs(ours / throughput - 1) > facts["throughput_tolerance"]:
        yield Flaw(
            path=energy.path,
            message="energy was measured at another speed than performance",
            expected=f"{throughput:.6g} inf./sec.",
            actual=f"{ours:.6g} inf./sec.",
            hint="measure both with the same clock and program",
        )
