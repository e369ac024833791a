"""Cases: a tree made by edits, and all that a checker has to say about it.

``tests/cases/RULE-slug/case.yaml``; see ``tests/cases/README.md``.
"""

from __future__ import annotations

import fnmatch
import functools
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import yaml

from tests.edits import Edit, Place
from tests.trees import EXAMPLES, ROUND, copy_tree

FOLDER = Path(__file__).parent / "cases"
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Case(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What stands in a ``case.yaml``.

    Attributes:
        from_: an example, or another case whose tree this one goes on from.
        round: the round it is judged by.
        at: the folder that paths are relative to.
        expect: all findings, a line each, in any order.
        invalid: globs of the results that are invalid by the policy; all others are valid.
        official_invalid: the same for the official tool.
        xfail: why the checker is wrong as yet.
    """

    about: str
    from_: str = msgspec.field(name="from")
    round: str = ROUND
    at: str = ""
    edits: list[Edit] = []
    expect: str = ""
    invalid: list[str] = []
    official_invalid: list[str] = []
    xfail: str = ""

    @property
    def lines(self) -> list[str]:
        """All findings, in order."""
        return sorted(self.expect.splitlines())


def names() -> list[str]:
    """Return the names of all cases."""
    return sorted(path.parent.name for path in FOLDER.glob("*/case.yaml"))


@functools.cache
def read(name: str) -> Case:
    """Read a case.

    Raises:
        msgspec.ValidationError: it has a field or an edit that does not exist.
    """
    raw: Any = yaml.load((FOLDER / name / "case.yaml").read_bytes(), Loader=LOADER)
    return msgspec.convert(raw, Case)


def build(name: str, root: Path) -> None:
    """Write the tree of a case to ``root``, which must not exist."""
    if not (FOLDER / name).is_dir():
        copy_tree(EXAMPLES / name, root)
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
