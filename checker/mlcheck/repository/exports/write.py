"""Choose the writer of an export."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

from mlcheck.output.table import csv_text, json_text
from mlcheck.repository.errors import AskError
from mlcheck.repository.exports import inference_summary, spreadsheet, training_summary
from mlcheck.repository.exports.items import items
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
        view: of csv and json.
        repository: where links of the official formats lead; None: as the store knows.

    Raises:
        AskError: nothing passes, or there is no such export.
        RulesetError: the file of facts about exports is wrong.
    """
    if form in ("csv", "json"):
        rows = _view(reader, filters, view)
        names = [name for name, _ in reader.columns(view)]
        text = csv_text(rows, names) if form == "csv" else json_text(rows)
        return text.encode("utf-8", "backslashreplace")
    facts, found = items(reader, filters)
    if form == "xlsx":
        if facts.suite == "training":
            return spreadsheet.training(facts, found)
        return spreadsheet.inference(facts, found, repository)
    if form == "summary-json":
        if facts.suite != "inference":
            raise AskError(f"{facts.suite} publishes no summary_results.json: use summary-csv")
        documents = summary_documents(facts, found, repository)
        return (json.dumps(documents, indent=2) + "\n").encode()
    if facts.suite == "training":
        names = training_summary.column_names(facts)
        return _official_csv(training_summary.summary_rows(facts, found), names)
    return _official_csv(inference_summary.summary_rows(facts, found), facts.columns)


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
