"""Counts and verdicts of a whole report, from which exit codes and last lines are derived."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from mlcheck.judge import INTERNAL_ERROR
from mlcheck.model import Official, Report, Severity, Verdict


class Gate(StrEnum):
    """Whose word decides."""

    POLICY = "policy"
    OFFICIAL = "official"


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A report in numbers. Verdicts: pass, fail, or empty if there was nothing to judge."""

    verdict: str
    official_verdict: str
    results: int
    valid: int
    official_valid: int
    findings: dict[str, int]
    skipped: int
    not_evaluable: int
    internal_errors: int

    def exit_code(self, gate: Gate) -> int:
        """0 clean, 1 findings, 3 a bug of ours, 4 nothing to check."""
        if self.internal_errors:
            return 3
        if self.results == 0:
            return 4
        verdict = self.official_verdict if gate is Gate.OFFICIAL else self.verdict
        return 0 if verdict == "pass" else 1


def summarise(report: Report) -> Summary:
    """Count a report."""
    severities = {Severity.ERROR: 0, Severity.WARNING: 0, Severity.NOTE: 0}
    for finding in report.findings:
        severities[finding.severity] += 1
    refused = (Official.ERROR, Official.SUBMISSION)
    official_fails = any(finding.official in refused for finding in report.findings)
    outcomes = [outcome.outcome for outcome in report.outcomes]
    empty = not report.results
    return Summary(
        verdict=_verdict(empty, severities[Severity.ERROR] > 0),
        official_verdict=_verdict(empty, official_fails),
        results=len(report.results),
        valid=sum(result.verdict is Verdict.VALID for result in report.results),
        official_valid=sum(r.official_verdict is Verdict.VALID for r in report.results),
        findings={severity.value: count for severity, count in severities.items()},
        skipped=outcomes.count("skipped"),
        not_evaluable=outcomes.count("not-evaluable"),
        internal_errors=sum(finding.rule == INTERNAL_ERROR for finding in report.findings),
    )


def _verdict(empty: bool, fails: bool) -> str:  # noqa: FBT001 - two facts, named by the caller
    return "empty" if empty else "fail" if fails else "pass"
