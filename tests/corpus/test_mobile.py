"""Published rounds of MLPerf Mobile: values and verdicts as recorded, findings as expected."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mlcheck.discover import discover
from mlcheck.engine import Job, verify
from mlcheck.model import Finding
from mlcheck.tree import Tree
from tests.corpus.conftest import Corpus
from tests.trees import REPOSITORY

pytestmark = pytest.mark.corpus
PARITY = REPOSITORY / "rules/mobile/parity.csv"
QUALCOMM = "closed/Qualcomm_Innovation_Center"
STRIPPED = {"MOB008", "MOB215", "MOB304", "MOB305"}  # code, pictures, traces: not in the corpora


@pytest.mark.parametrize("round_", ["v5.0", "v4.1", "v2.0", "v1.1"])
def test_every_difference_is_explained(round_: str, acceptance: Path) -> None:
    script, mlcheck = acceptance / "compare_mobile.py", f"{sys.executable} -m mlcheck"
    done = subprocess.run(
        [sys.executable, script, round_, "--run", "--explained", PARITY, "--mlcheck", mlcheck],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert done.stdout.strip().endswith("disagree 0, missing 0, extra 0")


def found(root: Path, round_: str) -> dict[str, list[Finding]]:
    """Return the findings of a published round by rule."""
    told = discover(Tree(str(root)), None, None)
    assert (told.suite, told.round, told.sure) == ("mobile", round_, True)
    report = verify(Job(root=str(root), suite="mobile", round=round_), jobs=1)
    groups: dict[str, list[Finding]] = {}
    for finding in report.findings:
        groups.setdefault(finding.rule, []).append(finding)
    return {rule: each for rule, each in groups.items() if rule not in STRIPPED}


def errors(groups: dict[str, list[Finding]]) -> set[str]:
    """Return the rules with errors."""
    return {rule for rule, each in groups.items() if any(f.severity == "error" for f in each)}


def test_v4_1(corpus: Corpus) -> None:
    groups = found(corpus("mobile-v4.1"), "v4.1")
    assert errors(groups) == {
        "MOB104",
        "MOB201",
        "MOB316",
        "MOB401",
        "MOB402",
        "MOB410",
        "MOB503",
    }
    (queries,) = groups["MOB410"]
    assert (queries.actual, (queries.expected or "").split()[0]) == ("57297", "54408")
    assert queries.path == f"{QUALCOMM}/results/SD8SG3/result.json"
    asked = [each for each in groups["MOB316"] if each.severity == "error"]
    assert {each.actual for each in asked} == {"1000"}
    assert len(asked) == 4
    assert [each.actual for each in groups["MOB503"]] == ["20"]
    assert len(groups["MOB104"]) == 3
    assert len(groups["MOB208"]) == 2
    assert len(groups["MOB112"]) == 1


def test_v5_0(corpus: Corpus) -> None:
    groups = found(corpus("mobile-v5.0"), "v5.0")
    assert errors(groups) == {"MOB104"}
    (build,) = groups["MOB116"]
    assert build.actual == "PJZ110_15.0.0.204(CN01)"
    assert {each.actual for each in groups["MOB210"]} == {"4.1.0"}


def test_v2_0(corpus: Corpus) -> None:
    groups = found(corpus("mobile-v2.0"), "v2.0")
    assert errors(groups) == set()
    assert [each.actual for each in groups["MOB102"]] == ["SD8G1_MI_12.json"]
    assert len(groups["MOB404"]) == 8


def test_v1_1(corpus: Corpus) -> None:
    groups = found(corpus("mobile-v1.1"), "v1.1")
    assert len(groups["MOB307"]) == 16
    assert "MOB318" not in groups  # the seeds are those of the round, once the lines can be read
    assert [each.actual for each in groups["MOB503"]] == ["1024", "1024"]
