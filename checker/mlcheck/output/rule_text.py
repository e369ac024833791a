"""Rules as text, for people: explanation, table, differences, coverage."""

from __future__ import annotations

import itertools
import json
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from mlcheck.coverage import demands
from mlcheck.extra_rules import rules_of, weights_of
from mlcheck.model import Finding
from mlcheck.overlay import RulesetError, differences
from mlcheck.own_rules import OWN_RULES
from mlcheck.rules import Rule
from mlcheck.ruleset import glanced_weight, load, reasons, rounds
from mlcheck.suites.registry import SUITES

WIDTH = 79


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleWords:
    """What is said of a rule, whether it is of a suite or of mlcheck itself."""

    id: str
    name: str
    summary: str
    why: str
    fix: str
    policy: str


def words_of(finding: Finding) -> RuleWords:
    """Return what is said of the rule of a finding."""
    found = find_rule(finding.rule)
    rule = found[1] if found else OWN_RULES.get(finding.rule)
    return RuleWords(
        id=finding.rule,
        name=finding.name,
        summary=rule.summary if rule else finding.name,
        why=rule.why if rule else "",
        fix=rule.fix if rule else finding.hint or "",
        policy=rule.policy if rule else finding.policy,
    )


def find_rule(name: str) -> tuple[str, Rule] | None:
    """Return suite and rule of an id or a name; None: there is none."""
    for suite in SUITES.values():
        for rule in rules_of(suite.name):
            if name.lower() in (rule.id.lower(), rule.name):
                return suite.name, rule
    return None


def rule_text(suite: str, rule: Rule, *, round_: str | None = None) -> str:
    """Explain a rule.

    Raises:
        RulesetError: there is no such round.
    """
    parts = [f"{rule.id} {rule.name}", "", *_wrapped(rule.summary), ""]
    parts += _wrapped(f"Why: {rule.why}")
    if rule.official_summary:
        parts += _wrapped(f"Official tool: {rule.official_summary}")
    parts += _wrapped(f"Fix: {rule.fix}")
    parts += [f"Policy: {rule.policy}", f"Looks at: each {rule.scope}", ""]
    extra = weights_of(suite)
    if rule.id in extra:
        return "\n".join([*parts, f"{suite}, every round: {extra[rule.id].severity}"])
    weights = {
        name: glanced_weight(suite, name, rule.id)
        for name in ([round_] if round_ else rounds(suite))
    }
    for weight, alike in itertools.groupby(weights, key=weights.__getitem__):
        first, *others = alike
        until = f" to {others[-1]}" if others else ""
        parts.append(
            f"{suite} {first}{until}: policy {weight.severity}, official tool {weight.official}"
        )
    return "\n".join(parts)


def own_rule_text(name: str) -> str | None:
    """Explain a rule of mlcheck itself; None: there is none of that id or name."""
    for rule in OWN_RULES.values():
        if name.lower() in (rule.id.lower(), rule.name):
            parts = [f"{rule.id} {rule.name}", "", *_wrapped(rule.summary), ""]
            parts += [*_wrapped(f"Why: {rule.why}"), *_wrapped(f"Fix: {rule.fix}"), ""]
            return "\n".join([*parts, f"every suite and round: {rule.severity}"])
    return None


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH)


def rule_table(suite: str, round_: str | None) -> Iterator[str]:
    """Yield a line per rule of a round, the newest if none is given.

    Raises:
        RulesetError: there is no such suite or round.
    """
    ruleset = load(suite, round_ or rounds(suite)[-1])
    yield f"{suite} {ruleset.round}: severity by the policy, and what the official tool does"
    weights = {**ruleset.weights, **weights_of(suite)}
    for rule in sorted(rules_of(suite), key=lambda rule: rule.id):
        weight = weights[rule.id]
        yield f"{rule.id}  {weight.severity:<8} {weight.official:<11} {rule.name}"


def ruleset_yaml(suite: str, round_: str, pointer: str) -> str:
    """Return the resolved rules, or the part that a JSON pointer names, as YAML.

    Raises:
        RulesetError: there is no such round or part.
    """
    ruleset = load(suite, round_)
    part: Any = ruleset.document
    for step in filter(None, pointer.split("/")):
        key = step.replace("~1", "/").replace("~0", "~")
        if not isinstance(part, dict) or key not in part:
            raise RulesetError(f"{suite} {round_} has no {pointer}")
        part = part[key]
    head = f"# {suite} {round_}, {ruleset.status}, sha256 {ruleset.sha256}\n"
    return head + yaml.safe_dump(part, sort_keys=False, allow_unicode=True, width=100).rstrip()


def ruleset_differences(suite: str, old: str, new: str) -> Iterator[str]:
    """Yield what a newer round changed, like release notes."""
    before, after = load(suite, old), load(suite, new)
    stated = reasons(suite, new)
    changed = differences(dict(before.document), dict(after.document))
    yield f"{suite} {old} -> {new}: {len(changed)} differences"
    for pointer, was, value in changed:
        if was is None:
            yield f"+ {pointer}: {_short(value)}"
        elif value is None:
            yield f"- {pointer}: {_short(was)}"
        else:
            yield f"~ {pointer}: {_short(was)} -> {_short(value)}"
        found = [path for path in stated if pointer.startswith(path)]
        if found:
            yield f"    {stated[max(found, key=len)]}"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."


def policy_coverage(suite: str) -> Iterator[str]:
    """Yield each demand of the policies with the rules that judge it, or why none can.

    Raises:
        RulesetError: there is no such table.
    """
    if suite not in SUITES:
        raise RulesetError(f"no suite {suite}; known: {', '.join(SUITES)}")
    table = demands(suite, SUITES[suite].rules)
    judged = sum(bool(demand.rules) for demand in table)
    partly = sum(bool(demand.rules and demand.beyond_files) for demand in table)
    yield f"{suite}: {len(table)} demands, {judged} judged by rules ({partly} of them in part),"
    yield f"{len(table) - judged} that files cannot show. docs/rules/coverage.md names the cases."
    section = ""
    for demand in table:
        if demand.policy != section:
            section = demand.policy
            yield from ("", section)
        yield from _hanging(demand.text, "  ")
        for rule in demand.rules:
            yield f"    {rule.id} {rule.name}"
        if demand.beyond_files:
            yield from _hanging(f"beyond files: {demand.beyond_files}", "    ")


def _hanging(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent)
