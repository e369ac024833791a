"""Steps for a tree of training: logs are numbered from 0 without a gap."""

from __future__ import annotations

from dataclasses import replace

from mlcheck.prepare.plan import Plan, Step
from mlcheck.suites.training import layout
from mlcheck.suites.training.facts import Facts
from mlcheck.tree import Tree, join


def prepared(tree: Tree, plan: Plan, rules: Facts, submitter: str | None, *, infer: bool) -> Plan:
    """Return a plan with everything done that needs nobody's judgement; nothing can be inferred."""
    for place in layout.system_places(tree, rules, submitter):
        system = join(place.submitter, rules.layout["results"], place.system)
        for benchmark in layout.folders(tree, system):
            plan = with_numbers(tree, plan, join(system, benchmark), rules)
    return plan


def with_numbers(tree: Tree, plan: Plan, path: str, rules: Facts) -> Plan:
    """Return a plan in which the logs of a result are numbered from 0, in the order they have."""
    folder = tree.folder(path)
    logs = list(layout.log_names(folder, rules)) if folder else []
    wanted = [rules.layout["log_example"].replace("0", str(number)) for number in range(len(logs))]
    if logs == wanted:
        return plan
    if folder and rules.layout["power"] in folder.folders:
        return _left(plan, f"{path}: logs have gaps, and those of the power are numbered alike")
    odd = [name for name in logs if not rules.log_name.match(name)]
    if odd:
        return _left(plan, f"{join(path, odd[0])}: nothing tells its place among the logs")
    moves = {join(path, old): join(path, new) for old, new in zip(logs, wanted, strict=True)}
    files = {moves.get(name, name): content for name, content in plan.files.items()}
    steps = tuple(
        Step(kind="rename", path=new, origin=old, why="logs are numbered from 0")
        for old, new in moves.items()
        if old != new
    )
    return Plan(files, (*plan.steps, *steps), plan.left)


def _left(plan: Plan, why: str) -> Plan:
    return replace(plan, left=(*plan.left, why))
