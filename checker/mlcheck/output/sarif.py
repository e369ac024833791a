"""The report as SARIF 2.1.0, for code scanning views.

Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0; GitHub, "SARIF
support for code scanning" for the properties that its views show.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from mlcheck import __version__
from mlcheck.model import Finding, Report, Severity, Waiver
from mlcheck.output.grouping import from_checkout, most_grave, said
from mlcheck.output.printable import printable
from mlcheck.output.rule_text import RuleWords, words_of
from mlcheck.output.summary import Gate, level, summarise

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
ROOT = "%SRCROOT%"  # the checkout, as viewers know it by convention
FINGERPRINT = "mlcheck/v1"


def sarif_report(
    report: Report, *, gate: Gate = Gate.POLICY, most: int | None = None, base: str = ""
) -> str:
    """Return the report as SARIF.

    Args:
        report: what was found.
        gate: whose word makes a finding an error.
        most: so many results, the gravest; what is left off is said in a notification.
        base: the root relative to the checkout that a viewer resolves paths against.
    """
    shown = most_grave(report.findings, gate, most)
    rules = {rule: at for at, rule in enumerate(sorted({f.rule for f in shown}))}
    run = {
        "tool": {"driver": _driver(shown, rules)},
        "automationDetails": {"id": _category(report)},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {
            ROOT: {"description": {"text": "the folder of the checkout that paths start from"}}
        },
        "invocations": [_invocation(report, gate, len(report.findings) - len(shown))],
        "results": [_result(finding, rules[finding.rule], gate, base) for finding in shown],
        "properties": {
            "rulesets": [
                {"suite": ref.suite, "round": ref.round, "sha256": ref.sha256}
                for ref in report.rulesets
            ],
            "waivers": [_waiver(waiver) for waiver in report.waivers],
        },
    }
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _driver(findings: Iterable[Finding], rules: dict[str, int]) -> dict[str, Any]:
    first = {finding.rule: finding for finding in reversed(list(findings))}
    return {
        "name": "mlcheck",
        "semanticVersion": __version__,
        "fullName": "mlcheck, independent of MLCommons",
        "rules": [_rule(words_of(first[rule])) for rule in rules],
    }


def _rule(words: RuleWords) -> dict[str, Any]:
    return {
        "id": words.id,
        "name": words.name,
        "shortDescription": {"text": words.summary},
        "fullDescription": {"text": words.why or words.summary},
        "help": {"text": f"{words.summary}\n\nWhy: {words.why}\n\nFix: {words.fix}"},
        "properties": {"policy": words.policy},
    }


def _category(report: Report) -> str:
    names = [f"{ref.suite}/{ref.round}" for ref in report.rulesets]
    return f"mlcheck/{'+'.join(names)}/"


def _invocation(report: Report, gate: Gate, left_off: int) -> dict[str, Any]:
    summary = summarise(report)
    notes = [f"{o.rule} {o.outcome}: {o.result}: {o.reason}" for o in report.outcomes[:100]]
    notes += [f"{one.rule} not run: {one.reason}" for one in report.not_run[:100]]
    notes += [f"{left_off} findings are left off: --max-findings"] if left_off else []
    return {
        "executionSuccessful": summary.internal_errors == 0,
        "exitCode": summary.exit_code(gate),
        "toolExecutionNotifications": [
            {"level": "note", "message": {"text": printable(note)}} for note in notes
        ],
    }


def _result(finding: Finding, index: int, gate: Gate, base: str) -> dict[str, Any]:
    hint = f" -> {printable(finding.hint)}" if finding.hint else ""
    place: dict[str, Any] = {
        "artifactLocation": {"uri": uri(from_checkout(base, finding.path)), "uriBaseId": ROOT}
    }
    if finding.line:
        place["region"] = {"startLine": finding.line}
    return {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "kind": "fail",
        "level": _LEVELS[level(finding, gate)],
        "message": {"text": said(finding) + hint},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {FINGERPRINT: finding.id},
        "baselineState": "unchanged" if finding.known else "new",
        "suppressions": _suppressions(finding),
        "properties": {
            "severity": finding.severity.value,
            "official": finding.official.value,
            "results": list(finding.results[:100]),
        },
    }


_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def _suppressions(finding: Finding) -> list[dict[str, str]]:
    if finding.waived is None:
        return []
    return [{"kind": "external", "status": "accepted", "justification": printable(finding.waived)}]


def _waiver(waiver: Waiver) -> dict[str, str]:
    words = ("rule", "path", "reason", "approver", "expires")
    return {word: printable(getattr(waiver, word)) for word in words}


def uri(path: str) -> str:
    """Return a path as the reference that a URI may hold; of bytes that are no text as well."""
    return quote(path.encode("utf-8", "surrogateescape"), safe="/") if path else "."
