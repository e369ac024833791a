"""Rules about the samples of a power measurement: that they are all there, and fit together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from mlcheck.power.integrate import MS_PER_S, Quality
from mlcheck.power.samples import Reading, SampleLog, shown
from mlcheck.power.session import PHASES
from mlcheck.rules import Flaw, Judgement, Rule, Scope
from mlcheck.suites.inference.checks_power_session import sides
from mlcheck.suites.inference.entry import Entry
from mlcheck.suites.inference.facts import Facts

PR_FILES = "power_measurement.adoc#performance-and-power-logs"
PR_FLOW = "power_measurement.adoc#power-measurement-flow"
COPY = "copy spl.txt anew from the server"


def _quality(entry: Entry) -> tuple[SampleLog, Quality] | None:
    """Return the samples of the testing run and what is remarkable of them; None: PWR102."""
    log = entry.power.samples if entry.power else None
    found = entry.power.testing_run.quality if entry.power else None
    return (log, found) if log and found and found.samples else None


def sample_gaps(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The meter was read during the whole load; no readings are missing."""
    found = _quality(entry)
    limit = facts.power["workflow"]["samples"]["gap_ms"] if entry.power else 0
    gaps = [gap for gap in found[1].gaps if gap.duration_ms > limit] if found else []
    if found and gaps:
        longest = max(gap.duration_ms for gap in gaps)
        yield Flaw(
            path=found[0].path,
            message="power samples are missing during the load",
            expected=f"no gap longer than {limit / MS_PER_S:g} s",
            actual=f"{len(gaps)} of up to {longest / MS_PER_S:.4g} s, the first at "
            f"{shown(gaps[0].begin_ms)} UTC",
            hint=COPY,
        )


def irregular_samples(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """Samples follow each other at the interval of the round, each later than the one before."""
    found = _quality(entry)
    if found is None:
        return
    log, measured = found
    rules = facts.power["workflow"]["samples"]
    late = [gap for gap in measured.gaps if gap.duration_ms <= rules["gap_ms"]]  # else PWR170
    counts = {
        f"after more than {rules['irregular_ms'] / MS_PER_S:g} s": len(late),
        "at the time of another": measured.duplicates,
        "before an earlier one": measured.backward,
    }
    if any(counts.values()):
        yield Flaw(
            path=log.path,
            message="power samples do not follow each other regularly",
            expected=f"one every {rules['interval_ms'] / MS_PER_S:g} s",
            actual=", ".join(f"{count} {how}" for how, count in counts.items() if count),
            hint="see whether the host of the meter was busy",
        )


def unreal_samples(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """All readings during the load are above zero."""
    found = _quality(entry)
    if found and (found[1].zero or found[1].negative):
        log, measured = found
        yield Flaw(
            path=log.path,
            message="power samples during the load are not above zero",
            expected=f"0 of {measured.samples}",
            actual=f"{measured.negative} negative, {measured.zero} zero",
            hint="see why the meter lost readings",
        )


def foreign_marks(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """Each sample carries the mark of its session and phase."""
    pair = sides(entry)
    logs = (entry.power.ranging_samples, entry.power.samples) if entry.power else ()
    for phase, log in zip(PHASES, logs, strict=False) if pair else ():
        wanted = f"{pair[1].name}_{phase}" if pair else ""
        foreign = [each for each in log.readings if each.mark != wanted] if log else []
        if log and foreign:
            yield Flaw(
                path=log.path,
                line=foreign[0].line,
                message="power samples carry the mark of another measurement",
                expected=wanted[:80],
                actual=f"{foreign[0].mark[:60]} ({len(foreign)} of {len(log.watts)})",
                hint="take samples and session from one measurement",
            )


def unequal_channels(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The channels of a sample add up to its watts."""
    tolerance = facts.power["workflow"]["samples"]["channel_tolerance"]

    def off(reading: Reading) -> bool:
        total = math.fsum(reading.channel_watts)
        return bool(reading.channel_watts) and abs(total - reading.watts) > tolerance * abs(
            reading.watts
        )

    yield from _disagreeing(entry, off, "channels of a sample do not add up to its watts")


def unequal_product(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """Watts of a meter with one channel are volts times amperes times power factor."""
    tolerance = facts.power["workflow"]["samples"]["power_factor_tolerance"]

    def off(reading: Reading) -> bool:
        product = reading.volts * reading.amps * reading.power_factor
        one = not reading.channel_watts and math.isfinite(product) and product > 0
        # small readings have few digits
        return one and abs(product - reading.watts) > max(tolerance * reading.watts, 0.05)

    yield from _disagreeing(entry, off, "watts of a sample are not volts times amperes times PF")


def _disagreeing(entry: Entry, off: Callable[[Reading], bool], message: str) -> Iterator[Flaw]:
    logs = (entry.power.ranging_samples, entry.power.samples) if entry.power else ()
    for log in logs:
        wrong = [each for each in log.readings if each.watts > 0 and off(each)] if log else []
        if log and wrong:
            yield Flaw(
                path=log.path,
                line=wrong[0].line,
                message=message,
                expected="0 samples",
                actual=f"{len(wrong)} of {len(log.watts)}",
                hint=COPY,
            )


RULES = (
    Rule(
        id="PWR170",
        name="power-samples-missing",
        scope=Scope.POWER,
        check=sample_gaps,
        policy=PR_FILES,
        why="What was not read may have been more.",
        fix="Copy spl.txt anew from the server.",
    ),
    Rule(
        id="PWR171",
        name="power-samples-irregular",
        scope=Scope.POWER,
        check=irregular_samples,
        policy=PR_FLOW,
        why="The mean counts each sample alike, however long it stands for.",
        fix="See whether the host of the meter was busy.",
    ),
    Rule(
        id="PWR172",
        name="power-samples-not-positive",
        scope=Scope.POWER,
        check=unreal_samples,
        policy=PR_FLOW,
        why="A running system takes power; such readings failed, and some rounds leave them out.",
        fix="See why the meter lost readings.",
    ),
    Rule(
        id="PWR173",
        name="power-samples-foreign",
        scope=Scope.POWER,
        check=foreign_marks,
        policy=PR_FILES,
        why="Samples of another measurement say nothing of this one.",
        fix="Take samples and session from one measurement.",
    ),
    Rule(
        id="PWR174",
        name="power-channels-unequal",
        scope=Scope.POWER,
        check=unequal_channels,
        policy=PR_FILES,
        why="A sample that was changed in one place no longer fits together.",
        fix="Copy spl.txt anew from the server.",
    ),
    Rule(
        id="PWR175",
        name="power-product-unequal",
        scope=Scope.POWER,
        check=unequal_product,
        policy=PR_FILES,
        why="A sample that was changed in one place no longer fits together.",
        fix="Copy spl.txt anew from the server.",
    ),
)
