"""Baselines: only what is new fails, whatever moved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import FINDINGS, PASS, USAGE, run
from tests.trees import EXAMPLES, copy_tree

TEXT = "closed/Acme/results/acme-edge-1x/resnet50/MultiStream/accuracy/accuracy.txt"


@pytest.fixture
def old(scratch: Path) -> Path:
    return copy_tree(EXAMPLES / "inference-v5.1-broken", scratch / "tree")


@pytest.mark.parametrize("by", ["--write-baseline={}", "--output=json={}"])
def test_what_is_known_does_not_fail(old: Path, scratch: Path, by: str) -> None:
    file = scratch / "known.json"
    assert run("verify", old, by.format(file)).exit_code == FINDINGS
    made = run("verify", old, "--baseline", file)
    assert made.exit_code == PASS
    assert "14 known from the baseline" in made.stdout
    assert made.stdout.splitlines()[-1].startswith(
        "PASS, known findings aside: 0 of 6 results valid by the policy; official checker accepts 0"
    )
    assert run("verify", old, "--baseline", file, "--gate", "official").exit_code == PASS
    document = json.loads(run("verify", old, "--baseline", file, "--format", "json").stdout)
    assert {finding["known"] for finding in document["findings"]} == {True}
    assert document["summary"]["known"] == 14


def test_a_finding_that_moved_is_known_and_a_new_one_is_not(old: Path, scratch: Path) -> None:
    file = scratch / "known.json"
    run("verify", old, "--write-baseline", file)
    (old / TEXT).write_text("\n\n\n" + (old / TEXT).read_text())
    assert run("verify", old, "--baseline", file).exit_code == PASS
    (old / TEXT).write_text((old / TEXT).read_text().replace("74.966", "74.9"))
    (old / "closed/Acme/systems/acme-edge-1x.json").unlink()
    made = run("verify", old, "--baseline", file)
    assert made.exit_code == FINDINGS
    assert "SYS001" in made.stdout
    assert "INF204" not in made.stdout


def test_the_same_flaw_once_more_is_new(old: Path, scratch: Path) -> None:
    file = scratch / "known.json"
    run("verify", old, "--write-baseline", file)
    lines = (old / TEXT).read_text()
    (old / TEXT).write_text(lines + lines)
    assert run("verify", old, "--baseline", file).exit_code == FINDINGS


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"findings": 1}', "[" * 100_000, "\x00"])
def test_a_file_that_is_none(old: Path, scratch: Path, text: str) -> None:
    (scratch / "known.json").write_text(text)
    made = run("verify", old, "--baseline", scratch / "known.json")
    assert made.exit_code == USAGE
    assert "known.json" in made.stderr
    assert run("verify", old, "--baseline", scratch / "none.json").exit_code == USAGE


def test_it_is_not_written_into_the_tree(old: Path) -> None:
    assert run("verify", old, "--write-baseline", old / "b.json").exit_code == USAGE
