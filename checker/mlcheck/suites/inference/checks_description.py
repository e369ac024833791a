"""Rules about the values of a system description: present, filled in, of their kind, known."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from mlcheck import resources
from mlcheck.documents import Document
from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.described import absent, is_blank
from mlcheck.suites.inference.checks_system import NO_DESCRIPTION, SR_SYSTEM, readable
from mlcheck.suites.inference.entry import SystemView
from mlcheck.suites.inference.facts import Facts


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


def _replaced(document: Document, facts: Facts) -> set[str]:
    """Fields that may be missing or empty, as the description states what may stand for them."""
    stated = any(not is_blank(document.fields.get(name)) for name in facts.system["optional"])
    return {"host_processor_core_count"} if stated else set()


def empty_fields(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """Fields that ask for a meaningful response have one; zero and false are responses."""
    document = readable(system)
    if document is None:
        yield Unjudged(NO_DESCRIPTION, skipped=True)
        return
    replaced = _replaced(document, facts)
    names = [name for name in facts.system["nonempty"] if name not in replaced]
    yield from _empty(document, names, is_blank)


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
        if name and not is_blank(value):  # SYS005 reports what is blank
            yield Flaw(
                path=document.path,
                line=document.line_of(name),
                message=f"field {name} is not what it should be",
                expected=problem.schema.get("description", problem.message)[:120],
                actual=repr(value)[:80],
                hint=f'correct "{name}"',
            )


def field_types_official(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """The official tool does not look at types, but dies of numbers where its table wants texts."""
    texts = facts.official["text_fields"]
    for flaw in field_types(system, facts):
        if isinstance(flaw, Flaw) and any(f" {name} " in flaw.message for name in texts):
            yield flaw


def unknown_status(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """The availability is available, preview or rdi."""
    yield from _one_of(system, "status", facts.system["statuses"], str.lower, facts)


def unknown_type(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """The type is datacenter, edge, or both."""
    yield from _one_of(system, "system_type", facts.system["types"], str, facts)


def _one_of(
    system: SystemView, name: str, allowed: list[str], fold: Any, facts: Facts
) -> Iterator[Judgement]:
    document, nonempty = readable(system), facts.system["nonempty"]
    if document is None:
        yield Unjudged(NO_DESCRIPTION, skipped=True)
        return
    value = document.fields.get(name)
    if name not in document.fields or (is_blank(value) and name in nonempty):
        return  # SYS004 and SYS005 report it
    if isinstance(value, str) and fold(value) in allowed:
        return
    yield Flaw(
        path=document.path,
        line=document.line_of(name),
        message=f"{name} is not one the round knows",
        expected=" or ".join(allowed),
        actual=repr(value)[:80],
        hint=f'correct "{name}"',
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
        official_check=field_types_official,
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
        id="SYS014",
        name="field-unknown",
        scope=Scope.SYSTEM,
        check=unknown_fields,
        policy=SR_SYSTEM,
        why="An unknown name is often a misspelt one.",
        fix="Check the spelling; remarks belong into hw_notes and sw_notes.",
    ),
)
