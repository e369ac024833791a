"""Rules about numbers and words that are possible one by one but not together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.inference.checks_system import NO_DESCRIPTION, SR_SYSTEM, readable
from mlcheck.suites.inference.entry import BenchmarkView, Entry, SystemView
from mlcheck.suites.inference.facts import Facts
from mlcheck.suites.inference.score import inference_formula, quality

SR_MODEL = "submission_rules.adoc#model-info_implementation_id-json-metadata"
IR_CLOSED = "inference_rules.adoc#closed-division"
IR_QUALITY = "inference_rules.adoc#constraints-for-the-closed-division"
IR_SCENARIOS = "inference_rules.adoc#scenarios"
IR_INFERRED = "inference_rules.adoc#edge-benchmarks"


def contradictory_accelerators(system: SystemView, _: Facts) -> Iterator[Judgement]:
    """A system has named accelerators and a count above zero, or neither."""
    document = readable(system)
    if document is None:
        yield Unjudged(NO_DESCRIPTION, skipped=True)
        return
    count = str(document.fields.get("accelerators_per_node", "")).strip()
    model = document.fields.get("accelerator_model_name")
    if isinstance(model, str) and not model.strip():
        return  # SYS005
    named = isinstance(model, str) and not _says_none(model)
    if count.isdigit() and isinstance(model, str) and named != (int(count) > 0):
        yield Flaw(
            path=document.path,
            line=document.line_of("accelerators_per_node"),
            message="count and model of the accelerators contradict each other",
            expected="a count above 0 with a model, or 0 with N/A",
            actual=f"{count} of {model[:60]!r}",
            hint="correct accelerators_per_node or accelerator_model_name",
        )


def _says_none(text: str) -> bool:
    return text.strip().lower() in ("", "-", "n/a", "na", "none", "no", "0")


def capacities_without_unit(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """Capacities of memory and storage come with a unit of bytes."""
    document = readable(system)
    if document is None:
        return
    for name in facts.system["capacities"]:
        value = document.fields.get(name)
        if isinstance(value, str) and _only_number(value):  # SYS006 reports numbers
            yield Flaw(
                path=document.path,
                line=document.line_of(name),
                message=f"{name} has no unit",
                expected="such as 384 GB",
                actual=str(value)[:40],
                hint="add the unit",
            )


def _only_number(text: str) -> bool:
    return re.fullmatch(r"\s*\d+(\.\d+)?\s*", text) is not None and float(text) > 0


def retrained_weights(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """In closed and network the implementation description does not say that weights were
    retrained.
    """
    document = entry.measurements.description if entry.measurements else None
    if document is None or document.problem or not entry.division.closed_rules:
        return  # INF104, INF105
    value = document.fields.get("retraining")
    if _affirmed(value):
        yield Flaw(
            path=document.path,
            line=document.line_of("retraining"),
            message=f"weights were retrained in {entry.division.name}",
            expected="no",
            actual=str(value)[:60],
            hint="move the result to the open division, or correct the description",
        )


def _affirmed(value: Any) -> bool:
    if isinstance(value, list):
        return any(_affirmed(item) for item in value if not isinstance(item, list))
    return value is True or (isinstance(value, str) and value.strip().lower().startswith("yes"))


def implausible_quality(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """In closed and network no quality value is far above its target: that is another data set,
    another scale, or another metric. One with an upper limit is held to that.
    """
    most = facts.limits["plausible_quality_ratio"]
    limited = {target.metric for target in entry.targets if target.high is not None}
    for value in quality(entry, facts):
        low = value.target if value.op == ">=" and value.name not in limited else None
        if low and value.value > low * most:
            yield Flaw(
                path=value.source.path,
                line=value.source.line,
                message=f"{value.name} is far above its target",
                expected=f"about {low:.6g}",
                actual=value.value_raw,
                hint="check that the data set and the accuracy script are those of the benchmark",
            )


def lagging_server(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """A Server run completes queries about as fast as they were scheduled."""
    log = entry.log
    if log is None:
        return
    scheduled = log.number("result_scheduled_samples_per_sec")
    completed = log.number("result_completed_samples_per_sec")
    least = facts.limits["server_completed_ratio"]
    if scheduled and completed is not None and completed < scheduled * least:
        yield Flaw(
            path=log.path_of("result_completed_samples_per_sec"),
            line=log.line("result_completed_samples_per_sec"),
            message="run completes far fewer queries than were scheduled",
            expected=f">= {least:g} times {scheduled:g} queries/s",
            actual=f"{completed:g} queries/s",
            hint="lower target_qps and run again",
        )


def inferred_from_another_run(view: BenchmarkView, facts: Facts) -> Iterator[Judgement]:
    """An inferred result is a copy of the run that it is inferred from."""
    measured = {
        entry.scenario.logged_as: entry.log
        for entry in view.entries
        if entry.scenario and entry.log and not inference_formula(entry, facts)
    }
    for entry in view.entries:
        if entry.log is None or inference_formula(entry, facts) is None:
            continue
        source = measured.get(entry.log.text("effective_scenario") or "")
        if source and (source.size, source.tail) != (entry.log.size, entry.log.tail):
            yield Flaw(
                path=entry.log.path,
                message="inferred result is not a copy of the measured run",
                expected=f"the same bytes as {source.path}",
                hint="copy the folders of the measured run",
                results=(entry.id,),
            )


RULES = (
    Rule(
        id="SYS016",
        name="accelerators-contradictory",
        scope=Scope.SYSTEM,
        check=contradictory_accelerators,
        policy=SR_SYSTEM,
        why="Values per accelerator are computed from the count.",
        fix="Correct the count or the name.",
    ),
    Rule(
        id="SYS017",
        name="capacity-without-unit",
        scope=Scope.SYSTEM,
        check=capacities_without_unit,
        policy=SR_SYSTEM,
        why="A bare number can be gigabytes or terabytes.",
        fix="Add the unit, such as GB or TB.",
    ),
    Rule(
        id="INF109",
        name="retraining-in-closed",
        scope=Scope.RESULT,
        check=retrained_weights,
        policy=IR_CLOSED,
        why="The closed division allows calibration and no retraining.",
        fix="Move the result to open, or correct the description.",
    ),
    Rule(
        id="INF511",
        name="quality-implausible",
        scope=Scope.RESULT,
        check=implausible_quality,
        policy=IR_QUALITY,
        why="A value that the reference never reaches is seldom a better model and often another "
        "measurement.",
        fix="Check the data set and the accuracy script.",
    ),
    Rule(
        id="INF344",
        name="server-lags-behind",
        scope=Scope.RESULT,
        check=lagging_server,
        policy=IR_SCENARIOS,
        why="A system that falls behind its schedule cannot sustain the rate it is credited with.",
        fix="Lower target_qps and run again.",
    ),
    Rule(
        id="INF345",
        name="inferred-copy-differs",
        scope=Scope.BENCHMARK,
        check=inferred_from_another_run,
        policy=IR_INFERRED,
        why="Inferred results rest on one measured run; two different logs mean two runs.",
        fix="Copy the folders of the measured run.",
    ),
)
