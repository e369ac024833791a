"""Rules about the runs of a system: all tasks are there, and they belong together."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from mlcheck.loadgen import DetailLog
from mlcheck.rules import Flaw, Rule, Scope
from mlcheck.suites.mobile.entry import Entry, SystemView
from mlcheck.suites.mobile.facts import Facts
from mlcheck.suites.mobile.values import moment, shown

MR_CONSISTENT = "mobile_inference_rules.adoc#system-and-framework-must-be-consistent"
SP_RESULTS = "submissionRuleV3_0.adoc#result-submission-procedure"


def missing_tasks(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    """A closed submission has results of every task of the round."""
    if not system.division.complete or not system.entries:
        return  # MOB114
    there = {entry.benchmark.name for entry in system.entries if entry.benchmark}
    lacking = [b.name for b in facts.benchmarks.values() if b.required and b.name not in there]
    if lacking:
        yield Flaw(
            path=system.path,
            message=f"{system.name} lacks {len(lacking)} of the tasks that the round asks for",
            expected=", ".join(b.name for b in facts.benchmarks.values() if b.required),
            actual=f"without {', '.join(lacking)}",
            hint="add the results, or move the system to the open division",
        )


def several_sessions(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    """All performance runs of a system are of one session, and so are all accuracy runs."""
    for kind in ("performance", "accuracy"):
        runs = sorted(_started(system, kind), key=lambda run: run[0])
        sessions: list[list[tuple[datetime, DetailLog, Entry]]] = []
        for run in runs:
            gap = (run[0] - sessions[-1][-1][0]).total_seconds() / 60 if sessions else None
            if gap is None or gap > facts.tolerances["gap_min"]:
                sessions.append([])
            sessions[-1].append(run)
        main = max(sessions, key=len, default=[])
        for session in sessions:
            for started, log, entry in session if session is not main else ():
                yield Flaw(
                    path=log.path,
                    line=log.line("test_datetime"),
                    message=f"{kind} run is of another session than the others",
                    expected=f"{main[0][0]:%Y-%m-%d %H:%M} to {main[-1][0]:%Y-%m-%d %H:%M}",
                    actual=f"{started:%Y-%m-%d %H:%M}",
                    hint="run all tasks in one session of the app",
                    results=(entry.id,),
                )


def _started(system: SystemView, kind: str) -> Iterator[tuple[datetime, DetailLog, Entry]]:
    for entry in system.entries:
        log = entry.log if kind == "performance" else entry.accuracy_log
        started = moment(log.get("test_datetime")) if log else None
        if log and started:
            yield started, log, entry


def several_builds(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    """All runs of a system are of one build of the app."""
    key = "loadgen_build_date_utc"
    logs = [
        (log.text(key), log, entry)
        for entry in system.entries
        for log in entry.logs()
        if log.text(key)
    ]
    counts = Counter(built for built, _, _ in logs)
    main = counts.most_common(1)[0][0] if counts else None
    for built, log, entry in logs:
        if built != main:
            yield Flaw(
                path=log.path,
                line=log.line(key),
                message="run is of another build of the app than the others",
                expected=f"LoadGen built at {main}",
                actual=shown(built),
                hint="run all tasks with one build",
                results=(entry.id,),
            )


def several_frameworks(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    """All results of a system are measured with one framework."""
    ran = [
        (entry.recorded.backend.runtime, entry)
        for entry in system.entries
        if entry.recorded and entry.recorded.backend.runtime
    ]
    counts = Counter(runtime for runtime, _ in ran)
    main = counts.most_common(1)[0][0] if counts else None
    for runtime, entry in ran:
        if runtime != main:
            yield Flaw(
                path=entry.record_path,
                line=entry.recorded.line if entry.recorded else 0,
                message=f"{entry.task} runs on another framework than the others",
                expected=main,
                actual=runtime,
                hint="show the reviewers that it is part of the same SDK",
                results=(entry.id,),
            )


def without_runs(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    """A folder of results holds runs."""
    if not system.entries:
        yield Flaw(
            path=system.path,
            message="folder of a system holds no results",
            expected=f"a folder with {facts.files['detail']} per run",
            hint="take the folder away, or give the results",
        )


def results_twice(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    """A task has one result on a system."""
    for task, path in system.again:
        yield Flaw(
            path=path,
            message=f"{task} has results under two names",
            expected="one folder",
            actual=os.path.relpath(path, system.path),
            hint="take one of them away: only the first was judged",
        )


RULES = (
    Rule(
        id="MOB110",
        name="mobile-task-missing",
        scope=Scope.SYSTEM,
        why="Who may leave out tasks shows only those that are fast.",
        fix="Give results of all tasks.",
        policy=SP_RESULTS,
        check=missing_tasks,
        voids=False,
    ),
    Rule(
        id="MOB111",
        name="mobile-several-sessions",
        scope=Scope.SYSTEM,
        why="Runs of several sessions can be chosen from, and the device rests between them.",
        fix="Run all tasks in one session.",
        policy=SP_RESULTS,
        check=several_sessions,
        voids=False,
    ),
    Rule(
        id="MOB112",
        name="mobile-several-builds",
        scope=Scope.SYSTEM,
        why="Results of one table come from one app.",
        fix="Run all tasks with one build.",
        policy=MR_CONSISTENT,
        check=several_builds,
        voids=False,
    ),
    Rule(
        id="MOB113",
        name="mobile-several-frameworks",
        scope=Scope.SYSTEM,
        why="All results of a system are to use one framework.",
        fix="Use one framework, or explain the exception.",
        policy=MR_CONSISTENT,
        check=several_frameworks,
        voids=False,
    ),
    Rule(
        id="MOB114",
        name="mobile-system-empty",
        scope=Scope.SYSTEM,
        why="Something was left out, or the folder is a leftover.",
        fix="Take the folder away, or give the results.",
        policy=SP_RESULTS,
        check=without_runs,
        voids=False,
    ),
    Rule(
        id="MOB115",
        name="mobile-result-twice",
        scope=Scope.SYSTEM,
        why="With two runs to choose from the better one could be shown.",
        fix="Keep one of them.",
        policy=SP_RESULTS,
        check=results_twice,
        voids=False,
    ),
)
