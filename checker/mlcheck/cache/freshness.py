"""Can what was kept still be believed? Everything it was made from is looked at again.

Bytes are not read again: a stamp has the inode's time of change, which every write sets and no call
can set back. Where a file changed so shortly before it was read that a second change could have got
the same time, and where the clock of the file system runs ahead, nothing is kept.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass

from mlcheck.tree import Folder, Reads, Stamp, Tree

SETTLED_NS = 2_000_000_000  # coarsest step of the time of a file system (FAT: 2 s)
POSIX = os.name == "posix"  # elsewhere the third time of a file is that of its creation


@dataclass(frozen=True, slots=True)
class Basis:
    """What something was made from."""

    folders: Mapping[str, Folder | None]
    files: Mapping[str, Stamp]
    texts: Mapping[str, bool]


def basis_of(reads: Reads, started_ns: int) -> Basis | None:
    """Return what was read as a basis; None: it cannot be told later whether it changed.

    Args:
        reads: what was looked at.
        started_ns: the time before the first of it was.
    """
    if not POSIX or reads.uncertain or not settled(reads.files, started_ns):
        return None
    if any(folder and folder.problem for folder in reads.folders.values()):
        return None
    return Basis(reads.folders, reads.files, reads.texts)


def settled(files: Mapping[str, Stamp], started_ns: int) -> bool:
    """Tell whether all files were at rest for a while before they were read."""
    latest = max((max(stamp[3], stamp[4]) for stamp in files.values()), default=0)
    return latest < started_ns - SETTLED_NS


def unchanged(tree: Tree, basis: Basis) -> bool:
    """Tell whether everything is as it was."""
    return (
        all(tree.stamp(path) == stamp for path, stamp in basis.files.items())
        and all(tree.folder(path) == folder for path, folder in basis.folders.items())
        and all(tree.exists_from_root(text) == there for text, there in basis.texts.items())
    )


def now_ns() -> int:
    """Return the time, as files get it."""
    return time.time_ns()
