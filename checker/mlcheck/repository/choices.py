"""Choices of the command line about a store; light, so that ``mlcheck --help`` stays fast."""

from __future__ import annotations

from enum import StrEnum


class Accepted(StrEnum):
    """By whom a result has to be accepted to be shown."""

    OFFICIAL = "official"
    POLICY = "policy"
    ANY = "any"


class Per(StrEnum):
    """What a result is divided by. Derived figures are no official metrics."""

    SYSTEM = "system"
    ACCELERATOR = "accelerator"
    NODE = "node"
    WATT = "watt"


class Kind(StrEnum):
    """What a history is of."""

    SYSTEM = "system"
    SUBMITTER = "submitter"
    ACCELERATOR = "accelerator"
