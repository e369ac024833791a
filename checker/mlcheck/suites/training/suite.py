"""MLPerf Training as a suite: its rules, what it reads, and what results it reports."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from mlcheck.judge import Subject
from mlcheck.model import OFFICIAL_CHECKER, Result, RunDetail, System, Verdict
from mlcheck.rules import Rule, Scope
from mlcheck.ruleset import Ruleset
from mlcheck.suites.base import Batch, Found
from mlcheck.suites.training import (
    checks_clock,
    checks_consistency,
    checks_files,
    checks_log,
    checks_package,
    checks_power,
    checks_power_files,
    checks_power_readings,
    checks_power_switches,
    checks_power_values,
    checks_rcp,
    checks_run,
    checks_schedule,
    checks_seeds,
    checks_system,
    checks_table,
    layout,
    power_score,
    score,
)
from mlcheck.suites.training.entry import Entry, SystemView, Unchecked
from mlcheck.suites.training.facts import NAME, Facts, facts_of
from mlcheck.suites.training.package import Trace, package_of, traces
from mlcheck.suites.training.parse import read_system
from mlcheck.suites.training.recognise import part_of_submission, round_of
from mlcheck.suites.training.waivers import waivers
from mlcheck.tree import Tree, join

AREAS = {"TRN": "submissions", "PWR": "power"}
RULES: tuple[Rule, ...] = (
    *checks_package.RULES,
    *checks_system.RULES,
    *checks_files.RULES,
    *checks_log.RULES,
    *checks_table.RULES,
    *checks_run.RULES,
    *checks_clock.RULES,
    *checks_schedule.RULES,
    *checks_consistency.RULES,
    *checks_seeds.RULES,
    *checks_rcp.RULES,
    *checks_power_files.RULES,
    *checks_power.RULES,
    *checks_power_readings.RULES,
    *checks_power_values.RULES,
    *checks_power_switches.RULES,
)


class TrainingSuite:
    """The plug-in that the engine works with."""

    name = NAME
    title = "MLPerf Training"
    checker = OFFICIAL_CHECKER
    areas = AREAS
    rules = RULES

    def find_round(self, tree: Tree) -> Found:
        """Tell the round by benchmarks and dates."""
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
        """Return the system folders to read, the ones with the longest logs first."""
        found = list(layout.system_places(tree, facts, submitter))
        return sorted(found, key=lambda place: -_bytes_of(tree, facts, place))

    def read(self, tree: Tree, place: layout.SystemPlace, facts: Facts) -> Batch:
        """Read one system folder."""
        with _uncollected():
            system = read_system(tree, place, facts)
        return Batch(
            subjects=tuple(_subjects(system)),
            results=tuple(_result(entry, facts) for entry in system.entries),
            systems=(_described(system),),
            traces=tuple(traces(system)),
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
        names = layout.submitters(tree, facts, submitter)
        package = package_of(tree, facts, names, places, logs, whole=submitter is None)
        ids = tuple(id_ for _, id_ in places)
        return Subject(scope=Scope.PACKAGE, value=package, path="", results=ids)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Put off the search for circles among objects.

    Lines of logs make none, and so many objects that the search takes a third of the time.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _bytes_of(tree: Tree, facts: Facts, place: layout.SystemPlace) -> int:
    path = join(place.submitter, facts.layout["results"], place.system)
    found = (tree.folder(join(path, name)) for name in layout.folders(tree, path))
    return sum(sum(folder.files.values()) for folder in found if folder)


def _subjects(system: SystemView) -> Iterator[Subject]:
    for entry in system.entries:
        yield Subject(scope=Scope.RESULT, value=entry, path=entry.path, results=(entry.id,))
    yield Subject(scope=Scope.SYSTEM, value=system, path=system.path, results=system.result_ids)


def _described(system: SystemView) -> System:
    divisions = {entry.division for entry in system.entries}
    return System(
        division=divisions.pop() if len(divisions) == 1 else "",
        submitter=system.submitter,
        name=system.name,
        path=system.description_path,
        description=system.fields,
    )


def _result(entry: Entry, facts: Facts) -> Result:
    scored = score.score(entry, facts)
    joules = power_score.run_joules(entry)
    return Result(
        id=entry.id,
        suite=NAME,
        round=facts.round,
        division=entry.division,
        submitter=entry.submitter,
        system=entry.system,
        benchmark=entry.benchmark.name if entry.benchmark else None,
        benchmark_raw=entry.benchmark_raw,
        scenario=None,
        path=entry.path,
        metrics=score.metrics(scored, facts),
        quality=score.quality(entry, facts),
        power=power_score.power_of(entry, scored, facts.power),
        aggregation="olympic-mean",
        spread=scored.spread if scored else None,
        runs_detail=tuple(
            RunDetail(
                path=run.path,
                verdict=Verdict.VALID if run.official else Verdict.INVALID,
                alone=True,
                energy_j=joules.get(run.path),
            )
            for run in entry.runs
        ),
        extra={
            "rcp": _rcp(entry),
            "waivers": [asdict(waiver) for waiver in waivers(entry.parameters, facts)],
            "global_batch_size": entry.batch,
            "minutes": [run.minutes for run in entry.runs],
            "converged_at": [run.converged_at if run.success else None for run in entry.runs],
            **_timed_energy(entry),
        },
    )


def _timed_energy(entry: Entry) -> Mapping[str, Any]:
    """Return the energy of each run as the policy defines it, if power was measured."""
    if entry.power is None:
        return {}
    return {"timed_energy_j": [run.energy.total.timed_j for run in entry.power.runs]}


_WORDS = {Unchecked.DIVISION: "not-applicable"}


def _rcp(entry: Entry) -> Mapping[str, Any]:
    """Return the convergence check as the official tool does it, and where the policy differs."""
    official, policy = entry.converged.official, entry.converged.policy
    if official is None:
        unchecked = entry.converged.official_unchecked
        return {
            "verdict": _WORDS.get(unchecked, "not-evaluated") if unchecked else "not-applicable",
            "reason": unchecked.value if unchecked else None,
            "norm_factor": 1.0,
            "reference_mean": None,
            "submission_mean": None,
        }
    point = official.point
    return {
        "verdict": official.verdict.value,
        "policy_verdict": policy.verdict.value if policy else None,
        "norm_factor": official.norm_factor,
        "reference_mean": point.mean if point else None,
        "submission_mean": official.submission_mean,
        "smallest_mean": official.smallest,
        "policy_smallest_mean": policy.smallest if policy else None,
        "margin": official.margin,
        "points": list(point.names) if point else [],
        "found": official.found.value,
    }
