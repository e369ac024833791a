"""Annotations: one per rule, all places in groups, and no command that we did not mean."""

from __future__ import annotations

from dataclasses import replace

from mlcheck.model import Report, Severity
from mlcheck.output.github import github_report
from mlcheck.output.summary import Gate
from tests.output.reports import finding


def commands(text: str) -> list[str]:
    """Return the lines that a runner obeys: it trims them, and knows an older notation too."""
    lines = text.splitlines()
    return [line.strip() for line in lines if line.strip().startswith("::") or "##[" in line]


def test_a_rule_is_one_annotation_with_all_places_in_a_group(clean: Report) -> None:
    many = tuple(finding(id=str(n), path=f"closed/Acme/{n}", line=n, hint="do") for n in range(3))
    text = github_report(replace(clean, findings=many), base="in/here")
    annotation, group, end = commands(text)
    assert annotation.startswith("::error file=in/here/closed/Acme/0,title=INF301 name::message")
    assert "3 places" in annotation
    assert (group, end) == ("::group::INF301 name: 3 places", "::endgroup::")
    for one in many:
        assert f"- {one.path}" in text


def test_line_and_level(clean: Report) -> None:
    found = (
        finding(id="1", rule="INF302", severity=Severity.NOTE, line=7),
        finding(id="2", rule="INF301", severity=Severity.WARNING, path=""),
    )
    report = replace(clean, findings=found)
    starts = [c for c in commands(github_report(report)) if not c.startswith("::gr")][::2]
    assert starts[0].startswith("::warning title=INF301 name::")
    assert starts[1].startswith("::notice file=closed/Acme/results/box/bench/Offline,line=7,title=")
    first = commands(github_report(report, gate=Gate.OFFICIAL))[0]
    assert first.startswith("::error ")


def test_hostile_texts_are_no_commands(hostile: Report) -> None:
    text = github_report(hostile, base="a,b:c%")
    kinds = {line.split(" ")[0].split("::")[1] for line in commands(text)}
    assert kinds <= {"error", "warning", "notice", "group", "endgroup"}
    assert not any("##[" in line for line in text.splitlines() if not line.startswith("::"))
    for line in commands(text):
        options = line.split("::")[1].partition(" ")[2]
        assert all("=" in option for option in options.split(",") if option)
        assert "file=a,b" not in options


def test_waived_and_known_are_not_annotated(clean: Report) -> None:
    found = (finding(waived="why"), finding(id="2", known=True))
    assert commands(github_report(replace(clean, findings=found))) == []
    official = commands(github_report(replace(clean, findings=found[:1]), gate=Gate.OFFICIAL))
    assert official[0].startswith("::error ")


def test_the_last_line_is_the_verdict(broken: Report, clean: Report) -> None:
    assert github_report(broken, most=3).splitlines()[-1].startswith("FAIL: 0 of 6")
    assert "11 findings not shown" in github_report(broken, most=3)
    assert github_report(clean).splitlines() == [
        "PASS: 11 of 11 results valid by the policy; official checker: pass, accepts 11"
    ]
