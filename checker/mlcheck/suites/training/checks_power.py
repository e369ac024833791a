"""Rules about when power was measured: its bounds, and the timed part of the run."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.rules import Flaw, Rule, Scope
from mlcheck.suites.training.energy import span
from mlcheck.suites.training.entry import Entry
from mlcheck.suites.training.facts import Facts
from mlcheck.suites.training.power_facts import PowerFacts
from mlcheck.suites.training.power_log import PowerLog
from mlcheck.suites.training.power_seen import Seen, apart, nodes, one_flaw, stamp_ms

PM_SPAN = "power_measurement.adoc#measure-maxa-run-60-power-samples"


def no_start(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The log of a node says once when the measurement began."""
    yield from one_flaw(
        (
            Seen(
                log=log,
                line=log.starts[1].line if log.starts else 0,
                by=abs(len(log.starts) - 1),
                expected="one line of power_measurement_start",
                actual=f"{len(log.starts)}",
            )
            for log, _ in nodes(entry)
            if len(log.starts) != 1
        ),
        entry,
        "log does not say once when the measurement began",
        "log the start; without it the official summary ends with an error",
    )


def no_stop(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The log of a node says once when the measurement ended."""
    yield from one_flaw(
        (
            Seen(
                log=log,
                line=log.stops[1].line if log.stops else 0,
                by=abs(len(log.stops) - 1),
                expected="one line of power_measurement_stop",
                actual=f"{len(log.stops)}",
            )
            for log, _ in nodes(entry)
            if len(log.stops) != 1
        ),
        entry,
        "log does not say once when the measurement ended",
        "log the stop; without it the official summary takes the last reading for it",
    )


def no_length(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """A measurement ends after it began."""
    yield from one_flaw(
        (
            Seen(
                log=log,
                line=log.stops[0].line,
                by=log.starts[0].time_ms - log.stops[0].time_ms,
                expected=f"power_measurement_stop after {log.starts[0].time_ms:.0f} ms",
                actual=f"{log.stops[0].time_ms:.0f} ms",
            )
            for log, _ in nodes(entry)
            if log.starts and log.stops and log.stops[0].time_ms <= log.starts[0].time_ms
        ),
        entry,
        "measurement ends before it has any length",
        "stamp the stop with the time of the stop",
    )


def clocks_apart(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The readings of a node and its run lie at the same time."""
    yield from one_flaw(
        (
            Seen(
                log=log,
                line=log.lines[0],
                by=abs(log.times_ms[0] - run.begin_ms),
                expected=f"readings from {run.begin_ms:.0f} to {run.end_ms:.0f} ms",
                actual=f"{min(log.times_ms):.0f} to {max(log.times_ms):.0f} ms",
            )
            for log, run in nodes(entry)
            if run and log.times_ms and apart(log, run)
        ),
        entry,
        "power was measured at another time than the run",
        "take the log of this run; let clocks of meters and nodes agree, in UTC",
    )


def not_covered(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """A measurement begins before its run starts and ends after it stops."""
    if facts.power is None:
        return
    yield from one_flaw(
        _not_covered(entry, facts.power),
        entry,
        "measurement does not cover the whole timed part of the run",
        "start the meter before run_start, and stop it after run_stop",
    )


def _not_covered(entry: Entry, facts: PowerFacts) -> Iterator[Seen]:
    for log, run in nodes(entry):
        measured = span(log, facts)
        if run is None or measured is None or measured.duration_ms <= 0 or apart(log, run):
            continue  # no_start, no_length, clocks_apart
        coarse = stamp_ms(log)
        late = measured.begin_ms - run.begin_ms
        early = run.end_ms - measured.end_ms
        if late > coarse:
            yield _edge(
                log, log.starts[0].line, late, f"begins {late / 1000:.3f} s after run_start"
            )
        elif early > coarse:
            line = log.stops[0].line if log.stops else log.lines[-1]
            yield _edge(log, line, early, f"ends {early / 1000:.3f} s before run_stop")


def _edge(log: PowerLog, line: int, by: float, actual: str) -> Seen:
    return Seen(log=log, line=line, by=by, expected="run_start to run_stop", actual=actual)


def outside(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """Readings lie between the start and the stop of the measurement."""
    yield from one_flaw(
        _outside(entry),
        entry,
        "readings lie outside the measurement",
        "stamp start and stop with their own times; the official summary leaves such readings out",
    )


def _outside(entry: Entry) -> Iterator[Seen]:
    for log, _ in nodes(entry):
        if not log.starts or not log.stops:
            continue  # no_start, no_stop
        begin, end = log.starts[0].time_ms, log.stops[0].time_ms
        found = [
            line
            for time, line in zip(log.times_ms, log.lines, strict=True)
            if not begin <= time <= end
        ]
        if found:
            yield Seen(
                log=log,
                line=found[0],
                by=len(found),
                expected=f"{begin:.0f} to {end:.0f} ms",
                actual=f"{len(found)} of {len(log.times_ms)} readings outside",
            )


RULES = (
    Rule(
        id="PWR808",
        name="power-start-missing",
        scope=Scope.RESULT,
        why="The first reading counts from the start; without it there is no energy.",
        fix="Log power_measurement_start once, just before the run starts.",
        policy=PM_SPAN,
        check=no_start,
        voids=False,
    ),
    Rule(
        id="PWR809",
        name="power-stop-missing",
        scope=Scope.RESULT,
        why="The energy is scaled from the time between start and stop to the time to train.",
        fix="Log power_measurement_stop once, just after the run stops.",
        policy=PM_SPAN,
        check=no_stop,
        voids=False,
    ),
    Rule(
        id="PWR810",
        name="power-span-empty",
        scope=Scope.RESULT,
        why="A measurement without length holds no reading, and energy is divided by its length.",
        fix="Stamp the stop with the time of the stop, not with that of the start.",
        policy=PM_SPAN,
        check=no_length,
        voids=False,
    ),
    Rule(
        id="PWR811",
        name="power-clock-apart",
        scope=Scope.RESULT,
        why="Readings of another time say nothing of this run. Times are milliseconds UTC.",
        fix="Take the log of this run; let the clocks of meters and nodes agree.",
        policy=PM_SPAN,
        check=clocks_apart,
        voids=False,
    ),
    Rule(
        id="PWR812",
        name="power-run-not-covered",
        scope=Scope.RESULT,
        why="The measurement has to include all timed operations. Clocks that stamp whole seconds "
        "may be off by one.",
        fix="Start the meter before the run and stop it afterwards.",
        policy=PM_SPAN,
        check=not_covered,
        voids=False,
    ),
    Rule(
        id="PWR817",
        name="power-readings-outside",
        scope=Scope.RESULT,
        why="The bounds of the measurement and its readings contradict each other.",
        fix="Stamp start and stop with their own times.",
        policy=PM_SPAN,
        check=outside,
        voids=False,
    ),
)
