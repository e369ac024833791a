"""What an earlier build of a site held, read from the data files that it wrote."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlcheck_report.tables import ReportError

_PAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*/results/[a-z0-9-]+\.html")


@dataclass(frozen=True, slots=True)
class Former:
    """Results by id under the names of the data files, and the pages of results."""

    results: Mapping[str, Mapping[str, Any]]
    pages: frozenset[str]


def read_site(folder: Path) -> Former:
    """Read the results of a site.

    Raises:
        ReportError: the folder holds no site, or one that cannot be read.
    """
    files = sorted(folder.glob("*/results.json"))
    if not files:
        raise ReportError(f"{folder} holds no site: no round with results.json in it")
    pages = (str(path.relative_to(folder).as_posix()) for path in folder.glob("*/results/*.html"))
    return Former(
        {row["id"]: row for file in files for row in _results(file)},
        frozenset(page for page in pages if _PAGE.fullmatch(page)),
    )


def _results(file: Path) -> Iterator[Mapping[str, Any]]:
    try:
        rows = json.loads(file.read_bytes())["results"]
        yield from (row for row in rows if isinstance(row["id"], str))
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as err:
        raise ReportError(f"{file} is not the data of a site") from err
