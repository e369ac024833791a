"""The files of a new system, by its suite."""

from __future__ import annotations

from mlcheck.prepare.scaffold import Files, NewSystem
from mlcheck.ruleset import Ruleset
from mlcheck.tree import Tree


def files_of(tree: Tree, new: NewSystem, ruleset: Ruleset, other: str | None) -> Files:
    """Return path -> content of the files of a new system.

    Args:
        tree: where it will lie; only read.
        new: what is to be made.
        ruleset: of the round.
        other: a system of the submitter that it is like; None: its files are empty.

    Raises:
        ValueError: a name is not known, or the other system cannot be read.
    """
    if ruleset.suite == "inference":
        from mlcheck.suites.inference import build_facts
        from mlcheck.suites.inference import scaffold as inference

        return inference.files_of(tree, new, build_facts.facts_of(ruleset), other)
    if ruleset.suite == "training":
        from mlcheck.suites.training import facts as training_facts
        from mlcheck.suites.training import scaffold as training

        return training.files_of(tree, new, training_facts.facts_of(ruleset), other)
    from mlcheck.suites.mobile import facts as mobile_facts
    from mlcheck.suites.mobile import scaffold as mobile

    return mobile.files_of(tree, new, mobile_facts.facts_of(ruleset), other)
