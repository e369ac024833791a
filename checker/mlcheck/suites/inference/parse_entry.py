"""Read one scenario folder and what belongs to it elsewhere into an :class:`Entry`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mlcheck.documents import read_document, read_text
from mlcheck.model import stable_id
from mlcheck.suites.inference.endpoints import LogMaker, is_endpoints, read_endpoints
from mlcheck.suites.inference.endpoints_quality import read_scores
from mlcheck.suites.inference.entry import (
    ComplianceRun,
    Endpoints,
    Entry,
    Measurements,
    Run,
    SystemView,
    is_network,
)
from mlcheck.suites.inference.facts import Benchmark, Facts, Scenario
from mlcheck.suites.inference.layout import SystemPlace
from mlcheck.suites.inference.parse_logs import DETAIL, LogFolders
from mlcheck.suites.inference.parse_power import read_power
from mlcheck.suites.inference.settings import read_settings
from mlcheck.tree import Tree, join


def find_benchmark(
    name: str, mapping: Mapping[str, Any], facts: Facts
) -> tuple[Benchmark | None, str]:
    """Return the benchmark a folder name means, and by what it was found."""
    if name in facts.benchmarks:
        return facts.benchmarks[name], "name"
    if name in facts.aliases:
        return facts.benchmarks[facts.aliases[name]], "alias"
    mapped = mapping.get(name)
    if isinstance(mapped, str) and mapped in facts.benchmarks:
        return facts.benchmarks[mapped], "mapping"
    folded = facts.folded.get(name.lower(), "")
    if folded in facts.benchmarks:
        return facts.benchmarks[folded], "case"
    for part, benchmark in facts.guesses:
        if part in name:
            return (facts.benchmarks[benchmark], "guess") if benchmark else (None, "")
    return None, ""


class EntryReader:
    """Reads the scenario folders of one system."""

    def __init__(
        self,
        tree: Tree,
        facts: Facts,
        place: SystemPlace,
        system: SystemView,
    ) -> None:
        """Take what all scenario folders of the system share."""
        self._tree = tree
        self._facts = facts
        self._logs = LogFolders(tree, facts)
        self._place = place
        self._system = system
        self._mapping = system.model_mapping.fields if system.model_mapping else {}
        fields = system.description.fields if system.description else {}
        self._network = is_network(fields.get("is_network"))

    def read(self, benchmark_raw: str, scenario_raw: str) -> Entry:
        """Read one scenario folder and its measurements, compliance and code folders."""
        facts, place, home = self._facts, self._place, self._place.submitter_path
        layout = facts.layout
        path = join(self._system.path, benchmark_raw, scenario_raw)
        names = {"system": place.system, "benchmark": benchmark_raw, "scenario": scenario_raw}
        measurements_path = join(home, _fill(layout["measurements"], names))
        compliance_path = join(home, _fill(layout["compliance"], names))
        benchmark, found_by = find_benchmark(benchmark_raw, self._mapping, facts)
        scenario = facts.scenarios.get(facts.folded.get(scenario_raw.lower(), ""))
        endpoints = self._endpoints(path)
        if endpoints and facts.endpoints and scenario is None:
            word = facts.endpoints.folders.get(scenario_raw.lower(), "")
            scenario = facts.scenarios.get(word)
        measurements = self._measurements(measurements_path, scenario_raw)
        code_path, code_found = self._code(benchmark_raw, measurements)
        single = {"paths": [layout["performance"]], "required": 0}
        several = layout["runs"].get(scenario_raw, single)
        runs = {join(path, below): self._logs.run(join(path, below)) for below in several["paths"]}
        found = [run for run in runs.values() if run]
        needed = list(runs)[: several["required"]] if found else []
        entry = Entry(
            id=stable_id(
                "inference",
                facts.round,
                place.division,
                place.submitter,
                place.system,
                benchmark_raw,
                scenario_raw,
            ),
            path=path,
            division=self._system.division,
            submitter=place.submitter,
            system=place.system,
            system_type=self._system.system_type,
            network_system=self._network,
            benchmark=benchmark,
            benchmark_by=found_by,
            benchmark_raw=benchmark_raw,
            scenario=scenario,
            scenario_raw=scenario_raw,
            performance=found[-1] if found else None,
            performance_path=found[-1].path if found else join(path, layout["performance"]),
            further_runs=tuple(found[:-1]),
            missing_runs=tuple(place for place in needed if runs[place] is None),
            accuracy=self._logs.accuracy(join(path, layout["accuracy"]), benchmark),
            accuracy_path=join(path, layout["accuracy"]),
            measurements=measurements,
            measurements_path=measurements_path,
            code_path=code_path,
            code_found=code_found,
            code_present=self._tree.folder(join(home, layout["code"])) is not None,
            compliance_path=compliance_path,
            compliance_present=self._tree.folder(compliance_path) is not None,
            compliance=self._compliance(compliance_path, benchmark, scenario),
            power=read_power(
                self._tree,
                facts,
                path,
                measurements_path,
                (self._logs.run(join(path, layout["ranging"])), found[-1] if found else None),
            ),
        )
        return self._with_documents(entry, endpoints) if endpoints else entry

    def _endpoints(self, path: str) -> Endpoints | None:
        """Return the documents of an endpoint, if they lie there in place of both detail logs."""
        rules, layout = self._facts.endpoints, self._facts.layout
        logs = (join(path, layout["performance"]), join(path, layout["accuracy"]))
        folders = [self._tree.folder(place) for place in logs]
        if rules is None or any(folder and DETAIL in folder.files for folder in folders):
            return None
        found = is_endpoints(self._tree, path, rules)
        return read_endpoints(self._tree, path, rules) if found else None

    def _with_documents(self, entry: Entry, endpoints: Endpoints) -> Entry:
        """Return an entry with what its documents say in place of the logs."""
        rules = self._facts.endpoints
        name = entry.scenario.name if entry.scenario else None
        logs = LogMaker(endpoints, entry.benchmark, name, self._facts)
        place = endpoints.run_path.rpartition("/")[0]
        folder, accuracy, run = self._tree.folder(place), entry.accuracy, None
        if folder:
            names = frozenset(folder.files)
            run = Run(path=place, names=names, detail=logs.performance(), summary=None)
        if accuracy:
            document, text = endpoints.accuracy, None
            if document and document.problem is None and entry.benchmark and rules:
                text = read_scores(document, entry.benchmark, entry.targets, rules)
            accuracy = replace(accuracy, text=text, detail=logs.accuracy(), logs_nothing=False)
        return replace(
            entry,
            endpoints=endpoints,
            performance_path=place,
            performance=run,
            further_runs=(),
            missing_runs=(),
            accuracy=accuracy,
            compliance=(),  # its audit files are judged by rules of their own
        )

    def _compliance(
        self, path: str, benchmark: Benchmark | None, scenario: Scenario | None
    ) -> tuple[ComplianceRun, ...]:
        if benchmark is None or not self._system.division.closed_rules:
            return ()
        tests = (self._facts.tests[name] for name in benchmark.compliance)
        own = scenario.name if scenario else ""
        return tuple(
            self._logs.test(join(path, test.name), test, benchmark)
            for test in tests
            if own not in test.not_in
        )

    def _measurements(self, path: str, scenario_raw: str) -> Measurements | None:
        """Read how it was measured, described in ``NAME[_IMPLEMENTATION][_SCENARIO].json``.

        NAME is that of the system, or a word that the round prescribes.
        """
        folder = self._tree.folder(path)
        if folder is None:
            return None
        stem = _fill(self._facts.layout["description"], {"system": self._place.system})
        ending = ".json"
        mine = sorted(n for n in folder.files if n.startswith(stem) and n.endswith(ending))
        of_scenario = [name for name in mine if name.endswith(f"_{scenario_raw}{ending}")]
        name = next(iter(of_scenario or mine), None)
        implementation = ""
        if name:
            end = f"_{scenario_raw}{ending}" if of_scenario else ending
            implementation = name[len(stem) + 1 : -len(end)]
        return Measurements(
            path=path,
            sizes=folder.files,
            description=read_document(self._tree, join(path, name)) if name else None,
            user_conf=read_text(self._tree, join(path, "user.conf"))
            if "user.conf" in folder.files
            else None,
            implementation=implementation,
            settings=tuple(
                read_settings(self._tree, join(path, file))
                for file in self._facts.equal_issue["configurations"]
                if file in folder.files
            ),
        )

    def _code(self, benchmark_raw: str, measurements: Measurements | None) -> tuple[str, bool]:
        """Find the code folder of a benchmark: of the implementation, or of the benchmark.

        ``code/BENCHMARK`` may be a text file that names another folder of ``code``.
        """
        code = join(self._place.submitter_path, self._facts.layout["code"])
        folder = self._tree.folder(code)
        name = benchmark_raw
        if folder and name in folder.files:
            named = read_text(self._tree, join(code, name))
            name = named.lines[0].strip() if named.lines else ""
        if not name or name.startswith(("/", ".")) or ".." in name.split("/"):
            return join(code, benchmark_raw), False  # leads out of the folder of the code
        implementation = measurements.implementation if measurements else ""
        path = join(code, name)
        inside = join(path, implementation)
        if self._tree.folder(inside) is not None:
            return inside, True
        return path, self._tree.folder(path) is not None


def _fill(template: str, names: Mapping[str, str]) -> str:
    """Put folder names into a path of the layout. Not ``str.format``: names may hold braces."""
    return "/".join(names.get(part.strip("{}"), part) for part in template.split("/"))
