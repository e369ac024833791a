"""The numbers that are published of a result: latency or throughput, and accuracy."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.loadgen import DetailLog
from mlcheck.model import Metric, Quality, Source
from mlcheck.suites.mobile.entry import Entry
from mlcheck.suites.mobile.facts import Facts, Scenario

LATENCY_KEY = "result_90.00_percentile_latency_ns"
P90_LINE = "90th percentile latency (ns)"
NS_PER_S = 1_000_000_000
LATENCY, THROUGHPUT = "latency_p90", "throughput"


def latency_ns(entry: Entry) -> tuple[float, str, Source] | None:
    """Return the 90th percentile latency as LoadGen measured it; without it, as the app has it."""
    log, run = entry.log, entry.recorded_performance
    value = log.number(LATENCY_KEY) if log else None
    if log and value is not None:
        return value, log.raw(LATENCY_KEY), _source(log, LATENCY_KEY)
    summary = entry.performance.summary if entry.performance else None
    line, text = summary.values.get(P90_LINE, (0, "")) if summary else (0, "")
    if summary and text.isascii() and text.isdigit() and len(text) < 20:
        return float(text), text, Source(summary.path, line)
    if run and run.latency_p90_s is not None:
        return run.latency_p90_s * NS_PER_S, repr(run.latency_p90_s), _recorded(entry, run.line)
    return None


def throughput(entry: Entry) -> tuple[float, str, Source] | None:
    """Return samples per second as the app publishes them; without it, as LoadGen has them.

    The app publishes one over the 90th percentile latency for a single stream.
    """
    run, log = entry.recorded_performance, entry.log
    if run and run.throughput is not None and run.throughput > 0:
        return run.throughput, repr(run.throughput), _recorded(entry, run.line)
    key = offline_key(entry)
    value = log.number(key) if log and key else None
    if log and key and value is not None:
        return value, log.raw(key), _source(log, key)
    found = latency_ns(entry)
    if entry.scenario and entry.scenario.percentile is not None and found and found[0] > 0:
        return NS_PER_S / found[0], f"1e9 / {found[1]}", found[2]
    return None


def offline_key(entry: Entry) -> str | None:
    """Return the key of a throughput that LoadGen logs; None: it logs a latency."""
    scenario = entry.scenario
    return scenario.key if scenario and scenario.metric == THROUGHPUT else None


def metrics(entry: Entry, facts: Facts) -> tuple[Metric, ...]:
    """Return the metric of the scenario first, and beside it the other way to put it."""
    scenario = entry.scenario
    if scenario is None:
        return ()
    found = {LATENCY: latency_ns(entry), THROUGHPUT: throughput(entry)}
    made = []
    for each in (scenario, *facts.scenarios.values()):
        value = found.pop(each.metric, None)
        if value is not None and value[0] > 0:
            made.append(_metric(each, value, primary=each is scenario))
    if not made or made[0].role != "primary":
        return ()
    return tuple(made)


def _metric(kind: Scenario, value: tuple[float, str, Source], *, primary: bool) -> Metric:
    return Metric(
        name=kind.metric,
        role="primary" if primary else "secondary",
        value=value[0] / kind.per_unit,
        value_raw=value[1],
        unit=kind.unit,
        better=kind.better,
        source=value[2],
    )


def fraction(entry: Entry) -> tuple[float, str, Source] | None:
    """Return the accuracy as a fraction: as the app has it, or as a script printed it."""
    run, printed = entry.recorded_accuracy, entry.printed
    if run and run.fraction is not None:
        return run.fraction, run.printed or repr(run.fraction), _recorded(entry, run.line)
    if printed:
        return printed.fraction, printed.printed, Source(printed.path, printed.line)
    return None


def samples_of_set(entry: Entry) -> float | None:
    """Return the size of the set that the accuracy was measured with; None: it is not logged."""
    log = entry.accuracy_log
    return log.number("qsl_reported_total_count") if log else None


def target(entry: Entry) -> float | None:
    """Return the smallest accuracy that the task asks for, as a fraction; None: there is none."""
    if entry.benchmark is None or not entry.division.targets:
        return None
    return entry.benchmark.accuracy.target(samples_of_set(entry))


def quality(entry: Entry) -> Iterator[Quality]:
    """Yield the accuracy held against its target."""
    found, kind = fraction(entry), entry.benchmark.accuracy if entry.benchmark else None
    if found is None or kind is None:
        return
    least = target(entry)
    yield Quality(
        name=kind.metric,
        value=found[0] * kind.factor,
        value_raw=found[1],
        target=None if least is None else least * kind.factor,
        op=None if least is None else ">=",
        ok=None if least is None else found[0] >= least,
        source=found[2],
    )


def _source(log: DetailLog, key: str) -> Source:
    return Source(log.path_of(key), log.line(key))


def _recorded(entry: Entry, line: int) -> Source:
    return Source(entry.record_path, line)
