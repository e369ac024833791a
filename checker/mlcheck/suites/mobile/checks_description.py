"""Rules about the description of a system, ``systems/SYSTEM.json``."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from typing import Any

from mlcheck import resources
from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.mobile.entry import SystemView
from mlcheck.suites.mobile.facts import Facts
from mlcheck.suites.mobile.values import shown

MR_SYSTEM = "mobile_inference_rules.adoc#system_desc_id-json-metadata"
MR_AVAILABLE = "mobile_inference_rules.adoc#system-and-framework-availability"
SP_CONDITIONS = "submissionRuleV3_0.adoc#vendor-submission-run-conditions"
NO_DESCRIPTION = "the description is missing or unreadable (MOB101, MOB103)"


def missing_description(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    """Every system with results is described in systems/SYSTEM.json."""
    if system.description is None:
        yield Flaw(
            path=system.path,
            message=f"{system.name} is not described",
            expected=system.wanted,
            hint="describe device, SoC, operating system and SDK there",
        )


def misnamed_description(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    """A description has the name of the folder of the results, letter by letter."""
    if system.description and system.description.document.path != system.wanted:
        yield Flaw(
            path=system.description.document.path,
            message="description is named in other letters than its results",
            expected=os.path.basename(system.wanted),
            actual=os.path.basename(system.description.document.path),
            hint="rename one of them: most file systems tell letter case apart",
        )


def unreadable_description(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    """A description can be read, and holds something."""
    described = system.description
    if described and not described.fields:
        yield Flaw(
            path=described.document.path,
            line=described.document.line,
            message="description cannot be read",
            expected="a JSON object with facts",
            actual=described.document.problem or "an empty object",
            hint="mend the JSON at this line",
        )


def description_is_no_json(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    """A description is valid JSON: no comma stands before a closing bracket."""
    described = system.description
    if described and described.mended:
        yield Flaw(
            path=described.document.path,
            line=described.document.line,
            message="description is not valid JSON",
            expected="no comma before the closing bracket",
            actual=described.document.problem,
            hint="take away the comma at the end of the line above",
        )
    elif described and described.document.byte_order_mark:
        yield Flaw(
            path=described.document.path,
            line=1,
            message="description starts with a byte order mark",
            hint="save it as UTF-8 without one: strict readers refuse it",
        )


def unstated_facts(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """A description names the device, its SoC, the operating system and the SDK."""
    described = system.description
    if described is None or not described.fields:
        yield Unjudged(NO_DESCRIPTION, skipped=True)
        return
    for name in facts.description["needed"]:
        if name not in described.stated:
            names = facts.description["names"][name]
            yield Flaw(
                path=described.document.path,
                message=f"description does not name the {name.replace('_', ' ')}",
                expected=" or ".join(names),
                hint=f'add "{names[0]}"',
            )


def names_given_twice(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    """A description gives no name twice: readers keep the last value alone."""
    described = system.description
    for name in described.twice if described else ():
        yield Flaw(
            path=described.document.path if described else "",
            line=described.document.line_of(name) if described else 0,
            message=f"{shown(name)} is given twice",
            expected="one value, or two names",
            hint="number the names, as in CPU_Type_1 and CPU_Type_2",
        )


def misshapen_description(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    """Facts of a description are texts or numbers, plain or in groups."""
    described = system.description
    if described is None or not described.fields:
        return  # MOB101, MOB103
    for problem in _validator(facts.description["schema"]).iter_errors(dict(described.fields)):
        name = next((str(part) for part in problem.absolute_path), "")
        yield Flaw(
            path=described.document.path,
            line=described.document.line_of(name),
            message=f"{shown(name)} is neither text nor group of texts",
            expected="a text",
            actual=shown(described.fields.get(name)),
            hint="write it as a text",
        )


@functools.cache
def _validator(schema: str) -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(resources.schema(schema))


RULES = (
    Rule(
        id="MOB101",
        name="mobile-description-missing",
        scope=Scope.SYSTEM,
        why="Without a description nobody knows what the result was measured on.",
        fix="Describe the system in systems/SYSTEM.json.",
        policy=MR_SYSTEM,
        check=missing_description,
    ),
    Rule(
        id="MOB102",
        name="mobile-description-misnamed",
        scope=Scope.SYSTEM,
        why="Tools that look for the description by its name do not find it.",
        fix="Name description and results alike.",
        policy=MR_SYSTEM,
        check=misnamed_description,
        voids=False,
    ),
    Rule(
        id="MOB103",
        name="mobile-description-unreadable",
        scope=Scope.SYSTEM,
        why="A description that no tool reads reaches no table.",
        fix="Mend the JSON.",
        policy=MR_SYSTEM,
        check=unreadable_description,
        voids=False,
    ),
    Rule(
        id="MOB104",
        name="mobile-description-no-json",
        scope=Scope.SYSTEM,
        why="The description is to be JSON; readers of JSON refuse a comma before a bracket.",
        fix="Take away the commas before closing brackets.",
        policy=MR_SYSTEM,
        check=description_is_no_json,
        voids=False,
    ),
    Rule(
        id="MOB105",
        name="mobile-fact-unstated",
        scope=Scope.SYSTEM,
        why="Results are compared, and repeated by auditors, by what the description says.",
        fix="Add what is missing.",
        policy=MR_SYSTEM,
        check=unstated_facts,
        voids=False,
    ),
    Rule(
        id="MOB106",
        name="mobile-name-twice",
        scope=Scope.SYSTEM,
        why="Which of two values is meant cannot be told, and one is lost.",
        fix="Give each value a name of its own.",
        policy=MR_SYSTEM,
        check=names_given_twice,
        voids=False,
    ),
    Rule(
        id="MOB107",
        name="mobile-description-misshapen",
        scope=Scope.SYSTEM,
        why="Tables are made of texts.",
        fix="Write facts as texts.",
        policy=MR_SYSTEM,
        check=misshapen_description,
        voids=False,
    ),
)
