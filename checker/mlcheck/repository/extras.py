"""Libraries that only some commands need, and what to install where one is missing."""

from __future__ import annotations

import importlib
from typing import Any

from mlcheck.repository.errors import MissingExtraError

_EXTRA = {
    "deltalake": "store",
    "duckdb": "sql",
    "xlsxwriter": "xlsx",
    "distributed": "cluster",
}


def need(module: str) -> Any:
    """Import an optional library.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as err:
        if err.name != module:
            raise
        extra = _EXTRA[module]
        raise MissingExtraError(
            f"this needs {module}: pip install 'mlcheck-toolkit[{extra}]'"
        ) from err
