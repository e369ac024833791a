"""The published number: the mean time to train without the fastest and the slowest run."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass

from mlcheck.model import Metric, Quality, Source
from mlcheck.suites.training import rcp
from mlcheck.suites.training.entry import Converged, Entry, Run
from mlcheck.suites.training.facts import Facts
from mlcheck.suites.training.predicates import number


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


def score(entry: Entry) -> Score | None:
    """Return the score; None: too few runs came to an end.

    A run that did not converge, or whose log does not comply, took for ever: it is dropped as the
    slowest. The factor is computed anew; a file that states one is not read for it.
    """
    benchmark = entry.rules
    if benchmark is None or not entry.runs:
        return None
    timed = sorted(entry.runs, key=lambda run: (_minutes(run), run.path))
    failed = sum(math.isinf(_minutes(run)) for run in timed)
    if failed > benchmark.dropped:
        return None
    counted = timed[benchmark.dropped : len(timed) - benchmark.dropped]
    if not counted:
        return None
    minutes = [_minutes(run) for run in counted]
    unscaled = sum(minutes) / len(minutes)
    factor = _factor(entry.converged)
    return Score(
        minutes=unscaled * factor,
        unscaled=unscaled,
        factor=factor,
        spread=statistics.pstdev(minutes) * factor if len(minutes) > 1 else None,
        counted=tuple(counted),
    )


def _minutes(run: Run) -> float:
    minutes = run.minutes
    if minutes is None or not run.official or not run.success:
        return math.inf
    return minutes


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


def quality(entry: Entry) -> tuple[Quality, ...]:
    """Return the quality of the slowest run that counts: its last evaluation."""
    benchmark = entry.rules
    if benchmark is None or benchmark.aggregate:
        return ()
    lasts = [(run, run.evaluations[-1]) for run in entry.runs if run.success and run.evaluations]
    values = [(number(event.value), run, event) for run, event in lasts]
    known = [(value, run, event) for value, run, event in values if value is not None]
    if not known:
        return ()
    value, run, event = known[0]
    return (
        Quality(
            name=benchmark.target,
            value=value,
            value_raw=repr(event.value),
            target=None,
            op=None,
            ok=run.reached,
            source=Source(run.path, event.line),
        ),
    )
