"""Waivers: they let pass what they name, and are findings where they do not hold."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlcheck.gate.baseline import apply_baseline, baseline_of
from mlcheck.gate.facts import gate_facts
from mlcheck.gate.waivers import WaiverFile, apply_waivers, glob_pattern, read_waivers
from mlcheck.model import Official, Report, Severity, Verdict, Waiver
from mlcheck.output.summary import Gate, summarise
from mlcheck.overlay import RulesetError
from mlcheck.settings.keys import SettingsError, Stage
from mlcheck.suites.registry import SUITES
from tests import case_files
from tests.command_line import FINDINGS, PASS, USAGE, run
from tests.trees import verified

TODAY = datetime.date(2026, 6, 15)
HERE = "closed/Acme/**"
TEXT = """\
waivers:
  - rule: {rule}
    path: {path}
    reason: the chair knows
    approver: results chair
    expires: {expires}
"""


def waiver(rule: str, path: str = HERE, expires: str = "2026-12-31") -> Waiver:
    return Waiver(rule=rule, path=path, reason="why", approver="who", expires=expires)


def through(report: Report, *waivers: Waiver, whole: bool = True) -> Report:
    return apply_waivers(report, WaiverFile("/w/waivers.yaml", waivers), TODAY, whole=whole)


@pytest.fixture(scope="module")
def gated_report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Return a report with one finding that voids a result: user.conf is missing."""
    root = tmp_path_factory.mktemp("tree") / "tree"
    case_files.build("INF102-user-conf-missing", root)
    report = verified(root)
    assert {finding.rule for finding in report.findings} == {"INF102"}
    return report


def test_a_waiver_lets_a_result_stand_by_the_policy_alone(gated_report: Report) -> None:
    made = through(gated_report, waiver("INF102"))
    assert {result.verdict for result in made.results} == {Verdict.VALID}
    assert Verdict.INVALID in {result.official_verdict for result in made.results}
    summary = summarise(made)
    assert (summary.exit_code(Gate.POLICY), summary.exit_code(Gate.OFFICIAL)) == (PASS, FINDINGS)
    assert summary.waived == len(gated_report.findings)
    assert [f.id for f in made.findings] == [f.id for f in gated_report.findings]
    assert made.waivers[0].findings == tuple(f.id for f in made.findings)
    assert made.findings[0].waived == "why (who, until 2026-12-31)"


@pytest.mark.parametrize(
    ("given_", "rule", "severity"),
    [
        (waiver("INF102", expires="2026-06-14"), "MLC002", Severity.ERROR),
        (waiver("INF102", path="open/**"), "MLC003", Severity.WARNING),
        (waiver("INF999"), "MLC004", Severity.ERROR),
        (waiver("INF504"), "MLC005", Severity.ERROR),
        (waiver("MLC002"), "MLC005", Severity.ERROR),
        (waiver("TRN001"), "MLC003", Severity.WARNING),
    ],
)
def test_where_a_waiver_does_not_hold(
    gated_report: Report, given_: Waiver, rule: str, severity: Severity
) -> None:
    made = through(gated_report, given_)
    (own,) = (finding for finding in made.findings if finding.rule.startswith("MLC"))
    assert (own.rule, own.severity, own.official) == (rule, severity, Official.NONE)
    assert summarise(made).exit_code(Gate.POLICY) == FINDINGS
    assert all(finding.waived is None for finding in made.findings)


def test_it_holds_on_its_last_day(gated_report: Report) -> None:
    made = through(gated_report, waiver("INF102", expires="2026-06-15"))
    assert summarise(made).exit_code(Gate.POLICY) == PASS


def test_one_without_use_says_nothing_if_not_all_was_run(gated_report: Report) -> None:
    made = through(gated_report, waiver("GEN001"), whole=False)
    assert [f.rule for f in made.findings] == ["INF102"] * len(made.findings)


@pytest.mark.parametrize(
    ("glob", "path", "fits"),
    [
        ("closed/*/systems/a.json", "closed/Acme/systems/a.json", True),
        ("closed/*", "closed/Acme/systems", False),
        ("closed/**", "closed/Acme/systems", True),
        ("closed/**/a.json", "closed/a.json", True),
        ("closed/**/a.json", "closed/b/c/a.json", True),
        ("closed/**/a.json", "closed/ba.json", False),
        ("closed/a?c", "closed/abc", True),
        ("closed/a?c", "closed/a/c", False),
        ("closed/a.c", "closed/abc", False),
        ("closed/[a]", "closed/[a]", True),
        ("**", "", True),
        ("*", "a\nb", True),
    ],
)
def test_globs(glob: str, path: str, fits: bool) -> None:
    import re

    assert bool(re.fullmatch(glob_pattern(glob), path, re.DOTALL)) is fits


@given(glob=st.text("a*?/[.", max_size=12), path=st.text("ab/.[\n", max_size=12))
def test_any_glob_is_a_pattern(glob: str, path: str) -> None:
    import re

    assert re.fullmatch(glob_pattern(path), path)
    re.fullmatch(glob_pattern(glob), path)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "waivers: 1",
        "waivers: [1]",
        "waivers:\n  - rule: INF1\n    path: a",
        TEXT.format(rule="INF1", path="a", expires="2026-01-01"),
        TEXT.format(rule="INF102", path="a", expires="2026-13-01"),
        TEXT.format(rule="INF102", path="a", expires="soon"),
        TEXT.format(rule="INF102", path='""', expires="2026-01-01"),
        TEXT.format(rule="INF102", path="a", expires="2026-01-01") + "    why: not\n",
        TEXT.format(rule="INF102", path="a", expires="2026-01-01").replace("results chair", '" "'),
        "a: [",
        "[" * 5000,
        "waivers: []\nwaivers: []",
    ],
)
def test_a_file_that_is_none(scratch: Path, example: Path, text: str) -> None:
    file = scratch / "waivers.yaml"
    file.write_text(text)
    with pytest.raises(SettingsError):
        read_waivers(str(file))
    made = run("verify", example, "--waivers", file)
    assert made.exit_code == USAGE
    assert "waivers.yaml" in made.stderr


def test_lines_of_a_file(scratch: Path) -> None:
    one = TEXT.format(rule="INF102", path="a", expires="2026-01-01")
    file = scratch / "waivers.yaml"
    file.write_text("# ours\n" + one + "\n" + one.partition("\n")[2])
    assert [waiver.line for waiver in read_waivers(str(file)).waivers] == [3, 9]


def test_on_the_command_line_every_format_lists_them(scratch: Path) -> None:
    case_files.build("INF102-user-conf-missing", scratch / "tree")
    file = scratch / "waivers.yaml"
    file.write_text(TEXT.format(rule="INF102", path="closed/**", expires="9000-01-01"))
    words = ["verify", str(scratch / "tree"), "--waivers", str(file)]
    made = run(*words)
    assert made.exit_code == PASS, made.stdout
    assert run(*words, "--gate", "official").exit_code == FINDINGS
    for kind in ("text", "json", "sarif", "junit", "github", "markdown"):
        assert "the chair knows" in run(*words, "--format", kind).stdout, kind
    document = json.loads(run(*words, "--format", "json").stdout)
    assert document["waivers"][0]["findings"] == [document["findings"][0]["id"]]


def test_the_place_of_a_waiver_is_its_line_in_its_file(scratch: Path) -> None:
    case_files.build("INF102-user-conf-missing", scratch / "tree")
    file = scratch / "waivers.yaml"
    file.write_text(TEXT.format(rule="INF504", path="'**'", expires="9000-01-01"))
    made = run("verify", scratch / "tree", "--waivers", file)
    assert made.exit_code == FINDINGS
    assert "../waivers.yaml:2" in made.stdout


@pytest.mark.parametrize("suite", list(SUITES))
def test_what_a_gate_makes_of_the_rules_is_stated(suite: str) -> None:
    facts = gate_facts(suite)
    assert facts.mandatory
    assert set(facts.later) == set(Stage)
    assert set(facts.later[Stage.AUDIT]) < set(facts.later[Stage.PERFORMANCE])


def test_a_gate_file_that_names_no_rule(scratch: Path) -> None:
    (scratch / "training").mkdir()
    with pytest.raises(RulesetError, match="no file says"):
        gate_facts("training", scratch)
    text = "mandatory: {TRN999: x}\nstages: {audit: [], final: []}\nabsence: []\nrun: []\n"
    (scratch / "training/gate.yaml").write_text(text)
    with pytest.raises(RulesetError, match="no rule is or begins with TRN999"):
        gate_facts("training", scratch)


def test_the_first_of_two_waivers_is_the_one_that_holds(gated_report: Report) -> None:
    first = waiver("INF102")
    second = Waiver(
        rule="INF102", path=HERE, reason="too", approver="other", expires="2026-12-31", line=9
    )
    made = through(gated_report, first, second)
    assert {f.waived for f in made.findings if f.rule == "INF102"} == {first.words}
    assert [(f.rule, f.line) for f in made.findings if f.rule.startswith("MLC")] == [("MLC003", 9)]
    assert [len(each.findings) for each in made.waivers] == [len(gated_report.findings), 0]


@pytest.mark.parametrize(
    "options",
    [
        ["--stage", "audit"], ["--partial"], ["--submitter", "Acme"], ["--ignore", "GEN017"],
        ["--select", "INF"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_waiver_without_use_is_none_if_only_a_part_was_run(
    scratch: Path, example: Path, options: list[str]
) -> None:
    file = scratch / "waivers.yaml"
    file.write_text(TEXT.format(rule="GEN017", path=HERE, expires="2099-12-31"))
    assert "MLC003" in run("verify", example, "--waivers", file).stdout
    assert "MLC003" not in run("verify", example, "--waivers", file, *options).stdout


def test_a_baseline_knows_nothing_that_people_decide_about(gated_report: Report) -> None:
    made = through(gated_report, waiver("INF102"), waiver("INF999"))
    assert {f.rule for f in made.findings} == {"INF102", "MLC004"}
    assert json.loads(baseline_of(made))["findings"] == []
    known = apply_baseline(made, [f.id for f in made.findings])
    assert {f.rule for f in known.findings if f.known} == {"INF102"}
