"""The numbers that are published of an entry: performance, quality and power."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from mlcheck.loadgen import DetailLog
from mlcheck.model import Metric, Quality, Source
from mlcheck.power.integrate import mean_w
from mlcheck.suites.inference.accuracy import counted, last_of_each
from mlcheck.suites.inference.entry import Entry, Reading
from mlcheck.suites.inference.facts import Benchmark, Facts, MetricKind, Scenario

NS_PER_MS = 1_000_000
MS_PER_S = 1_000


@dataclass(frozen=True, slots=True)
class Inferred:
    """A value computed from a log of another scenario, and the key it rests on."""

    value: float
    key: str


@dataclass(frozen=True, slots=True)
class Published:
    """Power or energy with its unit, the average in watts, and samples per joule."""

    value: float
    unit: str
    average_w: float
    efficiency: float


def logged_scenario(log: DetailLog, facts: Facts) -> Scenario | None:
    """Return the scenario LoadGen ran; None: it is not logged or unknown."""
    name = log.text("effective_scenario")
    return facts.scenarios.get(name) if name else None


def inference_formula(entry: Entry, facts: Facts) -> str | None:
    """Return by which formula the result is inferred; None: it was measured in its scenario."""
    logged = logged_scenario(entry.log, facts) if entry.log else None
    if logged is None or entry.scenario is None:
        return None
    return facts.inferred.get((entry.scenario.name, logged.name))


def primary_metric(entry: Entry, facts: Facts) -> Metric | None:
    """Return the published performance of an entry; None: the log does not hold it."""
    log = entry.log
    logged = logged_scenario(log, facts) if log else None
    if log is None or logged is None:
        return None
    formula = inference_formula(entry, facts)
    if formula and entry.scenario:
        inferred = FORMULAS[formula](log, entry.scenario)
        kind = facts.metrics[entry.scenario.metric]
        if inferred is None:
            return None
        return _metric(log, kind, "primary", inferred.key, inferred.value)
    kind = _kind(entry, logged, facts)
    return _logged(log, kind, "primary")


def _kind(entry: Entry, logged: Scenario, facts: Facts) -> MetricKind:
    if entry.endpoints is None:
        return facts.metric_kind(entry.benchmark, logged)
    return endpoints_kind(entry.benchmark, logged, entry.scenario, facts)


def endpoints_kind(
    benchmark: Benchmark | None, logged: Scenario, folder: Scenario | None, facts: Facts
) -> MetricKind:
    """Return what is published of a run of an endpoint, by the scenario of its folder.

    An endpoint states other numbers than LoadGen; the metric that a benchmark has of its own is
    published where the rule file says where it stands.
    """
    rules = facts.endpoints
    if rules is None:
        return facts.metric_kind(benchmark, logged)
    if folder and folder.logged_as == logged.name:
        logged = folder
    own = rules.benchmark_metrics.get(benchmark.name, {}) if benchmark else {}
    if logged.name in own:
        return facts.metrics[own[logged.name]]
    name = (benchmark.metrics if benchmark else {}).get(logged.name)
    kind = facts.metrics.get(name or "")
    if kind is None or kind.key not in rules.fields:
        kind = facts.metrics[rules.metrics[logged.name]]
    return kind


def metrics(entry: Entry, facts: Facts) -> tuple[Metric, ...]:
    """Return the primary metric and what else of the run is worth showing."""
    primary = primary_metric(entry, facts)
    if primary is None or entry.log is None:
        return ()
    log, logged = entry.log, logged_scenario(entry.log, facts)
    keys = logged.secondary if logged and not inference_formula(entry, facts) else ()
    if entry.endpoints and facts.endpoints:
        keys = (*keys, *facts.endpoints.secondary)
    own = _kind(entry, logged, facts).key if logged else ""
    kinds = (facts.metrics[key] for key in keys)
    further = (_logged(log, kind, "secondary") for kind in kinds if kind.key != own)
    return (primary, *(metric for metric in further if metric))


def _logged(log: DetailLog, kind: MetricKind, role: str) -> Metric | None:
    value = log.number(kind.key)
    return None if value is None else _metric(log, kind, role, kind.key, value / kind.divide_by)


def _metric(log: DetailLog, kind: MetricKind, role: str, key: str, value: float) -> Metric:
    return Metric(
        name=kind.name if role == "primary" else kind.beside or kind.name,
        role=role,
        value=float(value),
        value_raw=log.raw(key),
        unit=kind.unit,
        better=kind.better,
        source=Source(log.path_of(key), log.line(key)),
    )


def _multistream_from_singlestream(log: DetailLog, folder: Scenario) -> Inferred | None:
    """8 times the 99th percentile estimate. Source: inference_rules, edge suite."""
    key = "early_stopping_latency_ms"
    latency_ns = log.number(key)
    if latency_ns is None:
        return None
    return Inferred(latency_ns * folder.samples_per_query / NS_PER_MS, key)


def _offline_from_multistream(log: DetailLog, _: Scenario) -> Inferred | None:
    """Samples of a query per second of its mean latency. Source: inference_rules, edge suite."""
    key = "result_mean_query_latency_ns"
    latency_ns, samples = log.number(key), log.number("effective_samples_per_query")
    if not latency_ns or samples is None:
        return None
    return Inferred(samples * MS_PER_S / (latency_ns / NS_PER_MS), key)


def _offline_from_singlestream(log: DetailLog, _: Scenario) -> Inferred | None:
    """The rate LoadGen computes without its own overhead: one sample per mean latency."""
    key = "result_qps_without_loadgen_overhead"
    rate = log.number(key)
    return None if rate is None else Inferred(rate, key)


FORMULAS: dict[str, Callable[[DetailLog, Scenario], Inferred | None]] = {
    "multistream_from_singlestream": _multistream_from_singlestream,
    "offline_from_multistream": _offline_from_multistream,
    "offline_from_singlestream": _offline_from_singlestream,
}


def quality(entry: Entry, facts: Facts) -> tuple[Quality, ...]:
    """Return each quality value of an entry, once per bound that it is held against."""
    text = entry.accuracy.text if entry.accuracy else None
    if text is None or entry.benchmark is None:
        return ()
    readings = text.readings
    if entry.endpoints is None:
        readings = counted(text, entry.targets, facts.official["stops_reading"])
    latest = last_of_each(readings)
    return tuple(_qualities(entry, latest))


def _qualities(entry: Entry, latest: Mapping[str, Reading]) -> Iterator[Quality]:
    for target in entry.targets:
        reading = latest.get(target.metric)
        if reading is None or reading.value is None:
            continue
        bounds = ((">=", target.low), ("<=", target.high)) if entry.division.closed_rules else ()
        held: list[tuple[str | None, float | None]]
        held = [(op, bound) for op, bound in bounds if bound is not None]
        for op, bound in held or [(None, None)]:
            yield Quality(
                name=target.metric,
                value=reading.value,
                value_raw=reading.text,
                target=bound,
                op=op,
                ok=_within(reading.value, op, bound),
                source=Source(reading.path, reading.line),
            )


def _within(value: float, op: str | None, bound: float | None) -> bool | None:
    if bound is None:
        return None
    return value >= bound if op == ">=" else value <= bound


def average_w(entry: Entry, facts: Facts, *, usual: bool = False) -> float | None:
    """Return the mean of the readings of the meter inside LoadGen's window, in watts.

    ``usual``: on the clocks that logs of the round usually have, as the official tool reads them.
    None: there is no reading.
    """
    run = entry.power.testing_run if entry.power else None
    window = (run.usual if usual else run.window) if run else None
    if run is None or window is None:
        return None
    samples = run.shown_samples if usual else run.samples
    return mean_w(samples, window, positive=facts.power["positive_samples_only"])


def power_of(
    entry: Entry, metric: Metric | None, facts: Facts, *, usual: bool = False
) -> Published | None:
    """Return what is published of a power measurement; None: it cannot be computed.

    Average watts inside LoadGen's window; stream scenarios publish energy per query instead.
    Source: power_measurement, and the official checker for the sample window.
    """
    log, scenario, average = entry.log, entry.scenario, average_w(entry, facts, usual=usual)
    window = entry.power.testing_run.window if entry.power else None
    if log is None or scenario is None or metric is None or not average or window is None:
        return None
    if scenario.power != "energy":
        return Published(average, "W", average, metric.value / average)
    seconds = window.duration_ms / MS_PER_S
    queries = _queries(log, scenario, seconds)
    if not queries:
        return None
    per_joule = facts.power["energy_per_joule"]
    value = average * seconds * per_joule / queries
    if log.text("effective_scenario") != scenario.logged_as:
        # one query of the inferred scenario is as many samples as it takes
        value = average * seconds * scenario.samples_per_query * per_joule / queries
    unit: str = facts.power["energy_unit"]
    return Published(value, unit, average, scenario.samples_per_query * per_joule / value)


def _queries(log: DetailLog, scenario: Scenario, seconds: float) -> float | None:
    """Return how many queries were answered in the window; None: the log does not say."""
    if scenario.rate:
        rate = log.number(scenario.rate)
        return None if rate is None else rate * seconds
    counts = [log.number(key) for key in scenario.queries]
    return math.prod(count for count in counts if count) if counts and all(counts) else None
