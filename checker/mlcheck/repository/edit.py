"""An edited rule file, laid over the rules there are."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mlcheck import resources
from mlcheck.overlay import RulesetError
from mlcheck.repository.errors import AskError
from mlcheck.ruleset import load, read_yaml, rounds


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


def require_change(edit: Edit, file: Path) -> None:
    """Raise if an edit changes no round.

    Raises:
        RulesetError: it does not.
    """
    if not edit.rounds:
        raise RulesetError(f"{file} resolves to the rules there are: nothing is edited")
