"""Findings with the results they are about, and by rule."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pandas as pd

from mlcheck_report.frames.ranked import Record, records

_GRAVITY = {"error": 0, "warning": 1, "note": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleFindings:
    """All findings of one rule.

    Attributes:
        findings: all of them, in the order of their places.
        results: how many results are concerned.
    """

    rule: str
    name: str
    severity: str
    policy: str
    results: int
    findings: tuple[Record, ...]

    @property
    def total(self) -> int:
        """How many findings there are."""
        return len(self.findings)


def numbered(findings: pd.DataFrame, rows: Mapping[str, Record]) -> list[Record]:
    """Return the findings in their order, with `number` and `rows`: those of `rows` concerned."""
    order = ["path", "line", "rule", "message", "id"]
    found = records(findings.sort_values(order, ignore_index=True))
    for number, finding in enumerate(found):
        ids = finding["results"] = list(dict.fromkeys(finding["results"]))
        finding["number"] = number
        finding["rows"] = [rows[id_] for id_ in ids if id_ in rows]
        finding["rows"].sort(key=lambda row: row["position"])
    return found


def by_result(findings: Iterable[Record]) -> dict[str, list[Record]]:
    """Index findings by the results they are about."""
    index: defaultdict[str, list[Record]] = defaultdict(list)
    for finding in findings:
        for row in finding["rows"]:
            index[row["id"]].append(finding)
    return dict(index)


def by_rule(findings: Iterable[Record]) -> tuple[RuleFindings, ...]:
    """Group findings by rule: the gravest first, then the most frequent."""
    groups: defaultdict[str, list[Record]] = defaultdict(list)
    for finding in findings:
        groups[finding["rule"]].append(finding)
    rules = [_rule(group) for group in groups.values()]
    return tuple(sorted(rules, key=lambda rule: (_gravity(rule.severity), -rule.total, rule.rule)))


def _rule(group: list[Record]) -> RuleFindings:
    worst = min(group, key=lambda finding: _gravity(finding["severity"]))
    concerned = {row["id"] for finding in group for row in finding["rows"]}
    return RuleFindings(
        rule=worst["rule"],
        name=worst["name"],
        severity=worst["severity"],
        policy=worst["policy"],
        results=len(concerned),
        findings=tuple(group),
    )


def _gravity(severity: str) -> int:
    return _GRAVITY.get(severity, len(_GRAVITY))
