"""A read-only view of a directory tree that cannot be led astray.

Names, links and special files come from strangers. Folders are listed once and remembered; links
are followed only inside the root and never in a circle; nothing but regular files is opened.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import BinaryIO

LARGEST_READ = 256 << 20  # bytes; no file of a submission comes near, a trap may


class LinkKind(StrEnum):
    """Why a link was not followed."""

    BROKEN = "broken"
    OUTSIDE = "outside"  # leads out of the tree
    LOOP = "loop"  # leads to a folder above itself


@dataclass(frozen=True, slots=True)
class Folder:
    """What lies in one folder.

    Attributes:
        path: relative to the root, ``""`` for the root itself.
        files: regular files with their size in bytes, links inside the tree included.
        folders: names of folders, links inside the tree included.
        links: links that are not followed.
        linked: names, of files or folders, that are links and are followed, and where they lead.
        texts: names that are links and what they say, as it is written.
        special: sockets, pipes, devices.
        problem: why it could not be listed.
    """

    path: str
    files: Mapping[str, int] = field(default_factory=dict)
    folders: tuple[str, ...] = ()
    links: Mapping[str, LinkKind] = field(default_factory=dict)
    linked: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    special: tuple[str, ...] = ()
    problem: str | None = None

    @property
    def empty(self) -> bool:
        """True if nothing at all lies here."""
        return not (self.files or self.folders or self.links or self.special or self.problem)


Stamp = tuple[int, int, int, int, int]
"""Device, inode, size, and the times of change of content and of inode, in ns.

Any write to a file sets the last of them, and no call can set it back: see docs/cache.md.
"""


@dataclass(slots=True)
class Reads:
    """What was looked at while something was judged, so that later one can tell if it changed.

    Attributes:
        folders: path -> the folder, None if there was none.
        files: path -> the stamp of a file whose bytes were read.
        texts: text of a link -> whether it names something, seen from the root.
        uncertain: something could not be read, so nothing can be told.
    """

    folders: dict[str, Folder | None] = field(default_factory=dict)
    files: dict[str, Stamp] = field(default_factory=dict)
    texts: dict[str, bool] = field(default_factory=dict)
    uncertain: bool = False


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file whose bytes could not be had, and why."""

    reason: str


def join(*parts: str) -> str:
    """Join relative paths; empty parts vanish."""
    return "/".join(part for part in parts if part)


class Tree:
    """Folders and files below a root directory."""

    def __init__(self, root: str) -> None:
        """Look at ``root``. Nothing is read until it is asked for."""
        self.root = root
        self._real_root = os.path.realpath(root)
        self._folders: dict[str, Folder | None] = {}
        self._reads: Reads | None = None

    @contextmanager
    def recorded(self) -> Iterator[Reads]:
        """Record what is looked at meanwhile."""
        self._reads = Reads()
        try:
            yield self._reads
        finally:
            self._reads = None

    def folder(self, path: str) -> Folder | None:
        """Return a folder; None: there is no such folder inside the tree."""
        if path not in self._folders:
            self._folders[path] = self._list(path)
        here = self._folders[path]
        if self._reads is not None:
            self._reads.folders[path] = here
        return here

    def stamp(self, path: str) -> Stamp | None:
        """Return the stamp of a file; None: there is none."""
        try:
            return stamp_of(os.stat(os.path.join(self.root, path)))
        except (OSError, ValueError):
            return None

    def walk(self, path: str = "") -> Iterator[Folder]:
        """Yield a folder and all below it, in order of path. Linked folders are not entered."""
        waiting = [path]  # a stack, not recursion: folders may be nested deeper than Python's
        while waiting:
            here = self.folder(waiting.pop())
            if here is None:
                continue
            yield here
            inside = (name for name in reversed(here.folders) if name not in here.linked)
            waiting += [join(here.path, name) for name in inside]

    def exists_from_root(self, text: str) -> bool:
        """Tell whether the text of a link names something that exists, seen from the root."""
        try:
            there = os.path.exists(os.path.join(self.root, text))
        except ValueError:
            there = False
        if self._reads is not None:
            self._reads.texts[text] = there
        return there

    def read(self, path: str, limit: int = LARGEST_READ) -> bytes | Unreadable:
        """Return the bytes of a file that :meth:`folder` lists; never raises."""
        try:
            with open(os.path.join(self.root, path), "rb", 0, opener=_unwaiting) as handle:
                status = os.fstat(handle.fileno())
                if not stat.S_ISREG(status.st_mode):
                    return Unreadable("not a regular file")
                if self._reads is not None:
                    self._reads.files[path] = stamp_of(status)
                if status.st_size > limit:
                    return Unreadable(f"{status.st_size} bytes, more than {limit} are not read")
                return handle.read()
        except (OSError, ValueError) as err:
            if self._reads is not None:
                self._reads.uncertain = True
            return Unreadable(_reason(err))

    def sha256(self, path: str) -> str | Unreadable:
        """Return the SHA-256 of a file that :meth:`folder` lists, however large; never raises."""
        try:
            with open(os.path.join(self.root, path), "rb", 0, opener=_unwaiting) as handle:
                if not stat.S_ISREG(os.fstat(handle.fileno()).st_mode):
                    return Unreadable("not a regular file")
                return hashlib.file_digest(handle, "sha256").hexdigest()
        except (OSError, ValueError) as err:
            return Unreadable(_reason(err))

    @contextmanager
    def opened(self, path: str) -> Iterator[BinaryIO]:
        """Open a file of any size that :meth:`folder` lists, to read it piece by piece.

        Raises:
            OSError: it cannot be opened, or is not a regular file.
        """
        with open(os.path.join(self.root, path), "rb", opener=_unwaiting) as handle:
            if not stat.S_ISREG(os.fstat(handle.fileno()).st_mode):
                raise OSError(errno.EINVAL, "not a regular file", path)
            yield handle

    def _list(self, path: str) -> Folder | None:
        files: dict[str, int] = {}
        folders: list[str] = []
        links: dict[str, LinkKind] = {}
        linked: dict[str, str] = {}
        texts: dict[str, str] = {}
        special: list[str] = []
        try:
            with os.scandir(os.path.join(self.root, path) if path else self.root) as entries:
                for entry in entries:
                    if entry.is_symlink():
                        texts[entry.name] = os.readlink(entry.path)
                        kind = self._follow(path, entry.name)
                        if isinstance(kind, LinkKind):
                            links[entry.name] = kind
                            continue
                        linked[entry.name] = kind
                    if entry.is_dir():
                        folders.append(entry.name)
                    elif entry.is_file():
                        files[entry.name] = entry.stat().st_size
                    else:
                        special.append(entry.name)
        except (FileNotFoundError, NotADirectoryError, ValueError):
            return None
        except OSError as err:
            return Folder(path, problem=_reason(err))
        return Folder(
            path, files, tuple(sorted(folders)), links, linked, texts, tuple(sorted(special))
        )

    def _follow(self, path: str, name: str) -> LinkKind | str:
        """Return where a link leads, relative to the root, or why it is not followed."""
        here = os.path.join(self.root, path)
        try:
            target = os.path.realpath(os.path.join(here, name), strict=True)
        except OSError as err:
            return LinkKind.LOOP if err.errno == errno.ELOOP else LinkKind.BROKEN
        if target != self._real_root and not target.startswith(self._real_root + os.sep):
            return LinkKind.OUTSIDE
        real_here = os.path.realpath(here)
        if real_here == target or real_here.startswith(target + os.sep):
            return LinkKind.LOOP
        return os.path.relpath(target, self._real_root)


def stamp_of(status: os.stat_result) -> Stamp:
    """Return the stamp of a file's status."""
    times = (status.st_mtime_ns, status.st_ctime_ns)
    return (status.st_dev, status.st_ino, status.st_size, *times)


def _unwaiting(path: str, flags: int) -> int:
    """Open without waiting for somebody to write into a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _reason(err: Exception) -> str:
    return (err.strerror or type(err).__name__).lower() if isinstance(err, OSError) else str(err)
