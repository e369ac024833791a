"""What lies here? Find suite and round of a tree, or say what it looks like instead."""

from __future__ import annotations

import os

from mlcheck.suites.base import Found
from mlcheck.suites.registry import SUITES, suite_of
from mlcheck.tree import Tree

DEEPEST = 6  # folders between the root of a submission and a run, as suites lay them out


class NothingHereError(Exception):
    """The folder is not a submission; the message says what it looks like."""


def discover(tree: Tree, suite: str | None, round_: str | None) -> Found:
    """Return suite and round; what the caller already knows is believed.

    Raises:
        NothingHereError: the folder does not look like a submission of a known suite.
    """
    root = tree.folder("")
    if root is None or root.problem:
        raise NothingHereError(f"cannot list {tree.root}: {root.problem if root else 'no folder'}")
    if suite is None:
        suite = suite_of(tree)
    if suite is None:
        raise NothingHereError(_looks_like(tree))
    if round_ is not None:
        return Found(suite, round_, "as asked for")
    return SUITES[suite].find_round(tree)


def _looks_like(tree: Tree) -> str:
    """Say what a folder looks like that is no submission, and what to do."""
    root = tree.folder("")
    here = tree.root.rstrip("/") or "/"
    if root is None or root.empty:
        return f"{here} is empty"
    hints = (suite.hint(tree) for suite in SUITES.values())
    if hint := next((hint for hint in hints if hint), _inside_of(tree)):
        return hint
    *others, last = SUITES
    return f"{here} does not look like a submission of {', '.join(others)} or {last}"


def _inside_of(tree: Tree) -> str | None:
    """Say in which submission a folder lies; None: in none that is near."""
    above = os.path.abspath(tree.root)
    for _ in range(DEEPEST):
        above, here = os.path.dirname(above), above
        if above in (here, os.path.expanduser("~")):
            return None  # the whole disk or home is no submission, and long to look through
        if suite_of(Tree(above)):
            return f"{tree.root.rstrip('/')} lies inside a submission: give {above}"
    return None
