"""Rules about how a result was measured: the folder of measurements and the code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mlcheck.documents import Document
from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.described import absent, is_blank, marked, unreadable
from mlcheck.suites.inference.entry import Entry
from mlcheck.suites.inference.facts import Facts
from mlcheck.tree import join

SR_MODEL = "submission_rules.adoc#model-info_implementation_id-json-metadata"
SR_CODE = "submission_rules.adoc#source-code-requirements-for-inference-inspection"
SR_FILES = "submission_rules.adoc#inference"
NO_FOLDER = "the folder of measurements is missing (INF101)"
NO_DOCUMENT = "the implementation description is missing or unreadable (INF104, INF105)"


def missing_measurements(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """Every result has a folder of measurements of the same names."""
    if entry.measurements is None:
        yield Flaw(
            path=entry.measurements_path,
            message="result has no folder of measurements",
            expected=entry.measurements_path,
            hint="add it, spelt like the folder of the result",
        )


def missing_files(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The folder of measurements holds README.md and user.conf."""
    if entry.measurements is None:
        yield Unjudged(NO_FOLDER, skipped=True)
        return
    for name in facts.files["measurements"]:
        if name not in entry.measurements.sizes:
            yield Flaw(
                path=join(entry.measurements_path, name),
                message=f"{name} is missing",
                expected=name,
                hint=f"add the {name} the run was made with",
            )


def empty_files(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """README.md and user.conf are not empty."""
    if entry.measurements is None:
        yield Unjudged(NO_FOLDER, skipped=True)
        return
    for name in facts.files["measurements"]:
        if entry.measurements.sizes.get(name) == 0:
            yield Flaw(
                path=join(entry.measurements_path, name),
                message=f"{name} is empty",
                expected="how the result was measured",
                actual="0 bytes",
                hint="say how to run it, or what was set",
            )


def missing_description(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The implementation is described in a JSON file whose name starts with the system's."""
    if entry.measurements is None:
        yield Unjudged(NO_FOLDER, skipped=True)
    elif entry.measurements.description is None:
        yield Flaw(
            path=entry.measurements_path,
            message="implementation is not described",
            expected=facts.layout["description_example"],
            hint="add the file, or rename the one that is there",
        )


def unreadable_description(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """The description of the implementation is a JSON object."""
    document = entry.measurements.description if entry.measurements else None
    yield from unreadable(document, "implementation description")


def unreadable_description_official(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The official tool dies of a byte order mark as well."""
    yield from unreadable_description(entry, facts)
    document = entry.measurements.description if entry.measurements else None
    yield from marked(document, "implementation description")


def _readable(entry: Entry) -> Document | None:
    document = entry.measurements.description if entry.measurements else None
    return document if document and document.problem is None else None


def missing_fields(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The description names weights, types, transformations, input types and retraining."""
    document = _readable(entry)
    if document is None:
        yield Unjudged(NO_DOCUMENT, skipped=True)
        return
    yield from absent(document, facts.implementation_fields)


def empty_fields(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """None of these fields is empty; false is a response."""
    document = _readable(entry)
    if document is None:
        yield Unjudged(NO_DOCUMENT, skipped=True)
        return
    yield from _empty(document, facts, is_blank)


def empty_fields_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool takes false and zero for empty, and a blank for a response."""
    document = _readable(entry)
    if document:
        yield from _empty(document, facts, lambda value: not value)


def _empty(document: Document, facts: Facts, blank: Any) -> Iterator[Flaw]:
    for name in facts.implementation_fields:
        if name in document.fields and blank(document.fields[name]):
            yield Flaw(
                path=document.path,
                line=document.line_of(name),
                message=f"field {name} needs a meaningful response but is empty",
                actual=repr(document.fields[name]),
                hint=f'fill in "{name}"',
            )


def missing_code(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """The submitter's code folder has a folder for the benchmark, or a file naming one there."""
    if not entry.code_found:
        yield _no_code(entry)


def missing_code_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool of some rounds is content with a folder for code, whatever it holds."""
    top = facts.official["code_by"] == "folder"
    if not (entry.code_present if top else entry.code_found):
        yield _no_code(entry)


def _no_code(entry: Entry) -> Flaw:
    return Flaw(
        path=entry.code_path,
        message="code of the benchmark is missing",
        expected=entry.code_path,
        hint="add the code, or a text file of that name that names the folder it lies in",
    )


RULES = (
    Rule(
        id="INF101",
        name="measurements-missing",
        scope=Scope.RESULT,
        check=missing_measurements,
        policy=SR_FILES,
        why="Without it nobody can tell how the result was made, or make it again.",
        fix="Add the folder; system, benchmark and scenario are spelt as in results/.",
    ),
    Rule(
        id="INF102",
        name="measurement-file-missing",
        scope=Scope.RESULT,
        check=missing_files,
        policy=SR_FILES,
        why="The README says how to repeat the run, user.conf what LoadGen was told.",
        fix="Add the file.",
    ),
    Rule(
        id="INF103",
        name="measurement-file-empty",
        scope=Scope.RESULT,
        check=empty_files,
        policy=SR_FILES,
        why="An empty file holds a place but says nothing.",
        fix="Write what it is there for.",
    ),
    Rule(
        id="INF104",
        name="implementation-description-missing",
        scope=Scope.RESULT,
        check=missing_description,
        policy=SR_MODEL,
        why="It says which weights were used and what was done to them.",
        fix="Add SYSTEM_IMPLEMENTATION_SCENARIO.json.",
    ),
    Rule(
        id="INF105",
        name="implementation-description-unreadable",
        scope=Scope.RESULT,
        check=unreadable_description,
        official_check=unreadable_description_official,
        policy=SR_MODEL,
        why="The official tool dies of it; here only its result is concerned.",
        fix="Mend the JSON.",
    ),
    Rule(
        id="INF106",
        name="implementation-field-missing",
        scope=Scope.RESULT,
        check=missing_fields,
        policy=SR_MODEL,
        why="Closed results are only comparable if the weights are known.",
        fix="Add the field.",
    ),
    Rule(
        id="INF107",
        name="implementation-field-empty",
        scope=Scope.RESULT,
        check=empty_fields,
        official_check=empty_fields_official,
        policy=SR_MODEL,
        why="An empty text does not say what was done to the weights.",
        fix='Fill it in; "no" is a response.',
    ),
    Rule(
        id="INF108",
        name="code-missing",
        scope=Scope.RESULT,
        check=missing_code,
        official_check=missing_code_official,
        policy=SR_CODE,
        why="Reviewers read the code: without it a result cannot be reviewed.",
        fix="Add code/BENCHMARK/IMPLEMENTATION.",
    ),
)
