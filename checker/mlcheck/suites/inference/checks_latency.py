"""Rules about latencies: early stopping, limits of queries and tokens, systems over a network."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mlcheck.loadgen import DetailLog
from mlcheck.rules import Flaw, Judgement, Rule, Scope
from mlcheck.suites.inference.entry import Entry
from mlcheck.suites.inference.facts import Facts, Scenario
from mlcheck.suites.inference.score import logged_scenario

IR_LATENCY = "inference_rules.adoc#constraints-for-the-closed-division"
IR_EARLY = "inference_rules.adoc#appendix-early_stopping"
TOO_LOOSE = "latency limit of the run is above the benchmark's"
TOO_LATE = "latency of the run is above the benchmark's limit"


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
        if logged and entry.benchmark and entry.benchmark.latency_key:
            logged = replace(logged, latency_key=entry.benchmark.latency_key)
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
