"""The table of what policies demand: it holds every rule, and every rule has a case."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from mlcheck.coverage import demands
from mlcheck.overlay import RulesetError
from mlcheck.suites.registry import SUITES

CASES = Path(__file__).parents[1] / "cases"
RULES = SUITES["inference"].rules


def written(root: Path, *entries: dict[str, object]) -> Path:
    (root / "inference").mkdir()
    (root / "inference" / "coverage.yaml").write_text(yaml.safe_dump({"demands": list(entries)}))
    return root


def demand(**more: object) -> dict[str, object]:
    return {"demand": "A thing is so.", "policy": "some_rules.adoc#section", **more}


@pytest.mark.parametrize("rule", sorted(rule.id for rule in RULES))
def test_every_rule_has_a_case(rule: str) -> None:
    """Rules that the round of the cases does not have are tested in Python."""
    tests = (path.read_text() for path in (CASES.parent / "endpoints").glob("test_*.py"))
    in_python = any(f'"{rule}"' in text for text in tests)
    assert in_python or any(path.is_dir() for path in CASES.glob(f"{rule}-*"))


def test_every_demand_is_judged_or_says_why_not() -> None:
    for entry in demands("inference", RULES):
        assert entry.rules or entry.beyond_files, entry.text


def test_an_unknown_rule_and_a_forgotten_one_are_refused(tmp_path: Path) -> None:
    entries = [demand(rules=[rule.id for rule in RULES[1:]]), demand(rules=["INF999"])]
    with pytest.raises(RulesetError, match="INF999") as err:
        demands("inference", RULES, written(tmp_path, *entries))
    assert RULES[0].id in str(err.value)


@pytest.mark.parametrize("more", [{}, {"rules": []}, {"rules": ["INF1"]}, {"because": "no"}])
def test_a_demand_of_the_wrong_form_is_refused(tmp_path: Path, more: dict[str, object]) -> None:
    with pytest.raises(RulesetError, match="demands"):
        demands("inference", RULES, written(tmp_path, demand(**more)))


def test_a_suite_without_a_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RulesetError, match="no file"):
        demands("inference", RULES, tmp_path)
