"""How a rule was judged on a tree: on which results, with which values, and what came of it."""

from __future__ import annotations

import csv
import functools
import textwrap
from collections.abc import Iterator, Mapping

from mlcheck import resources
from mlcheck.model import Finding, Report, Result, Severity
from mlcheck.output.grouping import count, place
from mlcheck.output.printable import printable
from mlcheck.output.summary import Gate, fails
from mlcheck.ruleset import load

WIDTH = 79
MOST = 20  # results shown of each outcome


@functools.cache
def examples() -> Mapping[str, tuple[str, str]]:
    """Return an example of each rule: what is wrong, and the finding, from ``rules/examples.csv``.

    The finding may be empty.
    """
    path = resources.rules_root() / "examples.csv"
    with path.open(encoding="utf-8", newline="") as handle:
        return {row["rule"]: (row["about"], row["finding"]) for row in csv.DictReader(handle)}


def example_text(rule: str) -> Iterator[str]:
    """Yield an example of a rule, if there is one."""
    about, finding = examples().get(rule, ("", ""))
    if about:
        yield from textwrap.wrap(f"Example: {about}", WIDTH)
    if finding:
        yield f"  {finding}"


def finding_text(finding: Finding, report: Report) -> Iterator[str]:
    """Yield what a finding says, why it weighs what it weighs, and which results it concerns."""
    yield f"finding {finding.id}"
    yield f"  at        {place(finding)}"
    yield f"  says      {printable(finding.message)}"
    for word, text in (("expected", finding.expected), ("found", finding.actual)):
        if text:
            yield f"  {word:<9} {printable(text)}"
    if finding.hint:
        yield f"  to do     {printable(finding.hint)}"
    yield f"  policy    {finding.severity}: {_consequence(finding)}"
    yield f"  official  {finding.official}: {_OFFICIAL[finding.official.value]}"
    if finding.policy:
        yield f"  section   {finding.policy}"
    if finding.waived:
        yield f"  waived    {printable(finding.waived)}"
    if finding.known:
        yield "  known     it stands in the baseline"
    yield f"  fails     {', '.join(gate for gate in Gate if fails(finding, gate)) or 'no gate'}"
    concerned = [result for result in report.results if result.id in finding.results]
    for result in concerned[:MOST]:
        yield from _result(result, "  about     ")
    if len(concerned) > MOST:
        yield f"  … and {count(len(concerned) - MOST, 'more result')}"


_OFFICIAL = {
    "error": "it refuses the results",
    "submission": "it keeps the results, but calls the submission faulty",
    "warning": "it prints a line",
    "none": "it does not look, or looks for something else",
}


def _consequence(finding: Finding) -> str:
    if finding.severity is not Severity.ERROR:
        return "nothing fails because of it"
    if not finding.voids or not finding.results:
        return "the submission is faulty, no measurement is"
    return f"{count(len(finding.results), 'result')} not valid"


def judged_text(rule: str, report: Report) -> Iterator[str]:
    """Yield how a rule was judged on a tree: what it found, could not judge, and had no word on."""
    (ref,) = report.rulesets
    weight = load(ref.suite, ref.round).weights.get(rule)
    yield f"On this tree ({ref.suite} {ref.round}, rules {ref.sha256[:12]}):"
    if weight:
        yield f"  it weighs {weight.severity} by the policy; official tool: {weight.official}"
    for left in report.not_run:
        if left.rule == rule:
            yield f"  it was not run: {left.reason}"
            return
    found = [finding for finding in report.findings if finding.rule == rule]
    concerned = {result for finding in found for result in finding.results}
    unjudged = {o.result: o for o in report.outcomes if o.rule == rule}
    quiet = [r for r in report.results if r.id not in concerned and r.id not in unjudged]
    yield f"  {count(len(found), 'finding')} about {count(len(concerned), 'result')}"
    for finding in found[:MOST]:
        yield f"    {finding.id}  {place(finding)}"
        yield f"                  {printable(finding.message)}"
        held = (("expected", finding.expected), ("found", finding.actual))
        yield from (f"                  {word} {printable(text)}" for word, text in held if text)
    yield f"  {count(len(unjudged), 'result')} not judged"
    for result_id, outcome in list(unjudged.items())[:MOST]:
        name = next((r.path for r in report.results if r.id == result_id), result_id)
        yield f"    {printable(name)}: {outcome.outcome}, {printable(outcome.reason)}"
    yield f"  {count(len(quiet), 'result')} without a flaw, or that it does not apply to"
    for result in quiet[:MOST]:
        yield from _result(result, "    ")


def _result(result: Result, indent: str) -> Iterator[str]:
    yield f"{indent}{printable(result.path)} ({result.verdict}; official {result.official_verdict})"
    inner = " " * len(indent) + "  "
    if result.primary:
        metric = result.primary
        at = f"{printable(metric.source.path)}:{metric.source.line}"
        logged = f"logged {printable(metric.value_raw)}"
        yield f"{inner}{metric.name} {metric.value:.10g} {metric.unit} ({logged}), {at}"
    for one in result.quality:
        target = f", target {one.op} {one.target:g}" if one.target is not None else ""
        at = f"{printable(one.source.path)}:{one.source.line}"
        yield f"{inner}{printable(one.name)} {printable(one.value_raw)}{target}, {at}"
