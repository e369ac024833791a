"""The plan of a tree, by its suite."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from mlcheck.engine import Job, ruleset_of
from mlcheck.prepare.plan import Plan
from mlcheck.prepare.tidy import tidied, without_spaces
from mlcheck.suites.inference import prepare as inference
from mlcheck.suites.mobile import prepare as mobile
from mlcheck.suites.registry import SUITES
from mlcheck.suites.training import prepare as training
from mlcheck.tree import Tree


class _Prepared(Protocol):
    def __call__(
        self, tree: Tree, plan: Plan, rules: Any, submitter: str | None, *, infer: bool
    ) -> Plan: ...


_PREPARED: Mapping[str, _Prepared] = {
    "inference": inference.prepared,
    "training": training.prepared,
    "mobile": mobile.prepared,
}


def plan_of(tree: Tree, job: Job, *, infer: bool) -> Plan:
    """Return what a prepared tree will hold. Reads only."""
    rules = SUITES[job.suite].facts(ruleset_of(job))
    plan = tidied(tree, job.submitter)
    return without_spaces(_PREPARED[job.suite](tree, plan, rules, job.submitter, infer=infer))
