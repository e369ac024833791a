"""A finished performance run as LoadGen sees it, and the results every scenario logs."""

from __future__ import annotations

from dataclasses import dataclass

from makers.inference.settings import Settings, Value
from makers.inference.statistics_of_runs import Spread


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """The queries LoadGen generates before it starts."""

    queries: int
    samples_per_query: int
    duration_ns: int  # of the schedule, not of the run


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A finished run."""

    planned: Planned
    samples: int
    issued_ms: float  # from the start to the last query
    active_ms: float  # from the start to the last answer
    results: dict[str, Value]  # in LoadGen's order


def period_ns(settings: Settings) -> int:
    """Return the time between two planned queries, cut to ns by way of seconds as LoadGen does."""
    return int(1.0 / settings.target_qps * 1e9)


def verdict(early_stopping: dict[str, str], *, has_limits: bool = False) -> dict[str, Value]:
    """Return the first results of a valid run; the values of ``early_stopping`` are its notes."""
    values: dict[str, Value] = {"result_validity": "VALID"}
    if has_limits:
        values["result_perf_constraints_met"] = True
    values |= dict.fromkeys(
        ("result_min_duration_met", "result_min_queries_met", "early_stopping_met"), True
    )
    return values | early_stopping


def latencies(latency: Spread) -> dict[str, Value]:
    """Return the latencies of samples."""
    return _extremes(latency, "result_{}_latency_ns") | {
        f"result_{label}_percentile_latency_ns": value for label, value in latency.at.items()
    }


def query_latencies(latency: Spread) -> dict[str, Value]:
    """Return the latencies of MultiStream's queries."""
    return _extremes(latency, "result_{}_query_latency_ns") | {
        f"result_{label}_percentile_per_query_latency_ns": value
        for label, value in latency.at.items()
    }


def first_token_latencies(latency: Spread) -> dict[str, Value]:
    """Return the times to the first token."""
    return _extremes(latency, "result_first_token_{}_latency_ns") | {
        f"result_first_token_{label}_percentile_latency_ns": value
        for label, value in latency.at.items()
    }


def token_times(latency: Spread) -> dict[str, Value]:
    """Return the times per output token; here LoadGen logs the percentiles first."""
    percentiles: dict[str, Value] = {
        f"result_time_per_output_token_{label}_percentile_ns": value
        for label, value in latency.at.items()
    }
    return percentiles | _extremes(latency, "result_time_to_output_token_{}")


def _extremes(latency: Spread, key: str) -> dict[str, Value]:
    return {
        key.format("min"): latency.low,
        key.format("max"): latency.high,
        key.format("mean"): latency.mean,
    }
