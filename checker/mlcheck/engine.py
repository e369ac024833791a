"""Read places over workers, judge them, and assemble the one report."""

from __future__ import annotations

import functools
import os
import secrets
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from mlcheck import __version__
from mlcheck.executors import ExecutorError, cluster, processes
from mlcheck.extra_rules import loaded, rules_of, weights_of
from mlcheck.judge import Judged, internal_error, judge
from mlcheck.model import ExtraRulesRef, Finding, Outcome, Report, Result, System
from mlcheck.overlay import RulesetError
from mlcheck.ruleset import Ruleset, load
from mlcheck.suites.registry import SUITES
from mlcheck.tree import Reads, Tree
from mlcheck.verdicts import decided, told_apart

FEW_PLACES = 3  # below this a pool costs more than it saves
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What to verify: a tree under the rules of one round.

    ``executor`` is a cluster, such as ``dask://HOST:PORT``; None: processes of this machine.
    ``rules`` is a folder of rule files; None: those that mlcheck brings.
    """

    root: str
    suite: str
    round: str
    submitter: str | None = None
    select: tuple[str, ...] = ()  # run only rules whose ids begin so; empty: all
    ignore: tuple[str, ...] = ()  # do not run rules whose ids begin so
    executor: str | None = None
    rules: str | None = None


@dataclass(frozen=True, slots=True)
class _Done:
    """What one worker sends back."""

    results: tuple[Result, ...]
    systems: tuple[System, ...]
    traces: tuple[Any, ...]
    judged: Judged
    reads: Reads | None = None  # what it was made from, if anybody wants to keep it


class Memory(Protocol):
    """Something that keeps what was judged until what it was made from changes."""

    def recall(self, tree: Tree, place: Any) -> Any:
        """Return what was kept for a place, None if there is nothing or it may have changed."""

    def keep(self, place: Any, done: Any, reads: Reads) -> None:
        """Keep what was judged."""


class _Worker:
    """Reads and judges places of one job. Each process has its own."""

    def __init__(self, job: Job, tree: Tree, *, recording: bool = False) -> None:
        self.tree = tree
        self.recording = recording
        self.suite = SUITES[job.suite]
        known = ruleset_of(job)
        weights = {**known.weights, **weights_of(job.suite)}
        self.ruleset: Ruleset = replace(known, weights=weights)
        self.facts = self.suite.facts(self.ruleset)
        self.rules = tuple(
            rule
            for rule in rules_of(job.suite)
            if rule.id.startswith(job.select or "") and not rule.id.startswith(job.ignore)
        )

    def work(self, place: Any) -> _Done:
        if not self.recording:
            return self._judge(place)
        with self.tree.recorded() as reads:
            done = self._judge(place)
        return replace(done, reads=reads)

    def _judge(self, place: Any) -> _Done:
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


def _start(job: Job, tree: Tree, recording: bool) -> None:  # noqa: FBT001 - of a pool
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal tells all; the parent decides
    _worker = _Worker(job, tree, recording=recording)


def _work(place: Any) -> _Done:
    if _worker is None:
        raise RuntimeError("worker was not started")
    return _worker.work(place)


def ruleset_of(job: Job) -> Ruleset:
    """Return the rules that a job is judged by.

    Raises:
        RulesetError: there is no such round, or its file is wrong.
    """
    return load(job.suite, job.round, Path(job.rules) if job.rules else None)


def _extra_rules(job: Job) -> tuple[ExtraRulesRef, ...]:
    return tuple(
        ExtraRulesRef(package=one.package, version=one.version)
        for one in loaded()
        if one.extra.suite == job.suite
    )


@functools.lru_cache(maxsize=2)
def _far_worker(job: Job, listed: str) -> _Worker:
    """Return the worker of a job in a process of a cluster, where many jobs follow each other."""
    del listed  # a tree that was listed by another run is listed anew
    return _Worker(job, Tree(job.root))


def _work_far(job: Job, listed: str, place: Any) -> _Done:
    if not os.path.isdir(job.root):
        raise ExecutorError(f"a worker does not see {job.root}")
    return _far_worker(job, listed).work(place)


def _unfit(
    job: Job, sha256: str, version: str, extra_rules: tuple[ExtraRulesRef, ...]
) -> str | None:
    """Say why this process cannot work on a job; None: it can."""
    if version != __version__:
        return f"has mlcheck {__version__}, not {version}"
    if not os.path.isdir(job.root):
        return f"does not see {job.root}: workers need the tree under the same path"
    if ruleset_of(job).sha256 != sha256:
        return f"has other rules of {job.suite} {job.round}"
    if _extra_rules(job) != extra_rules:
        return "has other packages of extra rules"
    return None


def verify(
    job: Job,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
    memory: Memory | None = None,
) -> Report:
    """Verify a tree and return the report. Reads only.

    Args:
        job: the tree and the round.
        jobs: processes; None: one per processor this process may use.
        progress: called with the number of places done and of all.
        memory: keeps what was judged from one run to the next.

    Raises:
        RulesetError: the rule file is wrong.
        ExecutorError: the cluster cannot be used.
    """
    tree = Tree(job.root)
    local = _Worker(job, tree, recording=memory is not None)
    places = local.suite.places(tree, local.facts, job.submitter)
    done: list[_Done] = []
    for one in _recalled(job, tree, local, places, jobs or available_cpus(), memory):
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


def _recalled(
    job: Job,
    tree: Tree,
    local: _Worker,
    places: Sequence[Any],
    jobs: int,
    memory: Memory | None,
) -> Iterator[_Done]:
    """Yield what is known of the places, and judge the others."""
    if memory is None:
        yield from _spread(job, tree, local, places, jobs)
        return
    known = [(place, memory.recall(tree, place)) for place in places]
    others = [place for place, done in known if done is None]
    fresh = _spread(job, tree, local, others, jobs)
    for place, done in known:
        if done is None:
            done = next(fresh)
            if done.reads is not None:
                memory.keep(place, replace(done, reads=None), done.reads)
        yield done


def _spread(
    job: Job, tree: Tree, local: _Worker, places: Sequence[Any], jobs: int
) -> Iterator[_Done]:
    if job.executor:
        asked = (local.ruleset.sha256, __version__, _extra_rules(job))
        fit = functools.partial(_unfit, job, *asked)
        with cluster(job.executor, fit) as pool:
            same = [(job, secrets.token_hex(8))] * len(places)
            yield from pool.map(_work_far, *zip(*same, strict=True), places)
        return
    if jobs == 1 or len(places) <= FEW_PLACES:
        yield from map(local.work, places)
        return
    with processes(min(jobs, len(places)), _start, (job, tree, local.recording)) as pool:
        pending = pool.map(_work, places)
        for _ in tree.walk():
            pass  # the rules about the package need every folder: list them while workers read
        yield from pending


def _assemble(
    job: Job,
    ruleset: Ruleset,
    *,
    systems: list[System],
    results: list[Result],
    findings: list[Finding],
    outcomes: list[Outcome],
) -> Report:
    found = told_apart(sorted(_merged(findings), key=lambda finding: finding.sort_key))
    return Report(
        root=job.root,
        rulesets=(replace(ruleset.ref, checker=SUITES[job.suite].checker),),
        systems=tuple(sorted(systems, key=lambda system: system.path)),
        results=decided(sorted(results, key=lambda result: result.path), found),
        findings=found,
        outcomes=tuple(sorted(outcomes, key=lambda o: (o.rule, o.result, o.reason))),
        extra_rules=_extra_rules(job),
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
