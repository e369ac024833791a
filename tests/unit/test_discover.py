"""What lies here?"""

from __future__ import annotations

from pathlib import Path

import pytest

from mlcheck.discover import NothingHereError, discover
from mlcheck.ruleset import load, rounds
from mlcheck.tree import Tree
from tests.edits import Delete, Place, SetKey
from tests.trees import EXAMPLES, ROUND

LOGS = "*/*/results/**/run_1/mlperf_log_detail.txt"


def found(root: Path, round_: str | None = None) -> tuple[str, str, str]:
    what = discover(Tree(str(root)), None, round_)
    return what.suite, what.round, what.by


def set_seed(tree: Path, seed: int, logs: str = LOGS) -> None:
    SetKey(path=logs, key="effective_qsl_rng_seed", value=seed).apply(Place(tree, ""))


def test_the_round_is_told_by_its_seeds(example: Path) -> None:
    assert found(example) == ("inference", ROUND, "by the seeds of its logs")


@pytest.mark.parametrize("name", sorted({*rounds("inference")} - {ROUND}))
def test_the_seeds_of_every_round_are_known(tree: Path, name: str) -> None:
    set_seed(tree, load("inference", name).document["seeds"]["qsl_rng_seed"])
    assert found(tree)[1] == name


def test_a_log_with_wrong_seeds_among_others(tree: Path) -> None:
    set_seed(tree, 1, "closed/Acme/results/acme-dc-8x/**/run_1/mlperf_log_detail.txt")
    assert found(tree)[:2] == ("inference", ROUND)


def test_without_seeds_of_a_round_it_is_the_newest(tree: Path) -> None:
    set_seed(tree, 1)
    suite, name, by = found(tree)
    assert (suite, name) == ("inference", rounds("inference")[-1])
    assert by.startswith("the newest known")


def test_without_logs_it_is_the_newest(tree: Path) -> None:
    Delete(path=LOGS).apply(Place(tree, ""))
    assert found(tree)[1] == rounds("inference")[-1]


def test_what_is_asked_for_is_believed(example: Path) -> None:
    assert found(example, "v9.9") == ("inference", "v9.9", "as asked for")


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("..", "holds submissions in folders of its own: try"),
        ("closed", "looks like a division: give the folder above it"),
        ("closed/Acme", "looks like the folder of one submitter"),
        ("closed/Acme/results", "lies inside a submission: give .*inference-v5.1$"),
        ("closed/Acme/results/acme-edge-1x/resnet50/Offline", "looks like a single run"),
        ("closed/Acme/results/acme-edge-1x/resnet50/Offline/accuracy", "looks like a single run"),
        ("closed/Acme/systems", "lies inside a submission: give .*inference-v5.1$"),
    ],
)
def test_what_it_looks_like(example: Path, path: str, message: str) -> None:
    with pytest.raises(NothingHereError, match=message):
        found(example / path)


def test_an_empty_folder(scratch: Path) -> None:
    with pytest.raises(NothingHereError, match="is empty"):
        found(scratch)


def test_a_folder_of_something_else(scratch: Path) -> None:
    (scratch / "docs").mkdir()
    (scratch / "docs/page.md").touch()
    with pytest.raises(NothingHereError, match=r"not look like a submission of .*, .* or mobile$"):
        found(scratch / "docs")


def test_no_folder(scratch: Path) -> None:
    with pytest.raises(NothingHereError, match="cannot list"):
        found(scratch / "nowhere")


@pytest.mark.parametrize(
    ("folder", "word"),
    [
        ("training-v5.1/Acme", "--submitter"),
        ("inference-v5.1/closed/Acme", "holds closed/ or open/"),
        ("inference-v5.1/closed", "looks like a division"),
        ("", "try"),
    ],
)
def test_a_part_of_a_submission_says_what_to_give(folder: str, word: str) -> None:
    with pytest.raises(NothingHereError, match=word):
        discover(Tree(str(EXAMPLES / folder)), None, None)
