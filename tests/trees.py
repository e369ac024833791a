"""The example trees, and what a verified tree looks like from outside."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from mlcheck.engine import Job, verify
from mlcheck.model import Finding, Report

REPOSITORY = Path(__file__).resolve().parents[1]
EXAMPLES = REPOSITORY / "submissions_example"
ROUND = "v5.1"


def verified(root: Path, *, submitter: str | None = None) -> Report:
    """Return the report of a tree, made in this process."""
    job = Job(root=str(root), suite="inference", round=ROUND, submitter=submitter)
    return verify(job, jobs=1)


def line_of(finding: Finding, at: str = "") -> str:
    """Return a finding as one line: ``path[:line]: severity/official RULE message``.

    The path is relative to the folder ``at``; outside of it, it starts with ``/``.
    """
    place = relative(finding.path, at)
    line = f":{finding.line}" if finding.line else ""
    weight = f"{finding.severity}/{finding.official}"
    return f"{place}{line}: {weight} {finding.rule} {finding.message}"


def relative(path: str, at: str) -> str:
    """Return a path as seen from the folder ``at``: ``.`` for itself, ``/…`` for what is outside."""
    if path == at:
        return "."
    if not at:
        return path
    return path.removeprefix(f"{at}/") if path.startswith(f"{at}/") else f"/{path}"


def digest(root: Path) -> str:
    """Return a hash of all that a tree holds: names, kinds, links, bytes, times of change."""
    summary = hashlib.sha256()
    for folder, folders, files in os.walk(root):
        folders.sort()
        for name in sorted((*folders, *files)):
            path = os.path.join(folder, name)
            status = os.lstat(path)
            summary.update(os.fsencode(path) + f" {status.st_mode} {status.st_mtime_ns} ".encode())
            if os.path.islink(path):
                summary.update(os.fsencode(os.readlink(path)))
            elif os.path.isfile(path):
                summary.update(Path(path).read_bytes())
    return summary.hexdigest()
