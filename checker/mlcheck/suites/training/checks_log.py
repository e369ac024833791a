"""Rules about single logs: can they be read, and do they hold what the tables ask for?

One failing log is dropped as the slowest (four of forty in the case of U-Net3D), so that its flaws
weigh less as long as no more fail.
"""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.rules import Flaw, Rule, Scope
from mlcheck.suites.training.compliance import MISSING, REPEATED, TABLE, TARGET, Breach
from mlcheck.suites.training.entry import Entry, Run
from mlcheck.suites.training.facts import Facts
from mlcheck.suites.training.mllog import Kind
from mlcheck.suites.training.predicate import About

TR_RESULTS = "training_rules.adoc#benchmark-results"
TR_RUN = "training_rules.adoc#section-run-results"
TR_HYPER = "training_rules.adoc#hyperparameters"
TR_QUALITY = "training_rules.adoc#quality-measure"
SR_LOGS = "submission_rules.adoc#log-files"


def unreadable_log(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """The log of every run can be read and holds lines of the format."""
    for run in entry.runs:
        log = run.log
        if log.unreadable is not None:
            yield _flaw(entry, run, 0, "log cannot be read", "a text file", log.unreadable)
        elif log.lines == 0:
            yield _flaw(
                entry,
                run,
                0,
                "log holds no line of the format",
                "lines with :::MLLOG",
                "none",
                "give the log that mllog wrote, as UTF-8",
            )


def torn_line(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """What follows the marker of a line is JSON."""
    yield from _problems(entry, Kind.TORN, "line is torn", "JSON after :::MLLOG")


def misshapen_line(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """A line is an object with a key, a finite time stamp, a value and metadata."""
    expected = "an object with key, time_ms, value and metadata"
    yield from _problems(entry, Kind.SHAPE, "line is not as the format asks for", expected)


def _problems(entry: Entry, kind: Kind, message: str, expected: str) -> Iterator[Flaw]:
    for run in entry.runs:
        for problem in run.log.problems:
            if problem.kind is kind:
                yield _flaw(entry, run, problem.line, message, expected, problem.message)


def missing_key(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """A log holds every key that its division and benchmark ask for."""
    yield from _breaches(entry, {MISSING}, official=False)


def missing_key_official(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """In open, the official tool asks for keys of the closed division too."""
    yield from _breaches(entry, {MISSING}, official=True)


def repeated_key(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """A key that is logged once is not logged again with another value."""
    yield from _breaches(entry, {REPEATED}, official=False, same=False)


def repeated_key_official(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """In open, the official tool counts keys of the closed division too."""
    yield from _breaches(entry, {REPEATED}, official=True, same=False)


def key_said_twice(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """A key that is logged once is not logged again, not even with the same value."""
    yield from _breaches(entry, {REPEATED}, official=False, same=True)


def refused_value(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """Hyperparameters and other values are those that the round allows."""
    yield from _breaches(entry, {About.VALUE}, official=False)


def refused_value_official(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """The official tool compares some computed values exactly, does not look at others, and in
    open holds values to the closed division's limits.
    """
    yield from _breaches(entry, {About.VALUE}, official=True)


def unlike_table(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """Values are those that the policy prints, even where the official tool does not look.

    By the policy the official tool is right where both differ, so that a person has to look.
    """
    yield from _breaches(entry, {TABLE}, official=False)


def missing_metadata(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """Lines carry the metadata that tells how much was trained, and how the run ended."""
    yield from _breaches(entry, {About.METADATA}, official=False)


def missing_metadata_official(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """In open, the official tool asks for the count of the closed division, or for epochs where
    closed counts samples.
    """
    yield from _breaches(entry, {About.METADATA}, official=True)


def out_of_order(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """Initialisation comes first, then the run: lines stand in this order."""
    yield from _breaches(entry, {About.ORDER}, official=False)


def slow_initialisation(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """Initialisation outside the clock takes no longer than the division allows."""
    yield from _breaches(entry, {About.LIMIT}, official=False)


def off_schedule(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """Evaluations stand where the table of the benchmark asks for them."""
    yield from _breaches(entry, {About.SCHEDULE}, official=False)


def target_missed(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """An evaluation of every run meets the quality target."""
    yield from _breaches(entry, {TARGET}, official=False)


def target_missed_official(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """In open, the official tool asks for a range of the quality, mostly without meaning."""
    yield from _breaches(entry, {TARGET}, official=True)


_SAYS = {
    MISSING: "{key} is not logged as often as asked for",
    REPEATED: "{key} is logged more than once",
    TARGET: "no {key} meets the target",
    About.VALUE: "{key} has a value that is not allowed",
    TABLE: "{key} is not as the policy prints it",
    About.METADATA: "{key} lacks metadata",
    About.ORDER: "{key} is out of order",
    About.LIMIT: "{key} comes too late",
    About.SCHEDULE: "{key} is off the schedule",
}


def _breaches(
    entry: Entry, about: set[str], *, official: bool, same: bool | None = None
) -> Iterator[Flaw]:
    for run in entry.runs:
        if run.log.lines == 0:
            continue  # the log as a whole is reported
        for breach in run.breaches:
            counts = breach.official if official else breach.policy
            if breach.about in about and counts and same in (None, breach.same):
                yield _broken(entry, run, breach)


def _broken(entry: Entry, run: Run, breach: Breach) -> Flaw:
    message = _SAYS[breach.about].format(key=breach.key[:60])
    return _flaw(entry, run, breach.line, message, breach.expected, breach.actual)


def _flaw(
    entry: Entry,
    run: Run,
    line: int,
    message: str,
    expected: str,
    actual: str,
    hint: str = "repeat the run, or mend what writes the log; never edit a log",
) -> Flaw:
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
    ),
    Rule(
        id="TRN304",
        name="log-key-missing",
        scope=Scope.RESULT,
        why="Each key answers a question of the review, such as which batch size was used.",
        fix="Log the key; docs of the reference implementation show where.",
        policy=TR_HYPER,
        check=missing_key,
        official_check=missing_key_official,
    ),
    Rule(
        id="TRN305",
        name="log-key-contradicts-itself",
        scope=Scope.RESULT,
        why="With two values nobody can tell which one the run used.",
        fix="Log the key once, from one process.",
        policy=TR_HYPER,
        check=repeated_key,
        official_check=repeated_key_official,
    ),
    Rule(
        id="TRN306",
        name="log-key-said-twice",
        scope=Scope.RESULT,
        why="Several processes log the same: harmless, and the official tool warns.",
        fix="Log from one process.",
        policy=TR_HYPER,
        check=key_said_twice,
    ),
    Rule(
        id="TRN307",
        name="log-value-refused",
        scope=Scope.RESULT,
        why="In closed all hyperparameters are those of the reference or within stated limits.",
        fix="Train with a value that is allowed, or submit to open.",
        policy=TR_HYPER,
        check=refused_value,
        official_check=refused_value_official,
    ),
    Rule(
        id="TRN308",
        name="log-metadata-missing",
        scope=Scope.RESULT,
        why="Convergence is read from the metadata of evaluations, the end from that of run_stop.",
        fix="Pass the metadata to mllog.",
        policy=TR_QUALITY,
        check=missing_metadata,
        official_check=missing_metadata_official,
    ),
    Rule(
        id="TRN309",
        name="log-out-of-order",
        scope=Scope.RESULT,
        why="The order of the lines shows that no training took place before the clock started.",
        fix="Log init_start, init_stop, run_start and run_stop in this order.",
        policy=TR_RUN,
        check=out_of_order,
    ),
    Rule(
        id="TRN310",
        name="initialisation-too-long",
        scope=Scope.RESULT,
        why="What takes longer than the limit has to be inside the clock.",
        fix="Start the clock when the limit is reached.",
        policy=TR_RUN,
        check=slow_initialisation,
    ),
    Rule(
        id="TRN311",
        name="evaluation-misplaced",
        scope=Scope.RESULT,
        why="Evaluating earlier or later than the reference changes when the target is noticed.",
        fix="Evaluate at the samples that the benchmark prescribes.",
        policy=TR_QUALITY,
        check=off_schedule,
    ),
    Rule(
        id="TRN312",
        name="target-missed",
        scope=Scope.RESULT,
        why="A run is a run to the quality target.",
        fix="Train on until the target is met, or drop the run if only one is concerned.",
        policy=TR_QUALITY,
        check=target_missed,
        official_check=target_missed_official,
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
    Rule(
        id="TRN314",
        name="value-unlike-the-policy",
        scope=Scope.RESULT,
        why="Such a value is to be checked by hand: no tool does.",
        fix="Log the value that was used, as a number; explain it in the review.",
        policy=TR_HYPER,
        check=unlike_table,
        voids=False,
    ),
)
