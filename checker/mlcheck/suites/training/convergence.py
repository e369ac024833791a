"""When a run reached its target, and what the reference says of all runs of a result."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from mlcheck.suites.training import rcp
from mlcheck.suites.training.compliance import aggregated
from mlcheck.suites.training.entry import Converged, Run, Unchecked
from mlcheck.suites.training.facts import Benchmark
from mlcheck.suites.training.mllog import Event
from mlcheck.suites.training.predicates import State, number
from mlcheck.suites.training.tables import KeyRule


def before_stop(events: Iterable[Event], key: str) -> tuple[Event, ...]:
    """Return the lines of a key that stand before the last run_stop; none without one."""
    found: list[Event] = []
    stopped = 0
    for event in events:
        if event.key == key:
            found.append(event)
        elif event.key == "run_stop":
            stopped = len(found)
    return tuple(found[:stopped])


def meets(event: Event, rule: KeyRule) -> bool:
    """Tell whether a line meets the quality target."""
    return all(each.holds(event, State()) for each in rule.some)


def progress_of(event: Event, benchmark: Benchmark) -> float | None:
    """Return how much was trained at an evaluation; None: it does not say."""
    value = number((event.metadata or {}).get(benchmark.progress.field))
    digits = benchmark.progress.digits
    return value if value is None or digits is None else round(value, digits)


def passing(events: Sequence[Event], benchmark: Benchmark, target: KeyRule) -> list[Event]:
    """Return the evaluations that meet the target, put together if they are logged in parts."""
    whole = aggregated(events, benchmark.aggregate) if benchmark.aggregate else iter(events)
    return [event for event in whole if meets(event, target)]


def converged_at(
    events: tuple[Event, ...], benchmark: Benchmark, target: KeyRule | None
) -> float | None:
    """Return samples or epochs until the target was reached; None: the log does not say."""
    source = benchmark.aggregate.source if benchmark.aggregate else "eval_accuracy"
    evaluations = before_stop(events, source)
    if not benchmark.progress.first_passing:
        return progress_of(evaluations[-1], benchmark) if evaluations else None
    if target is None:
        return None
    points = (progress_of(e, benchmark) for e in passing(evaluations, benchmark, target))
    return min((point for point in points if point is not None), default=None)


def check(
    runs: tuple[Run, ...], benchmark: Benchmark | None, batch: float | None, *, required: bool
) -> Converged:
    """Hold the runs of a result against the reference.

    Args:
        runs: all logs of a result.
        benchmark: the one that the logs name.
        batch: the batch size they agree on.
        required: the division asks for it.
    """
    if not required:
        return Converged(policy=None, official=None, unchecked=Unchecked.DIVISION)
    unchecked = _unchecked(runs, benchmark, batch)
    if unchecked or benchmark is None or batch is None:
        return Converged(policy=None, official=None, unchecked=unchecked)
    points = _points(runs)
    outcomes = [
        rcp.evaluate(batch, points, benchmark.references, method) if method else None
        for method in (benchmark.policy, benchmark.official)
    ]
    return Converged(policy=outcomes[0], official=outcomes[1])


def batch_of(runs: tuple[Run, ...]) -> float | None:
    """Return the batch size that all logs agree on; None: they do not, or it is no number."""
    sizes = {repr(run.value("global_batch_size")) for run in runs}
    if len(sizes) != 1:
        return None
    value = number(runs[0].value("global_batch_size"))
    return value if value is not None and value > 0 else None


def _unchecked(
    runs: tuple[Run, ...], benchmark: Benchmark | None, batch: float | None
) -> Unchecked | None:
    if not runs:
        return Unchecked.FEW
    if benchmark is None or benchmark.policy is None or not benchmark.references:
        return Unchecked.BENCHMARK
    if batch is None:
        return Unchecked.BATCH
    if sum(not run.success for run in runs) > benchmark.dropped:
        return Unchecked.FAILED
    if any(run.success and run.converged_at is None for run in runs):
        return Unchecked.PROGRESS
    return Unchecked.FEW if len(runs) <= 2 * benchmark.dropped else None


def _points(runs: Iterable[Run]) -> list[float]:
    """A run that did not converge took for ever, and is dropped as the slowest one."""
    return [
        run.converged_at if run.success and run.converged_at is not None else math.inf
        for run in runs
    ]
