"""Counts and verdicts of a whole report, from which exit codes and last lines are derived."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from mlcheck.model import INTERNAL_ERROR, Finding, Official, Report, Severity, Verdict


class Gate(StrEnum):
    """Whose word decides."""

    POLICY = "policy"
    OFFICIAL = "official"
    WARNING = "warning"  # the policy, and its warnings fail as well


_OFFICIAL_LEVELS = {
    Official.ERROR: Severity.ERROR,
    Official.SUBMISSION: Severity.ERROR,
    Official.WARNING: Severity.WARNING,
    Official.NONE: Severity.NOTE,
}


def level(finding: Finding, gate: Gate) -> Severity:
    """Return how grave a finding is for a gate: an error fails it."""
    if gate is Gate.OFFICIAL and finding.rule != INTERNAL_ERROR:
        return _OFFICIAL_LEVELS[finding.official]
    if gate is Gate.WARNING and finding.severity is Severity.WARNING:
        return Severity.ERROR
    return finding.severity


def counts(finding: Finding, gate: Gate) -> bool:
    """Tell whether a gate looks at a finding: not if the baseline knows it or it is waived."""
    return not finding.known and (finding.waived is None or gate is Gate.OFFICIAL)


def fails(finding: Finding, gate: Gate) -> bool:
    """Tell whether a finding fails a gate."""
    return counts(finding, gate) and level(finding, gate) is Severity.ERROR


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A report in numbers. Verdicts: pass, fail, or empty if there was nothing to judge.

    ``findings`` are those that count; ``waived`` and ``known`` ones are counted apart.
    """

    verdict: str
    official_verdict: str
    results: int
    valid: int
    official_valid: int
    findings: dict[str, int]
    waived: int
    known: int
    skipped: int
    not_evaluable: int
    internal_errors: int

    def exit_code(self, gate: Gate) -> int:
        """0 clean, 1 findings, 3 a bug of ours, 4 nothing to check."""
        if self.internal_errors:
            return 3
        if self.results == 0:
            return 4
        if gate is Gate.WARNING and self.findings[Severity.WARNING.value]:
            return 1
        verdict = self.official_verdict if gate is Gate.OFFICIAL else self.verdict
        return 0 if verdict == "pass" else 1


def summarise(report: Report) -> Summary:
    """Count a report."""
    outcomes = [outcome.outcome for outcome in report.outcomes]
    return Summary(
        verdict=_verdict(report, Gate.POLICY),
        official_verdict=_verdict(report, Gate.OFFICIAL),
        results=len(report.results),
        valid=sum(result.verdict is Verdict.VALID for result in report.results),
        official_valid=sum(r.official_verdict is Verdict.VALID for r in report.results),
        findings=_by_severity(f for f in report.findings if counts(f, Gate.POLICY)),
        waived=sum(finding.waived is not None for finding in report.findings),
        known=sum(finding.known for finding in report.findings),
        skipped=outcomes.count("skipped"),
        not_evaluable=outcomes.count("not-evaluable"),
        internal_errors=sum(finding.rule == INTERNAL_ERROR for finding in report.findings),
    )


def _by_severity(findings: Iterable[Finding]) -> dict[str, int]:
    made = dict.fromkeys((s.value for s in (Severity.ERROR, Severity.WARNING, Severity.NOTE)), 0)
    for finding in findings:
        made[finding.severity.value] += 1
    return made


def _verdict(report: Report, gate: Gate) -> str:
    if not report.results:
        return "empty"
    return "fail" if any(fails(finding, gate) for finding in report.findings) else "pass"
