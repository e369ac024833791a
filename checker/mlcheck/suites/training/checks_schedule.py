"""Rules about how often a run evaluates its quality."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.training.checks_run import begun_evaluations, flaw_of_run
from mlcheck.suites.training.convergence import progress_of
from mlcheck.suites.training.entry import Entry, Run
from mlcheck.suites.training.facts import Benchmark, Facts
from mlcheck.suites.training.schedule import Checkpoints, Due

TR_QUALITY = "training_rules.adoc#quality-measure"
LEFT_OUT = "evaluations are left out"
LATE = "an evaluation comes late"
ELSEWHERE = "an evaluation stands off the schedule"


def evaluated_off_schedule(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """In closed, quality is evaluated as often as the reference does."""
    benchmark = entry.rules
    if benchmark is None or benchmark.evaluation is None or entry.division != "closed":
        return
    if entry.batch is None:
        yield Unjudged("the logs do not agree on a batch size (TRN504)", skipped=True)
    elif isinstance(benchmark.evaluation, Checkpoints):
        yield from _checkpoints(entry, benchmark, benchmark.evaluation, entry.batch)
    else:
        due = benchmark.evaluation(entry.batch)
        for run in entry.runs:
            if len(begun_evaluations(run)) > len(run.evaluations):
                continue  # TRN406
            yield from _left_out(entry, run, benchmark, due)


def _left_out(entry: Entry, run: Run, benchmark: Benchmark, due: Due) -> Iterator[Flaw]:
    first: float | None = None
    before: float | None = None
    blind = False  # the evaluation before does not say where it stands
    for event in run.evaluations:
        point = progress_of(event, benchmark)
        if point is None:
            blind = True  # TRN308
            continue
        first = point if first is None else first
        latest = due.latest(before)
        late = point > latest + due.late
        if not blind and (late or not due.fits(first, point)):
            left_out = point >= latest + due.gap - due.late
            yield flaw_of_run(
                entry,
                run,
                event.line,
                LEFT_OUT if left_out else LATE if late else ELSEWHERE,
                expected=f"at {latest:.10g} {due.unit} at the latest{_schedule(due)}",
                actual=f"at {point:.10g}" + ("" if before is None else f", after {before:.10g}"),
                hint="evaluate at every point of the schedule, on the clock",
            )
            return
        blind = False
        before = point if before is None else max(before, point)


def _schedule(due: Due) -> str:
    """Say what is asked for as a whole."""
    if due.listed:
        return f" (at {', '.join(f'{point:g}' for point in due.listed)})"
    first = "" if due.first == due.gap else f", the first at {due.first:.10g}"
    return f" (one every {due.gap:.10g}{first})"


def _checkpoints(
    entry: Entry, benchmark: Benchmark, asked: Checkpoints, batch: float
) -> Iterator[Flaw]:
    source = benchmark.aggregate.source if benchmark.aggregate else benchmark.target
    way, complete = asked.interval(batch), 0
    for run in entry.runs:
        told = (progress_of(event, benchmark) for event in run.log.all(source))
        points = [point for point in told if point is not None]
        missing, whole = asked.gaps(points, batch)
        complete += whole
        if missing is not None:
            yield flaw_of_run(
                entry,
                run,
                next((event.line for event in run.log.all(source)), 0),
                "the last checkpoint but one is not evaluated",
                expected=f"quality at {missing:.10g} (a checkpoint every {way:.10g})",
                actual=f"the last at {max(points):.10g}",
                hint="evaluate the checkpoint before the one that meets the target",
            )
    wanted = asked.complete * len(entry.runs)
    if entry.runs and complete < int(wanted):
        yield flaw_of_run(
            entry,
            entry.runs[0],
            0,
            LEFT_OUT,
            expected=f"{int(wanted)} runs with all checkpoints, one every {way:.10g}",
            actual=f"{complete}",
            hint="evaluate every checkpoint of one run in ten",
        )


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
