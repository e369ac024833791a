"""Findings as people want to read them: the same flaw of forty systems is one."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mlcheck.model import OFFICIAL_CHECKER, Finding, Official, Report, Severity
from mlcheck.output.printable import printable
from mlcheck.output.summary import Gate, counts, level

ORDER = [Severity.ERROR, Severity.WARNING, Severity.NOTE]


@dataclass(frozen=True, slots=True)
class Group:
    """Findings of one rule that weigh the same."""

    rule: str
    name: str
    severity: Severity
    official: Official
    findings: tuple[Finding, ...]


def open_findings(report: Report) -> tuple[Finding, ...]:
    """Return what is neither waived nor known from a baseline."""
    return tuple(finding for finding in report.findings if counts(finding, Gate.POLICY))


def groups(findings: Iterable[Finding], gate: Gate = Gate.POLICY) -> list[Group]:
    """Return findings by rule, the gravest for a gate first."""
    found: dict[tuple[str, Severity, Official], list[Finding]] = {}
    for finding in findings:
        key = (finding.rule, finding.severity, finding.official)
        found.setdefault(key, []).append(finding)
    made = [
        Group(rule, inside[0].name, severity, official, tuple(inside))
        for (rule, severity, official), inside in found.items()
    ]
    return sorted(
        made,
        key=lambda group: (
            ORDER.index(level(group.findings[0], gate)),
            ORDER.index(group.severity),
            group.rule,
        ),
    )


def most_grave(findings: Iterable[Finding], gate: Gate, most: int | None) -> list[Finding]:
    """Return at most so many findings, the gravest; in their usual order if all fit."""
    found = list(findings)
    if most is None or len(found) <= most:
        return found
    return sorted(found, key=lambda finding: ORDER.index(level(finding, gate)))[:most]


def checker_of(report: Report) -> str:
    """Name whose the official verdict is."""
    return report.rulesets[0].checker if report.rulesets else OFFICIAL_CHECKER


def of_two_minds(group: Group, report: Report) -> str:
    """Say it if policy and official tool disagree, where there is such a tool."""
    if checker_of(report) != OFFICIAL_CHECKER:
        return ""
    if group.severity is Severity.NOTE and group.official is Official.ERROR:
        return "only the official tool refuses it"
    if group.severity is Severity.ERROR and group.official in (Official.NONE, Official.WARNING):
        return "the official tool lets it pass"
    return ""


def where(findings: Sequence[Finding], report: Report) -> str:
    """Name the submitters and systems that findings lie in, the most frequent first."""
    systems = {(result.submitter, result.system) for result in report.results}
    submitters = {submitter for submitter, _ in systems}
    found = Counter(_owner(finding.path, submitters, systems) for finding in findings)
    shown = [f"{printable(name)} ({number})" for name, number in found.most_common(2)]
    more = len(found) - len(shown)
    return ", ".join(shown) + (f" and {count(more, 'more system')}" if more > 0 else "")


def _owner(path: str, submitters: set[str], systems: set[tuple[str, str]]) -> str:
    """Return SUBMITTER/SYSTEM of a path, as far as it names them."""
    parts = [part.removesuffix(".json") for part in path.split("/")]
    submitter = next((part for part in parts if part in submitters), None)
    if submitter is None:
        return parts[0]
    system = next((part for part in parts if (submitter, part) in systems), None)
    return f"{submitter}/{system}" if system else submitter


def place(finding: Finding) -> str:
    """Return path and line of a finding."""
    path = printable(finding.path) or "(the whole submission)"
    return f"{path}:{finding.line}" if finding.line else path


def from_checkout(base: str, path: str) -> str:
    """Return a path of the tree as seen from the checkout that holds it."""
    return posixpath.normpath(f"{base}/{path}") if base and path else path or base


def said(finding: Finding) -> str:
    """Return the message, and what was expected and found as far as it does not say it."""
    held, message = (("expected", finding.expected), ("found", finding.actual)), finding.message
    known = [f"{word} {printable(text)}" for word, text in held if text and text not in message]
    return printable(message) + (f": {', '.join(known)}" if known else "")


def count(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural if need be."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
