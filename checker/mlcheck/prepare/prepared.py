"""The plan of a tree, by its suite."""

from __future__ import annotations

from mlcheck.engine import Job
from mlcheck.prepare.plan import Plan
from mlcheck.prepare.tidy import tidied, without_spaces
from mlcheck.ruleset import load
from mlcheck.suites.inference.build_facts import facts_of
from mlcheck.suites.inference.prepare import prepared as prepared_inference
from mlcheck.tree import Tree


def plan_of(tree: Tree, job: Job, *, infer: bool) -> Plan:
    """Return what a prepared tree will hold. Reads only."""
    plan = tidied(tree, job.submitter)
    if job.suite == "inference":
        rules = facts_of(load(job.suite, job.round))
        plan = prepared_inference(tree, plan, rules, job.submitter, infer=infer)
    return without_spaces(plan)
