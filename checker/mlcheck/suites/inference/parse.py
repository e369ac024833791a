"""Read a system folder of a submission into its :class:`SystemView`. Never raises, never judges."""

from __future__ import annotations

from dataclasses import replace

from mlcheck.documents import Document, document_in
from mlcheck.suites.inference.entry import BenchmarkView, Entry, SystemView
from mlcheck.suites.inference.facts import Facts
from mlcheck.suites.inference.layout import SystemPlace, scenario_folders
from mlcheck.suites.inference.parse_entry import EntryReader
from mlcheck.tree import Tree, join
from mlcheck.yaml_documents import read_yaml_document


def read_system(tree: Tree, place: SystemPlace, facts: Facts) -> SystemView:
    """Read everything that lies below one system folder, and what belongs to it elsewhere."""
    home = place.submitter_path
    systems = join(home, facts.layout["systems"])
    name = f"{place.system}.json"
    description = document_in(tree, systems, name)
    system_type = description.fields.get("system_type") if description else None
    results = join(home, facts.layout["results"], place.system)
    view = SystemView(
        division=facts.divisions[place.division],
        submitter=place.submitter,
        name=place.system,
        path=results,
        description=description,
        description_path=join(systems, name),
        system_type=facts.system["one_type"]
        or (system_type if isinstance(system_type, str) else None),
        model_mapping=_model_mapping(tree, place, facts),
        nameplate=_nameplate(tree, place, facts),
        nameplate_path=_nameplate_path(place, facts),
    )
    reader = EntryReader(tree, facts, place, view)
    entries = tuple(reader.read(*names) for names in scenario_folders(tree, results))
    return replace(view, entries=entries)


def _nameplate_path(place: SystemPlace, facts: Facts) -> str:
    ending = facts.power["nameplate"]["ending"] if "nameplate" in facts.power else ""
    return join(place.submitter_path, facts.layout["systems"], place.system + ending)


def _nameplate(tree: Tree, place: SystemPlace, facts: Facts) -> Document | None:
    path = _nameplate_path(place, facts)
    folder, _, name = path.rpartition("/")
    here = tree.folder(folder)
    if "nameplate" not in facts.power or here is None or name not in here.files:
        return None
    return read_yaml_document(tree, path)


def _model_mapping(tree: Tree, place: SystemPlace, facts: Facts) -> Document | None:
    where = facts.layout["model_mapping"]
    if place.division not in where["divisions"]:
        return None
    return document_in(tree, place.submitter_path, where["file"])


def by_benchmark(system: SystemView) -> tuple[BenchmarkView, ...]:
    """Group the entries of a system by benchmark folder."""
    groups: dict[str, list[Entry]] = {}
    for entry in system.entries:
        groups.setdefault(entry.benchmark_raw, []).append(entry)
    return tuple(
        BenchmarkView(
            division=system.division,
            path=join(system.path, name),
            system_type=system.system_type,
            benchmark=entries[0].benchmark,
            benchmark_raw=name,
            entries=tuple(entries),
        )
        for name, entries in groups.items()
    )
