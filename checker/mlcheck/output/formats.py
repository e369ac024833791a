"""The formats of a report by name, and what they need to know beside it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import StrEnum

from mlcheck.model import Report
from mlcheck.output.summary import Gate


class Format(StrEnum):
    """How a report is written."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    JUNIT = "junit"
    GITHUB = "github"
    MARKDOWN = "markdown"


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """How to look at a report.

    Attributes:
        gate: whose word makes a finding an error, in formats that know levels.
        most: so many findings, the gravest; None: all. JSON and JUnit are always whole.
        verbose: text: every finding.
        statistics: text: a line per rule.
        base: the root as seen from the checkout, for formats whose readers look for files there.
    """

    gate: Gate = Gate.POLICY
    most: int | None = None
    verbose: bool = False
    statistics: bool = False
    base: str = ""


def render(report: Report, kind: Format, view: View) -> str:
    """Return a report as text that ends with a newline."""
    if kind is Format.JSON:
        from mlcheck.output.json_report import json_report

        return json_report(report) + "\n"
    if kind is Format.SARIF:
        from mlcheck.output.sarif import sarif_report

        return sarif_report(report, gate=view.gate, most=view.most, base=view.base)
    if kind is Format.JUNIT:
        from mlcheck.output.junit import junit_report

        return junit_report(report, gate=view.gate)
    if kind is Format.GITHUB:
        from mlcheck.output.github import github_report

        return github_report(report, gate=view.gate, most=view.most, base=view.base)
    if kind is Format.MARKDOWN:
        from mlcheck.output.markdown import markdown_report

        return markdown_report(report, gate=view.gate, most=view.most)
    from mlcheck.output.text import text_report

    lines = text_report(
        report,
        verbose=view.verbose,
        statistics=view.statistics,
        gate=view.gate,
        most=view.most,
    )
    return "".join(f"{line.text}\n" for line in lines)


def base_of(root: str, checkout: str) -> str:
    """Return the root relative to a checkout, with ``/``; empty: it is the checkout or outside."""
    path = os.path.relpath(os.path.realpath(root), os.path.realpath(checkout))
    outside = path == os.curdir or path.split(os.sep)[0] == os.pardir
    return "" if outside else path.replace(os.sep, "/")
