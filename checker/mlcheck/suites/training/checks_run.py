"""Rules about what happened in a run: how it ended, and whether its evaluations show it."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.rules import Flaw, Rule, Scope
from mlcheck.suites.training.entry import Entry, Run
from mlcheck.suites.training.facts import Facts
from mlcheck.suites.training.log_lines import Event

TR_RESULTS = "training_rules.adoc#benchmark-results"
TR_RUN = "training_rules.adoc#section-run-results"
TR_QUALITY = "training_rules.adoc#quality-measure"


def failed_run(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """A run ends by reaching its target, and says so."""
    for run in entry.runs:
        if run.stop is not None and not run.success:
            status = (run.stop.metadata or {}).get("status")
            yield flaw_of_run(
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
            yield flaw_of_run(
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
            yield flaw_of_run(
                entry,
                run,
                outside[0].line,
                "an evaluation stands before run_start",
                expected=f"after line {run.start.line}",
                actual=f"line {outside[0].line}",
                hint="nothing may be trained before the clock starts",
            )
        if run.success and not run.evaluations:
            yield flaw_of_run(
                entry,
                run,
                run.stop.line,
                "no evaluation stands before run_stop",
                expected="at least one",
                actual="none",
                hint="the clock stops after the evaluation that meets the target",
            )


def evaluation_without_result(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """Every evaluation that is begun in a run ends with its quality."""
    for run in entry.runs if not in_parts(entry) else ():
        begun = begun_evaluations(run)
        if run.evaluations and len(begun) > len(run.evaluations):
            yield flaw_of_run(
                entry,
                run,
                begun[0].line,
                "evaluations are begun whose quality is not logged",
                expected=f"{len(begun)} lines of eval_accuracy",
                actual=f"{len(run.evaluations)}",
                hint="log eval_accuracy after every evaluation",
            )


def begun_evaluations(run: Run) -> tuple[Event, ...]:
    """Return the evaluations that begin between start and stop of a run; none without both."""
    if run.start is None or run.stop is None:
        return ()
    start, stop = run.start.line, run.stop.line
    return tuple(event for event in run.log.all("eval_start") if start < event.line < stop)


def in_parts(entry: Entry) -> bool:
    """Tell whether quality is logged in parts, after the clock was stopped."""
    return entry.rules is not None and entry.rules.aggregate is not None


def flaw_of_run(
    entry: Entry, run: Run, line: int, message: str, *, expected: str, actual: str, hint: str
) -> Flaw:
    """Return a flaw of a run, which the official tool does not look for."""
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
        id="TRN406",
        name="evaluation-without-quality",
        scope=Scope.RESULT,
        why="A quality that is left out may have met the target earlier, or never.",
        fix="Log eval_accuracy after every evaluation.",
        policy=TR_QUALITY,
        check=evaluation_without_result,
    ),
)
