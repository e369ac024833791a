"""Findings and texts that outputs are tried with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mlcheck.model import Finding, Official, Severity

HOSTILE = "name\x1b[31m\r\n::error::\x07##[error]<b>|&\N{RIGHT-TO-LEFT OVERRIDE}\udcff\ufffe`@you"


def finding(**changes: Any) -> Finding:
    """Return a finding that differs from a plain one."""
    made = Finding(
        id="1",
        rule="INF301",
        name="name",
        severity=Severity.ERROR,
        official=Official.ERROR,
        path="closed/Acme/results/box/bench/Offline",
        line=0,
        message="message",
        expected=None,
        actual=None,
        hint=None,
        policy="",
        results=(),
        voids=True,
    )
    return replace(made, **changes)
