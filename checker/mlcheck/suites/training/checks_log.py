"""Rules about logs as files: can they be read, line by line, and how many of them fail?

One failing log is dropped as the slowest (four of forty in the case of U-Net3D), so that its flaws
weigh less as long as no more fail.
"""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.rules import Flaw, Rule, Scope
from mlcheck.suites.training.entry import Entry, Run
from mlcheck.suites.training.facts import Facts
from mlcheck.suites.training.log_lines import Kind, Syntax

TR_RESULTS = "training_rules.adoc#benchmark-results"
SR_LOGS = "submission_rules.adoc#log-files"


def unreadable_log(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The log of every run can be read and holds lines of the format."""
    for run in entry.runs:
        log = run.log
        if log.unreadable is not None:
            yield flaw_of(entry, run, 0, "log cannot be read", "a text file", log.unreadable)
        elif log.lines == 0:
            yield flaw_of(
                entry,
                run,
                0,
                "log holds no line of the format",
                f"lines with {facts.form.marker.decode().strip()}",
                "none",
                "give the log that mllog wrote, as UTF-8",
            )


def torn_line(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """What follows the marker of a line can be read: JSON, before v0.7 behind time and key."""
    expected = _AFTER_MARKER[facts.form.syntax].format(facts.form.marker.decode().strip())
    yield from _problems(entry, Kind.TORN, "line is torn", expected)


def misshapen_line(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """A line holds a key, a finite time stamp, a value and metadata."""
    yield from _problems(entry, Kind.SHAPE, _MISSHAPEN, _FIELDS[facts.form.syntax])


def misshapen_line_official(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """Before v0.7 the official tool stumbles only where one of its rules asks for the value."""
    expected = _FIELDS[facts.form.syntax]
    yield from _problems(entry, Kind.SHAPE, _MISSHAPEN, expected, official=True)


_MISSHAPEN = "line is not as the format asks for"
_FIELDS = {
    Syntax.OBJECT: "an object with key, time_ms, value and metadata",
    Syntax.KEYED: "time, key, and an object with value and metadata",
}
_AFTER_MARKER = {
    Syntax.OBJECT: "JSON after {}",
    Syntax.KEYED: "{} SECONDS KEY: JSON",
}


def _problems(
    entry: Entry, kind: Kind, message: str, expected: str, *, official: bool = False
) -> Iterator[Flaw]:
    for run in entry.runs:
        for problem in run.log.problems:
            if problem.kind is kind and (problem.official or not official):
                yield flaw_of(entry, run, problem.line, message, expected, problem.message)


def flaw_of(
    entry: Entry,
    run: Run,
    line: int,
    message: str,
    expected: str,
    actual: str,
    hint: str = "repeat the run, or mend what writes the log; never edit a log",
) -> Flaw:
    """Return a flaw of a log; as long as few logs fail, each weighs less."""
    return Flaw(
        path=run.path,
        line=line,
        message=message,
        expected=expected,
        actual=actual,
        hint=hint,
        excused=entry.excused,
        official_excused=entry.official_excused,
    )


def too_many_failures(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """No more runs fail than are dropped as the slowest ones."""
    benchmark = entry.rules
    failed = [run for run in entry.runs if not (run.complies and run.converged)]
    if benchmark and len(failed) > benchmark.dropped:
        yield _failures(entry, failed, benchmark.dropped)


def too_many_failures_official(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """The official tool counts logs that do not comply; whether a run converged it asks later."""
    benchmark = entry.rules
    failed = [run for run in entry.runs if not run.official]
    if benchmark and len(failed) > benchmark.dropped:
        yield _failures(entry, failed, benchmark.dropped)


def _failures(entry: Entry, failed: list[Run], allowed: int) -> Flaw:
    names = ", ".join(run.path.rpartition("/")[2] for run in failed[:4])
    more = "" if len(failed) <= 4 else f" and {len(failed) - 4} more"
    return Flaw(
        path=entry.path,
        message=f"{len(failed)} of {len(entry.runs)} runs fail",
        expected=f"at most {allowed}, dropped as the slowest",
        actual=names + more,
        hint="repeat the runs that fail, all of them with new seeds",
    )


RULES = (
    Rule(
        id="TRN301",
        name="log-unreadable",
        scope=Scope.RESULT,
        why="What cannot be read cannot be judged; the run counts as one that did not converge.",
        fix="Give the log as mllog wrote it: text, in UTF-8, smaller than 256 MiB.",
        policy=SR_LOGS,
        check=unreadable_log,
    ),
    Rule(
        id="TRN302",
        name="log-line-torn",
        scope=Scope.RESULT,
        why="A torn line hides what was logged; mostly two processes wrote at the same time.",
        fix="Let one process write the log, or give each its own file.",
        policy=SR_LOGS,
        check=torn_line,
    ),
    Rule(
        id="TRN303",
        name="log-line-misshapen",
        scope=Scope.RESULT,
        why="The official parser ends with an error at such a line, whatever else the log holds.",
        fix="Write log lines with the mllog package alone.",
        policy=SR_LOGS,
        check=misshapen_line,
        official_check=misshapen_line_official,
    ),
    Rule(
        id="TRN313",
        name="too-many-failures",
        scope=Scope.RESULT,
        why="One run may fail and is dropped as the slowest; a result with more is invalid.",
        fix="Look at what is reported of each log, then repeat the runs.",
        policy=TR_RESULTS,
        check=too_many_failures,
        official_check=too_many_failures_official,
    ),
)
