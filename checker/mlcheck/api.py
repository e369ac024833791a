"""The Python interface: verify a tree, get a typed report. No files of settings, no printing.

    import mlcheck

    report = mlcheck.verify("submission", waivers="waivers.yaml")
    if mlcheck.summarise(report).verdict != "pass":
        for finding in report.findings:
            print(finding.path, finding.rule, finding.message)

Nothing global is changed: the working directory, the environment and signals stay as they are.
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Iterable
from dataclasses import replace

from mlcheck.discover import NothingHereError, discover
from mlcheck.engine import Job
from mlcheck.engine import verify as judged
from mlcheck.gate.gated import decisions_of, left_out, put_through
from mlcheck.model import Finding, Report, Result
from mlcheck.output.formats import Format, View, render
from mlcheck.output.summary import Gate, Summary, summarise
from mlcheck.overlay import RulesetError
from mlcheck.settings.keys import SettingsError
from mlcheck.settings.resolve import resolve
from mlcheck.suites.registry import SUITES
from mlcheck.tree import Tree

Path = str | os.PathLike[str]


def verify(
    path: Path,
    *,
    suite: str | None = None,
    round: str | None = None,
    submitter: str | None = None,
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    tolerate: Iterable[str] = (),
    profile: str | None = None,
    stage: str | None = None,
    partial: bool = False,
    waivers: Path | None = None,
    baseline: Path | None = None,
    jobs: int | None = None,
    today: datetime.date | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Verify a submission and return the report. Reads only, and keeps nothing.

    Args:
        path: root of the submission.
        suite: found by the folders if not given.
        round: such as ``v5.1``; found by the logs if not given.
        submitter: judge this submitter alone.
        select: run only rules whose ids begin so.
        ignore: do not run rules whose ids begin so.
        tolerate: run them, but let pass what they find.
        profile: one of those that mlcheck brings along.
        stage: ``performance``, ``audit`` or ``final``.
        partial: do not ask for what is not there.
        waivers: file of waivers.
        baseline: file of findings that are known.
        jobs: processes; None: one per processor.
        today: the day that waivers are held against; None: today in UTC.
        progress: called with the number of systems read and of all.

    Raises:
        NothingHereError: there is no submission; the message says what it looks like.
        SettingsError: an option, the waivers or the baseline are wrong.
        RulesetError: there is no such round.
    """
    given = {
        "suite": suite,
        "round": round,
        "submitter": submitter,
        "select": _ids(select),
        "ignore": _ids(ignore),
        "tolerate": _ids(tolerate),
        "profile": profile,
        "stage": stage,
        "partial": partial,
        "waivers": os.fspath(waivers) if waivers is not None else None,
        "baseline": os.fspath(baseline) if baseline is not None else None,
        "jobs": jobs,
    }
    settings = resolve(given, {}, None)
    if suite is not None and suite not in SUITES:
        raise SettingsError(f"no suite {suite}; known: {', '.join(SUITES)}")
    root = os.fspath(path)
    found = discover(Tree(root), suite, round)
    job = Job(root=root, suite=found.suite, round=found.round, submitter=submitter)
    decisions = decisions_of(settings, job)
    if today is not None:
        decisions = replace(decisions, today=today)
    not_run = left_out(settings, job.suite)
    job = replace(job, select=settings["select"], ignore=tuple(one.rule for one in not_run))
    report = judged(job, jobs=jobs, progress=progress)
    return put_through(replace(report, not_run=not_run), decisions)


def _ids(beginnings: Iterable[str]) -> tuple[str, ...] | None:
    """Return ids of rules or their beginnings; None: none given.

    Raises:
        SettingsError: one text in place of several; a rule that there is not.
    """
    from mlcheck.extra_rules import rules_of

    if isinstance(beginnings, str):
        raise SettingsError(f"give a list of ids, not {beginnings!r}")
    ids = tuple(beginnings)
    known = [rule.id for suite in SUITES for rule in rules_of(suite)]
    for id_ in ids:
        if not id_ or not any(rule.startswith(id_) for rule in known):
            raise SettingsError(f"no rule is or begins with {id_!r}")
    return ids or None


__all__ = [
    "Finding",
    "Format",
    "Gate",
    "NothingHereError",
    "Report",
    "Result",
    "RulesetError",
    "SettingsError",
    "Summary",
    "View",
    "render",
    "summarise",
    "verify",
]
