"""Where submitted files can be looked at: links into the repository of a round."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

from mlcheck_report.frames import Record

_REPOSITORY = re.compile(r"(?:https://github\.com/)?([\w-][\w.-]*/[\w-][\w.-]*?)(?:\.git)?/?")
_COMMIT = re.compile(r"[0-9a-f]{7,64}")


@dataclass(frozen=True, slots=True)
class Sources:
    """Maps division and submitter to a pinned commit; who is not in it has no links."""

    bases: Mapping[tuple[str, str], tuple[str, str]] = field(default_factory=dict)

    def link(self, row: Record, path: str, line: int = 0) -> str | None:
        """Return the address of a file or, with line -1, of a folder; None: not known."""
        base = self.bases.get((row["division"], row["submitter"]))
        if base is None or ".." in path.split("/"):
            return None
        repository, commit = base
        kind = "tree" if line < 0 else "blob"
        anchor = f"#L{line}" if line > 0 else ""
        return f"https://github.com/{repository}/{kind}/{commit}/{quote(path)}{anchor}"


def sources(submissions: Iterable[Record]) -> Sources:
    """Read repository and commit of each submission; anything but a plain GitHub name is left."""
    bases = {}
    for row in submissions:
        repository = _REPOSITORY.fullmatch(row["source_repository"] or "")
        commit = _COMMIT.fullmatch(row["source_commit"] or "")
        if repository and commit:
            bases[row["division"], row["submitter"]] = (repository[1], commit[0])
    return Sources(bases)
