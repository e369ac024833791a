"""Energy to train: of a node, of a switch, of a run, of a result. Joules throughout."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mlcheck.model import Power, Source
from mlcheck.power.integrate import Samples, Window, rectangle_j
from mlcheck.suites.training.entry import Entry, Run
from mlcheck.suites.training.power_files import PowerFacts, RunPower, official_failures
from mlcheck.suites.training.power_log import PowerLog, Stated, finite
from mlcheck.suites.training.score import Score

MS_PER_S = 1000.0
METHOD = "meters of nodes"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnergy:
    """Energy of one run.

    Attributes:
        official_j: of the whole measurement, scaled to the time to train.
        timed_j: of the readings that cover the timed part, as the policy defines it.
    """

    official_j: float | None
    timed_j: float | None


def run_energy(run: Run, measured: RunPower, facts: PowerFacts) -> RunEnergy:
    """Return the energy of a run: the sum over its nodes and switches; None: one is missing."""
    window = timed_part(run)
    if window is None or not measured.nodes:
        return RunEnergy(official_j=None, timed_j=None)
    official = [official_node_j(log, window, facts) for log in measured.nodes]
    official += [official_switch_j(log, window) for log in measured.switches]
    timed = [timed_node_j(log, window) for log in measured.nodes]
    timed += [timed_switch_j(log, window) for log in measured.switches]
    return RunEnergy(official_j=_sum(official), timed_j=_sum(timed))


def _sum(parts: list[float | None]) -> float | None:
    known = [part for part in parts if part is not None]
    return finite(math.fsum(known)) if len(known) == len(parts) else None


def timed_part(run: Run) -> Window | None:
    """Return the time from run_start to run_stop; None: the log does not say, or it is empty."""
    if run.start is None or run.stop is None or run.stop.time_ms <= run.start.time_ms:
        return None
    return Window(begin_ms=run.start.time_ms, end_ms=run.stop.time_ms)


def in_order(log: PowerLog) -> Samples:
    """Return the readings in the order of their times; the measurement began with its start."""
    pairs = sorted(zip(log.times_ms, log.watts, strict=True), key=lambda pair: pair[0])
    return Samples(
        tuple(time for time, _ in pairs),
        tuple(watts for _, watts in pairs),
        since_ms=log.starts[0].time_ms if log.starts else None,
    )


def span(log: PowerLog, facts: PowerFacts) -> Window | None:
    """Return the measurement as the official summary takes it; None: it has no start or no end.

    Without a stop, the last reading ends it. Of several starts or stops, the last one counts.
    """
    if not log.starts:
        return None
    ends = [max(log.stops, key=lambda mark: mark.time_ms).time_ms] if log.stops else []
    if not ends or facts.latest_stop:
        ends += [time for time in log.times_ms if time >= log.starts[0].time_ms]
    begin = max(log.starts, key=lambda mark: mark.time_ms).time_ms
    return Window(begin_ms=begin, end_ms=max(ends)) if ends else None


def official_node_j(log: PowerLog, run: Window, facts: PowerFacts) -> float | None:
    """Return the energy of a node: all that was measured, scaled to the time to train.

    The official summary sorts the lines by their time and adds up each reading times the time
    since the one before.
    """
    window = span(log, facts)
    efficiency = official_efficiency(log.efficiencies)
    if window is None or window.duration_ms <= 0 or efficiency is None or log.odd:
        return None
    joules = math.fsum(rectangle_j(part) for part in _measured(log, facts))
    return finite(efficiency * joules * run.duration_ms / window.duration_ms)


def _measured(log: PowerLog, facts: PowerFacts) -> Iterator[Samples]:
    """Yield the readings after each start, up to the first stop."""
    starts = sorted(log.starts, key=lambda mark: (mark.time_ms, mark.line))
    stop = min(((mark.time_ms, mark.line) for mark in log.stops), default=(math.inf, 0))
    events = sorted(zip(log.times_ms, log.lines, log.watts, strict=True))
    if facts.latest_stop and log.stops:  # where the line stands ends it, not its time
        events = [event for event in events if event[1] < log.stops[0].line]
        stop = (math.inf, 0)
    for at, mark in enumerate(starts):
        begin = (mark.time_ms, mark.line)
        later = starts[at + 1] if at + 1 < len(starts) else None
        end = min(stop, (later.time_ms, later.line)) if later else stop
        inside = [event for event in events if begin < event[:2] < end]
        yield Samples(
            tuple(time for time, _, _ in inside),
            tuple(watts for _, _, watts in inside),
            since_ms=mark.time_ms,
        )


def official_efficiency(stated: tuple[Stated, ...]) -> float | None:
    """Return the efficiency that the official summary takes: the last one, or 1."""
    if not stated:
        return 1.0
    return finite(max(stated, key=lambda each: (each.time_ms, each.line)).value)


def official_switch_j(log: PowerLog, run: Window) -> float | None:
    """Return the energy of a switch: its first estimate times the time to train.

    Readings of a switch add nothing; an efficiency counts if it stands before the estimate.
    """
    if not log.estimates:
        return 0.0
    first = log.estimates[0]
    before = tuple(each for each in log.efficiencies if each.line < first.line)
    efficiency = finite(before[-1].value) if before else 1.0
    watts = finite(first.value)
    if watts is None or efficiency is None:
        return None
    return finite(efficiency * watts * run.duration_ms / MS_PER_S)


def timed_node_j(log: PowerLog, run: Window) -> float | None:
    """Return the energy of a node in the timed part, by the readings that cover it."""
    efficiency = official_efficiency(log.efficiencies)
    if efficiency is None or not log.times_ms:
        return None
    return finite(efficiency * rectangle_j(in_order(log), run))


def timed_switch_j(log: PowerLog, run: Window) -> float | None:
    """Return the energy of a switch in the timed part: estimated, or else measured."""
    return official_switch_j(log, run) if log.estimates else timed_node_j(log, run)


def power_of(
    entry: Entry,
    scored: Score | None,
    energies: Mapping[str, RunEnergy],
    facts: PowerFacts | None,
) -> Power | None:
    """Return the energy of a result; None: no power was measured.

    The mean of the runs that count for the time to train, in the order of their times, multiplied
    by the same factor.
    """
    if entry.power is None or facts is None:
        return None
    counted = [energies[run.path].official_j for run in scored.counted] if scored else []
    known = [each for each in counted if each is not None]
    complete = scored is not None and len(known) == len(counted) > 0
    value = math.fsum(known) / len(known) * scored.factor if complete and scored else None
    nodes = [log for run in entry.power.runs for log in run.nodes]
    return Power(
        kind="measured",
        value=value,
        unit=facts.unit,
        average_w=value / (scored.minutes * 60) if value is not None and scored else None,
        efficiency=None,
        valid=accepted(entry, facts),
        samples=sum(len(log.times_ms) for log in nodes),
        source=Source(nodes[0].path if nodes else entry.power.path),
        method=METHOD,
    )


def by_log(entry: Entry, facts: PowerFacts) -> dict[str, RunEnergy]:
    """Return the energy of each run by the path of its log."""
    runs = entry.power.runs if entry.power else ()
    return {
        run.path: run_energy(run, measured, facts)
        for run, measured in zip(entry.runs, runs, strict=True)
    }


def accepted(entry: Entry, facts: PowerFacts) -> bool:
    """Whether the official check takes the measurement, runs excused that count as slowest."""
    failed = official_failures(entry.power, facts) if entry.power else frozenset()
    return failed is not None and len(failed) <= (entry.rules.dropped if entry.rules else 0)
