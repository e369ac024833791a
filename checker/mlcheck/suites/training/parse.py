"""Read a system folder: descriptions, results, logs. Never raises, whatever lies there."""

from __future__ import annotations

from collections import Counter
from typing import Any

from mlcheck.documents import Document, Text, read_document, read_text
from mlcheck.model import stable_id
from mlcheck.suites.training import convergence
from mlcheck.suites.training.compliance import breaches, table_rule
from mlcheck.suites.training.entry import Entry, Run, SystemView
from mlcheck.suites.training.facts import NAME, Benchmark, Facts, Stated
from mlcheck.suites.training.layout import SystemPlace, folders, log_names
from mlcheck.suites.training.log_lines import Event
from mlcheck.suites.training.mllog import Log, read_log
from mlcheck.suites.training.power_files import read_power
from mlcheck.suites.training.predicate import MS_PER_MINUTE, number
from mlcheck.tree import Folder, Tree, join

SECONDS_PER_MINUTE = 60.0


def read_system(tree: Tree, place: SystemPlace, facts: Facts) -> SystemView:
    """Return a system with its description and all its results."""
    systems_path = join(place.submitter, facts.layout["systems"])
    description_path = join(systems_path, f"{place.system}.json")
    systems = tree.folder(systems_path)
    there = systems is not None and f"{place.system}.json" in systems.files
    description = read_document(tree, description_path) if there else None
    path = join(place.submitter, facts.layout["results"], place.system)
    here = tree.folder(path) or Folder(path)
    above = _parameters(tree, here, facts)
    entries = tuple(
        _read_entry(tree, place, join(path, name), description, above, facts)
        for name in folders(tree, path)
    )
    return SystemView(
        submitter=place.submitter,
        name=place.system,
        path=path,
        systems_path=systems_path if systems else place.submitter,
        systems_there=systems is not None,
        description_path=description_path,
        description=description,
        entries=entries,
        loose=tuple(sorted(set(here.files) - {facts.files["parameters"]})),
    )


def _parameters(tree: Tree, folder: Folder, facts: Facts) -> tuple[Text, ...]:
    name = facts.files["parameters"]
    return (read_text(tree, join(folder.path, name)),) if name in folder.files else ()


def _read_entry(
    tree: Tree,
    place: SystemPlace,
    path: str,
    description: Document | None,
    above: tuple[Text, ...],
    facts: Facts,
) -> Entry:
    folder = tree.folder(path) or Folder(path)
    raw = path.rpartition("/")[2]
    names = log_names(folder, facts)
    runs = tuple(read_run(tree, join(path, name), facts) for name in names)
    described = _described(description, "division")
    scaling = facts.files["scaling"]
    logged = facts.benchmarks.get(_agreed(run.benchmark for run in runs) or "")
    division, batch = _division(described, runs, facts), convergence.batch_of(runs)
    known = {*names, scaling, facts.files["parameters"], facts.layout["power"]}
    there = {*folder.files, *folder.folders, *folder.links, *folder.special}
    return Entry(
        id=stable_id(NAME, facts.round, path),
        submitter=place.submitter,
        system=place.system,
        path=path,
        benchmark_raw=raw,
        benchmark=facts.benchmarks.get(raw),
        logged=logged,
        division=division,
        described=described if isinstance(described, str) else None,
        runs=runs,
        others=tuple(sorted(there - known)),
        parameters=(*above, *_parameters(tree, folder, facts)),
        scaling=read_document(tree, join(path, scaling)) if scaling in folder.files else None,
        node_count=_count(_described(description, "number_of_nodes")),
        batch=batch,
        power=read_power(
            tree, join(path, facts.layout["power"]), {r.path: r.timed for r in runs}, facts.power
        ),
        converged=convergence.check(
            runs,
            logged or facts.benchmarks.get(raw),
            required=division in facts.rcp_in,
        ),
    )


def _described(description: Document | None, name: str) -> Any:
    return description.fields.get(name) if description else None


def _count(value: Any) -> int | None:
    text = str(value).strip() if isinstance(value, int | str) else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _division(described: Any, runs: tuple[Run, ...], facts: Facts) -> str:
    """Return the division by the description; by the logs, if it names none."""
    text = described.strip().lower() if isinstance(described, str) else ""
    if text in facts.divisions:
        return text
    return _agreed(run.division for run in runs) or ""


def _agreed(names: Any) -> str | None:
    """Return the name that most logs give."""
    counts = Counter(name for name in names if name is not None)
    return counts.most_common(1)[0][0] if counts else None


def read_run(tree: Tree, path: str, facts: Facts) -> Run:
    """Return one log, held against its tables."""
    log = read_log(tree, path, facts.keys, facts.form)
    division, name = _text(log, "submission_division"), _text(log, "submission_benchmark")
    benchmark = facts.benchmarks.get(name or "")
    key = facts.tables.variant_key(division or "", name or "")
    variant = _text(log, key) if key else None
    table = facts.tables.of(division or "", name or "", variant or "")
    start, stop = log.first("run_start"), log.first("run_stop")
    stated = facts.stated.get(name or "")
    minutes = _stated_minutes(log, stated) if stated else _minutes(start, stop)
    source = benchmark.aggregate.source if benchmark and benchmark.aggregate else "eval_accuracy"
    timed = convergence.before_stop(log.events, source)
    evaluations = tuple(log.all(source)) if stated else timed  # without a run_stop there is no end
    target = table_rule(table, benchmark.target) if benchmark else None
    reached, line = _reached(log, benchmark, target)
    return Run(
        log=log,
        benchmark=name,
        division=division,
        breaches=breaches(
            log,
            table,
            benchmark.aggregate if benchmark else None,
            benchmark.tensors if benchmark and division in facts.seeds_in else (),
        ),
        start=start,
        stop=stop,
        evaluations=evaluations,
        minutes=minutes,
        success=minutes is not None if stated else _status(log) == facts.converged,
        converged_at=convergence.converged_at(log.events, benchmark, target) if benchmark else None,
        reached=reached,
        reached_line=line,
    )


def _minutes(start: Event | None, stop: Event | None) -> float | None:
    if start is None or stop is None:
        return None
    return (stop.time_ms - start.time_ms) / MS_PER_MINUTE


def _stated_minutes(log: Log, stated: Stated) -> float | None:
    """Return the time that a log states; None: it states none, or 0, as it does on failure."""
    event = log.last(stated.key)
    seconds = number((event.metadata or {}).get(stated.field)) if event else None
    return seconds / SECONDS_PER_MINUTE if seconds is not None and seconds > 0 else None


def _status(log: Log) -> str | None:
    stop = log.last("run_stop")
    status = (stop.metadata or {}).get("status") if stop else None
    return status if isinstance(status, str) else None


def _reached(log: Log, benchmark: Benchmark | None, target: Any) -> tuple[bool | None, int]:
    """Tell whether the target was met when the clock was stopped, and by which line."""
    if benchmark is None or target is None or not target.some:
        return None, 0
    if benchmark.progress.first_passing:
        source = benchmark.aggregate.source if benchmark.aggregate else benchmark.target
        events = tuple(log.all(source))
        met = convergence.passing(events, benchmark, target)
        last = met[0] if met else events[-1] if events else None
        return (None, 0) if last is None else (bool(met), last.line)
    events = convergence.before_stop(log.events, benchmark.target)
    if not events:
        return None, 0
    return convergence.meets(events[-1], target), events[-1].line


def _text(log: Log, key: str) -> str | None:
    event = log.first(key)
    return event.value if event and isinstance(event.value, str) else None
