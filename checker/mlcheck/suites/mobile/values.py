"""Values of JSON documents that may hold anything: numbers, texts, objects, or nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

LARGEST = 1e100  # nothing that is measured comes near
SHOWN = 80  # characters of a value that a finding shows


def number(value: Any) -> float | None:
    """Return a finite number, also one that is written as a text; None: it is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        try:
            value = float(value) if len(value) < SHOWN else None
        except ValueError:
            return None
    if not isinstance(value, (int, float)) or abs(value) >= LARGEST or math.isnan(value):
        return None
    return float(value)


def whole(value: Any) -> int | None:
    """Return a whole number; None: it is none."""
    found = number(value)
    return int(found) if found is not None and found.is_integer() else None


def flag(value: Any) -> bool | None:
    """Return true or false; None: it is neither."""
    return value if isinstance(value, bool) else None


def text(value: Any) -> str | None:
    """Return a text that says something; None: it is none, or empty."""
    return value.strip() or None if isinstance(value, str) else None


def member(value: Any, *names: str) -> Any:
    """Return a member of a member; None: it is not there."""
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def shown(value: Any) -> str:
    """Return a value as a finding shows it."""
    return str(value)[:SHOWN]


def moment(value: Any) -> datetime | None:
    """Return a moment as it is written, its time zone taken as UTC; None: it is none."""
    try:
        found = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return found.replace(tzinfo=UTC) if found else None
