"""The logs of one run, in the form that LoadGen 4.0 writes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from makers.mobile.plans import Score, Task

SEEDS = {
    "qsl_rng_seed": 3066443479025735752,
    "sample_index_rng_seed": 10688027786191513374,
    "schedule_rng_seed": 14962580496156340209,
}
OFFLINE_SAMPLES = 24_576
RUN_NS = 60_400_000_000  # of a single stream
NS_PER_MS = 1_000_000
BACKEND = "tflite"
SETS = {
    "IMAGENET": "Imagenet",
    "COCO": "Coco",
    "ADE20K": "ADE20K",
    "SQUAD": "SQuAD 1.1",
    "SNUSR": "SNU_SR",
    "COCOGEN": "CocoGen",
}
_META = {"is_error": False, "is_warning": False, "file": "loadgen/logging.cc", "line_no": 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Numbers of a performance run that follow from its latency."""

    queries: int
    duration_ms: float
    mean_ns: int

    @classmethod
    def of(cls, task: Task, score: Score) -> Measured:
        """Return what a device measures that is a little faster on average than at its 90 %."""
        mean = score.p90_ns * 97 // 100
        if task.offline:
            return cls(queries=1, duration_ms=score.p90_ns / NS_PER_MS, mean_ns=score.p90_ns)
        queries = max(RUN_NS // mean + 1, 1024)
        return cls(queries=queries, duration_ms=queries * mean / NS_PER_MS, mean_ns=mean)


def samples_per_second(score: Score) -> float:
    """Return the throughput of an offline run, with the digits that LoadGen keeps."""
    return float(f"{OFFLINE_SAMPLES * 1e9 / score.p90_ns:.6g}")


def detail(task: Task, score: Score, mode: str, started: datetime) -> str:
    """Return ``mlperf_log_detail.txt``."""
    run = Measured.of(task, score)
    events = [*_head(task, mode, started)]
    if mode == "performance":
        events += _results(task, score, run)
    last = run.duration_ms + 12 if mode == "performance" else task.samples * 1.5
    return "".join(
        _line(key, value, last * place / len(events))
        for place, (key, value) in enumerate(events, 1)
    )


def _line(key: str, value: Any, at_ms: float) -> str:
    event = {
        "key": key,
        "value": value,
        "time_ms": round(at_ms, 6),
        "namespace": "mlperf::logging",
        "event_type": "POINT_IN_TIME",
        "metadata": {**_META, "pid": 4200, "tid": 4211},
    }
    return f":::MLLOG {json.dumps(event)}\n"


def _head(task: Task, mode: str, started: datetime) -> Iterator[tuple[str, Any]]:
    yield "loadgen_version", "4.0 @ 238d035ab4"
    yield "loadgen_build_date_utc", "2025-01-10T08:00:00.000000"
    yield "loadgen_git_status_message", ""
    yield "test_datetime", f"{started:%Y-%m-%dT%H:%M:%S}Z"
    yield "sut_name", BACKEND
    yield "qsl_name", SETS[task.kind]
    yield "qsl_reported_total_count", task.loaded if mode == "performance" else task.samples
    yield "qsl_reported_performance_count", max(task.loaded, 1024)
    for word in ("requested", "effective"):
        yield f"{word}_scenario", task.scenario
        yield f"{word}_test_mode", f"{mode.capitalize()}Only"
        yield f"{word}_min_duration_ms", 0 if task.offline else 60_000
        yield f"{word}_max_duration_ms", task.longest_ms
        yield f"{word}_min_query_count", 1 if task.offline else 1024
        for name, seed in SEEDS.items():
            yield f"{word}_{name}", seed
    yield "effective_samples_per_query", OFFLINE_SAMPLES if task.offline else 1
    yield "effective_target_latency_percentile", 0.99 if task.offline else 0.9
    yield "generic_message", f"Starting {mode} mode"


def _results(task: Task, score: Score, run: Measured) -> Iterator[tuple[str, Any]]:
    yield "result_validity", "VALID"
    yield "result_min_duration_met", True
    yield "result_min_queries_met", True
    yield "early_stopping_met", True
    yield "result_query_count", run.queries
    if task.offline:
        yield "result_samples_per_second", samples_per_second(score)
    yield "result_mean_latency_ns", run.mean_ns
    yield "result_90.00_percentile_latency_ns", score.p90_ns


def summary(task: Task, score: Score, mode: str) -> str:
    """Return ``mlperf_log_summary.txt``."""
    if mode == "accuracy":
        return "\nNo warnings encountered during test.\n\nNo errors encountered during test.\n"
    rule = "=" * 48
    metric = (
        f"Samples per second: {samples_per_second(score):g}"
        if task.offline
        else f"90th percentile latency (ns) : {score.p90_ns}"
    )
    return (
        f"{rule}\nMLPerf Results Summary\n{rule}\nSUT name : {BACKEND}\n"
        f"Scenario : {task.scenario}\nMode     : PerformanceOnly\n{metric}\nResult is : VALID\n"
        "  Min duration satisfied : Yes\n  Min queries satisfied : Yes\n"
        "  Early stopping satisfied: Yes\n\nNo warnings encountered during test.\n"
    )


def trace(task: Task, mode: str) -> str:
    """Return ``mlperf_log_trace.json``, with its first query alone."""
    event = {"name": "Sample", "ph": "b", "pid": 4200, "id": 1, "ts": 0, "args": {"task": task.id}}
    return json.dumps({"traceEvents": [event], "mode": mode}) + "\n"


def answers(task: Task) -> str:
    """Return ``mlperf_log_accuracy.json``, with its first answers alone."""
    rows = [{"seq_id": n, "qsl_idx": n, "data": f"{n:08X}"} for n in range(4)]
    return json.dumps(rows) + "\n"
