"""Rules about the description of a system as a document: there, readable, of this system."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mlcheck.documents import Document
from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.described import marked, unreadable
from mlcheck.suites.inference.entry import SystemView
from mlcheck.suites.inference.facts import Facts

SR_SYSTEM = "submission_rules.adoc#system_desc_id-json-metadata"
NO_DESCRIPTION = "the description is missing or unreadable (SYS001, SYS002)"


def missing_description(system: SystemView, _: Facts) -> Iterator[Flaw]:
    """Every system with results is described in ``systems/SYSTEM.json``."""
    if system.description is None:
        yield Flaw(
            path=system.description_path,
            message=f"{system.name} has results but no description",
            expected=system.description_path,
            hint="describe the system, or rename the folder of its results",
        )


def unreadable_description(system: SystemView, _: Facts) -> Iterator[Flaw]:
    """The description is a JSON object."""
    yield from unreadable(system.description, f"description of {system.name}")


def byte_order_mark(system: SystemView, _: Facts) -> Iterator[Flaw]:
    """The description starts with its first brace, not with a byte order mark."""
    yield from marked(system.description, "description")


def unreadable_mapping(system: SystemView, _: Facts) -> Iterator[Flaw]:
    """model_mapping.json of an open submission is a JSON object."""
    wanted = "a JSON object of model names and benchmarks"
    yield from unreadable(system.model_mapping, "model mapping", wanted)


def unreadable_mapping_official(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    """The official tool dies of a byte order mark as well."""
    yield from unreadable_mapping(system, facts)
    yield from marked(system.model_mapping, "model mapping")


def readable(system: SystemView) -> Document | None:
    """Return the description of a system; None: it is missing or cannot be read."""
    document = system.description
    return document if document and document.problem is None else None


def another_submitter(system: SystemView, _: Facts) -> Iterator[Judgement]:
    """The submitter of the description is the folder's, letters may be small or capital."""
    yield from _same(system, "submitter", system.submitter, str.lower)


def another_division(system: SystemView, _: Facts) -> Iterator[Judgement]:
    """The division of the description is the folder's, letters may be small or capital."""
    yield from _same(system, "division", system.division.name, str.lower)


def another_division_official(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """The official tool of some rounds wants the same small letters."""
    fold = str.lower if facts.official["division_case"] == "any" else str
    yield from _same(system, "division", system.division.name, fold)


def _same(system: SystemView, name: str, folder: str, fold: Any) -> Iterator[Judgement]:
    document = readable(system)
    if document is None:
        yield Unjudged(NO_DESCRIPTION, skipped=True)
        return
    value = document.fields.get(name)
    if name not in document.fields or (isinstance(value, str) and fold(value) == fold(folder)):
        return  # SYS004 reports what is missing
    yield Flaw(
        path=document.path,
        line=document.line_of(name),
        message=f"{name} of the description is not that of the folder",
        expected=folder,
        actual=repr(value)[:80],
        hint=f'set "{name}" to {folder!r}, or move the system',
    )


RULES = (
    Rule(
        id="SYS001",
        name="description-missing",
        scope=Scope.SYSTEM,
        check=missing_description,
        policy=SR_SYSTEM,
        why="A result without a described system cannot be compared with anything.",
        fix="Write systems/SYSTEM.json, SYSTEM being the name of the folder of the results.",
    ),
    Rule(
        id="SYS002",
        name="description-unreadable",
        scope=Scope.SYSTEM,
        check=unreadable_description,
        policy=SR_SYSTEM,
        why="The official tool dies of a torn description and judges nobody; here only its system"
        " is concerned.",
        fix="Mend the JSON; a comma too many and a missing brace are the usual causes.",
    ),
    Rule(
        id="SYS003",
        name="description-byte-order-mark",
        scope=Scope.SYSTEM,
        check=byte_order_mark,
        policy=SR_SYSTEM,
        why="The official tool dies of it.",
        fix="Save the file as UTF-8 without a byte order mark.",
    ),
    Rule(
        id="SYS009",
        name="submitter-differs",
        scope=Scope.SYSTEM,
        check=another_submitter,
        policy=SR_SYSTEM,
        why="A copied description publishes a result under another name.",
        fix="Set submitter to the name of the folder.",
    ),
    Rule(
        id="SYS010",
        name="division-differs",
        scope=Scope.SYSTEM,
        check=another_division,
        official_check=another_division_official,
        policy=SR_SYSTEM,
        why="A copied description publishes a result in another division.",
        fix="Set division to the name of the folder.",
    ),
    Rule(
        id="SYS015",
        name="model-mapping-unreadable",
        scope=Scope.SYSTEM,
        check=unreadable_mapping,
        official_check=unreadable_mapping_official,
        policy="inference_rules.adoc#relaxed-constraints-for-the-open-division",
        why="Without it nobody knows which benchmark a model of one's own stands for.",
        fix="Mend the JSON.",
        voids=False,
    ),
)
