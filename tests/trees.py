"""The example trees, and what a verified tree looks like from outside."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mlcheck.engine import Job, verify
from mlcheck.model import Finding, Report
from mlcheck.tree import Tree

REPOSITORY = Path(__file__).resolve().parents[1]
EXAMPLES = REPOSITORY / "submissions_example"
ROUND = "v5.1"
MEMORY = "/dev/shm"  # Linux: where files are not written to a disk


def verified(root: Path, round_: str = ROUND) -> Report:
    """Return the report of a tree, made in this process."""
    job = Job(root=str(root), suite="inference", round=round_)
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
    """Return a path as seen from a folder: ``.`` for itself, ``/…`` for what is outside."""
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


def copy_tree(source: Path, target: Path) -> Path:
    """Copy a tree of plain files, without their times."""
    return Path(shutil.copytree(source, target, copy_function=shutil.copyfile))


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Yield an empty folder that is gone afterwards."""
    folder = MEMORY if os.access(MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="mlcheck-test-", dir=folder) as name:
        yield Path(name)


@contextmanager
def nested(root: Path, name: str, depth: int) -> Iterator[None]:
    """Make folders inside each other, deeper than the system takes as one path, for a while."""
    here = os.open(root, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir(name, dir_fd=here)
        below = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    try:
        yield
    finally:
        subprocess.run(["rm", "-r", root / name], check=True)  # shutil recurses


def holding(root: Path, raw: bytes | str) -> Tree:
    """Return a tree that holds one file, named ``file``."""
    (root / "file").write_bytes(raw if isinstance(raw, bytes) else raw.encode())
    return Tree(str(root))
