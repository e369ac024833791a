"""Rules about the errors and warnings that a meter logged: every line is judged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from mlcheck.power.integrate import MS_PER_S, Window
from mlcheck.power.meter_log import Complaint, Level
from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.inference.checks_power_log import (
    COPY,
    NO_RANGING,
    PR_FLOW,
    MeterRecord,
    meter_flaw,
    meter_record,
)
from mlcheck.suites.inference.entry import Entry
from mlcheck.suites.inference.facts import Facts

_NUMBERS = re.compile(r"-?\d+(?:\.\d+)?")


def meter_errors(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The meter's software reports no error outside of ranging, but for those that the round
    accepts.
    """
    found = meter_record(entry, facts)
    if found is None:
        return
    if found.ranging is None:
        yield Unjudged(NO_RANGING, skipped=True)
        return
    yield from _grouped(found, _fatal(found, facts), "meter reported an error: ")


def meter_errors_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool ends at the first line that it only warns of."""
    found = meter_record(entry, facts)
    if found and found.ranging:
        refused = _scan(found, facts)
        if refused and refused.level is Level.ERROR:
            alike = (each for each in _fatal(found, facts) if _kind(each) == _kind(refused))
            yield from _grouped(found, alike, "meter reported an error: ")
        elif refused and refused.time is None:
            yield _no_time(found, refused)


def _no_time(found: MeterRecord, complaint: Complaint) -> Flaw:
    text = _kind(complaint)[:50]
    message = f"line of the meter's log carries no time: {text}"
    return meter_flaw(
        found.log.path, complaint.line, message, "MM-DD-YYYY HH:MM:SS.mmm", None, COPY
    )


def _fatal(found: MeterRecord, facts: Facts) -> Iterator[Complaint]:
    tolerated = facts.power["workflow"]["accepted_errors"]
    for complaint in found.log.complaints:
        inside = found.ranging and _within(complaint.time, found.ranging)
        fatal = complaint.level is Level.ERROR and complaint.text not in tolerated["always"]
        if fatal and not inside:
            yield complaint


def _within(time: float | None, span: Window) -> bool:
    return time is not None and span.begin_ms < time < span.end_ms


def accepted_errors(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """Of the errors that the round accepts, the meter reports only those that ranging causes."""
    found = meter_record(entry, facts)
    tolerated = facts.power["workflow"]["accepted_errors"]
    if found is None or found.ranging is None:
        return
    usual = tuple(tolerated["ranging"])
    unusual = (
        complaint
        for complaint in found.log.complaints
        if complaint.level is Level.ERROR
        and (
            complaint.text in tolerated["always"]
            or (_within(complaint.time, found.ranging) and not complaint.text.startswith(usual))
        )
    )
    yield from _grouped(found, unusual, "meter reported an unusual error: ")


def uncertain_lines(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """During the load, the meter's software reports no sample above the limit of uncertainty."""
    found = meter_record(entry, facts)
    rule = facts.power["workflow"]["uncertainty"]
    if found is None or found.load is None:
        return
    over: list[tuple[float, Complaint]] = []
    for complaint in _warnings(found):
        percent = re.search(rule["line"], complaint.text)
        if percent and float(percent[1]) > rule["limit_percent"]:
            over.append((float(percent[1]), complaint))
    if over:
        yield _uncertain(found, over[0][1], rule["limit_percent"], over)


def uncertain_lines_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool leaves out the first and the last minutes of the load, as it takes
    milliseconds for seconds, reads lines of one form alone, and ends at the first other warning.
    """
    found = meter_record(entry, facts)
    rule = facts.power["workflow"]["uncertainty"]
    if found is None or found.ranging is None:
        return
    refused = _scan(found, facts)
    if refused and refused.level is Level.WARNING and refused.time is not None:
        over = [
            (float(percent[1]), complaint)
            for complaint in _warnings(found)
            if (percent := re.search(rule["line"], complaint.text))
            and float(percent[1]) > rule["limit_percent"]
        ]
        if over:
            yield _uncertain(found, over[0][1], rule["limit_percent"], over)


def _uncertain(
    found: MeterRecord, first: Complaint, limit: float, over: list[tuple[float, Complaint]]
) -> Flaw:
    lines = len(over)
    return meter_flaw(
        found.log.path,
        first.line,
        "samples during the load are above the limit of uncertainty",
        f"<= {limit:g} %",
        f"{lines} line{'s' * (lines > 1)}, up to {max(percent for percent, _ in over):g} %",
        "choose ranges or a meter that fit the load",
    )


def meter_warnings(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """During the load, the meter's software warns of nothing else."""
    found = meter_record(entry, facts)
    pattern = facts.power["workflow"]["uncertainty"]["line"]
    if found is None or found.load is None:
        return
    others = (each for each in _warnings(found) if not re.search(pattern, each.text))
    yield from _grouped(found, others, "meter warned during the load: ")


def _warnings(found: MeterRecord) -> Iterator[Complaint]:
    for complaint in found.log.complaints:
        if complaint.level is Level.WARNING and found.load and _within(complaint.time, found.load):
            yield complaint


def _scan(found: MeterRecord, facts: Facts) -> Complaint | None:
    """Return the first line that the official tool refuses; None: it warns first, or of nothing."""
    workflow = facts.power["workflow"]
    tolerated, uncertainty = workflow["accepted_errors"], workflow["uncertainty"]
    margin = uncertainty["official_margin_s"] * MS_PER_S
    zone = (found.server.zone_s or 0) * MS_PER_S
    ahead = zone if workflow["official_meter_zone"] else 0
    load = found.run.shown
    if load and facts.power["clock"] == "local":
        load = Window(begin_ms=load.begin_ms + zone, end_ms=load.end_ms + zone)
    for complaint in found.log.complaints:
        if complaint.time is None:
            return complaint
        if complaint.level is Level.ERROR:
            if complaint.text in tolerated["always"]:
                return None
            if found.ranging and not _within(complaint.time, found.ranging):
                return complaint
            if not complaint.text.startswith(tuple(tolerated["ranging"])):
                return None
        elif load and load.begin_ms + margin < complaint.time + ahead < load.end_ms - margin:
            refused = uncertainty["official_line"]
            return complaint if refused and re.search(refused, complaint.text) else None
    return None


def _kind(complaint: Complaint) -> str:
    """Return a text without its numbers, so that lines that differ in them are one kind."""
    return _NUMBERS.sub("N", complaint.text)


def _grouped(found: MeterRecord, complaints: Iterable[Complaint], says: str) -> Iterator[Flaw]:
    """Yield one flaw for each kind of complaint, at its first line."""
    kinds: dict[str, list[Complaint]] = {}
    for complaint in complaints:
        kinds.setdefault(_kind(complaint), []).append(complaint)
    for kind, alike in kinds.items():
        count = sum(complaint.count for complaint in alike)
        yield meter_flaw(
            found.log.path,
            alike[0].line,
            says + kind[: 99 - len(says)].rstrip(". "),
            None,
            f"{alike[0].text[:120]} ({count} line{'s' * (count > 1)})",
            "see what the meter's software complains of, and measure again",
        )


RULES = (
    Rule(
        id="PWR163",
        name="meter-error",
        scope=Scope.POWER,
        check=meter_errors,
        official_check=meter_errors_official,
        policy=PR_FLOW,
        why="A reading that failed is missing from the mean.",
        fix="See what the meter's software complains of, and measure again.",
    ),
    Rule(
        id="PWR164",
        name="meter-error-accepted",
        scope=Scope.POWER,
        check=accepted_errors,
        policy=PR_FLOW,
        why="It is accepted, and a person has to look.",
        fix="See what the meter's software complains of.",
    ),
    Rule(
        id="PWR165",
        name="power-uncertainty-reported",
        scope=Scope.POWER,
        check=uncertain_lines,
        official_check=uncertain_lines_official,
        policy=PR_FLOW,
        why="Ranging is there so that measurements are precise.",
        fix="Choose ranges or a meter that fit the load, and measure again.",
    ),
    Rule(
        id="PWR166",
        name="meter-warning",
        scope=Scope.POWER,
        check=meter_warnings,
        policy=PR_FLOW,
        why="A person has to look whether the measurement suffers.",
        fix="See what the meter's software warns of.",
    ),
)
