"""What a prepared tree will hold, and each step that makes it differ from what it is made of."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from mlcheck import resources
from mlcheck.ruleset import read_yaml


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What a file of the prepared tree will hold.

    Attributes:
        origin: file of the tree whose bytes it has.
        keep: only so many bytes of its beginning and of its end, 0: all.
        added: bytes at the end.
        link: it is a link that says this.
    """

    origin: str
    keep: int = 0
    added: bytes = b""
    link: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing that is done. Kinds: drop, rename, infer, truncate, hash."""

    kind: str
    path: str
    why: str
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """Files of the prepared tree by path, the steps that made them so, and what nobody can do."""

    files: Mapping[str, Content] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()
    left: tuple[str, ...] = ()

    def dropping(self, step: Step) -> Plan:
        """Return a plan without a file."""
        files = {path: content for path, content in self.files.items() if path != step.path}
        return replace(self, files=files, steps=(*self.steps, step))

    def having(self, files: Mapping[str, Content], steps: Iterable[Step]) -> Plan:
        """Return a plan with more or other files."""
        return replace(self, files={**self.files, **files}, steps=(*self.steps, *steps))

    def copying(self, source: str, target: str) -> dict[str, Content]:
        """Return the files of a folder as they would lie in another."""
        below = f"{source}/"
        return {
            target + path[len(source) :]: content
            for path, content in self.files.items()
            if path.startswith(below)
        }

    def holds(self, folder: str) -> bool:
        """Tell whether a folder will be there: one with files in it."""
        return any(path.startswith(f"{folder}/") for path in self.files)


@functools.cache
def facts() -> Mapping[str, Any]:
    """Return ``rules/prepare.yaml``."""
    return read_yaml(resources.rules_root() / "prepare.yaml")
