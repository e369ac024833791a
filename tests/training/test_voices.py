"""Faults that users of other checkers have reported, by the number of the report."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from mlcheck.cli import app
from mlcheck.model import Result, Verdict
from mlcheck.normalize.write import tables_of
from mlcheck.overlay import RulesetError
from mlcheck.ruleset import load, rounds, validate
from mlcheck.suites.training.compliance import breaches
from mlcheck.suites.training.facts import facts_of
from mlcheck.suites.training.log_lines import Event
from mlcheck.suites.training.mllog import Log
from mlcheck.suites.training.rcp_points import Reference, Spread, point_of, pruned
from tests.training import cases
from tests.training.test_cases import found, verified
from tests.training.test_rounds import events
from tests.training.test_rounds import found as breached
from tests.trees import digest


def log(round_: str, benchmark: str, change: Callable[[Event], Event | None]) -> list[str]:
    """Return the keys that a closed log of a benchmark breaks after a change."""
    lines = [new for event in events(round_, "closed", benchmark) if (new := change(event))]
    return [key for key, _ in breached(round_, "closed", benchmark, lines)]


def setting(key: str, value: Any) -> Callable[[Event], Event]:
    return lambda event: event._replace(value=value) if event.key == key else event


def example(root: Path, *edits: dict[str, Any]) -> Path:
    cases.build({"edits": list(edits)}, root)
    return root


def result(root: Path, benchmark: str) -> Result:
    return next(
        r for r in verified(root).results if r.path.startswith("Acme") and r.benchmark == benchmark
    )


def test_v013_names_of_benchmarks_are_not_fused() -> None:
    assert {"gpt_oss_20b", "deepseekv3_671b"} <= set(facts_of(load("training", "v6.0")).benchmarks)


def test_v016_a_round_has_its_own_rule_of_the_first_evaluation() -> None:
    def later(event: Event) -> Event:
        if event.key != "eval_accuracy":
            return event
        return event._replace(metadata={**(event.metadata or {}), "samples_count": 1})

    assert "eval_accuracy" in log("v6.1", "deepseekv3_671b", later)  # V106 too
    assert "eval_accuracy" not in log("v6.0", "deepseekv3_671b", later)


def test_v017_a_learning_rate_scales_with_the_batch() -> None:
    def change(event: Event) -> Event:
        values = {
            "global_batch_size": 4096,
            "opt_base_learning_rate": 0.0002844444444444445,
            "opt_learning_rate_decay_steps": 337500 - 2250,
        }
        return event._replace(value=values.get(event.key, event.value))

    assert log("v5.1", "llama31_405b", change) == []


def test_v019_rounding_of_steps_is_stated() -> None:
    def change(event: Event) -> Event:
        values = {
            "global_batch_size": 1008,
            "opt_base_learning_rate": 8e-5 * 1008 / 1152,
            "opt_learning_rate_decay_steps": 1362287,
        }
        return event._replace(value=values.get(event.key, event.value))

    assert log("v5.1", "llama31_405b", change) == ["opt_learning_rate_decay_steps"]


def test_v020_a_rule_belongs_to_its_benchmark() -> None:
    assert "evaluation_frequency" in log("v5.1", "flux1", setting("evaluation_frequency", 1000))
    assert all(e.key != "evaluation_frequency" for e in events("v5.1", "closed", "llama31_8b"))


def test_v022_fields_are_spelt_as_in_the_template() -> None:
    for name in rounds("training"):
        required = load("training", name).document["system"]["required"]
        if name == "v0.6":  # the form of its descriptions was not published
            assert required == []
            continue
        assert "division" in required
        assert "divison" not in required


def test_v023_a_target_is_what_the_policy_prints() -> None:
    assert log("v1.0", "minigo", setting("eval_accuracy", 0.52)) == []
    assert "eval_accuracy" in log("v1.0", "minigo", setting("eval_accuracy", 0.49))


@pytest.mark.parametrize(
    ("batch", "reached", "policy", "official"),
    [
        (4096, 0.713, False, False),
        (4096, 0.708, True, True),
        (8192, 0.708, True, False),
        (8192, 0.705, True, True),
    ],
)
def test_v023_a_target_that_only_the_official_tool_eases(
    batch: int, reached: float, policy: bool, official: bool
) -> None:
    values = {"global_batch_size": batch, "eval_accuracy": reached}
    lines = [e._replace(value=values.get(e.key, e.value)) for e in events("v0.7", "closed", "bert")]
    made = Log(path="result_0.txt", events=tuple(lines), lines=len(lines))
    facts = facts_of(load("training", "v0.7"))
    told = breaches(made, facts.tables.of("closed", "bert", ""), None)
    assert [(b.key, b.policy, b.official) for b in told] == (
        [("eval_accuracy", policy, official)] if policy or official else []
    )


@pytest.mark.parametrize(
    ("round_", "minutes", "policy", "official"),
    [
        ("v3.0", 29, False, False),
        ("v3.0", 59, False, True),
        ("v3.0", 61, True, True),
        ("v3.1", 31, True, True),
    ],
)
def test_one_round_lets_gpt3_initialise_for_an_hour(
    round_: str, minutes: int, policy: bool, official: bool
) -> None:
    late = {"init_stop": minutes * 60_000}
    lines = [
        e._replace(time_ms=e.time_ms + late.get(e.key, 0)) for e in events(round_, "closed", "gpt3")
    ]
    made = Log(path="result_0.txt", events=tuple(lines), lines=len(lines))
    known = facts_of(load("training", round_))
    told = breaches(made, known.tables.of("closed", "gpt3", ""), known.benchmarks["gpt3"].aggregate)
    assert [(b.key, b.policy, b.official) for b in told] == (
        [("init_stop", policy, official)] if policy or official else []
    )


def test_a_method_is_one_of_those_allowed() -> None:
    def change(event: Event) -> Event:
        method = {**(event.metadata or {}), "method": "pad"}
        return event._replace(metadata=method)

    assert log("v0.7", "transformer", change) == ["max_sequence_length"]


def test_v052_only_the_key_itself_counts(scratch: Path) -> None:
    note = '{"key": "power_run_stop_note", "value": "run_stop", "metadata": {}, "time_ms": 1}'
    edit = {"log": "Acme/**/result_0.txt", "append": f":::MLLOG {note}\n"}
    assert found(verified(example(scratch / "tree", edit))) == {}


def test_v104_lines_are_counted(scratch: Path) -> None:
    twice = {"log": "Acme/**/retinanet/*.txt", "key": "run_start", "again": {"value": 1}}
    assert found(verified(example(scratch / "tree", twice)))["TRN305"] == "error/error"


def test_v124_a_round_may_drop_what_the_description_holds() -> None:
    assert "submission_org" not in load("training", "v5.0").document["keys"]["common"]


@pytest.mark.parametrize("division", ["closed", "open"])
def test_v128_one_list_of_statuses(division: str) -> None:
    for name in rounds("training"):
        keys = load("training", name).document["keys"]
        if tuple(map(int, name[1:].split("."))) >= (4, 1):
            assert "submission_status" not in {**keys["common"], **keys[division]}


def test_v143_and_v145_a_wrong_folder_or_round_is_told(scratch: Path) -> None:
    root = example(scratch / "tree")
    run = CliRunner().invoke(app, ["verify", str(root / cases.HOME)])
    assert run.exit_code == 4
    assert f"lies inside a submission: give {root}" in run.output
    run = CliRunner().invoke(app, ["verify", str(root), "--suite", "training", "--round", "x.py"])
    assert run.exit_code == 2
    assert "known rounds: v0.6, v0.7" in run.output


def test_v161_a_clean_submission_is_told_in_a_few_lines(scratch: Path) -> None:
    run = CliRunner().invoke(app, ["verify", str(example(scratch / "tree"))])
    assert run.exit_code == 0
    assert len(run.output.splitlines()) < 20


def test_v173_the_score_is_in_minutes(scratch: Path) -> None:
    scored = result(example(scratch / "tree"), "retinanet")
    assert scored.primary is not None
    assert (scored.primary.name, scored.primary.unit) == ("time_to_train", "minutes")
    assert 10 < scored.primary.value < 60


def test_v175_and_v209_tables_hold_availability_and_evidence(scratch: Path) -> None:
    root = example(scratch / "tree")
    tables = tables_of(verified(root))
    assert set(tables["systems"]["availability"].to_pylist()) == {"available"}
    extra = result(root, "llama2_70b_lora").extra
    assert extra["global_batch_size"] == 8
    assert extra["rcp"]["points"] == ["llama2_70b_lora_ref_8"]
    assert len(extra["converged_at"]) == 10


def test_v176_systems_that_differ_in_one_field_are_two(scratch: Path) -> None:
    home = "Acme/results/acme-a1x8/retinanet"
    root = example(
        scratch / "tree",
        {"file": "Acme/systems/twin.json", "copy": "Acme/systems/acme-a1x8.json"},
        {"file": "Acme/systems/twin.json", "json": {"accelerator_model_name": "Other"}},
        {"file": "Acme/results/twin/retinanet", "copy": home},
    )
    rows = tables_of(verified(root))["systems"].to_pylist()
    assert {row["accelerator"] for row in rows if row["submitter"] == "Acme"} == {
        "Invented Accelerator A1",
        "Other",
    }


@pytest.mark.parametrize(
    ("key", "value", "rule"),
    [("submission_org", "NVIDIA", "TRN503"), ("global_batch_size", 512, "TRN504")],
    ids=["V202", "V203"],
)
def test_logs_that_are_not_of_one_result(key: str, value: Any, rule: str, scratch: Path) -> None:
    edit = {"log": "Acme/**/retinanet/result_3.txt", "key": key, "set": {"value": value}}
    assert rule in found(verified(example(scratch / "tree", edit)))


def test_v205_and_v233_a_factor_is_computed_and_no_file_is_touched(scratch: Path) -> None:
    before = result(example(scratch / "a"), "retinanet").primary
    name = f"{cases.HOME}/retinanet/scaling.json"
    root = example(scratch / "b", {"file": name, "write": json.dumps({"scaling_factor": 1.08})})
    mark = digest(root)
    after = result(root, "retinanet").primary
    assert before is not None
    assert after is not None
    assert after.value == before.value
    assert digest(root) == mark


def test_v212_a_run_that_did_not_converge_is_the_slowest(scratch: Path) -> None:
    abort = {"log": "Acme/**/retinanet/result_0.txt", "key": "run_stop"}
    clean = result(example(scratch / "a"), "retinanet")
    root = example(scratch / "b", {**abort, "set": {"metadata.status": "aborted"}})
    one = result(root, "retinanet")
    times = sorted(clean.extra["minutes"][1:])
    assert one.primary is not None
    assert one.primary.value == pytest.approx(sum(times[1:]) / 3)
    assert one.verdict is Verdict.VALID


def test_v214_and_v218_a_bypass_is_listed_and_changes_nothing(scratch: Path) -> None:
    root = example(
        scratch / "tree",
        {
            "log": "Acme/**/llama2_70b_lora/*.txt",
            "key": "global_batch_size",
            "set": {"value": 8000},
        },
        {"file": f"{cases.HOME}/llama2_70b_lora/package_checker_params", "write": "rcp-bypass\n"},
    )
    told = found(verified(root))
    assert told["TRN206"] == "warning/warning"
    assert told["TRN702"] == "error/error"
    assert result(root, "llama2_70b_lora").verdict is Verdict.INVALID


@pytest.mark.parametrize(
    ("text", "reason", "heeded"),
    [
        ("rcp-bypass", None, True),
        ("rcp-bypass\n", None, False),  # the official tool compares the line with its end
        ("# a new schedule,\n# see issue 12\nrcp-bypass", "a new schedule, see issue 12", True),
        (" rcp-bypass", None, False),
        ("--rcp-bypass", None, False),
    ],
)
def test_v218_waivers_are_listed_with_their_reason(
    text: str, reason: str | None, heeded: bool, scratch: Path
) -> None:
    path = f"{cases.HOME}/retinanet/package_checker_params"
    root = example(scratch / "tree", {"file": path, "write": text})
    report = verified(root)
    assert found(report) == {"TRN206": "warning/warning"}
    (waiver,) = result(root, "retinanet").extra["waivers"]
    assert (waiver["check"], waiver["path"], waiver["reason"]) == ("rcp", path, reason)
    assert waiver["heeded"] is heeded
    (flaw,) = report.findings
    assert (reason or "without a reason") in (flaw.actual or "")
    assert ("does not heed it" in (flaw.actual or "")) is not heeded


def test_v218_a_round_heeds_the_bypasses_of_its_time() -> None:
    heeded = {name: facts_of(load("training", name)).heeded for name in ("v3.1", "v4.0", "v4.1")}
    assert [len(heeded[name]) for name in ("v3.1", "v4.0", "v4.1")] == [0, 1, 2]


def test_v025_a_kind_of_requirement_that_does_not_exist_fails_at_load() -> None:
    document = copy.deepcopy(dict(load("training", "v5.1").document))
    document["keys"]["common"]["seed"] = {"occurs": "at_least_one_or"}
    with pytest.raises(RulesetError, match="seed"):
        validate(document, "training-rules", "training v5.1")


def test_v211_and_v215_deviation_and_pruning_are_facts_of_the_round() -> None:
    known = facts_of(load("training", "v5.1")).benchmarks["llama2_70b_lora"]
    assert known.policy is not None
    assert known.official is not None
    assert (known.policy.spread, known.official.spread) == (Spread.TRIMMED, Spread.ALL)
    outliers = Reference(8, (1.0, *(20.0,) * 18, 39.0))
    assert point_of(outliers, known.official).deviation > point_of(outliers, known.policy).deviation
    slow = [Reference(n, (float(n),) * 20, f"at {n}") for n in (8, 16, 32)]
    slow[1] = Reference(16, (99.0,) * 20, "slower")
    points = pruned([point_of(each, known.policy) for each in slow], known.policy)
    assert [point.names for point in points] == [("at 8",), ("at 32",)]


def test_v217_a_failed_check_says_what_would_pass(scratch: Path) -> None:
    root = example(
        scratch / "tree",
        {
            "log": "Acme/**/llama2_70b_lora/*.txt",
            "key": "eval_accuracy",
            "set": {"metadata.samples_count": 1536},
        },
    )
    flaw = next(f for f in verified(root).findings if f.rule == "TRN701")
    rcp = result(root, "llama2_70b_lora").extra["rcp"]
    assert f"a mean of {rcp['policy_smallest_mean']:.6g} or more" in (flaw.expected or "")
    assert f"mean {rcp['reference_mean']:.6g}" in (flaw.expected or "")
    assert "1536, " in (flaw.actual or "")
    assert "too little" in (flaw.actual or "")
    assert rcp["points"]
    assert rcp["margin"] == pytest.approx(1536 - rcp["smallest_mean"])


def test_v220_and_v221_progress_is_a_fact_of_the_benchmark() -> None:
    facts = facts_of(load("training", "v5.1"))
    assert facts.benchmarks["llama31_8b"].progress.field == "samples_count"
    assert facts.benchmarks["rgat"].progress.field == "epoch_num"
