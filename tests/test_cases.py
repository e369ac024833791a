"""Every case says exactly what is found in its tree; every rule has cases."""

from __future__ import annotations

from pathlib import Path

import pytest

from mlcheck.model import Finding, Official, Report, Severity, Verdict
from mlcheck.rules import Rule
from mlcheck.ruleset import load
from mlcheck.suites.inference.suite import RULES
from tests import case_files
from tests.trees import ROUND, line_of, verified

# Rules that the round of the cases does not have are tested in tests/endpoints.
IN_ROUND = [r for r in RULES if load("inference", ROUND).weights[r.id].severity is not Severity.OFF]
CASES = {name: case_files.read(name) for name in case_files.names()}
WEIGHTS = load("inference", ROUND).weights
SAME_IN_ROUND = {  # the official tool of an older round has a mind of its own
    "CMP106",  # v5.0: tolerances by metric
    "INF301",  # v2.1 and before: fewer files
    "INF306",  # v4.1: token latencies instead
    "PWR103",  # v4.0 and before: dies of lines that are no samples
}


def _parameters() -> list[object]:
    return [
        pytest.param(name, marks=pytest.mark.xfail(reason=case.xfail, strict=True))
        if case.xfail
        else name
        for name, case in CASES.items()
    ]


@pytest.mark.parametrize("name", _parameters())
def test_case(name: str, scratch: Path) -> None:
    case = CASES[name]
    root = scratch / "tree"
    case_files.build(name, root)
    report = verified(root, case.round)
    found = [line_of(finding, case.at) for finding in report.findings]
    assert sorted(found) == case.lines
    paths = [result.path for result in report.results]
    assert case_files.matching(case.invalid, case.at, paths) == [
        result.path for result in report.results if result.verdict is Verdict.INVALID
    ]
    assert case_files.matching(case.official_invalid, case.at, paths) == [
        result.path for result in report.results if result.official_verdict is Verdict.INVALID
    ]
    for finding in report.findings:
        _assert_well_put(finding, root, report)


def _assert_well_put(finding: Finding, root: Path, report: Report) -> None:
    """A finding lies where something is, or ought to be, and says it well."""
    path = root / finding.path
    if finding.line:
        with path.open("rb") as lines:
            assert sum(1 for _ in lines) >= finding.line
    assert path.is_symlink() or path.parent.exists() or "/" in finding.path
    assert len(finding.message) <= 100
    assert not finding.message.endswith(".")
    assert finding.policy.partition("#")[2]
    assert set(finding.results) <= {result.id for result in report.results}


def _weights_of(rule: Rule) -> set[tuple[str, str]]:
    """Return (severity, official) of all findings of a rule that its own cases expect."""
    found = set()
    for name, case in CASES.items():
        for line in case.lines if name.startswith(f"{rule.id}-") else ():
            weight, id_ = line.partition(": ")[2].split(" ", 2)[:2]
            if id_ == rule.id:
                severity, _, official = weight.partition("/")
                found.add((severity, official))
    return found


@pytest.mark.parametrize("rule", IN_ROUND, ids=lambda rule: rule.id)
def test_rule_has_a_failing_case(rule: Rule) -> None:
    severity = WEIGHTS[rule.id].severity.value
    assert severity in {severity for severity, _ in _weights_of(rule)}


@pytest.mark.parametrize(
    "rule",
    [rule for rule in IN_ROUND if rule.official_check and rule.id not in SAME_IN_ROUND],
    ids=lambda rule: rule.id,
)
def test_rule_has_a_case_of_policy_and_official_tool_at_odds(rule: Rule) -> None:
    weight = WEIGHTS[rule.id]
    alone = {
        (weight.severity.value, Official.NONE.value),
        (Severity.NOTE.value, weight.official.value),
    }
    assert _weights_of(rule) & alone


def test_there_are_passing_cases() -> None:
    assert sum(1 for name, case in CASES.items() if name.startswith("OK-") and not case.lines) > 9


def test_cases_are_named_after_a_rule() -> None:
    heads = {name.partition("-")[0] for name in CASES}
    assert heads <= {rule.id for rule in RULES} | {"OK"}
