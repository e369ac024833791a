"""The settings of a LoadGen test: what was asked for and what LoadGen made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from makers.inference.plans import Plan
from makers.inference.round_facts import (
    AUDIT_SAME_INDEX,
    AUDIT_SEED,
    MIN_DURATION_MS,
    MIN_QUERIES,
    PERCENTILE,
    QSL_SEED,
    SAMPLE_SEED,
    SAMPLES_PER_QUERY,
    SCHEDULE_SEED,
    Benchmark,
)

Value: TypeAlias = bool | int | float | str | Sequence[int] | Mapping[str, str]

PERFORMANCE = "PerformanceOnly"
ACCURACY = "AccuracyOnly"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One test: a plan, a mode and, for a compliance run, the test's name."""

    plan: Plan
    mode: str = PERFORMANCE
    audit: str = ""

    @property
    def benchmark(self) -> Benchmark:
        """The benchmark that ran."""
        return self.plan.benchmark

    @property
    def scenario(self) -> str:
        """The scenario in LoadGen's own words."""
        return self.plan.loadgen_scenario

    @property
    def target_qps(self) -> float:
        """Queries per second LoadGen plans with."""
        if self.scenario in ("SingleStream", "MultiStream"):
            return 1e9 / (self.plan.target * 1e6)
        return self.plan.target

    @property
    def samples_per_query(self) -> int:
        """Samples of one query; Offline asks for all of them at once, with LoadGen's 10 % slack."""
        if self.scenario != "Offline":
            return SAMPLES_PER_QUERY[self.scenario]
        slack = int(1.1 * (MIN_DURATION_MS / 1000) * self.target_qps)
        return max(MIN_QUERIES["Offline"], slack)

    @property
    def min_queries(self) -> int:
        """Queries that have to be issued."""
        return 1 if self.scenario == "Offline" else MIN_QUERIES[self.scenario]

    @property
    def token_limits_ns(self) -> tuple[int, int] | None:
        """Limits of first token and of time per token; None: a benchmark without tokens."""
        limits = dict(self.benchmark.token_latency_ms).get(self.plan.scenario)
        return limits and (limits[0] * 1_000_000, limits[1] * 1_000_000)

    @property
    def target_latency_ns(self) -> int:
        """Server's latency limit; 0 where none applies."""
        return self.benchmark.server_latency_ms * 1_000_000 if self.scenario == "Server" else 0


def requested(settings: Settings) -> dict[str, Value]:
    """Return the ``requested_*`` values in LoadGen's order."""
    values: dict[str, Value] = {"scenario": settings.scenario, "test_mode": settings.mode}
    values |= _of_the_scenario(settings)
    values |= {
        "min_duration_ms": MIN_DURATION_MS,
        "max_duration_ms": 0,
        "min_query_count": MIN_QUERIES[settings.scenario],
        "max_query_count": 0,
    }
    values |= shared(settings)
    values["performance_sample_count_override"] = settings.benchmark.loaded
    values["sample_concatenate_permutation"] = settings.benchmark.counts_tokens
    if settings.token_limits_ns:
        values["use_token_latencies"] = True
        if settings.scenario == "Server":
            values["server_ttft_latency"], values["server_tpot_latency"] = settings.token_limits_ns
    return {f"requested_{key}": value for key, value in values.items()}


def effective(settings: Settings) -> dict[str, Value]:
    """Return the ``effective_*`` values in LoadGen's order."""
    offline = settings.scenario == "Offline"
    values: dict[str, Value] = {
        "scenario": settings.scenario,
        "test_mode": settings.mode,
        "samples_per_query": settings.samples_per_query,
        "target_qps": settings.target_qps,
        "target_latency_ns": settings.target_latency_ns,
        "target_latency_percentile": PERCENTILE[settings.scenario],
        "max_async_queries": 0 if settings.scenario == "Server" else 1,
        "target_duration_ms": 0 if offline else MIN_DURATION_MS,
        "min_duration_ms": MIN_DURATION_MS,
        "max_duration_ms": 0,
        "min_query_count": settings.min_queries,
        "max_query_count": 0,
        "min_sample_count": settings.min_queries * settings.samples_per_query,
    }
    values |= shared(settings)
    values["performance_sample_count"] = settings.benchmark.loaded
    values["sample_concatenate_permutation"] = settings.benchmark.counts_tokens
    return {f"effective_{key}": value for key, value in values.items()}


def shared(settings: Settings) -> dict[str, Value]:
    """Return the settings that are requested and taken as they are."""
    sampled = settings.audit == "TEST01"
    same = settings.audit == "TEST04"
    return {
        "qsl_rng_seed": QSL_SEED,
        "sample_index_rng_seed": SAMPLE_SEED,
        "schedule_rng_seed": SCHEDULE_SEED,
        "accuracy_log_rng_seed": AUDIT_SEED if sampled else 0,
        "accuracy_log_probability": 0,
        "accuracy_log_sampling_target": settings.benchmark.audit_samples if sampled else 0,
        "print_timestamps": False,
        "performance_issue_unique": False,
        "performance_issue_same": same,
        "performance_issue_same_index": AUDIT_SAME_INDEX if same else 0,
    }


def _of_the_scenario(settings: Settings) -> dict[str, Value]:
    target = settings.plan.target
    percentile = PERCENTILE[settings.scenario]
    match settings.scenario:
        case "SingleStream":
            return {
                "single_stream_expected_latency_ns": round(target * 1e6),
                "single_stream_target_latency_percentile": percentile,
            }
        case "MultiStream":
            return {
                "multi_stream_expected_latency_ns": target * 1e6,
                "multi_stream_target_latency_percentile": percentile,
                "multi_stream_samples_per_query": SAMPLES_PER_QUERY["MultiStream"],
            }
        case "Offline":
            return {"offline_expected_qps": target}
        case _:
            return {
                "server_target_qps": target,
                "server_target_latency_ns": settings.target_latency_ns,
                "server_target_latency_percentile": percentile,
                "server_coalesce_queries": False,
                "server_find_peak_qps_decimals_of_precision": 1,
                "server_find_peak_qps_boundary_step_size": 1,
                "server_max_async_queries": 0,
                "server_num_issue_query_threads": 0,
            }
