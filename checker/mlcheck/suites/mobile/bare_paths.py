"""Lines of LoadGen in which paths of Windows stand as they are, so that they are no JSON."""

from __future__ import annotations

import re

_STRAY_BACKSLASH = re.compile(rb'\\(?!["\\/bfnrt]|u[0-9A-Fa-f]{4})')


def mend_paths(line: bytes) -> bytes:
    r"""Return a log line in which paths of Windows are JSON: LoadGen writes ``C:\Users`` bare."""
    return _STRAY_BACKSLASH.sub(rb"\\\\", line)
