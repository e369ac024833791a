"""Rules about the logs of a result: they are there, whole, and hold what rules ask for."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.loadgen import DetailLog
from mlcheck.rules import Flaw, Rule, Scope
from mlcheck.suites import log_flaws
from mlcheck.suites.mobile.entry import Entry, Run
from mlcheck.suites.mobile.facts import Facts
from mlcheck.suites.mobile.values import shown

MR_FILES = "mobile_inference_rules.adoc#directory-structure"
MR_LOGGING = "mobile_inference_rules.adoc#logging-requirements"
MR_LOADGEN = "mobile_inference_rules.adoc#loadgen-operation"
SHOWN_ERRORS = 3


def missing_performance_log(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """A result has the detail log of its performance run."""
    if entry.performance is None or entry.performance.detail is None:
        yield Flaw(
            path=entry.performance.path if entry.performance else entry.path,
            message=f"{shown(entry.task)} has no log of a performance run",
            expected=facts.files["detail"],
            hint="copy it from the device",
        )


def missing_accuracy_log(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """A result has the detail log of its accuracy run."""
    if entry.accuracy is None or entry.accuracy.detail is None:
        yield Flaw(
            path=entry.accuracy.path if entry.accuracy else entry.path,
            message=f"{shown(entry.task)} has no log of an accuracy run",
            expected=facts.files["detail"],
            hint="copy it from the device",
        )


def _runs(entry: Entry) -> Iterator[tuple[str, Run]]:
    if entry.performance and entry.performance.detail:
        yield "performance", entry.performance
    if entry.accuracy and entry.accuracy.detail:
        yield "accuracy", entry.accuracy


def missing_summary(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """Each run has the summary of LoadGen, and it says something."""
    for kind, run in _runs(entry):
        if run.summary is None or run.summary.empty or run.summary.problem:
            yield Flaw(
                path=run.summary.path if run.summary else run.path,
                message=f"summary of the {kind} run is {_state(run)}",
                expected=facts.files["summary"],
                hint="copy it from the device",
            )


def _state(run: Run) -> str:
    if run.summary is None:
        return "missing"
    return "unreadable" if run.summary.problem else "empty"


def missing_trace(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """Each run has the trace of LoadGen, whole or in parts."""
    for kind, run in _runs(entry):
        if not run.trace:
            yield Flaw(
                path=run.path,
                message=f"trace of the {kind} run is missing",
                expected=facts.files["trace"][0],
                hint="copy it from the device; split it if it is too large",
            )


def missing_answers(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """An accuracy run has LoadGen's log of the answers, whole or in parts."""
    for kind, run in _runs(entry):
        if kind == "accuracy" and not run.answers:
            yield Flaw(
                path=run.path,
                message="log of the answers is missing",
                expected=facts.files["answers"][0],
                hint="copy it from the device; split it if it is too large",
            )


def torn_log(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """Every event of a detail log is whole: a line of UTF-8 text with one JSON object."""
    yield from log_flaws.torn(entry.detail_logs(), "device")


def mended_log(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """Paths in a log are JSON texts, in which a backslash is doubled."""
    for log in entry.detail_logs():
        if log.mended:
            yield Flaw(
                path=log.path,
                line=log.mended,
                message="log holds paths with bare backslashes, and is no JSON",
                expected=r"C:\\Users",
                actual=r"C:\Users",
                hint="LoadGen on Windows writes it so; build it from a newer revision",
            )


def lacking_keys(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The log of a performance run holds what is judged and published of it."""
    log = entry.log
    if log is None:
        return  # MOB301, MOB306
    for key, kind in _needed(entry, facts):
        if not _fits(log, key, kind):
            yield Flaw(
                path=log.path,
                line=log.line(key),
                message=f"{key} is not a {kind}" if key in log.values else f"log lacks {key}",
                expected=f"{key} as a {kind}",
                actual=log.raw(key)[:80] or None,
                hint="copy the log anew from the device; LoadGen writes this key",
            )


def _needed(entry: Entry, facts: Facts) -> Iterator[tuple[str, str]]:
    yield "effective_scenario", "text"
    yield "effective_test_mode", "text"
    yield "result_validity", "text"
    yield "effective_min_duration_ms", "number"
    yield "effective_min_query_count", "number"
    if entry.scenario:
        yield entry.scenario.key, "number above 0"


def _fits(log: DetailLog, key: str, kind: str) -> bool:
    if kind == "text":
        return log.text(key) is not None
    value = log.number(key)
    return value is not None and (kind == "number" or value > 0)


def logged_errors(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """LoadGen marked no line of a log as an error."""
    for log in entry.detail_logs():
        for error in log.errors[:SHOWN_ERRORS]:
            yield Flaw(
                path=log.events_path,
                line=error.line,
                message="LoadGen reports an error",
                actual=shown(error.message),
                hint="mend its cause and run again",
            )


RULES = (
    Rule(
        id="MOB301",
        name="mobile-performance-log-missing",
        scope=Scope.RESULT,
        why="Without the log of LoadGen the result is a claim.",
        fix="Copy the log from the device.",
        policy=MR_FILES,
        check=missing_performance_log,
    ),
    Rule(
        id="MOB302",
        name="mobile-accuracy-log-missing",
        scope=Scope.RESULT,
        why="A result counts only with the accuracy that its software path reaches.",
        fix="Copy the log from the device.",
        policy=MR_FILES,
        check=missing_accuracy_log,
    ),
    Rule(
        id="MOB303",
        name="mobile-summary-missing",
        scope=Scope.RESULT,
        why="It is on the list of mandatory files.",
        fix="Copy the file from the device.",
        policy=MR_FILES,
        check=missing_summary,
        voids=False,
    ),
    Rule(
        id="MOB304",
        name="mobile-trace-missing",
        scope=Scope.RESULT,
        why="It is on the list of mandatory files: it shows each query.",
        fix="Copy the file from the device, in parts if it is large.",
        policy=MR_FILES,
        check=missing_trace,
        voids=False,
    ),
    Rule(
        id="MOB305",
        name="mobile-answers-missing",
        scope=Scope.RESULT,
        why="It is on the list of mandatory files: accuracy is computed from it.",
        fix="Copy the file from the device, in parts if it is large.",
        policy=MR_FILES,
        check=missing_answers,
        voids=False,
    ),
    Rule(
        id="MOB306",
        name="mobile-log-torn",
        scope=Scope.RESULT,
        why="What a torn log lacks cannot be judged.",
        fix="Copy the log anew from the device.",
        policy=MR_LOGGING,
        check=torn_log,
    ),
    Rule(
        id="MOB307",
        name="mobile-log-backslashes",
        scope=Scope.RESULT,
        why="Tools that read the log as JSON skip its lines.",
        fix="Build LoadGen from a revision that writes paths as JSON.",
        policy=MR_LOGGING,
        check=mended_log,
        voids=False,
    ),
    Rule(
        id="MOB308",
        name="mobile-log-incomplete",
        scope=Scope.RESULT,
        why="LoadGen writes these keys; a log without them was cut or edited.",
        fix="Copy the log anew from the device.",
        policy=MR_LOGGING,
        check=lacking_keys,
    ),
    Rule(
        id="MOB309",
        name="mobile-loadgen-error",
        scope=Scope.RESULT,
        why="LoadGen doubts the run itself.",
        fix="Mend the cause and run again.",
        policy=MR_LOADGEN,
        check=logged_errors,
    ),
)
