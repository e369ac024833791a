"""The tables a log is held against: which keys, how often, and what their lines look like.

A log is judged by three tables one after the other: the common one, that of its division, that of
its benchmark. A later table that names a key replaces what earlier ones say of it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mlcheck.overlay import RulesetError
from mlcheck.suites.training.predicate import Predicate
from mlcheck.suites.training.predicates import predicate


class Judge(StrEnum):
    """Who holds a log against an entry of a table."""

    BOTH = "both"
    POLICY = "policy"
    OFFICIAL = "official"


@dataclass(frozen=True, slots=True)
class Occurs:
    """How often a key is there.

    ``most`` None: any number; ``instead``: keys that do as well; ``strict``: a line that says the
    same again is one too many.
    """

    least: int
    most: int | None
    instead: tuple[str, ...] = ()
    strict: bool = False

    def __str__(self) -> str:
        """Say it in words."""
        if self.most == 0:
            return "not at all"
        if self.most == 1:
            return "exactly once" if self.least else "at most once"
        if self.least == 0:
            return "any number of times"
        return "at least once" if self.least == 1 else f"at least {self.least} times"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRule:
    """What is asked of the lines of a key.

    Attributes:
        each: hold for every line. ``first``: for the first one. ``some``: together for at least
            one of them. ``policy``: for every line, but the official tool does not look.
    """

    key: str
    occurs: Occurs
    judge: Judge
    each: tuple[Predicate, ...]
    first: tuple[Predicate, ...]
    some: tuple[Predicate, ...]
    policy: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """An entry of a table, and for whom it counts."""

    rule: KeyRule
    policy: bool
    official: bool


Table = Mapping[str, KeyRule]
Merged = Mapping[str, tuple[Judged, ...]]

_OCCURS = {
    "exactly_one": Occurs(1, 1),
    "at_least_one": Occurs(1, None),
    "just_once": Occurs(1, 1, strict=True),
    "never": Occurs(0, 0, strict=True),
    "optional": Occurs(0, None),
}


def table(given: Mapping[str, Any], judge: Judge = Judge.BOTH) -> dict[str, KeyRule]:
    """Return a table of a rule file, its predicates looked up.

    Raises:
        RulesetError: it names a predicate that does not exist.
    """
    return {key: _key_rule(key, entry, judge) for key, entry in given.items()}


def _key_rule(key: str, given: Mapping[str, Any], judge: Judge) -> KeyRule:
    return KeyRule(
        key=key,
        occurs=_occurs(given["occurs"]),
        judge=Judge(given.get("judge", judge)),
        each=_predicates(given.get("each", {})),
        first=_predicates(given.get("first", {})),
        some=_predicates(given.get("some", {})),
        policy=_predicates(given.get("policy", {})),
    )


def _occurs(given: str | Mapping[str, Any]) -> Occurs:
    if isinstance(given, str):
        return _OCCURS[given]
    if "at_least" in given:
        return Occurs(given["at_least"], None)
    return Occurs(1, None, tuple(given["one_of"]))


def _predicates(given: Mapping[str, Any]) -> tuple[Predicate, ...]:
    return tuple(predicate(name, parameter) for name, parameter in given.items())


def merged(*tables: Table) -> dict[str, tuple[Judged, ...]]:
    """Lay tables over each other, for the policy and for the official tool."""
    policy: dict[str, KeyRule] = {}
    official: dict[str, KeyRule] = {}
    for each in tables:
        for key, rule in each.items():
            if rule.judge is not Judge.OFFICIAL:
                policy[key] = rule
            if rule.judge is not Judge.POLICY:
                official[key] = rule
    return {
        key: tuple(_judged(policy.get(key), official.get(key)))
        for key in dict.fromkeys((*policy, *official))
    }


def _judged(policy: KeyRule | None, official: KeyRule | None) -> Iterator[Judged]:
    if policy is not None and policy is official:
        yield Judged(policy, policy=True, official=True)
        return
    if policy is not None:
        yield Judged(policy, policy=True, official=False)
    if official is not None:
        yield Judged(official, policy=False, official=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogTables:
    """All tables of a round.

    Attributes:
        common: for every log.
        divisions: by the division that the log names.
        benchmarks: by division and benchmark that the log names.
        variants: by division and benchmark: a key, and a further table for each of its values.
    """

    common: Table
    divisions: Mapping[str, Table]
    benchmarks: Mapping[tuple[str, str], Table]
    variants: Mapping[tuple[str, str], tuple[str, Mapping[str, Table]]]

    def of(self, division: str, benchmark: str, variant: str) -> Merged:
        """Return what a log is held against; what is unknown adds nothing."""
        return self._of(division, benchmark, variant)

    def variant_key(self, division: str, benchmark: str) -> str | None:
        """Return the key whose value chooses a further table."""
        found = self.variants.get((division, benchmark))
        return found[0] if found else None

    @functools.cache  # noqa: B019 - lives as long as the facts of a round
    def _of(self, division: str, benchmark: str, variant: str) -> Merged:
        place = (division, benchmark)
        tables = [self.common, self.divisions.get(division, {}), self.benchmarks.get(place, {})]
        if place in self.variants:
            tables.append(self.variants[place][1].get(variant, {}))
        return merged(*tables)

    def __hash__(self) -> int:
        """Hash by identity: there is one per round."""
        return id(self)

    @property
    def keys(self) -> frozenset[str]:
        """Return every key that a table names."""
        variants = (each for _, by_value in self.variants.values() for each in by_value.values())
        tables = (self.common, *self.divisions.values(), *self.benchmarks.values(), *variants)
        return frozenset(key for each in tables for key in each)


def log_tables(document: Mapping[str, Any]) -> LogTables:
    """Return the tables of a round's document.

    Raises:
        RulesetError: a table names a predicate that does not exist.
    """
    keys = document["keys"]
    benchmarks: dict[tuple[str, str], Table] = {}
    variants: dict[tuple[str, str], tuple[str, Mapping[str, Table]]] = {}
    for name, given in document["benchmarks"].items():
        for division in ("closed", "open"):
            if division not in given:
                raise RulesetError(f"benchmark {name} has no table for {division}")
            judge = Judge(document["judges"][division])
            benchmarks[division, name] = table(given[division], judge)
        if "variants" in given:
            for division in given["variants"]["divisions"]:
                judge = Judge(document["judges"][division])
                tables = given["variants"]["tables"].items()
                by_value = {value: table(each, judge) for value, each in tables}
                variants[division, name] = (given["variants"]["key"], by_value)
    return LogTables(
        common=table(keys["common"]),
        divisions={name: table(keys[name]) for name in ("closed", "open")},
        benchmarks=benchmarks,
        variants=variants,
    )
