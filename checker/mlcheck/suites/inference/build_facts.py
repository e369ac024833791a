"""Turn the rule file of a round into typed facts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from mlcheck.ruleset import Ruleset
from mlcheck.suites.inference.consistency import require_consistent
from mlcheck.suites.inference.facts import (
    Benchmark,
    ComplianceTest,
    Division,
    Facts,
    MetricKind,
    Needs,
    Scenario,
    Target,
    TokenLimits,
)
from mlcheck.suites.inference.facts_endpoints import endpoints_facts

_BUILT: dict[str, Facts] = {}


def facts_of(ruleset: Ruleset) -> Facts:
    """Return the typed facts of a ruleset, built once per process.

    Raises:
        RulesetError: a name in the rule file means nothing.
    """
    if ruleset.sha256 not in _BUILT:
        facts = _build(ruleset.round, ruleset.document)
        require_consistent(facts)
        _BUILT[ruleset.sha256] = facts
    return _BUILT[ruleset.sha256]


def _build(round_: str, doc: Mapping[str, Any]) -> Facts:
    return Facts(
        round=round_,
        log_format=doc["log_format"],
        ignored_errors=tuple(doc["ignored_errors"]),
        divisions={
            name: Division(
                name=name,
                closed_rules=raw["closed_rules"],
                network_system=raw["network_system"],
                system_types=frozenset(raw["system_types"]),
            )
            for name, raw in doc["divisions"].items()
        },
        layout=doc["layout"],
        files=doc["files"],
        limits=doc["limits"],
        seeds=doc["seeds"],
        test_modes={mode: tuple(names) for mode, names in doc["test_modes"].items()},
        loadgen=doc["loadgen"],
        user_conf=doc["user_conf"],
        network_sut_name=doc["network_sut_name"],
        official=doc["official"],
        equal_issue=doc["equal_issue"],
        system=doc["system"],
        implementation_fields=tuple(doc["implementation"]["required"]),
        scenarios={name: _scenario(name, raw) for name, raw in doc["scenarios"].items()},
        scenario_names={
            alias: name
            for name, raw in doc["scenarios"].items()
            for alias in (name, *raw["aliases"])
        },
        folded={
            name.lower(): canonical
            for kind in ("scenarios", "benchmarks")
            for canonical, raw in doc[kind].items()
            for name in (canonical, *raw.get("aliases", ()))
        },
        one_of=tuple(frozenset(group) for group in doc["one_of"]),
        metrics={name: MetricKind(**{"key": name, **raw}) for name, raw in doc["metrics"].items()},
        inferred={(raw["folder"], raw["log"]): raw["formula"] for raw in doc["inferred"]},
        inferred_system_types=frozenset(doc["inferred_system_types"]),
        guesses=tuple((raw["contains"], raw["benchmark"]) for raw in doc["benchmark_guesses"]),
        summary=doc["summary"],
        accuracy_patterns={
            metric: re.compile(pattern) for metric, pattern in doc["accuracy_patterns"].items()
        },
        wider_patterns={
            metric: re.compile(pattern) for metric, pattern in doc.get("wider_patterns", {}).items()
        },
        accuracy_hash=re.compile(doc["accuracy_hash"]),
        power=doc["power"],
        compliance=doc["compliance"],
        tests={name: _test(name, raw) for name, raw in doc["compliance"]["tests"].items()},
        benchmarks={
            name: _benchmark(name, raw, doc["scenarios"]) for name, raw in doc["benchmarks"].items()
        },
        aliases={
            alias: name
            for name, raw in doc["benchmarks"].items()
            for alias in raw.get("aliases", ())
        },
        endpoints=endpoints_facts(doc),
    )


def _scenario(name: str, raw: Mapping[str, Any]) -> Scenario:
    return Scenario(
        name=name,
        logged_as=raw.get("logged_as", name),
        metric=raw["metric"],
        early_stopping=raw["early_stopping"],
        samples_per_query=raw["samples_per_query"],
        min_queries=raw.get("min_queries"),
        one_query=raw.get("one_query", False),
        latency_key=raw.get("latency_key"),
        measured_latency_key=raw.get("measured_latency_key"),
        power=raw["power"],
        queries=tuple(raw.get("queries", ())),
        rate=raw.get("rate"),
        secondary=tuple(raw.get("secondary", ())),
    )


def _test(name: str, raw: Mapping[str, Any]) -> ComplianceTest:
    return ComplianceTest(
        name=name,
        measured=raw["measured"],
        as_run=raw.get("as_run", raw["measured"]),
        verified=raw.get("verified", True),
        not_in=frozenset(raw.get("not_in", ())),
        compare=raw.get("compare"),
        tolerance=raw.get("tolerance"),
        seeds=raw.get("seeds"),
        accuracy_files=frozenset(raw.get("accuracy_files", ())),
        accuracy_files_when_failed=frozenset(raw.get("accuracy_files_when_failed", ())),
        lines=tuple(tuple(options) for options in raw.get("lines", ())),
        passes=tuple(raw.get("passes", ())),
        audit=raw.get("audit", {}),
    )


def _benchmark(name: str, raw: Mapping[str, Any], scenarios: Iterable[str]) -> Benchmark:
    issue = raw.get("equal_issue", False)
    deltas = raw.get("compliance_delta_percent", {})
    return Benchmark(
        name=name,
        needs={
            kind: Needs(required=frozenset(need["required"]), optional=frozenset(need["optional"]))
            for kind, need in raw["scenarios"].items()
        },
        targets=tuple(_target(target) for target in raw["quality"]),
        performance_samples=raw["performance_samples"],
        dataset_samples=raw["dataset_samples"],
        coverage=_coverage(raw, scenarios),
        min_duration_ms=raw.get("min_duration_ms"),
        offline_samples=raw.get("offline_samples"),
        latency_limit_ns=raw.get("latency_limit_ns", {}),
        latency_key=raw.get("latency_key"),
        min_queries=raw.get("min_queries", {}),
        official_latency_limit_ns=raw.get(
            "official_latency_limit_ns", raw.get("latency_limit_ns", {})
        ),
        token_latencies=raw.get("token_latencies", False),
        token_limits={
            scenario: TokenLimits(**limits)
            for scenario, limits in raw.get("token_limits_ns", {}).items()
        },
        equal_issue=frozenset((scenarios if issue else ()) if isinstance(issue, bool) else issue),
        official_equal_issue=raw.get("official_equal_issue", bool(issue)),
        compliance=tuple(raw["compliance"]),
        metrics=raw.get("metrics", {}),
        compliance_delta_percent=deltas,
        official_delta_percent=raw.get("official_delta_percent", deltas),
        official=raw.get("official", True),
        accuracy_samples={
            folder: tuple(names) for folder, names in raw.get("accuracy_samples", {}).items()
        },
    )


def _coverage(raw: Mapping[str, Any], scenarios: Iterable[str]) -> dict[str, int]:
    """Samples of the accuracy run by scenario: the data set, one number, or a table."""
    whole = raw["dataset_samples"]
    stated = raw.get("coverage", whole)
    table = stated if isinstance(stated, dict) else dict.fromkeys(scenarios, stated)
    return {scenario: table.get(scenario, whole) for scenario in scenarios}


def _target(raw: Mapping[str, Any]) -> Target:
    reference = raw.get("reference")
    low = raw.get("min", reference * raw["min_ratio"] if "min_ratio" in raw else None)
    high = raw.get("max", reference * raw["max_ratio"] if "max_ratio" in raw else None)
    scenarios = raw.get("scenarios")
    return Target(
        metric=raw["metric"],
        low=low,
        high=high,
        official_low=_official(raw.get("official_min"), low),
        official_high=_official(raw.get("official_max"), high),
        scenarios=frozenset(scenarios) if scenarios else None,
    )


def _official(bound: Mapping[str, float] | None, policy: float | None) -> float | None:
    return bound["reference"] * bound["ratio"] if bound else policy
