"""The report as text: one screen by default, the same finding of many results shown once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mlcheck import __version__
from mlcheck.model import OFFICIAL_CHECKER, Finding, Official, Report, Severity
from mlcheck.output.summary import Summary, summarise

FEW = 40  # up to so many findings each is shown with what was expected and how to mend it
MOST = 14  # rules shown without --verbose where there are more findings: one screen
_ORDER = [Severity.ERROR, Severity.WARNING, Severity.NOTE]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text and its style: error, warning, note, pass, fail, dim, head or empty."""

    text: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class _Group:
    rule: str
    name: str
    severity: Severity
    official: Official
    findings: tuple[Finding, ...]


def text_report(report: Report, *, verbose: bool = False) -> tuple[Line, ...]:
    """Return the lines of a report; the last one is the verdict."""
    summary = summarise(report)
    return (
        *_head(report, summary),
        *(_every(report) if verbose else _grouped(report)),
        *_unjudged(report, summary),
        *_verdict(summary, _checker(report)),
    )


def _head(report: Report, summary: Summary) -> Iterator[Line]:
    rules = ", ".join(f"{ref.suite} {ref.round}" for ref in report.rulesets)
    submitters = {(result.division, result.submitter) for result in report.results}
    systems = {(r.division, r.submitter, r.system) for r in report.results}
    yield Line(
        f"mlcheck {__version__}: {rules}, {_count(summary.results, 'result')} on "
        f"{_count(len(systems), 'system')} of {_count(len(submitters), 'submission')}",
        "head",
    )
    yield Line("")


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _groups(report: Report) -> list[_Group]:
    groups: dict[tuple[str, Severity, Official], list[Finding]] = {}
    for finding in report.findings:
        key = (finding.rule, finding.severity, finding.official)
        groups.setdefault(key, []).append(finding)
    made = [
        _Group(rule, found[0].name, severity, official, tuple(found))
        for (rule, severity, official), found in groups.items()
    ]
    return sorted(made, key=lambda group: (_ORDER.index(group.severity), group.rule))


def _grouped(report: Report) -> Iterator[Line]:
    groups = _groups(report)
    few = len(report.findings) <= FEW
    shown = groups if few else groups[:MOST]
    for group in shown:
        yield from _detailed(group, report) if few else _brief(group, report)
    if len(groups) > len(shown):
        more = _count(len(groups) - len(shown), "more rule")
        yield Line(f"… and {more}; --verbose shows everything", "dim")
    if groups:
        yield Line("")


def _detailed(group: _Group, report: Report) -> Iterator[Line]:
    first, *others = group.findings
    yield Line(f"{group.severity} {group.rule} {group.name}{_alone(group, report)}", group.severity)
    yield Line(f"  {_place(first)}")
    yield from _facts(first, "    ")
    if others:
        where = _where(others, report)
        yield Line(f"    the same at {_count(len(others), 'more place')}: {where}", "dim")


def _brief(group: _Group, report: Report) -> Iterator[Line]:
    first = group.findings[0]
    count = len(group.findings)
    places = f" at {_count(count, 'place')}" if count > 1 else ""
    yield Line(
        f"{group.severity} {group.rule} {group.name}{places}{_alone(group, report)}", group.severity
    )
    yield Line(f"  {printable(first.message)}{_held(first)}")
    where = _place(first) if count == 1 else _where(group.findings, report)
    yield Line(f"  {where}", "dim")


def _alone(group: _Group, report: Report) -> str:
    """Say it if policy and official tool are of two minds, where there is such a tool."""
    if _checker(report) != OFFICIAL_CHECKER:
        return ""
    if group.severity is Severity.NOTE and group.official is Official.ERROR:
        return " (only the official tool refuses it)"
    if group.severity is Severity.ERROR and group.official in (Official.NONE, Official.WARNING):
        return " (the official tool lets it pass)"
    return ""


def _where(findings: Sequence[Finding], report: Report) -> str:
    """Name the submitters and systems that findings lie in, the most frequent first."""
    systems = {(result.submitter, result.system) for result in report.results}
    submitters = {submitter for submitter, _ in systems}
    counts = Counter(_owner(finding.path, submitters, systems) for finding in findings)
    shown = [f"{printable(name)} ({count})" for name, count in counts.most_common(2)]
    more = len(counts) - len(shown)
    return ", ".join(shown) + (f" and {_count(more, 'more system')}" if more > 0 else "")


def _owner(path: str, submitters: set[str], systems: set[tuple[str, str]]) -> str:
    """Return SUBMITTER/SYSTEM of a path, as far as it names them."""
    parts = [part.removesuffix(".json") for part in path.split("/")]
    submitter = next((part for part in parts if part in submitters), None)
    if submitter is None:
        return parts[0]
    system = next((part for part in parts if (submitter, part) in systems), None)
    return f"{submitter}/{system}" if system else submitter


def _place(finding: Finding) -> str:
    path = printable(finding.path) or "(the whole submission)"
    return f"{path}:{finding.line}" if finding.line else path


def _facts(finding: Finding, indent: str) -> Iterator[Line]:
    yield Line(f"{indent}{printable(finding.message)}{_held(finding)}")
    if finding.hint:
        yield Line(f"{indent}-> {printable(finding.hint)}", "dim")


def _held(finding: Finding) -> str:
    """What was expected and what was found, as far as the message does not say it."""
    held, said = (("expected", finding.expected), ("found", finding.actual)), finding.message
    known = [f"{word} {printable(text)}" for word, text in held if text and text not in said]
    return f": {', '.join(known)}" if known else ""


def _every(report: Report) -> Iterator[Line]:
    for finding in report.findings:
        official = (
            f" [official: {finding.official}]"
            if finding.official.value != finding.severity.value
            else ""
        )
        yield Line(
            f"{_place(finding)}: {finding.severity} {finding.rule} {finding.name}{official}",
            finding.severity,
        )
        yield from _facts(finding, "    ")
    if report.findings:
        yield Line("")


def _unjudged(report: Report, summary: Summary) -> Iterator[Line]:
    if summary.not_evaluable:
        reasons = Counter(
            f"{outcome.rule} {outcome.reason}"
            for outcome in report.outcomes
            if outcome.outcome == "not-evaluable"
        )
        for reason, count in reasons.most_common(3):
            yield Line(f"not judged: {reason} ({_count(count, 'result')})", "warning")


def _checker(report: Report) -> str:
    """Name whose the official verdict is."""
    return report.rulesets[0].checker if report.rulesets else OFFICIAL_CHECKER


def _verdict(summary: Summary, checker: str) -> Iterator[Line]:
    if summary.results == 0:
        yield Line("NOTHING TO CHECK: no results were found", "fail")
        return
    counts = ", ".join(
        _count(number, severity) for severity, number in summary.findings.items() if number
    )
    skipped = f"; {_count(summary.skipped, 'check')} skipped after them" if summary.skipped else ""
    yield Line((counts or "no findings") + skipped)
    word = "PASS" if summary.verdict == "pass" else "FAIL"
    official = "pass" if summary.official_verdict == "pass" else "fail"
    yield Line(
        f"{word}: {summary.valid:,} of {_count(summary.results, 'result')} valid by the policy; "
        f"{checker}: {official}, accepts {summary.official_valid:,}",
        "pass" if summary.verdict == "pass" else "fail",
    )


def printable(text: str) -> str:
    """Return a submitted text so that a terminal shows it and does not obey it."""
    shown = text.encode("utf-8", "backslashreplace").decode()
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shown)
