"""Rules about what happened in a run: how it ended, what the clock says, when it evaluated."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.training.convergence import progress_of
from mlcheck.suites.training.entry import Entry, Run
from mlcheck.suites.training.facts import Evaluation, Facts
from mlcheck.suites.training.predicate import MS_PER_MINUTE

TR_RESULTS = "training_rules.adoc#benchmark-results"
TR_RUN = "training_rules.adoc#section-run-results"
TR_QUALITY = "training_rules.adoc#quality-measure"
PHASES = ("init_start", "init_stop", "run_start", "run_stop")


def failed_run(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """A run ends by reaching its target, and says so."""
    for run in entry.runs:
        if run.stop is not None and not run.success:
            status = (run.stop.metadata or {}).get("status")
            yield _flaw(
                entry,
                run,
                run.stop.line,
                "run did not converge by its own word",
                expected=f"status {facts.converged}",
                actual=f"status {status!r}"[:60],
                hint="its time counts as infinite; repeat the run",
            )


def target_not_met_at_stop(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """The last evaluation before the clock was stopped meets the target."""
    for run in entry.runs:
        if run.reached is False:
            yield _flaw(
                entry,
                run,
                run.reached_line,
                "the last evaluation before run_stop misses the target",
                expected="an evaluation that meets it, then run_stop",
                actual="none",
                hint="stop the clock at the evaluation that meets the target, not before",
            )


def no_evaluation_in_run(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """Quality is evaluated between run_start and run_stop."""
    for run in entry.runs:
        if run.start is None or run.stop is None:
            continue  # TRN304
        outside = [e for e in run.log.all("eval_accuracy") if e.line < run.start.line]
        if outside:
            yield _flaw(
                entry,
                run,
                outside[0].line,
                "an evaluation stands before run_start",
                expected=f"after line {run.start.line}",
                actual=f"line {outside[0].line}",
                hint="nothing may be trained before the clock starts",
            )
        if run.success and not run.evaluations:
            yield _flaw(
                entry,
                run,
                run.stop.line,
                "no evaluation stands before run_stop",
                expected="at least one",
                actual="none",
                hint="the clock stops after the evaluation that meets the target",
            )


def backward_clock(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """The clock agrees with the order of the lines: a phase ends after it began."""
    for run in entry.runs:
        stamps = [(key, run.log.first(key)) for key in PHASES]
        known = [(key, event) for key, event in stamps if event is not None]
        for (before, earlier), (after, later) in pairwise(known):
            same_order = earlier.line < later.line
            if same_order and (
                later.time_ms < earlier.time_ms
                or (after == "run_stop" and later.time_ms == earlier.time_ms)
            ):
                yield _flaw(
                    entry,
                    run,
                    later.line,
                    f"by the clock {after} is not after {before}",
                    expected=f"more than {earlier.time_ms:.0f} ms",
                    actual=f"{later.time_ms:.0f} ms",
                    hint="repeat the run on machines whose clocks are set",
                )


def jumping_clock(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """Time stamps inside a run lie between those of its start and its stop."""
    for run in entry.runs:
        if run.start is None or run.stop is None or run.stop.time_ms <= run.start.time_ms:
            continue  # TRN304, TRN404
        if _in_parts(entry):
            continue  # checkpoints are evaluated after the clock was stopped
        for event in run.evaluations:
            if not run.start.time_ms <= event.time_ms <= run.stop.time_ms:
                yield _flaw(
                    entry,
                    run,
                    event.line,
                    "time stamp of an evaluation lies outside the run",
                    expected=f"{run.start.time_ms:.0f} to {run.stop.time_ms:.0f} ms",
                    actual=f"{event.time_ms:.0f} ms",
                    hint="let one clock stamp all lines",
                )
                break


def evaluation_without_result(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """Every evaluation that is begun in a run ends with its quality."""
    for run in entry.runs:
        if run.start is None or run.stop is None or not run.evaluations or _in_parts(entry):
            continue
        begun = [e for e in run.log.all("eval_start") if run.start.line < e.line < run.stop.line]
        if len(begun) > len(run.evaluations):
            yield _flaw(
                entry,
                run,
                begun[0].line,
                "evaluations are begun whose quality is not logged",
                expected=f"{len(begun)} lines of eval_accuracy",
                actual=f"{len(run.evaluations)}",
                hint="log eval_accuracy after every evaluation",
            )


def _in_parts(entry: Entry) -> bool:
    return entry.rules is not None and entry.rules.aggregate is not None


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
                yield _flaw(
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


def _flaw(
    entry: Entry, run: Run, line: int, message: str, *, expected: str, actual: str, hint: str
) -> Flaw:
    return Flaw(
        path=run.path,
        line=line,
        message=message,
        expected=expected,
        actual=actual,
        hint=hint,
        excused=entry.excused,
        official_excused=True,
    )


def endless_run(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """Time from run_start to run_stop is a time that a run can take."""
    for run in entry.runs:
        minutes = run.minutes
        if minutes is not None and minutes * MS_PER_MINUTE > LONGEST_MS:
            yield _flaw(
                entry,
                run,
                run.stop.line if run.stop else 0,
                "run took longer than any run can",
                expected="less than a year",
                actual=f"{minutes:.0f} minutes",
                hint="let one clock stamp all lines",
            )


LONGEST_MS = 366 * 24 * 60 * MS_PER_MINUTE


RULES = (
    Rule(
        id="TRN401",
        name="run-failed",
        scope=Scope.RESULT,
        why="A run that was given up has no time to train; it counts as the slowest.",
        fix="Repeat the run if more than one is concerned.",
        policy=TR_RESULTS,
        check=failed_run,
    ),
    Rule(
        id="TRN402",
        name="target-missed-at-stop",
        scope=Scope.RESULT,
        why="The clock may be stopped when the target is determined to have been reached, "
        "not before.",
        fix="Repeat the run; evaluate on the clock.",
        policy=TR_RUN,
        check=target_not_met_at_stop,
    ),
    Rule(
        id="TRN403",
        name="evaluation-outside-run",
        scope=Scope.RESULT,
        why="Evaluations outside the clock do not show that the timed run reached the target.",
        fix="Evaluate between run_start and run_stop.",
        policy=TR_RUN,
        check=no_evaluation_in_run,
    ),
    Rule(
        id="TRN404",
        name="clock-backward",
        scope=Scope.RESULT,
        why="The result is a difference of two time stamps.",
        fix="Repeat the run on machines whose clocks are set.",
        policy=TR_RUN,
        check=backward_clock,
    ),
    Rule(
        id="TRN405",
        name="clock-jumps",
        scope=Scope.RESULT,
        why="A clock that jumps makes the measured time worthless.",
        fix="Let one clock stamp all lines.",
        policy=TR_RUN,
        check=jumping_clock,
    ),
    Rule(
        id="TRN406",
        name="evaluation-without-quality",
        scope=Scope.RESULT,
        why="A quality that is left out may have met the target earlier, or never.",
        fix="Log eval_accuracy after every evaluation.",
        policy=TR_QUALITY,
        check=evaluation_without_result,
    ),
    Rule(
        id="TRN407",
        name="evaluations-left-out",
        scope=Scope.RESULT,
        why="Evaluation costs time, and is to cost everybody the same.",
        fix="Evaluate at every point of the schedule of the benchmark.",
        policy=TR_QUALITY,
        check=evaluated_off_schedule,
    ),
    Rule(
        id="TRN408",
        name="run-too-long",
        scope=Scope.RESULT,
        why="Such a time is a slip of a clock or of a unit.",
        fix="Let one clock stamp all lines, in milliseconds.",
        policy=TR_RUN,
        check=endless_run,
    ),
)
