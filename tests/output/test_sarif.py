"""SARIF: as its schema says, and as code scanning views read it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest
from jsonschema import Draft7Validator

from mlcheck.model import Official, Report, Severity
from mlcheck.output.sarif import sarif_report, uri
from mlcheck.output.summary import Gate
from tests.output.reports import finding


def run(report: Report, **options: Any) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(sarif_report(report, **options))
    (one,) = document["runs"]
    return dict(one)


@pytest.mark.parametrize("name", ["broken", "clean", "hostile"])
@pytest.mark.parametrize("gate", list(Gate))
def test_the_schema_accepts_it(
    name: str, gate: Gate, request: pytest.FixtureRequest, sarif_schema: dict[str, Any]
) -> None:
    text = sarif_report(request.getfixturevalue(name), gate=gate, most=7, base="sub/folder")
    Draft7Validator(sarif_schema).validate(json.loads(text))
    text.encode()


def test_the_schema_refuses_what_is_none(broken: Report, sarif_schema: dict[str, Any]) -> None:
    document = json.loads(sarif_report(broken))
    document["runs"][0]["results"][0]["level"] = "grave"
    assert list(Draft7Validator(sarif_schema).iter_errors(document))


def test_every_finding_is_a_result_at_its_place(broken: Report) -> None:
    made = run(broken, base="in/here")
    assert len(made["results"]) == len(broken.findings)
    rules = made["tool"]["driver"]["rules"]
    for result, one in zip(made["results"], broken.findings, strict=True):
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == uri(f"in/here/{one.path}")
        assert place.get("region", {"startLine": 0})["startLine"] == one.line
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == one.rule
        assert result["partialFingerprints"] == {"mlcheck/v1": one.id}
        assert one.hint is None or one.hint in result["message"]["text"]


@pytest.mark.parametrize(
    ("severity", "official", "gate", "level"),
    [
        (Severity.ERROR, Official.NONE, Gate.POLICY, "error"),
        (Severity.ERROR, Official.NONE, Gate.OFFICIAL, "note"),
        (Severity.NOTE, Official.SUBMISSION, Gate.OFFICIAL, "error"),
        (Severity.NOTE, Official.ERROR, Gate.POLICY, "note"),
        (Severity.WARNING, Official.WARNING, Gate.POLICY, "warning"),
        (Severity.WARNING, Official.WARNING, Gate.WARNING, "error"),
        (Severity.WARNING, Official.WARNING, Gate.OFFICIAL, "warning"),
    ],
)
def test_the_level_is_what_the_gate_makes_of_it(
    clean: Report, severity: Severity, official: Official, gate: Gate, level: str
) -> None:
    one = finding(severity=severity, official=official)
    (result,) = run(replace(clean, findings=(one,)), gate=gate)["results"]
    assert result["level"] == level


def test_waived_and_known_findings_are_suppressed_and_unchanged(clean: Report) -> None:
    found = (finding(waived="by the chair"), finding(id="2", known=True), finding(id="3"))
    waived, known, new = run(replace(clean, findings=found))["results"]
    assert waived["suppressions"][0]["justification"] == "by the chair"
    assert (known["baselineState"], known["suppressions"]) == ("unchanged", [])
    assert (new["baselineState"], new["suppressions"]) == ("new", [])


def test_the_gravest_are_kept_and_what_is_left_off_is_said(clean: Report) -> None:
    light = tuple(finding(id=str(n), severity=Severity.NOTE) for n in range(5))
    made = run(replace(clean, findings=(*light, finding(id="grave"))), most=2)
    assert made["results"][0]["partialFingerprints"]["mlcheck/v1"] == "grave"
    notes = [n["message"]["text"] for n in made["invocations"][0]["toolExecutionNotifications"]]
    assert "4 findings are left off: --max-findings" in notes


def test_a_path_of_any_bytes_is_a_reference() -> None:
    raw = "caf\udce9/a b/%41?#é:"
    assert uri(raw).isascii()
    assert not set(uri(raw)) & set(" ?#:")
    assert unquote_to_bytes(uri(raw)) == raw.encode("utf-8", "surrogateescape")
    assert uri("") == "."
