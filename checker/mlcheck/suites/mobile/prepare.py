"""Steps for a tree of mobile: a description is named as the folder of its results is."""

from __future__ import annotations

from mlcheck.prepare.plan import Plan, Step
from mlcheck.suites.mobile import layout
from mlcheck.suites.mobile.facts import Facts
from mlcheck.tree import Tree, join


def prepared(tree: Tree, plan: Plan, rules: Facts, submitter: str | None, *, infer: bool) -> Plan:
    """Return a plan with everything done that needs nobody's judgement; nothing can be inferred."""
    for place in layout.system_places(tree, rules, submitter):
        plan = with_name(tree, plan, join(place.home, rules.layout["systems"]), place.system)
    return plan


def with_name(tree: Tree, plan: Plan, systems: str, system: str) -> Plan:
    """Return a plan in which a description that differs in letter case alone has its name."""
    here, wanted = tree.folder(systems), f"{system}.json"
    alike = [name for name in here.files if name.casefold() == wanted.casefold()] if here else []
    if len(alike) != 1 or alike[0] == wanted or join(systems, alike[0]) not in plan.files:
        return plan
    old, new = join(systems, alike[0]), join(systems, wanted)
    files = {new if path == old else path: content for path, content in plan.files.items()}
    step = Step(kind="rename", path=new, origin=old, why="the name of its results")
    return Plan(files, (*plan.steps, step), plan.left)
