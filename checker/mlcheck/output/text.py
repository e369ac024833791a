"""The report as text: one screen by default, the same finding of many results shown once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from mlcheck import __version__
from mlcheck.model import Finding, Report, Waiver
from mlcheck.output.grouping import (
    Group,
    checker_of,
    count,
    groups,
    most_grave,
    of_two_minds,
    open_findings,
    place,
    said,
    where,
)
from mlcheck.output.printable import printable as printable
from mlcheck.output.summary import Gate, Summary, summarise

FEW = 40  # up to so many findings each is shown with what was expected and how to mend it
MOST = 14  # rules shown without --verbose where there are more findings: one screen
FEW_WAIVERS = 5  # waivers shown one by one without --verbose


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text and its style: error, warning, note, pass, fail, dim, head or empty."""

    text: str
    style: str = ""


def text_report(
    report: Report,
    *,
    verbose: bool = False,
    statistics: bool = False,
    gate: Gate = Gate.POLICY,
    most: int | None = None,
) -> tuple[Line, ...]:
    """Return the lines of a report; the last one is the verdict.

    Args:
        report: what was found.
        verbose: every finding on its own, waived and known ones too.
        statistics: a line per rule in place of the findings.
        gate: what the verdict at the end is about.
        most: so many findings are shown, the gravest; None: all.
    """
    summary = summarise(report)
    findings = report.findings if verbose else open_findings(report)
    shown = tuple(most_grave(findings, gate, most))
    body = _statistics if statistics else _every if verbose else _grouped
    return (
        *_head(report, summary),
        *body(shown, report),
        *_left_off(len(findings) - len(shown)),
        *_waivers(report.waivers, verbose=verbose),
        *_unjudged(report, summary),
        *_not_run(report),
        *_verdict(report, summary, gate),
    )


def _head(report: Report, summary: Summary) -> Iterator[Line]:
    rules = ", ".join(f"{ref.suite} {ref.round}" for ref in report.rulesets)
    submitters = {(result.division, result.submitter) for result in report.results}
    systems = {(r.division, r.submitter, r.system) for r in report.results}
    yield Line(
        f"mlcheck {__version__}: {rules}, {count(summary.results, 'result')} on "
        f"{count(len(systems), 'system')} of {count(len(submitters), 'submission')}",
        "head",
    )
    for one in report.extra_rules:
        yield Line(f"with rules of {printable(one.package)} {printable(one.version)}", "dim")
    yield Line("")


def _statistics(findings: tuple[Finding, ...], report: Report) -> Iterator[Line]:
    for group in groups(findings):
        number = f"{len(group.findings):>6,}"
        weight = f"{group.severity:<8} {f'(official: {group.official})':<22}"
        yield Line(f"{number}  {group.rule}  {weight} {group.name}", group.severity)
    if findings:
        yield Line("")


def _left_off(number: int) -> Iterator[Line]:
    if number > 0:
        yield Line(f"… and {count(number, 'finding')} not shown: --max-findings", "dim")
        yield Line("")


def _grouped(findings: tuple[Finding, ...], report: Report) -> Iterator[Line]:
    found = groups(findings)
    few = len(findings) <= FEW
    shown = found if few else found[:MOST]
    for group in shown:
        yield from _detailed(group, report) if few else _brief(group, report)
    if len(found) > len(shown):
        more = count(len(found) - len(shown), "more rule")
        yield Line(f"… and {more}; --verbose shows everything", "dim")
    if found:
        yield Line("")


def _detailed(group: Group, report: Report) -> Iterator[Line]:
    first, *others = group.findings
    yield Line(f"{group.severity} {group.rule} {group.name}{_alone(group, report)}", group.severity)
    yield Line(f"  {place(first)}")
    yield from _facts(first, "    ")
    if others:
        places = where(others, report)
        yield Line(f"    the same at {count(len(others), 'more place')}: {places}", "dim")


def _brief(group: Group, report: Report) -> Iterator[Line]:
    first = group.findings[0]
    number = len(group.findings)
    places = f" at {count(number, 'place')}" if number > 1 else ""
    yield Line(
        f"{group.severity} {group.rule} {group.name}{places}{_alone(group, report)}", group.severity
    )
    yield Line(f"  {said(first)}")
    yield Line(f"  {place(first) if number == 1 else where(group.findings, report)}", "dim")


def _alone(group: Group, report: Report) -> str:
    words = of_two_minds(group, report)
    return f" ({words})" if words else ""


def _facts(finding: Finding, indent: str) -> Iterator[Line]:
    yield Line(f"{indent}{said(finding)}")
    if finding.hint:
        yield Line(f"{indent}-> {printable(finding.hint)}", "dim")


def _every(findings: tuple[Finding, ...], report: Report) -> Iterator[Line]:
    for finding in findings:
        official = (
            f" [official: {finding.official}]"
            if finding.official.value != finding.severity.value
            else ""
        )
        known = " [in the baseline]" if finding.known else ""
        yield Line(
            f"{place(finding)}: {finding.severity} {finding.rule} {finding.name}"
            f"{official}{known} ({finding.id})",
            finding.severity,
        )
        yield from _facts(finding, "    ")
        if finding.waived:
            yield Line(f"    waived: {printable(finding.waived)}", "dim")
    if findings:
        yield Line("")


def _waivers(waivers: tuple[Waiver, ...], *, verbose: bool) -> Iterator[Line]:
    shown = waivers if verbose else waivers[:FEW_WAIVERS]
    for waiver in shown:
        lets = count(len(waiver.findings), "finding")
        yield Line(f"waiver of {waiver.rule} at {printable(waiver.path)}: lets {lets} pass")
        yield Line(f"    {printable(waiver.words)}", "dim")
    if len(waivers) > len(shown):
        more = count(len(waivers) - len(shown), "more waiver")
        yield Line(f"… and {more}; --verbose shows everything", "dim")
    if waivers:
        yield Line("")


def _unjudged(report: Report, summary: Summary) -> Iterator[Line]:
    if summary.not_evaluable:
        reasons = Counter(
            f"{outcome.rule} {outcome.reason}"
            for outcome in report.outcomes
            if outcome.outcome == "not-evaluable"
        )
        for reason, number in reasons.most_common(3):
            yield Line(f"not judged: {reason} ({count(number, 'result')})", "warning")


def _not_run(report: Report) -> Iterator[Line]:
    for reason, number in Counter(one.reason for one in report.not_run).items():
        yield Line(f"not run: {count(number, 'rule')}, {printable(reason)}", "warning")


def _verdict(report: Report, summary: Summary, gate: Gate) -> Iterator[Line]:
    if summary.results == 0:
        yield Line("NOTHING TO CHECK: no results were found", "fail")
        return
    numbers = [count(number, word) for word, number in summary.findings.items() if number]
    parts = [", ".join(numbers) or "no findings"]
    parts += [f"{summary.waived:,} waived"] if summary.waived else []
    parts += [f"{summary.known:,} known from the baseline"] if summary.known else []
    after = " after them" if numbers else ""
    parts += [f"{count(summary.skipped, 'check')} skipped{after}"] if summary.skipped else []
    yield Line("; ".join(parts))
    word = "PASS" if summary.verdict == "pass" else "FAIL"
    official = "pass" if summary.official_verdict == "pass" else "fail"
    accepts = f"{checker_of(report)}: {official}, accepts {summary.official_valid:,}"
    if summary.known:  # both verdicts are about what is new, which no checker of others knows
        word += ", known findings aside"
        accepts = f"{checker_of(report)} accepts {summary.official_valid:,}"
    yield Line(
        f"{word}: {summary.valid:,} of "
        f"{count(summary.results, 'result')} valid by the policy; {accepts}{_held(summary, gate)}",
        "pass" if summary.exit_code(gate) == 0 else "fail",
    )


def _held(summary: Summary, gate: Gate) -> str:
    """Say what a gate other than the policy makes of it, where that is not the first word."""
    code = summary.exit_code(gate)
    if (code == 0) == (summary.verdict == "pass"):
        return ""
    return f"; gate {gate}: {'pass' if code == 0 else 'FAIL'}"
