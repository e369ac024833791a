"""What the engine asks of a suite."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from mlcheck.judge import Subject
from mlcheck.model import Result, System
from mlcheck.rules import Rule
from mlcheck.ruleset import Ruleset
from mlcheck.tree import Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What one worker reads: subjects for the rules, results, and traces for the package rules."""

    subjects: tuple[Subject, ...]
    results: tuple[Result, ...]
    systems: tuple[System, ...]
    traces: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """Suite and round of a tree, and how the round was told."""

    suite: str
    round: str
    by: str
    sure: bool = True  # False: nothing in the tree names a round, the newest is taken


class Suite(Protocol):
    """A benchmark suite. Places and traces are the suite's own, and can be pickled.

    Attributes:
        name: as in ``rules/NAME``.
        title: as its working group writes it.
        areas: prefix of rule ids -> what the rules are about.
        checker: who the official verdict is of, as a report names it.
    """

    name: str
    title: str
    checker: str
    areas: dict[str, str]
    rules: tuple[Rule, ...]

    def find_round(self, tree: Tree) -> Found:
        """Tell the round of a tree of this suite."""

    def hint(self, tree: Tree) -> str | None:
        """Say what to verify instead, if the folder is a part of a submission; None: it is not."""

    def facts(self, ruleset: Ruleset) -> Any:
        """Return the typed facts of a round."""

    def places(self, tree: Tree, facts: Any, submitter: str | None) -> Sequence[Any]:
        """Return the units that workers read, the costly ones first; each names its submitter."""

    def read(self, tree: Tree, place: Any, facts: Any) -> Batch:
        """Read one unit. Never raises because of what lies there."""

    def package(
        self,
        tree: Tree,
        facts: Any,
        submitter: str | None,
        results: Iterable[Result],
        logs: Iterable[Any],
    ) -> Subject:
        """Return the tree as a whole, for the rules about it."""
