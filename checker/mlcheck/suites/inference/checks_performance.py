"""Rules about how a performance run was set up and what it reached."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.inference.entry import Entry
from mlcheck.suites.inference.facts import Facts, Scenario
from mlcheck.suites.inference.loadgen import DetailLog
from mlcheck.suites.inference.score import logged_scenario, power_window

IR_SCENARIOS = "inference_rules.adoc#scenarios"
IR_SEEDS = "inference_rules.adoc#non-determinism-is-restricted"
IR_LATENCY = "inference_rules.adoc#constraints-for-the-closed-division"
IR_EARLY = "inference_rules.adoc#appendix-early_stopping"
NO_LOG = "the detail log is missing or unreadable (INF301, INF302)"
TOO_LOOSE = "latency limit of the run is above the benchmark's"
TOO_LATE = "latency of the run is above the benchmark's limit"
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
    window = power_window(log)
    if window:
        lasted_ms = (window[1] - window[0]).total_seconds() * MS_PER_S
    else:
        lasted_ms = log.last_ms - log.first_ms
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


def early_stopping_failed(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """SingleStream, MultiStream and Server meet the early stopping criterion."""
    for log in entry.measured_logs():
        logged = logged_scenario(log, facts)
        key = "early_stopping_met"
        if logged and logged.early_stopping and log.get(key) is False:
            yield Flaw(
                path=log.path,
                line=log.line(key),
                message="early stopping criterion is not met",
                expected="true",
                actual="false",
                hint=(log.text("early_stopping_result") or "run longer, or at a lower rate")[:120],
            )


def loose_latency_limit(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """In closed and network neither LoadGen's latency limit nor the percentile that was measured is
    above the limit of the benchmark; language models have limits of tokens instead.
    """
    if entry.division.closed_rules:
        limits = entry.benchmark.latency_limit_ns if entry.benchmark else {}
        for log, logged in _limited(entry, facts):
            limit = limits.get(logged.name)
            if entry.scenario:
                limit = limits.get(entry.scenario.name, limit)
            found = _loose(log, logged.latency_key, limit)
            tokens = entry.benchmark is not None and entry.benchmark.token_latencies
            if not found and not tokens:
                found = _loose(log, logged.measured_latency_key, limit)
            yield from found


def loose_latency_limit_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool holds open to it too, and Interactive to the limit of Server."""
    limits = entry.benchmark.official_latency_limit_ns if entry.benchmark else {}
    for log, logged in _limited(entry, facts):
        yield from _loose(log, logged.latency_key, limits.get(logged.name))


def _limited(entry: Entry, facts: Facts) -> Iterator[tuple[DetailLog, Scenario]]:
    for log in entry.measured_logs():
        logged = logged_scenario(log, facts)
        if logged and entry.endpoints:
            # it has no setting for a latency, so that the measured one is held to the limit of the
            # folder's scenario; of language models the tokens are (INF318)
            logged = replace(entry.scenario or logged, latency_key=logged.measured_latency_key)
            if entry.benchmark and entry.benchmark.token_latencies:
                continue
        if logged and logged.latency_key:
            yield log, logged


def _loose(log: DetailLog, key: str | None, limit: int | None) -> list[Flaw]:
    value = log.number(key) if key else None
    if key is None or limit is None or (value is not None and value <= limit):
        return []
    flaw = Flaw(
        path=log.path_of(key),
        line=log.line(key),
        message=TOO_LOOSE if key.startswith("effective") else TOO_LATE,
        expected=f"<= {limit} ns",
        actual=f"{log.raw(key)} ns" if value is not None else "not logged",
        hint="take target_latency of mlperf.conf and run again",
    )
    return [flaw]


def unrecorded_tokens(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """Language models are run with token latencies recorded."""
    if entry.benchmark is None or not entry.benchmark.token_latencies:
        return
    for log in entry.measured_logs():
        key = "requested_use_token_latencies"
        if not log.get(key):
            yield Flaw(
                path=log.path,
                line=log.line(key),
                message="token latencies were not recorded",
                expected="true",
                actual=log.raw(key) or "not logged",
                hint="set use_token_latencies and run again",
            )


def late_tokens(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """In closed and network the 99th percentiles of the first and of further tokens are under the
    limits of the folder's scenario.
    """
    logged = logged_scenario(entry.log, facts) if entry.log else None
    if entry.division.closed_rules and entry.scenario and _fits(entry, logged):
        yield from _late(entry, entry.scenario)


def _fits(entry: Entry, logged: Scenario | None) -> bool:
    """Tell whether a log may lie in this folder; INF206 reports one of another scenario."""
    own = entry.scenario
    return own is not None and logged is not None and logged.name in (own.name, own.logged_as)


def late_tokens_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool holds open to it too, and refuses what has no limits; that of some rounds
    goes by the scenario in the log, which is never Interactive.
    """
    by_log = facts.official["token_limits_by"] == "log" and entry.endpoints is None
    logged = logged_scenario(entry.log, facts) if entry.log else None
    scenario = logged if by_log else entry.scenario
    if scenario is None or entry.benchmark is None or not entry.benchmark.token_latencies:
        return
    if scenario.latency_key and scenario.name not in entry.benchmark.token_limits:
        yield Flaw(
            path=entry.path,
            message=f"{entry.benchmark.name} has no limits for {scenario.name}",
            expected=" or ".join(entry.benchmark.token_limits) or "another benchmark",
            hint="measure a scenario of the benchmark",
        )
    elif by_log or _fits(entry, logged):
        yield from _late(entry, scenario)


def _late(entry: Entry, scenario: Scenario) -> Iterator[Flaw]:
    benchmark = entry.benchmark
    if benchmark is None or not benchmark.token_latencies:
        return
    limits = benchmark.token_limits.get(scenario.name)
    if limits is None:
        return
    for log in entry.measured_logs():
        for key, limit, what in (
            ("result_first_token_99.00_percentile_latency_ns", limits.first_token, "first token"),
            (
                "result_time_per_output_token_99.00_percentile_ns",
                limits.per_output_token,
                "output token",
            ),
        ):
            value = log.number(key)
            if value is None or value >= limit:
                yield Flaw(
                    path=log.path_of(key),
                    line=log.line(key),
                    message=f"{what} comes too late for {entry.scenario_raw}",
                    expected=f"< {limit} ns at the 99th percentile",
                    actual=f"{log.raw(key)} ns" if value is not None else "not logged",
                    hint="lower target_qps and run again",
                )


def unnamed_network_sut(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The name that a system over a network gives itself contains "Network SUT"."""
    if not entry.network_system or entry.division.network_system is False:
        return  # SYS011 reports a system that has no place here
    for log in entry.measured_logs():
        name = log.text("sut_name") or ""
        if facts.network_sut_name not in name:
            yield Flaw(
                path=log.path,
                line=log.line("sut_name"),
                message="name of the system under test does not say that it is over a network",
                expected=facts.network_sut_name,
                actual=name[:80],
                hint="let the name method of the QDL return it",
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
    Rule(
        id="INF315",
        name="early-stopping-not-met",
        scope=Scope.RESULT,
        check=early_stopping_failed,
        policy=IR_EARLY,
        why="Without it the latency percentile is not sure enough.",
        fix="Run longer, or at a lower rate.",
    ),
    Rule(
        id="INF316",
        name="latency-limit-too-loose",
        scope=Scope.RESULT,
        check=loose_latency_limit,
        official_check=loose_latency_limit_official,
        policy=IR_LATENCY,
        why="A looser limit allows a higher rate.",
        fix="Take target_latency of mlperf.conf and run again.",
    ),
    Rule(
        id="INF317",
        name="token-latencies-not-recorded",
        scope=Scope.RESULT,
        check=unrecorded_tokens,
        policy=IR_LATENCY,
        why="Without them the limits of language models cannot be judged.",
        fix="Set use_token_latencies and run again.",
    ),
    Rule(
        id="INF318",
        name="token-too-late",
        scope=Scope.RESULT,
        check=late_tokens,
        official_check=late_tokens_official,
        policy=IR_LATENCY,
        why="The rate is only worth something if users get their answer in time.",
        fix="Lower target_qps and run again.",
    ),
    Rule(
        id="INF319",
        name="network-sut-name",
        scope=Scope.RESULT,
        check=unnamed_network_sut,
        policy="inference_rules.adoc#qdl-constraints",
        why="The round trip of the name is what shows that the network was used.",
        fix="Let the name method of the QDL return it.",
    ),
)
