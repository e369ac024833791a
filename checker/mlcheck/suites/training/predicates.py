"""The closed vocabulary in which a round says what a log line has to look like.

A rule file names predicates and their parameters; what they mean is written here, once, in typed
code. There is no expression language: a new kind of condition is a new class with a name, and a
name that does not exist is an error of the rule file.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from mlcheck.overlay import RulesetError
from mlcheck.suites.training.formulas import FORMULAS
from mlcheck.suites.training.mllog import Event
from mlcheck.suites.training.predicate import (
    MS_PER_MINUTE,
    About,
    Predicate,
    State,
    bounds_text,
    fields_of,
    metadata_of,
    number,
    same,
    simple,
    whole,
    within,
)

# --- values


def _equals(wanted: Any) -> Predicate:
    return simple("equals", About.VALUE, repr(wanted), lambda e, _: same(e.value, wanted))


def _one_of(wanted: list[Any]) -> Predicate:
    text = "one of " + ", ".join(str(each) for each in wanted)
    return simple(
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


def _range_eased(given: Mapping[str, Any]) -> Predicate:
    bounds: Mapping[str, float] = given["bounds"]
    since, eased = given["from_batch"], given["official"]

    def official(event: Event, state: State) -> bool:
        batch = state.batch  # without one the official tool ends with an error
        return batch is not None and within(event.value, eased if batch >= since else bounds)

    return Predicate(
        "range_eased",
        About.VALUE,
        lambda e, _: within(e.value, bounds),
        lambda _: bounds_text(bounds),
        official,
        bounds,
    )


def _fields_in(bounds: Mapping[str, Mapping[str, float]]) -> Predicate:
    text = ", ".join(f"{name} {bounds_text(each)}" for name, each in bounds.items())
    return simple(
        "fields",
        About.VALUE,
        text,
        lambda e, _: all(within(fields_of(e.value).get(n), each) for n, each in bounds.items()),
    )


def _has_fields(names: list[str]) -> Predicate:
    text = "an object with " + ", ".join(names)
    return simple(
        "has_fields", About.VALUE, text, lambda e, _: all(n in fields_of(e.value) for n in names)
    )


def _has_value(_: bool) -> Predicate:  # noqa: FBT001 - a flag of the rule file
    return simple("has_value", About.VALUE, "a value", lambda e, _: True)  # the reader demands it


def _nonempty(_: bool) -> Predicate:  # noqa: FBT001
    return simple("nonempty", About.VALUE, "a value that is not empty", lambda e, _: e.value != "")


def _number(_: bool) -> Predicate:  # noqa: FBT001
    return simple(
        "number", About.VALUE, "a finite number", lambda e, _: number(e.value) is not None
    )


def _whole_number(_: bool) -> Predicate:  # noqa: FBT001
    return simple("whole", About.VALUE, "a whole number", lambda e, _: whole(e.value))


def _integer(_: bool) -> Predicate:  # noqa: FBT001
    return simple(
        "integer",
        About.VALUE,
        "an integer",
        lambda e, _: isinstance(e.value, int) and not isinstance(e.value, bool),
    )


def _length(wanted: int) -> Predicate:
    return simple(
        "length",
        About.VALUE,
        f"a list of {wanted}",
        lambda e, _: isinstance(e.value, list | str | dict) and len(e.value) == wanted,
    )


def _multiple_of(unit: float) -> Predicate:
    def holds(event: Event, _: State) -> bool:
        value = number(event.value)
        return value is not None and whole(value / unit)

    return simple("multiple_of", About.VALUE, f"a multiple of {unit:g}", holds)


def _power_of_two_times(unit: float) -> Predicate:
    def holds(event: Event, _: State) -> bool:
        value = number(event.value)
        return value is not None and value / unit > 0 and whole(math.log2(value / unit))

    return simple("power_of_two_times", About.VALUE, f"{unit:g} times a power of two", holds)


def _multiple_or_part_of(given: Mapping[str, float]) -> Predicate:
    unit, below = given["value"], given["part_below_batch"]

    def holds(event: Event, state: State) -> bool:
        value, batch = number(event.value), state.batch
        if value is None:
            return False
        if whole(value / unit):
            return True
        return batch is not None and batch < below and value != 0 and whole(unit / value)

    text = f"a multiple of {unit:g}, or {unit:g} divided by a whole number below batch {below:g}"
    return simple("multiple_or_part_of", About.VALUE, text, holds)


def _second_boundary(given: Mapping[str, float]) -> Predicate:
    def holds(event: Event, _: State) -> bool:
        values = event.value if isinstance(event.value, list) else []
        second = number(values[1]) if len(values) > 1 else None
        return second is not None and whole(given["steps"] * (second / given["epochs"] - 1))

    text = f"a second boundary in steps of 1/{given['steps']:g} of {given['epochs']:g} epochs"
    return simple("second_boundary", About.VALUE, text, holds)


# --- metadata


def _metadata(names: list[str]) -> Predicate:
    return simple(
        "metadata",
        About.METADATA,
        "metadata " + " and ".join(names),
        lambda e, _: all(name in metadata_of(e) for name in names),
    )


def _metadata_any(names: list[str]) -> Predicate:
    return simple(
        "metadata_any",
        About.METADATA,
        "metadata " + " or ".join(names),
        lambda e, _: any(name in metadata_of(e) for name in names),
    )


def _metadata_with(pairs: Mapping[str, str]) -> Predicate:
    text = ", ".join(f"metadata {there} beside {name}" for name, there in pairs.items())
    return simple(
        "metadata_with",
        About.METADATA,
        text,
        lambda e, _: all(
            n not in metadata_of(e) or there in metadata_of(e) for n, there in pairs.items()
        ),
    )


def _metadata_range(bounds: Mapping[str, Mapping[str, float]]) -> Predicate:
    text = ", ".join(f"metadata {name} {bounds_text(each)}" for name, each in bounds.items())
    return simple(
        "metadata_range",
        About.METADATA,
        text,
        lambda e, _: all(
            n not in metadata_of(e) or within(metadata_of(e)[n], b) for n, b in bounds.items()
        ),
    )


def _metadata_one_of(wanted: Mapping[str, list[Any]]) -> Predicate:
    text = ", ".join(
        f"metadata {name} one of {', '.join(str(each) for each in values)}"
        for name, values in wanted.items()
    )
    return simple(
        "metadata_one_of",
        About.METADATA,
        text,
        lambda e, _: all(
            n in metadata_of(e) and any(same(metadata_of(e)[n], each) for each in values)
            for n, values in wanted.items()
        ),
    )


# --- order and time


def _after(key: str) -> Predicate:
    return simple("after", About.ORDER, f"after {key}", lambda _, s: key in s.seen)


def _not_after(keys: list[str]) -> Predicate:
    text = "before " + " and ".join(keys)
    return simple(
        "not_after", About.ORDER, text, lambda _, s: not any(key in s.seen for key in keys)
    )


def _within_minutes(given: Mapping[str, Any]) -> Predicate:
    since = given["since"]

    def limit(state: State, whose: str = "") -> float:
        minutes: float | None = given.get(f"{whose}{state.division}", given.get(state.division))
        return 0.0 if minutes is None else minutes  # as if no division was logged: refused

    def holds(event: Event, state: State, whose: str = "") -> bool:
        begun = state.seen.get(since)
        return begun is not None and event.time_ms - begun < limit(state, whose) * MS_PER_MINUTE

    def expected(state: State) -> str:
        policy, official = limit(state), limit(state, "official_")
        also = "" if policy == official else f" (the official tool: {official:g})"
        return f"less than {policy:g} minutes after the first {since}{also}"

    return Predicate(
        "within_minutes",
        About.LIMIT,
        holds,
        expected,
        lambda event, state: holds(event, state, "official_"),
    )


VOCABULARY: dict[str, Callable[[Any], Predicate]] = {
    **FORMULAS,
    "after": _after,
    "equals": _equals,
    "fields": _fields_in,
    "has_fields": _has_fields,
    "has_value": _has_value,
    "integer": _integer,
    "length": _length,
    "metadata": _metadata,
    "metadata_any": _metadata_any,
    "metadata_one_of": _metadata_one_of,
    "metadata_range": _metadata_range,
    "metadata_with": _metadata_with,
    "multiple_of": _multiple_of,
    "multiple_or_part_of": _multiple_or_part_of,
    "nonempty": _nonempty,
    "not_after": _not_after,
    "number": _number,
    "one_of": _one_of,
    "power_of_two_times": _power_of_two_times,
    "range": _range,
    "range_eased": _range_eased,
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
