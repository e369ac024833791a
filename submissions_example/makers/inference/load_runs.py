"""Made-up runs of Offline and Server: everything at once, or queries at random times."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from makers.inference import statistics_of_runs as stats
from makers.inference.answers import tokens_of_all_answers
from makers.inference.round_facts import MIN_DURATION_MS
from makers.inference.run_model import (
    Planned,
    Run,
    first_token_latencies,
    latencies,
    period_ns,
    token_times,
    verdict,
)
from makers.inference.settings import Settings, Value
from makers.inference.statistics_of_runs import Spread

_TOKEN_NOTES = ("early_stopping_ttft_result", "early_stopping_tpot_result")
_NOTES = ("early_stopping_result",)


def offline(settings: Settings, rng: random.Random) -> Run:
    """Return an Offline run; early stopping has nothing to say here."""
    tokens = settings.benchmark.counts_tokens
    samples = settings.samples_per_query
    if tokens:  # equal issue: every sample of the set equally often
        samples = math.ceil(samples / settings.benchmark.loaded) * settings.benchmark.loaded
    rate = settings.plan.reached * rng.uniform(0.994, 1.006)
    latency = stats.steady(rng, samples / rate * 1e9)
    results = verdict(dict.fromkeys(_TOKEN_NOTES if tokens else _NOTES, "")) | {
        "result_query_count": 1,
        "result_samples_per_second": samples / latency.high * 1e9,
    }
    results |= latencies(latency)
    if tokens:
        results["result_tokens_per_second"] = _tokens(settings, rng, samples) / latency.high * 1e9
    results["num_errors"] = 0
    return Run(
        planned=Planned(queries=1, samples_per_query=samples, duration_ns=period_ns(settings)),
        samples=samples,
        issued_ms=rng.uniform(30, 90),
        active_ms=latency.high / 1e6,
        results=results,
    )


def server(settings: Settings, rng: random.Random) -> Run:
    """Return a Server run of a benchmark with a latency limit."""
    schedule = _schedule(settings)
    mean = settings.plan.reached * 1e6 * rng.uniform(0.994, 1.006)
    latency = stats.spread(rng, mean, stats.SERVER)
    over = stats.over_limit(latency, settings.target_latency_ns, schedule.queries)
    results = verdict(dict.fromkeys(_NOTES, _SUCCESS), has_limits=True)
    results |= _load(schedule, over, schedule.end_ns + latency.at["50.00"] * rng.uniform(0.8, 1))
    results |= latencies(latency) | {"num_errors": 0}
    return _server_run(schedule, latency, results)


def token_server(settings: Settings, rng: random.Random) -> Run:
    """Return a Server run of a language model, judged by its tokens."""
    schedule = _schedule(settings)
    tokens = _tokens(settings, rng, schedule.queries)
    pace = rng.uniform(0.994, 1.006)
    first, each = (mean * 1e6 * pace for mean in settings.plan.token_ms)
    mean = first + each * (tokens / schedule.queries - 1)
    latency = stats.spread(rng, mean, stats.LONG_ANSWERS)
    done_ns = schedule.end_ns + latency.at["50.00"] * rng.uniform(0.4, 0.6)
    results = verdict(dict.fromkeys(_TOKEN_NOTES, _SUCCESS), has_limits=True)
    results |= _load(schedule, schedule.queries, done_ns)  # all are over a limit of 0
    results |= latencies(latency)
    results |= first_token_latencies(stats.spread(rng, first, stats.FIRST_TOKEN))
    results |= {
        "result_token_throughput_with_loadgen_overhead": tokens / schedule.end_ns * 1e9,
        "result_token_throughput": tokens / (latency.mean * schedule.queries),  # sic, per ns
    }
    results |= token_times(stats.spread(rng, each, stats.TOKEN))
    results |= {"result_completed_tokens_per_second": tokens / done_ns * 1e9, "num_errors": 0}
    return _server_run(schedule, latency, results)


_SUCCESS = " * Run successful."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Schedule:
    queries: int
    end_ns: float  # when the last query is due
    planned_ns: int  # one interval more


def _schedule(settings: Settings) -> _Schedule:
    """Return Server's schedule: the round fixes its seed, so equal targets have equal schedules."""
    qps = settings.target_qps
    rng = random.Random(f"schedule/{settings.benchmark.conf_name}/{qps}")
    expected = qps * MIN_DURATION_MS / 1000
    if settings.benchmark.counts_tokens:  # equal issue: whole passes over the set
        queries = math.ceil(expected / settings.benchmark.loaded) * settings.benchmark.loaded
        end_ns = queries / qps * rng.uniform(0.996, 1.004) * 1e9
    else:
        queries = round(expected + rng.uniform(-1.5, 1.5) * math.sqrt(expected))
        end_ns = MIN_DURATION_MS * 1e6 + rng.uniform(0.1, 1) * 1e9 / qps
    interval = rng.uniform(0.1, 2) * 1e9 / qps
    return _Schedule(queries=queries, end_ns=end_ns, planned_ns=int(end_ns + interval))


def _load(schedule: _Schedule, over_limit: int, done_ns: float) -> dict[str, Value]:
    return {
        "result_query_count": schedule.queries,
        "result_overlatency_query_count": over_limit,
        "result_scheduled_samples_per_sec": (schedule.queries - 1) / schedule.end_ns * 1e9,
        "result_completed_samples_per_sec": (schedule.queries - 1) / done_ns * 1e9,
    }


def _server_run(schedule: _Schedule, latency: Spread, results: dict[str, Value]) -> Run:
    return Run(
        planned=Planned(
            queries=schedule.queries, samples_per_query=1, duration_ns=schedule.planned_ns
        ),
        samples=schedule.queries,
        issued_ms=schedule.end_ns / 1e6,
        active_ms=(schedule.end_ns + latency.at["95.00"]) / 1e6,
        results=results,
    )


def _tokens(settings: Settings, rng: random.Random, samples: int) -> int:
    """Return the tokens of a run: nearly those of the accuracy run as often as it was repeated."""
    once = tokens_of_all_answers(settings.plan)
    passes = samples / settings.benchmark.dataset_size
    return round(once * passes * rng.uniform(0.9995, 1.0005))
