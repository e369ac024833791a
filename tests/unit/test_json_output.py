"""The report as JSON."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mlcheck import resources
from mlcheck.model import Report
from mlcheck.output.json_report import json_report
from mlcheck.output.summary import Gate, summarise
from tests import case_files
from tests.trees import verified

SCHEMA = resources.data_root() / "schemas/report.schema.json"


def document(report: Report) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(json_report(report))
    return made


def valid(made: dict[str, Any]) -> None:
    if SCHEMA.is_file():
        Draft202012Validator(resources.schema("report")).validate(made)


@pytest.mark.parametrize("name", ["inference-v5.1", "inference-v5.1-broken", "OK-power-measured"])
def test_reports_are_as_the_schema_says(scratch: Path, name: str) -> None:
    case_files.build(name, scratch / "tree")
    valid(document(verified(scratch / "tree")))


def test_all_of_a_report_is_there(broken_example: Path) -> None:
    report = verified(broken_example)
    made = document(report)
    assert [one["id"] for one in made["results"]] == [result.id for result in report.results]
    assert [one["id"] for one in made["findings"]] == [one.id for one in report.findings]
    assert made["rulesets"][0]["sha256"] == report.rulesets[0].sha256
    assert made["summary"]["findings"] == {
        severity: sum(one.severity == severity for one in report.findings)
        for severity in ("error", "warning", "note")
    }
    assert made["summary"]["valid"] == sum(one["verdict"] == "valid" for one in made["results"])
    assert (made["summary"]["verdict"], made["summary"]["official_verdict"]) == ("fail", "fail")


def test_the_same_tree_gives_the_same_bytes(broken_example: Path) -> None:
    assert json_report(verified(broken_example)) == json_report(verified(broken_example))


def test_an_empty_report(scratch: Path) -> None:
    (scratch / "closed").mkdir()
    made = document(verified(scratch))
    valid(made)
    assert (made["summary"]["verdict"], made["results"]) == ("empty", [])


def test_names_that_are_no_text(tree: Path) -> None:
    acme = os.fsencode(tree / "closed/Acme/code/resnet50/acmert")
    with open(os.path.join(acme, b"caf\xe9"), "wb"):
        pass
    made = document(verified(tree))
    valid(made)
    assert [one["rule"] for one in made["findings"]] == ["GEN010"]


@pytest.mark.parametrize(
    ("name", "gate", "code"),
    [
        ("OK-as-it-is", Gate.POLICY, 0),
        ("OK-as-it-is", Gate.OFFICIAL, 0),
        ("GEN010-control-character", Gate.POLICY, 0),  # a warning
        ("INF312-ended-early", Gate.POLICY, 1),
        ("INF312-ended-early", Gate.OFFICIAL, 0),
        ("SYS005-zero-accelerators", Gate.POLICY, 0),
        ("SYS005-zero-accelerators", Gate.OFFICIAL, 1),
        ("INF204-server-missing", Gate.OFFICIAL, 1),  # the submission is faulty, its results stand
    ],
)
def test_whose_word_decides(scratch: Path, name: str, gate: Gate, code: int) -> None:
    case_files.build(name, scratch / "tree")
    assert summarise(verified(scratch / "tree")).exit_code(gate) == code
