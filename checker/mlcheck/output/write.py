"""Write what was rendered: whole, or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path


def write_whole(file: Path, text: str) -> None:
    """Write a text file so that it never stands there half written.

    A pipe or device is written to as it is. Names that are no text become escapes.

    Raises:
        OSError: it cannot be written; what was there before is still there.
    """
    raw = text.encode("utf-8", "backslashreplace")
    if _is_special(file):
        with file.open("wb") as handle:
            handle.write(raw)
        return
    target = Path(os.path.realpath(file))
    handle_number, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle_number, "wb") as handle:
            handle.write(raw)
        os.chmod(name, _mode(target))
        os.replace(name, target)
    except BaseException:  # also if the user interrupts
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _is_special(file: Path) -> bool:
    try:
        mode = file.stat().st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _mode(file: Path) -> int:
    """Return the mode of a file, or what a new one would have."""
    try:
        return stat.S_IMODE(file.stat().st_mode)
    except OSError:
        umask = os.umask(0)
        os.umask(umask)
        return 0o666 & ~umask
