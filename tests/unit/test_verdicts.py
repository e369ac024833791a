"""From findings to verdicts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from mlcheck.model import Official, Verdict
from mlcheck.verdicts import decided, told_apart
from tests import case_files
from tests.output.reports import finding
from tests.trees import verified


def test_the_same_flaw_twice_has_two_ids_and_lines_do_not_matter() -> None:
    first, second = told_apart([finding(id="a", line=3), finding(id="a", line=9)])
    assert first.id == "a"
    assert second.id != "a"
    moved = told_apart([finding(id="a", line=4), finding(id="a", line=10)])
    assert [one.id for one in moved] == [first.id, second.id]


def test_a_waiver_is_about_the_policy_alone(example: Path) -> None:
    result = verified(example).results[0]
    waived = finding(results=(result.id,), waived="why")
    (made,) = decided([result], [waived])
    assert (made.verdict, made.official_verdict) == (Verdict.VALID, Verdict.INVALID)
    (made,) = decided([result], [replace(waived, waived=None, official=Official.SUBMISSION)])
    assert (made.verdict, made.official_verdict) == (Verdict.INVALID, Verdict.VALID)
    (made,) = decided([result], [replace(waived, waived=None, voids=False)])
    assert made.verdict == Verdict.VALID


def test_power_is_judged_by_its_own_rules(scratch: Path) -> None:
    case_files.build("OK-power-measured", scratch / "tree")
    result = next(result for result in verified(scratch / "tree").results if result.power)
    for rule, official, valid in (
        ("PWR104", Official.ERROR, False),
        ("PWR104", Official.NONE, True),
        ("INF504", Official.ERROR, True),
    ):
        said = finding(rule=rule, official=official, results=(result.id,))
        (made,) = decided([result], [said])
        assert made.power is not None
        assert made.power.valid is valid
