"""Write the files of a site, and take away what a former build left and this one does not have."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath

_WRITERS = 8
NAME = "files.txt"  # lists what the build wrote, one path a line


def write(out: Path, files: Mapping[str, bytes]) -> None:
    """Write all files below `out`.

    Raises:
        OSError: the folder cannot be written to.
    """
    for name in _former(out) - set(files):
        _remove(out, name)
    for folder in {str(PurePosixPath(name).parent) for name in files}:
        (out / folder).mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(_WRITERS) as pool:  # the disk is what is waited for
        for _ in pool.map(lambda file: _write(f"{out}/{file[0]}", file[1]), files.items()):
            pass
    (out / NAME).write_text("".join(f"{name}\n" for name in sorted(files)), encoding="utf-8")


def _write(path: str, content: bytes) -> None:
    with open(path, "wb") as file:
        file.write(content)


def _former(out: Path) -> set[str]:
    """Return what the former build says it wrote; nothing that would lead out of the folder."""
    try:
        lines = (out / NAME).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return set()
    return {line for line in lines if line and ".." not in line.split("/") and line[0] != "/"}


def _remove(out: Path, name: str) -> None:
    path = out / name
    if path.is_symlink() or not path.is_file():
        return
    path.unlink()
    with contextlib.suppress(OSError):  # other files are still in there
        path.parent.rmdir()
