"""One hash for all that a tree holds, so that two people can tell that they judged the same."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from mlcheck.tree import Folder, Tree, Unreadable, join

IGNORED = frozenset({".git"})  # the store of versions is no part of what is submitted
_THREADS = min(8, (os.cpu_count() or 1) + 2)  # hashing lets other threads run


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The hash of a tree, or of one submitter's part of it.

    ``sha256`` covers, in order of path, each file with its content, each link with its text, and
    each empty folder. Times, owners and modes are no part of it.
    """

    sha256: str
    files: int
    bytes: int


def fingerprint(tree: Tree, submitter: str | None = None) -> Fingerprint:
    """Return the hash of a tree. Reads only.

    Args:
        tree: the tree.
        submitter: hash this submitter's folders alone: all below a folder of that name on the first
            or the second level.
    """
    lines: list[tuple[str, str]] = []
    paths: list[tuple[str, int]] = []
    for folder in _folders(tree, submitter):
        for name, size in folder.files.items():
            if name not in folder.linked:
                paths.append((join(folder.path, name), size))
        lines += ((join(folder.path, name), f"link {text}") for name, text in folder.texts.items())
        lines += ((join(folder.path, name), "special") for name in folder.special)
        if folder.empty or folder.problem:
            lines.append((folder.path, f"folder {folder.problem or ''}"))
    mine = [(path, size) for path, size in paths if _is_of(path, submitter)]
    with ThreadPoolExecutor(_THREADS) as pool:
        digests = pool.map(lambda item: _content(tree, item[0]), mine)
        lines += zip((path for path, _ in mine), digests, strict=True)
    lines = sorted(line for line in lines if _is_of(line[0], submitter))
    whole = hashlib.sha256()
    for path, content in lines:
        whole.update(f"{path}\0{content}\0".encode("utf-8", "surrogateescape"))
    return Fingerprint(whole.hexdigest(), len(mine), sum(size for _, size in mine))


def _folders(tree: Tree, submitter: str | None) -> Iterator[Folder]:
    """Yield the folders that can hold something of a submitter."""
    waiting = [""]
    while waiting:
        folder = tree.folder(waiting.pop())
        if folder is None:
            continue
        yield folder
        for name in folder.folders:
            path = join(folder.path, name)
            deep = path.count("/") >= 1
            if name in folder.linked or path in IGNORED or (deep and not _is_of(path, submitter)):
                continue
            waiting.append(path)


def _is_of(path: str, submitter: str | None) -> bool:
    return submitter is None or submitter in path.split("/")[:2]


def _content(tree: Tree, path: str) -> str:
    digest = tree.sha256(path)
    return f"unreadable {digest.reason}" if isinstance(digest, Unreadable) else digest
