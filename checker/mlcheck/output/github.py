"""The report as commands of GitHub's workflow log: annotations, and all places in folded groups.

GitHub shows ten annotations of a level per step, so a rule is one annotation at its first place.
Source: GitHub, "Workflow commands for GitHub Actions".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from mlcheck.model import Finding, Report, Severity
from mlcheck.output.grouping import (
    Group,
    count,
    from_checkout,
    groups,
    most_grave,
    of_two_minds,
    place,
    said,
    where,
)
from mlcheck.output.printable import printable
from mlcheck.output.summary import Gate, counts, level
from mlcheck.output.text import text_report

MOST_PLACES = 50  # of one rule: nobody reads more in a log, other formats have them all
_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def github_report(
    report: Report, *, gate: Gate = Gate.POLICY, most: int | None = None, base: str = ""
) -> str:
    """Return the report as lines of a workflow log; the last one is the verdict."""
    counted = [finding for finding in report.findings if counts(finding, gate)]
    shown = most_grave(counted, gate, most)
    lines: list[str] = []
    for group in groups(shown, gate):
        lines += _group(group, report, gate, base)
    if len(shown) < len(counted):
        lines.append(f"{count(len(counted) - len(shown), 'finding')} not shown: --max-findings")
    lines += _waivers(report)
    for reason, number in Counter(one.reason for one in report.not_run).items():
        lines.append(harmless(f"not run: {count(number, 'rule')}, {printable(reason)}"))
    lines.append(harmless(text_report(report, statistics=True, gate=gate)[-1].text))
    return "".join(f"{line}\n" for line in lines)


def _group(group: Group, report: Report, gate: Gate, base: str) -> Iterator[str]:
    first = group.findings[0]
    number = len(group.findings)
    title = f"{group.rule} {group.name}"
    more = f" ({count(number, 'place')}: {where(group.findings, report)})" if number > 1 else ""
    words = of_two_minds(group, report)
    minds = f" ({words})" if words else ""
    hint = f" -> {printable(first.hint)}" if first.hint else ""
    place_of = [f"file={_value(from_checkout(base, first.path))}"] if first.path else []
    place_of += [f"line={first.line}"] if first.line and first.path else []
    options = ",".join([*place_of, f"title={_value(title)}"])
    yield f"::{_COMMANDS[level(first, gate)]} {options}::{_data(said(first) + hint + more + minds)}"
    yield f"::group::{_data(title)}: {count(number, 'place')}"
    for finding in group.findings[:MOST_PLACES]:
        yield from _place(finding)
    if number > MOST_PLACES:
        yield f"  - … and {count(number - MOST_PLACES, 'more place')}"
    yield "::endgroup::"


def _place(finding: Finding) -> Iterator[str]:
    weight = f"{finding.severity}, official: {finding.official}"
    yield harmless(f"  - {place(finding)}: {said(finding)} ({weight})")
    if finding.hint:
        yield harmless(f"    -> {printable(finding.hint)}")


def _waivers(report: Report) -> Iterator[str]:
    for waiver in report.waivers:
        words = f"waiver of {waiver.rule} at {waiver.path}: {waiver.words}"
        yield harmless(f"{printable(words)}: lets {count(len(waiver.findings), 'finding')} pass")


def harmless(line: str) -> str:
    """Return a line that the runner takes for no command, in either of its notations.

    It looks for ``##[`` anywhere, and for ``::`` where a line starts.
    """
    return line.replace("##[", "## [")


def _data(text: str) -> str:
    return printable(text).replace("%", "%25")


def _value(text: str) -> str:
    """Escape a property of a command, which ends at a comma or colon."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
