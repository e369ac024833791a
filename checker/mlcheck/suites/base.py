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


class Suite(Protocol):
    """A benchmark suite. Places and traces are the suite's own, and can be pickled."""

    name: str
    rules: tuple[Rule, ...]

    def facts(self, ruleset: Ruleset) -> Any:
        """Return the typed facts of a round."""

    def places(self, tree: Tree, facts: Any, submitter: str | None) -> Sequence[Any]:
        """Return the units that workers read, the costly ones first."""

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
