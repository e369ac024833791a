"""Which verdicts of stored rounds an edit of the rules would change.

The trees of the rounds are judged twice, by the rules there are and by the edited ones, so that
nothing but the edit can make a difference.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlcheck import resources
from mlcheck.engine import Job, verify
from mlcheck.fingerprint import fingerprint
from mlcheck.model import Report, Result
from mlcheck.overlay import RulesetError
from mlcheck.repository.errors import AskError
from mlcheck.repository.reader import Reader
from mlcheck.ruleset import load, read_yaml, rounds
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
class Edit:
    """An edited rule file, laid over the rules there are.

    Attributes:
        root: a folder of rule files with the edit in it.
        rounds: those whose resolved rules it changes.
        broken: other rounds that rest on it and do not resolve any more, and why.
    """

    suite: str
    root: str
    rounds: tuple[str, ...]
    broken: Mapping[str, str]


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


@contextmanager
def edited(file: Path) -> Iterator[Edit]:
    """Lay an edited file over the rules there are, for a while.

    Args:
        file: a copy of ``rules/SUITE/ROUND.yaml``, or of the reference convergence points
            ``rules/SUITE/rcp/ROUND.json``, under their name.

    Raises:
        RulesetError: the file is wrong.
        AskError: the file is neither.
    """
    if not file.is_file():
        raise AskError(f"{file} is no file; give an edited copy of rules/SUITE/ROUND.yaml")
    points = file.suffix == ".json"
    suite, name = _points_of(file) if points else _round_of(file)
    rules = resources.rules_root() / suite
    with tempfile.TemporaryDirectory(prefix="mlcheck-rules-") as folder:
        root = Path(folder)
        _copy(rules, root / suite)
        if points:
            _lay_points(file, root / suite)
        else:
            shutil.copyfile(file, root / suite / f"{name}.yaml")
        changed, broken = [], {}
        for round_ in rounds(suite, root):
            try:
                new = load(suite, round_, root).sha256
            except RulesetError as err:
                if round_ == name:
                    raise
                broken[round_] = str(err)  # it states what it replaces, which is no longer there
                continue
            known = (rules / f"{round_}.yaml").is_file()
            if not known or new != load(suite, round_).sha256:
                changed.append(round_)
        yield Edit(suite=suite, root=str(root), rounds=tuple(changed), broken=broken)


def _round_of(file: Path) -> tuple[str, str]:
    """Return suite and round of a rule file."""
    head = read_yaml(file).get("ruleset")
    suite, round_ = (head.get("suite"), head.get("round")) if isinstance(head, dict) else (0, 0)
    known = isinstance(suite, str) and (resources.rules_root() / suite).is_dir()
    if not known or not isinstance(round_, str):
        raise AskError(f"{file} does not say of which suite and round it is")
    return str(suite), round_


def _points_of(file: Path) -> tuple[str, str]:
    """Return the suite whose points a file replaces, and their name."""
    known = sorted(resources.rules_root().glob("*/rcp/*.json"))
    for path in known:
        if path.name == file.name:
            return path.parent.parent.name, file.name
    names = ", ".join(path.name for path in known)
    raise AskError(f"{file} is named as no file of reference convergence points is: {names}")


def _copy(rules: Path, to: Path) -> None:
    to.mkdir()
    for known in sorted(rules.glob("v*.yaml")):
        shutil.copyfile(known, to / known.name)
    if (rules / "rcp").is_dir():
        shutil.copytree(rules / "rcp", to / "rcp")


def _lay_points(file: Path, rules: Path) -> None:
    """Put edited points in place, and their hash into the rule files that name the old one."""
    old, new = (path.read_bytes() for path in (rules / "rcp" / file.name, file))
    (rules / "rcp" / file.name).write_bytes(new)
    was, is_ = (hashlib.sha256(content).hexdigest() for content in (old, new))
    for path in rules.glob("v*.yaml"):
        path.write_text(path.read_text(encoding="utf-8").replace(was, is_), encoding="utf-8")


def impacts(reader: Reader, edit: Edit, jobs: int | None) -> Iterator[Impact]:
    """Judge the stored trees of the rounds that an edit changes, and yield what it does to each.

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
        yield _impact(edit, mine, jobs)


def _impact(edit: Edit, rows: list[Row], jobs: int | None) -> Impact:
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
    before = verify(job, jobs=jobs)
    after = verify(
        Job(root=job.root, suite=job.suite, round=job.round, submitter=part, rules=edit.root),
        jobs=jobs,
    )
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


def require_change(edit: Edit, file: Path) -> None:
    """Raise if an edit changes no round.

    Raises:
        RulesetError: it does not.
    """
    if not edit.rounds:
        raise RulesetError(f"{file} resolves to the rules there are: nothing is edited")
