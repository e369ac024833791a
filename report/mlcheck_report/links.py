"""Where submitted files can be looked at: links into the pinned repository of a submission."""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mlcheck_report.frames.ranked import Record

_REPOSITORY = re.compile(r"(?:https://github\.com/)?([\w-][\w.-]*/[\w-][\w.-]*?)(?:\.git)?/?", re.A)
_COMMIT = re.compile(r"[0-9a-f]{7,64}")


@dataclass(frozen=True, slots=True)
class Sources:
    """What stands before the path of a file, by division and submitter, as far as it is known."""

    bases: Mapping[tuple[str, str], str]

    def base(self, row: Record) -> str | None:
        """Return what stands before paths of the submission of `row`."""
        return self.bases.get((row["division"], row["submitter"]))

    @property
    def common(self) -> str | None:
        """What stands before every path if all submissions are of one repository."""
        bases = set(self.bases.values())
        return bases.pop() if len(bases) == 1 else None


def sources(submissions: Iterable[Record]) -> Sources:
    """Read repository and commit of each submission; anything but a plain GitHub name is left."""
    bases = {}
    for row in submissions:
        repository = _REPOSITORY.fullmatch(row["source_repository"] or "")
        commit = _COMMIT.fullmatch(row["source_commit"] or "")
        if repository and commit:
            base = f"https://github.com/{repository[1]}/blob/{commit[0]}/"
            bases[row["division"], row["submitter"]] = base
    return Sources(bases)


def address(base: str | None, path: str, line: int = 0) -> str | None:
    """Return where a submitted file can be looked at; None: its repository is not known."""
    parts = path.split("/")
    if base is None or ".." in parts:
        return None
    where = "/".join(urllib.parse.quote(part, safe="", errors="replace") for part in parts)
    return f"{base}{where}{f'#L{line}' if line else ''}"
