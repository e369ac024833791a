"""Rules about the description of a system, ``systems/SYSTEM.json``."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from mlcheck import resources
from mlcheck.documents import Document
from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
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
    document = system.description
    if document and document.problem:
        yield Flaw(
            path=document.path,
            line=document.line,
            message=f"description of {system.name} cannot be read",
            expected="a JSON object",
            actual=document.problem,
            hint="mend the JSON at this line",
        )


def byte_order_mark(system: SystemView, _: Facts) -> Iterator[Flaw]:
    """The description starts with its first brace, not with a byte order mark."""
    if system.description and system.description.byte_order_mark:
        yield Flaw(
            path=system.description.path,
            line=1,
            message="description starts with a byte order mark",
            hint="save it as UTF-8 without one: strict readers refuse it",
        )


def unreadable_mapping(system: SystemView, _: Facts) -> Iterator[Flaw]:
    """model_mapping.json of an open submission is a JSON object."""
    document = system.model_mapping
    if document and document.problem:
        yield Flaw(
            path=document.path,
            line=document.line,
            message="model mapping cannot be read",
            expected="a JSON object of model names and benchmarks",
            actual=document.problem,
            hint="mend the JSON at this line",
        )


def readable(system: SystemView) -> Document | None:
    """Return the description of a system; None: it is missing or cannot be read."""
    document = system.description
    return document if document and document.problem is None else None


def missing_fields(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """The description has all fields that the round asks for."""
    document = readable(system)
    if document is None:
        yield Unjudged(NO_DESCRIPTION, skipped=True)
        return
    required = set(facts.system["required"])
    yield from absent(document, sorted(required - _replaced(document, facts)))


def missing_fields_official(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """The official tool does not take the number of virtual processors for the core count."""
    document = readable(system)
    if document:
        yield from absent(document, sorted(facts.system["required"]))


def absent(document: Document, names: list[str]) -> Iterator[Flaw]:
    """Yield one flaw per field that a description lacks."""
    for name in names:
        if name not in document.fields:
            yield Flaw(
                path=document.path,
                message=f"field {name} is missing",
                expected=name,
                hint=f'add "{name}"',
            )


def _replaced(document: Document, facts: Facts) -> set[str]:
    """Fields that may be missing or empty, as the description states what may stand for them."""
    stated = any(not _blank(document.fields.get(name)) for name in facts.system["optional"])
    return {"host_processor_core_count"} if stated else set()


def _blank(value: Any) -> bool:
    return value is None or value in ([], {}) or (isinstance(value, str) and not value.strip())


def empty_fields(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """Fields that ask for a meaningful response have one; zero and false are responses."""
    document = readable(system)
    if document is None:
        yield Unjudged(NO_DESCRIPTION, skipped=True)
        return
    replaced = _replaced(document, facts)
    names = [name for name in facts.system["nonempty"] if name not in replaced]
    yield from _empty(document, names, _blank)


def empty_fields_official(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """The official tool takes zero and false for empty, and a blank for a response."""
    document = readable(system)
    if document:
        yield from _empty(document, facts.system["nonempty"], lambda value: not value)


def _empty(document: Document, names: list[str], blank: Any) -> Iterator[Flaw]:
    for name in names:
        if name in document.fields and blank(document.fields[name]):
            yield Flaw(
                path=document.path,
                line=document.line_of(name),
                message=f"field {name} needs a meaningful response but is empty",
                expected="a response, N/A if it does not apply",
                actual=repr(document.fields[name]),
                hint=f'fill in "{name}"',
            )


@functools.cache
def _validator(schema: str) -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(resources.schema(schema))


def field_types(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """Counts are whole numbers and texts are texts, as the schema of the description says."""
    document = readable(system)
    if document is None:
        yield Unjudged(NO_DESCRIPTION, skipped=True)
        return
    for problem in _validator(facts.system["schema"]).iter_errors(document.fields):
        name = str(problem.path[0]) if problem.path else ""
        value = document.fields.get(name)
        if name and not _blank(value):  # SYS005 reports what is blank
            yield Flaw(
                path=document.path,
                line=document.line_of(name),
                message=f"field {name} is not what it should be",
                expected=problem.schema.get("description", problem.message)[:120],
                actual=repr(value)[:80],
                hint=f'correct "{name}"',
            )


def unknown_status(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """The availability is available, preview or rdi."""
    yield from _one_of(system, "status", facts.system["statuses"], str.lower)


def unknown_type(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """The type is datacenter, edge, or both."""
    yield from _one_of(system, "system_type", facts.system["types"], str)


def _one_of(system: SystemView, name: str, allowed: list[str], fold: Any) -> Iterator[Judgement]:
    document = readable(system)
    if document is None:
        yield Unjudged(NO_DESCRIPTION, skipped=True)
        return
    value = document.fields.get(name)
    if name not in document.fields or (isinstance(value, str) and fold(value) in allowed):
        return  # SYS004 reports what is missing
    yield Flaw(
        path=document.path,
        line=document.line_of(name),
        message=f"{name} is not one the round knows",
        expected=" or ".join(allowed),
        actual=repr(value)[:80],
        hint=f'correct "{name}"',
    )


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


def unknown_fields(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """The description has no fields that the round does not know."""
    document = readable(system)
    if document is None:
        return
    lists = ("required", "network", "power", "optional", "known")
    known = {name for which in lists for name in facts.system[which]}
    for name in sorted(set(document.fields) - known):
        yield Flaw(
            path=document.path,
            line=document.line_of(name),
            message=f"field {name} is not one the round knows",
            hint="check the spelling, or use hw_notes or sw_notes",
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
        id="SYS004",
        name="field-missing",
        scope=Scope.SYSTEM,
        check=missing_fields,
        official_check=missing_fields_official,
        policy=SR_SYSTEM,
        why="Reviewers and readers need all of them to tell systems apart.",
        fix="Add the field; N/A says that it does not apply.",
    ),
    Rule(
        id="SYS005",
        name="field-empty",
        scope=Scope.SYSTEM,
        check=empty_fields,
        official_check=empty_fields_official,
        policy=SR_SYSTEM,
        why="An empty text says neither what is there nor that nothing is.",
        fix="Fill it in; N/A says that it does not apply.",
    ),
    Rule(
        id="SYS006",
        name="field-type",
        scope=Scope.SYSTEM,
        check=field_types,
        policy=SR_SYSTEM,
        why="Totals and values per accelerator are computed from these counts.",
        fix="Write plain counts, such as 8, and keep words for the notes.",
    ),
    Rule(
        id="SYS007",
        name="status-unknown",
        scope=Scope.SYSTEM,
        check=unknown_status,
        policy="submission_rules.adoc#results-categories",
        why="The availability decides in which table a result is published, and what is owed "
        "later.",
        fix="Use available, preview or rdi.",
    ),
    Rule(
        id="SYS008",
        name="system-type-unknown",
        scope=Scope.SYSTEM,
        check=unknown_type,
        policy=SR_SYSTEM,
        why="The type decides which benchmarks and scenarios are required.",
        fix='Use datacenter, edge, or "datacenter,edge".',
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
        id="SYS014",
        name="field-unknown",
        scope=Scope.SYSTEM,
        check=unknown_fields,
        policy=SR_SYSTEM,
        why="An unknown name is often a misspelt one.",
        fix="Check the spelling; remarks belong into hw_notes and sw_notes.",
    ),
    Rule(
        id="SYS015",
        name="model-mapping-unreadable",
        scope=Scope.SYSTEM,
        check=unreadable_mapping,
        policy="inference_rules.adoc#relaxed-constraints-for-the-open-division",
        why="Without it nobody knows which benchmark a model of one's own stands for.",
        fix="Mend the JSON.",
        voids=False,
    ),
)
