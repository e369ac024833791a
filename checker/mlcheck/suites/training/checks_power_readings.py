"""Rules about readings of power: how many, how often, how evenly, and whose."""

from __future__ import annotations

import math
from collections.abc import Iterator

from mlcheck.power.integrate import quality
from mlcheck.rules import Flaw, Rule, Scope
from mlcheck.suites.training.energy import in_order
from mlcheck.suites.training.entry import Entry
from mlcheck.suites.training.facts import Facts
from mlcheck.suites.training.power_facts import PowerFacts
from mlcheck.suites.training.power_log import PowerLog
from mlcheck.suites.training.power_seen import Seen, apart, nodes, one_flaw, stamp_ms

PM_NODES = "power_measurement.adoc#measure-all-nodes"
PM_RATE = "power_measurement.adoc#report-1-measurement-per-second"
PM_SPAN = "power_measurement.adoc#measure-maxa-run-60-power-samples"


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
        if run is None or not log.times_ms or apart(log, run):
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
        if run is None or not log.times_ms or apart(log, run):
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
        id="PWR818",
        name="power-log-copied",
        scope=Scope.RESULT,
        why="Two meters, or one meter at two times, never read the same throughout.",
        fix="Give each node of each run the log of its own meter.",
        policy=PM_NODES,
        check=copied,
        voids=False,
    ),
)
