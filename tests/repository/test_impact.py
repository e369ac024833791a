"""What an edit of a rule file changes in stored rounds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mlcheck import resources
from mlcheck.repository.store import Store
from tests.command_line import FINDINGS, PASS, USAGE, run
from tests.repository.conftest import keep

RULES = resources.rules_root() / "inference/v5.1.yaml"


def edit(scratch: Path, old: str, new: str, rules: Path = RULES) -> Path:
    text = rules.read_text(encoding="utf-8")
    assert old in text
    file = scratch / "edited.yaml"
    file.write_text(text.replace(old, new), encoding="utf-8")
    return file


@pytest.fixture
def kept(tree: Path, scratch: Path) -> Store:
    """Return a store with a copy of the clean example."""
    store = Store(str(scratch / "store"))
    keep(store, tree)
    return store


def test_an_edit_that_changes_nothing(kept: Store, scratch: Path) -> None:
    file = edit(scratch, "file_bytes: 52428800", "file_bytes: 52428801")
    answer = run("rules", "impact", file, "--store", kept.uri, "--exit-code")
    assert answer.exit_code == PASS
    assert answer.stdout.splitlines()[-1] == "this edit changes 0 of 11"


def test_an_edit_that_changes_verdicts(kept: Store, scratch: Path) -> None:
    file = edit(scratch, "min_duration_ms: 600000", "min_duration_ms: 900000")
    answer = run("rules", "impact", file, "--store", kept.uri, "--limit", "1")
    assert answer.exit_code == PASS
    assert "policy: valid -> invalid (INF311)" in answer.stdout
    assert answer.stdout.splitlines()[-1] == "this edit changes 11 of 11"
    words = ("rules", "impact", file, "--store", kept.uri)
    rows = json.loads(run(*words, "--format", "json").stdout)
    assert len(rows) == 22  # by the policy and by the official tool
    assert {row["whose"] for row in rows} == {"policy", "official tool"}
    assert run(*words, "--exit-code").exit_code == FINDINGS


def test_a_milder_rule_file(broken_example: Path, scratch: Path) -> None:
    """Severity is an edit, too: what was an error is a note."""
    store = Store(str(scratch / "store"))
    keep(store, broken_example)
    text = RULES.read_text(encoding="utf-8")
    head, mark, rules = text.partition("\nrules:\n")
    file = scratch / "edited.yaml"
    mild = rules.replace("severity: error", "severity: note")
    file.write_text(f"{head}{mark}{mild}", encoding="utf-8")
    answer = run("rules", "impact", file, "--store", store.uri)
    assert "policy: invalid -> valid" in answer.stdout
    assert answer.stdout.splitlines()[-1] == "this edit changes 6 of 6"


def test_an_edit_of_a_parent_is_one_of_its_children(kept: Store, scratch: Path) -> None:
    """v6.0 extends v5.1; the store holds nothing of v6.0, and v5.1 is judged."""
    child = resources.rules_root() / "inference/v6.0.yaml"
    file = edit(
        scratch,
        "ruleset: {suite: inference, round: v6.0",
        "ruleset: {suite: inference, round: v9.9",
        child,
    )
    answer = run("rules", "impact", file, "--store", kept.uri)
    assert answer.exit_code == USAGE
    assert "the store holds nothing of inference v9.9" in answer.stderr


def test_replaced_submissions_are_not_judged(kept: Store, tree: Path, scratch: Path) -> None:
    (tree / "closed/Acme/README.md").write_text("corrected")
    keep(kept, tree)
    file = edit(scratch, "min_duration_ms: 600000", "min_duration_ms: 900000")
    answer = run("rules", "impact", file, "--store", kept.uri)
    assert answer.stdout.splitlines()[-1] == "this edit changes 11 of 11"


def test_a_tree_that_is_not_what_it_was(kept: Store, tree: Path, scratch: Path) -> None:
    file = edit(scratch, "min_duration_ms: 600000", "min_duration_ms: 900000")
    (tree / "closed/Acme/README.md").write_text("changed in place")
    answer = run("rules", "impact", file, "--store", kept.uri)
    assert answer.exit_code == USAGE
    assert "not judged: the tree is no longer what was ingested" in answer.stdout
    tree.rename(tree.with_name("moved"))
    answer = run("rules", "impact", file, "--store", kept.uri, "--format", "csv")
    assert "the tree is no longer there" in answer.stdout


def test_files_that_are_no_edit(kept: Store, scratch: Path) -> None:
    file = scratch / "file.yaml"
    for content, said in (
        (RULES.read_text(encoding="utf-8"), "nothing is edited"),
        ("a: 1", "does not say of which suite and round"),
        ("ruleset: {suite: nosuch, round: v1.0}", "does not say of which suite and round"),
        ("ruleset: {suite: inference, round: v5.1, status: draft}", "inference v5.1"),
        ("- a", "not a mapping"),
        ("a: [", "file.yaml"),
    ):
        file.write_text(content, encoding="utf-8")
        answer = run("rules", "impact", file, "--store", kept.uri)
        assert answer.exit_code == USAGE, content[:20]
        assert said in answer.stderr
    assert run("rules", "impact", scratch / "none", "--store", kept.uri).exit_code == USAGE
