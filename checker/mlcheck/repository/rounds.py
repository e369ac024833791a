"""Order of rounds."""

from __future__ import annotations

import re


def round_key(round_: str) -> tuple[int, ...]:
    """Return what rounds are ordered by: v10.0 comes after v9.1."""
    return tuple(int(number) for number in re.findall(r"\d+", round_))
