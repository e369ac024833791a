"""Rules about the documents below ``measurements``: data types, weights, how they were changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from mlcheck.documents import Document
from mlcheck.rules import Flaw, Rule, Scope
from mlcheck.suites.described import absent, is_blank, unreadable
from mlcheck.suites.mobile.entry import Entry
from mlcheck.suites.mobile.facts import Facts, plain
from mlcheck.suites.mobile.values import shown, text

MR_CLOSED = "mobile_inference_rules.adoc#closed-division"
MR_STRUCTURE = "mobile_inference_rules.adoc#directory-structure"


def missing_measurement(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """Each result has its document below measurements/SYSTEM/TASK/SCENARIO."""
    if not entry.measurements and entry.benchmark and entry.scenario:
        yield Flaw(
            path=entry.path,
            message=f"{entry.task} has no document of its measurement",
            expected=f"{entry.measurements_path}/{entry.task}/{entry.scenario.name}",
            hint="say which weights it uses, and how they were changed",
        )


def unreadable_measurement(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The document of a measurement can be read."""
    for each in entry.measurements:
        yield from unreadable(each.document, "document of a measurement")


def incomplete_measurement(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The document of a measurement says something in each field that the policy lists."""
    for each in entry.measurements:
        if not each.document.problem:
            yield from absent(each.document, facts.measurement["fields"])
            yield from _blank(each.document, facts.measurement["fields"])


def _blank(document: Document, names: Iterable[str]) -> Iterator[Flaw]:
    for name in names:
        if name in document.fields and is_blank(document.fields[name]):
            yield Flaw(
                path=document.path,
                line=document.line_of(name),
                message=f"field {name} says nothing",
                expected=name,
                actual=shown(document.fields[name]) or "nothing",
                hint=f'fill in "{name}"',
            )


def misnamed_measurement(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The document of a measurement is named SYSTEM_RUNTIME_SCENARIO.json."""
    scenario = entry.scenario.name if entry.scenario else ""
    for each in entry.measurements:
        name = plain(each.name.removesuffix(".json"))
        if not (name.startswith(plain(entry.system)) and name.endswith(plain(scenario))):
            yield Flaw(
                path=each.document.path,
                message="document of a measurement is named after another system or scenario",
                expected=f"{entry.system}_RUNTIME_{scenario}.json",
                actual=each.name,
                hint="rename it, after a look whether it is the right one",
            )


def retrained(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The weights of a closed result are not retrained."""
    if entry.division.retraining:
        return
    for each in entry.measurements:
        says = text(each.document.fields.get("retraining"))
        words = set(re.split(r"[^a-z/]+", says.casefold())) if says else set()
        if says and not words & set(facts.measurement["not_retrained"]):
            yield Flaw(
                path=each.document.path,
                line=each.document.line_of("retraining"),
                message="document of a measurement does not deny retraining",
                expected="none",
                actual=shown(says),
                hint="use the weights given, or move the result to the open division",
            )


RULES = (
    Rule(
        id="MOB221",
        name="mobile-measurement-missing",
        scope=Scope.RESULT,
        why="Reviewers judge from it whether the model is equivalent to the reference.",
        fix="Add the document.",
        policy=MR_STRUCTURE,
        check=missing_measurement,
        voids=False,
    ),
    Rule(
        id="MOB222",
        name="mobile-measurement-unreadable",
        scope=Scope.RESULT,
        why="What it says cannot be told.",
        fix="Mend the JSON.",
        policy=MR_STRUCTURE,
        check=unreadable_measurement,
        voids=False,
    ),
    Rule(
        id="MOB223",
        name="mobile-measurement-incomplete",
        scope=Scope.RESULT,
        why="Each field answers a question of the review.",
        fix="Add the field.",
        policy=MR_STRUCTURE,
        check=incomplete_measurement,
        voids=False,
    ),
    Rule(
        id="MOB224",
        name="mobile-measurement-misnamed",
        scope=Scope.RESULT,
        why="A document that was copied may describe another result.",
        fix="Name it after its system and scenario.",
        policy=MR_STRUCTURE,
        check=misnamed_measurement,
        voids=False,
    ),
    Rule(
        id="MOB225",
        name="mobile-retrained",
        scope=Scope.RESULT,
        why="Closed results use the weights given, so that systems are compared and not models.",
        fix="Use the weights given.",
        policy=MR_CLOSED,
        check=retrained,
        voids=False,
    ),
)
