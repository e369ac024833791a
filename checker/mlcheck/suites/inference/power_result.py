"""The power measurement that is reported beside a result: what is published, and how good it is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from mlcheck.model import Metric, Power, PowerDetail, Source, TracePoint
from mlcheck.power import meter
from mlcheck.power.integrate import MS_PER_S, Samples, Window, rectangle_j
from mlcheck.suites.inference.entry import Entry, PowerFolder
from mlcheck.suites.inference.facts import Facts
from mlcheck.suites.inference.score import average_w, power_of

TRACE_POINTS = 240  # as wide as a plot needs


def power_result(entry: Entry, metric: Metric | None, facts: Facts) -> Power | None:
    """Return the power measurement of an entry; None: there is none."""
    folder, scenario = entry.power, entry.scenario
    if folder is None:
        return None
    published = power_of(entry, metric, facts)
    energy = scenario is not None and scenario.power == "energy"
    run = folder.testing_run
    identity = meter.identity(folder.server.meter) if folder.server else None
    return Power(
        kind="measured",
        value=published.value if published else None,
        unit=facts.power["energy_unit"] if energy else "W",
        average_w=published.average_w if published else average_w(entry, facts),
        efficiency=published.efficiency if published else None,
        valid=True,
        samples=run.quality.samples if run.quality else 0,
        source=Source(folder.samples_path),
        method=f"SPEC PTDaemon {identity.version}".rstrip() if identity else "SPEC PTDaemon",
        detail=_detail(folder),
        trace=tuple(trace(run.samples, run.window)) if run.window else (),
    )


def _detail(folder: PowerFolder) -> PowerDetail:
    run, messages = folder.testing_run, folder.server.meter if folder.server else ()
    identity, phases = meter.identity(messages), tuple(meter.phases(messages))
    testing = phases[-1] if len(phases) > 1 else None
    uncertainty = meter.summary(testing.after, "Uncertainty") if testing else None
    known = uncertainty if uncertainty and uncertainty.mean >= 0 else None
    window, found = run.window, run.quality
    return PowerDetail(
        energy_j=rectangle_j(run.samples, window) if window else None,
        begin_ms=window.begin_ms if window else None,
        end_ms=window.end_ms if window else None,
        coverage=found.coverage if found else None,
        longest_gap_ms=found.longest_ms if found else None,
        unused=found.zero + found.negative + found.not_finite if found else None,
        uncertainty=known.mean if known else None,
        uncertainty_most=known.most if known else None,
        range_a=testing.amps if testing else None,
        range_v=testing.volts if testing else None,
        largest_a=folder.samples.largest_amps if folder.samples else None,
        meter=identity.model[:60] if identity else None,
    )


def trace(samples: Samples, window: Window, points: int = TRACE_POINTS) -> Iterator[TracePoint]:
    """Thin samples out: at most ``points`` groups of equal length in time, in order.

    Readings from a tenth of the window before it to a tenth behind it are shown; those that are no
    number are left out.
    """
    margin = window.duration_ms / 10
    low, high = window.begin_ms - margin, window.end_ms + margin
    step = (high - low) / points
    groups: dict[int, list[tuple[float, float]]] = {}
    if not (math.isfinite(step) and step > 0):
        return
    for time, watts in zip(samples.times_ms, samples.watts, strict=True):
        if low <= time < high and math.isfinite(watts):
            groups.setdefault(int((time - low) / step), []).append((time, watts))
    for _, group in sorted(groups.items()):
        yield _point(group, window.begin_ms)


def _point(group: Sequence[tuple[float, float]], begin_ms: float) -> TracePoint:
    times = [time for time, _ in group]
    watts = [reading for _, reading in group]
    return TracePoint(
        second=(math.fsum(times) / len(times) - begin_ms) / MS_PER_S,
        mean_w=math.fsum(watts) / len(watts),
        least_w=min(watts),
        most_w=max(watts),
    )
