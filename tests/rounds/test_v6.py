"""Rounds v6.0 and v6.1: everything in the scenario folder, and a checker that was written anew."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from mlcheck.discover import discover
from mlcheck.engine import Job, verify
from mlcheck.model import Report, Result, Verdict
from mlcheck.tree import Tree
from tests.rounds.moved import moved

VALID, INVALID = Verdict.VALID, Verdict.INVALID
EDGE = "closed/Acme/results/acme-edge-1x/resnet50"
LLM = "closed/Acme/results/acme-dc-8x/llama2-70b-99"
RUN = "performance/run_1/mlperf_log_detail.txt"


@pytest.fixture
def v60(tree: Path) -> Path:
    """Return the clean example as a submission of v6.0."""
    moved(tree, "v6.0", "6.0.17")
    return tree


def judged(tree: Path, round_: str = "v6.0") -> Report:
    return verify(Job(root=str(tree), suite="inference", round=round_), jobs=1)


def result(tree: Path, path: str) -> Result:
    return next(result for result in judged(tree).results if result.path == path)


def set_key(log: Path, key: str, value: object) -> None:
    """Set the value of a key of a detail log."""
    pattern = rf'("key": "{re.escape(key)}", "value": )[^,]+'
    text, count = re.subn(pattern, lambda m: m[1] + json.dumps(value), log.read_text())
    assert count
    log.write_text(text)


@pytest.mark.parametrize(("round_", "loadgen"), [("v6.0", "6.0.17"), ("v6.1", "6.1.0")])
def test_clean_tree_is_clean_and_recognised(tree: Path, round_: str, loadgen: str) -> None:
    moved(tree, round_, loadgen)
    assert discover(Tree(str(tree)), None, None).round == round_
    report = judged(tree, round_)
    assert [finding.message for finding in report.findings] == []
    assert report.results
    assert all(result.official_verdict is VALID for result in report.results)


def not_valid(tree: Path) -> None:
    set_key(tree / EDGE / "Offline" / RUN, "result_validity", "INVALID")


def error_line(tree: Path) -> None:
    log = tree / EDGE / "Offline" / RUN
    last = log.read_text().rstrip("\n").rpartition("\n")[2]
    log.write_text(log.read_text() + last.replace('"is_error": false', '"is_error": true') + "\n")


def unequal_issue(tree: Path) -> None:
    set_key(tree / LLM / "Offline" / RUN, "effective_sample_concatenate_permutation", False)


def late_interactive(tree: Path) -> None:
    key = "result_first_token_99.00_percentile_latency_ns"
    set_key(tree / LLM / "Interactive" / RUN, key, 1_000_000_000)


@pytest.mark.parametrize(
    ("fault", "path"),
    [
        (not_valid, f"{EDGE}/Offline"),
        (error_line, f"{EDGE}/Offline"),
        (unequal_issue, f"{LLM}/Offline"),
        (late_interactive, f"{LLM}/Interactive"),
    ],
)
def test_what_the_package_overlooks(v60: Path, fault: Callable[[Path], None], path: str) -> None:
    fault(v60)
    found = result(v60, path)
    assert (found.verdict, found.official_verdict) == (INVALID, VALID)


def test_missing_scenario_refuses_the_benchmark(v60: Path) -> None:
    (v60 / EDGE / "SingleStream").rename(v60 / EDGE / "Other")
    refused = {r.scenario for r in judged(v60).results if r.path.startswith(EDGE)}
    assert refused == {"MultiStream", "Offline", None}
    officials = {r.official_verdict for r in judged(v60).results if r.path.startswith(EDGE)}
    assert officials == {INVALID}


def test_any_code_is_enough_for_the_package(v60: Path) -> None:
    (v60 / "closed/Acme/src/resnet50").rename(v60 / "closed/Acme/src/elsewhere")
    found = result(v60, f"{EDGE}/Offline")
    assert (found.verdict, found.official_verdict) == (INVALID, VALID)


def test_extra_files_do_not_matter_to_the_package(v60: Path) -> None:
    (v60 / EDGE / "Offline/accuracy/notes.txt").write_text("x")
    found = result(v60, f"{EDGE}/Offline")
    assert (found.verdict, found.official_verdict) == (INVALID, VALID)


def test_missing_test_is_missed_in_the_scenario_folder(v60: Path) -> None:
    for text in (v60 / LLM / "Offline/TEST06").iterdir():
        if text.is_file():
            text.unlink()
    rules = {finding.rule for finding in judged(v60).findings if "TEST06" in finding.path}
    assert "CMP104" in rules
