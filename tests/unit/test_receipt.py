"""A receipt tells whether tree, rules and verdicts are still what they were."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mlcheck import receipt, resources
from mlcheck.suites.registry import SUITES
from tests.command_line import FINDINGS, PASS, USAGE, run
from tests.trees import digest


@pytest.fixture
def file(tree: Path, scratch: Path) -> Path:
    """Return the receipt of the clean example."""
    made = run("verify", tree, "--receipt", scratch / "receipt.json")
    assert made.exit_code == PASS
    assert "mlcheck: receipt" in made.stderr
    return scratch / "receipt.json"


def test_a_receipt_fits_its_schema_and_holds(file: Path, tree: Path) -> None:
    document = json.loads(file.read_text())
    schema = resources.schema("receipt")
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(document)
    assert document["waivers"] == []
    assert len(document["verdicts"]) == 11
    before = digest(tree)
    checked = run("verify", tree, "--check-receipt", file)
    assert (checked.exit_code, checked.stdout.splitlines()[-1]) == (PASS, "the receipt holds")
    assert digest(tree) == before


def test_the_same_tree_gives_the_same_bytes(file: Path, example: Path, scratch: Path) -> None:
    run("verify", example, "--receipt", scratch / "again.json", "--jobs", "2")
    assert (scratch / "again.json").read_bytes() == file.read_bytes()


def test_a_changed_tree_is_told(file: Path, tree: Path) -> None:
    (tree / "closed/Acme/README.md").write_text("other words")
    checked = run("verify", tree, "--check-receipt", file)
    assert checked.exit_code == FINDINGS
    lines = checked.stdout.splitlines()
    assert [line.split()[:2] for line in lines[:5]] == [
        ["tool", "same"], ["rules", "same"], ["tree", "DIFFERS"], ["verdicts", "same"],
        ["waivers", "same"],
    ]  # fmt: skip
    assert lines[-1] == "the receipt does not hold"


def test_changed_verdicts_are_named(file: Path, broken_example: Path) -> None:
    checked = run("verify", broken_example, "--check-receipt", file)
    assert checked.exit_code == FINDINGS
    assert "  closed/Acme/results/acme-dc-8x/retinanet/Server is gone" in checked.stdout
    assert "retinanet/Offline: policy valid, now invalid" in checked.stdout


def resealed(file: Path, change: Callable[[dict[str, Any]], None]) -> None:
    document = json.loads(file.read_text())
    document.pop("sha256")
    change(document)
    file.write_text(json.dumps({**document, "sha256": receipt._digest(document)}))


def test_other_rules_void_a_receipt_and_another_tool_does_not(file: Path, tree: Path) -> None:
    resealed(file, lambda document: document["tool"].update(version="0.0.1"))
    checked = run("verify", tree, "--check-receipt", file)
    assert checked.exit_code == PASS
    assert "tool      DIFFERS  0.0.1, now" in checked.stdout
    resealed(file, lambda document: document["rulesets"][0].update(sha256="0" * 64))
    checked = run("verify", tree, "--check-receipt", file)
    assert checked.exit_code == FINDINGS
    assert "rules     DIFFERS" in checked.stdout


def test_a_waiver_that_is_gone_voids_a_receipt(file: Path, tree: Path) -> None:
    waiver = {"rule": "INF311", "reason": "granted"}
    resealed(file, lambda document: document["waivers"].append(waiver))
    checked = run("verify", tree, "--check-receipt", file)
    assert checked.exit_code == FINDINGS
    assert "waivers   DIFFERS  1, now 0" in checked.stdout


def test_the_scope_is_that_of_the_receipt(tree: Path, scratch: Path) -> None:
    file = scratch / "part.json"
    words = ("--submitter", "Borealis", "--ignore", "inf311,PWR")
    assert run("verify", tree, "--receipt", file, *words).exit_code == PASS
    scope = json.loads(file.read_text())["scope"]
    power = [rule.id for rule in SUITES["inference"].rules if rule.id.startswith("PWR")]
    assert scope == {"submitter": "Borealis", "select": [], "ignore": sorted(["INF311", *power])}
    (tree / "closed/Acme/README.md").write_text("no part of it")
    assert run("verify", tree, "--check-receipt", file).exit_code == PASS


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "not JSON"),
        ("[]", "is no receipt"),
        ("{}", "is no receipt"),
        ("[" * 100_000, "not JSON"),
        (None, "cannot read"),
    ],
)
def test_what_is_no_receipt(content: str | None, said: str, tree: Path, scratch: Path) -> None:
    file = scratch / "no.json"
    if content is not None:
        file.write_text(content)
    checked = run("verify", tree, "--check-receipt", file)
    assert checked.exit_code == USAGE
    assert said in checked.stderr


def test_an_altered_receipt_is_told(file: Path, tree: Path) -> None:
    file.write_text(file.read_text().replace('"valid": 11', '"valid": 12'))
    checked = run("verify", tree, "--check-receipt", file)
    assert checked.exit_code == USAGE
    assert "was altered" in checked.stderr


def test_a_receipt_is_not_written_into_the_tree(tree: Path) -> None:
    assert run("verify", tree, "--receipt", tree / "receipt.json").exit_code == USAGE
    assert not (tree / "receipt.json").exists()
