"""Rules about what the app recorded: ``result.json``, and the pictures beside it."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.rules import Check, Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.mobile.entry import SystemView
from mlcheck.suites.mobile.facts import Facts
from mlcheck.suites.mobile.record import ResultFile
from mlcheck.suites.mobile.values import shown

MR_STRUCTURE = "mobile_inference_rules.adoc#directory-structure"
MR_LOGGING = "mobile_inference_rules.adoc#logging-requirements"
SP_RESULTS = "submissionRuleV3_0.adoc#result-submission-procedure"
NO_RECORD = "the result file is missing or unreadable (MOB201, MOB202)"


def missing_record(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    """The result file of the app lies beside the logs of its system."""
    if not system.result_files and system.entries:
        yield Flaw(
            path=system.path,
            message=f"{system.name} has no result file of the app",
            expected=" or ".join(facts.layout["result_names"]),
            hint="export it from the app; it names build, backend and delegate",
        )


def unreadable_record(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    """The result file can be read, and holds results."""
    for each in system.result_files:
        if each.problem:
            yield Flaw(
                path=each.path,
                line=each.line,
                message="result file cannot be read",
                expected="JSON as the app writes it",
                actual=each.problem,
                hint="export it anew from the app",
            )


def misshapen_record(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    """The result file is as the app of its time writes it."""
    for each in system.result_files:
        for flaw in each.misshapen:
            yield Flaw(
                path=each.path,
                line=each.line_of(flaw.place.rpartition(".")[2].removesuffix("[]")),
                message=f"{shown(flaw.place) or 'the file'}: {flaw.message}"[:100],
                expected="a file as the app writes it",
                hint="export it anew from the app; do not edit it",
            )


def recorded_twice(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    """A session has one record of a task, and a system one result file."""
    record = system.record
    for task, line in (*record.again, *_under_two_names(record, facts)) if record else ():
        yield Flaw(
            path=record.path if record else "",
            line=line,
            message=f"{shown(task)} is recorded twice",
            expected="one record",
            hint="export one session; only the first record was judged",
        )
    for each in system.result_files[1:]:
        yield Flaw(
            path=each.path,
            message="there is a second result file",
            expected=system.result_files[0].path,
            hint="keep one of them: only the first was judged",
        )


def _under_two_names(record: ResultFile, facts: Facts) -> Iterator[tuple[str, int]]:
    """Yield tasks of which another record, under another name, came before."""
    seen = set()
    for task in record.tasks:
        benchmark = facts.benchmark_of(task.task, task.scenario)
        key = benchmark and (benchmark.name, task.scenario or benchmark.scenario)
        if key in seen:
            yield task.task, task.line
        if key:
            seen.add(key)


def unknown_task(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    """The result file names tasks of the round."""
    for task in system.record.tasks if system.record else ():
        if facts.benchmark_of(task.task, task.scenario) is None:
            yield Flaw(
                path=system.record.path if system.record else "",
                line=task.line,
                message=f"{shown(task.task)} is no task of {facts.round}",
                expected=", ".join(facts.benchmarks),
                hint="use the app of the round, or leave the task out",
            )


def unrecorded_task(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """The result file records every task that has logs."""
    if system.record is None:
        yield Unjudged(NO_RECORD, skipped=True)
        return
    for entry in system.entries:
        if entry.recorded is None:
            yield Flaw(
                path=system.record.path,
                message=f"result file does not record {entry.task}",
                expected=f"{entry.task}, as there are logs of it",
                hint="export the session that the logs are of",
                results=(entry.id,),
            )


def missing_screenshots(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    """Screenshots of the performance and of the accuracy results lie beside the result file."""
    if not system.images and system.entries:
        yield Flaw(
            path=system.path,
            message="screenshots of the results are missing",
            expected="one of performance and one of accuracy",
            hint="add them: they show what the app displayed",
        )


def record_rule(id_: str, name: str, check: Check, why: str, fix: str, policy: str) -> Rule:
    """Return a rule about what the app recorded: its breach voids no measurement."""
    return Rule(
        id=id_,
        name=f"mobile-{name}",
        scope=Scope.SYSTEM,
        why=why,
        fix=fix,
        policy=policy,
        check=check,
        voids=False,
    )


RULES = (
    record_rule(
        "MOB201",
        "record-missing",
        missing_record,
        "It alone names build, backend, delegate and model, and the accuracy unrounded.",
        "Add result.json.",
        MR_STRUCTURE,
    ),
    record_rule(
        "MOB202",
        "record-unreadable",
        unreadable_record,
        "Nothing of what the app recorded can be told.",
        "Export the file anew.",
        MR_STRUCTURE,
    ),
    record_rule(
        "MOB203",
        "record-misshapen",
        misshapen_record,
        "A file that differs from what the app writes was edited, or written by something else.",
        "Export the file anew.",
        MR_LOGGING,
    ),
    record_rule(
        "MOB204",
        "recorded-twice",
        recorded_twice,
        "Which of two records is claimed cannot be told.",
        "Give the record of one session.",
        SP_RESULTS,
    ),
    record_rule(
        "MOB205",
        "recorded-task-unknown",
        unknown_task,
        "It is not part of the round, and ranked nowhere.",
        "Use the app of the round.",
        MR_STRUCTURE,
    ),
    record_rule(
        "MOB206",
        "task-unrecorded",
        unrecorded_task,
        "Logs and record are of different sessions.",
        "Export the session that the logs are of.",
        SP_RESULTS,
    ),
    record_rule(
        "MOB215",
        "screenshots-missing",
        missing_screenshots,
        "They are asked for, and show what the app displayed.",
        "Add screenshots of performance and accuracy.",
        MR_STRUCTURE,
    ),
)
