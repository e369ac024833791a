"""Rules about a single log: whole, complete, without errors of LoadGen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mlcheck.loadgen import DetailLog
from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites import log_flaws
from mlcheck.suites.inference.entry import Entry
from mlcheck.suites.inference.facts import Facts
from mlcheck.suites.inference.score import inference_formula, logged_scenario

SR_LOGGING = "submission_rules.adoc#logging-requirements"
IR_LOADGEN = "inference_rules.adoc#loadgen-operation"
ERROR_COUNT = "num_errors"
SHOWN_ERRORS = 3
NO_LOG = "the detail log is missing or unreadable (INF301, INF302)"


def _logs(entry: Entry) -> Iterator[DetailLog]:
    yield from entry.measured_logs()
    if entry.accuracy and entry.accuracy.detail:
        yield entry.accuracy.detail


def _all_logs(entry: Entry) -> Iterator[DetailLog]:
    """Yield every log of a result, whether it could be read or not."""
    tests = [test.run for test in entry.compliance if test.test.as_run]
    runs = [entry.performance, *entry.further_runs, *tests]
    runs += [entry.power.ranging] if entry.power else []
    logs = [run.detail for run in runs if run]
    yield from (log for log in logs if log)
    if entry.accuracy and entry.accuracy.detail:
        yield entry.accuracy.detail


def unreadable_logs(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """Every event of a detail log is whole: a line of UTF-8 text with one JSON object."""
    yield from log_flaws.torn(_all_logs(entry), "run")


def missing_keys(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The detail log holds every key that the rules of its scenario need, as a value of the right
    type.
    """
    if entry.log is None:
        yield Unjudged(NO_LOG, skipped=True)
    for log in entry.measured_logs():
        yield from _lacking(entry, log, facts, official=False)


def missing_keys_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool only prints a line if the word on early stopping is missing, never asks for
    the mode, and wants the samples per second even where tokens are published.
    """
    for log in entry.measured_logs():
        yield from _lacking(entry, log, facts, official=True)


def _lacking(entry: Entry, log: DetailLog, facts: Facts, *, official: bool) -> Iterator[Flaw]:
    if not log.whole:
        return  # INF302
    scenario = log.text("effective_scenario")
    if scenario is not None and logged_scenario(log, facts) is None:
        yield Flaw(
            path=log.path,
            line=log.line("effective_scenario"),
            message=f"{scenario[:40]} is not a scenario",
            expected=" or ".join(facts.scenarios),
            actual=scenario[:80],
            hint="copy the log anew from the run",
        )
    for key, kind in _needed(entry, log, facts, official=official):
        value = log.get(key)
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        fits = number if kind == "number" else isinstance(value, bool if kind == "flag" else str)
        if not fits:
            yield Flaw(
                path=log.path,
                line=log.line(key),
                message=f"{key} is not a {kind}" if key in log.values else f"log lacks {key}",
                expected=f"{key} as a {kind}",
                actual=log.raw(key)[:80] or None,
                hint="copy the log anew from the run; LoadGen writes this key",
            )
    yield from _nothing_measured(entry, log, facts, official=official)


def _nothing_measured(
    entry: Entry, log: DetailLog, facts: Facts, *, official: bool
) -> Iterator[Flaw]:
    """Yield a flaw if what would be published is 0, or below it; the official tool takes those."""
    logged = logged_scenario(log, facts)
    if logged is None or inference_formula(entry, facts):
        return
    key = facts.metric_kind(entry.benchmark, logged).key
    value = log.number(key)
    if value is not None and (value == 0 or (value < 0 and not official)):
        yield Flaw(
            path=log.path,
            line=log.line(key),
            message=f"{key} is {log.raw(key)[:40]}",
            expected="a number above 0",
            actual=log.raw(key)[:80],
            hint="run longer: LoadGen writes 0 where it saw too few queries",
        )


def _needed(
    entry: Entry, log: DetailLog, facts: Facts, *, official: bool
) -> Iterator[tuple[str, str]]:
    yield "effective_scenario", "text"
    if not official:
        yield "effective_test_mode", "text"
    yield "result_validity", "text"
    yield "effective_performance_sample_count", "number"
    yield "effective_min_duration_ms", "number"
    for name in facts.seeds:
        yield f"effective_{name}", "number"
    logged = logged_scenario(log, facts)
    if logged is None:
        return
    if official or not inference_formula(entry, facts):
        published = facts.metric_kind(entry.benchmark, logged).key
        yield published, "number"
        if official and logged.metric != published:
            yield logged.metric, "number"
    if logged.early_stopping and not official:
        yield "early_stopping_met", "flag"
    if logged.one_query:
        yield "effective_samples_per_query", "number"
    if logged.min_queries is not None:
        yield "effective_min_query_count", "number"


def loadgen_errors(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """Neither performance nor accuracy log holds a line that LoadGen marked as an error, or a count
    of errors above zero.
    """
    for log in _logs(entry):
        yield from _errors(log, log.get(ERROR_COUNT))


def loadgen_errors_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool may believe the count in num_errors, if it is there, and may overlook the
    accuracy log in open, or all performance logs.
    """
    key = facts.official["error_count_key"]
    whole = entry.division.closed_rules or facts.official["accuracy_errors_in_open"]
    logs = [*entry.measured_logs()] if facts.official["performance_errors"] else []
    if whole and entry.accuracy and entry.accuracy.detail:
        logs.append(entry.accuracy.detail)
    for log in logs:
        counted = log.get(key) if key in log.values else None
        if counted != 0:
            yield from _errors(log, counted)


def _errors(log: DetailLog, counted: Any) -> Iterator[Flaw]:
    """Yield the first errors of a log, or that they were counted if no line is one."""
    if counted and not log.errors:
        yield Flaw(
            path=log.path,
            line=log.line(ERROR_COUNT),
            message="LoadGen counted errors",
            expected="0",
            actual=log.raw(ERROR_COUNT)[:80],
            hint="find the cause and run again",
        )
    for number, error in enumerate(log.errors[:SHOWN_ERRORS], 1):
        more = ""
        if number == SHOWN_ERRORS < len(log.errors):
            more = f", {len(log.errors)} in all, the last on line {log.errors[-1].line}"
        yield Flaw(
            path=log.events_path,
            line=error.line,
            message="LoadGen reported an error",
            expected="no line with is_error",
            actual=error.message[:120] + more,
            hint="find the cause and run again",
        )


RULES = (
    Rule(
        id="INF302",
        name="log-unreadable",
        scope=Scope.RESULT,
        check=unreadable_logs,
        policy=SR_LOGGING,
        why="A torn log was cut on the way or edited; a line that cannot be read may be the one "
        "that matters.",
        fix="Copy the log anew from the run.",
    ),
    Rule(
        id="INF304",
        name="log-key-missing",
        scope=Scope.RESULT,
        check=missing_keys,
        official_check=missing_keys_official,
        policy=SR_LOGGING,
        why="LoadGen writes all of them; a log without them was cut or made by something else.",
        fix="Copy the log anew from the run.",
    ),
    Rule(
        id="INF305",
        name="loadgen-error",
        scope=Scope.RESULT,
        check=loadgen_errors,
        official_check=loadgen_errors_official,
        policy=IR_LOADGEN,
        why="LoadGen marks what makes a run unfit, such as running out of queries.",
        fix="Find the cause and run again.",
    ),
)
