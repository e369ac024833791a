"""Rules of mlcheck itself: about its bugs, and about the waivers it is given.

They belong to no suite and no round, and nothing lets them pass.
"""

from __future__ import annotations

from dataclasses import dataclass

from mlcheck.judge import INTERNAL_ERROR
from mlcheck.model import Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRule:
    """One requirement that is not of a policy."""

    id: str
    name: str
    severity: Severity
    summary: str
    why: str
    fix: str
    policy: str = ""


_ALL = (
    OwnRule(
        id=INTERNAL_ERROR,
        name="internal-error",
        severity=Severity.ERROR,
        summary="mlcheck has a bug: a reader or a rule failed where it must not.",
        why="What could not be judged must not look as if it were in order.",
        fix="Report it. It says nothing about the submission, and everything else was judged.",
    ),
    OwnRule(
        id="MLC002",
        name="waiver-expired",
        severity=Severity.ERROR,
        summary="A waiver holds until the day it names.",
        why="Exceptions are given for a time; lists of them rot if nobody looks again.",
        fix="Mend what was waived, or have the waiver renewed by who approved it.",
    ),
    OwnRule(
        id="MLC003",
        name="waiver-unused",
        severity=Severity.WARNING,
        summary="A waiver lets at least one finding pass.",
        why="One that matches nothing has a wrong path, or is not needed any more.",
        fix="Correct the path, or remove the waiver.",
    ),
    OwnRule(
        id="MLC004",
        name="waiver-unknown-rule",
        severity=Severity.ERROR,
        summary="A waiver names a rule that exists.",
        why="A slip of the pen would be taken for a decision.",
        fix="Correct the id; mlcheck rules list shows all.",
    ),
    OwnRule(
        id="MLC005",
        name="waiver-of-mandatory-rule",
        severity=Severity.ERROR,
        summary="Rules without which a result means nothing are not waived.",
        why="A result that missed its quality target or was cut short is no result, whoever "
        "approves it.",
        fix="Remove the waiver. rules/SUITE/mandatory.csv says which rules these are, and why.",
    ),
)
OWN_RULES = {rule.id: rule for rule in _ALL}
