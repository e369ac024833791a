"""The way of a report through what people decided: settings, waivers, baseline, pinned rules."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from mlcheck.engine import Job, ruleset_of
from mlcheck.gate.baseline import apply_baseline, read_baseline
from mlcheck.gate.facts import gate_facts, matching
from mlcheck.gate.waivers import (
    WaiverFile,
    apply_waivers,
    let_pass,
    read_waivers,
    settled,
    tolerated,
)
from mlcheck.model import NotRun, Report, Waiver
from mlcheck.settings.keys import SettingsError, Stage
from mlcheck.settings.resolve import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions:
    """What people decided beside the rules.

    Attributes:
        whole: all rules are run on all submitters, so that a waiver without use is one.
        today: a waiver that names this day or a later one holds.
    """

    select: tuple[str, ...] = ()
    tolerated: tuple[Waiver, ...] = ()
    waivers: WaiverFile | None = None
    baseline: frozenset[str] = frozenset()
    whole: bool = True
    today: datetime.date = field(default_factory=lambda: datetime.datetime.now(datetime.UTC).date())


def decisions_of(settings: Settings, job: Job) -> Decisions:
    """Read what settings name; look at the rules before anything is judged by them.

    Raises:
        SettingsError: a file cannot be read, or the rules are not those that are pinned.
    """
    require_pinned(settings.rules, job)
    stage = Stage(settings["stage"])
    return Decisions(
        select=settings["select"],
        tolerated=tuple(_tolerated(settings, job.suite)),
        waivers=read_waivers(settings["waivers"]) if settings["waivers"] else None,
        baseline=read_baseline(settings["baseline"]) if settings["baseline"] else frozenset(),
        whole=not (job.submitter or settings["select"] or settings["ignore"])
        and stage is Stage.FINAL
        and not settings["partial"],
    )


def _tolerated(settings: Settings, suite: str) -> Iterator[Waiver]:
    """Yield what settings let pass; of mandatory rules, what a profile of mlcheck's own does.

    Raises:
        SettingsError: a mandatory rule is named, by a setting that cannot let it pass.
    """
    facts, by = gate_facts(suite), f"settings, profile {settings.profile}"
    for asked in settings["tolerate"]:
        reason = settings.reasons.get(asked, "let pass")
        for rule in matching([asked], suite):
            why = facts.why_mandatory(rule)
            if why is None or asked in settings.ours:
                yield tolerated(rule, reason, by)
            elif asked == rule:
                raise SettingsError(f"tolerate: {rule} is mandatory: {why}")


def require_pinned(rules: Mapping[str, str], job: Job) -> None:
    """Hold the rules that a job is judged by against the hash that settings pin, if they do.

    Raises:
        SettingsError: they differ.
    """
    name = f"{job.suite}/{job.round}"
    pinned, found = rules.get(name), ruleset_of(job).sha256
    if pinned is not None and pinned != found:
        raise SettingsError(
            f"rules of {name} are not the pinned ones: expected {pinned[:12]}…, found "
            f"{found[:12]}…; mlcheck rules diff shows changes, mlcheck config pin the new hash"
        )


def left_out(settings: Settings, suite: str) -> tuple[NotRun, ...]:
    """Return the rules that are not run, each with its first reason."""
    facts, stage = gate_facts(suite), Stage(settings["stage"])
    reasons = [
        (settings["ignore"], "ignored by the settings"),
        (facts.later[stage], f"not yet at stage {stage}"),
        (facts.absence if settings["partial"] else (), "ask for what is not there yet: --partial"),
    ]
    found: dict[str, NotRun] = {}
    for ids, reason in reasons:
        for rule in matching(ids, suite) if ids else ():
            found.setdefault(rule, NotRun(rule=rule, reason=reason))
    return tuple(found.values())


def put_through(report: Report, decisions: Decisions) -> Report:
    """Return a report as people's decisions leave it: marked, counted, nothing hidden."""
    if decisions.waivers:
        report = apply_waivers(report, decisions.waivers, decisions.today, whole=decisions.whole)
    for waiver in decisions.tolerated:
        findings, passed = let_pass(report.findings, waiver)
        if passed:
            report = settled(report, findings, [replace(waiver, findings=passed)])
    return apply_baseline(report, decisions.baseline) if decisions.baseline else report
