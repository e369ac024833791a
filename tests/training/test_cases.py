"""Every case says exactly which rules speak up; every rule has a case."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mlcheck.engine import Job, verify
from mlcheck.model import Finding, Report, Verdict
from mlcheck.ruleset import load
from mlcheck.suites.training.suite import RULES
from tests.training import cases

CASES = cases.read()
WEIGHTS = load("training", "v5.1").weights
ELSEWHERE = {"TRN201", "TRN311", "TRN701", "TRN704"}  # tests of their own: renamed, recounted


def verified(root: Path, round_: str = "v5.1") -> Report:
    """Return the report of a tree, made in this process."""
    return verify(Job(root=str(root), suite="training", round=round_), jobs=1)


def found(report: Report) -> dict[str, str]:
    """Return rule -> severity/official; several weights of one rule are joined by a blank."""
    weights: dict[str, set[str]] = {}
    for finding in report.findings:
        weights.setdefault(finding.rule, set()).add(f"{finding.severity}/{finding.official}")
    return {rule: " ".join(sorted(each)) for rule, each in sorted(weights.items())}


def paths(case: dict[str, Any], name: str) -> list[str]:
    """Return the full paths of the results that a case names."""
    return sorted(
        path[1:] if path.startswith("/") else f"{cases.HOME}/{path}" for path in case.get(name, ())
    )


@pytest.mark.parametrize("name", CASES)
def test_case(name: str, scratch: Path) -> None:
    case = CASES[name]
    root = scratch / "tree"
    cases.build(case, root)
    report = verified(root)
    assert found(report) == case.get("expect", {})
    invalid = [r.path for r in report.results if r.verdict is Verdict.INVALID]
    assert invalid == paths(case, "invalid")
    refused = [r.path for r in report.results if r.official_verdict is Verdict.INVALID]
    assert refused == paths(case, "official_invalid")
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
    assert set(finding.results) <= {result.id for result in report.results}


@pytest.mark.parametrize("rule", [r.id for r in RULES if r.id not in ELSEWHERE])
def test_rule_has_a_case(rule: str) -> None:
    expected = [case.get("expect", {}).get(rule) for name, case in CASES.items() if rule in name]
    assert any(expected)


def test_every_rule_has_a_weight_in_every_round() -> None:
    assert set(WEIGHTS) == {rule.id for rule in RULES}


def test_misspelt_benchmark_folder(scratch: Path) -> None:
    root = scratch / "tree"
    cases.build({}, root)
    (root / cases.HOME / "retinanet").rename(root / cases.HOME / "retina_net")
    report = verified(root)
    assert found(report)["TRN201"] == "error/warning"
    verdicts = {r.path: (r.verdict, r.official_verdict) for r in report.results}
    assert verdicts[f"{cases.HOME}/retina_net"] == (Verdict.INVALID, Verdict.VALID)


def _faster(root: Path, share: float) -> None:
    for path in sorted((root / cases.HOME / "llama2_70b_lora").glob("*.txt")):
        lines = path.read_text().splitlines(keepends=True)
        for at, line in enumerate(lines):
            if '"key": "eval_accuracy"' in line:
                count = int(line.partition('"samples_count": ')[2].partition("}")[0])
                lines[at] = cases.changed(line, {"metadata.samples_count": count * share})
        path.write_text("".join(lines))


def test_too_fast(scratch: Path) -> None:
    root = scratch / "tree"
    cases.build({}, root)
    _faster(root, 0.5)
    report = verified(root)
    assert found(report)["TRN701"] == "error/error"
    flaw = next(finding for finding in report.findings if finding.rule == "TRN701")
    assert "llama2_70b_lora_ref_8" in (flaw.expected or "")
    result = next(r for r in report.results if r.path.endswith("llama2_70b_lora"))
    assert result.extra["rcp"]["verdict"] == "fail"
    assert result.extra["rcp"]["margin"] < 0


def test_a_little_faster_is_scaled(scratch: Path) -> None:
    root = scratch / "tree"
    cases.build({}, root)
    clean = next(r for r in verified(root).results if r.path.endswith("lora"))
    before, rcp = clean.primary, clean.extra["rcp"]
    between = (rcp["smallest_mean"] + rcp["reference_mean"]) / 2
    _faster(root, between / rcp["submission_mean"])
    report = verified(root)
    assert found(report)["TRN704"] == "note/none"
    result = next(r for r in report.results if r.path.endswith("llama2_70b_lora"))
    factor = result.extra["rcp"]["norm_factor"]
    assert factor > 1
    assert before is not None
    assert result.primary is not None
    assert result.primary.value == pytest.approx(before.value * factor, rel=1e-12)
