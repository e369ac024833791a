"""In which order rounds were held."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"\d+")


def age(round_: str) -> tuple[int, ...]:
    """Return by what rounds are ordered: v10.0 comes after v9.1."""
    return tuple(int(number) for number in _NUMBER.findall(round_)[:4] if len(number) < 9)
