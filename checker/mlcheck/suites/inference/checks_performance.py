"""Rules about how a performance run was set up: seeds, samples, duration, queries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mlcheck.loadgen import DetailLog
from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.inference.entry import Entry
from mlcheck.suites.inference.facts import Facts
from mlcheck.suites.inference.power_time import load_window
from mlcheck.suites.inference.score import logged_scenario

IR_SCENARIOS = "inference_rules.adoc#scenarios"
IR_SEEDS = "inference_rules.adoc#non-determinism-is-restricted"
NO_LOG = "the detail log is missing or unreadable (INF301, INF302)"
MS_PER_S = 1_000


def _below(log: DetailLog, key: str, least: float, message: str, hint: str) -> Iterator[Flaw]:
    """Yield a flaw if a logged number is smaller than it must be; INF304 reports missing keys."""
    value = log.number(key)
    if value is not None and value < least:
        yield Flaw(
            path=log.path_of(key),
            line=log.line(key),
            message=message,
            expected=f">= {least}",
            actual=log.raw(key),
            hint=hint,
        )


def wrong_seeds(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The three random seeds are those of the round, or of the compliance test."""
    if entry.log is None:
        yield Unjudged(NO_LOG, skipped=True)
    for log, seeds in _seeded(entry, facts):
        for name, seed in seeds.items():
            key = f"effective_{name}"
            value = log.number(key)
            if value is not None and value != seed:
                yield Flaw(
                    path=log.path_of(key),
                    line=log.line(key),
                    message=f"{name} is not the seed of the round",
                    expected=str(seed),
                    actual=log.raw(key),
                    hint="take mlperf.conf of the round and run again",
                )


def _seeded(entry: Entry, facts: Facts) -> Iterator[tuple[DetailLog, Mapping[str, int]]]:
    own = {test.run.path: test.test.seeds for test in entry.compliance if test.run}
    for log in entry.measured_logs():
        yield log, own.get(log.path.rpartition("/")[0]) or facts.seeds


def small_sample_library(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """At least as many samples are loaded for the performance run as the round asks for."""
    if entry.benchmark is None:
        yield Unjudged("the benchmark is unknown (INF201)", skipped=True)
        return
    for log in entry.measured_logs():
        yield from _below(
            log,
            "effective_performance_sample_count",
            entry.benchmark.performance_samples,
            "performance run loads too few samples",
            "set performance_sample_count as in mlperf.conf",
        )


def few_queries(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """Scenarios without early stopping issue the minimum number of queries."""
    for log in entry.measured_logs():
        logged = logged_scenario(log, facts)
        own = entry.benchmark.min_queries if entry.benchmark else {}
        least = own.get(logged.name, logged.min_queries) if logged else None
        if logged and least is not None and not logged.early_stopping:
            yield from _below(
                log,
                "effective_min_query_count",
                least,
                "run may end before the minimum of queries",
                "raise min_query_count",
            )


def small_offline_query(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The one query of Offline holds at least the samples that the round asks for."""
    least = entry.benchmark.offline_samples if entry.benchmark else None
    for log in entry.measured_logs():
        logged = logged_scenario(log, facts)
        if least is not None and logged and logged.one_query:
            yield from _below(
                log,
                "effective_samples_per_query",
                least,
                "query of the Offline run is too small",
                "raise target_qps or min_query_count, so that LoadGen sends more samples",
            )


def small_offline_query_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool of some rounds asks it of one division alone."""
    if entry.division.name in facts.official["offline_samples_in"]:
        yield from small_offline_query(entry, facts)


def _duration_ms(entry: Entry, facts: Facts) -> int:
    own = entry.benchmark.min_duration_ms if entry.benchmark else None
    least: int = facts.limits["min_duration_ms"] if own is None else own
    return least


def short_setting(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The run is set to last at least the minimum duration."""
    for log in entry.measured_logs():
        yield from _below(
            log,
            "effective_min_duration_ms",
            _duration_ms(entry, facts),
            "run may end before the minimum duration",
            "take min_duration of mlperf.conf and run again",
        )


def short_run(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The run really lasted the minimum duration, from power_begin to power_end, or else by
    LoadGen's clock.
    """
    log, least_ms = entry.log, _duration_ms(entry, facts)
    if log is None:
        yield Unjudged(NO_LOG, skipped=True)
        return
    setting = log.number("effective_min_duration_ms")
    if not log.whole or (setting is not None and setting < least_ms):
        return  # INF302 or INF311 reports it
    window = load_window(log)
    lasted_ms = window.duration_ms if window else log.last_ms - log.first_ms
    if lasted_ms <= 0:
        yield Unjudged("the log does not show how long the run lasted")
    elif lasted_ms < least_ms:
        yield Flaw(
            path=log.path,
            line=log.line("power_begin"),
            message="run lasted less than the minimum duration",
            expected=f">= {least_ms} ms",
            actual=f"{lasted_ms:.0f} ms",
            hint="run again for the full time",
        )


RULES = (
    Rule(
        id="INF308",
        name="seed-wrong",
        scope=Scope.RESULT,
        check=wrong_seeds,
        policy=IR_SEEDS,
        why="The seeds are announced late, so that nobody can tune for the order of samples.",
        fix="Take mlperf.conf of the round and run again.",
    ),
    Rule(
        id="INF309",
        name="sample-library-too-small",
        scope=Scope.RESULT,
        check=small_sample_library,
        policy=IR_SCENARIOS,
        why="Few samples fit into caches that real traffic would not fit into.",
        fix="Set performance_sample_count as in mlperf.conf.",
    ),
    Rule(
        id="INF311",
        name="min-duration-setting",
        scope=Scope.RESULT,
        check=short_setting,
        policy=IR_SCENARIOS,
        why="Short runs miss throttling and rare slow queries.",
        fix="Take min_duration of mlperf.conf and run again.",
    ),
    Rule(
        id="INF312",
        name="duration-too-short",
        scope=Scope.RESULT,
        check=short_run,
        policy=IR_SCENARIOS,
        why="The setting is a promise; the clock shows what happened.",
        fix="Run again for the full time.",
    ),
    Rule(
        id="INF313",
        name="min-query-count",
        scope=Scope.RESULT,
        check=few_queries,
        policy=IR_SCENARIOS,
        why="Fewer queries give no meaningful figure.",
        fix="Raise min_query_count.",
    ),
    Rule(
        id="INF314",
        name="offline-query-too-small",
        scope=Scope.RESULT,
        check=small_offline_query,
        official_check=small_offline_query_official,
        policy=IR_SCENARIOS,
        why="A small batch favours systems that cannot sustain their rate.",
        fix="Raise target_qps or min_query_count.",
    ),
)
