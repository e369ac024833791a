"""Profiles and stages on trees: what is let pass is counted, what is not run is said."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from mlcheck.settings.files import built_in
from tests.command_line import FINDINGS, PASS, USAGE, run

MANDATORY = ("CMP103", "INF305", "INF307", "INF308", "INF330", "INF504")  # that the example breaks


def test_scc_lets_short_runs_pass_and_counts_them(broken_example: Path) -> None:
    made = run("verify", broken_example, "--profile", "scc")
    assert made.exit_code == FINDINGS
    assert "INF311 min-duration" not in made.stdout
    assert "waiver of INF311 at **: lets 1 finding pass" in made.stdout
    assert "INF504 quality-below-target" in made.stdout


def test_review_fails_on_warnings(tree: Path) -> None:
    (tree / "preview").mkdir()
    (tree / "preview/notes.md").write_text("later")
    plain = run("verify", tree)
    assert plain.exit_code == PASS, plain.stdout
    assert "warning GEN002" in plain.stdout
    assert run("verify", tree, "--profile", "review").exit_code == FINDINGS


def test_tolerated_rules_do_not_fail(broken_example: Path) -> None:
    options = ["--tolerate", "INF,CMP,SYS,GEN", "--ignore", ",".join(MANDATORY)]
    made = run("verify", broken_example, *options)
    assert made.exit_code == PASS, made.output
    assert f"{14 - len(MANDATORY)} waived" in made.stdout
    assert run("verify", broken_example, *options, "--gate", "official").exit_code == FINDINGS
    assert run("verify", broken_example, "--tolerate", "XYZ").exit_code == USAGE


def test_mandatory_rules_are_not_tolerated(broken_example: Path, scratch: Path) -> None:
    made = run("verify", broken_example, "--tolerate", "INF,CMP,SYS,GEN")
    assert made.exit_code == FINDINGS
    assert all(f"error {rule}" in made.stdout for rule in MANDATORY)
    assert f"; {14 - len(MANDATORY)} waived" in made.stdout
    for rule in MANDATORY[:2]:
        named = run("verify", broken_example, "--tolerate", rule)
        assert named.exit_code == USAGE
        assert f"{rule} is mandatory: " in named.stderr
    (scratch / "mlcheck.toml").write_text('[profiles.scc.tolerate]\nINF504 = "close enough"\n')
    config: list[str | Path] = ["--config", scratch / "mlcheck.toml", "--profile", "scc"]
    assert "INF504 is mandatory" in run("verify", broken_example, *config).stderr


def test_profiles_say_why(broken_example: Path, scratch: Path) -> None:
    for profile in built_in().values():
        given = profile.values.get("tolerate", {})
        assert isinstance(given, dict), profile.name
        assert all(len(reason.split()) > 3 for reason in given.values())
    made = run("verify", broken_example, "--profile", "scc")
    assert "runs are short, as teams share hours of one machine" in made.stdout
    assert "error CMP103" in made.stdout
    (scratch / "mlcheck.toml").write_text('[tolerate]\nGEN009 = "a name of the partner"\n')
    made = run("verify", broken_example, "--config", scratch / "mlcheck.toml")
    assert "a name of the partner" in made.stdout
    (scratch / "mlcheck.toml").write_text("[tolerate]\nGEN009 = 1\n")
    made = run("verify", broken_example, "--config", scratch / "mlcheck.toml")
    assert made.exit_code == USAGE
    assert "tolerate must be texts, or a table of texts with reasons" in made.stderr


def test_a_half_built_tree(tree: Path) -> None:
    acme = tree / "closed/Acme"
    shutil.rmtree(acme / "compliance")
    shutil.rmtree(acme / "measurements")
    shutil.rmtree(acme / "documentation")
    shutil.rmtree(acme / "results/acme-dc-8x/retinanet/Server")
    assert run("verify", tree).exit_code == FINDINGS
    for options in (["--stage", "performance"], ["--partial"]):
        made = run("verify", tree, *options)
        assert made.exit_code == PASS, made.stdout
        assert "not run: " in made.stdout
    document = json.loads(run("verify", tree, "--partial", "--format", "json").stdout)
    assert {"CMP101", "INF204", "INF101"} <= {one["rule"] for one in document["not_run"]}


def test_a_stage_still_sees_what_is_wrong(tree: Path) -> None:
    log = tree / "closed/Acme/results/acme-edge-1x/resnet50/Offline/performance/run_1"
    detail = log / "mlperf_log_detail.txt"
    detail.write_text(detail.read_text().replace('"value": "VALID"', '"value": "INVALID"'))
    text = tree / "closed/Acme/compliance/acme-edge-1x/resnet50/Offline/TEST01"
    (text / "verify_performance.txt").write_text("TEST FAIL")
    performance = run("verify", tree, "--stage", "performance")
    assert "INF306" in performance.stdout
    assert "CMP103" not in performance.stdout
    audit = run("verify", tree, "--stage", "audit").stdout
    assert "CMP103" in audit
    assert "not yet at stage audit" in audit
    assert "not yet at stage" not in run("verify", tree, "--stage", "final").stdout
    assert "CMP103" in run("verify", tree, "--partial").stdout
