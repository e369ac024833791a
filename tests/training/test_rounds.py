"""Every table of every round: a log made to meet it meets it, and each spoilt line is noticed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest

from mlcheck.overlay import RulesetError
from mlcheck.ruleset import load, rounds
from mlcheck.suites.training.compliance import breaches
from mlcheck.suites.training.facts import Facts, facts_of
from mlcheck.suites.training.log_lines import Event
from mlcheck.suites.training.mllog import Log
from mlcheck.suites.training.predicates import VOCABULARY, predicate
from mlcheck.suites.training.suite import RULES
from mlcheck.suites.training.tables import table

BATCH = 16384  # every formula gives a value at it
VALUES: dict[str, Any] = {"global_batch_size": BATCH, "num_prompts_per_step": BATCH // 16}
FIRST = ("submission_division", "submission_benchmark", "cache_clear", "init_start",
         "global_batch_size", "opt_base_learning_rate", "opt_learning_rate_warmup_steps",
         "num_prompts_per_step")  # fmt: skip
LAST = ("init_stop", "run_start", "block_start", "epoch_start", "save_model", "epoch_stop",
        "eval_start", "eval_accuracy", "averaged_validation_loss", "eval_stop", "block_stop",
        "run_stop", "eval_result")  # fmt: skip


def names() -> list[tuple[str, str, str]]:
    return [
        (name, benchmark, division)
        for name in rounds("training")
        for benchmark in facts_of(load("training", name)).benchmarks
        for division in ("closed", "open")
    ]


def _document(round_: str, division: str, benchmark: str) -> dict[str, Any]:
    document = load("training", round_).document
    given = document["benchmarks"][benchmark]
    merged = {**document["keys"]["common"], **document["keys"][division], **given[division]}
    if division in given.get("variants", {}).get("divisions", ()):
        value = given[division][given["variants"]["key"]]["each"]["one_of"][0]
        merged |= given["variants"]["tables"][value]
    return {key: entry for key, entry in merged.items() if entry["occurs"] != "never"}


def value_for(key: str, entry: dict[str, Any], division: str, benchmark: str) -> Any:
    asked = {**entry.get("each", {}), **entry.get("some", {}), **entry.get("policy", {})}
    fixed = {"submission_division": division, "submission_benchmark": benchmark}
    if key in fixed:
        return fixed[key]
    if "equals" in asked:
        return asked["equals"]
    if "one_of" in asked:
        return asked["one_of"][0]
    if "fields" in asked:
        return {name: _inside(bounds) for name, bounds in asked["fields"].items()}
    if "qualities" in asked:
        return {name: _inside(bounds) for name, bounds in asked["qualities"].items()}
    for name, given in asked.items():
        made = _FORMULAS.get(name)
        if made:
            return made(given)
    if "quality" in asked:
        return _inside(asked["quality"])
    if "range_eased" in asked:
        return _inside(asked["range_eased"]["bounds"])
    if "range" in asked:
        parts = [entry.get(part, {}).get("range", {}) for part in ("each", "some", "policy")]
        value = _inside({name: bound for part in parts for name, bound in part.items()})
        return VALUES.get(key, round(value) or 1 if "whole" in asked else value)
    return VALUES.get(key, 4)


def _inside(bounds: dict[str, float]) -> float:
    low = max((bounds[n] for n in ("at_least", "above") if n in bounds), default=None)
    high = bounds.get("at_most", bounds.get("below"))
    if low is None:
        assert high is not None
        return high / 2
    return low + 1 if high is None else (low + high) / 2


def _scaled(steps: float, given: dict[str, Any]) -> int:
    count: float = steps * given["batch"] / BATCH
    return math.ceil(count)


_FORMULAS: dict[str, Any] = {
    "rest_after": lambda given: given["total"] - 4,
    "scaled_steps": lambda g: _scaled(g["total"], g) - _scaled(g["less"], g),
    "linear_in_batch": lambda given: given["value"] * BATCH / given["batch"],
    "root_of_batch": lambda given: given["value"] * (BATCH / given["batch"]) ** 0.5,
    "inverse_root_of_batch": lambda given: given["value"] * (given["batch"] / BATCH) ** 0.5,
    "batch_is_times": lambda given: BATCH // VALUES[given],
    "multiple_of": lambda given: given * 3,
    "multiple_or_part_of": lambda given: given["value"] * 2,
    "power_of_two_times": lambda given: given * 4,
    "filled": lambda _: [1],
    "value_counts": lambda given: {given["field"]: 1},
    "length": lambda given: [1] * given,
    "second_boundary": lambda given: [1, given["epochs"] * 1.2],
}


def metadata(progress: str) -> dict[str, Any]:
    samples = BATCH * 43  # where the benchmarks with a first evaluation have it
    counts = {"samples_count": samples, "step_num": 5, "epoch_num": 1, "epoch_count": 1}
    return {
        **counts,
        "first_epoch_num": 1,
        "status": "success",
        "tensor": progress,
        "method": "discard",
    }


def events(round_: str, division: str, benchmark: str) -> Iterator[Event]:
    facts = facts_of(load("training", round_))
    known = facts.benchmarks[benchmark]
    merged = _document(round_, division, benchmark)
    derived = known.aggregate.into if known.aggregate else ""
    middle = [k for k in merged if k not in (*FIRST, *LAST, derived, "weights_initialization")]
    order = [k for k in (*FIRST, *middle, *LAST) if k in merged]
    whole: dict[str, Any] = {}
    for number, key in enumerate(order, 1):
        value = value_for(key, merged[key], division, benchmark)
        if known.aggregate and key == known.aggregate.source:
            for count in (1, 2):
                for name, each in value_for(derived, merged[derived], division, benchmark).items():
                    more = {"metric": name, known.aggregate.by: count}
                    yield Event(number, number, key, each, {**metadata(key), **more})
            continue
        share = merged[key].get("policy", {}).get("part_of")
        if share:
            value = share["share"] * whole[share["key"]]
        whole[key] = value
        here = metadata(key)
        if "evaluated_every_step" in merged[key].get("each", {}):
            here["samples_count"] = BATCH * 3  # ceil(2.5 + 3840 / BATCH) steps
        if key == "eval_result":
            saved = order.index("save_model") - order.index("run_start")
            here |= {"iteration": 1, "timestamp": saved / 1000}
        yield Event(number, number, key, value, here)
    for tensor in known.tensors if division == "closed" else ():
        yield Event(99, 99, "weights_initialization", None, {"tensor": tensor})


def found(round_: str, division: str, benchmark: str, lines: list[Event]) -> list[tuple[str, str]]:
    facts: Facts = facts_of(load("training", round_))
    known = facts.benchmarks[benchmark]
    key = facts.tables.variant_key(division, benchmark)
    variant = next((str(e.value) for e in lines if e.key == key), "")
    log = Log(path="result_0.txt", events=tuple(lines), lines=len(lines))
    judged = facts.tables.of(division, benchmark, variant)
    tensors = known.tensors if division == "closed" else ()
    return [(b.key, b.about) for b in breaches(log, judged, known.aggregate, tensors)]


# The official list of benchmarks in open lacks it, or its table: the tool refuses every log.
UNLISTED = {
    ("v3.0", "gpt3", "open"),
    ("v3.1", "gpt3", "open"),
    ("v4.0", "llama2_70b_lora", "open"),
    ("v4.1", "llama2_70b_lora", "open"),
}


@pytest.mark.parametrize(("round_", "benchmark", "division"), names())
def test_a_log_that_meets_its_table(round_: str, benchmark: str, division: str) -> None:
    lines = list(events(round_, division, benchmark))
    expected = (
        [("submission_benchmark", "value")] if (round_, benchmark, division) in UNLISTED else []
    )
    assert found(round_, division, benchmark, lines) == expected


@pytest.mark.parametrize(("round_", "benchmark", "division"), names())
def test_each_missing_line_and_each_wrong_value(round_: str, benchmark: str, division: str) -> None:
    lines = list(events(round_, division, benchmark))
    merged = _document(round_, division, benchmark)
    for key, entry in merged.items():
        there = [event for event in lines if event.key == key]
        if not there:
            continue
        if entry["occurs"] in ("exactly_one", "just_once", "at_least_one"):
            without = [event for event in lines if event.key != key]
            told = [k for k, _ in found(round_, division, benchmark, without)]
            assert key in told or not without
        judged = {*entry.get("each", {}), *entry.get("some", {}), *entry.get("policy", {})}
        if judged & {
            "equals",
            "one_of",
            "range",
            "number",
            "whole",
            "quality",
            "qualities",
            "value_counts",
            "rest_after",
            "scaled_steps",
            "range_eased",
        }:
            spoilt = [e._replace(value="§") if e.key == key else e for e in lines]
            told = [k for k, _ in found(round_, division, benchmark, spoilt)]
            assert key in told, (key, told)


@pytest.mark.parametrize("round_", rounds("training"))
def test_a_round_weighs_every_rule_and_names_nothing_of_another(round_: str) -> None:
    ruleset = load("training", round_)
    assert set(ruleset.weights) == {rule.id for rule in RULES}
    assert ruleset.document["rcp"]["points"] == f"{round_}.json"


def test_names_of_benchmarks_are_those_that_logs_may_name() -> None:
    for round_ in rounds("training"):
        document = load("training", round_).document
        for division in ("closed", "open"):
            listed = document["keys"][division]["submission_benchmark"]["each"]["one_of"]
            unlisted = {(round_, name, division) for name in document["benchmarks"]} - UNLISTED
            assert {name for _, name, _ in unlisted} <= set(listed)


def test_a_predicate_that_does_not_exist_is_a_mistake_of_the_rule_file() -> None:
    with pytest.raises(RulesetError, match="no predicate evaluate"):
        predicate("evaluate", "1 + 1")
    with pytest.raises(RulesetError, match="no predicate"):
        table({"a": {"occurs": "optional", "each": {"eval": "x"}}})


def test_the_schema_knows_just_the_vocabulary() -> None:
    from mlcheck.resources import schema

    listed = schema("training-rules")["$defs"]["predicates"]["properties"]
    assert set(listed) == set(VOCABULARY)
