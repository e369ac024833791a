"""Rules about how LoadGen ran: its word on the run, what it was asked for, seeds, release."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.loadgen import DetailLog
from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.mobile.entry import Entry
from mlcheck.suites.mobile.facts import Facts

MR_PERFORMANCE = "mobile_inference_rules.adoc#performance-run"
MR_SEEDS = "mobile_inference_rules.adoc#non-determinism-is-restricted"
MR_LOADGEN = "mobile_inference_rules.adoc#loadgen-operation"
NO_LOG = "the performance log is missing or torn (MOB301, MOB306)"


def recorded_invalid(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """LoadGen and the app found the run valid on the device."""
    log, run = entry.log, entry.recorded_performance
    if log is None and (run is None or run.valid is None):
        yield Flaw(
            path=entry.path,
            message="no word of LoadGen on the run is there",
            expected="VALID",
            hint="give the log of the performance run",
        )
    if log and log.get("result_validity") != "VALID":
        yield Flaw(
            path=log.path,
            line=log.line("result_validity"),
            message="LoadGen found the run invalid",
            expected="VALID",
            actual=log.raw("result_validity")[:80] or "none",
            hint="run again; the summary says which condition was not met",
        )
    if run and run.valid is False:
        yield Flaw(
            path=entry.record_path,
            line=run.line,
            message="app found the run invalid",
            expected="true",
            actual="false",
            hint="run again; the app shows which condition was not met",
        )


def _unmet(log: DetailLog, key: str, what: str, hint: str) -> Iterator[Flaw]:
    if log.get(key) is False:
        yield Flaw(
            path=log.path,
            line=log.line(key),
            message=f"LoadGen says that {what} was not met",
            expected="true",
            actual="false",
            hint=hint,
        )


def too_short(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The run lasted as long as asked for, by LoadGen's word."""
    if entry.log is None:
        yield Unjudged(NO_LOG, skipped=True)
        return
    yield from _unmet(entry.log, "result_min_duration_met", "the duration", "run longer")


def too_few_queries(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The run had as many queries as asked for; one that LoadGen ended at the longest duration may
    have fewer.
    """
    log = entry.log
    if log is None:
        yield Unjudged(NO_LOG, skipped=True)
    elif not _at_longest(entry, log, facts):
        hint = "run until the queries are answered"
        yield from _unmet(log, "result_min_queries_met", "the number of queries", hint)


def _at_longest(entry: Entry, log: DetailLog, facts: Facts) -> bool:
    """Tell whether a run went on until the longest duration of the round, by LoadGen's clock."""
    if entry.scenario is None:
        return False
    longest = facts.least("max_duration_ms", entry.benchmark, entry.scenario)
    return 0 < longest <= log.last_ms


def early_stopping_unmet(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """Enough queries were answered for the percentile to be trusted, where the task asks for it."""
    log = entry.log
    if log is None:
        yield Unjudged(NO_LOG, skipped=True)
    elif entry.benchmark is None or entry.benchmark.early_stopping:
        yield from _unmet(log, "early_stopping_met", "early stopping", "answer more queries")


def asked_for_less(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """A run is asked for the duration and the samples of the policy, and for those of the app."""
    log, scenario = entry.log, entry.scenario
    if log is None or scenario is None:
        yield Unjudged(NO_LOG, skipped=True)
        return
    key = "effective_min_duration_ms"
    duration = log.number(key)
    if duration is not None and duration < scenario.min_duration_ms:
        yield Flaw(
            path=log.path,
            line=log.line(key),
            message="run was asked for a shorter duration than the policy says",
            expected=f">= {scenario.min_duration_ms} ms",
            actual=f"{log.raw(key)[:40]} ms",
            hint="take the settings of the app of the round",
        )
    yield from _asked_samples(entry, log, facts)


def _asked_samples(entry: Entry, log: DetailLog, facts: Facts) -> Iterator[Flaw]:
    assert entry.scenario is not None
    key = "effective_min_query_count"
    queries, each = log.number(key), log.number("effective_samples_per_query")
    if queries is None:
        return  # MOB308
    samples = queries * (1 if each is None else each)
    least = facts.least("min_samples", entry.benchmark, entry.scenario)
    of_app = facts.least("app_min_samples", entry.benchmark, entry.scenario)
    if samples < max(least, of_app):
        whose = "policy" if samples < least else "app"
        yield Flaw(
            path=log.path,
            line=log.line(key),
            message=f"run was asked for fewer samples than the {whose} says",
            expected=f">= {least if whose == 'policy' else of_app}",
            actual=f"{samples:.0f}",
            hint="take the settings of the app of the round",
            excused=whose == "app",
        )


def another_longest(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """A run is given no more time than the app of the round gives it."""
    log, scenario = entry.log, entry.scenario
    if log is None or scenario is None:
        return  # MOB301
    key = "effective_max_duration_ms"
    given, longest = log.number(key), facts.least("max_duration_ms", entry.benchmark, scenario)
    if given is not None and longest and not 0 <= given <= longest:
        yield Flaw(
            path=log.path,
            line=log.line(key),
            message="run was given more time than the app of the round gives it",
            expected=f"<= {longest} ms",
            actual=f"{log.raw(key)[:40]} ms",
            hint="take the settings of the app of the round",
        )


def another_percentile(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The run was held to the percentile that is published."""
    log, scenario = entry.log, entry.scenario
    key = "effective_target_latency_percentile"
    if log and scenario and scenario.percentile is not None:
        value = log.number(key)
        if value is not None and value != scenario.percentile:
            yield Flaw(
                path=log.path,
                line=log.line(key),
                message="run was held to another percentile",
                expected=str(scenario.percentile),
                actual=log.raw(key)[:40],
                hint="take the settings of the app of the round",
            )


RULES = (
    Rule(
        id="MOB310",
        name="mobile-recorded-invalid",
        scope=Scope.RESULT,
        why="The device itself refused the run.",
        fix="Run again, until the conditions are met.",
        policy=MR_PERFORMANCE,
        check=recorded_invalid,
    ),
    Rule(
        id="MOB313",
        name="mobile-duration-unmet",
        scope=Scope.RESULT,
        why="Short runs end before the device warms up.",
        fix="Run longer.",
        policy=MR_PERFORMANCE,
        check=too_short,
    ),
    Rule(
        id="MOB314",
        name="mobile-queries-unmet",
        scope=Scope.RESULT,
        why="Few queries make the percentile a matter of luck.",
        fix="Run until the queries are answered.",
        policy=MR_PERFORMANCE,
        check=too_few_queries,
    ),
    Rule(
        id="MOB315",
        name="mobile-early-stopping-unmet",
        scope=Scope.RESULT,
        why="The percentile cannot be trusted with so few queries.",
        fix="Answer more queries.",
        policy=MR_PERFORMANCE,
        check=early_stopping_unmet,
    ),
    Rule(
        id="MOB316",
        name="mobile-asked-for-less",
        scope=Scope.RESULT,
        why="LoadGen calls a run valid by what it was asked for, however little that is.",
        fix="Take the settings of the app of the round.",
        policy=MR_PERFORMANCE,
        check=asked_for_less,
    ),
    Rule(
        id="MOB317",
        name="mobile-longest-duration",
        scope=Scope.RESULT,
        why="A slow device that is given more time reaches queries that others may not.",
        fix="Take the settings of the app of the round.",
        policy=MR_PERFORMANCE,
        check=another_longest,
        voids=False,
    ),
    Rule(
        id="MOB321",
        name="mobile-percentile",
        scope=Scope.RESULT,
        why="Validity and early stopping were judged for another figure than is published.",
        fix="Take the settings of the app of the round.",
        policy=MR_PERFORMANCE,
        check=another_percentile,
    ),
)
