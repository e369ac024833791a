"""The facts of a round of MLPerf Inference, typed. Values come from the rule file alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mlcheck.overlay import RulesetError
from mlcheck.suites.inference.facts_endpoints import EndpointsFacts


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
