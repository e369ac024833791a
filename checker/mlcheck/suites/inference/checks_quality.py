"""Rules about the quality that accuracy.txt states, against the targets of the benchmark."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.inference.accuracy import counted, reported
from mlcheck.suites.inference.entry import AccuracyText, Entry, Reading
from mlcheck.suites.inference.facts import Facts

SR_FILES = "submission_rules.adoc#inference"
IR_QUALITY = "inference_rules.adoc#constraints-for-the-closed-division"
NO_TEXT = "accuracy.txt is missing or unreadable (INF501)"


def _text(entry: Entry) -> AccuracyText | None:
    text = entry.accuracy.text if entry.accuracy else None
    return text if text and text.problem is None and entry.benchmark else None


def stray_bytes(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """accuracy.txt is UTF-8 text; other bytes are passed over."""
    text = entry.accuracy.text if entry.accuracy else None
    if text and text.stray:
        yield Flaw(
            path=text.path,
            line=text.stray,
            message="accuracy.txt holds bytes that are not UTF-8",
            hint="remove them: the official tool dies of them",
        )


def unread_metrics(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """accuracy.txt states every quality metric of the benchmark; in open at least one."""
    text = _text(entry)
    if text is None:
        yield Unjudged(NO_TEXT, skipped=True)
        return
    yield from _unread(entry, text, text.readings)


def unread_metrics_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool of some rounds takes an open result without any. It is particular about
    quotes and blanks.
    """
    text = _text(entry)
    if text and (entry.division.closed_rules or facts.official["open_states_quality"]):
        readings = tuple(reading for reading in text.readings if reading.official)
        yield from _unread(entry, text, readings)


def _unread(entry: Entry, text: AccuracyText, readings: tuple[Reading, ...]) -> Iterator[Flaw]:
    read = {reading.metric for reading in readings if reading.value is not None}
    if not entry.division.closed_rules and read:
        return
    for target in entry.targets:
        if target.metric not in read:
            yield Flaw(
                path=text.path,
                message=f"accuracy.txt does not state {target.metric}",
                expected=f"a line with {target.metric} as the reference script prints it",
                hint="run the accuracy script of the reference and keep what it prints",
            )


def missed_targets(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """In closed and network every stated quality value reaches its target, as it is printed or as
    it is reported, rounded to the figures of the round.
    """
    text = _text(entry)
    if text is None:
        yield Unjudged(NO_TEXT, skipped=True)
    elif entry.division.closed_rules:
        lows = {target.metric: target.low for target in entry.targets}
        yield from _missed(lows, text.readings, facts.limits["quality_digits"])


def missed_targets_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool stops reading when all targets are reached and the hash is seen, and takes
    some targets on another scale.
    """
    text = _text(entry)
    if text and entry.division.closed_rules:
        lows = {target.metric: target.official_low for target in entry.targets}
        yield from _missed(lows, counted(text, entry.targets, facts.official["stops_reading"]))


def _missed(
    lows: dict[str, float | None], readings: tuple[Reading, ...], digits: int | None = None
) -> Iterator[Flaw]:
    for metric, low in lows.items():
        for reading in readings:
            if reading.metric != metric or reading.value is None or low is None:
                continue
            if max(_values(reading.value, digits)) < low:
                yield Flaw(
                    path=reading.path,
                    line=reading.line,
                    message=f"{metric} is below its target",
                    expected=f">= {low:.10g}",
                    actual=reading.text,
                    hint="improve the accuracy, or move the result to the open division",
                )


def _values(value: float, digits: int | None) -> tuple[float, ...]:
    """A quality value as it is printed, and as it is reported if figures are given."""
    return (value,) if digits is None else (value, reported(value, digits))


def exceeded_limits(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """In closed and network no quality value is above its upper limit, where it has one; as it is
    printed or as it is reported, rounded to the figures of the round.
    """
    text = _text(entry)
    if text is None:
        yield Unjudged(NO_TEXT, skipped=True)
    elif entry.division.closed_rules:
        limits = {target.metric: target.high for target in entry.targets}
        yield from _exceeded(limits, text.readings, facts.limits["quality_digits"])


def exceeded_limits_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool may stop reading before, and takes one limit from another reference."""
    text = _text(entry)
    if text and entry.division.closed_rules:
        limits = {target.metric: target.official_high for target in entry.targets}
        yield from _exceeded(limits, counted(text, entry.targets, facts.official["stops_reading"]))


def _exceeded(
    limits: dict[str, float | None], readings: tuple[Reading, ...], digits: int | None = None
) -> Iterator[Flaw]:
    for reading in readings:
        high = limits.get(reading.metric)
        if high is None or reading.value is None:
            continue
        if min(_values(reading.value, digits)) > high:
            yield Flaw(
                path=reading.path,
                line=reading.line,
                message=f"{reading.metric} is above its limit",
                expected=f"<= {high:.10g}",
                actual=reading.text,
                hint="generate as the reference does, or move the result to the open division",
            )


RULES = (
    Rule(
        id="INF502",
        name="accuracy-text-encoding",
        scope=Scope.RESULT,
        check=stray_bytes,
        policy=SR_FILES,
        why="The official tool dies of such bytes and judges nobody.",
        fix="Write accuracy.txt as UTF-8.",
    ),
    Rule(
        id="INF503",
        name="quality-not-stated",
        scope=Scope.RESULT,
        check=unread_metrics,
        official_check=unread_metrics_official,
        policy=IR_QUALITY,
        why="A value that is not there cannot be held against its target.",
        fix="Keep the output of the reference script as it is.",
    ),
    Rule(
        id="INF504",
        name="quality-below-target",
        scope=Scope.RESULT,
        check=missed_targets,
        official_check=missed_targets_official,
        policy=IR_QUALITY,
        why="Closed results are comparable because all of them reach the same quality.",
        fix="Improve the accuracy, or move the result to open.",
    ),
    Rule(
        id="INF505",
        name="quality-above-limit",
        scope=Scope.RESULT,
        check=exceeded_limits,
        official_check=exceeded_limits_official,
        policy=IR_QUALITY,
        why="Longer answers or other images than the reference's are another task.",
        fix="Generate as the reference does, or move the result to open.",
    ),
)
