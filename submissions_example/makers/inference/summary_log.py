"""``mlperf_log_summary.txt``: the same figures as the detail log, for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from makers.inference.run_model import Run
from makers.inference.settings import Settings, Value, effective, shared
from makers.inference.statistics_of_runs import LABELS

_RULE = "=" * 48
_EQUAL_ISSUE = (
    "WARNING: sample_concatenate_permutation was set to true. \n"
    "Generated samples per query might be different as the one in the setting.\n"
    "Check the generated_samples_per_query line in the detailed log for the real\n"
    "samples_per_query value"
)


def summary_log(settings: Settings, run: Run | None) -> str:
    """Return the summary of one test; only the counts of messages without a run (accuracy mode)."""
    lines: list[str] = []
    if run:
        lines += [*_title("MLPerf Results Summary"), *_verdict(settings, run.results), ""]
        lines += [*_title("Additional Stats"), *_statistics(settings, run.results), ""]
        lines += [*_title("Test Parameters Used"), *_parameters(settings)]
    warnings = "1 warning encountered. See detailed log."
    lines += ["", warnings if settings.audit else "No warnings encountered during test."]
    lines += ["", "No errors encountered during test."]
    return "\n".join(lines) + "\n"


def _title(text: str) -> tuple[str, str, str]:
    return _RULE, text, _RULE


def _verdict(settings: Settings, results: Mapping[str, Value]) -> Iterator[str]:
    yield f"SUT name : {settings.plan.system.sut_name}"
    yield f"Scenario : {settings.scenario}"
    yield f"Mode     : {settings.mode}"
    yield from _headline(settings, results)
    yield f"Result is : {results['result_validity']}"
    if "result_perf_constraints_met" in results:
        yield "  Performance constraints satisfied : Yes"
    yield "  Min duration satisfied : Yes"
    yield "  Min queries satisfied : Yes"
    yield "  Early stopping satisfied: Yes"
    if settings.scenario == "Offline":
        return
    for kind, key in (("", ""), ("TTFT ", "ttft_"), ("TPOT ", "tpot_")):
        if f"early_stopping_{key}result" in results:
            yield f"{kind}Early Stopping Result:"
            yield str(results[f"early_stopping_{key}result"])


def _headline(settings: Settings, results: Mapping[str, Value]) -> Iterator[str]:
    tokens = settings.benchmark.counts_tokens
    match settings.scenario:
        case "SingleStream":
            p90 = results["result_90.00_percentile_latency_ns"]
            yield f"90.0th percentile latency (ns) : {p90}"
        case "MultiStream":
            p99 = results["result_99.00_percentile_per_query_latency_ns"]
            yield f"99.0th percentile latency (ns) : {p99}"
        case "Offline":
            yield f"Samples per second: {results['result_samples_per_second']:.6g}"
            if tokens:
                yield f"Tokens per second: {results['result_tokens_per_second']:.6g}"
        case _:
            completed = results["result_completed_samples_per_sec"]
            yield f"Completed samples per second    : {completed:.2f}"
            if tokens:
                completed = results["result_completed_tokens_per_second"]
                yield f"Completed tokens per second: {completed:.2f}"


def _statistics(settings: Settings, results: Mapping[str, Value]) -> Iterator[str]:
    match settings.scenario:
        case "SingleStream":
            with_loadgen = results["result_qps_with_loadgen_overhead"]
            without = results["result_qps_without_loadgen_overhead"]
            yield f"QPS w/ loadgen overhead         : {with_loadgen:.2f}"
            yield f"QPS w/o loadgen overhead        : {without:.2f}"
            yield ""
        case "MultiStream":
            yield "Per-query latency:  "
        case "Server":
            scheduled = results["result_scheduled_samples_per_sec"]
            yield f"Scheduled samples per second : {scheduled:.2f}"
        case _:
            pass
    yield from _latencies(results)
    if not settings.benchmark.counts_tokens:
        return
    yield ""
    if settings.scenario == "Server":
        yield from _token_latencies(results)


def _latencies(results: Mapping[str, Value]) -> Iterator[str]:
    """Yield the latencies; MultiStream's are those of queries, which are those of samples here."""
    yield f"Min latency (ns)                : {results['result_min_latency_ns']}"
    yield f"Max latency (ns)                : {results['result_max_latency_ns']}"
    yield f"Mean latency (ns)               : {results['result_mean_latency_ns']}"
    for label in LABELS:
        value = results[f"result_{label}_percentile_latency_ns"]
        yield f"{label} percentile latency (ns)   : {value}"


def _token_latencies(results: Mapping[str, Value]) -> Iterator[str]:
    completed = results["result_completed_tokens_per_second"]
    yield f"Completed tokens per second                 : {completed:.2f}"
    for name in ("Min", "Max", "Mean"):
        value = results[f"result_first_token_{name.lower()}_latency_ns"]
        yield f"{f'{name} First Token latency (ns)':<44}: {value}"
    for label in LABELS:
        value = results[f"result_first_token_{label}_percentile_latency_ns"]
        yield f"{label} percentile first token latency (ns)   : {value}"
    yield ""
    for name in ("Min", "Max", "Mean"):
        value = results[f"result_time_to_output_token_{name.lower()}"]
        yield f"{f'{name} Time to Output Token (ns)':<45}: {value}"
    for label in LABELS:
        value = results[f"result_time_per_output_token_{label}_percentile_ns"]
        yield f"{label} percentile time to output token (ns)   : {value}"


def _parameters(settings: Settings) -> Iterator[str]:
    values = effective(settings)
    yield f"samples_per_query : {settings.samples_per_query}"
    yield f"target_qps : {settings.target_qps:.6g}"
    if settings.token_limits_ns:
        first, each = settings.token_limits_ns
        yield f"ttft_latency (ns): {first}"
        yield f"tpot_latency (ns): {each}"
    else:
        yield f"target_latency (ns): {settings.target_latency_ns}"
    yield f"max_async_queries : {values['effective_max_async_queries']}"
    yield f"min_duration (ms): {values['effective_min_duration_ms']}"
    yield f"max_duration (ms): {values['effective_max_duration_ms']}"
    yield f"min_query_count : {values['effective_min_query_count']}"
    yield f"max_query_count : {values['effective_max_query_count']}"
    for key, value in shared(settings).items():
        yield f"{key} : {int(value) if isinstance(value, bool) else value}"
    yield f"performance_sample_count : {settings.benchmark.loaded}"
    if settings.benchmark.counts_tokens:
        yield _EQUAL_ISSUE
