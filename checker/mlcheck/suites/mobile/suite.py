"""MLPerf Mobile as a suite: its rules, what it reads, and what results it reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mlcheck.judge import Subject
from mlcheck.model import Result, RunDetail, System, Verdict
from mlcheck.rules import Rule, Scope
from mlcheck.ruleset import Ruleset
from mlcheck.suites.base import Batch, Found
from mlcheck.suites.mobile import (
    checks_accuracy,
    checks_build,
    checks_consistency,
    checks_description,
    checks_device,
    checks_loadgen,
    checks_log,
    checks_measurements,
    checks_package,
    checks_record,
    checks_recorded,
    checks_revision,
    checks_run,
    checks_session,
    layout,
    score,
)
from mlcheck.suites.mobile.entry import Entry, SystemView
from mlcheck.suites.mobile.facts import NAME, Facts, facts_of
from mlcheck.suites.mobile.package import Trace, package_of, trace
from mlcheck.suites.mobile.parse import described, read_system
from mlcheck.suites.mobile.recognise import part_of_submission, round_of
from mlcheck.tree import Tree

AREAS = {"MOB": "submissions"}
RULES: tuple[Rule, ...] = (
    *checks_package.RULES,
    *checks_description.RULES,
    *checks_device.RULES,
    *checks_session.RULES,
    *checks_record.RULES,
    *checks_build.RULES,
    *checks_measurements.RULES,
    *checks_log.RULES,
    *checks_run.RULES,
    *checks_loadgen.RULES,
    *checks_revision.RULES,
    *checks_consistency.RULES,
    *checks_recorded.RULES,
    *checks_accuracy.RULES,
)


class MobileSuite:
    """The plug-in that the engine works with."""

    name = NAME
    title = "MLPerf Mobile"
    checker = "app on the device"  # there is no checker of submissions
    areas = AREAS
    rules = RULES

    def find_round(self, tree: Tree) -> Found:
        """Tell the round by the seeds of the logs."""
        return round_of(tree)

    def hint(self, tree: Tree) -> str | None:
        """Say what part of a submission a folder is."""
        return part_of_submission(tree)

    def facts(self, ruleset: Ruleset) -> Facts:
        """Return the typed facts of a round."""
        return facts_of(ruleset)

    def places(
        self, tree: Tree, facts: Facts, submitter: str | None
    ) -> Sequence[layout.SystemPlace]:
        """Return the systems to read."""
        return list(layout.system_places(tree, facts, submitter))

    def read(self, tree: Tree, place: layout.SystemPlace, facts: Facts) -> Batch:
        """Read one system."""
        system = read_system(tree, place, facts)
        return Batch(
            subjects=tuple(_subjects(system)),
            results=tuple(_result(entry, facts) for entry in system.entries),
            systems=(_described(system),),
            traces=(trace(system),),
        )

    def package(
        self,
        tree: Tree,
        facts: Facts,
        submitter: str | None,
        results: Iterable[Result],
        logs: Iterable[Trace],
    ) -> Subject:
        """Return the tree as a whole, for the rules about it."""
        places = tuple(sorted((result.path, result.id) for result in results))
        package = package_of(tree, facts, submitter, places, logs)
        ids = tuple(id_ for _, id_ in places)
        return Subject(scope=Scope.PACKAGE, value=package, path="", results=ids)


def _subjects(system: SystemView) -> Iterator[Subject]:
    for entry in system.entries:
        yield Subject(scope=Scope.RESULT, value=entry, path=entry.path, results=(entry.id,))
    yield Subject(scope=Scope.SYSTEM, value=system, path=system.path, results=system.result_ids)


def _described(system: SystemView) -> System:
    there = system.description
    stated = there.stated if there else {}
    record = system.record
    return System(
        division=system.division.name,
        submitter=system.submitter,
        name=system.name,
        path=there.document.path if there else system.wanted,
        description=described(system),
        stated={
            **{_COLUMNS[name]: value for name, value in stated.items() if name in _COLUMNS},
            "system_name": stated.get("device"),
            "soc_id": record.environment.get("soc") if record else None,
        },
    )


_COLUMNS = {  # fact of the rule file -> column of the table of systems
    "device": "device",
    "soc": "soc_raw",
    "operating_system": "operating_system",
    "sdk": "framework",
    "accelerator": "accelerator_raw",
    "memory": "host_memory",
    "status": "availability_raw",
}


def _result(entry: Entry, facts: Facts) -> Result:
    backend = entry.recorded.backend if entry.recorded else None
    return Result(
        id=entry.id,
        suite=NAME,
        round=facts.round,
        division=entry.division.name,
        submitter=entry.submitter,
        system=entry.system,
        benchmark=entry.benchmark.name if entry.benchmark else None,
        benchmark_raw=entry.task,
        scenario=entry.scenario.name if entry.scenario else None,
        path=entry.path,
        metrics=score.metrics(entry, facts),
        quality=tuple(score.quality(entry)),
        runs_detail=tuple(
            RunDetail(path=run.path, verdict=Verdict.VALID)
            for run in (entry.performance, entry.accuracy)
            if run
        ),
        extra={
            "model": entry.benchmark.model if entry.benchmark else None,
            "backend": backend.library if backend else None,
            "runtime": backend.runtime if backend else None,
            "delegate": backend.delegate if backend else None,
            "runs_on": (backend.used or backend.asked) if backend else None,
        },
    )
