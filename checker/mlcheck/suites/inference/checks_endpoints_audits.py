"""Rules about the audits of an endpoint, which stand for the compliance tests of LoadGen."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.documents import Document
from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.inference.checks_endpoints import NO_DOCUMENT, documents_of
from mlcheck.suites.inference.entry import Entry
from mlcheck.suites.inference.facts import Facts
from mlcheck.suites.inference.facts_endpoints import AuditFile

SR_TESTS = "submission_rules.adoc#compliance-testing"


def _audits(entry: Entry, facts: Facts) -> Iterator[tuple[AuditFile, str, Document | None]]:
    """Yield the audits of the benchmark with their place and document."""
    documents, rules = documents_of(entry, facts)
    for audit in rules.audits:
        if entry.benchmark and audit.test in entry.benchmark.compliance:
            path = documents.audit_paths[audit.test]
            yield audit, path, documents.audits.get(audit.test)


def missing_audits(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """In closed and network the audits are there that the round requires of the benchmark."""
    if entry.division.closed_rules:
        yield from missing_audits_official(entry, facts)


def missing_audits_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool asks for them in open, too."""
    for audit, path, document in _audits(entry, facts):
        if audit.required and document is None:
            yield Flaw(
                path=path,
                message=f"audit of {audit.test} is missing",
                expected=path,
                hint=f"run {audit.name} and add what it wrote",
            )


def failed_audits(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """In closed and network an audit file that is there is of the test it is named after, and says
    that it passed.
    """
    if entry.division.closed_rules:
        yield from _failed(entry, facts, strict=True)


def failed_audits_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool asks it in open, too, and takes any value but false for passed."""
    yield from _failed(entry, facts, strict=False)


def _failed(entry: Entry, facts: Facts, *, strict: bool) -> Iterator[Judgement]:
    for audit, path, document in _audits(entry, facts):
        if document is None:
            continue  # EPT106
        name, verdict = document.fields.get("test"), document.fields.get("passed")
        if document.problem:
            what, expected, actual = "cannot be read", "a JSON object", document.problem
        elif name != audit.name:
            what, expected, actual = "is of another test", audit.name, str(name)[:80]
        elif not (verdict is True if strict else verdict):
            what, expected, actual = "does not say that it passed", "true", str(verdict)[:80]
        else:
            continue
        yield Flaw(
            path=path,
            line=document.line or document.line_of("test" if name != audit.name else "passed"),
            message=f"audit of {audit.test} {what}",
            expected=expected,
            actual=actual,
            hint=f"run {audit.name} again and add what it wrote",
        )


def odd_output_lengths(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """In closed and network the mean number of output tokens is that of the reference, for
    benchmarks with that test.
    """
    if entry.division.closed_rules:
        yield from odd_output_lengths_official(entry, facts)


def odd_output_lengths_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool asks it in open, too."""
    bounds, log = documents_of(entry, facts)[1].output_tokens, entry.log
    if entry.benchmark is None or bounds.test not in entry.benchmark.compliance:
        return
    if log is None:
        yield Unjudged(NO_DOCUMENT, skipped=True)
        return
    mean = log.number(bounds.key)
    if mean is None or not bounds.least <= mean <= bounds.most:
        yield Flaw(
            path=log.path_of(bounds.key),
            line=log.line(bounds.key),
            message="mean number of output tokens is not that of the reference",
            expected=f"{bounds.least} to {bounds.most}",
            actual="not stated" if mean is None else log.raw(bounds.key),
            hint="generate as the reference does and run again",
        )


RULES = (
    Rule(
        id="EPT106",
        name="endpoints-audit-missing",
        scope=Scope.ENDPOINTS,
        check=missing_audits,
        official_check=missing_audits_official,
        policy=SR_TESTS,
        why="Closed results show that they follow the rules by passing these tests.",
        fix="Run the audit and add what it wrote.",
    ),
    Rule(
        id="EPT107",
        name="endpoints-audit-failed",
        scope=Scope.ENDPOINTS,
        check=failed_audits,
        official_check=failed_audits_official,
        policy=SR_TESTS,
        why="A failed audit means that the system breaks a rule; another test shows nothing.",
        fix="Find the cause, and run the audit again.",
    ),
    Rule(
        id="EPT108",
        name="endpoints-output-tokens",
        scope=Scope.ENDPOINTS,
        check=odd_output_lengths,
        official_check=odd_output_lengths_official,
        policy=SR_TESTS,
        why="Shorter answers than those of the reference are less work.",
        fix="Generate as the reference does and run again.",
    ),
)
