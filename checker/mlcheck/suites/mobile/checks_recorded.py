"""Rules that hold the numbers of a result file against the logs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from mlcheck.loadgen import DetailLog
from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.mobile.checks_consistency import (
    MR_LOGGING,
    MR_PERFORMANCE,
    both_records,
)
from mlcheck.suites.mobile.checks_record import NO_RECORD
from mlcheck.suites.mobile.entry import Entry
from mlcheck.suites.mobile.facts import Facts
from mlcheck.suites.mobile.record import RecordedRun
from mlcheck.suites.mobile.score import LATENCY_KEY, NS_PER_S, offline_key

QUERIES = "result_query_count"
ASKED = "effective_min_query_count"
DURATION = "effective_min_duration_ms"
MS_PER_S = 1_000

Pair = tuple[str, str, float | None, float | None]  # what, key, as recorded, as logged


def values_differ(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """Throughput and latency of the app are those of LoadGen."""
    yield from _differing(entry, facts, _measured)


def queries_differ(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The app counts as many queries as LoadGen."""
    yield from _differing(entry, facts, _counted)


def settings_differ(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """Minimums of duration and samples of the app are those that LoadGen was asked for."""
    yield from _differing(entry, facts, _asked)


def _differing(
    entry: Entry, facts: Facts, pairs: Callable[[Entry, DetailLog, RecordedRun], Iterator[Pair]]
) -> Iterator[Judgement]:
    both = both_records(entry)
    if isinstance(both, Unjudged):
        yield both
        return
    log, run = both
    near = facts.tolerances["relative"]
    for what, key, recorded, logged in pairs(entry, log, run):
        if recorded is None or logged is None:
            continue
        if not math.isclose(recorded, logged, rel_tol=near):
            yield Flaw(
                path=entry.record_path,
                line=run.line,
                message=f"{what} of the app is not that of the log",
                expected=f"{logged:.10g} ({key}, line {log.line(key)} of the log)",
                actual=f"{recorded:.10g}",
                hint="give log and result file of one run",
            )


def _measured(entry: Entry, log: DetailLog, run: RecordedRun) -> Iterator[Pair]:
    latency, offline = log.number(LATENCY_KEY), offline_key(entry)
    inverse = NS_PER_S / latency if latency else None
    key, rate = (offline, log.number(offline)) if offline else (LATENCY_KEY, inverse)
    yield "throughput", key, run.throughput, rate
    seconds = None if latency is None else latency / NS_PER_S
    yield "90th percentile latency", LATENCY_KEY, run.latency_p90_s, seconds


def _counted(entry: Entry, log: DetailLog, run: RecordedRun) -> Iterator[Pair]:
    samples = None if offline_key(entry) else run.samples  # of a stream, one per query
    yield "number of queries", QUERIES, run.queries or samples, log.number(QUERIES)


def _asked(entry: Entry, log: DetailLog, _: RecordedRun) -> Iterator[Pair]:
    if entry.recorded is None:
        return
    asked, each = log.number(ASKED), log.number("effective_samples_per_query")
    samples = None if asked is None else asked * (1 if each is None else each)
    yield "minimum of samples", ASKED, entry.recorded.min_samples, samples
    duration = log.number(DURATION)
    seconds = None if duration is None else duration / MS_PER_S
    yield "minimum of the duration", DURATION, entry.recorded.min_duration_s, seconds


def counted_otherwise(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The app counts the samples that LoadGen asked for, and not those that fill up batches."""
    log, run = entry.log, entry.recorded_performance
    if log is None or run is None:
        yield Unjudged(NO_RECORD, skipped=True)
        return
    asked = log.number("effective_samples_per_query")
    queries = log.number(QUERIES)
    if offline_key(entry) and asked and queries and run.samples:
        samples = asked * queries
        if run.samples != samples:
            yield Flaw(
                path=entry.record_path,
                line=run.line,
                message="app counts other samples than LoadGen asked for",
                expected=f"{samples:.0f}",
                actual=str(run.samples),
                hint="LoadGen's throughput is without the samples that fill up batches",
            )


RULES = (
    Rule(
        id="MOB401",
        name="mobile-value-differs",
        scope=Scope.RESULT,
        why="One of the two is not of the run that is claimed.",
        fix="Give log and result file of one run.",
        policy=MR_LOGGING,
        check=values_differ,
    ),
    Rule(
        id="MOB410",
        name="mobile-queries-differ",
        scope=Scope.RESULT,
        why="A log with another number of queries is of another run.",
        fix="Give log and result file of one run.",
        policy=MR_LOGGING,
        check=queries_differ,
    ),
    Rule(
        id="MOB411",
        name="mobile-settings-differ",
        scope=Scope.RESULT,
        why="The session that was exported ran with other settings than the log.",
        fix="Give log and result file of one run.",
        policy=MR_LOGGING,
        check=settings_differ,
    ),
    Rule(
        id="MOB408",
        name="mobile-counted-otherwise",
        scope=Scope.RESULT,
        why="Samples that fill up batches make the published throughput larger.",
        fix="Choose a batch size that divides the number of samples.",
        policy=MR_PERFORMANCE,
        check=counted_otherwise,
        voids=False,
    ),
)
