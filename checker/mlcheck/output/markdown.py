"""The report as Markdown, for the summary of a CI job or a comment on a review."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from mlcheck import __version__
from mlcheck.model import Report, Result, Verdict
from mlcheck.output.grouping import (
    Group,
    checker_of,
    count,
    groups,
    most_grave,
    of_two_minds,
    place,
    said,
    where,
)
from mlcheck.output.printable import printable
from mlcheck.output.summary import Gate, counts, summarise

LARGEST = 900_000  # bytes; GitHub takes 1 MiB for a step
MOST_ROWS = 50


def markdown_report(report: Report, *, gate: Gate = Gate.POLICY, most: int | None = None) -> str:
    """Return the report as Markdown tables, the verdict first."""
    counted = [finding for finding in report.findings if counts(finding, gate)]
    shown = most_grave(counted, gate, most)
    lines = [*_head(report, gate), *_findings(groups(shown, gate), report)]
    if len(shown) < len(counted):
        lines += [f"{count(len(counted) - len(shown), 'finding')} not shown.", ""]
    lines += [*_invalid(report), *_waivers(report), *_unjudged(report), *_foot(report)]
    return _fitting(lines)


def _head(report: Report, gate: Gate) -> Iterator[str]:
    summary = summarise(report)
    code = summary.exit_code(gate)
    word = {0: "passes", 1: "fails", 3: "bug in mlcheck", 4: "nothing to check"}[code]
    rounds = ", ".join(f"{ref.suite} {ref.round}" for ref in report.rulesets)
    yield f"## {'✅' if code == 0 else '❌'} mlcheck, {rounds}: {word}"
    yield ""
    yield f"| | policy | {checker_of(report)} |"
    yield "|---|---|---|"
    yield f"| verdict | {summary.verdict} | {summary.official_verdict} |"
    valid = f"{summary.valid:,} of {summary.results:,}"
    yield f"| valid results | {valid} | {summary.official_valid:,} of {summary.results:,} |"
    yield ""
    parts = [count(number, name) for name, number in summary.findings.items() if number]
    parts += [f"{summary.waived:,} waived"] if summary.waived else []
    parts += [f"{summary.known:,} known from the baseline"] if summary.known else []
    parts += [f"{summary.not_evaluable:,} not judged"] if summary.not_evaluable else []
    yield f"{', '.join(parts) or 'No findings'}. Gate: {gate}."
    yield ""


def _findings(found: list[Group], report: Report) -> Iterator[str]:
    if not found:
        return
    yield "| | rule | where | what | what to do |"
    yield "|---|---|---|---|---|"
    for group in found[:MOST_ROWS]:
        first, number = group.findings[0], len(group.findings)
        at = code(place(first))
        if number > 1:
            at += f" and {count(number - 1, 'more place')}: {text(where(group.findings, report))}"
        minds = of_two_minds(group, report)
        what = text(said(first)) + (f" ({minds})" if minds else "")
        cells = (group.severity, f"{group.rule} {group.name}", at, what, text(first.hint or ""))
        yield f"| {' | '.join(cells)} |"
    if len(found) > MOST_ROWS:
        yield ""
        yield f"… and {count(len(found) - MOST_ROWS, 'more rule')}."
    yield ""


def _invalid(report: Report) -> Iterator[str]:
    bad = [
        result
        for result in report.results
        if Verdict.INVALID in (result.verdict, result.official_verdict)
    ]
    if not bad:
        return
    yield f"<details><summary>{count(len(bad), 'result')} not valid</summary>"
    yield ""
    yield "| result | policy | official | value |"
    yield "|---|---|---|---|"
    for result in bad[:MOST_ROWS]:
        verdicts = f"{result.verdict} | {result.official_verdict}"
        yield f"| {code(result.path)} | {verdicts} | {_value(result)} |"
    if len(bad) > MOST_ROWS:
        yield f"| … and {len(bad) - MOST_ROWS:,} more | | | |"
    yield ""
    yield "</details>"
    yield ""


def _value(result: Result) -> str:
    metric = result.primary
    return f"{metric.value:,.6g} {text(metric.unit)}" if metric else ""


def _waivers(report: Report) -> Iterator[str]:
    if not report.waivers:
        return
    yield "| waiver | path | reason | findings |"
    yield "|---|---|---|---|"
    for waiver in report.waivers:
        words = text(waiver.words)
        path = code(waiver.path)
        yield f"| {text(waiver.rule)} | {path} | {words} | {len(waiver.findings)} |"
    yield ""


def _unjudged(report: Report) -> Iterator[str]:
    reasons = Counter(
        f"{outcome.rule} {outcome.reason}"
        for outcome in report.outcomes
        if outcome.outcome == "not-evaluable"
    )
    for reason, number in reasons.most_common(10):
        yield f"* Not judged: {text(reason)} ({count(number, 'result')})"
    for reason, number in Counter(one.reason for one in report.not_run).items():
        yield f"* Not run: {count(number, 'rule')}, {text(reason)}"
    if reasons or report.not_run:
        yield ""


def _foot(report: Report) -> Iterator[str]:
    rules = ", ".join(f"{ref.suite} {ref.round} `{ref.sha256[:12]}`" for ref in report.rulesets)
    yield f"mlcheck {__version__}, rules {rules}. Independent of MLCommons."


def _fitting(lines: list[str]) -> str:
    """Join lines as far as they fit."""
    size = 0
    for at, line in enumerate(lines):
        size += len(line.encode()) + 1
        if size > LARGEST:
            return "\n".join([*lines[:at], "", "… cut: it is too long for a summary."]) + "\n"
    return "\n".join(lines) + "\n"


def text(shown: str) -> str:
    """Escape what stands in a cell: no markup, no HTML, no mention of anybody."""
    escaped = re.sub(r"([\\`*_{}\[\]<>()#+!|~^$])", r"\\\1", printable(shown).replace("&", "&amp;"))
    return escaped.replace("@", "@\N{ZERO WIDTH NON-JOINER}").replace("://", ":\u200c//")


def code(shown: str) -> str:
    """Return a path as code, with nothing in it that Markdown or a mention could be made of."""
    inside = printable(shown).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f"<code>{re.sub(_MARKS, lambda hit: f'&#{ord(hit[0])};', inside)}</code>"


_MARKS = re.compile(r"[|`*_~@\\:$]")
