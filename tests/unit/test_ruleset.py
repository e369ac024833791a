"""Rule files: what they extend, and every way in which they can be wrong."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mlcheck import resources
from mlcheck.overlay import RulesetError, differences
from mlcheck.ruleset import load, read_yaml, reasons, rounds
from mlcheck.suites.registry import SUITES

SHIPPED = [(suite, name) for suite in SUITES for name in rounds(suite)]


@pytest.fixture
def rules(scratch: Path) -> Path:
    """Return a folder of rules that holds v5.1 alone."""
    (scratch / "inference").mkdir()
    shutil.copy(resources.rules_root() / "inference/v5.1.yaml", scratch / "inference")
    return scratch


def child(rules: Path, text: str, name: str = "v9.0") -> None:
    head = f"ruleset: {{suite: inference, round: {name}, status: draft}}\n"
    (rules / f"inference/{name}.yaml").write_text(head + text, encoding="utf-8")


LONGER = """
extends: v5.1
changes:
  - {op: replace, path: /limits/min_duration_ms, was: 600000, value: 900000, why: "a test"}
"""


@pytest.mark.parametrize(("suite", "name"), SHIPPED)
def test_shipped_rounds_resolve(suite: str, name: str) -> None:
    ruleset = load(suite, name)
    facts = SUITES[suite].facts(ruleset)
    assert facts.round == name
    assert set(ruleset.weights) == {rule.id for rule in SUITES[suite].rules}


def test_rounds_are_sorted_by_number(rules: Path) -> None:
    for name in ("v10.0", "v5.10", "v5.2"):
        child(rules, LONGER, name)
    assert rounds("inference", rules) == ("v5.1", "v5.2", "v5.10", "v10.0")


def test_a_child_differs_by_its_changes_alone(rules: Path) -> None:
    child(rules, LONGER)
    old, new = load("inference", "v5.1", rules), load("inference", "v9.0", rules)
    assert differences(dict(old.document), dict(new.document)) == [
        ("/limits/min_duration_ms", 600000, 900000)
    ]
    assert (new.round, new.status) == ("v9.0", "draft")
    assert old.sha256 != new.sha256
    assert reasons("inference", "v9.0", rules) == {"/limits/min_duration_ms": "a test"}


def test_the_hash_is_that_of_the_content(rules: Path) -> None:
    file = rules / "inference/v5.1.yaml"
    file.write_text("# a comment\n" + file.read_text(encoding="utf-8"), encoding="utf-8")
    assert load("inference", "v5.1", rules).sha256 == load("inference", "v5.1").sha256


def test_a_grandchild(rules: Path) -> None:
    child(rules, LONGER)
    child(rules, LONGER.replace("v5.1", "v9.0").replace("00000", "00001", 1), "v9.1")
    with pytest.raises(RulesetError, match=r"v9\.1\.yaml.* was 900000, not 600001"):
        load("inference", "v9.1", rules)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LONGER.replace("min_duration_ms", "min_duraton_ms"), "is not there"),
        (LONGER.replace("was: 600000", "was: 60000"), "was 600000, not 60000"),
        (LONGER.replace(', why: "a test"', ""), r"changes\[0\]"),
        (LONGER.replace("op: replace", "op: raplace"), r"changes\[0\]"),
        (LONGER.replace("extends: v5.1", "extends: v4.0"), "no rules for inference v4.0"),
        (LONGER.replace("extends: v5.1", "extends: v9.0"), "extends itself"),
        (LONGER.replace("value: 900000", "value: soon"), "min_duration_ms"),
        (LONGER.replace("value: 900000", "value: -1"), "min_duration_ms"),
        (LONGER + "extra: 1\n", "extra"),
        (LONGER + "extends: v5.1\n", "key 'extends' is there twice"),
        ("extends: v5.1\n", "changes"),
        ("limits: {}\n", "is a required property"),
    ],
)
def test_a_round_that_is_wrong(rules: Path, text: str, message: str) -> None:
    child(rules, text)
    with pytest.raises(RulesetError, match=message):
        load("inference", "v9.0", rules)


def test_a_circle_of_rounds(rules: Path) -> None:
    child(rules, LONGER.replace("extends: v5.1", "extends: v9.1"), "v9.0")
    child(rules, LONGER.replace("extends: v5.1", "extends: v9.0"), "v9.1")
    with pytest.raises(RulesetError, match=r"v9\.0 -> v9\.1 -> v9\.0"):
        load("inference", "v9.0", rules)


@pytest.mark.parametrize(
    "head",
    [
        "",
        "ruleset: {suite: training, round: v9.0, status: draft}\n",
        "ruleset: {suite: inference, round: v9.1, status: draft}\n",
    ],
)
def test_a_file_that_says_it_is_another(rules: Path, head: str) -> None:
    (rules / "inference/v9.0.yaml").write_text(head + LONGER, encoding="utf-8")
    with pytest.raises(RulesetError, match=r"says it is"):
        load("inference", "v9.0", rules)


def test_a_round_that_nobody_knows_names_those_known(rules: Path) -> None:
    with pytest.raises(RulesetError, match=r"no rules for inference v7\.0; known rounds: v5\.1"):
        load("inference", "v7.0", rules)


@pytest.mark.parametrize("name", ["../inference/v5.1", "", "v5.1.yaml"])
def test_a_round_is_no_path(rules: Path, name: str) -> None:
    with pytest.raises(RulesetError):
        load("inference", name, rules)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: 2\na: 3\n", "line 3: key 'a' is there twice"),
        ("a: {b: 1, b: 2}\n", "key 'b' is there twice"),
        ("a: [1\n", "file"),
        ("- 1\n", "not a mapping"),
        ("", "not a mapping"),
        ("a: !!python/object/apply:os.getcwd []\n", "could not determine a constructor"),
    ],
)
def test_yaml_that_is_refused(scratch: Path, text: str, message: str) -> None:
    (scratch / "file").write_text(text, encoding="utf-8")
    with pytest.raises(RulesetError, match=message):
        read_yaml(scratch / "file")
