"""Waivers: which findings people let pass, why, who said so, and until when.

A waiver changes no finding and hides none. It holds until a day, finds something to let pass, and
does not touch what is mandatory; where that fails, it is a finding itself.
"""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import yaml

from mlcheck.extra_rules import rules_of
from mlcheck.gate.facts import gate_facts
from mlcheck.model import FOREVER, Finding, Official, Report, Waiver, stable_id
from mlcheck.overlay import RulesetError
from mlcheck.own_rules import OWN_RULES
from mlcheck.ruleset import validate
from mlcheck.settings.keys import SettingsError
from mlcheck.suites.registry import SUITES
from mlcheck.tree import Tree
from mlcheck.verdicts import decided
from mlcheck.yaml_documents import read_yaml_document


@dataclass(frozen=True, slots=True)
class WaiverFile:
    """Waivers and the file they stand in."""

    path: str
    waivers: tuple[Waiver, ...]


def read_waivers(path: str) -> WaiverFile:
    """Read a file of waivers.

    Raises:
        SettingsError: it cannot be read or is not as ``schemas/waivers.schema.json`` says.
    """
    folder, name = os.path.split(os.path.abspath(path))
    document = read_yaml_document(Tree(folder), name)
    if document.problem:
        place = f"{path}:{document.line}" if document.line else path
        raise SettingsError(f"{place}: {document.problem}")
    lines = _lines(document.text, path)
    fields = {**document.fields, "waivers": _with_days(document.fields.get("waivers"))}
    try:
        validate(fields, "waivers", path)
        made = [Waiver(**waiver) for waiver in fields["waivers"]]
        for waiver in made:
            datetime.date.fromisoformat(waiver.expires)
    except RulesetError as err:
        raise SettingsError(str(err)) from err
    except ValueError as err:
        raise SettingsError(f"{path}: expires: {err}") from err
    placed = (replace(waiver, line=line) for waiver, line in zip(made, lines, strict=True))
    return WaiverFile(path, tuple(placed))


def _with_days(waivers: Any) -> Any:
    """Return waivers with dates as they are written: YAML makes values of them."""
    if not isinstance(waivers, list):
        return waivers
    return [_with_day(waiver) for waiver in waivers]


def _with_day(waiver: Any) -> Any:
    day = waiver.get("expires") if isinstance(waiver, dict) else None
    plain = isinstance(day, datetime.date) and not isinstance(day, datetime.datetime)
    return {**waiver, "expires": day.isoformat()} if plain and day else waiver


def _lines(text: str, path: str) -> list[int]:
    """Return the line of each entry of the list; refuse a key that is there twice."""
    found: list[int] = []
    waiting = [yaml.compose(text, Loader=yaml.SafeLoader)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, yaml.MappingNode):
            keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
            for key in keys:
                if keys.count(key) > 1:
                    line = node.start_mark.line + 1
                    raise SettingsError(f"{path}:{line}: {key!r} is there twice")
            waiting += [value for _, value in node.value]
        elif isinstance(node, yaml.SequenceNode) and not found:
            found = [item.start_mark.line + 1 for item in node.value]
            waiting += node.value
    return found


def tolerated(rule: str, reason: str, by: str) -> Waiver:
    """Return a waiver for what settings let pass everywhere."""
    return Waiver(rule=rule, path="**", reason=reason, approver=by, expires=FOREVER)


def apply_waivers(
    report: Report, file: WaiverFile, today: datetime.date, *, whole: bool = True
) -> Report:
    """Return a report in which waivers let findings pass.

    Args:
        report: what was found.
        file: the waivers.
        today: the last day that a waiver may name and hold.
        whole: False: not all was run, so that a waiver which finds nothing says nothing.
    """
    at = os.path.relpath(file.path, report.root).replace(os.sep, "/")
    held: list[Waiver] = []
    own: list[Finding] = []
    findings = list(report.findings)
    for waiver in file.waivers:
        problem = _problem(waiver, report, today)
        if problem:
            own.append(_finding(problem, waiver, at))
            continue
        findings, passed = let_pass(findings, waiver)
        if not passed and whole:
            own.append(_finding(("MLC003", "no finding", "nothing"), waiver, at))
        held.append(replace(waiver, findings=passed))
    return settled(report, (*findings, *own), held)


def settled(report: Report, findings: Iterable[Finding], waivers: Iterable[Waiver]) -> Report:
    """Return a report with other findings, its verdicts decided anew."""
    ordered = tuple(sorted(findings, key=lambda finding: finding.sort_key))
    return replace(
        report,
        findings=ordered,
        results=decided(report.results, ordered),
        waivers=(*report.waivers, *waivers),
    )


def let_pass(findings: Iterable[Finding], waiver: Waiver) -> tuple[list[Finding], tuple[str, ...]]:
    """Return findings, those that a waiver is about marked, and the ids of these."""
    at = re.compile(glob_pattern(waiver.path), re.DOTALL)
    made, passed = [], []
    for finding in findings:
        free = finding.waived is None and finding.rule not in OWN_RULES
        if free and finding.rule.startswith(waiver.rule) and at.fullmatch(finding.path):
            passed.append(finding.id)
            finding = replace(finding, waived=waiver.words)
        made.append(finding)
    return made, tuple(passed)


def glob_pattern(glob: str) -> str:
    """Return a glob as a regular expression: ``*`` and ``?`` stay inside a folder.

    ``**`` between slashes is any number of folders, none included; at the end, all below.
    """
    pattern = ""
    rest = glob
    while rest:
        if rest.startswith("**/"):
            pattern, rest = pattern + "(?:[^/]+/)*", rest[3:]
        elif rest.startswith("**"):
            pattern, rest = pattern + ".*", rest[2:]
        elif rest.startswith("*"):
            pattern, rest = pattern + "[^/]*", rest[1:]
        elif rest.startswith("?"):
            pattern, rest = pattern + "[^/]", rest[1:]
        else:
            pattern, rest = pattern + re.escape(rest[0]), rest[1:]
    return pattern


def _problem(waiver: Waiver, report: Report, today: datetime.date) -> tuple[str, str, str] | None:
    """Return rule, what is expected and what is found instead, if a waiver does not hold."""
    suites = [ref.suite for ref in report.rulesets]
    everywhere = {rule.id for suite in SUITES for rule in rules_of(suite)}
    if waiver.rule not in everywhere and waiver.rule not in OWN_RULES:
        return "MLC004", "the id of a rule", waiver.rule
    for suite in suites:
        if why := gate_facts(suite).why_mandatory(waiver.rule):
            return "MLC005", "a rule that can be waived", f"{waiver.rule}: {why}"
    if waiver.rule in OWN_RULES:
        return "MLC005", "a rule of a suite", waiver.rule
    if datetime.date.fromisoformat(waiver.expires) < today:
        return "MLC002", f"a day not before {today.isoformat()}", waiver.expires
    return None


_MESSAGES = {
    "MLC002": "waiver of {rule} has expired",
    "MLC003": "waiver of {rule} at {path} lets nothing pass",
    "MLC004": "waiver names a rule that does not exist",
    "MLC005": "waiver of {rule} is for a rule that cannot be waived",
}


def _finding(problem: tuple[str, str, str], waiver: Waiver, path: str) -> Finding:
    id_, expected, actual = problem
    rule = OWN_RULES[id_]
    message = _MESSAGES[id_].format(rule=waiver.rule, path=waiver.path)
    return Finding(
        id=stable_id(id_, waiver.rule, waiver.path, waiver.reason, waiver.expires),
        rule=id_,
        name=rule.name,
        severity=rule.severity,
        official=Official.NONE,
        path=path,
        line=waiver.line,
        message=message,
        expected=expected,
        actual=actual,
        hint=rule.fix,
        policy="",
        results=(),
        voids=False,
    )
