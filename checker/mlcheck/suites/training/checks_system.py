"""Rules about the description of a system, ``systems/SYSTEM.json``."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from mlcheck import resources
from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.described import absent, unreadable
from mlcheck.suites.training.checks_consistency import alike, plain
from mlcheck.suites.training.entry import SystemView
from mlcheck.suites.training.facts import Facts

SR_SYSTEM = "submission_rules.adoc#system_desc_id-json-metadata"
SR_STATUS = "submission_rules.adoc#category"
SR_LAYOUT = "submission_rules.adoc#training"
TR_DIVISIONS = "training_rules.adoc#divisions"
NO_DESCRIPTION = "the description is missing or unreadable (TRN101, TRN102)"


def missing_description(system: SystemView, _: Facts) -> Iterator[Flaw]:
    """Every system with results is described in ``systems/SYSTEM.json``."""
    if system.description is None:
        yield Flaw(
            path=system.systems_path,
            message=f"{system.name} has results but no description",
            expected=system.description_path,
            hint="describe the system, or rename the folder of its results",
        )


def unreadable_description(system: SystemView, _: Facts) -> Iterator[Flaw]:
    """The description is a JSON object."""
    yield from unreadable(system.description, f"description of {system.name}")


def missing_fields(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """The description has all fields that the round asks for."""
    if system.description is None or system.fields is None:
        yield Unjudged(NO_DESCRIPTION, skipped=True)
        return
    yield from absent(system.description, facts.system["required"])


def unknown_status(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """The status is one of the categories, in any case of letters."""
    statuses = facts.system["statuses"]
    yield from _not_among(system, "status", statuses, lambda value: plain(value))


def unknown_status_official(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """The official tool asks for the exact spelling, from v4.0 on."""
    if facts.system["official_status"]:
        yield from _not_among(system, "status", facts.system["statuses"], lambda value: value)


def unknown_division(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """The division is closed or open, exactly so."""
    yield from _not_among(system, "division", facts.divisions, lambda value: value)


def _not_among(system: SystemView, name: str, known: Any, form: Any) -> Iterator[Judgement]:
    fields = system.fields
    if fields is None or name not in fields or system.description is None:
        return  # TRN101, TRN102, TRN103
    value = fields[name]
    if not isinstance(value, str) or form(value) not in [form(each) for each in known]:
        yield Flaw(
            path=system.description_path,
            line=system.description.line_of(name),
            message=f"{name} is not known",
            expected=" | ".join(known),
            actual=repr(value)[:60],
            hint="write one of these, letter by letter",
        )


def misshapen_fields(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """Fields hold what their schema asks for, such as whole numbers of nodes."""
    document, fields = system.description, system.fields
    if document is None or fields is None:
        return
    for problem in _validator(facts.system["schema"]).iter_errors(dict(fields)):
        name = str(problem.path[0]) if problem.path else ""
        yield Flaw(
            path=document.path,
            line=document.line_of(name),
            message=f"field {name} is not as described",
            expected=problem.schema.get("description"),
            actual=repr(problem.instance)[:60],
            hint="see schemas/training-system.schema.json",
        )


@functools.cache
def _validator(schema: str) -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(resources.schema(schema))


def untold_texts(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    """Fields that the official tool puts into its table are texts, even numbers."""
    document, fields = system.description, system.fields
    if document is None or fields is None:
        return
    for name in facts.system["texts"]:
        if name in fields and not isinstance(fields[name], str):
            yield Flaw(
                path=document.path,
                line=document.line_of(name),
                message=f"field {name} is no text, and the official tool ends with an error",
                expected="a JSON string",
                actual=repr(fields[name])[:60],
                hint="put it into quotation marks",
            )


def another_submitter(system: SystemView, _: Facts) -> Iterator[Flaw]:
    """The submitter in the description is the one whose folder it lies in."""
    document, fields = system.description, system.fields
    if document is None or fields is None or "submitter" not in fields:
        return
    if not alike(fields["submitter"], system.submitter):
        yield Flaw(
            path=document.path,
            line=document.line_of("submitter"),
            message="description names another submitter",
            expected=system.submitter,
            actual=repr(fields["submitter"])[:60],
            hint="name the submitter as its folder is named",
        )


def system_without_results(system: SystemView, _: Facts) -> Iterator[Flaw]:
    """The folder of a system holds results, in folders of benchmarks."""
    if not system.entries:
        yield Flaw(
            path=system.path,
            message="folder of a system holds no results",
            expected="a folder per benchmark",
            actual="none",
            hint="take the folder away, or give the results",
        )


def loose_files(system: SystemView, _: Facts) -> Iterator[Flaw]:
    """Files of results lie in the folder of their benchmark."""
    if system.loose:
        yield Flaw(
            path=system.path,
            message="files lie beside the folders of benchmarks",
            expected="folders of benchmarks",
            actual=", ".join(system.loose[:3]),
            hint="move logs into the folder of their benchmark",
        )


RULES = (
    Rule(
        id="TRN101",
        name="training-description-missing",
        scope=Scope.SYSTEM,
        why="Without a description nobody knows what the result was measured on.",
        fix="Describe the system in systems/SYSTEM.json.",
        policy=SR_LAYOUT,
        check=missing_description,
    ),
    Rule(
        id="TRN102",
        name="training-description-unreadable",
        scope=Scope.SYSTEM,
        why="The official tool ends with an error at the first description it cannot read.",
        fix="Mend the JSON.",
        policy=SR_SYSTEM,
        check=unreadable_description,
    ),
    Rule(
        id="TRN103",
        name="training-field-missing",
        scope=Scope.SYSTEM,
        why="Results are compared and repeated by what the description says.",
        fix="Add the field; empty if there is no such part.",
        policy=SR_SYSTEM,
        check=missing_fields,
    ),
    Rule(
        id="TRN104",
        name="training-status-unknown",
        scope=Scope.SYSTEM,
        why="The category decides in which table a result stands.",
        fix="Write the category as the list has it.",
        policy=SR_STATUS,
        check=unknown_status,
        official_check=unknown_status_official,
    ),
    Rule(
        id="TRN105",
        name="training-division-unknown",
        scope=Scope.SYSTEM,
        why="At another spelling the official tool leaves out seeds and convergence silently.",
        fix="Write closed or open.",
        policy=TR_DIVISIONS,
        check=unknown_division,
    ),
    Rule(
        id="TRN106",
        name="training-field-misshapen",
        scope=Scope.SYSTEM,
        why="Numbers of nodes and accelerators are computed with.",
        fix="Write what the schema asks for.",
        policy=SR_SYSTEM,
        check=misshapen_fields,
        voids=False,
    ),
    Rule(
        id="TRN107",
        name="training-field-no-text",
        scope=Scope.SYSTEM,
        why="A JSON number is right, but the official tool joins texts only.",
        fix="Put the number into quotation marks.",
        policy=SR_SYSTEM,
        check=untold_texts,
        voids=False,
    ),
    Rule(
        id="TRN108",
        name="training-description-of-another-submitter",
        scope=Scope.SYSTEM,
        why="A description that was copied may describe another system too.",
        fix="Name the submitter as its folder is named.",
        policy=SR_LAYOUT,
        check=another_submitter,
        voids=False,
    ),
    Rule(
        id="TRN109",
        name="training-system-empty",
        scope=Scope.SYSTEM,
        why="Something was left out, or the folder is a leftover.",
        fix="Take the folder away, or give the results.",
        policy=SR_LAYOUT,
        check=system_without_results,
        voids=False,
    ),
    Rule(
        id="TRN110",
        name="training-loose-files",
        scope=Scope.SYSTEM,
        why="Logs that lie too high are not counted.",
        fix="Move them into the folder of their benchmark.",
        policy=SR_LAYOUT,
        check=loose_files,
        voids=False,
    ),
)
