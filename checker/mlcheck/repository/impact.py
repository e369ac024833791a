"""Which verdicts of stored rounds an edit of the rules would change.

The trees of the rounds are judged twice, by the rules there are and by the edited ones, so that
nothing but the edit can make a difference.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from mlcheck.engine import Job, Memory, verify
from mlcheck.fingerprint import fingerprint
from mlcheck.model import Report, Result
from mlcheck.repository.edit import Edit
from mlcheck.repository.errors import AskError
from mlcheck.repository.reader import Reader
from mlcheck.tree import Tree

Row = dict[str, Any]


def _of_power(result: Result) -> str:
    return "none" if result.power is None else "valid" if result.power.valid else "invalid"


_VERDICTS: dict[str, Callable[[Result], str]] = {
    "policy": lambda result: result.verdict.value,
    "official tool": lambda result: result.official_verdict.value,
    "official check of power": _of_power,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A verdict that the edit changes.

    Attributes:
        whose: policy, official tool, or official check of power, which is one of its own.
        rules: ids of rules whose findings on the result come or go.
    """

    round: str
    path: str
    whose: str
    old: str
    new: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Impact:
    """What the edit does to one stored tree.

    Attributes:
        judged: results that were judged; only those that count in the store.
        changed: verdicts, of all sorts.
        values: results whose published value changes.
        findings: how many findings come and go.
        problem: why it was not judged; None: it was.
    """

    suite: str
    round: str
    tree: str
    judged: int = 0
    changed: tuple[Changed, ...] = ()
    values: int = 0
    findings: tuple[int, int] = (0, 0)
    problem: str | None = None


def impacts(
    reader: Reader, edit: Edit, jobs: int | None, memory_of: Callable[[Job], Memory | None]
) -> Iterator[Impact]:
    """Judge the stored trees of the rounds that an edit changes, and yield what it does to each.

    Args:
        reader: of the store.
        edit: what is edited.
        jobs: processes; None: one per processor.
        memory_of: returns what is remembered of the verdicts before the edit.

    Raises:
        AskError: the store has none of these rounds.
    """
    touched = [*edit.rounds, *edit.broken]
    places = ", ".join("?" for _ in touched)
    rows = reader.rows(
        f"SELECT * FROM submissions WHERE suite = ? AND round IN ({places}) ORDER BY sequence",
        [edit.suite, *touched],
    )
    if not rows:
        raise AskError(
            f"the store holds nothing of {edit.suite} {', '.join(touched)}, "
            "the rounds that this edit changes"
        )
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row["ingest"], []).append(row)
    for mine in groups.values():
        yield _impact(edit, mine, jobs, memory_of)


def _impact(
    edit: Edit, rows: list[Row], jobs: int | None, memory_of: Callable[[Job], Memory | None]
) -> Impact:
    first = rows[0]
    what: dict[str, Any] = {
        "suite": first["suite"], "round": first["round"], "tree": first["tree"],
    }  # fmt: skip
    part = first["tree_part"] or None
    if first["round"] in edit.broken:
        why = edit.broken[first["round"]]
        return Impact(**what, problem=f"its rules do not resolve with this edit: {why:.200}")
    if not os.path.isdir(first["tree"]):
        return Impact(**what, problem="the tree is no longer there")
    if fingerprint(Tree(first["tree"]), part).sha256 != first["tree_sha256"]:
        return Impact(**what, problem="the tree is no longer what was ingested")
    job = Job(root=first["tree"], suite=first["suite"], round=first["round"], submitter=part)
    before = verify(job, jobs=jobs, memory=memory_of(job))
    after = verify(replace(job, rules=edit.root), jobs=jobs)
    mine = {(row["division"], row["submitter"]) for row in rows}
    ids = {r.id for r in before.results if (r.division, r.submitter) in mine}
    was, now = ({finding.id for finding in report.findings} for report in (before, after))
    old, new = _values(before), _values(after)
    return Impact(
        **what,
        judged=len(ids),
        changed=tuple(_changes(before, after, ids)),
        values=sum(old[id_] != new.get(id_) for id_ in ids),
        findings=(len(now - was), len(was - now)),
    )


def _values(report: Report) -> dict[str, tuple[float | None, float | None]]:
    """Return the published numbers of each result: of speed, and of power."""
    return {
        result.id: (
            result.primary.value if result.primary else None,
            result.power.value if result.power else None,
        )
        for result in report.results
    }


def _changes(before: Report, after: Report, ids: set[str]) -> Iterator[Changed]:
    now = {result.id: result for result in after.results}
    rules = {finding.id: finding.rule for report in (before, after) for finding in report.findings}
    for old in before.results:
        new = now.get(old.id)
        if old.id not in ids or new is None:
            continue
        for whose, verdict in _VERDICTS.items():
            was, is_ = verdict(old), verdict(new)
            if was != is_:
                differing = set(old.findings) ^ set(new.findings)
                yield Changed(
                    round=old.round,
                    path=old.path,
                    whose=whose,
                    old=was,
                    new=is_,
                    rules=tuple(sorted({rules[id_] for id_ in differing})),
                )
