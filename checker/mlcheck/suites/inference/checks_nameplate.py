"""Rules about the power that a system is built for."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.rules import Flaw, Judgement, Rule, Scope
from mlcheck.suites.inference.entry import SystemView
from mlcheck.suites.inference.facts import Facts
from mlcheck.suites.inference.nameplate import read_nameplate, watts

PR_PLATE = "power_measurement.adoc#platform-description"


def _measured(system: SystemView) -> tuple[str, ...]:
    return tuple(entry.id for entry in system.entries if entry.power)


def _field(system: SystemView, facts: Facts) -> bool:
    """Tell whether the description states it."""
    fields = system.description.fields if system.description else {}
    return facts.power["nameplate"]["field"] in fields


def missing_nameplate(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """A system with measured power says what its power supplies are made for, in a file of their
    own or in its description.
    """
    rules, measured = facts.power.get("nameplate"), _measured(system)
    if rules is None or not measured:
        return
    if system.nameplate is None and not _field(system, facts):
        yield Flaw(
            path=system.nameplate_path,
            message="nothing states the power that the system is built for",
            expected=f"{system.nameplate_path} or {rules['field']} in the description",
            hint="list the power supplies and how many of them are needed",
            results=measured,
        )


def unreadable_nameplate(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """The power that a system is built for is a number of watts, or a tree of components that list
    their power supplies and how many are needed.
    """
    yield from _field_without_number(system, facts)
    yield from _unsummed(system, facts, official=False)


def _field_without_number(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    document, rules = system.description, facts.power.get("nameplate")
    if rules is None or document is None or not _field(system, facts):
        return
    name = rules["field"]
    if watts(document.fields[name]) is None:
        yield Flaw(
            path=document.path,
            line=document.line_of(name),
            message=f"{name} is not a number of watts",
            expected="a number above 0",
            actual=repr(document.fields[name])[:60],
            hint="state it in watts, without a unit",
            results=_measured(system),
        )


def unreadable_nameplate_official(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """The official tool takes whatever the description says, and dies of other types in a file."""
    yield from _unsummed(system, facts, official=True)


def _unsummed(system: SystemView, facts: Facts, *, official: bool) -> Iterator[Flaw]:
    document, rules = system.nameplate, facts.power.get("nameplate")
    measured = _measured(system)
    if rules is None or document is None or not measured or _field(system, facts):
        return
    if document.problem:
        yield Flaw(
            path=document.path,
            line=document.line,
            message="list of power supplies cannot be read",
            expected="a YAML mapping",
            actual=document.problem,
            hint="mend the file",
            results=measured,
        )
        return
    for fault in read_nameplate(document, rules).faults:
        if official and not fault.official:
            continue
        where = " of " + "/".join(fault.names) if fault.names else ""
        yield Flaw(
            path=document.path,
            line=document.line_at(fault.names) if fault.names else 0,
            message=f"power supplies{where[:60]} cannot be summed",
            expected=fault.expected,
            actual=fault.actual,
            hint="mend the file",
            results=measured,
        )


RULES = (
    Rule(
        id="PWR106",
        name="nameplate-power-missing",
        scope=Scope.SYSTEM,
        check=missing_nameplate,
        policy=PR_PLATE,
        why="Measured power is compared with what the system is built for.",
        fix="List the power supplies in SYSTEM_power.yaml, or state system_power_capacity.",
    ),
    Rule(
        id="PWR107",
        name="nameplate-power-unreadable",
        scope=Scope.SYSTEM,
        check=unreadable_nameplate,
        official_check=unreadable_nameplate_official,
        policy=PR_PLATE,
        why="A list that cannot be summed states nothing.",
        fix="Give each component its PSUs with PowerCapacityWatts, and Min PSUs Needed.",
    ),
)
