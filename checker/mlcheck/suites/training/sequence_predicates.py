"""Predicates on how lines of a log follow each other: pairs that are not nested, epochs counted on.

Logs of the first rounds are judged by them. A log that has no line of the other key yet is one
before its first epoch: `none` says what counts as the number of the epoch then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mlcheck.suites.training.log_lines import Event
from mlcheck.suites.training.predicate import (
    About,
    Predicate,
    State,
    fields_of,
    metadata_of,
    number,
    simple,
)

Holds = Callable[[Event, State], bool]
MS_PER_SECOND = 1000.0


def _inside(pair: list[str]) -> Predicate:
    start, stop = pair
    text = f"between {start} and {stop}"
    return simple("inside", About.ORDER, text, lambda _, s: s.later(start, stop))


def _outside(pair: list[str]) -> Predicate:
    start, stop = pair
    text = f"not between {start} and {stop}"
    return simple("outside", About.ORDER, text, lambda _, s: not s.later(start, stop))


def _first_since(key: str) -> Predicate:
    text = f"the first of its kind since {key}"
    return simple("first_since", About.ORDER, text, lambda e, s: s.later(key, e.key))


def _answered(given: Mapping[str, Any]) -> Predicate:
    key, by = given["key"], given["by"]
    text = f"after the {key} before was followed by {' or '.join(by)}"

    def holds(_: Event, state: State) -> bool:
        return key not in state.latest or any(state.later(each, key) for each in by)

    return simple("answered", About.ORDER, text, holds)


def _counts_on(given: Mapping[str, Any]) -> Predicate:
    name, key, of = given["field"], given["key"], given["of"]

    def holds(event: Event, state: State, first: list[float]) -> bool:
        logged = number(metadata_of(event).get(name))
        if key not in state.latest:
            return logged in first
        before = state.counted(key, of)
        return before is not None and logged == before + 1

    def expected(state: State) -> str:
        before = state.counted(key, of)
        if key not in state.latest:
            return f"{name} {' or '.join(f'{each:g}' for each in given['first'])}"
        return f"{name} {'?' if before is None else f'{before + 1:g}'}, one after that of {key}"

    return Predicate(
        "counts_on",
        About.SEQUENCE,
        lambda e, s: holds(e, s, given["first"]),
        expected,
        lambda e, s: holds(e, s, given["official_first"]),
    )


def _compared(name: str, says: str, compare: Callable[[float, float], bool]) -> Any:
    """Return what makes a predicate that compares a number with that of the last line of a key."""

    def made(given: Mapping[str, Any]) -> Predicate:
        field, key, of = given["field"], given["key"], given["of"]

        def holds(event: Event, state: State, none: float) -> bool:
            logged = number(metadata_of(event).get(field))
            other = state.counted(key, of) if key in state.latest else none
            return logged is not None and other is not None and compare(logged, other)

        def expected(state: State) -> str:
            other = state.counted(key, of) if key in state.latest else given["none"]
            return f"{field} {says} {'?' if other is None else f'{other:g}'}, as of {key}"

        return Predicate(
            name,
            About.SEQUENCE,
            lambda e, s: holds(e, s, given["none"]),
            expected,
            lambda e, s: holds(e, s, given["official_none"]),
        )

    return made


def _block_follows(given: Mapping[str, Any]) -> Predicate:
    """A block begins with the epoch to come; inside an epoch, with the one evaluated last."""
    start, stop = given["epoch"]
    evaluation = given["evaluation"]

    def wanted(state: State, first: list[float]) -> list[float | None]:
        if state.later(start, stop):
            known = evaluation in state.latest
            return [state.counted(evaluation, "epoch_num") if known else 0]
        if start not in state.latest:
            return [*first]
        before = state.counted(start, "epoch_num")
        return [None if before is None else before + 1]

    def holds(event: Event, state: State, first: list[float]) -> bool:
        logged = number(metadata_of(event).get("first_epoch_num"))
        return logged is not None and logged in wanted(state, first)

    def expected(state: State) -> str:
        numbers = wanted(state, given["first"])
        text = " or ".join("?" if each is None else f"{each:g}" for each in numbers)
        where = "the epoch evaluated last" if state.later(start, stop) else "the epoch to come"
        return f"first_epoch_num {text}, {where}"

    return Predicate(
        "block_follows",
        About.SEQUENCE,
        lambda e, s: holds(e, s, given["first"]),
        expected,
        lambda e, s: holds(e, s, given["official_first"]),
    )


def _value_counts(given: Mapping[str, Any]) -> Predicate:
    name, key, of = given["field"], given["key"], given["of"]

    def holds(event: Event, state: State) -> bool:
        logged = number(fields_of(event.value).get(name))
        return logged is not None and logged == state.counted(key, of)

    def expected(state: State) -> str:
        other = state.counted(key, of)
        return f"an object with {name} {'?' if other is None else f'{other:g}'}, as of {key}"

    return Predicate("value_counts", About.VALUE, holds, expected)


def _stated_time(given: Mapping[str, Any]) -> Predicate:
    """A time that a line states is that at which another line was written, since the start."""
    saved, since, tolerance = given["saved"], given["since"], given["tolerance_s"]

    def passed(event: Event, state: State) -> float | None:
        """Return how much later than the line of its number the time is, in seconds."""
        told = metadata_of(event)
        stated, count = number(told.get(given["field"])), told.get(given["count"])
        begun = state.times.get(since, ())[-1:]
        times = state.times.get(saved, ())
        if stated is None or not begun or not isinstance(count, int) or isinstance(count, bool):
            return None
        if not -len(times) < count <= len(times):
            return None
        return stated - (times[count - 1] - begun[0]) / MS_PER_SECOND

    def holds(event: Event, state: State) -> bool:
        late = passed(event, state)
        counted = (number(metadata_of(event).get(given["count"])) or 0) >= 1
        return late is not None and counted and abs(late) < tolerance

    def official(event: Event, state: State) -> bool:
        late = passed(event, state)  # the tool takes the absolute value of the comparison
        return late is not None and late < tolerance

    def expected(_: State) -> str:
        return f"{given['field']}: seconds from {since} to the {saved} of its {given['count']}"

    return Predicate("stated_time", About.SEQUENCE, holds, expected, official)


SEQUENCES: dict[str, Callable[[Any], Predicate]] = {
    "answered": _answered,
    "block_follows": _block_follows,
    "counts_on": _counts_on,
    "first_since": _first_since,
    "inside": _inside,
    "later_than": _compared("later_than", "above", lambda logged, other: logged > other),
    "outside": _outside,
    "reached_by": _compared("reached_by", "at most", lambda logged, other: logged <= other),
    "same_number": _compared("same_number", "equal to", lambda logged, other: logged == other),
    "stated_time": _stated_time,
    "value_counts": _value_counts,
}
