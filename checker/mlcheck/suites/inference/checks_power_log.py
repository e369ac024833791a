"""Rules about the log of the meter's software: what it complained of, and when.

All lines are judged. The official tool reads them one by one and ends at the first that it only
warns of, so that an error behind a warning escapes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mlcheck.power.integrate import Window
from mlcheck.power.meter_log import MeterLog
from mlcheck.power.session import Session
from mlcheck.rules import Flaw, Judgement, Rule, Scope
from mlcheck.suites.inference.checks_power_session import sides
from mlcheck.suites.inference.entry import Entry
from mlcheck.suites.inference.facts import Facts
from mlcheck.suites.inference.power_time import TimedRun, meter_offset

PR_FLOW = "power_measurement.adoc#power-measurement-flow"
PR_FILES = "power_measurement.adoc#performance-and-power-logs"
COPY = "copy ptd_logs.txt anew from the server"
NO_RANGING = "the log of the meter shows no ranging (PWR160)"


@dataclass(frozen=True, slots=True)
class MeterRecord:
    """The log of a meter and what it is held against; times as the meter's clock showed them."""

    log: MeterLog
    server: Session
    ranging: Window | None
    load: Window | None  # of the testing run
    run: TimedRun


def meter_record(entry: Entry, facts: Facts) -> MeterRecord | None:
    """Return the log; None: not there or not readable (PWR101, PWR110, PWR160)."""
    pair, log = sides(entry), entry.power.meter_log if entry.power else None
    if pair is None or log is None or log.problem or entry.power is None:
        return None
    server, run = pair[1], entry.power.testing_run
    begun = next((line.time for mark, line in log.starts if mark == f"{server.name}_testing"), None)
    offset = meter_offset(begun, server, facts)
    window = run.window
    load = window and Window(begin_ms=window.begin_ms + offset, end_ms=window.end_ms + offset)
    return MeterRecord(log, server, log.span(f"{server.name}_ranging"), load, run)


def meter_flaw(
    path: str, line: int, message: str, expected: str | None, actual: str | None, hint: str
) -> Flaw:
    """Return a flaw of a line of a meter's log; line 0: of the whole log."""
    return Flaw(path=path, line=line, message=message, expected=expected, actual=actual, hint=hint)


def no_ranging(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The log of the meter shows a measurement with the mark of ranging, and its end."""
    found, log = meter_record(entry, facts), entry.power.meter_log if entry.power else None
    if log and log.problem:
        yield meter_flaw(
            log.path, 0, "log of the meter cannot be read", "a text", log.problem, COPY
        )
    elif found and found.ranging is None:
        yield meter_flaw(
            found.log.path,
            0,
            "log of the meter shows no ranging",
            f"Go with mark '{found.server.name[:40]}_ranging' and Completed test",
            None,
            COPY,
        )


def no_ranging_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool dies of a log that is not UTF-8, too."""
    yield from no_ranging(entry, facts)
    found = meter_record(entry, facts)
    if found and found.log.not_text:
        yield meter_flaw(found.log.path, 0, "log of the meter is not UTF-8", "UTF-8", None, COPY)


def no_testing(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The log of the meter shows a measurement with the mark of testing, and its end."""
    found = meter_record(entry, facts)
    if found and found.ranging and found.log.span(f"{found.server.name}_testing") is None:
        yield meter_flaw(
            found.log.path,
            0,
            "log of the meter shows no testing",
            f"Go with mark '{found.server.name[:40]}_testing' and Completed test",
            None,
            COPY,
        )


def unchecked_uncertainty(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The meter's software checked uncertainty, and from before ranging on."""
    found = meter_record(entry, facts)
    if found is None or found.ranging is None:
        return
    first = found.log.checking[0] if found.log.checking else None
    if first is None or first.time is None or first.time >= found.ranging.begin_ms:
        yield meter_flaw(
            found.log.path,
            first.number if first else 0,
            "uncertainty was not checked from the beginning",
            "Uncertainty checking for Yokogawa… is activated, before ranging",
            None,
            "use PTDaemon of the working group, and measure again",
        )


RULES = (
    Rule(
        id="PWR160",
        name="meter-log-without-ranging",
        scope=Scope.POWER,
        check=no_ranging,
        official_check=no_ranging_official,
        policy=PR_FILES,
        why="Errors are only accepted while the ranges are being found.",
        fix="Copy ptd_logs.txt anew from the server.",
    ),
    Rule(
        id="PWR161",
        name="meter-log-without-testing",
        scope=Scope.POWER,
        check=no_testing,
        policy=PR_FILES,
        why="A log that ends early hides what the meter complained of.",
        fix="Copy ptd_logs.txt anew from the server.",
    ),
    Rule(
        id="PWR162",
        name="meter-uncertainty-unchecked",
        scope=Scope.POWER,
        check=unchecked_uncertainty,
        policy=PR_FLOW,
        why="Without it nobody knows how precise the measurement is.",
        fix="Use PTDaemon of the working group, and measure again.",
    ),
)
