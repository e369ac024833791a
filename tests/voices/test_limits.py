"""Each limit holds for each benchmark it is set for, in every round, and for nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from mlcheck.documents import Text
from mlcheck.suites.inference.entry import ComplianceRun, Entry
from mlcheck.suites.inference.facts import Benchmark, Facts, Target
from tests.voices.made_results import (
    ROUNDS,
    benchmark_view,
    entry_of,
    every_round,
    facts_for,
    flaws,
    log_of,
    printing,
    reading,
    scenarios_of,
    since,
)

FIRST_TOKEN = "result_first_token_99.00_percentile_latency_ns"
MEASURED = "result_99.00_percentile_latency_ns"
OUTPUT_TOKEN = "result_time_per_output_token_99.00_percentile_ns"


@every_round
def test_whole_data_set_is_enough(round_: str) -> None:
    facts = facts_for(round_)
    for name, benchmark in facts.benchmarks.items():
        values = {
            "effective_performance_sample_count": benchmark.performance_samples,
            "effective_samples_per_query": benchmark.offline_samples or 1,
            "effective_min_query_count": 1,
            "qsl_reported_total_count": benchmark.coverage["Offline"],
        }
        entry = entry_of(facts, name, "Offline", values)
        found = [flaws(rule, entry, facts) for rule in ("INF309", "INF313", "INF314", "INF509")]
        assert found == [[], [], [], []], name


@every_round
def test_what_was_asked_for_is_the_number_of_the_benchmark(round_: str) -> None:
    facts = facts_for(round_)
    for name, benchmark in facts.benchmarks.items():
        needed = {
            "INF309": ("effective_performance_sample_count", benchmark.performance_samples),
            "INF314": ("effective_samples_per_query", benchmark.offline_samples or 0),
        }
        for rule, (key, least) in needed.items():
            entry = entry_of(facts, name, "Offline", {key: least - 1})
            found = [(flaw.expected, flaw.actual) for flaw in flaws(rule, entry, facts)]
            assert found == ([(f">= {least}", f"{least - 1}")] if least else []), (name, rule)


@pytest.mark.parametrize("name", ["e2e-rag-qna", "e2e-rag-db", "whisper"])
def test_one_pass_over_the_data_set_may_be_short(name: str) -> None:
    facts = facts_for("v6.1")
    values = {"effective_min_duration_ms": 240_000}
    entry = entry_of(facts, name, "Offline", values, last_ms=240_000)
    found = [len(flaws(rule, entry, facts)) for rule in ("INF311", "INF312")]
    assert found == ([1, 0] if name == "whisper" else [0, 0])


@every_round
def test_latency_limits_of_every_benchmark(round_: str) -> None:
    facts = facts_for(round_)
    for name, benchmark in facts.benchmarks.items():
        for scenario, limit in benchmark.latency_limit_ns.items():
            logged = facts.scenarios[facts.scenarios[scenario].logged_as]
            assert logged.latency_key
            for value, found in ((limit, 0), (limit + 1, 1)):
                values = {MEASURED: limit, benchmark.latency_key or logged.latency_key: value}
                entry = entry_of(facts, name, scenario, values)
                assert len(flaws("INF316", entry, facts)) == found, (name, scenario)


@pytest.mark.parametrize("round_", since("v2.0"))
def test_latency_itself_is_held_against_the_limit(round_: str) -> None:
    facts = facts_for(round_)
    for name, benchmark in facts.benchmarks.items():
        limit = benchmark.latency_limit_ns.get("Server")
        if limit and not benchmark.token_latencies:
            values = {
                "effective_target_latency_ns": limit,
                MEASURED: limit + 1,
            }
            assert flaws("INF316", entry_of(facts, name, "Server", values), facts), name


@every_round
def test_token_limits_of_every_language_model(round_: str) -> None:
    facts = facts_for(round_)
    for name, benchmark in facts.benchmarks.items():
        for scenario, limits in benchmark.token_limits.items():
            first, further = limits.first_token, limits.per_output_token
            for tokens, found in (
                ((first - 1, further - 1), 0),
                ((first, further - 1), 1),
                ((first, further), 2),
            ):
                values = dict(zip((FIRST_TOKEN, OUTPUT_TOKEN), tokens, strict=True))
                entry = entry_of(facts, name, scenario, values)
                assert len(flaws("INF318", entry, facts)) == found, (name, scenario)


@every_round
def test_language_models_record_their_tokens(round_: str) -> None:
    facts = facts_for(round_)
    for name, benchmark in facts.benchmarks.items():
        for values in ({}, {"requested_use_token_latencies": False}):
            found = flaws("INF317", entry_of(facts, name, "Offline", values), facts)
            assert len(found) == benchmark.token_latencies, name


def _targets(facts: Facts) -> Iterator[tuple[Benchmark, Target, str]]:
    """Yield each target with a scenario that it is for."""
    for benchmark in facts.benchmarks.values():
        for target in benchmark.targets:
            yield benchmark, target, min(target.scenarios or scenarios_of(benchmark))


@every_round
def test_every_target_is_to_be_reached(round_: str) -> None:
    facts = facts_for(round_)
    for benchmark, target, scenario in _targets(facts):
        entry = entry_of(facts, benchmark.name, scenario)
        for rule, bound, worse in (("INF504", target.low, 0.998), ("INF505", target.high, 1.002)):
            if bound is None:
                continue
            at, beyond = (reading(entry, **{target.metric: bound * by}) for by in (1, worse))
            assert flaws(rule, at, facts) == [], (benchmark.name, target)
            assert len(flaws(rule, beyond, facts)) == 1, (benchmark.name, target)


@every_round
def test_the_reference_reaches_its_own_targets(round_: str) -> None:
    facts = facts_for(round_)
    for benchmark, target, _ in _targets(facts):
        low, high = target.low, target.high
        assert low is not None or high is not None, (benchmark.name, target)
        assert low is None or high is None or low < high, (benchmark.name, target)


@every_round
def test_open_states_what_it_reached(round_: str) -> None:
    facts = facts_for(round_)
    for name, benchmark in facts.benchmarks.items():
        entry = entry_of(facts, name, min(scenarios_of(benchmark)), division="open")
        assert flaws("INF503", entry, facts), name
        low = reading(entry, **{entry.targets[0].metric: 0.001})
        assert [flaws(rule, low, facts) for rule in ("INF503", "INF504")] == [[], []], name


@every_round
def test_every_required_scenario_is_missed(round_: str) -> None:
    facts = facts_for(round_)
    for name, benchmark in facts.benchmarks.items():
        for kind, needs in benchmark.needs.items():
            for scenario in needs.required:
                other = next(known for known in facts.scenarios if known != scenario)
                rest = needs.required - {scenario} or {other}
                view = benchmark_view(facts, name, {*rest}, kind)
                found = [flaw.expected for flaw in flaws("INF204", view, facts)]
                assert found == [scenario], (name, kind)


@every_round
def test_server_and_interactive_replace_each_other(round_: str) -> None:
    facts = facts_for(round_)
    for name, benchmark in facts.benchmarks.items():
        for kind, needs in benchmark.needs.items():
            for group in facts.one_of:
                either = group <= needs.optional
                alone = benchmark_view(facts, name, {"Offline"}, kind)
                assert len(flaws("INF205", alone, facts)) == either, (name, kind)
                for scenario in group if either else ():
                    view = benchmark_view(facts, name, {"Offline", scenario}, kind)
                    found = [flaws(rule, view, facts) for rule in ("INF204", "INF205")]
                    assert found == [[], []], (name, kind, scenario)


@pytest.mark.parametrize(("round_", "name"), [("v5.1", "pointpainting"), ("v6.1", "qwen3.6-27b")])
def test_a_scenario_that_a_benchmark_does_not_have_is_not_inferred(round_: str, name: str) -> None:
    facts = facts_for(round_)
    entry = entry_of(
        facts, name, "Offline", {"effective_scenario": "SingleStream"}, system_type="edge"
    )
    assert len(flaws("INF203", entry, facts)) == 1


def _tested(entry: Entry, name: str, run: dict[str, float], test: dict[str, float]) -> Entry:
    """Give a test the accuracy of the run and of its own; the samples of both did not agree."""
    assert entry.accuracy
    assert entry.accuracy.text
    made = next(test for test in entry.compliance if test.test.name == name)
    made = replace(
        made,
        present=True,
        verify_accuracy=Text(path="text", lines=("TEST FAIL",)),
        baseline=printing(entry.accuracy.text, **run),
        compliance=printing(entry.accuracy.text, **test),
    )
    return replace(entry, compliance=(made,))


@every_round
def test_accuracy_of_a_test_is_compared_metric_by_metric(round_: str) -> None:
    facts = facts_for(round_)
    for name, benchmark in facts.benchmarks.items():
        if "TEST01" not in benchmark.compliance:
            continue
        entry = entry_of(facts, name, min(scenarios_of(benchmark)))
        allowed = {"default": facts.compliance["delta_percent"]}
        allowed |= benchmark.compliance_delta_percent
        after = {target.metric: 90.0 for target in entry.targets}
        for by, found in ((0.99, 0), (1.01, len(after))):
            before = {
                metric: 90.0 * (1 - by * allowed.get(metric, allowed["default"]) / 100)
                for metric in after
            }
            flawed = flaws("CMP106", _tested(entry, "TEST01", before, after), facts)
            assert len(flawed) == found, name


def _scored(entry: Entry, test: ComplianceRun, log: dict[str, object]) -> Entry:
    assert entry.performance
    run = replace(entry.performance, detail=log_of(log))
    return replace(entry, compliance=(replace(test, present=True, run=run),))


# comparison of a test -> whether half and double the speed of the result fit it
HALF_AND_DOUBLE = {"both": (False, False), "faster": (True, False), "slower": (False, True)}


@every_round
def test_tests_are_scored_by_the_metric_of_their_scenario(round_: str) -> None:
    facts = facts_for(round_)
    for name, benchmark in facts.benchmarks.items():
        for scenario in scenarios_of(benchmark):
            logged = facts.scenarios[facts.scenarios[scenario].logged_as]
            key = facts.compliance.get("scores", {}).get(logged.name, logged.metric)
            entry = entry_of(facts, name, scenario, {key: SCORE})
            for test in entry.compliance:
                if test.test.compare is None:
                    continue  # it is compared with another test, or not scored
                half, double = HALF_AND_DOUBLE[test.test.compare]
                speeds = {0.997: True, 1.003: True, 0.5: half, 2.0: double}
                for speed, fits in speeds.items():
                    score = SCORE / speed if logged.power == "energy" else SCORE * speed
                    log = {"effective_scenario": logged.name, key: score}
                    found = flaws("CMP108", _scored(entry, test, log), facts)
                    assert (found == []) is fits, (name, scenario, speed)


SCORE = 2.0e9  # a rate, or a latency that is not so short that more may differ


def test_retinanet_server_of_an_early_report() -> None:
    facts = facts_for("v4.1")
    key = "result_completed_samples_per_sec"
    entry = entry_of(facts, "retinanet", "Server", {key: 2228.87})
    (test05,) = (test for test in entry.compliance if test.test.name == "TEST05")
    log: dict[str, object] = {"effective_scenario": "Server", key: 2223.09}
    assert flaws("CMP108", _scored(entry, test05, log), facts) == []


def test_rounds_are_all_there() -> None:
    old = {"v0.5", "v0.7", "v1.0", "v1.1", "v2.0", "v2.1", "v3.0", "v3.1"}
    assert {*ROUNDS} >= {*old, "v4.0", "v4.1", "v5.0", "v5.1", "v6.0", "v6.1"}
