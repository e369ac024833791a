"""The files of a new system, by its suite."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mlcheck.prepare.scaffold import Files, NewSystem
from mlcheck.ruleset import Ruleset
from mlcheck.suites.inference import scaffold as inference
from mlcheck.suites.mobile import scaffold as mobile
from mlcheck.suites.registry import SUITES
from mlcheck.suites.training import scaffold as training
from mlcheck.tree import Tree

_SCAFFOLDS: Mapping[str, Callable[[Tree, NewSystem, Any, str | None], Files]] = {
    "inference": inference.files_of,
    "training": training.files_of,
    "mobile": mobile.files_of,
}


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
    rules = SUITES[ruleset.suite].facts(ruleset)
    return _SCAFFOLDS[ruleset.suite](tree, new, rules, other)
