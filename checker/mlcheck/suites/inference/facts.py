"""The facts of a round of MLPerf Inference, typed. Values come from the rule file alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mlcheck.overlay import RulesetError
from mlcheck.ruleset import Ruleset
from mlcheck.suites.inference.facts_endpoints import EndpointsFacts, endpoints_facts


@dataclass(frozen=True, slots=True, kw_only=True)
class Division:
    """What a division demands. ``network_system`` None: either kind of system."""

    name: str
    closed_rules: bool
    network_system: bool | None
    system_types: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A way of issuing queries. ``logged_as`` is the name LoadGen writes for it."""

    name: str
    logged_as: str
    metric: str
    early_stopping: bool
    samples_per_query: int
    min_queries: int | None
    one_query: bool  # all samples are sent in one query
    latency_key: str | None  # what is held against the latency limit of a benchmark
    measured_latency_key: str | None  # what is held against it as well, by the policy alone
    power: str  # "average": watts; "energy": energy per query
    queries: tuple[str, ...]  # keys whose product is the number of queries
    rate: str | None  # key of the queries per second, where their number is not logged
    secondary: tuple[str, ...]  # further keys worth showing where they are logged


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricKind:
    """How a key of the detail log is published."""

    key: str
    name: str  # as the published metric
    unit: str
    better: str
    divide_by: int
    beside: str = ""  # name beside the published metric, empty: the same


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Bounds of one quality metric, None: unbounded on that side."""

    metric: str
    low: float | None
    high: float | None
    official_low: float | None
    official_high: float | None
    scenarios: frozenset[str] | None  # None: in all


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenLimits:
    """99th percentile limits of a large language model, exclusive, in nanoseconds."""

    first_token: int
    per_output_token: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """Scenarios of a benchmark in one category of systems."""

    required: frozenset[str]
    optional: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """A task of the round with its targets and limits. None: the round sets no such limit."""

    name: str
    needs: Mapping[str, Needs]  # by system type; absent: not part of that category
    targets: tuple[Target, ...]
    performance_samples: int
    dataset_samples: int
    coverage: Mapping[str, int]  # scenario -> samples of its accuracy run
    min_duration_ms: int | None  # None: that of the round
    offline_samples: int | None
    latency_limit_ns: Mapping[str, int]
    latency_key: str | None  # what is held against it, if not that of the scenario
    min_queries: Mapping[str, int]  # where another number than the scenario's
    official_latency_limit_ns: Mapping[str, int]
    token_latencies: bool
    token_limits: Mapping[str, TokenLimits]
    equal_issue: frozenset[str]  # scenarios, as LoadGen logs them
    official_equal_issue: bool  # the official tool asks for it
    compliance: tuple[str, ...]
    metrics: Mapping[str, str]
    compliance_delta_percent: Mapping[str, float]
    official_delta_percent: Mapping[str, float]
    official: bool  # the official tool knows it
    accuracy_samples: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplianceTest:
    """What a compliance test has to show. ``seeds`` None: those of the round."""

    name: str
    measured: bool
    as_run: bool  # its log is held to the rules of a performance run
    verified: bool  # it has a verify_performance.txt of its own
    not_in: frozenset[str]  # scenarios that it is not asked for in
    compare: str | None  # "both", "faster" or "slower": which differences of the score count
    tolerance: float | None  # of the score; None: that of the round
    seeds: Mapping[str, int] | None
    accuracy_files: frozenset[str]
    accuracy_files_when_failed: frozenset[str]
    lines: tuple[tuple[str, ...], ...]
    passes: tuple[str, ...]  # files that have to say that the test passed
    audit: Mapping[str, Any]  # key of the detail log -> value


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All facts of one round."""

    round: str
    log_format: str
    ignored_errors: tuple[str, ...]  # parts of lines that are no errors, whatever they say
    divisions: Mapping[str, Division]
    layout: Mapping[str, Any]
    files: Mapping[str, Any]
    limits: Mapping[str, Any]
    seeds: Mapping[str, int]
    test_modes: Mapping[str, tuple[str, ...]]
    loadgen: Mapping[str, Any]
    user_conf: Mapping[str, Any]
    network_sut_name: str
    official: Mapping[str, Any]  # how the official tool of the round works
    equal_issue: Mapping[str, Any]  # where it is asked for, and where its evidence lies
    system: Mapping[str, Any]
    implementation_fields: tuple[str, ...]
    scenarios: Mapping[str, Scenario]
    scenario_names: Mapping[str, str]  # folder name that the official tool knows -> scenario
    folded: Mapping[str, str]  # name of a scenario or benchmark in small letters -> its name
    one_of: tuple[frozenset[str], ...]
    metrics: Mapping[str, MetricKind]
    inferred: Mapping[tuple[str, str], str]  # (folder, log) -> formula
    inferred_system_types: frozenset[str]
    guesses: tuple[tuple[str, str | None], ...]  # (part of a name, benchmark; None: no longer one)
    summary: Mapping[str, str]  # line of the summary -> key of the detail log
    accuracy_patterns: Mapping[str, re.Pattern[str]]  # as the official tool reads
    wider_patterns: Mapping[str, re.Pattern[str]]  # what the policy reads instead, where it is more
    accuracy_hash: re.Pattern[str]
    power: Mapping[str, Any]
    compliance: Mapping[str, Any]
    tests: Mapping[str, ComplianceTest]
    benchmarks: Mapping[str, Benchmark]
    aliases: Mapping[str, str]
    endpoints: EndpointsFacts | None  # None: the round has results of LoadGen alone

    def metric_kind(self, benchmark: Benchmark | None, logged: Scenario) -> MetricKind:
        """Return what is published of a log written in scenario ``logged``.

        Raises:
            RulesetError: the rule file names a metric that it does not describe.
        """
        key = (benchmark.metrics if benchmark else {}).get(logged.name, logged.metric)
        if key not in self.metrics:
            raise RulesetError(f"{self.round}: metric {key} is not described")
        return self.metrics[key]

    def audit_settings(self, test: ComplianceTest, benchmark: str) -> dict[str, Any]:
        """Return the settings of a test's audit.config for a benchmark, by key of the detail log.

        A value may be a table by benchmark; a benchmark that is not in it has no such setting.
        """
        settings = {
            key: value.get(benchmark) if isinstance(value, dict) else value
            for key, value in test.audit.items()
        }
        return {key: value for key, value in settings.items() if value is not None}


_BUILT: dict[str, Facts] = {}


def facts_of(ruleset: Ruleset) -> Facts:
    """Return the typed facts of a ruleset, built once per process."""
    if ruleset.sha256 not in _BUILT:
        _BUILT[ruleset.sha256] = _build(ruleset.round, ruleset.document)
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
