"""Read one system: its description, the app's record, its runs, joined to results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mlcheck.documents import read_document
from mlcheck.loadgen import read_detail, read_summary
from mlcheck.model import stable_id
from mlcheck.suites.mobile import accuracy_text, layout
from mlcheck.suites.mobile.accuracy_text import PrintedAccuracy
from mlcheck.suites.mobile.bare_paths import mend_paths
from mlcheck.suites.mobile.description import Description, read_description
from mlcheck.suites.mobile.entry import Entry, Measurement, Run, SystemView
from mlcheck.suites.mobile.facts import NAME, Benchmark, Facts, plain
from mlcheck.suites.mobile.layout import ACCURACY, PERFORMANCE, RunPlace, SystemPlace
from mlcheck.suites.mobile.record import Recorded, ResultFile
from mlcheck.suites.mobile.result_file import read_result_file
from mlcheck.tree import Folder, Tree, join

Key = tuple[str, str]  # plain name of a task, scenario


def read_system(tree: Tree, place: SystemPlace, facts: Facts) -> SystemView:
    """Read one system. Never raises because of what lies there."""
    here = tree.folder(place.path) or Folder(place.path)
    names = [name for name in facts.layout["result_names"] if name in here.files]
    files = tuple(read_result_file(tree, join(place.path, name)) for name in names)
    record = next((each for each in files if each.problem is None), None)
    texts = [name for name in facts.layout["accuracy_texts"] if name in here.files]
    printed: dict[str, PrintedAccuracy] = {}
    for name in texts:
        printed |= accuracy_text.read_of_all(tree, join(place.path, name), facts)
    groups, again = _grouped(layout.run_places(tree, place, facts), facts)
    recorded = _recorded(record, groups, facts)
    entries = [
        _entry(tree, place, key, groups.get(key, []), recorded.get(key), printed, files, facts)
        for key in sorted({*groups, *recorded})
    ]
    wanted, description = _description(tree, place, facts)
    images = tuple(facts.layout["images"])
    return SystemView(
        division=facts.divisions[place.division],
        submitter=place.submitter,
        name=place.system,
        path=place.path,
        wanted=wanted,
        description=description,
        result_files=files,
        images=tuple(sorted(n for n in here.files if n.lower().endswith(images))),
        entries=tuple(entries),
        again=tuple(again),
    )


def _description(tree: Tree, place: SystemPlace, facts: Facts) -> tuple[str, Description | None]:
    folder = join(place.home, facts.layout["systems"])
    wanted = f"{place.system}.json"
    here = tree.folder(folder)
    found = [name for name in here.files if name.casefold() == wanted.casefold()] if here else []
    name = wanted if wanted in found else next(iter(sorted(found)), None)
    path = join(folder, wanted)
    return path, read_description(tree, join(folder, name), facts) if name else None


def _key(task: str, scenario: str | None, facts: Facts) -> Key:
    """Return by what a result is known: its task and scenario, however they are spelt."""
    known = facts.scenario_of(scenario)
    benchmark = facts.benchmark_of(task, known.name if known else None)
    ran = known.name if known else benchmark.scenario if benchmark else scenario or ""
    return (benchmark.name if benchmark else task, ran)


def _grouped(
    places: Iterable[RunPlace], facts: Facts
) -> tuple[dict[Key, list[RunPlace]], list[tuple[str, str]]]:
    """Join the runs of a result; runs of the same task under another name are told apart."""
    groups: dict[Key, list[RunPlace]] = {}
    names: dict[Key, str] = {}
    again: list[tuple[str, str]] = []
    for place in places:
        key = _key(place.task, place.scenario, facts)
        first = names.setdefault(key, place.task)
        if plain(first) != plain(place.task):
            again.append((key[0], place.path))
            continue
        groups.setdefault(key, []).append(place)
    return groups, again


def _recorded(
    record: ResultFile | None, groups: Iterable[Key], facts: Facts
) -> dict[Key, Recorded]:
    """Return what the app says of each result; the one run of a task may be of another scenario."""
    found: dict[Key, Recorded] = {}
    for task in record.tasks if record else ():
        key = _key(task.task, task.scenario, facts)
        alike = [known for known in groups if known[0] == key[0]]
        if key not in alike and len(alike) == 1:
            key = alike[0]
        found.setdefault(key, task)
    return found


def _entry(
    tree: Tree,
    place: SystemPlace,
    key: Key,
    places: list[RunPlace],
    recorded: Recorded | None,
    printed: Mapping[str, PrintedAccuracy],
    files: tuple[ResultFile, ...],
    facts: Facts,
) -> Entry:
    name, scenario = key
    benchmark = facts.benchmarks.get(name)
    performance = [each for each in places if each.kind == PERFORMANCE]
    accuracy = [each for each in places if each.kind == ACCURACY]
    first = next(iter((*performance, *accuracy)), None)
    path = first.path if first else place.path
    texts = [join(each.path, facts.layout["accuracy_text"]) for each in accuracy]
    of_run = (accuracy_text.read_of_run(tree, text, benchmark) for text in texts if _is(tree, text))
    task = first.task if first else recorded.task if recorded else name
    where = join(place.home, facts.layout["measurements"], place.system)
    return Entry(
        id=stable_id(NAME, facts.round, place.division, place.submitter, place.system, *key),
        division=facts.divisions[place.division],
        submitter=place.submitter,
        system=place.system,
        path=path,
        task=task,
        benchmark=benchmark,
        scenario=facts.scenario_of(scenario),
        written=first.scenario if first else None,
        performance=_run(tree, performance[0], facts) if performance else None,
        further=tuple(each.path for each in (*performance[1:], *accuracy[1:])),
        accuracy=_run(tree, accuracy[0], facts) if accuracy else None,
        result_file=files[0] if files else None,
        recorded=recorded,
        printed=next((each for each in of_run if each), printed.get(name)),
        measurements=tuple(_measurements(tree, where, benchmark, scenario, facts)),
        measurements_path=where,
    )


def _is(tree: Tree, path: str) -> bool:
    folder = tree.folder(path.rpartition("/")[0])
    return folder is not None and path.rpartition("/")[2] in folder.files


def _run(tree: Tree, place: RunPlace, facts: Facts) -> Run:
    folder = tree.folder(place.path) or Folder(place.path)
    detail, summary = facts.files["detail"], facts.files["summary"]
    traces, answers = tuple(facts.files["trace"]), tuple(facts.files["answers"])
    return Run(
        path=place.path,
        detail=read_detail(tree, join(place.path, detail), mend_paths)
        if detail in folder.files
        else None,
        summary=read_summary(tree, join(place.path, summary)) if summary in folder.files else None,
        trace=facts.files["trace_folder"] in folder.folders
        or any(layout.is_log(name, traces, facts) for name in folder.files),
        answers=any(layout.is_log(name, answers, facts) for name in folder.files),
    )


def _measurements(
    tree: Tree, where: str, benchmark: Benchmark | None, scenario: str, facts: Facts
) -> Iterator[Measurement]:
    """Yield the documents of a result: below a folder of its task and one of its scenario."""
    for task in layout.folders(tree, where):
        if benchmark is None or plain(task) not in benchmark.folders:
            continue
        for name in layout.folders(tree, join(where, task)):
            known = facts.scenario_of(name)
            folder = tree.folder(join(where, task, name))
            if known is None or known.name != scenario or folder is None:
                continue
            for file in sorted(folder.files):
                if file.endswith(".json"):
                    document = read_document(tree, join(folder.path, file))
                    yield Measurement(document=document, name=file)


def described(view: SystemView) -> Mapping[str, Any] | None:
    """Return a description as it was submitted; None: there is none that can be read."""
    fields = view.description.fields if view.description else None
    return fields or None
