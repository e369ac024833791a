"""Run rules over subjects: rank what they find by the rule file, and survive our own bugs."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mlcheck.model import INTERNAL_ERROR as INTERNAL_ERROR
from mlcheck.model import Finding, Official, Outcome, Severity, stable_id
from mlcheck.overlay import RulesetError
from mlcheck.rules import Check, Flaw, Rule, Scope, Unjudged
from mlcheck.ruleset import Ruleset, Weight


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Something rules of one scope are called with.

    Attributes:
        value: what the checks get as their first argument.
        path: where it lies.
        results: ids of the results it concerns.
        without: ids of rules that have no meaning for it.
    """

    scope: Scope
    value: Any
    path: str
    results: tuple[str, ...]
    without: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Judged:
    """What the rules found and what they could not judge."""

    findings: tuple[Finding, ...]
    outcomes: tuple[Outcome, ...]


def judge(
    subjects: Iterable[Subject], rules: Sequence[Rule], facts: Any, ruleset: Ruleset
) -> Judged:
    """Call every rule with every subject of its scope.

    Raises:
        RulesetError: the rule file lacks a rule or a fact; our mistake, so it is not hidden.
    """
    applied: dict[Scope, list[tuple[Rule, Weight]]] = {scope: [] for scope in Scope}
    for rule in rules:
        weight = _weight(rule, ruleset)
        if weight.severity is not Severity.OFF:
            applied[rule.scope].append((rule, weight))
    findings: list[Finding] = []
    outcomes: list[Outcome] = []
    for subject in subjects:
        for rule, weight in applied[subject.scope]:
            if rule.id not in subject.without:
                _apply(rule, subject, facts, weight, findings, outcomes)
    return Judged(tuple(findings), tuple(outcomes))


def _weight(rule: Rule, ruleset: Ruleset) -> Weight:
    if rule.id not in ruleset.weights:
        raise RulesetError(f"{ruleset.suite} {ruleset.round} does not say how grave {rule.id} is")
    return ruleset.weights[rule.id]


def _apply(
    rule: Rule,
    subject: Subject,
    facts: Any,
    weight: Weight,
    findings: list[Finding],
    outcomes: list[Outcome],
) -> None:
    found: dict[tuple[str, int, str], Finding] = {}
    for judgement in _guarded(rule, rule.check, subject, facts):
        if isinstance(judgement, Unjudged):
            outcomes += _unjudged(rule, subject, judgement)
        elif isinstance(judgement, Finding):
            findings.append(judgement)
        else:
            official = Official.NONE if rule.official_check else weight.official
            finding = _finding(rule, subject, judgement, weight.severity, official)
            found.setdefault((finding.path, finding.line, finding.message), finding)
    if rule.official_check and weight.official is not Official.NONE:
        for judgement in _guarded(rule, rule.official_check, subject, facts):
            if isinstance(judgement, Finding):
                findings.append(judgement)
            elif isinstance(judgement, Flaw):
                _add_official(rule, subject, judgement, weight, found)
    findings += found.values()


def _add_official(
    rule: Rule,
    subject: Subject,
    flaw: Flaw,
    weight: Weight,
    found: dict[tuple[str, int, str], Finding],
) -> None:
    """Mark a finding as refused by the official tool too, or add one that it alone refuses."""
    finding = _finding(rule, subject, flaw, Severity.NOTE, weight.official)
    key = (finding.path, finding.line, finding.message)
    if key in found:
        finding = replace(found[key], official=finding.official)
    found[key] = finding


def _guarded(
    rule: Rule, check: Check, subject: Subject, facts: Any
) -> Iterator[Flaw | Unjudged | Finding]:
    """Yield what a check finds; an exception in it becomes a finding, and the rest goes on."""
    try:
        yield from check(subject.value, facts)
    except RulesetError:
        raise
    except Exception as err:
        yield internal_error(err, subject.path, subject.results, rule.id)


def internal_error(
    err: BaseException, path: str, results: tuple[str, ...], rule: str | None = None
) -> Finding:
    """Return the finding that a bug of ours becomes. It voids nothing."""
    last = traceback.extract_tb(err.__traceback__)[-1]
    where = f"{last.filename.rpartition('mlcheck/')[2]}:{last.lineno}"
    message = f"internal error{f' in {rule}' if rule else ''}: {type(err).__name__}"
    return Finding(
        id=stable_id(INTERNAL_ERROR, path, message),
        rule=INTERNAL_ERROR,
        name="internal-error",
        severity=Severity.ERROR,
        official=Official.NONE,
        path=path,
        line=0,
        message=message,
        expected=None,
        actual=f"{str(err)[:200]} ({where})",
        hint="this is a bug in mlcheck, not in the submission: please report it",
        policy="",
        results=results,
        voids=False,
    )


def _finding(
    rule: Rule, subject: Subject, flaw: Flaw, severity: Severity, official: Official
) -> Finding:
    if flaw.excused and severity is Severity.ERROR:
        severity = Severity.WARNING
    if flaw.official_excused and official in (Official.ERROR, Official.SUBMISSION):
        official = Official.WARNING
    return Finding(
        id=stable_id(rule.id, flaw.path, flaw.message),
        rule=rule.id,
        name=rule.name,
        severity=severity,
        official=official,
        path=flaw.path,
        line=flaw.line,
        message=flaw.message,
        expected=flaw.expected,
        actual=flaw.actual,
        hint=flaw.hint,
        policy=rule.policy,
        results=subject.results if flaw.results is None else flaw.results,
        voids=rule.voids,
    )


def _unjudged(rule: Rule, subject: Subject, judgement: Unjudged) -> Iterator[Outcome]:
    for result in subject.results or (subject.path,):
        yield Outcome(
            rule=rule.id,
            result=result,
            outcome="skipped" if judgement.skipped else "not-evaluable",
            reason=judgement.reason,
        )
