"""Predicates on the value of one line."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from mlcheck.suites.training.log_lines import Event
from mlcheck.suites.training.predicate import (
    About,
    Predicate,
    State,
    bounds_text,
    fields_of,
    number,
    same,
    simple,
    whole,
    within,
)


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
        lambda e, _: within(_as_compared(e.value), bounds),
        bounds,
    )


def _as_compared(value: Any) -> Any:
    """Return a value as the official tool compares it: true and false are 1 and 0."""
    return int(value) if isinstance(value, bool) else value


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


def _filled(_: bool) -> Predicate:  # noqa: FBT001
    return simple(
        "filled",
        About.VALUE,
        "a list that is not empty",
        lambda e, _: isinstance(e.value, list | str | dict) and len(e.value) > 0,
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


VALUES: dict[str, Callable[[Any], Predicate]] = {
    "equals": _equals,
    "fields": _fields_in,
    "filled": _filled,
    "has_fields": _has_fields,
    "has_value": _has_value,
    "integer": _integer,
    "length": _length,
    "multiple_of": _multiple_of,
    "multiple_or_part_of": _multiple_or_part_of,
    "nonempty": _nonempty,
    "number": _number,
    "one_of": _one_of,
    "power_of_two_times": _power_of_two_times,
    "range": _range,
    "range_eased": _range_eased,
    "second_boundary": _second_boundary,
    "whole": _whole_number,
}
