"""Rules are run over subjects, ranked by the rule file, and survive our own bugs."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

import pytest

from mlcheck.judge import INTERNAL_ERROR, Judged, Subject, judge
from mlcheck.model import Official, Severity
from mlcheck.overlay import RulesetError
from mlcheck.rules import Check, Flaw, Judgement, Rule, Scope, Unjudged, catalogue
from mlcheck.ruleset import Ruleset, Weight


def ruleset(severity: Severity = Severity.ERROR, official: Official = Official.ERROR) -> Ruleset:
    return Ruleset(
        suite="test",
        round="v1",
        status="draft",
        document=MappingProxyType({}),
        weights={"TST001": Weight(severity, official)},
        sha256="0",
    )


def rule(check: Check, official: Check | None = None, **more: Any) -> Rule:
    return Rule(
        id="TST001",
        name="test",
        scope=Scope.RESULT,
        why="Why.",
        fix="Fix.",
        policy="document#section",
        check=check,
        official_check=official,
        **more,
    )


SUBJECT = Subject(scope=Scope.RESULT, value="value", path="folder", results=("r1", "r2"))


def judged(
    check: Check, official: Check | None = None, rules: Ruleset | None = None, **more: Any
) -> Judged:
    return judge([SUBJECT], [rule(check, official, **more)], None, rules or ruleset())


def finds(*judgements: Judgement) -> Check:
    def check(_: Any, __: Any) -> Iterator[Judgement]:
        yield from judgements

    return check


A = Flaw(path="a", message="a is wrong", line=3, expected="1", actual="2", hint="mend it")
B = Flaw(path="b", message="b is wrong")


def weights(found: Judged) -> list[tuple[str, str, str]]:
    return [(finding.path, finding.severity, finding.official) for finding in found.findings]


def test_a_flaw_becomes_a_finding_about_all_results_of_its_subject() -> None:
    (finding,) = judged(finds(A)).findings
    assert (finding.rule, finding.name, finding.policy) == ("TST001", "test", "document#section")
    assert (finding.path, finding.line, finding.message) == ("a", 3, "a is wrong")
    assert (finding.expected, finding.actual, finding.hint) == ("1", "2", "mend it")
    assert finding.results == ("r1", "r2")
    assert finding.voids


def test_a_flaw_may_concern_fewer_results() -> None:
    narrow = Flaw(path="a", message="wrong", results=("r2",))
    assert judged(finds(narrow)).findings[0].results == ("r2",)
    assert judged(finds(Flaw(path="a", message="wrong", results=()))).findings[0].results == ()


def test_ids_depend_on_what_and_where_but_not_on_the_round() -> None:
    (one,) = judged(finds(A)).findings
    (other,) = judged(finds(A), rules=ruleset(Severity.WARNING, Official.NONE)).findings
    (elsewhere,) = judged(finds(B)).findings
    assert one.id == other.id
    assert one.id != elsewhere.id


@pytest.mark.parametrize(
    ("official", "expected"),
    [
        (None, [("a", "error", "error"), ("b", "error", "error")]),
        (finds(A, B), [("a", "error", "error"), ("b", "error", "error")]),
        (finds(B), [("a", "error", "none"), ("b", "error", "error")]),
        (finds(), [("a", "error", "none"), ("b", "error", "none")]),
    ],
    ids=["no check of its own", "the same", "one of two", "none"],
)
def test_the_official_tool_may_refuse_less(
    official: Check | None, expected: list[tuple[str, str, str]]
) -> None:
    assert weights(judged(finds(A, B), official)) == expected


def test_what_the_official_tool_alone_refuses_is_a_note() -> None:
    assert weights(judged(finds(A), finds(A, B))) == [
        ("a", "error", "error"),
        ("b", "note", "error"),
    ]


def test_the_official_check_is_not_asked_where_the_tool_does_not_look() -> None:
    found = judged(finds(A), finds(A, B), ruleset(official=Official.NONE))
    assert weights(found) == [("a", "error", "none")]


def test_one_flaw_is_found_once_by_a_rule() -> None:
    assert len(judged(finds(A, A)).findings) == 1


def test_a_rule_that_is_off_is_not_run() -> None:
    found = judged(fails(ZeroDivisionError()), rules=ruleset(Severity.OFF))
    assert found == Judged((), ())


def test_a_rule_sees_subjects_of_its_scope_only() -> None:
    other = Subject(scope=Scope.SYSTEM, value="value", path="folder", results=())
    assert judge([other], [rule(finds(A))], None, ruleset()).findings == ()


@pytest.mark.parametrize(("skipped", "outcome"), [(True, "skipped"), (False, "not-evaluable")])
def test_no_verdict_is_recorded_per_result(skipped: bool, outcome: str) -> None:
    found = judged(finds(Unjudged("no evidence", skipped=skipped)))
    assert [(o.rule, o.result, o.outcome, o.reason) for o in found.outcomes] == [
        ("TST001", "r1", outcome, "no evidence"),
        ("TST001", "r2", outcome, "no evidence"),
    ]


def test_no_verdict_about_no_result_is_recorded_by_path() -> None:
    place = Subject(scope=Scope.RESULT, value="value", path="folder", results=())
    (outcome,) = judge([place], [rule(finds(Unjudged("why")))], None, ruleset()).outcomes
    assert outcome.result == "folder"


def fails(error: Exception, *first: Judgement) -> Check:
    def check(_: Any, __: Any) -> Iterator[Judgement]:
        yield from first
        raise error

    return check


def test_a_bug_in_a_check_is_a_finding_that_voids_nothing() -> None:
    found = judged(fails(ZeroDivisionError("1/0"), A)).findings
    assert {finding.rule for finding in found} == {"TST001", INTERNAL_ERROR}
    (bug,) = (finding for finding in found if finding.rule == INTERNAL_ERROR)
    assert bug.message == "internal error in TST001: ZeroDivisionError"
    assert bug.actual is not None
    assert "1/0" in bug.actual
    assert "test_judge.py:" in bug.actual
    assert (bug.path, bug.official, bug.voids) == ("folder", Official.NONE, False)


def test_a_bug_in_an_official_check_leaves_the_policy_verdict() -> None:
    found = judged(finds(A), fails(KeyError("x"))).findings
    assert {finding.rule for finding in found} == {"TST001", INTERNAL_ERROR}


def test_after_a_bug_the_other_rules_go_on() -> None:
    rules = [rule(fails(RecursionError())), rule(finds(A))]
    found = judge([SUBJECT, SUBJECT], rules, None, ruleset()).findings
    assert [finding.rule for finding in found] == [INTERNAL_ERROR, "TST001"] * 2


def test_a_wrong_rule_file_is_no_finding() -> None:
    with pytest.raises(RulesetError, match="metric"):
        judged(fails(RulesetError("metric")))


def test_a_rule_without_weight_is_our_mistake() -> None:
    rules = Ruleset(suite="test", round="v1", status="draft", document={}, weights={}, sha256="0")
    with pytest.raises(RulesetError, match="how grave TST001 is"):
        judged(finds(A), rules=rules)


def test_ids_and_names_of_rules_are_unique() -> None:
    with pytest.raises(ValueError, match="TST001 test is there twice"):
        catalogue([rule(finds()), rule(finds())])
    assert set(catalogue([rule(finds())])) == {"TST001"}
