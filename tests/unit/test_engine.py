"""A whole tree becomes one report, however it is spread over workers."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mlcheck.engine import Job, verify
from mlcheck.judge import INTERNAL_ERROR
from mlcheck.model import Report, Verdict
from mlcheck.overlay import RulesetError
from tests.edits import CopyBeside, Place, SetJson
from tests.trees import ROUND, digest, line_of, nested, verified


def job(root: Path, **more: Any) -> Job:
    return replace(Job(root=str(root), suite="inference", round=ROUND), **more)


def lines(report: Report) -> list[str]:
    return [line_of(finding) for finding in report.findings]


def test_the_example_is_clean(example: Path) -> None:
    report = verified(example)
    assert lines(report) == []
    assert len(report.results) == 11
    assert {result.verdict for result in report.results} == {Verdict.VALID}
    assert {result.official_verdict for result in report.results} == {Verdict.VALID}


def test_nothing_of_a_tree_is_changed(broken_example: Path) -> None:
    before = digest(broken_example)
    verified(broken_example)
    assert digest(broken_example) == before


def test_workers_change_nothing(tree: Path) -> None:
    place = Place(tree, "closed/Acme")
    for name in ("acme-edge-2x", "acme-edge-4x"):
        CopyBeside(path="*/acme-edge-1x", name=name).apply(place)
    alone = verify(job(tree), jobs=1)
    assert verify(job(tree), jobs=3) == alone
    assert len(alone.results) == 17
    assert {finding.rule for finding in alone.findings} >= {"INF331", "SYS001"}


def test_progress_is_told_per_system(example: Path) -> None:
    seen: list[tuple[int, int]] = []
    verify(job(example), jobs=1, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_one_submitter_alone(example: Path) -> None:
    report = verify(job(example, submitter="Borealis"), jobs=1)
    assert {result.submitter for result in report.results} == {"Borealis"}
    assert lines(report) == []
    assert verify(job(example, submitter="Nobody"), jobs=1).results == ()


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        ({"select": ("INF504", "GEN")}, {"INF504", "GEN009", "GEN015"}),
        ({"select": ("INF5",), "ignore": ("INF504",)}, {"INF507"}),
        ({"ignore": ("INF", "GEN", "CMP")}, {"SYS006"}),
    ],
)
def test_rules_are_chosen_by_the_beginning_of_their_ids(
    broken_example: Path, options: dict[str, Any], rules: set[str]
) -> None:
    report = verify(job(broken_example, **options), jobs=1)
    assert {finding.rule for finding in report.findings} == rules


def test_findings_and_results_are_in_order_and_refer_to_each_other(broken_example: Path) -> None:
    report = verified(broken_example)
    assert [finding.sort_key for finding in report.findings] == sorted(
        finding.sort_key for finding in report.findings
    )
    assert [result.path for result in report.results] == sorted(r.path for r in report.results)
    about = {(result.id, finding) for result in report.results for finding in result.findings}
    assert about == {(r, finding.id) for finding in report.findings for r in finding.results}


def test_the_same_flaw_of_several_results_is_one_finding(tree: Path) -> None:
    SetJson(path="systems/acme-edge-1x.json", members={"system_type": "datacenter"}).apply(
        Place(tree, "closed/Acme")
    )
    (finding,) = verified(tree).findings
    assert (finding.rule, len(finding.results)) == ("INF202", 3)


def test_ids_of_findings_are_unique(tree: Path) -> None:
    text = tree / "closed/Acme/results/acme-edge-1x/resnet50/Offline/accuracy/accuracy.txt"
    text.write_text("accuracy=70.0%\naccuracy=71.0%\nhash=ab\n")
    ids = [finding.id for finding in verified(tree).findings]
    assert len(ids) == 2
    assert len(set(ids)) == 2


def test_a_round_that_nobody_knows(example: Path) -> None:
    with pytest.raises(RulesetError, match=r"no rules for inference v0\.1"):
        verify(job(example, round="v0.1"), jobs=1)


def test_a_hostile_tree_is_no_bug_of_ours(tree: Path) -> None:
    acme = tree / "closed/Acme"
    run = acme / "results/acme-edge-1x/resnet50/Offline/performance/run_1"
    os.truncate(run / "mlperf_log_detail.txt", 1 << 40)
    os.truncate(acme / "systems/acme-edge-1x.json", 1 << 40)
    os.mkfifo(acme / "results/acme-edge-1x/resnet50/SingleStream/accuracy/mlperf_log_trace.json")
    (acme / "results/acme-dc-8x/loop").symlink_to(".")
    (acme / "results/{system}/resnet50/Offline").mkdir(parents=True)
    with open(os.path.join(os.fsencode(acme), b"caf\xe9\x1b[31m"), "wb"):
        pass
    os.makedirs(os.path.join(os.fsencode(acme / "results"), b"sys\xff/bench\xff/Off\xff"))
    with nested(acme, "d" * 200, 40), nested(acme / "code", "d", 1200):
        report = verified(tree)
    rules = {finding.rule for finding in report.findings}
    assert INTERNAL_ERROR not in rules
    assert rules >= {"GEN006", "GEN007", "GEN010", "GEN013", "GEN014", "SYS001", "SYS002"}
