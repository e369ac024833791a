"""Read what the app recorded of a session: ``result.json``, in each of the forms it has had.

* a list of flat entries, one per task and mode, whose numbers are texts (v1.1, v2.0);
* a list with one document, with durations in milliseconds (v2.1);
* one document, with durations in seconds and, later, LoadGen's word on the run (v3.0 on).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from mlcheck.documents import JsonText, read_json_text
from mlcheck.suites.mobile.record import Backend, Recorded, RecordedRun, ResultFile
from mlcheck.suites.mobile.result_shape import DOCUMENT, FLAT, LISTED, MOST_RECORDS, misshapen
from mlcheck.suites.mobile.values import flag, member, moment, number, text, whole
from mlcheck.tree import Tree

PERFORMANCE, ACCURACY = "performance_run", "accuracy_run"
_MS = 1000.0
_PRINTED = re.compile(r"(-?\d+(?:\.\d+)?)\s*([A-Za-z%]*)")


@dataclass(frozen=True, slots=True)
class _Mark:
    """Where a record stands in a text: its line, its begin and end in characters."""

    line: int = 0
    begin: int = 0
    end: int = 0

    def line_of(self, name: str, source: str) -> int:
        """Return the line of the first member of that name in it; its own if there is none."""
        found = source.find(f'"{name}"', self.begin, self.end)
        return self.line + source.count("\n", self.begin, found) if found >= 0 else self.line


def read_result_file(tree: Tree, path: str) -> ResultFile:
    """Read a result file. Never raises, whatever it holds."""
    read = read_json_text(tree, path)
    if read.problem:
        return ResultFile(path=path, problem=read.problem, line=read.line)
    document = read.value
    form = _form(document)
    if form is None:
        kind = "no results in it" if isinstance(document, dict) else "a list of something else"
        return ResultFile(path=path, problem=kind if document else "empty", line=1)
    if form is FLAT:
        return _flat(read)
    return _extended(read, document[0] if form is LISTED else document, form)


def _form(document: Any) -> str | None:
    if isinstance(member(document, "results"), list):
        return DOCUMENT
    if not isinstance(document, list) or not document:
        return None
    if isinstance(member(document[0], "results"), list):
        return LISTED
    return FLAT if any(text(member(each, "benchmark_id")) for each in document) else None


def _flat(read: JsonText) -> ResultFile:
    marks = list(_marks(read.text, "benchmark_id"))
    found: dict[str, dict[str, tuple[int, Mapping[str, Any]]]] = {}
    again: list[tuple[str, int]] = []
    at = 0
    for entry in read.value[:MOST_RECORDS]:
        name = text(member(entry, "benchmark_id"))
        if name is None:
            continue
        line = marks[at].line if at < len(marks) else 0
        at += 1
        mode = ACCURACY if "accuracy" in (text(member(entry, "mode")) or "") else PERFORMANCE
        modes = found.setdefault(name, {})
        if mode in modes:
            again.append((name, line))
        else:
            modes[mode] = (line, entry)
    return ResultFile(
        path=read.path,
        tasks=tuple(_flat_task(name, modes) for name, modes in found.items()),
        again=tuple(again),
        misshapen=misshapen(read.value[:MOST_RECORDS], FLAT, len(read.value)),
        text=read.text,
    )


def _flat_task(name: str, modes: Mapping[str, tuple[int, Mapping[str, Any]]]) -> Recorded:
    line, entry = modes.get(PERFORMANCE) or modes[ACCURACY]
    duration = number(entry.get("min_duration"))
    runtime = text(member(entry, "configuration", "runtime"))
    return Recorded(
        task=name,
        scenario=None,
        performance=_flat_run(*modes[PERFORMANCE]) if PERFORMANCE in modes else None,
        accuracy=_flat_run(*modes[ACCURACY]) if ACCURACY in modes else None,
        backend=Backend(runtime=runtime),
        min_duration_s=None if duration is None else duration / _MS,
        min_samples=whole(entry.get("min_samples")),
        line=line,
    )


def _flat_run(line: int, entry: Mapping[str, Any]) -> RecordedRun:
    duration, printed = number(entry.get("duration")), text(entry.get("accuracy"))
    return RecordedRun(
        throughput=number(entry.get("score")),
        fraction=fraction_of(printed),
        printed=printed,
        duration_s=None if duration is None else duration / _MS,
        samples=whole(entry.get("num_samples")),
        started=text(entry.get("datetime")),
        exact=False,
        line=line,
    )


def fraction_of(printed: str | None) -> float | None:
    """Return a printed accuracy as a fraction: percent and decibels are a hundredth each."""
    found = _PRINTED.fullmatch(printed or "")
    if not found:
        return None
    value = float(found[1])
    return value if found[2].lower() in ("map", "miou") else value / 100


def printed_number(printed: str | None) -> tuple[float, int] | None:
    """Return the number of a printed accuracy and its decimals; None: there is none."""
    found = _PRINTED.fullmatch(printed or "")
    return (float(found[1]), len(found[1].partition(".")[2])) if found else None


def _extended(read: JsonText, document: Mapping[str, Any], form: str) -> ResultFile:
    short = {**document, "results": document["results"][:MOST_RECORDS]}
    marks = list(_marks(read.text, "benchmark_id"))
    tasks: dict[str, Recorded] = {}
    again: list[tuple[str, int]] = []
    at = 0
    for entry in short["results"]:
        name = text(member(entry, "benchmark_id"))
        if name is None:
            continue
        mark = marks[at] if at < len(marks) else _Mark()
        at += 1
        if name in tasks:
            again.append((name, mark.line))
        else:
            tasks[name] = _task(read.text, name, mark, entry)
    build = document.get("build_info")
    return ResultFile(
        path=read.path,
        uuid=text(member(document, "meta", "uuid")),
        tasks=tuple(tasks.values()),
        again=tuple(again),
        build=build if isinstance(build, Mapping) else None,
        environment=_environment(document.get("environment_info")),
        misshapen=misshapen([short] if form is LISTED else short, form, len(document["results"])),
        text=read.text,
    )


def _task(source: str, name: str, mark: _Mark, entry: Mapping[str, Any]) -> Recorded:
    seconds, ms = number(entry.get("min_duration")), number(entry.get("min_duration_ms"))
    return Recorded(
        task=name,
        scenario=text(entry.get("loadgen_scenario")),
        performance=_run(source, mark, entry, PERFORMANCE),
        accuracy=_run(source, mark, entry, ACCURACY),
        backend=_backend(entry),
        min_duration_s=seconds if ms is None else ms / _MS,
        min_samples=whole(entry.get("min_samples")),
        line=mark.line,
    )


def _run(source: str, mark: _Mark, entry: Mapping[str, Any], kind: str) -> RecordedRun | None:
    run = entry.get(kind)
    if not isinstance(run, Mapping):
        return None
    loadgen = next((run[n] for n in ("loadgen", "loadgen_info") if run.get(n) is not None), None)
    accuracy, throughput = run.get("accuracy"), run.get("throughput")
    seconds, ms = number(run.get("measured_duration")), number(run.get("measured_duration_ms"))
    said = [run.get("loadgen_validity"), member(loadgen, "validity")]
    said.append(member(loadgen, "is_result_valid"))
    return RecordedRun(
        throughput=number(member(throughput, "value") if _is_object(throughput) else throughput),
        fraction=_fraction(accuracy),
        printed=text(member(accuracy, "formatted")) or text(member(accuracy, "string")),
        duration_s=seconds if ms is None else ms / _MS,
        samples=whole(run.get("measured_samples")),
        started=text(run.get("start_datetime")),
        exact=moment(run.get("start_datetime")) is not None,
        dataset=text(member(run, "dataset", "name")),
        queries=whole(member(loadgen, "query_count")),
        latency_p90_s=number(member(loadgen, "latency90")),
        valid=next((each for each in map(flag, said) if each is not None), None),
        duration_met=flag(member(loadgen, "is_min_duration_met")),
        queries_met=flag(member(loadgen, "is_min_query_met")),
        early_stopping_met=flag(member(loadgen, "is_early_stopping_met")),
        line=mark.line_of(kind, source),
    )


def _fraction(accuracy: Any) -> float | None:
    found = number(member(accuracy, "normalized"))
    return number(member(accuracy, "value")) if found is None else found


def _is_object(value: Any) -> bool:
    return isinstance(value, Mapping)


def _backend(entry: Mapping[str, Any]) -> Backend:
    info, settings = entry.get("backend_info"), entry.get("backend_settings")
    runtime = text(member(settings, "framework")) or text(member(settings, "configuration"))
    return Backend(
        filename=text(member(info, "filename")),
        vendor=text(member(info, "vendor_name")),
        runtime=runtime,
        delegate=text(member(settings, "delegate")),
        asked=text(member(settings, "accelerator_desc")),
        used=text(member(info, "accelerator_name")),
    )


def _environment(given: Any) -> dict[str, str]:
    """Return what is known of the device, in whatever form of the file."""
    platform = text(member(given, "platform")) or text(member(given, "os_name"))
    values = member(given, "value", platform) if platform else None
    values = values if isinstance(values, Mapping) else given
    found = {"platform": platform}
    for name in (
        "os_version",
        "manufacturer",
        "model_code",
        "model_name",
        "model",
        "cpu_full_name",
    ):
        found[name] = text(member(values, name))
    props = member(values, "props")
    for prop in props if isinstance(props, list) else ():
        if text(member(prop, "name")) == "ro.soc.model":
            found["soc"] = text(member(prop, "value"))
    return {name: value for name, value in found.items() if value}


def _marks(source: str, name: str) -> Iterator[_Mark]:
    """Yield the place of every member of that name: of its line, up to the next of them."""
    starts = [found.start() for found in re.finditer(rf'"{name}"\s*:', source)]
    line, before = 1, 0
    for start, end in pairwise([*starts, len(source)]):
        line += source.count("\n", before, start)
        yield _Mark(line, max(source.rfind("\n", before, start) + 1, before), end)
        before = start
