"""When a run reached its target, and what the reference says of all runs of a result."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from mlcheck.suites.training import rcp
from mlcheck.suites.training.compliance import aggregated
from mlcheck.suites.training.entry import Converged, Run, Unchecked
from mlcheck.suites.training.facts import Benchmark
from mlcheck.suites.training.log_lines import Event
from mlcheck.suites.training.predicate import State, number
from mlcheck.suites.training.rcp_points import Method
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


def check(runs: tuple[Run, ...], benchmark: Benchmark | None, *, required: bool) -> Converged:
    """Hold the runs of a result against the reference.

    Args:
        runs: all logs of a result.
        benchmark: the one that the logs name.
        required: the division asks for it.
    """
    if not required:
        none = Unchecked.DIVISION
        return Converged(policy=None, official=None, unchecked=none, official_unchecked=none)
    if benchmark is None or not benchmark.references:
        none = Unchecked.BENCHMARK
        return Converged(policy=None, official=None, unchecked=none, official_unchecked=none)
    telling = tuple(run for run in runs if run.value("global_batch_size") is not None)
    policy = _checked(runs, batch_of(telling), benchmark, benchmark.policy, silent_fails=True)
    official = _checked(runs, batch_of(runs), benchmark, benchmark.official, silent_fails=False)
    return Converged(
        policy=policy if isinstance(policy, rcp.Outcome) else None,
        official=official if isinstance(official, rcp.Outcome) else None,
        unchecked=policy if isinstance(policy, Unchecked) else None,
        official_unchecked=official if isinstance(official, Unchecked) else None,
    )


def batch_of(runs: tuple[Run, ...]) -> float | None:
    """Return the batch size that all logs agree on; None: they do not, or it is no number."""
    sizes = {repr(run.value("global_batch_size")) for run in runs}
    if len(sizes) != 1:
        return None
    value = number(runs[0].value("global_batch_size"))
    return value if value is not None and value >= 1 else None


def _checked(
    runs: tuple[Run, ...],
    batch: float | None,
    benchmark: Benchmark,
    method: Method | None,
    *,
    silent_fails: bool,
) -> rcp.Outcome | Unchecked:
    """Return the outcome, or why there is none.

    ``silent_fails``: a run that does not say when it converged is one that did not, and may be
    dropped as the slowest; the official tool ends with an error instead.
    """
    if method is None:
        return Unchecked.BENCHMARK
    if len(runs) <= 2 * benchmark.dropped:
        return Unchecked.FEW
    if batch is None:
        return Unchecked.BATCH
    points = [math.inf if _at(run) is None else float(_at(run) or 0) for run in runs]
    if not silent_fails and any(run.success and run.converged_at is None for run in runs):
        return Unchecked.PROGRESS
    if sum(math.isinf(point) for point in points) > benchmark.dropped:
        return Unchecked.FAILED
    return rcp.evaluate(batch, points, benchmark.references, method)


def _at(run: Run) -> float | None:
    """Return when a run converged; None: it did not, and took for ever."""
    return run.converged_at if run.success else None
