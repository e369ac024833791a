"""Rules about systems that are used over a network."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.documents import Document
from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.described import absent
from mlcheck.suites.inference.checks_system import NO_DESCRIPTION, SR_SYSTEM, readable
from mlcheck.suites.inference.entry import SystemView, is_network
from mlcheck.suites.inference.facts import Facts


def network_mode(system: SystemView, _: Facts) -> Iterator[Judgement]:
    """A system in the network division is used over a network, one in closed is not."""
    document, wanted = readable(system), system.division.network_system
    if document is None:
        yield Unjudged(NO_DESCRIPTION, skipped=True)
        return
    actual = is_network(document.fields.get("is_network"))
    if wanted is not None and wanted is not actual:
        yield _network_flaw(system, document, wanted)


def network_mode_official(system: SystemView, _: Facts) -> Iterator[Judgement]:
    """The official tool stops at a value that is not a text, such as true without quotes."""
    document, wanted = readable(system), system.division.network_system
    if document is None:
        return
    value = document.fields.get("is_network")
    wrong = wanted is not None and wanted is not is_network(value)
    if wrong or not (value is None or isinstance(value, str)):
        yield _network_flaw(system, document, wanted is True)


def _network_flaw(system: SystemView, document: Document, wanted: bool) -> Flaw:  # noqa: FBT001
    return Flaw(
        path=document.path,
        line=document.line_of("is_network"),
        message=f"is_network does not fit the {system.division.name} division",
        expected=str(wanted).lower(),
        actual=repr(document.fields.get("is_network")),
        hint="correct it, or move the system to another division",
    )


def missing_network_fields(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """A system used over a network describes that network."""
    document = readable(system)
    if document and is_network(document.fields.get("is_network")):
        yield from absent(document, facts.system["network"])


def type_of_division(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """The network division is for datacenter systems."""
    document = readable(system)
    allowed = system.division.system_types
    known = system.system_type in facts.system["types"]  # else SYS008
    if document and known and system.system_type not in allowed:
        yield Flaw(
            path=document.path,
            line=document.line_of("system_type"),
            message=f"{system.system_type} systems have no place in {system.division.name}",
            expected=" or ".join(sorted(allowed)),
            actual=system.system_type,
            hint="move the system to the open division",
        )


RULES = (
    Rule(
        id="SYS011",
        name="network-mode",
        scope=Scope.SYSTEM,
        check=network_mode,
        official_check=network_mode_official,
        policy="inference_rules.adoc#network-division",
        why="A system used over a network is not comparable with one that is not.",
        fix="Correct is_network, or move the system to the network or open division.",
    ),
    Rule(
        id="SYS012",
        name="network-field-missing",
        scope=Scope.SYSTEM,
        check=missing_network_fields,
        policy=SR_SYSTEM,
        why="The network is part of the system under test.",
        fix="Add the fields of the network table.",
    ),
    Rule(
        id="SYS013",
        name="type-not-in-division",
        scope=Scope.SYSTEM,
        check=type_of_division,
        policy="inference_rules.adoc#network-division",
        why="The network division covers the datacenter suite alone.",
        fix="Move the system to the open division.",
    ),
)
