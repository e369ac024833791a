"""The only place that knows where rule files and schemas lie: in the wheel or in a checkout."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

_PACKAGED = Path(__file__).resolve().parent / "_data"
_CHECKOUT = Path(__file__).resolve().parents[2]


@functools.cache
def data_root() -> Path:
    """Return the folder that holds ``rules/`` and ``schemas/``."""
    return _PACKAGED if _PACKAGED.is_dir() else _CHECKOUT


@functools.cache
def schema(name: str) -> dict[str, Any]:
    """Return the JSON schema ``schemas/NAME.schema.json``.

    Raises:
        FileNotFoundError: there is no such schema.
    """
    path = data_root() / "schemas" / f"{name}.schema.json"
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def is_shipped(rules: Path) -> bool:
    """Tell whether rule files are those of an installed wheel: as they were when it was tested."""
    return rules == _PACKAGED / "rules"


def rules_root() -> Path:
    """Return the folder that holds one folder of rule files per suite."""
    return data_root() / "rules"
