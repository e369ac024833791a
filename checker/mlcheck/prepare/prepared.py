"""The plan of a tree, by its suite."""

from __future__ import annotations

from mlcheck.engine import Job, ruleset_of
from mlcheck.prepare.plan import Plan
from mlcheck.prepare.tidy import tidied, without_spaces
from mlcheck.tree import Tree


def plan_of(tree: Tree, job: Job, *, infer: bool) -> Plan:
    """Return what a prepared tree will hold. Reads only."""
    plan, rules = tidied(tree, job.submitter), ruleset_of(job)
    if job.suite == "inference":
        from mlcheck.suites.inference import build_facts
        from mlcheck.suites.inference import prepare as inference

        made = build_facts.facts_of(rules)
        plan = inference.prepared(tree, plan, made, job.submitter, infer=infer)
    elif job.suite == "training":
        from mlcheck.suites.training import facts as training_facts
        from mlcheck.suites.training import prepare as training

        plan = training.prepared(tree, plan, training_facts.facts_of(rules), job.submitter)
    elif job.suite == "mobile":
        from mlcheck.suites.mobile import facts as mobile_facts
        from mlcheck.suites.mobile import prepare as mobile

        plan = mobile.prepared(tree, plan, mobile_facts.facts_of(rules), job.submitter)
    return without_spaces(plan)
