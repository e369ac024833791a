"""The report as JUnit XML, for the test views of Jenkins, GitLab and others.

A result is a test case in the suite of its system. What is about the submission and no measurement
is a case per rule. Jenkins' schema (junit-10.xsd) is kept to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from xml.etree import ElementTree as Xml

from mlcheck.judge import INTERNAL_ERROR
from mlcheck.model import Finding, Outcome, Report, Result
from mlcheck.output.grouping import count, groups, place, said
from mlcheck.output.printable import printable
from mlcheck.output.summary import Gate, fails

MOST_LINES = 200  # of one case; a log is not a test report


def junit_report(report: Report, *, gate: Gate = Gate.POLICY) -> str:
    """Return the report as JUnit XML. A case fails where a finding fails the gate."""
    of_result: defaultdict[str, list[Finding]] = defaultdict(list)
    of_package = []
    for finding in report.findings:
        if finding.results and _is_about_results(finding, gate):
            for concerned in finding.results:
                of_result[concerned].append(finding)
        else:
            of_package.append(finding)
    unjudged = defaultdict(list)
    for outcome in report.outcomes:
        unjudged[outcome.result].append(outcome)
    root = Xml.Element("testsuites", name="mlcheck")
    systems: dict[str, list[Result]] = {}
    for result in report.results:
        name = printable(f"{result.division}/{result.submitter}/{result.system}")
        systems.setdefault(name, []).append(result)
    for name, results in systems.items():
        suite = Xml.SubElement(root, "testsuite", name=name)
        for result in results:
            _result_case(suite, name, result, of_result[result.id], unjudged[result.id], gate)
        _count(suite)
    _package_suite(root, of_package, gate)
    _count(root)
    Xml.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{Xml.tostring(root, encoding="unicode")}\n'


def _is_about_results(finding: Finding, gate: Gate) -> bool:
    """Tell whether a finding speaks of measurements, and not of the package around them."""
    if gate is Gate.OFFICIAL:
        return finding.official.value != "submission" and finding.voids
    return finding.voids


def _result_case(
    suite: Xml.Element,
    system: str,
    result: Result,
    findings: Sequence[Finding],
    unjudged: Sequence[Outcome],
    gate: Gate,
) -> None:
    name = "/".join(filter(None, (result.benchmark_raw, result.scenario)))
    case = Xml.SubElement(suite, "testcase", name=printable(name), classname=_dotted(system))
    _say(case, findings, gate)
    lines = [f"{o.rule} {o.outcome}: {o.reason}" for o in unjudged]
    _out(case, [_line(f) for f in findings if not fails(f, gate)] + lines)


def _package_suite(root: Xml.Element, findings: Iterable[Finding], gate: Gate) -> None:
    found = groups(findings, gate)
    suite = Xml.SubElement(root, "testsuite", name="submission")
    for group in found:
        name = f"{group.rule} {group.name}"
        if (group.severity, group.official) != (found[0].severity, found[0].official):
            name += f" ({group.severity}, official: {group.official})"
        case = Xml.SubElement(suite, "testcase", name=name, classname="submission")
        _say(case, group.findings, gate)
        _out(case, [_line(f) for f in group.findings if not fails(f, gate)])
    _count(suite)


def _say(case: Xml.Element, findings: Iterable[Finding], gate: Gate) -> None:
    failing = [finding for finding in findings if fails(finding, gate)]
    if not failing:
        return
    first = failing[0]
    tag = "error" if any(f.rule == INTERNAL_ERROR for f in failing) else "failure"
    more = f" and {count(len(failing) - 1, 'more finding')}" if len(failing) > 1 else ""
    made = Xml.SubElement(case, tag, type=first.rule, message=said(first) + more)
    made.text = _text([_line(finding) for finding in failing])


def _out(case: Xml.Element, lines: list[str]) -> None:
    if lines:
        Xml.SubElement(case, "system-out").text = _text(lines)


def _line(finding: Finding) -> str:
    state = ""
    if finding.waived is not None:
        state = f" [waived: {printable(finding.waived)}]"
    elif finding.known:
        state = " [in the baseline]"
    hint = f"\n    -> {printable(finding.hint)}" if finding.hint else ""
    weight = f"{finding.severity}, official: {finding.official}"
    return f"{place(finding)}: {finding.rule} ({weight}){state} {said(finding)}{hint}"


def _text(lines: list[str]) -> str:
    left = len(lines) - MOST_LINES
    shown = lines[:MOST_LINES] + ([f"… and {left:,} more"] if left > 0 else [])
    return "\n" + "\n".join(shown) + "\n"


def _dotted(system: str) -> str:
    """Return a name whose dots are levels, as test views take them."""
    return ".".join(part.replace(".", "_") for part in system.split("/"))


def _count(element: Xml.Element) -> None:
    element.set("tests", str(len(list(element.iter("testcase")))))
    element.set("failures", str(len(list(element.iter("failure")))))
    element.set("errors", str(len(list(element.iter("error")))))
