"""Rules about the clock of a run: it runs forwards, without jumps, and for a credible time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from mlcheck.rules import Flaw, Rule, Scope
from mlcheck.suites.training.checks_run import flaw_of_run, in_parts
from mlcheck.suites.training.entry import Entry
from mlcheck.suites.training.facts import Facts
from mlcheck.suites.training.predicate import MS_PER_MINUTE

TR_RUN = "training_rules.adoc#section-run-results"
PHASES = ("init_start", "init_stop", "run_start", "run_stop")


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
                yield flaw_of_run(
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
        if in_parts(entry):
            continue  # checkpoints are evaluated after the clock was stopped
        for event in run.evaluations:
            if not run.start.time_ms <= event.time_ms <= run.stop.time_ms:
                yield flaw_of_run(
                    entry,
                    run,
                    event.line,
                    "time stamp of an evaluation lies outside the run",
                    expected=f"{run.start.time_ms:.0f} to {run.stop.time_ms:.0f} ms",
                    actual=f"{event.time_ms:.0f} ms",
                    hint="let one clock stamp all lines",
                )
                break


def endless_run(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """Time from run_start to run_stop is a time that a run can take."""
    for run in entry.runs:
        minutes = run.minutes
        if minutes is not None and minutes * MS_PER_MINUTE > LONGEST_MS:
            yield flaw_of_run(
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
        id="TRN408",
        name="run-too-long",
        scope=Scope.RESULT,
        why="Such a time is a slip of a clock or of a unit.",
        fix="Let one clock stamp all lines, in milliseconds.",
        policy=TR_RUN,
        check=endless_run,
    ),
)
