"""axe-core, a checker of accessibility: fetched from the npm registry, never kept here."""

from __future__ import annotations

import functools
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

VERSION = "4.10.2"
CACHE = Path(tempfile.gettempdir()) / f"mlcheck-axe-core-{VERSION}"


@functools.cache
def axe_core() -> str | None:
    """Return the script; None: there is no npm, or no registry that it can reach."""
    script = CACHE / "axe.min.js"
    if not script.is_file() and not _fetched(script):
        return None
    return script.read_text(encoding="utf-8")


def _fetched(script: Path) -> bool:
    npm = shutil.which("npm")
    if npm is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        command = [npm, "pack", "--silent", f"axe-core@{VERSION}"]
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=120)
        packed = next(Path(folder).glob("*.tgz"), None)
        if done.returncode or packed is None:
            return False
        with tarfile.open(packed) as archive:
            member = archive.extractfile("package/axe.min.js")
            if member is None:
                return False
            CACHE.mkdir(parents=True, exist_ok=True)
            script.write_bytes(member.read())
    return True
