"""Rules that an organisation adds: packages that are installed beside mlcheck bring them along.

A package names them under the entry point group ``mlcheck.rules``. They have ids of their own and
never change what a rule of a suite says; the official tool knows nothing of them. docs/python.md.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points

from mlcheck.model import Official, Severity
from mlcheck.overlay import RulesetError
from mlcheck.rules import Rule
from mlcheck.ruleset import Weight
from mlcheck.suites.registry import SUITES

GROUP = "mlcheck.rules"
OWN_AREA = "MLC"
_ID = re.compile(r"[A-Z]{3}[0-9]{3}")


class ExtraRulesError(RulesetError):
    """A package of rules is wrong; the message says which and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraRules:
    """What a package brings along: what its entry point names, or a tuple of such.

    Attributes:
        suite: whose trees they are about.
        severities: rule id -> how grave a breach is.
    """

    suite: str
    rules: tuple[Rule, ...]
    severities: Mapping[str, Severity] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Loaded:
    """Extra rules and the package they come from."""

    package: str
    version: str
    source: str  # path of the module
    extra: ExtraRules


@functools.cache
def loaded() -> tuple[Loaded, ...]:
    """Return the extra rules of all packages that are installed.

    Raises:
        ExtraRulesError: one cannot be loaded, or is not as it must be.
    """
    found: list[Loaded] = []
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        found += _load(point)
    _require_distinct(found)
    return tuple(found)


def _load(point: EntryPoint) -> Iterable[Loaded]:
    package = point.dist.name if point.dist else point.name
    version = point.dist.version if point.dist else ""
    try:
        value = point.load()
    except Exception as err:  # a package of others: whatever it raises is its own
        raise ExtraRulesError(f"rules of {package} cannot be loaded: {err!r}") from err
    for extra in value if isinstance(value, tuple) else (value,):
        if not isinstance(extra, ExtraRules):
            raise ExtraRulesError(f"rules of {package}: {point.value} is no ExtraRules")
        _require_sound(extra, package)
        module = inspect.getmodule(extra.rules[0].check) if extra.rules else None
        yield Loaded(package, version, getattr(module, "__file__", None) or "", extra)


def _require_sound(extra: ExtraRules, package: str) -> None:
    if extra.suite not in SUITES:
        raise ExtraRulesError(f"rules of {package}: there is no suite {extra.suite}")
    areas = {area for suite in SUITES.values() for area in suite.areas} | {OWN_AREA}
    for rule in extra.rules:
        if not _ID.fullmatch(rule.id):
            raise ExtraRulesError(f"rules of {package}: {rule.id!r} is not like ABC123")
        if rule.id[:3] in areas:
            raise ExtraRulesError(f"rules of {package}: {rule.id[:3]} belongs to mlcheck")
        if rule.id not in extra.severities:
            raise ExtraRulesError(f"rules of {package}: no severity of {rule.id}")
        if rule.official_check is not None:
            raise ExtraRulesError(f"rules of {package}: no official tool knows {rule.id}")


def _require_distinct(found: Iterable[Loaded]) -> None:
    seen: dict[str, str] = {}
    for one in found:
        for rule in one.extra.rules:
            if rule.id in seen:
                raise ExtraRulesError(f"{rule.id} is of {seen[rule.id]} and of {one.package}")
            seen[rule.id] = one.package


def rules_of(suite: str) -> tuple[Rule, ...]:
    """Return all rules of a suite, those of organisations last."""
    extra = (one.extra.rules for one in loaded() if one.extra.suite == suite)
    return (*SUITES[suite].rules, *(rule for rules in extra for rule in rules))


def weights_of(suite: str) -> dict[str, Weight]:
    """Return how grave the extra rules of a suite are."""
    return {
        rule: Weight(severity, Official.NONE)
        for one in loaded()
        if one.extra.suite == suite
        for rule, severity in one.extra.severities.items()
    }
