"""An archive of a tree that is the same byte for byte whoever makes it, and its checksums."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from mlcheck.tree import Folder, Tree, join

CHUNK = 1 << 20  # bytes
LEVEL = 6  # of compression; part of what makes archives equal


class PackError(Exception):
    """The tree cannot be packed as it is; the message says why."""


@dataclass(frozen=True, slots=True)
class Packed:
    """An archive.

    Attributes:
        sums: path -> SHA-256 of each file in it.
    """

    sha256: str
    size: int
    sums: dict[str, str]


def pack(tree: Tree, top: str, out: str) -> Packed:
    """Write ``OUT``, a gzipped tar of the files and inner links of a tree, below a folder ``top``.

    Order, times, owners and modes are fixed. What lies outside the tree, and what is no file, is
    refused and not left out.

    Raises:
        PackError: there is something that an archive must not hold.
        OSError: it cannot be read or written.
    """
    members = list(_members(tree))
    sums: dict[str, str] = {}
    with (
        open(out, "wb") as raw,
        gzip.GzipFile("", "wb", LEVEL, raw, mtime=0) as zipped,
        tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for path, link in sorted(members, key=lambda member: member[0]):
            sums[path] = _add(archive, tree, path, link, top)
    digest = hashlib.sha256()
    with open(out, "rb") as made:
        while chunk := made.read(CHUNK):
            digest.update(chunk)
    return Packed(digest.hexdigest(), os.path.getsize(out), sums)


def _members(tree: Tree) -> Iterator[tuple[str, str | None]]:
    for folder in tree.walk():
        if folder.problem:
            raise PackError(f"{folder.path}: {folder.problem}")
        for name, kind in folder.links.items():
            raise PackError(f"{join(folder.path, name)} is a link: {kind}")
        for name in folder.special:
            raise PackError(f"{join(folder.path, name)} is not a file")
        yield from _files(folder)


def _files(folder: Folder) -> Iterator[tuple[str, str | None]]:
    for name in dict.fromkeys((*folder.files, *folder.linked)):
        path, link = join(folder.path, name), folder.texts.get(name)
        if link is not None and os.path.isabs(link):
            raise PackError(f"{path} is a link to an absolute path")
        yield path, link


def _add(archive: tarfile.TarFile, tree: Tree, path: str, link: str | None, top: str) -> str:
    member = tarfile.TarInfo(f"{top}/{path}")
    member.mode = 0o644
    if link is not None:
        member.type, member.linkname = tarfile.SYMTYPE, link
        archive.addfile(member)
        return hashlib.sha256(os.fsencode(link)).hexdigest()
    with tree.opened(path) as handle:
        member.size = os.fstat(handle.fileno()).st_size
        summary = _Summing(handle, member.size)
        archive.addfile(member, summary)
    return summary.digest.hexdigest()


class _Summing(io.RawIOBase):
    """Reads a file and sums up what was read; a file that shrinks meanwhile is an error."""

    def __init__(self, inner: BinaryIO, size: int) -> None:
        """Take a file and the number of bytes to read."""
        super().__init__()
        self._inner, self._left = inner, size
        self.digest = hashlib.sha256()

    def read(self, size: int = -1, /) -> bytes:
        """Return the next bytes, none beyond the size that was promised."""
        chunk = self._inner.read(min(size, self._left) if size >= 0 else self._left)
        self._left -= len(chunk)
        self.digest.update(chunk)
        return chunk
