"""Facts of all rounds: nothing is fused, swapped, forgotten, or as it was before a correction."""

from __future__ import annotations

import math
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from mlcheck import resources
from mlcheck.overlay import RulesetError
from mlcheck.ruleset import load
from mlcheck.suites.registry import SUITES
from tests.voices.made_results import (
    ROUNDS,
    entry_of,
    every_round,
    facts_for,
    flaws,
    scenarios_of,
    since,
)

EVENLY = "effective_sample_concatenate_permutation"
# inference rules: LoadGen's sample_concatenate_permutation, from v4.1 on
EVENLY_ISSUED = re.compile(r"3d-unet|deepseek-r1|gptj|gpt-oss|llama|mixtral|qwen3-vl|rgat|whisper")

# submission rules, required compliance tests of v5.x; the other benchmarks need none
TESTS = {
    "3d-unet": {"TEST01"},
    "bert": {"TEST01"},
    "deepseek-r1": {"TEST06"},
    "dlrm-v2": {"TEST01"},
    "llama2-70b": {"TEST06"},
    "llama3.1-405b": {"TEST06"},
    "llama3.1-8b": {"TEST06"},
    "mixtral-8x7b": {"TEST06"},
    "pointpainting": {"TEST01", "TEST04"},
    "resnet": {"TEST01", "TEST04"},
    "retinanet": {"TEST01"},
    "rgat": {"TEST01"},
    "stable-diffusion-xl": {"TEST01", "TEST04"},
    "whisper": {"TEST01"},
}

# Numbers that were wrong in a table before: since when, where, and what is right.
CORRECTED = [
    ("v0.7", "bert-99/performance_samples", 10833),
    ("v4.1", "llama2-70b-99/quality/TOKENS_PER_SAMPLE/reference", 294.45),
    ("v5.0", "llama2-70b-interactive-99/token_limits_ns/Server/first_token", 450_000_000),
    ("v5.0", "llama2-70b-interactive-99/token_limits_ns/Server/per_output_token", 40_000_000),
    ("v5.1", "llama2-70b-99/token_limits_ns/Interactive/first_token", 450_000_000),
    ("v5.1", "llama2-70b-99/token_limits_ns/Interactive/per_output_token", 40_000_000),
    ("v6.0", "qwen3-vl-235b-a22b/latency_limit_ns/Server", 12_000_000_000),
    ("v6.0", "wan-2.2-t2v-a14b/performance_samples", 50),
    ("v6.0", "wan-2.2-t2v-a14b/dataset_samples", 248),
]


def fused(names: set[str]) -> set[str]:
    """Return names that are two other names in a row, as where a comma is missing."""
    return {
        name
        for name in names
        for cut in range(1, len(name))
        if name[:cut] in names and name[cut:] in names
    }


def test_fused_names_are_told() -> None:
    assert fused({"bert", "gptj", "bertgptj", "gptj-99"}) == {"bertgptj"}


@every_round
def test_no_names_are_fused(round_: str) -> None:
    facts = facts_for(round_)
    assert fused({*facts.benchmarks, *facts.aliases}) == set()
    assert fused({*facts.metrics, *facts.accuracy_patterns, *facts.tests}) == set()


@every_round
def test_an_alias_means_one_benchmark(round_: str) -> None:
    benchmarks = load("inference", round_).document["benchmarks"]
    aliases = [alias for raw in benchmarks.values() for alias in raw.get("aliases", ())]
    assert len(aliases) == len({*aliases})
    assert {*aliases}.isdisjoint(benchmarks)


@every_round
def test_all_that_is_named_exists(round_: str) -> None:
    facts = facts_for(round_)
    for benchmark in facts.benchmarks.values():
        assert scenarios_of(benchmark) <= {*facts.scenarios}
        assert {*benchmark.token_limits, *benchmark.latency_limit_ns} <= {*facts.scenarios}
        assert {target.metric for target in benchmark.targets} <= {*facts.accuracy_patterns}
        assert {*benchmark.compliance} <= {*facts.tests}
        for scenario in facts.scenarios.values():
            facts.metric_kind(benchmark, scenario)
    assert {name for _, name in facts.guesses if name} <= {*facts.benchmarks}


MISSPELT: dict[str, tuple[str, Any]] = {
    "two tests in one": ("benchmarks/resnet/compliance", ["TEST01TEST04"]),
    "scenario of limits": ("benchmarks/resnet/latency_limit_ns", {"Sever": 15_000_000}),
    "scenario of requirements": (
        "benchmarks/resnet/scenarios",
        {"edge": {"required": ["OfflineServer"], "optional": []}},
    ),
    "metric of quality": ("benchmarks/resnet/quality", [{"metric": "acccuracy", "min": 75.7}]),
    "published key": ("benchmarks/resnet/metrics", {"Offline": "result_samples_per_secnd"}),
    "benchmark of a guess": (
        "benchmark_guesses",
        [{"contains": "resnet50", "benchmark": "resnetretinanet"}],
    ),
}


@pytest.mark.parametrize(("place", "value"), MISSPELT.values(), ids=MISSPELT.keys())
def test_a_name_that_does_not_exist_is_refused(scratch: Path, place: str, value: object) -> None:
    (scratch / "inference").mkdir()
    shutil.copy(resources.rules_root() / "inference/v5.1.yaml", scratch / "inference")
    way = place.split("/")
    was: Any = load("inference", "v5.1", scratch).document
    for step in way:
        was = was.get(step) if isinstance(was, dict) else None
    change: dict[str, object] = {
        "op": "add" if was is None else "replace",
        "path": f"/{place}",
        "why": "a test",
    }
    change |= {"value": value} if was is None else {"value": value, "was": was}
    head = {"suite": "inference", "round": "v9.0", "status": "draft"}
    text = yaml.safe_dump({"ruleset": head, "extends": "v5.1", "changes": [change]})
    (scratch / "inference/v9.0.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(RulesetError):
        SUITES["inference"].facts(load("inference", "v9.0", scratch))


@every_round
def test_samples_of_a_run_are_samples_of_the_data_set(round_: str) -> None:
    for benchmark in facts_for(round_).benchmarks.values():
        most = benchmark.dataset_samples
        assert benchmark.performance_samples <= most or benchmark.name == REPEATED, benchmark.name
        assert (benchmark.offline_samples or 0) <= max(most, ONE_QUERY), benchmark.name
        assert max(benchmark.coverage.values()) <= most, benchmark.name


REPEATED = "gnmt"  # LoadGen was told of each sentence 1,300 times
ONE_QUERY = 24_576  # samples of an Offline query; of a small data set some come again


@pytest.mark.parametrize("round_", since("v4.1"))
def test_offline_asks_for_no_more_than_the_data_set(round_: str) -> None:
    for benchmark in facts_for(round_).benchmarks.values():
        assert (benchmark.offline_samples or 0) <= benchmark.dataset_samples, benchmark.name


@every_round
def test_offline_has_a_size_and_answering_a_limit(round_: str) -> None:
    for benchmark in facts_for(round_).benchmarks.values():
        scenarios = scenarios_of(benchmark)
        assert "Offline" not in scenarios or benchmark.offline_samples, benchmark.name
        if benchmark.token_latencies:
            assert {*benchmark.token_limits} >= scenarios & {"Server", "Interactive"}
        elif scenarios & {"Server", "Interactive"}:
            assert "Server" in benchmark.latency_limit_ns, benchmark.name


def derived_queries(percentile: float) -> int:
    """How many queries show a percentile: 99 % sure, to a twentieth of what lies above it.

    Source: inference rules, scenarios: rounded up to a multiple of 2^13.
    """
    above = 1 - percentile
    needed = 2.5758**2 * percentile * above / (above / 20) ** 2
    return math.ceil(needed / 2**13) * 2**13


@pytest.mark.parametrize(
    ("percentile", "queries"), [(0.9, 24_576), (0.95, 57_344), (0.97, 90_112), (0.99, 270_336)]
)
def test_queries_that_show_a_percentile(percentile: float, queries: int) -> None:
    assert derived_queries(percentile) == queries


@every_round
def test_query_counts_follow_from_a_percentile(round_: str) -> None:
    facts = facts_for(round_)
    derived = {derived_queries(percentile) for percentile in (0.9, 0.95, 0.97, 0.99)}
    for scenario in facts.scenarios.values():
        if scenario.early_stopping:
            assert scenario.min_queries is None, "early stopping decides"
        else:
            assert scenario.min_queries in {OFFLINE, SINGLE_STREAM, *derived}, scenario.name
    for benchmark in facts.benchmarks.values():
        assert {*benchmark.min_queries.values()} <= derived, benchmark.name


OFFLINE, SINGLE_STREAM = 1, 1024  # these the rules simply state


@pytest.mark.parametrize("round_", ["v0.7", "v1.0", "v1.1"])
@pytest.mark.parametrize(("queries", "found"), [(90_112, 1), (270_335, 1), (270_336, 0)])
def test_queries_of_the_wrong_percentile_are_too_few(round_: str, queries: int, found: int) -> None:
    facts = facts_for(round_)
    for name, benchmark in facts.benchmarks.items():
        if "Server" in scenarios_of(benchmark):
            entry = entry_of(facts, name, "Server", {"effective_min_query_count": queries})
            assert len(flaws("INF313", entry, facts)) == found, name


@pytest.mark.parametrize("round_", since("v4.1"))
def test_samples_of_uneven_size_are_issued_evenly(round_: str) -> None:
    facts = facts_for(round_)
    asked = {
        name
        for name in facts.benchmarks
        if flaws("INF310", entry_of(facts, name, "Offline", {EVENLY: False}), facts)
    }
    assert asked == {name for name in facts.benchmarks if EVENLY_ISSUED.match(name)}


@pytest.mark.parametrize("round_", [name for name in ROUNDS if name.startswith("v5.")])
def test_compliance_tests_are_those_of_the_submission_rules(round_: str) -> None:
    facts = facts_for(round_)
    for name in facts.benchmarks:
        base = re.sub(r"(-interactive)?(-99(\.9)?)?$", "", name)
        missing = {
            flaw.message for flaw in flaws("CMP101", entry_of(facts, name, "Offline"), facts)
        }
        assert missing == {f"{test} is missing" for test in TESTS.get(base, ())}, name


@every_round
def test_language_models_are_not_compared_sample_by_sample(round_: str) -> None:
    for benchmark in facts_for(round_).benchmarks.values():
        assert not (benchmark.token_latencies and "TEST01" in benchmark.compliance)


@pytest.mark.parametrize("name", ["gptj-99", "gptj-99.9"])
def test_where_no_test_is_asked_for_none_is_missing(name: str) -> None:
    facts = facts_for("v4.1")
    assert flaws("CMP101", entry_of(facts, name, "Offline"), facts) == []


@every_round
def test_every_test_has_the_settings_of_its_audit(round_: str) -> None:
    facts = facts_for(round_)
    for benchmark in facts.benchmarks.values():
        for name in benchmark.compliance:
            test = facts.tests[name]
            assert {*facts.audit_settings(test, benchmark.name)} == {*test.audit}, benchmark.name


def _value(raw: Mapping[str, Any], place: str) -> Any:
    found: Any = raw
    for step in place.split("/"):
        if isinstance(found, list):
            found = next(item for item in found if item["metric"] == step)
        else:
            found = found[step]
    return found


@pytest.mark.parametrize(("first", "place", "right"), CORRECTED)
def test_what_was_corrected_stays_corrected(first: str, place: str, right: float) -> None:
    tables = [load("inference", name).document["benchmarks"] for name in since(first)]
    held = [_value(table, place) for table in tables if place.partition("/")[0] in table]
    assert {*held} == {right}
