"""Predicates on values that follow from other values of the log, and on when it evaluates."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from mlcheck.suites.training.log_lines import Event
from mlcheck.suites.training.predicate import (
    BATCH,
    About,
    Predicate,
    State,
    metadata_of,
    number,
)


def _computed(
    name: str,
    formula: str,
    wanted: Callable[[State], float | None],
    tolerance: float,
    official: Callable[[Event, State], bool] | None = None,
) -> Predicate:
    """A value that has to be what a formula gives, with the numbers put in for the reader."""

    def holds(event: Event, state: State) -> bool:
        value, aim = number(event.value), wanted(state)
        return value is not None and aim is not None and abs(value - aim) <= tolerance

    def expected(state: State) -> str:
        aim = wanted(state)
        known = "not computable: a value it rests on is missing" if aim is None else f"{aim:.10g}"
        return f"{known} ({formula})"

    return Predicate(name, About.VALUE, holds, expected, official)


def _linear_in_batch(given: Mapping[str, float]) -> Predicate:
    value, per, exact = given["value"], given["batch"], given["official_tolerance"]

    def wanted(state: State) -> float | None:
        batch = state.batch
        return None if batch is None else value * batch / per

    def official(event: Event, state: State) -> bool:
        logged, batch = number(event.value), state.batch
        if logged is None or batch is None:
            return False
        return abs(logged * per - batch * value) <= exact  # in this order: floats are compared

    formula = f"{value:g} * {BATCH} / {per:g}"
    return _computed("linear_in_batch", formula, wanted, given["tolerance"], official)


def _root_of_batch(given: Mapping[str, float]) -> Predicate:
    value, per = given["value"], given["batch"]

    def wanted(state: State) -> float | None:
        batch = state.batch
        return None if batch is None else value * math.sqrt(batch / per)

    formula = f"{value:g} * sqrt({BATCH} / {per:g})"
    return _computed("root_of_batch", formula, wanted, given["tolerance"])


def _inverse_root_of_batch(given: Mapping[str, float]) -> Predicate:
    value, per = given["value"], given["batch"]

    def wanted(state: State) -> float | None:
        batch = state.batch
        return None if batch is None else value * math.sqrt(per / batch)

    formula = f"{value:g} * sqrt({per:g} / {BATCH})"
    return _computed("inverse_root_of_batch", formula, wanted, given["tolerance"])


def _rest_after(given: Mapping[str, Any]) -> Predicate:
    total, key = given["total"], given["key"]

    def wanted(state: State) -> float | None:
        less = state.number(key)
        return None if less is None else total - less

    return _computed("rest_after", f"{total} - {key}", wanted, 0)


def _scaled_steps(given: Mapping[str, float]) -> Predicate:
    total, less, per = given["total"], given["less"], given["batch"]

    def wanted(state: State) -> float | None:
        batch = state.batch
        if batch is None:
            return None
        if less and "opt_learning_rate_warmup_steps" not in state.latest:
            return None
        return math.ceil(total * per / batch) - math.ceil(less * per / batch)

    formula = f"ceil({total:g} * {per:g} / {BATCH}) - ceil({less:g} * {per:g} / {BATCH})"
    return _computed("scaled_steps", formula, wanted, 0)


def _part_of(given: Mapping[str, Any]) -> Predicate:
    share, key = given["share"], given["key"]

    def wanted(state: State) -> float | None:
        whole = state.number(key)
        return None if whole is None else share * whole

    def holds(event: Event, state: State) -> bool:
        value, aim = number(event.value), wanted(state)
        if value is None:
            return False
        if value in given["or"]:
            return True
        return aim is not None and math.isclose(value, aim, rel_tol=given["tolerance"])

    def expected(state: State) -> str:
        aim = wanted(state)
        others = "".join(f" or {other:g}" for other in given["or"])
        return f"{'?' if aim is None else f'{aim:g}'} ({share:g} * {key}){others}"

    return Predicate("part_of", About.VALUE, holds, expected)


def _batch_is_times(key: str) -> Predicate:
    def holds(event: Event, state: State) -> bool:
        value, batch, other = number(event.value), state.batch, state.number(key)
        return None not in (value, batch, other) and batch == value * other  # type: ignore[operator]  # none of them is None

    text = f"{BATCH} / {key}"
    return Predicate("batch_is_times", About.VALUE, holds, lambda _: text)


# --- the schedule of evaluations

_ROUND: dict[str, Callable[[float], int]] = {"down": math.floor, "up": math.ceil}


def _start(given: Mapping[str, Any], batch: float | None) -> float | None:
    """Return the samples of the first evaluation: so many steps, rounded, of one batch each."""
    if batch is None:
        return None
    return batch * _ROUND[given["round"]](given["base"] + given["samples"] / batch)


def _scheduled(
    name: str, given: Mapping[str, Any], wanted: Callable[[State], float | None]
) -> Predicate:
    def holds(event: Event, state: State) -> bool:
        samples, aim = number(metadata_of(event).get("samples_count")), wanted(state)
        return samples is not None and aim is not None and int(samples) == aim

    def expected(state: State) -> str:
        aim = wanted(state)
        known = "?" if aim is None else f"{aim:.10g}"
        return (
            f"samples_count {known} ({BATCH} * steps, the first after "
            f"{given['base']:g} + {given['samples']:g} / {BATCH} steps, rounded {given['round']})"
        )

    return Predicate(name, About.SCHEDULE, holds, expected)


def _first_evaluation(given: Mapping[str, Any]) -> Predicate:
    return _scheduled("first_evaluation", given, lambda s: _start(given, s.batch))


def _evaluated_every_step(given: Mapping[str, Any]) -> Predicate:
    def wanted(state: State) -> float | None:
        batch = state.batch
        start = _start(given, batch)
        if start is None or batch is None:
            return None
        return start + batch * len(state.times.get("eval_accuracy", ()))

    return _scheduled("evaluated_every_step", given, wanted)


FORMULAS: dict[str, Callable[[Any], Predicate]] = {
    "batch_is_times": _batch_is_times,
    "evaluated_every_step": _evaluated_every_step,
    "first_evaluation": _first_evaluation,
    "inverse_root_of_batch": _inverse_root_of_batch,
    "linear_in_batch": _linear_in_batch,
    "part_of": _part_of,
    "rest_after": _rest_after,
    "root_of_batch": _root_of_batch,
    "scaled_steps": _scaled_steps,
}
