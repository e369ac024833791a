"""What a rule is: an identity, an explanation, and a pure function that finds the flaw.

A check never says how grave a flaw is. That is a fact of the round and stands in the rule file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Scope(StrEnum):
    """What a rule looks at, and so which results its findings concern."""

    RESULT = "result"
    POWER = "result with measured power"
    ENDPOINTS = "result of an endpoint"  # one that was measured without LoadGen
    BENCHMARK = "benchmark"  # all scenarios of one benchmark on one system
    SYSTEM = "system"
    PACKAGE = "package"  # the whole tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaw:
    """One thing that is not as the rule demands.

    Message: subject first, lower-case start, no full stop, values as written in the file.
    ``results`` narrows what is concerned; None: everything the rule looked at.
    ``excused``: the round lets it pass here, so that an error is a warning; ``official_excused``:
    the official tool does.
    """

    path: str
    message: str
    line: int = 0
    expected: str | None = None
    actual: str | None = None
    hint: str | None = None
    results: tuple[str, ...] | None = None
    excused: bool = False
    official_excused: bool = False


@dataclass(frozen=True, slots=True)
class Unjudged:
    """A rule that could come to no verdict.

    ``skipped``: another rule has reported the cause; otherwise the evidence is simply not there.
    """

    reason: str
    skipped: bool = False


Judgement = Flaw | Unjudged
Check = Callable[[Any, Any], Iterator[Judgement]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One requirement with its id.

    Attributes:
        check: yields what breaks the *policy*; called with a subject of the scope and the facts of
            the round.
        official_check: what the official tool refuses, where its logic differs from the policy.
            None: it looks for the same.
        voids: False for rules about the package, whose breach says nothing about a measurement.
    """

    id: str
    name: str
    scope: Scope
    why: str
    fix: str
    policy: str
    check: Check
    official_check: Check | None = None
    voids: bool = True

    @property
    def summary(self) -> str:
        """What it demands: the first paragraph of the check's docstring."""
        return _first_paragraph(self.check)

    @property
    def official_summary(self) -> str:
        """How the official tool differs; empty: it looks for the same."""
        return _first_paragraph(self.official_check) if self.official_check else ""


def _first_paragraph(check: Check) -> str:
    text = (check.__doc__ or "").strip().partition("\n\n")[0]
    return " ".join(text.split())


def catalogue(rules: Iterable[Rule]) -> dict[str, Rule]:
    """Index rules by id.

    Raises:
        ValueError: two rules share an id or a name.
    """
    by_id: dict[str, Rule] = {}
    names: set[str] = set()
    for rule in rules:
        if rule.id in by_id or rule.name in names:
            raise ValueError(f"rule {rule.id} {rule.name} is there twice")
        by_id[rule.id] = rule
        names.add(rule.name)
    return by_id
