"""Rules about what is said of the power of switches."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.rules import Flaw, Rule, Scope
from mlcheck.suites.training.entry import Entry
from mlcheck.suites.training.facts import Facts
from mlcheck.suites.training.power_log import PowerLog, shown
from mlcheck.suites.training.power_seen import Seen, one_flaw, switches

PM_SWITCHES = "power_measurement.adoc#measure-or-estimate-interconnects"


def silent_switch(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The log of a switch holds an estimate above 0 W, or readings."""
    for log, _ in switches(entry):
        watts = [shown(stated.value) for stated in log.estimates[:1]]
        if log.estimates and not any(each is not None and each > 0 for each in watts):
            first = log.estimates[0]
            yield _switch(log, first.line, "estimate of a switch is no power", repr(first.value))
        elif not log.estimates and not log.times_ms:
            yield _switch(log, 0, "log of a switch states no power", "neither estimate nor reading")


def _switch(log: PowerLog, line: int, message: str, actual: str) -> Flaw:
    return Flaw(
        path=log.path,
        line=line,
        message=message,
        expected="interconnect_power_est, in watts",
        actual=actual[:40],
        hint="log the highest specified power, weighted by the share that the run uses",
    )


def uncounted_switch(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The power of a switch is stated as an estimate, which the official summary counts."""
    yield from one_flaw(
        (
            Seen(
                log=log,
                line=log.lines[0],
                by=len(log.times_ms),
                expected="interconnect_power_est",
                actual=f"{len(log.times_ms)} readings",
            )
            for log, _ in switches(entry)
            if log.times_ms and not log.estimates
        ),
        entry,
        "switch is measured, and the official summary counts none of it",
        "log its highest specified power as well",
        of="switch",
    )


def switch_apart(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """What the log of a switch holds is stamped within a day of its run; readings during it."""
    yield from one_flaw(
        _switch_apart(entry),
        entry,
        "log of a switch is of another time than its run",
        "take the log of this run; let the clock of the switch tell UTC",
        of="switch",
    )


def _switch_apart(entry: Entry) -> Iterator[Seen]:
    for log, run in switches(entry):
        if run is None:
            continue
        found = [
            (each.line, each.time_ms)
            for each in log.estimates
            if not run.begin_ms - DAY_MS <= each.time_ms <= run.end_ms + DAY_MS
        ]
        if log.times_ms and (max(log.times_ms) < run.begin_ms or min(log.times_ms) > run.end_ms):
            found.append((log.lines[0], log.times_ms[0]))
        if found:
            line, time = found[0]
            yield Seen(
                log=log,
                line=line,
                by=abs(time - run.begin_ms),
                expected=f"about {run.begin_ms:.0f} ms",
                actual=f"{time:.0f} ms",
            )


DAY_MS = 86_400_000.0  # an estimate may be written down before or after the run


RULES = (
    Rule(
        id="PWR825",
        name="power-switch-silent",
        scope=Scope.RESULT,
        why="A switch without a power counts as one that takes none.",
        fix="Log its highest specified power.",
        policy=PM_SWITCHES,
        check=silent_switch,
        voids=False,
    ),
    Rule(
        id="PWR826",
        name="power-switch-uncounted",
        scope=Scope.RESULT,
        why="The policy lets a switch be measured; the official summary reads estimates alone.",
        fix="Log an estimate as well, and tell the results chair.",
        policy=PM_SWITCHES,
        check=uncounted_switch,
        voids=False,
    ),
    Rule(
        id="PWR827",
        name="power-switch-another-time",
        scope=Scope.RESULT,
        why="A log of another day is not one of this run.",
        fix="Take the log of this run.",
        policy=PM_SWITCHES,
        check=switch_apart,
        voids=False,
    ),
)
