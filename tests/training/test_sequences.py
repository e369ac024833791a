"""How lines of the first rounds follow each other: what breaks a log, and by whom it is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mlcheck.ruleset import load
from mlcheck.suites.training.compliance import Breach, breaches
from mlcheck.suites.training.facts import facts_of
from mlcheck.suites.training.log_lines import Event
from mlcheck.suites.training.mllog import Log
from tests.training.test_rounds import events

FACTS = facts_of(load("training", "v0.6"))
Lines = list[Event]


def log(epochs: int, first: int = 1, benchmark: str = "resnet") -> Lines:
    """Return the lines of a run of so many epochs, each evaluated, all in one block."""
    once = list(events("v0.6", "closed", benchmark))
    parts = {"epoch_start", "save_model", "epoch_stop"}
    tried = {"eval_start", "eval_accuracy", "eval_stop"}
    lines: Lines = []
    for event in once:
        if event.key == "epoch_start":
            for number in range(first, first + epochs):
                for each in once:
                    if each.key in parts | tried:
                        value = {"iteration": number} if each.key == "save_model" else each.value
                        told = {**(each.metadata or {}), "epoch_num": number}
                        lines.append(each._replace(value=value, metadata=told))
        elif event.key in ("block_start", "block_stop"):
            told = {**(event.metadata or {}), "first_epoch_num": first}
            lines.append(event._replace(metadata=told))
        elif event.key not in parts | tried:
            lines.append(event)
    return [event._replace(line=at, time_ms=at * 1000.0) for at, event in enumerate(lines, 1)]


def stated(lines: Lines, late_s: float = 0, **told: Any) -> Lines:
    """Let a log of Minigo state the time at which its last model was saved."""
    begun = next(e.time_ms for e in lines if e.key == "run_start")
    saved = [e.time_ms for e in lines if e.key == "save_model"]
    metadata = {"iteration": len(saved), "timestamp": (saved[-1] - begun) / 1000 + late_s, **told}
    return [e._replace(metadata=metadata) if e.key == "eval_result" else e for e in lines]


def judged(lines: Lines, benchmark: str = "resnet") -> dict[str, tuple[bool, bool]]:
    """Return key -> refused by the policy, by the official tool."""
    variant = next((str(e.value) for e in lines if e.key == "opt_name"), "")
    table = FACTS.tables.of("closed", benchmark, variant)
    whole = Log(path="result_0.txt", events=tuple(lines), lines=len(lines))
    told: dict[str, tuple[bool, bool]] = {}
    for each in breaches(whole, table, None):
        if each.light:
            continue
        told[each.key] = _either(told.get(each.key, (False, False)), each)
    return told


def _either(known: tuple[bool, bool], each: Breach) -> tuple[bool, bool]:
    return known[0] or each.policy, known[1] or each.official


def at(lines: Lines, key: str, nth: int = 0) -> int:
    return [n for n, event in enumerate(lines) if event.key == key][nth]


def drop(key: str, nth: int = 0) -> Callable[[Lines], Lines]:
    return lambda lines: [e for n, e in enumerate(lines) if n != at(lines, key, nth)]


def swap(one: str, other: str, nth: int = 0) -> Callable[[Lines], Lines]:
    def change(lines: Lines) -> Lines:
        changed = list(lines)
        first, second = at(lines, one, nth), at(lines, other, nth)
        changed[first], changed[second] = changed[second], changed[first]
        return changed

    return change


def tell(key: str, nth: int = 0, **told: Any) -> Callable[[Lines], Lines]:
    def change(lines: Lines) -> Lines:
        changed = list(lines)
        place = at(lines, key, nth)
        changed[place] = lines[place]._replace(metadata={**(lines[place].metadata or {}), **told})
        return changed

    return change


def again(key: str) -> Callable[[Lines], Lines]:
    return lambda lines: [*lines[: at(lines, key)], lines[at(lines, key)], *lines[at(lines, key) :]]


BOTH, POLICY, OFFICIAL = (True, True), (True, False), (False, True)
CASES: dict[str, tuple[Callable[[Lines], Lines], dict[str, tuple[bool, bool]]]] = {
    "as it should be": (list, {}),
    "an epoch is skipped": (
        lambda lines: tell("epoch_stop", 1, epoch_num=3)(
            tell("epoch_start", 1, epoch_num=3)(lines)
        ),
        {"epoch_start": BOTH},
    ),
    "an epoch begins inside another": (drop("epoch_stop"), {"epoch_start": BOTH}),
    "an epoch ends twice": (again("epoch_stop"), {"epoch_stop": BOTH}),
    "an epoch ends as another": (tell("epoch_stop", 0, epoch_num=2), {"epoch_stop": BOTH}),
    "an accuracy is missing": (drop("eval_accuracy"), {"eval_start": BOTH}),
    "an accuracy is of another epoch": (
        tell("eval_accuracy", 0, epoch_num=2),
        {"eval_accuracy": BOTH},
    ),
    "an evaluation is of an epoch to come": (
        tell("eval_start", 1, epoch_num=5),
        {"eval_start": BOTH, "eval_accuracy": BOTH, "eval_stop": BOTH},
    ),
    "an evaluation has no end": (drop("eval_stop", 1), {"run_stop": BOTH}),
    "a block has no evaluation": (drop("eval_accuracy", 1), {"block_stop": BOTH}),
    "a block is of another epoch": (
        tell("block_start", 0, first_epoch_num=2),
        {"block_start": BOTH, "block_stop": BOTH},
    ),
    "a block without epochs": (tell("block_start", 0, epoch_count=0), {"block_start": BOTH}),
    "a run that was given up": (tell("run_stop", 0, status="aborted"), {"run_stop": BOTH}),
    "training before the clock": (
        swap("run_start", "epoch_start"),
        {"epoch_start": BOTH, "block_start": BOTH},
    ),
    "the same said twice": (again("global_batch_size"), {"global_batch_size": BOTH}),
}


@pytest.mark.parametrize("name", CASES)
def test_a_sequence(name: str) -> None:
    change, expected = CASES[name]
    assert judged(change(log(2))) == expected


def test_epochs_from_0_are_right_by_the_policy_alone() -> None:
    told = judged(log(2, first=0))
    assert told == {"epoch_start": OFFICIAL, "block_start": OFFICIAL, "eval_start": OFFICIAL}
    assert set(judged(log(2, first=2))) == {"epoch_start", "block_start"}


def test_each_optimizer_logs_its_own_keys() -> None:
    lines = log(1)
    sgd = "opt_learning_rate_decay_boundary_epochs"
    lars = next(e for e in lines if e.key == sgd)._replace(key="lars_epsilon", value=0.1)
    assert judged([*lines[:9], lars, *lines[9:]]) == {"lars_epsilon": BOTH}
    assert judged([e for e in lines if e.key != sgd]) == {sgd: BOTH}
    named = [e._replace(value="lars") if e.key == "opt_name" else e for e in lines]
    assert judged(named)[sgd] == BOTH
    assert judged(named)["lars_opt_weight_decay"] == BOTH


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda lines: stated(lines), {}),
        (lambda lines: stated(lines, 0.001), {}),
        (lambda lines: stated(lines, 0.1), {"eval_result": BOTH}),
        # The tool takes the absolute value of a comparison, so that a shorter time passes.
        (lambda lines: stated(lines, -0.1), {"eval_result": POLICY}),
        (lambda lines: stated(lines, iteration=9), {"eval_result": BOTH}),
        (lambda lines: stated(lines, iteration=0), {"eval_result": POLICY}),
        (lambda lines: stated(lines, iteration="1"), {"eval_result": BOTH}),
        (lambda lines: drop("save_model", 2)(stated(lines)), {"eval_result": BOTH}),
        (
            lambda lines: again("save_model")(stated(lines)),
            {"save_model": BOTH, "eval_result": BOTH},
        ),
        (lambda lines: stated(swap("save_model", "epoch_stop")(lines)), {"save_model": BOTH}),
        # It means to limit the initialisation, and assigns what it compares.
        (
            lambda lines: stated(
                [e._replace(time_ms=-2e6) if e.key == "init_start" else e for e in lines]
            ),
            {"init_stop": POLICY},
        ),
    ],
)
def test_minigo_states_the_time_of_the_model_that_won(
    change: Callable[[Lines], Lines], expected: dict[str, tuple[bool, bool]]
) -> None:
    assert judged(change(log(3, benchmark="minigo")), "minigo") == expected


@pytest.mark.parametrize(
    ("benchmark", "value", "met"),
    [
        ("resnet", 0.759, True),
        ("resnet", 0.7589, False),
        ("resnet", 75.9, False),
        ("gnmt", "24.0", True),
        ("gnmt", "23.99", False),
        ("gnmt", "many", False),
        ("maskrcnn", {"BBOX": 0.377, "SEGM": 0.339}, True),
        ("maskrcnn", {"accuracy": {"BBOX": 0.377, "SEGM": 0.339}}, True),
        ("maskrcnn", [0.377, 0.339], True),
        ("maskrcnn", [0.377, 0.338], False),
        ("maskrcnn", [0.377], False),
        ("maskrcnn", 0.4, False),
    ],
)
def test_the_policy_knows_the_targets(benchmark: str, value: object, met: bool) -> None:
    lines = [
        e._replace(value=value) if e.key == "eval_accuracy" else e for e in log(1, 1, benchmark)
    ]
    assert judged(lines, benchmark) == ({} if met else {"eval_accuracy": POLICY})
