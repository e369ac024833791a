"""``mlperf_log_detail.txt``: the log of a LoadGen test, one JSON object a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from makers.inference import loadgen_build as build
from makers.inference.plans import System
from makers.inference.run_model import Planned
from makers.inference.settings import PERFORMANCE, Settings, Value, effective, requested

SHOWN = 64  # samples listed of a loaded set; whole lists would make up most of the example
_PERCENTILE = re.compile(r"\d\d\.\d\d(?=_percentile)")
_AUDIT = "Found Audit Config file (audit.config). Overriding TestSettings from audit.config file."
_STARTING = {
    "PerformanceOnly": ("Starting performance mode", "loadgen.cc", 836),
    "AccuracyOnly": ("Starting accuracy mode", "loadgen.cc", 1085),
}
_ENDING = (
    "Ending naturally: Minimum query count and test duration met.",
    "issue_query_controller.cc",
    482,
)
_CONTENTION = tuple(key for key in build.LINES if key.startswith("logger_"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """The queries issued from one loaded set."""

    loaded: Sequence[int]
    planned: Planned
    load_ms: float
    issued_ms: float
    active_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """The process that ran the test."""

    system: System
    at: datetime
    built: datetime  # when its LoadGen was compiled
    pid: int
    step_ms: float  # how long small things take on this machine


@dataclass(frozen=True, slots=True)
class _Event:
    key: str
    value: Value
    ms: float
    source: tuple[str, int] | None = None  # None: the one place that logs this key


def detail_log(
    settings: Settings, start: Start, *, passes: Sequence[Pass], results: Mapping[str, Value]
) -> str:
    """Return the log of one test.

    Args:
        settings: of the test.
        start: the process.
        passes: one in a performance run, one for each loaded set in an accuracy run.
        results: LoadGen's figures; none in an accuracy run.
    """
    events = list(_head(settings, start))
    now = events[-1].ms
    for one in passes:
        events += _pass(settings, start, one, begin_ms=now)
        now = events[-1].ms
    done = now + 900 * start.step_ms
    events += [_Event(key, value, done) for key, value in results.items()]
    return "".join(_line(event, settings.scenario, start.pid) for event in events)


def _head(settings: Settings, start: Start) -> Iterator[_Event]:
    """Yield what LoadGen logs before it loads samples."""
    for key, value in (_identity(start) | _test(settings, start)).items():
        yield _Event(key, value, (1 if key.startswith("loadgen_") else 1.9) * start.step_ms)
    if settings.audit:
        yield _Event("warning_generic_message", _AUDIT, 3.1 * start.step_ms)
    for key, value in requested(settings).items():
        yield _Event(key, value, 3.6 * start.step_ms)
    for key, value in effective(settings).items():
        yield _Event(key, value, 3.7 * start.step_ms)
    message, *source = _STARTING[settings.mode]
    yield _Event("generic_message", message, 4.3 * start.step_ms, _source(source))


def _identity(start: Start) -> dict[str, Value]:
    built = start.built.replace(tzinfo=None)
    return {
        "loadgen_version": build.VERSION,
        "loadgen_build_date_local": built.isoformat(),
        "loadgen_build_date_utc": (built + timedelta(microseconds=11)).isoformat(),
        "loadgen_git_commit_date": build.COMMIT_DATE,
        "loadgen_git_log_message": build.COMMIT_LOG,
        "loadgen_git_status_message": "",
        "loadgen_file_sha1": build.SHA1,
    }


def _test(settings: Settings, start: Start) -> dict[str, Value]:
    return {
        "test_datetime": f"{start.at:%Y-%m-%dT%H:%M:%SZ}",
        "sut_name": start.system.sut_name,
        "get_sut_name_duration_ns": start.pid % 613 + 140,
        "qsl_name": start.system.qsl_name,
        "qsl_reported_total_count": settings.benchmark.dataset_size,
        "qsl_reported_performance_count": settings.benchmark.loaded,
    }


def _pass(settings: Settings, start: Start, one: Pass, *, begin_ms: float) -> Iterator[_Event]:
    loaded_ms = begin_ms + one.load_ms
    yield _Event("loaded_qsl_set", one.loaded[:SHOWN], begin_ms + 40 * start.step_ms)
    yield _Event("generated_query_count", one.planned.queries, loaded_ms)
    yield _Event("generated_samples_per_query", one.planned.samples_per_query, loaded_ms)
    yield _Event("generated_query_duration", one.planned.duration_ns, loaded_ms)
    first_query_ms = loaded_ms + start.step_ms
    if settings.mode == PERFORMANCE and settings.scenario != "Server":
        message, *source = _ENDING
        yield _Event("generic_message", message, first_query_ms + one.issued_ms, _source(source))
    end_ms = first_query_ms + one.active_ms
    for key in _CONTENTION:
        yield _Event(key, 0, end_ms + 200 * start.step_ms)
    for key, ms in (("power_begin", first_query_ms), ("power_end", end_ms)):
        moment = start.at + timedelta(milliseconds=ms)
        clock = f"{moment:%m-%d-%Y %H:%M:%S}.{moment.microsecond // 1000:03d}"
        yield _Event(key, clock, end_ms + 200.1 * start.step_ms)


def _source(place: Sequence[object]) -> tuple[str, int]:
    file, line = place
    return str(file), int(str(line))


def _line(event: _Event, scenario: str, pid: int) -> str:
    key = _PERCENTILE.sub("P", event.key)
    place = build.LINES.get(f"{key}/{scenario}") or build.LINES.get(key)
    file, line = event.source or place or ("", 0)
    warning = _text(event.key.startswith("warning_"))
    return (
        f':::MLLOG {{"key": "{event.key}", "value": {_text(event.value)}, '
        f'"time_ms": {event.ms:.6f}, "namespace": "mlperf::logging", '
        f'"event_type": "POINT_IN_TIME", "metadata": {{"is_error": false, '
        f'"is_warning": {warning}, "file": "{file}", "line_no": {line}, '
        f'"pid": {pid}, "tid": {pid}}}}}\n'
    )


def _text(value: Value) -> str:
    """Return a value as LoadGen writes it: numbers with six digits as C++ streams print them."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, str):
        return json.dumps(value.replace("\n", " ") if value.startswith(" * ") else value)
    if isinstance(value, bool | int):
        return json.dumps(value)
    return json.dumps(value, separators=(",", ":"))
