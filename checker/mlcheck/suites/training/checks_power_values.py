"""Rules about what meters say: readings, efficiency, AC or DC, the energy itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from mlcheck.rules import Flaw, Rule, Scope
from mlcheck.suites.training.entry import Entry
from mlcheck.suites.training.facts import Facts
from mlcheck.suites.training.power_files import RunPower
from mlcheck.suites.training.power_log import PowerLog, Stated, shown
from mlcheck.suites.training.power_seen import Seen, nodes, one_flaw, switches

PM_PSU = "power_measurement.adoc#measure-at-the-psus"
PM_SCORING = "power_measurement.adoc#scoring"


def no_number(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """Every reading is a finite number of watts."""
    yield from _no_number(entry, lambda _: True)


def no_number_official(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The official summary ends with an error of its own, except for NaN and true."""
    yield from _no_number(entry, lambda value: not isinstance(value, int | float))


def _no_number(entry: Entry, counts: Callable[[object], bool]) -> Iterator[Flaw]:
    for log, _ in nodes(entry):
        if log.odd and any(counts(odd.value) for odd in log.odd):
            first = log.odd[0]
            yield Flaw(
                path=log.path,
                line=first.line,
                message="reading is no number of watts",
                expected="a finite number",
                actual=f"{repr(first.value)[:40]}, in {len(log.odd)} lines",
                hint="copy the log anew from the meter",
            )


def not_positive(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """A node that trains takes power: no reading is zero or negative."""
    yield from one_flaw(
        _not_positive(entry),
        entry,
        "readings are zero or negative",
        "look at the meter; such readings lower the energy",
    )


def _not_positive(entry: Entry) -> Iterator[Seen]:
    for log, _ in nodes(entry):
        found = [line for watts, line in zip(log.watts, log.lines, strict=True) if watts <= 0]
        if found:
            negative = sum(watts < 0 for watts in log.watts)
            yield Seen(
                log=log,
                line=found[0],
                by=len(found),
                expected="more than 0 W",
                actual=f"{len(found) - negative} zero, {negative} negative",
            )


def wrong_efficiency(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """An efficiency of conversion is a number above 0 and at most 1."""
    yield from _wrong_efficiency(entry, facts, lambda value: True)


def wrong_efficiency_official(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The official summary multiplies by any number, and ends with an error for what is none."""
    yield from _wrong_efficiency(entry, facts, lambda value: not isinstance(value, int | float))


def _wrong_efficiency(
    entry: Entry, facts: Facts, counts: Callable[[object], bool]
) -> Iterator[Flaw]:
    for log in _logs(entry):
        for stated in log.efficiencies:
            number = shown(stated.value)
            if (number is None or not 0 < number <= 1) and counts(stated.value):
                yield Flaw(
                    path=log.path,
                    line=stated.line,
                    message="efficiency of conversion is none that there can be",
                    expected="above 0, at most 1",
                    actual=repr(stated.value)[:40],
                    hint="log the rating of the power supply at the operating point",
                )


def changing_efficiency(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The efficiency of a node is the same throughout a log and in all runs, and 1 for DC."""
    by_node: dict[int | None, float] = {}
    for log, _ in nodes(entry):
        for stated in log.efficiencies:
            number = shown(stated.value)
            if number is None:
                continue  # wrong_efficiency
            known = by_node.setdefault(log.index, number)
            if number != known:
                yield _efficiency(log, stated, "efficiency of a node changes", f"{known:g}")
                break
            if stated.kind == "DC" and number != 1:
                yield _efficiency(log, stated, "DC is measured, but converted", "1 for DC")
                break


def _efficiency(log: PowerLog, stated: Stated, message: str, expected: str) -> Flaw:
    return Flaw(
        path=log.path,
        line=stated.line,
        message=message,
        expected=expected,
        actual=f"{stated.value!r}"[:40],
        hint="use one documented efficiency per power supply; the last one in a log counts",
    )


def kind_not_stated(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The log of a node says whether AC or DC was measured."""
    if facts.power is None:
        return
    kinds = facts.power.kinds
    yield from one_flaw(
        (
            Seen(
                log=log,
                line=log.efficiencies[0].line if log.efficiencies else 0,
                by=len(log.efficiencies),
                expected=f"{facts.power.keys.kind}: {' or '.join(kinds)}",
                actual=_kind(log),
            )
            for log, _ in nodes(entry)
            if not log.efficiencies or any(each.kind not in kinds for each in log.efficiencies)
        ),
        entry,
        "log does not say whether AC or DC was measured",
        "log conversion_eff with its kind; energies of AC and DC cannot be compared",
    )


def _kind(log: PowerLog) -> str:
    if not log.efficiencies:
        return "no line of conversion_eff"
    return repr(next((e.kind for e in log.efficiencies if e.kind), None))[:40]


def energy_differs(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The energy of the measurement, scaled to the time to train, is that of the timed part."""
    if facts.power is None or entry.power is None:
        return
    yield from one_flaw(
        _energy_differs(entry.power.runs, facts.power.deviation),
        entry,
        "scaled energy differs from the energy of the timed part",
        "measure no more than the run, and all of it",
    )


def _energy_differs(runs: Iterable[RunPower], deviation: float) -> Iterator[Seen]:
    pairs = (pair for run in runs for pair in zip(run.nodes, run.energy.nodes, strict=False))
    for log, energy in pairs:
        official, timed = energy.official_j, energy.timed_j
        if official is None or timed is None or timed <= 0:
            continue  # PWR808, PWR810, PWR811
        share = official / timed - 1
        if abs(share) > deviation:
            yield Seen(
                log=log,
                line=0,
                by=abs(share),
                expected=f"{timed:.6g} J within {deviation:.0%}",
                actual=f"{official:.6g} J, {share:+.1%}",
            )


def _logs(entry: Entry) -> Iterator[PowerLog]:
    return chain((log for log, _ in nodes(entry)), (log for log, _ in switches(entry)))


RULES = (
    Rule(
        id="PWR819",
        name="power-reading-no-number",
        scope=Scope.RESULT,
        why="Without the reading the energy of the run cannot be computed.",
        fix="Copy the log anew from the meter.",
        policy=PM_SCORING,
        check=no_number,
        official_check=no_number_official,
        voids=False,
    ),
    Rule(
        id="PWR820",
        name="power-reading-not-positive",
        scope=Scope.RESULT,
        why="A node that is switched on takes power; such a reading is a fault of the meter.",
        fix="Look at the meter, and measure again.",
        policy=PM_SCORING,
        check=not_positive,
        voids=False,
    ),
    Rule(
        id="PWR821",
        name="power-efficiency-impossible",
        scope=Scope.RESULT,
        why="The energy is multiplied by it; no converter gives more than it takes.",
        fix="Log the rating of the power supply, such as 0.94.",
        policy=PM_PSU,
        check=wrong_efficiency,
        official_check=wrong_efficiency_official,
        voids=False,
    ),
    Rule(
        id="PWR822",
        name="power-efficiency-changes",
        scope=Scope.RESULT,
        why="The factor is a documented property of a power supply; DC needs none.",
        fix="Use one factor for each power supply.",
        policy=PM_PSU,
        check=changing_efficiency,
        voids=False,
    ),
    Rule(
        id="PWR823",
        name="power-kind-not-stated",
        scope=Scope.RESULT,
        why="Power is measured behind the supply, or before it and converted: a reader must know.",
        fix="Log conversion_eff with measurement_type.",
        policy=PM_PSU,
        check=kind_not_stated,
        voids=False,
    ),
    Rule(
        id="PWR824",
        name="power-energy-differs",
        scope=Scope.RESULT,
        why="The official summary scales the whole measurement to the time to train; the policy "
        "adds up the readings that cover the timed part. Idle time before and after makes the "
        "first one lower.",
        fix="Start the meter just before the run, and stop it just afterwards.",
        policy=PM_SCORING,
        check=energy_differs,
        voids=False,
    ),
)
