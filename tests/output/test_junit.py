"""JUnit: as Jenkins' schema says; a case fails where the gate fails."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
import xmlschema

from mlcheck.judge import internal_error
from mlcheck.model import Official, Report, Severity
from mlcheck.output.junit import junit_report
from mlcheck.output.summary import Gate, summarise
from tests.output.reports import finding


def failures(report: Report, gate: Gate) -> int:
    root = Xml.fromstring(junit_report(report, gate=gate))
    found = len(list(root.iter("failure")))
    assert root.get("failures") == str(found)
    assert root.get("tests") == str(len(list(root.iter("testcase"))))
    return found


@pytest.mark.schemas
@pytest.mark.parametrize("name", ["broken", "clean", "hostile"])
def test_the_schema_accepts_it(
    name: str, request: pytest.FixtureRequest, junit_schema: Path
) -> None:
    schema = xmlschema.XMLSchema(junit_schema)
    text = junit_report(request.getfixturevalue(name))
    schema.validate(text)
    with pytest.raises(xmlschema.XMLSchemaValidationError):
        schema.validate(text.replace("<testcase name", "<testcase noname"))


@pytest.mark.parametrize("gate", list(Gate))
@pytest.mark.parametrize("name", ["broken", "clean"])
def test_it_fails_exactly_if_the_gate_does(
    name: str, gate: Gate, request: pytest.FixtureRequest
) -> None:
    report = request.getfixturevalue(name)
    assert (failures(report, gate) > 0) == (summarise(report).exit_code(gate) == 1)


@pytest.mark.parametrize("gate", list(Gate))
@pytest.mark.parametrize("severity", [Severity.ERROR, Severity.WARNING, Severity.NOTE])
@pytest.mark.parametrize("official", list(Official))
@pytest.mark.parametrize("about", ["result", "package", "nothing"])
@pytest.mark.parametrize("state", ["open", "waived", "known"])
def test_every_kind_of_finding(
    clean: Report, gate: Gate, severity: Severity, official: Official, about: str, state: str
) -> None:
    one = finding(
        severity=severity,
        official=official,
        voids=about == "result",
        results=() if about == "nothing" else (clean.results[0].id,),
        waived="why" if state == "waived" else None,
        known=state == "known",
    )
    report = replace(clean, findings=(one,))
    assert failures(report, gate) == (summarise(report).exit_code(gate) == 1)


def test_every_result_is_a_case_of_its_system(broken: Report) -> None:
    root = Xml.fromstring(junit_report(broken))
    cases = {
        (suite.get("name"), case.get("name"))
        for suite in root
        for case in suite
        if suite.get("name") != "submission"
    }
    assert cases == {
        (f"{r.division}/{r.submitter}/{r.system}", f"{r.benchmark_raw}/{r.scenario}")
        for r in broken.results
    }


def test_a_bug_of_ours_is_an_error_and_no_failure(clean: Report) -> None:
    try:
        raise ValueError("x")
    except ValueError as err:
        bug = internal_error(err, "closed", ())
    root = Xml.fromstring(junit_report(replace(clean, findings=(bug,))))
    assert (root.get("errors"), root.get("failures")) == ("1", "0")
