"""The closed vocabulary in which a round says what a log line has to look like.

A rule file names predicates and their parameters; what they mean is written here, once, in typed
code. There is no expression language: a new kind of condition is a new class with a name, and a
name that does not exist is an error of the rule file.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from mlcheck.overlay import RulesetError
from mlcheck.suites.training.mllog import Event

WHOLE_WITHIN = 0.00001  # a float this near to a whole number counts as one; Source: mlp_compliance
MS_PER_MINUTE = 60_000.0


class About(StrEnum):
    """What a predicate is about, and so which rule reports that it does not hold."""

    VALUE = "value"
    METADATA = "metadata"
    ORDER = "order"
    LIMIT = "limit"
    SCHEDULE = "schedule"


@dataclass(slots=True)
class State:
    """What a walk through a log has seen so far."""

    division: str = ""
    seen: dict[str, float] = field(default_factory=dict)  # key -> earliest time, in ms
    values: dict[str, Any] = field(default_factory=dict)  # key -> latest value
    counts: dict[str, int] = field(default_factory=dict)

    def note(self, event: Event) -> None:
        """Remember a line, after it was judged."""
        key = event.key
        self.seen[key] = min(event.time_ms, self.seen.get(key, math.inf))
        self.values[key] = event.value
        self.counts[key] = self.counts.get(key, 0) + 1

    def number(self, key: str) -> float | None:
        """Return the latest value of a key if it is a number."""
        return number(self.values.get(key))

    @property
    def batch(self) -> float | None:
        """Return the global batch size if it is one: at least one sample."""
        value = self.number(BATCH)
        return value if value is not None and value >= 1 else None


@dataclass(frozen=True, slots=True)
class Predicate:
    """A condition on one line.

    Attributes:
        holds: the line and what went before -> whether it is as asked for. A value of a wrong
            type does not hold.
        expected: what is asked for, in words.
        official: the same as the official tool computes it; None: no different.
    """

    name: str
    about: About
    holds: Callable[[Event, State], bool]
    expected: Callable[[State], str]
    official: Callable[[Event, State], bool] | None = None
    bounds: Mapping[str, float] | None = None  # of a range


def number(value: Any) -> float | None:
    """Return a value as a number; None: it is none, or none that can be compared."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return value if math.isfinite(value) else None
    except OverflowError:  # an integer beyond what a float can hold
        return None


def same(value: Any, wanted: Any) -> bool:
    """Compare a logged value: numbers by value, everything else by type too."""
    if isinstance(wanted, bool) or isinstance(value, bool):
        return value is wanted
    return bool(value == wanted)


def within(value: Any, bounds: Mapping[str, float]) -> bool:
    """Tell whether a number lies within bounds."""
    known = number(value)
    return known is not None and all(_BOUNDS[name](known, x) for name, x in bounds.items())


_BOUNDS: dict[str, Callable[[float, float], bool]] = {
    "at_least": lambda value, bound: value >= bound,
    "above": lambda value, bound: value > bound,
    "at_most": lambda value, bound: value <= bound,
    "below": lambda value, bound: value < bound,
}
SIGNS = {"at_least": ">=", "above": ">", "at_most": "<=", "below": "<"}


def bounds_text(bounds: Mapping[str, float]) -> str:
    """Return bounds in words, such as ``> 0 and <= 3.3``."""
    return " and ".join(f"{SIGNS[name]} {bound:g}" for name, bound in bounds.items())


def _whole(value: Any) -> bool:
    known = number(value)  # None for what a division made infinite
    return known is not None and abs(round(known) - known) < WHOLE_WITHIN


def _meta(event: Event) -> Mapping[str, Any]:
    return event.metadata or {}


def _fields(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _simple(
    name: str, about: About, expected: str, holds: Callable[[Event, State], bool]
) -> Predicate:
    return Predicate(name, about, holds, lambda _: expected)


# --- values


def _equals(wanted: Any) -> Predicate:
    return _simple("equals", About.VALUE, repr(wanted), lambda e, _: same(e.value, wanted))


def _one_of(wanted: list[Any]) -> Predicate:
    text = "one of " + ", ".join(str(each) for each in wanted)
    return _simple(
        "one_of", About.VALUE, text, lambda e, _: any(same(e.value, each) for each in wanted)
    )


def _range(bounds: Mapping[str, float]) -> Predicate:
    return Predicate(
        "range",
        About.VALUE,
        lambda e, _: within(e.value, bounds),
        lambda _: bounds_text(bounds),
        bounds=bounds,
    )


def _fields_in(bounds: Mapping[str, Mapping[str, float]]) -> Predicate:
    text = ", ".join(f"{name} {bounds_text(each)}" for name, each in bounds.items())
    return _simple(
        "fields",
        About.VALUE,
        text,
        lambda e, _: all(within(_fields(e.value).get(n), each) for n, each in bounds.items()),
    )


def _has_fields(names: list[str]) -> Predicate:
    text = "an object with " + ", ".join(names)
    return _simple(
        "has_fields", About.VALUE, text, lambda e, _: all(n in _fields(e.value) for n in names)
    )


def _has_value(_: bool) -> Predicate:  # noqa: FBT001 - a flag of the rule file
    return _simple("has_value", About.VALUE, "a value", lambda e, _: True)  # the reader demands it


def _nonempty(_: bool) -> Predicate:  # noqa: FBT001
    return _simple("nonempty", About.VALUE, "a value that is not empty", lambda e, _: e.value != "")


def _number(_: bool) -> Predicate:  # noqa: FBT001
    return _simple(
        "number", About.VALUE, "a finite number", lambda e, _: number(e.value) is not None
    )


def _whole_number(_: bool) -> Predicate:  # noqa: FBT001
    return _simple("whole", About.VALUE, "a whole number", lambda e, _: _whole(e.value))


def _integer(_: bool) -> Predicate:  # noqa: FBT001
    return _simple(
        "integer",
        About.VALUE,
        "an integer",
        lambda e, _: isinstance(e.value, int) and not isinstance(e.value, bool),
    )


def _length(wanted: int) -> Predicate:
    return _simple(
        "length",
        About.VALUE,
        f"a list of {wanted}",
        lambda e, _: isinstance(e.value, list | str | dict) and len(e.value) == wanted,
    )


def _multiple_of(unit: float) -> Predicate:
    def holds(event: Event, _: State) -> bool:
        value = number(event.value)
        return value is not None and _whole(value / unit)

    return _simple("multiple_of", About.VALUE, f"a multiple of {unit:g}", holds)


def _power_of_two_times(unit: float) -> Predicate:
    def holds(event: Event, _: State) -> bool:
        value = number(event.value)
        return value is not None and value / unit > 0 and _whole(math.log2(value / unit))

    return _simple("power_of_two_times", About.VALUE, f"{unit:g} times a power of two", holds)


def _multiple_or_part_of(given: Mapping[str, float]) -> Predicate:
    unit, below = given["value"], given["part_below_batch"]

    def holds(event: Event, state: State) -> bool:
        value, batch = number(event.value), state.batch
        if value is None:
            return False
        if _whole(value / unit):
            return True
        return batch is not None and batch < below and value != 0 and _whole(unit / value)

    text = f"a multiple of {unit:g}, or {unit:g} divided by a whole number below batch {below:g}"
    return _simple("multiple_or_part_of", About.VALUE, text, holds)


def _second_boundary(given: Mapping[str, float]) -> Predicate:
    def holds(event: Event, _: State) -> bool:
        values = event.value if isinstance(event.value, list) else []
        second = number(values[1]) if len(values) > 1 else None
        return second is not None and _whole(given["steps"] * (second / given["epochs"] - 1))

    text = f"a second boundary in steps of 1/{given['steps']:g} of {given['epochs']:g} epochs"
    return _simple("second_boundary", About.VALUE, text, holds)


# --- values that follow from other values of the log

BATCH = "global_batch_size"


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
        if less and "opt_learning_rate_warmup_steps" not in state.seen:
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


# --- metadata


def _metadata(names: list[str]) -> Predicate:
    return _simple(
        "metadata",
        About.METADATA,
        "metadata " + " and ".join(names),
        lambda e, _: all(name in _meta(e) for name in names),
    )


def _metadata_any(names: list[str]) -> Predicate:
    return _simple(
        "metadata_any",
        About.METADATA,
        "metadata " + " or ".join(names),
        lambda e, _: any(name in _meta(e) for name in names),
    )


def _metadata_with(pairs: Mapping[str, str]) -> Predicate:
    text = ", ".join(f"metadata {there} beside {name}" for name, there in pairs.items())
    return _simple(
        "metadata_with",
        About.METADATA,
        text,
        lambda e, _: all(n not in _meta(e) or there in _meta(e) for n, there in pairs.items()),
    )


def _metadata_range(bounds: Mapping[str, Mapping[str, float]]) -> Predicate:
    text = ", ".join(f"metadata {name} {bounds_text(each)}" for name, each in bounds.items())
    return _simple(
        "metadata_range",
        About.METADATA,
        text,
        lambda e, _: all(n not in _meta(e) or within(_meta(e)[n], b) for n, b in bounds.items()),
    )


# --- order and time


def _after(key: str) -> Predicate:
    return _simple("after", About.ORDER, f"after {key}", lambda _, s: key in s.seen)


def _not_after(keys: list[str]) -> Predicate:
    text = "before " + " and ".join(keys)
    return _simple(
        "not_after", About.ORDER, text, lambda _, s: not any(key in s.seen for key in keys)
    )


def _within_minutes(given: Mapping[str, Any]) -> Predicate:
    since = given["since"]

    def limit(state: State) -> float:
        minutes: float | None = given.get(state.division)
        return 0.0 if minutes is None else minutes  # as if no division was logged: refused

    def holds(event: Event, state: State) -> bool:
        begun = state.seen.get(since)
        return begun is not None and event.time_ms - begun < limit(state) * MS_PER_MINUTE

    return Predicate(
        "within_minutes",
        About.LIMIT,
        holds,
        lambda state: f"less than {limit(state):g} minutes after the first {since}",
    )


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
        samples, aim = number(_meta(event).get("samples_count")), wanted(state)
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
        return start + batch * state.counts.get("eval_accuracy", 0)

    return _scheduled("evaluated_every_step", given, wanted)


VOCABULARY: dict[str, Callable[[Any], Predicate]] = {
    "after": _after,
    "batch_is_times": _batch_is_times,
    "equals": _equals,
    "evaluated_every_step": _evaluated_every_step,
    "fields": _fields_in,
    "first_evaluation": _first_evaluation,
    "has_fields": _has_fields,
    "has_value": _has_value,
    "integer": _integer,
    "inverse_root_of_batch": _inverse_root_of_batch,
    "length": _length,
    "linear_in_batch": _linear_in_batch,
    "metadata": _metadata,
    "metadata_any": _metadata_any,
    "metadata_range": _metadata_range,
    "metadata_with": _metadata_with,
    "multiple_of": _multiple_of,
    "multiple_or_part_of": _multiple_or_part_of,
    "nonempty": _nonempty,
    "not_after": _not_after,
    "number": _number,
    "one_of": _one_of,
    "part_of": _part_of,
    "power_of_two_times": _power_of_two_times,
    "range": _range,
    "rest_after": _rest_after,
    "root_of_batch": _root_of_batch,
    "scaled_steps": _scaled_steps,
    "second_boundary": _second_boundary,
    "whole": _whole_number,
    "within_minutes": _within_minutes,
}


def predicate(name: str, parameter: Any) -> Predicate:
    """Return a predicate by its name in a rule file.

    Raises:
        RulesetError: there is none of that name.
    """
    if name not in VOCABULARY:
        raise RulesetError(f"no predicate {name}; known: {', '.join(sorted(VOCABULARY))}")
    return VOCABULARY[name](parameter)
