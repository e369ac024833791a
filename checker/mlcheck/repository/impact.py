"""Which verdicts of stored rounds an edit of a rule file would change.

The trees of the rounds are judged twice, by the rules there are and by the edited ones, so that
nothing but the edit can make a difference.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlcheck import resources
from mlcheck.engine import Job, verify
from mlcheck.fingerprint import fingerprint
from mlcheck.model import Report
from mlcheck.overlay import RulesetError
from mlcheck.repository.errors import AskError
from mlcheck.repository.reader import Reader
from mlcheck.ruleset import load, read_yaml, rounds
from mlcheck.tree import Tree

Row = dict[str, Any]
_WHOSE = {"verdict": "policy", "official_verdict": "official tool"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """An edited rule file, laid over the rules there are.

    Attributes:
        root: a folder of rule files with the edit in it.
        rounds: those whose resolved rules it changes.
    """

    suite: str
    root: str
    rounds: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A verdict that the edit changes.

    Attributes:
        whose: policy or official tool.
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
        changed: verdicts, both sorts.
        findings: how many findings come and go.
        problem: why it was not judged; None: it was.
    """

    suite: str
    round: str
    tree: str
    judged: int = 0
    changed: tuple[Changed, ...] = ()
    findings: tuple[int, int] = (0, 0)
    problem: str | None = None


@contextmanager
def edited(file: Path) -> Iterator[Edit]:
    """Lay an edited rule file over the rules there are, for a while.

    Raises:
        RulesetError: the file, or a round that rests on it, is wrong.
        AskError: the file is not one of a round.
    """
    if not file.is_file():
        raise AskError(f"{file} is no file; give an edited copy of rules/SUITE/ROUND.yaml")
    head = read_yaml(file).get("ruleset")
    suite, round_ = (head.get("suite"), head.get("round")) if isinstance(head, dict) else (0, 0)
    rules = resources.rules_root()
    if not isinstance(suite, str) or not isinstance(round_, str) or not (rules / suite).is_dir():
        raise AskError(f"{file} does not say of which suite and round it is")
    with tempfile.TemporaryDirectory(prefix="mlcheck-rules-") as folder:
        root = Path(folder)
        (root / suite).mkdir()
        for known in sorted((rules / suite).glob("v*.yaml")):
            shutil.copyfile(known, root / suite / known.name)
        shutil.copyfile(file, root / suite / f"{round_}.yaml")
        changed = [
            name
            for name in rounds(suite, root)
            if not (rules / suite / f"{name}.yaml").is_file()
            or load(suite, name, root).sha256 != load(suite, name).sha256
        ]
        yield Edit(suite=suite, root=str(root), rounds=tuple(changed))


def impacts(reader: Reader, edit: Edit, jobs: int | None) -> Iterator[Impact]:
    """Judge the stored trees of the rounds that an edit changes, and yield what it does to each.

    Raises:
        AskError: the store has none of these rounds.
    """
    places = ", ".join("?" for _ in edit.rounds)
    rows = reader.rows(
        f"SELECT * FROM submissions WHERE suite = ? AND round IN ({places}) ORDER BY sequence",
        [edit.suite, *edit.rounds],
    )
    if not rows:
        raise AskError(
            f"the store holds nothing of {edit.suite} {', '.join(edit.rounds)}, "
            "the rounds that this edit changes"
        )
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row["ingest"], []).append(row)
    for mine in groups.values():
        yield _impact(edit, mine, jobs)


def _impact(edit: Edit, rows: list[Row], jobs: int | None) -> Impact:
    first = rows[0]
    what: dict[str, Any] = {
        "suite": first["suite"], "round": first["round"], "tree": first["tree"],
    }  # fmt: skip
    part = first["tree_part"] or None
    if not os.path.isdir(first["tree"]):
        return Impact(**what, problem="the tree is no longer there")
    if fingerprint(Tree(first["tree"]), part).sha256 != first["tree_sha256"]:
        return Impact(**what, problem="the tree is no longer what was ingested")
    job = Job(root=first["tree"], suite=first["suite"], round=first["round"], submitter=part)
    before = verify(job, jobs=jobs)
    after = verify(
        Job(root=job.root, suite=job.suite, round=job.round, submitter=part, rules=edit.root),
        jobs=jobs,
    )
    mine = {(row["division"], row["submitter"]) for row in rows}
    ids = {r.id for r in before.results if (r.division, r.submitter) in mine}
    was, now = ({finding.id for finding in report.findings} for report in (before, after))
    return Impact(
        **what,
        judged=len(ids),
        changed=tuple(_changes(before, after, ids)),
        findings=(len(now - was), len(was - now)),
    )


def _changes(before: Report, after: Report, ids: set[str]) -> Iterator[Changed]:
    now = {result.id: result for result in after.results}
    rules = {finding.id: finding.rule for report in (before, after) for finding in report.findings}
    for old in before.results:
        new = now.get(old.id)
        if old.id not in ids or new is None:
            continue
        for field, whose in _WHOSE.items():
            was, is_ = getattr(old, field), getattr(new, field)
            if was != is_:
                differing = set(old.findings) ^ set(new.findings)
                yield Changed(
                    round=old.round,
                    path=old.path,
                    whose=whose,
                    old=was.value,
                    new=is_.value,
                    rules=tuple(sorted({rules[id_] for id_ in differing})),
                )


def require_change(edit: Edit, file: Path) -> None:
    """Raise if an edit changes no round.

    Raises:
        RulesetError: it does not.
    """
    if not edit.rounds:
        raise RulesetError(f"{file} resolves to the rules there are: nothing is edited")
