"""Every case says exactly which rules speak up; every rule has a case."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from mlcheck.engine import Job, verify
from mlcheck.model import Finding, Report, Result, Verdict
from mlcheck.ruleset import load, rounds
from mlcheck.suites.mobile.suite import RULES
from tests.mobile import cases

CASES = cases.read()


def verified(root: Path, round_: str = "v5.0") -> Report:
    """Return the report of a tree, made in this process."""
    return verify(Job(root=str(root), suite="mobile", round=round_), jobs=1)


def found(report: Report) -> dict[str, str]:
    """Return rule -> severity/official; several weights of one rule are joined by a blank."""
    weights: dict[str, set[str]] = {}
    for finding in report.findings:
        weights.setdefault(finding.rule, set()).add(f"{finding.severity}/{finding.official}")
    return {rule: " ".join(sorted(each)) for rule, each in sorted(weights.items())}


def name_of(result: Result) -> str:
    """Return SYSTEM/TASK."""
    return f"{result.system}/{result.benchmark or result.benchmark_raw}"


def named(results: Iterable[Result], patterns: Iterable[str]) -> set[str]:
    """Return the results that globs of a case match; each has to match one."""
    names = {name_of(result) for result in results}
    hits = {pattern: fnmatch.filter(names, pattern) for pattern in patterns}
    assert all(hits.values())
    return {name for each in hits.values() for name in each}


@pytest.mark.parametrize("name", CASES)
def test_case(name: str, scratch: Path) -> None:
    case: dict[str, Any] = CASES[name] or {}
    root = scratch / "tree"
    cases.build(case, root)
    report = verified(root)
    assert found(report) == case.get("expect", {})
    invalid = {name_of(r) for r in report.results if r.verdict is Verdict.INVALID}
    assert invalid == named(report.results, case.get("invalid", ()))
    refused = {name_of(r) for r in report.results if r.official_verdict is Verdict.INVALID}
    assert refused == named(report.results, case.get("official_invalid", ()))
    for finding in report.findings:
        assert_well_put(finding, root, report)


def assert_well_put(finding: Finding, root: Path, report: Report) -> None:
    """A finding lies where something is, and says it well."""
    path = root / finding.path
    assert path.exists() or path.is_symlink()
    if finding.line:
        with path.open("rb") as lines:
            assert sum(1 for _ in lines) >= finding.line
    assert len(finding.message) <= 100
    assert not finding.message.endswith(".")
    assert finding.policy.partition("#")[2]
    assert finding.expected or finding.actual or finding.hint
    assert set(finding.results) <= {result.id for result in report.results}


@pytest.mark.parametrize("rule", [rule.id for rule in RULES])
def test_rule_has_a_case(rule: str) -> None:
    expected = [(c or {}).get("expect", {}).get(rule) for name, c in CASES.items() if rule in name]
    assert any(expected)


@pytest.mark.parametrize("round_", rounds("mobile"))
def test_every_rule_has_a_weight_in_every_round(round_: str) -> None:
    assert set(load("mobile", round_).weights) == {rule.id for rule in RULES}
