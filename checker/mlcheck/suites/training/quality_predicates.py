"""Predicates on the quality of a run where the official tool knows no target: the policy does.

Logs of the first rounds spell a quality as their authors pleased: a number or a text of digits,
several of them as an object, inside one named ``accuracy``, or as a list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mlcheck.suites.training.log_lines import Event
from mlcheck.suites.training.predicate import (
    About,
    Predicate,
    State,
    bounds_text,
    fields_of,
    measured,
    within,
)

INNER = "accuracy"


def _unasked(_: Event, __: State) -> bool:
    return True


def _quality(bounds: Mapping[str, float]) -> Predicate:
    return Predicate(
        "quality",
        About.VALUE,
        lambda e, _: within(measured(e.value), bounds),
        lambda _: bounds_text(bounds),
        _unasked,
        bounds,
    )


def _qualities(given: Mapping[str, Mapping[str, float]]) -> Predicate:
    text = ", ".join(f"{name} {bounds_text(each)}" for name, each in given.items())

    def holds(event: Event, _: State) -> bool:
        found = _named(event.value, list(given))
        return all(within(measured(found.get(name)), each) for name, each in given.items())

    return Predicate("qualities", About.VALUE, holds, lambda _: text, _unasked)


def _named(value: Any, names: list[str]) -> Mapping[str, Any]:
    """Return several qualities by name."""
    if isinstance(value, list):
        return dict(zip(names, value, strict=False)) if len(value) == len(names) else {}
    fields = fields_of(value)
    return fields_of(fields[INNER]) if INNER in fields else fields


QUALITY: dict[str, Callable[[Any], Predicate]] = {
    "qualities": _qualities,
    "quality": _quality,
}
