"""One verdict: exit code, last line, JSON and tables say the same of every tree."""

from __future__ import annotations

import importlib
import json
import pkgutil
from pathlib import Path

import pytest

from mlcheck.model import Severity, Verdict
from mlcheck.normalize.tables import rows_of
from mlcheck.output.summary import Gate, summarise
from mlcheck.output.text import text_report
from mlcheck.rules import Scope
from mlcheck.ruleset import load
from mlcheck.suites import inference
from mlcheck.suites.inference.suite import InferenceSuite
from mlcheck.tree import Tree
from tests import case_files
from tests.command_line import FINDINGS, NOTHING, PASS, run
from tests.edits import Delete, Place
from tests.trees import EXAMPLES, ROUND, digest, verified
from tests.voices.made_results import RULE, facts_for

TREES = [
    "CMP101-voice-no-test-at-all",
    "GEN009-space-in-folder-name",
    "INF204-voice-singlestream-alone",
    "INF301-detail-missing",
    "INF311-one-minute",
    "INF317-tokens-not-recorded",
    "INF321-another-loadgen",
    "INF504-below-target",
    "OK-as-it-is",
    "OK-open-below-target",
    "OK-voice-open-alone",
]


@pytest.mark.parametrize("name", TREES)
def test_all_outputs_say_the_same(scratch: Path, name: str) -> None:
    case = case_files.read(name)
    root, written = scratch / "tree", scratch / "report.json"
    case_files.build(name, root)
    before = digest(root)
    made = run("verify", root, "--output", f"json={written}")
    assert digest(root) == before
    fails = any(": error/" in line for line in case.lines)
    assert made.exit_code == (FINDINGS if fails else PASS)
    assert made.stdout.splitlines()[-1].startswith("FAIL: " if fails else "PASS: ")
    summary = json.loads(written.read_text())["summary"]
    assert summary["verdict"] == ("fail" if fails else "pass")
    official = run("verify", root, "--gate", "official").exit_code
    assert official == (summary["official_verdict"] == "fail")


@pytest.mark.parametrize("name", TREES)
def test_totals_are_sums_of_one_list(scratch: Path, name: str) -> None:
    case_files.build(name, scratch / "tree")
    report = verified(scratch / "tree")
    summary, tables = summarise(report), rows_of(report, lambda _: None)
    assert len(tables["results"]) == summary.results
    for column, total in (
        ("results", summary.results),
        ("valid", summary.valid),
        ("official_valid", summary.official_valid),
    ):
        assert sum(row[column] for row in tables["submissions"]) == total
    valid = [result for result in report.results if result.verdict is Verdict.VALID]
    assert len(valid) == summary.valid
    assert f"{summary.valid} of {summary.results} result" in text_report(report)[-1].text


def test_warnings_alone_are_no_failure(scratch: Path) -> None:
    case_files.build("INF321-another-loadgen", scratch / "tree")
    report = verified(scratch / "tree")
    assert {finding.severity for finding in report.findings} == {Severity.WARNING}
    codes = {gate: summarise(report).exit_code(gate) for gate in Gate}
    assert codes == {Gate.POLICY: PASS, Gate.OFFICIAL: PASS, Gate.WARNING: FINDINGS}


def test_a_report_names_the_rules_it_was_made_by(example: Path) -> None:
    made = json.loads(run("verify", example, "--format", "json").stdout)
    assert load("inference", ROUND).sha256 in json.dumps(made)


def test_compliance_tests_may_come_later(tree: Path) -> None:
    Delete(path="compliance").apply(Place(tree, "closed/Acme"))
    assert run("verify", tree).exit_code == FINDINGS
    assert run("verify", tree, "--ignore", "CMP").exit_code == PASS


def test_every_check_is_part_of_the_suite_and_has_a_subject() -> None:
    modules = [
        importlib.import_module(f"{inference.__name__}.{module.name}")
        for module in pkgutil.iter_modules(inference.__path__)
        if module.name.startswith("checks_")
    ]
    assert {rule.id for module in modules for rule in getattr(module, "RULES", ())} == {*RULE}
    root = EXAMPLES / "inference-v5.1-power"
    suite, tree, facts = InferenceSuite(), Tree(str(root)), facts_for(ROUND)
    batches = [suite.read(tree, place, facts) for place in suite.places(tree, facts, None)]
    scopes = {subject.scope for batch in batches for subject in batch.subjects}
    results = [result for batch in batches for result in batch.results]
    scopes.add(suite.package(tree, facts, None, results, ()).scope)
    scopes.add(Scope.ENDPOINTS)  # of later rounds, see tests/endpoints
    assert scopes == {rule.scope for rule in RULE.values()}


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("", ["--submitter", "Acmee"]),
        ("closed", []),
        ("closed/Acme", []),
        ("closed/Acme/results", []),
        ("open/Borealis/code", []),
    ],
)
def test_nothing_to_check_is_no_success(example: Path, path: str, words: list[str]) -> None:
    for gate in Gate:
        made = run("verify", example / path, *words, "--gate", gate)
        assert made.exit_code == NOTHING
        assert "PASS" not in made.output


def test_an_empty_folder_is_no_success(scratch: Path) -> None:
    assert run("verify", scratch).exit_code == NOTHING
    (scratch / "closed/ADifferentName").mkdir(parents=True)
    assert run("verify", scratch, "--submitter", "Acme").exit_code == NOTHING


def test_a_submitter_that_is_not_there_is_told_those_that_are(example: Path) -> None:
    made = run("verify", example, "--submitter", "Acmee")
    assert "Borealis" in made.output
    assert "Acme" in made.output.replace("Acmee", "")
