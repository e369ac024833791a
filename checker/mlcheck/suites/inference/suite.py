"""MLPerf Inference as a suite: its rules, what it reads, and what results it reports."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from mlcheck.copies import LogTrace, find_copies
from mlcheck.judge import Subject
from mlcheck.model import OFFICIAL_CHECKER, Result, RunDetail, System, Verdict
from mlcheck.rules import Rule, Scope
from mlcheck.ruleset import Ruleset
from mlcheck.suites.base import Batch, Found
from mlcheck.suites.inference import (
    checks_accuracy,
    checks_benchmarks,
    checks_compliance,
    checks_compliance_accuracy,
    checks_description,
    checks_endpoints,
    checks_endpoints_audits,
    checks_evidence,
    checks_files,
    checks_inferred,
    checks_issue,
    checks_latency,
    checks_links,
    checks_log,
    checks_measurements,
    checks_nameplate,
    checks_network,
    checks_package,
    checks_performance,
    checks_plausible,
    checks_power,
    checks_power_clocks,
    checks_power_complaints,
    checks_power_devices,
    checks_power_log,
    checks_power_messages,
    checks_power_meter,
    checks_power_ranging,
    checks_power_samples,
    checks_power_session,
    checks_power_shared,
    checks_power_testing,
    checks_quality,
    checks_rescore,
    checks_run,
    checks_scenarios,
    checks_settings,
    checks_system,
    layout,
    score,
)
from mlcheck.suites.inference.build_facts import facts_of
from mlcheck.suites.inference.copies import traces
from mlcheck.suites.inference.entry import Entry, SystemView
from mlcheck.suites.inference.facts import Facts
from mlcheck.suites.inference.nameplate import design_power_watts
from mlcheck.suites.inference.package import package_of
from mlcheck.suites.inference.parse import by_benchmark, read_system
from mlcheck.suites.inference.power_result import power_result
from mlcheck.suites.inference.power_sessions import SessionTrace, session_traces, shared
from mlcheck.suites.inference.recognise import part_of_submission, round_by_seeds
from mlcheck.tree import Tree

NAME = "inference"
AREAS = {
    "GEN": "package and files",
    "SYS": "system description",
    "INF": "results",
    "CMP": "compliance tests",
    "PWR": "power",
    "EPT": "endpoints",
}
RULES: tuple[Rule, ...] = (
    *checks_package.RULES,
    *checks_files.RULES,
    *checks_links.RULES,
    *checks_system.RULES,
    *checks_description.RULES,
    *checks_network.RULES,
    *checks_measurements.RULES,
    *checks_benchmarks.RULES,
    *checks_scenarios.RULES,
    *checks_inferred.RULES,
    *checks_run.RULES,
    *checks_log.RULES,
    *checks_performance.RULES,
    *checks_latency.RULES,
    *checks_settings.RULES,
    *checks_issue.RULES,
    *checks_evidence.RULES,
    *checks_plausible.RULES,
    *checks_accuracy.RULES,
    *checks_quality.RULES,
    *checks_compliance.RULES,
    *checks_rescore.RULES,
    *checks_compliance_accuracy.RULES,
    *checks_power.RULES,
    *checks_power_session.RULES,
    *checks_power_messages.RULES,
    *checks_power_meter.RULES,
    *checks_power_devices.RULES,
    *checks_power_ranging.RULES,
    *checks_power_testing.RULES,
    *checks_power_clocks.RULES,
    *checks_power_log.RULES,
    *checks_power_complaints.RULES,
    *checks_power_samples.RULES,
    *checks_power_shared.RULES,
    *checks_nameplate.RULES,
    *checks_endpoints.RULES,
    *checks_endpoints_audits.RULES,
)


class InferenceSuite:
    """The plug-in that the engine works with."""

    name = NAME
    title = "MLPerf Inference"
    checker = OFFICIAL_CHECKER
    areas = AREAS
    rules = RULES

    def find_round(self, tree: Tree) -> Found:
        """Tell the round by the seeds of the logs."""
        return round_by_seeds(tree)

    def hint(self, tree: Tree) -> str | None:
        """Say what part of a submission a folder is."""
        return part_of_submission(tree)

    def facts(self, ruleset: Ruleset) -> Facts:
        """Return the typed facts of a round."""
        return facts_of(ruleset)

    def places(
        self, tree: Tree, facts: Facts, submitter: str | None
    ) -> Sequence[layout.SystemPlace]:
        """Return the system folders to read, the ones with most results first."""
        found = list(layout.system_places(tree, facts, submitter))
        return sorted(found, key=lambda place: -_results_of(tree, facts, place))

    def read(self, tree: Tree, place: layout.SystemPlace, facts: Facts) -> Batch:
        """Read one system folder."""
        system = read_system(tree, place, facts)
        return Batch(
            subjects=tuple(_subjects(system, facts)),
            results=tuple(_result(entry, system, facts) for entry in system.entries),
            systems=(_described(system),),
            traces=(*traces(system), *session_traces(system)),
        )

    def package(
        self,
        tree: Tree,
        facts: Facts,
        submitter: str | None,
        results: Iterable[Result],
        logs: Iterable[LogTrace | SessionTrace],
    ) -> Subject:
        """Return the tree as a whole, for the rules about it."""
        places = sorted((result.path, result.id) for result in results)
        submitters = layout.submitters(tree, facts, submitter)
        found = tuple(logs)
        package = package_of(
            tree,
            submitters,
            places,
            find_copies(tree, (trace for trace in found if isinstance(trace, LogTrace))),
            shared(trace for trace in found if isinstance(trace, SessionTrace)),
        )
        ids = tuple(id_ for _, id_ in places)
        return Subject(scope=Scope.PACKAGE, value=package, path="", results=ids)


def _results_of(tree: Tree, facts: Facts, place: layout.SystemPlace) -> int:
    path = "/".join((place.submitter_path, facts.layout["results"], place.system))
    return sum(1 for _ in layout.scenario_folders(tree, path))


def _subjects(system: SystemView, facts: Facts) -> Iterator[Subject]:
    for entry in system.entries:
        yield from _results(entry, facts)
    for view in by_benchmark(system):
        yield Subject(scope=Scope.BENCHMARK, value=view, path=view.path, results=view.result_ids)
    yield Subject(scope=Scope.SYSTEM, value=system, path=system.path, results=system.result_ids)


def _results(entry: Entry, facts: Facts) -> Iterator[Subject]:
    """Yield a result; one of an endpoint without the rules about what LoadGen alone writes."""
    rules = facts.endpoints if entry.endpoints else None
    without = rules.without if rules else frozenset()
    scopes = {Scope.RESULT: True, Scope.ENDPOINTS: rules, Scope.POWER: entry.power}
    for scope in (scope for scope, there in scopes.items() if there):
        yield Subject(
            scope=scope, value=entry, path=entry.path, results=(entry.id,), without=without
        )


def _described(system: SystemView) -> System:
    document = system.description
    return System(
        division=system.division.name,
        submitter=system.submitter,
        name=system.name,
        path=system.description_path,
        description=document.fields if document and document.problem is None else None,
    )


def _result(entry: Entry, system: SystemView, facts: Facts) -> Result:
    metrics = score.metrics(entry, facts)
    primary = metrics[0] if metrics else None
    measured = power_result(entry, primary, facts)
    return Result(
        id=entry.id,
        suite=NAME,
        round=facts.round,
        division=entry.division.name,
        submitter=entry.submitter,
        system=entry.system,
        benchmark=entry.benchmark.name if entry.benchmark else None,
        benchmark_raw=entry.benchmark_raw,
        scenario=entry.scenario.name if entry.scenario else None,
        path=entry.path,
        metrics=metrics,
        quality=score.quality(entry, facts),
        power=measured,
        inferred=score.inference_formula(entry, facts) is not None,
        runs_detail=tuple(
            RunDetail(path=log.path, verdict=Verdict.VALID) for log in entry.run_logs()
        ),
        extra={
            "scenario_raw": entry.scenario_raw,
            "system_type": entry.system_type,
            "power_only": _power_only(system),
            "weight_data_types": _weight_data_types(entry),
            **_design_power(entry, system, facts),
        },
    )


def _power_only(system: SystemView) -> bool:
    """Tell whether a system is entered for its power alone, so that its speed has no rank."""
    fields = system.description.fields if system.description else {}
    return str(fields.get("system_power_only", "")).strip().lower() in ("true", "1", "yes")


def _weight_data_types(entry: Entry) -> str | None:
    """Return in what formats the weights were held, as the description of the implementation says.

    None: it is not described.
    """
    document = entry.measurements.description if entry.measurements else None
    value = document.fields.get("weight_data_types") if document else None
    return value if isinstance(value, str) or value is None else json.dumps(value)


def _design_power(entry: Entry, system: SystemView, facts: Facts) -> dict[str, float]:
    """Say what power the system is built for, beside a result with measured power."""
    watts = design_power_watts(system, facts) if entry.power else None
    return {} if watts is None else {"design_power_watts": watts}
