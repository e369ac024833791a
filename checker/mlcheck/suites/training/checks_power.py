"""Rules about when power was measured: bounds, the timed part of the run, rate and order."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mlcheck.power.integrate import Window, quality
from mlcheck.rules import Flaw, Rule, Scope
from mlcheck.suites.training.energy import in_order, span
from mlcheck.suites.training.entry import Entry
from mlcheck.suites.training.facts import Facts
from mlcheck.suites.training.power_facts import PowerFacts
from mlcheck.suites.training.power_log import PowerLog

PM_SPAN = "power_measurement.adoc#measure-maxa-run-60-power-samples"
PM_RATE = "power_measurement.adoc#report-1-measurement-per-second"
WHOLE_SECOND_MS = 1000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A log of a node that is not as it ought to be.

    ``by``: how far it is off, to show the worst log.
    """

    log: PowerLog
    line: int
    by: float
    expected: str
    actual: str


def one_flaw(
    seen: Iterable[Seen], entry: Entry, message: str, hint: str, *, of: str = "node"
) -> Iterator[Flaw]:
    """Yield one flaw for all logs of a result, at the worst of them."""
    found = list(seen)
    if not found:
        return
    worst = max(found, key=lambda each: each.by)
    count = len(nodes(entry) if of == "node" else switches(entry))
    more = f"; {len(found)} of {count} logs are so" if len(found) > 1 else ""
    yield Flaw(
        path=worst.log.path,
        line=worst.line,
        message=message,
        expected=worst.expected,
        actual=worst.actual + more,
        hint=hint,
    )


def nodes(entry: Entry) -> list[tuple[PowerLog, Window | None]]:
    """Return the logs of nodes that could be read, each with the timed part of its run."""
    measured = entry.power.runs if entry.power else ()
    return [(log, run.timed) for run in measured for log in run.nodes if _readable(log)]


def switches(entry: Entry) -> list[tuple[PowerLog, Window | None]]:
    """Return the logs of switches that could be read, each with the timed part of its run."""
    measured = entry.power.runs if entry.power else ()
    return [(log, run.timed) for run in measured for log in run.switches if _readable(log)]


def _readable(log: PowerLog) -> bool:
    return log.unreadable is None and log.marked > 0


def stamp_ms(log: PowerLog) -> float:
    """Return how coarse the clock of a log is: a second, if all its times are whole seconds."""
    return WHOLE_SECOND_MS if not any(time % WHOLE_SECOND_MS for time in log.times_ms) else 0.0


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
            if run and log.times_ms and _apart(log, run)
        ),
        entry,
        "power was measured at another time than the run",
        "take the log of this run; let clocks of meters and nodes agree, in UTC",
    )


def _apart(log: PowerLog, run: Window) -> bool:
    return bool(log.times_ms) and (
        max(log.times_ms) < run.begin_ms or min(log.times_ms) > run.end_ms
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
        if run is None or measured is None or measured.duration_ms <= 0 or _apart(log, run):
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


def few_readings(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """A measurement has at least 60 readings; a run that is shorter is extended."""
    if facts.power is None:
        return
    least = facts.power.readings
    yield from one_flaw(
        (
            Seen(
                log=log,
                line=0,
                by=least - len(set(log.times_ms)),
                expected=f"at least {least} readings",
                actual=f"{len(set(log.times_ms))}",
            )
            for log, _ in nodes(entry)
            if len(set(log.times_ms)) < least
        ),
        entry,
        "measurement has too few readings",
        "go on with training after the run until enough readings are taken",
    )


def slow_readings(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """Power is read at least once every second of the timed part."""
    if facts.power is None:
        return
    yield from one_flaw(
        _slow(entry, facts.power),
        entry,
        "power is read less often than once a second",
        "let the meter report every second; a repeated time stamp is no further reading",
    )


def _slow(entry: Entry, facts: PowerFacts) -> Iterator[Seen]:
    for log, run in nodes(entry):
        if run is None or not log.times_ms or _apart(log, run):
            continue
        inside = len({time for time in log.times_ms if run.begin_ms <= time <= run.end_ms})
        # one reading may fall on either side of each end
        needed = math.floor(run.duration_ms / facts.interval_ms) - 1
        if inside < needed:
            yield Seen(
                log=log,
                line=0,
                by=1 - inside / needed,
                expected=f"{needed} readings in {run.duration_ms / 1000:.3f} s",
                actual=f"{inside}",
            )


def gaps(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """Readings are spread evenly over the timed part: no second goes by without one."""
    if facts.power is None:
        return
    yield from one_flaw(
        _gaps(entry, facts.power),
        entry,
        "readings leave a gap in the timed part of the run",
        "let the meter report every second, evenly",
    )


def _gaps(entry: Entry, facts: PowerFacts) -> Iterator[Seen]:
    for log, run in nodes(entry):
        if run is None or not log.times_ms or _apart(log, run):
            continue
        allowed = facts.gap_ms + stamp_ms(log)
        found = quality(in_order(log), run, gap_ms=allowed)
        if found.gaps:
            longest = max(found.gaps, key=lambda gap: gap.duration_ms)
            yield Seen(
                log=log,
                line=_line_at(log, longest.end_ms),
                by=found.longest_ms,
                expected=f"at most {allowed / 1000:g} s from one reading to the next",
                actual=f"{found.longest_ms / 1000:.3f} s without one, "
                f"{found.coverage:.2%} of the run covered",
            )


def _line_at(log: PowerLog, time_ms: float) -> int:
    """Return the line of the first reading at or after a time; else of the last one."""
    later = [line for time, line in zip(log.times_ms, log.lines, strict=True) if time >= time_ms]
    return later[0] if later else log.lines[-1]


def disorder(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """Times of readings rise from line to line."""
    yield from one_flaw(
        _disorder(entry),
        entry,
        "times of readings do not rise",
        "let one clock stamp the readings, and log each once",
    )


def _disorder(entry: Entry) -> Iterator[Seen]:
    for log, _ in nodes(entry):
        latest, again, back, line = -math.inf, 0, 0, 0
        for time, at in zip(log.times_ms, log.lines, strict=True):
            if time <= latest:
                again += time == latest
                back += time < latest
                line = line or at
            latest = max(latest, time)
        if line:
            yield Seen(
                log=log,
                line=line,
                by=again + back,
                expected="a later time in every line",
                actual=f"{again} times again, {back} times back",
            )


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


def copied(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """No two logs of nodes hold the same readings at the same times."""
    yield from one_flaw(
        _copied(entry),
        entry,
        "readings are those of another log",
        "give each node of each run the log of its own meter, or say that nodes share one",
    )


def _copied(entry: Entry) -> Iterator[Seen]:
    first: dict[tuple[tuple[float, ...], tuple[float, ...]], str] = {}
    for log, _ in nodes(entry):
        if len(log.times_ms) < FEWEST_READINGS:
            continue
        known = first.setdefault((log.times_ms, log.watts), log.path)
        if known != log.path:
            yield Seen(
                log=log,
                line=log.lines[0],
                by=len(log.times_ms),
                expected="readings of its own",
                actual=f"all {len(log.times_ms)} of {known}",
            )


FEWEST_READINGS = 8  # below this, two logs may be equal by chance


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
        id="PWR813",
        name="power-readings-few",
        scope=Scope.RESULT,
        why="A mean of few readings depends on when they were taken.",
        fix="Extend training after the run until enough readings are taken, by the same code.",
        policy=PM_SPAN,
        check=few_readings,
        voids=False,
    ),
    Rule(
        id="PWR814",
        name="power-rate-low",
        scope=Scope.RESULT,
        why="Power of accelerators changes within a second; slower readings miss it.",
        fix="Let the meter report at least once every second.",
        policy=PM_RATE,
        check=slow_readings,
        voids=False,
    ),
    Rule(
        id="PWR815",
        name="power-gap",
        scope=Scope.RESULT,
        why="Readings have to be spread evenly; in a gap the next reading stands for all of it.",
        fix="Let the meter report evenly.",
        policy=PM_RATE,
        check=gaps,
        voids=False,
    ),
    Rule(
        id="PWR816",
        name="power-times-disordered",
        scope=Scope.RESULT,
        why="A repeated time adds no energy, and a time that goes back is a clock that was set.",
        fix="Log each reading once, stamped by one clock.",
        policy=PM_RATE,
        check=disorder,
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
    Rule(
        id="PWR818",
        name="power-log-copied",
        scope=Scope.RESULT,
        why="Two meters, or one meter at two times, never read the same throughout.",
        fix="Give each node of each run the log of its own meter.",
        policy="power_measurement.adoc#measure-all-nodes",
        check=copied,
        voids=False,
    ),
)
