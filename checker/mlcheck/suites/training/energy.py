"""Energy to train: of a node, of a switch, of a run, of a result. Joules throughout."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from mlcheck.power.integrate import Samples, Window, rectangle_j
from mlcheck.suites.training.power_facts import PowerFacts
from mlcheck.suites.training.power_log import PowerLog, Stated, shown

MS_PER_S = 1000.0


@dataclass(frozen=True, slots=True)
class Energy:
    """Energy of one meter, or of a run, in joules; None: it cannot be computed.

    Attributes:
        official_j: of the whole measurement, scaled to the time to train.
        timed_j: of the readings that cover the timed part, as the policy defines it.
    """

    official_j: float | None
    timed_j: float | None


@dataclass(frozen=True, slots=True)
class RunEnergy:
    """Energy of one run: in all, and of each node in the order of their logs."""

    total: Energy
    nodes: tuple[Energy, ...]


def run_energy(
    nodes: tuple[PowerLog, ...],
    switches: tuple[PowerLog, ...],
    timed: Window | None,
    facts: PowerFacts,
) -> RunEnergy:
    """Return the energy of a run: the sum over its nodes and switches."""
    if timed is None or not nodes:
        return RunEnergy(Energy(None, None), ())
    of_nodes = tuple(
        Energy(official_node_j(log, timed, facts), timed_node_j(log, timed)) for log in nodes
    )
    of_all = of_nodes + tuple(
        Energy(official_switch_j(log, timed), timed_switch_j(log, timed)) for log in switches
    )
    total = Energy(_sum([e.official_j for e in of_all]), _sum([e.timed_j for e in of_all]))
    return RunEnergy(total, of_nodes)


def _sum(parts: list[float | None]) -> float | None:
    known = [part for part in parts if part is not None]
    return _finite(sum(known)) if len(known) == len(parts) else None


def _finite(joules: float) -> float | None:
    return joules if math.isfinite(joules) else None


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
    return _finite(efficiency * joules * run.duration_ms / window.duration_ms)


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
    return shown(max(stated, key=lambda each: (each.time_ms, each.line)).value)


def official_switch_j(log: PowerLog, run: Window) -> float | None:
    """Return the energy of a switch: its first estimate times the time to train.

    Readings of a switch add nothing; an efficiency counts if it stands before the estimate.
    """
    if not log.estimates:
        return 0.0
    first = log.estimates[0]
    before = tuple(each for each in log.efficiencies if each.line < first.line)
    efficiency = shown(before[-1].value) if before else 1.0
    watts = shown(first.value)
    if watts is None or efficiency is None:
        return None
    return _finite(efficiency * watts * run.duration_ms / MS_PER_S)


def timed_node_j(log: PowerLog, run: Window) -> float | None:
    """Return the energy of a node in the timed part, by the readings that cover it."""
    efficiency = official_efficiency(log.efficiencies)
    if efficiency is None or not log.times_ms:
        return None
    return _finite(efficiency * rectangle_j(in_order(log), run))


def timed_switch_j(log: PowerLog, run: Window) -> float | None:
    """Return the energy of a switch in the timed part: estimated, or else measured."""
    return official_switch_j(log, run) if log.estimates else timed_node_j(log, run)
