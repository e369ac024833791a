"""What an earlier build of a site held, read from the data files that it wrote."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlcheck_report.tables import ReportError

Result = Mapping[str, Any]
RETIRED = "retired.json"
_TEXTS = ("id", "suite", "round", "submitter", "system", "benchmark", "division")


@dataclass(frozen=True, slots=True)
class Former:
    """Results by id under the names of the data files.

    Attributes:
        retired: those that the former build itself no longer had.
    """

    results: Mapping[str, Result]
    retired: Mapping[str, Result]


def read_site(folder: Path) -> Former:
    """Read the results of a site.

    Raises:
        ReportError: the folder holds no site, or one that cannot be read.
    """
    files = sorted(folder.glob("*/results.json"))
    if not files:
        raise ReportError(f"{folder} holds no site: no round with results.json in it")
    gone = folder / RETIRED
    return Former(
        {row["id"]: row for file in files for row in _results(file)},
        {row["id"]: row for row in (_results(gone) if gone.is_file() else ())},
    )


def _results(file: Path) -> Iterator[Result]:
    try:
        rows = json.loads(file.read_bytes())["results"]
        if not all(isinstance(row[name], str) for row in rows for name in _TEXTS):
            raise TypeError(file)
        yield from rows
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as err:
        raise ReportError(f"{file} is not the data of a site") from err
