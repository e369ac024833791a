"""Predicates on where a line stands among the others, and when it was written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mlcheck.suites.training.log_lines import Event
from mlcheck.suites.training.predicate import (
    MS_PER_MINUTE,
    About,
    Predicate,
    State,
    simple,
)


def _after(key: str) -> Predicate:
    return simple("after", About.ORDER, f"after {key}", lambda _, s: key in s.latest)


def _not_after(keys: list[str]) -> Predicate:
    text = "before " + " and ".join(keys)
    return simple(
        "not_after", About.ORDER, text, lambda _, s: not any(key in s.latest for key in keys)
    )


def _within_minutes(given: Mapping[str, Any]) -> Predicate:
    since = given["since"]

    def limit(state: State, whose: str = "") -> float:
        minutes: float | None = given.get(f"{whose}{state.division}", given.get(state.division))
        return 0.0 if minutes is None else minutes  # as if no division was logged: refused

    def holds(event: Event, state: State, whose: str = "") -> bool:
        begun = min(state.times.get(since, ()), default=None)
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


def _minutes_after(given: Mapping[str, Any]) -> Predicate:
    since, minutes, asked = given["since"], given["minutes"], given["official"]

    def holds(event: Event, state: State) -> bool:
        begun = min(state.times.get(since, ()), default=None)
        return begun is not None and event.time_ms - begun < minutes * MS_PER_MINUTE

    return Predicate(
        "minutes_after",
        About.LIMIT,
        holds,
        lambda _: f"less than {minutes:g} minutes after the first {since}",
        None if asked else lambda _, __: True,
    )


ORDER: dict[str, Callable[[Any], Predicate]] = {
    "after": _after,
    "minutes_after": _minutes_after,
    "not_after": _not_after,
    "within_minutes": _within_minutes,
}
