"""Commands that show the rules."""

from __future__ import annotations

import pytest
import yaml

from mlcheck.output.rule_text import rule_text
from mlcheck.rules import Rule
from mlcheck.ruleset import load, rounds
from mlcheck.suites.inference.suite import RULES
from tests.command_line import PASS, USAGE, run
from tests.trees import ROUND


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_rule_is_explained(rule: Rule) -> None:
    text = rule_text("inference", rule)
    assert text.startswith(f"{rule.id} {rule.name}\n\n{rule.summary[:20]}")
    assert rule.summary.endswith(".")
    assert rule.why.endswith(".")
    assert rule.fix
    assert all(len(line) <= 100 for line in text.splitlines())


def test_explain_by_id_or_name() -> None:
    by_id, by_name = run("explain", "inf504"), run("explain", "quality-below-target")
    assert by_id.exit_code == PASS
    assert by_id.stdout == by_name.stdout
    head, *_ = by_id.stdout.splitlines()
    assert head == "INF504 quality-below-target"
    for word in (
        "Why: ",
        "Fix: ",
        "Policy: ",
        "Official tool: ",
        "inference v0.5 to v6.1: policy ",
    ):
        assert f"\n{word}" in by_id.stdout


def test_explain_for_one_round() -> None:
    made = run("explain", "INF504", "--round", ROUND)
    assert made.stdout.count("inference v") == 1


@pytest.mark.parametrize("words", [["INF999"], ["INF504", "--round", "v0.1"]], ids=" ".join)
def test_what_cannot_be_explained(words: list[str]) -> None:
    made = run("explain", *words)
    assert (made.exit_code, made.stdout) == (USAGE, "")
    assert made.stderr.startswith("mlcheck: no rule")


def test_list_has_a_line_per_rule() -> None:
    made = run("rules", "list", "--round", ROUND)
    head, *lines = made.stdout.splitlines()
    assert head.startswith(f"inference {ROUND}")
    assert [line.split()[0] for line in lines] == sorted(rule.id for rule in RULES)
    weights = load("inference", ROUND).weights
    for line in lines:
        id_, severity, official, _ = line.split()
        assert (severity, official) == (weights[id_].severity, weights[id_].official)


def test_list_is_of_the_newest_round() -> None:
    assert run("rules", "list").stdout.startswith(f"inference {rounds('inference')[-1]}")


def test_show_prints_what_is_used() -> None:
    made = run("rules", "show", ROUND)
    assert yaml.safe_load(made.stdout) == load("inference", ROUND).document
    assert load("inference", ROUND).sha256 in made.stdout.splitlines()[0]


def test_show_a_part() -> None:
    made = run("rules", "show", ROUND, "/benchmarks/resnet/performance_samples")
    assert yaml.safe_load(made.stdout) == 1024


def test_diff_of_a_round_with_itself() -> None:
    assert (
        run("rules", "diff", ROUND, ROUND).stdout
        == f"inference {ROUND} -> {ROUND}: 0 differences\n"
    )


def test_diff_of_two_rounds() -> None:
    old, new = rounds("inference")[-2:]
    head, *lines = run("rules", "diff", old, new).stdout.splitlines()
    assert head.startswith(f"inference {old} -> {new}: ")
    assert sum(line[0] in "+-~" for line in lines) == int(head.split()[-2])


def test_coverage_names_every_rule() -> None:
    made = run("rules", "coverage")
    assert all(f"  {rule.id} " in made.stdout for rule in RULES)


@pytest.mark.parametrize(
    "words",
    [
        ["show", "v0.1"],
        ["show", ROUND, "/benchmarks/nothing"],
        ["show", ROUND, "/seeds/qsl_rng_seed/x"],
        ["diff", ROUND, "v0.1"],
        ["list", "--round", "v0.1"],
        ["list", "--suite", "knitting"],
        ["show", ROUND, "--suite", "knitting"],
        ["coverage", "--suite", "knitting"],
    ],
)
def test_what_cannot_be_shown(words: list[str]) -> None:
    made = run("rules", *words)
    assert made.exit_code == USAGE
    assert "Traceback" not in made.output
