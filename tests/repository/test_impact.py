"""What an edit of a rule file changes in stored rounds."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from mlcheck import resources
from mlcheck.repository.store import Store
from tests import case_files
from tests.command_line import FINDINGS, PASS, USAGE, run
from tests.repository.conftest import keep
from tests.trees import EXAMPLES, copy_tree

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


def test_of_a_tree_only_what_still_counts_is_judged(
    kept: Store, example: Path, scratch: Path
) -> None:
    """Acme has corrected its part elsewhere; of the first tree Borealis is left."""
    other = copy_tree(example, scratch / "other")
    shutil.rmtree(other / "open")
    (other / "closed/Acme/README.md").write_text("corrected")
    keep(kept, other)
    file = edit(scratch, "min_duration_ms: 600000", "min_duration_ms: 900000")
    answer = run("rules", "impact", file, "--store", kept.uri)
    assert "verdicts changed: 3 of 3 results" in answer.stdout
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


TRAINING = resources.rules_root() / "training"
MOBILE = resources.rules_root() / "mobile/v5.0.yaml"


@pytest.fixture
def kept_training(scratch: Path) -> Store:
    """Return a store with the example of training, which has measured energy."""
    store = Store(str(scratch / "store"))
    keep(store, EXAMPLES / "training-v5.1", "training")
    return store


def test_edited_convergence_points(kept_training: Store, scratch: Path) -> None:
    """A reference that needs longer: who was as fast as the old one now converges too fast."""
    points = json.loads((TRAINING / "rcp/v5.1.json").read_text(encoding="utf-8"))
    for of_benchmark in points.values():
        for point in of_benchmark:
            point["convergence"] = [2 * needed for needed in point["convergence"]]
    file = scratch / "v5.1.json"
    file.write_text(json.dumps(points), encoding="utf-8")
    answer = run("rules", "impact", file, "--store", kept_training.uri)
    assert answer.exit_code == PASS
    assert "policy: valid -> invalid (TRN7" in answer.stdout
    last = answer.stdout.splitlines()[-1]
    assert last.startswith("this edit changes ")
    assert last != "this edit changes 0 of 4"


def test_points_laid_out_otherwise_change_nothing(kept_training: Store, scratch: Path) -> None:
    points = json.loads((TRAINING / "rcp/v5.1.json").read_text(encoding="utf-8"))
    file = scratch / "v5.1.json"
    file.write_text(json.dumps(points), encoding="utf-8")
    answer = run("rules", "impact", file, "--store", kept_training.uri)
    assert answer.stdout.splitlines()[-1] == "this edit changes 0 of 4"
    file.write_bytes((TRAINING / "rcp/v5.1.json").read_bytes())
    same = run("rules", "impact", file, "--store", kept_training.uri)
    assert (same.exit_code, "nothing is edited" in same.stderr) == (USAGE, True)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "holds no points"),
        ("[]", "holds no points"),
        ('{"retinanet": [{"batch": 256}]}', "holds no points: KeyError"),
        ('{"retinanet": [{"id": "a", "batch": 0, "convergence": []}]}', "numbers above 0"),
        ('{"retinanet": [{"id": "a", "batch": 256, "convergence": [NaN]}]}', "numbers above 0"),
        ('{"retinanet": [{"id": "a", "batch": 256, "convergence": ["4"]}]}', "numbers above 0"),
    ],
)
def test_points_that_are_none(content: str, said: str, kept_training: Store, scratch: Path) -> None:
    file = scratch / "v5.1.json"
    file.write_text(content, encoding="utf-8")
    answer = run("rules", "impact", file, "--store", kept_training.uri)
    assert answer.exit_code == USAGE
    assert said in answer.stderr
    other = file.rename(scratch / "other.json")
    answer = run("rules", "impact", other, "--store", kept_training.uri)
    assert answer.exit_code == USAGE
    assert "is named as no file of reference convergence points is: v0.6.json," in answer.stderr


def test_an_edit_of_energy(kept_training: Store, scratch: Path) -> None:
    file = edit(scratch, "  readings: 60\n", "  readings: 60000\n", TRAINING / "v5.1.yaml")
    answer = run("rules", "impact", file, "--store", kept_training.uri)
    assert answer.exit_code == PASS
    assert "findings: 1 come, 0 go" in answer.stdout
    assert answer.stdout.splitlines()[-1] == "this edit changes 0 of 4"


def test_values_that_change_are_counted(kept_training: Store, scratch: Path) -> None:
    """A score is scaled by how much faster than the reference it converged: no verdict changes."""
    points = json.loads((TRAINING / "rcp/v5.1.json").read_text(encoding="utf-8"))
    for point in points["llama2_70b_lora"]:
        point["convergence"] = [1.15 * needed for needed in point["convergence"]]
    file = scratch / "v5.1.json"
    file.write_text(json.dumps(points), encoding="utf-8")
    answer = run("rules", "impact", file, "--store", kept_training.uri)
    assert "published values changed: 1" in answer.stdout


def test_rounds_that_do_not_resolve_any_more_are_told_and_others_judged(scratch: Path) -> None:
    """A round states what it replaces of the one it extends; the edit has changed that."""
    store = Store(str(scratch / "store"))
    keep(store, EXAMPLES / "mobile-v5.0", "mobile", "v5.0")
    file = edit(scratch, "reference: 0.285,", "reference: 0.985,", MOBILE)
    words = ("rules", "impact", file, "--store", store.uri)
    answer = run(*words)
    assert answer.exit_code == PASS
    assert "do not resolve with this edit: v0.7" in answer.stdout
    keep(store, EXAMPLES / "mobile-v5.0", "mobile", "v0.7")
    answer = run(*words)
    assert answer.exit_code == USAGE
    assert "not judged: its rules do not resolve with this edit: v0.7.yaml: repl" in answer.stdout
    assert "policy: valid -> invalid (MOB501" in answer.stdout


def test_an_edit_of_power_changes_the_word_of_its_official_check(scratch: Path) -> None:
    case_files.build("OK-power-measured", scratch / "tree")
    store = Store(str(scratch / "store"))
    keep(store, scratch / "tree")
    file = edit(scratch, 'ptd_versions: ["1.11.1"]', 'ptd_versions: ["1.99.0"]')
    answer = run("rules", "impact", file, "--store", store.uri, "--format", "json")
    rows = json.loads(answer.stdout)
    power = [row for row in rows if row["whose"] == "official check of power"]
    assert {(row["old"], row["new"]) for row in power} == {("valid", "invalid")}


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("min_duration_ms: 60000,", "min_duration_ms: 6000000,", "MOB316"),
        ("reference: 0.285,", "reference: 0.985,", "MOB501"),
    ],
)
def test_an_edit_of_mobile(old: str, new: str, rule: str, scratch: Path) -> None:
    store = Store(str(scratch / "store"))
    keep(store, EXAMPLES / "mobile-v5.0", "mobile", "v5.0")
    file = edit(scratch, old, new, MOBILE)
    answer = run("rules", "impact", file, "--store", store.uri)
    assert answer.exit_code == PASS
    assert f"policy: valid -> invalid ({rule}" in answer.stdout
    assert "published values changed: 0" in answer.stdout


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
