"""Made-up runs of SingleStream and MultiStream: one query after the other for ten minutes."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from makers.inference import statistics_of_runs as stats
from makers.inference.round_facts import MIN_DURATION_MS
from makers.inference.run_model import (
    Planned,
    Run,
    latencies,
    period_ns,
    query_latencies,
    verdict,
)
from makers.inference.settings import Settings
from makers.inference.statistics_of_runs import Spread

_MIN_DURATION_NS = MIN_DURATION_MS * 1e6


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stream:
    """The queries of such a run."""

    planned: Planned
    latency: Spread
    queries: int
    issued_ns: float

    def estimate(self, percentile: str, above: str, share: float) -> int:
        """Return early stopping's estimate: a little above the percentile, below the next one."""
        return stats.between(self.latency.at[percentile], self.latency.at[above], share)


def single_stream(settings: Settings, rng: random.Random) -> Run:
    """Return a SingleStream run."""
    stream = _stream(settings, rng)
    p90 = stream.estimate("90.00", "95.00", rng.uniform(0.005, 0.02))
    p99 = stream.estimate("99.00", "99.90", rng.uniform(0.005, 0.02))
    notes = f"{_notes(stream.queries, 0.9)}{p90}\n{_ESTIMATE.format('99.0')}{p99}"
    results = verdict({"early_stopping_result": notes}) | {
        "result_query_count": stream.queries,
        "result_qps_with_loadgen_overhead": (stream.queries - 1) / stream.issued_ns * 1e9,
        "result_qps_without_loadgen_overhead": 1e9 / stream.latency.mean,
        "early_stopping_latency_ss": p90,
        "early_stopping_latency_ms": p99,
    }
    results |= latencies(stream.latency) | {"num_errors": 0}
    return Run(
        planned=stream.planned,
        samples=stream.queries,
        issued_ms=stream.issued_ns / 1e6,
        active_ms=(stream.issued_ns + stream.latency.at["50.00"]) / 1e6,
        results=results,
    )


def multi_stream(settings: Settings, rng: random.Random) -> Run:
    """Return a MultiStream run; the eight samples of a query are answered together."""
    stream = _stream(settings, rng)
    p99 = stream.estimate("99.00", "99.90", rng.uniform(0.005, 0.02))
    notes = f"{_notes(stream.queries, 0.99)}{p99}"
    results = verdict({"early_stopping_result": notes}) | {"result_query_count": stream.queries}
    results |= query_latencies(stream.latency) | {"early_stopping_latency_ms": p99}
    results |= latencies(stream.latency) | {"num_errors": 0}
    return Run(
        planned=stream.planned,
        samples=stream.queries * settings.samples_per_query,
        issued_ms=stream.issued_ns / 1e6,
        active_ms=(stream.issued_ns + stream.latency.at["50.00"]) / 1e6,
        results=results,
    )


def _stream(settings: Settings, rng: random.Random) -> _Stream:
    mean = settings.plan.reached * 1e6 * rng.uniform(0.994, 1.006)
    pace = mean * rng.uniform(1.011, 1.016)  # LoadGen's own share between two queries
    queries = math.ceil(_MIN_DURATION_NS / pace) + 1  # the last one is issued after ten minutes
    period = period_ns(settings)
    planned = math.ceil(2 * _MIN_DURATION_NS / period) + 1  # twice, in case the machine is faster
    return _Stream(
        planned=Planned(
            queries=planned,
            samples_per_query=settings.samples_per_query,
            duration_ns=planned * period,
        ),
        latency=stats.spread(rng, mean, stats.STREAM),
        queries=queries,
        issued_ns=(queries - 1) * pace,
    )


_ESTIMATE = " * Early stopping {}th percentile estimate: "


def _notes(queries: int, percentile: float) -> str:
    return (
        f" * Processed at least {stats.needed(percentile)} queries ({queries}).\n"
        f" * Would discard {stats.tolerable(queries, percentile) - 1} highest latency queries.\n"
        + _ESTIMATE.format(f"{percentile * 100:.1f}")
    )
