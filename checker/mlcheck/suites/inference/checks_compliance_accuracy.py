"""The rule that holds the quality of a compliance test against that of the accuracy run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mlcheck.rules import Flaw, Judgement, Rule, Scope
from mlcheck.suites.inference.accuracy import last_of_each
from mlcheck.suites.inference.checks_compliance import SR_TESTS, passed, present
from mlcheck.suites.inference.entry import AccuracyText, Entry
from mlcheck.suites.inference.facts import Facts


def distant_accuracy(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """If samples of TEST01 differ from the accuracy run, the quality of both runs still agrees
    within the tolerance of the benchmark.
    """
    if entry.benchmark:
        yield from _distant(entry, facts, entry.benchmark.compliance_delta_percent)


def distant_accuracy_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool of some rounds overlooks the tolerances by metric."""
    if entry.benchmark:
        yield from _distant(entry, facts, entry.benchmark.official_delta_percent)


def _distant(entry: Entry, facts: Facts, tolerances: Mapping[str, float]) -> Iterator[Flaw]:
    tolerances = {"default": facts.compliance["delta_percent"], **tolerances}
    for test in present(entry):
        failed = test.verify_accuracy is not None and not passed(test.verify_accuracy, facts)
        if not (failed and test.test.accuracy_files and test.baseline and test.compliance):
            continue  # CMP105 reports missing files
        yield from _distances(entry, test.baseline, test.compliance, tolerances)


def _distances(
    entry: Entry,
    baseline: AccuracyText,
    compliance: AccuracyText,
    tolerances: Mapping[str, float],
) -> Iterator[Flaw]:
    before, after = last_of_each(baseline.readings), last_of_each(compliance.readings)
    for target in entry.targets if entry.benchmark else ():
        one, other = before.get(target.metric), after.get(target.metric)
        tolerance = tolerances.get(target.metric, tolerances["default"])
        if not (one and one.value and other and other.value):
            yield Flaw(
                path=compliance.path,
                message=f"{target.metric} is not stated for both runs, or is 0",
                expected=target.metric,
                hint="run the accuracy script on both logs and keep what it prints",
            )
            continue
        percent = abs(1 - one.value / other.value) * 100
        if percent > tolerance:
            yield Flaw(
                path=other.path,
                line=other.line,
                message=f"{target.metric} of the test is too far from that of the run",
                expected=f"within {tolerance} %",
                actual=f"{percent:.3g} % ({one.text}, {other.text})",
                hint="find out why the outputs of both modes differ",
            )


RULES = (
    Rule(
        id="CMP106",
        name="compliance-accuracy-differs",
        scope=Scope.RESULT,
        check=distant_accuracy,
        official_check=distant_accuracy_official,
        policy=SR_TESTS,
        why="Performance mode must not compute anything cheaper than accuracy mode.",
        fix="Find out why the outputs of both modes differ.",
    ),
)
