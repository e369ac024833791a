"""Whose the second verdict of a result is: that of the official checker, if there is one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Second:
    """How pages name the second verdict.

    Attributes:
        name: stands before the verdict.
        by: stands behind it.
        checker: whether a tool checks; it then has a word about every finding.
        meaning: for the glossary.
    """

    name: str
    by: str
    checker: bool
    meaning: str

    @property
    def valid(self) -> str:
        """What a result is called that it holds for valid."""
        return f"valid {self.by}"


OFFICIAL = Second(
    name="official tool",
    by="for the official tool",
    checker=True,
    meaning="mlcheck expects the submission checker of the round to accept the result. The two "
    "differ where that tool checks less, or more, than the rules say.",
)
APP = Second(
    name="recorded by the app",
    by="as recorded by the app",
    checker=False,
    meaning="The suite has no official checker: this is what the app and LoadGen recorded of the "
    "run on the device.",
)
_WITHOUT_CHECKER = {"mobile": APP}


def second(suite: str) -> Second:
    """Return whose the second verdict of the results of a suite is."""
    return _WITHOUT_CHECKER.get(suite, OFFICIAL)
