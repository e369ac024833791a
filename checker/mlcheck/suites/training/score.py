"""The published number: the mean time to train without the fastest and the slowest run."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator
from dataclasses import dataclass

from mlcheck.model import Metric, Quality, Source
from mlcheck.suites.training import rcp
from mlcheck.suites.training.entry import Converged, Entry, Run
from mlcheck.suites.training.facts import Counted, Facts
from mlcheck.suites.training.predicate import SIGNS, measured, within
from mlcheck.suites.training.tables import Judge, KeyRule


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The score of a result in minutes, with what it was made of.

    Attributes:
        unscaled: before the factor of the convergence check.
        spread: standard deviation of the runs that count.
    """

    minutes: float
    unscaled: float
    factor: float
    spread: float | None
    counted: tuple[Run, ...]


def score(entry: Entry, facts: Facts) -> Score | None:
    """Return the score; None: too few runs came to an end.

    A run that did not converge took for ever, and so did, from v0.7 on, one whose log does not
    comply: it is dropped as the slowest. The factor is computed anew; a file that states one is not
    read for it.
    """
    benchmark = entry.rules
    if benchmark is None or not entry.runs:
        return None
    took = {run.path: _minutes(run, facts.counted) for run in entry.runs}
    timed = sorted(entry.runs, key=lambda run: (took[run.path], run.path))
    failed = sum(math.isinf(minutes) for minutes in took.values())
    if failed > benchmark.dropped:
        return None
    counted = timed[benchmark.dropped : len(timed) - benchmark.dropped]
    if not counted:
        return None
    minutes = [took[run.path] for run in counted]
    unscaled = sum(minutes) / len(minutes)
    factor = _factor(entry.converged)
    return Score(
        minutes=unscaled * factor,
        unscaled=unscaled,
        factor=factor,
        spread=statistics.pstdev(minutes) * factor if len(minutes) > 1 else None,
        counted=tuple(counted),
    )


def _minutes(run: Run, counted: Counted) -> float:
    refused = counted is Counted.COMPLYING and not run.official
    return math.inf if run.minutes is None or refused or not run.success else run.minutes


def _factor(converged: Converged) -> float:
    outcome = converged.official
    scaled = outcome is not None and outcome.verdict is rcp.Verdict.SCALED
    return outcome.norm_factor if scaled and outcome else 1.0


def metrics(scored: Score | None, facts: Facts) -> tuple[Metric, ...]:
    """Return the time to train, and beside it what it was before scaling."""
    if scored is None:
        return ()
    first = scored.counted[0]
    source = Source(first.path, first.stop.line if first.stop else 0)
    given = facts.score

    def made(name: str, role: str, value: float) -> Metric:
        return Metric(
            name=name,
            role=role,
            value=value,
            value_raw=repr(value),
            unit=given["unit"],
            better=given["better"],
            source=source,
        )

    primary = made(given["metric"], "primary", scored.minutes)
    if scored.factor == 1:
        return (primary,)
    return (primary, made(f"{given['metric']}_unscaled", "secondary", scored.unscaled))


def quality(entry: Entry, facts: Facts) -> tuple[Quality, ...]:
    """Return the quality that the first converged run reached, once per bound of the target."""
    benchmark = entry.rules
    if benchmark is None or benchmark.aggregate:
        return ()  # several values at each evaluation
    table = facts.tables.benchmarks.get((entry.division, benchmark.name), {})
    rule = table.get(benchmark.target)
    for run in entry.runs:
        value = measured(run.evaluations[-1].value) if run.success and run.evaluations else None
        if value is not None:
            return tuple(_qualities(run, value, rule))
    return ()


def _qualities(run: Run, value: float, rule: KeyRule | None) -> Iterator[Quality]:
    event = run.evaluations[-1]
    bounds = [each.bounds for each in rule.some if each.bounds] if rule else []
    held: list[tuple[str | None, float | None]] = [
        (SIGNS[name], bound) for each in bounds for name, bound in each.items()
    ]
    judged = rule is not None and rule.judge is Judge.BOTH
    for op, bound in held if judged and held else [(None, None)]:
        yield Quality(
            name=event.key,
            value=value,
            value_raw=repr(event.value),
            target=bound,
            op=op,
            ok=None if op is None else _holds(value, op, bound),
            source=Source(run.path, event.line),
        )


def _holds(value: float, op: str, bound: float | None) -> bool:
    name = next(name for name, sign in SIGNS.items() if sign == op)
    return bound is not None and within(value, {name: bound})
