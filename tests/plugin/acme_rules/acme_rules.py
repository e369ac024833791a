"""Rules of an organisation: what a package looks like that brings rules along."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.extra_rules import ExtraRules
from mlcheck.model import Severity
from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.inference.entry import SystemView
from mlcheck.suites.inference.facts import Facts


def unapproved_framework(system: SystemView, _: Facts) -> Iterator[Judgement]:
    """Systems are measured with a framework that our legal department knows."""
    if system.description is None or system.description.problem:
        yield Unjudged("the description is missing or unreadable (SYS001, SYS002)", skipped=True)
        return
    framework = system.description.fields.get("framework")
    if "TensorRT" not in str(framework):
        yield Flaw(
            path=system.description_path,
            line=system.description.line_of("framework"),
            message=f"framework of {system.name} is not approved",
            expected="TensorRT",
            actual=str(framework),
            hint="ask the legal department",
        )


RULES = ExtraRules(
    suite="inference",
    rules=(
        Rule(
            id="ACM001",
            name="acme-framework",
            scope=Scope.SYSTEM,
            check=unapproved_framework,
            policy="acme handbook, section 4",
            why="Licences differ.",
            fix="Ask the legal department.",
            voids=False,
        ),
    ),
    severities={"ACM001": Severity.ERROR},
)
