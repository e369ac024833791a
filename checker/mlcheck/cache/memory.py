"""Where what was judged is kept: in this process for --watch, or in the user's cache folder."""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mlcheck import __version__, resources
from mlcheck.cache.freshness import Basis, basis_of, now_ns, unchanged
from mlcheck.engine import Job
from mlcheck.extra_rules import loaded
from mlcheck.ruleset import load
from mlcheck.tree import Reads, Tree

KEPT_DAYS = 30
LARGEST = 256 << 20  # bytes of one entry


class ProcessMemory:
    """Keeps in this process."""

    def __init__(self) -> None:
        """Start empty."""
        self._kept: dict[str, tuple[Basis, Any]] = {}
        self._started = now_ns()

    def begin(self) -> None:
        """Say that a new look at the tree begins."""
        self._started = now_ns()

    def recall(self, tree: Tree, place: Any) -> Any:
        """Return what was kept for a place, None if there is nothing or it may have changed."""
        kept = self._kept.get(repr(place))
        return kept[1] if kept and unchanged(tree, kept[0]) else None

    def keep(self, place: Any, done: Any, reads: Reads) -> None:
        """Keep what was judged."""
        basis = basis_of(reads, self._started)
        if basis is None:
            self._kept.pop(repr(place), None)
        else:
            self._kept[repr(place)] = (basis, done)


class FolderMemory:
    """Keeps in a folder of the user that nobody else can write to.

    Entries are pickles: whoever can write there can run code as the user, and could do so by other
    means. A folder that others could write to is not used.
    """

    def __init__(self, folder: Path, job: Job) -> None:
        """Look at the folder.

        Raises:
            OSError: it cannot be made, or others can write to it.
        """
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.stat()
        if hasattr(os, "getuid") and (
            status.st_uid != os.getuid() or stat.S_IMODE(status.st_mode) & 0o022
        ):
            raise PermissionError(f"others can write to {folder}")
        self._folder = folder
        self._base = _fingerprint(job)
        self._started = now_ns()

    def recall(self, tree: Tree, place: Any) -> Any:
        """Return what was kept for a place, None if there is nothing or it may have changed."""
        try:
            raw = self._file(place).read_bytes()
        except OSError:
            return None
        digest, body = raw[:32], raw[32:]
        if hashlib.blake2b(body, digest_size=32).digest() != digest:
            return None  # torn: a full disk, a crash
        basis, done = pickle.loads(body)
        return done if unchanged(tree, basis) else None

    def keep(self, place: Any, done: Any, reads: Reads) -> None:
        """Keep what was judged; that it cannot be kept is no failure."""
        file = self._file(place)
        basis = basis_of(reads, self._started)
        body = pickle.dumps((basis, done), protocol=5) if basis else b""
        with contextlib.suppress(OSError):
            if not body or len(body) > LARGEST:
                file.unlink(missing_ok=True)
                return
            digest = hashlib.blake2b(body, digest_size=32).digest()
            number, name = tempfile.mkstemp(prefix=".new-", dir=self._folder)
            try:
                with os.fdopen(number, "wb") as handle:
                    handle.write(digest + body)
                os.replace(name, file)
            except BaseException:
                os.unlink(name)
                raise

    def tidy(self) -> None:
        """Remove what was not used for a month."""
        oldest = time.time() - KEPT_DAYS * 86_400
        with contextlib.suppress(OSError), os.scandir(self._folder) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    if entry.stat().st_mtime < oldest:
                        os.unlink(entry.path)

    def _file(self, place: Any) -> Path:
        return self._folder / hashlib.sha256(self._base + repr(place).encode()).hexdigest()


def user_folder() -> Path:
    """Return the folder of the user's cache: ``MLCHECK_CACHE_DIR``, or where the system has it."""
    named = os.environ.get("MLCHECK_CACHE_DIR")
    if named:
        return Path(named)
    if sys.platform == "darwin":
        return Path("~/Library/Caches/mlcheck").expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()) / "mlcheck"


def _fingerprint(job: Job) -> bytes:
    """Hash all that a verdict depends on beside the tree: rules, options, and mlcheck itself."""
    summary = hashlib.sha256()
    parts = (
        __version__,
        sys.version,
        load(job.suite, job.round, Path(job.rules) if job.rules else None).sha256,
        repr((job.suite, job.round, job.select, job.ignore)),
        os.path.realpath(job.root),
        *(f"{one.package} {one.version}" for one in loaded()),
        *(text for one in loaded() if one.source for text in _sources(Path(one.source).parent)),
        *_sources(Path(__file__).parents[1]),
        *_sources(resources.rules_root() / job.suite),
    )
    for part in parts:
        summary.update(part.encode("utf-8", "surrogateescape") + b"\0")
    return summary.digest()


def _sources(folder: Path) -> Iterator[str]:
    for top, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            if not name.endswith((".pyc", ".pyo")):
                status = os.stat(os.path.join(top, name))
                yield f"{top}/{name} {status.st_size} {status.st_mtime_ns}"
