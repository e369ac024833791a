"""How a rule was judged on a tree, and what a finding says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mlcheck.output.judged_text import examples
from mlcheck.own_rules import OWN_RULES
from mlcheck.suites.registry import SUITES
from tests.command_line import PASS, USAGE, run
from tests.trees import EXAMPLES

BROKEN = EXAMPLES / "inference-v5.1-broken"


def findings(root: Path) -> list[dict[str, object]]:
    document = json.loads(run("verify", root, "--format", "json").stdout)
    return list(document["findings"])


def test_every_finding_is_explained() -> None:
    for one in findings(BROKEN):
        shown = run("explain", str(one["id"]), BROKEN)
        assert shown.exit_code == PASS
        assert shown.stdout.startswith(f"finding {one['id']}\n")
        for name in ("message", "expected", "actual", "hint", "policy", "path"):
            assert one[name] is None or str(one[name]) in shown.stdout
        assert f"\n{one['rule']} {one['name']}\n" in shown.stdout


def test_values_and_thresholds_of_every_result() -> None:
    shown = run("explain", "INF504", BROKEN).stdout
    assert "expected >= 75.6954\n" in shown
    assert "found 74.966\n" in shown
    assert "1 finding about 1 result\n" in shown
    assert "5 results without a flaw" in shown
    assert "mAP 37.352, target >= 37.1745, closed/Acme/results/acme-dc-8x/retinanet" in shown
    assert "latency_p90 0.628022 ms (logged 628022)" in shown
    assert "inference v5.1: policy error" in shown
    assert "inference v5.0" not in shown


def test_what_was_not_judged_is_said() -> None:
    shown = run("explain", "INF342", BROKEN).stdout
    assert "1 result not judged\n" in shown
    assert "skipped, user.conf is missing (INF102)" in shown


def test_gates_that_a_finding_fails() -> None:
    (one,) = (f for f in findings(BROKEN) if f["rule"] == "INF307")
    assert "  fails     policy, warning\n" in run("explain", str(one["id"]), BROKEN).stdout


def test_rules_that_were_not_run(scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(scratch)
    (scratch / "mlcheck.toml").write_text('stage = "performance"')
    shown = run("explain", "CMP103", BROKEN).stdout
    assert "it was not run: not yet at stage performance" in shown


@pytest.mark.parametrize("rule", OWN_RULES.values(), ids=lambda rule: str(rule.id))
def test_rules_of_our_own(rule: object) -> None:
    id_ = getattr(rule, "id", "")
    assert run("explain", id_).stdout.startswith(f"{id_} ")


def test_what_cannot_be_explained() -> None:
    for words in (("0" * 12,), ("0" * 12, BROKEN), ("nothing", BROKEN)):
        made = run("explain", *words)
        assert (made.exit_code, made.stdout) == (USAGE, "")


def test_examples_are_of_rules_that_there_are() -> None:
    known = {rule.id for suite in SUITES.values() for rule in suite.rules}
    assert set(examples()) <= known
    assert len(examples()) > len(known) * 0.9
    assert "Example: The last digit misses" in run("explain", "INF504").stdout
