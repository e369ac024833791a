"""Rules about how often a run evaluates its quality."""

from __future__ import annotations

import math
from collections.abc import Iterator

from mlcheck.rules import Judgement, Rule, Scope, Unjudged
from mlcheck.suites.training.checks_run import flaw_of_run
from mlcheck.suites.training.convergence import progress_of
from mlcheck.suites.training.entry import Entry
from mlcheck.suites.training.facts import Evaluation, Facts

TR_QUALITY = "training_rules.adoc#quality-measure"


def evaluated_off_schedule(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """In closed, quality is evaluated as often as the reference does."""
    benchmark = entry.rules
    if benchmark is None or benchmark.evaluation is None or entry.division != "closed":
        return
    batch = entry.batch
    if batch is None:
        yield Unjudged("the logs do not agree on a batch size (TRN504)", skipped=True)
        return
    step = _interval(benchmark.evaluation, batch)
    latest = step * (1 + _left_out(benchmark.evaluation, batch))
    for run in entry.runs:
        before = latest - step
        for event in run.evaluations:
            point = progress_of(event, benchmark)
            if point is None:
                continue  # TRN308
            if point - before > step:
                yield flaw_of_run(
                    entry,
                    run,
                    event.line,
                    "evaluations are left out",
                    expected=f"one every {step:.10g} samples, the first at {latest:.10g} at most",
                    actual=f"{point:.10g} after {max(before, 0):.10g}",
                    hint="evaluate at every point of the schedule, on the clock",
                )
                break
            before = max(before, point)


def _interval(evaluation: Evaluation, batch: float) -> float:
    return math.ceil(evaluation.every / batch) * batch


def _left_out(evaluation: Evaluation, batch: float) -> int:
    return math.floor(evaluation.per_batch * batch + evaluation.plus)


RULES = (
    Rule(
        id="TRN407",
        name="evaluations-left-out",
        scope=Scope.RESULT,
        why="Evaluation costs time, and is to cost everybody the same.",
        fix="Evaluate at every point of the schedule of the benchmark.",
        policy=TR_QUALITY,
        check=evaluated_off_schedule,
    ),
)
