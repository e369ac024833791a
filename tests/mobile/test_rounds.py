"""Rounds of mobile: what each holds, and that trees are recognised as theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from mlcheck.discover import NothingHereError, discover
from mlcheck.engine import Job, verify
from mlcheck.ruleset import load, rounds
from mlcheck.suites.mobile.facts import facts_of
from mlcheck.tree import Tree
from tests.mobile import cases
from tests.trees import EXAMPLES, copy_tree

ROUNDS = ("v0.7", "v1.0", "v1.1", "v2.0", "v2.1", "v3.0", "v3.1", "v4.0", "v4.1", "v5.0", "v6.0")
TARGETS: dict[
    str, dict[str, float | None]
] = {  # fractions, by the rules document of v4.0 and by that of v2.0
    "v5.0": {
        "object_detection": 0.27075,
        "image_segmentation_v2": 0.57408,
        "natural_language_processing": 0.84165,
        "super_resolution": 0.33,
        "image_classification_v2": None,
    },
    "v2.0": {
        "image_classification": 0.746662,
        "image_classification_offline": 0.746662,
        "image_segmentation": 0.53156,
    },
}


def test_rounds_there_are() -> None:
    assert rounds("mobile") == ROUNDS


@pytest.mark.parametrize("round_", ROUNDS)
def test_the_number_of_required_tasks(round_: str) -> None:
    facts = facts_of(load("mobile", round_))
    required = [each for each in facts.benchmarks.values() if each.required]
    assert len(required) == (5 if round_ < "v3.0" else 6)
    assert sum(each.scenario == "Offline" for each in required) == 1


@pytest.mark.parametrize("round_", TARGETS)
def test_targets(round_: str) -> None:
    facts = facts_of(load("mobile", round_))
    for name, target in TARGETS[round_].items():
        found = facts.benchmarks[name].accuracy.target(None)
        assert found == (None if target is None else pytest.approx(target, rel=1e-12))


def test_targets_of_both_sets_of_sentences() -> None:
    accuracy = facts_of(load("mobile", "v5.0")).benchmarks["natural_language_processing"].accuracy
    assert accuracy.target(100) == pytest.approx(0.93 * 0.905)
    assert accuracy.target(10833) == pytest.approx(0.93 * 0.894)
    assert accuracy.of_size(99) is None


def test_folders_name_one_task_per_scenario() -> None:
    for round_ in ROUNDS:
        facts = facts_of(load("mobile", round_))
        for benchmark in facts.benchmarks.values():
            found = facts.benchmark_of(benchmark.name, benchmark.scenario)
            assert found is benchmark


def _moved(root: Path, round_: str, date: str) -> None:
    """Give the logs of the example the seeds of another round, and another date."""
    seeds = {f"effective_{n}": s for n, s in facts_of(load("mobile", round_)).seeds.items()}
    for path in cases.matching(root, "closed/**/mlperf_log_detail.txt"):
        edit = {"log": str(path.relative_to(root)), "set": {**seeds, "test_datetime": date}}
        cases.apply(edit, root)


@pytest.mark.parametrize(
    ("round_", "date"),
    [
        ("v3.1", "2023-09-01T09:00:00Z"),
        ("v4.0", "2024-04-01T09:00:00Z"),
        ("v4.1", "2024-09-19T09:00:00Z"),
        ("v5.0", "2025-01-15T09:00:00Z"),
        ("v6.0", "2026-02-01T09:00:00Z"),
    ],
)
def test_rounds_are_told_by_seeds_and_dates(round_: str, date: str, scratch: Path) -> None:
    root = copy_tree(cases.EXAMPLE, scratch / "tree")
    _moved(root, round_, date)
    found = discover(Tree(str(root)), None, None)
    assert (found.suite, found.round, found.sure) == ("mobile", round_, True)


def test_without_seeds_the_newest_that_knows_the_tasks(scratch: Path) -> None:
    root = copy_tree(cases.EXAMPLE, scratch / "tree")
    for path in cases.matching(root, "closed/**/mlperf_log_detail.txt"):
        path.write_text("")
    found = discover(Tree(str(root)), None, None)
    assert (found.suite, found.sure) == ("mobile", False)


@pytest.mark.parametrize("name", ["inference-v5.1", "training-v5.1"])
def test_other_suites_are_not_mobile(name: str) -> None:
    suite, _, round_ = name.rpartition("-")
    found = discover(Tree(str(EXAMPLES / name)), None, None)
    assert (found.suite, found.round) == (suite, round_)


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("closed", "a division of mobile"),
        ("closed/Acme", "the folder of one submitter of mobile"),
        ("closed/Acme/results/acme-p1", "one system of mobile"),
    ],
)
def test_parts_of_a_submission_are_told(part: str, said: str) -> None:
    with pytest.raises(NothingHereError, match=said):
        discover(Tree(str(cases.EXAMPLE / part)), None, None)


def test_an_older_shape_is_mobile(scratch: Path) -> None:
    run = scratch / "closed/Cord/results/c1/deeplabV3+/SingleStream/log_performance"
    run.mkdir(parents=True)
    (run / "mlperf_log_detail.txt").write_text("")
    assert discover(Tree(str(scratch)), None, None).suite == "mobile"


def test_targets_are_no_errors_where_the_rules_state_none(scratch: Path) -> None:
    root = copy_tree(cases.EXAMPLE, scratch / "tree")
    edit = {
        "file": "closed/Acme/results/acme-p1/result.json",
        "set": {"results.1.accuracy_run.accuracy.normalized": 0.2},
    }
    cases.apply(edit, root)
    report = verify(Job(root=str(root), suite="mobile", round="v1.1", select=("MOB501",)), jobs=1)
    assert {finding.severity.value for finding in report.findings} == {"warning"}
