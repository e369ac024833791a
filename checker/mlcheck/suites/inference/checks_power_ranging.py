"""Rules about ranging: the run that the ranges of the meter are found by, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.power import meter
from mlcheck.power.meter import Phase
from mlcheck.power.session import Session
from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.inference.checks_power_session import sides
from mlcheck.suites.inference.entry import Entry
from mlcheck.suites.inference.facts import Facts

PR_FLOW = "power_measurement.adoc#power-measurement-flow"
AGAIN = "measure again, with a ranging run like the testing run"


def _testing(entry: Entry) -> tuple[Session, Phase] | None:
    """Return the server and the messages of the testing run; None: there are none (PWR137)."""
    pair = sides(entry)
    phases = tuple(meter.phases(pair[1].meter)) if pair else ()
    return (pair[1], phases[-1]) if pair and len(phases) > 1 else None


def range_below_ranging(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """For the testing run, the meter was set to ranges that hold what the ranging run needed."""
    found = _testing(entry)
    log = entry.power.ranging_samples if entry.power else None
    if found is None or log is None or log.problem:
        return
    server, testing = found
    tolerance = 1 - facts.power["workflow"]["samples"]["range_tolerance"]
    needs = {
        "current": (testing.amps, log.largest_amps, "A"),
        "voltage": (testing.volts, log.largest_volts, "V"),
    }
    for what, (chosen, needed, unit) in needs.items():
        if needed is None:
            yield Unjudged(f"spl.txt of the ranging run holds no {what}")
        elif chosen is None or chosen < needed * tolerance:
            yield Flaw(
                path=server.path,
                line=server.line_of("ptd_messages"),
                message=f"range of {what} is less than the ranging run needed"
                if chosen is not None
                else f"no range of {what} was set for the testing run",
                expected=f">= {needed:g} {unit}",
                actual=None if chosen is None else f"{chosen:g} {unit}",
                hint="measure again with the ranges that the workflow sets",
            )


def range_exceeded(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """During the testing run, the current stayed inside the range that was asked for."""
    found = _testing(entry)
    log = entry.power.samples if entry.power else None
    most = log.largest_amps if log else None
    if found and most is not None and found[1].amps is not None and most > found[1].amps:
        server, testing = found
        yield Flaw(
            path=server.path,
            line=server.line_of("ptd_messages"),
            message="current went beyond the range that was asked for",
            expected=f"<= {testing.amps:g} A",
            actual=f"{most:g} A",
            hint="see that ranging and testing put the same load on the system",
        )


def large_uncertainty(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The mean uncertainty of the testing run, as the meter sums it up, is within its limit."""
    found = _testing(entry)
    summary = meter.summary(found[1].after, "Uncertainty") if found else None
    if found is None:
        return
    if summary is None:
        yield Unjudged("the meter was not asked for its uncertainty")
        return
    limit = facts.power["workflow"]["uncertainty"]["limit_percent"]
    percent = 100 * summary.mean
    if not 0 <= percent <= limit:
        yield Flaw(
            path=found[0].path,
            line=found[0].line_of("ptd_messages"),
            message="uncertainty of the measurement is too large"
            if percent > 0
            else "uncertainty of the measurement is not known",
            expected=f"<= {limit:g} %",
            actual=f"{percent:.4g} %" if percent > 0 else f"{summary.mean:g}",
            hint="choose ranges or a meter that fit the load, and measure again",
        )


def uncertain_samples(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """No sample of the testing run is less certain than the limit, or of unknown certainty."""
    found = _testing(entry)
    summary = meter.summary(found[1].after, "Uncertainty") if found else None
    if found and summary and len(summary.counts) == 3 and summary.samples > 0:
        above, _below, unknown = summary.counts
        if above or unknown:
            yield Flaw(
                path=found[0].path,
                line=found[0].line_of("ptd_messages"),
                message="samples of the testing run are uncertain",
                expected=f"0 of {summary.samples}",
                actual=f"{above} above the limit, {unknown} of unknown uncertainty",
                hint="choose ranges or a meter that fit the load",
            )


def other_summary(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """Number and mean of the samples are those that the meter summed up itself."""
    found, log = _testing(entry), entry.power.samples if entry.power else None
    if found is None or log is None or log.problem:
        return
    summary = meter.summary(found[1].after, "Watts")
    if summary is None:
        yield Unjudged("the meter was not asked for the mean of the watts")
        return
    positive = [watts for watts in log.watts if watts > 0]
    mean = sum(positive) / len(positive) if positive else 0.0
    tolerance = facts.power["workflow"]["samples"]["summary_tolerance"]
    if summary.samples != len(log.watts):
        yield _summed(log.path, "number of samples", str(summary.samples), str(len(log.watts)))
    elif abs(mean - summary.mean) > tolerance * abs(summary.mean):
        yield _summed(log.path, "mean of the samples", f"{summary.mean:g} W", f"{mean:.6g} W")


def _summed(path: str, what: str, expected: str, actual: str) -> Flaw:
    return Flaw(
        path=path,
        message=f"{what} is not what the meter summed up",
        expected=expected,
        actual=actual,
        hint="copy spl.txt anew from the server",
    )


def invalid_ranging(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """LoadGen calls the ranging run valid."""
    run = entry.power.ranging if entry.power else None
    log, summary = (run.detail, run.summary) if run else (None, None)
    validity = log.text("result_validity") if log and log.problem is None else None
    if validity is None and summary:
        validity = summary.values.get("Result is", (0, None))[1]
    if log and validity is not None and validity != "VALID":
        yield Flaw(
            path=log.path,
            line=log.line("result_validity"),
            message="LoadGen does not call the ranging run valid",
            expected="VALID",
            actual=validity[:80],
            hint=AGAIN,
        )


RULES = (
    Rule(
        id="PWR140",
        name="meter-range-below-ranging",
        scope=Scope.POWER,
        check=range_below_ranging,
        policy=PR_FLOW,
        why="A meter beyond its range cuts peaks off.",
        fix="Measure again with the ranges that the workflow sets.",
    ),
    Rule(
        id="PWR141",
        name="meter-range-exceeded",
        scope=Scope.POWER,
        check=range_exceeded,
        policy=PR_FLOW,
        why="A meter takes the next range above what is asked for; far beyond, it may be exceeded.",
        fix="See that ranging and testing put the same load on the system.",
    ),
    Rule(
        id="PWR142",
        name="power-uncertainty-large",
        scope=Scope.POWER,
        check=large_uncertainty,
        policy=PR_FLOW,
        why="Ranging is there so that measurements are precise.",
        fix="Choose ranges or a meter that fit the load, and measure again.",
    ),
    Rule(
        id="PWR143",
        name="power-samples-uncertain",
        scope=Scope.POWER,
        check=uncertain_samples,
        policy=PR_FLOW,
        why="Many uncertain samples make an uncertain mean.",
        fix="Choose ranges or a meter that fit the load.",
    ),
    Rule(
        id="PWR144",
        name="power-summary-differs",
        scope=Scope.POWER,
        check=other_summary,
        policy="power_measurement.adoc#performance-and-power-logs",
        why="The meter's own count and mean show whether samples were changed.",
        fix="Copy spl.txt anew from the server.",
    ),
    Rule(
        id="PWR145",
        name="ranging-run-invalid",
        scope=Scope.POWER,
        check=invalid_ranging,
        policy=PR_FLOW,
        why="Ranges have to be those of the real load.",
        fix="Measure again, with a ranging run like the testing run.",
    ),
)
