"""Rules that hold one piece of evidence against another: summary and detail, system and system."""

from __future__ import annotations

import decimal
from collections.abc import Iterator
from decimal import Decimal

from mlcheck.loadgen import DetailLog, SummaryLog
from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.inference.entry import Entry
from mlcheck.suites.inference.facts import Facts
from mlcheck.suites.inference.package import Package

SR_LOGGING = "submission_rules.adoc#logging-requirements"
IR_LOADGEN = "inference_rules.adoc#loadgen-operation"
STREAM_DIGITS = 6  # significant digits that LoadGen prints into its detail log


def summary_contradicts_detail(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The summary of the performance run says the same as its detail log, as exactly as both are
    printed.
    """
    summary = entry.performance.summary if entry.performance else None
    if summary is None or entry.log is None:
        yield Unjudged("summary or detail log is missing or unreadable", skipped=True)
    else:
        yield from _contradictions(summary, entry.log, facts)


def _contradictions(summary: SummaryLog, detail: DetailLog, facts: Facts) -> Iterator[Flaw]:
    if summary.problem:
        yield Flaw(
            path=summary.path,
            message="summary cannot be read",
            actual=summary.problem,
            hint="copy the summary anew from the run",
        )
    elif not facts.summary.keys() & summary.values.keys():
        yield Flaw(
            path=summary.path,
            message="summary does not state the result",
            expected=" and ".join(name.lstrip("* ") for name in facts.summary),
            hint="copy the summary anew from the run",
        )
    for name, key in facts.summary.items():
        if name not in summary.values or detail.get(key) is None:
            continue  # INF304 reports what is not logged
        line, printed = summary.values[name]
        text = detail.text(key)
        logged = detail.raw(key) if text is None else text
        if not same_as_printed(printed, logged):
            yield Flaw(
                path=summary.path,
                line=line,
                message=f"summary shows another {name.lstrip('* ')} than the detail log",
                expected=f"{logged[:80]} ({detail.path.rpartition('/')[2]}:{detail.line(key)})",
                actual=printed[:80],
                hint="copy both logs anew from the same run",
            )


def same_as_printed(one: str, other: str) -> bool:
    """Tell whether two texts can be prints of one value, rounded to different digits.

    Texts that are no numbers have to be equal but for spaces, and whole numbers too. Otherwise they
    may differ by half a unit in the last place of either.
    """
    if one == other:
        return True
    try:
        first, second = Decimal(one), Decimal(other)
    except decimal.InvalidOperation:
        return one.replace(" ", "") == other.replace(" ", "")
    if not (first.is_finite() and second.is_finite()) or (_whole(first) and _whole(second)):
        return False
    slack = (_last_place(first) + _last_place(second)) / 2
    return abs(first - second) <= slack


def _whole(number: Decimal) -> bool:
    return number.as_tuple().exponent == 0


def _last_place(number: Decimal) -> Decimal:
    """One unit in the last place. A whole number beside a fraction lost zeros to C++ streams."""
    exponent = number.as_tuple().exponent
    if not isinstance(exponent, int) or exponent >= 0:
        exponent = number.adjusted() - STREAM_DIGITS + 1
    return Decimal(1).scaleb(exponent)


def copied_logs(package: Package, _: Facts) -> Iterator[Judgement]:
    """No two systems share a byte-identical log: each result has runs of its own."""
    for group in package.copies:
        first, *others = group
        for other in others:
            yield Flaw(
                path=other.path,
                message=f"log is a copy of one of system {first.system}",
                expected="a run made on this system",
                actual=f"same bytes as {first.path}",
                hint="run on this system, or report the result for one system only",
                results=tuple(sorted({other.result, first.result})),
            )


RULES = (
    Rule(
        id="INF330",
        name="summary-differs",
        scope=Scope.RESULT,
        check=summary_contradicts_detail,
        policy=SR_LOGGING,
        why="LoadGen writes both from the same numbers; a difference means an edit or a mix of "
        "runs.",
        fix="Copy both logs anew from the same run.",
    ),
    Rule(
        id="INF331",
        name="log-of-another-system",
        scope=Scope.PACKAGE,
        check=copied_logs,
        policy=IR_LOADGEN,
        why="A number that was measured once says nothing about a second system.",
        fix="Run on each system, or report one of them.",
    ),
)
