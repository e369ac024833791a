"""From settings to a gated report: what is run, what is kept, what people let pass."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mlcheck.cli import judging
from mlcheck.model import NotRun, Report

if TYPE_CHECKING:
    from mlcheck.engine import Job, Memory
    from mlcheck.gate.gated import Decisions
    from mlcheck.settings.resolve import Settings


@dataclass(frozen=True, slots=True)
class Plan:
    """What is run, and what people decided beside the rules."""

    job: Job
    decisions: Decisions
    not_run: tuple[NotRun, ...]
    jobs: int | None


def planned(path: str, settings: Settings, executor: str | None = None) -> Plan:
    """Return what is to be run on a tree, or leave if a setting is wrong."""
    from mlcheck.gate.gated import decisions_of, left_out
    from mlcheck.overlay import RulesetError
    from mlcheck.settings.keys import SettingsError

    what = (settings["suite"], settings["round"], settings["submitter"])
    job = judging.job_of(path, *what, executor)
    judging.rule_ids(job.suite, settings["select"])
    judging.rule_ids(None, (*settings["ignore"], *settings["tolerate"]))
    judging.say_if_not_all(settings["select"], settings["ignore"])
    try:
        decisions = decisions_of(settings, job)
        not_run = left_out(settings, job.suite)
    except (SettingsError, RulesetError) as err:
        judging.leave(str(err), judging.USAGE)
    ids = tuple(one.rule for one in not_run)
    job = replace(job, select=tuple(settings["select"]), ignore=ids)
    return Plan(job, decisions, not_run, settings["jobs"])


def carried_out(plan: Plan, memory: Memory | None) -> Report:
    """Verify a tree as planned, and let waivers and baseline have their word."""
    from mlcheck.gate.gated import put_through

    report = judging.verified(plan.job, plan.jobs, memory=memory)
    return put_through(replace(report, not_run=plan.not_run), plan.decisions)
