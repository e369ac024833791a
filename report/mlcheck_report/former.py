"""What an earlier build of a site held, read from the data files that it wrote."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from mlcheck_report.tables import ReportError

Result = Mapping[str, Any]
RETIRED = "retired.json"
FEED = "feed.json"
_TEXTS = ("id", "suite", "round", "submitter", "system", "benchmark", "division")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An entry of the feeds. `day` as YYYY-MM-DD; `page` from the root of the site."""

    id: str
    day: str
    title: str
    text: str
    page: str


@dataclass(frozen=True, slots=True)
class Former:
    """Results by id under the names of the data files.

    Attributes:
        retired: those that the former build itself no longer had.
        feed: what it and those before it announced.
    """

    results: Mapping[str, Result]
    retired: Mapping[str, Result]
    feed: tuple[Entry, ...] = ()


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
        tuple(_entries(feed) if (feed := folder / FEED).is_file() else ()),
    )


def _results(file: Path) -> Iterator[Result]:
    try:
        rows = json.loads(file.read_bytes())["results"]
        if not all(isinstance(row[name], str) for row in rows for name in _TEXTS):
            raise TypeError(file)
        yield from rows
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as err:
        raise ReportError(f"{file} is not the data of a site") from err


def _entries(file: Path) -> Iterator[Entry]:
    try:
        for item in json.loads(file.read_bytes())["items"]:
            day = date.fromisoformat(item["date_published"][:10])
            texts = [item[name] for name in ("id", "title", "content_text", "url")]
            if not all(isinstance(text, str) for text in texts):
                raise TypeError(file)
            id_, title, text, page = texts
            yield Entry(id=id_, day=day.isoformat(), title=title, text=text, page=page)
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as err:
        raise ReportError(f"{file} is not the feed of a site") from err
