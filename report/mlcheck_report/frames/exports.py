"""Files beside the pages: results as CSV and JSON, with units; what scripts read."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from mlcheck.resources import schema
from mlcheck_report.former import FEED, RETIRED
from mlcheck_report.frames.changes import retired
from mlcheck_report.frames.exported import COLUMNS, EXPORT_VERSION, NOTICE, exported
from mlcheck_report.frames.feed import json_feed
from mlcheck_report.frames.ranked import Record
from mlcheck_report.frames.script import script_data
from mlcheck_report.frames.shape import Round
from mlcheck_report.frames.site import Site

SCHEMAS = ("site-results", "site-result")
_UNSAFE = {ord(character): f"\\u{ord(character):04x}" for character in "<>&'\u2028\u2029"}
_FORMULA = re.compile(r"[=+\-@\t\r]")


def frame(site: Site) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of every file."""
    for name in SCHEMAS:
        yield f"schemas/{name}.schema.json", _dumped(schema(name))
    for round_ in site.rounds:
        yield f"{round_.folder}/data.js", script(round_)
        yield f"{round_.folder}/results.csv", _csv(round_).encode("utf-8", "replace")
        yield f"{round_.folder}/results.json", _json(round_)
        for row in round_.rows:
            yield row["json"], _dumped(result(round_, row))
    feed = json_feed(site)
    if feed:
        yield FEED, _dumped(feed)
    gone = retired(site)
    if gone:
        yield RETIRED, _dumped({"schema_version": EXPORT_VERSION, "results": gone})


def result(round_: Round, row: Record) -> dict[str, Any]:
    """Return all that the tables say of one result."""
    evidence = round_.evidence[row["id"]]
    return {
        "$schema": "../../schemas/site-result.schema.json",
        "schema_version": EXPORT_VERSION,
        "notice": NOTICE,
        "result": exported(row),
        "metrics": [_without_key(item) for item in evidence.metrics],
        "quality": [_without_key(item) for item in evidence.quality],
        "power": [_without_key(item) for item in evidence.power],
        "provenance": [_without_key(item) for item in evidence.sources],
        "findings": [
            {name: value for name, value in item.items() if name not in ("rows", "number")}
            for item in evidence.findings
        ],
        "not_judged": [_without_key(item) for item in evidence.outcomes],
    }


def script(round_: Round) -> bytes:
    """Return the script that hands the rows of a round to the page."""
    text = json_for_script(script_data(round_))
    return f"mlcheck.round({text});\n".encode("utf-8", "replace")


def json_for_script(value: Any) -> str:
    """Write JSON that is also a script, and can stand inside a script element."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.translate(_UNSAFE)


def _without_key(item: Record) -> Record:
    return {name: value for name, value in item.items() if name not in ("result_id", "subject")}


def _csv(round_: Round) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow([name for name, _ in COLUMNS])
    for row in round_.rows:
        writer.writerow([_cell(row[column]) for _, column in COLUMNS])
    return file.getvalue()


def _cell(value: Any) -> Any:
    """Write a value so that no spreadsheet takes submitted text for a formula."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "'" + value if isinstance(value, str) and _FORMULA.match(value) else value


def _json(round_: Round) -> bytes:
    document = {
        "$schema": "../schemas/site-results.schema.json",
        "schema_version": EXPORT_VERSION,
        "notice": NOTICE,
        "results": [exported(row) for row in round_.rows],
    }
    return _dumped(document)


def _dumped(document: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n"
