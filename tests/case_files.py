"""Cases: a tree made by edits, and all that a checker has to say about it.

``tests/cases/RULE-slug/case.yaml``; see ``tests/cases/README.md``.
"""

from __future__ import annotations

import fnmatch
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import yaml

from tests.edits import Edit, Place
from tests.trees import EXAMPLES

FOLDER = Path(__file__).parent / "cases"


class Case(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What stands in a ``case.yaml``.

    Attributes:
        from_: an example, or another case whose tree this one goes on from.
        at: the folder that paths are relative to.
        expect: all findings, one line each.
        invalid: globs of the results that are invalid by the policy; all others are valid.
        official_invalid: the same for the official tool.
        xfail: why the checker is wrong as yet.
    """

    about: str
    from_: str = msgspec.field(name="from")
    at: str = ""
    edits: list[Edit] = []
    expect: list[str] = []
    invalid: list[str] = []
    official_invalid: list[str] = []
    xfail: str = ""


def names() -> list[str]:
    """Return the names of all cases."""
    return sorted(path.parent.name for path in FOLDER.glob("*/case.yaml"))


def read(name: str) -> Case:
    """Read a case.

    Raises:
        msgspec.ValidationError: it has a field or an edit that does not exist.
    """
    raw: Any = yaml.safe_load((FOLDER / name / "case.yaml").read_text(encoding="utf-8"))
    return msgspec.convert(raw, Case)


def build(name: str, root: Path) -> None:
    """Write the tree of a case to ``root``, which must not exist."""
    if not (FOLDER / name).is_dir():
        shutil.copytree(EXAMPLES / name, root)
        return
    case = read(name)
    build(case.from_, root)
    for edit in case.edits:
        edit.apply(Place(root, case.at))


def matching(patterns: Iterable[str], at: str, paths: Iterable[str]) -> list[str]:
    """Return the paths that globs of a case match; each glob has to match one."""
    known = sorted(paths)
    found: set[str] = set()
    for pattern in patterns:
        if pattern == ".":
            full = at
        else:
            full = pattern[1:] if pattern.startswith("/") else f"{at}/{pattern}".lstrip("/")
        hits = fnmatch.filter(known, full)
        if not hits:
            raise ValueError(f"no result matches {full}")
        found.update(hits)
    return sorted(found)
