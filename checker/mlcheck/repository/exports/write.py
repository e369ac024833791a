"""Choose the writer of an export."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from typing import Any

from mlcheck.output.table import csv_text, json_text
from mlcheck.repository.errors import AskError
from mlcheck.repository.exports import (
    inference_summary,
    mobile_summary,
    spreadsheet,
    training_summary,
)
from mlcheck.repository.exports.facts import Published
from mlcheck.repository.exports.items import Item, items
from mlcheck.repository.exports.summary_json import summary_documents
from mlcheck.repository.filters import Filters, asked
from mlcheck.repository.reader import CHILDREN, HISTORY, LEADERBOARD, Reader
from mlcheck.repository.store import SUBMISSIONS

Row = dict[str, Any]
VIEWS = (LEADERBOARD, SUBMISSIONS, HISTORY, *CHILDREN)


def exported(
    reader: Reader, filters: Filters, form: str, view: str, repository: str | None
) -> bytes:
    """Return what is to be written.

    Args:
        reader: of a store.
        filters: what results have to be; other views than the leaderboard know suite, round,
            division and submitter alone.
        form: ``summary-csv``, ``summary-json``, ``xlsx``, ``csv`` or ``json``.
        view: of csv, json and xlsx; a workbook of the leaderboard is the publication spreadsheet.
        repository: where links of the official formats lead; None: as the store knows.

    Raises:
        AskError: nothing passes, or there is no such export.
        RulesetError: the file of facts about exports is wrong.
    """
    if form in ("csv", "json") or (form == "xlsx" and view != LEADERBOARD):
        rows = _view(reader, filters, view)
        names = [name for name, _ in reader.columns(view)]
        if form == "xlsx":
            return spreadsheet.plain(rows, names)
        text = csv_text(rows, names) if form == "csv" else json_text(rows)
        return text.encode("utf-8", "backslashreplace")
    if view != LEADERBOARD:
        raise AskError(f"{form} has no views: use csv, json or xlsx for {view}")
    facts, found = items(reader, filters)
    if form == "xlsx":
        return _WORKBOOKS[facts.suite](facts, found, repository)
    if form == "summary-json":
        if facts.suite != "inference":
            raise AskError(
                f"summary_results.json is a file of inference: of {facts.suite}, use summary-csv, "
                "or json for every column"
            )
        documents = summary_documents(facts, found, repository)
        return (json.dumps(documents, indent=2) + "\n").encode()
    return _SUMMARIES[facts.suite](facts, found, repository)


def _inference_csv(facts: Published, found: list[Item], _: str | None) -> bytes:
    return _official_csv(inference_summary.summary_rows(facts, found), facts.columns)


def _training_csv(facts: Published, found: list[Item], _: str | None) -> bytes:
    names = training_summary.column_names(facts)
    return _official_csv(training_summary.summary_rows(facts, found), names)


def _mobile_csv(facts: Published, found: list[Item], repository: str | None) -> bytes:
    made = mobile_summary.summary(facts, found, repository)
    return csv_text(made.rows, made.names).encode("utf-8", "backslashreplace")


_Writer = Callable[[Published, list[Item], str | None], bytes]
_SUMMARIES: dict[str, _Writer] = {
    "inference": _inference_csv,
    "training": _training_csv,
    "mobile": _mobile_csv,
}
_WORKBOOKS: dict[str, _Writer] = {
    "inference": spreadsheet.inference,
    "training": lambda facts, found, _: spreadsheet.training(facts, found),
    "mobile": spreadsheet.mobile,
}


def _view(reader: Reader, filters: Filters, view: str) -> list[Row]:
    if view not in VIEWS:
        raise AskError(f"no view {view}; there are: {', '.join(VIEWS)}")
    if view == LEADERBOARD:
        return sorted(
            asked(reader, filters), key=lambda row: (row["suite"], row["path"], row["id"])
        )
    given = {
        name: getattr(filters, name)
        for name in ("suite", "round", "division", "submitter")
        if getattr(filters, name) is not None
    }
    where = " AND ".join(f"lower({name}) = lower(?)" for name in given) or "true"
    rows = reader.rows(f"SELECT * FROM {view} WHERE {where} ORDER BY ALL", list(given.values()))
    if not rows:
        raise AskError(f"no rows of {view} pass these filters")
    return rows


def _official_csv(rows: Sequence[Row], names: Sequence[str]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([row[name] for name in names] for row in rows)
    return out.getvalue().encode("utf-8", "backslashreplace")
