"""Rules about a power measurement beside others, and beside what the system is built for."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.rules import Flaw, Judgement, Rule, Scope
from mlcheck.suites.inference.entry import Entry, SystemView
from mlcheck.suites.inference.facts import Facts
from mlcheck.suites.inference.nameplate import design_power_watts
from mlcheck.suites.inference.package import Package
from mlcheck.suites.inference.power_sessions import session_of

PR_SAME = "power_measurement.adoc#power-and-performance-measurement-and-reporting"


def model_of(entry: Entry) -> str:
    """Return the model of a benchmark: bert-99 and bert-99.9 differ in quality alone."""
    name = entry.benchmark.name if entry.benchmark else entry.benchmark_raw
    stem, _, tier = name.rpartition("-")
    return stem if stem and tier.replace(".", "").isdigit() else name


def shared_sessions(system: SystemView, _: Facts) -> Iterator[Judgement]:
    """Results that share a power session are of one model: its tiers of quality, or scenarios of
    which one is inferred from the other.
    """
    by_session: dict[str, list[Entry]] = {}
    for entry in system.entries:
        session = session_of(entry)
        if session:
            by_session.setdefault(session, []).append(entry)
    for entries in by_session.values():
        models = sorted({model_of(entry) for entry in entries})
        if len(models) > 1 and entries[0].power and entries[0].power.client:
            client = entries[0].power.client
            yield Flaw(
                path=client.path,
                line=client.line_of("session_name"),
                message="one power session serves results of several models",
                expected="a session for each model",
                actual=", ".join(models)[:120],
                hint="measure each model",
                results=tuple(entry.id for entry in entries),
            )


def sessions_of_others(package: Package, _: Facts) -> Iterator[Judgement]:
    """No power session serves results of several systems."""
    for group in package.sessions:
        systems = sorted({trace.system for trace in group})
        for trace in group[1:]:
            yield Flaw(
                path=trace.path,
                message="power session is that of another system",
                expected="a session for each system",
                actual=", ".join(system for system in systems if system != trace.system)[:120],
                hint="measure each system",
                results=tuple(each.result for each in group),
            )


def above_nameplate(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """No sample shows more power than the system is built for."""
    built = design_power_watts(system, facts)
    for entry in system.entries if built is not None else ():
        log = entry.power.samples if entry.power else None
        most = max((watts for watts in log.watts if watts < 1e12), default=0.0) if log else 0.0
        if log and built is not None and most > built:
            yield Flaw(
                path=log.path,
                message="system took more power than it is said to be built for",
                expected=f"<= {built:g} W",
                actual=f"{most:g} W",
                hint="see whether power supplies are missing from the list",
                results=(entry.id,),
            )


RULES = (
    Rule(
        id="PWR180",
        name="power-session-shared",
        scope=Scope.SYSTEM,
        check=shared_sessions,
        policy=PR_SAME,
        why="Power and performance come from the same run.",
        fix="Measure each model.",
    ),
    Rule(
        id="PWR182",
        name="power-session-foreign",
        scope=Scope.PACKAGE,
        check=sessions_of_others,
        policy=PR_SAME,
        why="Power and performance come from the same run of the same system.",
        fix="Measure each system.",
    ),
    Rule(
        id="PWR181",
        name="power-above-nameplate",
        scope=Scope.SYSTEM,
        check=above_nameplate,
        policy="power_measurement.adoc#sut-must-be-consistent-with-the-description",
        why="Either the description or the measurement is of another system.",
        fix="List all power supplies.",
    ),
)
