"""Read places over workers, judge them, and assemble the one report."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from mlcheck.judge import Judged, internal_error, judge
from mlcheck.model import Finding, Official, Outcome, Report, Result, Severity, System, Verdict
from mlcheck.overlay import RulesetError
from mlcheck.ruleset import Ruleset, load
from mlcheck.suites.registry import SUITES
from mlcheck.tree import Tree

POWER_AREA = "PWR"  # ids of rules about power, in every suite
FEW_PLACES = 3  # below this a pool costs more than it saves
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What to verify: a tree under the rules of one round."""

    root: str
    suite: str
    round: str
    submitter: str | None = None
    select: tuple[str, ...] = ()  # run only rules whose ids begin so; empty: all
    ignore: tuple[str, ...] = ()  # do not run rules whose ids begin so


@dataclass(frozen=True, slots=True)
class _Done:
    """What one worker sends back."""

    results: tuple[Result, ...]
    systems: tuple[System, ...]
    traces: tuple[Any, ...]
    judged: Judged


class _Worker:
    """Reads and judges places of one job. Each process has its own."""

    def __init__(self, job: Job, tree: Tree) -> None:
        self.tree = tree
        self.suite = SUITES[job.suite]
        self.ruleset: Ruleset = load(job.suite, job.round)
        self.facts = self.suite.facts(self.ruleset)
        self.rules = tuple(
            rule
            for rule in self.suite.rules
            if rule.id.startswith(job.select or "") and not rule.id.startswith(job.ignore)
        )

    def work(self, place: Any) -> _Done:
        try:
            batch = self.suite.read(self.tree, place, self.facts)
        except RulesetError:
            raise
        except Exception as err:
            judged = Judged((internal_error(err, str(place), ()),), ())
            return _Done((), (), (), judged)
        judged = judge(batch.subjects, self.rules, self.facts, self.ruleset)
        return _Done(batch.results, batch.systems, batch.traces, judged)


_worker: _Worker | None = None


def _start(job: Job, tree: Tree) -> None:
    global _worker
    _worker = _Worker(job, tree)


def _work(place: Any) -> _Done:
    if _worker is None:
        raise RuntimeError("worker was not started")
    return _worker.work(place)


def verify(job: Job, *, jobs: int | None = None, progress: Progress | None = None) -> Report:
    """Verify a tree and return the report. Reads only.

    Args:
        job: the tree and the round.
        jobs: processes; None: one per processor this process may use.
        progress: called with the number of places done and of all.

    Raises:
        RulesetError: the rule file is wrong.
    """
    tree = Tree(job.root)
    local = _Worker(job, tree)
    places = local.suite.places(tree, local.facts, job.submitter)
    done: list[_Done] = []
    for one in _spread(job, tree, local, places, jobs or available_cpus()):
        done.append(one)
        if progress:
            progress(len(done), len(places))
    results = [result for one in done for result in one.results]
    logs = [trace for one in done for trace in one.traces]
    package = local.suite.package(tree, local.facts, job.submitter, results, logs)
    whole = judge([package], local.rules, local.facts, local.ruleset)
    judged = [*(one.judged for one in done), whole]
    return _assemble(
        job,
        local.ruleset,
        systems=[system for one in done for system in one.systems],
        results=results,
        findings=[finding for one in judged for finding in one.findings],
        outcomes=[outcome for one in judged for outcome in one.outcomes],
    )


def available_cpus() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _spread(
    job: Job, tree: Tree, local: _Worker, places: Sequence[Any], jobs: int
) -> Iterator[_Done]:
    if jobs == 1 or len(places) <= FEW_PLACES:
        yield from map(local.work, places)
        return
    with _pool(job, tree, min(jobs, len(places))) as pool:
        pending = pool.map(_work, places)
        for _ in tree.walk():
            pass  # the rules about the package need every folder: list them while workers read
        yield from pending


def _pool(job: Job, tree: Tree, jobs: int) -> Executor:
    """Return the executor that places are spread over; a cluster's would do as well."""
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("fork" if "fork" in methods else None)
    return ProcessPoolExecutor(jobs, context, initializer=_start, initargs=(job, tree))


def _assemble(
    job: Job,
    ruleset: Ruleset,
    *,
    systems: list[System],
    results: list[Result],
    findings: list[Finding],
    outcomes: list[Outcome],
) -> Report:
    void: set[str] = set()
    refused: set[str] = set()
    faulty_power: set[str] = set()
    about: dict[str, list[str]] = {}
    ordered = sorted(_merged(findings), key=lambda finding: finding.sort_key)
    for finding in ordered:
        if finding.voids and finding.severity is Severity.ERROR:
            void.update(finding.results)
            if finding.rule.startswith(POWER_AREA):
                faulty_power.update(finding.results)
        if finding.official is Official.ERROR:
            refused.update(finding.results)
        for result in finding.results:
            about.setdefault(result, []).append(finding.id)
    return Report(
        root=job.root,
        rulesets=(ruleset.ref,),
        systems=tuple(sorted(systems, key=lambda system: system.path)),
        results=tuple(
            _decided(_with_power(result, faulty_power), void, refused, about.get(result.id, []))
            for result in sorted(results, key=lambda result: result.path)
        ),
        findings=tuple(ordered),
        outcomes=tuple(sorted(outcomes, key=lambda o: (o.rule, o.result, o.reason))),
    )


def _merged(findings: list[Finding]) -> Iterable[Finding]:
    """Join what was found several times, such as a flaw of a file that several systems share."""
    merged: dict[tuple[str, int], Finding] = {}
    for finding in findings:
        known = merged.get((finding.id, finding.line))
        if known:
            results = tuple(dict.fromkeys((*known.results, *finding.results)))
            finding = replace(known, results=results)
        merged[finding.id, finding.line] = finding
    return merged.values()


def _with_power(result: Result, faulty: set[str]) -> Result:
    """A power measurement is valid by the rules about power alone."""
    power = result.power
    if power is None or result.id not in faulty:
        return result
    return replace(result, power=replace(power, valid=False))


def _decided(result: Result, void: set[str], refused: set[str], about: list[str]) -> Result:
    verdict = Verdict.INVALID if result.id in void else Verdict.VALID
    return replace(
        result,
        verdict=verdict,
        official_verdict=Verdict.INVALID if result.id in refused else Verdict.VALID,
        runs_detail=tuple(
            run if run.alone else replace(run, verdict=verdict) for run in result.runs_detail
        ),
        findings=tuple(dict.fromkeys(about)),
    )
