"""Rules about two records of one run: the app's and LoadGen's, and the two runs of a result."""

from __future__ import annotations

import math
from collections.abc import Iterator

from mlcheck.loadgen import DetailLog
from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.mobile.checks_record import NO_RECORD
from mlcheck.suites.mobile.entry import Entry
from mlcheck.suites.mobile.facts import Facts
from mlcheck.suites.mobile.record import RecordedRun
from mlcheck.suites.mobile.score import LATENCY_KEY
from mlcheck.suites.mobile.values import moment

MR_LOGGING = "mobile_inference_rules.adoc#logging-requirements"
MR_PERFORMANCE = "mobile_inference_rules.adoc#performance-run"
MR_ACCURACY = "mobile_inference_rules.adoc#accuracy-run"
MR_CONSISTENT = "mobile_inference_rules.adoc#system-and-framework-must-be-consistent"
SP_RESULTS = "submissionRuleV3_0.adoc#result-submission-procedure"
NO_LOG = "the performance log is missing or torn (MOB301, MOB306)"
VALIDITY = "Result is"
SUMMARY_P90 = "90th percentile latency (ns)"


def both_records(entry: Entry) -> tuple[DetailLog, RecordedRun] | Unjudged:
    """Return LoadGen's log and the app's record of the performance run, or why one is lacking."""
    log, run = entry.log, entry.recorded_performance
    if log is None:
        return Unjudged(NO_LOG, skipped=True)
    return (log, run) if run else Unjudged(NO_RECORD, skipped=True)


def contradicts_itself(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The throughput of a single stream is one over the latency that the app records beside it."""
    run, scenario = entry.recorded_performance, entry.scenario
    if run is None or scenario is None or scenario.percentile is None:
        return  # MOB206, or there is no such latency
    if run.throughput and run.latency_p90_s and run.latency_p90_s > 0:
        right = 1 / run.latency_p90_s
        if not math.isclose(run.throughput, right, rel_tol=facts.tolerances["relative"]):
            yield Flaw(
                path=entry.record_path,
                line=run.line,
                message="throughput is not that of the latency beside it",
                expected=f"{right:.10g}",
                actual=f"{run.throughput:.10g}",
                hint="export the file anew; do not edit it",
            )


def verdicts_differ(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The app records the verdict of LoadGen and the conditions behind it."""
    both = both_records(entry)
    if isinstance(both, Unjudged):
        yield both
        return
    log, run = both
    logged = {
        "verdict": (run.valid, "result_validity", log.get("result_validity") == "VALID"),
        "word on the duration": (
            run.duration_met,
            "result_min_duration_met",
            log.get("result_min_duration_met"),
        ),
        "word on the queries": (
            run.queries_met,
            "result_min_queries_met",
            log.get("result_min_queries_met"),
        ),
        "word on early stopping": (
            run.early_stopping_met,
            "early_stopping_met",
            log.get("early_stopping_met"),
        ),
    }
    for what, (recorded, key, measured) in logged.items():
        if recorded is not None and measured is not None and recorded is not measured:
            yield Flaw(
                path=entry.record_path,
                line=run.line,
                message=f"{what} of the app is not that of the log",
                expected=f"{str(measured).lower()} ({key}, line {log.line(key)} of the log)",
                actual=str(recorded).lower(),
                hint="give log and result file of one run",
            )


def below_its_minimum(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """Duration and samples that the app measured reach the minimum that stands beside them."""
    run, record = entry.recorded_performance, entry.recorded
    if run is None or record is None:
        yield Unjudged(NO_RECORD, skipped=True)
        return
    if _less(run.duration_s, record.min_duration_s):
        yield Flaw(
            path=entry.record_path,
            line=run.line,
            message="duration that the app measured is below its minimum",
            expected=f">= {record.min_duration_s:g} s",
            actual=f"{run.duration_s:g} s",
            hint="look at LoadGen's word: older apps count from the first answer to the last",
        )
    if _less(run.samples, record.min_samples):
        yield Flaw(
            path=entry.record_path,
            line=run.line,
            message="samples that the app counted are below its minimum",
            expected=f">= {record.min_samples}",
            actual=str(run.samples),
            hint="look at LoadGen's word: a run may end at its longest duration",
        )


def _less(value: float | None, least: float | None) -> bool:
    return value is not None and least is not None and value < least


def started_elsewhere(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """App and LoadGen recorded the run at the same time, time zones apart."""
    pairs = (
        ("performance", entry.log, entry.recorded_performance),
        ("accuracy", entry.accuracy_log, entry.recorded_accuracy),
    )
    for kind, log, run in pairs:
        if log is None or run is None or not run.exact:
            continue
        logged, recorded = moment(log.get("test_datetime")), moment(run.started)
        if logged is None or recorded is None:
            yield Unjudged(f"start of the {kind} run is not recorded")
        elif not _same_moment((logged - recorded).total_seconds(), facts):
            yield Flaw(
                path=log.path,
                line=log.line("test_datetime"),
                message=f"{kind} log is of another time than the result file says",
                expected=f"{recorded:%Y-%m-%d %H:%M:%S}, or this in another time zone",
                actual=f"{logged:%Y-%m-%d %H:%M:%S}",
                hint="give log and result file of one run",
            )


def _same_moment(apart_s: float, facts: Facts) -> bool:
    zone = facts.tolerances["timezone_s"]
    nearest = round(apart_s / zone) * zone
    if abs(nearest) > facts.tolerances["timezone_most_s"]:
        return False
    return abs(apart_s - nearest) <= facts.tolerances["start_s"]


def summary_differs(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """Summary and detail log of a run agree on verdict and latency."""
    log, summary = entry.log, entry.performance.summary if entry.performance else None
    if log is None or summary is None:
        return  # MOB301, MOB303
    for name, key in ((VALIDITY, "result_validity"), (SUMMARY_P90, LATENCY_KEY)):
        line, says = summary.values.get(name, (0, ""))
        logged = log.get(key)
        if says and logged is not None and says != str(logged):
            yield Flaw(
                path=summary.path,
                line=line,
                message="summary is not of the run of the detail log",
                expected=f"{str(logged)[:60]} ({key})",
                actual=says[:60],
                hint="copy both logs anew from one run",
            )


def of_another_path(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """Performance and accuracy run are of one backend."""
    first, second = entry.log, entry.accuracy_log
    key = "sut_name"
    if first and second and first.text(key) != second.text(key):
        yield Flaw(
            path=second.path,
            line=second.line(key),
            message="accuracy run is of another backend than the performance run",
            expected=first.raw(key)[:80] or "none",
            actual=second.raw(key)[:80] or "none",
            hint="run both with one backend and delegate",
        )


RULES = (
    Rule(
        id="MOB402",
        name="mobile-record-contradiction",
        scope=Scope.RESULT,
        why="The app computes the one from the other: the file was edited.",
        fix="Export the file anew.",
        policy=MR_LOGGING,
        check=contradicts_itself,
    ),
    Rule(
        id="MOB403",
        name="mobile-verdict-differs",
        scope=Scope.RESULT,
        why="The app passes on what LoadGen says: one of the two is of another run.",
        fix="Give log and result file of one run.",
        policy=MR_LOGGING,
        check=verdicts_differ,
    ),
    Rule(
        id="MOB404",
        name="mobile-below-its-minimum",
        scope=Scope.RESULT,
        why="What the app shows contradicts itself, if LoadGen's word is not known.",
        fix="Look at LoadGen's word.",
        policy=MR_PERFORMANCE,
        check=below_its_minimum,
        voids=False,
    ),
    Rule(
        id="MOB405",
        name="mobile-start-differs",
        scope=Scope.RESULT,
        why="The log was exchanged for that of another run.",
        fix="Give log and result file of one run.",
        policy=SP_RESULTS,
        check=started_elsewhere,
        voids=False,
    ),
    Rule(
        id="MOB406",
        name="mobile-summary-differs",
        scope=Scope.RESULT,
        why="One of the two was exchanged or edited.",
        fix="Copy both logs anew from one run.",
        policy=MR_LOGGING,
        check=summary_differs,
    ),
    Rule(
        id="MOB407",
        name="mobile-another-backend",
        scope=Scope.RESULT,
        why="The accuracy of one software path says nothing of another.",
        fix="Run both with one backend and delegate.",
        policy=MR_CONSISTENT,
        check=of_another_path,
    ),
)
